// Encodes transaction buffers by hand, after assembly/transaction/format.ts and values/types.ts: what the core must read.

export const NONE = 0xffffffff;
export const VERTEX = 1;
export const EDGE = 2;

export const TYPE = { string: 1, boolean: 2, int32: 7, double: 12, guid: 18, singleArray: 19 } as const;

/** A property value as it stands in a buffer: its type and a multiple of 8 bytes. */
export interface Value {
  type: number;
  bytes: Uint8Array;
}

export type Properties = Record<string, Value>;

/** An element's id, or the index of a create of the same transaction. */
export type Reference = number | { created: number };

const encoder = new TextEncoder();

function padded(bytes: number): number {
  return (bytes + 7) & ~7;
}

function record(content: Uint8Array, info: number): Uint8Array {
  const bytes = new Uint8Array(padded(8 + content.length));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, content.length, true);
  view.setUint32(4, info >>> 0, true);
  bytes.set(content, 8);
  return bytes;
}

export const value = {
  string(text: string): Value {
    const content = encoder.encode(text);
    const ascii = content.length === text.length ? 0x80000000 : 0;
    return { type: TYPE.string, bytes: record(content, (text.length | ascii) >>> 0) };
  },
  int32(number: number): Value {
    return { type: TYPE.int32, bytes: new Uint8Array(new BigInt64Array([BigInt(number)]).buffer) };
  },
  boolean(flag: boolean): Value {
    return { type: TYPE.boolean, bytes: new Uint8Array(new BigInt64Array([flag ? 1n : 0n]).buffer) };
  },
  double(number: number): Value {
    return { type: TYPE.double, bytes: new Uint8Array(new Float64Array([number]).buffer) };
  },
  guid(seed: number): Value {
    return { type: TYPE.guid, bytes: Uint8Array.from({ length: 16 }, (_, i) => (seed * 31 + i * 7) & 255) };
  },
  singles(...numbers: number[]): Value {
    return { type: TYPE.singleArray, bytes: record(new Uint8Array(new Float32Array(numbers).buffer), numbers.length) };
  },
};

/** One string that two equal values share. */
export function valueKey({ type, bytes }: Value): string {
  return `${type}:${Buffer.from(bytes).toString('hex')}`;
}

interface ElementFields {
  label?: string | null | undefined;
  creation?: number | undefined;
  properties?: Properties | undefined;
}

const MAGIC = 0x31585441;
const CREATE = 1;
const SET_PROPERTY = 2;
const REMOVE_PROPERTY = 3;
const REMOVE_ELEMENT = 4;
const ERASE = 5;
const TRIM = 6;
const INDEX_CREATE = 7;
const INDEX_DROP = 8;
const INDEX_ADD = 9;
const INDEX_REMOVE = 10;
const INDEX_CLEAR = 12;
const EDGES = 14;

export class Transaction {
  #strings = new Map<string, number>();
  #templates = new Map<string, number[]>();
  #templateIndices = new Map<string, number>();
  #operations: Uint8Array[] = [];
  creates = 0;
  readonly #time: number;

  constructor(time = 1000) {
    this.#time = time;
  }

  vertex(fields: ElementFields = {}): { created: number } {
    return this.#create(VERTEX, fields, null, []);
  }

  edge(source: Reference, target: Reference, type: string, fields: ElementFields = {}): { created: number } {
    return this.#create(EDGE, fields, type, [source, target]);
  }

  /** A run of edges without properties between existing vertices. */
  edges(type: string, pairs: readonly (readonly [source: number, target: number])[]): this {
    const template = this.#template(EDGE, null, type, []);
    this.creates += pairs.length;
    return this.#operation([EDGES, template, 0, pairs.length, ...pairs.flat()]);
  }

  set(element: number, key: string, of: Value): this {
    return this.#operation([SET_PROPERTY, element, this.#string(key), of.type], [of.bytes]);
  }

  unset(element: number, key: string): this {
    return this.#operation([REMOVE_PROPERTY, element, this.#string(key), 0]);
  }

  remove(element: number, skipsRemoved = false): this {
    return this.#operation([REMOVE_ELEMENT, element, skipsRemoved ? 1 : 0, 0]);
  }

  erase(): this {
    return this.#operation([ERASE, 0, 0, 0]);
  }

  trim(): this {
    return this.#operation([TRIM, 0, 0, 0]);
  }

