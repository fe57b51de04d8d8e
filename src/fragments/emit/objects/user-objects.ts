// Objects of the classes that a source declares: 16 bytes a field behind the head, those of base classes first. Structs of a source are tuples under
// a name of their own.

import type { Type } from '../../types.ts';
import { userType } from '../../user-types.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { isObjectStruct, nullOf, representation } from '../representation.ts';
import { NotCompiled } from '../unsupported.ts';
import { headOf, knownReferences, load, places, tags } from './object-layout.ts';
import { create, put } from './objects.ts';

const fieldBytes = 16;

interface Field {
  readonly type: Type;
  readonly index: number;
}

const placeOf = ({ index }: Field): number => places.payload + fieldBytes * index;

/** Pushes a new object. What is no null by zeros gets its default. */
export function emitNewObject(f: FunctionEmitter, type: Type): void {
  const user = type.kind === 'named' ? userType(type.name) : undefined;
  if (user === undefined) throw new NotCompiled('an object of this class');
  const { code } = f;
  f.charge(4);
  const head = headOf(tags.object, f.module.types.numberOf(type));
  create(f, head, knownReferences(user.fields), fieldBytes * user.fields.length);
  const made = code.local('i32');
  code.set(made);
  for (const [index, field] of user.fields.entries()) {
    if (nullOf(field) === 0 && !isObjectStruct(field) && isZero(field)) continue;
    f.zero(field);
    const kind = representation(field);
    const value = code.borrow(kind);
    code.set(value);
    put(f, field, made, placeOf({ type: field, index }), value, true);
    code.release(kind, value);
  }
  code.get(made);
}

/** Whether the default of a type is nothing but zero bits. */
function isZero(type: Type): boolean {
  if (type.kind === 'nullable') return false;
  return !(type.kind === 'primitive' && type.name === 'decimal') && representation(type) !== 'v128';
}

/** Pushes a field of the object in a local. */
export function loadUserField(f: FunctionEmitter, field: Field, object: number): void {
  f.code.get(object);
  load(f.code, representation(field.type), placeOf(field));
}

/** Puts the value of a local into a field of the object in another. */
export function storeUserField(f: FunctionEmitter, field: Field, object: number, value: number): void {
  put(f, field.type, object, placeOf(field), value, false);
}
