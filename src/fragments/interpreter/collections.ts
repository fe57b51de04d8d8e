// Dictionaries, sets and queues as objects. Keys are told apart by a comparer's canonical keys, so JavaScript's Map does the work and
// keeps the order of insertion.

import type { Type } from '../types.ts';
import { type Comparer, comparerOrDefault } from './equality.ts';
import { argumentNull, ExceptionObject, invalidOperation, Thrown } from './exceptions.ts';
import { allocate, charge } from './machine.ts';
import { type RuntimeType, runtimeType } from './runtime-types.ts';
import { KeyValue } from './structs.ts';
import { ListObject, over, Sequence, type Value } from './values.ts';

const MODIFIED = 'Collection was modified; enumeration operation may not execute.';

/** What IReadOnlyDictionary can be asked. */
export abstract class MapObject extends Sequence {
  /** undefined when there is no such key. */
  abstract find(key: Value): Value;
  abstract keys(): Sequence;
  abstract values(): Sequence;

  get(key: Value): Value {
    const value = this.find(key);
    if (value === undefined) {
      const message = `The given key '${String(key)}' was not present in the dictionary.`;
      throw new Thrown(new ExceptionObject('KeyNotFoundException', message));
    }
    return value;
  }
}

/**
 * The places of a hash table's entries as .NET counts them: new entries go behind the last one, or where one was removed, the latest such
 * place first. Whoever goes over the entries sees them by place.
 */
class Slots<E> {
  readonly #places = new Map<Value, number>();
  #entries: (E | undefined)[] = [];
  #free: number[] = [];
  /** Whether places begin anew when the last entry goes, as a set's do. */
  readonly #restarts: boolean;

  constructor(restarts: boolean) {
    this.#restarts = restarts;
  }

  get size(): number {
    return this.#places.size;
  }

  get(key: Value): E | undefined {
    const place = this.#places.get(key);
    return place === undefined ? undefined : this.#entries[place];
  }

  has(key: Value): boolean {
    return this.#places.has(key);
  }

  set(key: Value, entry: E): void {
    let place = this.#places.get(key);
    if (place === undefined) {
      place = this.#free.pop() ?? this.#entries.length;
      this.#places.set(key, place);
    }
    this.#entries[place] = entry;
  }

