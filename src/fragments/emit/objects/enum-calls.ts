// Members of Enum. What makes texts of values and reads them is elsewhere.

import type { Expression } from '../../tree.ts';
import type { Type } from '../../types.ts';
import { emitNewArray } from '../arrays/arrays.ts';
import { argument, type Call, type CallEmitter, outTarget, receiver, storeLocal } from '../control/call-parts.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { primitive } from '../control/routines.ts';
import { isEnumType, isString, nameOf } from '../representation.ts';
import { readEnum, tooLarge, unknownName } from '../text/enum-reading.ts';
import { membersOf, pushName } from '../text/enum-texts.ts';
import { unboxed as inner } from '../text/text-values.ts';
import { NotCompiled } from '../unsupported.ts';
import { i32, i64 } from '../wasm/opcodes.ts';
import { asObject, unboxed } from './boxes.ts';

const int = primitive('int');

function known(type: Type | undefined): Type {
  if (type === undefined || !isEnumType(type)) throw new NotCompiled('an enum that is known when it runs');
  return type;
}

/** The enum that an argument `typeof(…)` names. */
function namedType(call: Call): Type {
  const node = inner(argument(call, 0));
  if (node.kind !== 'call' || node.member.key !== 'Type.typeof<T>()')
    throw new NotCompiled('an enum of a variable type');
  return known(node.typeArguments[0]);
}

/** `Parse`; `typed`: the enum is the type argument, otherwise the first argument, and the answer is an object. */
function parse(typed: boolean, ignores: boolean): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const type = typed ? known(call.typeArguments[0]) : namedType(call);
    const first = typed ? 0 : 1;
    const text = f.toLocal(argument(call, first));
    const flag = ignores ? f.toLocal(argument(call, first + 1)) : null;
    code.get(text.local);
    code.op(i32.eqz);
    f.failIf('ArgumentNullException');
    const answer = readEnum(f, type, text.local, () => (flag === null ? code.i32(0) : code.get(flag.local)));
    code.get(answer);
    code.i64(tooLarge);
    code.op(i64.eq);
    f.failIf('OverflowException');
    code.get(answer);
    code.i64(unknownName);
    code.op(i64.eq);
    f.failIf('ArgumentException');
    code.get(answer);
    code.op(i32.wrapI64);
    if (!typed) {
      const value = code.local('i32');
      code.set(value);
      boxed(f, type, value);
    }
  };
}

/** Pushes a box of the value in a local. */
function boxed(f: FunctionEmitter, type: Type, local: number): void {
  const variable = { id: -1, name: '', type, captured: false, byReference: false };
  f.bind(variable, local);
  asObject(f, { kind: 'local', type, local: variable });
}

function tryParse(ignores: boolean): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const type = known(call.typeArguments[0]);
    const text = f.toLocal(argument(call, 0));
    const flag = ignores ? f.toLocal(argument(call, 1)) : null;
    const value = code.local('i32');
    const isKnown = code.local('i32');
    code.i32(0);
    code.set(value);
    code.i32(0);
    code.set(isKnown);
    code.get(text.local);
    code.if();
    const answer = readEnum(f, type, text.local, () => (flag === null ? code.i32(0) : code.get(flag.local)));
    code.get(answer);
    code.i64(unknownName);
    code.op(i64.ltU);
    code.if();
    code.get(answer);
    code.op(i32.wrapI64);
    code.set(value);
    code.i32(1);
    code.set(isKnown);
    code.end();
    code.end();
    storeLocal(f, outTarget(call, call.arguments.length - 1), value);
    code.get(isKnown);
  };
}

// --- Names and values ----------------------------------------------------------------------------------------------------

