// Lists, queues and groups in compiled code: making them, what goes in, what they hold. Where things lie:
// assembly/fragments/collections.ts.

import type { Type } from '../../types.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { codeOf, headOf, load, places, shiftOf, tags } from '../objects/object-layout.ts';
import { put } from '../objects/objects.ts';
import { nameOf, representation } from '../representation.ts';
import { goOver, type Sequence } from '../sequences/sequence.ts';
import { i32 } from '../wasm/opcodes.ts';

export const collectionTags = {
  List: 48,
  Stack: 48,
  Queue: 49,
  IGrouping: 50,
  Dictionary: 51,
  HashSet: 52,
  ILookup: 53,
} as const;
export type CollectionName = keyof typeof collectionTags;

/** Offsets from a reference. */
const at = { count: 2, items: 6, listVersion: 10, first: 14, groupKey: 22 } as const;
const faultBit = 0x80000000 | 0;

/** Leaves the answer on the stack, unless it is an exception: `least` is the lowest answer that is none but 0. */
export function checkAnswer(f: FunctionEmitter, zeroIsFine: boolean): void {
  const { code } = f;
  const answer = code.local('i32');
  code.tee(answer);
  if (zeroIsFine) {
    code.i32(1);
    code.op(i32.sub);
  }
  code.i32(zeroIsFine ? 255 : 256);
  code.op(i32.ltU);
  code.if();
  code.get(answer);
  f.failNumber();
  code.end();
  code.get(answer);
}

/** Throws what the i32 on the stack says, unless it is 0. */
export function checkZero(f: FunctionEmitter): void {
  const { code } = f;
  const answer = code.local('i32');
  code.tee(answer);
  code.if();
  code.get(answer);
  f.failNumber();
  code.end();
}

const arrayOf = (element: Type): Type => ({ kind: 'array', element, rank: 1 });

function arrayHead(f: FunctionEmitter, item: Type): number {
  return headOf(tags.array, f.module.types.numberOf(arrayOf(item)), codeOf(item));
}

// --- Lists ---------------------------------------------------------------------------------------------------------------

/** A list, its items' type and the local with its reference. */
export interface List {
  readonly place: number;
  readonly item: Type;
}

export function listType(item: Type, name: CollectionName = 'List'): Type {
  return { kind: 'named', name, arguments: [item] };
}

/** A new list in a local of its own; `type` is that of the object. */
export function newList(f: FunctionEmitter, type: Type, item: Type, room = 4): List {
  const { code } = f;
  const place = code.local('i32');
  f.charge(4);
  const tag = collectionTags[nameOf(type) as CollectionName];
  code.i32(headOf(tag, f.module.types.numberOf(type)));
  code.i32(arrayHead(f, item));
  code.i32(room);
  f.core('listCreate');
  checkAnswer(f, false);
  code.set(place);
  return { place, item };
}

export function pushCount({ code }: FunctionEmitter, place: number): void {
  code.get(place);
  code.load(i32.load, at.count);
}

/** Puts the value of a local behind the last item. */
export function addItem(f: FunctionEmitter, { place, item }: List, value: number): void {
  const { code } = f;
  f.charge(2);
  const [offset, items] = [code.local('i32'), code.local('i32')];
  code.get(place);
  f.core('listAdd');
  code.tee(offset);
  code.i32(faultBit);
  code.op(i32.and);
  code.if();
  code.get(offset);
  code.i32(0x7fffffff);
  code.op(i32.and);
  f.failNumber();
  code.end();
  code.get(place);
  code.load(i32.load, at.items);
  code.set(items);
  put(f, item, items, () => code.get(offset), value, false);
}

/** Pushes the reference of the array behind a list. */
export function pushItems({ code }: FunctionEmitter, place: number): void {
  code.get(place);
  code.load(i32.load, at.items);
}

export function pushFirst({ code }: FunctionEmitter, place: number): void {
  code.get(place);
  code.load(i32.load, at.first);
}

/** Pushes the item at an index that lies in a local and is within. */
export function loadListItem(f: FunctionEmitter, { place, item }: List, index: number): void {
  const { code } = f;
  pushItems(f, place);
  pushFirst(f, place);
  code.get(index);
  code.op(i32.add);
  code.i32(shiftOf(item));
  code.op(i32.shl, i32.add);
  load(code, representation(item), places.payload);
}

