// How values of C# types lie in WebAssembly. A type without a line here is left to the interpreter.
//
//   bool, integers up to 32 bits, char, enums    i32 (smaller ones extended by their sign or zeros)
//   long, ulong                                  i64
//   float, double                                f32, f64
//   DateTime, TimeSpan                           i64: ticks and kind as .NET keeps them; ticks
//   Index, Range                                 i32, i64 (index-calls.ts)
//   CancellationToken                            i32: 1 of the call, 0 of none
//   decimal, DateTimeOffset, Guid                v128: as a property's record has them (assembly/values/types.ts)
//   string                                       i32: a text of the core (assembly/fragments/texts.ts), 0 = null
//   VertexModel, EdgeModel, AGraphElementModel   i32: the id, -1 = null
//   map and lists of edges                       i32: adjacency word, address of a group, 0 = null
//   Span<T>, ReadOnlySpan<T>                     i64: address of the first item and their number (spans.ts)
//   T?                                           i64 or v128 (nullables.ts); of tuples, pairs and Guid i32: the object, 0 = null
//   KeyValuePair of a map of edges               i32: address of the group
//   object, interfaces, arrays, tuples, other    i32: an object (assembly/fragments/objects.ts), 0 = null. Strings and all
//   pairs, delegates, exceptions, collections      references are objects as they are; elements and values are boxed
//   Type                                         i32: what objectType answers for its objects, 0 = null

import type { PrimitiveName, Type } from '../types.ts';
import { type UserType, userType } from '../user-types.ts';
import { NotCompiled } from './unsupported.ts';
import { f32, f64, i32, i64, type Opcode, type ValueType } from './wasm/opcodes.ts';

const primitives: Partial<Record<PrimitiveName, ValueType>> = {
  bool: 'i32', byte: 'i32', sbyte: 'i32', short: 'i32', ushort: 'i32', int: 'i32', uint: 'i32', char: 'i32',
  long: 'i64', ulong: 'i64', float: 'f32', double: 'f64', decimal: 'v128', string: 'i32', object: 'i32',
}; // biome-ignore format: a table

const elementModels = new Set(['AGraphElementModel', 'VertexModel', 'EdgeModel']);
const enums = new Set([
  'StringComparison', 'VectorDistanceMetric', 'DayOfWeek', 'DateTimeKind', 'MidpointRounding', 'StringSplitOptions', 'NumberStyles',
  'DateTimeStyles', 'NormalizationForm', 'UnicodeCategory', 'TypeCode', 'Direction', 'BinaryOperator',
]); // biome-ignore format: a list
const delegates = new Set([
  'Func', 'Action', 'Predicate', 'Comparison', 'Converter', 'VertexFilter', 'EdgeFilter', 'EdgePropertyFilter', 'GraphElementFilter',
  'VertexCost', 'EdgeCost',
]); // biome-ignore format: a list
const collections = new Set([
  'StringBuilder',
  'CultureInfo',
  'NumberFormatInfo',
  'DateTimeFormatInfo',
  'List',
  'Queue',
  'Stack',
  'Dictionary',
  'HashSet',
  'IGrouping',
  'ILookup',
]);
/** Classes that only plugins have (engine/classes.ts). */
const instances = new Set([
  'ShortestPathDefinition', 'PathElement', 'Path', 'GraphFunctionResult', 'GraphAnalyticsDefinition', 'GraphAnalyticsResult', 'Workspace',
  'Stopwatch', 'PriorityQueue', 'IFallen8', 'IFallen8Read', 'PluginCall', 'BudgetGuard', 'ILoggerFactory', 'ILogger',
]); // biome-ignore format: a list
/** Interfaces that boxes and strings have, and those of sequences: an `object` like any other. */
const interfaces = new Set([
  'IComparable',
  'IFormatProvider',
  'IFormattable',
  'IConvertible',
  'IEquatable',
  'ValueType',
  'Enum',
]);
const sequenceInterfaces = new Set([
  'IEnumerable', 'IOrderedEnumerable', 'IReadOnlyCollection', 'ICollection', 'IReadOnlyList', 'IList',
]); // biome-ignore format: a list

/** A library type's name without its namespace; '' for other types. */
export function nameOf(type: Type): string {
  return type.kind === 'named' ? type.name.slice(type.name.lastIndexOf('.') + 1) : '';
}

export function isElement(type: Type): boolean {
  return elementModels.has(nameOf(type));
}

export function isString(type: Type): boolean {
  return type.kind === 'primitive' && type.name === 'string';
}

const listNames = new Set(['IReadOnlyList', 'IReadOnlyCollection', 'IEnumerable']);

/** A list or sequence of the edges of one group. */
export function isEdgeList(type: Type): boolean {
  return type.kind === 'named' && listNames.has(nameOf(type)) && nameOf(type.arguments[0] as Type) === 'EdgeModel';
}

/** An interface of sequences of known items. */
export function isSequenceInterface(type: Type): boolean {
  return type.kind === 'named' && type.arguments.length === 1 && sequenceInterfaces.has(nameOf(type));
}

/** The map from edge type to edges of a vertex. */
export function isEdgeMap(type: Type): boolean {
  return nameOf(type) === 'IReadOnlyDictionary' && isEdgeList((type as Type & { kind: 'named' }).arguments[1] as Type);
}

export function isEdgePair(type: Type): boolean {
  return nameOf(type) === 'KeyValuePair' && isEdgeList((type as Type & { kind: 'named' }).arguments[1] as Type);
}

export function isEnumType(type: Type): boolean {
  return enums.has(nameOf(type)) || shapeOf(type) === 'enum';
}

