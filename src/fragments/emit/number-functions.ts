// The functions of the core for numbers, dates and times (assembly/fragments/decimal.ts, decimal-text.ts, numbers.ts, times.ts), part of the
// closed list of core-functions.ts; and the functions of the host's Math, pure ones from numbers to a number. The interpreter uses
// the same Math, so that both back ends agree to the bit.

import type { Signature, ValueType } from './module-writer.ts';

/** From a text such as `i32,i64>f64`. */
export function signature(text: string): Signature {
  const [parameters = '', result = ''] = text.split('>');
  return {
    parameters: parameters === '' ? [] : (parameters.split(',') as ValueType[]),
    result: result === '' ? null : (result as ValueType),
  };
}

const wide1 = signature('v128>v128');
const wide2 = signature('v128,v128>v128');
const real1 = signature('f64>f64');
const real2 = signature('f64,f64>f64');

export const numberFunctions = {
  dateAddMonths: signature('i64,i32>i64'),
  dateAddReal: signature('i64,f64,f64>i64'),
  dateAddTicks: signature('i64,i64>i64'),
  dateAddYears: signature('i64,i32>i64'),
  dateIsLeap: signature('i32>i32'),
  dateMonthDays: signature('i32,i32>i32'),
  dateOf: signature('i32,i32,i32,i32,i32,i32,i32,i32>i64'),
  dateOfTicks: signature('i64,i32>i64'),
  datePart: signature('i64,i32>i32'),
  dateSubtractTicks: signature('i64,i64>i64'),
  decimalAbsolute: wide1,
  decimalAdd: wide2,
  decimalCompare: signature('v128,v128>i32'),
  decimalDivide: wide2,
  decimalFromLong: signature('i64>v128'),
  decimalFromReal: signature('f64,i32>v128'),
  decimalFromUlong: signature('i64>v128'),
  decimalHash: signature('v128>i32'),
  decimalLoad: signature('i32>v128'),
  decimalMultiply: wide2,
  decimalNegate: wide1,
  decimalOf: signature('i32,i32,i32,i32,i32>v128'),
  decimalRemainder: wide2,
  decimalRound: signature('v128,i32,i32>v128'),
  decimalSubtract: wide2,
  decimalToDouble: signature('v128>f64'),
  decimalToLong: signature('v128>i64'),
  decimalToUlong: signature('v128>i64'),
  fragmentFault: signature('>i32'),
  guidCompare: signature('v128,v128>i32'),
  guidParse: signature('i32>v128'),
  offsetAddMonths: signature('v128,i32>v128'),
  offsetAddReal: signature('v128,f64,f64>v128'),
  offsetAddTicks: signature('v128,i64>v128'),
  offsetAddYears: signature('v128,i32>v128'),
  offsetClock: signature('v128>i64'),
  offsetFromUnix: signature('i64,i64>v128'),
  offsetMoved: signature('v128,i64>v128'),
  offsetOf: signature('i32,i32,i32,i32,i32,i32,i32,i64>v128'),
  offsetOfDate: signature('i64,i64>v128'),
  offsetOfTicks: signature('i64,i64>v128'),
  offsetSubtractTicks: signature('v128,i64>v128'),
  realCopySign: real2,
  realExponent: signature('f64>i32'),
  realFused: signature('f64,f64,f64>f64'),
  realHash: signature('f64>i32'),
  realIeeeRemainder: real2,
  realIsMinus: signature('f64>i32'),
  realMagnitude: signature('f64,f64,i32>f64'),
  realNext: signature('f64,i32>f64'),
  realRemainder: real2,
  realRound: signature('f64,i32,i32,i32>f64'),
  realScale: signature('f64,i32>f64'),
  singleHash: signature('f32>i32'),
  singleNext: signature('f32,i32>f32'),
  spanAdd: signature('i64,i64>i64'),
  spanFromReal: signature('f64,f64>i64'),
  spanOf: signature('i32,i32,i32,i32,i32>i64'),
  spanScale: signature('i64,f64,i32>i64'),
  spanSubtract: signature('i64,i64>i64'),
  textDecimal: signature('v128>i32'),
  timeNow: signature('>i64'),
} as const satisfies Record<string, Signature>;

/** Of the module `math`: the host's Math by its own names. */
export const mathFunctions = {
  acos: real1, acosh: real1, asin: real1, asinh: real1, atan: real1, atanh: real1, atan2: real2, cbrt: real1, cos: real1, cosh: real1,
  exp: real1, log: real1, log2: real1, log10: real1, pow: real2, sin: real1, sinh: real1, tan: real1, tanh: real1,
} as const satisfies Record<string, Signature>; // biome-ignore format: a table

export type MathFunction = keyof typeof mathFunctions;
