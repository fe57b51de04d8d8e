// How values of C# live in JavaScript. Static types are known everywhere, so most values are bare:
//   bool boolean; integers up to 32 bits, char and enums number; long and ulong bigint; float and double number; string string;
//   null and a Nullable<T> without a value null; Nullable<T> with one the value itself; delegates functions.
// Structs are immutable objects (sharing one is copying it). Value types that are seen as object or as an interface are `Boxed` with
// their type. Classes are the objects below. Nothing here is ever indexed by a name that a fragment chose.

import type { Type } from '../types.ts';
import type { UserType } from '../user-types.ts';
import { DecimalValue } from './decimal.ts';
import { argumentNull, nullReference, outOfRange, raise } from './exceptions.ts';
import { allocate, charge } from './machine.ts';
import { type RuntimeType, runtimeType } from './runtime-types.ts';
import {
  DateOnlyValue,
  DateTimeOffsetValue,
  DateTimeValue,
  GuidValue,
  Identified,
  IndexValue,
  KeyValue,
  RangeValue,
  StructValue,
  TimeOnlyValue,
  TimeSpanValue,
  TupleValue,
} from './structs.ts';

export { StructValue, TupleValue } from './structs.ts';

/** Any value of a fragment. */
// biome-ignore lint/suspicious/noExplicitAny: the binder has checked the types that JavaScript cannot see
export type Value = any;
export type Delegate = (...values: Value[]) => Value;

/** A value type's value seen as object. Each boxing is an object of its own. */
export class Boxed {
  readonly type: RuntimeType;
  readonly value: Value;

  constructor(type: RuntimeType, value: Value) {
    this.type = type;
    this.value = value;
  }
}

/** A variable that more than one function sees, or that is passed by reference. */
export interface Cell {
  value: Value;
}

/** An object of an anonymous type. */
export class AnonymousObject {
  readonly type: RuntimeType;
  readonly items: readonly Value[];

  constructor(type: RuntimeType, items: readonly Value[]) {
    this.type = type;
    this.items = items;
  }
}

/** An object of class Tuple<…>. */
export class TupleObject extends AnonymousObject {}

/** A culture, a format provider or a type: objects of which only the names count. */
export class NamedObject extends Identified {
  readonly type: RuntimeType;
  readonly subject: RuntimeType | null;

  constructor(type: RuntimeType, subject: RuntimeType | null = null) {
    super();
    this.type = type;
    this.subject = subject;
  }

  get identity(): string {
    return `\0n${this.type.key}:${this.subject?.key ?? ''}`;
  }

  get hash(): number {
    let hash = 0;
    for (const character of this.identity) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
    return hash;
  }
}

/** `new object()`. */
export class PlainObject {
  readonly type: RuntimeType = runtimeType({ kind: 'primitive', name: 'object' });
}

// --- sequences --------------------------------------------------------------------------------------------------------

/** Whatever `foreach` and LINQ can go over. */
export abstract class Sequence {
  abstract readonly type: RuntimeType;
  abstract cursor(): Iterator<Value>;
  /** How many items there are, when that is known without going over them. */
  get count(): number | null {
    return null;
  }
  /** The item at a place that is inside, when that costs nothing. */
  at(_index: number): Value {
    return undefined;
  }
  get indexed(): boolean {
    return false;
  }
}

export type Items =
  | Value[]
  | Float32Array
  | Float64Array
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Int8Array
  | Int16Array
  | Int32Array
  | BigInt64Array
  | BigUint64Array;

function* itemsCursor(items: Items): Generator<Value> {
  for (let at = 0; at < items.length; at++) {
    charge(1);
    yield items[at];
  }
}

/** Items kept in order in a JavaScript array: arrays, lists and read-only lists. */
export class ItemSequence extends Sequence {
  readonly type: RuntimeType;
  declare items: Items;

  constructor(type: RuntimeType, items: Items) {
    super();
    this.type = type;
    this.items = items;
  }

  cursor(): Iterator<Value> {
    return itemsCursor(this.items);
  }
  override get count(): number {
    return this.items.length;
  }
  override at(index: number): Value {
    return this.items[index];
  }
  override get indexed(): boolean {
    return true;
  }
}

export class ListObject extends ItemSequence {
  declare items: Value[];
  version = 0;

  override *cursor(): Generator<Value> {
    const version = this.version;
    for (let at = 0; at < this.items.length; at++) {
      charge(1);
      yield this.items[at];
      if (this.version !== version) {
        raise('InvalidOperationException', 'Collection was modified; enumeration operation may not execute.');
      }
    }
  }
}

/** What LINQ gives back: nothing happens before somebody goes over it. */
export class DeferredSequence extends Sequence {
  readonly type: RuntimeType;
  readonly #make: () => Iterator<Value>;

  constructor(item: Type | RuntimeType, make: () => Iterator<Value>) {
    super();
    this.type = 'key' in item ? item : sequenceOf(item);
    this.#make = make;
  }

  cursor(): Iterator<Value> {
    return this.#make();
  }
}

/** IEnumerable<T>. */
function sequenceOf(item: Type): RuntimeType {
  return runtimeType({ kind: 'named', name: 'IEnumerable', arguments: [item] });
}

function* characters(text: string): Generator<number> {
  for (let at = 0; at < text.length; at++) {
    charge(1);
    yield text.charCodeAt(at);
  }
}

/** Goes over anything that is IEnumerable. `parameter` names the argument in the exception for null. */
export function cursorOf(source: Value, parameter = 'source'): Iterator<Value> {
  if (source === null) return argumentNull(parameter);
  if (typeof source === 'string') return characters(source);
  if (source instanceof Sequence) return source.cursor();
  return nullReference();
}

