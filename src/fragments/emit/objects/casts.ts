// Casts between references, `as`, questions about the type of an object, and whether two references name one object.

import type { Expression } from '../../tree.ts';
import type { Type } from '../../types.ts';
import { Escapes, edgeObjects } from '../control/escapes.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { formOf, isEdgeList, nameOf, nullOf, representation, sameItems } from '../representation.ts';
import { NotCompiled } from '../unsupported.ts';
import { i32, parametric } from '../wasm/opcodes.ts';
import { asObject, toObject, unboxed } from './boxes.ts';
import { hasValue, wrap } from './nullables.ts';
import { places } from './object-layout.ts';
import { isNull, itemTypes } from './objects.ts';

/** Types with one object, which may lie in more than one place. */
const alone = new Set(['CultureInfo', 'NumberFormatInfo', 'DateTimeFormatInfo']);

const elementKinds: Readonly<Record<string, number>> = { VertexModel: 1, EdgeModel: 2 };

/** Whether the reference in a local is of a type: 0 for null. */
function pushIs(f: FunctionEmitter, reference: number, from: Type, to: Type): void {
  const { code } = f;
  const form = formOf(from);
  code.get(reference);
  if (form === 'element') {
    const kind = elementKinds[nameOf(to)];
    if (kind === undefined || nameOf(from) === nameOf(to)) {
      if (!['AGraphElementModel', 'VertexModel', 'EdgeModel', 'object'].includes(nameOf(to) || 'object')) {
        throw new NotCompiled('this type test');
      }
      code.i32(-1);
      code.op(i32.ne);
      return;
    }
    code.i32(-1);
    code.op(i32.ne);
    code.if('i32');
    code.get(reference);
    f.core('fragmentKind');
    code.i32(kind);
    code.op(i32.eq);
    code.else();
    code.i32(0);
    code.end();
    return;
  }
  if (form !== 'text' && form !== 'reference' && form !== 'object') throw new NotCompiled('this type test');
  f.module.types.test(f, to);
}

/** `operand is test`. */
export function emitTypeTest(f: FunctionEmitter, node: Expression & { kind: 'typeTest' }): void {
  const { operand } = node;
  const { type } = operand;
  const test = node.test.kind === 'nullable' ? node.test.element : node.test;
  if (isNull(operand)) {
    f.code.i32(0);
    return;
  }
  if (formOf(type) !== null) {
    const value = f.toLocal(operand);
    pushIs(f, value.local, type, test);
    f.code.release(value.type, value.local);
    return;
  }
  const own = type.kind === 'nullable' ? type.element : type;
  const fits = f.module.types.isAssignable(own, test);
  f.expression(operand);
  if (type.kind === 'nullable') {
    hasValue(f, representation(type));
    f.code.i32(fits ? 1 : 0);
    f.code.op(i32.and);
    return;
  }
  f.code.op(parametric.drop);
  f.code.i32(fits ? 1 : 0);
}

/** Conversions between references: those that change nothing, those that look at the object, and `as`. */
export function emitReferenceConversion(
  f: FunctionEmitter,
  node: Expression & { kind: 'convert' },
  kind: 'identity' | 'reference' | 'as',
): void {
  const { operand, type } = node;
  if (isNull(operand)) {
    f.zero(type);
    return;
  }
  const [from, to] = [formOf(operand.type), formOf(type)];
  if (from === null || to === null) {
    valueCast(f, node, kind);
    return;
  }
  if (kind === 'identity' || f.module.types.isUpcast(operand.type, type)) {
    f.expression(operand);
    upcast(f, operand.type, type);
    return;
  }
  const value = f.toLocal(operand);
  const result = f.code.local('i32');
  pushIs(f, value.local, operand.type, type);
  f.code.if();
  f.code.get(value.local);
  downcast(f, operand.type, type);
  f.code.set(result);
  f.code.else();
  if (kind === 'reference') {
    f.code.get(value.local);
    f.code.i32(nullOf(operand.type));
    f.code.op(i32.ne);
    f.failIf('InvalidCastException');
  }
  f.zero(type);
  f.code.set(result);
  f.code.end();
  f.code.get(result);
  f.code.release(value.type, value.local);
}

