// Patterns of `is`, `case` and switch expressions.

import type { Expression, Name, Pattern, TypeSyntax } from '../syntax.ts';
import { IDENTIFIER } from '../tokens.ts';
import { parseSub, SHIFT } from './expressions.ts';
import { startsCast } from './primary.ts';
import { NO_TYPE, NULLABLE, POINTER, SURE_TYPE, TUPLE } from './scan.ts';
import type { TokenStream } from './stream.ts';
import { parseDesignation, parseType } from './types.ts';

/** A pattern with `or`, `and`, `not`. */
export function parsePattern(p: TokenStream): Pattern {
  p.enter();
  let left = parseConjunction(p);
  while (p.isWord('or')) {
    p.next();
    const right = parseConjunction(p);
    left = { kind: 'orPattern', left, right, start: left.start, end: right.end };
  }
  p.leave();
  return left;
}

function parseConjunction(p: TokenStream): Pattern {
  let left = parseNegation(p);
  while (p.isWord('and')) {
    p.next();
    const right = parseNegation(p);
    left = { kind: 'andPattern', left, right, start: left.start, end: right.end };
  }
  return left;
}

function parseNegation(p: TokenStream): Pattern {
  if (!p.isWord('not') || p.peek(1).kind === '.') return parsePrimaryPattern(p);
  p.enter();
  const { start } = p.next();
  const operand = parseNegation(p);
  p.leave();
  return { kind: 'notPattern', operand, start, end: operand.end };
}

const NO_PATTERN = new Set([',', ';', '}', ')', ']', '=>']);
const RELATIONS = new Set(['<', '>', '<=', '>=']);

function parsePrimaryPattern(p: TokenStream): Pattern {
  const { kind, start } = p.current;
  if (NO_PATTERN.has(kind)) {
    p.reportMissing('CS8504', 'A pattern is expected.');
    return { kind: 'errorPattern', ...p.missing() };
  }
  if (RELATIONS.has(kind)) {
    p.next();
    const value = parseSub(p, SHIFT);
    return { kind: 'relationalPattern', operator: kind as '<', value, start, end: value.end };
  }
  if (kind === '[') return parseListPattern(p);
  if (kind === '..') {
    p.next();
    const pattern = startsPattern(p) ? parseNegation(p) : null;
    return { kind: 'slicePattern', pattern, start, end: pattern?.end ?? p.lastEnd };
  }
  if (kind === '{') return parseRecursive(p, null);
  if (p.isWord('_') && (!continuesName(p.peek(1).kind) || combines(p, 1))) {
    const { end } = p.next();
    return { kind: 'discardPattern', start, end };
  }
  if (p.isWord('var') && (p.peek(1).kind === IDENTIFIER || p.peek(1).kind === '(') && !combines(p, 1)) {
    const type = parseType(p, 'expression');
    const designation = parseDesignation(p);
    return { kind: 'declarationPattern', type, designation, start, end: designation.end };
  }
  if (kind === '(' && !isTupleDeclaration(p)) return parseParenthesized(p);
  return parseTypePattern(p) ?? parseConstant(p);
}

function continuesName(kind: string): boolean {
  return kind === '.' || kind === '<' || kind === '(' || kind === IDENTIFIER || kind === '::' || kind === '[';
}

function startsPattern(p: TokenStream): boolean {
  const { kind } = p.current;
  return (
    kind !== ',' && kind !== ']' && kind !== ')' && kind !== '}' && kind !== ';' && kind !== 'end' && !combines(p, 0)
  );
}

/** Whether the token at a distance is `and`, `or` or `when` as a combinator. */
function combines(p: TokenStream, distance: number): boolean {
  const token = p.peek(distance);
  return p.isWord('and', token) || p.isWord('or', token) || p.isWord('when', token);
}

function parseListPattern(p: TokenStream): Pattern {
  const { start } = p.next();
  const elements: Pattern[] = [];
  while (!p.is(']') && !p.is('end')) {
    elements.push(parsePattern(p));
    if (!p.accept(',')) break;
  }
  p.expect(']');
  const designation = parseOptionalDesignation(p);
  return { kind: 'listPattern', elements, designation, start, end: p.lastEnd };
}

function parseOptionalDesignation(p: TokenStream) {
  return p.is(IDENTIFIER) && !combines(p, 0) ? parseDesignation(p) : null;
}

/** `(int, string) t`: a tuple type before a name. */
function isTupleDeclaration(p: TokenStream): boolean {
  const found = p.types.typeClass(p.index);
  if (found !== TUPLE && found !== NULLABLE && found !== SURE_TYPE) return false;
  const after = p.tokens[p.types.typeEnd(p.index)]!;
  return found === SURE_TYPE || (after.kind === IDENTIFIER && hasKeywordElement(p) && !p.isWord('and', after));
}

/** Whether the first element of a tuple in parentheses can be nothing but a type. */
function hasKeywordElement(p: TokenStream): boolean {
  return p.types.typeClass(p.index + 1) >= SURE_TYPE;
}

