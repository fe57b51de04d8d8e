// The members of LINQ that have to remember items before they give one: order, reversal, sets, groups, joins. What they remember is made
// when somebody asks for the first item, each time anew.

import type { Expression } from '../../tree.ts';
import type { Type } from '../../types.ts';
import { addEntry, findEntry, foldsCase, newTable, type Table } from '../collections/hash-tables.ts';
import {
  addItem,
  checkZero,
  collect,
  type List,
  listSequence,
  listType,
  newList,
  pushCount,
  pushFirst,
  pushItems,
} from '../collections/list-objects.ts';
import { argument, type Call } from '../control/call-parts.ts';
import { type Applied, delegate } from '../control/callbacks.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { representation } from '../representation.ts';
import { NotCompiled } from '../unsupported.ts';
import { i32, parametric } from '../wasm/opcodes.ts';
import { concatenated } from './parts.ts';
import { goOver, type Ordering, type Sequence, type SequenceMember } from './sequence.ts';
import { mapped } from './sources.ts';
import { passing, source } from './stepping.ts';

const S = 'IEnumerable<TSource>';
const K = 'Func<TSource,TKey>';
const C = 'IEqualityComparer<TKey>';
const where = 'Enumerable.';

/** An argument that may be missing. */
export function optional(call: Call, index: number): Expression | null {
  return index < call.arguments.length ? argument(call, index) : null;
}

/** The items of a list that `fill` makes before the first of them is asked for. */
export function remembered(item: Type, fill: (f: FunctionEmitter) => List): Sequence {
  return {
    item,
    start: (f) => {
      const { code } = f;
      const [list, made] = [code.local('i32'), code.local('i32')];
      code.i32(0);
      code.set(made);
      const next = listSequence({ place: list, item }, false).start(f);
      return (end) => {
        code.get(made);
        code.op(i32.eqz);
        code.if();
        code.get(fill(f).place);
        code.set(list);
        code.i32(1);
        code.set(made);
        code.end();
        return next(end);
      };
    },
  };
}

// --- Order ---------------------------------------------------------------------------------------------------------------

/** Sorts the items of a list by the keys that `orderings` make of them. */
function sort(f: FunctionEmitter, list: List, orderings: readonly Ordering[]): void {
  const { code } = f;
  const level = code.local('i32');
  const columns = orderings.map(({ key, type }) => collect(f, mapped(listSequence(list, false), type, key)));
  f.charge(8);
  code.i32(0);
  code.set(level);
  for (const [index, column] of [...columns.entries()].reverse()) {
    const { descending, folded } = orderings[index] as Ordering;
    pushItems(f, column.place);
    code.i32((descending ? 1 : 0) | (folded ? 2 : 0));
    code.get(level);
    f.core('orderKey');
    code.set(level);
  }
  // Sorting costs, before it is done.
  const cost = code.local('i32');
  pushCount(f, list.place);
  code.i32(4);
  code.op(i32.shl);
  code.set(cost);
  code.getGlobal(0);
  code.get(cost);
  code.op(i32.sub);
  code.setGlobal(0);
  f.charge(1);
  pushItems(f, list.place);
  pushFirst(f, list.place);
  pushCount(f, list.place);
  code.get(level);
  f.core('itemsSort');
  checkZero(f);
}

function ordered(inner: Sequence, orderings: readonly Ordering[]): Sequence {
  const made = remembered(inner.item, (g) => {
    const list = collect(g, inner);
    sort(g, list, orderings);
    return list;
  });
  return { ...made, ordered: { inner, orderings } };
}

/** OrderBy and ThenBy; `keyed`: with a selector of keys. */
function order(keyed: boolean, descending: boolean, then: boolean): SequenceMember {
  return (f, call) => {
    const inner = source(f, call);
    const selector = keyed ? delegate(f, argument(call, 1), [inner.item]) : null;
    const folded = foldsCase(optional(call, keyed ? 2 : 1));
    const ordering: Ordering = {
      type: selector?.result ?? inner.item,
      key: (g, item) => (selector === null ? g.code.get(item) : selector.apply([item])),
      descending,
      folded,
    };
    const before = then ? inner.ordered : undefined;
    if (then && before === undefined) throw new NotCompiled('ThenBy of an order that came from elsewhere');
    return ordered(before?.inner ?? inner, [...(before?.orderings ?? []), ordering]);
  };
}

const reverse: SequenceMember = (f, call) => {
  const inner = source(f, call);
  return remembered(inner.item, (g) => {
    const list = collect(g, inner);
    pushItems(g, list.place);
    pushFirst(g, list.place);
    pushCount(g, list.place);
    g.core('itemsReverse');
    return list;
  });
};

/** TakeLast and SkipLast: what lies before or behind a place of the collected items. */
function last(take: boolean): SequenceMember {
  return (f, call) => {
    const inner = source(f, call);
    const count = f.toLocal(argument(call, 1)).local;
    return remembered(inner.item, (g) => {
      const { code } = g;
      const kept = newList(g, listType(inner.item), inner.item);
      // TakeLast of none asks for no item.
      code.get(count);
      code.i32(take ? 0 : -(2 ** 31));
      code.op(take ? i32.gtS : i32.geS);
      code.if();
      const all = collect(g, inner);
      const index = code.local('i32');
      code.i32(0);
      code.set(index);
      goOver(g, listSequence(all, false), (item) => {
        // How many items there are from here on.
        pushCount(g, all.place);
        code.get(index);
        code.op(i32.sub);
        code.get(count);
        code.op(take ? i32.leS : i32.gtS);
        code.if();
        addItem(g, kept, item);
        code.end();
        code.get(index);
        code.i32(1);
        code.op(i32.add);
        code.set(index);
      });
      code.end();
      return kept;
    });
  };
}

