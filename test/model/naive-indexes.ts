// The contract's indexes as lists of pairs of key and element: the model beside which the engine's are compared. Every scan looks at all
// of them.

import { CoreStatus } from '../../src/core/status.ts';
import type { TypeId } from '../../src/core/values.ts';
import { readDefinition, type VectorDefinition } from '../../src/core/vectors.ts';
import { matcherOf, prepareExpression } from '../../src/engine/indexes/expressions/expression.ts';
import { capabilitiesOf, type IndexOptions, pluginOf } from '../../src/engine/indexes/plugins.ts';
import type {
  BackfillRequest,
  BackfillResult,
  IndexInfo,
  IndexRangeScan,
  IndexScan,
  IndexSet,
  IndexWrite,
  WordQuery,
} from '../../src/engine/indexes/types.ts';
import type { WordHits } from '../../src/engine/indexes/word-hits.ts';
import type { ResultType } from '../../src/engine/types.ts';
import type { NaiveElement } from './naive-graph.ts';
import { compareValues, type NaiveValue, parseValue } from './naive-values.ts';
import { modelNorm } from './vector-scores.ts';

interface Pair {
  readonly key: NaiveValue;
  readonly id: number;
}

export interface NaiveIndex {
  readonly pluginType: string;
  readonly kind: number;
  pairs: Pair[];
  /** Of a vector index: what it is, and what it was given. */
  readonly definition: VectorDefinition | null;
  vectors: Map<number, Float32Array>;
}

export interface NaiveElements {
  get(id: number): NaiveElement | undefined;
  values(): Iterable<NaiveElement>;
}

const badValue = { ok: false, status: CoreStatus.badValue, record: 0, property: -1, element: -1 } as const;

export class NaiveIndexes implements IndexSet {
  private readonly elements: () => NaiveElements;
  private readonly done: () => IndexWrite;
  private readonly indexes = new Map<string, NaiveIndex>();

  constructor(elements: () => NaiveElements, done: () => IndexWrite) {
    this.elements = elements;
    this.done = done;
  }

  private async isDurable(): Promise<boolean> {
    const done = this.done();
    return done !== false && done.ok && done.durable;
  }

  /** After a transaction: elements that went leave every index. */
  purge(): void {
    for (const index of this.indexes.values()) {
      index.pairs = index.pairs.filter(({ id }) => this.elements().get(id) !== undefined);
      for (const id of [...index.vectors.keys()]) if (this.elements().get(id) === undefined) index.vectors.delete(id);
    }
  }

  erase(): void {
    this.indexes.clear();
  }

  renumber(ids: readonly number[]): void {
    const renumbered = new Map(ids.map((id, i) => [id, i]));
    for (const index of this.indexes.values()) {
      index.pairs = index.pairs.map(({ key, id }) => ({ key, id: renumbered.get(id) as number }));
      index.vectors = new Map([...index.vectors].map(([id, vector]) => [renumbered.get(id) as number, vector]));
    }
  }

  list(): IndexInfo[] {
    return [...this.indexes].map(([indexId, { pluginType, kind, pairs, definition, vectors }]) => {
      const keys = pairs.filter(({ key }, i) => pairs.findIndex((other) => same(other.key, key)) === i).length;
      const capabilities = capabilitiesOf(kind);
      if (definition !== null) {
        const { embeddingName, model } = definition;
        const count = embeddingName === null ? vectors.size : this.projection(definition).size;
        return { indexId, pluginType, embeddingName, model, capabilities, keys: count, values: count };
      }
      return { indexId, pluginType, embeddingName: null, model: null, capabilities, keys, values: pairs.length };
    });
  }

  find(indexId: string): IndexInfo | null {
    return this.list().find((index) => index.indexId === indexId) ?? null;
  }

  /** The vector index of that name; null for another kind. */
  vectorIndex(indexId: string): NaiveIndex | null | undefined {
    const index = this.indexes.get(indexId);
    return index?.definition === null ? null : index;
  }

  vectorDefinitions(): VectorDefinition[] {
    return [...this.indexes.values()].flatMap(({ definition }) => definition ?? []);
  }

  create(indexId: string, pluginType: string, options: IndexOptions, overHttp: boolean): IndexWrite {
    const plugin = pluginOf(pluginType);
    if (plugin === undefined || (overHttp && !plugin.overHttp) || this.indexes.has(indexId)) return false;
    const text = plugin.define(options);
    if (text === undefined) return false;
    const definition = pluginType === 'VectorIndex' ? readDefinition(text ?? '') : null;
    this.indexes.set(indexId, { pluginType, kind: plugin.kind, pairs: [], definition, vectors: new Map() });
    return this.done();
  }

