// Scans of an index that may look at every key, on a thread of their own.

import { type IndexMiss, type IndexQuery, scanIndex, scanIndexNear } from '../../core/indexes.ts';
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

export interface NearScanRequest {
  readonly graph: number;
  readonly index: string;
  /** See placesInIndex. */
  readonly places: Uint8Array;
  readonly distance: number;
}

export const nearScanJob: JobKind<NearScanRequest, Uint32Array | IndexMiss> = {
  name: 'scanNear',
  run: (reader, { graph, index, places, distance }, control) =>
    control.fitting(() => reader.fitted(() => scanIndexNear(reader.instance, graph, index, places, distance))),
};
