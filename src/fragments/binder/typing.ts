// Questions about types that need no library: sameness, kinds, names for messages, substitution of type parameters.
// Everything here is pure; what needs declarations (bases, conversions) is in `library.ts` and `conversions.ts`.

import type { PrimitiveName, TupleElement, Type } from '../types.ts';

const primitives = new Map<PrimitiveName, Type>();

function primitive(name: PrimitiveName): Type {
  const type: Type = { kind: 'primitive', name };
  primitives.set(name, type);
  return type;
}

export const BOOL = primitive('bool');
const BYTE = primitive('byte');
const SBYTE = primitive('sbyte');
const SHORT = primitive('short');
const USHORT = primitive('ushort');
export const INT = primitive('int');
export const UINT = primitive('uint');
export const LONG = primitive('long');
export const ULONG = primitive('ulong');
export const CHAR = primitive('char');
export const FLOAT = primitive('float');
export const DOUBLE = primitive('double');
export const DECIMAL = primitive('decimal');
export const STRING = primitive('string');
export const OBJECT = primitive('object');
export const VOID = primitive('void');
export const NULL: Type = { kind: 'null' };
export const ERROR: Type = { kind: 'error' };

/** The one object for a primitive type. */
export function primitiveType(name: PrimitiveName): Type {
  return primitives.get(name)!;
}

/** The primitive type that a keyword or a .NET name of namespace System means, or undefined. */
export function primitiveByDotNetName(name: string): Type | undefined {
  return DOTNET_NAMES.get(name);
}

const DOTNET_NAMES = new Map<string, Type>([
  ['Boolean', BOOL],
  ['Byte', BYTE],
  ['SByte', SBYTE],
  ['Int16', SHORT],
  ['UInt16', USHORT],
  ['Int32', INT],
  ['UInt32', UINT],
  ['Int64', LONG],
  ['UInt64', ULONG],
  ['Char', CHAR],
  ['Single', FLOAT],
  ['Double', DOUBLE],
  ['Decimal', DECIMAL],
  ['String', STRING],
  ['Object', OBJECT],
  ['Void', VOID],
]);

const NAMES_OF_PRIMITIVES = new Map([...DOTNET_NAMES].map(([name, type]) => [type, name]));

/** `Int32` for int, `String` for string. */
export function dotNetName(name: PrimitiveName): string {
  return NAMES_OF_PRIMITIVES.get(primitiveType(name))!;
}

/** Sameness as identity conversions see it: tuple names do not count. */
export function sameType(left: Type, right: Type): boolean {
  if (left === right) return true;
  if (left.kind !== right.kind) return false;
  switch (left.kind) {
    case 'primitive':
      return left.name === (right as typeof left).name;
    case 'named': {
      const other = right as typeof left;
      return left.name === other.name && sameTypes(left.arguments, other.arguments);
    }
    case 'array':
      return left.rank === (right as typeof left).rank && sameType(left.element, (right as typeof left).element);
    case 'nullable':
      return sameType(left.element, (right as typeof left).element);
    case 'tuple':
      return sameTypes(
        left.elements.map((element) => element.type),
        (right as typeof left).elements.map((element) => element.type),
      );
    case 'anonymous': {
      const members = (right as typeof left).members;
      return (
        left.members.length === members.length &&
        left.members.every(
          (member, at) => member.name === members[at]!.name && sameType(member.type, members[at]!.type),
        )
      );
    }
    case 'parameter':
      return left.name === (right as typeof left).name;
    default:
      return true;
  }
}

export function sameTypes(left: readonly Type[], right: readonly Type[]): boolean {
  return left.length === right.length && left.every((type, at) => sameType(type, right[at]!));
}

/** A type as messages and keys write it. */
export function typeText(type: Type): string {
  switch (type.kind) {
    case 'primitive':
    case 'parameter':
      return type.name;
    case 'named':
      return type.arguments.length ? `${type.name}<${type.arguments.map(typeText).join(',')}>` : type.name;
    case 'array':
      return arrayText(type);
    case 'nullable':
      return `${typeText(type.element)}?`;
    case 'tuple':
      return `(${type.elements.map((element) => typeText(element.type)).join(',')})`;
    case 'anonymous':
      return `<anonymous type: ${type.members.map((m) => `${typeText(m.type)} ${m.name}`).join(', ')}>`;
    case 'null':
      return '<null>';
    case 'error':
      return '?';
  }
}

