// Exceptions of C# in compiled code: `throw`.

import type { Expression } from '../tree.ts';
import { argument, type Call } from './calls.ts';
import { type Failure, failures, hostFunctions } from './core-functions.ts';
import type { FunctionEmitter } from './function-emitter.ts';
import { isString, nameOf } from './representation.ts';
import { NotCompiled } from './unsupported.ts';

/** Exceptions whose one string is the name of a parameter. */
const namesParameter = new Set<string>(['ArgumentNullException', 'ArgumentOutOfRangeException']);

export function emitThrow(f: FunctionEmitter, operand: Expression): void {
  const made = operand.kind === 'convert' && operand.conversion.kind === 'identity' ? operand.operand : operand;
  const failure = failures.find((name) => name !== '' && name === nameOf(made.type)) as Failure | undefined;
  if (made.kind !== 'call' || !made.member.key.includes('.new(') || failure === undefined)
    throw new NotCompiled('a thrown value');
  emitThrowNew(f, made, failure);
}

/** `throw new X(…)`: the arguments are evaluated, the first string is the message. */
function emitThrowNew(f: FunctionEmitter, made: Call, failure: Failure): void {
  const { code } = f;
  const message = code.local('i32');
  let hasMessage = false;
  for (const index of made.arguments.keys()) {
    const given = argument(made, index);
    if (index === 0 && isString(given.type) && !namesParameter.has(failure)) {
      f.expression(given);
      code.set(message);
      hasMessage = true;
    } else if (given.kind !== 'constant') f.effect(given);
  }
  if (!hasMessage) {
    f.fail(failure);
    return;
  }
  code.i32(failures.indexOf(failure));
  code.get(message);
  code.call(f.module.writer.import('env', 'failWith', hostFunctions.failWith));
  code.op(0x00);
}
