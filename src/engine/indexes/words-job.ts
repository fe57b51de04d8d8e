// The best elements of a RegExIndex for some words. The core counts matches where the texts lie, and only numbers leave it; a text with
// characters beyond ASCII, which fold in ways of their own, is matched here. Two scores: the number of matches, as a fulltext scan has it,
// and BM25 (Robertson and Zaragoza, "The probabilistic relevance framework: BM25 and beyond", 2009) over whole words.
//
// BM25's statistics are the core's: how many entries an index has and how long its texts are, in bytes, which stand for words. How many
// entries a word stands in comes out of the scan itself.

import { type CountedKey, countTexts, type TextCursor } from '../../core/index-text.ts';
import { findIndex, textStatistics } from '../../core/indexes.ts';
import type { JobKind } from '../jobs/types.ts';
import type { KeyMatches } from './expressions/expression.ts';
import type { Refusal } from './expressions/nodes.ts';
import { bestOf, type WordHits } from './word-hits.ts';

export interface WordsRequest {
  readonly graph: number;
  readonly index: string;
  /** In lower case, different from each other where they are scored by BM25. */
  readonly words: readonly string[];
  /** The words as an expression, for texts that the core does not count; null: BM25. */
  readonly expression: string | null;
  /** Hits that are wanted. */
  readonly most: number;
}

/** How much a word says that stands often in a text, and how much the length of the text takes away (the usual values). */
const saturation = 1.2;
const lengthWeight = 0.75;

/** The best hits first, the smaller id among equals; null without such an index. */
export const wordsJob: JobKind<WordsRequest, WordHits | Refusal | null> = {
  name: 'words',
  isLong: true,
  arenaBytes: 2 * 1024 * 1024,
  run: async (reader, { graph, index, words, expression, most }, control) => {
    const match = expression === null ? null : await matcherFor(expression);
    if (match !== null && 'refused' in match) return match;
    const scores = match === null ? new RelevanceScores(words.length) : new MatchScores(match);
    const visit = (key: CountedKey): void => scores.add(key);
    for (let cursor: TextCursor | false = { class: 0, slot: 0 }; cursor !== false; ) {
      const from: TextCursor = cursor;
      const next = await control.fitting(() =>
        reader.fitted(() => countTexts(reader.instance, graph, index, words, match === null, from, visit)),
      );
      if (next === null) return null;
      cursor = next;
      await control.slice();
    }
    const found = findIndex(reader.instance, graph, index);
    if (found === 0) return null;
    return bestOf(scores.finished(textStatistics(reader.instance, found)), most);
  },
};

type Statistics = ReturnType<typeof textStatistics>;
type Matcher = (text: string) => KeyMatches | null;

async function matcherFor(expression: string): Promise<Matcher | Refusal> {
  const { matcherOf, preparedOrRefusal } = await import('./expressions/expression.ts');
  const prepared = preparedOrRefusal(expression);
  return 'refused' in prepared ? prepared : matcherOf(prepared);
}

class MatchScores {
  private readonly match: Matcher;
  private readonly scores = new Map<number, number>();

  constructor(match: Matcher) {
    this.match = match;
  }

  add({ matches, text, ids }: CountedKey): void {
    const count = matches ?? this.match(text ?? '')?.count ?? 0;
    if (count > 0) for (const id of ids) this.scores.set(id, (this.scores.get(id) ?? 0) + count);
  }

  finished(): ReadonlyMap<number, number> {
    return this.scores;
  }
}

class RelevanceScores {
  private readonly width: number;
  /** Entries that each word stands in. */
  private readonly entries: Float64Array;
  /** An entry's id, the bytes of its text, and how often each word stands in it. */
  private readonly found: number[] = [];

  constructor(width: number) {
    this.width = width;
    this.entries = new Float64Array(width);
  }

  add({ bytes, words, ids }: CountedKey): void {
    for (const id of ids) {
      this.found.push(id, bytes);
      for (let i = 0; i < this.width; i++) {
        const count = words[i] as number;
        this.found.push(count);
        if (count > 0) this.entries[i] = (this.entries[i] as number) + 1;
      }
    }
  }

  finished({ entries, texts, bytes }: Statistics): ReadonlyMap<number, number> {
    const weights = this.entries.map((count) => Math.log(1 + (entries - count + 0.5) / (count + 0.5)));
    const usual = Math.max(1, bytes / Math.max(1, texts));
    const scores = new Map<number, number>();
    for (let at = 0; at < this.found.length; at += 2 + this.width) {
      const id = this.found[at] as number;
      const length = 1 - lengthWeight + (lengthWeight * (this.found[at + 1] as number)) / usual;
      let score = scores.get(id) ?? 0;
      for (let i = 0; i < this.width; i++) {
        const count = this.found[at + 2 + i] as number;
        score += ((weights[i] as number) * count * (saturation + 1)) / (count + saturation * length);
      }
      scores.set(id, score);
    }
    return scores;
  }
}
