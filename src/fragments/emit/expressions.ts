// Expressions of the typed tree as WebAssembly, except calls of the library (calls.ts).

import type { Conversion, Expression, Target } from '../tree.ts';
import type { PrimitiveName, Type } from '../types.ts';
import { emitCall } from './calls.ts';
import { emitNumericConversion } from './conversions.ts';
import type { FunctionEmitter } from './function-emitter.ts';
import { isReference, isString, nameOf, nullOf, representation } from './representation.ts';
import { NotCompiled } from './unsupported.ts';

export function emitExpression(f: FunctionEmitter, node: Expression): void {
  const { code } = f;
  switch (node.kind) {
    case 'constant':
      emitConstant(f, node);
      return;
    case 'default':
      f.zero(node.type);
      return;
    case 'local':
      f.getLocal(node.local);
      return;
    case 'assign':
      emitAssign(f, node);
      return;
    case 'binary':
      emitBinary(f, node);
      return;
    case 'referenceEquals':
      emitReferenceEquals(f, node);
      return;
    case 'and':
    case 'or':
      emitShortCircuit(f, node);
      return;
    case 'not':
      f.expression(node.operand);
      code.op(0x45);
      return;
    case 'negate':
    case 'complement':
      emitUnary(f, node);
      return;
    case 'conditional':
      f.expression(node.condition);
      code.if(isVoid(node) ? null : representation(node.type));
      emitBranch(f, node.whenTrue);
      code.else();
      emitBranch(f, node.whenFalse);
      code.end();
      return;
    case 'sequence':
      for (const effect of node.effects) f.effect(effect);
      f.expression(node.value);
      return;
    case 'call':
      emitCall(f, node);
      return;
    case 'callLocal':
      emitLocalCall(f, node);
      return;
    case 'convert':
      emitConversion(f, node.conversion, node);
      return;
    case 'hasValue':
      f.expression(node.operand);
      code.i64(0n);
      code.op(0x52);
      return;
    case 'unwrap':
      f.expression(node.operand);
      unwrap(f, node.type);
      return;
    case 'throw':
      f.throw(node.operand);
      return;
    default:
      throw new NotCompiled(`'${node.kind}'`);
  }
}

function emitShortCircuit(f: FunctionEmitter, node: Expression & { kind: 'and' | 'or' }): void {
  const { code } = f;
  f.expression(node.left);
  code.if('i32');
  if (node.kind === 'and') f.expression(node.right);
  else code.i32(1);
  code.else();
  if (node.kind === 'and') code.i32(0);
  else f.expression(node.right);
  code.end();
}

function isVoid(node: Expression): boolean {
  return node.type.kind === 'primitive' && node.type.name === 'void';
}

/** One side of a conditional; null takes the form it has in the type of the whole. */
function emitBranch(f: FunctionEmitter, node: Expression): void {
  f.expression(node);
}

function emitConstant(f: FunctionEmitter, { type, value }: Expression & { kind: 'constant' }): void {
  const { code } = f;
  if (value === null) {
    if (type.kind === 'nullable') code.i64(0n);
    else code.i32(nullOf(type));
    return;
  }
  if (isString(type)) {
    f.text(value as string);
    return;
  }
  switch (representation(type)) {
    case 'i32':
      code.i32(typeof value === 'boolean' ? Number(value) : Number(value) | 0);
      return;
    case 'i64':
      code.i64(BigInt(value as bigint | number));
      return;
    case 'f32':
      code.f32(value as number);
      return;
    case 'f64':
      code.f64(value as number);
  }
}

function emitAssign(f: FunctionEmitter, node: Expression & { kind: 'assign' }): void {
  const { target } = node;
  if (target.kind === 'discard') {
    f.expression(node.value);
    return;
  }
  if (target.kind !== 'local') throw new NotCompiled(`assignment to a ${target.kind}`);
  f.expression(node.value);
  f.setLocal(target.local);
  f.getLocal(target.local);
}

/** Stores the value on the stack; for `out` arguments. */
export function storeTo(f: FunctionEmitter, target: Target): void {
  if (target.kind === 'local') f.setLocal(target.local);
  else if (target.kind === 'discard') f.code.op(0x1a);
  else throw new NotCompiled(`an out argument that is a ${target.kind}`);
}

function emitReferenceEquals(f: FunctionEmitter, node: Expression & { kind: 'referenceEquals' }): void {
  const { left, right } = node;
  if (!isReference(left.type) || !isReference(right.type)) throw new NotCompiled('a comparison of these references');
  // `null` as such takes the form of the other side.
  const type = left.type.kind === 'null' ? right.type : left.type;
  for (const side of [left, right]) {
    if (side.type.kind === 'null' || (side.kind === 'constant' && side.value === null)) f.code.i32(nullOf(type));
    else f.expression(side);
  }
  f.code.op(0x46);
}

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

