// What an expression starts with, and what hangs behind it: member access, calls, indexing, `++`, `--`, `!`, `?.` and `?[`.

import type { Argument, Expression, InterpolationPart, TypeSyntax } from '../syntax.ts';
import { IDENTIFIER, isKeyword, isPredefinedType, LITERAL } from '../tokens.ts';
import { isDeclarationExpression, parseArguments, parseDeclarationExpression } from './arguments.ts';
import { parseCollection, parseNew, parseStackalloc } from './creation.ts';
import { ASSIGNMENT, parseExpression, parsePrefixes, reportNoExpression } from './expressions.ts';
import { parseLambda, parseParameters, startsLambda } from './lambdas.ts';
import { parseQuery, startsQuery } from './queries.ts';
import { GENERIC, MAYBE_TYPE, NO_TYPE, NULLABLE, POINTER, TUPLE } from './scan.ts';
import { parseBlock } from './statements.ts';
import type { TokenStream } from './stream.ts';
import { parseType, parseTypeArguments, startsExpression } from './types.ts';

/** An operand with everything that hangs behind it. */
export function parsePrimary(p: TokenStream, precedence: number): Expression {
  if (precedence <= ASSIGNMENT && startsLambda(p)) return parseLambda(p);
  if (startsQuery(p)) return parseQuery(p);
  if (p.is('(') && startsCast(p)) return parsePrefixes(p);
  return parsePostfix(p, parseTerm(p));
}

/** An error node where an expression was expected; nothing is taken. */
export function missingExpression(p: TokenStream): Expression {
  reportNoExpression(p);
  return { kind: 'error', ...p.missing() };
}

function parseTerm(p: TokenStream): Expression {
  const { current } = p;
  const { kind, start, end } = current;
  switch (kind) {
    case IDENTIFIER:
      return p.isWord('nameof') && p.peek(1).kind === '(' ? parseNameof(p) : parseSimpleName(p);
    case LITERAL:
      p.next();
      return { kind: 'literal', literal: current.literal!, start, end };
    case 'interpolationStart':
      return parseInterpolation(p);
    case '(':
      return parseParenthesized(p);
    case '[':
      return parseCollection(p);
    case 'new':
      return parseNew(p);
    case 'stackalloc':
      return parseStackalloc(p);
    case 'default':
      return parseDefault(p);
    case 'typeof':
    case 'sizeof':
      return parseTypeOperator(p, kind);
    case 'checked':
    case 'unchecked':
      return parseChecked(p, kind === 'checked');
    case 'this':
    case 'base':
      p.next();
      if (p.isUnit) return { kind: 'identifier', name: { text: kind, start, end }, typeArguments: null, start, end };
      p.refuse(`'${kind}'`, start, end, kind === 'this' ? 'CS0026' : 'CS1511');
      return { kind: 'refused', construct: kind, start, end };
    case 'delegate':
      return parseDelegate(p);
    default:
      return isPredefinedType(kind) ? parseKeywordReceiver(p) : missingExpression(p);
  }
}

/** `int` before a dot; anywhere else a type is no expression. */
function parseKeywordReceiver(p: TokenStream): Expression {
  const { kind, start, end } = p.next();
  if (!p.is('.') || kind === 'void') {
    p.report('CS1525', `An expression cannot be the type '${kind}'.`, start, end);
    return { kind: 'error', start, end };
  }
  return { kind: 'typeExpression', type: { kind: 'predefinedType', keyword: kind, start, end }, start, end };
}

function parseSimpleName(p: TokenStream): Expression {
  p.skipGlobal();
  const name = p.identifier();
  const typeArguments = optionalTypeArguments(p);
  return { kind: 'identifier', name, typeArguments, start: name.start, end: p.lastEnd };
}

function optionalTypeArguments(p: TokenStream): TypeSyntax[] | null {
  return p.is('<') && p.types.opensTypeArguments(p.index) ? parseTypeArguments(p) : null;
}