  /** What a bound index holds. */
  projection({ dimension, metric, embeddingName }: VectorDefinition): Map<number, Float32Array> {
    const members = new Map<number, Float32Array>();
    for (const { id, properties } of this.elements().values()) {
      const value = properties.get(`$embedding:${embeddingName}`);
      if (value === undefined || !('floats' in value) || value.floats.length !== dimension) continue;
      const vector = Float32Array.from(value.floats);
      if (!vector.every(Number.isFinite) || (metric === 'Cosine' && modelNorm(vector) === 0)) continue;
      members.set(id, vector);
    }
    return members;
  }

  drop(indexId: string): IndexWrite {
    return this.indexes.delete(indexId) && this.done();
  }

  add(indexId: string, element: number, type: TypeId, text: string): IndexWrite {
    const key = parseValue(type, text);
    if (key === null) return badValue;
    const index = this.indexes.get(indexId);
    if (index === undefined || this.elements().get(element) === undefined) return false;
    enter(index, key, element);
    return this.done();
  }

  removeElement(indexId: string, element: number): IndexWrite {
    const index = this.indexes.get(indexId);
    if (index === undefined || this.elements().get(element) === undefined) return false;
    index.pairs = index.pairs.filter(({ id }) => id !== element);
    index.vectors.delete(element);
    return this.done();
  }

  removeKey(indexId: string, type: TypeId, text: string): IndexWrite | null {
    const key = parseValue(type, text);
    if (key === null) return null;
    const index = this.indexes.get(indexId);
    const left = index?.pairs.filter((pair) => !same(pair.key, key)) ?? [];
    if (index === undefined || left.length === index.pairs.length) return false;
    index.pairs = left;
    return this.done();
  }

  async backfill({ index: name, property, prefix, replace, label }: BackfillRequest): Promise<BackfillResult> {
    const index = this.indexes.get(name);
    if (index === undefined) return { ok: false, reason: 'noIndex' };
    if (!capabilitiesOf(index.kind).includes('equality')) return { ok: false, reason: 'noEquality' };
    if (replace) index.pairs = [];
    let [scannedElements, indexedElements, skippedUnindexableValues] = [0, 0, 0];
    for (const element of this.elements().values()) {
      if (label !== null && element.label !== label) continue;
      scannedElements++;
      for (const [key, value] of element.properties) {
        if (prefix ? !key.startsWith(property) : key !== property) continue;
        if (!takes(index, value)) {
          skippedUnindexableValues++;
          continue;
        }
        enter(index, value, element.id);
        indexedElements++;
      }
    }
    return { ok: true, scannedElements, indexedElements, skippedUnindexableValues, durable: await this.isDurable() };
  }

  async scan({ index, operator, type, text, label, resultType }: IndexScan): Promise<Uint8Array[] | null> {
    const literal = parseValue(type, text);
    if (literal === null) return null;
    const pairs = this.matching(index, resultType, ({ key }) => accepts(operator, key, literal));
    const ids = pairs
      .filter(({ id }) => label === null || this.elements().get(id)?.label === label)
      .map(({ id }) => id);
    return encode([...new Set(ids)].sort((a, b) => a - b));
  }

  async scanRange(scan: IndexRangeScan): Promise<Uint8Array[] | null> {
    const [left, right] = [parseValue(scan.type, scan.left), parseValue(scan.type, scan.right)];
    if (left === null || right === null) return null;
    const index = this.indexes.get(scan.index);
    if (index === undefined || !capabilitiesOf(index.kind).includes('range')) return encode([]);
    const pairs = this.matching(
      scan.index,
      scan.resultType,
      ({ key }) => accepts(scan.includeLeft ? 2 : 1, key, left) && accepts(scan.includeRight ? 4 : 3, key, right),
    );
    return encode(pairs.sort((a, b) => (compareValues(a.key, b.key) as number) || a.id - b.id).map(({ id }) => id));
  }

  keyTypes(index: string): number {
    return this.matching(index, 'Both', () => true).reduce((types, { key }) => types | (1 << key.type), 0);
  }

  /** The model has no geometry. */
  addGeometry(): IndexWrite {
    return false;
  }

  async scanSpatial(): Promise<null> {
    return null;
  }

