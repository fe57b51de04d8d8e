// Sets of values of one type, as patterns describe them: to tell which arm of a switch can never be reached and whether all
// values are handled. Exact for bool, integers, char, enums and for constants of other types; what is not exact is `opaque`:
// it covers nothing for sure and is never called covered.

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
    | { readonly kind: 'keys'; readonly keys: ReadonlySet<string>; readonly but: boolean }
    | { readonly kind: 'opaque' };
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
};

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
    values: bounds ? { kind: 'intervals', parts: [bounds] } : { kind: 'keys', keys: new Set(), but: true },
  };
}

export function notNull(b: Binder, type: Type): ValueSet {
  return { ...everything(b, type), null: false };
}

export function nothing(b: Binder, type: Type): ValueSet {
  const values: ValueSet['values'] = boundsOf(b, type)
    ? { kind: 'intervals', parts: [] }
    : { kind: 'keys', keys: new Set(), but: false };
  return { null: false, values };
}

export const OPAQUE: ValueSet = { null: false, values: { kind: 'opaque' } };

/** The set of one constant (null included). */
export function only(b: Binder, type: Type, constant: Tree.ConstantValue): ValueSet {
  if (constant === null) return { ...nothing(b, type), null: true };
  const number = typeof constant === 'boolean' ? BigInt(constant) : asBigint(constant);
  if (boundsOf(b, type)) {
    return number === null ? OPAQUE : { null: false, values: { kind: 'intervals', parts: [[number, number]] } };
  }
  const key =
    typeof constant === 'object' ? `m${plainDecimal(constant.decimal)}` : `${typeof constant}${String(constant)}`;
  return { null: false, values: { kind: 'keys', keys: new Set([key]), but: false } };
}

/** 1.10 and 1.1 are one value. */
function plainDecimal(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** `< 3` and the like on integers. */
export function compared(b: Binder, type: Type, operator: string, constant: Tree.ConstantValue): ValueSet {
  const bounds = boundsOf(b, type);
  const number = asBigint(constant);
  if (!bounds || number === null || isPrimitive(withoutNullable(type), 'bool')) return OPAQUE;
  const [low, high] = bounds;
  const part: Interval =
    operator === '<'
      ? [low, number - 1n]
      : operator === '<='
        ? [low, number]
        : operator === '>'
          ? [number + 1n, high]
          : [number, high];
  return { null: false, values: { kind: 'intervals', parts: clean([part], bounds) } };
}

function lower(one: bigint, two: bigint): bigint {
  if (one < two) return one;
  return two;
}

function higher(one: bigint, two: bigint): bigint {
  if (one > two) return one;
  return two;
}

function clean(parts: readonly Interval[], bounds: Interval | null): Interval[] {
  const sorted = parts
    .map(([low, high]): Interval => (bounds ? [higher(low, bounds[0]), lower(high, bounds[1])] : [low, high]))
    .filter(([low, high]) => low <= high)
    .sort((one, two) => (one[0] < two[0] ? -1 : one[0] > two[0] ? 1 : 0));
  const merged: Interval[] = [];
  for (const part of sorted) {
    const last = merged.at(-1);
    if (last && part[0] <= last[1] + 1n) merged[merged.length - 1] = [last[0], higher(part[1], last[1])];
    else merged.push(part);
  }
  return merged;
}

export function union(one: ValueSet, two: ValueSet): ValueSet {
  return { null: one.null || two.null, values: unionValues(one.values, two.values) };
}

function unionValues(one: ValueSet['values'], two: ValueSet['values']): ValueSet['values'] {
  if (one.kind === 'intervals' && two.kind === 'intervals') {
    return { kind: 'intervals', parts: clean([...one.parts, ...two.parts], null) };
  }
  if (one.kind === 'keys' && two.kind === 'keys') {
    if (!one.but && !two.but) return { kind: 'keys', keys: new Set([...one.keys, ...two.keys]), but: false };
    if (one.but && two.but)
      return { kind: 'keys', keys: new Set([...one.keys].filter((key) => two.keys.has(key))), but: true };
    const [but, plain] = one.but ? [one, two] : [two, one];
    return { kind: 'keys', keys: new Set([...but.keys].filter((key) => !plain.keys.has(key))), but: true };
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
  for (const [start, end] of set.values.parts) {
    if (start > from) parts.push([from, start - 1n]);
    from = end + 1n;
  }
  if (from <= high) parts.push([from, high]);
  return { null: isNull, values: { kind: 'intervals', parts } };
}

export function intersection(b: Binder, type: Type, one: ValueSet, two: ValueSet): ValueSet {
  if (one.values.kind === 'opaque' || two.values.kind === 'opaque') return OPAQUE;
  return complement(b, type, union(complement(b, type, one), complement(b, type, two)));
}

/** Whether every value of `inner` is for sure in `outer`. */
export function isCovered(b: Binder, type: Type, inner: ValueSet, outer: ValueSet): boolean {
  if (inner.values.kind === 'opaque') return isAll(b, type, outer);
  if (inner.null && !outer.null) return false;
  if (outer.values.kind === 'opaque') return isEmpty(inner);
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
