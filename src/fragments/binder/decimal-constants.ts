// Operations on constants of type decimal, which are constants in C#: computed as they would be at run time.

import * as Decimals from '../interpreter/decimal.ts';
import { Thrown } from '../interpreter/exceptions.ts';
import type { ConstantValue } from '../tree.ts';

/** The result, `impossible` where C# says that there is none, or null for operators that decimals do not have. */
export function foldDecimals(
  operator: string,
  left: ConstantValue,
  right: ConstantValue,
): ConstantValue | 'impossible' | null {
  const [first, second] = [decimalOf(left), decimalOf(right)];
  if (first === null || second === null) return null;
  const order = (): number => Decimals.compare(first, second);
  switch (operator) {
    case '==':
      return order() === 0;
    case '!=':
      return order() !== 0;
    case '<':
      return order() < 0;
    case '<=':
      return order() <= 0;
    case '>':
      return order() > 0;
    case '>=':
      return order() >= 0;
    default: {
      const compute = OPERATIONS[operator];
      return compute ? result(() => compute(first, second)) : null;
    }
  }
}

const OPERATIONS: Record<string, (left: Decimals.DecimalValue, right: Decimals.DecimalValue) => Decimals.DecimalValue> =
  {
    '+': Decimals.add,
    '-': Decimals.subtract,
    '*': Decimals.multiply,
    '/': Decimals.divide,
    '%': Decimals.remainder,
  };

/** The places that decide how a literal is rounded: more than 96 bits take, and one that says whether anything follows. */
const literalPlaces = 60;

/** A literal's text as a decimal, rounded to the places that decimals have; null where it does not fit. */
export function decimalLiteral(text: string): ConstantValue | null {
  const point = text.indexOf('.');
  if (text.length <= 28) return { decimal: text };
  if ((point < 0 ? text.length : point) > 29) return null;
  const kept = point < 0 ? text.length : point + 1 + literalPlaces;
  const sticky = /[1-9]/.test(text.slice(kept)) ? '1' : '';
  const made = result(() => Decimals.decimalFromText(text.slice(0, kept) + sticky));
  return made === 'impossible' ? null : made;
}

/** A constant of type float or double as a decimal; null where it does not fit. */
export function decimalConstant(value: number, from: 'float' | 'double'): ConstantValue | null {
  const made = result(() => Decimals.decimalFromReal(value, from === 'float' ? 7 : 15));
  return made === 'impossible' ? null : made;
}

function decimalOf(value: ConstantValue): Decimals.DecimalValue | null {
  return value !== null && typeof value === 'object' ? Decimals.decimalFromText(value.decimal) : null;
}

function result(compute: () => Decimals.DecimalValue): { readonly decimal: string } | 'impossible' {
  try {
    return { decimal: compute().toString() };
  } catch (error) {
    if (error instanceof Thrown) return 'impossible';
    throw error;
  }
}
