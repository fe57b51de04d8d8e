// A matcher for expressions of few bounded alternatives (words, sets, choices, small repetitions) in ASCII texts: the alternatives are written
// out in the order of their priority and compared at each place where one of them can begin. Time is the length of the text times that of
// all alternatives, whose number and length are limited. Ten times as fast as the library's matcher, which takes the rest.

import type { CodePoints } from './code-points.ts';
import type { MatchesOf } from './machine.ts';
import type { Node } from './nodes.ts';

/** Most alternatives, and most characters of one. */
const mostAlternatives = 32;
const mostLength = 256;

type Anchor = 'start' | 'end' | 'veryEnd' | 'word' | 'notWord';
/** What a place must satisfy: a character by its code (1 = may stand there), or an anchor. */
type Item = Uint8Array | Anchor;
type Alternative = readonly Item[];

const codes = 128;

/** All matches of an expression in texts of ASCII characters that do not end with a newline; null for expressions that are not for this matcher. */
export function shortMatcherOf(node: Node): MatchesOf | null {
  const alternatives = expanded(node);
  if (alternatives === null || alternatives.some((alternative) => lengthOf(alternative) === 0)) return null;
  const first = new Uint8Array(codes);
  for (const alternative of alternatives) {
    const begins = alternative.find((item) => typeof item !== 'string') as Uint8Array;
    for (let code = 0; code < codes; code++) first[code] = (first[code] as number) | (begins[code] as number);
  }
  return (text) => {
    const found: [number, number][] = [];
    for (let at = 0; at < text.length; ) {
      const end = first[text.charCodeAt(at)] === 0 ? -1 : endOf(alternatives, text, at);
      if (end < 0) {
        at++;
        continue;
      }
      found.push([at, end]);
      at = end;
    }
    return found;
  };
}

/** Where the best alternative ends that begins at a place; -1 = none does. */
function endOf(alternatives: readonly Alternative[], text: string, start: number): number {
  for (const alternative of alternatives) {
    let at = start;
    for (const item of alternative) {
      if (typeof item === 'string') {
        if (holds(item, text, at)) continue;
      } else if (at < text.length && item[text.charCodeAt(at)] === 1) {
        at++;
        continue;
      }
      at = -1;
      break;
    }
    if (at >= 0) return at;
  }
  return -1;
}

function holds(anchor: Anchor, text: string, at: number): boolean {
  if (anchor === 'start') return at === 0;
  if (anchor === 'end' || anchor === 'veryEnd') return at === text.length;
  return (isWord(text, at - 1) !== isWord(text, at)) === (anchor === 'word');
}

function isWord(text: string, at: number): boolean {
  const code = at < 0 || at >= text.length ? 0 : text.charCodeAt(at);
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;
}

function lengthOf(alternative: Alternative): number {
  return alternative.filter((item) => typeof item !== 'string').length;
}

/** The alternatives in the order in which they are preferred; null when they are too many or not bounded. */
function expanded(node: Node): readonly Alternative[] | null {
  switch (node.kind) {
    case 'character':
      return [[tableOf([[node.code, node.code]], node.ignoreCase, false)]];
    case 'set':
      return [[tableOf(node.points, node.ignoreCase, node.negated)]];
    case 'any':
      return [[tableOf(node.newline ? [] : [[10, 10]], false, true)]];
    case 'anchor':
      return node.at === 'lineStart' || node.at === 'lineEnd' ? null : [[node.at]];
    case 'sequence':
      return node.parts.reduce<readonly Alternative[] | null>((before, part) => joined(before, expanded(part)), [[]]);
    case 'choice': {
      const all = node.parts.map(expanded);
      return all.includes(null) ? null : limited((all as Alternative[][]).flat());
    }
    case 'repeat':
      return repeated(node);
  }
}

function repeated({ part, least, most, lazy }: Node & { kind: 'repeat' }): readonly Alternative[] | null {
  if (most > mostLength) return null;
  const one = expanded(part);
  if (one === null || one.some((alternative) => lengthOf(alternative) === 0)) return null;
  let all: readonly Alternative[] | null = [[]];
  for (let count = most; count > 0 && all !== null; count--) {
    const more = joined(one, all);
    if (more === null || count <= least) all = more;
    else all = limited(lazy ? [[], ...more] : [...more, []]);
  }
  return all;
}

function joined(before: readonly Alternative[] | null, after: readonly Alternative[] | null) {
  if (before === null || after === null || before.length * after.length > mostAlternatives) return null;
  return limited(before.flatMap((left) => after.map((right) => [...left, ...right])));
}

function limited(all: readonly Alternative[]): readonly Alternative[] | null {
  return all.length > mostAlternatives || all.some((alternative) => alternative.length > mostLength) ? null : all;
}

/** Letters beyond ASCII that fold to one of it: the long s and the Kelvin sign. */
const strangers: readonly (readonly [code: number, letter: string])[] = [
  [0x17f, 's'],
  [0x212a, 'k'],
];

function tableOf(points: CodePoints, ignoreCase: boolean, negated: boolean): Uint8Array {
  const table = new Uint8Array(codes);
  for (const [from, to] of points) table.fill(1, Math.min(from, codes), Math.min(to + 1, codes));
  if (ignoreCase) {
    for (const [code, letter] of strangers) {
      if (points.some(([from, to]) => from <= code && code <= to)) table[letter.charCodeAt(0)] = 1;
    }
    for (let upper = 65; upper <= 90; upper++) {
      const either = (table[upper] as number) | (table[upper + 32] as number);
      table[upper] = either;
      table[upper + 32] = either;
    }
  }
  return negated ? table.map((one) => 1 - one) : table;
}
