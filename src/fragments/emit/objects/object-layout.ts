// Where the parts of an object lie, as the core lays them out (assembly/fragments/objects.ts has the whole picture): references carry
// 2, so a place in the object at +n is an offset of n - 2 from the reference. And the codes by which the core knows the items of arrays,
// tuples and collections.

import type { PrimitiveName, Type } from '../../types.ts';
import { formOf, isEdgePair, isElement, isEnumType, nameOf, representation } from '../representation.ts';
import type { CodeWriter } from '../wasm/code-writer.ts';
import { f32, f64, i32, i64, type ValueType } from '../wasm/opcodes.ts';

/** Offsets from a reference. */
export const places = {
  count: 2,
  /** Items of an array, the value of a box or cell, what a delegate took along. */
  payload: 6,
  /** Items of a tuple, 16 bytes each, behind the codes. */
  tupleItems: 14,
  message: 6,
  inner: 10,
  parameter: 14,
  unknown: 18,
} as const;

export const tupleItemBytes = 16;
/** Tuples have at most so many items: as many as there is room for codes. */
export const mostTupleItems = 8;

export const tags = {
  element: 32,
  array: 33,
  tuple: 34,
  pair: 35,
  record: 36,
  tupleClass: 37,
  delegate: 38,
  cell: 39,
  exception: 40,
  query: 54,
  type: 41,
  alone: 42,
  builder: 43,
  place: 44,
  object: 45,
} as const;

/** Codes beyond the property types. */
export const codeObject = 20;
const codeElement = 21;
const codeEdges = 22;
const codeNullable = 64;

/** The core's property type ids (assembly/values/types.ts). */
export const propertyIds: Partial<Record<PrimitiveName, number>> & Readonly<Record<string, number>> = {
  string: 1, bool: 2, byte: 3, sbyte: 4, short: 5, ushort: 6, int: 7, uint: 8, long: 9, ulong: 10, float: 11, double: 12,
  decimal: 13, char: 14, DateTime: 15, DateTimeOffset: 16, TimeSpan: 17, Guid: 18,
}; // biome-ignore format: a table

/** The property type of a value type that the core has; null for others. Enums are ints. */
export function propertyIdOf(type: Type): number | null {
  if (isEnumType(type)) return propertyIds.int as number;
  return propertyIds[type.kind === 'primitive' ? type.name : nameOf(type)] ?? null;
}

/** The tag of a value's box; null for what has none. */
export function boxTagOf(type: Type): number | null {
  return nameOf(type) === 'Index' || nameOf(type) === 'Range' ? tags.place : propertyIdOf(type);
}

/** How a value of this type lies in an item. */
export function codeOf(type: Type): number {
  if (type.kind === 'nullable') {
    return representation(type) === 'i32' ? codeObject : codeOf(type.element) | codeNullable;
  }
  if (isElement(type)) return codeElement;
  const form = formOf(type);
  if (isEdgePair(type) || form === 'edges' || form === 'type') return codeEdges;
  // Equal when their numbers are.
  if (nameOf(type) === 'Index' || nameOf(type) === 'CancellationToken') return propertyIds.int as number;
  if (nameOf(type) === 'Range') return propertyIds.long as number;
  return propertyIdOf(type) ?? codeObject;
}

/** How far an index is shifted to the offset of an item in an array: 4, 8 or 16 bytes an item. */
export function shiftOf(type: Type): number {
  return { i32: 2, f32: 2, i64: 3, f64: 3, v128: 4 }[representation(type)];
}

/** Loads a value at a constant offset from the address on the stack. */
export function load(code: CodeWriter, type: ValueType, offset: number): void {
  if (type === 'v128') code.load128(offset);
  else code.load({ i32: i32.load, i64: i64.load, f32: f32.load, f64: f64.load }[type], offset);
}

/** In the count of a cell or an object: the bits below say which of its first 31 fields are words of objects or texts. */
const referencesKnown = -0x80000000;

/** What the debug build of the core may follow in an object of these fields (assembly/fragments/object-check.ts). */
export function knownReferences(fields: readonly Type[]): number {
  const isWord = (type: Type): boolean => codeOf(type) === codeObject || codeOf(type) === propertyIds.string;
  const bits = fields.slice(0, 31).reduce((all, type, at) => (isWord(type) ? all | (1 << at) : all), 0);
  return referencesKnown | bits;
}

/** The first word of an object. `number`: the module's number of the type, 0 where the tag says it all. */
export function headOf(tag: number, number = 0, code = 0): number {
  return tag | (number << 8) | (code << 24);
}
