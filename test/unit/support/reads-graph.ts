// A naive property graph for the tests of reads and scans: plain objects, the transaction buffer that makes the core's graph the
// same, and what every read should answer. The buffer's format is transaction/format.ts, written down again.

import { containsModel, encodeValue, satisfies, TYPE, TYPE_NAMES, textOf, type Value, wtf8 } from './reads-values.ts';

export interface Element {
  readonly id: number;
  readonly kind: 'vertex' | 'edge';
  readonly label: string | null;
  readonly creation: number;
  readonly properties: Map<string, Value>;
  readonly source: number;
  readonly target: number;
  readonly type: string;
}

export interface NewElement {
  label?: string | null | undefined;
  creation?: number | undefined;
  properties?: Iterable<[string, Value]> | undefined;
  source?: number | undefined;
  target?: number | undefined;
  type?: string | undefined;
}

export const EMBEDDING_KEYS = ['$embedding:', '$embeddingModel:'];
const NONE = 0xffffffff;
const REMOVE_ELEMENT = 4;

/** The model and the operations not yet sent to the core. */
export class GraphModel {
  readonly elements: (Element | null)[] = [];
  private pending: Operation[] = [];

  add(element: NewElement): number {
    const id = this.elements.length;
    const made: Element = {
      id,
      kind: element.type === undefined ? 'vertex' : 'edge',
      label: element.label ?? null,
      creation: element.creation ?? 0,
      properties: new Map(element.properties),
      source: element.source ?? 0,
      target: element.target ?? 0,
      type: element.type ?? '',
    };
    this.elements.push(made);
    this.pending.push({ create: made });
    return id;
  }

  remove(id: number): void {
    const gone = this.elements[id];
    if (!gone) return;
    this.elements[id] = null;
    this.pending.push({ remove: id });
    if (gone.kind === 'edge') return;
    for (const edge of this.live('edge')) {
      if (edge.source === id || edge.target === id) this.elements[edge.id] = null;
    }
  }

  live(kind?: 'vertex' | 'edge'): Element[] {
    return this.elements.filter((one): one is Element => one !== null && (!kind || one.kind === kind));
  }

  /** The operations since the last call as one transaction buffer. Creates must not follow removals in it. */
  takeTransaction(seconds: number): Uint8Array {
    const operations = this.pending;
    this.pending = [];
    return encodeTransaction(operations, seconds);
  }

  // --- What reads answer -------------------------------------------------------------------------------------------------

  /** The parsed JSON of GET /vertex/{id} or /edge/{id}; `item`: of an entry of POST /graphelements/get. */
  json(id: number, item = false): Record<string, unknown> | null {
    const one = this.elements[id];
    if (!one) return null;
    const date = new Date(one.creation * 1000).toISOString().slice(0, 19);
    const properties = [...one.properties]
      .sort(([a], [b]) => Number(a.startsWith('$')) - Number(b.startsWith('$')) || (a < b ? -1 : 1))
      .map(([propertyId, value]) => ({
        propertyId,
        fullQualifiedTypeName: TYPE_NAMES[value.type - 1],
        propertyValue: textOf(value),
      }));
    const common = { id, creationDate: date, modificationDate: date, label: one.label, properties };
    if (item) return { kind: one.kind, ...common };
    if (one.kind === 'edge')
      return { ...common, sourceVertex: one.source, targetVertex: one.target, edgePropertyId: one.type };
    const groups = (direction: 'out' | 'in'): Record<string, number[]> | null => {
      const map = this.groups(id, direction);
      return map.size ? Object.fromEntries(map) : null;
    };
    return { ...common, outEdges: groups('out'), inEdges: groups('in') };
  }

  groups(id: number, direction: 'out' | 'in'): Map<string, number[]> {
    const map = new Map<string, number[]>();
    for (const edge of this.live('edge')) {
      if ((direction === 'out' ? edge.source : edge.target) !== id) continue;
      const ids = map.get(edge.type) ?? [];
      ids.push(edge.id);
      map.set(edge.type, ids);
    }
    return map;
  }

  /** `kinds`: 1 vertices, 2 edges, 3 both. */
  scan(key: string, operator: number, literal: Value, label: string | null, kinds: number): number[] {
    return this.candidates(label, kinds)
      .filter(({ properties }) => {
        const value = properties.get(key);
        return value !== undefined && satisfies(value, operator, literal);
      })
      .map(({ id }) => id);
  }

