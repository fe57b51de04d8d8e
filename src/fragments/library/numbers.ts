// The primitive value types beside char: their constants, parsing, formatting and comparison. Operators on them belong to the language,
// but for decimal's, which are members.

import { dotNetNames, integerNames } from '../dotnet-names.ts';
import type { Declarations } from './declarations.ts';

/** The NumberStyles that are read without being asked for; 7 (Integer) for the others. */
const styles: Readonly<Record<string, number>> = { decimal: 111, float: 231, double: 231 };

/** Compare, equality and formatting as every number type has them. */
function common(keyword: string): string {
  return `
  int CompareTo(object value);
  int CompareTo(${keyword} value);
  bool Equals(object obj);
  bool Equals(${keyword} obj);
  int GetHashCode();
  string ToString();
  string ToString(string format);
  string ToString(IFormatProvider provider);
  string ToString(string format, IFormatProvider provider);
  static ${keyword} Parse(string s);
  static ${keyword} Parse(string s, NumberStyles style);
  static ${keyword} Parse(string s, IFormatProvider provider);
  static ${keyword} Parse(string s, NumberStyles style, IFormatProvider provider);
  static ${keyword} Parse(ReadOnlySpan<char> s, IFormatProvider provider);
  static ${keyword} Parse(ReadOnlySpan<char> s, NumberStyles style = ${styles[keyword] ?? 7}, IFormatProvider provider = null);
  static bool TryParse(string s, out ${keyword} result);
  static bool TryParse(ReadOnlySpan<char> s, out ${keyword} result);
  static bool TryParse(string s, IFormatProvider provider, out ${keyword} result);
  static bool TryParse(string s, NumberStyles style, IFormatProvider provider, out ${keyword} result);`;
}

/** What .NET 7 added to numbers and fragments may want. */
function generic(keyword: string, signed: boolean): string {
  const lines = ['Max', 'Min'].map((name) => `\n  static ${keyword} ${name}(${keyword} x, ${keyword} y);`);
  lines.push(`\n  static ${keyword} Clamp(${keyword} value, ${keyword} min, ${keyword} max);`);
  if (signed) lines.push(`\n  static ${keyword} Abs(${keyword} value);`, `\n  static int Sign(${keyword} value);`);
  return lines.join('');
}

function interfaces(keyword: string): string {
  return `IComparable, IConvertible, IFormattable, IComparable<${keyword}>, IEquatable<${keyword}>`;
}

function integral(name: string, keyword: string, minimum: string, maximum: string): string {
  const signed = minimum !== '0';
  const negative = signed
    ? `\n  static bool IsNegative(${keyword} value);\n  static bool IsPositive(${keyword} value);`
    : '';
  return `struct ${name} : ${interfaces(keyword)} {
  const ${keyword} MaxValue = ${maximum};
  const ${keyword} MinValue = ${minimum};${common(keyword)}${generic(keyword, signed)}${negative}
  static bool IsEvenInteger(${keyword} value);
  static bool IsOddInteger(${keyword} value);
  static bool IsPow2(${keyword} value);
}`;
}

function floating(name: string, keyword: string, constants: string): string {
  const tests = [
    'Finite',
    'Infinity',
    'NaN',
    'Negative',
    'NegativeInfinity',
    'PositiveInfinity',
    'Normal',
    'Subnormal',
    'Integer',
  ]
    .map((test) => `\n  static bool Is${test}(${keyword} value);`)
    .join('');
  return `struct ${name} : ${interfaces(keyword)} {${constants}${common(keyword)}${generic(keyword, true)}${tests}
}`;
}