/** C# writes the outer rank first: an array of int[,] is `int[][,]`. */
function arrayText(type: Type): string {
  let element = type;
  let ranks = '';
  while (element.kind === 'array') {
    ranks += `[${','.repeat(element.rank - 1)}]`;
    element = element.element;
  }
  return typeText(element) + ranks;
}

export function isPrimitive(type: Type, name: PrimitiveName): boolean {
  return type.kind === 'primitive' && type.name === name;
}

const INTEGRAL = new Set<PrimitiveName>(['byte', 'sbyte', 'short', 'ushort', 'int', 'uint', 'long', 'ulong', 'char']);

/** byte to ulong and char. */
export function isIntegral(type: Type): boolean {
  return type.kind === 'primitive' && INTEGRAL.has(type.name);
}

/** Integral, char, float and double; decimal is a library struct as far as operators go. */
export function isNumeric(type: Type): boolean {
  return type.kind === 'primitive' && (INTEGRAL.has(type.name) || type.name === 'float' || type.name === 'double');
}

export function isNumericOrDecimal(type: Type): boolean {
  return isNumeric(type) || isPrimitive(type, 'decimal');
}

export function nullableOf(element: Type): Type {
  return { kind: 'nullable', element };
}

/** T of T?, or the type itself. */
export function withoutNullable(type: Type): Type {
  return type.kind === 'nullable' ? type.element : type;
}

export function arrayOf(element: Type): Type {
  return { kind: 'array', element, rank: 1 };
}

export function named(name: string, ...typeArguments: Type[]): Type {
  return { kind: 'named', name, arguments: typeArguments };
}

export function isNamed(type: Type, name: string): boolean {
  return type.kind === 'named' && type.name === name;
}

export type Substitution = ReadonlyMap<string, Type>;

/** The type with its type parameters replaced; parameters that the map lacks stay. */
export function substitute(type: Type, map: Substitution): Type {
  if (map.size === 0) return type;
  switch (type.kind) {
    case 'parameter':
      return map.get(type.name) ?? type;
    case 'named':
      return type.arguments.length ? { ...type, arguments: type.arguments.map((t) => substitute(t, map)) } : type;
    case 'array':
      return { ...type, element: substitute(type.element, map) };
    case 'nullable':
      return { ...type, element: substitute(type.element, map) };
    case 'tuple':
      return { ...type, elements: type.elements.map((e): TupleElement => ({ ...e, type: substitute(e.type, map) })) };
    case 'anonymous':
      return { ...type, members: type.members.map((m) => ({ ...m, type: substitute(m.type, map) })) };
    default:
      return type;
  }
}

/** Adds the names of the type parameters that a type mentions. */
export function collectParameters(type: Type, into: Set<string>): void {
  switch (type.kind) {
    case 'parameter':
      into.add(type.name);
      break;
    case 'named':
      for (const argument of type.arguments) collectParameters(argument, into);
      break;
    case 'array':
    case 'nullable':
      collectParameters(type.element, into);
      break;
    case 'tuple':
      for (const element of type.elements) collectParameters(element.type, into);
      break;
    case 'anonymous':
      for (const member of type.members) collectParameters(member.type, into);
      break;
  }
}

export function mentionsParameter(type: Type): boolean {
  const found = new Set<string>();
  collectParameters(type, found);
  return found.size > 0;
}

/** Whether an error type hides anywhere inside. */
export function mentionsError(type: Type): boolean {
  switch (type.kind) {
    case 'error':
      return true;
    case 'named':
      return type.arguments.some(mentionsError);
    case 'array':
    case 'nullable':
      return mentionsError(type.element);
    case 'tuple':
      return type.elements.some((element) => mentionsError(element.type));
    case 'anonymous':
      return type.members.some((member) => mentionsError(member.type));
    default:
      return false;
  }
}
