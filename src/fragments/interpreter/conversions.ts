// Conversions between types: numbers, boxes, casts between reference types, enums.

import type { Conversion } from '../tree.ts';
import type { Type } from '../types.ts';
import { invalidOperation, nullReference, raise } from './exceptions.ts';
import { numericConversion } from './integers.ts';
import { isAssignable, type RuntimeType, runtimeType } from './runtime-types.ts';
import { Boxed, box, typeOfObject, type Value } from './values.ts';

export function compileConversion(conversion: Conversion, from: Type, to: Type): (value: Value) => Value {
  switch (conversion.kind) {
    case 'numeric':
      return numericConversion(conversion.from, conversion.to, conversion.checked);
    case 'box':
      return (value) => box(from, value);
    case 'unbox':
      return unboxing(to);
    case 'unwrapChecked':
      return (value) => (value === null ? invalidOperation('Nullable object must have a value.') : value);
    case 'reference':
      return referenceCast(to);
    case 'as':
      return asCast(from, to);
    case 'enum':
      return enumConversion(from, to);
    case 'notNull':
      return (value) => (value === null ? nullReference() : value);
    default:
      return (value) => value;
  }
}

/** What `InvalidCastException` says. */
function invalidCast(value: Value, to: RuntimeType): never {
  return raise(
    'InvalidCastException',
    `Unable to cast object of type '${typeOfObject(value).fullName}' to type '${to.fullName}'.`,
  );
}

function unboxing(to: Type): (value: Value) => Value {
  const wanted = runtimeType(to.kind === 'nullable' ? to.element : to);
  const optional = to.kind === 'nullable';
  return (value) => {
    if (value === null) return optional ? null : nullReference();
    return value instanceof Boxed && fitsBox(value.type, wanted) ? value.value : invalidCast(value, wanted);
  };
}

/** A box opens as its own type; an enum also as its number and back. */
function fitsBox(own: RuntimeType, wanted: RuntimeType): boolean {
  if (own === wanted || own.key === wanted.key) return true;
  return (own.shape === 'enum' && wanted.key === 'int') || (wanted.shape === 'enum' && own.key === 'int');
}

function referenceCast(to: Type): (value: Value) => Value {
  const wanted = runtimeType(to);
  return (value) => {
    if (value === null || typeof value === 'function') return value;
    return isAssignable(typeOfObject(value), wanted) ? value : invalidCast(value, wanted);
  };
}

function asCast(from: Type, to: Type): (value: Value) => Value {
  const wanted = runtimeType(to.kind === 'nullable' ? to.element : to);
  const opens = wanted.isValue;
  return (value) => {
    if (value === null) return null;
    const object = box(from, value);
    if (typeof object === 'function') return object;
    if (!isAssignable(typeOfObject(object), wanted)) return null;
    return opens ? object.value : object;
  };
}

/** An enum is its number. */
function enumConversion(from: Type, to: Type): (value: Value) => Value {
  const isBig = (type: Type) => type.kind === 'primitive' && (type.name === 'long' || type.name === 'ulong');
  if (isBig(to) && !isBig(from)) return (value) => BigInt(value);
  if (isBig(from) && !isBig(to)) return (value) => Number(BigInt.asIntN(32, value));
  return (value) => value;
}
