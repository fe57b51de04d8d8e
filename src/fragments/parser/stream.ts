// What all parts of the parser share: the tokens and where the parser stands in them, reports with C#'s rules of place,
// and the guard against nesting that would use up the stack.

import type { Diagnostic } from '../diagnostics.ts';
import { MAX_NESTING } from '../limits.ts';
import { step } from '../steps.ts';
import type { Name, Node } from '../syntax.ts';
import { BAD, END, IDENTIFIER, type Token } from '../tokens.ts';
import { matchBrackets, TypeScanner } from './scan.ts';

/** Thrown inside the parser only, when a fragment nests too deep; `parseFragment` answers CS8078 for it. */
export class NestingError extends Error {}

/** What may end a list of statements or arguments from outside: the parser then stops skipping tokens. */
export const ENDS_ARGUMENTS = 1;
export const ENDS_TRY = 2;
export const ENDS_SWITCH_SECTION = 4;
export const ENDS_FOR = 8;

export class TokenStream {
  readonly tokens: readonly Token[];
  /** For each opening bracket the index of its closing one, else -1. */
  readonly matches: Int32Array;
  readonly types: TypeScanner;
  readonly diagnostics: Diagnostic[];
  index = 0;
  current: Token;
  /** A set of the ENDS_… constants of everything around. */
  terminators = 0;
  /** Whether the text has classes: `this`, `base` and `yield` mean something then. */
  readonly isUnit: boolean;
  private depth = 0;

  constructor(tokens: readonly Token[], diagnostics: Diagnostic[], isUnit = false) {
    this.isUnit = isUnit;
    this.tokens = tokens;
    this.diagnostics = diagnostics;
    this.current = tokens[0]!;
    this.matches = matchBrackets(tokens);
    this.types = new TypeScanner(tokens);
  }

  /** The token some places ahead; beyond the text it is the end token. */
  peek(distance: number): Token {
    return this.tokens[Math.min(this.index + distance, this.tokens.length - 1)]!;
  }

  is(kind: string): boolean {
    return this.current.kind === kind;
  }

  /** `global::` names what a name at the outermost means anyway. */
  skipGlobal(): void {
    if (this.isWord('global') && this.peek(1).kind === '::') this.moveTo(this.index + 2);
  }

  /** Whether the current token is an identifier with this (contextual) word, written without `@`. */
  isWord(word: string, token = this.current): boolean {
    return token.kind === IDENTIFIER && token.text === word && token.end - token.start === word.length;
  }

  next(): Token {
    const token = this.current;
    if (token.kind !== END) this.moveTo(this.index + 1);
    return token;
  }

  moveTo(index: number): void {
    this.index = index;
    this.current = this.tokens[index]!;
  }

  accept(kind: string): Token | null {
    return this.current.kind === kind ? this.next() : null;
  }

  /** Takes a token of this kind, or reports that it is missing and stays. */
  expect(kind: string): Node {
    if (this.current.kind === kind) return this.next();
    this.reportExpected(kind);
    return this.missing();
  }

  /** Where the last token taken ended. */
  get lastEnd(): number {
    return this.index === 0 ? 0 : this.tokens[this.index - 1]!.end;
  }

  /** A node of no width where something is missing: behind the last token taken, so that it lies inside its parent. */
  missing(): Node {
    const at = this.lastEnd;
    return { start: at, end: at };
  }

  missingName(): Name {
    return { ...this.missing(), text: '' };
  }

  /** The span of what is missing: the current token, or the end of the last one when a line ends in between. */
  missingSpan(): Node {
    const { current } = this;
    if (current.kind === 'holeEnd' || current.kind === 'interpolationFormat') {
      return { start: current.start, end: current.start };
    }
    if (current.newlineBefore || current.kind === END) return { start: this.lastEnd, end: this.lastEnd };
    return { start: current.start, end: current.end };
  }

  identifier(): Name {
    const token = this.current;
    if (token.kind === IDENTIFIER) {
      this.next();
      return { start: token.start, end: token.end, text: token.text };
    }
    this.reportMissing('CS1001', 'An identifier is expected.');
    return this.missingName();
  }

  report(id: string, message: string, start: number, end: number): void {
    step(3);
    this.diagnostics.push({ id, severity: 'error', message, start, end });
  }

  reportAt(id: string, message: string, node: Node): void {
    this.report(id, message, node.start, node.end);
  }

  reportMissing(id: string, message: string): void {
    this.reportAt(id, message, this.missingSpan());
  }

  reportExpected(kind: string): void {
    const [id, message] = expectedMessage(kind);
    this.reportMissing(id, message);
  }

  /** Says of a token that is skipped what was expected in its place; silent when the token is faulty itself. */
  skipWithReport(kind: string): void {
    if (!this.current.faulty) {
      const [id, message] = expectedMessage(kind);
      const { current } = this;
      const early = current.newlineBefore || this.index === 0;
      this.report(id, message, early ? this.lastEnd : current.start, early ? this.lastEnd : current.end);
    }
    this.next();
  }

  /** Reports a construct that the fragment language does not have, over a span. */
  refuse(construct: string, start: number, end: number, id = 'CS8652'): void {
    this.report(id, `${construct} cannot be used in a fragment.`, start, end);
  }

  /** One level deeper; every call has its `leave`, except after a throw. */
  enter(): void {
    step(2);
    if (++this.depth > MAX_NESTING) throw new NestingError();
  }

  leave(): void {
    this.depth--;
  }

  /** Whether the current token ends a construct around the one being read. */
  atTerminator(): boolean {
    const { kind } = this.current;
    if (kind === END) return true;
    const { terminators } = this;
    if ((terminators & ENDS_ARGUMENTS) !== 0 && (kind === ')' || kind === ']' || kind === 'holeEnd')) return true;
    if ((terminators & ENDS_TRY) !== 0 && (kind === 'catch' || kind === 'finally' || kind === '}')) return true;
    if ((terminators & ENDS_SWITCH_SECTION) !== 0 && this.startsSwitchSection()) return true;
    return (terminators & ENDS_FOR) !== 0 && (kind === ';' || kind === ')' || kind === '{');
  }

  /** `case …`, or `default` that is not an expression. */
  startsSwitchSection(): boolean {
    return this.is('case') || (this.is('default') && this.peek(1).kind !== '(');
  }

  /** Runs a reader with more terminators in force. */
  within<T>(terminator: number, read: () => T): T {
    const saved = this.terminators;
    this.terminators |= terminator;
    const result = read();
    this.terminators = saved;
    return result;
  }
}

const EXPECTED: Record<string, string> = { ';': 'CS1002', ')': 'CS1026', '{': 'CS1514', '}': 'CS1513' };

function expectedMessage(kind: string): [string, string] {
  return [EXPECTED[kind] ?? 'CS1003', `'${kind}' is expected.`];
}

/** How a token is called in a message. */
export function spelling(token: Token): string {
  if (token.kind === END) return 'the end of the fragment';
  if (token.kind === BAD) return 'this character';
  if (token.kind === IDENTIFIER) return `'${token.text}'`;
  return /^[a-z]+[A-Z]/.test(token.kind) || token.kind === 'literal' ? 'this' : `'${token.kind}'`;
}
