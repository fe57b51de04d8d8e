// Sets of values of one type, as patterns describe them: to tell which arm of a switch can never be reached and whether all
// values are handled. Exact for bool, numbers, char, enums and for constants of other types; what is not exact is `opaque`:
// it covers nothing for sure and is never called covered.
//
// Numbers are intervals of integers, in order and apart from each other. A float or double stands for its place in the order of its type, NaN
// for the place behind infinity, and a decimal for its value times 10^28.

import { step } from '../steps.ts';
import type * as Tree from '../tree.ts';
import type { PrimitiveName, Type } from '../types.ts';
import type { Binder } from './binder.ts';
import { asBigint } from './constants.ts';
import { enumNumber, isEnum, isReferenceType } from './conversions.ts';
import { isPrimitive, withoutNullable } from './typing.ts';

type Interval = readonly [bigint, bigint];

export interface ValueSet {
  /** Whether null is in it (only for inputs that can be null). */
  readonly null: boolean;
  /** The other values: all, intervals of numbers, or some (or all but some) keys. */
  readonly values:
    | { readonly kind: 'intervals'; readonly parts: readonly Interval[] }
    | { readonly kind: 'keys'; readonly keys: Keys; readonly but: boolean }
    | { readonly kind: 'opaque' };
}

/**
 * Constants by their text. Sets that grow one from the other share what they hold: a set is the first `size` entries of a list that the
 * largest of them owns.
 */
class Keys {
  private readonly places: Map<string, number>;
  readonly size: number;

  private constructor(places: Map<string, number>, size: number) {
    this.places = places;
    this.size = size;
  }

  static of(keys: readonly string[]): Keys {
    const places = new Map<string, number>();
    for (const key of keys) if (!places.has(key)) places.set(key, places.size);
    return new Keys(places, places.size);
  }

  has(key: string): boolean {
    return (this.places.get(key) ?? this.size) < this.size;
  }

  with(other: Keys): Keys {
    if (other.size === 0) return this;
    if (other.size > this.size) return other.with(this);
    const more = other.list().filter((key) => !this.has(key));
    if (more.length === 0) return this;
    step(more.length);
    if (this.places.size > this.size) return Keys.of([...this.list(), ...more]);
    for (const key of more) this.places.set(key, this.places.size);
    return new Keys(this.places, this.places.size);
  }

  within(other: Keys): Keys {
    if (other.size < this.size) return other.within(this);
    return Keys.of(this.list().filter((key) => other.has(key)));
  }

  without(other: Keys): Keys {
    if (other.size === 0) return this;
    return Keys.of(this.list().filter((key) => !other.has(key)));
  }

  private list(): string[] {
    step(this.size);
    const list: string[] = [];
    for (const key of this.places.keys()) {
      if (list.length === this.size) break;
      list.push(key);
    }
    return list;
  }
}

const BOUNDS: Partial<Record<PrimitiveName, Interval>> = {
  bool: [0n, 1n],
  sbyte: [-128n, 127n],
  byte: [0n, 255n],
  short: [-32768n, 32767n],
  ushort: [0n, 65535n],
  char: [0n, 65535n],
  int: [-(2n ** 31n), 2n ** 31n - 1n],
  uint: [0n, 2n ** 32n - 1n],
  long: [-(2n ** 63n), 2n ** 63n - 1n],
  ulong: [0n, 2n ** 64n - 1n],
  float: [rankOf(-Infinity, 'float'), rankOf(Number.NaN, 'float')],
  double: [rankOf(-Infinity, 'double'), rankOf(Number.NaN, 'double')],
  decimal: [-(2n ** 96n - 1n) * 10n ** 28n, (2n ** 96n - 1n) * 10n ** 28n],
};

/** The place of a number in the order of all numbers of its type: their bits are in it already, those of negative ones backwards. */
function rankOf(number: number, type: 'float' | 'double'): bigint {
  if (Number.isNaN(number)) return rankOf(Infinity, type) + 1n;
  const view = new DataView(new ArrayBuffer(8));
  if (type === 'double') view.setFloat64(0, Math.abs(number));
  else view.setFloat32(4, Math.abs(number));
  const rank = view.getBigInt64(0);
  return number < 0 ? -rank : rank;
}

