// Values as text: ToString and formatting of every type, string.Format and the holes of interpolated strings.

import type { Type } from '../types.ts';
import { formatDateOnly, formatDateTime, formatDateTimeOffset, formatTimeOnly } from './date-format.ts';
import { DecimalValue } from './decimal.ts';
import { ExceptionObject, formatError } from './exceptions.ts';
import { formatGuid } from './guid.ts';
import { allocate } from './machine.ts';
import { formatDecimal, formatInteger, formatReal } from './number-format.ts';
import { type RuntimeType, runtimeType } from './runtime-types.ts';
import {
  DateOnlyValue,
  DateTimeOffsetValue,
  DateTimeValue,
  GuidValue,
  IndexValue,
  type KeyValue,
  RangeValue,
  TimeOnlyValue,
  TimeSpanValue,
} from './structs.ts';
import { formatTimeSpan } from './time-span.ts';
import { hookOf } from './user-objects.ts';
import { AnonymousObject, Boxed, NamedObject, SpanValue, TupleObject, typeOfObject, type Value } from './values.ts';

/** Objects that know their own text. */
export interface Speaking {
  toText(): string;
}

function speaks(value: Value): value is Speaking {
  return typeof value.toText === 'function';
}

/** Text of a value whose static type is known; null is the empty text. */
export type TextFormatter = (value: Value) => string;

/** How values of a type become text under a format. */
export function textFormatter(type: Type, format: string | null): TextFormatter {
  switch (type.kind) {
    case 'nullable': {
      const inner = textFormatter(type.element, format);
      return (value) => (value === null ? '' : inner(value));
    }
    case 'primitive':
      return primitiveFormatter(type.name, format);
    case 'tuple': {
      const items = type.elements.map((element) => textFormatter(element.type, null));
      return (value) => `(${items.map((item, at) => item(value.items[at])).join(', ')})`;
    }
    case 'named':
      return namedFormatter(type, format);
    default:
      return (value) => (value === null ? '' : objectText(value, format));
  }
}

function primitiveFormatter(name: string, format: string | null): TextFormatter {
  switch (name) {
    case 'bool':
      return (value) => (value ? 'True' : 'False');
    case 'char':
      return (value) => String.fromCharCode(value);
    case 'float':
      return (value) => formatReal(value, true, format);
    case 'double':
      return (value) => formatReal(value, false, format);
    case 'decimal':
      return (value) => formatDecimal(value, format);
    case 'string':
      return (value) => value ?? '';
    case 'object':
      return (value) => (value === null ? '' : objectText(value, format));
    default:
      return (value) => formatInteger(value, name as 'int', format);
  }
}

function namedFormatter(type: Type & { kind: 'named' }, format: string | null): TextFormatter {
  const described = runtimeType(type);
  if (described.shape === 'enum') return (value) => formatEnum(described, value, format);
  if (type.name === 'KeyValuePair') {
    const [key, item] = type.arguments.map((argument) => textFormatter(argument, null));
    return (value: KeyValue) => `[${key!(value.key)}, ${item!(value.value)}]`;
  }
  return (value) => (value === null ? '' : objectText(value, format));
}

/** Text of something that says itself what it is. */
export function objectText(value: Value, format: string | null): string {
  if (typeof value === 'string') return value;
  const own = hookOf(value, 'text');
  if (own !== undefined) return own(value) ?? '';
  if (value.type?.user?.shown) return recordText(value);
  if (value instanceof Boxed) return textFormatter(value.type.type, format)(value.value);
  if (value instanceof DateTimeValue) return formatDateTime(value, format);
  if (value instanceof DateTimeOffsetValue) return formatDateTimeOffset(value, format);
  if (value instanceof TimeSpanValue) return formatTimeSpan(value, format);
  if (value instanceof DateOnlyValue) return formatDateOnly(value, format);
  if (value instanceof TimeOnlyValue) return formatTimeOnly(value, format);
  if (value instanceof GuidValue) return formatGuid(value, format);
  if (value instanceof DecimalValue) return formatDecimal(value, format);
  if (value instanceof TupleObject) return tupleText(value);
  if (value instanceof AnonymousObject) return anonymousText(value);
  if (value instanceof ExceptionObject) return exceptionText(value);
  if (value instanceof IndexValue) return value.toString();
  if (value instanceof RangeValue) return `${value.start}..${value.end}`;
  if (value instanceof NamedObject) return namedText(value);
  if (value instanceof SpanValue || speaks(value)) return value.toText();
  return typeOfObject(value).fullName;
}

/** `Point { X = 1, Y = 2 }`. */
function recordText(value: Value): string {
  const { name, user } = value.type as RuntimeType;
  const fields: readonly Value[] = value.fields ?? value.items;
  const parts = (user?.shown ?? []).map(
    (each) => `${each.name} = ${textFormatter(each.type, null)(fields[each.index])}`,
  );
  return parts.length === 0 ? `${name} { }` : `${name} { ${parts.join(', ')} }`;
}