const DECIMAL_BINARY = ['+', '-', '*', '/', '%'].map(
  (sign) => `  static decimal operator ${sign}(decimal d1, decimal d2);`,
);
const DECIMAL_COMPARE = ['==', '!=', '<', '<=', '>', '>='].map(
  (sign) => `  static bool operator ${sign}(decimal d1, decimal d2);`,
);
const INTEGERS = ['byte', 'sbyte', 'short', 'ushort', 'char', 'int', 'uint', 'long', 'ulong'];
export const NUMBERS: Declarations = `
namespace System.Globalization;

enum NumberStyles {
  None = 0, AllowLeadingWhite = 1, AllowTrailingWhite = 2, AllowLeadingSign = 4, Integer = 7, AllowTrailingSign = 8,
  AllowParentheses = 16, AllowDecimalPoint = 32, AllowThousands = 64, Number = 111, AllowExponent = 128, Float = 167,
  AllowCurrencySymbol = 256, Currency = 383, Any = 511, AllowHexSpecifier = 512, HexNumber = 515,
}

namespace System;

enum MidpointRounding { ToEven = 0, AwayFromZero = 1, ToZero = 2, ToNegativeInfinity = 3, ToPositiveInfinity = 4 }

struct Void { }

struct Boolean : IComparable, IConvertible, IComparable<bool>, IEquatable<bool> {
  static readonly string TrueString;
  static readonly string FalseString;
  int CompareTo(object obj);
  int CompareTo(bool value);
  bool Equals(object obj);
  bool Equals(bool obj);
  int GetHashCode();
  string ToString();
  string ToString(IFormatProvider provider);
  static bool Parse(string value);
  static bool TryParse(string value, out bool result);
}
${integral('Byte', 'byte', '0', '255')}
${integral('SByte', 'sbyte', '-128', '127')}
${integral('Int16', 'short', '-32768', '32767')}
${integral('UInt16', 'ushort', '0', '65535')}
${integral('Int32', 'int', '-2147483648', '2147483647')}
${integral('UInt32', 'uint', '0', '4294967295')}
${integral('Int64', 'long', '-9223372036854775808', '9223372036854775807')}
${integral('UInt64', 'ulong', '0', '18446744073709551615')}
${floating(
  'Single',
  'float',
  `
  const float MaxValue = 3.40282347E+38f;
  const float MinValue = -3.40282347E+38f;
  const float Epsilon = 1.401298E-45f;
  const float NaN = 0.0f / 0.0f;
  const float PositiveInfinity = 1.0f / 0.0f;
  const float NegativeInfinity = -1.0f / 0.0f;`,
)}
${floating(
  'Double',
  'double',
  `
  const double MaxValue = 1.7976931348623157E+308;
  const double MinValue = -1.7976931348623157E+308;
  const double Epsilon = 4.9406564584124654E-324;
  const double NaN = 0.0 / 0.0;
  const double PositiveInfinity = 1.0 / 0.0;
  const double NegativeInfinity = -1.0 / 0.0;`,
)}
struct Decimal : ${interfaces('decimal')} {
  const decimal Zero = 0m;
  const decimal One = 1m;
  const decimal MinusOne = -1m;
  const decimal MaxValue = 79228162514264337593543950335m;
  const decimal MinValue = -79228162514264337593543950335m;
  new(int value);
  new(uint value);
  new(long value);
  new(ulong value);
  new(float value);
  new(double value);
  new(int lo, int mid, int hi, bool isNegative, byte scale);
${INTEGERS.map((keyword) => `  static implicit operator decimal(${keyword} value);`).join('\n')}
  static explicit operator decimal(float value);
  static explicit operator decimal(double value);
${[...INTEGERS, 'float', 'double'].map((keyword) => `  static explicit operator ${keyword}(decimal value);`).join('\n')}
  static decimal operator +(decimal d);
  static decimal operator -(decimal d);
  static decimal operator ++(decimal d);
  static decimal operator --(decimal d);
${[...DECIMAL_BINARY, ...DECIMAL_COMPARE].join('\n')}${common('decimal')}${generic('decimal', true)}
  static int Compare(decimal d1, decimal d2);
  static bool Equals(decimal d1, decimal d2);
  static decimal Add(decimal d1, decimal d2);
  static decimal Subtract(decimal d1, decimal d2);
  static decimal Multiply(decimal d1, decimal d2);
  static decimal Divide(decimal d1, decimal d2);
  static decimal Remainder(decimal d1, decimal d2);
  static decimal Negate(decimal d);
  static decimal Ceiling(decimal d);
  static decimal Floor(decimal d);
  static decimal Truncate(decimal d);
  static decimal Round(decimal d);
  static decimal Round(decimal d, int decimals);
  static decimal Round(decimal d, MidpointRounding mode);
  static decimal Round(decimal d, int decimals, MidpointRounding mode);
  static int[] GetBits(decimal d);
${integerNames.map((keyword) => `  static ${keyword} To${dotNetNames[keyword]}(decimal value);`).join('\n')}
  static float ToSingle(decimal d);
  static double ToDouble(decimal d);
}

static class BitConverter {
  static long DoubleToInt64Bits(double value);
  static double Int64BitsToDouble(long value);
  static int SingleToInt32Bits(float value);
  static float Int32BitsToSingle(int value);
}
`;
