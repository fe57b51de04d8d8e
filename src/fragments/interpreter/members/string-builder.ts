// StringBuilder: a text that grows. JavaScript's own strings share what they are joined from, so the builder keeps one.

import { argumentNull, badArgument, outOfRange, raise } from '../exceptions.ts';
import { allocate, charge } from '../machine.ts';
import { type RuntimeType, runtimeType } from '../runtime-types.ts';
import { formatComposite, objectText, textFormatter } from '../to-text.ts';
import { over, type Value } from '../values.ts';
import { bySite, type MemberTable, type Native, type SiteNative } from './native.ts';

const TYPE: RuntimeType = runtimeType({ kind: 'named', name: 'StringBuilder', arguments: [] });

class Builder {
  readonly type = TYPE;
  readonly capacity: number;
  text = '';

  /** `capacity`: as asked for. What it grows to is not .NET's. */
  constructor(capacity: number) {
    this.capacity = Math.max(16, capacity);
  }

  append(piece: string): Builder {
    allocate(piece.length * 2 + 8);
    this.text += piece;
    return this;
  }

  insert(index: number, piece: string): Builder {
    if (index < 0 || index > this.text.length) return outOfRange('index');
    allocate(piece.length * 2 + 8);
    charge(this.text.length >> 3);
    this.text = this.text.slice(0, index) + piece + this.text.slice(index);
    return this;
  }

  toText(): string {
    return this.text;
  }
}

const PLAIN = [
  'bool',
  'sbyte',
  'byte',
  'short',
  'ushort',
  'int',
  'uint',
  'long',
  'ulong',
  'float',
  'double',
  'decimal',
];

/** How the argument of Append or Insert becomes text. */
function pieces(): [string, (value: Value) => string][] {
  const list: [string, (value: Value) => string][] = PLAIN.map((name) => [
    name,
    textFormatter({ kind: 'primitive', name: name as 'int' }, null),
  ]);
  list.push(['char', (unit) => String.fromCharCode(unit)]);
  list.push(['string', (text) => text ?? '']);
  list.push(['object', (value) => (value === null ? '' : objectText(value, null))]);
  list.push(['char[]', (array) => (array === null ? '' : String.fromCharCode(...array.items))]);
  return list;
}

function appendTable(): MemberTable {
  const table: Record<string, Native | SiteNative> = {};
  for (const [type, text] of pieces()) {
    table[`StringBuilder.Append(${type})`] = (builder, value) => builder.append(text(value));
    table[`StringBuilder.Insert(int,${type})`] = (builder, index, value) => builder.insert(index, text(value));
  }
  return table;
}

function textOf(value: Value): string {
  return value === null ? '' : objectText(value, null);
}

function appendJoined(builder: Builder, separator: string | null, texts: Iterable<string>): Builder {
  let first = true;
  for (const text of texts) {
    builder.append(first ? text : (separator ?? '') + text);
    first = false;
  }
  return builder;
}

/** AppendJoin with a separator of a type. */
function joinTable(type: string, textOfSeparator: (separator: Value) => string | null): MemberTable {
  const joined: Native = (builder, separator, list) =>
    appendJoined(builder, textOfSeparator(separator), (list ?? argumentNull('values')).items.map(textOf));
  return {
    [`StringBuilder.AppendJoin(${type},object[])`]: joined,
    [`StringBuilder.AppendJoin(${type},string[])`]: joined,
    [`StringBuilder.AppendJoin<T>(${type},IEnumerable<T>)`]: bySite((site) => {
      const format = textFormatter(site.typeArguments[0]!, null);
      return (builder, separator, sequence) => {
        const texts = function* () {
          for (const item of over(sequence, 'values')) yield format(item);
        };
        return appendJoined(builder, textOfSeparator(separator), texts());
      };
    }),
  };
}

function cut(text: string, start: number, length: number): string {
  if (start < 0 || length < 0 || start > text.length - length) return outOfRange('startIndex');
  return text.slice(start, start + length);
}

function created(text: string | null, capacity = 16): Builder {
  if (capacity < 0) return outOfRange('capacity');
  const builder = new Builder(capacity);
  return text === null ? builder : builder.append(text);
}

