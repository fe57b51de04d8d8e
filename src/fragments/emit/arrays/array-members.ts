// Members of Array that fill it, change it, or make another one.

import type { Type } from '../../types.ts';
import { addItem, newList, pushArrayOf } from '../collections/list-objects.ts';
import { indexWhere, type Owner, ofArray, type Part, whole } from '../collections/searches.ts';
import {
  argument,
  argumentLocal,
  type Call,
  type CallEmitter,
  checkedReference,
  receiver,
} from '../control/call-parts.ts';
import { delegate, variable } from '../control/callbacks.ts';
import { isVoid } from '../control/delegate-code.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { placeOf } from '../control/places.ts';
import { toObject } from '../objects/boxes.ts';
import { places } from '../objects/object-layout.ts';
import { orFull } from '../objects/objects.ts';
import { formOf, representation } from '../representation.ts';
import { NotCompiled } from '../unsupported.ts';
import { i32, parametric } from '../wasm/opcodes.ts';
import { bare } from './array-copies.ts';
import { elementOf, rankOf } from './array-items.ts';
import { createArray, fillDefaults, loadItemOf, requireOwnItems, storeItemOf } from './arrays.ts';

/** Goes over all items there are at the beginning. */
function each(f: FunctionEmitter, owner: ReturnType<Owner>, onItem: (item: number) => void): void {
  indexWhere(f, owner.items, whole(f, owner.items), false, (item) => {
    onItem(item);
    f.code.i32(0);
  });
}

const forEach: CallEmitter = (f, call) => {
  const owned = ofArray(f, call);
  const action = delegate(f, argument(call, 1), [owned.items.item]);
  each(f, owned, (item) => {
    action.apply([item]);
    if (!isVoid(action.result)) f.code.op(parametric.drop);
  });
};

const findAll: CallEmitter = (f, call) => {
  const owned = ofArray(f, call);
  const { item } = owned.items;
  const match = delegate(f, argument(call, 1), [item]);
  const kept = newList(f, { kind: 'named', name: 'List', arguments: [item] }, item);
  each(f, owned, (found) => {
    match.apply([found]);
    f.code.if();
    addItem(f, kept, found);
    f.code.end();
  });
  pushArrayOf(f, kept);
};

const convertAll: CallEmitter = (f, call) => {
  const { code } = f;
  const owned = ofArray(f, call);
  const converter = delegate(f, argument(call, 1), [owned.items.item]);
  const item = elementOf(call.type);
  const [made, index, value] = [code.local('i32'), code.local('i32'), code.local(representation(item))];
  owned.items.count();
  createArray(f, call.type);
  code.set(made);
  code.i32(0);
  code.set(index);
  each(f, owned, (found) => {
    converter.apply([found]);
    code.set(value);
    storeItemOf(f, { array: made, index, item }, value);
    code.get(index);
    code.i32(1);
    code.op(i32.add);
    code.set(index);
  });
  code.get(made);
};

const clone: CallEmitter = (f, call) => {
  const { code } = f;
  const node = bare(receiver(call), true);
  const array = checkedReference(f, node, 'NullReferenceException');
  const rank = rankOf(node.type);
  code.get(array);
  code.i32(rank > 1 ? rank : 0);
  f.charge(8);
  f.core('objectTwin');
  orFull(f);
};

const empty: CallEmitter = (f, call) => {
  f.code.i32(0);
  createArray(f, call.type);
};

/** `Array.Resize(ref array, size)`: another array, unless it has that size already. */
const resize: CallEmitter = (f, call) => {
  const { code } = f;
  const given = call.arguments[0];
  if (given === undefined || given.mode === 'value') throw new NotCompiled('an array by value');
  const target = placeOf(f, given.target);
  const item = elementOf(given.target.type);
  const size = argumentLocal(f, call, 1);
  const [old, made, kept] = [code.local('i32'), code.local('i32'), code.local('i32')];
  code.get(size);
  code.i32(0);
  code.op(i32.ltS);
  f.failIf('ArgumentOutOfRangeException');
  target.load();
  code.set(old);
  code.i32(-1);
  code.set(kept);
  code.get(old);
  code.if();
  code.get(old);
  code.load(i32.load, places.count);
  code.set(kept);
  code.end();
  code.get(kept);
  code.get(size);
  code.op(i32.ne);
  code.if();
  code.get(size);
  createArray(f, given.target.type);
  code.set(made);
  fillDefaults(f, made, item);
  code.get(old);
  code.if();
  code.get(made);
  code.i32(0);
  code.get(old);
  code.i32(0);
  code.get(kept);
  code.get(size);
  code.get(kept);
  code.get(size);
  code.op(i32.ltS, parametric.select);
  f.core('objectMove');
  code.end();
  code.get(made);
  target.store();
  code.end();
};

