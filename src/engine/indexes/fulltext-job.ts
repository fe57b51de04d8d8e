// The fulltext scan of a RegExIndex: the core names the keys that contain what every match must contain, the matcher decides. It runs on a
// thread of its own, since the expression comes from strangers; where there is none, in slices. The answer leaves it as the JSON text that
// the client gets, in pieces: hundreds of thousands of hits as objects would cost whoever takes them seconds.

import { type TextCandidates, type TextCursor, textCandidates } from '../../core/index-text.ts';
import type { JobControl, JobKind } from '../jobs/types.ts';
import type { Refusal } from './expressions/nodes.ts';

export interface FulltextRequest {
  /** In .NET's syntax. */
  readonly expression: string;
  readonly graph: number;
  readonly index: string;
}

interface Hit {
  highlights: readonly string[];
  /** Number of matches in all keys of the element. */
  score: number;
}

/** Texts matched between two slices. */
const textsAtOnce = 256;
/** Of a piece of the answer, in UTF-16 code units. */
const pieceLength = 65_536;

/** JSON of the hits by ascending id. Null: nothing matches, or there is no such index, or it is none of texts. */
export const fulltextJob: JobKind<FulltextRequest, Uint8Array[] | Refusal | null> = {
  name: 'fulltext',
  isLong: true,
  arenaBytes: 2 * 1024 * 1024,
  run: async (reader, { graph, index, expression }, control) => {
    // The matcher is large, and most services have no use for it.
    const { matcherOf, preparedOrRefusal } = await import('./expressions/expression.ts');
    const prepared = preparedOrRefusal(expression);
    if ('refused' in prepared) return prepared;
    const match = matcherOf(prepared);
    const { literals } = prepared;
    const hits = new Map<number, Hit>();
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
    return hits.size === 0 ? null : piecesOf(hits, control);
  },
};

/** `{ maximumScore, elements: [{ graphElementId, highlights, score }] }`. */
async function piecesOf(hits: ReadonlyMap<number, Hit>, control: JobControl): Promise<Uint8Array[]> {
  const encoder = new TextEncoder();
  const pieces: Uint8Array[] = [];
  let maximumScore = 0;
  for (const { score } of hits.values()) maximumScore = Math.max(maximumScore, score);
  let text = `{"maximumScore":${maximumScore},"elements":[`;
  let separator = '';
  for (const graphElementId of Uint32Array.from(hits.keys()).sort()) {
    const { highlights, score } = hits.get(graphElementId) as Hit;
    // Put together here: twice as fast as an object each.
    const words =
      highlights.length === 1 ? JSON.stringify(highlights[0]) : highlights.map((one) => JSON.stringify(one)).join();
    text += `${separator}{"graphElementId":${graphElementId},"highlights":[${words}],"score":${score}}`;
    separator = ',';
    if (text.length < pieceLength) continue;
    pieces.push(encoder.encode(text));
    text = '';
    await control.slice();
  }
  pieces.push(encoder.encode(`${text}]}`));
  return pieces;
}

function enter(
  hits: Map<number, Hit>,
  id: number,
  { count, highlights }: { count: number; highlights: readonly string[] },
): void {
  const hit = hits.get(id);
  if (hit === undefined) {
    hits.set(id, { highlights, score: count });
    return;
  }
  hit.highlights = [...new Set([...hit.highlights, ...highlights])];
  hit.score += count;
}
