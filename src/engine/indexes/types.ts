// The indexes of a graph as the engine's callers see them (contract part 1, Indexes). What a miss answers over HTTP is the routes'
// business; here it is a value.

import type { Geometry } from '../../core/indexes.ts';
import type { TypeId } from '../../core/values.ts';
import type { ResultType, WriteOutcome } from '../types.ts';
import type { Capability, IndexOptions } from './plugins.ts';
import type { WordHits } from './word-hits.ts';

/** An entry of the inventory (reference section 4). */
export interface IndexInfo {
  readonly indexId: string;
  readonly pluginType: string;
  readonly embeddingName: string | null;
  readonly model: string | null;
  readonly capabilities: readonly Capability[];
  /** Null where the index cannot count. */
  readonly keys: number | null;
  readonly values: number | null;
}

/** A write of an index: false when there is nothing to write to, otherwise what became of its transaction. */
export type IndexWrite = WriteOutcome | false;

export interface IndexScan {
  readonly index: string;
  /** 0 equals .. 5 not equals; anything else matches nothing. */
  readonly operator: number;
  readonly type: TypeId;
  readonly text: string;
  readonly label: string | null;
  readonly resultType: ResultType;
}

export interface IndexRangeScan {
  readonly index: string;
  readonly type: TypeId;
  readonly left: string;
  readonly right: string;
  readonly includeLeft: boolean;
  readonly includeRight: boolean;
  readonly resultType: ResultType;
}

export interface BackfillRequest {
  readonly index: string;
  readonly property: string;
  /** `property` is the beginning of a family of keys. */
  readonly prefix: boolean;
  readonly replace: boolean;
  readonly label: string | null;
}

export type BackfillResult =
  | {
      readonly ok: true;
      readonly scannedElements: number;
      readonly indexedElements: number;
      readonly skippedUnindexableValues: number;
      readonly durable: boolean;
    }
  | { readonly ok: false; readonly reason: 'noIndex' | 'noEquality' | 'noMemory' };

export interface IndexSet {
  /** In the order of creation. */
  list(): IndexInfo[];
  /** Null when there is none of this name. */
  find(indexId: string): IndexInfo | null;
  /** False: the name is taken, the plugin type unknown, or an option refused. `overHttp`: also for plugins that HTTP cannot create. */
  create(indexId: string, pluginType: string, options: IndexOptions, overHttp: boolean): IndexWrite;
  drop(indexId: string): IndexWrite;
  /** A key that this kind of index cannot hold is passed over. */
  add(indexId: string, element: number, type: TypeId, text: string): IndexWrite;
  removeElement(indexId: string, element: number): IndexWrite;
  /** False also when the key is not there; null when the text is no value of the type. */
  removeKey(indexId: string, type: TypeId, text: string): IndexWrite | null;
  backfill(request: BackfillRequest, signal?: AbortSignal): Promise<BackfillResult>;

  /** Ids, ascending; empty without such an index or for one without keys; null when the text is no value of the type. */
  scan(scan: IndexScan, signal?: AbortSignal): Promise<Uint8Array[] | null>;
  /** Ids in the order of keys; empty for anything but a RangeIndex; null when a limit is no value of the type. */
  scanRange(scan: IndexRangeScan, signal?: AbortSignal): Promise<Uint8Array[] | null>;
  /** Types of its keys, bit `TypeId` each; 0 without keys, and where there are too many keys to look at. */
  keyTypes(indexId: string): number;
  /** Adds an element to a SpatialIndex; false without such an index or element, or for a geometry that is none. */
  addGeometry(indexId: string, element: number, geometry: Geometry): IndexWrite;
  /** Ids, ascending, of elements at most `distance` from the element's own place, itself included; null on a miss. */
  scanSpatial(
    indexId: string,
    element: number,
    distance: number,
    signal?: AbortSignal,
  ): Promise<readonly number[] | null>;
  /**
   * Elements of a RegExIndex with keys that match the expression (.NET syntax, case ignored), ascending, as blocks of the JSON text
   * `{ maximumScore, elements: [{ graphElementId, highlights, score }] }`; null when there are none, or no such index. Throws
   * ExpressionRefused, and JobFailed as `deadline` after `timeoutMs`.
   */
  fulltext(indexId: string, expression: string, timeoutMs: number, signal?: AbortSignal): Promise<Uint8Array[] | null>;
  /**
   * The `most` best elements of a RegExIndex for the words of a text; null without such an index. Throws ExpressionRefused for a text that is
   * too long, and JobFailed as `deadline` after `timeoutMs`.
   */
  words(query: WordQuery, signal?: AbortSignal): Promise<WordHits | null>;
}

export interface WordQuery {
  readonly index: string;
  readonly text: string;
  /**
   * `matches`: the number of matches of what stands between white space, anywhere in a text, case ignored. `bm25`: relevance, over whole words,
   * of which the first 64 different ones count.
   */
  readonly score: 'matches' | 'bm25';
  readonly most: number;
  readonly timeoutMs: number;
}
