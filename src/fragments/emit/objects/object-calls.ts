// Members of Object, Type, nullable values, tuples and pairs. What makes text of a value is elsewhere.

import { runtimeType } from '../../interpreter/runtime-types.ts';
import type { Expression } from '../../tree.ts';
import type { Type } from '../../types.ts';
import {
  argument,
  type Call,
  type CallEmitter,
  checkedReceiver,
  outTarget,
  receiver,
  storeLocal,
} from '../control/call-parts.ts';
import { memberCall, variable } from '../control/callbacks.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { compareToObject } from '../control/routines.ts';
import { formOf, isElement, isString, representation } from '../representation.ts';
import { NotCompiled } from '../unsupported.ts';
import { noOrder } from '../wasm/core-functions.ts';
import { i32 } from '../wasm/opcodes.ts';
import { asObject, toObject, unboxed } from './boxes.ts';
import { emitReferenceEquals } from './casts.ts';
import { hasValue, unwrap } from './nullables.ts';
import { headOf, tags } from './object-layout.ts';
import { create, mayBeNull } from './objects.ts';
import { emitTuple, loadItem } from './tuples.ts';

/** Pushes the receiver as object; null throws, but for nullable values, which are themselves. */
function pushReceiver(f: FunctionEmitter, call: Call): void {
  const node = receiver(call);
  if (!mayBeNull(node.type)) {
    asObject(f, node);
    return;
  }
  f.code.get(checkedReceiver(f, call));
  toObject(f, node.type);
}

function equalsObject(f: FunctionEmitter, call: Call): void {
  const node = receiver(call);
  const other = argument(call, 0);
  // An element is told apart by its id, a string by its text: neither needs to become an object.
  const bare = other.kind === 'convert' && other.conversion.kind === 'identity' ? other.operand : other;
  if ((isElement(node.type) && isElement(bare.type)) || (isString(node.type) && isString(bare.type))) {
    const own = checkedReceiver(f, call);
    f.code.get(own);
    f.expression(bare);
    if (isString(node.type)) f.core('textEquals');
    else f.code.op(i32.eq);
    return;
  }
  pushReceiver(f, call);
  asObject(f, other);
  f.core('objectEquals');
}

function hashCode(f: FunctionEmitter, call: Call): void {
  pushReceiver(f, call);
  f.core('objectHash');
}

function equalObjects(f: FunctionEmitter, call: Call): void {
  asObject(f, argument(call, 0));
  asObject(f, argument(call, 1));
  f.core('objectEquals');
}

/** `IEquatable<T>.Equals` and the like: of two values of one type. */
function equalsOwn(f: FunctionEmitter, call: Call): void {
  pushReceiver(f, call);
  asObject(f, argument(call, 0));
  f.core('objectEquals');
}

function compareOwn(f: FunctionEmitter, call: Call): void {
  const { code } = f;
  pushReceiver(f, call);
  asObject(f, argument(call, 0));
  f.core('objectCompare');
  const order = code.local('i32');
  code.tee(order);
  code.i32(noOrder);
  code.op(i32.eq);
  f.failIf('ArgumentException');
  code.get(order);
}

// --- Type ----------------------------------------------------------------------------------------------------------------

/** The type that a static type says all about: of values, strings, and what `typeof` names. */
function knownType(type: Type): boolean {
  return formOf(type) === null || isString(type) || type.kind === 'array';
}

function getType(f: FunctionEmitter, call: Call): void {
  const { code, module } = f;
  const node = receiver(call);
  if (node.type.kind === 'nullable') {
    const { element } = node.type;
    f.expression(node);
    hasValue(f, representation(node.type));
    code.op(i32.eqz);
    f.failIf('NullReferenceException');
    code.i32(module.types.idOf(element));
    return;
  }
  if (knownType(node.type) && (node.type.kind !== 'array' || runtimeType(node.type.element).isValue)) {
    if (formOf(node.type) === null) f.effect(node);
    else checkedReceiver(f, call);
    code.i32(module.types.idOf(node.type));
    return;
  }
  if (formOf(node.type) === 'edges') throw new NotCompiled('GetType of this');
  pushReceiver(f, call);
  f.core('objectType');
}

function typeOf(f: FunctionEmitter, call: Call): void {
  f.code.i32(f.module.types.idOf(call.typeArguments[0] as Type));
}

