// The fulltext scan of a RegExIndex: the core names the keys that contain what every match must contain, the matcher decides. It runs on a
// thread of its own, since the expression comes from strangers; where there is none, in slices.

import { type TextCandidates, type TextCursor, textCandidates } from '../../core/index-text.ts';
import type { JobKind } from '../jobs/types.ts';
import { matcherOf, type PreparedExpression } from './expressions/expression.ts';

export interface FulltextRequest extends PreparedExpression {
  readonly graph: number;
  readonly index: string;
}

export interface FulltextHit {
  readonly graphElementId: number;
  highlights: readonly string[];
  /** Number of matches in all keys of the element. */
  score: number;
}

/** Texts matched between two slices. */
const textsAtOnce = 256;

/** Null: there is no such index, or it is none of texts. */
export const fulltextJob: JobKind<FulltextRequest, FulltextHit[] | null> = {
  name: 'fulltext',
  isLong: true,
  arenaBytes: 2 * 1024 * 1024,
  run: async (reader, { graph, index, ...expression }, control) => {
    const match = matcherOf(expression);
    const { literals } = expression;
    const hits = new Map<number, FulltextHit>();
    let tried = 0;
    let cursor: TextCursor | null = { class: 0, slot: 0 };
    while (cursor !== null) {
      const from: TextCursor = cursor;
      const found: TextCandidates | null = await control.fitting(() =>
        reader.fitted(() => textCandidates(reader.instance, graph, index, literals, from)),
      );
      if (found === null) return null;
      for (const { text, ids } of found.keys) {
        if (++tried % textsAtOnce === 0) await control.slice();
        const matches = match(text);
        if (matches !== null) for (const id of ids) enter(hits, id, matches);
      }
      cursor = found.next;
      await control.slice();
    }
    return [...hits.values()].sort((a, b) => a.graphElementId - b.graphElementId);
  },
};

function enter(
  hits: Map<number, FulltextHit>,
  id: number,
  { count, highlights }: { count: number; highlights: readonly string[] },
): void {
  const hit = hits.get(id);
  if (hit === undefined) {
    hits.set(id, { graphElementId: id, highlights, score: count });
    return;
  }
  hit.highlights = [...new Set([...hit.highlights, ...highlights])];
  hit.score += count;
}
