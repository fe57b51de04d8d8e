// The arithmetic and comparison of the primitive number types.

import type { Expression } from '../tree.ts';
import type { PrimitiveName } from '../types.ts';
import type { FunctionEmitter } from './function-emitter.ts';
import { representation } from './representation.ts';
import { NotCompiled } from './unsupported.ts';

interface Codes {
  readonly [operator: string]: number;
}

const codes32: Codes = {
  '+': 0x6a,
  '-': 0x6b,
  '*': 0x6c,
  '&': 0x71,
  '|': 0x72,
  '^': 0x73,
  '<<': 0x74,
  '==': 0x46,
  '!=': 0x47,
};
const signed32: Codes = { '>>': 0x75, '<': 0x48, '>': 0x4a, '<=': 0x4c, '>=': 0x4e, '/': 0x6d, '%': 0x6f };
const unsigned32: Codes = { '>>': 0x76, '<': 0x49, '>': 0x4b, '<=': 0x4d, '>=': 0x4f, '/': 0x6e, '%': 0x70 };
const codes64: Codes = {
  '+': 0x7c,
  '-': 0x7d,
  '*': 0x7e,
  '&': 0x83,
  '|': 0x84,
  '^': 0x85,
  '<<': 0x86,
  '==': 0x51,
  '!=': 0x52,
};
const signed64: Codes = { '>>': 0x87, '<': 0x53, '>': 0x55, '<=': 0x57, '>=': 0x59, '/': 0x7f, '%': 0x81 };
const unsigned64: Codes = { '>>': 0x88, '<': 0x54, '>': 0x56, '<=': 0x58, '>=': 0x5a, '/': 0x80, '%': 0x82 };
const float32: Codes = {
  '+': 0x92,
  '-': 0x93,
  '*': 0x94,
  '/': 0x95,
  '==': 0x5b,
  '!=': 0x5c,
  '<': 0x5d,
  '>': 0x5e,
  '<=': 0x5f,
  '>=': 0x60,
};
const float64: Codes = {
  '+': 0xa0,
  '-': 0xa1,
  '*': 0xa2,
  '/': 0xa3,
  '==': 0x61,
  '!=': 0x62,
  '<': 0x63,
  '>': 0x64,
  '<=': 0x65,
  '>=': 0x66,
};

/** Instructions by operand type. Smaller integers come promoted to int. */
const instructions: Partial<Record<PrimitiveName, Codes>> = {
  bool: codes32,
  int: { ...codes32, ...signed32, '>>>': 0x76 },
  uint: { ...codes32, ...unsigned32, '>>>': 0x76 },
  long: { ...codes64, ...signed64, '>>>': 0x88 },
  ulong: { ...codes64, ...unsigned64, '>>>': 0x88 },
  float: float32,
  double: float64,
};

export function emitBinary(f: FunctionEmitter, node: Expression & { kind: 'binary' }): void {
  const { operator, operand, left, right } = node;
  if (operator === '%' && (operand === 'float' || operand === 'double')) {
    emitRemainder(f, node);
    return;
  }
  const instruction = instructions[operand]?.[operator];
  if (instruction === undefined) throw new NotCompiled(`${operator} on ${operand}`);
  const wide = operand === 'long' || operand === 'ulong';
  if (operand !== 'float' && operand !== 'double' && (operator === '/' || operator === '%')) {
    emitDivision(f, node, instruction);
    return;
  }
  if (node.checked && (operator === '+' || operator === '-' || operator === '*')) {
    if (operand === 'int' || operand === 'uint') {
      emitChecked32(f, node);
      return;
    }
    if (wide) {
      emitChecked64(f, node);
      return;
    }
  }
  f.expression(left);
  f.expression(right);
  // The count of a 64-bit shift is an int.
  if (wide && (operator === '<<' || operator === '>>' || operator === '>>>')) f.code.op(0xac);
  f.code.op(instruction);
}

/** Throws when a quotient of the integers in two locals does not exist. */
export function checkDivision(f: FunctionEmitter, operand: PrimitiveName, left: number, right: number): void {
  const { code } = f;
  const wide = operand === 'long' || operand === 'ulong';
  code.get(right);
  code.op(wide ? 0x50 : 0x45);
  f.failIf('DivideByZeroException');
  if (operand === 'int' || operand === 'long') {
    // The smallest number by -1 overflows; .NET throws for the remainder as well.
    code.get(right);
    if (wide) code.i64(-1n);
    else code.i32(-1);
    code.op(wide ? 0x51 : 0x46);
    code.get(left);
    if (wide) code.i64(-(2n ** 63n));
    else code.i32(-(2 ** 31));
    code.op(wide ? 0x51 : 0x46, 0x71);
    f.failIf('OverflowException');
  }
}