/** The same for `for … of`. */
export function over(source: Value, parameter = 'source'): Iterable<Value> {
  const cursor = cursorOf(source, parameter);
  return { [Symbol.iterator]: () => cursor };
}

/** All items, accounted for. */
export function collect(source: Value, parameter = 'source'): Value[] {
  if (source instanceof ItemSequence && source.count === source.items.length) {
    charge(source.items.length >> 2);
    allocate(source.items.length * 8 + 32);
    return Array.from(source.items as Value[]);
  }
  const items: Value[] = [];
  allocate(32);
  for (const item of over(source, parameter)) {
    allocate(8);
    items.push(item);
  }
  return items;
}

export function newList(item: Type, items: Value[]): ListObject {
  return new ListObject(runtimeType({ kind: 'named', name: 'List', arguments: [item] }), items);
}

// --- spans ------------------------------------------------------------------------------------------------------------

/** A view of consecutive items. */
export class SpanValue {
  readonly items: Items;
  readonly start: number;
  readonly length: number;

  constructor(items: Items, start: number, length: number) {
    this.items = items;
    this.start = start;
    this.length = length;
  }

  slice(start: number, length: number): SpanValue {
    if (start < 0 || start > this.length || length < 0 || length > this.length - start) outOfRange('start');
    return new SpanValue(this.items, this.start + start, length);
  }

  toItems(): Value[] {
    allocate(this.length * 8 + 32);
    return Array.from((this.items as Value[]).slice(this.start, this.start + this.length));
  }

  /** The text of a span of characters. */
  toText(): string {
    allocate(this.length * 2);
    let text = '';
    for (let at = 0; at < this.length; at++) text += String.fromCharCode(this.items[this.start + at]);
    return text;
  }

  *cursor(): Generator<Value> {
    for (let at = 0; at < this.length; at++) {
      charge(1);
      yield this.items[this.start + at];
    }
  }
}

export const EMPTY_SPAN = new SpanValue([], 0, 0);

/** The characters of a text as a span; null is the empty one. */
export function textSpan(text: string | null): SpanValue {
  if (text === null) return EMPTY_SPAN;
  allocate(text.length * 2 + 32);
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  return new SpanValue(units, 0, units.length);
}

// --- defaults and boxes -----------------------------------------------------------------------------------------------

const EMPTY_GUID = new GuidValue('00000000-0000-0000-0000-000000000000');
const START = new IndexValue(0, false);
const STRUCT_DEFAULTS = new Map<string, Value>([
  ['DateTime', new DateTimeValue(0n, 0)],
  ['DateTimeOffset', new DateTimeOffsetValue(0n, 0)],
  ['TimeSpan', new TimeSpanValue(0n)],
  ['DateOnly', new DateOnlyValue(0n)],
  ['TimeOnly', new TimeOnlyValue(0n)],
  ['Guid', EMPTY_GUID],
  ['Index', START],
  ['Range', new RangeValue(START, START)],
  ['Span', EMPTY_SPAN],
  ['ReadOnlySpan', EMPTY_SPAN],
]);

/** Of a tuple, which never changes, by the object of its type: large ones hold the same types many times. */
const tupleDefaults = new WeakMap<Type, TupleValue>();

/** default(T). */
export function defaultOf(type: Type): Value {
  switch (type.kind) {
    case 'primitive':
      return primitiveDefault(type.name);
    case 'tuple': {
      let value = tupleDefaults.get(type);
      if (value === undefined) {
        value = new TupleValue(type.elements.map((element) => defaultOf(element.type)));
        tupleDefaults.set(type, value);
      }
      return value;
    }
    case 'named': {
      const known = STRUCT_DEFAULTS.get(type.name);
      if (known !== undefined) return known;
      if (type.name === 'KeyValuePair')
        return new KeyValue(defaultOf(type.arguments[0]!), defaultOf(type.arguments[1]!));
      return defaultOfNamed(type);
    }
    default:
      return null;
  }
}

/** Of an enum 0, of a struct of the source one whose fields are all default. */
function defaultOfNamed(type: Type): Value {
  const described = runtimeType(type);
  if (described.shape === 'enum') return 0;
  const { user } = described;
  if (user?.shape !== 'struct') return null;
  let value = structDefaults.get(user);
  if (value === undefined) {
    value = new StructValue(described, user.fields.map(defaultOf));
    structDefaults.set(user, value);
  }
  return value;
}

const structDefaults = new WeakMap<UserType, StructValue>();

function primitiveDefault(name: string): Value {
  switch (name) {
    case 'bool':
      return false;
    case 'long':
    case 'ulong':
      return 0n;
    case 'decimal':
      return DecimalValue.zero;
    case 'string':
    case 'object':
    case 'void':
      return null;
    default:
      return 0;
  }
}

/** A value of a static type seen as object. */
export function box(type: Type, value: Value): Value {
  const own = type.kind === 'nullable' ? type.element : type;
  if (value === null) return null;
  const described = runtimeType(own);
  return described.isValue ? new Boxed(described, value) : value;
}

const STRING = runtimeType({ kind: 'primitive', name: 'string' });
const FUNCTION = runtimeType({ kind: 'named', name: 'Delegate', arguments: [] });

/** The type of something that is seen as object; not null. */
export function typeOfObject(value: Value): RuntimeType {
  if (typeof value === 'string') return STRING;
  if (typeof value === 'function') return FUNCTION;
  return value.type;
}
