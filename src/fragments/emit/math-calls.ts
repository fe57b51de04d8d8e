// Math and the tests of numbers, as far as WebAssembly has an instruction that gives the same bits. The other functions are the
// interpreter's, so that both back ends agree.

import type { PrimitiveName } from '../types.ts';
import { argument, type CallEmitter } from './calls.ts';
import { NotCompiled } from './unsupported.ts';

function one(...codes: readonly number[]): CallEmitter {
  return (f, call) => {
    f.expression(argument(call, 0));
    f.code.op(...codes);
  };
}

function two(...codes: readonly number[]): CallEmitter {
  return (f, call) => {
    f.expression(argument(call, 0));
    f.expression(argument(call, 1));
    f.code.op(...codes);
  };
}

/** The smaller or larger of two integers; `compare` is the instruction that says the first one is it. */
function pick(compare: number): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const left = f.toLocal(argument(call, 0));
    const right = f.toLocal(argument(call, 1));
    code.get(left.local);
    code.get(right.local);
    code.get(left.local);
    code.get(right.local);
    code.op(compare, 0x1b);
    code.release(left.type, left.local);
    code.release(right.type, right.local);
  };
}

function absolute(wide: boolean): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const value = f.toLocal(argument(call, 0));
    code.get(value.local);
    if (wide) code.i64(-(2n ** 63n));
    else code.i32(-(2 ** 31));
    code.op(wide ? 0x51 : 0x46);
    f.failIf('OverflowException');
    code.get(value.local);
    if (wide) code.i64(0n);
    else code.i32(0);
    code.get(value.local);
    code.op(wide ? 0x7d : 0x6b);
    code.get(value.local);
    if (wide) code.i64(0n);
    else code.i32(0);
    code.op(wide ? 0x59 : 0x4e, 0x1b);
    code.release(value.type, value.local);
  };
}

/** `Double.IsNaN(double)` and its relatives; `test` gets the value's local. */
function floatTest(wide: boolean, test: 'nan' | 'infinite' | 'finite'): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const value = f.toLocal(argument(call, 0));
    code.get(value.local);
    if (test === 'nan') {
      code.get(value.local);
      code.op(wide ? 0x62 : 0x5c);
    } else {
      code.op(wide ? 0x99 : 0x8b);
      if (wide) code.f64(Number.POSITIVE_INFINITY);
      else code.f32(Number.POSITIVE_INFINITY);
      code.op(test === 'infinite' ? (wide ? 0x61 : 0x5b) : wide ? 0x63 : 0x5d);
    }
    code.release(value.type, value.local);
  };
}

const integerCompares: readonly [PrimitiveName, number, number][] = [
  ['byte', 0x49, 0x4b], ['ushort', 0x49, 0x4b], ['uint', 0x49, 0x4b], ['ulong', 0x54, 0x56],
  ['sbyte', 0x48, 0x4a], ['short', 0x48, 0x4a], ['int', 0x48, 0x4a], ['long', 0x53, 0x55],
]; // biome-ignore format: a table

export const mathCalls: readonly [string, CallEmitter][] = [
  ['Math.Sqrt(double)', one(0x9f)],
  ['Math.Floor(double)', one(0x9c)],
  ['Math.Ceiling(double)', one(0x9b)],
  ['Math.Truncate(double)', one(0x9d)],
  ['Math.Round(double)', one(0x9e)],
  ['Math.Abs(double)', one(0x99)],
  ['Math.Abs(float)', one(0x8b)],
  ['Math.Abs(int)', absolute(false)],
  ['Math.Abs(long)', absolute(true)],
  ['Math.Max(double,double)', two(0xa5)],
  ['Math.Min(double,double)', two(0xa4)],
  ['Math.Max(float,float)', two(0x97)],
  ['Math.Min(float,float)', two(0x96)],
  ...integerCompares.flatMap(([type, less, greater]): [string, CallEmitter][] => [
    [`Math.Min(${type},${type})`, pick(less)],
    [`Math.Max(${type},${type})`, pick(greater)],
  ]),
  ['MathF.Sqrt(float)', one(0x91)],
  ['MathF.Floor(float)', one(0x8e)],
  ['MathF.Ceiling(float)', one(0x8d)],
  ['MathF.Truncate(float)', one(0x8f)],
  ['MathF.Round(float)', one(0x90)],
  ['MathF.Abs(float)', one(0x8b)],
  ['MathF.Max(float,float)', two(0x97)],
  ['MathF.Min(float,float)', two(0x96)],
  ['Double.IsNaN(double)', floatTest(true, 'nan')],
  ['Double.IsInfinity(double)', floatTest(true, 'infinite')],
  ['Double.IsFinite(double)', floatTest(true, 'finite')],
  ['Single.IsNaN(float)', floatTest(false, 'nan')],
  ['Single.IsInfinity(float)', floatTest(false, 'infinite')],
  ['Single.IsFinite(float)', floatTest(false, 'finite')],
  ...timeCalls(),
];

/** Comparison of dates and times: by their ticks, whatever the kind of a date. */
function timeCalls(): [string, CallEmitter][] {
  const operators = {
    op_Equality: 0x51,
    op_Inequality: 0x52,
    op_LessThan: 0x53,
    op_GreaterThan: 0x55,
    op_LessThanOrEqual: 0x57,
    op_GreaterThanOrEqual: 0x59,
  };
  const ticks: CallEmitter = (f, call) => {
    if (call.receiver === null) throw new NotCompiled('a time without a receiver');
    f.expression(call.receiver);
    f.code.i64(2n ** 62n - 1n);
    f.code.op(0x83);
  };
  const compare = (type: string, instruction: number): CallEmitter => {
    return (f, call) => {
      for (const index of [0, 1]) {
        f.expression(argument(call, index));
        if (type !== 'DateTime') continue;
        f.code.i64(2n ** 62n - 1n);
        f.code.op(0x83);
      }
      f.code.op(instruction);
    };
  };
  const calls = Object.entries(operators).flatMap(([name, instruction]): [string, CallEmitter][] =>
    ['DateTime', 'TimeSpan'].map((type) => [`${type}.${name}(${type},${type})`, compare(type, instruction)]),
  );
  return [
    ...calls,
    ['DateTime.get_Ticks()', ticks],
    ['DateTime.op_Subtraction(DateTime,DateTime)', compare('DateTime', 0x7d)],
  ];
}
