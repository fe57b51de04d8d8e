// Index and Range as values: an Index is its number, its complement when it counts from the end; a Range has the start in the low half of 64
// bits and the end in the high one.

import type { Expression, InterpolationPart, Local } from '../../tree.ts';
import type { Type } from '../../types.ts';
import type { Call, CallEmitter } from '../control/call-parts.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { instructions, operandLocals, primitive, pushOperands, releaseAll } from '../control/routines.ts';
import { tags } from '../objects/object-layout.ts';
import { createTuple } from '../objects/tuples.ts';
import { nameOf } from '../representation.ts';
import { i32, i64 } from '../wasm/opcodes.ts';

const toTheEnd = -(2n ** 32n);

/** A number that is not negative, counted from the end when the i32 in `fromEnd` says so. */
function pushIndex(f: FunctionEmitter, value: number, pushFromEnd: () => void): void {
  const { code } = f;
  code.get(value);
  code.i32(0);
  code.op(i32.ltS);
  f.failIf('ArgumentOutOfRangeException');
  code.get(value);
  code.i32(0);
  pushFromEnd();
  code.op(i32.sub, i32.xor);
}

const made =
  (fromEnd: boolean | null): CallEmitter =>
  (f, call) => {
    const locals = operandLocals(f, call);
    const [value, flag] = locals.map(({ local }) => local) as [number, number];
    pushIndex(f, value, () => (fromEnd === null ? f.code.get(flag) : f.code.i32(fromEnd ? 1 : 0)));
    releaseAll(f, locals);
  };

/** The number of the Index in a local, however it counts. */
function pushNumber({ code }: FunctionEmitter, index: number): void {
  code.get(index);
  code.get(index);
  code.i32(31);
  code.op(i32.shrS, i32.xor);
}

/** Where the Index in a local is in what has as many items as another local says. */
function pushOffset({ code }: FunctionEmitter, index: number, length: number): void {
  // The complement is one less than the opposite.
  code.get(index);
  code.get(index);
  code.i32(31);
  code.op(i32.shrS);
  code.get(length);
  code.i32(1);
  code.op(i32.add, i32.and, i32.add);
}

function withLocals(emit: (f: FunctionEmitter, first: number, second: number, call: Call) => void): CallEmitter {
  return (f, call) => {
    const locals = operandLocals(f, call);
    emit(f, locals[0]?.local as number, locals[1]?.local as number, call);
    releaseAll(f, locals);
  };
}

/** The Index of one end of the Range on the stack. */
function end({ code }: FunctionEmitter, isEnd: boolean): void {
  if (isEnd) {
    code.i64(32n);
    code.op(i64.shrU);
  }
  code.op(i32.wrapI64);
}

const endOf =
  (isEnd: boolean): CallEmitter =>
  (f, call) => {
    pushOperands(f, call);
    end(f, isEnd);
  };

/** A Range of the two ends in locals. */
const range = withLocals(({ code }, start, last) => {
  code.get(start);
  code.op(i64.extendI32U);
  code.get(last);
  code.op(i64.extendI32U);
  code.i64(32n);
  code.op(i64.shl, i64.or);
});

const offsetAndLength = withLocals((f, whole, length, call) => {
  const { code } = f;
  const ends = [false, true].map((isEnd) => {
    const index = code.local('i32');
    code.get(whole);
    end(f, isEnd);
    code.set(index);
    pushOffset(f, index, length);
    code.set(index);
    return index;
  });
  const [start, last] = ends as [number, number];
  code.get(last);
  code.get(length);
  code.op(i32.gtU);
  code.get(start);
  code.get(last);
  code.op(i32.gtU, i32.or);
  f.failIf('ArgumentOutOfRangeException');
  code.get(last);
  code.get(start);
  code.op(i32.sub);
  code.set(last);
  const int = primitive('int');
  createTuple(f, tags.tuple, call.type, [
    [int, start],
    [int, last],
  ]);
});

// --- Texts ---------------------------------------------------------------------------------------------------------------

/** What lies in a local of the module as a hole of an interpolated string. */
function hole(f: FunctionEmitter, type: Type, place: number): InterpolationPart {
  const local: Local = { id: -1, name: '', type, captured: false, byReference: false };
  f.bind(local, place);
  return { kind: 'hole', value: { kind: 'local', type, local }, alignment: 0, format: null };
}

const text = (...parts: readonly InterpolationPart[]): Expression => ({
  kind: 'interpolation',
  type: primitive('string'),
  parts,
});
const plain = (value: string): InterpolationPart => ({ kind: 'text', value });

function pushIndexText(f: FunctionEmitter, index: number): void {
  const { code } = f;
  const number = code.local('i32');
  pushNumber(f, index);
  code.set(number);
  code.get(index);
  code.i32(0);
  code.op(i32.ltS);
  code.if('i32');
  f.expression(text(plain('^'), hole(f, primitive('int'), number)));
  code.else();
  f.expression(text(hole(f, primitive('int'), number)));
  code.end();
}

function pushRangeText(f: FunctionEmitter, whole: number): void {
  const { code } = f;
  const [start, last] = [false, true].map((isEnd) => {
    const [index, made] = [code.local('i32'), code.local('i32')];
    code.get(whole);
    end(f, isEnd);
    code.set(index);
    pushIndexText(f, index);
    code.set(made);
    return hole(f, primitive('string'), made);
  }) as [InterpolationPart, InterpolationPart];
  f.expression(text(start, plain('..'), last));
}

/** Pushes the text of the Index or Range in a local. */
export function pushPlaceText(f: FunctionEmitter, type: Type, local: number): void {
  if (nameOf(type) === 'Index') pushIndexText(f, local);
  else pushRangeText(f, local);
}

export const indexCalls: readonly [string, CallEmitter][] = [
  ['Index.new(int,bool)', made(null)],
  ['Index.FromStart(int)', made(false)],
  ['Index.op_Implicit(int)->Index', made(false)],
  ['Index.FromEnd(int)', made(true)],
  ['Index.get_Start()', ({ code }) => code.i32(0)],
  ['Index.get_End()', ({ code }) => code.i32(-1)],
  ['Index.get_Value()', withLocals(pushNumber)],
  [
    'Index.get_IsFromEnd()',
    (f, call) => {
      pushOperands(f, call);
      f.code.i32(31);
      f.code.op(i32.shrU);
    },
  ],
  ['Index.GetOffset(int)', withLocals(pushOffset)],
  ['Index.Equals(Index)', instructions(i32.eq)],
  ['Index.ToString()', withLocals(pushIndexText)],
  ['Range.new(Index,Index)', range],
  ['Range.get_Start()', endOf(false)],
  ['Range.get_End()', endOf(true)],
  ['Range.get_All()', ({ code }) => code.i64(toTheEnd)],
  [
    'Range.StartAt(Index)',
    (f, call) => {
      pushOperands(f, call);
      f.code.op(i64.extendI32U);
      f.code.i64(toTheEnd);
      f.code.op(i64.or);
    },
  ],
  [
    'Range.EndAt(Index)',
    (f, call) => {
      pushOperands(f, call);
      f.code.op(i64.extendI32U);
      f.code.i64(32n);
      f.code.op(i64.shl);
    },
  ],
  ['Range.GetOffsetAndLength(int)', offsetAndLength],
  ['Range.Equals(Range)', instructions(i64.eq)],
  ['Range.ToString()', withLocals(pushRangeText)],
];
