// Local variables, constants and functions, and the question whether a statement declares something.

import type { Declarator, Expression, Initializer, LocalDeclaration, Name, Statement } from '../syntax.ts';
import { IDENTIFIER, isPredefinedType } from '../tokens.ts';
import { parseConstraints } from './constraints.ts';
import { parseInitializer } from './creation.ts';
import { parseExpression } from './expressions.ts';
import { parseParameters, startsLambda } from './lambdas.ts';
import { MAYBE_TYPE, NO_TYPE, NULLABLE, POINTER, TUPLE } from './scan.ts';
import { parseBlock, startsStatement } from './statements.ts';
import type { TokenStream } from './stream.ts';
import { parseType } from './types.ts';

/** Whether a declaration starts here and not an expression. */
export function startsDeclaration(p: TokenStream): boolean {
  const { kind } = p.current;
  if (kind === 'const') return true;
  if (kind === 'static') return !startsLambda(p) || p.peek(1).kind !== '(';
  if (p.isWord('async') && p.types.typeClass(p.index + 1) !== NO_TYPE) {
    return p.tokens[p.types.typeEnd(p.index + 1)]!.kind === IDENTIFIER;
  }
  if (kind === 'ref') return true;
  const found = p.types.typeClass(p.index);
  if (found === NO_TYPE) return isPredefinedType(kind) && p.peek(1).kind !== '.' && !startsLambda(p);
  const after = p.tokens[p.types.typeEnd(p.index)]!;
  if (isPredefinedType(kind)) {
    return after.kind !== '.' && after.kind !== '(' && p.peek(1).kind !== '.' && !startsLambda(p);
  }
  if (after.kind !== IDENTIFIER) return false;
  if (p.isWord('await') && found === MAYBE_TYPE) return false;
  if (found === NULLABLE) return declaresNullable(p);
  if (found === POINTER) return declaresAfter(p);
  if (found === TUPLE) return true;
  return !p.isWord('with', after) || p.tokens[p.types.typeEnd(p.index) + 1]!.kind !== '{';
}

/** After the type and the name: what only a declaration has there. */
function declaresAfter(p: TokenStream): boolean {
  const { kind } = p.tokens[p.types.typeEnd(p.index) + 1]!;
  return kind === '=' || kind === ';' || kind === ',';
}

/** `a ? b = c;` declares, `a ? b = c : d;` is a conditional: decided by a colon of its own before the semicolon. */
function declaresNullable(p: TokenStream): boolean {
  let at = p.types.typeEnd(p.index) + 1;
  const { kind } = p.tokens[at]!;
  if (kind === ';' || kind === ',' || kind === '(') return kind !== '(' || isFunctionHead(p, at);
  if (kind !== '=') return false;
  let open = 0;
  for (;;) {
    const token = p.tokens[at]!.kind;
    if (token === ';' || token === 'end' || token === '}' || token === ')') return true;
    if (token === '?' && p.tokens[at + 1]!.kind !== '.' && p.tokens[at + 1]!.kind !== '[') open++;
    if (token === ':' && --open < 0) return false;
    at = p.matches[at]! >= 0 ? p.matches[at]! + 1 : at + 1;
  }
}

function isFunctionHead(p: TokenStream, open: number): boolean {
  const close = p.matches[open]!;
  const after = close < 0 ? '' : p.tokens[close + 1]!.kind;
  return after === '{' || after === '=>';
}

/** A local declaration with its semicolon, or a local function. */
export function parseDeclarationStatement(p: TokenStream): Statement {
  const { start } = p.current;
  let isStatic = false;
  while (p.is('static') || p.isWord('async')) {
    const word = p.next();
    if (word.kind === 'static') isStatic = true;
    else p.refuse("An 'async' function", word.start, word.end);
  }
  const isConst = p.accept('const') !== null;
  const type = parseType(p);
  const second = p.peek(1).kind;
  if (p.is(IDENTIFIER) && !isConst && (second === '(' || (second === '<' && startsTypeParameters(p)))) {
    return parseLocalFunction(p, { start, static: isStatic, returnType: type });
  }
  if (isStatic) p.report('CS0106', "'static' stands before local functions and lambdas only.", start, start + 6);
  const declaration = finishDeclaration(p, start, isConst, type);
  skipToStatement(p);
  p.expect(';');
  return { ...declaration, end: Math.max(declaration.end, p.lastEnd) };
}

