// Equality, hash codes and order of values as EqualityComparer<T>.Default and Comparer<T>.Default have them, and the comparers of
// strings. Keys: every value has a canonical key that JavaScript's Map can tell apart exactly as Equals does.

import { TICKS_PER_DAY } from './calendar.ts';
import { compare as compareDecimals, DecimalValue } from './decimal.ts';
import { badArgument } from './exceptions.ts';
import { hashOfDecimal, hashOfDouble, hashOfGuid, hashOfLong, hashOfSingle, hashOfUnit } from './hash-codes.ts';
import { allocate, charge } from './machine.ts';
import { sameDelegates } from './multicast.ts';
import { isAssignable, runtimeType } from './runtime-types.ts';
import {
  DateOnlyValue,
  DateTimeOffsetValue,
  DateTimeValue,
  GuidValue,
  Identified,
  IndexValue,
  KeyValue,
  RangeValue,
  TimeOnlyValue,
  TimeSpanValue,
} from './structs.ts';
import { compareOrdinal, upperInvariant } from './text.ts';
import { hookOf, representative, UserObject } from './user-objects.ts';
import { AnonymousObject, Boxed, TupleObject, TupleValue, type Value } from './values.ts';

const identities = new WeakMap<object, number>();
let lastIdentity = 0;

function identityOf(value: object): number {
  let found = identities.get(value);
  if (found === undefined) {
    found = ++lastIdentity;
    identities.set(value, found);
  }
  return found;
}

/** What tells a value apart from all values that are not equal to it: a JavaScript primitive, or the object itself. */
function keyOf(value: Value): Value {
  if (typeof value === 'string') return value.charCodeAt(0) === 0 ? `\0s${value}` : value;
  if (typeof value !== 'object' || value === null) return value;
  return objectKey(value);
}

function objectKey(value: object): Value {
  const equals = hookOf(value, 'equals');
  if (equals !== undefined) return representative(value, equals);
  if (value instanceof DecimalValue) return `\0m${plainDecimal(value)}`;
  if (value instanceof UserObject && value.type.user?.shown != null) {
    return `\0R${value.type.key}${partKeys(value.fields)}`;
  }
  if (value instanceof Boxed) return `\0b${value.type.key}:${partKey(value.value)}`;
  if (value instanceof TupleValue) return `\0(${partKeys(value.items)}`;
  if (value instanceof AnonymousObject) return `\0{${value.type.key}${partKeys(value.items)}`;
  if (value instanceof DateTimeValue) return `\0d${value.ticks}`;
  if (value instanceof DateTimeOffsetValue) return `\0o${value.utcTicks}`;
  if (value instanceof TimeSpanValue) return `\0t${value.ticks}`;
  if (value instanceof DateOnlyValue) return `\0D${value.ticks}`;
  if (value instanceof TimeOnlyValue) return `\0T${value.ticks}`;
  if (value instanceof GuidValue) return `\0g${value.text}`;
  if (value instanceof KeyValue) return `\0k${partKeys([value.key, value.value])}`;
  if (value instanceof IndexValue) return `\0i${value}`;
  if (value instanceof RangeValue) return `\0r${value.start}..${value.end}`;
  if (value instanceof Identified) return value.identity;
  return value;
}

function plainDecimal(value: DecimalValue): string {
  let { digits, scale } = value;
  while (scale > 0 && digits % 10n === 0n) {
    digits /= 10n;
    scale--;
  }
  return `${digits}e${scale}`;
}

function partKey(value: Value): string {
  const key = keyOf(value);
  if (key !== null && typeof key === 'object') return `#${identityOf(key)}`;
  if (typeof key === 'function') return `#${identityOf(key)}`;
  const text = Object.is(key, -0) ? '0' : String(key);
  return `${(typeof key)[0]}${text.length}:${text}`;
}

function partKeys(items: readonly Value[]): string {
  charge(items.length);
  const text = items.map(partKey).join('');
  allocate(text.length * 2);
  return text;
}

/** EqualityComparer<T>.Default.Equals on two values of one static type. */
export function equalValues(left: Value, right: Value): boolean {
  if (left === right) return true;
  if (typeof left === 'number') return Number.isNaN(left) && Number.isNaN(right);
  if (typeof left === 'function' && typeof right === 'function') return sameDelegates(left, right);
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (left instanceof DateTimeValue && right instanceof DateTimeValue) return left.ticks === right.ticks;
  if (left instanceof DecimalValue && right instanceof DecimalValue) return compareDecimals(left, right) === 0;
  const own = hookOf(left, 'equals');
  if (own !== undefined) return own(left, right);
  const [a, b] = [keyOf(left), keyOf(right)];
  return a === b;
}

/** ReferenceEquals on what is seen as objects. */
export function sameReference(left: Value, right: Value): boolean {
  if (left === right) return true;
  if (typeof left === 'function' && typeof right === 'function') return sameDelegates(left, right);
  return left instanceof Identified && right instanceof Identified && left.identity === right.identity;
}

/** A hash code that equal values share. It is stable for a value within a run and means nothing else. */
export function hashOf(value: Value): number {
  if (value === null) return 0;
  const own = hookOf(value, 'hash');
  if (own !== undefined) return own(value);
  if (value instanceof Boxed) return HASHES[value.type.key]?.(value.value) ?? hashOf(value.value);
  switch (typeof value) {
    case 'number':
      return Number.isInteger(value) && value === (value | 0) ? value | 0 : hashOfDouble(value);
    case 'boolean':
      return value ? 1 : 0;
    case 'bigint':
      return hashOfLong(value);
    default:
      return hashOfStruct(value) ?? hashOfKey(value);
  }
}

