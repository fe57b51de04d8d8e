// What a plugin may ask of the engine beside single elements, and what it is called with: between the interpreter and whoever holds the graph.

import type { CreateEdge, CreateVertex, WriteOperation } from '../core/requests.ts';
import type { TypeId } from '../core/values.ts';
import type { ElementReader, PropertyValue } from './element-reader.ts';
import type { PluginContract } from './plugin-contract.ts';

export interface EngineReader extends ElementReader {
  readonly vertexCount: number;
  readonly edgeCount: number;
  /** The graph's id: 8-4-4-4-12 hexadecimal digits. */
  readonly graphId: string;
  kindOf(id: number): 'vertex' | 'edge' | null;
  /** Ascending ids of live elements; `label` null: all. */
  ids(kind: 'vertex' | 'edge' | 'any', label: string | null): number[];
  /** Ascending ids of elements whose property satisfies the operator (0 equals .. 5 not equals). */
  scan(key: string, operator: number, type: TypeId, text: string, label: string | null): number[];
  /** The same of those with a property value whose text contains the term. */
  scanTexts(term: string, label: string | null): number[];
  /** Keys of the element's properties, in their order. */
  propertyKeys(id: number): readonly string[];
  /** Elements that an index holds under keys that satisfy the operator; null: it has no such keys, or there is no such index. */
  indexScan(index: string, operator: number, type: TypeId, text: string): number[] | null;
  /** Between two keys of the same type, in the order of the keys. */
  indexRange(index: string, range: IndexLimits): number[] | null;
  /** Elements of an index of texts, by ascending id, with what of their texts an expression matches. */
  fulltext(index: string, expression: string): readonly FulltextHit[] | null;
  /** The nearest in an index of vectors, best first; `kinds` is a mask of vertices (1) and edges (2). */
  nearest(index: string, vector: Float32Array, k: number, kinds: 1 | 2 | 3, label: string | null): NearestHits | null;
  /** Says a line in the service's log; `level` is a number of LogLevel. */
  log(level: number, line: string): void;
  /** By one of the built-in algorithms; null: there is none of that name. */
  paths(algorithm: string, search: PathInput): readonly FoundPath[] | null;
  /** A built-in whole-graph algorithm; null: it has no result, undefined: there is none of that name. */
  analytics(algorithm: string, input: AnalyticsInput): (PluginResult & { readonly kind: 'values' }) | null | undefined;
  /** Runs a registered plugin of the namespace, whose exceptions are the caller's; null: there is none that can run. */
  plugin(contract: PluginContract, name: string, input: NestedInput): PluginResult | null;
  /** Opens a transaction, or says why that cannot be. Waits for those before it. */
  transaction(): OpenTransaction | string;
}

/** What a plugin hands to another one. Parameters are values of the interpreter. */
export type NestedInput =
  | { readonly path: PathInput }
  | { readonly analytics: AnalyticsInput }
  | { readonly parameters: Readonly<Record<string, unknown>> };

/** A transaction whose operations are put together while other writes wait. */
export interface OpenTransaction {
  /** Of its first create; the others follow. */
  readonly firstId: number;
  /** Null when it is committed; else why not: nothing changed then. */
  commit(operations: readonly WriteOperation[], values: WrittenValues): string | null;
  end(): void;
}

/** The values behind the texts of a transaction's operations. */
export interface WrittenValues {
  /** Of what it creates, by id and key. */
  readonly made: ReadonlyMap<number, ReadonlyMap<string, PropertyValue>>;
  /** Of what was there before, by id and key with a blank between them; null: removed. */
  readonly changed: ReadonlyMap<string, PropertyValue | null>;
}

export interface IndexLimits {
  readonly type: TypeId;
  readonly left: string;
  readonly right: string;
  readonly includeLeft: boolean;
  readonly includeRight: boolean;
}

export interface FulltextHit {
  readonly id: number;
  readonly highlights: readonly string[];
  readonly score: number;
}

