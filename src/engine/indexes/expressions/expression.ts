// A regular expression in .NET's syntax, made into a matcher that takes time in proportion to the text whatever the expression, and the
// literals that narrow down the texts it is tried on. Three matchers share the work: the library's, the machine for texts where that one
// would be wrong, and a quick one for short expressions in ASCII texts.

import { RE2JS } from 're2js';
import { type Literals, requiredLiterals } from './literals.ts';
import { checkSize, type MatchesOf, machineOf } from './machine.ts';
import { ExpressionRefused, type Node, type Refusal } from './nodes.ts';
import { parseExpression } from './parse.ts';
import { shortMatcherOf } from './short.ts';
import { translate } from './translate.ts';

/** Longest expression, in UTF-16 units. */
export const mostUnits = 10_000;

export interface PreparedExpression {
  readonly compiled: RE2JS;
  /** The expression where it has an anchor that the matcher does not know exactly. */
  readonly exact: Node | null;
  /** The expression where the quick matcher takes it. */
  readonly short: Node | null;
  readonly literals: Literals;
}

/**
 * Throws ExpressionRefused, whose message says why. Costs up to a quarter of a second for the longest expression, so it belongs to a job.
 * Measured (10,000 characters, 2 x AMD EPYC): `x*x*…` 310 ms, of which 260 compile it; `a?a?…` 220 ms; alternatives 180 ms.
 */
export function prepareExpression(text: string): PreparedExpression {
  if (text.length > mostUnits)
    throw new ExpressionRefused(`Expressions longer than ${mostUnits} characters are not taken.`);
  const node = parseExpression(text);
  checkSize(node);
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(translate(node));
  } catch (error) {
    throw new ExpressionRefused(`The expression is too large or not valid: ${(error as Error).message}`);
  }
  const exact = isInexact(node) ? node : null;
  return { compiled, exact, short: shortMatcherOf(node) === null ? null : node, literals: requiredLiterals(node) };
}

/** As prepareExpression, with the reason as a value. */
export function preparedOrRefusal(text: string): PreparedExpression | Refusal {
  try {
    return prepareExpression(text);
  } catch (error) {
    if (error instanceof ExpressionRefused) return { refused: error.message };
    throw error;
  }
}

/** Whether the matcher is wrong about some texts, which `needsMachine` tells. */
export function isInexact(node: Node): boolean {
  if (node.kind === 'sequence' || node.kind === 'choice') return node.parts.some(isInexact);
  if (node.kind === 'repeat') return isInexact(node.part);
  return node.kind === 'anchor' && (node.at === 'word' || node.at === 'notWord' || node.at === 'end');
}

export interface KeyMatches {
  /** How many matches the text has. */
  readonly count: number;
  /** What each matched, widened to whole words, each once. */
  readonly highlights: readonly string[];
}

/** Words end elsewhere than the matcher believes, and the text ends where it does not see it. */
export const needsMachine = /[^\x00-\x7f]|\n$/;

/** Finds all matches in a text; null when there is none. */
export function matcherOf({ compiled, exact, short }: PreparedExpression): (text: string) => KeyMatches | null {
  const quick = short === null ? null : shortMatcherOf(short);
  let machine: MatchesOf | null = null;
  return (text) => {
    const matches = new Matches(text);
    const isPlain = !needsMachine.test(text);
    if (isPlain && quick !== null) {
      for (const [start, end] of quick(text)) matches.add(start, end);
    } else if (!isPlain && exact !== null) {
      machine ??= machineOf(exact);
      for (const [start, end] of machine(text)) matches.add(start, end);
    } else {
      const matcher = compiled.matcher(text);
      while (matcher.find()) matches.add(matcher.start(), matcher.end());
    }
    return matches.count === 0 ? null : { count: matches.count, highlights: [...matches.highlights] };
  };
}

/** The matches of one text, told in their order. Each is widened to the words, delimited by spaces, that it lies in. */
class Matches {
  count = 0;
  readonly highlights = new Set<string>();
  private readonly text: string;
  /** Where the word begins that the last match began in, and the first space behind it (or the text's end). */
  private word = 0;
  private wordEnd: number;
  /** The first space from the end of the last match on. */
  private space = -1;
  private last = '';

  constructor(text: string) {
    this.text = text;
    this.wordEnd = this.spaceFrom(0);
  }

  /** Looks at every character of the text a few times in all, not for each match. */
  add(start: number, end: number): void {
    this.count++;
    while (this.wordEnd < start) {
      this.word = this.wordEnd + 1;
      this.wordEnd = this.spaceFrom(this.word);
    }
    if (this.space < end) this.space = end <= this.wordEnd ? this.wordEnd : this.spaceFrom(end);
    const place = `${this.word} ${this.space}`;
    if (place === this.last) return;
    this.last = place;
    this.highlights.add(this.text.slice(this.word, this.space));
  }

  private spaceFrom(at: number): number {
    const found = this.text.indexOf(' ', at);
    return found < 0 ? this.text.length : found;
  }
}
