// A regular expression in .NET's syntax, made into a matcher that takes time in proportion to the text whatever the expression, and the
// literals that narrow down the texts it is tried on.

import { RE2JS } from 're2js';
import { type Literals, requiredLiterals } from './literals.ts';
import { ExpressionRefused } from './nodes.ts';
import { parseExpression } from './parse.ts';
import { translate } from './translate.ts';

/** Longest expression, in UTF-16 units. */
const mostUnits = 10_000;

export interface PreparedExpression {
  /** In the matcher's syntax. */
  readonly pattern: string;
  readonly literals: Literals;
}

/** Throws ExpressionRefused, whose message says why. */
export function prepareExpression(text: string): PreparedExpression {
  if (text.length > mostUnits)
    throw new ExpressionRefused(`Expressions longer than ${mostUnits} characters are not taken.`);
  const node = parseExpression(text);
  let pattern: string;
  try {
    pattern = translate(node);
    RE2JS.compile(pattern);
  } catch (error) {
    throw new ExpressionRefused(`The expression is too large or not valid: ${(error as Error).message}`);
  }
  return { pattern, literals: requiredLiterals(node) };
}

export interface KeyMatches {
  /** How many matches the text has. */
  readonly count: number;
  /** What each matched, widened to whole words, each once. */
  readonly highlights: readonly string[];
}

/** Finds all matches in a text; null when there is none. */
export function matcherOf(pattern: string): (text: string) => KeyMatches | null {
  const compiled = RE2JS.compile(pattern);
  return (text) => {
    const matcher = compiled.matcher(text);
    let count = 0;
    const highlights = new Set<string>();
    while (matcher.find()) {
      count++;
      highlights.add(widened(text, matcher.start(), matcher.end()));
    }
    return count === 0 ? null : { count, highlights: [...highlights] };
  };
}

/** The words, delimited by spaces, that a match lies in. */
function widened(text: string, start: number, end: number): string {
  const from = start === 0 ? 0 : text.lastIndexOf(' ', start - 1) + 1;
  const to = text.indexOf(' ', end);
  return text.slice(from, to < 0 ? text.length : to);
}