/** By keyword: numbers of these types lie in the same JavaScript numbers as integers do. */
export const HASHES: Readonly<Record<string, (value: number) => number>> = {
  double: hashOfDouble,
  float: hashOfSingle,
  uint: (value) => value | 0,
  char: hashOfUnit,
};

function hashOfStruct(value: Value): number | null {
  if (value instanceof Identified) return value.hash;
  if (value instanceof DecimalValue) return hashOfDecimal(value);
  if (value instanceof DateTimeValue || value instanceof TimeSpanValue) return hashOfLong(value.ticks);
  if (value instanceof DateOnlyValue) return Number(value.ticks / TICKS_PER_DAY);
  if (value instanceof TimeOnlyValue) return hashOfLong(value.ticks);
  if (value instanceof DateTimeOffsetValue) return hashOfLong(value.utcTicks);
  if (value instanceof IndexValue) return value.fromEnd ? ~value.value : value.value;
  return value instanceof GuidValue ? hashOfGuid(value.text) : null;
}

function hashOfKey(value: Value): number {
  const text = partKey(value);
  charge(text.length >> 3);
  let hash = 0x811c9dc5 | 0;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

const INCOMPARABLE = 'At least one object must implement IComparable.';
const COMPARABLE = runtimeType({ kind: 'named', name: 'IComparable', arguments: [] });

/** Comparer<T>.Default.Compare on two values of one static type. */
export function compareValues(left: Value, right: Value): number {
  if (left === null || right === null) return left === right ? 0 : left === null ? -1 : 1;
  switch (typeof left) {
    case 'number':
      return compareNumbers(left, right);
    case 'bigint':
    case 'boolean':
      return left < right ? -1 : left > right ? 1 : 0;
    case 'string':
      if (typeof right !== 'string') return badArgument('Object must be of type String.');
      return compareOrdinal(left, right);
    default:
      return compareObjects(left, right);
  }
}

/** Numbers in the order of CompareTo: NaN before everything. */
export function compareNumbers(left: number, right: number): number {
  if (left < right) return -1;
  if (left > right) return 1;
  if (left === right) return 0;
  if (Number.isNaN(left)) return Number.isNaN(right) ? 0 : -1;
  return 1;
}

function compareBig(left: bigint, right: bigint): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function compareObjects(left: Value, right: Value): number {
  const own = hookOf(left, 'compare');
  if (own !== undefined) return own(left, right);
  if (left instanceof DecimalValue) return compareDecimals(left, right);
  if (left instanceof DateTimeValue) return compareBig(left.ticks, right.ticks);
  if (left instanceof TimeSpanValue) return compareBig(left.ticks, right.ticks);
  if (left instanceof DateOnlyValue || left instanceof TimeOnlyValue) return compareBig(left.ticks, right.ticks);
  if (left instanceof DateTimeOffsetValue) return compareBig(left.utcTicks, right.utcTicks);
  if (left instanceof GuidValue)
    return compareOrdinal(left.text, right.text) < 0 ? -1 : left.text === right.text ? 0 : 1;
  if (left instanceof TupleValue || left instanceof TupleObject) {
    for (let at = 0; at < left.items.length; at++) {
      const order = compareValues(left.items[at], right.items[at]);
      if (order !== 0) return order;
    }
    return 0;
  }
  if (left instanceof Boxed) {
    if (!isAssignable(left.type, COMPARABLE)) return badArgument(INCOMPARABLE);
    if (!(right instanceof Boxed) || left.type !== right.type)
      return badArgument(`Object must be of type ${left.type.name}.`);
    return compareValues(left.value, right.value);
  }
  // What has no order is still equal to itself.
  return sameReference(left, right) ? 0 : badArgument(INCOMPARABLE);
}

// --- comparers --------------------------------------------------------------------------------------------------------

/** What IEqualityComparer<T> and IComparer<T> mean here; a fragment cannot write classes, so all comparers are ours. */
export class Comparer {
  readonly type = runtimeType({ kind: 'named', name: 'StringComparer', arguments: [] });
  readonly equals: (left: Value, right: Value) => boolean;
  readonly compare: (left: Value, right: Value) => number;
  readonly key: (value: Value) => Value;

  constructor(
    equals: (left: Value, right: Value) => boolean,
    compare: (left: Value, right: Value) => number,
    key: (value: Value) => Value,
  ) {
    this.equals = equals;
    this.compare = compare;
    this.key = key;
  }
}

export const DEFAULT_COMPARER = new Comparer(equalValues, compareValues, keyOf);

/** A comparer by a delegate, as Comparer<T>.Create makes it. */
export function comparerBy(compare: (left: Value, right: Value) => number): Comparer {
  return new Comparer(equalValues, compare, keyOf);
}

function compareStrings(left: string | null, right: string | null): number {
  if (left === null || right === null) return left === right ? 0 : left === null ? -1 : 1;
  return compareOrdinal(left, right);
}

function folded(text: string | null): string | null {
  return text === null ? null : upperInvariant(text);
}

export const ORDINAL_COMPARER = new Comparer((a, b) => a === b, compareStrings, keyOf);
export const IGNORE_CASE_COMPARER = new Comparer(
  (a, b) => folded(a) === folded(b),
  (a, b) => compareStrings(folded(a), folded(b)),
  (text) => keyOf(folded(text)),
);

export function comparerOrDefault(comparer: Comparer | null): Comparer {
  return comparer ?? DEFAULT_COMPARER;
}
