// The members of LINQ that group: GroupBy, Join, GroupJoin, and the lookups behind them.

import type { Expression } from '../../tree.ts';
import type { Type } from '../../types.ts';
import {
  addEntry,
  findEntry,
  foldsCase,
  loadEntryValue,
  newTable,
  putEntryValue,
  type Table,
  tableSequence,
} from '../collections/hash-tables.ts';
import {
  addItem,
  collect,
  type List,
  listSequence,
  listType,
  loadGroupKey,
  newList,
  pushCount,
  putGroupKey,
} from '../collections/list-objects.ts';
import { argument, type Call } from '../control/call-parts.ts';
import { type Applied, argumentPlaces, delegate, lambdaOf } from '../control/callbacks.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { formOf, nullOf } from '../representation.ts';
import { NotCompiled } from '../unsupported.ts';
import { i32, parametric } from '../wasm/opcodes.ts';
import { keep, optional, remembered } from './memory.ts';
import { goOver, itemOf, type Sequence, type SequenceMember } from './sequence.ts';
import { mapped } from './sources.ts';
import { flattened, source } from './stepping.ts';

const S = 'IEnumerable<TSource>';
const K = 'Func<TSource,TKey>';
const E = 'Func<TSource,TElement>';
const C = 'IEqualityComparer<TKey>';
const where = 'Enumerable.';

interface Lookup extends Table {
  readonly group: Type;
  readonly element: Type;
}

/** How groups are made: the arguments of GroupBy, ToLookup and of the inner side of a join. */
export interface Grouping {
  readonly items: Sequence;
  readonly key: Applied;
  readonly element: Applied | null;
  readonly folded: boolean;
  /** Leaves out what has no key, as joins do. */
  readonly keyed?: boolean;
}

/** A lookup of all items. */
export function makeLookup(f: FunctionEmitter, { items, key, element, folded, keyed = false }: Grouping): Lookup {
  const { code } = f;
  const type = element?.result ?? items.item;
  const group: Type = { kind: 'named', name: 'IGrouping', arguments: [key.result, type] };
  const made = newTable(
    f,
    { kind: 'named', name: 'ILookup', arguments: [key.result, type] },
    key.result,
    group,
    folded,
  );
  goOver(f, items, (item) => {
    const own = keep(f, key.result, () => key.apply([item]));
    const value = element === null ? item : keep(f, type, () => element.apply([item]));
    const leavesOut = keyed && formOf(key.result) !== null;
    if (leavesOut) {
      code.get(own);
      code.i32(nullOf(key.result));
      code.op(i32.ne);
      code.if();
    }
    const entry = findEntry(f, made, own);
    const list = code.local('i32');
    code.get(entry);
    code.op(i32.eqz);
    code.if();
    const fresh = newList(f, group, type);
    putGroupKey(f, fresh.place, key.result, own);
    addEntry(f, made, entry);
    putEntryValue(f, made, entry, fresh.place);
    code.end();
    loadEntryValue(f, made, entry);
    code.set(list);
    addItem(f, { place: list, item: type }, value);
    if (leavesOut) code.end();
  });
  return { ...made, group, element: type };
}

/** The groups of a lookup. */
function lookupGroups(lookup: Lookup): Sequence {
  return tableSequence(lookup, lookup.group, false, (f, entry) => loadEntryValue(f, lookup, entry));
}

/** What a selector makes of a key or an item, and of a group whose items its parameter stands for. */
function applyToGroup(f: FunctionEmitter, selector: Expression, first: number, group: List): Applied {
  const lambda = lambdaOf(selector);
  const parameter = lambda?.parameters[1];
  if (lambda !== null && parameter !== undefined) {
    const items = { ...listSequence(group, false, true), place: group.place };
    return {
      result: lambda.returnType,
      apply: () => {
        f.sequences.set(parameter, items);
        f.inline(lambda, argumentPlaces(f, lambda, [first, group.place]));
      },
    };
  }
  return delegate(f, selector, []);
}

function resultType(call: Call): Type {
  return itemOf(call.type);
}

function groupBy(hasElement: boolean, hasResult: boolean): SequenceMember {
  return (f, call) => {
    const items = source(f, call);
    const key = delegate(f, argument(call, 1), [items.item]);
    const element = hasElement ? delegate(f, argument(call, 2), [items.item]) : null;
    const resultAt = hasElement ? 3 : 2;
    const folded = foldsCase(optional(call, resultAt + (hasResult ? 1 : 0)));
    const item: Type = { kind: 'named', name: 'IGrouping', arguments: [key.result, element?.result ?? items.item] };
    const groups = remembered(item, (g) => {
      const lookup = makeLookup(g, { items, key, element, folded });
      return collect(g, lookupGroups(lookup));
    });
    if (!hasResult) return groups;
    return mapped(groups, resultType(call), (g, group) => {
      const own = keep(g, key.result, () => loadGroupKey(g, group, key.result));
      applyToGroup(g, argument(call, resultAt), own, { place: group, item: element?.result ?? items.item }).apply([]);
    });
  };
}

