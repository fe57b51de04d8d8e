// Enumerable: everything that gives one value.

import type { Type } from '../../types.ts';
import { SetObject } from '../collections.ts';
import { add, DecimalValue, divide } from '../decimal.ts';
import { type Comparer, comparerOrDefault, compareValues } from '../equality.ts';
import { argumentNull, invalidOperation, outOfRange } from '../exceptions.ts';
import { charge } from '../machine.ts';
import { binaryFunction } from '../operators.ts';
import type { IndexValue } from '../structs.ts';
import { cursorOf, defaultOf, ItemSequence, over, Sequence, type Value } from '../values.ts';
import { bySite, type MemberTable, type Native, type SiteNative } from './native.ts';

const NO_ELEMENTS = 'Sequence contains no elements';
const NO_MATCH = 'Sequence contains no matching element';
const MANY = 'Sequence contains more than one element';
const MANY_MATCH = 'Sequence contains more than one matching element';
const S = 'IEnumerable<TSource>';
const P = 'Func<TSource,bool>';

const every: Native = () => true;

// --- one item ---------------------------------------------------------------------------------------------------------

interface Found {
  readonly known: boolean;
  readonly value: Value;
}

type Find = (source: Value, predicate: Native) => Found;

const NONE: Found = { known: false, value: undefined };

const findFirst: Find = (source, predicate) => {
  for (const item of over(source)) if (predicate(item)) return { known: true, value: item };
  return NONE;
};

const findLast: Find = (source, predicate) => {
  if (predicate === every && source instanceof ItemSequence && source.count > 0) {
    return { known: true, value: source.items[source.items.length - 1] };
  }
  let found = NONE;
  for (const item of over(source)) if (predicate(item)) found = { known: true, value: item };
  return found;
};

function findSingle(source: Value, predicate: Native): Found {
  let found = NONE;
  for (const item of over(source)) {
    if (!predicate(item)) continue;
    if (found.known) return invalidOperation(predicate === every ? MANY : MANY_MATCH);
    found = { known: true, value: item };
  }
  return found;
}

function itemMembers(name: string, find: Find): Record<string, Native | SiteNative> {
  const required = (source: Value, predicate: Native): Value => {
    const found = find(source, predicate ?? argumentNull('predicate'));
    if (found.known) return found.value;
    return invalidOperation(predicate === every ? NO_ELEMENTS : NO_MATCH);
  };
  const optional = (predicateAt: number | null, defaultAt: number | null) =>
    bySite((site) => {
      const initial = defaultOf(site.result);
      return (source, ...rest) => {
        const predicate = predicateAt === null ? every : (rest[predicateAt] ?? argumentNull('predicate'));
        const found = find(source, predicate);
        if (found.known) return found.value;
        return defaultAt === null ? initial : rest[defaultAt];
      };
    });
  const key = `Enumerable.${name}`;
  return {
    [`${key}<TSource>(${S})`]: (source) => required(source, every),
    [`${key}<TSource>(${S},${P})`]: required,
    [`${key}OrDefault<TSource>(${S})`]: optional(null, null),
    [`${key}OrDefault<TSource>(${S},TSource)`]: optional(null, 0),
    [`${key}OrDefault<TSource>(${S},${P})`]: optional(0, null),
    [`${key}OrDefault<TSource>(${S},${P},TSource)`]: optional(0, 1),
  };
}

function elementAt(source: Value, index: number): Found {
  if (source instanceof ItemSequence && source.count === source.items.length) {
    return index >= 0 && index < source.items.length ? { known: true, value: source.items[index] } : NONE;
  }
  if (index < 0) return source === null ? argumentNull('source') : NONE;
  let left = index;
  for (const item of over(source)) if (left-- === 0) return { known: true, value: item };
  return NONE;
}

// --- counting ---------------------------------------------------------------------------------------------------------

function countOf(source: Value, predicate: Native): number {
  if (predicate === every && source instanceof Sequence && source.count !== null) return source.count;
  if (predicate === every && typeof source === 'string') return source.length;
  let count = 0;
  for (const item of over(source)) if (predicate(item)) count++;
  return count;
}

function any(source: Value, predicate: Native): boolean {
  if (predicate === every && source instanceof Sequence && source.count !== null) return source.count > 0;
  for (const item of over(source)) if (predicate(item)) return true;
  return false;
}

function all(source: Value, predicate: Native): boolean {
  for (const item of over(source)) if (!predicate(item)) return false;
  return true;
}

function contains(source: Value, value: Value, comparer: Comparer | null = null): boolean {
  if (source instanceof SetObject && comparer === null) return source.has(value);
  const { equals } = comparerOrDefault(comparer);
  for (const item of over(source)) if (equals(item, value)) return true;
  return false;
}

function sequenceEqual(first: Value, second: Value, comparer: Comparer | null = null): boolean {
  const { equals } = comparerOrDefault(comparer);
  const other = cursorOf(second, 'second');
  for (const item of over(first, 'first')) {
    const step = other.next();
    if (step.done || !equals(item, step.value)) return false;
  }
  return other.next().done === true;
}

