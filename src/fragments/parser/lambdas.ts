// Lambdas and the parameters they share with local functions.

import type { BlockStatement, Expression, Parameter } from '../syntax.ts';
import { IDENTIFIER, isPredefinedType } from '../tokens.ts';
import { parseExpression } from './expressions.ts';
import { NO_TYPE } from './scan.ts';
import { parseBlock } from './statements.ts';
import { ENDS_ARGUMENTS, type TokenStream } from './stream.ts';
import { parseType } from './types.ts';

const MODIFIERS = new Set(['ref', 'out', 'in', 'params', 'this', 'readonly']);

/** Whether a lambda starts here: `x =>`, `(…) =>`, with modifiers or a return type before it. */
export function startsLambda(p: TokenStream): boolean {
  let at = p.index;
  while (p.tokens[at]!.kind === 'static' || isAsync(p, at)) at++;
  const token = p.tokens[at]!;
  if (token.kind === IDENTIFIER && p.tokens[at + 1]!.kind === '=>') return true;
  if (token.kind === '(' && arrowAfter(p, at) && opensParameters(p, at)) return true;
  if (at > p.index && p.tokens[p.index]!.kind === 'static') return true;
  if (token.kind === '[') return startsAttributed(p, at);
  return returnTypeEnd(p, at) >= 0;
}

/** `async` before something that goes on as a lambda. */
function isAsync(p: TokenStream, at: number): boolean {
  if (!p.isWord('async', p.tokens[at]!)) return false;
  const after = p.tokens[at + 1]!;
  if (after.kind === IDENTIFIER) return p.tokens[at + 2]!.kind === '=>';
  return after.kind === 'static' || (after.kind === '(' && arrowAfter(p, at + 1));
}

function arrowAfter(p: TokenStream, open: number): boolean {
  const close = p.matches[open]!;
  return close >= 0 && p.tokens[close + 1]!.kind === '=>';
}

/** Whether what stands behind a parenthesis is no parameter list already in its first parameter: `(int) =>` casts. */
function opensParameters(p: TokenStream, open: number): boolean {
  let at = open + 1;
  if (p.tokens[at]!.kind === ')' || p.tokens[at]!.kind === '[') return true;
  const modified = MODIFIERS.has(p.tokens[at]!.kind);
  while (MODIFIERS.has(p.tokens[at]!.kind)) at++;
  if (p.tokens[at]!.kind === IDENTIFIER && endsParameter(p, at + 1)) return true;
  const end = p.types.typeEnd(at);
  if (end < 0) return modified && p.tokens[at]!.kind !== ')';
  return p.tokens[end]!.kind === IDENTIFIER && endsParameter(p, end + 1);
}

function endsParameter(p: TokenStream, at: number): boolean {
  const { kind } = p.tokens[at]!;
  return kind === ',' || kind === ')' || kind === '=';
}

/** `[Attribute] (x) => …`, not a collection. */
function startsAttributed(p: TokenStream, at: number): boolean {
  const close = p.matches[at]!;
  if (close < 0) return false;
  const after = p.tokens[close + 1]!;
  return (
    (after.kind === '(' && arrowAfter(p, close + 1)) ||
    (after.kind === IDENTIFIER && p.tokens[close + 2]!.kind === '=>')
  );
}

/** The index after the return type of `int (int x) => …`, or -1. */
function returnTypeEnd(p: TokenStream, at: number): number {
  if (p.types.typeClass(at) === NO_TYPE) return -1;
  const open = p.types.typeEnd(at);
  if (p.tokens[open]!.kind !== '(' || !arrowAfter(p, open)) return -1;
  // A call never has a typed parameter in its parentheses.
  if (p.matches[open] === open + 1) return open;
  if (MODIFIERS.has(p.tokens[open + 1]!.kind)) return open;
  const type = p.types.typeEnd(open + 1);
  return type >= 0 && p.tokens[type]!.kind === IDENTIFIER ? open : -1;
}

export function parseLambda(p: TokenStream): Expression {
  const { start } = p.current;
  let isStatic = false;
  if (p.is('[')) {
    p.moveTo(p.matches[p.index]! + 1);
    p.refuse('An attribute', start, p.lastEnd);
  }
  while (p.is('static') || isAsync(p, p.index)) {
    const word = p.next();
    if (word.kind === 'static') isStatic = true;
    else p.refuse("An 'async' lambda", word.start, word.end);
  }
  const returnType = !startsPlain(p) && returnTypeEnd(p, p.index) >= 0 ? parseType(p) : null;
  const parameters = p.is('(') ? parseParameters(p) : [bareParameter(p)];
  const arrow = p.expect('=>');
  const body = parseLambdaBody(p);
  const node = { returnType, parameters, body, arrow: { start: arrow.start, end: arrow.end }, static: isStatic };
  return { kind: 'lambda', ...node, start, end: Math.max(body.end, p.lastEnd) };
}

