// The entities of a namespace as clients see them (reference 20.1), and the repair of their index from the elements themselves: an entity
// and its entry are two transactions, and a process may end between them.

import type { GraphEngine } from '../engine/types.ts';
import { entityLabel, findVertices, mentionsEdge, readVertex } from './model.ts';

const usualLimit = 200;
const mostEntities = 10_000;

export interface EntityFilter {
  /** Compared without case; null for any. */
  readonly type: string | null;
  /** Part of the text, without case; null for any. */
  readonly contains: string | null;
  readonly limit: number;
}

interface EntityView {
  readonly id: number;
  readonly text: string;
  readonly type: string;
  readonly mentionCount: number;
}

/** The most mentioned first; `total` counts them before the limit. */
export async function listEntities(
  graph: GraphEngine,
  { type, contains, limit }: EntityFilter,
  pause: () => Promise<void>,
  signal: AbortSignal,
): Promise<{ readonly entities: EntityView[]; readonly total: number }> {
  const found: EntityView[] = [];
  const [wantedType, wantedText] = [type?.toLowerCase() ?? null, contains?.toLowerCase() ?? null];
  for (const [i, id] of (await findVertices(graph, entityLabel, 'entityKey', { not: '' }, signal)).entries()) {
    if (i % 256 === 255) await pause();
    const values = readVertex(graph, id)?.values;
    const [text, ofType] = [values?.get('text') ?? '', values?.get('type') ?? ''];
    if (wantedType !== null && ofType.toLowerCase() !== wantedType) continue;
    if (wantedText !== null && !text.toLowerCase().includes(wantedText)) continue;
    found.push({ id, text, type: ofType, mentionCount: graph.reads.groupDegree(id, 'in', mentionsEdge) ?? 0 });
  }
  found.sort((a, b) => b.mentionCount - a.mentionCount || compare(a.text, b.text) || a.id - b.id);
  const most = Math.min(limit <= 0 ? usualLimit : limit, mostEntities);
  return { entities: found.slice(0, most), total: found.length };
}

/** Ordinal order. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Makes the index hold exactly the entities there are; nothing where there is no such index, or it is of another kind. */
export async function repairEntityIndex(graph: GraphEngine, index: string): Promise<void> {
  if (graph.indexes.find(index)?.pluginType !== 'DictionaryIndex') return;
  await graph.indexes.backfill({ index, property: 'entityKey', prefix: false, replace: true, label: entityLabel });
}
