// What every C# program leans on: object, the interfaces of comparison and formatting, delegates, nullable values, enums.

import type { Declarations } from './declarations.ts';

/** Func and Action with up to eight parameters, as C# numbers their type parameters. */
function delegateFamily(): string {
  const lines: string[] = ['delegate TResult Func<out TResult>();', 'delegate void Action();'];
  for (let count = 1; count <= 8; count++) {
    const names = Array.from({ length: count }, (_, index) => (count === 1 ? 'T' : `T${index + 1}`));
    const parameters = names.map((name, index) => `${name} arg${count === 1 ? '' : index + 1}`).join(', ');
    const variant = names.map((name) => `in ${name}`).join(', ');
    lines.push(`delegate TResult Func<${variant}, out TResult>(${parameters});`);
    lines.push(`delegate void Action<${variant}>(${parameters.replaceAll('arg ', 'obj ')});`);
  }
  return lines.join('\n');
}

/** System.Tuple of two to seven items: the reference tuples that came before the language's own. */
function tupleFamily(): string {
  const lines: string[] = [];
  const creators: string[] = [];
  for (let count = 1; count <= 7; count++) {
    const names = Array.from({ length: count }, (_, index) => `T${index + 1}`);
    const list = names.join(', ');
    const parameters = names.map((name, index) => `${name} item${index + 1}`).join(', ');
    const items = names.map((name, index) => `${name} Item${index + 1} { get; }`).join(' ');
    lines.push(`sealed class Tuple<${list}> : IComparable { new(${parameters}); ${items} }`);
    creators.push(`  static Tuple<${list}> Create<${list}>(${parameters});`);
  }
  return `${lines.join('\n')}\nstatic class Tuple {\n${creators.join('\n')}\n}`;
}

export const BASICS: Declarations = `
namespace System;

class Object {
  new();
  string ToString();
  bool Equals(object obj);
  int GetHashCode();
  Type GetType();
  static bool Equals(object objA, object objB);
  static bool ReferenceEquals(object objA, object objB);
}

sealed class Type {
  string Name { get; }
  string FullName { get; }
  string Namespace { get; }
  string ToString();
  static bool operator ==(Type left, Type right);
  static bool operator !=(Type left, Type right);
}

abstract class ValueType { }

abstract class Delegate { }

interface IComparable { int CompareTo(object obj); }
interface IComparable<in T> { int CompareTo(T other); }
interface IEquatable<T> { bool Equals(T other); }
interface IFormatProvider { }
interface IFormattable { string ToString(string format, IFormatProvider formatProvider); }
interface IDisposable { void Dispose(); }
interface IConvertible {
  bool ToBoolean(IFormatProvider provider);
  char ToChar(IFormatProvider provider);
  sbyte ToSByte(IFormatProvider provider);
  byte ToByte(IFormatProvider provider);
  short ToInt16(IFormatProvider provider);
  ushort ToUInt16(IFormatProvider provider);
  int ToInt32(IFormatProvider provider);
  uint ToUInt32(IFormatProvider provider);
  long ToInt64(IFormatProvider provider);
  ulong ToUInt64(IFormatProvider provider);
  float ToSingle(IFormatProvider provider);
  double ToDouble(IFormatProvider provider);
  decimal ToDecimal(IFormatProvider provider);
  DateTime ToDateTime(IFormatProvider provider);
  string ToString(IFormatProvider provider);
}

delegate bool Predicate<in T>(T obj);
delegate int Comparison<in T>(T x, T y);
delegate TOutput Converter<in TInput, out TOutput>(TInput input);
${delegateFamily()}

struct Nullable<T> where T : struct {
  new(T value);
  bool HasValue { get; }
  T Value { get; }
  T GetValueOrDefault();
  T GetValueOrDefault(T defaultValue);
  bool Equals(object other);
  int GetHashCode();
  string ToString();
}

static class Nullable {
  static int Compare<T>(T? n1, T? n2) where T : struct;
  static bool Equals<T>(T? n1, T? n2) where T : struct;
}

abstract class Enum : ValueType, IComparable, IFormattable, IConvertible {
  bool HasFlag(Enum flag);
  int CompareTo(object target);
  bool Equals(object obj);
  int GetHashCode();
  string ToString();
  string ToString(string format);
  static TEnum Parse<TEnum>(string value) where TEnum : struct;
  static TEnum Parse<TEnum>(string value, bool ignoreCase) where TEnum : struct;
  static object Parse(Type enumType, string value);
  static object Parse(Type enumType, string value, bool ignoreCase);
  static bool IsDefined(Type enumType, object value);
  static string GetName(Type enumType, object value);
  static string[] GetNames(Type enumType);
  static bool TryParse<TEnum>(string value, out TEnum result) where TEnum : struct;
  static bool TryParse<TEnum>(string value, bool ignoreCase, out TEnum result) where TEnum : struct;
  static bool IsDefined<TEnum>(TEnum value) where TEnum : struct;
  static string GetName<TEnum>(TEnum value) where TEnum : struct;
  static string[] GetNames<TEnum>() where TEnum : struct;
  static TEnum[] GetValues<TEnum>() where TEnum : struct;
}

${tupleFamily()}

struct HashCode {
${Array.from({ length: 8 }, (_, index) => {
  const names = Array.from({ length: index + 1 }, (_unused, at) => `T${at + 1}`);
  return `  static int Combine<${names.join(', ')}>(${names.map((name, at) => `${name} value${at + 1}`).join(', ')});`;
}).join('\n')}
}

namespace System.Globalization;

sealed class CultureInfo : IFormatProvider {
  static CultureInfo InvariantCulture { get; }
  static CultureInfo CurrentCulture { get; }
  static CultureInfo CurrentUICulture { get; }
  static CultureInfo GetCultureInfo(string name);
  string Name { get; }
  string DisplayName { get; }
  string EnglishName { get; }
  string ToString();
}

sealed class NumberFormatInfo : IFormatProvider {
  static NumberFormatInfo InvariantInfo { get; }
  static NumberFormatInfo CurrentInfo { get; }
}

sealed class DateTimeFormatInfo : IFormatProvider {
  static DateTimeFormatInfo InvariantInfo { get; }
  static DateTimeFormatInfo CurrentInfo { get; }
}
`;
