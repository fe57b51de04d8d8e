// Enumerable: sets, groups, lookups, joins and dictionaries.

import type { Type } from '../../types.ts';
import { newArray } from '../array-objects.ts';
import { DictionaryObject, SetObject } from '../collections.ts';
import { type Comparer, comparerOrDefault } from '../equality.ts';
import { argumentNull } from '../exceptions.ts';
import { allocate, charge } from '../machine.ts';
import { type RuntimeType, runtimeType } from '../runtime-types.ts';
import { KeyValue } from '../structs.ts';
import { DeferredSequence, over, Sequence, type Value } from '../values.ts';
import { addNew } from './collections.ts';
import { concat, deferred, itemOf, itself, OBJECT, withComparer } from './deferred.ts';
import { bySite, type MemberTable, type Native, type Site, type SiteNative } from './native.ts';

// --- sets -------------------------------------------------------------------------------------------------------------

const anySet = runtimeType({ kind: 'named', name: 'HashSet', arguments: [OBJECT] });

function newSet(comparer: Comparer | null): SetObject {
  return new SetObject(anySet, comparer);
}

function* distinct(source: Value, key: Native, comparer: Comparer | null): Generator<Value> {
  const seen = newSet(comparer);
  for (const item of over(source)) if (seen.add(key(item))) yield item;
}

function* except(first: Value, second: Value, key: Native, comparer: Comparer | null): Generator<Value> {
  const seen = newSet(comparer);
  for (const item of over(second, 'second')) seen.add(item);
  for (const item of over(first)) if (seen.add(key(item))) yield item;
}

function* intersect(first: Value, second: Value, key: Native, comparer: Comparer | null): Generator<Value> {
  const wanted = newSet(comparer);
  for (const item of over(second, 'second')) wanted.add(item);
  for (const item of over(first)) if (wanted.remove(key(item))) yield item;
}

function* union(first: Value, second: Value, key: Native, comparer: Comparer | null): Generator<Value> {
  yield* distinct(new DeferredSequence(OBJECT, () => concat(first, second)), key, comparer);
}

// --- groups -----------------------------------------------------------------------------------------------------------

/** IGrouping: a key and its items in order. */
class Group extends Sequence {
  readonly type: RuntimeType;
  readonly key: Value;
  readonly items: Value[] = [];

  constructor(type: RuntimeType, key: Value) {
    super();
    this.type = type;
    this.key = key;
  }

  override get count(): number {
    return this.items.length;
  }

  *cursor(): Generator<Value> {
    for (const item of this.items) {
      charge(1);
      yield item;
    }
  }
}

function* groupsOf(groups: Iterable<Group>): Generator<Group> {
  for (const group of groups) {
    charge(1);
    yield group;
  }
}

/** ILookup: groups in the order in which their keys came. */
class Lookup extends Sequence {
  readonly type: RuntimeType;
  readonly groups = new Map<Value, Group>();
  readonly #comparer: Comparer;
  readonly #group: RuntimeType;

  constructor(type: RuntimeType, group: RuntimeType, comparer: Comparer | null) {
    super();
    this.type = type;
    this.#group = group;
    this.#comparer = comparerOrDefault(comparer);
  }