/** Puts the value of a local at such an index. */
export function storeListItem(f: FunctionEmitter, { place, item }: List, index: number, value: number): void {
  const { code } = f;
  const items = code.local('i32');
  pushItems(f, place);
  code.set(items);
  const offset = (): void => {
    pushFirst(f, place);
    code.get(index);
    code.op(i32.add);
    code.i32(shiftOf(item));
    code.op(i32.shl);
    code.i32(places.payload);
    code.op(i32.add);
  };
  put(f, item, items, offset, value, false);
}

/** Makes room at the index on the stack for the i32 behind it, or takes out: another version. */
export function shift(f: FunctionEmitter, place: number, index: () => void, more: () => void): void {
  f.code.get(place);
  index();
  more();
  f.core('listShift');
  checkZero(f);
}

/** Another version of a list. */
export function touchList(f: FunctionEmitter, place: number): void {
  shift(
    f,
    place,
    () => f.code.i32(0),
    () => f.code.i32(0),
  );
}

/** Takes out the first item of a queue that has one. */
export function takeFirst(f: FunctionEmitter, place: number): void {
  const { code } = f;
  const change = (offset: number, by: number): void => {
    code.get(place);
    code.i32(offset);
    code.get(place);
    code.load(i32.load, offset);
    code.i32(by);
    code.op(i32.add);
    f.core('objectPut');
  };
  change(at.first, 1);
  change(at.count, -1);
  change(at.listVersion, 1);
}

/** All items of a sequence in a new list. */
export function collect(f: FunctionEmitter, sequence: Sequence, type: Type = listType(sequence.item)): List {
  const list = newList(f, type, sequence.item);
  goOver(f, sequence, (item) => addItem(f, list, item));
  return list;
}

/** Pushes a new array of the items of a list. */
export function pushArrayOf(f: FunctionEmitter, list: List): void {
  pushItems(f, list.place);
  pushFirst(f, list.place);
  pushCount(f, list.place);
  f.charge(8);
  f.core('objectSlice');
  const made = f.code.local('i32');
  f.code.tee(made);
  f.code.op(i32.eqz);
  f.failIf('OutOfMemoryException');
  f.code.get(made);
}

/** The items of a list, gone over by index. `versioned`: a list that is changed meanwhile throws. */
export function listSequence(list: List, versioned: boolean, mayBeNull = false): Sequence {
  const { place, item } = list;
  return {
    item,
    count: mayBeNull ? undefined : (f) => pushCount(f, place),
    start: (f) => {
      const { code } = f;
      const [index, version, found] = [code.local('i32'), code.local('i32'), code.local(representation(item))];
      code.i32(0);
      code.set(index);
      const pushVersion = (): void => {
        code.get(place);
        code.load(i32.load, at.listVersion);
      };
      if (versioned) {
        pushVersion();
        code.set(version);
      }
      return (end) => {
        f.charge(2);
        if (mayBeNull) {
          code.get(place);
          code.op(i32.eqz);
          code.branchIf(end);
        }
        if (versioned) {
          pushVersion();
          code.get(version);
          code.op(i32.ne);
          f.failIf('InvalidOperationException');
        }
        code.get(index);
        pushCount(f, place);
        code.op(i32.geU);
        code.branchIf(end);
        loadListItem(f, list, index);
        code.set(found);
        code.get(index);
        code.i32(1);
        code.op(i32.add);
        code.set(index);
        return found;
      };
    },
  };
}

/** The items of a stack, the last one first; one that is changed meanwhile throws. */
export function stackSequence(stack: List): Sequence {
  const { place, item } = stack;
  return {
    item,
    count: (f) => pushCount(f, place),
    start: (f) => {
      const { code } = f;
      const [index, version, found] = [code.local('i32'), code.local('i32'), code.local(representation(item))];
      pushCount(f, place);
      code.set(index);
      code.get(place);
      code.load(i32.load, at.listVersion);
      code.set(version);
      return (end) => {
        f.charge(2);
        code.get(place);
        code.load(i32.load, at.listVersion);
        code.get(version);
        code.op(i32.ne);
        f.failIf('InvalidOperationException');
        code.get(index);
        code.op(i32.eqz);
        code.branchIf(end);
        code.get(index);
        code.i32(1);
        code.op(i32.sub);
        code.set(index);
        loadListItem(f, stack, index);
        code.set(found);
        return found;
      };
    },
  };
}

/** Pushes the key of the group in a local. */
export function loadGroupKey(f: FunctionEmitter, group: number, type: Type): void {
  f.code.get(group);
  load(f.code, representation(type), at.groupKey);
}

/** Puts the value of a local into a new group as its key. */
export function putGroupKey(f: FunctionEmitter, group: number, type: Type, value: number): void {
  put(f, type, group, at.groupKey, value, true);
}
