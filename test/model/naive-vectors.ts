// The contract's vector indexes and embeddings over the naive graph: every search scores every vector, one after the other.

import type { WriteOperation } from '../../src/core/requests.ts';
import { TypeId } from '../../src/core/values.ts';
import type { VectorDefinition, VectorHits, VectorMetric, VectorQuery } from '../../src/core/vectors.ts';
import type { WriteOutcome } from '../../src/engine/types.ts';
import type { EmbeddingText, VectorSet } from '../../src/engine/vectors/types.ts';
import type { NaiveElements, NaiveIndexes } from './naive-indexes.ts';
import type { NaiveValue } from './naive-values.ts';
import { type Metric, modelNorm, modelSearch } from './vector-scores.ts';

const metrics: Readonly<Record<VectorMetric, Metric>> = { Cosine: 'cosine', DotProduct: 'dot', L2: 'l2' };

export class NaiveVectors implements VectorSet {
  private readonly elements: () => NaiveElements;
  private readonly indexes: NaiveIndexes;
  private readonly done: () => WriteOutcome;

  constructor(elements: () => NaiveElements, indexes: NaiveIndexes, done: () => WriteOutcome) {
    this.elements = elements;
    this.indexes = indexes;
    this.done = done;
  }

  find(indexId: string): VectorDefinition | 'otherKind' | null {
    const index = this.indexes.vectorIndex(indexId);
    if (index === undefined) return null;
    return index?.definition ?? 'otherKind';
  }

  boundTo(embeddingName: string): VectorDefinition[] {
    return this.indexes.vectorDefinitions().filter((definition) => definition.embeddingName === embeddingName);
  }

  add(indexId: string, element: number, vector: Float32Array): WriteOutcome {
    this.indexes.vectorIndex(indexId)?.vectors.set(element, vector);
    return this.done();
  }

  async search(indexId: string, definition: VectorDefinition, query: VectorQuery): Promise<VectorHits | null> {
    const index = this.indexes.vectorIndex(indexId);
    if (index === undefined || index === null) return null;
    const vectors = definition.embeddingName === null ? index.vectors : this.indexes.projection(definition);
    const fitting = [...vectors].filter(([id]) => {
      const element = this.elements().get(id);
      if (element === undefined || (query.label !== null && element.label !== query.label)) return false;
      return (query.mask & (element.edge === null ? 1 : 2)) !== 0;
    });
    const hits = modelSearch(metrics[definition.metric], new Map(fitting), query.vector, query.k);
    return { ids: Uint32Array.from(hits, ({ id }) => id), scores: Float32Array.from(hits, ({ score }) => score) };
  }

  norm(vector: Float32Array): number {
    return modelNorm(vector);
  }

  hasElement(element: number): boolean {
    return this.elements().get(element) !== undefined;
  }

  readSingles(element: number, key: string): Float32Array | null {
    const value = this.value(element, key);
    return value !== undefined && 'floats' in value ? Float32Array.from(value.floats) : null;
  }

  readEmbedding(element: number, name: string): EmbeddingText | null {
    const vector = this.readSingles(element, `$embedding:${name}`);
    if (vector === null) return null;
    const model = this.value(element, `$embeddingModel:${name}`);
    return {
      vector: `[${Array.from(vector, shortest).join()}]`,
      model: model !== undefined && 'text' in model ? JSON.stringify(model.text) : 'null',
    };
  }

  knowsEmbedding(name: string): boolean {
    return [...this.elements().values()].some(({ id }) => this.readSingles(id, `$embedding:${name}`) !== null);
  }

  embeddingWrite(element: number, name: string, vector: Float32Array, stamp: string | null = null): WriteOperation[] {
    const key = `$embeddingModel:${name}`;
    const text = new Uint8Array(vector.buffer.slice(0));
    return [
      { kind: 'setProperty', element, key: `$embedding:${name}`, type: TypeId.singleArray, text },
      stamp === null
        ? { kind: 'removeProperty', element, key }
        : { kind: 'setProperty', element, key, type: TypeId.string, text: stamp },
    ];
  }

  embeddingRemoval(element: number, name: string): WriteOperation[] {
    return ['$embedding:', '$embeddingModel:'].map((prefix) => ({
      kind: 'removeProperty',
      element,
      key: prefix + name,
    }));
  }

  private value(element: number, key: string): NaiveValue | undefined {
    return this.elements().get(element)?.properties.get(key);
  }
}

function shortest(single: number): string {
  for (let digits = 1; digits < 9; digits++) {
    if (Math.fround(Number(single.toPrecision(digits))) === single) return String(Number(single.toPrecision(digits)));
  }
  return String(Number(single.toPrecision(9)));
}
