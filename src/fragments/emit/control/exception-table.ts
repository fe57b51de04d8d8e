// Exceptions of C# in a module that catches some. What is thrown inside is an i32: the number of an exception (core-functions.ts) that has no
// object yet, or the reference of its object. Numbers are small, references are not. Most throws are never looked at, so objects are
// made where somebody catches one into a variable.

import { isAssignable, runtimeType } from '../../interpreter/runtime-types.ts';
import type { Type } from '../../types.ts';
import { headOf, places, tags } from '../objects/object-layout.ts';
import type { CodeWriter } from '../wasm/code-writer.ts';
import { hostFunctions } from '../wasm/core-functions.ts';
import { type Failure, failures } from '../wasm/failures.ts';
import { control, i32 } from '../wasm/opcodes.ts';
import type { FragmentModule } from './fragment-module.ts';
import type { FunctionEmitter } from './function-emitter.ts';

/** Below all references. */
const firstReference = 256;
/** What an exception that has no object yet is told by the core in its own way: only the interpreter says the same. */
const plainMessages: Readonly<Record<string, string>> = {
  NullReferenceException: 'Object reference not set to an instance of an object.',
  DivideByZeroException: 'Attempted to divide by zero.',
  IndexOutOfRangeException: 'Index was outside the bounds of the array.',
};
/** Payload of an exception: message, inner exception, name of a parameter, whether its message is unknown. */
export const exceptionBytes = 16;

const exceptionType = (name: string): Type => ({ kind: 'named', name, arguments: [] });

/** What ends the search whatever the code catches. */
const uncaught: ReadonlySet<string> = new Set<Failure>([
  'OutOfMemoryException',
  'NotCompiled',
  'InsufficientExecutionStackException',
]);

const known = failures.flatMap((name, number) =>
  name === '' || uncaught.has(name) ? [] : [{ number, type: exceptionType(name) }],
);

/** The numbers of the exceptions that are of a type. */
export function numbersOf(type: Type): readonly number[] {
  const wanted = runtimeType(type);
  return known.filter((each) => isAssignable(runtimeType(each.type), wanted)).map(({ number }) => number);
}

export class ExceptionTable {
  private objectIndex = -1;

  /** Makes the word on the stack the reference of an object. */
  object(f: FunctionEmitter): void {
    if (this.objectIndex < 0) this.objectIndex = f.module.writer.declare({ parameters: ['i32'], result: 'i32' });
    f.code.callOwn(this.objectIndex);
  }

  /** Throws an exception with its usual message and a cause, whose word lies in a local. */
  caused(f: FunctionEmitter, failure: Failure, cause: number): void {
    const { code } = f;
    const made = code.local('i32');
    code.get(cause);
    this.object(f);
    code.set(cause);
    code.i32(headOf(tags.exception));
    code.i32(failures.indexOf(failure));
    code.i32(exceptionBytes);
    f.core('objectCreate');
    code.tee(made);
    code.op(i32.eqz);
    f.failIf('OutOfMemoryException');
    code.get(made);
    code.i32(places.inner);
    code.get(cause);
    f.core('objectPut');
    // What it says is the interpreter's to know.
    code.get(made);
    code.i32(places.unknown);
    code.i32(1);
    f.core('objectPut');
    code.get(made);
    code.throw();
  }

  /** Makes the word on the stack the number of its exception. */
  number({ code }: { readonly code: CodeWriter }): void {
    const word = code.borrow('i32');
    code.tee(word);
    code.i32(firstReference);
    code.op(i32.ltU);
    code.if('i32');
    code.get(word);
    code.else();
    code.get(word);
    code.load(i32.load, places.count);
    code.end();
    code.release('i32', word);
  }

  /** Ends the search with the exception whose word is on the stack. */
  report(module: FragmentModule, code: CodeWriter): void {
    const word = code.local('i32');
    code.tee(word);
    code.i32(firstReference);
    code.op(i32.ltU);
    code.if();
    code.get(word);
    code.call(module.writer.import('env', 'fail', hostFunctions.fail));
    code.end();
    code.get(word);
    code.load(i32.load, places.count);
    code.get(word);
    code.load(i32.load, places.message);
    code.call(module.writer.import('env', 'failWith', hostFunctions.failWith));
    code.op(control.unreachable);
  }

  /** Writes the function that makes objects, when it was asked for. */
  define(module: FragmentModule): void {
    if (this.objectIndex < 0) return;
    const f = module.newFunction([null]);
    const { code } = f;
    code.get(0);
    code.i32(firstReference);
    code.op(i32.geU);
    code.if();
    code.get(0);
    code.op(control.return);
    code.end();
    const made = code.local('i32');
    code.i32(headOf(tags.exception));
    code.get(0);
    code.i32(exceptionBytes);
    f.core('objectCreate');
    code.tee(made);
    code.op(i32.eqz);
    f.failIf('OutOfMemoryException');
    code.get(made);
    code.i32(places.unknown);
    code.i32(1);
    for (const name of Object.keys(plainMessages)) {
      code.get(0);
      code.i32(failures.indexOf(name as (typeof failures)[number]));
      code.op(i32.ne, i32.and);
    }
    f.core('objectPut');
    code.get(made);
    module.writer.define(this.objectIndex, code);
  }
}
