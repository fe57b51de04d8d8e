// Looking through the items of an array or a list, by index: IndexOf, Find, Exists, TrueForAll, BinarySearch and their like. Array has them
// as static members of the array, List as members of its own; one emitter serves both.

import type { Type } from '../../types.ts';
import { elementOf } from '../arrays/array-items.ts';
import { loadItemOf, storeItemOf } from '../arrays/arrays.ts';
import {
  argument,
  argumentLocal,
  type Call,
  type CallEmitter,
  checkedReceiver,
  checkedReference,
  receiver,
} from '../control/call-parts.ts';
import { delegate } from '../control/callbacks.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { places } from '../objects/object-layout.ts';
import { representation } from '../representation.ts';
import { itemOf } from '../sequences/sequence.ts';
import { i32 } from '../wasm/opcodes.ts';
import { comparerOf, pushCompared } from './comparers.ts';
import { pushEqual } from './equality.ts';
import { type List, loadListItem, pushCount, pushFirst, pushItems, storeListItem } from './list-objects.ts';

/** Items that can be reached by index. Indices lie in locals and are within. */
export interface Indexed {
  readonly item: Type;
  readonly place: number;
  readonly isArray: boolean;
  /** Pushes how many there are. */
  count(): void;
  load(index: number): void;
  store(index: number, value: number): void;
  /** Pushes the array behind them, and where the first item lies in it. */
  items(): void;
  first(): void;
}

export function indexedArray(f: FunctionEmitter, place: number, item: Type): Indexed {
  const { code } = f;
  return {
    item,
    place,
    isArray: true,
    count: () => {
      code.get(place);
      code.load(i32.load, places.count);
    },
    load: (index) => loadItemOf(f, { array: place, index, item }),
    store: (index, value) => storeItemOf(f, { array: place, index, item }, value),
    items: () => code.get(place),
    first: () => code.i32(0),
  };
}

function indexedList(f: FunctionEmitter, list: List): Indexed {
  return {
    ...list,
    isArray: false,
    count: () => pushCount(f, list.place),
    load: (index) => loadListItem(f, list, index),
    store: (index, value) => storeListItem(f, list, index, value),
    items: () => pushItems(f, list.place),
    first: () => pushFirst(f, list.place),
  };
}

/** What a member works on, and which of its arguments is the first one after that. */
export interface Owned {
  readonly items: Indexed;
  readonly rest: number;
}
export type Owner = (f: FunctionEmitter, call: Call) => Owned;

export const ofArray: Owner = (f, call) => {
  const node = argument(call, 0);
  const place = checkedReference(f, node, 'ArgumentNullException');
  return { items: indexedArray(f, place, elementOf(node.type)), rest: 1 };
};

export const ofList: Owner = (f, call) => ({ items: indexedList(f, own(f, call)), rest: 0 });

/** The list that a member is asked of, in a local; null throws. */
export function own(f: FunctionEmitter, call: Call): List {
  return { place: checkedReceiver(f, call), item: itemOf(receiver(call).type) };
}

/** A part of the items: its first index and how many, in locals. */
export interface Part {
  readonly start: number;
  readonly count: number;
}

/** All items. */
export function whole(f: FunctionEmitter, items: Indexed): Part {
  const [start, count] = [f.code.local('i32'), f.code.local('i32')];
  f.code.i32(0);
  f.code.set(start);
  items.count();
  f.code.set(count);
  return { start, count };
}

/** Two arguments as a part: negative ones are out of range, too long a part is a bad argument. */
export function givenPart(f: FunctionEmitter, call: Call, items: Indexed, index: number): Part {
  const part = { start: argumentLocal(f, call, index), count: argumentLocal(f, call, index + 1) };
  checkPart(f, items, part);
  return part;
}

function checkPart(f: FunctionEmitter, items: Indexed, { start, count }: Part): void {
  const { code } = f;
  code.get(start);
  code.get(count);
  code.op(i32.or);
  code.i32(0);
  code.op(i32.ltS);
  f.failIf('ArgumentOutOfRangeException');
  code.get(start);
  items.count();
  code.get(count);
  code.op(i32.sub, i32.gtS);
  f.failIf('ArgumentException');
}

