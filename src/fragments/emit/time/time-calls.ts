// DateTime and DateTimeOffset: their calendar is the core's (assembly/fragments/times.ts), order and simple parts are instructions.

import { argument, type CallEmitter } from '../control/call-parts.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { checkResult, operandLocals, pushOperands, type Refusal, releaseAll, routine } from '../control/routines.ts';
import { i32, i32x4, i64, i64x2 } from '../wasm/opcodes.ts';
import {
  comparisons,
  constant,
  cycles,
  kinds,
  masked,
  mostTicks,
  ordered,
  type Timed,
  ticks,
  unixTicks,
  wideEquality,
} from './time-parts.ts';
import { spanCalls } from './time-span-calls.ts';

// --- The clock of both kinds of dates ------------------------------------------------------------------------------------

/** Pushes the ticks of the receiver's clock. */
function clock(f: FunctionEmitter, call: Parameters<CallEmitter>[1], type: Timed): void {
  pushOperands(f, call);
  if (type === 'DateTimeOffset') f.core('offsetClock');
  else masked(f);
}

/** `(clock / unit) % cycle` as int. */
function part(type: Timed, unit: bigint, cycle: bigint | null): CallEmitter {
  return (f, call) => {
    clock(f, call, type);
    f.code.i64(unit);
    f.code.op(i64.divS);
    if (cycle !== null) {
      f.code.i64(cycle);
      f.code.op(i64.remS);
    }
    f.code.op(i32.wrapI64);
  };
}

function calendar(type: 'DateTime' | 'DateTimeOffset'): [string, CallEmitter][] {
  const isDate = type === 'DateTime';
  const refusal: Refusal = isDate ? 'date' : 'wide';
  const moved = (name: 'AddTicks' | 'SubtractTicks' | 'AddMonths' | 'AddYears') =>
    routine(isDate ? `date${name}` : `offset${name}`, refusal);
  const dated =
    (which: number): CallEmitter =>
    (f, call) => {
      clock(f, call, type);
      f.code.i32(which);
      f.core('datePart');
    };
  const added =
    (milliseconds: number): CallEmitter =>
    (f, call) => {
      pushOperands(f, call);
      f.code.f64(milliseconds);
      f.core(isDate ? 'dateAddReal' : 'offsetAddReal');
      checkResult(f, refusal);
    };
  const calls: [string, CallEmitter][] = ['Year', 'Month', 'Day', 'DayOfYear'].map((name, which) => [
    `${type}.get_${name}()`,
    dated(which),
  ]);
  for (const unit of ['Hours', 'Minutes', 'Seconds', 'Milliseconds'] as const) {
    calls.push([`${type}.get_${unit.slice(0, -1)}()`, part(type, ticks[unit], cycles[unit])]);
  }
  for (const [unit, each] of Object.entries(ticks))
    calls.push([`${type}.Add${unit}(double)`, added(Number(each) / 10_000)]);
  return [
    ...calls,
    [`${type}.get_DayOfWeek()`, dayOfWeek(type)],
    [`${type}.get_Ticks()`, (f, call) => clock(f, call, type)],
    [`${type}.get_TimeOfDay()`, timeOfDay(type)],
    [`${type}.AddTicks(long)`, moved('AddTicks')],
    [`${type}.Add(TimeSpan)`, moved('AddTicks')],
    [`${type}.op_Addition(${type},TimeSpan)`, moved('AddTicks')],
    [`${type}.Subtract(TimeSpan)`, moved('SubtractTicks')],
    [`${type}.op_Subtraction(${type},TimeSpan)`, moved('SubtractTicks')],
    [`${type}.Subtract(${type})`, ordered(type, i64.sub)],
    [`${type}.op_Subtraction(${type},${type})`, ordered(type, i64.sub)],
    [`${type}.AddMonths(int)`, moved('AddMonths')],
    [`${type}.AddYears(int)`, moved('AddYears')],
  ];
}

/** Day 0 was a Monday. */
function dayOfWeek(type: Timed): CallEmitter {
  return (f, call) => {
    clock(f, call, type);
    f.code.i64(ticks.Days);
    f.code.op(i64.divS);
    f.code.i64(1n);
    f.code.op(i64.add);
    f.code.i64(7n);
    f.code.op(i64.remS, i32.wrapI64);
  };
}

