// TimeSpan: arithmetic with reals, text, and reading it.

import { TICKS_PER_DAY, TICKS_PER_HOUR, TICKS_PER_MINUTE, TICKS_PER_SECOND } from './calendar.ts';
import { readQuoted } from './date-format.ts';
import { badArgument, formatError, overflow } from './exceptions.ts';
import { allocate, charge } from './machine.ts';
import { TimeSpanValue } from './structs.ts';

const MAX = (1n << 63n) - 1n;
const MIN = -(1n << 63n);
const TOO_LONG = 'TimeSpan overflowed because the duration is too long.';

export function checkedSpan(ticks: bigint): TimeSpanValue {
  return ticks > MAX || ticks < MIN ? overflow(TOO_LONG) : new TimeSpanValue(ticks);
}

/** A real number of units as a span; fractions of a tick are cut off. */
export function spanFromReal(value: number, unitTicks: number): TimeSpanValue {
  if (Number.isNaN(value)) return badArgument('TimeSpan does not accept floating point Not-a-Number values.');
  return spanFromTicks(value * unitTicks);
}

function spanFromTicks(ticks: number): TimeSpanValue {
  if (Number.isNaN(ticks) || ticks > 2 ** 63 || ticks < -(2 ** 63)) return overflow(TOO_LONG);
  if (ticks === 2 ** 63) return new TimeSpanValue(MAX);
  return new TimeSpanValue(BigInt(Math.trunc(ticks)));
}

/** Multiplication and division round to the nearest tick. */
export function scaledSpan(ticks: number): TimeSpanValue {
  return spanFromTicks(roundHalfEven(ticks));
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

interface SpanParts {
  readonly negative: boolean;
  readonly days: bigint;
  readonly hours: bigint;
  readonly minutes: bigint;
  readonly seconds: bigint;
  readonly fraction: bigint;
}

function partsOf(value: TimeSpanValue): SpanParts {
  const negative = value.ticks < 0n;
  const size = negative ? -value.ticks : value.ticks;
  return {
    negative,
    days: size / TICKS_PER_DAY,
    hours: (size / TICKS_PER_HOUR) % 24n,
    minutes: (size / TICKS_PER_MINUTE) % 60n,
    seconds: (size / TICKS_PER_SECOND) % 60n,
    fraction: size % TICKS_PER_SECOND,
  };
}

function two(value: bigint): string {
  return String(value).padStart(2, '0');
}

export function formatTimeSpan(value: TimeSpanValue, format: string | null): string {
  const parts = partsOf(value);
  const { days, hours, minutes, seconds } = parts;
  const sign = parts.negative ? '-' : '';
  const fraction = String(parts.fraction).padStart(7, '0');
  if (format !== null && format.length > 1) return formatCustom(parts, fraction, format);
  switch (format || 'c') {
    case 'c':
    case 't':
    case 'T': {
      const tail = parts.fraction === 0n ? '' : `.${fraction}`;
      return `${sign}${days === 0n ? '' : `${days}.`}${two(hours)}:${two(minutes)}:${two(seconds)}${tail}`;
    }
    case 'g': {
      const tail = parts.fraction === 0n ? '' : `.${fraction.replace(/0+$/, '')}`;
      return `${sign}${days === 0n ? '' : `${days}:`}${hours}:${two(minutes)}:${two(seconds)}${tail}`;
    }
    case 'G':
      return `${sign}${days}:${two(hours)}:${two(minutes)}:${two(seconds)}.${fraction}`;
    default:
      return formatError();
  }
}

function formatCustom(parts: SpanParts, fraction: string, format: string): string {
  charge(format.length);
  allocate(format.length * 4 + 64);
  let text = '';
  for (let at = 0; at < format.length; ) {
    const letter = format[at]!;
    let count = 1;
    if ('dhmsfF'.includes(letter)) {
      while (format[at + count] === letter) count++;
      text += customField(parts, fraction, letter, count);
    } else if (letter === "'" || letter === '"') {
      const literal = readQuoted(format, at);
      text += literal.text;
      count = literal.length;
    } else if (letter === '%') {
      if (at + 1 >= format.length || format[at + 1] === '%') return formatError();
    } else if (letter === '\\') {
      if (at + 1 >= format.length) return formatError();
      text += format[at + 1];
      count = 2;
    } else return formatError();
    at += count;
  }
  return text;
}

function customField(parts: SpanParts, fraction: string, letter: string, count: number): string {
  const limit = letter === 'd' ? 8 : letter === 'f' || letter === 'F' ? 7 : 2;
  if (count > limit) return formatError();
  switch (letter) {
    case 'd':
      return String(parts.days).padStart(count, '0');
    case 'h':
      return String(parts.hours).padStart(count, '0');
    case 'm':
      return String(parts.minutes).padStart(count, '0');
    case 's':
      return String(parts.seconds).padStart(count, '0');
    case 'f':
      return fraction.slice(0, count);
    default:
      return fraction.slice(0, count).replace(/0+$/, '');
  }
}

const SHAPE = /^\s*(-?)(?:(\d+)|(?:(\d+)[.:])?(\d+):(\d+)(?::(\d+))?(?:\.(\d+))?)\s*\0*$/;

/** A span's text: `[-][d.]hh:mm[:ss[.fffffff]]` or days alone. */
export function readTimeSpan(text: string): TimeSpanValue | 'format' | 'overflow' {
  const match = SHAPE.exec(text);
  if (!match) return 'format';
  const [, sign, onlyDays, first, second, third, fourth, fractionText] = match;
  let [days, hours, minutes, seconds] = [onlyDays ?? first, second, third, fourth];
  const dotted = first !== undefined && text.includes(`${first}.`) && text.indexOf('.') < text.indexOf(':');
  if (first !== undefined && !dotted && fourth === undefined) {
    // d:hh:mm with colons only is hh:mm:ss.
    [days, hours, minutes, seconds] = [undefined, first, second, third];
  }
  if (fractionText !== undefined && (seconds === undefined || fractionText.length > 7)) {
    return seconds === undefined ? 'format' : 'overflow';
  }
  const numbers = [days, hours, minutes, seconds].map((part) => (part ?? '0').replace(/^0+(?=\d)/, ''));
  if (numbers.some((part) => part.length > 8)) return 'overflow';
  const [d, h, m, s] = numbers.map(BigInt) as [bigint, bigint, bigint, bigint];
  if (d > 10675199n || h > 23n || m > 59n || s > 59n) return 'overflow';
  const fraction = BigInt((fractionText ?? '').padEnd(7, '0') || '0');
  const ticks = d * TICKS_PER_DAY + h * TICKS_PER_HOUR + m * TICKS_PER_MINUTE + s * TICKS_PER_SECOND + fraction;
  const signed = sign === '-' ? -ticks : ticks;
  return signed > MAX || signed < MIN ? 'overflow' : new TimeSpanValue(signed);
}
