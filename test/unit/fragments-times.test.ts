// The core's calendar, spans and functions of reals beside the interpreter's: every day there is (FRAGMENT_ALL_DAYS, otherwise one of
// thirteen), and random moments, amounts and numbers at the edges. The seed is printed; FRAGMENT_SEED repeats a run.

import { expect, it } from 'vitest';
import { dateParts, MAX_TICKS, TICKS_PER_DAY } from '../../src/fragments/interpreter/calendar.ts';
import { Thrown } from '../../src/fragments/interpreter/exceptions.ts';
import { metered } from '../../src/fragments/interpreter/machine.ts';
import { memberImplementation } from '../../src/fragments/interpreter/members/index.ts';
import type { Native } from '../../src/fragments/interpreter/members/native.ts';
import {
  DateTimeOffsetValue,
  DateTimeValue,
  GuidValue,
  TimeSpanValue,
} from '../../src/fragments/interpreter/structs.ts';
import { coreReals } from './support/core-reals.ts';
import { CoreRoutines, type Routine } from './support/core-routines.ts';
import { randomOf } from './support/fragment-generator.ts';

const seed = Number(process.env.FRAGMENT_SEED ?? Math.floor(Math.random() * 2 ** 32));
const rounds = Number(process.env.DECIMAL_ROUNDS ?? 15_000);
const random = randomOf(seed);
const below = (bound: number): number => Math.floor(random() * bound);
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
const routines = new CoreRoutines('dist/wasm/core.shared.wasm');
const kindMask = 3n << 62n;

const any64 = (): bigint => BigInt.asIntN(64, (BigInt(below(2 ** 32)) << 32n) | BigInt(below(2 ** 32)));
const ticks = (): bigint =>
  pick([() => 0n, () => MAX_TICKS, () => BigInt(below(3_652_059)) * TICKS_PER_DAY, () => BigInt.asUintN(62, any64()) % (MAX_TICKS + 1n)])(); // biome-ignore format: one expression
const span = (): bigint =>
  pick([any64, () => any64() >> BigInt(below(64)), () => -(2n ** 63n), () => 2n ** 63n - 1n, () => BigInt(below(1800) - 900) * 600_000_000n])(); // biome-ignore format: one expression
const int = (): number => pick([() => below(2 ** 32) | 0, () => below(200) - 100, () => below(20001) - 10000, () => -(2 ** 31)])(); // biome-ignore format: one expression
const real = (): number =>
  pick([() => below(2e9) - 1e9 + 0.5, () => (random() - 0.5) * 10 ** below(40), () => (random() - 0.5) * 10 ** -below(320), () => pick([0, -0, 0.5, -0.5, 1, 2.5, Number.NaN, Number.POSITIVE_INFINITY, -1 / 0, 2 ** 52 + 0.5, 5e-324, 2 ** 63, 1e16]), () => below(1e6) / 1000, () => below(1000)])(); // biome-ignore format: one expression

/** Values of the interpreter and the words of the core for the same thing. */
type Pair = readonly [value: unknown, word: number | bigint | readonly [bigint, bigint]];
const dateWord = ({ ticks: at, kind }: DateTimeValue): bigint => BigInt.asIntN(64, at | (BigInt(kind) << 62n));
const offsetWords = ({ utcTicks, offsetMinutes }: DateTimeOffsetValue): [bigint, bigint] => [
  utcTicks,
  BigInt.asUintN(32, BigInt(offsetMinutes)),
];
const date = (): Pair => {
  const value = new DateTimeValue(ticks(), below(3));
  return [value, dateWord(value)];
};
const offset = (): Pair => {
  const minutes = below(1681) - 840;
  const utc = ticks();
  const clock = utc + BigInt(minutes) * 600_000_000n;
  const value =
    clock < 0n || clock > MAX_TICKS ? new DateTimeOffsetValue(utc, 0) : new DateTimeOffsetValue(clock, minutes);
  return [value, offsetWords(value)];
};
const timeSpan = (): Pair => {
  const value = span();
  return [new TimeSpanValue(value), value];
};
const plain = (make: () => number | bigint) => (): Pair => {
  const value = make();
  return [value, value];
};
const guid = (): Pair => {
  const hex = Array.from({ length: 16 }, () =>
    pick([0, 255, below(256)])
      .toString(16)
      .padStart(2, '0'),
  );
  const bytes = new DataView(Uint8Array.from(hex, (pair) => Number.parseInt(pair, 16)).buffer);
  const text = hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return [new GuidValue(text), [bytes.getBigUint64(0, true), bytes.getBigUint64(8, true)]];
};

