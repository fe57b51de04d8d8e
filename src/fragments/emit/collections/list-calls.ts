// The members of List and Queue.

import type { Type } from '../../types.ts';
import { copyCalls } from '../arrays/array-copies.ts';
import { arrayMemberCalls } from '../arrays/array-members.ts';
import { argument, argumentLocal, type Call, type CallEmitter, outTarget } from '../control/call-parts.ts';
import { delegate } from '../control/callbacks.ts';
import { isVoid } from '../control/delegate-code.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { representation } from '../representation.ts';
import { goOver, itemOf } from '../sequences/sequence.ts';
import { mapped } from '../sequences/sources.ts';
import { i32, parametric } from '../wasm/opcodes.ts';
import { pushEqual } from './equality.ts';
import {
  addItem,
  collect,
  type List,
  listSequence,
  loadListItem,
  newList,
  pushArrayOf,
  pushCount,
  shift,
  storeListItem,
  takeFirst,
  touchList,
} from './list-objects.ts';
import { indexWhere, ofList, own, searchCalls, whole } from './searches.ts';
import { sortCalls } from './sorting.ts';

type Range = 'ArgumentOutOfRangeException' | 'IndexOutOfRangeException';

/** Throws unless the index in a local is within the list, or right behind it. */
function requireIndex(f: FunctionEmitter, list: List, index: number, behind = false): void {
  const failure: Range = 'ArgumentOutOfRangeException';
  f.code.get(index);
  pushCount(f, list.place);
  f.code.op(behind ? i32.gtU : i32.geU);
  f.failIf(failure);
}

const getItem: CallEmitter = (f, call) => {
  const list = own(f, call);
  const index = argumentLocal(f, call, 0);
  requireIndex(f, list, index);
  loadListItem(f, list, index);
};

const setItem: CallEmitter = (f, call) => {
  const list = own(f, call);
  const [index, value] = [argumentLocal(f, call, 0), argumentLocal(f, call, 1)];
  requireIndex(f, list, index);
  storeListItem(f, list, index, value);
  touchList(f, list.place);
};

const add: CallEmitter = (f, call) => addItem(f, own(f, call), argumentLocal(f, call, 0));

/** Collected first: a list may be added to itself. */
const addRange: CallEmitter = (f, call) => {
  const list = own(f, call);
  const added = collect(f, f.sequence(argument(call, 0), 'ArgumentNullException'));
  goOver(f, listSequence(added, false), (item) => addItem(f, list, item));
  touchList(f, list.place);
};

const clear: CallEmitter = (f, call) => {
  const list = own(f, call);
  shift(
    f,
    list.place,
    () => f.code.i32(0),
    () => {
      f.code.i32(0);
      pushCount(f, list.place);
      f.code.op(i32.sub);
    },
  );
};

const count: CallEmitter = (f, call) => pushCount(f, own(f, call).place);

const insert: CallEmitter = (f, call) => {
  const list = own(f, call);
  const [index, value] = [argumentLocal(f, call, 0), argumentLocal(f, call, 1)];
  requireIndex(f, list, index, true);
  shift(
    f,
    list.place,
    () => f.code.get(index),
    () => f.code.i32(1),
  );
  storeListItem(f, list, index, value);
};

function removeAt(f: FunctionEmitter, list: List, index: number): void {
  shift(
    f,
    list.place,
    () => f.code.get(index),
    () => f.code.i32(-1),
  );
}

const remove: CallEmitter = (f, call) => {
  const { code } = f;
  const { items } = ofList(f, call);
  const list: List = items;
  const wanted = argumentLocal(f, call, 0);
  const found = indexWhere(f, items, whole(f, items), false, (item) => pushEqual(f, list.item, item, wanted));
  code.get(found);
  code.i32(-1);
  code.op(i32.ne);
  code.if('i32');
  removeAt(f, list, found);
  code.i32(1);
  code.else();
  code.i32(0);
  code.end();
};

const removeAtIndex: CallEmitter = (f, call) => {
  const list = own(f, call);
  const index = argumentLocal(f, call, 0);
  requireIndex(f, list, index);
  removeAt(f, list, index);
};

