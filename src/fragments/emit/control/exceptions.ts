// Exception objects of C# in compiled code: making them, throwing them, and their members. Catching: try-statements.ts.

import type { Expression } from '../../tree.ts';
import type { Type } from '../../types.ts';
import { headOf, places, tags } from '../objects/object-layout.ts';
import { create, put } from '../objects/objects.ts';
import { isException, isString, nameOf } from '../representation.ts';
import { newText } from '../text/text-answers.ts';
import { NotCompiled } from '../unsupported.ts';
import { hostFunctions } from '../wasm/core-functions.ts';
import { type Failure, failures } from '../wasm/failures.ts';
import { control, i32 } from '../wasm/opcodes.ts';
import { argument, type Call, type CallEmitter, checkedReceiver } from './call-parts.ts';
import { exceptionBytes } from './exception-table.ts';
import type { FunctionEmitter } from './function-emitter.ts';

/** Exceptions whose one string is the name of a parameter. */
const namesParameter = new Set<string>(['ArgumentNullException', 'ArgumentOutOfRangeException']);
/** By their numbers a run ends, whatever the code catches; one that is thrown as any other is the interpreter's. */
const endsRun: ReadonlySet<string> = new Set(['OutOfMemoryException', 'InsufficientExecutionStackException']);
const string: Type = { kind: 'primitive', name: 'string' };
const object: Type = { kind: 'primitive', name: 'object' };

function failureOf(type: Type): Failure {
  const failure = failures.find((name) => name !== '' && name === nameOf(type)) as Failure | undefined;
  if (failure === undefined || endsRun.has(failure)) throw new NotCompiled('this exception');
  return failure;
}

/** Whether a call makes an exception. */
export function isNewException(call: Call): boolean {
  return isException(call.type) && call.member.key.includes('Exception.new(');
}

interface Given {
  message: Expression | null;
  parameter: Expression | null;
  inner: Expression | null;
}

/** What the arguments of a constructor are, in their order. */
function givenOf(call: Call, failure: Failure): Given {
  const given: Given = { message: null, parameter: null, inner: null };
  const list = call.arguments.map((_, index) => argument(call, index));
  const strings = list.filter((each, index) => isString(typeOfParameter(call, index)) && each !== undefined);
  if (list.some((_, index) => nameOfParameter(call, index) === 'object')) throw new NotCompiled('an actual value');
  given.inner = list.find((_, index) => nameOfParameter(call, index).endsWith('Exception')) ?? null;
  const [first = null, second = null] = strings;
  const parameterFirst = namesParameter.has(failure) && (second !== null || given.inner === null);
  given.message = parameterFirst ? second : first;
  given.parameter = parameterFirst ? first : second;
  return given;
}

/** The type of a constructor's parameter, as its key has it. */
function nameOfParameter(call: Call, index: number): string {
  return call.member.key.slice(call.member.key.indexOf('(') + 1, -1).split(',')[index] as string;
}

function typeOfParameter(call: Call, index: number): Type {
  return nameOfParameter(call, index) === 'string' ? string : object;
}

/** `new X(…)`: pushes the object. */
export function emitNewException(f: FunctionEmitter, call: Call): void {
  const { code } = f;
  const failure = failureOf(call.type);
  const given = givenOf(call, failure);
  const order = call.arguments.map((_, index) => argument(call, index));
  const held = order.map((value) => [value, f.toLocal(value)] as const);
  create(f, headOf(tags.exception), failures.indexOf(failure), exceptionBytes);
  const made = code.local('i32');
  code.set(made);
  for (const [value, { local }] of held) {
    if (value === given.message) put(f, string, made, places.message, local, true);
    else if (value === given.parameter) put(f, string, made, places.parameter, local, true);
    else if (value === given.inner) put(f, object, made, places.inner, local, true);
  }
  code.get(made);
  for (const [, { local, type }] of held) code.release(type, local);
}

