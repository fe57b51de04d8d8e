// The types that the objects of a module can have, as numbers: what objectType of the core answers (assembly/fragments/objects.ts). Values of the
// property types, strings and elements have fixed numbers, all other types get theirs here, the module's own. Questions about the type of
// an object are functions of the module, written when all its types are known.

import { usualMessage } from '../../interpreter/exceptions.ts';
import { isAssignable, runtimeType } from '../../interpreter/runtime-types.ts';
import type { PrimitiveName, Type } from '../../types.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { isEnumType, nameOf, sameItems } from '../representation.ts';
import { NotCompiled } from '../unsupported.ts';
import { failures } from '../wasm/failures.ts';
import { control, i32, type ValueType } from '../wasm/opcodes.ts';
import { propertyIdOf, propertyIds, tags } from './object-layout.ts';

const named = (name: string): Type => ({ kind: 'named', name, arguments: [] });
const structs = new Set(['DateTime', 'DateTimeOffset', 'TimeSpan', 'Guid']);

/** Types with a number that is the same in all modules. */
const fixed: readonly (readonly [number, Type])[] = [
  ...Object.entries(propertyIds).map(([name, id]): readonly [number, Type] => [
    id as number,
    structs.has(name) ? named(name) : { kind: 'primitive', name: name as PrimitiveName },
  ]),
  [32, named('VertexModel')],
  [33, named('EdgeModel')],
  [tags.type, named('Type')],
  [tags.object, { kind: 'primitive', name: 'object' }],
];
/** Exceptions are told apart by their numbers. */
const firstException = 0x10000;
const exceptions: readonly (readonly [number, Type])[] = failures.flatMap((name, number): [number, Type][] =>
  name.endsWith('Exception') && name !== 'OutOfMemoryException' ? [[firstException + number, named(name)]] : [],
);
const firstOwn = 64;
const mostOwn = 60_000;

/** Types by what objectType answers for their objects. */
export type TypeList = readonly (readonly [number, Type])[];

type NamePart = 'name' | 'fullName' | 'namespace';

/** A function of the module about a type: whether objects are of it, or what its names are. */
interface Question {
  readonly index: number;
  readonly parameters: number;
  readonly write: (f: FunctionEmitter) => void;
}

export class TypeTable {
  private readonly numbers = new Map<string, number>();
  private readonly own: Type[] = [];
  private readonly questions = new Map<string, Question>();

  constructor() {
    // The core makes float[] of properties.
    this.numberOf({ kind: 'array', element: { kind: 'primitive', name: 'float' }, rank: 1 });
  }

  /** The number in the head of an object of this type; not of the types with a fixed number. */
  numberOf(type: Type): number {
    const { key } = runtimeType(type);
    let number = this.numbers.get(key);
    if (number === undefined) {
      if (this.own.length >= mostOwn) throw new NotCompiled('so many types');
      this.own.push(type);
      number = this.own.length;
      this.numbers.set(key, number);
    }
    return number;
  }

  /** What objectType answers for objects of exactly this type. */
  idOf(type: Type): number {
    if (nameOf(type) === 'VertexModel') return 32;
    if (nameOf(type) === 'EdgeModel') return 33;
    if (nameOf(type) === 'Type') return tags.type;
    if (type.kind === 'primitive' && type.name === 'object') return tags.object;
    const exception = exceptions.find(([, each]) => nameOf(each) === nameOf(type));
    if (exception !== undefined) return exception[0];
    const property = isEnumType(type) ? null : propertyIdOf(type);
    return property ?? firstOwn + this.numberOf(type);
  }

  /** Whether every value of one type is of the other. */
  isAssignable(from: Type, to: Type): boolean {
    return isAssignable(runtimeType(from), runtimeType(to));
  }

  /** Whether a reference of one type needs no look to be one of the other. */
  isUpcast(from: Type, to: Type): boolean {
    return from === to || this.isAssignable(from, to);
  }

  /** The name of a type without its namespace. */
  nameOf(type: Type): string {
    return runtimeType(type).name;
  }

  /** Pushes whether the object on the stack is of a type; null is of none. */
  test(f: FunctionEmitter, type: Type): void {
    const wanted = runtimeType(type);
    f.module.usesScratch = true;
    this.ask(f, `is ${wanted.key}`, (g) => {
      const { code } = g;
      const id = code.local('i32');
      code.get(0);
      code.op(i32.eqz);
      code.if();
      code.i32(0);
      code.op(control.return);
      code.end();
      code.get(0);
      g.core('objectType');
      code.set(id);
      code.i32(0);
      for (const [number, candidate] of this.all()) {
        if (!isAssignable(runtimeType(candidate), wanted)) continue;
        code.get(id);
        code.i32(number);
        code.op(i32.eq);
        // It is one, but its items would have to lie in another way.
        if (sameItems(candidate, type)) code.op(i32.or);
        else g.failIf('NotCompiled');
      }
    });
  }

  /** Pushes a name of the type whose number is on the stack. */
  name(f: FunctionEmitter, part: NamePart): void {
    this.ask(f, part, (g) => {
      const { code } = g;
      for (const [number, candidate] of this.all()) {
        code.get(0);
        code.i32(number);
        code.op(i32.eq);
        code.if();
        g.text(runtimeType(candidate)[part]);
        code.op(control.return);
        code.end();
      }
      g.text('');
    });
  }

  /** Pushes the usual message of the exception whose number is on the stack. */
  usualMessage(f: FunctionEmitter): void {
    this.ask(f, 'message', (g) => {
      const { code } = g;
      for (const [number, type] of exceptions) {
        code.get(0);
        code.i32(number - firstException);
        code.op(i32.eq);
        code.if();
        g.text(usualMessage(runtimeType(type)));
        code.op(control.return);
        code.end();
      }
      g.text('');
    });
  }

  /** All types that objects of the module can have; known once its code is written. */
  all(): TypeList {
    return [...fixed, ...exceptions, ...this.own.map((type, at): readonly [number, Type] => [firstOwn + at + 1, type])];
  }

  /** Writes the functions that were asked for. Some ask further questions. */
  define(make: (parameters: number) => FunctionEmitter, define: (index: number, f: FunctionEmitter) => void): void {
    for (const { index, write, parameters } of this.questions.values()) {
      const f = make(parameters);
      write(f);
      define(index, f);
    }
  }

  /** Calls a function of the module whose parameters are on the stack, all i32; `write` is asked for its code once, when all types are known. */
  ask(
    f: FunctionEmitter,
    key: string,
    write: (f: FunctionEmitter) => void,
    parameters = 1,
    result: ValueType = 'i32',
  ): void {
    let question = this.questions.get(key);
    if (question === undefined) {
      const words = Array.from({ length: parameters }, () => 'i32' as const);
      question = { index: f.module.writer.declare({ parameters: words, result }), parameters, write };
      this.questions.set(key, question);
    }
    f.code.callOwn(question.index);
  }
}
