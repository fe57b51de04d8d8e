// Links from chunks to elements by name: each identifier of a chunk is looked up in the indexes that the request names (reference 20.3,
// Linking). An index that is gone meanwhile links nothing.

import { TypeId } from '../core/values.ts';
import type { GraphEngine } from '../engine/types.ts';
import type { Chunk } from './chunks.ts';
import { idsIn } from './model.ts';

/** Tokens in stored order, indexes in the order of the request, hits by ascending id; each target once, at most `limit`. */
export async function linksOf(
  graph: GraphEngine,
  { identifiers }: Chunk,
  indexIds: readonly string[],
  limit: number,
  signal: AbortSignal,
): Promise<number[]> {
  const found = new Set<number>();
  for (const text of identifiers) {
    for (const index of indexIds) {
      const scan = { index, operator: 0, type: TypeId.string, text, label: null, resultType: 'Vertices' } as const;
      for (const id of idsIn(await graph.indexes.scan(scan, signal))) {
        if (found.size >= limit) return [...found];
        found.add(id);
      }
    }
  }
  return [...found];
}
