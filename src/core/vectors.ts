// Vector indexes and embeddings at the core's boundary: definitions, kNN searches, and single values (assembly/index/vector-*.ts,
// assembly/read/values.ts).

import type { CoreInstance } from './instance.ts';
import type { GangPlace } from './lease.ts';
import { CoreMemoryExhausted } from './memory-exhausted.ts';
import { CoreStatus } from './status.ts';
import { textBound, writeText } from './text.ts';

const none = 0xffffffff;

export const vectorMetrics = ['Cosine', 'DotProduct', 'L2'] as const;
export type VectorMetric = (typeof vectorMetrics)[number];

/** Longest vector of an index or an embedding. */
export const maxDimension = 4096;

/** Most results of one query. */
export const maxResults = 1024;

/** Words of a request before its components, and how many components are a whole step of a row. */
const requestWords = 4;
const stepComponents = 16;
/** The kernel's own part of a gang's block. */
export const searchSharedBytes = 64;

export interface VectorDefinition {
  readonly dimension: number;
  readonly metric: VectorMetric;
  /** The element embedding that the index projects; null: it takes explicit vectors. */
  readonly embeddingName: string | null;
  readonly model: string | null;
}

/** The definition as logs and checkpoints keep it (assembly/index/vector-index.ts). */
export function definitionText({ dimension, metric, embeddingName, model }: VectorDefinition): string {
  const lines = `${dimension}\n${metric}\n${embeddingName ?? ''}`;
  return model === null ? lines : `${lines}\n${model}`;
}

export function readDefinition(text: string): VectorDefinition {
  const [dimension = '', metric = '', embeddingName = '', ...model] = text.split('\n');
  return {
    dimension: Number(dimension),
    metric: metric as VectorMetric,
    embeddingName: embeddingName === '' ? null : embeddingName,
    model: model.length === 0 ? null : model.join('\n'),
  };
}

export interface VectorQuery {
  readonly vector: Float32Array;
  /** 1 to `maxResults`. */
  readonly k: number;
  /** A mask of vertices (1) and edges (2). */
  readonly mask: 1 | 2 | 3;
  /** Null for any. */
  readonly label: string | null;
}

export interface VectorSearch {
  readonly graph: number;
  readonly index: string;
  readonly dimension: number;
  /** Answered in one pass over the index. */
  readonly queries: readonly VectorQuery[];
}

/** The best of a query, best first: `ids[i]` has `scores[i]`. */
export interface VectorHits {
  readonly ids: Uint32Array;
  readonly scores: Float32Array;
}

/**
 * Searches on a writer's or an announced reader's instance, alone or as a member of a gang. Null when there is no vector index of that
 * name and dimension any more; 'stopped' when the stop word ended it.
 */
export function searchVectors(
  instance: CoreInstance,
  { graph, index, dimension, queries }: VectorSearch,
  gang: GangPlace | null,
): VectorHits[] | null | 'stopped' {
  const labels = queries.map(({ label }) => (label === null ? none : findName(instance, label)));
  const words = requestWords + Math.ceil(dimension / stepComponents) * stepComponents;
  const nameBound = (textBound(index) + 15) & ~15;
  const address = instance.input(nameBound + 16 + 4 * words * queries.length);
  if (address === null) throw new CoreMemoryExhausted('No memory is left for a vector search.');
  const nameBytes = writeText(instance.bytes, address, index);
  const request = (address + nameBound + 15) & ~15;
  const floats = new Float32Array(instance.memory.buffer, request, words * queries.length).fill(0);
  queries.forEach(({ vector, k, mask, label }, i) => {
    const at = (request >>> 2) + i * words;
    // A label that is no name of the core's is no element's: then no kind is wanted.
    const found = labels[i] as number;
    instance.words.set([k, label !== null && found === none ? 0 : mask, found, 0], at);
    floats.set(vector, i * words + requestWords);
  });
  const [place, member] = gang === null ? [0, 0] : [gang.address, gang.index];
  const { exports } = instance;
  const status = exports.vectorSearch(graph, address, nameBytes, dimension, request, queries.length, place, member);
  if (status === CoreStatus.notFound) return null;
  if (status === CoreStatus.stopped) return 'stopped';
  if (status !== CoreStatus.ok) throw new CoreMemoryExhausted(`A vector search does not fit (status ${status}).`);
  return takeHits(instance, queries.length);
}

