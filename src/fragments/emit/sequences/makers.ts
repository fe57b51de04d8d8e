// Collections as sequences, and the members of LINQ that make one: ToList, ToArray, ToDictionary, ToHashSet, ToLookup.

import type { Expression } from '../../tree.ts';
import type { Type } from '../../types.ts';
import {
  addEntry,
  findEntry,
  foldsCase,
  loadEntryKey,
  loadEntryValue,
  newTable,
  putEntryValue,
  type Table,
  tableSequence,
} from '../collections/hash-tables.ts';
import { anySequence } from '../collections/interface-calls.ts';
import { checkAnswer, collect, listSequence, pushArrayOf, stackSequence } from '../collections/list-objects.ts';
import {
  argument,
  type Call,
  type CallEmitter,
  checkedReceiver,
  checkedReference,
  receiver,
} from '../control/call-parts.ts';
import { delegate } from '../control/callbacks.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { tags } from '../objects/object-layout.ts';
import { createTuple } from '../objects/tuples.ts';
import { formOf, isSequenceInterface, nameOf, nullOf, representation } from '../representation.ts';
import { NotCompiled } from '../unsupported.ts';
import { i32, parametric } from '../wasm/opcodes.ts';
import { makeLookup } from './groups.ts';
import { optional, pushAdded } from './memory.ts';
import { goOver, itemOf, type Sequence, type WhenNull } from './sequence.ts';
import { source } from './stepping.ts';

const S = 'IEnumerable<TSource>';
const K = 'Func<TSource,TKey>';
const E = 'Func<TSource,TElement>';
const C = 'IEqualityComparer<TKey>';

const lists = new Set(['List', 'Queue', 'IGrouping']);
const dictionaries = new Set(['Dictionary', 'IDictionary', 'IReadOnlyDictionary']);

/** What a dictionary's type says of it. */
export function tableOf(type: Type, place: number): Table {
  const given = type.kind === 'named' ? type.arguments : [];
  const name = nameOf(type);
  if (name === 'HashSet') return { place, key: given[0] as Type, value: null };
  if (name === 'ILookup')
    return { place, key: given[0] as Type, value: { kind: 'named', name: 'IGrouping', arguments: given } };
  return { place, key: given[0] as Type, value: given[1] as Type };
}

const owner = new Set(['Dictionary', 'HashSet', 'ILookup']);

/** The table that a member is asked of; null throws. */
export function ownTable(f: FunctionEmitter, call: Call): Table {
  const { type } = receiver(call);
  if (!owner.has(nameOf(type))) throw new NotCompiled('a dictionary behind an interface');
  return tableOf(type, checkedReceiver(f, call));
}

/** The sequence that a collection is; null for other types. */
export function objectSource(f: FunctionEmitter, node: Expression, whenNull: WhenNull): Sequence | null {
  const name = nameOf(node.type);
  const item = itemOf(node.type);
  if (lists.has(name)) {
    const place = checkedReference(f, node, whenNull);
    return { ...listSequence({ place, item }, name !== 'IGrouping'), place };
  }
  if (name === 'Stack') return stackSequence({ place: checkedReference(f, node, whenNull), item });
  if (isSequenceInterface(node.type)) return anySequence(checkedReference(f, node, whenNull), item);
  if (dictionaries.has(name)) {
    const table = tableOf(node.type, checkedReference(f, node, whenNull));
    const pairs = tableSequence(table, item, true, (g, entry) => pushPair(g, table, item, entry));
    return { ...pairs, place: table.place };
  }
  if (name === 'HashSet') {
    const table = tableOf(node.type, checkedReference(f, node, whenNull));
    const items = tableSequence(table, item, true, (g, entry) => loadEntryKey(g, table, entry));
    return { ...items, place: table.place, set: true };
  }
  if (name === 'ILookup') {
    const table = tableOf(node.type, checkedReference(f, node, whenNull));
    return { ...tableSequence(table, item, false, (g, entry) => loadEntryValue(g, table, entry)), place: table.place };
  }
  return null;
}

/** `dictionary.Keys` and `dictionary.Values`. */
export function tablePart(f: FunctionEmitter, node: Expression, part: 'keys' | 'values'): Sequence {
  const table = tableOf(node.type, checkedReference(f, node, 'NullReferenceException'));
  return part === 'keys'
    ? tableSequence(table, table.key, true, (g, entry) => loadEntryKey(g, table, entry))
    : tableSequence(table, table.value as Type, true, (g, entry) => loadEntryValue(g, table, entry));
}

