// Arguments of calls and indexers, and the declarations that may stand in them: `out var x`, `(int a, var b)`.

import type { Argument, Expression, Name } from '../syntax.ts';
import { IDENTIFIER } from '../tokens.ts';
import { parseExpression, reportNoExpression } from './expressions.ts';
import { NO_TYPE } from './scan.ts';
import { ENDS_ARGUMENTS, type TokenStream } from './stream.ts';
import { parseDesignation, parseType, startsExpression } from './types.ts';

const MODES = new Set(['ref', 'out', 'in']);

/** Arguments in brackets; the current token is the opening one. */
export function parseArguments(p: TokenStream, close: ')' | ']'): Argument[] {
  p.next();
  p.enter();
  const found = p.within(ENDS_ARGUMENTS, () => argumentList(p, close));
  p.leave();
  p.expect(close);
  return found;
}

function argumentList(p: TokenStream, close: string): Argument[] {
  const found: Argument[] = [];
  if (p.is(close) || p.is(';')) return found;
  if (!startsArgument(p) && !p.is(',') && !skipToArgument(p, close)) return found;
  found.push(parseArgument(p));
  while (!p.is(close) && !p.is(';')) {
    if (p.is(',') || startsArgument(p)) {
      p.expect(',');
      found.push(parseArgument(p));
    } else if (!skipToArgument(p, close)) {
      break;
    }
  }
  return found;
}

function startsArgument(p: TokenStream): boolean {
  const { kind } = p.current;
  return MODES.has(kind) || startsExpression(kind) || BINARY_OPERATORS.has(kind);
}

/** Operators with nothing on their left are taken as arguments that lack it. */
export const BINARY_OPERATORS = new Set('> < >= <= == != && || | / % ?? = += -= *= is as'.split(' '));

/** Skips tokens that fit nowhere; false when the list is given up. */
function skipToArgument(p: TokenStream, close: string): boolean {
  let first = true;
  while (!p.is(',') && !startsArgument(p)) {
    if (p.is(close) || p.is(';') || p.is('}') || p.atTerminator()) return false;
    if (first) p.skipWithReport(',');
    else p.next();
    first = false;
  }
  return true;
}

function parseArgument(p: TokenStream): Argument {
  const { start } = p.current;
  let name: Name | null = null;
  if (p.is(IDENTIFIER) && p.peek(1).kind === ':') {
    name = p.identifier();
    p.next();
  }
  let mode: Argument['mode'] = 'value';
  if (MODES.has(p.current.kind)) mode = p.next().kind as Argument['mode'];
  let value: Expression;
  if (mode === 'value' && (p.is(',') || p.is(')') || p.is(']'))) {
    value = missingArgument(p);
  } else if (mode !== 'value' && p.is(',')) {
    value = missingArgument(p);
  } else if (mode === 'out' && isDeclarationExpression(p, null)) {
    value = parseDeclarationExpression(p);
  } else {
    value = parseExpression(p);
  }
  return { name, mode, value, start: Math.min(start, value.start), end: value.end };
}

function missingArgument(p: TokenStream): Expression {
  if (p.is(',')) p.reportMissing('CS0839', 'An argument is missing.');
  else if (p.is(']')) p.reportMissing('CS0443', 'An index needs a value.');
  else reportNoExpression(p);
  return { kind: 'error', ...p.missing() };
}

/**
 * Whether a type and a designation stand here. Outside of `out` one of `followers` must come next: what separates or ends
 * the elements of a tuple.
 */
export function isDeclarationExpression(p: TokenStream, followers: readonly string[] | null): boolean {
  if (p.types.typeClass(p.index) === NO_TYPE) return false;
  const end = p.types.typeEnd(p.index);
  const name = p.tokens[end]!;
  if (p.isWord('var') && name.kind === '(' && followers !== null && end === p.index + 1) {
    const close = p.matches[end]!;
    return close >= 0 && followers.includes(p.tokens[close + 1]!.kind) && isDesignationList(p, end, close);
  }
  if (name.kind !== IDENTIFIER) return false;
  return followers === null || followers.includes(p.tokens[end + 1]!.kind);
}

/** Whether only names, commas and parentheses stand between two tokens. */
export function isDesignationList(p: TokenStream, open: number, close: number): boolean {
  for (let index = open; index <= close; index++) {
    const { kind } = p.tokens[index]!;
    if (kind !== IDENTIFIER && kind !== ',' && kind !== '(' && kind !== ')') return false;
  }
  return close > open + 1;
}

export function parseDeclarationExpression(p: TokenStream): Expression {
  const type = parseType(p);
  const designation = parseDesignation(p);
  return { kind: 'declaration', type, designation, start: type.start, end: designation.end };
}
