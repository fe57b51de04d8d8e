// Typed property values as the contract means them, written for plainness: big integers and regular expressions. Text forms are
// those of .NET's invariant culture. Dates are read in ISO forms only (`yyyy-MM-dd`, then optionally a time and a zone); the local
// zone is UTC. Knows values, nothing of graphs.

import { TypeId } from '../../src/core/values.ts';

export type TextForm = 'bulk' | 'read' | 'scan';

/** A value in the representation of its type: text, boolean, integer, float, or the parts of a wide type. */
export type NaiveValue =
  | { readonly type: TypeId; readonly text: string }
  | { readonly type: TypeId; readonly integer: bigint; readonly extra: number }
  | { readonly type: TypeId; readonly float: number }
  | { readonly type: TypeId; readonly floats: readonly number[] };

const typeNames: Readonly<Record<number, string>> = Object.fromEntries(
  'String Boolean Byte SByte Int16 UInt16 Int32 UInt32 Int64 UInt64 Single Double Decimal Char DateTime DateTimeOffset TimeSpan Guid Single[]'
    .split(' ')
    .map((name, index) => [index + 1, `System.${name}`]),
);

/** `System.Int32` */
export function typeNameOf(type: TypeId): string {
  return typeNames[type] as string;
}

const integerRanges = new Map<TypeId, readonly [bigint, bigint]>([
  [TypeId.byte, [0n, 255n]],
  [TypeId.sbyte, [-128n, 127n]],
  [TypeId.int16, [-(2n ** 15n), 2n ** 15n - 1n]],
  [TypeId.uint16, [0n, 2n ** 16n - 1n]],
  [TypeId.int32, [-(2n ** 31n), 2n ** 31n - 1n]],
  [TypeId.uint32, [0n, 2n ** 32n - 1n]],
  [TypeId.int64, [-(2n ** 63n), 2n ** 63n - 1n]],
  [TypeId.uint64, [0n, 2n ** 64n - 1n]],
]);

const trimmable = /^[\t-\r ]+|[\t-\r ]+$/g;
const ticksOfSecond = 10_000_000n;
const ticksOfDay = 864_000_000_000n;
const maxTicks = 3_155_378_975_999_999_999n;
const maxDecimal = 2n ** 96n;
const kinds = { unspecified: 0, utc: 1, local: 2 };

/** The value that `text` stands for; null when it is none of the type. */
export function parseValue(type: TypeId, text: string): NaiveValue | null {
  const trimmed = text.replace(trimmable, '');
  const range = integerRanges.get(type);
  if (range !== undefined) return parseInteger(type, trimmed, range);
  switch (type) {
    case TypeId.string:
      return { type, text };
    case TypeId.char:
      return text.length === 1 ? { type, text } : null;
    case TypeId.boolean:
      return parseBoolean(trimmed.toLowerCase());
    case TypeId.single:
    case TypeId.double:
      return parseFloatText(type, trimmed);
    case TypeId.decimal:
      return parseDecimal(trimmed);
    case TypeId.dateTime:
    case TypeId.dateTimeOffset:
      return parseDate(type, trimmed);
    case TypeId.timeSpan:
      return parseTimeSpan(trimmed);
    case TypeId.guid:
      return parseGuid(trimmed);
    case TypeId.singleArray:
      return parseFloats(text);
    default:
      return null;
  }
}

function parseInteger(type: TypeId, text: string, [low, high]: readonly [bigint, bigint]): NaiveValue | null {
  if (!/^[+-]?\d+$/.test(text)) return null;
  const integer = BigInt(text.replace('+', ''));
  return integer < low || integer > high ? null : { type, integer, extra: 0 };
}

function parseBoolean(word: string): NaiveValue | null {
  if (word !== 'true' && word !== 'false') return null;
  return { type: TypeId.boolean, integer: word === 'true' ? 1n : 0n, extra: 0 };
}

