// A plugin's source as tokens, cut into what stands around its class and the members of the class. One class is all there may be: what else C#
// has of declarations is refused by name, at its place. Bodies are not looked into.

import type { Diagnostic } from '../diagnostics.ts';
import { tokenize } from '../lexer.ts';
import { END, IDENTIFIER, isPredefinedType, type Token } from '../tokens.ts';

/** From its first token to the one behind its last. */
export interface TokenRange {
  readonly from: number;
  readonly to: number;
}

export type Member =
  /** `type` and `declarators` of a field, or of a property that is nothing but a variable. */
  | {
      readonly kind: 'field';
      readonly isConst: boolean;
      readonly type: TokenRange;
      readonly declarators: readonly Declarator[];
    }
  /** A property that computes its value: an expression (`=>` … `;`) or a block. */
  | { readonly kind: 'property'; readonly type: TokenRange; readonly name: Token; readonly body: TokenRange }
  /** From the return type to the end of the body. */
  | { readonly kind: 'method'; readonly name: Token; readonly all: TokenRange }
  /** The body of the constructor without parameters. */
  | { readonly kind: 'constructor'; readonly body: TokenRange };

export interface Declarator {
  readonly name: Token;
  /** Of the value, without `=`. */
  readonly initial: TokenRange | null;
}

export interface ClassUnit {
  readonly tokens: readonly Token[];
  /** Namespaces whose types need no qualification: those named, and those around the class. */
  readonly imports: ReadonlySet<string>;
  readonly name: Token;
  readonly bases: readonly string[];
  readonly members: readonly Member[];
}

const MODIFIERS = new Set(
  (
    'public private protected internal static readonly override virtual sealed new abstract extern unsafe volatile const ' +
    'partial async required'
  ).split(' '),
);
const OPENERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const KNOWN_ROOTS = ['System', 'NoSQL.GraphDB.Core', 'Microsoft.Extensions.Logging'];
/** Directives that change nothing of the program. */
const IDLE_DIRECTIVE = /^[ \t]*#[ \t]*(?:region|endregion|pragma|nullable)\b.*$/gm;

/** Ends the reading: what follows could not be understood. */
class Unreadable extends Error {}

