// Enumerable: what gives a sequence item by item.

import type { Type } from '../../types.ts';
import { newArray } from '../array-objects.ts';
import { SetObject } from '../collections.ts';
import { argumentNull, nullReference, outOfRange } from '../exceptions.ts';
import { allocate, charge } from '../machine.ts';
import { isAssignable, runtimeType } from '../runtime-types.ts';
import type { RangeValue } from '../structs.ts';
import {
  box,
  collect,
  cursorOf,
  DeferredSequence,
  defaultOf,
  newList,
  over,
  TupleValue,
  typeOfObject,
  type Value,
} from '../values.ts';
import { concat, deferred, itemOf, OBJECT, withComparer } from './deferred.ts';
import { bySite, type MemberTable, type Native, type SiteNative } from './native.ts';
import { unboxed } from './unboxing.ts';

function* where(source: Value, predicate: Native): Generator<Value> {
  for (const item of over(source)) if (predicate(item)) yield item;
}

function* whereIndexed(source: Value, predicate: Native): Generator<Value> {
  let at = 0;
  for (const item of over(source)) if (predicate(item, at++)) yield item;
}

function* select(source: Value, selector: Native): Generator<Value> {
  for (const item of over(source)) yield selector(item);
}

function* selectIndexed(source: Value, selector: Native): Generator<Value> {
  let at = 0;
  for (const item of over(source)) yield selector(item, at++);
}

function* selectMany(source: Value, selector: Native): Generator<Value> {
  for (const item of over(source)) yield* over(selector(item) ?? nullReference());
}

function* selectManyIndexed(source: Value, selector: Native): Generator<Value> {
  let at = 0;
  for (const item of over(source)) yield* over(selector(item, at++) ?? nullReference());
}

function* selectPairs(source: Value, selector: Native, result: Native): Generator<Value> {
  for (const item of over(source))
    for (const inner of over(selector(item) ?? nullReference())) yield result(item, inner);
}

function* take(source: Value, count: number): Generator<Value> {
  if (count <= 0) return;
  let left = count;
  for (const item of over(source)) {
    yield item;
    if (--left === 0) return;
  }
}

function* skip(source: Value, count: number): Generator<Value> {
  let left = count;
  for (const item of over(source)) if (left-- <= 0) yield item;
}

function* takeWhile(source: Value, predicate: Native): Generator<Value> {
  let at = 0;
  for (const item of over(source)) {
    if (!predicate(item, at++)) return;
    yield item;
  }
}

function* skipWhile(source: Value, predicate: Native): Generator<Value> {
  let at = 0;
  let skipping = true;
  for (const item of over(source)) {
    if (skipping && predicate(item, at++)) continue;
    skipping = false;
    yield item;
  }
}

function* takeLast(source: Value, count: number): Generator<Value> {
  if (count <= 0) return;
  yield* collect(source).slice(-count);
}

function* skipLast(source: Value, count: number): Generator<Value> {
  const items = collect(source);
  yield* count <= 0 ? items : items.slice(0, -count || undefined);
}

function* reverse(source: Value): Generator<Value> {
  for (const item of collect(source).reverse()) {
    charge(1);
    yield item;
  }
}

function* append(source: Value, item: Value): Generator<Value> {
  yield* over(source);
  yield item;
}

function* prepend(source: Value, item: Value): Generator<Value> {
  yield item;
  yield* over(source);
}

function* zip(first: Value, second: Value, result: Native): Generator<Value> {
  const other = cursorOf(second, 'second');
  for (const item of over(first)) {
    const step = other.next();
    if (step.done) return;
    yield result(item, step.value);
  }
}

function* chunk(source: Value, size: number, type: Type): Generator<Value> {
  let part: Value[] = [];
  for (const item of over(source)) {
    allocate(8);
    part.push(item);
    if (part.length === size) {
      yield newArray(type, part);
      part = [];
    }
  }
  if (part.length > 0) yield newArray(type, part);
}

