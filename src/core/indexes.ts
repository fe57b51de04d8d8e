// Indexes at the core's boundary: the inventory, the scans that answer ids, and contents as transactions of adds (assembly/index).
// The scans run on any instance, a reader's announced; the rest on the writer's.

import type { CoreInstance } from './instance.ts';
import { CoreMemoryExhausted } from './memory-exhausted.ts';
import type { ResultMask } from './scans.ts';
import { CoreStatus } from './status.ts';
import { textBound, writeText } from './text.ts';
import type { TypeId } from './values.ts';

const none = 0xffffffff;

/** The kinds of index, as logs and checkpoints number them (assembly/index/layout.ts). */
export const IndexKind = { dictionary: 1, single: 2, range: 3, regex: 4, spatial: 5, vector: 6 } as const;

/** One index as the inventory lists it. */
export interface IndexEntry {
  readonly name: string;
  readonly kind: number;
  readonly definition: string | null;
  /** Keys with at least one element. */
  readonly keys: number;
  /** Pairs of key and element. */
  readonly values: number;
  /** Bytes of its blocks. */
  readonly bytes: number;
}

export interface IndexQuery {
  readonly index: string;
  /** 0 Equals .. 5 NotEquals; anything else matches nothing. */
  readonly operator: number;
  readonly type: TypeId;
  readonly text: string;
  readonly label: string | null;
  readonly mask: ResultMask;
}

export interface IndexRangeQuery {
  readonly index: string;
  readonly type: TypeId;
  readonly left: string;
  readonly right: string;
  readonly includeLeft: boolean;
  readonly includeRight: boolean;
  readonly mask: ResultMask;
}

/** Why a scan of an index has no ids. */
export type IndexMiss = 'badValue' | 'noIndex' | 'otherKind';

interface Placed {
  readonly address: number;
  readonly bytes: number;
}

/** Texts laid behind each other in the input buffer; null as a length of all ones. */
export function placeTexts(instance: CoreInstance, texts: readonly (string | null)[]): Placed[] {
  let bound = 0;
  for (const text of texts) bound += 8 + (text === null ? 0 : textBound(text));
  let address = instance.input(bound);
  if (address === null) throw new CoreMemoryExhausted('No memory is left for a request.');
  return texts.map((text) => {
    const at = address as number;
    if (text === null) return { address: at, bytes: none };
    const bytes = writeText(instance.bytes, at, text);
    address = at + ((bytes + 7) & ~7);
    return { address: at, bytes };
  });
}

/** Address of the index of that name for this turn, 0 if there is none. */
export function findIndex(instance: CoreInstance, graph: number, name: string): number {
  const [text] = placeTexts(instance, [name]) as [Placed];
  return instance.exports.indexOf(graph, text.address, text.bytes) >>> 0;
}

/** The inventory, in the order of creation. */
export function listIndexes(instance: CoreInstance, graph: number): IndexEntry[] {
  const count = instance.exports.indexCount(graph) >>> 0;
  return Array.from({ length: count }, (_, position) =>
    indexEntry(instance, instance.exports.indexAt(graph, position) >>> 0),
  );
}

export function indexName(instance: CoreInstance, index: number): string {
  const { exports } = instance;
  return instance.text(exports.indexWord(index, 3) >>> 0, exports.indexWord(index, 4) >>> 0);
}

export function indexEntry(instance: CoreInstance, index: number): IndexEntry {
  const { exports } = instance;
  const word = (number: number): number => exports.indexWord(index, number) >>> 0;
  return {
    name: indexName(instance, index),
    kind: word(0),
    definition: word(5) === 0 ? null : instance.text(word(5), word(6)),
    keys: word(1),
    values: word(2),
    bytes: exports.indexBytes(index) >>> 0,
  };
}

/** Of a RegExIndex: entries, different texts, and the bytes of these. */
export function textStatistics(
  instance: CoreInstance,
  index: number,
): { entries: number; texts: number; bytes: number } {
  const word = (number: number): number => instance.exports.indexWord(index, number) >>> 0;
  return { entries: word(2), texts: word(1), bytes: word(7) };
}

/** Ids of elements under the keys that satisfy the query: ascending and each once for Equals, else as the keys come. */
export function scanIndex(instance: CoreInstance, graph: number, query: IndexQuery): Uint32Array | IndexMiss {
  const [name, text, label] = placeTexts(instance, [query.index, query.text, query.label]) as [Placed, Placed, Placed];
  const status = instance.exports.indexScan(
    graph,
    name.address,
    name.bytes,
    query.operator,
    query.type,
    text.address,
    text.bytes,
    label.address,
    label.bytes,
    query.mask,
  );
  return foundOr(instance, status);
}

/** Ids of elements under the keys of a RangeIndex between two limits, in the order of keys. */
export function scanIndexRange(instance: CoreInstance, graph: number, query: IndexRangeQuery): Uint32Array | IndexMiss {
  const texts = placeTexts(instance, [query.index, query.left, query.right]) as [Placed, Placed, Placed];
  const [name, left, right] = texts;
  const status = instance.exports.indexRange(
    graph,
    name.address,
    name.bytes,
    query.type,
    left.address,
    left.bytes,
    right.address,
    right.bytes,
    Number(query.includeLeft),
    Number(query.includeRight),
    query.mask,
  );
  return foundOr(instance, status);
}