/** The source's class; null when something was reported that is an error. */
export function readUnit(source: string, report: (diagnostic: Diagnostic) => void): ClassUnit | null {
  let errors = 0;
  const say = (id: string, message: string, start: number, end: number): void => {
    errors++;
    report({ id, message, severity: 'error', start, end });
  };
  const idle = source.replace(IDLE_DIRECTIVE, (line) => ' '.repeat(line.length));
  const tokens = tokenize(idle, say);
  try {
    const unit = new UnitReader(tokens, source, say).read();
    return errors === 0 ? unit : null;
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

type Say = (id: string, message: string, start: number, end: number) => void;

class UnitReader {
  private readonly tokens: readonly Token[];
  private readonly source: string;
  private readonly say: Say;
  private readonly imports = new Set<string>(['Arcwise.Host']);
  private at = 0;

  constructor(tokens: readonly Token[], source: string, say: Say) {
    this.tokens = tokens;
    this.source = source;
    this.say = say;
  }

  read(): ClassUnit {
    this.usings();
    let depth = 0;
    if (this.isWord('namespace')) {
      this.at++;
      const names = this.dottedName().split('.');
      for (let count = 1; count <= names.length; count++) this.imports.add(names.slice(0, count).join('.'));
      if (this.isWord('{')) depth++;
      else this.expectHere(';');
      this.at++;
      this.usings();
    }
    const unit = this.classDeclaration();
    for (; depth > 0; depth--) this.expect('}');
    if (this.token.kind !== END) this.refuse('Anything beside the one class of the plugin');
    return unit;
  }

  private get token(): Token {
    return this.tokens[this.at] as Token;
  }

  private isWord(kind: string): boolean {
    const { token } = this;
    return token.kind === kind || (token.kind === IDENTIFIER && token.text === kind && this.textOf(token) === kind);
  }

  private textOf({ start, end }: Token): string {
    return this.source.slice(start, end);
  }

  private usings(): void {
    while (this.isWord('using')) {
      const { start } = this.token;
      this.at++;
      if (this.isWord('static') || this.tokens[this.at + 1]?.kind === '=')
        this.refuse('This form of a using directive');
      const name = this.dottedName();
      const { end } = this.tokens[this.at - 1] as Token;
      if (!KNOWN_ROOTS.some((root) => name === root || name.startsWith(`${root}.`))) {
        this.say('CS0246', `The type or namespace '${name}' is not known.`, start + 'using '.length, end);
      }
      this.imports.add(name);
      this.expect(';');
    }
  }

  private dottedName(): string {
    let name = this.identifier().text;
    while (this.isWord('.')) {
      this.at++;
      name += `.${this.identifier().text}`;
    }
    return name;
  }

  private identifier(): Token {
    const { token } = this;
    if (token.kind !== IDENTIFIER) this.fail('CS1001', 'A name is missing.');
    this.at++;
    return token;
  }

  private expect(kind: string): void {
    this.expectHere(kind);
    this.at++;
  }

  private expectHere(kind: string): void {
    if (this.token.kind === kind) return;
    const id = kind === ';' ? 'CS1002' : kind === '}' ? 'CS1513' : 'CS1003';
    this.fail(id, `A '${kind}' is missing.`);
  }

  private fail(id: string, message: string): never {
    const { start, end } = this.token;
    this.say(id, message, start, end);
    throw new Unreadable();
  }

  private refuse(what: string): never {
    return this.fail('CS8652', `${what} is not part of what plugins are written in here.`);
  }

  private modifiers(): Set<string> {
    const found = new Set<string>();
    while (MODIFIERS.has(this.textOf(this.token)) && this.token.kind !== END) {
      found.add(this.textOf(this.token));
      this.at++;
    }
    return found;
  }

  private classDeclaration(): ClassUnit {
    if (this.isWord('[')) this.refuse('An attribute');
    const modifiers = this.modifiers();
    if (!this.isWord('class')) this.refuse('Anything beside the one class of the plugin');
    this.at++;
    const name = this.identifier();
    for (const wrong of ['abstract', 'static', 'partial']) {
      if (modifiers.has(wrong)) this.say('CS0144', `The class of a plugin is not ${wrong}.`, name.start, name.end);
    }
    if (!modifiers.has('public')) this.say('CS0122', 'The class of a plugin is public.', name.start, name.end);
    if (this.isWord('<')) this.refuse('A class with type parameters');
    const bases: string[] = [];
    if (this.isWord(':')) {
      do {
        this.at++;
        bases.push(this.dottedName().split('.').at(-1) as string);
        if (this.isWord('<')) this.refuse('A base with type arguments');
      } while (this.isWord(','));
    }
    this.expect('{');
    const members: Member[] = [];
    while (!this.isWord('}')) members.push(...this.member(name.text));
    this.at++;
    return { tokens: this.tokens, imports: this.imports, name, bases, members };
  }

  private member(className: string): Member[] {
    if (this.token.kind === END) this.expectHere('}');
    if (this.isWord('[')) this.refuse('An attribute');
    const modifiers = this.modifiers();
    for (const wrong of ['abstract', 'extern', 'unsafe', 'async', 'partial']) {
      if (modifiers.has(wrong)) this.refuse(`A member that is ${wrong}`);
    }
    for (const [word, what] of NOT_MEMBERS) if (this.isWord(word)) this.refuse(what);
    if (this.token.text === className && this.tokens[this.at + 1]?.kind === '(') return [this.constructorMember()];
    const type = this.type();
    const name = this.identifier();
    switch (this.token.kind) {
      case '(':
      case '<':
        return [this.method(type.from, name)];
      case '{':
        return [this.property(type, name)];
      case '=>':
        return [{ kind: 'property', type, name, body: this.throughSemicolon() }];
      case '.':
        return this.refuse('An explicit implementation of an interface');
      default:
        return [{ kind: 'field', isConst: modifiers.has('const'), type, declarators: this.declarators(name) }];
    }
  }

  private constructorMember(): Member {
    this.at++;
    if (this.tokens[this.at + 1]?.kind !== ')') {
      this.fail('CS7036', 'The constructor of a plugin has no parameters.');
    }
    this.at += 2;
    if (this.isWord(':')) this.refuse('A constructor that calls another');
    return { kind: 'constructor', body: this.body() };
  }

  private method(from: number, name: Token): Member {
    while (!this.isWord('{') && !this.isWord('=>')) {
      if (this.token.kind === END || this.isWord(';')) this.fail('CS0501', `The method '${name.text}' has no body.`);
      this.skip();
    }
    const body = this.body();
    return { kind: 'method', name, all: { from, to: body.to } };
  }

  /** A block, or an expression with the semicolon behind it. */
  private body(): TokenRange {
    const from = this.at;
    if (!this.isWord('{')) return this.throughSemicolon();
    this.skip();
    return { from, to: this.at };
  }

  private throughSemicolon(): TokenRange {
    const from = this.at;
    while (!this.isWord(';')) {
      if (this.token.kind === END || this.isWord('}')) this.expectHere(';');
      this.skip();
    }
    this.at++;
    return { from, to: this.at };
  }

  private property(type: TokenRange, name: Token): Member {
    this.at++;
    let body: TokenRange | null = null;
    while (!this.isWord('}')) {
      this.modifiers();
      const isGet = this.isWord('get');
      if (!isGet && !this.isWord('set') && !this.isWord('init')) this.fail('CS1014', "A 'get' or 'set' is missing.");
      this.at++;
      if (this.isWord(';')) this.at++;
      else if (isGet) body = this.body();
      else this.refuse('A setter with a body');
    }
    this.at++;
    if (body !== null) return { kind: 'property', type, name, body };
    if (!this.isWord('=')) return { kind: 'field', isConst: false, type, declarators: [{ name, initial: null }] };
    const declarators = this.declarators(name);
    return { kind: 'field', isConst: false, type, declarators };
  }

  /** Of fields: behind the first name, through the semicolon. */
  private declarators(first: Token): Declarator[] {
    const found: Declarator[] = [];
    let name = first;
    for (;;) {
      let initial: TokenRange | null = null;
      if (this.isWord('=')) {
        this.at++;
        const from = this.at;
        while (!this.isWord(';') && !this.isWord(',')) {
          if (this.token.kind === END || this.isWord('}')) this.expectHere(';');
          // A comma between type arguments ends no declarator.
          const list = this.typeArguments();
          if (list > 0) this.at = list;
          else this.skip();
        }
        initial = { from, to: this.at };
      }
      found.push({ name, initial });
      if (!this.isWord(',')) break;
      this.at++;
      name = this.identifier();
    }
    this.expect(';');
    return found;
  }

  /** One token, or a bracket with all that it holds. */
  private skip(): void {
    const closer = OPENERS[this.token.kind];
    this.at++;
    if (closer === undefined) return;
    while (!this.isWord(closer)) {
      if (this.token.kind === END) this.expectHere(closer);
      this.skip();
    }
    this.at++;
  }

  private type(): TokenRange {
    const from = this.at;
    if (this.isWord('(')) this.skip();
    else if (isPredefinedType(this.token.kind)) this.at++;
    else {
      this.identifier();
      for (;;) {
        const list = this.typeArguments();
        if (list > 0) this.at = list;
        if (!this.isWord('.')) break;
        this.at++;
        this.identifier();
      }
    }
    while (this.isWord('?') || this.isWord('[')) this.skip();
    return { from, to: this.at };
  }

  /** Where a list of type arguments that begins here ends; 0: none does. */
  private typeArguments(): number {
    if (!this.isWord('<')) return 0;
    let depth = 0;
    for (let at = this.at; at < this.tokens.length; at++) {
      const { kind } = this.tokens[at] as Token;
      if (kind === '<') depth++;
      else if (kind === '>') {
        depth--;
        if (depth === 0) return at + 1;
      } else if (!TYPE_PARTS.has(kind) && !isPredefinedType(kind)) return 0;
    }
    return 0;
  }
}

const TYPE_PARTS = new Set([IDENTIFIER, ',', '.', '?', '[', ']', '(', ')', '::']);

const NOT_MEMBERS: readonly (readonly [word: string, what: string])[] = [
  ['class', 'A type inside of another'],
  ['struct', 'A type inside of another'],
  ['interface', 'A type inside of another'],
  ['enum', 'A type inside of another'],
  ['record', 'A type inside of another'],
  ['delegate', 'A type inside of another'],
  ['event', 'An event'],
  ['~', 'A finalizer'],
  ['implicit', 'A conversion of its own'],
  ['explicit', 'A conversion of its own'],
];
