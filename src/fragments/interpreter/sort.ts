// The order in which Array.Sort and List.Sort leave items: .NET's introspective sort, step by step, since it is not stable and where equal
// items end up can be seen. Short parts are sorted by insertion, longer ones around the median of three, and what is split too often
// becomes a heap. LINQ's orders are stable and not made here.

import { ExceptionObject, Thrown } from './exceptions.ts';
import { charge } from './machine.ts';
import type { Value } from './values.ts';

type Compare = (left: Value, right: Value) => number;

/** A comparer that contradicts itself leads outside of the items. */
class BadComparer extends Error {}

const LARGEST_INSERTION = 16;
const INDEX_OUT = 'IndexOutOfRangeException';

class Sorter {
  readonly #keys: Value[];
  /** What moves along with the keys. */
  readonly #items: Value[] | null;
  readonly #compare: Compare;

  constructor(keys: Value[], items: Value[] | null, compare: Compare) {
    this.#keys = keys;
    this.#items = items;
    this.#compare = compare;
  }

  sort(start: number, count: number): void {
    if (count < 2) return;
    this.#introspective(start, start + count - 1, 2 * (32 - Math.clz32(count)));
  }

  #at(index: number): Value {
    if (index < 0 || index >= this.#keys.length) throw new BadComparer();
    return this.#keys[index];
  }

  #swap(a: number, b: number): void {
    const keys = this.#keys;
    [keys[a], keys[b]] = [keys[b], keys[a]];
    const items = this.#items;
    if (items !== null) [items[a], items[b]] = [items[b], items[a]];
  }

  #swapIfGreater(a: number, b: number): void {
    if (a !== b && this.#compare(this.#keys[a], this.#keys[b]) > 0) this.#swap(a, b);
  }

  #introspective(low: number, high: number, depth: number): void {
    let last = high;
    let left = depth;
    while (last > low) {
      const size = last - low + 1;
      if (size <= LARGEST_INSERTION) {
        this.#short(low, last);
        return;
      }
      if (left === 0) {
        this.#heap(low, last);
        return;
      }
      left--;
      const middle = this.#partition(low, last);
      this.#introspective(middle + 1, last, left);
      last = middle - 1;
    }
  }

  #short(low: number, high: number): void {
    if (high - low === 1) this.#swapIfGreater(low, high);
    else if (high - low === 2) {
      this.#swapIfGreater(low, high - 1);
      this.#swapIfGreater(low, high);
      this.#swapIfGreater(high - 1, high);
    } else this.#insertion(low, high);
  }

  #partition(low: number, high: number): number {
    const middle = low + ((high - low) >> 1);
    this.#swapIfGreater(low, middle);
    this.#swapIfGreater(low, high);
    this.#swapIfGreater(middle, high);
    const pivot = this.#keys[middle];
    this.#swap(middle, high - 1);
    let [left, right] = [low, high - 1];
    while (left < right) {
      do left++;
      while (this.#compare(this.#at(left), pivot) < 0);
      do right--;
      while (this.#compare(pivot, this.#at(right)) < 0);
      if (left >= right) break;
      this.#swap(left, right);
    }
    this.#swap(left, high - 1);
    return left;
  }

  #insertion(low: number, high: number): void {
    const [keys, items] = [this.#keys, this.#items];
    for (let next = low + 1; next <= high; next++) {
      const [key, item] = [keys[next], items?.[next]];
      let at = next - 1;
      while (at >= low && this.#compare(key, keys[at]) < 0) {
        keys[at + 1] = keys[at];
        if (items !== null) items[at + 1] = items[at];
        at--;
      }
      keys[at + 1] = key;
      if (items !== null) items[at + 1] = item;
    }
  }

  #heap(low: number, high: number): void {
    const count = high - low + 1;
    for (let at = count >> 1; at >= 1; at--) this.#down(at, count, low);
    for (let at = count; at > 1; at--) {
      this.#swap(low, low + at - 1);
      this.#down(1, at - 1, low);
    }
  }

  /** Lets a key sink to its place in the heap; places are counted from 1. */
  #down(from: number, count: number, low: number): void {
    const [keys, items] = [this.#keys, this.#items];
    let at = from;
    const [key, item] = [keys[low + at - 1], items?.[low + at - 1]];
    while (at <= count >> 1) {
      let child = 2 * at;
      if (child < count && this.#compare(keys[low + child - 1], keys[low + child]) < 0) child++;
      if (!(this.#compare(key, keys[low + child - 1]) < 0)) break;
      keys[low + at - 1] = keys[low + child - 1];
      if (items !== null) items[low + at - 1] = items[low + child - 1];
      at = child;
    }
    keys[low + at - 1] = key;
    if (items !== null) items[low + at - 1] = item;
  }
}

/** Sorts a part of the keys in place, and what moves along with them. */
export function sortItems(
  keys: Value[],
  items: Value[] | null,
  start: number,
  count: number,
  compare: (left: Value, right: Value) => number,
): void {
  charge(count * 4);
  const counted = (left: Value, right: Value): number => {
    charge(1);
    return compare(left, right);
  };
  failingAsSort(() => new Sorter(keys, items, counted).sort(start, count));
}

/** What a comparer throws comes out as the cause of another exception. */
export function failingAsSort<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof BadComparer || (error instanceof Thrown && error.exception.type.name === INDEX_OUT)) {
      const message = 'Unable to sort because the Compare() method returns inconsistent results.';
      throw new Thrown(new ExceptionObject('ArgumentException', message));
    }
    if (error instanceof Thrown) {
      const message = 'Failed to compare two elements in the array.';
      throw new Thrown(new ExceptionObject('InvalidOperationException', message, error.exception));
    }
    throw error;
  }
}