function namedText({ subject, type }: NamedObject): string {
  if (subject !== null) return subject.fullName;
  return type.name === 'CultureInfo' ? '' : type.fullName;
}

function tupleText(value: TupleObject): string {
  const { type } = value.type;
  const types = type.kind === 'named' ? type.arguments : [];
  return `(${value.items.map((item, at) => textFormatter(types[at]!, null)(item)).join(', ')})`;
}

function anonymousText(value: AnonymousObject): string {
  const { type } = value.type;
  const members = type.kind === 'anonymous' ? type.members : [];
  const shown = members.map((member, at) => `${member.name} = ${textFormatter(member.type, null)(value.items[at])}`);
  return shown.length === 0 ? '{ }' : `{ ${shown.join(', ')} }`;
}

function exceptionText(exception: ExceptionObject): string {
  const { message } = exception;
  const own = message === '' ? exception.type.fullName : `${exception.type.fullName}: ${message}`;
  if (!exception.inner) return own;
  return `${own}\n ---> ${exceptionText(exception.inner)}\n   --- End of inner exception stack trace ---`;
}

const FLAGS = new Set(['StringSplitOptions', 'NumberStyles', 'DateTimeStyles']);

/** Names of an enum's values: G, F, D and X. */
export function formatEnum(type: RuntimeType, value: number, format: string | null): string {
  switch ((format ?? '').toUpperCase()) {
    case '':
    case 'G':
      return enumName(type, value, FLAGS.has(type.name));
    case 'F':
      return enumName(type, value, true);
    case 'D':
      return String(value);
    case 'X':
      return (value >>> 0).toString(16).toUpperCase().padStart(8, '0');
    default:
      return formatError('Format String can be only "G", "g", "X", "x", "F", "f", "D" or "d".');
  }
}

function enumName(type: RuntimeType, value: number, flags: boolean): string {
  const names = type.members!;
  const exact = names.get(value);
  if (exact !== undefined) return exact;
  if (!flags || value === 0) return String(value);
  const parts: string[] = [];
  let rest = value;
  for (const [flag, name] of [...names].sort(([a], [b]) => b - a)) {
    if (flag !== 0 && (rest & flag) === flag) {
      rest &= ~flag;
      parts.unshift(name);
    }
  }
  return rest === 0 ? parts.join(', ') : String(value);
}

/** Pads to a width: positive to the right edge, negative to the left. */
export function align(text: string, width: number): string {
  const size = Math.abs(width);
  if (size <= text.length) return text;
  allocate(size * 2);
  return width > 0 ? text.padStart(size) : text.padEnd(size);
}

const BAD_FORMAT = 'Input string was not in a correct format.';
const BAD_INDEX =
  'Index (zero based) must be greater than or equal to zero and less than the size of the argument list.';

/** string.Format: the arguments are objects. */
export function formatComposite(format: string, values: readonly Value[]): string {
  let text = '';
  let at = 0;
  const append = (piece: string) => {
    allocate(piece.length * 2);
    text += piece;
  };
  while (at < format.length) {
    const character = format[at]!;
    if (character === '{' && format[at + 1] === '{') {
      append('{');
      at += 2;
    } else if (character === '}') {
      if (format[at + 1] !== '}') return formatError(BAD_FORMAT);
      append('}');
      at += 2;
    } else if (character === '{') {
      const hole = readHole(format, at + 1);
      const value = values[hole.index];
      if (value === undefined) return formatError(BAD_INDEX);
      append(align(value === null ? '' : objectText(value, hole.format), hole.width));
      at = hole.end;
    } else {
      const next = format.slice(at).search(/[{}]/);
      const end = next < 0 ? format.length : at + next;
      append(format.slice(at, end));
      at = end;
    }
  }
  return text;
}

function readHole(format: string, from: number) {
  const match = /^(\d{1,7}) *(?:, *(-?\d{1,7}) *)?(:|\})/.exec(format.slice(from));
  if (!match) return formatError(BAD_FORMAT);
  const index = Number(match[1]);
  const width = Number(match[2] ?? 0);
  let at = from + match[0].length;
  if (match[3] === '}') return { index, width, format: null, end: at };
  let own = '';
  while (true) {
    const character = format[at++];
    if (character === undefined) return formatError(BAD_FORMAT);
    if (character === '}') {
      if (format[at] !== '}') break;
      at++;
    } else if (character === '{') {
      if (format[at] !== '{') return formatError(BAD_FORMAT);
      at++;
    }
    own += character;
  }
  return { index, width, format: own === '' ? null : own, end: at };
}
