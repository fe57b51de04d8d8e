// The vector indexes and embeddings of one loaded graph. An embedding is two properties under reserved keys; whatever writes them
// brings the bound indexes along inside the same transaction, in the core.

import { embeddingKey, embeddingModelKey } from '../../core/embeddings.ts';
import { findName } from '../../core/fragments.ts';
import { findIndex, type IndexEntry, IndexKind, indexEntry, listIndexes } from '../../core/indexes.ts';
import type { WriteOperation } from '../../core/requests.ts';
import { TypeId } from '../../core/values.ts';
import {
  normOf,
  readDefinition,
  readSingles,
  readValue,
  searchVectors,
  type VectorDefinition,
  type VectorHits,
  type VectorQuery,
} from '../../core/vectors.ts';
import type { GraphAccess } from '../indexes/access.ts';
import type { WriteOutcome } from '../types.ts';
import { type SearchTarget, VectorSearches } from './searches.ts';
import type { EmbeddingText, VectorSet } from './types.ts';

/** Bytes of rows that are searched on the writer's thread: about 100 µs. */
const bytesAtOnce = 2 ** 20;
const componentBytes = 4;

export interface VectorHost {
  /** The engine behind the graph now: a restore puts another one in its place. */
  readonly access: () => GraphAccess;
  readonly write: (operations: readonly WriteOperation[]) => WriteOutcome;
}

export class GraphVectors implements VectorSet {
  private readonly host: VectorHost;
  private searches: { readonly of: GraphAccess['core']; readonly all: VectorSearches } | null = null;

  constructor(host: VectorHost) {
    this.host = host;
  }

  find(indexId: string): VectorDefinition | 'otherKind' | null {
    const entry = this.entry(indexId);
    if (entry === null) return null;
    return entry.kind === IndexKind.vector ? readDefinition(entry.definition ?? '') : 'otherKind';
  }

  boundTo(embeddingName: string): VectorDefinition[] {
    const { core, graph } = this.host.access();
    return listIndexes(core.instance, graph)
      .filter(({ kind }) => kind === IndexKind.vector)
      .map(({ definition }) => readDefinition(definition ?? ''))
      .filter((definition) => definition.embeddingName === embeddingName);
  }

  add(indexId: string, element: number, vector: Float32Array): WriteOutcome {
    const text = bytesOf(vector);
    return this.host.write([{ kind: 'addToIndex', index: indexId, element, type: TypeId.singleArray, text }]);
  }

  search(
    indexId: string,
    { dimension, metric }: VectorDefinition,
    query: VectorQuery,
    signal?: AbortSignal,
  ): Promise<VectorHits | null> {
    const access = this.host.access();
    return access.task(async () => {
      const { core, graph } = access;
      const bytes = (this.entry(indexId)?.values ?? 0) * dimension * componentBytes;
      const target: SearchTarget = { graph, index: indexId, dimension, metric, bytes };
      if (bytes > bytesAtOnce) return this.searchesOf(access).search(target, query, signal);
      const hits = searchVectors(core.instance, { ...target, queries: [query] }, null);
      return hits === null || hits === 'stopped' ? null : (hits[0] ?? null);
    });
  }

  private searchesOf({ core, jobs }: GraphAccess): VectorSearches {
    if (this.searches?.of !== core) this.searches = { of: core, all: new VectorSearches(jobs) };
    return this.searches.all;
  }

  norm(vector: Float32Array): number {
    return normOf(this.host.access().core.instance, vector);
  }

  hasElement(element: number): boolean {
    const { core, graph } = this.host.access();
    return core.instance.exports.readKind(graph, element) !== 0;
  }

  readSingles(element: number, key: string): Float32Array | null {
    const { core, graph } = this.host.access();
    const found = readSingles(core.instance, graph, element, key);
    return found === 'otherType' ? null : found;
  }

  knowsEmbedding(name: string): boolean {
    return findName(this.host.access().core.instance, embeddingKey(name)) !== null;
  }

  readEmbedding(element: number, name: string): EmbeddingText | null {
    const { core, graph } = this.host.access();
    const vector = readValue(core.instance, graph, element, embeddingKey(name));
    if (vector === null || vector === 'otherType' || !vector.json.startsWith('[')) return null;
    const model = readValue(core.instance, graph, element, embeddingModelKey(name));
    const hasModel = model !== null && model !== 'otherType' && model.json.startsWith('"');
    return { vector: vector.json, model: hasModel ? model.json : 'null' };
  }

  embeddingWrite(element: number, name: string, vector: Float32Array, stamp: string | null = null): WriteOperation[] {
    const key = embeddingModelKey(name);
    return [
      { kind: 'setProperty', element, key: embeddingKey(name), type: TypeId.singleArray, text: bytesOf(vector) },
      stamp === null
        ? { kind: 'removeProperty', element, key }
        : { kind: 'setProperty', element, key, type: TypeId.string, text: stamp },
    ];
  }

  embeddingRemoval(element: number, name: string): WriteOperation[] {
    return [
      { kind: 'removeProperty', element, key: embeddingKey(name) },
      { kind: 'removeProperty', element, key: embeddingModelKey(name) },
    ];
  }

  private entry(indexId: string): IndexEntry | null {
    const { core, graph } = this.host.access();
    const index = findIndex(core.instance, graph, indexId);
    return index === 0 ? null : indexEntry(core.instance, index);
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
