// Types as they are written: names with type arguments, arrays, nullable and tuple types.

import type { Designation, Name, TypeSyntax } from '../syntax.ts';
import { IDENTIFIER, isPredefinedType, LITERAL } from '../tokens.ts';
import { spelling, type TokenStream } from './stream.ts';

/**
 * Where a type stands, which decides what `?` after it means: `expression` after is, as and in patterns (the `?` of a
 * conditional when an expression follows), `new` (only before arguments), else `plain`. Array brackets are left alone
 * after `new`.
 */
export type TypePlace = 'plain' | 'expression' | 'new';

export function parseType(p: TokenStream, place: TypePlace = 'plain'): TypeSyntax {
  p.enter();
  const type = parseSuffixes(p, parseCore(p), place);
  p.leave();
  return type;
}

function parseCore(p: TokenStream): TypeSyntax {
  const token = p.current;
  if (token.kind === 'ref') {
    p.next();
    const readOnly = p.accept('readonly') !== null;
    const element = parseType(p);
    return { kind: 'refType', readOnly, element, start: token.start, end: element.end };
  }
  if (isPredefinedType(token.kind)) {
    p.next();
    return { kind: 'predefinedType', keyword: token.kind, start: token.start, end: token.end };
  }
  if (token.kind === IDENTIFIER) return parseName(p);
  if (token.kind === '(') return parseTupleType(p);
  if (token.kind === 'delegate' && p.peek(1).kind === '*') {
    p.moveTo(p.index + 2);
    p.refuse('A function pointer', token.start, p.lastEnd, 'CS0214');
    if (p.is('<')) parseTypeArguments(p);
    return { kind: 'refusedType', construct: 'function pointer', start: token.start, end: p.lastEnd };
  }
  p.reportMissing('CS1031', `A type is expected, not ${spelling(token)}.`);
  return { kind: 'errorType', ...p.missing() };
}

/** A possibly qualified name with type arguments. */
function parseName(p: TokenStream): TypeSyntax {
  p.skipGlobal();
  let name = p.identifier();
  let args = p.is('<') ? parseTypeArguments(p) : [];
  let type: TypeSyntax = { kind: 'nameType', name, arguments: args, start: name.start, end: p.lastEnd };
  while (p.is('.') || p.is('::')) {
    p.next();
    name = p.identifier();
    args = p.is('<') ? parseTypeArguments(p) : [];
    type = { kind: 'qualifiedType', left: type, name, arguments: args, start: type.start, end: p.lastEnd };
  }
  return type;
}

/** `<A, B>`; the current token is `<`. Omitted arguments (`<,>`) are error types without a report. */
export function parseTypeArguments(p: TokenStream): TypeSyntax[] {
  p.next();
  const args: TypeSyntax[] = [];
  if (p.is('>') || p.is(',')) {
    for (;;) {
      args.push({ kind: 'errorType', ...p.missing() });
      if (!p.accept(',')) break;
    }
  } else {
    do args.push(parseType(p));
    while (p.accept(','));
  }
  p.expect('>');
  return args;
}

function parseTupleType(p: TokenStream): TypeSyntax {
  const { start } = p.next();
  const elements: { type: TypeSyntax; name: Name | null }[] = [];
  do {
    const type = parseType(p);
    elements.push({ type, name: p.is(IDENTIFIER) ? p.identifier() : null });
  } while (p.accept(','));
  if (elements.length < 2) p.reportMissing('CS8124', 'A tuple has at least two elements.');
  p.expect(')');
  return { kind: 'tupleType', elements, start, end: p.lastEnd };
}

function parseSuffixes(p: TokenStream, core: TypeSyntax, place: TypePlace): TypeSyntax {
  let type = core;
  if (type.kind === 'errorType') return type;
  for (;;) {
    if (p.is('?') && takesQuestion(p, place)) {
      p.next();
      type = { kind: 'nullableType', element: type, start: type.start, end: p.lastEnd };
    } else if (p.is('*') && place !== 'expression') {
      p.next();
      p.refuse('A pointer type', type.start, p.lastEnd, 'CS0214');
      type = { kind: 'refusedType', construct: 'pointer', start: type.start, end: p.lastEnd };
    } else if (p.is('[') && place !== 'new' && (p.peek(1).kind === ']' || p.peek(1).kind === ',')) {
      type = parseRank(p, type);
    } else {
      return type;
    }
  }
}

function parseRank(p: TokenStream, element: TypeSyntax): TypeSyntax {
  p.next();
  let rank = 1;
  while (p.accept(',')) rank++;
  p.expect(']');
  return { kind: 'arrayType', element, rank, start: element.start, end: p.lastEnd };
}

/** Array brackets without sizes after `new T[n]`: each makes the element type an array. */
export function parseRanks(p: TokenStream, element: TypeSyntax): TypeSyntax {
  let type = element;
  while (p.is('[') && (p.peek(1).kind === ']' || p.peek(1).kind === ',')) type = parseRank(p, type);
  return type;
}

function takesQuestion(p: TokenStream, place: TypePlace): boolean {
  if (place === 'plain') return true;
  const after = p.peek(1).kind;
  if (place === 'new') return after === '(' || after === '[';
  return !STARTS_EXPRESSION.has(after) && !isPredefinedType(after);
}

const STARTS_EXPRESSION = new Set([
  IDENTIFIER,
  LITERAL,
  'interpolationStart',
  ...(
    '( [ + - ! ~ ++ -- & * ^ .. new typeof sizeof default checked unchecked this base delegate throw stackalloc ' +
    'static ref'
  ).split(' '),
]);

/** Whether an expression may start with a token kind. */
export function startsExpression(kind: string): boolean {
  return STARTS_EXPRESSION.has(kind) || isPredefinedType(kind);
}

/** `x`, `_` or, where it may stand, `(x, _)`. */
export function parseDesignation(p: TokenStream): Designation {
  if (!p.is('(')) {
    if (p.isWord('_')) {
      const { start, end } = p.next();
      return { kind: 'discard', start, end };
    }
    const name = p.identifier();
    return { kind: 'single', name, start: name.start, end: name.end };
  }
  p.enter();
  const { start } = p.next();
  const parts: Designation[] = [];
  if (!p.is(')')) {
    do parts.push(parseDesignation(p));
    while (p.accept(','));
  }
  p.expect(')');
  p.leave();
  return { kind: 'parenthesized', parts, start, end: p.lastEnd };
}