function findName(instance: CoreInstance, text: string): number {
  const address = instance.input(textBound(text) + 8);
  if (address === null) throw new CoreMemoryExhausted('No memory is left for a vector search.');
  return instance.exports.internFind(address, writeText(instance.bytes, address, text)) >>> 0;
}

function takeHits(instance: CoreInstance, count: number): VectorHits[] {
  const { words } = instance;
  const floats = new Float32Array(words.buffer);
  let at = (instance.exports.outBase() >>> 0) >>> 2;
  return Array.from({ length: count }, () => {
    const found = words[at++] as number;
    const ids = new Uint32Array(found);
    const scores = new Float32Array(found);
    for (let i = 0; i < found; i++, at += 2) {
      scores[i] = floats[at] as number;
      ids[i] = words[at + 1] as number;
    }
    return { ids, scores };
  });
}

/** The best k of what several threads found, in the order of one: by score, ties by ascending id. */
export function mergeHits(parts: readonly VectorHits[], k: number, higherIsBetter: boolean): VectorHits {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const next = parts.map(() => 0);
  const total = parts.reduce((sum, { ids }) => sum + ids.length, 0);
  const ids = new Uint32Array(Math.min(k, total));
  const scores = new Float32Array(ids.length);
  for (let i = 0; i < ids.length; i++) {
    let best = -1;
    for (let part = 0; part < parts.length; part++) {
      if ((next[part] as number) < (parts[part] as VectorHits).ids.length) {
        if (best < 0 || isBefore(parts, next, part, best, higherIsBetter)) best = part;
      }
    }
    const from = parts[best] as VectorHits;
    const at = next[best] as number;
    ids[i] = from.ids[at] as number;
    scores[i] = from.scores[at] as number;
    next[best] = at + 1;
  }
  return { ids, scores };
}

function isBefore(
  parts: readonly VectorHits[],
  next: readonly number[],
  one: number,
  other: number,
  higherIsBetter: boolean,
): boolean {
  const [a, b] = [parts[one] as VectorHits, parts[other] as VectorHits];
  const [i, j] = [next[one] as number, next[other] as number];
  const difference = (a.scores[i] as number) - (b.scores[j] as number);
  if (difference !== 0) return higherIsBetter ? difference > 0 : difference < 0;
  return (a.ids[i] as number) < (b.ids[j] as number);
}

/** The norm that Cosine divides by, in single precision; 0 means that Cosine refuses the vector. */
export function normOf(instance: CoreInstance, vector: Float32Array): number {
  const address = instance.input(vector.byteLength);
  if (address === null) throw new CoreMemoryExhausted('No memory is left for a vector.');
  new Float32Array(instance.memory.buffer).set(vector, address >>> 2);
  return instance.exports.vectorNorm(address, vector.length);
}

/** A String or Single[] property as JSON; null without element or property, 'otherType' for a value that is neither. */
export function readValue(instance: CoreInstance, graph: number, element: number, key: string) {
  const status = valueStatus(instance, graph, element, key, 'readValue');
  if (status !== CoreStatus.ok) return status === CoreStatus.notFound ? null : 'otherType';
  const base = instance.exports.outBase() >>> 0;
  const text = instance.text(base, instance.outputBytes());
  instance.trimAfter(text.length);
  return { json: text };
}

/** The components of a Single[] property; answers otherwise as `readValue`. */
export function readSingles(instance: CoreInstance, graph: number, element: number, key: string) {
  const status = valueStatus(instance, graph, element, key, 'readSingles');
  if (status !== CoreStatus.ok) return status === CoreStatus.notFound ? null : 'otherType';
  const base = instance.exports.outBase() >>> 0;
  return new Float32Array(instance.bytes.slice(base, base + instance.outputBytes()).buffer);
}

function valueStatus(
  instance: CoreInstance,
  graph: number,
  element: number,
  key: string,
  read: 'readValue' | 'readSingles',
): number {
  const address = instance.input(textBound(key) + 8);
  if (address === null) throw new CoreMemoryExhausted('No memory is left for a request.');
  const status = instance.exports[read](graph, element, address, writeText(instance.bytes, address, key));
  const known = status === CoreStatus.ok || status === CoreStatus.notFound || status === CoreStatus.wrongKind;
  if (!known) throw new CoreMemoryExhausted(`A value does not fit into memory (status ${status}).`);
  return status;
}