const unlimited = { fuel: Number.POSITIVE_INFINITY, memoryBytes: 2 ** 30, depth: 10, cancelled: null };

function interpreted(key: string, values: readonly unknown[]): string {
  try {
    return metered(unlimited, { nowTicks: 0n, reals: coreReals }, () =>
      written((memberImplementation(key) as Native)(...values)),
    );
  } catch (error) {
    if (error instanceof Thrown) return `!${error.exception.type.name}`;
    throw error;
  }
}

function written(value: unknown): string {
  if (value instanceof DateTimeValue) return String(dateWord(value));
  if (value instanceof TimeSpanValue) return String(value.ticks);
  if (value instanceof DateTimeOffsetValue) return String(offsetWords(value));
  if (typeof value === 'boolean') return value ? '1' : '0';
  return Object.is(value, -0) ? '-0' : String(value);
}

const exceptions = ['', '', 'DivideByZeroException', 'OverflowException', '', 'ArgumentOutOfRangeException'];
exceptions[13] = 'ArgumentException';

function computed(name: Routine, values: readonly Pair[1][], more: readonly number[], isDate: boolean): string {
  const result = routines.call(name, ...values, ...more);
  const left = routines.fault();
  if (left !== '') return `!${left}`;
  if (Array.isArray(result)) {
    const fault = Number(result[1] >> 32n);
    return fault === 0 || name.startsWith('guid') ? String(result) : `!${exceptions[fault]}`;
  }
  const isFault = isDate && (BigInt.asUintN(64, result as bigint) & kindMask) === kindMask;
  return isFault ? `!${exceptions[Number(BigInt.asUintN(16, result as bigint))]}` : written(result);
}

/** A member, the routine behind it, its operands, and constants that follow them. */
type Case = readonly [key: string, name: Routine, operands: readonly (() => Pair)[], more?: readonly number[]];

const unit = (name: string, milliseconds: number): readonly Case[] => [
  [`DateTime.Add${name}(double)`, 'dateAddReal', [date, plain(real)], [milliseconds]],
  [`DateTimeOffset.Add${name}(double)`, 'offsetAddReal', [offset, plain(real)], [milliseconds]],
  [`TimeSpan.From${name}(double)`, 'spanFromReal', [plain(real)], [milliseconds * 10_000]],
];
const single = plain(() => Math.fround(real()));
const double = plain(real);
/** Factors around 1, and what their product nearly is, with either sign: what is left needs all the digits. */
const near = plain(() => 1 + (below(2 ** 20) - 2 ** 19) * 2 ** -below(52));
const nearSquare = plain(
  () => pick([-1, 1]) * (1 + (below(2 ** 21) - 2 ** 20) * 2 ** -below(52)) * 2 ** ((below(320) - 160) ** below(2)),
);

