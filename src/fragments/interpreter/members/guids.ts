// Guid.

import type { Type } from '../../types.ts';
import { newArray } from '../array-objects.ts';
import { argumentNull, badArgument, formatError } from '../exceptions.ts';
import { formatGuid, readGuid } from '../guid.ts';
import { GuidValue } from '../structs.ts';
import { type Cell, defaultOf } from '../values.ts';
import { comparable } from './comparable.ts';
import type { MemberTable } from './native.ts';

const BYTE: Type = { kind: 'primitive', name: 'byte' };

const BAD_GUID = 'Guid should contain 32 digits with 4 dashes (xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx).';

function parseGuid(text: string | null, format: string | null): GuidValue {
  return text === null ? argumentNull('input') : (readGuid(text, format) ?? formatError(BAD_GUID));
}

function tryParseGuid(text: string | null, format: string | null, cell: Cell): boolean {
  const guid = text === null ? null : readGuid(text, format);
  cell.value = guid ?? defaultOf({ kind: 'named', name: 'Guid', arguments: [] });
  return guid !== null;
}

/** The order in which a Guid's bytes lie: the first three groups little-endian. */
const BYTE_ORDER = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];

export const GUID_MEMBERS: MemberTable = {
  ...comparable('Guid', formatGuid),
  'Guid.Empty': () => defaultOf({ kind: 'named', name: 'Guid', arguments: [] }),
  'Guid.new(string)': (text) => parseGuid(text, null),
  'Guid.new(byte[])': (bytes) => {
    if (bytes === null) return argumentNull('b');
    if (bytes.items.length !== 16) return badArgument('Byte array for Guid must be exactly 16 bytes long.', 'b');
    const hex = BYTE_ORDER.map((at) => bytes.items[at].toString(16).padStart(2, '0')).join('');
    return new GuidValue(hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'));
  },
  'Guid.Parse(string)': (text) => parseGuid(text, null),
  'Guid.ParseExact(string,string)': (text, format) =>
    text !== null && format === null ? argumentNull('format') : parseGuid(text, format),
  'Guid.TryParse(string,out Guid)': (text, cell) => tryParseGuid(text, null, cell),
  'Guid.TryParseExact(string,string,out Guid)': (text, format, cell) => tryParseGuid(text, format ?? '', cell),
  'Guid.ToByteArray()': (guid) => {
    const bytes = guid.text
      .replaceAll('-', '')
      .match(/../g)!
      .map((pair: string) => Number.parseInt(pair, 16));
    return newArray(
      BYTE,
      BYTE_ORDER.map((at) => bytes[at]),
    );
  },
};