/** Where a search begins and how far it goes: none, one or two arguments. */
function searched(f: FunctionEmitter, items: Indexed, given: readonly number[], last: boolean): Part {
  const { code } = f;
  const [from, length] = given;
  const part = { start: code.local('i32'), count: code.local('i32') };
  if (from !== undefined) code.get(from);
  else if (last) {
    items.count();
    code.i32(1);
    code.op(i32.sub);
  } else code.i32(0);
  code.set(part.start);
  if (length !== undefined) code.get(length);
  else if (last) {
    code.get(part.start);
    code.i32(1);
    code.op(i32.add);
  } else {
    items.count();
    code.get(part.start);
    code.op(i32.sub);
  }
  code.set(part.count);
  if (from !== undefined) checkSearch(f, items, part, last);
  return part;
}

/** Throws for what begins or ends outside. Backwards without items a search begins at -1. */
function checkSearch(f: FunctionEmitter, items: Indexed, { start, count }: Part, last: boolean): void {
  const { code } = f;
  const nowhere = (): void => {
    items.count();
    code.op(i32.eqz);
  };
  // Forwards the index may be right behind the items. As unsigned numbers: -1 is less than none of none, and more than any.
  code.get(start);
  if (last) nowhere();
  else code.i32(0);
  code.op(i32.add);
  items.count();
  if (last) nowhere();
  else code.i32(1);
  code.op(i32.add, i32.geU);
  f.failIf('ArgumentOutOfRangeException');
  code.get(count);
  code.i32(0);
  code.op(i32.ltS);
  code.get(count);
  if (last) {
    code.get(start);
    code.i32(1);
    code.op(i32.add);
  } else {
    items.count();
    code.get(start);
    code.op(i32.sub);
  }
  code.op(i32.gtS, i32.or);
  f.failIf('ArgumentOutOfRangeException');
}

/** Puts the index of the first (or last) item that `test` pushes 1 for into a local, -1 without one. */
export function indexWhere(
  f: FunctionEmitter,
  items: Indexed,
  { start, count }: Part,
  last: boolean,
  test: (item: number) => void,
): number {
  const { code } = f;
  const [result, index, left] = [code.local('i32'), code.local('i32'), code.local('i32')];
  const item = code.local(representation(items.item));
  code.i32(-1);
  code.set(result);
  code.get(start);
  code.set(index);
  code.get(count);
  code.set(left);
  const after = code.block();
  const top = code.loop();
  code.get(left);
  code.i32(0);
  code.op(i32.leS);
  code.branchIf(after);
  f.charge(2);
  items.load(index);
  code.set(item);
  test(item);
  code.if();
  code.get(index);
  code.set(result);
  code.branch(after);
  code.end();
  code.get(index);
  code.i32(last ? -1 : 1);
  code.op(i32.add);
  code.set(index);
  code.get(left);
  code.i32(1);
  code.op(i32.sub);
  code.set(left);
  code.branch(top);
  code.end();
  code.end();
  return result;
}

/** IndexOf, Contains and LastIndexOf. */
function search(owner: Owner, answer: 'index' | 'contains', last: boolean): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const { items, rest } = owner(f, call);
    const wanted = argumentLocal(f, call, rest);
    const given = call.arguments.slice(rest + 1).map((_, at) => argumentLocal(f, call, rest + 1 + at));
    const found = code.local('i32');
    code.i32(-1);
    code.set(found);
    const look = (): void => {
      const part = searched(f, items, given, last);
      code.get(indexWhere(f, items, part, last, (item) => pushEqual(f, items.item, item, wanted)));
      code.set(found);
    };
    if (last) {
      // Nothing is looked for in nothing, from wherever.
      items.count();
      code.if();
      look();
      code.end();
    } else look();
    code.get(found);
    if (answer === 'index') return;
    code.i32(-1);
    code.op(i32.ne);
  };
}

/** Find, FindIndex, FindLast, FindLastIndex and Exists: the delegate is the last argument. */
function findWhere(owner: Owner, answer: 'item' | 'index' | 'exists', last: boolean): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const { items, rest } = owner(f, call);
    const end = call.arguments.length - 1;
    const given = call.arguments.slice(rest, end).map((_, at) => argumentLocal(f, call, rest + at));
    const match = delegate(f, argument(call, end), [items.item]);
    const part = searched(f, items, given, last);
    const found = indexWhere(f, items, part, last, (item) => match.apply([item]));
    code.get(found);
    if (answer === 'index') return;
    code.i32(-1);
    code.op(i32.ne);
    if (answer === 'exists') return;
    code.if(representation(items.item));
    items.load(found);
    code.else();
    f.zero(items.item);
    code.end();
  };
}