  add(key: Value, item: Value): void {
    const own = this.#comparer.key(key);
    let group = this.groups.get(own);
    if (!group) {
      allocate(96);
      group = new Group(this.#group, key);
      this.groups.set(own, group);
    }
    allocate(8);
    group.items.push(item);
  }

  find(key: Value): Group | undefined {
    charge(1);
    return this.groups.get(this.#comparer.key(key));
  }

  cursor(): Iterator<Group> {
    return groupsOf(this.groups.values());
  }
  override get count(): number {
    return this.groups.size;
  }
}

function lookup(
  source: Value,
  key: Native,
  element: Native,
  comparer: Comparer | null,
  types: readonly Type[],
): Lookup {
  const result = newLookup(comparer, types);
  for (const item of over(source)) result.add(key(item), element(item));
  return result;
}

function newLookup(comparer: Comparer | null, types: readonly Type[]): Lookup {
  const list = [...types];
  const type = runtimeType({ kind: 'named', name: 'ILookup', arguments: list });
  return new Lookup(type, runtimeType({ kind: 'named', name: 'IGrouping', arguments: list }), comparer);
}

/** Key and element type of groups made at a place: TSource, TKey[, TElement]. */
function groupTypes(site: Site, hasElement: boolean): readonly Type[] {
  const [source, key, element] = site.typeArguments;
  return [key ?? OBJECT, (hasElement ? element : source) ?? OBJECT];
}

function groupBy(hasElement: boolean, hasResult: boolean): SiteNative {
  return bySite((site) => {
    const types = groupTypes(site, hasElement);
    const type = runtimeType(site.result);
    return (source, key, ...rest) => {
      if (source === null) return argumentNull('source');
      if (key === null) return argumentNull('keySelector');
      const element: Native = hasElement ? rest[0] : itself;
      const result: Native | null = hasResult ? rest[hasElement ? 1 : 0] : null;
      const comparer: Comparer | null = rest[(hasElement ? 1 : 0) + (hasResult ? 1 : 0)] ?? null;
      return new DeferredSequence(type, function* () {
        for (const group of lookup(source, key, element, comparer, types).groups.values()) {
          charge(1);
          yield result ? result(group.key, group) : group;
        }
      });
    };
  });
}

/** The inner side of a join: what has no key is in no group. */
function joinLookup(inner: Value, key: Native, comparer: Comparer | null): Lookup {
  const result = newLookup(comparer, [OBJECT, OBJECT]);
  for (const item of over(inner)) {
    const own = key(item);
    if (own !== null) result.add(own, item);
  }
  return result;
}

function* join(
  outer: Value,
  inner: Value,
  outerKey: Native,
  innerKey: Native,
  result: Native,
  comparer: Comparer | null = null,
): Generator<Value> {
  let table: Lookup | null = null;
  for (const item of over(outer)) {
    // Not before the outer sequence has an item; without any group no further one is asked for.
    table ??= joinLookup(inner, innerKey, comparer);
    if (table.groups.size === 0) return;
    const key = outerKey(item);
    const group = key === null ? undefined : table.find(key);
    for (const match of group?.items ?? []) {
      charge(1);
      yield result(item, match);
    }
  }
}

function* groupJoin(
  outer: Value,
  inner: Value,
  outerKey: Native,
  innerKey: Native,
  result: Native,
  comparer: Comparer | null = null,
): Generator<Value> {
  const none = newArray(OBJECT, []);
  let table: Lookup | null = null;
  for (const item of over(outer)) {
    // Not before the outer sequence has an item.
    table ??= joinLookup(inner, innerKey, comparer);
    const key = outerKey(item);
    yield result(item, (key === null ? undefined : table.find(key)) ?? none);
  }
}

function toDictionary(hasElement: boolean): SiteNative {
  return bySite((site) => {
    const type = runtimeType(site.result);
    return (source, key, ...rest) => {
      const element: Native = hasElement ? rest[0] : itself;
      const dictionary = new DictionaryObject(type, rest[hasElement ? 1 : 0] ?? null);
      for (const item of over(source)) addNew(dictionary, key(item), element(item));
      return dictionary;
    };
  });
}

const toLookup = (hasElement: boolean): SiteNative =>
  bySite(
    (site) =>
      (source, key, ...rest) =>
        lookup(
          source,
          key,
          hasElement ? rest[0] : itself,
          rest[hasElement ? 1 : 0] ?? null,
          groupTypes(site, hasElement),
        ),
  );

// --- the tables --------------------------------------------------------------------------------------------------------

const S = 'IEnumerable<TSource>';
const K = 'Func<TSource,TKey>';
const E = 'Func<TSource,TElement>';
const C = 'IEqualityComparer<TKey>';

const SETS: MemberTable = {
  ...withComparer(
    `Distinct<TSource>(${S}`,
    'IEqualityComparer<TSource>',
    deferred((source, comparer = null) => distinct(source, itself, comparer)),
  ),
  ...withComparer(
    `DistinctBy<TSource,TKey>(${S},${K}`,
    C,
    deferred((source, key, comparer = null) => distinct(source, key, comparer)),
  ),
  ...withComparer(
    `Except<TSource>(${S},${S}`,
    'IEqualityComparer<TSource>',
    deferred((a, b, comparer = null) => except(a, b, itself, comparer), 2),
  ),
  ...withComparer(
    `Intersect<TSource>(${S},${S}`,
    'IEqualityComparer<TSource>',
    deferred((a, b, comparer = null) => intersect(a, b, itself, comparer), 2),
  ),
  ...withComparer(
    `Union<TSource>(${S},${S}`,
    'IEqualityComparer<TSource>',
    deferred((a, b, comparer = null) => union(a, b, itself, comparer), 2),
  ),
  ...withComparer(
    `ExceptBy<TSource,TKey>(${S},IEnumerable<TKey>,${K}`,
    C,
    deferred((a, b, key, comparer = null) => except(a, b, key, comparer), 2),
  ),
  ...withComparer(
    `IntersectBy<TSource,TKey>(${S},IEnumerable<TKey>,${K}`,
    C,
    deferred((a, b, key, comparer = null) => intersect(a, b, key, comparer), 2),
  ),
  ...withComparer(
    `UnionBy<TSource,TKey>(${S},${S},${K}`,
    C,
    deferred((a, b, key, comparer = null) => union(a, b, key, comparer), 2),
  ),
};

const JOINED = 'IEnumerable<TOuter>,IEnumerable<TInner>,Func<TOuter,TKey>,Func<TInner,TKey>';

const GROUPS: MemberTable = {
  ...withComparer(`GroupBy<TSource,TKey>(${S},${K}`, C, groupBy(false, false)),
  ...withComparer(`GroupBy<TSource,TKey,TElement>(${S},${K},${E}`, C, groupBy(true, false)),
  ...withComparer(`GroupBy<TSource,TKey,TResult>(${S},${K},Func<TKey,${S},TResult>`, C, groupBy(false, true)),
  ...withComparer(
    `GroupBy<TSource,TKey,TElement,TResult>(${S},${K},${E},Func<TKey,IEnumerable<TElement>,TResult>`,
    C,
    groupBy(true, true),
  ),
  ...withComparer(`Join<TOuter,TInner,TKey,TResult>(${JOINED},Func<TOuter,TInner,TResult>`, C, deferred(join, 2)),
  ...withComparer(
    `GroupJoin<TOuter,TInner,TKey,TResult>(${JOINED},Func<TOuter,IEnumerable<TInner>,TResult>`,
    C,
    deferred(groupJoin, 2),
  ),
  ...withComparer(`ToDictionary<TSource,TKey>(${S},${K}`, C, toDictionary(false)),
  ...withComparer(`ToDictionary<TSource,TKey,TElement>(${S},${K},${E}`, C, toDictionary(true)),
  ...withComparer(`ToLookup<TSource,TKey>(${S},${K}`, C, toLookup(false)),
  ...withComparer(`ToLookup<TSource,TKey,TElement>(${S},${K},${E}`, C, toLookup(true)),
  [`Enumerable.CountBy<TSource,TKey>(${S},${K},${C})`]: bySite((site) => {
    const type = runtimeType(site.result);
    return (source, key, comparer) =>
      new DeferredSequence(type, function* () {
        for (const group of lookup(source, key, itself, comparer, [OBJECT, OBJECT]).groups.values()) {
          yield new KeyValue(group.key, group.items.length);
        }
      });
  }),
  'IGrouping<TKey,TElement>.get_Key()': (group) => group.key,
  'ILookup<TKey,TElement>.get_Count()': (table) => table.count,
  'ILookup<TKey,TElement>.get_Item(TKey)': bySite((site) => {
    const none = newArray(itemOf(site.result), []);
    return (table, key) => table.find(key) ?? none;
  }),
  'ILookup<TKey,TElement>.Contains(TKey)': (table, key) => table.find(key) !== undefined,
};

export const GROUP_MEMBERS: MemberTable = { ...SETS, ...GROUPS };