function sameType(negated: boolean): CallEmitter {
  return (f, call) => {
    f.expression(argument(call, 0));
    f.expression(argument(call, 1));
    f.code.op(negated ? i32.ne : i32.eq);
  };
}

function typeName(part: 'name' | 'fullName' | 'namespace'): CallEmitter {
  return (f, call) => {
    f.code.get(checkedReceiver(f, call));
    f.module.types.name(f, part);
  };
}

// --- Nullable values ---------------------------------------------------------------------------------------------------------

function valueOrDefault(f: FunctionEmitter, call: Call): void {
  const { code } = f;
  const node = receiver(call);
  if (node.type.kind !== 'nullable') throw new NotCompiled('a nullable of this kind');
  const other = call.arguments.length > 0 ? argument(call, 0) : null;
  const value = f.toLocal(node);
  const result = other === null ? null : f.toLocal(other);
  code.get(value.local);
  hasValue(f, value.type);
  code.if(representation(call.type));
  code.get(value.local);
  unwrap(f, node.type.element);
  code.else();
  if (result === null) f.zero(call.type);
  else code.get(result.local);
  code.end();
  code.release(value.type, value.local);
  if (result !== null) code.release(result.type, result.local);
}

function compareNullables(f: FunctionEmitter, call: Call): void {
  asObject(f, argument(call, 0));
  asObject(f, argument(call, 1));
  f.core('objectCompare');
}

// --- Tuples and pairs --------------------------------------------------------------------------------------------------------

function newTuple(tag: (typeof tags)['pair' | 'tupleClass']): CallEmitter {
  return (f, call) => {
    const values = call.arguments.map((_, index): Expression => argument(call, index));
    emitTuple(f, tag, call.type, values);
  };
}

/** Both parts of a pair into their places. */
function deconstruct(f: FunctionEmitter, call: Call): void {
  const node = receiver(call);
  const pair = variable(f, node.type, f.toLocal(node).local);
  const given = node.type.kind === 'named' ? node.type.arguments : [];
  for (const [at, part] of ['Key', 'Value'].entries()) {
    const type = given[at] as Type;
    f.expression(memberCall(`KeyValuePair<TKey,TValue>.get_${part}()`, type, pair, []));
    const value = f.code.local(representation(type));
    f.code.set(value);
    storeLocal(f, outTarget(call, at), value);
  }
}

function tupleItem(index: number): CallEmitter {
  return (f, call) => {
    f.code.get(checkedReceiver(f, call));
    loadItem(f, index, call.type);
  };
}

function tupleClasses(): [string, CallEmitter][] {
  const members: [string, CallEmitter][] = [];
  for (let count = 1; count <= 7; count++) {
    const list = Array.from({ length: count }, (_, at) => `T${at + 1}`).join(',');
    members.push([`Tuple<${list}>.new(${list})`, newTuple(tags.tupleClass)]);
    members.push([`Tuple.Create<${list}>(${list})`, newTuple(tags.tupleClass)]);
    for (let at = 0; at < count; at++) members.push([`Tuple<${list}>.get_Item${at + 1}()`, tupleItem(at)]);
  }
  return members;
}

/** TryGetProperty<T> of a T that any stored value may be: object, an interface, float[]. The property as object, in a local; -1: none. */
export function propertyObject(f: FunctionEmitter, element: number, pushName: () => void): number {
  const { code } = f;
  code.get(element);
  pushName();
  f.core('objectOfProperty');
  const found = code.local('i32');
  code.tee(found);
  code.i32(-2);
  code.op(i32.eq);
  f.failIf('OutOfMemoryException');
  return found;
}

/** HashCode.Combine: a hash of its own making, as .NET's is another in each process. */
function hashCodes(): [string, CallEmitter][] {
  const members: [string, CallEmitter][] = [];
  for (let count = 1; count <= 8; count++) {
    const list = Array.from({ length: count }, (_, at) => `T${at + 1}`).join(',');
    members.push([`HashCode.Combine<${list}>(${list})`, combine]);
  }
  return members;
}

const [hashStart, hashFactor] = [0x811c9dc5 | 0, 0x01000193];

