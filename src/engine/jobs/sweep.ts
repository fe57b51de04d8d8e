// The edge sweep as a gang (assembly/traverse/sweep-gang.ts): what each member followed in each round, and how long the round took.

import type { JobKind } from './types.ts';

/** More ids than these have no bit: 4 MiB. The sweep looks at their pages instead, which takes longer. */
const mostBits = 2 ** 25;

/** What a gang's block holds for a graph with so many ids: as many of them get a bit, and it takes so many bytes. */
export function sweepGangBlock(nextId: number): { readonly ids: number; readonly sharedBytes: number } {
  const ids = Math.min(nextId, mostBits);
  return { ids, sharedBytes: 64 + 64 * Math.ceil(ids / 512) };
}

export interface SweepRequest {
  readonly graph: number;
  /** Ids that the gang's block has bits for. */
  readonly ids: number;
  readonly iterations: number;
}

export interface SweepShare {
  readonly edges: Float64Array;
  readonly seconds: Float64Array;
}

export const sweepJob: JobKind<SweepRequest, SweepShare> = {
  name: 'sweep',
  isLong: true,
  isOpenEnded: true,
  atOnce: 1,
  run: async (reader, { graph, ids, iterations }, control) => {
    const { exports } = reader.instance;
    const gang = control.gang?.address ?? 0;
    const edges = new Float64Array(iterations);
    const seconds = new Float64Array(iterations);
    // A first round over a memory that this thread has not seen yet, so that everyone begins the others together.
    for (let round = -1; round < iterations; round++) {
      const startMs = performance.now();
      const stop = exports.sweepGang(graph, gang, ids, (round + 1) % 2, reader.slot);
      if (round >= 0) {
        edges[round] = exports.sweepGangEdges();
        seconds[round] = (performance.now() - startMs) / 1000;
      }
      if (stop !== 0 || control.stopReason() !== null) await control.slice();
      else if (control.gang?.count === 1) await control.slice();
    }
    return { edges, seconds };
  },
};
