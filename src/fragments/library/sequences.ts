// LINQ in method form: Enumerable and the interfaces of its results. Deferred where .NET's is deferred. Members newer than the
// oldest .NET that authors may think of (MinBy, DistinctBy, Chunk, Order, Index, CountBy…) are here as well.

import type { Declarations } from './declarations.ts';

const S = 'this IEnumerable<TSource> source';
const NUMBERS = ['int', 'long', 'float', 'double', 'decimal'];
const averageOf = (type: string): string => (type === 'int' || type === 'long' ? 'double' : type);

/** Sum, Average, Max and Min over the number types, their nullable forms, and through a selector. */
function aggregates(): string {
  const lines: string[] = [];
  for (const type of NUMBERS.flatMap((name) => [name, `${name}?`])) {
    const average = type.endsWith('?') ? `${averageOf(type.slice(0, -1))}?` : averageOf(type);
    for (const [name, result] of [['Sum', type], ['Average', average], ['Max', type], ['Min', type]] as const) {
      lines.push(`  static ${result} ${name}(this IEnumerable<${type}> source);`);
      lines.push(`  static ${result} ${name}<TSource>(${S}, Func<TSource, ${type}> selector);`);
    }
  } // biome-ignore format: one line a pair
  for (const name of ['Max', 'Min']) {
    lines.push(`  static TSource ${name}<TSource>(${S});`);
    lines.push(`  static TSource ${name}<TSource>(${S}, IComparer<TSource> comparer);`);
    lines.push(`  static TResult ${name}<TSource, TResult>(${S}, Func<TSource, TResult> selector);`);
    lines.push(`  static TSource ${name}By<TSource, TKey>(${S}, Func<TSource, TKey> keySelector);`);
    lines.push(
      `  static TSource ${name}By<TSource, TKey>(${S}, Func<TSource, TKey> keySelector, IComparer<TKey> comparer);`,
    );
  }
  return lines.join('\n');
}

/** First, Last and Single: without and with a predicate, and their OrDefault forms. */
const elements = ['First', 'Last', 'Single']
  .map(
    (name) => `
  static TSource ${name}<TSource>(${S});
  static TSource ${name}<TSource>(${S}, Func<TSource, bool> predicate);
  static TSource ${name}OrDefault<TSource>(${S});
  static TSource ${name}OrDefault<TSource>(${S}, TSource defaultValue);
  static TSource ${name}OrDefault<TSource>(${S}, Func<TSource, bool> predicate);
  static TSource ${name}OrDefault<TSource>(${S}, Func<TSource, bool> predicate, TSource defaultValue);`,
  )
  .join('');

const orders = [
  ['OrderBy', 'IEnumerable'],
  ['OrderByDescending', 'IEnumerable'],
  ['ThenBy', 'IOrderedEnumerable'],
  ['ThenByDescending', 'IOrderedEnumerable'],
]
  .map(
    ([name, over]) => `
  static IOrderedEnumerable<TSource> ${name}<TSource, TKey>(this ${over}<TSource> source, Func<TSource, TKey> keySelector);
  static IOrderedEnumerable<TSource> ${name}<TSource, TKey>(this ${over}<TSource> source, Func<TSource, TKey> keySelector, IComparer<TKey> comparer);`,
  )
  .join('');

const sets = ['Except', 'Intersect', 'Union']
  .map(
    (name) => `
  static IEnumerable<TSource> ${name}<TSource>(this IEnumerable<TSource> first, IEnumerable<TSource> second);
  static IEnumerable<TSource> ${name}<TSource>(this IEnumerable<TSource> first, IEnumerable<TSource> second, IEqualityComparer<TSource> comparer);`,
  )
  .join('');

const KEY = 'Func<TSource, TKey> keySelector';
const ELEMENT = 'Func<TSource, TElement> elementSelector';
const COMPARER = 'IEqualityComparer<TKey> comparer';

/** Members that come without and with a comparer of keys as the last parameter. */
function keyed(result: string, name: string, parameters: string): string {
  return `  static ${result} ${name}(${parameters});\n  static ${result} ${name}(${parameters}, ${COMPARER});`;
}

const JOINED =
  'this IEnumerable<TOuter> outer, IEnumerable<TInner> inner, Func<TOuter, TKey> outerKeySelector, Func<TInner, TKey> innerKeySelector';

