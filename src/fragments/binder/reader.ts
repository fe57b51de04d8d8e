// Reads the declaration texts of `library/` into symbols. A text is cut into types by one regular expression, a type into
// members when a name of it is first asked for, and a member is parsed when its name is: a cold compile pays only for what
// its fragment names. The texts are ours and correct; a mistake in them throws while it is read (the tests read all).

import { dotNetNames } from '../dotnet-names.ts';
import type { Declarations } from '../library/declarations.ts';
import { uncounted } from '../steps.ts';
import type { Type } from '../types.ts';
import { NO_NAMES, namesOf, parametersKey, Reader } from './declaration-reader.ts';
import type { MemberSymbol, MethodSymbol, TypeParameter, TypeShape, TypeSymbol } from './symbols.ts';
import { INT, primitiveByDotNetName, typeText } from './typing.ts';

const TYPE_HEAD =
  /^[ \t]*(?:namespace\s+([\w.]+)\s*;|(?:\[(CS\d+)\]\s*)?((?:(?:public|readonly|abstract|sealed|ref)\s+)*)(?:(static class|struct|class|interface|enum)\s+(\w+)\s*(<[^>{]*>)?([^{;]*)(\{|;)|delegate\s+([^;]+);))/gm;

/** All types of the texts, in order. */
export function readDeclarations(texts: readonly Declarations[]): TypeSymbol[] {
  const types: TypeSymbol[] = [];
  for (const raw of texts) {
    const text = raw.includes('//') ? raw.replace(/\/\/[^\n]*/g, '') : raw;
    let namespace = 'System';
    TYPE_HEAD.lastIndex = 0;
    for (let head = TYPE_HEAD.exec(text); head; head = TYPE_HEAD.exec(text)) {
      const [, namespaceName, refused, modifiers, shape, name, parameters, rest, opener, delegate] = head;
      if (namespaceName) namespace = namespaceName;
      else if (delegate) types.push(new DelegateSymbol(namespace, refused ?? null, delegate));
      else {
        let body = '';
        if (opener === '{') {
          const end = endOfBody(text, TYPE_HEAD.lastIndex);
          body = text.slice(TYPE_HEAD.lastIndex, end);
          TYPE_HEAD.lastIndex = end + 1;
        }
        types.push(
          new DeclaredType(
            namespace,
            refused ?? null,
            modifiers ?? '',
            shape as TypeShape,
            name!,
            parameters ?? '',
            rest!,
            body,
          ),
        );
      }
    }
  }
  return types;
}

function endOfBody(text: string, from: number): number {
  const braces = /[{}]/g;
  braces.lastIndex = from;
  let depth = 1;
  for (let brace = braces.exec(text); brace; brace = braces.exec(text)) {
    depth += brace[0] === '{' ? 1 : -1;
    if (depth === 0) return brace.index;
  }
  throw new Error('a declaration has no end');
}

const MEMBER = /[^;{}]+(?:\{[^}]*\}(?:\s*=\s*[^;}]*;)?|;)/g;
const MEMBER_NAME = /(\w+)\s*(?:<[\w,\s]*>)?\s*[({;=]/;
const NO_MEMBERS: readonly MemberSymbol[] = [];

class DeclaredType implements TypeSymbol {
  readonly name: string;
  readonly namespace: string;
  readonly shape: TypeShape;
  readonly refused: string | null;
  readonly signature = null;
  readonly sealed: boolean;
  readonly abstract: boolean;
  readonly hasExtensions: boolean;
  readonly typeParameters: readonly TypeParameter[];
  #tail: string;
  #body: string;
  #bases: readonly Type[] | null = null;
  #segments: Map<string, string[]> | null = null;
  #members = new Map<string, readonly MemberSymbol[]>();

  constructor(
    namespace: string,
    refused: string | null,
    modifiers: string,
    shape: TypeShape,
    name: string,
    parameters: string,
    tail: string,
    body: string,
  ) {
    this.namespace = namespace;
    this.refused = refused;
    this.sealed = modifiers.includes('sealed') || shape === 'struct' || shape === 'enum';
    this.abstract = modifiers.includes('abstract') || shape === 'interface';
    this.shape = shape;
    this.hasExtensions = shape === 'static class' && body.includes('(this ');
    this.name = name;
    this.typeParameters = parameters ? new Reader(parameters, NO_NAMES).typeParameters() : [];
    this.#tail = tail;
    this.#body = body;
  }

  get bases(): readonly Type[] {
    this.#bases ??= this.shape === 'enum' ? [] : this.#readTail();
    return this.#bases;
  }

  get underlying(): Type {
    if (this.shape !== 'enum') return INT;
    const reader = new Reader(this.#tail, NO_NAMES);
    return reader.take(':') ? reader.type() : INT;
  }

  #readTail(): Type[] {
    const reader = new Reader(this.#tail, namesOf(this.typeParameters));
    const bases: Type[] = [];
    if (reader.take(':')) {
      do bases.push(reader.type());
      while (reader.take(','));
    }
    return bases;
  }

  #cut(): Map<string, string[]> {
    if (this.#segments) return this.#segments;
    const segments = new Map<string, string[]>();
    this.#segments = segments;
    const add = (name: string, segment: string) => {
      const list = segments.get(name);
      if (list) list.push(segment);
      else segments.set(name, [segment]);
    };
    if (this.shape === 'enum') {
      let next = 0n;
      for (const entry of this.#body.split(',')) {
        const [name, value] = entry.split('=').map((part) => part.trim());
        if (!name) continue;
        if (value) next = BigInt(value);
        add(name, String(next++));
      }
      return segments;
    }
    for (const [segment] of this.#body.matchAll(MEMBER)) add(nameOfSegment(segment), segment.trim());
    return segments;
  }

  membersNamed(name: string): readonly MemberSymbol[] {
    return this.#members.get(name) ?? uncounted(() => this.#readMembers(name));
  }

  #readMembers(name: string): readonly MemberSymbol[] {
    const segments = this.#cut().get(name.startsWith('op_') ? 'operator' : name);
    if (!segments) return NO_MEMBERS;
    if (this.shape === 'enum') {
      const type: Type = { kind: 'named', name: this.name, arguments: [] };
      const key = `${this.name}.${name}`;
      const member = { name, type, key, static: true, readonly: true, constant: segments[0]!, refused: null };
      this.#members.set(name, [{ kind: 'field', owner: this, ...member }]);
    } else if (name.startsWith('op_')) {
      const operators = segments.map((segment) => readMember(this, segment));
      for (const operator of operators) {
        this.#members.set(
          operator.name,
          operators.filter((other) => other.name === operator.name),
        );
      }
      if (!this.#members.has(name)) this.#members.set(name, NO_MEMBERS);
    } else {
      this.#members.set(
        name,
        segments.map((segment) => readMember(this, segment)),
      );
    }
    return this.#members.get(name)!;
  }

  memberNames(): Iterable<string> {
    return this.#cut().keys();
  }
}

class DelegateSymbol implements TypeSymbol {
  readonly name: string;
  readonly namespace: string;
  readonly shape = 'delegate';
  readonly sealed = true;
  readonly abstract = false;
  readonly hasExtensions = false;
  readonly refused: string | null;
  readonly bases: readonly Type[] = [];
  readonly underlying = INT;
  readonly typeParameters: readonly TypeParameter[];
  #text: string;
  #signature: TypeSymbol['signature'] = null;

  constructor(namespace: string, refused: string | null, text: string) {
    this.namespace = namespace;
    this.refused = refused;
    this.#text = text;
    const [, name, parameters] = /(\w+)\s*(<[^()]*>)?\s*\([^()]*\)\s*$/.exec(text)!;
    this.name = name!;
    this.typeParameters = parameters ? new Reader(parameters, NO_NAMES).typeParameters() : [];
  }

  get signature(): TypeSymbol['signature'] {
    if (!this.#signature) {
      const reader = new Reader(this.#text, namesOf(this.typeParameters));
      const returnType = reader.type();
      reader.next();
      if (reader.peek() === '<') reader.typeParameters();
      this.#signature = { returnType, parameters: reader.parameters('(', ')') };
    }
    return this.#signature;
  }

  membersNamed(): readonly MemberSymbol[] {
    return NO_MEMBERS;
  }

  memberNames(): Iterable<string> {
    return [];
  }
}

function nameOfSegment(segment: string): string {
  if (/\boperator\b/.test(segment)) return 'operator';
  if (/\bthis\s*\[/.test(segment)) return 'this';
  const found = MEMBER_NAME.exec(segment);
  if (!found) throw new Error(`a declaration cannot be read: ${segment.trim()}`);
  return found[1]!;
}

const BINARY_NAMES: Record<string, string> = {
  '+': 'op_Addition',
  '-': 'op_Subtraction',
  '*': 'op_Multiply',
  '/': 'op_Division',
  '%': 'op_Modulus',
  '&': 'op_BitwiseAnd',
  '|': 'op_BitwiseOr',
  '^': 'op_ExclusiveOr',
  '<<': 'op_LeftShift',
  '>>': 'op_RightShift',
  '>>>': 'op_UnsignedRightShift',
  '==': 'op_Equality',
  '!=': 'op_Inequality',
  '<': 'op_LessThan',
  '>': 'op_GreaterThan',
  '<=': 'op_LessThanOrEqual',
  '>=': 'op_GreaterThanOrEqual',
};
const UNARY_NAMES: Record<string, string> = {
  '+': 'op_UnaryPlus',
  '-': 'op_UnaryNegation',
  '!': 'op_LogicalNot',
  '~': 'op_OnesComplement',
  '++': 'op_Increment',
  '--': 'op_Decrement',
  true: 'op_True',
  false: 'op_False',
};

/** The .NET name of a user-defined operator, or undefined when there is none of that kind. */
export function operatorName(operator: string, operands: 1 | 2): string | undefined {
  return (operands === 1 ? UNARY_NAMES : BINARY_NAMES)[operator];
}

function readMember(owner: TypeSymbol, segment: string): MemberSymbol {
  const reader = new Reader(segment, namesOf(owner.typeParameters));
  let refused: string | null = null;
  if (reader.take('[')) {
    refused = reader.next();
    reader.expect(']');
  }
  const modifiers = new Set<string>();
  while (MODIFIERS.has(reader.peek())) modifiers.add(reader.next());
  const isStatic = modifiers.has('static') || modifiers.has('const');
  const ownerText = ownerKey(owner);
  const method = (name: string, returnType: Type, isStaticMethod = isStatic): MethodSymbol => {
    const typeParameters = reader.peek() === '<' ? reader.typeParameters() : [];
    const parameters = reader.parameters('(', ')');
    const constrained = reader.constraints(typeParameters);
    const generic = typeParameters.length ? `<${typeParameters.map((p) => p.name).join(',')}>` : '';
    const key = `${ownerText}.${name === 'new' ? 'new' : name}${generic}(${parametersKey(parameters)})`;
    return {
      kind: 'method',
      owner,
      name,
      typeParameters: constrained,
      parameters,
      returnType,
      static: isStaticMethod,
      extension: reader.sawThis,
      key,
      refused,
    };
  };
  if (modifiers.has('implicit') || modifiers.has('explicit')) {
    reader.expect('operator');
    const target = reader.type();
    const conversion = method(modifiers.has('implicit') ? 'op_Implicit' : 'op_Explicit', target);
    return { ...conversion, key: `${conversion.key}->${typeText(target)}` };
  }
  if (reader.peek() === 'new' && reader.peek(1) === '(') {
    reader.next();
    return method('new', selfType(owner), true);
  }
  reader.noteTypeParameters();
  const type = reader.type();
  const shared = { owner, type, static: isStatic, refused };
  if (reader.take('operator')) {
    const symbol = reader.until('(');
    const parameters = reader.copyParameters();
    return method(operatorName(symbol, parameters === 1 ? 1 : 2)!, type);
  }
  const name = reader.next();
  if (name === 'this') {
    const parameters = reader.parameters('[', ']');
    const keys = reader.accessors(ownerText, 'Item', parameters, type);
    return { kind: 'property', name: 'Item', parameters, ...shared, ...keys };
  }
  if (reader.peek() === '(' || reader.peek() === '<') return method(name, type);
  if (reader.peek() === '{') {
    return { kind: 'property', name, parameters: [], ...shared, ...reader.accessors(ownerText, name, [], type) };
  }
  const constant = reader.take('=') && modifiers.has('const') ? reader.until(';') : null;
  const readonly = modifiers.has('readonly') || modifiers.has('const');
  return { kind: 'field', name, ...shared, readonly, key: `${ownerText}.${name}`, constant };
}

const MODIFIERS = new Set(['static', 'const', 'readonly', 'implicit', 'explicit', 'public', 'abstract', 'virtual']);

function ownerKey(owner: TypeSymbol): string {
  const parameters = owner.typeParameters.map((parameter) => parameter.name).join(',');
  return parameters ? `${owner.name}<${parameters}>` : owner.name;
}

/** The type inside its own declaration: `List<T>`; primitives as themselves. */
function selfType(owner: TypeSymbol): Type {
  const simple = owner.namespace === 'System' ? primitiveByDotNetName(owner.name) : undefined;
  if (simple && owner.typeParameters.length === 0) return simple;
  return {
    kind: 'named',
    name: owner.name,
    arguments: owner.typeParameters.map(({ name }): Type => ({ kind: 'parameter', name })),
  };
}

/** The name that a primitive type's members are declared under. */
export function declarationName(type: Type): string | null {
  switch (type.kind) {
    case 'primitive':
      return dotNetNames[type.name];
    case 'named':
      return type.name;
    case 'array':
      return 'Array';
    case 'nullable':
      return 'Nullable';
    default:
      return null;
  }
}