/** The integer that stands for a constant of a type; null for what is no number. */
function placeOf(type: Type, constant: Tree.ConstantValue): bigint | null {
  if (typeof constant === 'boolean') return BigInt(constant);
  if (typeof constant === 'object' && constant !== null) {
    const [whole, fraction = ''] = constant.decimal.split('.') as [string, string?];
    return BigInt(whole + fraction.padEnd(28, '0'));
  }
  const plain = withoutNullable(type);
  if (typeof constant === 'number' && (isPrimitive(plain, 'float') || isPrimitive(plain, 'double')))
    return rankOf(constant, isPrimitive(plain, 'float') ? 'float' : 'double');
  return asBigint(constant);
}

function boundsOf(b: Binder, type: Type): Interval | null {
  const plain = withoutNullable(type);
  if (isEnum(b, plain)) return BOUNDS[enumNumber(b, plain)] ?? null;
  return plain.kind === 'primitive' ? (BOUNDS[plain.name] ?? null) : null;
}

function canBeNull(b: Binder, type: Type): boolean {
  return type.kind === 'nullable' || isReferenceType(b, type);
}

export function everything(b: Binder, type: Type): ValueSet {
  const bounds = boundsOf(b, type);
  return {
    null: canBeNull(b, type),
    values: bounds ? { kind: 'intervals', parts: [bounds] } : { kind: 'keys', keys: Keys.of([]), but: true },
  };
}

export function notNull(b: Binder, type: Type): ValueSet {
  return { ...everything(b, type), null: false };
}

export function nothing(b: Binder, type: Type): ValueSet {
  const values: ValueSet['values'] = boundsOf(b, type)
    ? { kind: 'intervals', parts: [] }
    : { kind: 'keys', keys: Keys.of([]), but: false };
  return { null: false, values };
}

export const OPAQUE: ValueSet = { null: false, values: { kind: 'opaque' } };

/** The set of one constant (null included). */
export function only(b: Binder, type: Type, constant: Tree.ConstantValue): ValueSet {
  if (constant === null) return { ...nothing(b, type), null: true };
  if (boundsOf(b, type)) {
    const number = placeOf(type, constant);
    return number === null ? OPAQUE : { null: false, values: { kind: 'intervals', parts: [[number, number]] } };
  }
  const key = typeof constant === 'object' ? `m${constant.decimal}` : `${typeof constant}${String(constant)}`;
  return { null: false, values: { kind: 'keys', keys: Keys.of([key]), but: false } };
}

/** `< 3` and the like on numbers. */
export function compared(b: Binder, type: Type, operator: string, constant: Tree.ConstantValue): ValueSet {
  const bounds = boundsOf(b, type);
  const number = placeOf(type, constant);
  if (!bounds || number === null || isPrimitive(withoutNullable(type), 'bool')) return OPAQUE;
  const [low, last] = bounds;
  // NaN is neither less nor more than anything, nor equal to anything here.
  const hasNaN = isPrimitive(withoutNullable(type), 'float') || isPrimitive(withoutNullable(type), 'double');
  const high = hasNaN ? last - 1n : last;
  if (number > high) return nothing(b, type);
  const part: Interval =
    operator === '<'
      ? [low, number - 1n]
      : operator === '<='
        ? [low, number]
        : operator === '>'
          ? [number + 1n, high]
          : [number, high];
  return { null: false, values: { kind: 'intervals', parts: clean(part, bounds) } };
}

function lower(one: bigint, two: bigint): bigint {
  if (one < two) return one;
  return two;
}

function higher(one: bigint, two: bigint): bigint {
  if (one > two) return one;
  return two;
}

/** The part between bounds, if there is any. */
function clean([low, high]: Interval, bounds: Interval): Interval[] {
  const part: Interval = [higher(low, bounds[0]), lower(high, bounds[1])];
  return part[0] <= part[1] ? [part] : [];
}