function readFloat(text: string): number | null {
  if (/^[+-]?infinity$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (/^[+-]?nan$/i.test(text)) return Number.NaN;
  if (!/^[+-]?(\d[\d,]*(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(text)) return null;
  return Number(text.replaceAll(',', ''));
}

function parseFloatText(type: TypeId, text: string): NaiveValue | null {
  const float = readFloat(text);
  if (float === null) return null;
  return { type, float: type === TypeId.single ? Math.fround(float) : float };
}

function parseFloats(text: string): NaiveValue | null {
  if (text === '') return { type: TypeId.singleArray, floats: [] };
  const floats = text.split(',').map((part) => readFloat(part.replace(trimmable, '')));
  if (floats.includes(null)) return null;
  return { type: TypeId.singleArray, floats: (floats as number[]).map(Math.fround) };
}

/** `integer` is the unscaled value, `extra` the decimal places. */
function parseDecimal(text: string): NaiveValue | null {
  const match = /^([+-]?)(\d[\d,]*)?(?:\.(\d*))?([+-]?)$/.exec(text);
  if (match === null) return null;
  const [, before = '', whole = '', fraction = '', after = ''] = match;
  const digits = whole.replaceAll(',', '') + fraction;
  if (digits === '' || (before !== '' && after !== '')) return null;
  let scale = fraction.length;
  let integer = BigInt(digits);
  for (let cut = 0; scale > 28 || integer >= maxDecimal; ) {
    cut = Math.max(scale - 28, cut + 1);
    if (cut > fraction.length) return null;
    scale = fraction.length - cut;
    integer = roundHalfEven(BigInt(digits), 10n ** BigInt(cut));
    if (integer < maxDecimal && scale <= 28) break;
  }
  return { type: TypeId.decimal, integer: before + after === '-' ? -integer : integer, extra: scale };
}

function roundHalfEven(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  const twice = (value % divisor) * 2n;
  if (twice < divisor || (twice === divisor && quotient % 2n === 0n)) return quotient;
  return quotient + 1n;
}

const isoDate =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:T| +)(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?)?(?: *(Z|[+-]\d{2}:\d{2}))?$/i;

/** `integer` is ticks; `extra` the kind of a DateTime, the offset in minutes of a DateTimeOffset. */
function parseDate(type: TypeId, text: string): NaiveValue | null {
  const match = isoDate.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone] = match;
  const days = daysOf(Number(year), Number(month), Number(day));
  if (days === null || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const seconds = BigInt(Number(hour) * 3600 + Number(minute) * 60 + Number(second));
  const clock = days * ticksOfDay + seconds * ticksOfSecond + fractionTicks(fraction);
  const offset = zone === undefined || /z/i.test(zone) ? 0 : offsetMinutes(zone);
  if (clock > maxTicks || Math.abs(offset) > 14 * 60) return null;
  let ticks = clock - BigInt(offset) * 600_000_000n;
  if (type === TypeId.dateTime && ticks < 0n) ticks += ticksOfDay;
  if (ticks < 0n || ticks > maxTicks) return null;
  if (type === TypeId.dateTimeOffset) return { type, integer: ticks, extra: offset };
  const kind = zone === undefined ? kinds.unspecified : /z/i.test(zone) ? kinds.utc : kinds.local;
  return { type, integer: ticks, extra: kind };
}

function daysOf(year: number, month: number, day: number): bigint | null {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (year < 1 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  return BigInt(date.getTime() / 86_400_000 + 719_162);
}

function fractionTicks(digits: string): bigint {
  const padded = digits.padEnd(8, '0');
  const ticks = BigInt(padded.slice(0, 7));
  return digits.length > 7 && Number(padded[7]) >= 5 ? ticks + 1n : ticks;
}

function offsetMinutes(zone: string): number {
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6));
  return zone.startsWith('-') ? -minutes : minutes;
}

function parseTimeSpan(text: string): NaiveValue | null {
  const match = /^(-?)(?:(\d+)|(?:(\d+)\.)?(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,7}))?)?)$/.exec(text);
  if (match === null) return null;
  const [, sign, wholeDays, dayPart = '0', hour = '0', minute = '0', second = '0', fraction = ''] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const seconds = BigInt(Number(hour) * 3600 + Number(minute) * 60 + Number(second));
  const ticks = BigInt(wholeDays ?? dayPart) * ticksOfDay + seconds * ticksOfSecond + fractionTicks(fraction);
  const integer = sign === '-' ? -ticks : ticks;
  if (integer > 2n ** 63n - 1n || integer < -(2n ** 63n)) return null;
  return { type: TypeId.timeSpan, integer, extra: 0 };
}