/** Floats as doubles, which they are exactly, and so is what is left. */
function emitRemainder(f: FunctionEmitter, { operand, left, right }: Expression & { kind: 'binary' }): void {
  for (const side of [left, right]) {
    f.expression(side);
    if (operand === 'float') f.code.op(0xbb);
  }
  f.core('realRemainder');
  if (operand === 'float') f.code.op(0xb6);
}

/** Sums, differences and products of long or ulong that must fit. */
function emitChecked64(f: FunctionEmitter, node: Expression & { kind: 'binary' }): void {
  const left = f.toLocal(node.left);
  const right = f.toLocal(node.right);
  checked64(f, node.operator as '+' | '-' | '*', node.operand === 'long', left.local, right.local);
  f.code.release(left.type, left.local);
  f.code.release(right.type, right.local);
}

/** Pushes the sum, difference or product of two locals; throws OverflowException when it does not fit. */
function checked64(f: FunctionEmitter, operator: '+' | '-' | '*', signed: boolean, a: number, b: number): void {
  const { code } = f;
  const result = code.borrow('i64');
  const xor = (x: number, y: number) => {
    code.get(x);
    code.get(y);
    code.op(0x85);
  };
  code.get(a);
  code.get(b);
  code.op(codes64[operator] as number);
  code.set(result);
  if (operator === '*') {
    checkProduct(f, signed, a, b, result);
  } else if (signed) {
    // The sign changed where both operands (for a difference, the first and the opposite of the second) agree on another one.
    if (operator === '+') xor(a, result);
    else xor(a, b);
    xor(operator === '+' ? b : a, result);
    code.op(0x83);
    code.i64(0n);
    code.op(0x53);
    f.failIf('OverflowException');
  } else {
    code.get(operator === '+' ? result : a);
    code.get(operator === '+' ? a : b);
    code.op(0x54);
    f.failIf('OverflowException');
  }
  code.get(result);
  code.release('i64', result);
}

/** A product that fits gives the second factor back when the first one divides it. */
function checkProduct(f: FunctionEmitter, signed: boolean, a: number, b: number, result: number): void {
  const { code } = f;
  code.get(a);
  code.i64(0n);
  code.op(0x52);
  code.if();
  if (signed) {
    // By -1 the smallest number cannot be divided, and does not fit either.
    code.get(a);
    code.i64(-1n);
    code.op(0x51);
    code.if('i32');
    code.get(b);
    code.i64(-(2n ** 63n));
    code.op(0x51);
    code.else();
  }
  code.get(result);
  code.get(a);
  code.op(signed ? 0x7f : 0x80);
  code.get(b);
  code.op(0x52);
  if (signed) code.end();
  f.failIf('OverflowException');
  code.end();
}

function emitDivision(f: FunctionEmitter, node: Expression & { kind: 'binary' }, instruction: number): void {
  const { code } = f;
  const left = f.toLocal(node.left);
  const right = f.toLocal(node.right);
  checkDivision(f, node.operand, left.local, right.local);
  code.get(left.local);
  code.get(right.local);
  code.op(instruction);
  code.release(left.type, left.local);
  code.release(right.type, right.local);
}

/** In 64 bits, where nothing overflows (a product of two uint does not fit i64 as a signed number, but compares right as unsigned). */
function emitChecked32(f: FunctionEmitter, { operand, operator, left, right }: Expression & { kind: 'binary' }): void {
  const { code } = f;
  const extend = operand === 'int' ? 0xac : 0xad;
  f.expression(left);
  code.op(extend);
  f.expression(right);
  code.op(extend, codes64[operator] as number);
  const result = code.borrow('i64');
  code.tee(result);
  code.get(result);
  code.op(0xa7, extend, 0x52);
  f.failIf('OverflowException');
  code.get(result);
  code.op(0xa7);
  code.release('i64', result);
}

export function emitUnary(f: FunctionEmitter, node: Expression & { kind: 'negate' | 'complement' }): void {
  const { code } = f;
  const type = representation(node.type);
  if (type === 'f32' || type === 'f64') {
    f.expression(node.operand);
    code.op(type === 'f32' ? 0x8c : 0x9a);
    return;
  }
  if (node.kind === 'complement') {
    f.expression(node.operand);
    if (type === 'i32') code.i32(-1);
    else code.i64(-1n);
    code.op(type === 'i32' ? 0x73 : 0x85);
    return;
  }
  const value = f.toLocal(node.operand);
  if (node.checked) {
    code.get(value.local);
    if (type === 'i32') code.i32(-(2 ** 31));
    else code.i64(-(2n ** 63n));
    code.op(type === 'i32' ? 0x46 : 0x51);
    f.failIf('OverflowException');
  }
  if (type === 'i32') code.i32(0);
  else code.i64(0n);
  code.get(value.local);
  code.op(type === 'i32' ? 0x6b : 0x7d);
  code.release(type, value.local);
}