function combine(f: FunctionEmitter, call: Call): void {
  const { code } = f;
  const hash = code.local('i32');
  code.i32(hashStart);
  code.set(hash);
  for (const index of call.arguments.keys()) {
    asObject(f, argument(call, index));
    f.core('objectHash');
    code.get(hash);
    code.op(i32.xor);
    code.i32(hashFactor);
    code.op(i32.mul);
    code.set(hash);
  }
  code.get(hash);
}

/** `CompareTo(object)` of the small integers: how far they are apart. */
function compareSmall(f: FunctionEmitter, call: Call): void {
  const { code } = f;
  const node = receiver(call);
  const value = f.toLocal(node);
  const other = f.toLocal(argument(call, 0));
  code.get(other.local);
  code.if('i32');
  code.get(other.local);
  f.module.types.test(f, node.type);
  code.op(i32.eqz);
  f.failIf('ArgumentException');
  code.get(value.local);
  unboxed(f, other.local, node.type);
  code.op(i32.sub);
  code.else();
  code.i32(1);
  code.end();
  code.release(value.type, value.local);
  code.release(other.type, other.local);
}

/** Equality and hash of the value types, as objects. */
function valueTypes(): [string, CallEmitter][] {
  const names = [
    'Boolean',
    'Byte',
    'SByte',
    'Int16',
    'UInt16',
    'Int32',
    'UInt32',
    'Int64',
    'UInt64',
    'Single',
    'Double',
    'Decimal',
  ];
  const hashed = [...names, 'Char', 'Guid', 'Enum'];
  // Dates and times have hash codes of their own: time-parts.ts.
  const compared = [...hashed, 'DateTime', 'DateTimeOffset', 'TimeSpan'];
  return [
    ...compared.map((name): [string, CallEmitter] => [`${name}.Equals(object)`, equalsObject]),
    ...hashed.map((name): [string, CallEmitter] => [`${name}.GetHashCode()`, hashCode]),
  ];
}

export const objectCalls: readonly [string, CallEmitter][] = [
  ['Object.Equals(object)', equalsObject],
  ['Object.Equals(object,object)', equalObjects],
  ['Object.ReferenceEquals(object,object)', (f, call) => emitReferenceEquals(f, argument(call, 0), argument(call, 1))],
  ['Object.GetHashCode()', hashCode],
  ['Object.GetType()', getType],
  ['String.Equals(object)', equalsObject],
  ['String.GetHashCode()', hashCode],
  ['VertexModel.Equals(VertexModel)', equalsObject],
  ['VertexModel.Equals(object)', equalsObject],
  ['VertexModel.GetHashCode()', hashCode],
  ['IEquatable<T>.Equals(T)', equalsOwn],
  ['IComparable.CompareTo(object)', compareOwn],
  ['IComparable<T>.CompareTo(T)', compareOwn],
  ['Type.typeof<T>()', typeOf],
  ['Type.op_Equality(Type,Type)', sameType(false)],
  ['Type.op_Inequality(Type,Type)', sameType(true)],
  ['Type.get_Name()', typeName('name')],
  ['Type.get_FullName()', typeName('fullName')],
  ['Type.get_Namespace()', typeName('namespace')],
  ['Type.ToString()', typeName('fullName')],
  ['Nullable<T>.GetValueOrDefault()', valueOrDefault],
  ['Nullable<T>.GetValueOrDefault(T)', valueOrDefault],
  ['Nullable<T>.Equals(object)', equalsObject],
  ['Nullable<T>.GetHashCode()', hashCode],
  ['Nullable.Equals<T>(T?,T?)', equalObjects],
  ['Nullable.Compare<T>(T?,T?)', compareNullables],
  ['KeyValuePair<TKey,TValue>.new(TKey,TValue)', newTuple(tags.pair)],
  ['KeyValuePair.Create<TKey,TValue>(TKey,TValue)', newTuple(tags.pair)],
  ['KeyValuePair<TKey,TValue>.Deconstruct(out TKey,out TValue)', deconstruct],
  ['Object.new()', (f) => create(f, headOf(tags.object), 0, 0)],
  ...['Byte', 'SByte', 'Int16', 'UInt16', 'Char'].map((name): [string, CallEmitter] => [
    `${name}.CompareTo(object)`,
    compareSmall,
  ]),
  ['Enum.CompareTo(object)', compareToObject],
  ['String.CompareTo(object)', compareOwn],
  ...tupleClasses(),
  ...hashCodes(),
  ...valueTypes(),
];