function emitBinary(f: FunctionEmitter, node: Expression & { kind: 'binary' }): void {
  const { operator, operand, left, right } = node;
  const instruction = instructions[operand]?.[operator];
  if (instruction === undefined) throw new NotCompiled(`${operator} on ${operand}`);
  const wide = operand === 'long' || operand === 'ulong';
  if (operand !== 'float' && operand !== 'double' && (operator === '/' || operator === '%')) {
    emitDivision(f, node, instruction, wide);
    return;
  }
  if (node.checked && (operator === '+' || operator === '-' || operator === '*')) {
    if (operand === 'int' || operand === 'uint') {
      emitChecked32(f, node);
      return;
    }
    if (wide) throw new NotCompiled('checked 64-bit arithmetic');
  }
  f.expression(left);
  f.expression(right);
  // The count of a 64-bit shift is an int.
  if (wide && (operator === '<<' || operator === '>>' || operator === '>>>')) f.code.op(0xac);
  f.code.op(instruction);
}

function emitDivision(
  f: FunctionEmitter,
  node: Expression & { kind: 'binary' },
  instruction: number,
  wide: boolean,
): void {
  const { code } = f;
  const left = f.toLocal(node.left);
  const right = f.toLocal(node.right);
  code.get(right.local);
  code.op(wide ? 0x50 : 0x45);
  f.failIf('DivideByZeroException');
  if (node.operand === 'int' || node.operand === 'long') {
    // The smallest number by -1 overflows; .NET throws for the remainder as well.
    code.get(right.local);
    if (wide) code.i64(-1n);
    else code.i32(-1);
    code.op(wide ? 0x51 : 0x46);
    code.get(left.local);
    if (wide) code.i64(-(2n ** 63n));
    else code.i32(-(2 ** 31));
    code.op(wide ? 0x51 : 0x46, 0x71);
    f.failIf('OverflowException');
  }
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

function emitUnary(f: FunctionEmitter, node: Expression & { kind: 'negate' | 'complement' }): void {
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

function emitConversion(f: FunctionEmitter, conversion: Conversion, node: Expression & { kind: 'convert' }): void {
  const { operand } = node;
  switch (conversion.kind) {
    case 'numeric':
      f.expression(operand);
      emitNumericConversion(f, conversion.from, conversion.to, conversion.checked);
      return;
    case 'enum':
      if (representation(operand.type) !== 'i32' || representation(node.type) !== 'i32') {
        throw new NotCompiled('a conversion of an enum to this number');
      }
      f.expression(operand);
      return;
    case 'identity':
    case 'reference':
    case 'as': {
      if (operand.type.kind === 'null' || (operand.kind === 'constant' && operand.value === null)) {
        f.code.i32(nullOf(node.type));
        return;
      }
      const upcast = nameOf(node.type) === 'AGraphElementModel' && representation(operand.type) === 'i32';
      const same = representation(node.type) === representation(operand.type) && conversion.kind === 'identity';
      if (!same && !upcast) throw new NotCompiled('a cast between references');
      if (isReference(node.type) && nullOf(node.type) !== nullOf(operand.type)) throw new NotCompiled('this cast');
      f.expression(operand);
      return;
    }
    case 'wrap':
      if (operand.type.kind === 'null') {
        f.zero(node.type);
        return;
      }
      f.expression(operand);
      if (representation(operand.type) === 'f32') f.code.op(0xbc);
      f.code.op(0xad);
      f.code.i64(presentBit);
      f.code.op(0x84);
      return;
    case 'unwrapChecked': {
      const value = f.toLocal(operand);
      f.code.get(value.local);
      f.code.op(0x50);
      f.failIf('InvalidOperationException');
      f.code.get(value.local);
      unwrap(f, node.type);
      f.code.release(value.type, value.local);
      return;
    }
    default:
      throw new NotCompiled(`'${conversion.kind}'`);
  }
}

/** The bit that says that a nullable value is there. */
const presentBit = 2n ** 32n;

/** The value in the i64 on the stack. */
function unwrap({ code }: FunctionEmitter, type: Type): void {
  code.op(0xa7);
  if (representation(type) === 'f32') code.op(0xbe);
}

function emitLocalCall(f: FunctionEmitter, node: Expression & { kind: 'callLocal' }): void {
  const index = f.module.functions.get(node.function);
  if (index === undefined) throw new NotCompiled('a local function that uses variables around it');
  for (const argument of node.arguments) {
    if (argument.mode !== 'value') throw new NotCompiled('an argument by reference');
    f.expression(argument.value);
  }
  f.code.callOwn(index);
}
