// Regular expressions of plugins, by the matcher that indexes have (src/engine/indexes/expressions), which takes time in proportion to the text.

import { RE2JS } from 're2js';
import { isInexact, mostUnits, needsMachine } from '../../engine/indexes/expressions/expression.ts';
import { checkSize, machineOf } from '../../engine/indexes/expressions/machine.ts';
import { ExpressionRefused, type Node } from '../../engine/indexes/expressions/nodes.ts';
import { parseCaptures } from '../../engine/indexes/expressions/parse.ts';
import { translate } from '../../engine/indexes/expressions/translate.ts';
import {
  type CompiledExpression,
  type CompilesExpressions,
  expressionFlags,
  type MatchedGroup,
} from '../../fragments/regular-expressions.ts';

/** The latest ones: a plugin makes the same expression in every call. */
const kept = new Map<string, CompiledExpression>();
const mostKept = 64;

export const compileExpression: CompilesExpressions = (pattern, flags) => {
  const key = `${flags} ${pattern}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  try {
    const made = compiled(pattern, flags);
    if (kept.size === mostKept) kept.delete(kept.keys().next().value as string);
    kept.set(key, made);
    return made;
  } catch (error) {
    if (error instanceof ExpressionRefused) return error.message;
    throw error;
  }
};

function compiled(pattern: string, flags: number): CompiledExpression {
  if (pattern.length > mostUnits) throw new ExpressionRefused(`Expressions have at most ${mostUnits} characters.`);
  const has = (flag: number): boolean => (flags & flag) !== 0;
  const { node, groups } = parseCaptures(pattern, {
    ignoreCase: has(expressionFlags.ignoreCase),
    multiline: has(expressionFlags.multiline),
    singleLine: has(expressionFlags.singleLine),
    spaced: has(expressionFlags.spaced),
    named: has(expressionFlags.explicitCapture),
  });
  checkSize(node);
  let matcher: RE2JS;
  try {
    matcher = RE2JS.compile(translate(node));
  } catch (error) {
    throw new ExpressionRefused(`The expression is too large or not valid: ${(error as Error).message}`);
  }
  const numbers = numbersOf(groups);
  const groupNames = ['0'];
  for (const [at, number] of numbers.entries()) groupNames[number] = groups[at] ?? String(number);
  return { groupNames, match: matchesOf(node, matcher, numbers) };
}

/** Groups without a name are numbered first, in the order in which they open; one whose name is a number has that number. */
function numbersOf(groups: readonly (string | null)[]): number[] {
  const taken = new Map<string, number>();
  const used = new Set<number>();
  for (const name of groups) if (name !== null && /^\d+$/.test(name)) used.add(Number(name));
  let next = 1;
  const free = (): number => {
    while (used.has(next)) next++;
    used.add(next);
    return next;
  };
  const numbers = groups.map((name) => (name === null ? free() : /^\d+$/.test(name) ? Number(name) : 0));
  return numbers.map((number, at) => {
    if (number !== 0) return number;
    const name = groups[at] as string;
    const known = taken.get(name) ?? free();
    taken.set(name, known);
    return known;
  });
}

function matchesOf(node: Node, matcher: RE2JS, numbers: readonly number[]): CompiledExpression['match'] {
  const exact = isInexact(node) ? machineOf(node) : null;
  return (text, from) => {
    if (exact !== null && needsMachine.test(text)) {
      // The exact machine knows no groups: they are found within its match, if they are found there as a whole.
      for (const [start, end] of exact(text))
        if (start >= from) return groupsWithin(matcher, numbers, text, start, end);
      return null;
    }
    const found = matcher.matcher(text);
    return found.find(from) ? groupsOf(found, numbers, 0) : null;
  };
}

type Matcher = ReturnType<RE2JS['matcher']>;

function groupsOf(found: Matcher, numbers: readonly number[], shift: number): (MatchedGroup | null)[] {
  const groups: (MatchedGroup | null)[] = [{ start: found.start() + shift, end: found.end() + shift }];
  for (const [at, number] of numbers.entries()) {
    const start = found.start(at + 1);
    const group = start < 0 ? null : { start: start + shift, end: found.end(at + 1) + shift };
    groups[number] = group ?? groups[number] ?? null;
  }
  return Array.from(groups, (group) => group ?? null);
}

function groupsWithin(
  matcher: RE2JS,
  numbers: readonly number[],
  text: string,
  start: number,
  end: number,
): (MatchedGroup | null)[] {
  const whole: (MatchedGroup | null)[] = [{ start, end }];
  if (numbers.length === 0) return whole;
  const found = matcher.matcher(text.slice(start, end));
  if (!found.matches()) return Array.from({ length: Math.max(...numbers) + 1 }, (_, at) => whole[at] ?? null);
  return groupsOf(found, numbers, start);
}