function parsePostfix(p: TokenStream, first: Expression): Expression {
  let value = first;
  const { start } = value;
  for (;;) {
    const { kind } = p.current;
    if (kind === '(') {
      const args = parseArguments(p, ')');
      value = { kind: 'call', callee: value, arguments: args, start, end: p.lastEnd };
    } else if (kind === '[') {
      value = parseIndex(p, value);
    } else if (kind === '.' || kind === '->' || kind === '::') {
      if (kind === '::' && value.kind !== 'identifier') {
        p.report('CS7000', "A name with '::' starts with an alias.", p.current.start, p.current.end);
      }
      const step = p.next();
      if (kind === '->' && p.is(IDENTIFIER)) p.refuse("The pointer operator '->'", step.start, step.end, 'CS0193');
      value = parseMember(p, value);
    } else if (kind === '++' || kind === '--' || kind === '!') {
      p.next();
      value = { kind: 'postfix', operator: kind, operand: value, start, end: p.lastEnd };
    } else if (kind === '?' && startsConditionalAccess(p)) {
      const { end } = p.next();
      p.enter();
      const access = parsePostfix(p, parseBinding(p, end));
      p.leave();
      value = { kind: 'conditionalAccess', receiver: value, access, start, end: access.end };
    } else {
      return value;
    }
  }
}

/** The first step after `?`. */
function parseBinding(p: TokenStream, at: number): Expression {
  const binding: Expression = { kind: 'binding', start: at, end: at };
  if (p.accept('.')) return parseMember(p, binding);
  return parseIndex(p, binding);
}

function startsConditionalAccess(p: TokenStream): boolean {
  const after = p.peek(1);
  if (after.kind === '.') return true;
  if (after.kind !== '[') return false;
  // `a ? [1] : [2]` is a conditional over collections.
  const close = p.matches[p.index + 1]!;
  return close < 0 || p.tokens[close + 1]!.kind !== ':';
}

function parseMember(p: TokenStream, receiver: Expression): Expression {
  const name = p.identifier();
  const typeArguments = optionalTypeArguments(p);
  return { kind: 'member', receiver, name, typeArguments, start: receiver.start, end: Math.max(p.lastEnd, name.end) };
}

function parseIndex(p: TokenStream, receiver: Expression): Expression {
  const args = parseArguments(p, ']');
  if (args.length === 0 && p.tokens[p.index - 1]!.kind === ']') {
    p.report('CS0443', 'An index needs a value.', p.lastEnd - 1, p.lastEnd);
  }
  return { kind: 'index', receiver, arguments: args, start: receiver.start, end: p.lastEnd };
}

/** Whether the parenthesis here opens a cast, by C#'s rule on what follows it. */
export function startsCast(p: TokenStream): boolean {
  const found = p.types.typeClass(p.index + 1);
  if (found === NO_TYPE) return false;
  const close = p.types.typeEnd(p.index + 1);
  if (p.tokens[close]!.kind !== ')') return false;
  const after = p.tokens[close + 1]!;
  if (found === POINTER) return false;
  if (found === MAYBE_TYPE || found === GENERIC || found === TUPLE) return followsCast(p, after);
  if (found === NULLABLE) return startsExpression(after.kind);
  return true;
}

const NOT_AFTER_CAST = new Set(['is', 'as', 'switch', '[', '+', '-', '&', '*', '^', '..', '++', '--', 'in', 'ref']);

function followsCast(p: TokenStream, after: TokenStream['current']): boolean {
  const { kind } = after;
  if (NOT_AFTER_CAST.has(kind)) return false;
  if (kind === IDENTIFIER) return !['with', 'and', 'or', 'when'].some((word) => p.isWord(word, after));
  return startsExpression(kind) || isKeyword(kind);
}

/** `( expression )` or a tuple. */
function parseParenthesized(p: TokenStream): Expression {
  const { start } = p.next();
  if (p.is(')')) {
    reportNoExpression(p);
    const inner: Expression = { kind: 'error', ...p.missing() };
    p.next();
    return { kind: 'parenthesized', operand: inner, start, end: p.lastEnd };
  }
  const first = parseElement(p, [',']);
  if (!p.is(',') && first.name === null) {
    p.expect(')');
    return { kind: 'parenthesized', operand: first.value, start, end: Math.max(p.lastEnd, first.end) };
  }
  const elements = [first];
  while (p.accept(',')) elements.push(parseElement(p, [',', ')']));
  if (elements.length < 2) p.reportMissing('CS8124', 'A tuple has at least two elements.');
  p.expect(')');
  return { kind: 'tuple', elements, start, end: p.lastEnd };
}

