// Taking documents away: a document with its chunks and all their edges goes in one transaction, and indexes lose their entries in the
// same one. So whatever ends the process, nothing of a document stays behind without it.

import type { WriteOperation } from '../core/requests.ts';
import type { GraphEngine, WriteOutcome } from '../engine/types.ts';
import { chunkIdsOf, textOf, type Vertex } from './model.ts';

/** Removes the vertex and its chunks; their edges go with them, entities stay. */
export function removalOf(graph: GraphEngine, vertex: Vertex): WriteOperation[] {
  return [...chunkIdsOf(graph, vertex), vertex.id].map((element) => {
    return { kind: 'removeElement', element, skipRemoved: true };
  });
}

const longestError = 1000;

/** Takes the written chunks of a document away and says why it failed; all or nothing. */
export function markFailed(graph: GraphEngine, vertex: Vertex, reason: string): WriteOutcome {
  const removals = chunkIdsOf(graph, vertex).map((element): WriteOperation => {
    return { kind: 'removeElement', element, skipRemoved: true };
  });
  const error = reason.length > longestError ? `${reason.slice(0, longestError - 1)}…` : reason;
  return graph.write([
    ...removals,
    ...[textOf('status', 'failed'), textOf('error', error)].map((property): WriteOperation => {
      return { kind: 'setProperty', element: vertex.id, ...property };
    }),
  ]);
}
