// Tuples, pairs of a dictionary, records (anonymous types) and objects of class Tuple: all of them objects that are never changed.

import type { Expression } from '../../tree.ts';
import type { Type } from '../../types.ts';
import { userType } from '../../user-types.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { representation } from '../representation.ts';
import { NotCompiled } from '../unsupported.ts';
import type { ValueType } from '../wasm/opcodes.ts';
import { codeOf, headOf, load, mostTupleItems, places, tags, tupleItemBytes } from './object-layout.ts';
import { create, itemTypes, orFull, put } from './objects.ts';

type TupleTag = (typeof tags)['tuple' | 'pair' | 'record' | 'tupleClass'];

/** Makes a tuple or a record of the values in these locals; pushes the reference. */
export function createTuple(f: FunctionEmitter, tag: TupleTag, type: Type, items: readonly [Type, number][]): void {
  if (items.length > mostTupleItems) throw new NotCompiled('a tuple of this size');
  const { code } = f;
  create(f, headOf(tag, f.module.types.numberOf(type)), items.length, 8 + tupleItemBytes * items.length);
  const made = code.local('i32');
  code.set(made);
  code.get(made);
  code.i32(places.payload);
  code.i64(items.reduce((codes, [item], at) => codes | (BigInt(codeOf(item)) << BigInt(8 * at)), 0n));
  f.core('objectPutLong');
  for (const [at, [item, value]] of items.entries()) {
    put(f, item, made, places.tupleItems + tupleItemBytes * at, value, true);
  }
  code.get(made);
}

export function emitTuple(f: FunctionEmitter, tag: TupleTag, type: Type, values: readonly Expression[]): void {
  const items = values.map((value): [Type, number, ValueType] => {
    const { local, type: kind } = f.toLocal(value);
    return [value.type, local, kind];
  });
  createTuple(
    f,
    tag,
    type,
    items.map(([item, local]) => [item, local]),
  );
  for (const [, local, kind] of items) f.code.release(kind, local);
}

/** Loads an item from the tuple on the stack. */
export function loadItem(f: FunctionEmitter, index: number, type: Type): void {
  load(f.code, representation(type), places.tupleItems + tupleItemBytes * index);
}

/** The tuple in a local with another item, the value of a local; pushes the new one. */
export function changedTuple(f: FunctionEmitter, tuple: number, index: number, type: Type, value: number): void {
  const { code } = f;
  code.get(tuple);
  f.core('objectCopy');
  orFull(f);
  const copy = code.local('i32');
  code.set(copy);
  put(f, type, copy, places.tupleItems + tupleItemBytes * index, value, true);
  code.get(copy);
}

/** Pushes the default of a struct that is an object. */
export function defaultStruct(f: FunctionEmitter, type: Type): void {
  const own = type.kind === 'named' ? userType(type.name)?.fields : undefined;
  const types = own ?? (type.kind === 'tuple' ? type.elements.map((element) => element.type) : itemTypes(type));
  const items = types.map((item): [Type, number] => {
    f.zero(item);
    const local = f.code.local(representation(item));
    f.code.set(local);
    return [item, local];
  });
  createTuple(f, type.kind === 'tuple' || own !== undefined ? tags.tuple : tags.pair, type, items);
}
