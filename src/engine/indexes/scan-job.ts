// A scan of an index that may look at every key, on a thread of its own.

import { type IndexMiss, type IndexQuery, scanIndex } from '../../core/indexes.ts';
import type { JobKind } from '../jobs/types.ts';

export interface IndexScanRequest {
  readonly graph: number;
  readonly query: IndexQuery;
}

export const indexScanJob: JobKind<IndexScanRequest, Uint32Array | IndexMiss> = {
  name: 'scanIndex',
  run: (reader, { graph, query }, control) =>
    control.fitting(() => reader.fitted(() => scanIndex(reader.instance, graph, query))),
};
