// Questions about types that need no library: sameness, kinds, names for messages, substitution of type parameters.
// Everything here is pure; what needs declarations (bases, conversions) is in `library.ts` and `conversions.ts`.
//
// Types share their parts: `(t, t)` holds the same object twice, so that what is known of a part (its size, its text) is found once.

import { dotNetNames } from '../dotnet-names.ts';
import { MAX_TYPE_PARTS } from '../limits.ts';
import { CompilationLimit, step, uncounted } from '../steps.ts';
import type { PrimitiveName, TupleElement, Type } from '../types.ts';

const primitives = new Map(
  (Object.keys(dotNetNames) as PrimitiveName[]).map((name): [PrimitiveName, Type] => [
    name,
    { kind: 'primitive', name },
  ]),
);

export const BOOL = primitiveType('bool');
export const INT = primitiveType('int');
export const UINT = primitiveType('uint');
export const LONG = primitiveType('long');
export const ULONG = primitiveType('ulong');
export const CHAR = primitiveType('char');
export const FLOAT = primitiveType('float');
export const DOUBLE = primitiveType('double');
export const DECIMAL = primitiveType('decimal');
export const STRING = primitiveType('string');
export const OBJECT = primitiveType('object');
export const VOID = primitiveType('void');
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

const DOTNET_NAMES = new Map(
  (Object.entries(dotNetNames) as [PrimitiveName, string][]).map(([keyword, name]) => [name, primitiveType(keyword)]),
);

/** Sameness as identity conversions see it: tuple names do not count. */
export function sameType(left: Type, right: Type): boolean {
  if (left === right) return true;
  if (left.kind !== right.kind) return false;
  step();
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

const counts = new WeakMap<Type, number>();

/** Types of more parts have their number kept. Counting a few parts again costs less than an entry of a weak map, which the collector visits. */
const fewParts = 8;

/** How many parts a type has, itself included. */
function typeParts(type: Type): number {
  if (type.kind === 'primitive' || (type.kind === 'named' && type.arguments.length === 0)) return 1;
  let count = counts.get(type);
  if (count !== undefined) return count;
  count = 1;
  for (const part of partsOf(type)) count += typeParts(part);
  if (count > fewParts) counts.set(type, count);
  return count;
}

function partsOf(type: Type): readonly Type[] {
  switch (type.kind) {
    case 'named':
      return type.arguments;
    case 'array':
    case 'nullable':
      return [type.element];
    case 'tuple':
      return type.elements.map((element) => element.type);
    case 'anonymous':
      return type.members.map((member) => member.type);
    default:
      return [];
  }
}

/** The type, unless it is larger than types may be. Whatever makes types asks, so that none takes long to go through. */
export function sized<T extends Type>(type: T): T {
  if (type.kind !== 'primitive') step();
  if (typeParts(type) <= MAX_TYPE_PARTS) return type;
  throw new CompilationLimit(`A type of the fragment has more than ${MAX_TYPE_PARTS} parts.`);
}

const texts = new WeakMap<Type, string>();

/** A type as messages and keys write it. */
export function typeText(type: Type): string {
  if (type.kind === 'primitive' || type.kind === 'parameter') return type.name;
  step();
  if (type.kind === 'named' && type.arguments.length === 0) return type.name;
  let text = texts.get(type);
  if (text === undefined) {
    text = uncounted(() => composedText(type));
    texts.set(type, text);
  }
  return text;
}

function composedText(type: Exclude<Type, { kind: 'primitive' | 'parameter' }>): string {
  switch (type.kind) {
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
  return sized({ kind: 'nullable', element });
}

/** T of T?, or the type itself. */
export function withoutNullable(type: Type): Type {
  return type.kind === 'nullable' ? type.element : type;
}

export function arrayOf(element: Type): Type {
  return sized({ kind: 'array', element, rank: 1 });
}

const plain = new Map<string, Type>();

/** A type of the library; the one object for it where it has no type arguments. */
export function named(name: string, ...typeArguments: readonly Type[]): Type {
  if (typeArguments.length > 0) return sized({ kind: 'named', name, arguments: typeArguments });
  let type = plain.get(name);
  if (type === undefined) {
    type = { kind: 'named', name, arguments: [] };
    plain.set(name, type);
  }
  return type;
}

export function isNamed(type: Type, name: string): boolean {
  return type.kind === 'named' && type.name === name;
}

export type Substitution = ReadonlyMap<string, Type>;

/** The type with its type parameters replaced; parameters that the map lacks stay. */
export function substitute(type: Type, map: Substitution): Type {
  return map.size === 0 ? type : sized(substituted(type, map));
}

function substituted(type: Type, map: Substitution): Type {
  if (type.kind === 'primitive') return type;
  step();
  switch (type.kind) {
    case 'parameter':
      return map.get(type.name) ?? type;
    case 'named':
      return type.arguments.length ? { ...type, arguments: type.arguments.map((t) => substituted(t, map)) } : type;
    case 'array':
      return { ...type, element: substituted(type.element, map) };
    case 'nullable':
      return { ...type, element: substituted(type.element, map) };
    case 'tuple':
      return { ...type, elements: type.elements.map((e): TupleElement => ({ ...e, type: substituted(e.type, map) })) };
    case 'anonymous':
      return { ...type, members: type.members.map((m) => ({ ...m, type: substituted(m.type, map) })) };
    default:
      return type;
  }
}

/** Adds the names of the type parameters that a type mentions. */
export function collectParameters(type: Type, into: Set<string>): void {
  if (type.kind === 'parameter') into.add(type.name);
  if (type.kind === 'primitive') return;
  step();
  for (const part of partsOf(type)) collectParameters(part, into);
}

export function mentionsParameter(type: Type): boolean {
  const found = new Set<string>();
  collectParameters(type, found);
  return found.size > 0;
}

/** Whether an error type hides anywhere inside. */
export function mentionsError(type: Type): boolean {
  if (type.kind === 'primitive') return false;
  step();
  return type.kind === 'error' || partsOf(type).some(mentionsError);
}