// --- Sets ----------------------------------------------------------------------------------------------------------------

const setType = (item: Type): Type => ({ kind: 'named', name: 'HashSet', arguments: [item] });

/** Puts what `push` pushes into a local. */
export function keep(f: FunctionEmitter, type: Type, push: () => void): number {
  const place = f.code.local(representation(type));
  push();
  f.code.set(place);
  return place;
}

/** Adds a key that lies in a local to a set; pushes whether it is new. */
export function pushAdded(f: FunctionEmitter, set: Table, key: number): void {
  const { code } = f;
  const entry = findEntry(f, set, key);
  code.get(entry);
  code.op(i32.eqz);
  code.if('i32');
  addEntry(f, set, entry);
  code.i32(1);
  code.else();
  code.i32(0);
  code.end();
}

interface SetShape {
  readonly name: 'Distinct' | 'Union' | 'Except' | 'Intersect';
  /** Items are told apart by a key, made by the argument at this place; -1 by themselves. */
  readonly by: number;
  readonly comparer: number;
}

/** Distinct, Union, Except and Intersect: items that a set of those seen, or of those of the other sequence, lets pass. */
function setMember({ name, by, comparer }: SetShape): SequenceMember {
  return (f, call) => {
    const first = source(f, call);
    const second = name === 'Distinct' ? null : source(f, call, 1);
    const selector: Applied | null = by < 0 ? null : delegate(f, argument(call, by), [first.item]);
    const keyType = selector?.result ?? first.item;
    const folded = foldsCase(optional(call, comparer));
    // Also where the first sequence has no items.
    const readsSecondFirst = second !== null && name !== 'Union';
    const items = name === 'Union' && second !== null ? concatenated(first, second) : first;
    const begin = (g: FunctionEmitter) => {
      const ready = g.code.local('i32');
      g.code.i32(0);
      g.code.set(ready);
      return { ready, set: g.code.local('i32') };
    };
    const tableOf = (place: number): Table => ({ place, key: keyType, value: null });
    const prepare = (g: FunctionEmitter, { ready, set: place }: ReturnType<typeof begin>): void => {
      const { code } = g;
      code.get(ready);
      code.op(i32.eqz);
      code.if();
      code.get(newTable(g, setType(keyType), keyType, null, folded).place);
      code.set(place);
      code.i32(1);
      code.set(ready);
      if (readsSecondFirst) {
        goOver(g, second, (other) => {
          pushAdded(g, tableOf(place), other);
          code.op(parametric.drop);
        });
      }
      code.end();
    };
    const test = (g: FunctionEmitter, item: number, state: ReturnType<typeof begin>): void => {
      const { code } = g;
      const { set: place } = state;
      const set = tableOf(place);
      if (!readsSecondFirst) prepare(g, state);
      const key = selector === null ? item : keep(g, keyType, () => selector.apply([item]));
      if (name !== 'Intersect') {
        pushAdded(g, set, key);
        return;
      }
      const entry = findEntry(g, set, key);
      code.get(entry);
      code.if('i32');
      code.get(place);
      code.get(entry);
      g.core('tableRemove');
      code.i32(1);
      code.else();
      code.i32(0);
      code.end();
    };
    return passing(items, begin, test, readsSecondFirst ? prepare : undefined);
  };
}

const bySelf = (name: SetShape['name'], parameters: string, comparer: number): [string, SequenceMember][] => [
  [`${where}${name}<TSource>(${parameters})`, setMember({ name, by: -1, comparer })],
  [`${where}${name}<TSource>(${parameters},IEqualityComparer<TSource>)`, setMember({ name, by: -1, comparer })],
];

const byKey = (name: SetShape['name'], parameters: string, by: number): [string, SequenceMember][] => [
  [`${where}${name}By<TSource,TKey>(${parameters},${K})`, setMember({ name, by, comparer: by + 1 })],
  [`${where}${name}By<TSource,TKey>(${parameters},${K},${C})`, setMember({ name, by, comparer: by + 1 })],
];

export const memoryMembers: readonly [string, SequenceMember][] = [
  ...[false, true].flatMap((descending): [string, SequenceMember][] => {
    const name = descending ? 'Descending' : '';
    return [
      [`${where}OrderBy${name}<TSource,TKey>(${S},${K})`, order(true, descending, false)],
      [`${where}OrderBy${name}<TSource,TKey>(${S},${K},IComparer<TKey>)`, order(true, descending, false)],
      [`${where}ThenBy${name}<TSource,TKey>(IOrderedEnumerable<TSource>,${K})`, order(true, descending, true)],
      [`${where}ThenBy${name}<TSource,TKey>(IOrderedEnumerable<TSource>,${K},IComparer<TKey>)`, order(true, descending, true)],
      [`${where}Order${name}<TSource>(${S})`, order(false, descending, false)],
      [`${where}Order${name}<TSource>(${S},IComparer<TSource>)`, order(false, descending, false)],
    ];
  }),
  [`${where}Reverse<TSource>(${S})`, reverse],
  [`${where}TakeLast<TSource>(${S},int)`, last(true)],
  [`${where}SkipLast<TSource>(${S},int)`, last(false)],
  ...bySelf('Distinct', S, 1),
  ...(['Union', 'Except', 'Intersect'] as const).flatMap((name) => bySelf(name, `${S},${S}`, 2)),
  ...byKey('Distinct', S, 1),
  ...byKey('Union', `${S},${S}`, 2),
  ...(['Except', 'Intersect'] as const).flatMap((name) => byKey(name, `${S},IEnumerable<TKey>`, 2)),
]; // biome-ignore format: a table
