// decimal: its operators and members, which are the core's (assembly/fragments/decimal.ts), and its constants.

import { dotNetNames, integerNames } from '../../dotnet-names.ts';
import { decimalFromText } from '../../interpreter/decimal.ts';
import type { ConstantValue } from '../../tree.ts';
import type { PrimitiveName } from '../../types.ts';
import { argument, type CallEmitter } from '../control/call-parts.ts';
import { checkFault, checkWide } from '../control/faults.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { orderOperators, pushOperands, routine } from '../control/routines.ts';
import type { CoreFunction } from '../wasm/core-functions.ts';
import { f32, f64, i32 } from '../wasm/opcodes.ts';
import { emitNumericConversion } from './conversions.ts';

/** The two words of a constant. */
export function decimalWords(value: ConstantValue): [low: bigint, high: bigint] {
  const { digits, scale } = decimalFromText((value as { decimal: string }).decimal);
  const size = digits < 0n ? -digits : digits;
  return [size & (2n ** 64n - 1n), (size >> 64n) | (BigInt(scale) << 48n) | (digits < 0n ? 2n ** 63n : 0n)];
}

/** Makes a decimal of the number on the stack. */
export function toDecimal(f: FunctionEmitter, from: PrimitiveName): void {
  if (from === 'float' || from === 'double') {
    if (from === 'float') f.code.op(f64.promoteF32);
    f.code.i32(from === 'float' ? 7 : 15);
    f.core('decimalFromReal');
    checkWide(f);
    return;
  }
  emitNumericConversion(f, from, from === 'ulong' ? 'ulong' : 'long', false);
  f.core(from === 'ulong' ? 'decimalFromUlong' : 'decimalFromLong');
}

/** Makes a number of the decimal on the stack: its integer part, for integers, which must fit. */
export function fromDecimal(f: FunctionEmitter, to: PrimitiveName): void {
  if (to === 'float' || to === 'double') {
    f.core('decimalToDouble');
    checkFault(f);
    if (to === 'float') f.code.op(f32.demoteF64);
    return;
  }
  f.core(to === 'ulong' ? 'decimalToUlong' : 'decimalToLong');
  checkFault(f);
  if (to !== 'ulong') emitNumericConversion(f, 'long', to, true);
}

const fromNumber =
  (from: PrimitiveName): CallEmitter =>
  (f, call) => {
    pushOperands(f, call);
    toDecimal(f, from);
  };
const toNumber =
  (to: PrimitiveName): CallEmitter =>
  (f, call) => {
    pushOperands(f, call);
    fromDecimal(f, to);
  };

/** Decimals are made of these with `new`, of all integers by conversions. */
const constructed = new Set<PrimitiveName>(['int', 'uint', 'long', 'ulong']);

function conversions(): [string, CallEmitter][] {
  const calls: [string, CallEmitter][] = [];
  for (const keyword of [...integerNames, 'char'] as const) {
    calls.push([`Decimal.op_Implicit(${keyword})->decimal`, fromNumber(keyword)]);
    calls.push([`Decimal.op_Explicit(decimal)->${keyword}`, toNumber(keyword)]);
    if (constructed.has(keyword)) calls.push([`Decimal.new(${keyword})`, fromNumber(keyword)]);
    if (keyword !== 'char') calls.push([`Decimal.To${dotNetNames[keyword]}(decimal)`, toNumber(keyword)]);
  }
  for (const [keyword, name] of [
    ['float', 'Single'],
    ['double', 'Double'],
  ] as const) {
    calls.push([`Decimal.new(${keyword})`, fromNumber(keyword)]);
    calls.push([`Decimal.op_Explicit(${keyword})->decimal`, fromNumber(keyword)]);
    calls.push([`Decimal.op_Explicit(decimal)->${keyword}`, toNumber(keyword)]);
    calls.push([`Decimal.To${name}(decimal)`, toNumber(keyword)]);
  }
  return calls;
}

/** The value on the stack, one more or less. */
function step(name: CoreFunction): CallEmitter {
  return (f, call) => {
    pushOperands(f, call);
    f.code.v128(1n, 0n);
    f.core(name);
    checkWide(f);
  };
}

/** Math's and decimal's own. */
function rounding(type: 'Math' | 'Decimal'): [string, CallEmitter][] {
  return [
    [`${type}.Round(decimal)`, routine('decimalRound', 'never', 0, 0)],
    [`${type}.Round(decimal,int)`, routine('decimalRound', 'wide', 0)],
    [
      `${type}.Round(decimal,MidpointRounding)`,
      (f, call) => {
        f.expression(argument(call, 0));
        f.code.i32(0);
        f.expression(argument(call, 1));
        f.core('decimalRound');
        checkWide(f);
      },
    ],
    [`${type}.Round(decimal,int,MidpointRounding)`, routine('decimalRound', 'wide')],
    [`${type}.Truncate(decimal)`, routine('decimalRound', 'never', 0, 2)],
    [`${type}.Floor(decimal)`, routine('decimalRound', 'never', 0, 3)],
    [`${type}.Ceiling(decimal)`, routine('decimalRound', 'never', 0, 4)],
    [`${type}.Abs(decimal)`, routine('decimalAbsolute')],
    [
      `${type}.Sign(decimal)`,
      (f, call) => {
        pushOperands(f, call);
        f.code.v128(0n, 0n);
        f.core('decimalCompare');
      },
    ],
  ];
}

const arithmetic = {
  Add: ['op_Addition', 'decimalAdd'],
  Subtract: ['op_Subtraction', 'decimalSubtract'],
  Multiply: ['op_Multiply', 'decimalMultiply'],
  Divide: ['op_Division', 'decimalDivide'],
  Remainder: ['op_Modulus', 'decimalRemainder'],
} as const;

const identity: CallEmitter = pushOperands;
const equal: CallEmitter = (f, call) => {
  pushOperands(f, call);
  f.core('decimalCompare');
  f.code.op(i32.eqz);
};

export const decimalCalls: readonly [string, CallEmitter][] = [
  ...Object.entries(arithmetic).flatMap(([method, [operator, name]]): [string, CallEmitter][] => [
    [`Decimal.${operator}(decimal,decimal)`, routine(name, 'wide')],
    [`Decimal.${method}(decimal,decimal)`, routine(name, 'wide')],
  ]),
  ...orderOperators('Decimal', 'decimal', 'decimalCompare'),
  ...conversions(),
  ...rounding('Math'),
  ...rounding('Decimal'),
  ['Decimal.Compare(decimal,decimal)', routine('decimalCompare')],
  ['Decimal.CompareTo(decimal)', routine('decimalCompare')],
  ['Decimal.Equals(decimal,decimal)', equal],
  ['Decimal.Equals(decimal)', equal],
  ['Decimal.Negate(decimal)', routine('decimalNegate')],
  ['Decimal.op_UnaryNegation(decimal)', routine('decimalNegate')],
  ['Decimal.op_UnaryPlus(decimal)', identity],
  ['Decimal.op_Increment(decimal)', step('decimalAdd')],
  ['Decimal.op_Decrement(decimal)', step('decimalSubtract')],
  ['Decimal.new(int,int,int,bool,byte)', routine('decimalOf', 'wide')],
  ['Convert.ToDecimal(decimal)', identity],
];