/** The number in an object that is an enum's value or an int, or of what is boxed where it stands; in a local. */
function numberOf(f: FunctionEmitter, call: Call, index: number, type: Type): number {
  const { code } = f;
  const node = inner(argument(call, index));
  const value = code.local('i32');
  if (isEnumType(node.type) || (node.type.kind === 'primitive' && node.type.name === 'int')) {
    f.expression(node);
    code.set(value);
    return value;
  }
  if (node.type.kind !== 'primitive' || node.type.name !== 'object') throw new NotCompiled('an enum of this value');
  const object = f.toLocal(node);
  code.get(object.local);
  code.op(i32.eqz);
  f.failIf('ArgumentNullException');
  code.get(object.local);
  f.module.types.test(f, type);
  code.get(object.local);
  f.module.types.test(f, int);
  code.op(i32.or, i32.eqz);
  f.failIf('NotCompiled');
  unboxed(f, object.local, int);
  code.set(value);
  code.release(object.type, object.local);
  return value;
}

function nameOfValue(typed: boolean): CallEmitter {
  return (f, call) => {
    const type = typed ? known(call.typeArguments[0]) : namedType(call);
    f.code.get(numberOf(f, call, typed ? 0 : 1, type));
    pushName(f, type);
  };
}

function isDefined(typed: boolean): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const type = typed ? known(call.typeArguments[0]) : namedType(call);
    const value = inner(argument(call, typed ? 0 : 1));
    if (isString(value.type)) {
      const text = f.toLocal(value);
      code.get(text.local);
      code.op(i32.eqz);
      f.failIf('ArgumentNullException');
      code.i32(0);
      for (const [, name] of membersOf(type)) {
        code.get(text.local);
        f.text(name);
        f.core('textEquals');
        code.op(i32.or);
      }
      code.release(text.type, text.local);
      return;
    }
    code.get(numberOf(f, call, typed ? 0 : 1, type));
    pushName(f, type);
    code.op(i32.eqz, i32.eqz);
  };
}

function names(typed: boolean): CallEmitter {
  return (f, call) => {
    const type = typed ? known(call.typeArguments[0]) : namedType(call);
    const ordered = [...membersOf(type)].sort(([a], [b]) => a - b);
    pushArray(
      f,
      primitive('string'),
      ordered.map(([, name]) => name),
    );
  };
}

function values(f: FunctionEmitter, call: Call): void {
  const type = known(call.typeArguments[0]);
  const numbers = membersOf(type).map(([number]) => number);
  pushArray(
    f,
    type,
    numbers.sort((a, b) => a - b),
  );
}

function pushArray(f: FunctionEmitter, element: Type, list: readonly (string | number)[]): void {
  const constants = list.map((value): Expression => ({ kind: 'constant', type: element, value }));
  emitNewArray(f, { kind: 'newArray', type: { kind: 'array', element, rank: 1 }, sizes: [], values: constants });
}

function hasFlag(f: FunctionEmitter, call: Call): void {
  const { code } = f;
  const own = inner(receiver(call));
  const flag = inner(argument(call, 0));
  if (!isEnumType(own.type) || nameOf(own.type) !== nameOf(flag.type)) throw new NotCompiled('a flag of another type');
  const value = f.toLocal(own);
  const wanted = f.toLocal(flag);
  code.get(value.local);
  code.get(wanted.local);
  code.op(i32.and);
  code.get(wanted.local);
  code.op(i32.eq);
  code.release(value.type, value.local);
  code.release(wanted.type, wanted.local);
}

export const enumCalls: readonly [string, CallEmitter][] = [
  ['Enum.HasFlag(Enum)', hasFlag],
  ['Enum.Parse<TEnum>(string)', parse(true, false)],
  ['Enum.Parse<TEnum>(string,bool)', parse(true, true)],
  ['Enum.Parse(Type,string)', parse(false, false)],
  ['Enum.Parse(Type,string,bool)', parse(false, true)],
  ['Enum.TryParse<TEnum>(string,out TEnum)', tryParse(false)],
  ['Enum.TryParse<TEnum>(string,bool,out TEnum)', tryParse(true)],
  ['Enum.IsDefined(Type,object)', isDefined(false)],
  ['Enum.IsDefined<TEnum>(TEnum)', isDefined(true)],
  ['Enum.GetName(Type,object)', nameOfValue(false)],
  ['Enum.GetName<TEnum>(TEnum)', nameOfValue(true)],
  ['Enum.GetNames(Type)', names(false)],
  ['Enum.GetNames<TEnum>()', names(true)],
  ['Enum.GetValues<TEnum>()', values],
];
