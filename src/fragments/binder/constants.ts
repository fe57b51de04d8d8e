// Constant folding with C#'s arithmetic: wrapping or overflow by `checked`, ranges of the types, float in single precision.
// Integers up to 32 bits and char are numbers, long and ulong bigint, as the typed tree wants them; inside they are bigint.

import type { BinaryOperator, ConstantValue } from '../tree.ts';
import type { PrimitiveName, Type } from '../types.ts';
import { decimalConstant } from './decimal-constants.ts';

const RANGES: Partial<Record<PrimitiveName, readonly [bigint, bigint]>> = {
  sbyte: [-128n, 127n],
  byte: [0n, 255n],
  short: [-32768n, 32767n],
  ushort: [0n, 65535n],
  char: [0n, 65535n],
  int: [-(2n ** 31n), 2n ** 31n - 1n],
  uint: [0n, 2n ** 32n - 1n],
  long: [-(2n ** 63n), 2n ** 63n - 1n],
  ulong: [0n, 2n ** 64n - 1n],
};

export const OVERFLOW = Symbol('overflow');
export const DIVISION_BY_ZERO = Symbol('division by zero');

export function fits(value: bigint, type: PrimitiveName): boolean {
  const range = RANGES[type];
  return range !== undefined && value >= range[0] && value <= range[1];
}

function wrap(value: bigint, type: PrimitiveName): bigint {
  switch (type) {
    case 'sbyte':
      return BigInt.asIntN(8, value);
    case 'byte':
      return BigInt.asUintN(8, value);
    case 'short':
      return BigInt.asIntN(16, value);
    case 'ushort':
    case 'char':
      return BigInt.asUintN(16, value);
    case 'int':
      return BigInt.asIntN(32, value);
    case 'uint':
      return BigInt.asUintN(32, value);
    case 'long':
      return BigInt.asIntN(64, value);
    default:
      return BigInt.asUintN(64, value);
  }
}

/** An integral constant in the form that its type has in the tree. */
export function integerConstant(value: bigint, type: PrimitiveName): ConstantValue {
  return type === 'long' || type === 'ulong' ? value : Number(value);
}

export function asBigint(value: ConstantValue): bigint | null {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  return null;
}

const isFloating = (type: PrimitiveName) => type === 'float' || type === 'double';

/** A numeric constant in another primitive type; OVERFLOW when it does not fit and `checked`. */
export function convertConstant(
  value: ConstantValue,
  from: PrimitiveName,
  to: PrimitiveName,
  checked: boolean,
): ConstantValue | typeof OVERFLOW | undefined {
  if (from === to) return value;
  if (to === 'decimal') {
    // No decimal is that large, in whatever context.
    if (isFloating(from) && !(Math.abs(Number(value)) < 2 ** 96)) return OVERFLOW;
    if (isFloating(from)) return decimalConstant(Number(value), from as 'double') ?? OVERFLOW;
    return { decimal: String(value) };
  }
  if (from === 'decimal') return decimalTo(value, to);
  if (isFloating(to)) return to === 'float' ? Math.fround(Number(value)) : Number(value);
  if (!(to in RANGES)) return undefined;
  let integer: bigint;
  if (isFloating(from)) {
    const number = value as number;
    if (!Number.isFinite(number)) return checked ? OVERFLOW : undefined;
    integer = BigInt(Math.trunc(number));
    if (!fits(integer, to)) return checked ? OVERFLOW : undefined;
  } else integer = asBigint(value)!;
  if (fits(integer, to)) return integerConstant(integer, to);
  return checked ? OVERFLOW : integerConstant(wrap(integer, to), to);
}

function decimalTo(value: ConstantValue, to: PrimitiveName): ConstantValue | typeof OVERFLOW | undefined {
  const { decimal } = value as { decimal: string };
  if (to === 'double') return Number(decimal);
  if (to === 'float') return Math.fround(Number(decimal));
  if (!(to in RANGES)) return undefined;
  const integer = BigInt(decimal.split('.')[0]!);
  return fits(integer, to) ? integerConstant(integer, to) : OVERFLOW;
}

