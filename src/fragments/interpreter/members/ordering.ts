// Enumerable: sorting. Stable, by any number of keys, when somebody looks.

import { type Comparer, comparerOrDefault } from '../equality.ts';
import { argumentNull } from '../exceptions.ts';
import { allocate, charge } from '../machine.ts';
import { type RuntimeType, runtimeType } from '../runtime-types.ts';
import { collect, Sequence, type Value } from '../values.ts';
import { itself } from './deferred.ts';
import { bySite, type MemberTable, type Native, type SiteNative } from './native.ts';

// --- order ------------------------------------------------------------------------------------------------------------

interface SortKey {
  readonly key: Native;
  readonly compare: (left: Value, right: Value) => number;
  readonly descending: boolean;
}

/** IOrderedEnumerable: keys are computed once, the sort is stable and happens when somebody looks. */
class OrderedSequence extends Sequence {
  readonly type: RuntimeType;
  readonly #source: Value;
  readonly #keys: readonly SortKey[];

  constructor(type: RuntimeType, source: Value, keys: readonly SortKey[]) {
    super();
    this.type = type;
    this.#source = source;
    this.#keys = keys;
  }

  andBy(key: SortKey): OrderedSequence {
    return new OrderedSequence(this.type, this.#source, [...this.#keys, key]);
  }

  *cursor(): Generator<Value> {
    const items = collect(this.#source);
    allocate(items.length * 8 * (this.#keys.length + 1));
    const columns = this.#keys.map(({ key }) => items.map((item) => key(item)));
    const order = items.map((_, at) => at);
    order.sort((left, right) => {
      charge(1);
      for (let at = 0; at < columns.length; at++) {
        const { compare, descending } = this.#keys[at]!;
        const column = columns[at]!;
        const result = compare(column[left], column[right]);
        if (result !== 0) return descending ? -result : result;
      }
      return left - right;
    });
    for (const at of order) {
      charge(1);
      yield items[at];
    }
  }
}

function sortKey(key: Native, comparer: Comparer | null, descending: boolean): SortKey {
  return { key, compare: comparerOrDefault(comparer).compare, descending };
}

function orderTable(): MemberTable {
  const table: Record<string, Native | SiteNative> = {};
  for (const [suffix, descending] of [
    ['', false],
    ['Descending', true],
  ] as const) {
    const first = bySite((site) => {
      const type = runtimeType(site.result);
      return (source, key, comparer = null) => {
        if (source === null) return argumentNull('source');
        return new OrderedSequence(type, source, [sortKey(key ?? argumentNull('keySelector'), comparer, descending)]);
      };
    });
    const plain = bySite((site) => {
      const type = runtimeType(site.result);
      return (source, comparer = null) => {
        if (source === null) return argumentNull('source');
        return new OrderedSequence(type, source, [sortKey(itself, comparer, descending)]);
      };
    });
    const next: Native = (source, key, comparer = null) =>
      source === null
        ? argumentNull('source')
        : source.andBy(sortKey(key ?? argumentNull('keySelector'), comparer, descending));
    const by = `<TSource,TKey>(IEnumerable<TSource>,Func<TSource,TKey>`;
    const then = `<TSource,TKey>(IOrderedEnumerable<TSource>,Func<TSource,TKey>`;
    table[`Enumerable.OrderBy${suffix}${by})`] = first;
    table[`Enumerable.OrderBy${suffix}${by},IComparer<TKey>)`] = first;
    table[`Enumerable.ThenBy${suffix}${then})`] = next;
    table[`Enumerable.ThenBy${suffix}${then},IComparer<TKey>)`] = next;
    table[`Enumerable.Order${suffix}<TSource>(IEnumerable<TSource>)`] = plain;
    table[`Enumerable.Order${suffix}<TSource>(IEnumerable<TSource>,IComparer<TSource>)`] = plain;
  }
  return table;
}

export const ORDER_MEMBERS: MemberTable = orderTable();