function* range(start: number, count: number): Generator<Value> {
  for (let at = 0; at < count; at++) {
    charge(1);
    yield start + at;
  }
}

function* repeat(item: Value, count: number): Generator<Value> {
  for (let at = 0; at < count; at++) {
    charge(1);
    yield item;
  }
}

const S = 'IEnumerable<TSource>';

/** `Take(1..^2)`: what counts from the end waits for it. */
function* takeRange(source: Value, { start, end }: RangeValue): Generator<Value> {
  if (!start.fromEnd && !end.fromEnd) {
    let at = 0;
    for (const item of over(source)) {
      if (at >= end.value) return;
      if (at >= start.value) yield item;
      at++;
    }
    return;
  }
  const items = collect(source);
  const from = start.fromEnd ? items.length - start.value : start.value;
  const to = end.fromEnd ? items.length - end.value : end.value;
  for (let at = Math.max(from, 0); at < Math.min(to, items.length); at++) {
    charge(1);
    yield items[at];
  }
}

/** Cast and OfType: items of any sequence as objects, then as the wanted type. */
function casting(keep: boolean): SiteNative {
  return bySite((site) => {
    const target = site.typeArguments[0] ?? itemOf(site.result);
    const wanted = runtimeType(target);
    const open = unboxed(target);
    return (source) => {
      if (source === null) return argumentNull('source');
      const from = itemTypeOf(source, site.arguments[0]!);
      return new DeferredSequence(runtimeType(site.result), function* () {
        for (const item of over(source)) {
          const object = box(from, item);
          if (keep && (object === null || !isAssignable(typeOfObject(object), wanted))) continue;
          yield open(object);
        }
      });
    };
  });
}

/** What the items of a sequence object are. */
function itemTypeOf(source: Value, fallback: Type): Type {
  const type: Type =
    typeof source === 'string'
      ? { kind: 'array', element: { kind: 'primitive', name: 'char' }, rank: 1 }
      : source.type.type;
  if (type.kind === 'array') return type.element;
  if (type.kind !== 'named') return itemOf(fallback);
  if (type.arguments.length === 2 && type.name !== 'IGrouping')
    return { kind: 'named', name: 'KeyValuePair', arguments: type.arguments };
  return type.arguments.at(-1) ?? OBJECT;
}

const P = 'Func<TSource,bool>';
const PI = 'Func<TSource,int,bool>';