  delete(key: Value): boolean {
    const place = this.#places.get(key);
    if (place === undefined) return false;
    this.#places.delete(key);
    this.#entries[place] = undefined;
    if (this.#restarts && this.#places.size === 0) this.clear();
    else this.#free.push(place);
    return true;
  }

  clear(): void {
    this.#places.clear();
    this.#entries = [];
    this.#free = [];
  }

  /** Takes over the entries and free places of another table under the same comparer. */
  copy(from: Slots<E>): void {
    for (const [key, place] of from.#places) this.#places.set(key, place);
    this.#entries = from.#entries.slice();
    this.#free = from.#free.slice();
  }

  *values(): Generator<E> {
    for (let place = 0; place < this.#entries.length; place++) {
      const entry = this.#entries[place];
      if (entry !== undefined) yield entry;
    }
  }
}

export class DictionaryObject extends MapObject {
  readonly type: RuntimeType;
  readonly comparer: Comparer;
  readonly entries = new Slots<KeyValue>(false);
  version = 0;

  constructor(type: RuntimeType, comparer: Comparer | null) {
    super();
    this.type = type;
    this.comparer = comparerOrDefault(comparer);
  }

  #key(key: Value): Value {
    charge(1);
    return key === null ? argumentNull('key') : this.comparer.key(key);
  }

  find(key: Value): Value {
    return this.entries.get(this.#key(key))?.value;
  }

  set(key: Value, value: Value): void {
    const own = this.#key(key);
    const known = this.entries.get(own);
    if (!known) allocate(48);
    this.entries.set(own, new KeyValue(known ? known.key : key, value));
    this.version++;
  }

  /** false when the key is there already. */
  add(key: Value, value: Value): boolean {
    if (this.find(key) !== undefined) return false;
    this.set(key, value);
    return true;
  }

  /** The entry that was there, or undefined. Removing does not end a `foreach`, as in .NET. */
  remove(key: Value): KeyValue | undefined {
    const own = this.#key(key);
    const known = this.entries.get(own);
    this.entries.delete(own);
    return known;
  }

  /** Nor does this. */
  clear(): void {
    this.entries.clear();
  }

  override get count(): number {
    return this.entries.size;
  }

  *cursor(): Generator<KeyValue> {
    const { version } = this;
    for (const entry of this.entries.values()) {
      charge(1);
      yield entry;
      if (this.version !== version) invalidOperation(MODIFIED);
    }
  }

  keys(): Sequence {
    return new EntryParts(this, 0);
  }

  values(): Sequence {
    return new EntryParts(this, 1);
  }
}

/** The keys or the values of a dictionary, live. */
class EntryParts extends Sequence {
  readonly type: RuntimeType;
  readonly #owner: DictionaryObject;
  readonly #part: 0 | 1;

  constructor(owner: DictionaryObject, part: 0 | 1) {
    super();
    const { type } = owner.type;
    const item: Type = type.kind === 'named' ? type.arguments[part]! : type;
    this.type = runtimeType({ kind: 'named', name: 'IReadOnlyCollection', arguments: [item] });
    this.#owner = owner;
    this.#part = part;
  }

  override get count(): number {
    return this.#owner.count;
  }

  *cursor(): Generator<Value> {
    for (const entry of { [Symbol.iterator]: () => this.#owner.cursor() })
      yield this.#part === 0 ? entry.key : entry.value;
  }
}

export class SetObject extends Sequence {
  readonly type: RuntimeType;
  readonly comparer: Comparer;
  readonly entries = new Slots<{ readonly item: Value }>(true);
  version = 0;

  constructor(type: RuntimeType, comparer: Comparer | null) {
    super();
    this.type = type;
    this.comparer = comparerOrDefault(comparer);
  }

  has(item: Value): boolean {
    charge(1);
    return this.entries.has(this.comparer.key(item));
  }

  add(item: Value): boolean {
    charge(1);
    const key = this.comparer.key(item);
    if (this.entries.has(key)) return false;
    allocate(32);
    this.entries.set(key, { item });
    this.version++;
    return true;
  }

  remove(item: Value): boolean {
    charge(1);
    const known = this.entries.delete(this.comparer.key(item));
    if (known) this.version++;
    return known;
  }

  /** The item that is there already; undefined without one. */
  find(item: Value): { readonly item: Value } | undefined {
    charge(1);
    return this.entries.get(this.comparer.key(item));
  }

  /** All items of another sequence; those of a set with the same comparer keep their places. */
  fill(source: Value): void {
    if (source instanceof SetObject && source.comparer === this.comparer) {
      allocate(source.count * 32);
      charge(source.count);
      this.entries.copy(source.entries);
    } else for (const item of over(source, 'collection')) this.add(item);
  }

  items(): Value[] {
    return Array.from(this.entries.values(), ({ item }) => item);
  }

  clear(): void {
    this.entries.clear();
    this.version++;
  }

  override get count(): number {
    return this.entries.size;
  }

  *cursor(): Generator<Value> {
    const { version } = this;
    for (const { item } of this.entries.values()) {
      charge(1);
      yield item;
      if (this.version !== version) invalidOperation(MODIFIED);
    }
  }
}

/** First in, first out. */
export class QueueObject extends ListObject {
  #head = 0;

  get length(): number {
    return this.items.length - this.#head;
  }
  override get count(): number {
    return this.length;
  }

  peek(): Value {
    return this.length === 0 ? undefined : this.items[this.#head];
  }

  take(): Value {
    if (this.length === 0) return undefined;
    const item = this.items[this.#head++];
    this.version++;
    if (this.#head > 64 && this.#head * 2 > this.items.length) {
      this.items = this.items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  clear(): void {
    this.items = [];
    this.#head = 0;
    this.version++;
  }

  override *cursor(): Generator<Value> {
    const { version } = this;
    for (let at = this.#head; at < this.items.length; at++) {
      charge(1);
      yield this.items[at];
      if (this.version !== version) invalidOperation(MODIFIED);
    }
  }
}