/** `lookup[key]`: the items of a group, none where there is no such key. */
export function lookupItems(f: FunctionEmitter, call: Call): Sequence {
  const { code } = f;
  const node = receiver(call);
  const lookup = tableOf(node.type, checkedReference(f, node, 'NullReferenceException'));
  const entry = findEntry(f, lookup, f.toLocal(argument(call, 0)).local);
  const group = code.local('i32');
  code.i32(0);
  code.set(group);
  code.get(entry);
  code.if();
  loadEntryValue(f, lookup, entry);
  code.set(group);
  code.end();
  return listSequence({ place: group, item: itemOf(call.type) }, false, true);
}

function pushPair(f: FunctionEmitter, table: Table, type: Type, entry: number): void {
  const { code } = f;
  const parts = [table.key, table.value as Type].map((part, index): [Type, number] => {
    if (index === 0) loadEntryKey(f, table, entry);
    else loadEntryValue(f, table, entry);
    const local = code.local(representation(part));
    code.set(local);
    return [part, local];
  });
  createTuple(f, tags.pair, type, parts);
}

/** Throws when the key in a local is null. */
export function requireKey(f: FunctionEmitter, type: Type, key: number): void {
  if (formOf(type) === null) return;
  f.code.get(key);
  f.code.i32(nullOf(type));
  f.code.op(i32.eq);
  f.failIf('ArgumentNullException');
}

/** `dictionary.Add(key, value)` of what lies in locals. */
export function addNew(f: FunctionEmitter, table: Table, key: number, value: number): void {
  requireKey(f, table.key, key);
  const entry = findEntry(f, table, key);
  f.code.get(entry);
  f.failIf('ArgumentException');
  addEntry(f, table, entry);
  putEntryValue(f, table, entry, value);
}

const toList: CallEmitter = (f, call) => {
  f.code.get(collect(f, source(f, call), call.type).place);
};

const toArray: CallEmitter = (f, call) => pushArrayOf(f, collect(f, source(f, call)));

const toHashSet: CallEmitter = (f, call) => {
  const folded = foldsCase(optional(call, 1));
  const items = source(f, call);
  const set = newTable(f, call.type, itemOf(call.type), null, folded);
  if (items.set === true) {
    // A set keeps its places, if both compare alike.
    f.code.get(set.place);
    f.code.get(items.place as number);
    f.core('tableCopy');
    checkAnswer(f, true);
    f.code.op(i32.eqz);
    f.code.if();
  }
  goOver(f, items, (item) => {
    pushAdded(f, set, item);
    f.code.op(parametric.drop);
  });
  if (items.set === true) f.code.end();
  f.code.get(set.place);
};

function toDictionary(hasElement: boolean): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const items = source(f, call);
    const key = delegate(f, argument(call, 1), [items.item]);
    const element = hasElement ? delegate(f, argument(call, 2), [items.item]) : null;
    const value = element?.result ?? items.item;
    const folded = foldsCase(optional(call, hasElement ? 3 : 2));
    const made = newTable(f, call.type, key.result, value, folded);
    goOver(f, items, (item) => {
      const own = code.local(representation(key.result));
      key.apply([item]);
      code.set(own);
      let held = item;
      if (element !== null) {
        held = code.local(representation(value));
        element.apply([item]);
        code.set(held);
      }
      addNew(f, made, own, held);
    });
    code.get(made.place);
  };
}

function toLookup(hasElement: boolean): CallEmitter {
  return (f, call) => {
    const items = source(f, call);
    const key = delegate(f, argument(call, 1), [items.item]);
    const element = hasElement ? delegate(f, argument(call, 2), [items.item]) : null;
    const folded = foldsCase(optional(call, hasElement ? 3 : 2));
    f.code.get(makeLookup(f, { items, key, element, folded }).place);
  };
}

const both = (key: string, comparer: string, emit: CallEmitter): [string, CallEmitter][] => [
  [`Enumerable.${key})`, emit],
  [`Enumerable.${key},${comparer})`, emit],
];

export const makers: readonly [string, CallEmitter][] = [
  [`Enumerable.ToList<TSource>(${S})`, toList],
  [`Enumerable.ToArray<TSource>(${S})`, toArray],
  ...both(`ToHashSet<TSource>(${S}`, 'IEqualityComparer<TSource>', toHashSet),
  ...both(`ToDictionary<TSource,TKey>(${S},${K}`, C, toDictionary(false)),
  ...both(`ToDictionary<TSource,TKey,TElement>(${S},${K},${E}`, C, toDictionary(true)),
  ...both(`ToLookup<TSource,TKey>(${S},${K}`, C, toLookup(false)),
  ...both(`ToLookup<TSource,TKey,TElement>(${S},${K},${E}`, C, toLookup(true)),
];
