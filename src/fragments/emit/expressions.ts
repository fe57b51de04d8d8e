// Expressions of the typed tree as WebAssembly, except calls of the library (calls.ts).

import type { Conversion, Expression, Target } from '../tree.ts';
import { emitBinary, emitUnary } from './arithmetic.ts';
import { emitCall } from './calls.ts';
import { emitNumericConversion } from './conversions.ts';
import type { FunctionEmitter } from './function-emitter.ts';
import { emptyNullable, hasValue, unwrap, wrap } from './nullables.ts';
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
      hasValue(f, representation(node.operand.type));
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
    if (type.kind === 'nullable') emptyNullable(f, representation(type));
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
      wrap(f, operand.type);
      return;
    case 'unwrapChecked': {
      const value = f.toLocal(operand);
      f.code.get(value.local);
      hasValue(f, value.type);
      f.code.op(0x45);
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

function emitLocalCall(f: FunctionEmitter, node: Expression & { kind: 'callLocal' }): void {
  const index = f.module.functions.get(node.function);
  if (index === undefined) throw new NotCompiled('a local function that uses variables around it');
  for (const argument of node.arguments) {
    if (argument.mode !== 'value') throw new NotCompiled('an argument by reference');
    f.expression(argument.value);
  }
  f.code.callOwn(index);
}