function timeOfDay(type: Timed): CallEmitter {
  return (f, call) => {
    clock(f, call, type);
    f.code.i64(ticks.Days);
    f.code.op(i64.remS);
  };
}

// --- DateTime ------------------------------------------------------------------------------------------------------------

/** The ticks of the value on the stack under a kind. */
function ofKind(f: FunctionEmitter, kind: bigint): void {
  masked(f);
  if (kind === 0n) return;
  f.code.i64(kind);
  f.code.op(i64.or);
}

const present =
  (kind: bigint, wholeDays = false): CallEmitter =>
  (f) => {
    f.core('timeNow');
    if (wholeDays) {
      f.core('timeNow');
      f.code.i64(ticks.Days);
      f.code.op(i64.remS, i64.sub);
    }
    ofKind(f, kind);
  };

/** Fields that are missing are 0, and so is the kind. */
function dateOfFields(fields: number, withKind: boolean): CallEmitter {
  return (f, call) => {
    for (let at = 0; at < 7; at++) {
      if (at < fields) f.expression(argument(call, at));
      else f.code.i32(0);
    }
    if (withKind) f.expression(argument(call, fields));
    else f.code.i32(0);
    f.core('dateOf');
    checkResult(f, 'date');
  };
}

function offsetOfFields(fields: number): CallEmitter {
  return (f, call) => {
    for (let at = 0; at < 7; at++) {
      if (at < fields) f.expression(argument(call, at));
      else f.code.i32(0);
    }
    f.expression(argument(call, fields));
    f.core('offsetOf');
    checkResult(f, 'wide');
  };
}

function constructors(): [string, CallEmitter][] {
  return [3, 6, 7].flatMap((count): [string, CallEmitter][] => {
    const ints = Array(count).fill('int').join(',');
    return [
      [`DateTime.new(${ints})`, dateOfFields(count, false)],
      [`DateTime.new(${ints},DateTimeKind)`, dateOfFields(count, true)],
      [`DateTimeOffset.new(${ints},TimeSpan)`, offsetOfFields(count)],
    ];
  });
}

/** The receiver's date at midnight, of the same kind. */
const dateOfDate: CallEmitter = (f, call) => {
  const { code } = f;
  const locals = operandLocals(f, call);
  const { local } = locals[0] as { local: number };
  code.get(local);
  code.get(local);
  masked(f);
  code.i64(ticks.Days);
  code.op(i64.remS, i64.sub);
  releaseAll(f, locals);
};

const specifyKind: CallEmitter = (f, call) => {
  f.expression(argument(call, 0));
  masked(f);
  f.expression(argument(call, 1));
  f.core('dateOfTicks');
  checkResult(f, 'date');
};

const dates: readonly [string, CallEmitter][] = [
  ...comparisons('DateTime'),
  ...calendar('DateTime'),
  ...constructors(),
  ['DateTime.MinValue', constant(0n)],
  ['DateTime.MaxValue', constant(mostTicks)],
  ['DateTime.UnixEpoch', constant(unixTicks | kinds.utc)],
  ['DateTime.new(long)', routine('dateOfTicks', 'date', 0)],
  ['DateTime.new(long,DateTimeKind)', routine('dateOfTicks', 'date')],
  ['DateTime.get_Now()', present(kinds.local)],
  ['DateTime.get_UtcNow()', present(kinds.utc)],
  ['DateTime.get_Today()', present(kinds.local, true)],
  ['DateTime.get_Date()', dateOfDate],
  [
    'DateTime.get_Kind()',
    (f, call) => {
      pushOperands(f, call);
      f.code.i64(62n);
      f.code.op(i64.shrU, i32.wrapI64);
    },
  ],
  [
    'DateTime.ToLocalTime()',
    (f, call) => {
      pushOperands(f, call);
      ofKind(f, kinds.local);
    },
  ],
  [
    'DateTime.ToUniversalTime()',
    (f, call) => {
      pushOperands(f, call);
      ofKind(f, kinds.utc);
    },
  ],
  ['DateTime.DaysInMonth(int,int)', routine('dateMonthDays', 'left')],
  ['DateTime.IsLeapYear(int)', routine('dateIsLeap', 'left')],
  ['DateTime.SpecifyKind(DateTime,DateTimeKind)', specifyKind],
];