/** Those that stay move up; the rest is cut off. Pushes how many went. */
const removeAll: CallEmitter = (f, call) => {
  const { code } = f;
  const list = own(f, call);
  const match = delegate(f, argument(call, 0), [list.item]);
  const [kept, gone] = [code.local('i32'), code.local('i32')];
  code.i32(0);
  code.set(kept);
  goOver(f, listSequence(list, false), (item) => {
    match.apply([item]);
    code.op(i32.eqz);
    code.if();
    storeListItem(f, list, kept, item);
    code.get(kept);
    code.i32(1);
    code.op(i32.add);
    code.set(kept);
    code.end();
  });
  pushCount(f, list.place);
  code.get(kept);
  code.op(i32.sub);
  code.tee(gone);
  code.if();
  shift(
    f,
    list.place,
    () => code.get(kept),
    () => {
      code.i32(0);
      code.get(gone);
      code.op(i32.sub);
    },
  );
  code.end();
  code.get(gone);
};

/** The two arguments of a part of the list, checked. */
function part(f: FunctionEmitter, call: Call, list: List): readonly [number, number] {
  const { code } = f;
  const [from, length] = [argumentLocal(f, call, 0), argumentLocal(f, call, 1)];
  code.get(from);
  code.get(length);
  code.op(i32.or);
  code.i32(0);
  code.op(i32.ltS);
  f.failIf('ArgumentOutOfRangeException');
  code.get(from);
  pushCount(f, list.place);
  code.get(length);
  code.op(i32.sub, i32.gtS);
  f.failIf('ArgumentException');
  return [from, length];
}

const removeRange: CallEmitter = (f, call) => {
  const list = own(f, call);
  const [from, length] = part(f, call, list);
  f.code.get(length);
  f.code.if();
  shift(
    f,
    list.place,
    () => f.code.get(from),
    () => {
      f.code.i32(0);
      f.code.get(length);
      f.code.op(i32.sub);
    },
  );
  f.code.end();
};

/** What is inserted is collected first: it may be the list itself. */
const insertRange: CallEmitter = (f, call) => {
  const { code } = f;
  const list = own(f, call);
  const index = argumentLocal(f, call, 0);
  const items = f.sequence(argument(call, 1), 'ArgumentNullException');
  requireIndex(f, list, index, true);
  const added = collect(f, items);
  const at = code.local('i32');
  shift(
    f,
    list.place,
    () => code.get(index),
    () => pushCount(f, added.place),
  );
  code.get(index);
  code.set(at);
  goOver(f, listSequence(added, false), (item) => {
    storeListItem(f, list, at, item);
    code.get(at);
    code.i32(1);
    code.op(i32.add);
    code.set(at);
  });
};

const findAll: CallEmitter = (f, call) => {
  const list = own(f, call);
  const match = delegate(f, argument(call, 0), [list.item]);
  const kept = newList(f, call.type, list.item);
  goOver(f, listSequence(list, false), (item) => {
    match.apply([item]);
    f.code.if();
    addItem(f, kept, item);
    f.code.end();
  });
  f.code.get(kept.place);
};

const convertAll: CallEmitter = (f, call) => {
  const list = own(f, call);
  const converter = delegate(f, argument(call, 0), [list.item]);
  const converted = mapped(listSequence(list, false), converter.result, (_, item) => converter.apply([item]));
  f.code.get(collect(f, converted, call.type).place);
};

const forEach: CallEmitter = (f, call) => {
  const list = own(f, call);
  const action = delegate(f, argument(call, 0), [list.item]);
  goOver(f, listSequence(list, true), (item) => {
    action.apply([item]);
    if (!isVoid(action.result)) f.code.op(parametric.drop);
  });
};

