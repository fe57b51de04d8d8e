// A kNN search on threads: a gang that shares the rows of one commit, or one thread alone.

import { searchVectors, type VectorHits, type VectorSearch } from '../../core/vectors.ts';
import type { JobKind } from '../jobs/types.ts';

/** Requests take an eighth of it: eight queries of the largest dimension fit, so that no member of a gang ever has to widen. */
const arenaBytes = 2 * 1024 * 1024;

/** The best of each member; null when there is no such index any more. */
export const vectorSearchJob: JobKind<VectorSearch, VectorHits[] | null> = {
  name: 'searchVectors',
  arenaBytes,
  run: async (reader, request, control) => {
    for (;;) {
      const hits = reader.announced(() => searchVectors(reader.instance, request, control.gang));
      if (hits !== 'stopped') return hits;
      await control.slice();
    }
  },
};
