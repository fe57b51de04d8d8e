// Expressions by precedence climbing: binary operators, assignment, conditionals, `is`, `as`, `switch`, ranges and prefix
// operators. What starts an expression is in primary.ts.

import type {
  AssignmentOperator,
  BinaryOperator,
  Expression,
  Node,
  SwitchArm,
  TypeSyntax,
  UnaryOperator,
} from '../syntax.ts';
import { IDENTIFIER } from '../tokens.ts';
import { parsePattern } from './patterns.ts';
import { missingExpression, parsePrimary, startsCast } from './primary.ts';
import { spelling, type TokenStream } from './stream.ts';
import { parseType, startsExpression } from './types.ts';

/** Precedence of operators; a larger number binds tighter. */
export const ASSIGNMENT = 0;
const CONDITIONAL = 1;
const COALESCING = 2;
const RELATIONAL = 9;
export const SHIFT = 10;
const SWITCH = 13;
const RANGE = 14;
const UNARY = 15;

const BINARY: Record<string, number> = {
  '??': COALESCING,
  '||': 3,
  '&&': 4,
  '|': 5,
  '^': 6,
  '&': 7,
  '==': 8,
  '!=': 8,
  '<': RELATIONAL,
  '>': RELATIONAL,
  '<=': RELATIONAL,
  '>=': RELATIONAL,
  '<<': SHIFT,
  '>>': SHIFT,
  '>>>': SHIFT,
  '+': 11,
  '-': 11,
  '*': 12,
  '/': 12,
  '%': 12,
};

const ASSIGNMENTS = new Set('= += -= *= /= %= &= |= ^= <<= >>= >>>= ??='.split(' '));
const PREFIXES = new Set('+ - ! ~ ++ -- ^ & *'.split(' '));

/** Keywords of statements: no expression starts with them, and none of them is taken as part of one. */
const STATEMENT_WORDS = new Set(
  'break case catch const continue do finally for foreach goto if else lock return switch try using while'.split(' '),
);

export function parseExpression(p: TokenStream): Expression {
  return parseSub(p, ASSIGNMENT);
}

/** An expression whose operators bind at least as tightly as `precedence`. */
export function parseSub(p: TokenStream, precedence: number): Expression {
  p.enter();
  const expression = continueExpression(p, parsePrefix(p, precedence), precedence);
  p.leave();
  return expression;
}

function parsePrefix(p: TokenStream, precedence: number): Expression {
  const token = p.current;
  const { kind, start } = token;
  if (STATEMENT_WORDS.has(kind)) return missingExpression(p);
  if (PREFIXES.has(kind)) return parsePrefixes(p);
  if (kind === '..') {
    p.next();
    const to = startsRangeEnd(p) ? parseSub(p, RANGE + 1) : null;
    return { kind: 'range', from: null, to, start, end: to?.end ?? p.lastEnd };
  }
  if (kind === 'throw') {
    p.next();
    const operand = parseSub(p, COALESCING);
    return { kind: 'throw', operand, start, end: operand.end };
  }
  if (kind === 'ref') {
    p.next();
    const operand = parseSub(p, precedence);
    return { kind: 'ref', operand, start, end: operand.end };
  }
  if (kind === IDENTIFIER && p.isWord('await') && startsAwaited(p)) {
    p.next();
    const operand = parseSub(p, UNARY);
    p.refuse("'await'", start, operand.end, 'CS4034');
    return { kind: 'refused', construct: 'await', start, end: operand.end };
  }
  return parsePrimary(p, precedence);
}