export const SEQUENCES: Declarations = `
namespace System.Linq;

interface IGrouping<out TKey, out TElement> : IEnumerable<TElement> { TKey Key { get; } }
interface ILookup<TKey, TElement> : IEnumerable<IGrouping<TKey, TElement>> {
  int Count { get; }
  IEnumerable<TElement> this[TKey key] { get; }
  bool Contains(TKey key);
}
interface IOrderedEnumerable<out TElement> : IEnumerable<TElement> { }

static class Enumerable {
  static TSource Aggregate<TSource>(${S}, Func<TSource, TSource, TSource> func);
  static TAccumulate Aggregate<TSource, TAccumulate>(${S}, TAccumulate seed, Func<TAccumulate, TSource, TAccumulate> func);
  static TResult Aggregate<TSource, TAccumulate, TResult>(${S}, TAccumulate seed, Func<TAccumulate, TSource, TAccumulate> func, Func<TAccumulate, TResult> resultSelector);
  static bool All<TSource>(${S}, Func<TSource, bool> predicate);
  static bool Any<TSource>(${S});
  static bool Any<TSource>(${S}, Func<TSource, bool> predicate);
  static IEnumerable<TSource> Append<TSource>(${S}, TSource element);
  static IEnumerable<TSource> AsEnumerable<TSource>(${S});
${aggregates()}
  static IEnumerable<TResult> Cast<TResult>(this IEnumerable source);
  static IEnumerable<TSource[]> Chunk<TSource>(${S}, int size);
  static IEnumerable<TSource> Concat<TSource>(this IEnumerable<TSource> first, IEnumerable<TSource> second);
  static bool Contains<TSource>(${S}, TSource value);
  static bool Contains<TSource>(${S}, TSource value, IEqualityComparer<TSource> comparer);
  static int Count<TSource>(${S});
  static int Count<TSource>(${S}, Func<TSource, bool> predicate);
  static IEnumerable<KeyValuePair<TKey, int>> CountBy<TSource, TKey>(${S}, ${KEY}, ${COMPARER} = null);
  static IEnumerable<TSource> DefaultIfEmpty<TSource>(${S});
  static IEnumerable<TSource> DefaultIfEmpty<TSource>(${S}, TSource defaultValue);
  static IEnumerable<TSource> Distinct<TSource>(${S});
  static IEnumerable<TSource> Distinct<TSource>(${S}, IEqualityComparer<TSource> comparer);
${keyed('IEnumerable<TSource>', 'DistinctBy<TSource, TKey>', `${S}, ${KEY}`)}
  static TSource ElementAt<TSource>(${S}, int index);
  static TSource ElementAt<TSource>(${S}, Index index);
  static TSource ElementAtOrDefault<TSource>(${S}, int index);
  static TSource ElementAtOrDefault<TSource>(${S}, Index index);
  static IEnumerable<TResult> Empty<TResult>();${elements}
${keyed('IEnumerable<IGrouping<TKey, TSource>>', 'GroupBy<TSource, TKey>', `${S}, ${KEY}`)}
${keyed('IEnumerable<IGrouping<TKey, TElement>>', 'GroupBy<TSource, TKey, TElement>', `${S}, ${KEY}, ${ELEMENT}`)}
${keyed('IEnumerable<TResult>', 'GroupBy<TSource, TKey, TResult>', `${S}, ${KEY}, Func<TKey, IEnumerable<TSource>, TResult> resultSelector`)}
${keyed('IEnumerable<TResult>', 'GroupBy<TSource, TKey, TElement, TResult>', `${S}, ${KEY}, ${ELEMENT}, Func<TKey, IEnumerable<TElement>, TResult> resultSelector`)}
${keyed('IEnumerable<TResult>', 'GroupJoin<TOuter, TInner, TKey, TResult>', `${JOINED}, Func<TOuter, IEnumerable<TInner>, TResult> resultSelector`)}
  static IEnumerable<(int Index, TSource Item)> Index<TSource>(${S});
${keyed('IEnumerable<TResult>', 'Join<TOuter, TInner, TKey, TResult>', `${JOINED}, Func<TOuter, TInner, TResult> resultSelector`)}
  static long LongCount<TSource>(${S});
  static long LongCount<TSource>(${S}, Func<TSource, bool> predicate);
  static IEnumerable<TResult> OfType<TResult>(this IEnumerable source);
  static IOrderedEnumerable<TSource> Order<TSource>(${S});
  static IOrderedEnumerable<TSource> Order<TSource>(${S}, IComparer<TSource> comparer);
  static IOrderedEnumerable<TSource> OrderDescending<TSource>(${S});
  static IOrderedEnumerable<TSource> OrderDescending<TSource>(${S}, IComparer<TSource> comparer);${orders}
  static IEnumerable<TSource> Prepend<TSource>(${S}, TSource element);
  static IEnumerable<int> Range(int start, int count);
  static IEnumerable<TResult> Repeat<TResult>(TResult element, int count);
  static IEnumerable<TSource> Reverse<TSource>(${S});
  static IEnumerable<TResult> Select<TSource, TResult>(${S}, Func<TSource, TResult> selector);
  static IEnumerable<TResult> Select<TSource, TResult>(${S}, Func<TSource, int, TResult> selector);
  static IEnumerable<TResult> SelectMany<TSource, TResult>(${S}, Func<TSource, IEnumerable<TResult>> selector);
  static IEnumerable<TResult> SelectMany<TSource, TResult>(${S}, Func<TSource, int, IEnumerable<TResult>> selector);
  static IEnumerable<TResult> SelectMany<TSource, TCollection, TResult>(${S}, Func<TSource, IEnumerable<TCollection>> collectionSelector, Func<TSource, TCollection, TResult> resultSelector);
  static bool SequenceEqual<TSource>(this IEnumerable<TSource> first, IEnumerable<TSource> second);
  static bool SequenceEqual<TSource>(this IEnumerable<TSource> first, IEnumerable<TSource> second, IEqualityComparer<TSource> comparer);${sets}
${keyed('IEnumerable<TSource>', 'ExceptBy<TSource, TKey>', `this IEnumerable<TSource> first, IEnumerable<TKey> second, ${KEY}`)}
${keyed('IEnumerable<TSource>', 'IntersectBy<TSource, TKey>', `this IEnumerable<TSource> first, IEnumerable<TKey> second, ${KEY}`)}
${keyed('IEnumerable<TSource>', 'UnionBy<TSource, TKey>', `this IEnumerable<TSource> first, IEnumerable<TSource> second, ${KEY}`)}
  static IEnumerable<TSource> Skip<TSource>(${S}, int count);
  static IEnumerable<TSource> SkipLast<TSource>(${S}, int count);
  static IEnumerable<TSource> SkipWhile<TSource>(${S}, Func<TSource, bool> predicate);
  static IEnumerable<TSource> SkipWhile<TSource>(${S}, Func<TSource, int, bool> predicate);
  static IEnumerable<TSource> Take<TSource>(${S}, int count);
  static IEnumerable<TSource> Take<TSource>(${S}, Range range);
  static IEnumerable<TSource> TakeLast<TSource>(${S}, int count);
  static IEnumerable<TSource> TakeWhile<TSource>(${S}, Func<TSource, bool> predicate);
  static IEnumerable<TSource> TakeWhile<TSource>(${S}, Func<TSource, int, bool> predicate);
  static TSource[] ToArray<TSource>(${S});
${keyed('Dictionary<TKey, TSource>', 'ToDictionary<TSource, TKey>', `${S}, ${KEY}`)}
${keyed('Dictionary<TKey, TElement>', 'ToDictionary<TSource, TKey, TElement>', `${S}, ${KEY}, ${ELEMENT}`)}
  static HashSet<TSource> ToHashSet<TSource>(${S});
  static HashSet<TSource> ToHashSet<TSource>(${S}, IEqualityComparer<TSource> comparer);
  static List<TSource> ToList<TSource>(${S});
${keyed('ILookup<TKey, TSource>', 'ToLookup<TSource, TKey>', `${S}, ${KEY}`)}
${keyed('ILookup<TKey, TElement>', 'ToLookup<TSource, TKey, TElement>', `${S}, ${KEY}, ${ELEMENT}`)}
  static bool TryGetNonEnumeratedCount<TSource>(${S}, out int count);
  static IEnumerable<TSource> Where<TSource>(${S}, Func<TSource, bool> predicate);
  static IEnumerable<TSource> Where<TSource>(${S}, Func<TSource, int, bool> predicate);
  static IEnumerable<TResult> Zip<TFirst, TSecond, TResult>(this IEnumerable<TFirst> first, IEnumerable<TSecond> second, Func<TFirst, TSecond, TResult> resultSelector);
  static IEnumerable<(TFirst First, TSecond Second)> Zip<TFirst, TSecond>(this IEnumerable<TFirst> first, IEnumerable<TSecond> second);
}
`;