const cases: readonly Case[] = [
  ...unit('Days', 86_400_000), ...unit('Hours', 3_600_000), ...unit('Minutes', 60_000), ...unit('Seconds', 1000), ...unit('Milliseconds', 1),
  ['DateTime.AddMonths(int)', 'dateAddMonths', [date, plain(int)]],
  ['DateTime.AddYears(int)', 'dateAddYears', [date, plain(int)]],
  ['DateTime.Add(TimeSpan)', 'dateAddTicks', [date, timeSpan]],
  ['DateTime.Subtract(TimeSpan)', 'dateSubtractTicks', [date, timeSpan]],
  ['DateTime.new(long,DateTimeKind)', 'dateOfTicks', [plain(() => pick([ticks, span])()), plain(() => below(4))]],
  ['DateTime.new(int,int,int,int,int,int,int,DateTimeKind)', 'dateOf', [plain(() => below(10002)), plain(() => below(14)), plain(() => below(33)), plain(() => below(25)), plain(() => below(61)), plain(() => below(61)), plain(() => below(1001)), plain(() => below(3))]],
  ['DateTime.DaysInMonth(int,int)', 'dateMonthDays', [plain(() => below(10001)), plain(() => below(14))]],
  ['DateTime.IsLeapYear(int)', 'dateIsLeap', [plain(() => below(10001))]],
  ['DateTimeOffset.AddMonths(int)', 'offsetAddMonths', [offset, plain(int)]],
  ['DateTimeOffset.AddYears(int)', 'offsetAddYears', [offset, plain(int)]],
  ['DateTimeOffset.Add(TimeSpan)', 'offsetAddTicks', [offset, timeSpan]],
  ['DateTimeOffset.Subtract(TimeSpan)', 'offsetSubtractTicks', [offset, timeSpan]],
  ['DateTimeOffset.ToOffset(TimeSpan)', 'offsetMoved', [offset, timeSpan]],
  ['DateTimeOffset.new(long,TimeSpan)', 'offsetOfTicks', [plain(() => pick([ticks, span])()), timeSpan]],
  ['DateTimeOffset.new(DateTime,TimeSpan)', 'offsetOfDate', [date, timeSpan]],
  ['DateTimeOffset.get_Ticks()', 'offsetClock', [offset]],
  ['TimeSpan.Add(TimeSpan)', 'spanAdd', [timeSpan, timeSpan]],
  ['TimeSpan.Subtract(TimeSpan)', 'spanSubtract', [timeSpan, timeSpan]],
  ['TimeSpan.Multiply(double)', 'spanScale', [timeSpan, double], [0]],
  ['TimeSpan.Divide(double)', 'spanScale', [timeSpan, double], [1]],
  ['TimeSpan.new(int,int,int,int,int)', 'spanOf', [plain(int), plain(int), plain(int), plain(int), plain(int)]],
  ['Guid.CompareTo(Guid)', 'guidCompare', [guid, guid]],
  ['Math.Round(double,int,MidpointRounding)', 'realRound', [double, plain(() => below(18) - 1), plain(() => below(6))], [0]],
  ['MathF.Round(float,int,MidpointRounding)', 'realRound', [single, plain(() => below(8) - 1), plain(() => below(6))], [1]],
  ['Math.IEEERemainder(double,double)', 'realIeeeRemainder', [double, double]],
  ['Math.CopySign(double,double)', 'realCopySign', [double, double]],
  ['Math.MaxMagnitude(double,double)', 'realMagnitude', [double, double], [1]],
  ['Math.MinMagnitude(double,double)', 'realMagnitude', [double, double], [0]],
  ['Math.ScaleB(double,int)', 'realScale', [double, plain(() => below(5000) - 2500)]],
  ['Math.ILogB(double)', 'realExponent', [double]],
  ['Math.FusedMultiplyAdd(double,double,double)', 'realFused', [double, double, double]],
  ['Math.FusedMultiplyAdd(double,double,double)', 'realFused', [near, near, nearSquare]],
  ['Math.BitIncrement(double)', 'realNext', [double], [1]],
  ['Math.BitDecrement(double)', 'realNext', [double], [0]],
  ['MathF.BitIncrement(float)', 'singleNext', [single], [1]],
  ['Double.GetHashCode()', 'realHash', [double]],
  ['Single.GetHashCode()', 'singleHash', [single]],
]; // biome-ignore format: a table

it(`computes with dates and reals as the interpreter does: FRAGMENT_SEED=${seed}`, { timeout: 0 }, () => {
  const wrong: string[] = [];
  for (const [key, name, operands, more = []] of cases) {
    const isDate = key.startsWith('DateTime.') && name.startsWith('date') && !/Days|Leap/.test(name);
    for (let round = 0; round < rounds / 4; round++) {
      const pairs = operands.map((make) => make());
      const expected = interpreted(key, pairs.map(([value]) => value)); // biome-ignore format: one expression
      let given = computed(name, pairs.map(([, word]) => word), more, isDate); // biome-ignore format: one expression
      if (key.startsWith('MathF.Round') && !given.startsWith('!')) given = written(Math.fround(Number(given)));
      if (given === expected) continue;
      wrong.push(`${key} of ${pairs.map(([value]) => JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part)))}: core ${given}, interpreter ${expected}`); // biome-ignore format: one expression
      break;
    }
  }
  expect(wrong.join('\n')).toBe('');
});

it('knows every day', { timeout: 0 }, () => {
  const step = process.env.FRAGMENT_ALL_DAYS ? 1 : 13;
  let wrong = '';
  for (let day = 0; day < 3_652_059 && wrong === ''; day += step) {
    const at = BigInt(day) * TICKS_PER_DAY + (day % 2 === 0 ? 0n : TICKS_PER_DAY - 1n);
    const { year, month, day: dayOfMonth, dayOfYear } = dateParts(at);
    const parts = [0, 1, 2, 3].map((part) => routines.call('datePart', at, part));
    const back = routines.call('dateOf', year, month, dayOfMonth, 0, 0, 0, 0, 0);
    const good = [year, month, dayOfMonth, dayOfYear].every((part, index) => part === parts[index]);
    if (!good || back !== at - (at % TICKS_PER_DAY)) wrong = `day ${day}: ${parts} and ${back}`;
  }
  expect(wrong).toBe('');
});