/** Prefix operators and casts, however many stand one behind the other, and their operand. */
export function parsePrefixes(p: TokenStream): Expression {
  const prefixes: { readonly start: number; readonly operator: string; readonly type: TypeSyntax | null }[] = [];
  for (;;) {
    const { kind, start } = p.current;
    const isCast = kind === '(' && startsCast(p);
    if (!isCast && !PREFIXES.has(kind)) break;
    p.next();
    const type = isCast ? parseType(p) : null;
    if (isCast) p.expect(')');
    prefixes.push({ start, operator: kind, type });
  }
  let operand = parseSub(p, UNARY);
  while (prefixes.length > 0) {
    const { start, operator, type } = prefixes.pop()!;
    const { end } = operand;
    if (operator === '&' || operator === '*') {
      p.refuse(`The pointer operator '${operator}'`, start, end, operator === '*' ? 'CS0193' : 'CS0214');
    }
    operand = type
      ? { kind: 'cast', type, operand, start, end }
      : { kind: 'unary', operator: operator as UnaryOperator, operand, start, end };
  }
  return operand;
}

function startsAwaited(p: TokenStream): boolean {
  const after = p.peek(1);
  return after.kind === IDENTIFIER || after.kind === 'new' || after.kind === 'literal' || after.kind === 'this';
}

function startsRangeEnd(p: TokenStream): boolean {
  const { kind } = p.current;
  return startsExpression(kind) && kind !== '&' && kind !== '*';
}

/** The operator at the current token and how many tokens make it up. */
function operatorAt(p: TokenStream): { text: string; tokens: number } {
  const { kind } = p.current;
  if (kind !== '>') return { text: kind, tokens: 1 };
  let text = '>';
  let tokens = 1;
  let { end } = p.current;
  while (tokens < 3) {
    const after = p.peek(tokens);
    if (after.start !== end || (after.kind !== '>' && after.kind !== '>=')) break;
    text += after.kind;
    tokens++;
    end = after.end;
    if (after.kind === '>=') break;
  }
  return { text, tokens };
}

function takeOperator(p: TokenStream, tokens: number): Node {
  const { start } = p.current;
  p.moveTo(p.index + tokens);
  return { start, end: p.lastEnd };
}

function continueExpression(p: TokenStream, first: Expression, precedence: number): Expression {
  let left = first;
  for (;;) {
    const { text, tokens } = operatorAt(p);
    const { kind, start } = { kind: text, start: left.start };
    const binary = Object.hasOwn(BINARY, kind) ? BINARY[kind]! : -1;
    if (binary >= 0) {
      if (binary < precedence) return left;
      if (kind === '??') {
        left = parseCoalescing(p, left);
        continue;
      }
      const operatorSpan = takeOperator(p, tokens);
      const right = parseSub(p, binary + 1);
      left = { kind: 'binary', operator: kind as BinaryOperator, operatorSpan, left, right, start, end: right.end };
    } else if (ASSIGNMENTS.has(kind)) {
      if (precedence > ASSIGNMENT) return left;
      takeOperator(p, tokens);
      const value = parseSub(p, ASSIGNMENT);
      return { kind: 'assignment', operator: kind as AssignmentOperator, target: left, value, start, end: value.end };
    } else if (kind === '?' && precedence <= CONDITIONAL) {
      return parseConditional(p, left);
    } else {
      const more = continueWithWord(p, left, precedence);
      if (more === null) return left;
      left = more;
    }
  }
}

/** `a ?? b ?? c`, which leans to the right, however long it is. */
function parseCoalescing(p: TokenStream, first: Expression): Expression {
  const operands = [first];
  const spans: Node[] = [];
  while (p.is('??')) {
    spans.push(takeOperator(p, 1));
    p.enter();
    operands.push(continueExpression(p, parsePrefix(p, COALESCING), COALESCING + 1));
    p.leave();
  }
  let right = operands.pop()!;
  while (operands.length > 0) {
    const left = operands.pop()!;
    const ends = { start: left.start, end: right.end };
    right = { kind: 'binary', operator: '??', operatorSpan: spans.pop()!, left, right, ...ends };
  }
  return right;
}

