// What a plugin may ask of the engine beside single elements, and what it is called with: between the interpreter and whoever holds the graph.

import type { WriteOperation } from '../core/requests.ts';
import type { TypeId } from '../core/values.ts';
import type { ElementReader } from './element-reader.ts';

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
  /** By one of the built-in algorithms; null: there is none of that name. */
  paths(algorithm: string, search: PathInput): readonly FoundPath[] | null;
  /** Opens a transaction, or says why that cannot be. Waits for those before it. */
  transaction(): OpenTransaction | string;
}

/** A transaction whose operations are put together while other writes wait. */
export interface OpenTransaction {
  /** Of its first create; the others follow. */
  readonly firstId: number;
  /** Null when it is committed; else why not: nothing changed then. */
  commit(operations: readonly WriteOperation[]): string | null;
  end(): void;
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
  readonly parameters: Readonly<Record<string, number>> | null;
}

/** One call of a plugin's fresh object. */
export interface PluginInput {
  /** It is asked for nothing but its name. */
  readonly asksName: boolean;
  readonly parameters: Readonly<Record<string, string>> | null;
  readonly path: PathInput | null;
  readonly analytics: AnalyticsInput | null;
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