function trueForAll(owner: Owner): CallEmitter {
  return (f, call) => {
    const { items, rest } = owner(f, call);
    const match = delegate(f, argument(call, rest), [items.item]);
    const found = indexWhere(f, items, whole(f, items), false, (item) => {
      match.apply([item]);
      f.code.op(i32.eqz);
    });
    f.code.get(found);
    f.code.i32(-1);
    f.code.op(i32.eq);
  };
}

/** The place of an item, or the complement of where it would be. `partAt`, `comparerAt`: places of arguments after the owner, -1 for none. */
function binarySearch(owner: Owner, partAt: number, valueAt: number, comparerAt: number): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const { items, rest } = owner(f, call);
    const given =
      partAt < 0 ? null : [argumentLocal(f, call, rest + partAt), argumentLocal(f, call, rest + partAt + 1)];
    const wanted = argumentLocal(f, call, rest + valueAt);
    const comparer = comparerOf(f, comparerAt < 0 ? null : argument(call, rest + comparerAt), items.item);
    const part = given === null ? whole(f, items) : { start: given[0] as number, count: given[1] as number };
    if (given !== null) checkPart(f, items, part);
    const [low, high, middle, order] = [part.start, code.local('i32'), code.local('i32'), code.local('i32')];
    const item = code.local(representation(items.item));
    const result = code.local('i32');
    code.get(low);
    code.get(part.count);
    code.op(i32.add);
    code.i32(1);
    code.op(i32.sub);
    code.set(high);
    const after = code.block();
    const top = code.loop();
    code.get(low);
    code.i32(-1);
    code.op(i32.xor);
    code.set(result);
    code.get(low);
    code.get(high);
    code.op(i32.gtS);
    code.branchIf(after);
    f.charge(2);
    code.get(low);
    code.get(high);
    code.get(low);
    code.op(i32.sub);
    code.i32(1);
    code.op(i32.shrU, i32.add);
    code.tee(middle);
    code.set(result);
    items.load(middle);
    code.set(item);
    pushCompared(f, comparer, items.item, [item, wanted], 'InvalidOperationException');
    code.tee(order);
    code.op(i32.eqz);
    code.branchIf(after);
    code.get(order);
    code.i32(0);
    code.op(i32.ltS);
    code.if();
    code.get(middle);
    code.i32(1);
    code.op(i32.add);
    code.set(low);
    code.else();
    code.get(middle);
    code.i32(1);
    code.op(i32.sub);
    code.set(high);
    code.end();
    code.branch(top);
    code.end();
    code.end();
    code.get(result);
  };
}

/** Array's members take the array in front and are generic; `more` are the parameters behind. */
function both(name: string, more: string, make: (owner: Owner) => CallEmitter): [string, CallEmitter][] {
  return [
    [`Array.${name}<T>(T[]${more === '' ? '' : `,${more}`})`, make(ofArray)],
    [`List<T>.${name}(${more})`, make(ofList)],
  ];
}

const P = 'Predicate<T>';

export const searchCalls = (): readonly [string, CallEmitter][] => [
  ['List<T>.Contains(T)', search(ofList, 'contains', false)],
  ['Queue<T>.Contains(T)', search(ofList, 'contains', false)],
  ...['T', 'T,int', 'T,int,int'].flatMap((parameters) => [
    ...both('IndexOf', parameters, (owner) => search(owner, 'index', false)),
    ...both('LastIndexOf', parameters, (owner) => search(owner, 'index', true)),
  ]),
  ...both('Exists', P, (owner) => findWhere(owner, 'exists', false)),
  ...both('Find', P, (owner) => findWhere(owner, 'item', false)),
  ...both('FindLast', P, (owner) => findWhere(owner, 'item', true)),
  ...[P, `int,${P}`, `int,int,${P}`].flatMap((parameters) => [
    ...both('FindIndex', parameters, (owner) => findWhere(owner, 'index', false)),
    ...both('FindLastIndex', parameters, (owner) => findWhere(owner, 'index', true)),
  ]),
  ...both('TrueForAll', P, trueForAll),
  ...both('BinarySearch', 'T', (owner) => binarySearch(owner, -1, 0, -1)),
  ...both('BinarySearch', 'T,IComparer<T>', (owner) => binarySearch(owner, -1, 0, 1)),
  ['Array.BinarySearch<T>(T[],int,int,T)', binarySearch(ofArray, 0, 2, -1)],
  ...both('BinarySearch', 'int,int,T,IComparer<T>', (owner) => binarySearch(owner, 0, 2, 3)),
];