export interface NearestHits {
  /** A number of VectorDistanceMetric. */
  readonly metric: number;
  readonly ids: readonly number[];
  readonly scores: readonly number[];
}

/** Of a path request; filters are called with ids, type filters with the type. Missing: there is none. */
export interface PathInput {
  readonly from: number;
  readonly to: number;
  readonly maxDepth: number;
  readonly maxResults: number;
  readonly maxWeight: number;
  readonly vertexFilter: ((id: number) => boolean) | null;
  readonly edgeFilter: ((id: number) => boolean) | null;
  readonly typeFilter: ((edgeType: string) => boolean) | null;
  readonly vertexCost: ((id: number) => number) | null;
  readonly edgeCost: ((id: number) => number) | null;
}

export interface AnalyticsInput {
  readonly vertexLabel: string | null;
  readonly edgeType: string | null;
  /** A number of the enum Direction; null: the algorithm's own. */
  readonly direction: number | null;
  readonly maxIterations: number;
  readonly epsilon: number;
  /** Numbers, or, from another plugin, values of the interpreter. */
  readonly parameters: Readonly<Record<string, unknown>> | null;
  /** What another plugin gives the run at most; missing or 0: as long as its own call lasts. */
  readonly timeBudgetMs?: number;
}

/** Of a subgraph request; filters as those of a path request. */
export interface SubGraphInput {
  readonly name: string;
  readonly additionalInformation: Readonly<Record<string, string>> | null;
  readonly vertexFilter: PathInput['vertexFilter'];
  readonly edgeFilter: PathInput['edgeFilter'];
  readonly pattern: readonly PatternInput[];
}

export type PatternInput =
  | { readonly kind: 'vertex'; readonly name: string | null; readonly vertexFilter: PathInput['vertexFilter'] }
  | {
      readonly kind: 'edge' | 'variable';
      readonly name: string | null;
      /** A number of the enum Direction. */
      readonly direction: number;
      readonly typeFilter: PathInput['typeFilter'];
      readonly edgeFilter: PathInput['edgeFilter'];
      readonly minLength: number;
      readonly maxLength: number;
    };

/** One call of a plugin's fresh object. */
export interface PluginInput {
  /** It is asked for nothing but its name. */
  readonly asksName: boolean;
  /** Texts, or, from another plugin, values of the interpreter. */
  readonly parameters: Readonly<Record<string, unknown>> | null;
  readonly path: PathInput | null;
  readonly analytics: AnalyticsInput | null;
  readonly subGraph: SubGraphInput | null;
  /** For the call; Infinity: none. In milliseconds. */
  readonly budgetMs: number;
  readonly nowMs: () => number;
  /** Told to stop. */
  readonly isCancelled: () => boolean;
}

export interface PathStep {
  readonly source: number;
  readonly target: number;
  readonly edge: number;
  readonly edgeType: string;
  readonly direction: number;
  readonly weight: number;
}

export interface FoundPath {
  readonly steps: readonly PathStep[];
  readonly weight: number;
}

export type PluginResult =
  | { readonly kind: 'name'; readonly name: string }
  /** The contract's method answered false. */
  | { readonly kind: 'declined' }
  | { readonly kind: 'elements'; readonly vertices: readonly number[]; readonly edges: readonly number[] }
  | { readonly kind: 'paths'; readonly paths: readonly FoundPath[] }
  /** A graph of the plugin's own: what makes it, where the place of an operation is the id of what it makes. */
  | { readonly kind: 'graph'; readonly contents: readonly (CreateVertex | CreateEdge)[] }
  /** A graph as it is there: the plugin's answer is all of what it was called over. */
  | { readonly kind: 'source' }
  | {
      readonly kind: 'values';
      readonly isPartition: boolean;
      readonly ids: readonly number[];
      readonly values: readonly number[];
      readonly statistics: Readonly<Record<string, number>>;
      readonly converged: boolean;
      readonly iterations: number;
      readonly budgetExhausted: boolean;
    }
  /** It answered true and no result of its contract. */
  | { readonly kind: 'nothing' };
