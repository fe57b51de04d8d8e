// From object to a type, for Cast and OfType.

import type { Type } from '../../types.ts';
import { compileConversion } from '../conversions.ts';
import { runtimeType } from '../runtime-types.ts';
import type { Value } from '../values.ts';

/** A checked conversion from object to a type. */
export function unboxed(target: Type): (value: Value) => Value {
  const isValue = target.kind === 'nullable' || runtimeType(target).isValue;
  return compileConversion({ kind: isValue ? 'unbox' : 'reference' }, { kind: 'primitive', name: 'object' }, target);
}
