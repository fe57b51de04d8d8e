// Property values as the tests of reads and scans see them: a plain value, its eight-byte (or longer) encoding in a transaction
// buffer, its texts and its order, each written down again here from the contract, so that the core is not its own judge.

export const TYPE = {
  String: 1,
  Boolean: 2,
  Byte: 3,
  SByte: 4,
  Int16: 5,
  UInt16: 6,
  Int32: 7,
  UInt32: 8,
  Int64: 9,
  UInt64: 10,
  Single: 11,
  Double: 12,
  Decimal: 13,
  Char: 14,
  DateTime: 15,
  DateTimeOffset: 16,
  TimeSpan: 17,
  Guid: 18,
  SingleArray: 19,
} as const;

export const TYPE_NAMES = Object.keys(TYPE).map((name) => `System.${name === 'SingleArray' ? 'Single[]' : name}`);

/**
 * `value` by type: string; boolean; bigint (integers, DateTime ticks, TimeSpan ticks); number (Single, Double, Char unit);
 * Decimal, DateTimeOffset and Guid as below; number[] for Single[]. `kind` (DateTime): 0 unspecified, 1 UTC.
 */
export interface Value {
  readonly type: number;
  readonly value: string | boolean | bigint | number | number[] | DecimalValue | OffsetValue;
  readonly kind?: number;
}

export interface DecimalValue {
  readonly digits: bigint;
  readonly scale: number;
}

export interface OffsetValue {
  readonly utcTicks: bigint;
  readonly minutes: number;
}

const INTEGERS: Record<number, readonly [bigint, bigint]> = {
  [TYPE.Byte]: [0n, 255n],
  [TYPE.SByte]: [-128n, 127n],
  [TYPE.Int16]: [-32768n, 32767n],
  [TYPE.UInt16]: [0n, 65535n],
  [TYPE.Int32]: [-(2n ** 31n), 2n ** 31n - 1n],
  [TYPE.UInt32]: [0n, 2n ** 32n - 1n],
  [TYPE.Int64]: [-(2n ** 63n), 2n ** 63n - 1n],
  [TYPE.UInt64]: [0n, 2n ** 64n - 1n],
  [TYPE.TimeSpan]: [-(2n ** 63n), 2n ** 63n - 1n],
};

/** Random numbers from a seed: mulberry32. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A random one of the list. */
export function pick<T>(list: readonly T[], random: () => number): T {
  return list[Math.floor(random() * list.length)] as T;
}

const LETTERS = [
  'a',
  'B',
  'z',
  'Z',
  '0',
  ' ',
  '"',
  '\\',
  '\n',
  '\u0001',
  'é',
  'É',
  'ß',
  'Ω',
  'ω',
  'я',
  'Я',
  '中',
  '\u{1F600}',
];
const UNITS = [...LETTERS, '\ud800', '\udc00', '\uffff', '\u0130', '\u0131', '\u017f', '\u212a', '\ufb01', '\u{10400}'];