function parseGuid(text: string): NaiveValue | null {
  const match = /^(?:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})|\{(.{36})\}|\((.{36})\)|([0-9a-f]{32}))$/i.exec(
    text,
  );
  if (match === null) return null;
  const hex = (match[1] ?? match[2] ?? match[3] ?? match[4] ?? '').replaceAll('-', '').toLowerCase();
  if (!/^[0-9a-f]{32}$/.test(hex)) return null;
  return { type: TypeId.guid, text: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') };
}

/** The text of a value: as bulk lines, element reads or the text scan show it. */
export function formatValue(value: NaiveValue, form: TextForm): string {
  if ('text' in value) return value.text;
  if ('float' in value) return formatFloat(value.float, value.type === TypeId.single);
  if ('floats' in value) {
    const list = value.floats.map((float) => formatFloat(float, true)).join(',');
    return form === 'bulk' ? list : `[${list}]`;
  }
  const { type, integer, extra } = value;
  switch (type) {
    case TypeId.boolean:
      return form === 'bulk' ? String(integer === 1n) : integer === 1n ? 'True' : 'False';
    case TypeId.decimal:
      return formatDecimal(integer, extra);
    case TypeId.dateTime:
      return form === 'scan' ? generalDate(integer) : roundTripDate(integer) + ['', 'Z', '+00:00'][extra];
    case TypeId.dateTimeOffset: {
      const clock = integer + BigInt(extra) * 600_000_000n;
      return form === 'scan' ? `${generalDate(clock)} ${zoneText(extra)}` : roundTripDate(clock) + zoneText(extra);
    }
    case TypeId.timeSpan:
      return formatTimeSpan(integer);
    default:
      return String(integer);
  }
}

function formatDecimal(integer: bigint, scale: number): string {
  const digits = String(integer < 0n ? -integer : integer).padStart(scale + 1, '0');
  const point = digits.length - scale;
  const text = scale === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return integer < 0n ? `-${text}` : text;
}