/** `left operator right` on two constants of one primitive type (shifts: right is int); undefined when it is not folded. */
export function foldBinary(
  operator: BinaryOperator,
  operand: PrimitiveName,
  left: ConstantValue,
  right: ConstantValue,
  checked: boolean,
): ConstantValue | typeof OVERFLOW | typeof DIVISION_BY_ZERO | undefined {
  if (operand === 'bool') return foldBool(operator, left as boolean, right as boolean);
  if (operand === 'string') {
    if (operator === '==') return left === right;
    if (operator === '!=') return left !== right;
    return operator === '+' ? `${left ?? ''}${right ?? ''}` : undefined;
  }
  if (isFloating(operand)) return foldReal(operator, operand, left as number, right as number);
  const first = asBigint(left);
  const second = asBigint(right);
  if (first === null || second === null) return undefined;
  const compared = foldComparison(operator, first, second);
  if (compared !== undefined) return compared;
  if ((operator === '/' || operator === '%') && second === 0n) return DIVISION_BY_ZERO;
  const bits = operand === 'long' || operand === 'ulong' ? 64n : 32n;
  const raw = integerOperation(operator, first, second, bits, operand);
  if (raw === undefined) return undefined;
  const shift = operator === '<<' || operator === '>>' || operator === '>>>';
  if (!fits(raw, operand)) {
    // int.MinValue / -1 overflows whatever the context
    if (!shift && (checked || operator === '/')) return OVERFLOW;
    return integerConstant(wrap(raw, operand), operand);
  }
  return integerConstant(raw, operand);
}

function integerOperation(
  operator: BinaryOperator,
  left: bigint,
  right: bigint,
  bits: bigint,
  operand: PrimitiveName,
): bigint | undefined {
  const count = right & (bits - 1n);
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    case '%':
      return left % right;
    case '&':
      return left & right;
    case '|':
      return left | right;
    case '^':
      return left ^ right;
    case '<<':
      return left << count;
    case '>>':
      return left >> count;
    case '>>>':
      return wrap(BigInt.asUintN(Number(bits), left) >> count, operand);
    default:
      return undefined;
  }
}

function foldComparison<T extends bigint | number>(operator: BinaryOperator, left: T, right: T): boolean | undefined {
  switch (operator) {
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '>':
      return left > right;
    case '<=':
      return left <= right;
    case '>=':
      return left >= right;
    default:
      return undefined;
  }
}

function foldReal(operator: BinaryOperator, operand: PrimitiveName, left: number, right: number) {
  const compared = foldComparison(operator, left, right);
  if (compared !== undefined) return compared;
  let result: number;
  switch (operator) {
    case '+':
      result = left + right;
      break;
    case '-':
      result = left - right;
      break;
    case '*':
      result = left * right;
      break;
    case '/':
      result = left / right;
      break;
    case '%':
      result = left % right;
      break;
    default:
      return undefined;
  }
  return operand === 'float' ? Math.fround(result) : result;
}

function foldBool(operator: BinaryOperator, left: boolean, right: boolean): boolean | undefined {
  switch (operator) {
    case '&':
      return left && right;
    case '|':
      return left || right;
    case '^':
    case '!=':
      return left !== right;
    case '==':
      return left === right;
    default:
      return undefined;
  }
}

/** `-x` and `~x`. */
export function foldUnary(
  operator: '-' | '~',
  operand: PrimitiveName,
  value: ConstantValue,
  checked: boolean,
): ConstantValue | typeof OVERFLOW | undefined {
  if (typeof value === 'object' && value !== null) {
    if (operator === '~') return undefined;
    return { decimal: value.decimal.startsWith('-') ? value.decimal.slice(1) : `-${value.decimal}` };
  }
  if (isFloating(operand)) return operator === '-' ? -(value as number) : undefined;
  const integer = asBigint(value);
  if (integer === null) return undefined;
  const raw = operator === '-' ? -integer : wrap(~integer, operand);
  if (fits(raw, operand)) return integerConstant(raw, operand);
  return checked ? OVERFLOW : integerConstant(wrap(raw, operand), operand);
}

/** Whether a constant of an integral type converts to another integral type without a cast. */
export function constantFits(value: ConstantValue, to: Type): boolean {
  const integer = asBigint(value);
  return to.kind === 'primitive' && integer !== null && fits(integer, to.name);
}
