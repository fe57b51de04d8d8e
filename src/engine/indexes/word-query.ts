// What a query of words asks of a RegExIndex (words-job.ts).

import type { WordQuery } from './types.ts';
import type { WordsRequest } from './words-job.ts';

/** Most words that relevance counts. */
const mostWords = 64;

export function wordsRequest({ text, score, index, most }: WordQuery): Omit<WordsRequest, 'graph'> {
  if (score === 'bm25') {
    const words = text.toLowerCase().match(/[a-z0-9_\u0080-\u{10ffff}]+/gu) ?? [];
    return { index, most, words: [...new Set(words)].slice(0, mostWords), expression: null };
  }
  const words = text.split(/\s+/).filter((word) => word !== '');
  return { index, most, words: words.map(foldedInAscii), expression: expressionOf(words) };
}

/** Words as alternatives, each meant literally. */
function expressionOf(words: readonly string[]): string {
  return words.map((word) => word.replace(/[\\^$.*+?()[\]{}|#-]/g, '\\$&')).join('|');
}

/** As an expression that ignores case folds within ASCII: the Kelvin sign and the long s are letters of it. */
function foldedInAscii(word: string): string {
  return word
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    .replaceAll('\u212a', 'k')
    .replaceAll('\u017f', 's');
}