/** `is`, `as`, `switch`, `with` and `..` after an expression; null when none follows. */
function continueWithWord(p: TokenStream, left: Expression, precedence: number): Expression | null {
  const { start } = left;
  const { kind } = p.current;
  if (kind === 'is' && precedence <= RELATIONAL) {
    p.next();
    const pattern = parsePattern(p);
    return { kind: 'is', operand: left, pattern, start, end: pattern.end };
  }
  if (kind === 'as' && precedence <= RELATIONAL) {
    p.next();
    const type = parseType(p, 'expression');
    return { kind: 'as', operand: left, type, start, end: type.end };
  }
  if (kind === 'switch' && p.peek(1).kind === '{' && precedence <= SWITCH) return parseSwitch(p, left);
  if (kind === '..' && precedence <= RANGE) {
    p.next();
    const to = startsRangeEnd(p) ? parseSub(p, RANGE + 1) : null;
    return { kind: 'range', from: left, to, start, end: to?.end ?? p.lastEnd };
  }
  if (p.isWord('with') && p.peek(1).kind === '{' && precedence <= SWITCH) {
    const word = p.next();
    p.refuse("A 'with' expression", word.start, word.end);
    const close = p.matches[p.index]!;
    if (close >= 0) p.moveTo(close + 1);
    else p.next();
    return { kind: 'refused', construct: 'with', start, end: p.lastEnd };
  }
  return null;
}

interface Branch {
  readonly condition: Expression;
  readonly whenTrue: Expression;
}

/** `a ? b : c ? d : e`, which leans to the right, however long it is; the current token is the first `?`. */
function parseConditional(p: TokenStream, first: Expression): Expression {
  const branches: Branch[] = [];
  let last = first;
  do {
    const condition = last;
    p.next();
    const whenTrue = parseExpression(p);
    if (p.is('interpolationFormat')) {
      const { start, end } = p.current;
      p.report('CS8361', 'A conditional expression in a hole stands in parentheses.', condition.start, start);
      p.next();
      return branching(branches, { kind: 'error', start: Math.min(condition.start, start), end });
    }
    p.expect(':');
    branches.push({ condition, whenTrue });
    p.enter();
    last = continueExpression(p, parsePrefix(p, ASSIGNMENT), COALESCING);
    p.leave();
  } while (p.is('?'));
  // An assignment binds less than the conditional before it and belongs to its last branch.
  return branching(branches, continueExpression(p, last, ASSIGNMENT));
}

function branching(branches: readonly Branch[], otherwise: Expression): Expression {
  return branches.reduceRight<Expression>((whenFalse, { condition, whenTrue }) => {
    return { kind: 'conditional', condition, whenTrue, whenFalse, start: condition.start, end: whenFalse.end };
  }, otherwise);
}

function parseSwitch(p: TokenStream, operand: Expression): Expression {
  p.next();
  p.expect('{');
  const arms: SwitchArm[] = [];
  while (!p.is('}') && !p.is('end')) {
    const before = p.index;
    const pattern = parsePattern(p);
    const when = p.isWord('when') ? parseWhen(p) : null;
    p.expect('=>');
    const value = parseExpression(p);
    arms.push({ pattern, when, value, start: pattern.start, end: value.end });
    if (p.accept(',')) continue;
    if (p.is('}') || p.is('end')) break;
    if (!skipToArm(p, before)) break;
  }
  p.expect('}');
  return { kind: 'switch', operand, arms, start: operand.start, end: p.lastEnd };
}

/** After an arm without comma: goes on at the next one when tokens can be skipped up to it. */
function skipToArm(p: TokenStream, armStart: number): boolean {
  p.reportExpected(',');
  if (p.index > armStart && startsExpression(p.current.kind)) return true;
  while (!p.is(',') && !p.is('}') && !p.is('end')) p.next();
  return p.accept(',') !== null;
}

/** The condition after `when`. */
export function parseWhen(p: TokenStream): Expression {
  p.next();
  return parseSub(p, COALESCING);
}

/** Says that an expression was expected at the current token. */
export function reportNoExpression(p: TokenStream): void {
  if (p.current.kind === 'holeEnd' || p.current.kind === 'interpolationFormat') {
    p.reportMissing('CS1733', 'An expression is expected.');
  } else {
    p.reportMissing('CS1525', `An expression cannot start with ${spelling(p.current)}.`);
  }
}