/** Join and GroupJoin. */
function join(grouped: boolean): SequenceMember {
  return (f, call) => {
    const [outer, inner] = [source(f, call), source(f, call, 1)];
    const outerKey = delegate(f, argument(call, 2), [outer.item]);
    const innerKey = delegate(f, argument(call, 3), [inner.item]);
    const folded = foldsCase(optional(call, 5));
    const item = resultType(call);
    const combine = grouped ? null : delegate(f, argument(call, 4), [outer.item, inner.item]);
    const begin = (g: FunctionEmitter) => {
      const ready = g.code.local('i32');
      g.code.i32(0);
      g.code.set(ready);
      return { ready, table: g.code.local('i32') };
    };
    /** Makes the lookup, once: not before the outer sequence has an item. */
    const prepare = (g: FunctionEmitter, { ready, table }: ReturnType<typeof begin>): void => {
      const { code } = g;
      code.get(ready);
      code.op(i32.eqz);
      code.if();
      code.get(makeLookup(g, { items: inner, key: innerKey, element: null, folded, keyed: true }).place);
      code.set(table);
      code.i32(1);
      code.set(ready);
      code.end();
    };
    /** The group of an outer item in a local, 0 without one. */
    const groupOf = (g: FunctionEmitter, each: number, { table }: ReturnType<typeof begin>): List => {
      const { code } = g;
      const group = code.local('i32');
      const key = keep(g, outerKey.result, () => outerKey.apply([each]));
      const lookup: Table = { place: table, key: outerKey.result, value: inner.item };
      const entry = findEntry(g, lookup, key);
      code.i32(0);
      code.set(group);
      code.get(entry);
      if (formOf(lookup.key) !== null) {
        // What has no key meets nothing.
        code.i32(0);
        code.get(key);
        code.i32(nullOf(lookup.key));
        code.op(i32.ne, parametric.select);
      } else if (lookup.key.kind === 'nullable') throw new NotCompiled('a join by nullable keys');
      code.if();
      loadEntryValue(g, { ...lookup, value: { kind: 'primitive', name: 'object' } }, entry);
      code.set(group);
      code.end();
      return { place: group, item: inner.item };
    };
    if (combine !== null) {
      // Whoever goes over the join begins it first, then its outer side.
      let begun: ReturnType<typeof begin>;
      /** The outer items; none any more where no group could meet them. */
      const met: Sequence = {
        item: outer.item,
        start: (g) => {
          const own = begun;
          const next = outer.start(g);
          return (end) => {
            const each = next(end);
            prepare(g, own);
            pushCount(g, own.table);
            g.code.op(i32.eqz);
            g.code.branchIf(end);
            return each;
          };
        },
      };
      const beginJoin = (g: FunctionEmitter) => {
        begun = begin(g);
        return begun;
      };
      return flattened(met, item, beginJoin, (g, each, state) =>
        mapped(listSequence(groupOf(g, each, state), false, true), item, (_, own) => combine.apply([each, own])),
      );
    }
    return {
      item,
      start: (g) => {
        const state = begin(g);
        const next = outer.start(g);
        return (end) => {
          const each = next(end);
          prepare(g, state);
          const group = groupOf(g, each, state);
          // Without one it is empty, not null.
          g.code.get(group.place);
          g.code.op(i32.eqz);
          g.code.if();
          g.code.get(newList(g, listType(inner.item), inner.item).place);
          g.code.set(group.place);
          g.code.end();
          return keep(g, item, () => applyToGroup(g, argument(call, 4), each, group).apply([]));
        };
      },
    };
  };
}

const withComparer = (key: string, member: SequenceMember): [string, SequenceMember][] => [
  [`${where}${key})`, member],
  [`${where}${key},${C})`, member],
];

const joined = 'IEnumerable<TOuter>,IEnumerable<TInner>,Func<TOuter,TKey>,Func<TInner,TKey>';

export const groupMembers: readonly [string, SequenceMember][] = [
  ...withComparer(`GroupBy<TSource,TKey>(${S},${K}`, groupBy(false, false)),
  ...withComparer(`GroupBy<TSource,TKey,TElement>(${S},${K},${E}`, groupBy(true, false)),
  ...withComparer(`GroupBy<TSource,TKey,TResult>(${S},${K},Func<TKey,${S},TResult>`, groupBy(false, true)),
  ...withComparer(`GroupBy<TSource,TKey,TElement,TResult>(${S},${K},${E},Func<TKey,IEnumerable<TElement>,TResult>`, groupBy(true, true)),
  ...withComparer(`Join<TOuter,TInner,TKey,TResult>(${joined},Func<TOuter,TInner,TResult>`, join(false)),
  ...withComparer(`GroupJoin<TOuter,TInner,TKey,TResult>(${joined},Func<TOuter,IEnumerable<TInner>,TResult>`, join(true)),
]; // biome-ignore format: a table
