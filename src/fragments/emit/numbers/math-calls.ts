// Math and MathF: instructions where WebAssembly has one that gives the same bits, and the core (assembly/fragments) for the rest.

import { argument, type Call, type CallEmitter, outTarget } from '../control/call-parts.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { checkResult, type Refusal, routine } from '../control/routines.ts';
import type { CoreFunction } from '../wasm/core-functions.ts';
import { f32, f64, i32, i64, type Opcode } from '../wasm/opcodes.ts';
import { checkDivision } from './arithmetic.ts';

function one(...codes: readonly Opcode[]): CallEmitter {
  return (f, call) => {
    f.expression(argument(call, 0));
    f.code.op(...codes);
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
      code.op(wide ? f64.ne : f32.ne);
    } else {
      code.op(wide ? f64.abs : f32.abs);
      if (wide) code.f64(Number.POSITIVE_INFINITY);
      else code.f32(Number.POSITIVE_INFINITY);
      code.op(test === 'infinite' ? (wide ? f64.eq : f32.eq) : wide ? f64.lt : f32.lt);
    }
    code.release(value.type, value.local);
  };
}

/** A function of the core on doubles, floats widened and narrowed; other arguments go as they are, constants follow. */
function real(name: CoreFunction, single: boolean, refusal: Refusal = 'never', ...constants: number[]): CallEmitter {
  return (f, call) => {
    for (const index of call.arguments.keys()) {
      const node = argument(call, index);
      f.expression(node);
      if (node.type.kind === 'primitive' && node.type.name === 'float') f.code.op(f64.promoteF32);
    }
    for (const constant of constants) f.code.i32(constant);
    f.core(name);
    checkResult(f, refusal);
    if (single) f.code.op(f32.demoteF64);
  };
}

/** `Round(value, mode)`: to no places. */
function roundUnits(single: boolean): CallEmitter {
  return (f, call) => {
    f.expression(argument(call, 0));
    if (single) f.code.op(f64.promoteF32);
    f.code.i32(0);
    f.expression(argument(call, 1));
    f.code.i32(single ? 1 : 0);
    f.core('realRound');
    checkResult(f, 'left');
    if (single) f.code.op(f32.demoteF64);
  };
}

/** Functions of one number. */
const analytic = [
  'Acos', 'Acosh', 'Asin', 'Asinh', 'Atan', 'Atanh', 'Cbrt', 'Cos', 'Cosh', 'Exp', 'Log', 'Log10', 'Log2', 'Sin', 'Sinh', 'Tan', 'Tanh',
] as const; // biome-ignore format: a list

/** What Math has for doubles and MathF for floats. */
function reals(type: 'Math' | 'MathF', keyword: 'double' | 'float'): [string, CallEmitter][] {
  const single = keyword === 'float';
  const binary = `${keyword},${keyword}`;
  return [
    ...analytic.map((name): [string, CallEmitter] => [`${type}.${name}(${keyword})`, real(`real${name}`, single)]),
    [`${type}.Atan2(${binary})`, real('realAtan2', single)],
    [`${type}.Pow(${binary})`, real('realPow', single)],
    [`${type}.Log(${binary})`, real('realLogBase', single, 'never', single ? 1 : 0)],
    [`${type}.CopySign(${binary})`, real('realCopySign', single)],
    [`${type}.IEEERemainder(${binary})`, real('realIeeeRemainder', single)],
    [`${type}.MaxMagnitude(${binary})`, real('realMagnitude', single, 'never', 1)],
    [`${type}.MinMagnitude(${binary})`, real('realMagnitude', single, 'never', 0)],
    [`${type}.FusedMultiplyAdd(${binary},${keyword})`, real('realFused', single)],
    [`${type}.ScaleB(${keyword},int)`, real('realScale', single)],
    [`${type}.ILogB(${keyword})`, real('realExponent', false)],
    [`${type}.BitIncrement(${keyword})`, routine(single ? 'singleNext' : 'realNext', 'never', 1)],
    [`${type}.BitDecrement(${keyword})`, routine(single ? 'singleNext' : 'realNext', 'never', 0)],
    [`${type}.Round(${keyword},int)`, real('realRound', single, 'left', 0, single ? 1 : 0)],
    [`${type}.Round(${keyword},MidpointRounding)`, roundUnits(single)],
    [`${type}.Round(${keyword},int,MidpointRounding)`, real('realRound', single, 'left', single ? 1 : 0)],
  ];
}

function bigMultiplication(f: FunctionEmitter, call: Call): void {
  for (const index of [0, 1]) {
    f.expression(argument(call, index));
    f.code.op(i64.extendI32S);
  }
  f.code.op(i64.mul);
}

/** The quotient; the rest goes out. */
function divideWithRest(operand: 'int' | 'long'): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const wide = operand === 'long';
    const [left, right] = [f.toLocal(argument(call, 0)), f.toLocal(argument(call, 1))];
    checkDivision(f, operand, left.local, right.local);
    code.get(left.local);
    code.get(right.local);
    code.op(wide ? i64.remS : i32.remS);
    f.store(outTarget(call, 2));
    code.get(left.local);
    code.get(right.local);
    code.op(wide ? i64.divS : i32.divS);
    for (const { type, local } of [left, right]) code.release(type, local);
  };
}

export const mathCalls: readonly [string, CallEmitter][] = [
  ['Math.Sqrt(double)', one(f64.sqrt)],
  ['Math.Floor(double)', one(f64.floor)],
  ['Math.Ceiling(double)', one(f64.ceil)],
  ['Math.Truncate(double)', one(f64.trunc)],
  ['Math.Round(double)', one(f64.nearest)],
  ['MathF.Sqrt(float)', one(f32.sqrt)],
  ['MathF.Floor(float)', one(f32.floor)],
  ['MathF.Ceiling(float)', one(f32.ceil)],
  ['MathF.Truncate(float)', one(f32.trunc)],
  ['MathF.Round(float)', one(f32.nearest)],
  ['Double.IsNaN(double)', floatTest(true, 'nan')],
  ['Double.IsInfinity(double)', floatTest(true, 'infinite')],
  ['Double.IsFinite(double)', floatTest(true, 'finite')],
  ['Single.IsNaN(float)', floatTest(false, 'nan')],
  ['Single.IsInfinity(float)', floatTest(false, 'infinite')],
  ['Single.IsFinite(float)', floatTest(false, 'finite')],
  ...reals('Math', 'double'),
  ...reals('MathF', 'float'),
  ['Math.BigMul(int,int)', bigMultiplication],
  ['Math.DivRem(int,int,out int)', divideWithRest('int')],
  ['Math.DivRem(long,long,out long)', divideWithRest('long')],
];
