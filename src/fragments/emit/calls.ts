// Calls of the library as WebAssembly, by the member's key (library/declarations.ts). What has no line here is left to the interpreter.

import type { CallArgument, Expression, Target } from '../tree.ts';
import { arrayCalls } from './arrays.ts';
import { byteCalls } from './byte-calls.ts';
import { characterCalls } from './character-calls.ts';
import { comparerCalls } from './collection-comparers.ts';
import { enumeratorCalls } from './collection-enumerators.ts';
import { interfaceCalls } from './collection-interfaces.ts';
import { listCalls } from './collection-lists.ts';
import { setCalls } from './collection-sets.ts';
import { sequenceMember } from './collection-steps.ts';
import { tableCalls } from './collection-tables.ts';
import { contextCalls } from './context-calls.ts';
import { convertCalls } from './convert-calls.ts';
import { cultureCalls } from './culture-calls.ts';
import { dateParseCalls } from './date-parse-calls.ts';
import { decimalCalls } from './decimal-calls.ts';
import { elementCalls } from './element-calls.ts';
import { enumCalls } from './enum-calls.ts';
import { emitNewException, exceptionCalls, isNewException } from './exceptions.ts';
import { storeTo } from './expressions.ts';
import type { FunctionEmitter } from './function-emitter.ts';
import { gridCalls } from './grids.ts';
import { mathCalls } from './math-calls.ts';
import { numberCalls } from './number-calls.ts';
import { objectCalls } from './object-calls.ts';
import { i32 } from './opcodes.ts';
import { parseCalls } from './parse-calls.ts';
import { propertyCalls } from './property-calls.ts';
import { isElement, representation } from './representation.ts';
import { emitSequenceCall, isSequenceCall } from './sequence-ends.ts';
import { spanMembers } from './span-members.ts';
import { spanTextCalls } from './span-texts.ts';
import { stringBuilderCalls } from './string-builder-calls.ts';
import { textBuildCalls } from './text-builds.ts';
import { textCalls } from './text-calls.ts';
import { formatCalls } from './text-formats.ts';
import { textMemberCalls } from './text-members.ts';
import { timeCalls } from './time-calls.ts';
import { NotCompiled } from './unsupported.ts';
import { vectorCalls } from './vector-calls.ts';

export type Call = Expression & { kind: 'call' };
export type CallEmitter = (f: FunctionEmitter, call: Call) => void;

/** Made when it is first asked for: the modules that fill it know this one. */
let table: ReadonlyMap<string, CallEmitter> | null = null;

function emitters(): ReadonlyMap<string, CallEmitter> {
  table ??= new Map([
    ...arrayCalls,
    ...byteCalls,
    ...characterCalls,
    ...cultureCalls,
    ...contextCalls,
    ...exceptionCalls,
    ...elementCalls(),
    ...interfaceCalls(),
    ...comparerCalls(),
    ...enumeratorCalls(),
    ...enumCalls,
    ...convertCalls,
    ...dateParseCalls,
    ...decimalCalls,
    ...gridCalls,
    ...listCalls(),
    ...mathCalls,
    ...numberCalls,
    ...objectCalls,
    ...parseCalls,
    ...propertyCalls,
    ...spanMembers,
    ...spanTextCalls,
    ...stringBuilderCalls(),
    ...setCalls(),
    ...tableCalls,
    ...textBuildCalls,
    ...formatCalls,
    ...textCalls,
    ...textMemberCalls,
    ...timeCalls,
    ...vectorCalls,
  ]);
  return table;
}

export function emitCall(f: FunctionEmitter, call: Call): void {
  if (isSequenceCall(call)) {
    emitSequenceCall(f, call);
    return;
  }
  if (isNewException(call)) {
    emitNewException(f, call);
    return;
  }
  const emit = emitters().get(call.member.key);
  if (emit !== undefined) emit(f, call);
  else if (call.member.key.startsWith('Enumerable.AsEnumerable<')) emitUpcast(f, call);
  else if (sequenceMember(call.member.key) !== undefined) f.module.queries.emit(f, call);
  else throw new NotCompiled(call.member.key);
}

/** What AsEnumerable gives is what it got. */
function emitUpcast(f: FunctionEmitter, call: Call): void {
  f.expression({ kind: 'convert', type: call.type, conversion: { kind: 'identity' }, operand: argument(call, 0) });
}

/** The expression of a by-value argument. */
export function argument(call: Call, index: number): Expression {
  const given = call.arguments[index] as CallArgument;
  if (given.mode !== 'value') throw new NotCompiled('an argument by reference');
  return given.value;
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
  storeTo(f, target);
}

/** Stores the default of the target's type. */
export function storeDefault(f: FunctionEmitter, target: Target): void {
  if (target.kind === 'discard') {
    representation(target.type);
    return;
  }
  f.zero(target.type);
  storeTo(f, target);
}

/** A constant argument's value; what is only known at run time is left to the interpreter. */
export function constantOf(node: Expression): unknown {
  if (node.kind === 'convert' && node.conversion.kind !== 'numeric') return constantOf(node.operand);
  if (node.kind !== 'constant') throw new NotCompiled('an option that is not constant');
  return node.value;
}
