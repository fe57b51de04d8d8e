// TimeSpan and Guid.

import { argument, type CallEmitter, checkedReference, outTarget, storeLocal } from '../control/call-parts.ts';
import {
  checkResult,
  compareToObject,
  operandLocals,
  orderOperators,
  pushOperands,
  releaseAll,
  routine,
} from '../control/routines.ts';
import { f64, i32, i64, parametric } from '../wasm/opcodes.ts';
import { comparisons, constant, cycles, ticks, wideEquality } from './time-parts.ts';

// --- TimeSpan ------------------------------------------------------------------------------------------------------------

const mostMilliseconds = 922_337_203_685_477;

function spanUnits(): [string, CallEmitter][] {
  return (Object.keys(ticks) as (keyof typeof ticks)[]).flatMap((unit): [string, CallEmitter][] => [
    [
      `TimeSpan.get_${unit}()`,
      (f, call) => {
        pushOperands(f, call);
        f.code.i64(ticks[unit]);
        f.code.op(i64.divS);
        const cycle = cycles[unit];
        if (cycle !== null) {
          f.code.i64(cycle);
          f.code.op(i64.remS);
        }
        f.code.op(i32.wrapI64);
      },
    ],
    [
      `TimeSpan.get_Total${unit}()`,
      (f, call) => {
        pushOperands(f, call);
        f.code.op(f64.convertI64S);
        f.code.f64(Number(ticks[unit]));
        f.code.op(f64.div);
        if (unit !== 'Milliseconds') return;
        f.code.f64(mostMilliseconds);
        f.code.op(f64.min);
        f.code.f64(-mostMilliseconds);
        f.code.op(f64.max);
      },
    ],
    [
      `TimeSpan.From${unit}(double)`,
      (f, call) => {
        pushOperands(f, call);
        f.code.f64(Number(ticks[unit]));
        f.core('spanFromReal');
        checkResult(f, 'left');
      },
    ],
  ]);
}

/** Missing fields are 0. */
function spanOfFields(before: number, after: number): CallEmitter {
  return (f, call) => {
    for (let count = before; count > 0; count--) f.code.i32(0);
    pushOperands(f, call);
    for (let count = after; count > 0; count--) f.code.i32(0);
    f.core('spanOf');
    checkResult(f, 'left');
  };
}

const negatedSpan: CallEmitter = (f, call) => {
  f.code.i64(0n);
  pushOperands(f, call);
  f.core('spanSubtract');
  checkResult(f, 'left');
};

/** The smallest span has no opposite. */
const duration: CallEmitter = (f, call) => {
  const { code } = f;
  const locals = operandLocals(f, call);
  const { local } = locals[0] as { local: number };
  code.i64(0n);
  code.get(local);
  f.core('spanSubtract');
  code.get(local);
  code.get(local);
  code.i64(0n);
  code.op(i64.ltS, parametric.select);
  // What the difference left behind holds for the smallest alone, which is below 0.
  checkResult(f, 'left');
  releaseAll(f, locals);
};

const scaled =
  (divides: boolean, factorFirst = false): CallEmitter =>
  (f, call) => {
    if (!factorFirst) {
      pushOperands(f, call);
    } else {
      const factor = f.toLocal(argument(call, 0));
      f.expression(argument(call, 1));
      f.code.get(factor.local);
      f.code.release(factor.type, factor.local);
    }
    f.code.i32(divides ? 1 : 0);
    f.core('spanScale');
    checkResult(f, 'left');
  };

const ratio: CallEmitter = (f, call) => {
  const nodes = [
    ...(call.receiver === null ? [] : [call.receiver]),
    ...call.arguments.map((_, at) => argument(call, at)),
  ];
  for (const node of nodes) {
    f.expression(node);
    f.code.op(f64.convertI64S);
  }
  f.code.op(f64.div);
};

