// The binary and unary operators of the language on primitive operands, one JavaScript function for each operator, type and overflow
// mode. The closures of expressions are built around them.

import type { BinaryOperator } from '../tree.ts';
import type { PrimitiveName } from '../types.ts';
import { overflow, raise } from './exceptions.ts';
import type { Value } from './values.ts';

export type Binary = (left: Value, right: Value) => Value;

function divideByZero(): never {
  return raise('DivideByZeroException');
}

const COMPARISONS: Readonly<Record<string, Binary>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
};

const INT: Readonly<Record<string, Binary>> = {
  '+': (a, b) => (a + b) | 0,
  '-': (a, b) => (a - b) | 0,
  '*': (a, b) => Math.imul(a, b),
  '/': (a, b) => {
    if (b === 0) divideByZero();
    if (b === -1 && a === -2147483648) overflow();
    return (a / b) | 0;
  },
  '%': (a, b) => {
    if (b === 0) divideByZero();
    if (b === -1 && a === -2147483648) overflow();
    return (a % b) | 0;
  },
  '<<': (a, b) => a << b,
  '>>': (a, b) => a >> b,
  '>>>': (a, b) => (a >>> b) | 0,
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
};

const UINT: Readonly<Record<string, Binary>> = {
  '+': (a, b) => (a + b) >>> 0,
  '-': (a, b) => (a - b) >>> 0,
  '*': (a, b) => Math.imul(a, b) >>> 0,
  '/': (a, b) => {
    if (b === 0) divideByZero();
    return Math.trunc(a / b);
  },
  '%': (a, b) => {
    if (b === 0) divideByZero();
    return a % b;
  },
  '<<': (a, b) => (a << b) >>> 0,
  '>>': (a, b) => a >>> b,
  '>>>': (a, b) => a >>> b,
  '&': (a, b) => (a & b) >>> 0,
  '|': (a, b) => (a | b) >>> 0,
  '^': (a, b) => (a ^ b) >>> 0,
};

const LOWEST_LONG = -(1n << 63n);

const LONG: Readonly<Record<string, Binary>> = {
  '+': (a: bigint, b: bigint) => BigInt.asIntN(64, a + b),
  '-': (a: bigint, b: bigint) => BigInt.asIntN(64, a - b),
  '*': (a: bigint, b: bigint) => BigInt.asIntN(64, a * b),
  '/': (a: bigint, b: bigint) => {
    if (b === 0n) divideByZero();
    if (b === -1n && a === LOWEST_LONG) overflow();
    return a / b;
  },
  '%': (a: bigint, b: bigint) => {
    if (b === 0n) divideByZero();
    if (b === -1n && a === LOWEST_LONG) overflow();
    return a % b;
  },
  '<<': (a: bigint, b: number) => BigInt.asIntN(64, a << BigInt(b & 63)),
  '>>': (a: bigint, b: number) => a >> BigInt(b & 63),
  '>>>': (a: bigint, b: number) => BigInt.asIntN(64, BigInt.asUintN(64, a) >> BigInt(b & 63)),
  '&': (a: bigint, b: bigint) => a & b,
  '|': (a: bigint, b: bigint) => a | b,
  '^': (a: bigint, b: bigint) => a ^ b,
};

const ULONG: Readonly<Record<string, Binary>> = {
  '+': (a: bigint, b: bigint) => BigInt.asUintN(64, a + b),
  '-': (a: bigint, b: bigint) => BigInt.asUintN(64, a - b),
  '*': (a: bigint, b: bigint) => BigInt.asUintN(64, a * b),
  '/': (a: bigint, b: bigint) => (b === 0n ? divideByZero() : a / b),
  '%': (a: bigint, b: bigint) => (b === 0n ? divideByZero() : a % b),
  '<<': (a: bigint, b: number) => BigInt.asUintN(64, a << BigInt(b & 63)),
  '>>': (a: bigint, b: number) => a >> BigInt(b & 63),
  '>>>': (a: bigint, b: number) => a >> BigInt(b & 63),
  '&': (a: bigint, b: bigint) => a & b,
  '|': (a: bigint, b: bigint) => a | b,
  '^': (a: bigint, b: bigint) => a ^ b,
};