const getRange: CallEmitter = (f, call) => {
  const { code } = f;
  const list = own(f, call);
  const [from, length] = part(f, call, list);
  const made = newList(f, call.type, list.item);
  const index = code.local('i32');
  code.i32(0);
  code.set(index);
  goOver(f, listSequence(list, false), (item) => {
    code.get(index);
    code.get(from);
    code.op(i32.sub);
    code.get(length);
    code.op(i32.ltU);
    code.if();
    addItem(f, made, item);
    code.end();
    code.get(index);
    code.i32(1);
    code.op(i32.add);
    code.set(index);
  });
  code.get(made.place);
};

/** The front of a queue; without one it throws, or `orDefault` answers whether there was one. */
function front(take: boolean, orDefault: boolean): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const queue = own(f, call);
    const [index, found] = [code.local('i32'), code.local(representation(queue.item))];
    const fetch = (): void => {
      code.i32(0);
      code.set(index);
      loadListItem(f, queue, index);
      code.set(found);
      if (take) takeFirst(f, queue.place);
    };
    pushCount(f, queue.place);
    code.op(i32.eqz);
    if (!orDefault) {
      f.failIf('InvalidOperationException');
      fetch();
      code.get(found);
      return;
    }
    const there = code.local('i32');
    code.tee(there);
    code.if();
    f.zero(queue.item);
    code.set(found);
    code.else();
    fetch();
    code.end();
    code.get(found);
    f.store(outTarget(call, 0));
    code.get(there);
    code.op(i32.eqz);
  };
}

/** A new list, queue or stack: empty, or of a sequence. */
export function createList(what: 'empty' | 'room' | 'items'): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const item: Type = itemOf(call.type);
    if (what === 'items') {
      const items = f.sequence(argument(call, 0), 'ArgumentNullException');
      code.get(collect(f, { ...items, item }, call.type).place);
      return;
    }
    if (what === 'room') {
      code.get(argumentLocal(f, call, 0));
      code.i32(0);
      code.op(i32.ltS);
      f.failIf('ArgumentOutOfRangeException');
    }
    code.get(newList(f, call.type, item).place);
  };
}

const makeArray: CallEmitter = (f, call) => pushArrayOf(f, own(f, call));

export const listCalls = (): readonly [string, CallEmitter][] => [
  ...searchCalls(),
  ...sortCalls(),
  ...arrayMemberCalls(),
  ...copyCalls(),
  ['List<T>.new()', createList('empty')],
  ['List<T>.new(int)', createList('room')],
  ['List<T>.new(IEnumerable<T>)', createList('items')],
  ['List<T>.get_Count()', count],
  ['List<T>.get_Item(int)', getItem],
  ['List<T>.set_Item(int,T)', setItem],
  ['List<T>.Add(T)', add],
  ['List<T>.AddRange(IEnumerable<T>)', addRange],
  ['List<T>.Clear()', clear],
  ['List<T>.ConvertAll<TOutput>(Converter<T,TOutput>)', convertAll],
  ['List<T>.FindAll(Predicate<T>)', findAll],
  ['List<T>.ForEach(Action<T>)', forEach],
  ['List<T>.GetRange(int,int)', getRange],
  ['List<T>.Insert(int,T)', insert],
  ['List<T>.InsertRange(int,IEnumerable<T>)', insertRange],
  ['List<T>.Remove(T)', remove],
  ['List<T>.RemoveAll(Predicate<T>)', removeAll],
  ['List<T>.RemoveAt(int)', removeAtIndex],
  ['List<T>.RemoveRange(int,int)', removeRange],
  ['List<T>.ToArray()', makeArray],
  ['Queue<T>.new()', createList('empty')],
  ['Queue<T>.new(int)', createList('empty')],
  ['Queue<T>.new(IEnumerable<T>)', createList('items')],
  ['Queue<T>.get_Count()', count],
  ['Queue<T>.Clear()', clear],
  ['Queue<T>.Enqueue(T)', add],
  ['Queue<T>.Dequeue()', front(true, false)],
  ['Queue<T>.Peek()', front(false, false)],
  ['Queue<T>.TryDequeue(out T)', front(true, true)],
  ['Queue<T>.TryPeek(out T)', front(false, true)],
  ['Queue<T>.ToArray()', makeArray],
];
