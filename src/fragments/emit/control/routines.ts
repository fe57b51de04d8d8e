// Members that are one call of the core, and what the members of all number and time types have in common.

import type { Expression } from '../../tree.ts';
import type { PrimitiveName, Type } from '../../types.ts';
import { asObject } from '../objects/boxes.ts';
import type { CoreFunction } from '../wasm/core-functions.ts';
import { noOrder } from '../wasm/core-functions.ts';
import { i32, type Opcode } from '../wasm/opcodes.ts';
import { argument, type Call, type CallEmitter } from './call-parts.ts';
import { checkDate, checkFault, checkWide } from './faults.ts';
import type { FunctionEmitter } from './function-emitter.ts';

/** How a routine of the core says that it has no result (faults.ts). */
export type Refusal = 'never' | 'wide' | 'date' | 'left';

export function checkResult(f: FunctionEmitter, refusal: Refusal): void {
  if (refusal === 'wide') checkWide(f);
  else if (refusal === 'date') checkDate(f);
  else if (refusal === 'left') checkFault(f);
}

/** Pushes the receiver, if there is one, and the arguments. */
export function pushOperands(f: FunctionEmitter, call: Call): void {
  if (call.receiver !== null) f.expression(call.receiver);
  for (const index of call.arguments.keys()) f.expression(argument(call, index));
}

/** Operands, then constants, then the call. */
export function routine(name: CoreFunction, refusal: Refusal = 'never', ...constants: readonly number[]): CallEmitter {
  return (f, call) => {
    pushOperands(f, call);
    for (const constant of constants) f.code.i32(constant);
    f.core(name);
    checkResult(f, refusal);
  };
}

/** Operands, then instructions. */
export function instructions(...codes: readonly Opcode[]): CallEmitter {
  return (f, call) => {
    pushOperands(f, call);
    f.code.op(...codes);
  };
}

export const primitive = (name: PrimitiveName): Type => ({ kind: 'primitive', name });

/** `op_LessThan` and the others on the order that the core gives for two operands. */
export function orderOperators(type: string, keyword: string, order: CoreFunction): [string, CallEmitter][] {
  const tests = { Equality: i32.eq, Inequality: i32.ne, LessThan: i32.ltS, GreaterThan: i32.gtS, LessThanOrEqual: i32.leS, GreaterThanOrEqual: i32.geS }; // biome-ignore format: a table
  return Object.entries(tests).map(([name, instruction]) => [
    `${type}.op_${name}(${keyword},${keyword})`,
    (f, call) => {
      pushOperands(f, call);
      f.core(order);
      f.code.i32(0);
      f.code.op(instruction);
    },
  ]);
}

/** Evaluates the operands into locals of their own; release them with `releaseAll`. */
export function operandLocals(
  f: FunctionEmitter,
  call: Call,
): { local: number; type: ReturnType<FunctionEmitter['toLocal']>['type'] }[] {
  const nodes = [...(call.receiver === null ? [] : [call.receiver]), ...call.arguments.keys()];
  return nodes.map((node) => f.toLocal(typeof node === 'number' ? argument(call, node) : node));
}

export function releaseAll(f: FunctionEmitter, locals: readonly ReturnType<FunctionEmitter['toLocal']>[]): void {
  for (const { type, local } of locals) f.code.release(type, local);
}

/** `CompareTo(object)`: after null, and by value with the same type only. */
export const compareToObject: CallEmitter = (f, call) => {
  const { code } = f;
  asObject(f, call.receiver as Expression);
  f.expression(argument(call, 0));
  f.core('objectCompare');
  const order = code.borrow('i32');
  code.tee(order);
  code.i32(noOrder);
  code.op(i32.eq);
  f.failIf('ArgumentException');
  code.get(order);
  code.release('i32', order);
};
