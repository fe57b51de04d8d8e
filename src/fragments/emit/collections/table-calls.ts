// The members of Dictionary, HashSet, IGrouping and ILookup, and those of the interfaces that any collection answers.

import { argument, type Call, type CallEmitter, checkedReceiver, outTarget, receiver } from '../control/call-parts.ts';
import { memberCall, primitive, variable } from '../control/callbacks.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { nameOf, representation } from '../representation.ts';
import { addNew, ownTable as own, requireKey, tableOf } from '../sequences/makers.ts';
import { optional, pushAdded } from '../sequences/memory.ts';
import { goOver } from '../sequences/sequence.ts';
import { i32, parametric } from '../wasm/opcodes.ts';
import { emitContains } from './equality.ts';
import {
  addEntry,
  findEntry,
  foldsCase,
  loadEntryValue,
  newTable,
  putEntryValue,
  type Table,
  tableSequence,
  touchTable,
} from './hash-tables.ts';
import { checkAnswer, loadGroupKey } from './list-objects.ts';

function place(f: FunctionEmitter, call: Call, index: number): number {
  return f.toLocal(argument(call, index)).local;
}

/** The entry of the key that is an argument; a dictionary takes no null. */
function entryOf(f: FunctionEmitter, call: Call, table: Table, index = 0): number {
  const key = place(f, call, index);
  if (table.value !== null && nameOf(receiver(call).type) === 'Dictionary') requireKey(f, table.key, key);
  return findEntry(f, table, key);
}

const count: CallEmitter = (f, call) => {
  const table = own(f, call);
  tableSequence(table, table.key, false, () => {}).count?.(f);
};

const getItem: CallEmitter = (f, call) => {
  const table = own(f, call);
  const entry = entryOf(f, call, table);
  f.code.get(entry);
  f.code.op(i32.eqz);
  f.failIf('KeyNotFoundException');
  loadEntryValue(f, table, entry);
};

const setItem: CallEmitter = (f, call) => {
  const { code } = f;
  const table = own(f, call);
  const key = place(f, call, 0);
  const value = place(f, call, 1);
  requireKey(f, table.key, key);
  const entry = findEntry(f, table, key);
  code.get(entry);
  code.op(i32.eqz);
  code.if();
  addEntry(f, table, entry);
  code.else();
  touchTable(f, table);
  code.end();
  putEntryValue(f, table, entry, value);
};

const add: CallEmitter = (f, call) => addNew(f, own(f, call), place(f, call, 0), place(f, call, 1));

const tryAdd: CallEmitter = (f, call) => {
  const { code } = f;
  const table = own(f, call);
  const [key, value] = [place(f, call, 0), place(f, call, 1)];
  requireKey(f, table.key, key);
  const entry = findEntry(f, table, key);
  code.get(entry);
  code.op(i32.eqz);
  code.if('i32');
  addEntry(f, table, entry);
  putEntryValue(f, table, entry, value);
  code.i32(1);
  code.else();
  code.i32(0);
  code.end();
};

const contains: CallEmitter = (f, call) => {
  f.code.get(entryOf(f, call, own(f, call)));
  f.code.i32(0);
  f.code.op(i32.ne);
};

/** TryGetValue, and Remove with the value that was there. */
function take(remove: boolean): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const table = own(f, call);
    const entry = entryOf(f, call, table);
    const found = code.local(representation(table.value as never));
    code.get(entry);
    code.if();
    loadEntryValue(f, table, entry);
    code.set(found);
    if (remove) {
      code.get(table.place);
      code.get(entry);
      f.core('tableRemove');
    }
    code.else();
    f.zero(table.value as never);
    code.set(found);
    code.end();
    code.get(found);
    f.store(outTarget(call, 1));
    code.get(entry);
    code.i32(0);
    code.op(i32.ne);
  };
}

const remove: CallEmitter = (f, call) => {
  const { code } = f;
  const table = own(f, call);
  const entry = entryOf(f, call, table);
  code.get(entry);
  code.if();
  code.get(table.place);
  code.get(entry);
  f.core('tableRemove');
  code.end();
  code.get(entry);
  code.i32(0);
  code.op(i32.ne);
};

const clear: CallEmitter = (f, call) => {
  f.code.get(own(f, call).place);
  f.core('tableClear');
};

const containsValue: CallEmitter = (f, call) => {
  const table = own(f, call);
  const wanted = place(f, call, 0);
  const values = tableSequence(table, table.value as never, false, (g, entry) => loadEntryValue(g, table, entry));
  emitContains(f, values, wanted);
};

