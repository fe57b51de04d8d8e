// The arithmetic and comparison of the primitive number types.

import type { Expression } from '../../tree.ts';
import type { PrimitiveName } from '../../types.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { representation } from '../representation.ts';
import { NotCompiled } from '../unsupported.ts';
import { f32, f64, i32, i64, type Opcode } from '../wasm/opcodes.ts';

interface Codes {
  readonly [operator: string]: Opcode;
}

const codes32: Codes = {
  '+': i32.add,
  '-': i32.sub,
  '*': i32.mul,
  '&': i32.and,
  '|': i32.or,
  '^': i32.xor,
  '<<': i32.shl,
  '==': i32.eq,
  '!=': i32.ne,
};
const signed32: Codes = {
  '>>': i32.shrS,
  '<': i32.ltS,
  '>': i32.gtS,
  '<=': i32.leS,
  '>=': i32.geS,
  '/': i32.divS,
  '%': i32.remS,
};
const unsigned32: Codes = {
  '>>': i32.shrU,
  '<': i32.ltU,
  '>': i32.gtU,
  '<=': i32.leU,
  '>=': i32.geU,
  '/': i32.divU,
  '%': i32.remU,
};
const codes64: Codes = {
  '+': i64.add,
  '-': i64.sub,
  '*': i64.mul,
  '&': i64.and,
  '|': i64.or,
  '^': i64.xor,
  '<<': i64.shl,
  '==': i64.eq,
  '!=': i64.ne,
};
const signed64: Codes = {
  '>>': i64.shrS,
  '<': i64.ltS,
  '>': i64.gtS,
  '<=': i64.leS,
  '>=': i64.geS,
  '/': i64.divS,
  '%': i64.remS,
};
const unsigned64: Codes = {
  '>>': i64.shrU,
  '<': i64.ltU,
  '>': i64.gtU,
  '<=': i64.leU,
  '>=': i64.geU,
  '/': i64.divU,
  '%': i64.remU,
};
const float32: Codes = {
  '+': f32.add,
  '-': f32.sub,
  '*': f32.mul,
  '/': f32.div,
  '==': f32.eq,
  '!=': f32.ne,
  '<': f32.lt,
  '>': f32.gt,
  '<=': f32.le,
  '>=': f32.ge,
};
const float64: Codes = {
  '+': f64.add,
  '-': f64.sub,
  '*': f64.mul,
  '/': f64.div,
  '==': f64.eq,
  '!=': f64.ne,
  '<': f64.lt,
  '>': f64.gt,
  '<=': f64.le,
  '>=': f64.ge,
};

/** Instructions by operand type. Smaller integers come promoted to int. */
const instructions: Partial<Record<PrimitiveName, Codes>> = {
  bool: codes32,
  int: { ...codes32, ...signed32, '>>>': i32.shrU },
  uint: { ...codes32, ...unsigned32, '>>>': i32.shrU },
  long: { ...codes64, ...signed64, '>>>': i64.shrU },
  ulong: { ...codes64, ...unsigned64, '>>>': i64.shrU },
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
  if (wide && (operator === '<<' || operator === '>>' || operator === '>>>')) f.code.op(i64.extendI32S);
  f.code.op(instruction);
}

/** Throws when a quotient of the integers in two locals does not exist. */
export function checkDivision(f: FunctionEmitter, operand: PrimitiveName, left: number, right: number): void {
  const { code } = f;
  const wide = operand === 'long' || operand === 'ulong';
  code.get(right);
  code.op(wide ? i64.eqz : i32.eqz);
  f.failIf('DivideByZeroException');
  if (operand === 'int' || operand === 'long') {
    // The smallest number by -1 overflows; .NET throws for the remainder as well.
    code.get(right);
    if (wide) code.i64(-1n);
    else code.i32(-1);
    code.op(wide ? i64.eq : i32.eq);
    code.get(left);
    if (wide) code.i64(-(2n ** 63n));
    else code.i32(-(2 ** 31));
    code.op(wide ? i64.eq : i32.eq, i32.and);
    f.failIf('OverflowException');
  }
}

/** Floats as doubles, which they are exactly, and so is what is left. */
function emitRemainder(f: FunctionEmitter, { operand, left, right }: Expression & { kind: 'binary' }): void {
  for (const side of [left, right]) {
    f.expression(side);
    if (operand === 'float') f.code.op(f64.promoteF32);
  }
  f.core('realRemainder');
  if (operand === 'float') f.code.op(f32.demoteF64);
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
    code.op(i64.xor);
  };
  code.get(a);
  code.get(b);
  code.op(codes64[operator] as Opcode);
  code.set(result);
  if (operator === '*') {
    checkProduct(f, signed, a, b, result);
  } else if (signed) {
    // The sign changed where both operands (for a difference, the first and the opposite of the second) agree on another one.
    if (operator === '+') xor(a, result);
    else xor(a, b);
    xor(operator === '+' ? b : a, result);
    code.op(i64.and);
    code.i64(0n);
    code.op(i64.ltS);
    f.failIf('OverflowException');
  } else {
    code.get(operator === '+' ? result : a);
    code.get(operator === '+' ? a : b);
    code.op(i64.ltU);
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
  code.op(i64.ne);
  code.if();
  if (signed) {
    // By -1 the smallest number cannot be divided, and does not fit either.
    code.get(a);
    code.i64(-1n);
    code.op(i64.eq);
    code.if('i32');
    code.get(b);
    code.i64(-(2n ** 63n));
    code.op(i64.eq);
    code.else();
  }
  code.get(result);
  code.get(a);
  code.op(signed ? i64.divS : i64.divU);
  code.get(b);
  code.op(i64.ne);
  if (signed) code.end();
  f.failIf('OverflowException');
  code.end();
}

function emitDivision(f: FunctionEmitter, node: Expression & { kind: 'binary' }, instruction: Opcode): void {
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
  const extend = operand === 'int' ? i64.extendI32S : i64.extendI32U;
  f.expression(left);
  code.op(extend);
  f.expression(right);
  code.op(extend, codes64[operator] as Opcode);
  const result = code.borrow('i64');
  code.tee(result);
  code.get(result);
  code.op(i32.wrapI64, extend, i64.ne);
  f.failIf('OverflowException');
  code.get(result);
  code.op(i32.wrapI64);
  code.release('i64', result);
}

export function emitUnary(f: FunctionEmitter, node: Expression & { kind: 'negate' | 'complement' }): void {
  const { code } = f;
  const type = representation(node.type);
  if (type === 'f32' || type === 'f64') {
    f.expression(node.operand);
    code.op(type === 'f32' ? f32.neg : f64.neg);
    return;
  }
  if (node.kind === 'complement') {
    f.expression(node.operand);
    if (type === 'i32') code.i32(-1);
    else code.i64(-1n);
    code.op(type === 'i32' ? i32.xor : i64.xor);
    return;
  }
  const value = f.toLocal(node.operand);
  if (node.checked) {
    code.get(value.local);
    if (type === 'i32') code.i32(-(2 ** 31));
    else code.i64(-(2n ** 63n));
    code.op(type === 'i32' ? i32.eq : i64.eq);
    f.failIf('OverflowException');
  }
  if (type === 'i32') code.i32(0);
  else code.i64(0n);
  code.get(value.local);
  code.op(type === 'i32' ? i32.sub : i64.sub);
  code.release(type, value.local);
}