/** Types of the keys of an index, a bit each; 0 where it has none, or too many to look at. */
export function indexKeyTypes(instance: CoreInstance, graph: number, index: string): number {
  const [name] = placeTexts(instance, [index]) as [Placed];
  return instance.exports.indexKeyTypes(graph, name.address, name.bytes) >>> 0;
}

function foundOr(instance: CoreInstance, status: number): Uint32Array | IndexMiss {
  if (status === CoreStatus.badValue) return 'badValue';
  if (status === CoreStatus.notFound) return 'noIndex';
  if (status === CoreStatus.wrongKind) return 'otherKind';
  if (status !== CoreStatus.ok) throw new CoreMemoryExhausted(`A scan does not fit into memory (status ${status}).`);
  const from = (instance.exports.outBase() >>> 0) >>> 2;
  return instance.words.slice(from, from + (instance.exports.indexFound() >>> 0));
}

/** A point (both corners the same) or a box, in as many dimensions as its corners have numbers. */
export interface Geometry {
  readonly low: readonly number[];
  readonly high: readonly number[];
}

/** The key of a SpatialIndex: both corners as 64-bit floats. */
export function geometryKey({ low, high }: Geometry): Uint8Array {
  // A zero has one form only, so that equal places are equal keys.
  return new Uint8Array(Float64Array.from([...low, ...high], (value) => value + 0).buffer);
}

/** Geometries of an element in a SpatialIndex, for `scanIndexNear`. Writer only. 'noIndex' also when it has none there. */
export function placesInIndex(
  instance: CoreInstance,
  graph: number,
  index: string,
  element: number,
): Uint8Array | IndexMiss {
  const [name] = placeTexts(instance, [index]) as [Placed];
  const found = foundOr(instance, instance.exports.indexPlaces(graph, name.address, name.bytes, element));
  return typeof found === 'string' ? found : new Uint8Array(found.buffer);
}

/** Ids of elements of a SpatialIndex at most `distance` from one of the places. */
export function scanIndexNear(
  instance: CoreInstance,
  graph: number,
  index: string,
  places: Uint8Array,
  distance: number,
): Uint32Array | IndexMiss {
  // The text before the name only makes room.
  const [room, name] = placeTexts(instance, ['x'.repeat(places.length), index]) as [Placed, Placed];
  instance.bytes.set(places, room.address);
  const status = instance.exports.indexNear(graph, name.address, name.bytes, room.address, places.length, distance);
  return foundOr(instance, status);
}

/**
 * Ids of elements of a SpatialIndex at most `distance` from the geometries of `element` in it, which is one of them. Writer only. 'noIndex' also
 * when the element has no geometry there.
 */
export function scanIndexSpatial(
  instance: CoreInstance,
  graph: number,
  index: string,
  element: number,
  distance: number,
): Uint32Array | IndexMiss {
  const places = placesInIndex(instance, graph, index, element);
  return typeof places === 'string' ? places : scanIndexNear(instance, graph, index, places, distance);
}

/** A transaction of adds that the core has built; it stays there until the next one is built. */
export interface BuiltAdds {
  readonly address: number;
  readonly bytes: number;
  /** 0: there is nothing to apply. */
  readonly adds: number;
  /** Element to go on from. */
  readonly next: number;
}

function built(instance: CoreInstance): BuiltAdds {
  const { exports } = instance;
  return {
    address: exports.imageBase() >>> 0,
    bytes: exports.imageBytes() >>> 0,
    adds: exports.imageAdds() >>> 0,
    next: exports.imageNext() >>> 0,
  };
}

/** The transaction that creates the index again, copied. */
export function indexDefinition(instance: CoreInstance, index: number): Uint8Array {
  const status = instance.exports.indexDefinition(index);
  if (status !== CoreStatus.ok) throw new CoreMemoryExhausted('No memory is left to describe an index.');
  const { address, bytes } = built(instance);
  return instance.bytes.slice(address, address + bytes);
}

/** What the index holds of elements from `element` on below `end`, as much as makes one transaction. */
export function indexImage(instance: CoreInstance, index: number, element: number, end: number): BuiltAdds {
  const status = instance.exports.indexImage(index, element, end);
  if (status !== CoreStatus.ok) throw new CoreMemoryExhausted('No memory is left to read an index.');
  return built(instance);
}

export interface Backfill {
  readonly index: string;
  readonly property: string;
  readonly prefix: boolean;
  readonly label: string | null;
}

/** Adds for the elements of the graph from `element` on, as many as make one transaction; null without such an index. */
export function backfillSlice(
  instance: CoreInstance,
  graph: number,
  backfill: Backfill,
  element: number,
  end: number,
  timeMs: number,
): (BuiltAdds & { readonly scanned: number; readonly skipped: number }) | null {
  const { exports } = instance;
  const texts = placeTexts(instance, [backfill.index, backfill.property, backfill.label]);
  const [name, property, label] = texts as [Placed, Placed, Placed];
  const status = exports.indexBackfill(
    graph,
    name.address,
    name.bytes,
    property.address,
    property.bytes,
    Number(backfill.prefix),
    label.address,
    label.bytes,
    element,
    end,
    Math.floor(timeMs / 1000),
    timeMs,
  );
  if (status === CoreStatus.notFound) return null;
  if (status !== CoreStatus.ok) throw new CoreMemoryExhausted('No memory is left to fill an index.');
  return { ...built(instance), scanned: exports.backfillScanned() >>> 0, skipped: exports.backfillSkipped() >>> 0 };
}