function parseElement(p: TokenStream, followers: readonly string[]): Argument {
  const { start } = p.current;
  const named = p.is(IDENTIFIER) && p.peek(1).kind === ':';
  const name = named ? p.identifier() : null;
  if (named) p.next();
  const value = isDeclarationExpression(p, followers) ? parseDeclarationExpression(p) : parseExpression(p);
  return { name, mode: 'value', value, start: Math.min(start, value.start), end: value.end };
}

function parseNameof(p: TokenStream): Expression {
  const word = p.next();
  const args = parseArguments(p, ')');
  const name = { start: word.start, end: word.end, text: word.text };
  const [only] = args;
  if (args.length === 1 && only!.name === null && only!.mode === 'value') {
    return { kind: 'nameof', operand: only!.value, start: word.start, end: p.lastEnd };
  }
  const callee: Expression = { kind: 'identifier', name, typeArguments: null, start: word.start, end: word.end };
  return { kind: 'call', callee, arguments: args, start: word.start, end: p.lastEnd };
}

function parseDefault(p: TokenStream): Expression {
  const { start, end } = p.next();
  if (!p.is('(')) return { kind: 'literal', literal: { type: 'default' }, start, end };
  p.next();
  const type = parseType(p);
  p.expect(')');
  return { kind: 'defaultOf', type, start, end: p.lastEnd };
}

function parseTypeOperator(p: TokenStream, kind: 'typeof' | 'sizeof'): Expression {
  const { start } = p.next();
  p.expect('(');
  const type = parseType(p);
  p.expect(')');
  return { kind, type, start, end: p.lastEnd };
}

function parseChecked(p: TokenStream, checked: boolean): Expression {
  const { start } = p.next();
  p.expect('(');
  const operand = parseExpression(p);
  p.expect(')');
  return { kind: 'checked', checked, operand, start, end: p.lastEnd };
}

/** `delegate (int x) { … }` is a lambda; without parameters it would fit delegates of any. */
function parseDelegate(p: TokenStream): Expression {
  const { start, end } = p.next();
  if (p.is('(')) {
    const parameters = parseParameters(p, true);
    const body = parseBlock(p);
    const arrow = { start, end };
    return { kind: 'lambda', returnType: null, parameters, body, arrow, static: false, start, end: p.lastEnd };
  }
  p.refuse('An anonymous method without parameters in parentheses (write a lambda instead)', start, end);
  const close = p.is('{') ? p.matches[p.index]! : -1;
  if (close >= 0) p.moveTo(close + 1);
  return { kind: 'refused', construct: 'delegate', start, end: p.lastEnd };
}

function parseInterpolation(p: TokenStream): Expression {
  const { start } = p.next();
  const parts: InterpolationPart[] = [];
  p.enter();
  for (;;) {
    const text = p.next();
    if (text.text !== '') parts.push({ kind: 'text', value: text.text });
    if (!p.is('holeStart')) break;
    parts.push(parseHole(p));
  }
  p.leave();
  p.next();
  return { kind: 'interpolation', parts, start, end: p.lastEnd };
}

function parseHole(p: TokenStream): InterpolationPart {
  const close = p.matches[p.index]!;
  const { start } = p.next();
  const value = parseExpression(p);
  const alignment = p.accept(',') ? parseExpression(p) : null;
  const format = p.is('interpolationFormat') ? p.next() : null;
  if (format !== null && format.text === '') {
    p.report('CS8089', 'The format of a hole is empty.', format.start, format.end);
  }
  if (!p.is('holeEnd')) p.reportAt('CS1073', 'What follows in the hole does not belong to its expression.', value);
  p.moveTo(close < 0 ? p.index : close);
  const { end } = p.accept('holeEnd') ?? p.missing();
  return { kind: 'hole', value, alignment, format: format?.text ?? null, start, end };
}
