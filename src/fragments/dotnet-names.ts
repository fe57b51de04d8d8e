// The names that .NET has for C#'s keywords of types, all in its namespace System.

import type { PrimitiveName } from './types.ts';

export const dotNetNames: Readonly<Record<PrimitiveName, string>> = {
  bool: 'Boolean', byte: 'Byte', sbyte: 'SByte', short: 'Int16', ushort: 'UInt16', int: 'Int32', uint: 'UInt32', long: 'Int64',
  ulong: 'UInt64', char: 'Char', float: 'Single', double: 'Double', decimal: 'Decimal', string: 'String', object: 'Object', void: 'Void',
}; // biome-ignore format: a table

/** The integers but char, in the order in which declarations list them. */
export const integerNames = [
  'byte',
  'sbyte',
  'short',
  'ushort',
  'int',
  'uint',
  'long',
  'ulong',
] as const satisfies readonly PrimitiveName[];
