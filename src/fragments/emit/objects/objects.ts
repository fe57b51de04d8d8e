// Objects in compiled code: making them, how a value gets into a place of one, boxes. Where things lie: object-layout.ts. What any value is
// as an object, and back: boxes.ts.

import type { Expression } from '../../tree.ts';
import type { Type } from '../../types.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { formOf, isEnumType, mayEnd, nameOf, representation } from '../representation.ts';
import { NotCompiled } from '../unsupported.ts';
import { i32, i64 } from '../wasm/opcodes.ts';
import { boxTagOf, headOf, tags } from './object-layout.ts';

/** The reference on the stack, or a failure when it is 0: no room. */
export function orFull(f: FunctionEmitter): void {
  const { code } = f;
  const made = code.borrow('i32');
  code.tee(made);
  code.op(i32.eqz);
  f.failIf('OutOfMemoryException');
  code.get(made);
  code.release('i32', made);
}

/** A new object with zeros behind its head; pushes the reference. */
export function create(f: FunctionEmitter, head: number, count: number, bytes: number): void {
  f.code.i32(head);
  f.code.i32(count);
  f.code.i32(bytes);
  f.core('objectCreate');
  orFull(f);
}

/**
 * Stores the value of a local at a place of an object: a constant offset, or what pushes one. `fresh`: the object was made just now, after
 * its value.
 */
export function put(
  f: FunctionEmitter,
  type: Type,
  reference: number,
  place: number | (() => void),
  value: number,
  fresh: boolean,
): void {
  const { code } = f;
  code.get(reference);
  if (typeof place === 'number') code.i32(place);
  else place();
  code.get(value);
  if (mayEnd(type) && !fresh) {
    f.core('objectPutReference');
    code.op(i32.eqz);
    f.failIf('NotCompiled');
    return;
  }
  const names = {
    i32: 'objectPut',
    i64: 'objectPutLong',
    f32: 'objectPutSingle',
    f64: 'objectPutDouble',
    v128: 'objectPutWide',
  } as const;
  f.core(names[representation(type)]);
}

export function isNull(node: Expression): boolean {
  return node.type.kind === 'null' || (node.kind === 'constant' && node.value === null);
}

/** Whether a value of this type may be a null that must not be asked anything. */
export function mayBeNull(type: Type): boolean {
  return formOf(type) !== null;
}

/** Makes a box of the value on the stack, of a struct that is no object. */
export function box(f: FunctionEmitter, type: Type): void {
  const { code } = f;
  const tag = boxTagOf(type);
  if (tag === null) throw new NotCompiled(`a box of ${nameOf(type)}`);
  const kind = representation(type);
  const value = code.borrow(kind);
  code.set(value);
  code.i32(headOf(tag, tag === tags.place || isEnumType(type) ? f.module.types.numberOf(type) : 0));
  code.get(value);
  code.release(kind, value);
  if (kind === 'f32') code.op(i32.reinterpretF32);
  if (kind === 'f64') code.op(i64.reinterpretF64);
  f.core(kind === 'v128' ? 'objectBoxWide' : kind === 'i64' || kind === 'f64' ? 'objectBoxLong' : 'objectBox');
  orFull(f);
}

/** What the values in an array or a generic object are. */
export function itemTypes(type: Type): readonly Type[] {
  if (type.kind === 'array') return [type.element];
  return type.kind === 'named' ? type.arguments : [];
}