const DOUBLE: Readonly<Record<string, Binary>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
};

const FLOAT: Readonly<Record<string, Binary>> = {
  '+': (a, b) => Math.fround(a + b),
  '-': (a, b) => Math.fround(a - b),
  '*': (a, b) => Math.fround(a * b),
  '/': (a, b) => Math.fround(a / b),
  '%': (a, b) => Math.fround(a % b),
};

const BOOL: Readonly<Record<string, Binary>> = {
  '&': (a, b) => a && b,
  '|': (a, b) => a || b,
  '^': (a, b) => a !== b,
};

function within(minimum: number, maximum: number, value: number): number {
  return value < minimum || value > maximum ? overflow() : value;
}

const CHECKED_INT: Readonly<Record<string, Binary>> = {
  '+': (a, b) => within(-2147483648, 2147483647, a + b),
  '-': (a, b) => within(-2147483648, 2147483647, a - b),
  '*': (a, b) => within(-2147483648, 2147483647, a * b) | 0,
};
const CHECKED_UINT: Readonly<Record<string, Binary>> = {
  '+': (a, b) => within(0, 4294967295, a + b),
  '-': (a, b) => within(0, 4294967295, a - b),
  '*': (a, b) => within(0, 4294967295, a * b),
};

function checkedBig(minimum: bigint, maximum: bigint): Readonly<Record<string, Binary>> {
  const within64 = (value: bigint) => (value < minimum || value > maximum ? overflow() : value);
  return {
    '+': (a: bigint, b: bigint) => within64(a + b),
    '-': (a: bigint, b: bigint) => within64(a - b),
    '*': (a: bigint, b: bigint) => within64(a * b),
  };
}

const CHECKED_LONG = checkedBig(LOWEST_LONG, (1n << 63n) - 1n);
const CHECKED_ULONG = checkedBig(0n, (1n << 64n) - 1n);

const TABLES: Readonly<Record<string, readonly [Readonly<Record<string, Binary>>, Readonly<Record<string, Binary>>]>> =
  {
    int: [INT, CHECKED_INT],
    uint: [UINT, CHECKED_UINT],
    long: [LONG, CHECKED_LONG],
    ulong: [ULONG, CHECKED_ULONG],
    float: [FLOAT, {}],
    double: [DOUBLE, {}],
    bool: [BOOL, {}],
  };

/** The function of an operator on operands of a type. */
export function binaryFunction(operator: BinaryOperator, operand: PrimitiveName, checked: boolean): Binary {
  const [plain, guarded] = TABLES[operand] ?? TABLES.int!;
  const found = (checked ? guarded[operator] : undefined) ?? plain[operator] ?? COMPARISONS[operator];
  if (!found) throw new Error(`no operator ${operator} on ${operand}`);
  return found;
}

/** Unary minus. */
export function negation(operand: PrimitiveName, checked: boolean): (value: Value) => Value {
  switch (operand) {
    case 'int':
      return checked ? (value) => (value === -2147483648 ? overflow() : -value | 0) : (value) => -value | 0;
    case 'long':
      return checked
        ? (value: bigint) => (value === LOWEST_LONG ? overflow() : -value)
        : (value: bigint) => BigInt.asIntN(64, -value);
    default:
      return (value) => -value;
  }
}

/** `~`. */
export function complement(operand: PrimitiveName): (value: Value) => Value {
  switch (operand) {
    case 'uint':
      return (value) => ~value >>> 0;
    case 'long':
      return (value) => ~value;
    case 'ulong':
      return (value: bigint) => BigInt.asUintN(64, ~value);
    default:
      return (value) => ~value;
  }
}
