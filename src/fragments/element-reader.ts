// What a fragment may ask the graph: the read interface between the back ends and whatever holds the elements. Elements are named by
// their ids; vertices and edges share one row of ids. Implemented over the core's reader for the service and over plain objects in
// tests. A reader answers for live elements only and never throws.

import type { RealFunctions } from './real-functions.ts';
import type { CompilesExpressions } from './regular-expressions.ts';

/** A property's value with its exact type. */
export type PropertyValue =
  | { readonly type: 'String' | 'Guid'; readonly value: string } // Guid: 8-4-4-4-12 hexadecimal digits
  | { readonly type: 'Decimal'; readonly value: string } // digits with its trailing zeros: `1.10`
  | { readonly type: 'Boolean'; readonly value: boolean }
  | {
      readonly type: 'Byte' | 'SByte' | 'Int16' | 'UInt16' | 'Int32' | 'UInt32' | 'Single' | 'Double';
      readonly value: number;
    }
  | { readonly type: 'Char'; readonly value: number } // a UTF-16 unit
  | { readonly type: 'Int64' | 'UInt64'; readonly value: bigint }
  | { readonly type: 'TimeSpan'; readonly value: bigint } // ticks of 100 ns
  /** Ticks since year 1; kind 0 unspecified, 1 UTC, 2 local. */
  | { readonly type: 'DateTime'; readonly value: { readonly ticks: bigint; readonly kind: number } }
  /** Ticks of the clock at that offset. */
  | { readonly type: 'DateTimeOffset'; readonly value: { readonly ticks: bigint; readonly offsetMinutes: number } }
  | { readonly type: 'Single[]'; readonly value: Float32Array };

/** The edges of one type at one vertex in one direction, in their order. */
export interface EdgeGroup {
  readonly edgeType: string;
  readonly edges: readonly number[];
}

export type EdgeDirection = 'out' | 'in';

export interface ElementReader {
  isVertex(id: number): boolean;
  label(id: number): string | null;
  /** The property under exactly this key, or null. */
  property(id: number, key: string): PropertyValue | null;
  propertyCount(id: number): number;
  /** The values of all properties of type String but the entries that belong to embeddings. */
  stringProperties(id: number): Iterable<string>;
  /** Seconds since 1970; `modified` counts from there as well. */
  created(id: number): number;
  modified(id: number): number;
  embedding(id: number, name: string): Float32Array | null;
  embeddingStamp(id: number, name: string): string | null;
  degree(vertex: number, direction: EdgeDirection): number;
  /** The groups in their order, or null when the vertex has no edges in that direction. */
  edgeGroups(vertex: number, direction: EdgeDirection): readonly EdgeGroup[] | null;
  edge(id: number): { readonly source: number; readonly target: number; readonly edgeType: string };
}

/** 0 cosine, 1 dot product, 2 Euclidean distance: the numbers of VectorDistanceMetric. */
export type MetricNumber = 0 | 1 | 2;

/** What `context` holds for one search, and what a search lends its fragments. */
export interface SearchContext {
  readonly queryVector: Float32Array | null;
  readonly embeddingName: string;
  readonly metric: MetricNumber;
  /** Scores two vectors of equal length as the vector scans do; may answer a number that is not finite. */
  score(left: Float32Array, right: Float32Array, metric: MetricNumber): number;
  /** What Math and MathF compute with, the same bits as compiled fragments get. */
  readonly reals: RealFunctions;
  /** Of plugins. */
  readonly expressions?: CompilesExpressions | undefined;
}