function aggregate(source: Value, step: Native): Value {
  const cursor = cursorOf(source);
  const first = cursor.next();
  if (first.done) return invalidOperation(NO_ELEMENTS);
  let result = first.value;
  for (let next = cursor.next(); !next.done; next = cursor.next()) result = step(result, next.value);
  return result;
}

function aggregateFrom(source: Value, seed: Value, step: Native): Value {
  let result = seed;
  for (const item of over(source)) result = step(result, item);
  return result;
}

// --- sums and extremes ------------------------------------------------------------------------------------------------

/** How one number type is summed and divided. */
interface Arithmetic {
  readonly zero: Value;
  plus(left: Value, right: Value): Value;
  /** The sum as the type of `Sum`. */
  finish(sum: Value): Value;
  average(sum: Value, count: number): Value;
}

const checkedInt = binaryFunction('+', 'int', true);
const checkedLong = binaryFunction('+', 'long', true);

const ARITHMETIC: Readonly<Record<string, Arithmetic>> = {
  int: { zero: 0, plus: checkedInt, finish: (sum) => sum, average: (sum, count) => Number(sum) / count },
  long: { zero: 0n, plus: checkedLong, finish: (sum) => sum, average: (sum, count) => Number(sum) / count },
  float: { zero: 0, plus: (a, b) => a + b, finish: Math.fround, average: (sum, count) => Math.fround(sum / count) },
  double: { zero: 0, plus: (a, b) => a + b, finish: (sum) => sum, average: (sum, count) => sum / count },
  decimal: {
    zero: DecimalValue.zero,
    plus: add,
    finish: (sum) => sum,
    average: (sum, count) => divide(sum, new DecimalValue(BigInt(count), 0)),
  },
};

const itself: Native = (item) => item;

function sum(type: string): (source: Value, selector: Native) => Value {
  const arithmetic = ARITHMETIC[type]!;
  return (source, selector) => {
    let total = arithmetic.zero;
    for (const item of over(source)) {
      const value = selector(item);
      if (value !== null) total = arithmetic.plus(total, value);
    }
    return arithmetic.finish(total);
  };
}

function average(type: string, optional: boolean): (source: Value, selector: Native) => Value {
  // Averages of int are summed as long, so that they do not overflow.
  const wide = type === 'int';
  const arithmetic = ARITHMETIC[wide ? 'long' : type]!;
  return (source, selector) => {
    let total = arithmetic.zero;
    let count = 0;
    for (const item of over(source)) {
      const value = selector(item);
      if (value === null) continue;
      total = arithmetic.plus(total, wide ? BigInt(value) : value);
      count++;
    }
    if (count === 0) return optional ? null : invalidOperation(NO_ELEMENTS);
    return arithmetic.average(total, count);
  };
}

/** Max and Min of numbers: null does not count; NaN is less than every number. */
function extreme(max: boolean, optional: boolean): (source: Value, selector: Native) => Value {
  return (source, selector) => {
    let best: Value = null;
    for (const item of over(source)) {
      const value = selector(item);
      if (value === null) continue;
      if (best === null || (max ? compareValues(value, best) > 0 : compareValues(value, best) < 0)) best = value;
    }
    return best === null && !optional ? invalidOperation(NO_ELEMENTS) : best;
  };
}

function numericTable(): Record<string, Native> {
  const table: Record<string, Native> = {};
  for (const type of Object.keys(ARITHMETIC)) {
    for (const optional of [false, true]) {
      const name = optional ? `${type}?` : type;
      const members = {
        Sum: sum(type),
        Average: average(type, optional),
        Max: extreme(true, optional),
        Min: extreme(false, optional),
      };
      for (const [member, apply] of Object.entries(members)) {
        table[`Enumerable.${member}(IEnumerable<${name}>)`] = (source) => apply(source, itself);
        table[`Enumerable.${member}<TSource>(${S},Func<TSource,${name}>)`] = (source, selector) =>
          apply(source, selector ?? argumentNull('selector'));
      }
    }
  }
  return table;
}

/** Max and Min of anything comparable: an empty sequence of references gives null, one of values throws. */
function extremeOf(max: boolean, source: Value, key: Native, comparer: Comparer | null, mayBeEmpty: boolean): Found {
  const { compare } = comparerOrDefault(comparer);
  let best: Found = NONE;
  let bestKey: Value = null;
  for (const item of over(source)) {
    charge(1);
    const own = key(item);
    if (own === null) {
      if (!best.known) best = { known: true, value: item };
      continue;
    }
    if (!best.known || bestKey === null || (max ? compare(own, bestKey) > 0 : compare(own, bestKey) < 0)) {
      best = { known: true, value: item };
      bestKey = own;
    }
  }
  if (!best.known && !mayBeEmpty) return invalidOperation(NO_ELEMENTS);
  return best;
}

