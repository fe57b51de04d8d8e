// Math, MathF, BitOperations, and Random with a seed.

import type { Declarations } from './declarations.ts';

const NUMBER_TYPES = ['byte', 'decimal', 'double', 'short', 'int', 'long', 'sbyte', 'float', 'ushort', 'uint', 'ulong'];
const SIGNED_TYPES = ['decimal', 'double', 'short', 'int', 'long', 'sbyte', 'float'];
const ONE_ARGUMENT = [
  'Acos', 'Acosh', 'Asin', 'Asinh', 'Atan', 'Atanh', 'Cbrt', 'Ceiling', 'Cos', 'Cosh', 'Exp', 'Floor', 'Log', 'Log2', 'Log10',
  'Sin', 'Sinh', 'Sqrt', 'Tan', 'Tanh', 'Truncate', 'BitDecrement', 'BitIncrement',
]; // biome-ignore format: a table
const TWO_ARGUMENTS = ['CopySign', 'IEEERemainder', 'MaxMagnitude', 'MinMagnitude', 'Pow'];

function each(types: readonly string[], line: (type: string) => string): string {
  return types.map(line).join('\n');
}

export const MATHEMATICS: Declarations = `
namespace System;

class Random {
  new(int Seed);
  int Next();
  int Next(int maxValue);
  int Next(int minValue, int maxValue);
  void NextBytes(byte[] buffer);
  double NextDouble();
}

static class Math {
  const double E = 2.7182818284590452354;
  const double PI = 3.14159265358979323846;
  const double Tau = 6.283185307179586476925;
${each(SIGNED_TYPES, (type) => `  static ${type} Abs(${type} value);`)}
${each(SIGNED_TYPES, (type) => `  static int Sign(${type} value);`)}
${each(NUMBER_TYPES, (type) => `  static ${type} Max(${type} val1, ${type} val2);`)}
${each(NUMBER_TYPES, (type) => `  static ${type} Min(${type} val1, ${type} val2);`)}
${each(NUMBER_TYPES, (type) => `  static ${type} Clamp(${type} value, ${type} min, ${type} max);`)}
${each(ONE_ARGUMENT, (name) => `  static double ${name}(double d);`)}
${each(TWO_ARGUMENTS, (name) => `  static double ${name}(double x, double y);`)}
  static double Atan2(double y, double x);
  static double Log(double a, double newBase);
  static double FusedMultiplyAdd(double x, double y, double z);
  static double ScaleB(double x, int n);
  static int ILogB(double x);
  static decimal Ceiling(decimal d);
  static decimal Floor(decimal d);
  static decimal Truncate(decimal d);
  static double Round(double a);
  static double Round(double value, int digits);
  static double Round(double value, MidpointRounding mode);
  static double Round(double value, int digits, MidpointRounding mode);
  static decimal Round(decimal d);
  static decimal Round(decimal d, int decimals);
  static decimal Round(decimal d, MidpointRounding mode);
  static decimal Round(decimal d, int decimals, MidpointRounding mode);
  static long BigMul(int a, int b);
  static int DivRem(int a, int b, out int result);
  static long DivRem(long a, long b, out long result);
}

static class MathF {
  const float E = 2.71828183f;
  const float PI = 3.14159265f;
  const float Tau = 6.283185307f;
${each(ONE_ARGUMENT, (name) => `  static float ${name}(float x);`)}
${each([...TWO_ARGUMENTS, 'Max', 'Min', 'Log'], (name) => `  static float ${name}(float x, float y);`)}
  static float Atan2(float y, float x);
  static float Abs(float x);
  static int Sign(float x);
  static float FusedMultiplyAdd(float x, float y, float z);
  static float ScaleB(float x, int n);
  static int ILogB(float x);
  static float Round(float x);
  static float Round(float x, int digits);
  static float Round(float x, MidpointRounding mode);
  static float Round(float x, int digits, MidpointRounding mode);
}

namespace System.Numerics;

static class BitOperations {
  static bool IsPow2(int value);
  static bool IsPow2(uint value);
  static bool IsPow2(long value);
  static bool IsPow2(ulong value);
  static uint RoundUpToPowerOf2(uint value);
  static ulong RoundUpToPowerOf2(ulong value);
  static int LeadingZeroCount(uint value);
  static int LeadingZeroCount(ulong value);
  static int Log2(uint value);
  static int Log2(ulong value);
  static int PopCount(uint value);
  static int PopCount(ulong value);
  static uint RotateLeft(uint value, int offset);
  static ulong RotateLeft(ulong value, int offset);
  static uint RotateRight(uint value, int offset);
  static ulong RotateRight(ulong value, int offset);
  static int TrailingZeroCount(int value);
  static int TrailingZeroCount(uint value);
  static int TrailingZeroCount(long value);
  static int TrailingZeroCount(ulong value);
}
`;