// --- DateTimeOffset ------------------------------------------------------------------------------------------------------

/** UTC ticks on the stack as a value without an offset. */
function atUtc({ code }: FunctionEmitter): void {
  code.simd(i64x2.splat);
  code.i64(0n);
  code.simd(i64x2.replaceLane, 1);
}

function atUtcOf(push: CallEmitter): CallEmitter {
  return (f, call) => {
    push(f, call);
    atUtc(f);
  };
}

const utc = ordered('DateTimeOffset');

/** Ticks of the clock, or of UTC, as DateTime. */
const asDate =
  (push: CallEmitter, kind: bigint): CallEmitter =>
  (f, call) => {
    push(f, call);
    ofKind(f, kind);
  };

const ownClock: CallEmitter = (f, call) => clock(f, call, 'DateTimeOffset');

/** Whole units since 1970. */
function unixUnits(unit: bigint): CallEmitter {
  return (f, call) => {
    utc(f, call);
    f.code.i64(unit);
    f.code.op(i64.divS);
    f.code.i64(unixTicks / unit);
    f.code.op(i64.sub);
  };
}

function fromUnix(unit: bigint): CallEmitter {
  return (f, call) => {
    pushOperands(f, call);
    f.code.i64(unit);
    f.core('offsetFromUnix');
    checkResult(f, 'wide');
  };
}

const dateOffsets: readonly [string, CallEmitter][] = [
  ...comparisons('DateTimeOffset'),
  ...calendar('DateTimeOffset'),
  ['DateTimeOffset.MinValue', atUtcOf(constant(0n))],
  ['DateTimeOffset.MaxValue', atUtcOf(constant(mostTicks))],
  ['DateTimeOffset.UnixEpoch', atUtcOf(constant(unixTicks))],
  ['DateTimeOffset.new(long,TimeSpan)', routine('offsetOfTicks', 'wide')],
  ['DateTimeOffset.new(DateTime)', atUtcOf(ordered('DateTime'))],
  ['DateTimeOffset.op_Implicit(DateTime)->DateTimeOffset', atUtcOf(ordered('DateTime'))],
  ['DateTimeOffset.new(DateTime,TimeSpan)', routine('offsetOfDate', 'wide')],
  ['DateTimeOffset.get_Now()', atUtcOf(present(0n))],
  ['DateTimeOffset.get_UtcNow()', atUtcOf(present(0n))],
  ['DateTimeOffset.get_DateTime()', asDate(ownClock, kinds.unspecified)],
  ['DateTimeOffset.get_UtcDateTime()', asDate(utc, kinds.utc)],
  ['DateTimeOffset.get_LocalDateTime()', asDate(utc, kinds.local)],
  [
    'DateTimeOffset.get_Date()',
    (f, call) => {
      const { code } = f;
      const local = code.borrow('i64');
      ownClock(f, call);
      code.tee(local);
      code.get(local);
      code.i64(ticks.Days);
      code.op(i64.remS, i64.sub);
      code.release('i64', local);
    },
  ],
  [
    'DateTimeOffset.get_Offset()',
    (f, call) => {
      pushOperands(f, call);
      f.code.simd(i32x4.extractLane, 2);
      f.code.op(i64.extendI32S);
      f.code.i64(ticks.Minutes);
      f.code.op(i64.mul);
    },
  ],
  ['DateTimeOffset.get_UtcTicks()', utc],
  ['DateTimeOffset.EqualsExact(DateTimeOffset)', wideEquality],
  ['DateTimeOffset.ToOffset(TimeSpan)', routine('offsetMoved', 'wide')],
  ['DateTimeOffset.ToLocalTime()', atUtcOf(utc)],
  ['DateTimeOffset.ToUniversalTime()', atUtcOf(utc)],
  ['DateTimeOffset.FromUnixTimeSeconds(long)', fromUnix(ticks.Seconds)],
  ['DateTimeOffset.FromUnixTimeMilliseconds(long)', fromUnix(ticks.Milliseconds)],
  ['DateTimeOffset.ToUnixTimeSeconds()', unixUnits(ticks.Seconds)],
  ['DateTimeOffset.ToUnixTimeMilliseconds()', unixUnits(ticks.Milliseconds)],
];

export const timeCalls: readonly [string, CallEmitter][] = [...dates, ...dateOffsets, ...spanCalls];