/** Shortest digits that read back the same, laid out as .NET's general format. */
function formatFloat(value: number, single: boolean): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  if (value === 0) return `${sign}0`;
  const [mantissa = '', power = ''] = shortest(Math.abs(value), single).split('e');
  const digits = mantissa.replace('.', '');
  const exponent = Number(power);
  if (exponent + 1 > (single ? 9 : 17) || exponent < -4) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
    const size = String(Math.abs(exponent)).padStart(2, '0');
    return `${sign}${digits[0]}${fraction}E${exponent < 0 ? '-' : '+'}${size}`;
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return sign + digits.padEnd(exponent + 1, '0');
  return `${sign}${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}

/** As toExponential writes: the fewest digits that read back as the value, and do not lie exactly in the middle of it and another one. */
export function shortest(value: number, single: boolean): string {
  if (!single) {
    let text = value.toExponential();
    for (let digits = text.replace(/e.*|\D/g, '').length; digits < 17 && isBetween(text, value, false); digits++) {
      text = value.toExponential(digits);
    }
    return trimmed(text);
  }
  const all = value.toExponential(100).replace(/[-.]|e.*/g, '');
  for (let digits = 0; digits < 9; digits++) {
    const [mantissa = '', power = ''] = value.toExponential(digits).split('e');
    const rounded = Math.abs(Number(mantissa.replace('.', '')));
    // Of two as near the even one; beside the nearest the next one may be the only one that reads back (at powers of two).
    const nearest = /^50*$/.test(all.slice(digits + 1)) && rounded % 2 !== 0 ? rounded - 1 : rounded;
    for (const candidate of [nearest, nearest - 1, nearest + 1]) {
      const text = `${value < 0 ? '-' : ''}${candidate}e${Number(power) - digits}`;
      if (Math.fround(Number(text)) === value && !isBetween(text, value, true)) {
        return trimmed(Number(text).toExponential());
      }
    }
  }
  return value.toExponential(8);
}

const trimmed = (text: string): string => text.replace(/\.?0+e/, 'e');

/** Whether a number's text lies exactly in the middle of a large value and the one above or below it. */
function isBetween(text: string, value: number, single: boolean): boolean {
  if (Math.abs(value) < (single ? 2 ** 24 : 2 ** 53) || !Number.isFinite(value)) return false;
  const [, first = '', rest = '', power = ''] = /^-?(\d+)\.?(\d*)e\+?(-?\d+)$/.exec(text) ?? [];
  const zeros = Number(power) - rest.length;
  if (zeros < 0) return false;
  const twice = 2n * BigInt(first + rest) * 10n ** BigInt(zeros);
  const view = new DataView(new ArrayBuffer(8));
  return [1, -1].some((step) => {
    view.setFloat64(0, Math.abs(value));
    if (single) view.setFloat32(4, Math.abs(value));
    if (single) view.setUint32(4, view.getUint32(4) + step);
    else view.setBigUint64(0, view.getBigUint64(0) + BigInt(step));
    const other = single ? view.getFloat32(4) : view.getFloat64(0);
    return Number.isFinite(other) && twice === BigInt(Math.abs(value)) + BigInt(other);
  });
}

function civil(ticks: bigint): { date: string; time: string; fraction: string } {
  const days = Number(ticks / ticksOfDay);
  const [year = '', month, day] = new Date((days - 719_162) * 86_400_000).toISOString().slice(0, 10).split('-');
  const rest = ticks % ticksOfDay;
  const time = new Date(Number(rest / ticksOfSecond) * 1000).toISOString().slice(11, 19);
  return { date: `${year}-${month}-${day}`, time, fraction: String(rest % ticksOfSecond).padStart(7, '0') };
}

function roundTripDate(ticks: bigint): string {
  const { date, time, fraction } = civil(ticks);
  return `${date}T${time}.${fraction}`;
}

function generalDate(ticks: bigint): string {
  const { date, time } = civil(ticks);
  const [year, month, day] = date.split('-');
  return `${month}/${day}/${year} ${time}`;
}

function zoneText(minutes: number): string {
  const size = Math.abs(minutes);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

function formatTimeSpan(ticks: bigint): string {
  const size = ticks < 0n ? -ticks : ticks;
  const days = size / ticksOfDay;
  const { time, fraction } = civil(size % ticksOfDay);
  const day = days > 0n ? `${days}.` : '';
  return `${ticks < 0n ? '-' : ''}${day}${time}${fraction === '0000000' ? '' : `.${fraction}`}`;
}

/** Order of two values of one type; null when the type has none. */
export function compareValues(a: NaiveValue, b: NaiveValue): number | null {
  if ('floats' in a || 'floats' in b) return null;
  if ('text' in a && 'text' in b) return order(a.text, b.text);
  if ('float' in a && 'float' in b) {
    if (Number.isNaN(a.float) || Number.isNaN(b.float))
      return Number(!Number.isNaN(a.float)) - Number(!Number.isNaN(b.float));
    return order(a.float, b.float);
  }
  if (!('integer' in a) || !('integer' in b)) return null;
  if (a.type !== TypeId.decimal) return order(a.integer, b.integer);
  const scale = Math.max(a.extra, b.extra);
  return order(a.integer * 10n ** BigInt(scale - a.extra), b.integer * 10n ** BigInt(scale - b.extra));
}

function order<T extends string | number | bigint>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
