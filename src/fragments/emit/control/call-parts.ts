// A call of the library taken apart: its receiver, its arguments, and where its `out` arguments go.

import type { CallArgument, Expression, Target } from '../../tree.ts';
import { isElement, representation } from '../representation.ts';
import { NotCompiled } from '../unsupported.ts';
import { i32 } from '../wasm/opcodes.ts';
import type { FunctionEmitter } from './function-emitter.ts';

export type Call = Expression & { kind: 'call' };
export type CallEmitter = (f: FunctionEmitter, call: Call) => void;

/** The expression of a by-value argument. */
export function argument(call: Call, index: number): Expression {
  const given = call.arguments[index] as CallArgument;
  if (given.mode !== 'value') throw new NotCompiled('an argument by reference');
  return given.value;
}

/** Evaluates a by-value argument into a local. */
export function argumentLocal(f: FunctionEmitter, call: Call, index: number): number {
  return f.toLocal(argument(call, index)).local;
}

export function outTarget(call: Call, index: number): Target {
  const given = call.arguments[index] as CallArgument;
  if (given.mode !== 'out') throw new NotCompiled('a missing out argument');
  return given.target;
}

export function receiver(call: Call): Expression {
  if (call.receiver === null) throw new NotCompiled(`${call.member.key} without a receiver`);
  return call.receiver;
}

/** Evaluates a reference into a local and throws NullReferenceException when it is null. */
export function checkedReceiver(f: FunctionEmitter, call: Call): number {
  return checkedReference(f, receiver(call), 'NullReferenceException');
}

export function checkedReference(
  f: FunctionEmitter,
  node: Expression,
  failure: 'NullReferenceException' | 'ArgumentNullException',
): number {
  const { code } = f;
  f.expression(node);
  const local = code.local('i32');
  code.tee(local);
  if (isElement(node.type)) {
    code.i32(-1);
    code.op(i32.eq);
  } else {
    code.op(i32.eqz);
  }
  f.failIf(failure);
  return local;
}

/** Stores what lies in a local where an `out` argument says. */
export function storeLocal(f: FunctionEmitter, target: Target, local: number): void {
  f.code.get(local);
  f.store(target);
}

/** Stores the default of the target's type. */
export function storeDefault(f: FunctionEmitter, target: Target): void {
  if (target.kind === 'discard') {
    representation(target.type);
    return;
  }
  f.zero(target.type);
  f.store(target);
}

/** A constant argument's value; what is only known at run time is left to the interpreter. */
export function constantOf(node: Expression): unknown {
  if (node.kind === 'convert' && node.conversion.kind !== 'numeric') return constantOf(node.operand);
  if (node.kind !== 'constant') throw new NotCompiled('an option that is not constant');
  return node.value;
}
