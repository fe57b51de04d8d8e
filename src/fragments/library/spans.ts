// Spans: views of consecutive values, as embeddings and edge groups are handed out, and what C# users do with them.

import type { Declarations } from './declarations.ts';

const KINDS = ['ReadOnlySpan', 'Span'];

const searches = KINDS.map(
  (span) => `
  static bool Contains<T>(this ${span}<T> span, T value);
  static int IndexOf<T>(this ${span}<T> span, T value);
  static int IndexOf<T>(this ${span}<T> span, ReadOnlySpan<T> value);
  static int LastIndexOf<T>(this ${span}<T> span, T value);
  static bool SequenceEqual<T>(this ${span}<T> span, ReadOnlySpan<T> other);
  static bool StartsWith<T>(this ${span}<T> span, ReadOnlySpan<T> value);
  static bool EndsWith<T>(this ${span}<T> span, ReadOnlySpan<T> value);`,
).join('');

function members(span: string, setter: string): string {
  return `
  new(T[] array);
  new(T[] array, int start, int length);
  static ${span}<T> Empty { get; }
  bool IsEmpty { get; }
  int Length { get; }
  T this[int index] { get;${setter} }
  ${span}<T> Slice(int start);
  ${span}<T> Slice(int start, int length);
  void CopyTo(Span<T> destination);
  bool TryCopyTo(Span<T> destination);
  T[] ToArray();
  string ToString();
  static implicit operator ${span}<T>(T[] array);
  static bool operator ==(${span}<T> left, ${span}<T> right);
  static bool operator !=(${span}<T> left, ${span}<T> right);`;
}

export const SPANS: Declarations = `
namespace System;

ref struct ReadOnlySpan<T> {${members('ReadOnlySpan', '')}
}

ref struct Span<T> {${members('Span', ' set;')}
  void Clear();
  void Fill(T value);
  static implicit operator ReadOnlySpan<T>(Span<T> span);
}

static class MemoryExtensions {${searches}
  static void Reverse<T>(this Span<T> span);
  static void CopyTo<T>(this T[] source, Span<T> destination);
  static Span<T> AsSpan<T>(this T[] array);
  static Span<T> AsSpan<T>(this T[] array, int start);
  static Span<T> AsSpan<T>(this T[] array, int start, int length);
  static ReadOnlySpan<char> AsSpan(this string text);
  static ReadOnlySpan<char> AsSpan(this string text, int start);
  static ReadOnlySpan<char> AsSpan(this string text, int start, int length);
  static bool Contains(this ReadOnlySpan<char> span, ReadOnlySpan<char> value, StringComparison comparisonType);
  static bool Equals(this ReadOnlySpan<char> span, ReadOnlySpan<char> other, StringComparison comparisonType);
  static int CompareTo(this ReadOnlySpan<char> span, ReadOnlySpan<char> other, StringComparison comparisonType);
  static int IndexOf(this ReadOnlySpan<char> span, ReadOnlySpan<char> value, StringComparison comparisonType);
  static bool StartsWith(this ReadOnlySpan<char> span, ReadOnlySpan<char> value, StringComparison comparisonType);
  static bool EndsWith(this ReadOnlySpan<char> span, ReadOnlySpan<char> value, StringComparison comparisonType);
  static bool IsWhiteSpace(this ReadOnlySpan<char> span);
  static ReadOnlySpan<char> Trim(this ReadOnlySpan<char> span);
  static ReadOnlySpan<char> TrimStart(this ReadOnlySpan<char> span);
  static ReadOnlySpan<char> TrimEnd(this ReadOnlySpan<char> span);
}

struct Index {
  new(int value, bool fromEnd = false);
  static Index Start { get; }
  static Index End { get; }
  int Value { get; }
  bool IsFromEnd { get; }
  static Index FromStart(int value);
  static Index FromEnd(int value);
  int GetOffset(int length);
  bool Equals(Index other);
  string ToString();
  static implicit operator Index(int value);
}

struct Range {
  new(Index start, Index end);
  Index Start { get; }
  Index End { get; }
  static Range All { get; }
  static Range StartAt(Index start);
  static Range EndAt(Index end);
  (int Offset, int Length) GetOffsetAndLength(int length);
  bool Equals(Range other);
  string ToString();
}
`;
