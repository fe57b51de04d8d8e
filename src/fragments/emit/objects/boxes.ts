// Values of any type as objects, and what comes out of an object again.

import type { Expression } from '../../tree.ts';
import type { Type } from '../../types.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { formOf, isEnumType, isObjectStruct, representation } from '../representation.ts';
import { NotCompiled } from '../unsupported.ts';
import { i32 } from '../wasm/opcodes.ts';
import { hasValue, unwrap, wrap } from './nullables.ts';
import { headOf, load, places, propertyIdOf, tags } from './object-layout.ts';
import { box, isNull, orFull } from './objects.ts';

/** Pushes a value of any type as object. */
export function asObject(f: FunctionEmitter, node: Expression): void {
  if (isNull(node)) {
    f.code.i32(0);
    return;
  }
  f.expression(node);
  toObject(f, node.type);
}

/** Makes an object of the value on the stack. */
export function toObject(f: FunctionEmitter, type: Type): void {
  const { code } = f;
  if (type.kind === 'nullable') {
    nullableToObject(f, type);
    return;
  }
  const form = formOf(type);
  if (form === 'element') {
    f.core('objectOfElement');
    const made = code.borrow('i32');
    code.tee(made);
    code.i32(-1);
    code.op(i32.eq);
    f.failIf('OutOfMemoryException');
    code.get(made);
    code.release('i32', made);
    return;
  }
  if (form === 'edges') throw new NotCompiled('this as object');
  if (form === 'type') {
    typeToObject(f);
    return;
  }
  if (form !== null) return;
  if (isObjectStruct(type)) {
    f.core('objectCopy');
    orFull(f);
    return;
  }
  box(f, type);
}

/** The type whose number is on the stack; null is null. */
function typeToObject(f: FunctionEmitter): void {
  const { code } = f;
  const type = code.local('i32');
  code.tee(type);
  code.if('i32');
  code.i32(headOf(tags.type));
  code.get(type);
  code.i32(0);
  f.core('objectCreate');
  orFull(f);
  code.else();
  code.i32(0);
  code.end();
}

function nullableToObject(f: FunctionEmitter, type: Type & { kind: 'nullable' }): void {
  const { code } = f;
  const kind = representation(type);
  const value = code.local(kind);
  code.tee(value);
  hasValue(f, kind);
  code.if('i32');
  code.get(value);
  if (kind !== 'i32' || isObjectStruct(type.element)) {
    unwrap(f, type.element);
    toObject(f, type.element);
  }
  code.else();
  code.i32(0);
  code.end();
}

/** The value in the box in a local that holds one of this type. */
export function unboxed(f: FunctionEmitter, reference: number, type: Type): void {
  f.code.get(reference);
  if (!isObjectStruct(type)) load(f.code, representation(type), places.payload);
}

/** `(T)object` for a value type: the object on the stack becomes its value. */
export function unbox(f: FunctionEmitter, type: Type): void {
  const { code } = f;
  const object = code.local('i32');
  code.set(object);
  if (type.kind === 'nullable') {
    code.get(object);
    code.op(i32.eqz);
    code.if(representation(type));
    f.zero(type);
    code.else();
    openBox(f, object, type.element);
    wrap(f, type.element);
    code.end();
    return;
  }
  code.get(object);
  code.op(i32.eqz);
  f.failIf('NullReferenceException');
  openBox(f, object, type);
}

function openBox(f: FunctionEmitter, object: number, type: Type): void {
  const { code } = f;
  code.get(object);
  pushFitsBox(f, type);
  code.op(i32.eqz);
  f.failIf('InvalidCastException');
  unboxed(f, object, type);
}

/** A box opens as its own type, an enum as its number and a number as an enum. */
function pushFitsBox(f: FunctionEmitter, type: Type): void {
  const isNumber = type.kind === 'primitive' && type.name === 'int';
  if (!isNumber && !isEnumType(type)) {
    f.module.types.test(f, type);
    return;
  }
  const object = f.code.local('i32');
  f.code.set(object);
  f.code.get(object);
  if (isNumber) pushIsBox(f, propertyIdOf(type) as number);
  else {
    f.module.types.test(f, type);
    f.code.get(object);
    f.module.types.test(f, { kind: 'primitive', name: 'int' });
    f.code.op(i32.or);
  }
}

/** Whether the object on the stack, not null, has a tag: that of a box, whatever its type number. */
function pushIsBox(f: FunctionEmitter, tag: number): void {
  const { code } = f;
  const object = code.local('i32');
  code.tee(object);
  code.i32(2);
  code.op(i32.and);
  code.if('i32');
  code.get(object);
  code.i32(2);
  code.op(i32.sub);
  code.load(i32.load8U, 0);
  code.i32(tag);
  code.op(i32.eq);
  code.else();
  code.i32(0);
  code.end();
}