  indexCreate(name: string, kind: number, definition: string | null): this {
    return this.#operation([
      INDEX_CREATE,
      kind,
      this.#string(name),
      definition === null ? NONE : this.#string(definition),
    ]);
  }

  indexDrop(name: string): this {
    return this.#operation([INDEX_DROP, 0, this.#string(name), 0]);
  }

  indexClear(name: string): this {
    return this.#operation([INDEX_CLEAR, 0, this.#string(name), 0]);
  }

  indexAdd(name: string, element: number, of: Value): this {
    return this.#operation([INDEX_ADD, element, this.#string(name), of.type], [of.bytes]);
  }

  indexRemove(name: string, element: number): this {
    return this.#operation([INDEX_REMOVE, element, this.#string(name), 0]);
  }

  /** The buffer; `firstId` is what a redo takes its ids from. */
  encode(firstId = 0): Uint8Array {
    const strings = [...this.#strings.keys()].map((text) => encoder.encode(text));
    const templates = [...this.#templates.values()];
    const size = (parts: Uint8Array[]) => parts.reduce((sum, part) => sum + part.length, 0);
    const operationsAt = 64;
    const stringsAt = operationsAt + size(this.#operations);
    const textsAt = stringsAt + 8 * strings.length;
    const templatesAt = textsAt + strings.reduce((sum, text) => sum + padded(text.length), 0);
    const bodiesAt = templatesAt + padded(4 * templates.length);
    const total = bodiesAt + 4 * templates.reduce((sum, words) => sum + words.length, 0);
    const bytes = new Uint8Array(total);
    const view = new DataView(bytes.buffer);
    const word = (at: number, of: number) => view.setUint32(at, of >>> 0, true);
    const header: [number, number][] = [
      [0, MAGIC],
      [4, total],
      [8, strings.length],
      [12, stringsAt],
      [16, templates.length],
      [20, templatesAt],
      [24, this.#operations.length],
      [28, operationsAt],
      [32, this.#time],
      [36, firstId],
      [40, this.creates],
    ];
    for (const [at, of] of header) word(at, of);
    let at = operationsAt;
    for (const operation of this.#operations) {
      bytes.set(operation, at);
      at += operation.length;
    }
    at = textsAt;
    strings.forEach((text, i) => {
      word(stringsAt + 8 * i, at);
      word(stringsAt + 8 * i + 4, text.length);
      bytes.set(text, at);
      at += padded(text.length);
    });
    at = bodiesAt;
    templates.forEach((words, i) => {
      word(templatesAt + 4 * i, at);
      for (const of of words) {
        word(at, of);
        at += 4;
      }
    });
    return bytes;
  }

  #create(kind: number, fields: ElementFields, type: string | null, ends: Reference[]): { created: number } {
    const entries = Object.entries(fields.properties ?? {});
    const template = this.#template(kind, fields.label ?? null, type, entries);
    let flags = 0;
    const ids = ends.map((end, i) => {
      if (typeof end === 'number') return end;
      flags |= 1 << i;
      return end.created;
    });
    const values = entries.map(([, of]) => of.bytes);
    this.#operation([CREATE, template, fields.creation ?? 0, flags, ...ids], values);
    return { created: this.creates++ };
  }

  #template(kind: number, label: string | null, type: string | null, entries: [string, Value][]): number {
    const words = [kind, label === null ? NONE : this.#string(label), type === null ? NONE : this.#string(type)];
    words.push(entries.length);
    for (const [key, of] of entries) words.push(this.#string(key), of.type);
    const name = words.join();
    const known = this.#templateIndices.get(name);
    if (known !== undefined) return known;
    const index = this.#templates.size;
    this.#templates.set(name, words);
    this.#templateIndices.set(name, index);
    return index;
  }

  #string(text: string): number {
    const known = this.#strings.get(text);
    if (known !== undefined) return known;
    this.#strings.set(text, this.#strings.size);
    return this.#strings.size - 1;
  }

  #operation(words: number[], parts: Uint8Array[] = []): this {
    const length = 4 * words.length + parts.reduce((sum, part) => sum + part.length, 0);
    const bytes = new Uint8Array(length);
    const view = new DataView(bytes.buffer);
    words.forEach((of, i) => {
      view.setUint32(4 * i, of >>> 0, true);
    });
    let at = 4 * words.length;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    this.#operations.push(bytes);
    return this;
  }
}
