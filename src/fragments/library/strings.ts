// Strings, characters, string comparison and StringBuilder. Culture is always the invariant one, so the culture overloads exist and
// answer as their invariant twins.

import type { Declarations } from './declarations.ts';

export const STRINGS: Declarations = `
namespace System;

enum StringComparison {
  CurrentCulture = 0, CurrentCultureIgnoreCase = 1, InvariantCulture = 2,
  InvariantCultureIgnoreCase = 3, Ordinal = 4, OrdinalIgnoreCase = 5,
}
enum StringSplitOptions { None = 0, RemoveEmptyEntries = 1, TrimEntries = 2 }

sealed class String : IComparable, IComparable<string>, IEquatable<string>, IConvertible, IEnumerable<char> {
  static readonly string Empty;
  new(char[] value);
  new(char[] value, int startIndex, int length);
  new(char c, int count);
  new(ReadOnlySpan<char> value);
  char this[int index] { get; }
  int Length { get; }
  static int Compare(string strA, string strB);
  static int Compare(string strA, string strB, bool ignoreCase);
  static int Compare(string strA, string strB, StringComparison comparisonType);
  static int Compare(string strA, string strB, bool ignoreCase, CultureInfo culture);
  static int Compare(string strA, int indexA, string strB, int indexB, int length);
  static int Compare(string strA, int indexA, string strB, int indexB, int length, StringComparison comparisonType);
  static int CompareOrdinal(string strA, string strB);
  static int CompareOrdinal(string strA, int indexA, string strB, int indexB, int length);
  int CompareTo(object value);
  int CompareTo(string strB);
  static string Concat(object arg0);
  static string Concat(object arg0, object arg1);
  static string Concat(object arg0, object arg1, object arg2);
  static string Concat(params object[] args);
  static string Concat<T>(IEnumerable<T> values);
  static string Concat(IEnumerable<string> values);
  static string Concat(string str0, string str1);
  static string Concat(string str0, string str1, string str2);
  static string Concat(string str0, string str1, string str2, string str3);
  static string Concat(params string[] values);
  bool Contains(string value);
  bool Contains(string value, StringComparison comparisonType);
  bool Contains(char value);
  bool Contains(char value, StringComparison comparisonType);
  void CopyTo(int sourceIndex, char[] destination, int destinationIndex, int count);
  bool EndsWith(string value);
  bool EndsWith(string value, StringComparison comparisonType);
  bool EndsWith(string value, bool ignoreCase, CultureInfo culture);
  bool EndsWith(char value);
  bool Equals(object obj);
  bool Equals(string value);
  bool Equals(string value, StringComparison comparisonType);
  static bool Equals(string a, string b);
  static bool Equals(string a, string b, StringComparison comparisonType);
  static string Format(string format, object arg0);
  static string Format(string format, object arg0, object arg1);
  static string Format(string format, object arg0, object arg1, object arg2);
  static string Format(string format, params object[] args);
  static string Format(IFormatProvider provider, string format, object arg0);
  static string Format(IFormatProvider provider, string format, object arg0, object arg1);
  static string Format(IFormatProvider provider, string format, object arg0, object arg1, object arg2);
  static string Format(IFormatProvider provider, string format, params object[] args);
  int GetHashCode();
  int GetHashCode(StringComparison comparisonType);
  int IndexOf(char value);
  int IndexOf(char value, int startIndex);
  int IndexOf(char value, int startIndex, int count);
  int IndexOf(char value, StringComparison comparisonType);
  int IndexOf(string value);
  int IndexOf(string value, int startIndex);
  int IndexOf(string value, int startIndex, int count);
  int IndexOf(string value, StringComparison comparisonType);
  int IndexOf(string value, int startIndex, StringComparison comparisonType);
  int IndexOf(string value, int startIndex, int count, StringComparison comparisonType);
  int IndexOfAny(char[] anyOf);
  int IndexOfAny(char[] anyOf, int startIndex);
  int IndexOfAny(char[] anyOf, int startIndex, int count);
  string Insert(int startIndex, string value);
  static bool IsNullOrEmpty(string value);
  static bool IsNullOrWhiteSpace(string value);
  static string Join(char separator, params string[] value);
  static string Join(char separator, params object[] values);
  static string Join<T>(char separator, IEnumerable<T> values);
  static string Join(string separator, params string[] value);
  static string Join(string separator, params object[] values);
  static string Join<T>(string separator, IEnumerable<T> values);
  static string Join(string separator, IEnumerable<string> values);
  static string Join(string separator, string[] value, int startIndex, int count);
  int LastIndexOf(char value);
  int LastIndexOf(char value, int startIndex);
  int LastIndexOf(char value, int startIndex, int count);
  int LastIndexOf(string value);
  int LastIndexOf(string value, int startIndex);
  int LastIndexOf(string value, int startIndex, int count);
  int LastIndexOf(string value, StringComparison comparisonType);
  int LastIndexOf(string value, int startIndex, StringComparison comparisonType);
  int LastIndexOf(string value, int startIndex, int count, StringComparison comparisonType);
  int LastIndexOfAny(char[] anyOf);
  int LastIndexOfAny(char[] anyOf, int startIndex);
  int LastIndexOfAny(char[] anyOf, int startIndex, int count);
  bool IsNormalized();
  bool IsNormalized(NormalizationForm normalizationForm);
  string Normalize();
  string Normalize(NormalizationForm normalizationForm);
  string PadLeft(int totalWidth);
  string PadLeft(int totalWidth, char paddingChar);
  string PadRight(int totalWidth);
  string PadRight(int totalWidth, char paddingChar);
  string Remove(int startIndex);
  string Remove(int startIndex, int count);
  string Replace(char oldChar, char newChar);
  string Replace(string oldValue, string newValue);
  string Replace(string oldValue, string newValue, StringComparison comparisonType);
  string Replace(string oldValue, string newValue, bool ignoreCase, CultureInfo culture);
  string[] Split(char separator, StringSplitOptions options = StringSplitOptions.None);
  string[] Split(char separator, int count, StringSplitOptions options = StringSplitOptions.None);
  string[] Split(params char[] separator);
  string[] Split(char[] separator, int count);
  string[] Split(char[] separator, StringSplitOptions options);
  string[] Split(char[] separator, int count, StringSplitOptions options);
  string[] Split(string separator, StringSplitOptions options = StringSplitOptions.None);
  string[] Split(string separator, int count, StringSplitOptions options = StringSplitOptions.None);
  string[] Split(string[] separator, StringSplitOptions options);
  string[] Split(string[] separator, int count, StringSplitOptions options);
  bool StartsWith(string value);
  bool StartsWith(string value, StringComparison comparisonType);
  bool StartsWith(string value, bool ignoreCase, CultureInfo culture);
  bool StartsWith(char value);
  string Substring(int startIndex);
  string Substring(int startIndex, int length);
  char[] ToCharArray();
  char[] ToCharArray(int startIndex, int length);
  string ToLower();
  string ToLower(CultureInfo culture);
  string ToLowerInvariant();
  string ToUpper();
  string ToUpper(CultureInfo culture);
  string ToUpperInvariant();
  string ToString();
  string ToString(IFormatProvider provider);
  string Trim();
  string Trim(char trimChar);
  string Trim(params char[] trimChars);
  string TrimStart();
  string TrimStart(char trimChar);
  string TrimStart(params char[] trimChars);
  string TrimEnd();
  string TrimEnd(char trimChar);
  string TrimEnd(params char[] trimChars);
  static bool operator ==(string a, string b);
  static bool operator !=(string a, string b);
  static implicit operator ReadOnlySpan<char>(string value);
}

abstract class StringComparer : IComparer<string>, IEqualityComparer<string> {
  static StringComparer InvariantCulture { get; }
  static StringComparer InvariantCultureIgnoreCase { get; }
  static StringComparer CurrentCulture { get; }
  static StringComparer CurrentCultureIgnoreCase { get; }
  static StringComparer Ordinal { get; }
  static StringComparer OrdinalIgnoreCase { get; }
  static StringComparer FromComparison(StringComparison comparisonType);
  int Compare(string x, string y);
  bool Equals(string x, string y);
  int GetHashCode(string obj);
}

struct Char : IComparable, IComparable<char>, IEquatable<char>, IConvertible {
  const char MaxValue = '\\uffff';
  const char MinValue = '\\u0000';
  int CompareTo(object value);
  int CompareTo(char value);
  bool Equals(object obj);
  bool Equals(char obj);
  int GetHashCode();
  string ToString();
  string ToString(IFormatProvider provider);
  static string ToString(char c);
  static char Parse(string s);
  static bool TryParse(string s, out char result);
${[
  'Control',
  'Digit',
  'Letter',
  'LetterOrDigit',
  'Lower',
  'Number',
  'Punctuation',
  'Separator',
  'Surrogate',
  'Symbol',
  'Upper',
  'WhiteSpace',
  'HighSurrogate',
  'LowSurrogate',
]
  .map((name) => `  static bool Is${name}(char c);\n  static bool Is${name}(string s, int index);`)
  .join('\n')}
  static bool IsSurrogatePair(string s, int index);
  static bool IsSurrogatePair(char highSurrogate, char lowSurrogate);
  static bool IsAscii(char c);
  static bool IsAsciiDigit(char c);
  static bool IsAsciiLetter(char c);
  static bool IsAsciiLetterLower(char c);
  static bool IsAsciiLetterUpper(char c);
  static bool IsAsciiLetterOrDigit(char c);
  static bool IsAsciiHexDigit(char c);
  static bool IsBetween(char c, char minInclusive, char maxInclusive);
  static double GetNumericValue(char c);
  static UnicodeCategory GetUnicodeCategory(char c);
  static UnicodeCategory GetUnicodeCategory(string s, int index);
  static double GetNumericValue(string s, int index);
  static string ConvertFromUtf32(int utf32);
  static int ConvertToUtf32(char highSurrogate, char lowSurrogate);
  static int ConvertToUtf32(string s, int index);
  static char ToUpper(char c);
  static char ToUpper(char c, CultureInfo culture);
  static char ToUpperInvariant(char c);
  static char ToLower(char c);
  static char ToLower(char c, CultureInfo culture);
  static char ToLowerInvariant(char c);
}

namespace System.Globalization;

enum UnicodeCategory {
  UppercaseLetter = 0, LowercaseLetter = 1, TitlecaseLetter = 2, ModifierLetter = 3, OtherLetter = 4, NonSpacingMark = 5,
  SpacingCombiningMark = 6, EnclosingMark = 7, DecimalDigitNumber = 8, LetterNumber = 9, OtherNumber = 10, SpaceSeparator = 11,
  LineSeparator = 12, ParagraphSeparator = 13, Control = 14, Format = 15, Surrogate = 16, PrivateUse = 17, ConnectorPunctuation = 18,
  DashPunctuation = 19, OpenPunctuation = 20, ClosePunctuation = 21, InitialQuotePunctuation = 22, FinalQuotePunctuation = 23,
  OtherPunctuation = 24, MathSymbol = 25, CurrencySymbol = 26, ModifierSymbol = 27, OtherSymbol = 28, OtherNotAssigned = 29,
}

static class CharUnicodeInfo {
  static UnicodeCategory GetUnicodeCategory(char ch);
  static UnicodeCategory GetUnicodeCategory(string s, int index);
}

namespace System.Text;

enum NormalizationForm { FormC = 1, FormD = 2, FormKC = 5, FormKD = 6 }

abstract class Encoding {
  static Encoding ASCII { get; }
  static Encoding BigEndianUnicode { get; }
  static Encoding Default { get; }
  static Encoding Latin1 { get; }
  static Encoding UTF32 { get; }
  static Encoding UTF8 { get; }
  static Encoding Unicode { get; }
  static Encoding GetEncoding(string name);
  string EncodingName { get; }
  string WebName { get; }
  int GetByteCount(char[] chars);
  int GetByteCount(string s);
  byte[] GetBytes(char[] chars);
  byte[] GetBytes(string s);
  int GetCharCount(byte[] bytes);
  char[] GetChars(byte[] bytes);
  string GetString(byte[] bytes);
  string GetString(byte[] bytes, int index, int count);
}

sealed class StringBuilder {
  new();
  new(int capacity);
  new(string value);
  new(string value, int capacity);
  int Length { get; set; }
  int Capacity { get; }
  char this[int index] { get; set; }
${['bool', 'char', 'sbyte', 'byte', 'short', 'ushort', 'int', 'uint', 'long', 'ulong', 'float', 'double', 'decimal']
  .concat(['string', 'object', 'char[]'])
  .map((type) => `  StringBuilder Append(${type} value);\n  StringBuilder Insert(int index, ${type} value);`)
  .join('\n')}
  StringBuilder Append(char value, int repeatCount);
  StringBuilder Append(string value, int startIndex, int count);
  StringBuilder Append(char[] value, int startIndex, int charCount);
  StringBuilder Append(StringBuilder value);
  StringBuilder Append(ReadOnlySpan<char> value);
  StringBuilder AppendLine();
  StringBuilder AppendLine(string value);
  StringBuilder AppendFormat(string format, object arg0);
  StringBuilder AppendFormat(string format, object arg0, object arg1);
  StringBuilder AppendFormat(string format, object arg0, object arg1, object arg2);
  StringBuilder AppendFormat(string format, params object[] args);
  StringBuilder AppendJoin(string separator, params object[] values);
  StringBuilder AppendJoin<T>(string separator, IEnumerable<T> values);
  StringBuilder AppendJoin(string separator, params string[] values);
  StringBuilder AppendJoin(char separator, params object[] values);
  StringBuilder AppendJoin<T>(char separator, IEnumerable<T> values);
  StringBuilder AppendJoin(char separator, params string[] values);
  StringBuilder Clear();
  bool Equals(StringBuilder sb);
  StringBuilder Remove(int startIndex, int length);
  StringBuilder Replace(char oldChar, char newChar);
  StringBuilder Replace(string oldValue, string newValue);
  string ToString();
  string ToString(int startIndex, int length);
}
`;
