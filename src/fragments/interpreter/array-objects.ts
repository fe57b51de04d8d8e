// Arrays of C# in JavaScript: their items in what takes no more room than they do, where there are enough of them.

import type { Type } from '../types.ts';
import { raise } from './exceptions.ts';
import { allocate, charge } from './machine.ts';
import { runtimeType } from './runtime-types.ts';
import { defaultOf, ItemSequence, type Items, type Value } from './values.ts';

/** What an array itself takes, and one of the platform's that holds bare numbers. */
const arrayBytes = 32;
const typedBytes = 192;
/** With fewer items those of the platform's usual arrays take less. */
const leastTyped = 32;

type Numbers = Exclude<Items, Value[]>;
interface NumbersOf {
  readonly BYTES_PER_ELEMENT: number;
  new (count: number): Numbers;
  from(items: ArrayLike<Value>): Numbers;
}

const numbers: Readonly<Record<string, unknown>> = {
  byte: Uint8Array,
  sbyte: Int8Array,
  short: Int16Array,
  ushort: Uint16Array,
  char: Uint16Array,
  int: Int32Array,
  uint: Uint32Array,
  long: BigInt64Array,
  ulong: BigUint64Array,
  float: Float32Array,
  double: Float64Array,
};

/** What holds bare items of a type; null: nothing does. */
function numbersOf(element: Type): NumbersOf | null {
  if (element.kind === 'primitive') return (numbers[element.name] ?? null) as NumbersOf | null;
  const isEnum = element.kind === 'named' && runtimeType(element).shape === 'enum';
  return isEnum ? (Int32Array as unknown as NumbersOf) : null;
}

function isBool(element: Type): boolean {
  return element.kind === 'primitive' && element.name === 'bool';
}

/** An array; items of further dimensions lie row by row. */
export class ArrayObject extends ItemSequence {
  readonly element: Type;
  readonly lengths: readonly number[];

  constructor(element: Type, items: Items, lengths: readonly number[] = [items.length]) {
    super(runtimeType({ kind: 'array', element, rank: lengths.length }), items);
    this.element = element;
    this.lengths = lengths;
  }

  /** Where the item at these indices lies; throws outside of the bounds. */
  offset(indices: readonly number[]): number {
    let offset = 0;
    for (let at = 0; at < indices.length; at++) {
      const index = indices[at]!;
      const length = this.lengths[at]!;
      if (index < 0 || index >= length) raise('IndexOutOfRangeException');
      offset = offset * length + index;
    }
    return offset;
  }

  put(index: number, value: Value): void {
    this.items[index] = value;
  }

  /** What it takes. */
  get bytes(): number {
    const { items } = this;
    return Array.isArray(items) ? arrayBytes + 8 * items.length : typedBytes + items.byteLength;
  }
}

/**
 * An array of bool, a byte for each item until somebody wants its items: reading, writing and going over it do not. The platform has
 * nothing narrower for them than references.
 */
export class BoolArray extends ArrayObject {
  #bytes: Uint8Array | null;
  #items: Value[] = [];

  constructor(element: Type, count: number, lengths: readonly number[]) {
    super(element, [], lengths);
    this.#bytes = new Uint8Array(count);
  }

  inflated(): Value[] {
    const bytes = this.#bytes;
    if (bytes !== null) {
      allocate(8 * bytes.length);
      this.#items = Array.from(bytes, (byte) => byte !== 0);
      this.#bytes = null;
    }
    return this.#items;
  }

  override get count(): number {
    return this.#bytes?.length ?? this.#items.length;
  }
  override at(index: number): Value {
    return this.#bytes === null ? this.#items[index] : this.#bytes[index] !== 0;
  }
  override put(index: number, value: Value): void {
    if (this.#bytes === null) this.#items[index] = value;
    else this.#bytes[index] = value ? 1 : 0;
  }
  override *cursor(): Generator<Value> {
    for (let at = 0; at < this.count; at++) {
      charge(1);
      yield this.at(at);
    }
  }
}

// A property of the base that this one makes when it is asked for.
Object.defineProperty(BoolArray.prototype, 'items', {
  get(this: BoolArray) {
    return this.inflated();
  },
  set() {},
});

/** An array of default values, accounted for. */
export function emptyArray(element: Type, count: number, lengths: readonly number[] = [count]): ArrayObject {
  const made = count < leastTyped ? null : numbersOf(element);
  if (made !== null) {
    allocate(typedBytes + made.BYTES_PER_ELEMENT * count);
    return new ArrayObject(element, new made(count), lengths);
  }
  if (count >= leastTyped && isBool(element)) {
    allocate(typedBytes + count);
    return new BoolArray(element, count, lengths);
  }
  allocate(arrayBytes + 8 * count);
  return new ArrayObject(element, new Array(count).fill(defaultOf(element)), lengths);
}

/** An array of items that nobody else holds. Whoever made them has accounted for them. */
export function newArray(element: Type, items: Items, lengths: readonly number[] = [items.length]): ArrayObject {
  const made = Array.isArray(items) && items.length >= leastTyped ? numbersOf(element) : null;
  return new ArrayObject(element, made === null ? items : made.from(items as Value[]), lengths);
}