const spans: readonly [string, CallEmitter][] = [
  ...comparisons('TimeSpan'),
  ...spanUnits(),
  ['TimeSpan.Zero', constant(0n)],
  ['TimeSpan.MaxValue', constant(2n ** 63n - 1n)],
  ['TimeSpan.MinValue', constant(-(2n ** 63n))],
  ['TimeSpan.new(long)', pushOperands],
  ['TimeSpan.FromTicks(long)', pushOperands],
  ['TimeSpan.get_Ticks()', pushOperands],
  ['TimeSpan.op_UnaryPlus(TimeSpan)', pushOperands],
  ['TimeSpan.new(int,int,int)', spanOfFields(1, 1)],
  ['TimeSpan.new(int,int,int,int)', spanOfFields(0, 1)],
  ['TimeSpan.new(int,int,int,int,int)', spanOfFields(0, 0)],
  ['TimeSpan.Add(TimeSpan)', routine('spanAdd', 'left')],
  ['TimeSpan.op_Addition(TimeSpan,TimeSpan)', routine('spanAdd', 'left')],
  ['TimeSpan.Subtract(TimeSpan)', routine('spanSubtract', 'left')],
  ['TimeSpan.op_Subtraction(TimeSpan,TimeSpan)', routine('spanSubtract', 'left')],
  ['TimeSpan.Negate()', negatedSpan],
  ['TimeSpan.op_UnaryNegation(TimeSpan)', negatedSpan],
  ['TimeSpan.Duration()', duration],
  ['TimeSpan.Multiply(double)', scaled(false)],
  ['TimeSpan.Divide(double)', scaled(true)],
  ['TimeSpan.Divide(TimeSpan)', ratio],
  ['TimeSpan.op_Multiply(TimeSpan,double)', scaled(false)],
  ['TimeSpan.op_Multiply(double,TimeSpan)', scaled(false, true)],
  ['TimeSpan.op_Division(TimeSpan,double)', scaled(true)],
  ['TimeSpan.op_Division(TimeSpan,TimeSpan)', ratio],
];

// --- Guid ----------------------------------------------------------------------------------------------------------------

const parseGuid: CallEmitter = (f, call) => {
  f.code.get(checkedReference(f, argument(call, 0), 'ArgumentNullException'));
  f.core('guidParse');
  checkResult(f, 'left');
};

/** False for null and for what is none; the default goes out then. */
const tryParseGuid: CallEmitter = (f, call) => {
  const { code } = f;
  const text = f.toLocal(argument(call, 0));
  const value = code.borrow('v128');
  const good = code.borrow('i32');
  code.v128(0n, 0n);
  code.set(value);
  code.i32(0);
  code.set(good);
  code.get(text.local);
  code.if();
  code.get(text.local);
  f.core('guidParse');
  code.set(value);
  f.core('fragmentFault');
  code.op(i32.eqz);
  code.set(good);
  code.end();
  storeLocal(f, outTarget(call, 1), value);
  code.get(good);
  code.release('i32', good);
  code.release('v128', value);
  code.release(text.type, text.local);
};

const guids: readonly [string, CallEmitter][] = [
  ['Guid.Empty', ({ code }) => code.v128(0n, 0n)],
  ['Guid.Equals(Guid)', wideEquality],
  ['Guid.Equals(Guid,Guid)', wideEquality],
  ['Guid.Compare(Guid,Guid)', routine('guidCompare')],
  ['Guid.CompareTo(Guid)', routine('guidCompare')],
  ['Guid.CompareTo(object)', compareToObject],
  ...orderOperators('Guid', 'Guid', 'guidCompare').filter(([key]) => key !== 'Guid.op_Equality(Guid,Guid)'),
  ['Guid.op_Equality(Guid,Guid)', wideEquality],
  ['Guid.new(string)', parseGuid],
  ['Guid.Parse(string)', parseGuid],
  ['Guid.TryParse(string,out Guid)', tryParseGuid],
];

export const spanCalls: readonly [string, CallEmitter][] = [...spans, ...guids];