// --- Filling -------------------------------------------------------------------------------------------------------------

/** Puts the value of a local at each index of a part. */
function fillPart(f: FunctionEmitter, array: number, item: Type, { start, count }: Part, value: number): void {
  const { code } = f;
  const [index, end] = [code.local('i32'), code.local('i32')];
  code.get(start);
  code.tee(index);
  code.get(count);
  code.op(i32.add);
  code.set(end);
  const after = code.block();
  const top = code.loop();
  code.get(index);
  code.get(end);
  code.op(i32.geS);
  code.branchIf(after);
  f.charge(1);
  storeItemOf(f, { array, index, item }, value);
  code.get(index);
  code.i32(1);
  code.op(i32.add);
  code.set(index);
  code.branch(top);
  code.end();
  code.end();
}

const fill: CallEmitter = (f, call) => {
  const { code } = f;
  const { items } = ofArray(f, call);
  const value = argumentLocal(f, call, 1);
  const isPart = call.arguments.length > 2;
  const part = isPart ? { start: argumentLocal(f, call, 2), count: argumentLocal(f, call, 3) } : whole(f, items);
  if (isPart) {
    code.get(part.start);
    items.count();
    code.op(i32.gtU);
    code.get(part.count);
    items.count();
    code.get(part.start);
    code.op(i32.sub, i32.gtU, i32.or);
    f.failIf('ArgumentOutOfRangeException');
  }
  requireOwnItems(f, items.place, argument(call, 0).type);
  fillPart(f, items.place, items.item, part, value);
};

const clear: CallEmitter = (f, call) => {
  const { code } = f;
  const node = bare(argument(call, 0), true);
  const array = checkedReference(f, node, 'ArgumentNullException');
  const item = elementOf(node.type);
  const part = { start: argumentLocal(f, call, 1), count: argumentLocal(f, call, 2) };
  // Each at most the length as unsigned numbers, and together.
  code.get(part.start);
  code.get(array);
  code.load(i32.load, places.count);
  code.op(i32.gtU);
  code.get(part.count);
  code.get(array);
  code.load(i32.load, places.count);
  code.get(part.start);
  code.op(i32.sub, i32.gtU, i32.or);
  f.failIf('IndexOutOfRangeException');
  const value = code.local(representation(item));
  f.zero(item);
  code.set(value);
  fillPart(f, array, item, part, value);
};

// --- By object -----------------------------------------------------------------------------------------------------------

/** The array that GetValue and SetValue are asked of, and the index, checked. */
function reached(f: FunctionEmitter, call: Call, indexAt: number): { array: number; index: number; item: Type } {
  const { code } = f;
  const node = bare(receiver(call));
  const array = checkedReference(f, node, 'NullReferenceException');
  const index = argumentLocal(f, call, indexAt);
  code.get(index);
  code.get(array);
  code.load(i32.load, places.count);
  code.op(i32.geU);
  f.failIf('IndexOutOfRangeException');
  return { array, index, item: elementOf(node.type) };
}

const getValue: CallEmitter = (f, call) => {
  const found = reached(f, call, 0);
  loadItemOf(f, found);
  toObject(f, found.item);
};

/** What needs a conversion is left to the interpreter. */
const setValue: CallEmitter = (f, call) => {
  const { code } = f;
  const object = argumentLocal(f, call, 0);
  const found = reached(f, call, 1);
  const { item } = found;
  const value = code.local(representation(item));
  requireOwnItems(f, found.array, { kind: 'array', element: item, rank: 1 });
  f.zero(item);
  code.set(value);
  code.get(object);
  code.if();
  code.get(object);
  f.module.types.test(f, item);
  code.op(i32.eqz);
  f.failIf('NotCompiled');
  const operand = variable(f, { kind: 'primitive', name: 'object' }, object);
  const kind = formOf(item) === null ? 'unbox' : 'reference';
  f.expression({ kind: 'convert', type: item, conversion: { kind }, operand });
  code.set(value);
  code.end();
  storeItemOf(f, found, value);
};

export const arrayMemberCalls = (): readonly [string, CallEmitter][] => [
  ['Array.ForEach<T>(T[],Action<T>)', forEach],
  ['Array.FindAll<T>(T[],Predicate<T>)', findAll],
  ['Array.ConvertAll<TInput,TOutput>(TInput[],Converter<TInput,TOutput>)', convertAll],
  ['Array.Clone()', clone],
  ['Array.Empty<T>()', empty],
  ['Array.Resize<T>(ref T[],int)', resize],
  ['Array.Fill<T>(T[],T)', fill],
  ['Array.Fill<T>(T[],T,int,int)', fill],
  ['Array.Clear(Array,int,int)', clear],
  ['Array.GetValue(int)', getValue],
  ['Array.SetValue(object,int)', setValue],
];