/** Of a type of the source. */
function shapeOf(type: Type): UserType['shape'] | null {
  return type.kind === 'named' ? (userType(type.name)?.shape ?? null) : null;
}

export function isSpan(type: Type): boolean {
  const name = nameOf(type);
  return name === 'ReadOnlySpan' || name === 'Span';
}

export function isDelegate(type: Type): boolean {
  return delegates.has(nameOf(type));
}

export function isException(type: Type): boolean {
  return nameOf(type).endsWith('Exception') && shapeOf(type) === null;
}

/** A struct that is an object here: a tuple or a pair of a dictionary. It is never null. */
export function isObjectStruct(type: Type): boolean {
  if (type.kind === 'tuple' || shapeOf(type) === 'struct') return true;
  return nameOf(type) === 'KeyValuePair' && !isEdgePair(type);
}

/**
 * What a reference's word is: a text, an id, a word of the graph, the number of a type, a reference to an object, or either of a text and a
 * reference. Null for value types, tuples among them.
 */
export type Form = 'text' | 'element' | 'edges' | 'type' | 'reference' | 'object' | 'null';

export function formOf(type: Type): Form | null {
  if (type.kind === 'null') return 'null';
  if (isString(type)) return 'text';
  if (isElement(type)) return 'element';
  if (isEdgeList(type) || isEdgeMap(type)) return 'edges';
  if (type.kind === 'array' || type.kind === 'anonymous' || isDelegate(type) || isException(type)) return 'reference';
  const own = shapeOf(type);
  if (own === 'class') return 'reference';
  if (own !== null) return own === 'interface' ? 'object' : null;
  const name = type.kind === 'primitive' ? type.name : nameOf(type);
  if (name === 'Type') return 'type';
  if (name === 'Tuple' || collections.has(name) || instances.has(name)) return 'reference';
  if (name === 'IDictionary' || name === 'IReadOnlyDictionary') return 'reference';
  if (name === 'IEnumerator' && type.kind === 'named' && type.arguments.length === 1) return 'reference';
  if (isSequenceInterface(type)) return 'object';
  return name === 'object' || interfaces.has(name) ? 'object' : null;
}

/** What a type is a sequence of; null for those that are none, or not variant. */
function itemIn(type: Type): Type | null {
  if (type.kind === 'array') return type.element;
  return type.kind === 'named' && type.arguments.length === 1 ? (type.arguments[0] as Type) : null;
}

/** Whether the items of two types of sequences lie alike: an element is an id by itself, and an object where it is seen as one. */
export function sameItems(from: Type, to: Type): boolean {
  const [own, wanted] = [itemIn(from), itemIn(to)];
  if (own === null || wanted === null) return true;
  const [form, other] = [formOf(own), formOf(wanted)];
  if ((form === 'element') !== (other === 'element') || (form === 'edges') !== (other === 'edges')) return false;
  return sameItems(own, wanted);
}

/** The WebAssembly type of a C# type; throws NotCompiled. */
export function representation(type: Type): ValueType {
  if (type.kind === 'primitive') {
    const known = primitives[type.name];
    if (known !== undefined) return known;
    throw new NotCompiled(`the type ${type.name}`);
  }
  if (type.kind === 'null') return 'i32';
  if (type.kind === 'nullable') {
    const inner = representation(type.element);
    if (isObjectStruct(type.element) || nameOf(type.element) === 'Guid') return 'i32';
    return inner === 'i32' || inner === 'f32' ? 'i64' : 'v128';
  }
  const name = nameOf(type);
  if (name === 'Index' || name === 'CancellationToken') return 'i32';
  if (name === 'DateTime' || name === 'TimeSpan' || name === 'Range') return 'i64';
  if (isSpan(type)) return 'i64';
  if (name === 'DateTimeOffset' || name === 'Guid') return 'v128';
  if (isEnumType(type) || isEdgePair(type) || isObjectStruct(type) || formOf(type) !== null) return 'i32';
  throw new NotCompiled(name === '' ? `a ${type.kind} type` : `the type ${name}`);
}

/** What null is: -1 for elements, 0 for the other references. */
export function nullOf(type: Type): number {
  return isElement(type) ? -1 : 0;
}

/** Whether a word of this type may name what ends with the call: it may not go into what lasts. */
export function mayEnd(type: Type): boolean {
  if (type.kind === 'nullable') return representation(type) === 'i32';
  const form = formOf(type);
  if (isEdgeList(type)) return true;
  return form === 'text' || form === 'reference' || form === 'object' || isObjectStruct(type);
}

/** The core's property type id (assembly/values/types.ts) whose values are exactly of this type, and the load that reads a slot. */
export function propertyOf(type: Type): { readonly id: number; readonly load: Opcode } {
  const name = type.kind === 'primitive' ? type.name : nameOf(type);
  const known = propertyTypes[name];
  if (known === undefined) throw new NotCompiled(`a property of the type ${name}`);
  return { id: known[0], load: known[1] };
}

/** Type id, load instruction. Slots hold values extended to 64 bits, so small ones load as 32; of wide ones the address. */
const propertyTypes: Readonly<Record<string, readonly [number, Opcode]>> = {
  string: [1, i32.load], bool: [2, i32.load], byte: [3, i32.load], sbyte: [4, i32.load], short: [5, i32.load], ushort: [6, i32.load],
  int: [7, i32.load], uint: [8, i32.load], long: [9, i64.load], ulong: [10, i64.load], float: [11, f32.load], double: [12, f64.load],
  decimal: [13, i32.load], char: [14, i32.load], DateTime: [15, i64.load], DateTimeOffset: [16, i32.load], TimeSpan: [17, i64.load], Guid: [18, i32.load],
}; // biome-ignore format: a table
