// System.Text.Encoding: texts as bytes and back. What cannot be written becomes a question mark, or U+FFFD where there is one.

import type { Type } from '../../types.ts';
import { type ArrayObject, newArray } from '../array-objects.ts';
import { argumentNull, badArgument, outOfRange } from '../exceptions.ts';
import { allocate } from '../machine.ts';
import { runtimeType } from '../runtime-types.ts';
import type { MemberTable, Native } from './native.ts';

const BYTE: Type = { kind: 'primitive', name: 'byte' };
const CHAR: Type = { kind: 'primitive', name: 'char' };
const replacement = 0xfffd;
const questionMark = 0x3f;

interface Form {
  readonly name: string;
  readonly title: string;
  readonly write: (text: string) => Uint8Array;
  readonly read: (bytes: Uint8Array) => string;
}

/** A byte for each unit; `limit` is the first unit that has none. */
const narrow = (name: string, title: string, limit: number): Form => ({
  ...{ name, title },
  write: (text) =>
    Uint8Array.from({ length: text.length }, (_, at) => {
      const unit = text.charCodeAt(at);
      return unit < limit ? unit : questionMark;
    }),
  read: (bytes) => units(Array.from(bytes, (byte) => (byte < limit ? byte : questionMark))),
});

function units(codes: readonly number[]): string {
  let text = '';
  for (const code of codes) text += String.fromCharCode(code);
  return text;
}

/** With the replacement character for each half of a surrogate pair that stands alone. */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g, (found) =>
    found.length === 2 ? found : '\ufffd',
  );
}

const wide = (name: string, title: string, littleEndian: boolean): Form => ({
  ...{ name, title },
  write(text) {
    const whole = wellFormed(text);
    const view = new DataView(new ArrayBuffer(2 * whole.length));
    for (let at = 0; at < whole.length; at++) view.setUint16(2 * at, whole.charCodeAt(at), littleEndian);
    return new Uint8Array(view.buffer);
  },
  read(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const codes = Array.from({ length: bytes.length >> 1 }, (_, at) => view.getUint16(2 * at, littleEndian));
    if (bytes.length % 2 !== 0) codes.push(replacement);
    return wellFormed(units(codes));
  },
});

const points: Form = {
  name: 'utf-32',
  title: 'Unicode (UTF-32)',
  write(text) {
    const codes = Array.from(wellFormed(text), (character) => character.codePointAt(0) as number);
    const view = new DataView(new ArrayBuffer(4 * codes.length));
    for (const [at, code] of codes.entries()) view.setUint32(4 * at, code, true);
    return new Uint8Array(view.buffer);
  },
  read(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let text = '';
    for (let at = 0; at + 4 <= bytes.length; at += 4) {
      const code = view.getUint32(at, true);
      const isPoint = code < 0xd800 || (code > 0xdfff && code <= 0x10ffff);
      text += String.fromCodePoint(isPoint ? code : replacement);
    }
    return bytes.length % 4 === 0 ? text : text + String.fromCharCode(replacement);
  },
};

const forms = {
  UTF8: {
    name: 'utf-8',
    title: 'Unicode (UTF-8)',
    write: (text) => new TextEncoder().encode(text),
    read: (bytes) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
  },
  ASCII: narrow('us-ascii', 'US-ASCII', 0x80),
  Latin1: narrow('iso-8859-1', 'Western European (ISO)', 0x100),
  Unicode: wide('utf-16', 'Unicode', true),
  BigEndianUnicode: wide('utf-16BE', 'Unicode (Big-Endian)', false),
  UTF32: points,
} as const satisfies Readonly<Record<string, Form>>;

class EncodingObject {
  readonly type = runtimeType({ kind: 'named', name: 'Encoding', arguments: [] });
  readonly form: Form;

  constructor(form: Form) {
    this.form = form;
  }

  /** As .NET names a type that stands for itself. */
  toText(): string {
    return `System.Text.${Object.entries(forms).find(([, form]) => form === this.form)?.[0] ?? ''}Encoding`;
  }
}

/** One object for each, as in .NET. */
const encodings = Object.fromEntries(Object.entries(forms).map(([name, form]) => [name, new EncodingObject(form)]));

function named(name: string | null): EncodingObject {
  const wanted = (name ?? argumentNull('name')).toLowerCase();
  const found = Object.values(encodings).find(({ form }) => form.name.toLowerCase() === wanted);
  return found ?? badArgument(`'${name}' is not a supported encoding name.`, 'name');
}

const written = ({ form }: EncodingObject, text: string): ArrayObject => {
  const bytes = form.write(text);
  allocate(bytes.length + 32);
  return newArray(BYTE, bytes);
};

const textOf = (characters: ArrayObject | null): string =>
  units((characters ?? argumentNull('chars')).items as number[]);
const bytesOf = (bytes: ArrayObject | null): Uint8Array => Uint8Array.from((bytes ?? argumentNull('bytes')).items);

const read = ({ form }: EncodingObject, bytes: ArrayObject | null): string => {
  const text = form.read(bytesOf(bytes));
  allocate(2 * text.length + 32);
  return text;
};

function part(bytes: ArrayObject | null, index: number, count: number): ArrayObject {
  const all = bytesOf(bytes);
  if (index < 0) outOfRange('index');
  if (count < 0) outOfRange('count');
  if (count > all.length - index) outOfRange('bytes', 'Index and count must refer to a location within the buffer.');
  return newArray(BYTE, all.subarray(index, index + count));
}

export const ENCODING_MEMBERS: MemberTable = {
  ...Object.fromEntries(
    Object.entries(encodings).map(([name, encoding]): [string, Native] => [`Encoding.get_${name}()`, () => encoding]),
  ),
  'Encoding.get_Default()': () => encodings.UTF8,
  'Encoding.GetEncoding(string)': named,
  'Encoding.get_WebName()': ({ form }: EncodingObject) => form.name,
  'Encoding.get_EncodingName()': ({ form }: EncodingObject) => form.title,
  'Encoding.GetByteCount(string)': ({ form }: EncodingObject, text: string | null) =>
    form.write(text ?? argumentNull('chars')).length,
  'Encoding.GetByteCount(char[])': ({ form }: EncodingObject, characters) => form.write(textOf(characters)).length,
  'Encoding.GetBytes(string)': (encoding: EncodingObject, text: string | null) =>
    written(encoding, text ?? argumentNull('s')),
  'Encoding.GetBytes(char[])': (encoding: EncodingObject, characters) => written(encoding, textOf(characters)),
  'Encoding.GetCharCount(byte[])': (encoding: EncodingObject, bytes) => read(encoding, bytes).length,
  'Encoding.GetChars(byte[])': (encoding: EncodingObject, bytes) => {
    const text = read(encoding, bytes);
    return newArray(
      CHAR,
      Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)),
    );
  },
  'Encoding.GetString(byte[])': read,
  'Encoding.GetString(byte[],int,int)': (encoding: EncodingObject, bytes, index, count) =>
    read(encoding, part(bytes, index, count)),
};
