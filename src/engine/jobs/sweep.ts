// The edge sweep as a gang (assembly/traverse/sweep-gang.ts): what each member followed in each round, and how long the round took.

import type { JobKind } from './types.ts';

/** Of the gang's block. */
export const sweepGangBytes = 64;

export interface SweepRequest {
  readonly graph: number;
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
  // A bit an id, up to some 25 million of them; without that much it goes slower.
  arenaBytes: 4 * 1024 * 1024,
  run: async (reader, { graph, iterations }, control) => {
    const { exports } = reader.instance;
    const gang = control.gang?.address ?? 0;
    const edges = new Float64Array(iterations);
    const seconds = new Float64Array(iterations);
    // A first round over a memory that this thread has not seen yet, so that everyone begins the others together.
    for (let round = -1; round < iterations; round++) {
      const startMs = performance.now();
      const stop = exports.sweepGang(graph, gang, (round + 1) % 2, reader.slot);
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
