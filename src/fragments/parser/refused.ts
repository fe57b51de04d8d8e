// Constructs of C# that fragments do not have. Each is named in one diagnostic and skipped as a whole, so that what follows
// is read as usual.

import type { Statement } from '../syntax.ts';
import { END, IDENTIFIER, isPredefinedType } from '../tokens.ts';
import type { TokenStream } from './stream.ts';

/** Skips tokens up to one of `stops` at this level; brackets are skipped whole. */
function skipBalanced(p: TokenStream, stops: ReadonlySet<string>): void {
  while (!stops.has(p.current.kind) && !p.is(END) && !p.is('holeEnd')) skipToken(p);
}

/** Skips one token, or everything between a bracket and the one that closes it. */
function skipToken(p: TokenStream): void {
  const close = p.matches[p.index]!;
  if (close >= 0) p.moveTo(close + 1);
  else p.next();
}

interface Refusal {
  readonly what: string;
  readonly id: string;
}

const STATEMENTS: Record<string, Refusal> = {
  lock: { what: "A 'lock' statement", id: 'CS8652' },
  unsafe: { what: "An 'unsafe' block", id: 'CS0227' },
  fixed: { what: "A 'fixed' statement", id: 'CS0214' },
  using: { what: "A 'using' statement", id: 'CS8652' },
  class: { what: 'A type declaration', id: 'CS1513' },
  struct: { what: 'A type declaration', id: 'CS1513' },
  interface: { what: 'A type declaration', id: 'CS1513' },
  enum: { what: 'A type declaration', id: 'CS1513' },
  namespace: { what: 'A namespace', id: 'CS1513' },
  event: { what: 'A member declaration', id: 'CS1513' },
  public: { what: 'A member declaration', id: 'CS1513' },
  private: { what: 'A member declaration', id: 'CS1513' },
  protected: { what: 'A member declaration', id: 'CS1513' },
  internal: { what: 'A member declaration', id: 'CS1513' },
};

/** A statement that fragments do not have, skipped; null when none starts here. */
export function refuseStatement(p: TokenStream): Statement | null {
  const { kind, start } = p.current;
  const known = Object.hasOwn(STATEMENTS, kind) ? STATEMENTS[kind]! : null;
  if (known !== null) return skipStatement(p, known.what, known.id, kind);
  if (kind === 'delegate' && p.peek(1).kind !== '(' && p.peek(1).kind !== '{' && p.peek(1).kind !== '*') {
    return skipStatement(p, 'A type declaration', 'CS1513', 'delegate');
  }
  if (p.isWord('yield') && !p.isUnit && (p.peek(1).kind === 'return' || p.peek(1).kind === 'break')) {
    return skipStatement(p, "'yield'", 'CS1621', 'yield');
  }
  if (p.isWord('await') && (p.peek(1).kind === 'foreach' || p.peek(1).kind === 'using')) {
    return skipStatement(p, "'await'", 'CS4034', 'await');
  }
  if (p.isWord('record') && p.peek(1).kind === IDENTIFIER && RECORD_FOLLOWS.has(p.peek(2).kind)) {
    return skipStatement(p, 'A type declaration', 'CS1513', 'record');
  }
  if (kind === '[' && startsAttribute(p)) {
    p.moveTo(p.matches[p.index]! + 1);
    p.refuse('An attribute', start, p.lastEnd, 'CS7014');
    return { kind: 'refused', construct: 'attribute', start, end: p.lastEnd };
  }
  return null;
}

const RECORD_FOLLOWS = new Set(['(', '{', ':']);

/** `[Name]` or `[Name(…)]` before a declaration: what follows the bracket starts another statement. */
function startsAttribute(p: TokenStream): boolean {
  const close = p.matches[p.index]!;
  if (close < 0 || p.peek(1).kind !== IDENTIFIER) return false;
  const after = p.tokens[close + 1]!.kind;
  return after === IDENTIFIER || isPredefinedType(after) || after === 'static';
}

/** Skips up to the end of a statement: its `;` or its block. */
function skipStatement(p: TokenStream, what: string, id: string, construct: string): Statement {
  const { start, end } = p.next();
  p.refuse(what, start, end, id);
  skipBalanced(p, new Set([';', '{', '}', ')']));
  if (p.is('{')) skipToken(p);
  else p.accept(';');
  return { kind: 'refused', construct, start, end: p.lastEnd };
}
