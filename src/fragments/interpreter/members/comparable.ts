import { compareValues, equalValues, hashOf } from '../equality.ts';
import { badArgument } from '../exceptions.ts';
import { Boxed, type Value } from '../values.ts';
import type { Native } from './native.ts';

/** Comparing and equality as all four have them. */
export function comparable(
  name: string,
  write: (value: Value, format: string | null) => string,
): Record<string, Native> {
  const unbox = (other: Value) => {
    if (other instanceof Boxed && other.type.name === name) return other.value;
    return badArgument(`Object must be of type ${name}.`);
  };
  return {
    [`${name}.Compare(${name},${name})`]: compareValues,
    [`${name}.CompareTo(object)`]: (value, other) => (other === null ? 1 : compareValues(value, unbox(other))),
    [`${name}.CompareTo(${name})`]: compareValues,
    [`${name}.Equals(object)`]: (value, other) =>
      other instanceof Boxed && other.type.name === name && equalValues(value, other.value),
    [`${name}.Equals(${name})`]: equalValues,
    [`${name}.Equals(${name},${name})`]: equalValues,
    [`${name}.GetHashCode()`]: hashOf,
    [`${name}.ToString()`]: (value) => write(value, null),
    [`${name}.ToString(string)`]: write,
    [`${name}.ToString(IFormatProvider)`]: (value) => write(value, null),
    [`${name}.ToString(string,IFormatProvider)`]: (value, format) => write(value, format),
    [`${name}.op_Equality(${name},${name})`]: equalValues,
    [`${name}.op_Inequality(${name},${name})`]: (a, b) => !equalValues(a, b),
    [`${name}.op_LessThan(${name},${name})`]: (a, b) => compareValues(a, b) < 0,
    [`${name}.op_LessThanOrEqual(${name},${name})`]: (a, b) => compareValues(a, b) <= 0,
    [`${name}.op_GreaterThan(${name},${name})`]: (a, b) => compareValues(a, b) > 0,
    [`${name}.op_GreaterThanOrEqual(${name},${name})`]: (a, b) => compareValues(a, b) >= 0,
  };
}
