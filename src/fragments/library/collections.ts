// Arrays, the collection interfaces, and the collections that live in the core library. The namespace of the generic ones is not
// imported into fragments: they are named in full, or by `var`. What lives in other assemblies answers CS1069.

import type { Declarations } from './declarations.ts';

export const COLLECTIONS: Declarations = `
namespace System;

abstract class Array {
  int Length { get; }
  long LongLength { get; }
  int Rank { get; }
  int GetLength(int dimension);
  int GetLowerBound(int dimension);
  int GetUpperBound(int dimension);
  void CopyTo(Array array, int index);
  object GetValue(int index);
  void SetValue(object value, int index);
  static T[] Empty<T>();
  static void Clear(Array array, int index, int length);
  static void Copy(Array sourceArray, Array destinationArray, int length);
  static void Copy(Array sourceArray, int sourceIndex, Array destinationArray, int destinationIndex, int length);
  static bool Exists<T>(T[] array, Predicate<T> match);
  static void Fill<T>(T[] array, T value);
  static void Fill<T>(T[] array, T value, int startIndex, int count);
  static T Find<T>(T[] array, Predicate<T> match);
  static T[] FindAll<T>(T[] array, Predicate<T> match);
  static int FindIndex<T>(T[] array, Predicate<T> match);
  static int FindIndex<T>(T[] array, int startIndex, Predicate<T> match);
  static int FindIndex<T>(T[] array, int startIndex, int count, Predicate<T> match);
  static T FindLast<T>(T[] array, Predicate<T> match);
  static int FindLastIndex<T>(T[] array, Predicate<T> match);
  static int FindLastIndex<T>(T[] array, int startIndex, Predicate<T> match);
  static int FindLastIndex<T>(T[] array, int startIndex, int count, Predicate<T> match);
  static void ForEach<T>(T[] array, Action<T> action);
  static TOutput[] ConvertAll<TInput, TOutput>(TInput[] array, Converter<TInput, TOutput> converter);
  static int BinarySearch<T>(T[] array, T value);
  static int BinarySearch<T>(T[] array, T value, IComparer<T> comparer);
  static int BinarySearch<T>(T[] array, int index, int length, T value);
  static int BinarySearch<T>(T[] array, int index, int length, T value, IComparer<T> comparer);
  static int IndexOf<T>(T[] array, T value);
  static int IndexOf<T>(T[] array, T value, int startIndex);
  static int IndexOf<T>(T[] array, T value, int startIndex, int count);
  static int LastIndexOf<T>(T[] array, T value);
  static int LastIndexOf<T>(T[] array, T value, int startIndex);
  static int LastIndexOf<T>(T[] array, T value, int startIndex, int count);
  static void Resize<T>(ref T[] array, int newSize);
  static void Reverse<T>(T[] array);
  static void Reverse<T>(T[] array, int index, int length);
  static void Sort<T>(T[] array);
  static void Sort<T>(T[] array, int index, int length);
  static void Sort<T>(T[] array, IComparer<T> comparer);
  static void Sort<T>(T[] array, int index, int length, IComparer<T> comparer);
  static void Sort<TKey, TValue>(TKey[] keys, TValue[] items);
  static void Sort<TKey, TValue>(TKey[] keys, TValue[] items, IComparer<TKey> comparer);
  static void Sort<TKey, TValue>(TKey[] keys, TValue[] items, int index, int length);
  static void Sort<TKey, TValue>(TKey[] keys, TValue[] items, int index, int length, IComparer<TKey> comparer);
  static void Sort<T>(T[] array, Comparison<T> comparison);
  static bool TrueForAll<T>(T[] array, Predicate<T> match);
  object Clone();
}

namespace System.Collections;

interface IEnumerator { object Current { get; } bool MoveNext(); }
interface IEnumerable { IEnumerator GetEnumerator(); }
interface ICollection : IEnumerable { int Count { get; } }
interface IList : ICollection { object this[int index] { get; } bool Contains(object value); int IndexOf(object value); }

namespace System.Collections.Generic;

interface IEnumerator<out T> : IEnumerator, IDisposable { T Current { get; } bool MoveNext(); void Dispose(); }
interface IEnumerable<out T> : IEnumerable { IEnumerator<T> GetEnumerator(); }
interface IReadOnlyCollection<out T> : IEnumerable<T> { int Count { get; } }
interface IReadOnlyList<out T> : IReadOnlyCollection<T> { T this[int index] { get; } }
interface IReadOnlyDictionary<TKey, TValue> : IReadOnlyCollection<KeyValuePair<TKey, TValue>> {
  TValue this[TKey key] { get; }
  IEnumerable<TKey> Keys { get; }
  IEnumerable<TValue> Values { get; }
  bool ContainsKey(TKey key);
  bool TryGetValue(TKey key, out TValue value);
}
interface ICollection<T> : IEnumerable<T> {
  int Count { get; }
  bool IsReadOnly { get; }
  void Add(T item);
  void Clear();
  bool Contains(T item);
  void CopyTo(T[] array, int arrayIndex);
  bool Remove(T item);
}
interface IList<T> : ICollection<T> {
  T this[int index] { get; set; }
  int IndexOf(T item);
  void Insert(int index, T item);
  void RemoveAt(int index);
}
interface IDictionary<TKey, TValue> : ICollection<KeyValuePair<TKey, TValue>> {
  TValue this[TKey key] { get; set; }
  ICollection<TKey> Keys { get; }
  ICollection<TValue> Values { get; }
  void Add(TKey key, TValue value);
  bool ContainsKey(TKey key);
  bool Remove(TKey key);
  bool TryGetValue(TKey key, out TValue value);
}
interface IComparer<in T> { int Compare(T x, T y); }
interface IEqualityComparer<in T> { bool Equals(T x, T y); int GetHashCode(T obj); }
abstract class Comparer<T> : IComparer<T> {
  static Comparer<T> Default { get; }
  static Comparer<T> Create(Comparison<T> comparison);
  int Compare(T x, T y);
}
abstract class EqualityComparer<T> : IEqualityComparer<T> {
  static EqualityComparer<T> Default { get; }
  bool Equals(T x, T y);
  int GetHashCode(T obj);
}
struct KeyValuePair<TKey, TValue> {
  new(TKey key, TValue value);
  TKey Key { get; }
  TValue Value { get; }
  string ToString();
  void Deconstruct(out TKey key, out TValue value);
}
static class KeyValuePair {
  static KeyValuePair<TKey, TValue> Create<TKey, TValue>(TKey key, TValue value);
}
class List<T> : IList<T>, IReadOnlyList<T> {
  new();
  new(int capacity);
  new(IEnumerable<T> collection);
  int Count { get; }
  T this[int index] { get; set; }
  void Add(T item);
  void AddRange(IEnumerable<T> collection);
  int BinarySearch(T item);
  int BinarySearch(T item, IComparer<T> comparer);
  int BinarySearch(int index, int count, T item, IComparer<T> comparer);
  void Clear();
  bool Contains(T item);
  void CopyTo(T[] array);
  void CopyTo(T[] array, int arrayIndex);
  void CopyTo(int index, T[] array, int arrayIndex, int count);
  List<TOutput> ConvertAll<TOutput>(Converter<T, TOutput> converter);
  bool Exists(Predicate<T> match);
  T Find(Predicate<T> match);
  List<T> FindAll(Predicate<T> match);
  int FindIndex(Predicate<T> match);
  int FindIndex(int startIndex, Predicate<T> match);
  int FindIndex(int startIndex, int count, Predicate<T> match);
  T FindLast(Predicate<T> match);
  int FindLastIndex(Predicate<T> match);
  int FindLastIndex(int startIndex, Predicate<T> match);
  int FindLastIndex(int startIndex, int count, Predicate<T> match);
  void ForEach(Action<T> action);
  List<T> GetRange(int index, int count);
  int IndexOf(T item);
  int IndexOf(T item, int index);
  int IndexOf(T item, int index, int count);
  void Insert(int index, T item);
  void InsertRange(int index, IEnumerable<T> collection);
  int LastIndexOf(T item);
  int LastIndexOf(T item, int index);
  int LastIndexOf(T item, int index, int count);
  bool Remove(T item);
  int RemoveAll(Predicate<T> match);
  void RemoveAt(int index);
  void RemoveRange(int index, int count);
  void Reverse();
  void Reverse(int index, int count);
  void Sort();
  void Sort(IComparer<T> comparer);
  void Sort(int index, int count, IComparer<T> comparer);
  void Sort(Comparison<T> comparison);
  T[] ToArray();
  bool TrueForAll(Predicate<T> match);
}

class Dictionary<TKey, TValue> : IDictionary<TKey, TValue>, IReadOnlyDictionary<TKey, TValue> {
  new();
  new(int capacity);
  new(IEqualityComparer<TKey> comparer);
  new(int capacity, IEqualityComparer<TKey> comparer);
  new(IEnumerable<KeyValuePair<TKey, TValue>> collection);
  new(IEnumerable<KeyValuePair<TKey, TValue>> collection, IEqualityComparer<TKey> comparer);
  int Count { get; }
  IReadOnlyCollection<TKey> Keys { get; }
  IReadOnlyCollection<TValue> Values { get; }
  TValue this[TKey key] { get; set; }
  void Add(TKey key, TValue value);
  void Clear();
  bool ContainsKey(TKey key);
  bool ContainsValue(TValue value);
  bool Remove(TKey key);
  bool Remove(TKey key, out TValue value);
  bool TryAdd(TKey key, TValue value);
  bool TryGetValue(TKey key, out TValue value);
}

class HashSet<T> : ICollection<T>, IReadOnlyCollection<T> {
  new();
  new(IEqualityComparer<T> comparer);
  new(int capacity);
  new(IEnumerable<T> collection);
  new(IEnumerable<T> collection, IEqualityComparer<T> comparer);
  int Count { get; }
  bool Add(T item);
  void Clear();
  bool Contains(T item);
  bool Remove(T item);
  bool TryGetValue(T equalValue, out T actualValue);
  void CopyTo(T[] array);
  void CopyTo(T[] array, int arrayIndex);
  int RemoveWhere(Predicate<T> match);
  void UnionWith(IEnumerable<T> other);
  void IntersectWith(IEnumerable<T> other);
  void ExceptWith(IEnumerable<T> other);
  void SymmetricExceptWith(IEnumerable<T> other);
  bool IsSubsetOf(IEnumerable<T> other);
  bool IsProperSubsetOf(IEnumerable<T> other);
  bool IsSupersetOf(IEnumerable<T> other);
  bool IsProperSupersetOf(IEnumerable<T> other);
  bool Overlaps(IEnumerable<T> other);
  bool SetEquals(IEnumerable<T> other);
}

class Queue<T> : IReadOnlyCollection<T> {
  new();
  new(int capacity);
  new(IEnumerable<T> collection);
  int Count { get; }
  void Clear();
  bool Contains(T item);
  T Dequeue();
  void Enqueue(T item);
  T Peek();
  T[] ToArray();
  bool TryDequeue(out T result);
  bool TryPeek(out T result);
}

[CS1069] class Stack<T> { }
[CS1069] class LinkedList<T> { }
[CS1069] class SortedDictionary<TKey, TValue> { }
[CS1069] class SortedList<TKey, TValue> { }
[CS1069] class SortedSet<T> { }
[CS1069] class PriorityQueue<TElement, TPriority> { }
`;