  scanText(term: string, label: string | null, kinds: number): number[] {
    return this.candidates(label, kinds)
      .filter(({ properties }) =>
        [...properties].some(
          ([key, value]) =>
            value.type !== TYPE.SingleArray &&
            !EMBEDDING_KEYS.some((prefix) => key.startsWith(prefix)) &&
            containsModel(textOf(value, true), term),
        ),
      )
      .map(({ id }) => id);
  }

  private candidates(label: string | null, kinds: number): Element[] {
    return this.live().filter(
      (one) => kinds & (one.kind === 'vertex' ? 1 : 2) && (label === null || one.label === label),
    );
  }
}

// --- The transaction buffer -------------------------------------------------------------------------------------------------

type Operation = { create: Element } | { remove: number };

class Words {
  bytes = new Uint8Array(1024);
  used = 0;

  room(count: number): number {
    const at = this.used;
    this.used += count;
    if (this.used > this.bytes.length) {
      const larger = new Uint8Array(2 * this.used);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    return at;
  }

  words(...values: number[]): void {
    const at = this.room(4 * values.length);
    const view = new DataView(this.bytes.buffer);
    for (const [i, value] of values.entries()) view.setUint32(at + 4 * i, value >>> 0, true);
  }

  append(bytes: Uint8Array): void {
    const at = this.room(bytes.length);
    this.bytes.set(bytes, at);
  }

  align(): void {
    this.room(-this.used & 7);
  }

  done(): Uint8Array {
    return this.bytes.subarray(0, this.used);
  }
}

function encodeTransaction(operations: readonly Operation[], seconds: number): Uint8Array {
  const strings = new Map<string, number>();
  const stringOf = (text: string | null): number => {
    if (text === null) return NONE;
    const index = strings.get(text) ?? strings.size;
    strings.set(text, index);
    return index;
  };
  const templates = new Map<string, { index: number; words: number[] }>();
  const body = new Words();
  const firstCreate = operations.find((operation) => 'create' in operation);
  const first = firstCreate && 'create' in firstCreate ? firstCreate.create.id : NONE;
  let creates = 0;
  for (const operation of operations) {
    if ('remove' in operation) {
      body.words(REMOVE_ELEMENT, operation.remove, 0, 0);
      continue;
    }
    const one = operation.create;
    creates++;
    const words = [one.kind === 'vertex' ? 1 : 2, stringOf(one.label), one.kind === 'edge' ? stringOf(one.type) : NONE];
    words.push(one.properties.size);
    for (const [key, value] of one.properties) words.push(stringOf(key), value.type);
    const name = words.join();
    const template = templates.get(name) ?? { index: templates.size, words };
    templates.set(name, template);
    // An endpoint made by this same transaction is named by its place in it.
    const isEdge = one.kind === 'edge';
    const flags = isEdge ? Number(one.source >= first) | (Number(one.target >= first) << 1) : 0;
    body.words(1, template.index, one.creation, flags);
    if (isEdge) body.words(flags & 1 ? one.source - first : one.source, flags & 2 ? one.target - first : one.target);
    for (const value of one.properties.values()) body.append(encodeValue(value));
    body.align();
  }
  return assemble(
    [...strings.keys()],
    [...templates.values()].map(({ words }) => words),
    body.done(),
    operations.length,
    creates,
    seconds,
  );
}

function assemble(
  strings: string[],
  templates: number[][],
  body: Uint8Array,
  count: number,
  creates: number,
  seconds: number,
): Uint8Array {
  const out = new Words();
  out.room(64);
  const stringsAt = out.used;
  const encoded = strings.map(wtf8);
  let at = stringsAt + 8 * strings.length;
  for (const bytes of encoded) {
    out.words(at, bytes.length);
    at += (bytes.length + 7) & ~7;
  }
  for (const bytes of encoded) {
    out.append(bytes);
    out.align();
  }
  const templatesAt = out.used;
  at = templatesAt + ((4 * templates.length + 7) & ~7);
  for (const words of templates) {
    out.words(at);
    at += 4 * words.length + (words.length & 1 ? 4 : 0);
  }
  out.align();
  for (const words of templates) {
    out.words(...words);
    out.align();
  }
  const operationsAt = out.used;
  out.append(body);
  const bytes = out.done().slice();
  const header = [
    0x31585441,
    bytes.length,
    strings.length,
    stringsAt,
    templates.length,
    templatesAt,
    count,
    operationsAt,
    seconds,
    0,
    creates,
  ];
  const view = new DataView(bytes.buffer);
  for (const [i, word] of header.entries()) view.setUint32(4 * i, word, true);
  view.setFloat64(48, seconds * 1000, true);
  return bytes;
}