/** Where the first interval that ends at or behind a number stands, or would stand. */
function indexOf(parts: readonly Interval[], number: bigint): number {
  let [low, high] = [0, parts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (parts[middle]![1] < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The intervals of both, those that touch made one: costs the larger list a copy and nothing more. */
function joined(one: readonly Interval[], two: readonly Interval[]): readonly Interval[] {
  const [more, less] = one.length >= two.length ? [one, two] : [two, one];
  if (less.length === 0) return more;
  step((more.length >> 6) + less.length);
  const parts = [...more];
  for (const [low, high] of less) {
    const from = indexOf(parts, low - 1n);
    let to = from;
    while (to < parts.length && parts[to]![0] <= high + 1n) to++;
    const merged: Interval = to === from ? [low, high] : [lower(low, parts[from]![0]), higher(high, parts[to - 1]![1])];
    parts.splice(from, to - from, merged);
  }
  return parts;
}

const mostArguments = 100;

/** The intervals of both: what lies inside one interval is copied as it is, but for its ends. */
function common(one: readonly Interval[], two: readonly Interval[]): readonly Interval[] {
  const [more, less] = one.length >= two.length ? [one, two] : [two, one];
  const runs = less.map(([low, high]) => {
    const from = indexOf(more, low);
    let to = indexOf(more, high);
    if (to < more.length && more[to]![0] <= high) to++;
    step(1 + ((to - from) >> 6));
    const run = more.slice(from, to);
    const [first] = run;
    if (first !== undefined) run[0] = [higher(low, first[0]), first[1]];
    const last = run.at(-1);
    if (last !== undefined) run[run.length - 1] = [last[0], lower(high, last[1])];
    return run;
  });
  // A few runs are long and copied at once; many are short, and would not fit on the stack as arguments.
  const none: Interval[] = [];
  return runs.length < mostArguments ? none.concat(...runs) : runs.flat();
}

export function union(one: ValueSet, two: ValueSet): ValueSet {
  return { null: one.null || two.null, values: unionValues(one.values, two.values) };
}

function unionValues(one: ValueSet['values'], two: ValueSet['values']): ValueSet['values'] {
  if (one.kind === 'intervals' && two.kind === 'intervals') {
    return { kind: 'intervals', parts: joined(one.parts, two.parts) };
  }
  if (one.kind === 'keys' && two.kind === 'keys') {
    if (!one.but && !two.but) return { kind: 'keys', keys: one.keys.with(two.keys), but: false };
    if (one.but && two.but) return { kind: 'keys', keys: one.keys.within(two.keys), but: true };
    const [but, plain] = one.but ? [one, two] : [two, one];
    return { kind: 'keys', keys: but.keys.without(plain.keys), but: true };
  }
  // What is opaque adds nothing that is sure.
  return one.kind === 'opaque' ? two : one;
}

export function complement(b: Binder, type: Type, set: ValueSet): ValueSet {
  if (set.values.kind === 'opaque') return OPAQUE;
  const isNull = canBeNull(b, type) && !set.null;
  if (set.values.kind === 'keys') return { null: isNull, values: { ...set.values, but: !set.values.but } };
  const [low, high] = boundsOf(b, type) ?? [0n, 0n];
  const parts: Interval[] = [];
  let from = low;
  step(set.values.parts.length);
  for (const [start, end] of set.values.parts) {
    if (start > from) parts.push([from, start - 1n]);
    from = end + 1n;
  }
  if (from <= high) parts.push([from, high]);
  return { null: isNull, values: { kind: 'intervals', parts } };
}

export function intersection(b: Binder, type: Type, one: ValueSet, two: ValueSet): ValueSet {
  if (one.values.kind === 'opaque' || two.values.kind === 'opaque') return OPAQUE;
  if (one.values.kind === 'intervals' && two.values.kind === 'intervals') {
    return {
      null: one.null && two.null,
      values: { kind: 'intervals', parts: common(one.values.parts, two.values.parts) },
    };
  }
  return complement(b, type, union(complement(b, type, one), complement(b, type, two)));
}

/** Whether every value of `inner` is for sure in `outer`. */
export function isCovered(b: Binder, type: Type, inner: ValueSet, outer: ValueSet): boolean {
  if (inner.values.kind === 'opaque') return isAll(b, type, outer);
  if (inner.null && !outer.null) return false;
  if (outer.values.kind === 'opaque') return isEmpty(inner);
  if (inner.values.kind === 'intervals' && outer.values.kind === 'intervals') {
    const { parts } = outer.values;
    step(inner.values.parts.length);
    return inner.values.parts.every(([low, high]) => {
      const around = parts[indexOf(parts, low)];
      return around !== undefined && around[0] <= low && around[1] >= high;
    });
  }
  const rest = intersection(b, type, inner, complement(b, type, outer));
  return isEmpty(rest);
}

export function isEmpty(set: ValueSet): boolean {
  if (set.null || set.values.kind === 'opaque') return false;
  return set.values.kind === 'intervals'
    ? set.values.parts.length === 0
    : !set.values.but && set.values.keys.size === 0;
}

/** Whether it holds every value that the type has. */
export function isAll(b: Binder, type: Type, set: ValueSet): boolean {
  return isEmpty(complement(b, type, set));
}