export const SEQUENCE_MEMBERS: MemberTable = {
  [`Enumerable.Where<TSource>(${S},${P})`]: deferred(where),
  [`Enumerable.Where<TSource>(${S},${PI})`]: deferred(whereIndexed),
  [`Enumerable.Select<TSource,TResult>(${S},Func<TSource,TResult>)`]: deferred(select),
  [`Enumerable.Select<TSource,TResult>(${S},Func<TSource,int,TResult>)`]: deferred(selectIndexed),
  [`Enumerable.SelectMany<TSource,TResult>(${S},Func<TSource,IEnumerable<TResult>>)`]: deferred(selectMany),
  [`Enumerable.SelectMany<TSource,TResult>(${S},Func<TSource,int,IEnumerable<TResult>>)`]: deferred(selectManyIndexed),
  [`Enumerable.SelectMany<TSource,TCollection,TResult>(${S},Func<TSource,IEnumerable<TCollection>>,Func<TSource,TCollection,TResult>)`]:
    deferred(selectPairs),
  [`Enumerable.Take<TSource>(${S},int)`]: deferred(take),
  [`Enumerable.Take<TSource>(${S},Range)`]: deferred(takeRange),
  [`Enumerable.Skip<TSource>(${S},int)`]: deferred(skip),
  [`Enumerable.TakeWhile<TSource>(${S},${P})`]: deferred(takeWhile),
  [`Enumerable.TakeWhile<TSource>(${S},${PI})`]: deferred(takeWhile),
  [`Enumerable.SkipWhile<TSource>(${S},${P})`]: deferred(skipWhile),
  [`Enumerable.SkipWhile<TSource>(${S},${PI})`]: deferred(skipWhile),
  [`Enumerable.TakeLast<TSource>(${S},int)`]: deferred(takeLast),
  [`Enumerable.SkipLast<TSource>(${S},int)`]: deferred(skipLast),
  [`Enumerable.Concat<TSource>(${S},${S})`]: deferred(concat, 2),
  [`Enumerable.Reverse<TSource>(${S})`]: deferred(reverse),
  [`Enumerable.Append<TSource>(${S},TSource)`]: deferred(append),
  [`Enumerable.Prepend<TSource>(${S},TSource)`]: deferred(prepend),
  'Enumerable.Zip<TFirst,TSecond,TResult>(IEnumerable<TFirst>,IEnumerable<TSecond>,Func<TFirst,TSecond,TResult>)':
    deferred(zip, 2),
  'Enumerable.Zip<TFirst,TSecond>(IEnumerable<TFirst>,IEnumerable<TSecond>)': deferred(
    (first, second) => zip(first, second, (a, b) => new TupleValue([a, b])),
    2,
  ),
  [`Enumerable.Index<TSource>(${S})`]: deferred((source) =>
    selectIndexed(source, (item, at) => new TupleValue([at, item])),
  ),
  [`Enumerable.Chunk<TSource>(${S},int)`]: bySite((site) => {
    const type = site.typeArguments[0] ?? OBJECT;
    return (source, size) => {
      if (source === null) return argumentNull('source');
      if (size < 1) return outOfRange('size');
      return new DeferredSequence(runtimeType(site.result), () => chunk(source, size, type));
    };
  }),
  [`Enumerable.DefaultIfEmpty<TSource>(${S})`]: defaultIfEmpty(false),
  [`Enumerable.DefaultIfEmpty<TSource>(${S},TSource)`]: defaultIfEmpty(true),
  [`Enumerable.AsEnumerable<TSource>(${S})`]: (source) => source,
  [`Enumerable.ToArray<TSource>(${S})`]: bySite((site) => {
    const type = site.result.kind === 'array' ? site.result.element : OBJECT;
    return (source) => newArray(type, collect(source));
  }),
  [`Enumerable.ToList<TSource>(${S})`]: bySite((site) => {
    const type = itemOf(site.result);
    return (source) => newList(type, collect(source));
  }),
  ...withComparer(
    `ToHashSet<TSource>(${S}`,
    'IEqualityComparer<TSource>',
    bySite((site) => {
      const type = runtimeType(site.result);
      return (source, comparer = null) => {
        const set = new SetObject(type, comparer);
        for (const item of over(source)) set.add(item);
        return set;
      };
    }),
  ),
  'Enumerable.Cast<TResult>(IEnumerable)': casting(false),
  'Enumerable.OfType<TResult>(IEnumerable)': casting(true),
  'Enumerable.Range(int,int)': bySite((site) => (start, count) => {
    if (count < 0 || start + count - 1 > 2147483647) return outOfRange('count');
    return new DeferredSequence(runtimeType(site.result), () => range(start, count));
  }),
  'Enumerable.Repeat<TResult>(TResult,int)': bySite((site) => (item, count) => {
    if (count < 0) return outOfRange('count');
    return new DeferredSequence(runtimeType(site.result), () => repeat(item, count));
  }),
  'Enumerable.Empty<TResult>()': bySite((site) => {
    const none = newArray(itemOf(site.result), []);
    return () => none;
  }),
};

function defaultIfEmpty(given: boolean): SiteNative {
  return bySite((site) => {
    const initial = defaultOf(itemOf(site.result));
    return (source, item) => {
      if (source === null) return argumentNull('source');
      return new DeferredSequence(runtimeType(site.result), function* () {
        let empty = true;
        for (const each of over(source)) {
          empty = false;
          yield each;
        }
        if (empty) yield given ? item : initial;
      });
    };
  });
}