function parseParenthesized(p: TokenStream): Pattern {
  if (startsCast(p) || continuesConstant(p)) return parseConstant(p);
  const { start } = p.current;
  const close = p.matches[p.index]!;
  const after = close < 0 ? null : p.tokens[close + 1]!;
  const inner = parseSubpatterns(p);
  const single = inner.length === 1 && inner[0]!.name === null;
  const named = after !== null && after.kind === IDENTIFIER && !isCombinator(p, after);
  if (single && after?.kind !== '{' && !named) {
    return { kind: 'parenthesizedPattern', operand: inner[0]!.pattern, start, end: p.lastEnd };
  }
  return finishRecursive(p, null, inner, start);
}

function isCombinator(p: TokenStream, token: TokenStream['current']): boolean {
  return p.isWord('and', token) || p.isWord('or', token) || p.isWord('when', token);
}

const CONTINUES_CONSTANT = new Set('+ - * / % << & | ^ == != && || ?? .'.split(' '));

/** `(1) + 2`, `(a).b`: the parentheses are those of a constant expression. */
function continuesConstant(p: TokenStream): boolean {
  const close = p.matches[p.index]!;
  const after = close < 0 ? '' : p.tokens[close + 1]!.kind;
  return (
    after === '.' ||
    (CONTINUES_CONSTANT.has(after) &&
      after !== '&&' &&
      after !== '||' &&
      after !== '??' &&
      p.peek(1).kind === 'literal')
  );
}

type Subpatterns = { name: Name | null; pattern: Pattern }[];

function parseSubpatterns(p: TokenStream): Subpatterns {
  p.next();
  const inner: Subpatterns = [];
  while (!p.is(')') && !p.is('end')) {
    const named = p.is(IDENTIFIER) && p.peek(1).kind === ':';
    const name = named ? p.identifier() : null;
    if (named) p.next();
    inner.push({ name, pattern: parsePattern(p) });
    if (!p.accept(',')) break;
  }
  p.expect(')');
  return inner;
}

function parseRecursive(p: TokenStream, type: TypeSyntax | null): Pattern {
  const start = type?.start ?? p.current.start;
  const positional = p.is('(') ? parseSubpatterns(p) : null;
  return finishRecursive(p, type, positional, start);
}

function finishRecursive(
  p: TokenStream,
  type: TypeSyntax | null,
  positional: Subpatterns | null,
  start: number,
): Pattern {
  const properties = p.is('{') ? parseProperties(p) : null;
  const designation = parseOptionalDesignation(p);
  return { kind: 'recursivePattern', type, positional, properties, designation, start, end: p.lastEnd };
}

function parseProperties(p: TokenStream) {
  p.next();
  const properties: { path: Name[]; pattern: Pattern }[] = [];
  while (!p.is('}') && !p.is('end')) {
    const path: Name[] = [];
    if (p.is(IDENTIFIER) && (p.peek(1).kind === ':' || p.peek(1).kind === '.')) {
      path.push(p.identifier());
      while (p.accept('.')) path.push(p.identifier());
      p.expect(':');
    } else {
      p.reportMissing('CS8503', 'A property pattern names a property.');
    }
    properties.push({ path, pattern: parsePattern(p) });
    if (!p.accept(',')) break;
  }
  p.expect('}');
  return properties;
}

/** A pattern that starts with a type, or null when what stands here is a constant. */
function parseTypePattern(p: TokenStream): Pattern | null {
  const found = p.types.typeClass(p.index);
  if (found === NO_TYPE) return null;
  let end = p.types.typeEnd(p.index);
  while (p.tokens[end - 1]!.kind === '*') end--;
  const after = p.tokens[end]!;
  const before = p.tokens[end - 1]!.kind === '?' ? p.tokens[end - 1]! : after;
  const named = after.kind === IDENTIFIER && !isCombinator(p, after) && before === after;
  const shaped = before.kind === '{' || (before.kind === '(' && found !== POINTER);
  const sure = found === SURE_TYPE || found === TUPLE || (found === NULLABLE && p.current.kind !== IDENTIFIER);
  const generic = p.tokens[end - 1]!.kind === '>';
  if (sure && before.kind === '.') return null; // int.MaxValue
  const optional = found === NULLABLE && nullableEnds(after.kind);
  if (!named && !shaped && !sure && !generic && !optional) return null;
  const type = parseType(p, 'expression');
  if (p.is('(') || p.is('{')) return parseRecursive(p, type);
  if (p.is(IDENTIFIER) && !combines(p, 0)) {
    const designation = parseDesignation(p);
    return { kind: 'declarationPattern', type, designation, start: type.start, end: designation.end };
  }
  return { kind: 'typePattern', type, start: type.start, end: type.end };
}

/** `x is DateTime?` before a token that starts no expression. */
function nullableEnds(kind: string): boolean {
  return (
    kind === ')' || kind === ';' || kind === ',' || kind === '&&' || kind === '||' || kind === '}' || kind === '=>'
  );
}

function parseConstant(p: TokenStream): Pattern {
  const value: Expression = parseSub(p, SHIFT);
  if (value.kind === 'error') return { kind: 'errorPattern', start: value.start, end: value.end };
  return { kind: 'constantPattern', value, start: value.start, end: value.end };
}
