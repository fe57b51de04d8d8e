// Vector indexes and element embeddings as the engine's callers see them (contract part 1, Indexes; part 3, Element embeddings).

import type { WriteOperation } from '../../core/requests.ts';
import type { VectorDefinition, VectorHits, VectorQuery } from '../../core/vectors.ts';
import type { WriteOutcome } from '../types.ts';

/** A named embedding as JSON texts: the array of its components, and the stamp of its model or `null`. */
export interface EmbeddingText {
  readonly vector: string;
  readonly model: string;
}

export interface VectorSet {
  /** What an index is; null when there is none of that name, 'otherKind' when it holds no vectors. */
  find(indexId: string): VectorDefinition | 'otherKind' | null;
  /** Definitions of the indexes that project the embedding of that name. */
  boundTo(embeddingName: string): VectorDefinition[];
  /** Adds an element's vector to an unbound index, or replaces it. The vector ranks in the index. */
  add(indexId: string, element: number, vector: Float32Array): WriteOutcome;
  /** The best k of a valid query; null when the index has gone meanwhile. */
  search(
    indexId: string,
    definition: VectorDefinition,
    query: VectorQuery,
    signal?: AbortSignal,
  ): Promise<VectorHits | null>;
  /** Length of a vector in single precision; Cosine takes none of length 0. */
  norm(vector: Float32Array): number;
  hasElement(element: number): boolean;
  /** The components of a Single[] property, null when there is no such property or it is of another type. */
  readSingles(element: number, key: string): Float32Array | null;
  /** Whether anything here has, or had, an embedding of that name, or an index for it. */
  knowsEmbedding(name: string): boolean;
  /** Null when the element or the embedding is missing. */
  readEmbedding(element: number, name: string): EmbeddingText | null;
  /** The transaction that writes an embedding; `stamp`: of the model that made it, null for a vector of the caller's own. */
  embeddingWrite(element: number, name: string, vector: Float32Array, stamp?: string | null): WriteOperation[];
  /** The transaction that removes an embedding and its stamp; it does nothing where there is none. */
  embeddingRemoval(element: number, name: string): WriteOperation[];
}