/** A random value of the type, drawn so that equal values and the ends of the range are common. */
export function randomValue(type: number, random: () => number): Value {
  const below = (count: number): number => Math.floor(random() * count);
  const range = INTEGERS[type];
  if (range) {
    const [low, high] = range;
    const near = BigInt(below(7)) - 3n;
    const places = [
      0n,
      low + 3n,
      high - 3n,
      BigInt(below(100)),
      BigInt.asIntN(63, BigInt(below(2 ** 32)) * 0x9e3779b1n),
    ];
    const value = pick(places, random) + near;
    return { type, value: value < low ? low : value > high ? high : value };
  }
  if (type === TYPE.Boolean) return { type, value: random() < 0.5 };
  if (type === TYPE.Single || type === TYPE.Double) {
    const number = pick([0, -0, Number.NaN, Infinity, -Infinity, below(9) - 4, (below(2001) - 1000) / 8], random);
    return { type, value: number };
  }
  if (type === TYPE.Char) return { type, value: pick(UNITS, random).charCodeAt(0) };
  if (type === TYPE.DateTime) {
    const ticks = pick([621355968000000000n, 0n, 3155378975999999999n], random);
    const value = ticks + (ticks === 0n ? 1n : -1n) * BigInt(below(3));
    return { type, value, kind: below(2) };
  }
  if (type === TYPE.DateTimeOffset) {
    const utcTicks = 630000000000000000n + BigInt(below(4)) * 600000000n;
    return { type, value: { utcTicks, minutes: (below(5) - 2) * 90 } };
  }
  if (type === TYPE.Decimal) {
    const scale = below(4) === 0 ? 28 : below(3);
    const digits = (BigInt(below(9)) - 4n) * 10n ** BigInt(scale > 3 ? 27 : scale) + BigInt(below(2));
    return { type, value: { digits, scale } };
  }
  if (type === TYPE.Guid) {
    const hex = Array.from({ length: 16 }, () => ['00', '7f', 'ff'][random() < 0.9 ? 0 : below(3)]).join('');
    return { type, value: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') };
  }
  if (type === TYPE.SingleArray) return { type, value: Array.from({ length: below(5) }, () => (below(64) - 32) / 4) };
  return {
    type,
    value: Array.from({ length: below(random() < 0.1 ? 60 : 4) }, () => pick(UNITS, random)).join(''),
  };
}

/** UTF-8 that also carries lone surrogates (WTF-8). */
export function wtf8(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    const point = character.codePointAt(0) as number;
    if (point < 0x80) bytes.push(point);
    else if (point < 0x800) bytes.push(0xc0 | (point >> 6), 0x80 | (point & 63));
    else if (point < 0x10000) bytes.push(0xe0 | (point >> 12), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
    else bytes.push(0xf0 | (point >> 18), 0x80 | ((point >> 12) & 63), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
  }
  return Uint8Array.from(bytes);
}

function isAscii(text: string): boolean {
  return [...text].every((character) => (character.codePointAt(0) as number) < 0x80);
}

function record(bytes: Uint8Array, info: number): Uint8Array {
  const out = new Uint8Array(8 + ((bytes.length + 7) & ~7));
  new DataView(out.buffer).setUint32(0, bytes.length, true);
  new DataView(out.buffer).setUint32(4, info >>> 0, true);
  out.set(bytes, 8);
  return out;
}

/** The value as it stands in a transaction buffer. */
export function encodeValue({ type, value, kind }: Value): Uint8Array {
  if (type === TYPE.String) {
    const text = value as string;
    return record(wtf8(text), text.length + (isAscii(text) ? 2 ** 31 : 0));
  }
  if (type === TYPE.SingleArray) {
    const numbers = Float32Array.from(value as number[]);
    return record(new Uint8Array(numbers.buffer), numbers.length);
  }
  const out = new Uint8Array(type === TYPE.Decimal || type === TYPE.DateTimeOffset || type === TYPE.Guid ? 16 : 8);
  const view = new DataView(out.buffer);
  if (type === TYPE.Decimal) {
    const { digits, scale } = value as DecimalValue;
    const size = digits < 0n ? -digits : digits;
    view.setBigUint64(0, BigInt.asUintN(64, size), true);
    view.setUint32(8, Number(size >> 64n), true);
    view.setUint32(12, ((scale << 16) | (digits < 0n ? 2 ** 31 : 0)) >>> 0, true);
  } else if (type === TYPE.DateTimeOffset) {
    const { utcTicks, minutes } = value as OffsetValue;
    view.setBigInt64(0, utcTicks, true);
    view.setInt32(8, minutes, true);
  } else if (type === TYPE.Guid) {
    const hex = (value as string).replaceAll('-', '');
    for (let i = 0; i < 16; i++) out[i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  } else if (type === TYPE.Single) {
    view.setFloat32(0, value as number, true);
  } else if (type === TYPE.Double) {
    view.setFloat64(0, value as number, true);
  } else if (type === TYPE.DateTime) {
    view.setBigUint64(0, (value as bigint) | (BigInt(kind ?? 0) << 62n), true);
  } else {
    view.setBigInt64(0, BigInt.asIntN(64, BigInt(value as bigint | boolean | number)), true);
  }
  return out;
}

// --- Order ----------------------------------------------------------------------------------------------------------------

/** .NET's CompareTo of two values of one type (strings ordinal); null when the type has no order. */
export function compareModel(a: Value, b: Value): number | null {
  const order = (x: bigint | number | string | boolean, y: bigint | number | string | boolean): number =>
    x < y ? -1 : x > y ? 1 : 0;
  if (a.type === TYPE.SingleArray) return null;
  if (a.type === TYPE.Single || a.type === TYPE.Double) {
    const [x, y] = [a.value as number, b.value as number];
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(y)) - Number(Number.isNaN(x));
    return order(x, y);
  }
  if (a.type === TYPE.Decimal) {
    const [x, y] = [a.value as DecimalValue, b.value as DecimalValue];
    return order(x.digits * 10n ** BigInt(y.scale), y.digits * 10n ** BigInt(x.scale));
  }
  if (a.type === TYPE.DateTimeOffset)
    return order((a.value as OffsetValue).utcTicks, (b.value as OffsetValue).utcTicks);
  return order(a.value as string | bigint | number | boolean, b.value as string | bigint | number | boolean);
}

/** Whether a carried value satisfies the operator against the literal. */
export function satisfies(value: Value, operator: number, literal: Value): boolean {
  if (value.type !== literal.type) return operator === 5 && value.type !== TYPE.SingleArray;
  if (value.type === TYPE.SingleArray) {
    const equal = JSON.stringify(value.value) === JSON.stringify(literal.value);
    return operator === 0 ? equal : operator === 5 && !equal;
  }
  const order = compareModel(value, literal) as number;
  return [order === 0, order > 0, order >= 0, order < 0, order <= 0, order !== 0][operator] ?? false;
}

// --- Text -----------------------------------------------------------------------------------------------------------------

const TICKS_A_SECOND = 10000000n;
const pad = (value: bigint | number, digits: number): string => String(value).padStart(digits, '0');

function dateParts(ticks: bigint): { date: string; american: string; time: string; fraction: string } {
  const milliseconds = Number(ticks / 10000n) - 62135596800000;
  const iso = new Date(milliseconds).toISOString();
  const [year, month, day] = iso.slice(0, 10).split('-');
  const american = `${month}/${day}/${year}`;
  return { date: iso.slice(0, 10), american, time: iso.slice(11, 19), fraction: pad(ticks % TICKS_A_SECOND, 7) };
}

function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60), 2)}:${pad(size % 60, 2)}`;
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value < 0 ? '-Infinity' : 'Infinity';
  return Object.is(value, -0) ? '-0' : String(value);
}

function timeSpanText(ticks: bigint): string {
  const size = ticks < 0n ? -ticks : ticks;
  const seconds = size / TICKS_A_SECOND;
  const days = seconds / 86400n;
  const fraction = size % TICKS_A_SECOND;
  const time = [(seconds / 3600n) % 24n, (seconds / 60n) % 60n, seconds % 60n].map((part) => pad(part, 2)).join(':');
  return `${ticks < 0n ? '-' : ''}${days ? `${days}.` : ''}${time}${fraction ? `.${pad(fraction, 7)}` : ''}`;
}

function decimalText({ digits, scale }: DecimalValue): string {
  const text = pad(digits < 0n ? -digits : digits, scale + 1);
  const whole = text.slice(0, text.length - scale);
  return `${digits < 0n ? '-' : ''}${whole}${scale ? `.${text.slice(text.length - scale)}` : ''}`;
}

/** The value's text: `scan` in the form of the any-property scan, else in the form of element reads. */
export function textOf({ type, value, kind }: Value, scan = false): string {
  if (type === TYPE.Boolean) return value ? 'True' : 'False';
  if (type === TYPE.Single || type === TYPE.Double) return numberText(value as number);
  if (type === TYPE.Decimal) return decimalText(value as DecimalValue);
  if (type === TYPE.Char) return String.fromCharCode(value as number);
  if (type === TYPE.TimeSpan) return timeSpanText(value as bigint);
  if (type === TYPE.SingleArray) return `[${(value as number[]).map(numberText).join(',')}]`;
  if (type === TYPE.DateTime) {
    const { date, american, time, fraction } = dateParts(value as bigint);
    return scan ? `${american} ${time}` : `${date}T${time}.${fraction}${kind === 1 ? 'Z' : ''}`;
  }
  if (type === TYPE.DateTimeOffset) {
    const { utcTicks, minutes } = value as OffsetValue;
    const { date, american, time, fraction } = dateParts(utcTicks + BigInt(minutes) * 60n * TICKS_A_SECOND);
    return scan ? `${american} ${time} ${offsetText(minutes)}` : `${date}T${time}.${fraction}${offsetText(minutes)}`;
  }
  return String(value);
}

/** Upper case of one UTF-16 unit by simple mapping, ASCII and the rest never mixed. */
export function upperUnit(unit: number): number {
  if (unit >= 0xd800 && unit < 0xe000) return unit;
  const upper = String.fromCharCode(unit).toUpperCase();
  if (upper.length !== 1) return unit;
  const mapped = upper.charCodeAt(0);
  return unit >= 0x80 && mapped < 0x80 ? unit : mapped;
}

/** Contains, ordinal, case ignored. */
export function containsModel(text: string, term: string): boolean {
  const fold = (one: string): string =>
    Array.from({ length: one.length }, (_, i) => String.fromCharCode(upperUnit(one.charCodeAt(i)))).join('');
  return fold(text).includes(fold(term));
}