export const STRING_BUILDER_MEMBERS: MemberTable = {
  ...appendTable(),
  'StringBuilder.new()': () => created(null),
  'StringBuilder.new(int)': (capacity) => created(null, capacity),
  'StringBuilder.new(string)': (text) => created(text),
  'StringBuilder.new(string,int)': created,
  'StringBuilder.get_Length()': (builder) => builder.text.length,
  'StringBuilder.set_Length(int)': (builder, length) => {
    if (length < 0) return outOfRange('value');
    allocate(length * 2);
    builder.text = builder.text.slice(0, length).padEnd(length, '\0');
    return undefined;
  },
  'StringBuilder.get_Capacity()': (builder) => Math.max(builder.capacity, builder.text.length),
  'StringBuilder.get_Item(int)': (builder, index) =>
    index >= 0 && index < builder.text.length ? builder.text.charCodeAt(index) : raise('IndexOutOfRangeException'),
  'StringBuilder.set_Item(int,char)': (builder, index, unit) => {
    if (index < 0 || index >= builder.text.length) return outOfRange('index');
    charge(builder.text.length >> 3);
    builder.text = builder.text.slice(0, index) + String.fromCharCode(unit) + builder.text.slice(index + 1);
    return undefined;
  },
  'StringBuilder.Append(char,int)': (builder, unit, count) => {
    if (count < 0) return outOfRange('repeatCount');
    allocate(count * 2);
    return builder.append(String.fromCharCode(unit).repeat(count));
  },
  'StringBuilder.Append(string,int,int)': (builder, text, start, count) =>
    text === null
      ? start === 0 && count === 0
        ? builder
        : argumentNull('value')
      : builder.append(cut(text, start, count)),
  'StringBuilder.Append(char[],int,int)': (builder, array, start, count) =>
    array === null
      ? start === 0 && count === 0
        ? builder
        : argumentNull('value')
      : builder.append(cut(String.fromCharCode(...array.items), start, count)),
  'StringBuilder.Append(StringBuilder)': (builder, other) => builder.append(other?.text ?? ''),
  'StringBuilder.Append(ReadOnlySpan<char>)': (builder, span) => builder.append(span.toText()),
  'StringBuilder.AppendLine()': (builder) => builder.append('\n'),
  'StringBuilder.AppendLine(string)': (builder, text) => builder.append(`${text ?? ''}\n`),
  'StringBuilder.AppendFormat(string,object)': (builder, format, a) => builder.append(formatComposite(format, [a])),
  'StringBuilder.AppendFormat(string,object,object)': (builder, format, a, b) =>
    builder.append(formatComposite(format, [a, b])),
  'StringBuilder.AppendFormat(string,object,object,object)': (builder, format, a, b, c) =>
    builder.append(formatComposite(format, [a, b, c])),
  'StringBuilder.AppendFormat(string,object[])': (builder, format, list) =>
    builder.append(formatComposite(format, list.items)),
  ...joinTable('string', (separator) => separator),
  ...joinTable('char', (separator) => String.fromCharCode(separator)),
  'StringBuilder.Clear()': (builder) => {
    builder.text = '';
    return builder;
  },
  'StringBuilder.Equals(StringBuilder)': (builder, other) => other !== null && builder.text === other.text,
  'StringBuilder.Remove(int,int)': (builder, start, length) => {
    cut(builder.text, start, length);
    charge(builder.text.length >> 3);
    builder.text = builder.text.slice(0, start) + builder.text.slice(start + length);
    return builder;
  },
  'StringBuilder.Replace(char,char)': (builder, old, unit) => {
    charge(builder.text.length >> 2);
    builder.text = builder.text.replaceAll(String.fromCharCode(old), () => String.fromCharCode(unit));
    return builder;
  },
  'StringBuilder.Replace(string,string)': (builder, old, value) => {
    if (old === null) return argumentNull('oldValue');
    if (old === '') return badArgument('Empty name is not legal.', 'oldValue');
    const parts = builder.text.split(old);
    allocate(parts.length * (value?.length ?? 0) * 2);
    builder.text = parts.join(value ?? '');
    return builder;
  },
  'StringBuilder.ToString()': (builder) => {
    allocate(24);
    return builder.text;
  },
  'StringBuilder.ToString(int,int)': (builder, start, length) => cut(builder.text, start, length),
};