/** What changes in a word when its type becomes a wider one. */
function upcast(f: FunctionEmitter, from: Type, to: Type): void {
  const [own, wanted] = [formOf(from), formOf(to)];
  if (!sameItems(from, to)) throw new NotCompiled('a cast between references');
  if (own === wanted && own !== 'edges') {
    if (own === 'reference') requireSameItems(from, to);
    return;
  }
  if (own === 'edges' && wanted === 'edges') return;
  if (isEdgeList(to) && (own === 'reference' || own === 'object')) {
    if (!f.module.escaping.has(edgeObjects)) throw new Escapes(edgeObjects);
    return;
  }
  if (wanted !== 'object') throw new NotCompiled('a cast between references');
  // Its items lie the other way round.
  if (nameOf(from) === 'Stack') throw new NotCompiled('a stack as another collection');
  toObject(f, from);
}

/** Delegates and arrays of elements are not delegates and arrays of objects: their items have another form. */
function requireSameItems(from: Type, to: Type): void {
  const [own, wanted] = [itemTypes(from), itemTypes(to)];
  for (const [at, type] of own.entries()) {
    const other = wanted[at];
    const isSame = other === undefined || (formOf(type) === 'element') === (formOf(other) === 'element');
    if (!isSame) throw new NotCompiled('a cast between references');
  }
}

function downcast(f: FunctionEmitter, from: Type, to: Type): void {
  const [own, wanted] = [formOf(from), formOf(to)];
  if (own === wanted) {
    if (own === 'edges') throw new NotCompiled('a cast between references');
    return;
  }
  if (own === 'object' && (wanted === 'element' || wanted === 'type')) {
    f.code.load(i32.load, places.count);
    return;
  }
  if (wanted === 'object') toObject(f, from);
  else if (own !== 'object' || wanted === 'edges') throw new NotCompiled('a cast between references');
}

/** `as` and identity where one side is a value type. */
function valueCast(f: FunctionEmitter, node: Expression & { kind: 'convert' }, kind: string): void {
  const { operand, type } = node;
  if (kind === 'identity' && formOf(operand.type) === null && formOf(type) === null) {
    if (representation(operand.type) !== representation(type)) throw new NotCompiled('this cast');
    f.expression(operand);
    return;
  }
  if (kind !== 'as') throw new NotCompiled('this cast');
  const { code } = f;
  asObject(f, operand);
  const object = code.local('i32');
  code.set(object);
  const wanted = type.kind === 'nullable' ? type.element : type;
  code.get(object);
  f.module.types.test(f, wanted);
  const kindOfResult = representation(type);
  code.if(kindOfResult);
  if (type.kind === 'nullable') {
    if (kindOfResult === 'i32') code.get(object);
    else {
      unboxed(f, object, wanted);
      wrap(f, wanted);
    }
  } else code.get(object);
  code.else();
  f.zero(type);
  code.end();
}

/** ReferenceEquals on two references, by their static types. */
export function emitReferenceEquals(f: FunctionEmitter, left: Expression, right: Expression): void {
  const sides = [left, right];
  // The empty array of a type is one and the same; here each has its own.
  if (sides.some((side) => side.kind === 'call' && side.member.key === 'Array.Empty<T>()')) {
    throw new NotCompiled('the identity of an empty array');
  }
  const forms = sides.map((side) => (isNull(side) ? 'null' : formOf(side.type)));
  if (forms.includes(null)) throw new NotCompiled('a comparison of these references');
  const other = sides.find((_, at) => forms[at] !== 'null');
  if (other === undefined || forms.includes('null')) {
    for (const [at, side] of sides.entries()) {
      if (forms[at] === 'null') f.code.i32(other === undefined ? 0 : nullOf(other.type));
      else f.expression(side);
    }
    f.code.op(i32.eq);
    return;
  }
  const isAlone = sides.some(({ type }) => alone.has(nameOf(type)));
  if (forms[0] === forms[1] && forms[0] !== 'object' && forms[0] !== 'text' && !isAlone) {
    for (const side of sides) f.expression(side);
    f.code.op(i32.eq);
    return;
  }
  for (const side of sides) asObject(f, side);
  f.core('objectSame');
}