function isReference(type: Type): boolean {
  return defaultOf(type) === null;
}

function extremeTable(name: 'Max' | 'Min'): Record<string, SiteNative> {
  const max = name === 'Max';
  const by = bySite((site) => (source, key, comparer = null) => {
    const found = extremeOf(max, source, key ?? argumentNull('keySelector'), comparer, isReference(site.result));
    return found.known ? found.value : null;
  });
  const plain = bySite((site) => (source, comparer = null) => {
    const found = extremeOf(max, source, itself, comparer, isReference(site.result));
    return found.known ? found.value : null;
  });
  return {
    [`Enumerable.${name}<TSource>(${S})`]: plain,
    [`Enumerable.${name}<TSource>(${S},IComparer<TSource>)`]: plain,
    [`Enumerable.${name}<TSource,TResult>(${S},Func<TSource,TResult>)`]: bySite((site) => (source, selector) => {
      const best = extremeOf(max, source, selector ?? argumentNull('selector'), null, isReference(site.result));
      return best.known ? selector(best.value) : null;
    }),
    [`Enumerable.${name}By<TSource,TKey>(${S},Func<TSource,TKey>)`]: by,
    [`Enumerable.${name}By<TSource,TKey>(${S},Func<TSource,TKey>,IComparer<TKey>)`]: by,
  };
}

/** From the end only once it is known where that is. */
function placeOf(source: Value, { value, fromEnd }: IndexValue): number {
  return fromEnd ? countOf(source, every) - value : value;
}

export const AGGREGATE_MEMBERS: MemberTable = {
  ...itemMembers('First', findFirst),
  ...itemMembers('Last', findLast),
  ...itemMembers('Single', findSingle),
  ...numericTable(),
  ...extremeTable('Max'),
  ...extremeTable('Min'),
  [`Enumerable.ElementAt<TSource>(${S},int)`]: (source, index) => {
    const found = elementAt(source, index);
    return found.known ? found.value : outOfRange('index');
  },
  [`Enumerable.ElementAt<TSource>(${S},Index)`]: (source, index: IndexValue) => {
    const found = elementAt(source, placeOf(source, index));
    return found.known ? found.value : outOfRange('index');
  },
  [`Enumerable.ElementAtOrDefault<TSource>(${S},Index)`]: bySite((site) => {
    const initial = defaultOf(site.result);
    return (source, index: IndexValue) => {
      const found = elementAt(source, placeOf(source, index));
      return found.known ? found.value : initial;
    };
  }),
  [`Enumerable.ElementAtOrDefault<TSource>(${S},int)`]: bySite((site) => {
    const initial = defaultOf(site.result);
    return (source, index) => {
      const found = elementAt(source, index);
      return found.known ? found.value : initial;
    };
  }),
  [`Enumerable.Count<TSource>(${S})`]: (source) => countOf(source, every),
  [`Enumerable.Count<TSource>(${S},${P})`]: (source, predicate) =>
    countOf(source, predicate ?? argumentNull('predicate')),
  [`Enumerable.LongCount<TSource>(${S})`]: (source) => BigInt(countOf(source, every)),
  [`Enumerable.LongCount<TSource>(${S},${P})`]: (source, predicate) =>
    BigInt(countOf(source, predicate ?? argumentNull('predicate'))),
  [`Enumerable.TryGetNonEnumeratedCount<TSource>(${S},out int)`]: (source, cell) => {
    const count =
      source instanceof Sequence ? source.count : typeof source === 'string' ? null : argumentNull('source');
    cell.value = count ?? 0;
    return count !== null;
  },
  [`Enumerable.Any<TSource>(${S})`]: (source) => any(source, every),
  [`Enumerable.Any<TSource>(${S},${P})`]: (source, predicate) => any(source, predicate ?? argumentNull('predicate')),
  [`Enumerable.All<TSource>(${S},${P})`]: (source, predicate) => all(source, predicate ?? argumentNull('predicate')),
  [`Enumerable.Contains<TSource>(${S},TSource)`]: (source, value) => contains(source, value),
  [`Enumerable.Contains<TSource>(${S},TSource,IEqualityComparer<TSource>)`]: contains,
  [`Enumerable.SequenceEqual<TSource>(${S},${S})`]: (first, second) => sequenceEqual(first, second),
  [`Enumerable.SequenceEqual<TSource>(${S},${S},IEqualityComparer<TSource>)`]: sequenceEqual,
  [`Enumerable.Aggregate<TSource>(${S},Func<TSource,TSource,TSource>)`]: aggregate,
  [`Enumerable.Aggregate<TSource,TAccumulate>(${S},TAccumulate,Func<TAccumulate,TSource,TAccumulate>)`]: aggregateFrom,
  [`Enumerable.Aggregate<TSource,TAccumulate,TResult>(${S},TAccumulate,Func<TAccumulate,TSource,TAccumulate>,Func<TAccumulate,TResult>)`]:
    (source, seed, step, finish) => finish(aggregateFrom(source, seed, step)),
};