/** A declaration without its semicolon, as in `for`. */
export function parseLocalDeclaration(p: TokenStream): LocalDeclaration {
  const { start } = p.current;
  const isConst = p.accept('const') !== null;
  return finishDeclaration(p, start, isConst, parseType(p));
}

/** What cannot follow a declarator is skipped up to the end of the statement, or to what starts another. */
function skipToStatement(p: TokenStream): void {
  let first = true;
  while (!ENDS_DECLARATION.has(p.current.kind) && !p.atTerminator() && !startsStatement(p)) {
    if (first) p.skipWithReport(',');
    else p.next();
    first = false;
  }
}

const ENDS_DECLARATION = new Set([';', '}', ')', ']', ':']);

function finishDeclaration(
  p: TokenStream,
  start: number,
  isConst: boolean,
  type: LocalDeclaration['type'],
): LocalDeclaration {
  const declarators = [parseDeclarator(p, isConst)];
  while (p.accept(',')) declarators.push(parseDeclarator(p, isConst));
  return { kind: 'localDeclaration', const: isConst, type, declarators, start, end: declarators.at(-1)!.end };
}

function parseDeclarator(p: TokenStream, isConst: boolean): Declarator {
  const name = p.identifier();
  if (p.is('[')) refuseBounds(p);
  let initializer: Expression | Initializer | null = null;
  if (p.accept('=')) initializer = p.is('{') ? parseInitializer(p) : parseExpression(p);
  else if (isConst && name.text !== '') p.reportAt('CS0145', 'A constant needs a value.', name);
  return { name, initializer, start: name.start, end: Math.max(name.end, p.lastEnd) };
}

/** `int a[3]`: the brackets belong to the type. */
function refuseBounds(p: TokenStream): void {
  const { start } = p.current;
  const close = p.matches[p.index]!;
  if (close < 0) return;
  p.report('CS0650', 'The brackets of an array stand behind its type.', start, p.tokens[close]!.end);
  if (close > p.index + 1) {
    p.report('CS0270', 'The type of an array has no size.', p.peek(1).start, p.tokens[close - 1]!.end);
  }
  p.moveTo(close + 1);
}

function startsTypeParameters(p: TokenStream): boolean {
  const end = p.types.argumentsEnd(p.index + 1);
  return end >= 0 && p.tokens[end]!.kind === '(';
}

function parseLocalFunction(
  p: TokenStream,
  head: { readonly start: number; readonly static: boolean; readonly returnType: LocalDeclaration['type'] },
): Statement {
  const name = p.identifier();
  const typeParameters: Name[] = [];
  if (p.accept('<')) {
    do typeParameters.push(p.identifier());
    while (p.accept(','));
    p.expect('>');
  }
  const parameters = parseParameters(p, true);
  const constraints = parseConstraints(p);
  let body: Expression | ReturnType<typeof parseBlock>;
  if (p.is('{')) {
    body = parseBlock(p);
    if (p.is(';')) p.next();
  } else if (p.accept('=>')) {
    body = parseExpression(p);
    p.expect(';');
  } else {
    if (p.is(';')) p.report('CS8112', 'A local function needs a body.', name.start, name.end);
    body = { kind: 'error', ...p.missing() };
    p.expect(';');
  }
  const { start, returnType } = head;
  const node = { static: head.static, returnType, name, typeParameters, constraints, parameters, body };
  return { kind: 'localFunction', ...node, start, end: p.lastEnd };
}
