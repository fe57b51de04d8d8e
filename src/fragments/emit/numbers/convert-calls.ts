// Convert between the primitive types: what is no integer is rounded half to even, what does not fit throws. Texts and objects are
// converted elsewhere.

import type { PrimitiveName } from '../../types.ts';
import { argument, type Call, type CallEmitter, checkedReference, receiver } from '../control/call-parts.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { primitive, pushOperands } from '../control/routines.ts';
import { unboxed } from '../objects/boxes.ts';
import { propertyIds } from '../objects/object-layout.ts';
import { representation } from '../representation.ts';
import { pushSingle } from '../text/character-calls.ts';
import { f32, f64, i32, i64, parametric } from '../wasm/opcodes.ts';
import { emitNumericConversion } from './conversions.ts';
import { fromDecimal, toDecimal } from './decimal-calls.ts';
import { pushReadAs } from './parse-calls.ts';

const targets = {
  SByte: 'sbyte', Byte: 'byte', Int16: 'short', UInt16: 'ushort', Int32: 'int', UInt32: 'uint', Int64: 'long', UInt64: 'ulong',
  Single: 'float', Double: 'double', Decimal: 'decimal', Boolean: 'bool', Char: 'char',
} as const; // biome-ignore format: a table
const sources: readonly PrimitiveName[] = [...Object.values(targets)];

const isReal = (name: PrimitiveName): boolean => name === 'float' || name === 'double' || name === 'decimal';

/** Between reals, bool and char there is no way that makes sense. */
function isRefused(from: PrimitiveName, to: PrimitiveName): boolean {
  if (from === 'char') return to === 'bool' || isReal(to);
  return to === 'char' && (from === 'bool' || isReal(from));
}

/** Whether the number on the stack is not 0. */
function toTruth(f: FunctionEmitter, from: PrimitiveName): void {
  const { code } = f;
  switch (representation(primitive(from))) {
    case 'v128':
      code.v128(0n, 0n);
      f.core('decimalCompare');
      code.i32(0);
      code.op(i32.ne);
      return;
    case 'i64':
      code.i64(0n);
      code.op(i64.ne);
      return;
    case 'f32':
      code.f32(0);
      code.op(f32.ne);
      return;
    case 'f64':
      code.f64(0);
      code.op(f64.ne);
      return;
    default:
      code.i32(0);
      code.op(i32.ne);
  }
}

function convert(f: FunctionEmitter, from: PrimitiveName, to: PrimitiveName): void {
  const { code } = f;
  if (from === 'bool') {
    // 0 or 1.
    convert(f, 'int', to);
  } else if (to === 'bool') {
    toTruth(f, from);
  } else if (to === 'decimal') {
    toDecimal(f, from);
  } else if (from === 'decimal') {
    if (to !== 'float' && to !== 'double') {
      code.i32(0);
      code.i32(0);
      f.core('decimalRound');
    }
    fromDecimal(f, to);
  } else if (isReal(from) && !isReal(to)) {
    if (from === 'float') code.op(f64.promoteF32);
    code.op(f64.nearest);
    emitNumericConversion(f, 'double', to, true);
  } else {
    emitNumericConversion(f, from, to, true);
  }
}

function conversion(from: PrimitiveName, to: PrimitiveName): CallEmitter {
  return (f, call) => {
    pushOperands(f, call);
    if (from === to) return;
    if (isRefused(from, to)) {
      f.code.op(parametric.drop);
      f.fail('InvalidCastException');
      return;
    }
    convert(f, from, to);
  };
}

/** What is in a box, or what a text says; null is 0 or false, but not where it is the receiver. */
function fromObject(name: keyof typeof targets, isReceiver = false): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const to = targets[name];
    const kind = representation(primitive(to));
    const result = code.local(kind);
    const object = f.toLocal(isReceiver ? receiver(call) : argument(call, 0));
    if (isReceiver) {
      code.get(object.local);
      code.op(i32.eqz);
      f.failIf('NullReferenceException');
    }
    f.zero(primitive(to));
    code.set(result);
    const done = code.block();
    code.get(object.local);
    code.op(i32.eqz);
    code.branchIf(done);
    code.get(object.local);
    code.i32(2);
    code.op(i32.and, i32.eqz);
    code.if();
    if (name === 'Char') pushSingle(f, object.local);
    else pushReadAs(f, name, object.local);
    code.set(result);
    code.branch(done);
    code.end();
    const tag = code.borrow('i32');
    code.get(object.local);
    code.i32(2);
    code.op(i32.sub);
    code.load(i32.load8U, 0);
    code.set(tag);
    for (const from of sources) {
      if (isRefused(from, to)) continue;
      code.get(tag);
      code.i32(propertyIds[from] as number);
      code.op(i32.eq);
      code.if();
      unboxed(f, object.local, primitive(from));
      if (from !== to) convert(f, from, to);
      code.set(result);
      code.branch(done);
      code.end();
    }
    f.fail('InvalidCastException');
    code.end();
    code.get(result);
    code.release('i32', tag);
    code.release(object.type, object.local);
  };
}

function charOfText(f: FunctionEmitter, call: Call): void {
  pushSingle(f, checkedReference(f, argument(call, 0), 'ArgumentNullException'));
}

export const convertCalls: readonly [string, CallEmitter][] = [
  ...Object.entries(targets).flatMap(([name, to]) =>
    // Of a decimal to itself: decimal-calls.ts.
    sources
      .filter((from) => !(from === 'decimal' && to === 'decimal'))
      .map((from): [string, CallEmitter] => [`Convert.To${name}(${from})`, conversion(from, to)]),
  ),
  ...(Object.keys(targets) as (keyof typeof targets)[]).flatMap((name): [string, CallEmitter][] => [
    [`Convert.To${name}(object)`, fromObject(name)],
    [`Convert.To${name}(object,IFormatProvider)`, fromObject(name)],
    [`IConvertible.To${name}(IFormatProvider)`, fromObject(name, true)],
  ]),
  ['Convert.ToChar(string)', charOfText],
  ['Convert.ToChar(string,IFormatProvider)', charOfText],
  ['Convert.ToDateTime(DateTime)', pushOperands],
];
