// GroupBy, and the lookups behind all members of LINQ that group.

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
  loadGroupKey,
  newList,
  putGroupKey,
} from '../collections/list-objects.ts';
import { argument, type Call } from '../control/call-parts.ts';
import { type Applied, argumentPlaces, delegate, lambdaOf } from '../control/callbacks.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { formOf, nullOf } from '../representation.ts';
import { i32 } from '../wasm/opcodes.ts';
import { keep, optional, remembered } from './memory.ts';
import { goOver, itemOf, type Sequence, type SequenceMember } from './sequence.ts';
import { mapped } from './sources.ts';
import { source } from './stepping.ts';

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
export function applyToGroup(f: FunctionEmitter, selector: Expression, first: number, group: List): Applied {
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

export function resultType(call: Call): Type {
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

/** A member with and without a comparer of its keys. */
export const withComparer = (key: string, member: SequenceMember): [string, SequenceMember][] => [
  [`${where}${key})`, member],
  [`${where}${key},${C})`, member],
];

export const groupMembers: readonly [string, SequenceMember][] = [
  ...withComparer(`GroupBy<TSource,TKey>(${S},${K}`, groupBy(false, false)),
  ...withComparer(`GroupBy<TSource,TKey,TElement>(${S},${K},${E}`, groupBy(true, false)),
  ...withComparer(`GroupBy<TSource,TKey,TResult>(${S},${K},Func<TKey,${S},TResult>`, groupBy(false, true)),
  ...withComparer(`GroupBy<TSource,TKey,TElement,TResult>(${S},${K},${E},Func<TKey,IEnumerable<TElement>,TResult>`, groupBy(true, true)),
]; // biome-ignore format: a table