export function emitThrow(f: FunctionEmitter, operand: Expression): void {
  const { code } = f;
  const made = operand.kind === 'convert' && operand.conversion.kind === 'identity' ? operand.operand : operand;
  if (made.type.kind === 'null' || (made.kind === 'constant' && made.value === null)) {
    f.fail('NullReferenceException');
    return;
  }
  if (!f.module.catches && made.kind === 'call' && isNewException(made)) {
    emitThrowNew(f, made);
    return;
  }
  f.expression(made);
  const thrown = code.local('i32');
  code.tee(thrown);
  code.op(i32.eqz);
  f.failIf('NullReferenceException');
  if (f.module.catches) {
    code.get(thrown);
    code.throw();
    return;
  }
  code.get(thrown);
  code.load(i32.load, places.count);
  code.get(thrown);
  code.load(i32.load, places.message);
  code.call(f.module.writer.import('env', 'failWith', hostFunctions.failWith));
  code.op(control.unreachable);
}

/** `throw new X(…)` that nobody catches: the arguments are evaluated, the host gets the message. */
function emitThrowNew(f: FunctionEmitter, made: Call): void {
  const { code } = f;
  const failure = failureOf(made.type);
  const { message } = givenOf(made, failure);
  const text = code.local('i32');
  for (const index of made.arguments.keys()) {
    const value = argument(made, index);
    if (value === message) {
      f.expression(value);
      code.set(text);
    } else if (value.kind !== 'constant') f.effect(value);
  }
  if (message === null) {
    f.fail(failure);
    return;
  }
  code.i32(failures.indexOf(failure));
  code.get(text);
  code.call(f.module.writer.import('env', 'failWith', hostFunctions.failWith));
  code.op(control.unreachable);
}

/** `throw;` */
export function emitRethrow(f: FunctionEmitter): void {
  if (f.caught < 0) throw new NotCompiled('a rethrow out of place');
  f.code.get(f.caught);
  f.code.throw();
}

// --- Members ---------------------------------------------------------------------------------------------------------------------

/** The exception in a local: one whose message only the interpreter knows is left to it. */
function requireKnown(f: FunctionEmitter, exception: number): number {
  f.code.get(exception);
  f.code.load(i32.load, places.unknown);
  f.failIf('NotCompiled');
  return exception;
}

/** Pushes the message of the exception in a local. */
export function pushMessage(f: FunctionEmitter, exception: number): void {
  const { code } = f;
  requireKnown(f, exception);
  const text = code.local('i32');
  code.get(exception);
  code.load(i32.load, places.message);
  code.tee(text);
  code.op(i32.eqz);
  code.if();
  code.get(exception);
  code.load(i32.load, places.count);
  f.module.types.usualMessage(f);
  code.set(text);
  code.end();
  code.get(exception);
  code.load(i32.load, places.parameter);
  code.if('i32');
  code.get(text);
  f.text(" (Parameter '");
  joined(f);
  code.get(exception);
  code.load(i32.load, places.parameter);
  joined(f);
  f.text("')");
  joined(f);
  code.else();
  code.get(text);
  code.end();
}

/** Joins the two texts on the stack. */
function joined(f: FunctionEmitter): void {
  f.core('textJoin');
  newText(f);
}

function part(place: number): CallEmitter {
  return (f, call) => {
    const exception = checkedReceiver(f, call);
    f.code.get(place === places.inner ? exception : requireKnown(f, exception));
    f.code.load(i32.load, place);
  };
}

function baseException(f: FunctionEmitter, call: Call): void {
  const { code } = f;
  const exception = checkedReceiver(f, call);
  const after = code.block();
  const top = code.loop();
  f.charge(1);
  code.get(exception);
  code.load(i32.load, places.inner);
  code.op(i32.eqz);
  code.branchIf(after);
  code.get(exception);
  code.load(i32.load, places.inner);
  code.set(exception);
  code.branch(top);
  code.end();
  code.end();
  code.get(exception);
}

export const exceptionCalls: readonly [string, CallEmitter][] = [
  ['Exception.get_Message()', (f, call) => pushMessage(f, checkedReceiver(f, call))],
  ['Exception.get_InnerException()', part(places.inner)],
  ['Exception.GetBaseException()', baseException],
  ['Exception.get_StackTrace()', (f, call) => {
    checkedReceiver(f, call);
    f.code.i32(0);
  }],
  ['ArgumentException.get_ParamName()', part(places.parameter)],
]; // biome-ignore format: a table
