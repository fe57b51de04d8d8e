// The property types by id and name (assembly/values/types.ts is the core's side of this table).

export const TypeId = {
  none: 0,
  string: 1,
  boolean: 2,
  byte: 3,
  sbyte: 4,
  int16: 5,
  uint16: 6,
  int32: 7,
  uint32: 8,
  int64: 9,
  uint64: 10,
  single: 11,
  double: 12,
  decimal: 13,
  char: 14,
  dateTime: 15,
  dateTimeOffset: 16,
  timeSpan: 17,
  guid: 18,
  singleArray: 19,
} as const;

export type TypeId = (typeof TypeId)[keyof typeof TypeId];

const names: readonly [name: string, alias: string | null, id: TypeId][] = [
  ['String', 'string', TypeId.string],
  ['Boolean', 'bool', TypeId.boolean],
  ['Byte', 'byte', TypeId.byte],
  ['SByte', 'sbyte', TypeId.sbyte],
  ['Int16', 'short', TypeId.int16],
  ['UInt16', 'ushort', TypeId.uint16],
  ['Int32', 'int', TypeId.int32],
  ['UInt32', 'uint', TypeId.uint32],
  ['Int64', 'long', TypeId.int64],
  ['UInt64', 'ulong', TypeId.uint64],
  ['Single', 'float', TypeId.single],
  ['Double', 'double', TypeId.double],
  ['Decimal', 'decimal', TypeId.decimal],
  ['Char', 'char', TypeId.char],
  ['DateTime', null, TypeId.dateTime],
  ['DateTimeOffset', null, TypeId.dateTimeOffset],
  ['TimeSpan', null, TypeId.timeSpan],
  ['Guid', null, TypeId.guid],
];

/** Names of the types whose bits are set in a mask of the core, in the order of the types. */
export function typeNamesOf(mask: number): string[] {
  return names.filter(([, , id]) => (mask >>> id) & 1).map(([name]) => name);
}

const byName = new Map<string, TypeId>();
for (const [name, alias, id] of names) {
  byName.set(name.toLowerCase(), id);
  byName.set(`system.${name.toLowerCase()}`, id);
  if (alias !== null) byName.set(alias, id);
}

/**
 * The type a name stands for: full name, short name or C# alias, in any case; the closed list of 18 (contract part 1,
 * Property). Answers `TypeId.none` for anything else, `System.Single[]` included: no REST route takes it as a type name.
 */
export function typeIdOf(name: string): TypeId {
  return byName.get(name) ?? byName.get(name.toLowerCase()) ?? TypeId.none;
}