function startsPlain(p: TokenStream): boolean {
  return (p.is(IDENTIFIER) && p.peek(1).kind === '=>') || (p.is('(') && arrowAfter(p, p.index));
}

function bareParameter(p: TokenStream): Parameter {
  const name = p.identifier();
  return { name, type: null, mode: 'value', default: null, start: name.start, end: name.end };
}

function parseLambdaBody(p: TokenStream): Expression | BlockStatement {
  return p.is('{') ? parseBlock(p) : parseExpression(p);
}

/** Parameters in parentheses. Those of a lambda may leave their types out, those of a local function may not. */
export function parseParameters(p: TokenStream, typed = false): Parameter[] {
  p.expect('(');
  const parameters: Parameter[] = [];
  p.within(ENDS_ARGUMENTS, () => {
    if (p.is(')') || (!startsParameter(p) && !skipToParameter(p))) return;
    do {
      parameters.push(parseParameter(p, typed));
      if (p.is(')') || p.is(',')) continue;
      if (startsParameter(p) || skipToParameter(p)) p.reportExpected(',');
      else break;
      if (!p.is(',')) parameters.push(parseParameter(p, typed));
    } while (p.accept(','));
  });
  p.expect(')');
  return parameters;
}

function startsParameter(p: TokenStream): boolean {
  const { kind } = p.current;
  return kind === IDENTIFIER || kind === '(' || kind === '[' || MODIFIERS.has(kind) || isPredefinedType(kind);
}

/** Skips tokens that fit nowhere; false when the list is given up. */
function skipToParameter(p: TokenStream): boolean {
  let first = true;
  while (!p.is(',') && !startsParameter(p)) {
    if (LIST_ENDS.has(p.current.kind)) return false;
    if (first) p.skipWithReport(',');
    else p.next();
    first = false;
  }
  return true;
}

const LIST_ENDS = new Set([')', '=>', '{', ';', '}', 'end', 'holeEnd']);

function parseParameter(p: TokenStream, typed: boolean): Parameter {
  const { start } = p.current;
  if (p.is('[') && p.matches[p.index]! >= 0) {
    p.moveTo(p.matches[p.index]! + 1);
    p.refuse('An attribute', start, p.lastEnd);
  }
  const mode = parseMode(p);
  const type = typed || hasType(p) ? parseType(p) : null;
  const name = p.identifier();
  const value = p.accept('=') ? parseExpression(p) : null;
  return { name, type, mode, default: value, start: Math.min(start, name.start), end: p.lastEnd };
}

const MODES = new Set(['ref', 'out', 'in']);

/** CS1104, CS1107, CS1108, CS1525, CS1611: words that are there twice, or that exclude each other. */
function parseMode(p: TokenStream): Parameter['mode'] {
  let mode: Parameter['mode'] = 'value';
  while (MODIFIERS.has(p.current.kind) || (p.isWord('scoped') && p.peek(1).kind === IDENTIFIER)) {
    const { kind, start, end } = p.next();
    if (kind === 'readonly' || kind === IDENTIFIER) continue;
    if (kind === mode) p.report('CS1107', `The modifier '${kind}' is there twice.`, start, end);
    else if ((mode === 'this' && MODES.has(kind)) || (kind === 'this' && MODES.has(mode)))
      p.refuse(`'this' beside '${kind === 'this' ? mode : kind}'`, start, end);
    else if (MODES.has(mode) && MODES.has(kind))
      p.report('CS1108', `A parameter cannot be both '${mode}' and '${kind}'.`, start, end);
    else if (kind === 'params' && mode !== 'value')
      p.report('CS1525', `A parameter that is '${mode}' cannot be 'params'.`, start, end);
    else if (mode === 'params')
      p.report(kind === 'this' ? 'CS1104' : 'CS1611', `A parameter that is 'params' cannot be '${kind}'.`, start, end);
    mode = kind as Parameter['mode'];
  }
  return mode;
}

function hasType(p: TokenStream): boolean {
  if (p.types.typeClass(p.index) === NO_TYPE) return false;
  if (!p.is(IDENTIFIER)) return true;
  const { kind } = p.peek(1);
  return kind !== ',' && kind !== ')' && kind !== '=' && kind !== '=>';
}