  /** Tries the expression on every key. */
  async fulltext(name: string, expression: string): Promise<Uint8Array[] | null> {
    const index = this.indexes.get(name);
    if (index?.pluginType !== 'RegExIndex') return null;
    const match = matcherOf(prepareExpression(expression));
    const hits = new Map<number, { score: number; highlights: Set<string> }>();
    for (const { key, id } of index.pairs) {
      const matches = 'text' in key ? match(key.text) : null;
      if (matches === null) continue;
      const hit = hits.get(id) ?? { score: 0, highlights: new Set() };
      for (const highlight of matches.highlights) hit.highlights.add(highlight);
      hits.set(id, { ...hit, score: hit.score + matches.count });
    }
    if (hits.size === 0) return null;
    const sorted = [...hits].sort(([a], [b]) => a - b);
    const elements = sorted.map(([graphElementId, { score, highlights }]) => {
      return { graphElementId, highlights: [...highlights], score };
    });
    const maximumScore = Math.max(...elements.map(({ score }) => score));
    return [new TextEncoder().encode(JSON.stringify({ maximumScore, elements }))];
  }

  /** Counts in every text, by expressions. */
  async words({ index: name, text, score, most }: WordQuery): Promise<WordHits | null> {
    const index = this.indexes.get(name);
    if (index?.pluginType !== 'RegExIndex') return null;
    const texts = index.pairs.flatMap(({ key, id }) => ('text' in key ? [{ id, text: key.text }] : []));
    const scores = new Map<number, number>();
    const add = (id: number, more: number): unknown => more > 0 && scores.set(id, (scores.get(id) ?? 0) + more);
    if (score === 'matches') {
      const words = text.trim().split(/\s+/);
      const match = matcherOf(
        prepareExpression(words.map((word) => word.replace(/[^\p{L}\p{N}_]/gu, '\\$&')).join('|')),
      );
      for (const one of texts) add(one.id, match(one.text)?.count ?? 0);
    } else {
      const bytesOf = (one: string): number => Buffer.byteLength(one);
      const wordsOf = (one: string): string[] => one.match(/[A-Za-z0-9_\u0080-\u{10ffff}]+/gu) ?? [];
      const folded = (one: string): string => one.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
      const different = [...new Set(texts.map((one) => one.text))];
      const usual = different.reduce((sum, one) => sum + bytesOf(one), 0) / different.length;
      for (const word of [...new Set(wordsOf(text.toLowerCase()))].slice(0, 64)) {
        const counts = texts.map((one) => wordsOf(one.text).filter((other) => folded(other) === word).length);
        const holders = counts.filter((count) => count > 0).length;
        const weight = Math.log(1 + (texts.length - holders + 0.5) / (holders + 0.5));
        for (const [i, one] of texts.entries()) {
          const [count, length] = [counts[i] as number, 0.25 + (0.75 * bytesOf(one.text)) / usual];
          add(one.id, (weight * count * 2.2) / (count + 1.2 * length));
        }
      }
    }
    const best = [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, most);
    return { ids: Uint32Array.from(best, ([id]) => id), scores: Float64Array.from(best, ([, one]) => one) };
  }

  private matching(name: string, resultType: ResultType, matches: (pair: Pair) => boolean): Pair[] {
    const pairs = this.indexes.get(name)?.pairs ?? [];
    return pairs.filter((pair) => {
      const element = this.elements().get(pair.id) as NaiveElement;
      return (resultType === 'Both' || (resultType === 'Edges') === (element.edge !== null)) && matches(pair);
    });
  }
}

function takes(index: NaiveIndex, key: NaiveValue): boolean {
  if (index.definition !== null) return false;
  return index.pluginType === 'RegExIndex' ? typeNumber(key) === 1 : !('floats' in key);
}

function typeNumber({ type }: NaiveValue): number {
  return type;
}

function enter(index: NaiveIndex, key: NaiveValue, id: number): void {
  if (!takes(index, key)) return;
  if (index.pluginType === 'SingleValueIndex') index.pairs = index.pairs.filter((pair) => !same(pair.key, key));
  if (!index.pairs.some((pair) => pair.id === id && same(pair.key, key))) index.pairs.push({ key, id });
}

function same(a: NaiveValue, b: NaiveValue): boolean {
  return a.type === b.type && compareValues(a, b) === 0;
}

function accepts(operator: number, key: NaiveValue, literal: NaiveValue): boolean {
  if (operator === 5) return !same(key, literal);
  if (key.type !== literal.type) return false;
  const order = compareValues(key, literal);
  if (order === null) return false;
  return [order === 0, order > 0, order >= 0, order < 0, order <= 0][operator] ?? false;
}

function encode(ids: readonly number[]): Uint8Array[] {
  return [new TextEncoder().encode(JSON.stringify(ids))];
}