/** A new table; `items` and `comparer` are places of arguments, -1 for none. */
function create(items: number, comparer: number, room: number): CallEmitter {
  return (f, call) => {
    const { code } = f;
    if (room >= 0) {
      f.expression(argument(call, room));
      code.i32(0);
      code.op(i32.ltS);
      f.failIf('ArgumentOutOfRangeException');
    }
    const given = items < 0 ? null : f.sequence(argument(call, items), 'ArgumentNullException');
    const folded = foldsCase(comparer < 0 ? null : optional(call, comparer));
    const shape = tableOf(call.type, 0);
    const made = newTable(f, call.type, shape.key, shape.value, folded);
    if (given !== null) {
      const isSet = made.value === null && given.set === true;
      if (isSet) {
        // A set keeps its places, if both compare alike.
        code.get(made.place);
        code.get(given.place as number);
        f.core('tableCopy');
        checkAnswer(f, true);
        code.op(i32.eqz);
        code.if();
      }
      goOver(f, given, (item) => {
        if (made.value === null) {
          pushAdded(f, made, item);
          code.op(parametric.drop);
          return;
        }
        const pair = variable(f, given.item, item);
        const [key, value] = (['Key', 'Value'] as const).map((part, index) => {
          const type = index === 0 ? made.key : (made.value as never);
          return f.toLocal(memberCall(`KeyValuePair<TKey,TValue>.get_${part}()`, type, pair, [])).local;
        });
        addNew(f, made, key as number, value as number);
      });
      if (isSet) code.end();
    }
    code.get(made.place);
  };
}

// --- Sets ----------------------------------------------------------------------------------------------------------------

const addToSet: CallEmitter = (f, call) => pushAdded(f, own(f, call), place(f, call, 0));

const groupKey: CallEmitter = (f, call) => {
  const { type } = receiver(call);
  loadGroupKey(f, checkedReceiver(f, call), type.kind === 'named' ? (type.arguments[0] as never) : primitive('object'));
};

const dictionary = 'Dictionary<TKey,TValue>';

export const tableCalls: readonly [string, CallEmitter][] = [
  [`${dictionary}.new()`, create(-1, -1, -1)],
  [`${dictionary}.new(int)`, create(-1, -1, 0)],
  [`${dictionary}.new(IEqualityComparer<TKey>)`, create(-1, 0, -1)],
  [`${dictionary}.new(int,IEqualityComparer<TKey>)`, create(-1, 1, 0)],
  [`${dictionary}.new(IEnumerable<KeyValuePair<TKey,TValue>>)`, create(0, -1, -1)],
  [`${dictionary}.new(IEnumerable<KeyValuePair<TKey,TValue>>,IEqualityComparer<TKey>)`, create(0, 1, -1)],
  [`${dictionary}.get_Count()`, count],
  [`${dictionary}.get_Item(TKey)`, getItem],
  [`${dictionary}.set_Item(TKey,TValue)`, setItem],
  [`${dictionary}.Add(TKey,TValue)`, add],
  [`${dictionary}.TryAdd(TKey,TValue)`, tryAdd],
  [`${dictionary}.ContainsKey(TKey)`, contains],
  [`${dictionary}.ContainsValue(TValue)`, containsValue],
  [`${dictionary}.TryGetValue(TKey,out TValue)`, take(false)],
  [`${dictionary}.Remove(TKey,out TValue)`, take(true)],
  [`${dictionary}.Remove(TKey)`, remove],
  [`${dictionary}.Clear()`, clear],
  ['HashSet<T>.new()', create(-1, -1, -1)],
  ['HashSet<T>.new(int)', create(-1, -1, 0)],
  ['HashSet<T>.new(IEqualityComparer<T>)', create(-1, 0, -1)],
  ['HashSet<T>.new(IEnumerable<T>)', create(0, -1, -1)],
  ['HashSet<T>.new(IEnumerable<T>,IEqualityComparer<T>)', create(0, 1, -1)],
  ['HashSet<T>.get_Count()', count],
  ['HashSet<T>.Add(T)', addToSet],
  ['HashSet<T>.Contains(T)', contains],
  ['HashSet<T>.Remove(T)', remove],
  ['HashSet<T>.Clear()', clear],
  ['ILookup<TKey,TElement>.get_Count()', count],
  ['ILookup<TKey,TElement>.Contains(TKey)', contains],
  ['IGrouping<TKey,TElement>.get_Key()', groupKey],
];
