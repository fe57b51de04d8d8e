// What makes new values: `new`, arrays, anonymous objects, initializers, collection expressions and stackalloc.

import type { Expression, Initializer, Name, TypeSyntax } from '../syntax.ts';
import { IDENTIFIER } from '../tokens.ts';
import { parseArguments } from './arguments.ts';
import { parseExpression } from './expressions.ts';
import type { TokenStream } from './stream.ts';
import { parseRanks, parseType, startsExpression } from './types.ts';

export function parseNew(p: TokenStream): Expression {
  const { start } = p.next();
  if (p.is('{')) return parseAnonymous(p, start);
  if (p.is('[')) return parseImplicitArray(p, start);
  if (p.is('(') && !startsTupleType(p)) return parseCreation(p, start, null);
  const type = parseType(p, 'new');
  if (p.is('[')) return parseArrayCreation(p, start, type);
  if (p.is('(') || p.is('{')) return parseCreation(p, start, type);
  p.reportMissing('CS1526', "After 'new' and a type follow arguments, array sizes or an initializer.");
  return { kind: 'new', type, arguments: [], initializer: null, start, end: Math.max(p.lastEnd, type.end) };
}

/** `new (int, string)[3]`: a tuple type stands before `[`. */
function startsTupleType(p: TokenStream): boolean {
  const end = p.types.typeEnd(p.index);
  return end >= 0 && (p.tokens[end - 1]!.kind === ']' || p.tokens[end]!.kind === '[');
}

function parseCreation(p: TokenStream, start: number, type: TypeSyntax | null): Expression {
  const args = p.is('(') ? parseArguments(p, ')') : [];
  const initializer = p.is('{') ? parseInitializer(p) : null;
  return { kind: 'new', type, arguments: args, initializer, start, end: p.lastEnd };
}

function parseAnonymous(p: TokenStream, start: number): Expression {
  p.next();
  const members: { name: Name | null; value: Expression }[] = [];
  while (!p.is('}') && !p.is('end') && !p.is(';')) {
    if (!startsExpression(p.current.kind)) {
      p.skipWithReport('}');
      continue;
    }
    const named = p.is(IDENTIFIER) && p.peek(1).kind === '=';
    const name = named ? p.identifier() : null;
    if (named) p.next();
    members.push({ name, value: parseExpression(p) });
    if (!p.accept(',') && !expectComma(p)) break;
  }
  p.expect('}');
  return { kind: 'newAnonymous', members, start, end: p.lastEnd };
}

/** Between elements without a comma: reports it and goes on when another element starts here. */
function expectComma(p: TokenStream): boolean {
  if (!startsExpression(p.current.kind)) return false;
  p.reportExpected(',');
  return true;
}

function parseImplicitArray(p: TokenStream, start: number): Expression {
  p.next();
  const rank = parseCommas(p);
  p.expect(']');
  const initializer = parseRequiredInitializer(p);
  return { kind: 'newArray', element: null, sizes: [], rank, initializer, start, end: p.lastEnd };
}

/** One more than there are commas. */
function parseCommas(p: TokenStream): number {
  let rank = 1;
  while (p.accept(',')) rank++;
  return rank;
}

function parseRequiredInitializer(p: TokenStream): Initializer | null {
  if (p.is('{')) return parseInitializer(p);
  p.reportExpected('{');
  p.reportExpected('}');
  return null;
}

function parseArrayCreation(p: TokenStream, start: number, elementType: TypeSyntax): Expression {
  const sizes: Expression[] = [];
  let element = elementType;
  let rank = 1;
  const rankStart = p.next().start;
  if (p.is(']') || p.is(',')) {
    rank = parseCommas(p);
    p.expect(']');
  } else {
    if (!p.is(';')) {
      do sizes.push(parseExpression(p));
      while (p.accept(','));
      rank = sizes.length;
    }
    p.expect(']');
  }
  element = parseRanks(p, element);
  const initializer = p.is('{') ? parseInitializer(p) : null;
  if (sizes.length === 0 && initializer === null && p.tokens[p.index - 1]!.kind === ']') {
    p.report('CS1586', 'An array needs its size or an initializer.', rankStart, p.lastEnd);
  }
  return { kind: 'newArray', element, sizes, rank, initializer, start, end: p.lastEnd };
}

/** `{ … }` after `new`, of an array, or inside another initializer. */
export function parseInitializer(p: TokenStream): Initializer {
  p.enter();
  const { start } = p.next();
  const entries: (Expression | Initializer)[] = [];
  while (!p.is('}') && !p.is('end') && !p.is(';')) {
    if (!p.is('{') && !startsExpression(p.current.kind)) {
      p.skipWithReport('}');
      continue;
    }
    entries.push(parseEntry(p));
    if (!p.accept(',') && !expectComma(p)) break;
  }
  p.expect('}');
  p.leave();
  return { entries, start, end: p.lastEnd };
}

function parseEntry(p: TokenStream): Expression | Initializer {
  if (p.is('{')) return parseInitializer(p);
  const named = p.is(IDENTIFIER) && p.peek(1).kind === '=' && p.peek(2).kind === '{';
  if (named) {
    // `Items = { 1, 2 }` adds to a collection that exists: nothing a fragment reaches can be changed so.
    const { start } = p.current;
    p.moveTo(p.index + 2);
    const inner = parseInitializer(p);
    p.refuse('An initializer of a member', start, inner.end);
    return { kind: 'refused', construct: 'member initializer', start, end: inner.end };
  }
  return parseExpression(p);
}

/** `[1, 2, ..rest]`. */
export function parseCollection(p: TokenStream): Expression {
  const { start } = p.next();
  const elements: { spread: boolean; value: Expression }[] = [];
  while (!p.is(']') && !p.is('end') && !p.is(';') && !p.is('}')) {
    const spread = p.accept('..') !== null;
    elements.push({ spread, value: parseExpression(p) });
    if (!p.accept(',') && !expectComma(p)) break;
  }
  p.expect(']');
  return { kind: 'collection', elements, start, end: p.lastEnd };
}

export function parseStackalloc(p: TokenStream): Expression {
  const { start } = p.next();
  let element: TypeSyntax | null = null;
  let size: Expression | null = null;
  if (!p.is('[')) element = parseType(p, 'new');
  p.expect('[');
  if (!p.is(']')) size = parseExpression(p);
  p.expect(']');
  const initializer = p.is('{') ? parseInitializer(p) : null;
  return { kind: 'stackalloc', element, size, initializer, start, end: p.lastEnd };
}
