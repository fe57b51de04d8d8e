// A cursor over the tokens of one declaration: types, parameters, constraints, accessors.

import type { TupleElement, Type } from '../types.ts';
import type { ParameterSymbol, TypeParameter } from './symbols.ts';
import { nullableOf, primitiveByDotNetName, primitiveType, typeText } from './typing.ts';

export const NO_NAMES: ReadonlySet<string> = new Set();
const KEYWORD_TYPES = new Set(
  'bool byte sbyte short ushort int uint long ulong char float double decimal string object void'.split(' '),
);

export function namesOf(parameters: readonly TypeParameter[]): ReadonlySet<string> {
  return parameters.length ? new Set(parameters.map((parameter) => parameter.name)) : NO_NAMES;
}

export function parametersKey(parameters: readonly ParameterSymbol[]): string {
  return parameters
    .map((parameter) => (parameter.mode === 'value' ? '' : `${parameter.mode} `) + typeText(parameter.type))
    .join(',');
}

const TOKEN = /[A-Za-z_]\w*|\d[\w.]*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\S/g;

/** A cursor over the tokens of one member or head. */
export class Reader {
  #tokens: string[];
  #at = 0;
  #names: ReadonlySet<string>;
  sawThis = false;

  constructor(text: string, names: ReadonlySet<string>) {
    this.#tokens = text.match(TOKEN) ?? [];
    this.#names = names;
  }

  peek(ahead = 0): string {
    return this.#tokens[this.#at + ahead] ?? '';
  }

  next(): string {
    return this.#tokens[this.#at++] ?? '';
  }

  take(token: string): boolean {
    if (this.peek() !== token) return false;
    this.#at++;
    return true;
  }

  expect(token: string): void {
    if (!this.take(token)) {
      throw new Error(`a declaration needs ${token} before ${this.peek()}: ${this.#tokens.join(' ')}`);
    }
  }

  /** The tokens up to one, joined. */
  until(token: string): string {
    let text = '';
    while (this.peek() !== token && this.peek() !== '') text += this.next();
    return text;
  }

  typeParameters(): TypeParameter[] {
    const parameters: TypeParameter[] = [];
    this.expect('<');
    do {
      const variance = this.peek() === 'in' || this.peek() === 'out' ? (this.next() as 'in' | 'out') : '';
      parameters.push({ name: this.next(), variance, constraints: [] });
    } while (this.take(','));
    this.expect('>');
    this.#names = new Set([...this.#names, ...parameters.map((parameter) => parameter.name)]);
    return parameters;
  }

  /** A method's own type parameters are in scope in its return type, which comes before them. */
  noteTypeParameters(): void {
    for (let at = this.#at; at < this.#tokens.length - 1; at++) {
      if (this.#tokens[at] === '(' && this.#tokens[at - 1] !== '>') {
        if (at > this.#at && /\w/.test(this.#tokens[at - 1]!)) return; // a method without type parameters
      }
      if (this.#tokens[at] !== '>' || this.#tokens[at + 1] !== '(') continue;
      let from = at - 1;
      while (from > 0 && (/^\w+$/.test(this.#tokens[from]!) || this.#tokens[from] === ',')) from--;
      if (this.#tokens[from] !== '<') continue;
      const names = this.#tokens.slice(from + 1, at).filter((token) => token !== ',');
      this.#names = new Set([...this.#names, ...names]);
      return;
    }
  }

  constraints(parameters: readonly TypeParameter[]): readonly TypeParameter[] {
    if (this.peek() !== 'where') return parameters;
    const result = [...parameters];
    while (this.take('where')) {
      const name = this.next();
      this.expect(':');
      const constraints: (string | Type)[] = [];
      do {
        if (this.peek() === 'new') {
          constraints.push('new()');
          this.#at += 3;
        } else if (['struct', 'class', 'notnull', 'unmanaged'].includes(this.peek())) constraints.push(this.next());
        else constraints.push(this.type());
      } while (this.take(','));
      const at = result.findIndex((parameter) => parameter.name === name);
      if (at >= 0) result[at] = { ...result[at]!, constraints };
    }
    return result;
  }

  type(): Type {
    let type = this.#simpleType();
    while (true) {
      if (this.take('?')) type = this.#annotated(type);
      else if (this.peek() === '[' && (this.peek(1) === ']' || this.peek(1) === ',')) {
        this.next();
        let rank = 1;
        while (this.take(',')) rank++;
        this.expect(']');
        type = { kind: 'array', element: type, rank };
      } else return type;
    }
  }

  /** `string?` is string; the question mark counts on value types and on constrained parameters. */
  #annotated(type: Type): Type {
    const reference = type.kind === 'array' || (type.kind === 'primitive' && ['string', 'object'].includes(type.name));
    return reference ? type : nullableOf(type);
  }

  #simpleType(): Type {
    if (this.take('(')) {
      const elements: TupleElement[] = [];
      do {
        const type = this.type();
        elements.push({ type, name: /^\w/.test(this.peek()) ? this.next() : null });
      } while (this.take(','));
      this.expect(')');
      return { kind: 'tuple', elements };
    }
    let name = this.next();
    if (KEYWORD_TYPES.has(name)) return primitiveType(name as 'int');
    while (this.peek() === '.') {
      this.next();
      name = this.next();
    }
    if (this.#names.has(name)) return { kind: 'parameter', name };
    const list: Type[] = [];
    if (this.peek() === '<') {
      this.next();
      do list.push(this.type());
      while (this.take(','));
      this.expect('>');
    }
    if (list.length === 1 && name === 'Nullable') return nullableOf(list[0]!);
    if (list.length > 0) return { kind: 'named', name, arguments: list };
    return primitiveByDotNetName(name) ?? { kind: 'named', name, arguments: [] };
  }

  parameters(open: string, close: string): ParameterSymbol[] {
    const parameters: ParameterSymbol[] = [];
    this.expect(open);
    while (!this.take(close)) {
      let mode: ParameterSymbol['mode'] = 'value';
      let params = false;
      for (let more = true; more; ) {
        if (this.take('this')) this.sawThis = true;
        else if (this.take('params')) params = true;
        else if (['ref', 'out', 'in'].includes(this.peek())) mode = this.next() as 'ref';
        else if (!this.take('scoped') && !this.take('readonly')) more = false;
      }
      const type = this.type();
      const name = this.next();
      let value: string | null = null;
      if (this.take('=')) {
        value = '';
        while (this.peek() !== ',' && this.peek() !== close) value += this.next();
      }
      parameters.push({ name, type, mode, params, default: value });
      this.take(',');
    }
    return parameters;
  }

  /** How many parameters follow, without reading past them. */
  copyParameters(): number {
    const at = this.#at;
    const count = this.parameters('(', ')').length;
    this.#at = at;
    return count;
  }

  accessors(ownerText: string, name: string, parameters: readonly ParameterSymbol[], type: Type) {
    this.expect('{');
    let getKey: string | null = null;
    let setKey: string | null = null;
    let initOnly = false;
    while (!this.take('}')) {
      const accessor = this.next();
      if (accessor === 'get') getKey = `${ownerText}.get_${name}(${parametersKey(parameters)})`;
      if (accessor === 'set' || accessor === 'init') {
        const own = parametersKey(parameters);
        setKey = `${ownerText}.set_${name}(${own ? `${own},` : ''}${typeText(type)})`;
        initOnly = accessor === 'init';
      }
    }
    return { getKey, setKey, initOnly };
  }
}
