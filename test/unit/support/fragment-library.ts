// Calls library members of the interpreter by key, with arguments and results as `test/fixtures/fragments/library.tsv` writes them:
// s text, c character, b bool, i integer, d and f the bits of a double and a float, m decimal, t DateTime (ticks/kind),
// p TimeSpan, o DateTimeOffset (ticks/minutes), g Guid, cs and ss arrays of characters and of texts; `!` an exception.

import { ArrayObject, newArray } from '../../../src/fragments/interpreter/array-objects.ts';
import { DecimalValue, decimalFromParts } from '../../../src/fragments/interpreter/decimal.ts';
import { Thrown } from '../../../src/fragments/interpreter/exceptions.ts';
import { metered } from '../../../src/fragments/interpreter/machine.ts';
import { memberImplementation } from '../../../src/fragments/interpreter/members/index.ts';
import { SiteNative } from '../../../src/fragments/interpreter/members/native.ts';
import {
  DateTimeOffsetValue,
  DateTimeValue,
  GuidValue,
  TimeSpanValue,
} from '../../../src/fragments/interpreter/structs.ts';
import type { Cell, Value } from '../../../src/fragments/interpreter/values.ts';
import type { PrimitiveName, Type } from '../../../src/fragments/types.ts';
import { coreReals } from './core-reals.ts';

const view = new DataView(new ArrayBuffer(8));
const primitive = (name: PrimitiveName): Type => ({ kind: 'primitive', name });

function readText(text: string): string {
  return text.replace(/\\u([0-9a-f]{4})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)));
}

function writeText(text: string): string {
  const code = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(/[^\x20-\x7e]|\\/g, code);
}

function decimalOf(text: string): DecimalValue {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e(-?\d+))?$/i.exec(text)!;
  return decimalFromParts(BigInt(sign! + whole + fraction), fraction.length - Number(exponent));
}

function argumentOf(text: string, type: string): Value {
  if (text === 'null') return null;
  const colon = text.indexOf(':');
  const value = text.slice(colon + 1);
  const [first, second] = value.split('/');
  switch (text.slice(0, colon)) {
    case 's':
      return readText(value);
    case 'c':
      return Number(value);
    case 'b':
      return value === 'true';
    case 'i':
      return type === 'long' || type === 'ulong' ? BigInt(value) : Number(value);
    case 'd':
      view.setBigUint64(0, BigInt(`0x${value}`));
      return view.getFloat64(0);
    case 'f':
      view.setUint32(0, Number.parseInt(value, 16));
      return view.getFloat32(0);
    case 'm':
      return decimalOf(value);
    case 't':
      return new DateTimeValue(BigInt(first!), Number(second));
    case 'p':
      return new TimeSpanValue(BigInt(value));
    case 'o':
      return new DateTimeOffsetValue(BigInt(first!), Number(second));
    case 'g':
      return new GuidValue(value);
    case 'cs':
      return newArray(
        primitive('char'),
        [...readText(value)].map((character) => character.charCodeAt(0)),
      );
    case 'ss':
      return newArray(primitive('string'), readText(value).split('\u0001'));
    default:
      return null;
  }
}

/** Writes a result as the fixture does; `like` tells numbers apart that JavaScript cannot. */
function written(value: Value, like: string): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return `s:${writeText(value)}`;
  if (typeof value === 'boolean') return `b:${value}`;
  if (value instanceof DecimalValue) return `m:${value}`;
  if (value instanceof DateTimeValue) return `t:${value.ticks}/${value.kind}`;
  if (value instanceof TimeSpanValue) return `p:${value.ticks}`;
  if (value instanceof DateTimeOffsetValue) return `o:${value.ticks}/${value.offsetMinutes}`;
  if (value instanceof GuidValue) return `g:${value.text}`;
  if (value instanceof ArrayObject) {
    const items = Array.from(value.items as Value[]);
    return typeof items[0] === 'string' || like.startsWith('ss')
      ? `ss:${writeText(items.join('\u0001'))}`
      : `a:${items.map((item) => `c:${item}`).join(',')}`;
  }
  if (like.startsWith('d')) {
    view.setFloat64(0, Number.isNaN(value) ? Number.NaN : value);
    return `d:${view.getBigUint64(0).toString(16).padStart(16, '0')}`;
  }
  if (like.startsWith('f')) {
    view.setFloat32(0, value);
    return `f:${view.getUint32(0).toString(16).padStart(8, '0')}`;
  }
  return like.startsWith('c') ? `c:${value}` : `i:${value}`;
}

const NUMBER_KEYWORDS: Readonly<Record<string, string>> = { Int64: 'long', UInt64: 'ulong' };

/** One line of the fixture: what the member answered, beside what it should. */
export function replay(line: string): { call: string; expected: string; actual: string } {
  const fields = line.split('\t');
  const arrow = fields.indexOf('=>');
  const expected = fields.slice(arrow + 1).join('\t');
  const key = fields[0]!;
  const types = key
    .slice(key.indexOf('(') + 1, key.lastIndexOf(')'))
    .split(',')
    .filter((type) => type !== '');
  const given = fields.slice(1, arrow);
  const inputs = types.filter((type) => !type.startsWith('out ')).length;
  const cells: Cell[] = [];
  const values: Value[] = [];
  if (given.length > inputs)
    values.push(argumentOf(given.shift()!, NUMBER_KEYWORDS[key.slice(0, key.indexOf('.'))] ?? ''));
  for (const type of types) {
    if (type.startsWith('out ')) {
      const cell: Cell = { value: undefined };
      cells.push(cell);
      values.push(cell);
    } else values.push(argumentOf(given.shift()!, type));
  }
  const found = memberImplementation(key);
  const site = { receiver: null, arguments: [], typeArguments: [], result: primitive('object') };
  const member = found instanceof SiteNative ? found.bind(site) : found;
  const call = fields.slice(0, arrow).join(' ');
  try {
    const budget = { fuel: 1e7, memoryBytes: 1e8, depth: 100, cancelled: null };
    const result = metered(budget, { nowTicks: 638_000_000_000_000_000n, reals: coreReals }, () => member(...values));
    const [like, ...outLike] = expected.split(' out ');
    const outs = cells.map((cell, at) => ` out ${written(cell.value, outLike[at] ?? '')}`);
    return { call, expected, actual: written(result, like!) + outs.join('') };
  } catch (error) {
    if (!(error instanceof Thrown)) throw error;
    return { call, expected, actual: `!${error.exception.type.name}` };
  }
}
