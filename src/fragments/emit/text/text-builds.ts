// Texts made of pieces: interpolated strings, Concat, Join, Format and ToString. The values are evaluated first, in their order, and then
// written one behind the other into a builder of the core.

import type { Expression } from '../../tree.ts';
import type { Type } from '../../types.ts';
import { loadItemOf } from '../arrays/arrays.ts';
import { argument, type Call, type CallEmitter, checkedReference, receiver } from '../control/call-parts.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { places } from '../objects/object-layout.ts';
import { formOf, nullOf } from '../representation.ts';
import { goOver } from '../sequences/sequence.ts';
import { i32 } from '../wasm/opcodes.ts';
import { type Format, finishBuilder, type Held, newBuilder } from './text-builders.ts';
import { addPieces, addValue, constantText, hold, type Piece, unboxed } from './text-values.ts';

/** Makes a text of pieces and pushes it. */
export function build(f: FunctionEmitter, pieces: readonly Piece[]): void {
  const joined = merged(pieces);
  const [only] = joined;
  if (joined.length === 0) f.text('');
  else if (joined.length === 1 && typeof only === 'string') f.text(only);
  else {
    const builder = newBuilder(f);
    addPieces(f, builder, joined);
    finishBuilder(f, builder);
    f.charge(4 * joined.length);
  }
}

/** Neighbouring texts as one. */
function merged(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (typeof piece !== 'string') joined.push(piece);
    else if (piece === '') continue;
    else if (typeof last === 'string') joined[joined.length - 1] = last + piece;
    else joined.push(piece);
  }
  return joined;
}

/** A value in its field; constants are written here. */
function pieceOf(f: FunctionEmitter, node: Expression, width: number, format: string | null): Piece {
  if (width === 0 && format === null) {
    const text = constantText(node);
    if (text !== null) return text;
  }
  return { value: hold(f, node), width, format };
}

export function emitInterpolation(f: FunctionEmitter, node: Expression & { kind: 'interpolation' }): void {
  const pieces = node.parts.map((part) =>
    part.kind === 'text' ? part.value : pieceOf(f, part.value, part.alignment, part.format),
  );
  build(f, pieces);
}

/** `String.Concat(object, …)`, what + on strings and other values becomes. */
function concat(f: FunctionEmitter, call: Call): void {
  const nodes = call.arguments.map((_, index) => argument(call, index));
  build(
    f,
    nodes.flatMap((node) => operands(node)).map((node) => pieceOf(f, node, 0, null)),
  );
}

const concats = /^String\.Concat\((string|object)(,\1)*\)$/;

/** a + b + c is one text of three pieces, not two texts. */
function operands(node: Expression): Expression[] {
  const inner = unboxed(node);
  if (inner.kind !== 'call' || !concats.test(inner.member.key)) return [inner];
  return inner.arguments.flatMap((_, index) => operands(argument(inner, index)));
}

// --- Join ----------------------------------------------------------------------------------------------------------------

/** The values of a `params` array that is written out at the call. */
export function listed(node: Expression): readonly Expression[] | null {
  const inner = unboxed(node);
  return inner.kind === 'newArray' ? inner.values : null;
}

function concatArray(f: FunctionEmitter, call: Call): void {
  const values = listed(argument(call, 0));
  if (values === null) joinSequence(f, null, argument(call, 0));
  else
    build(
      f,
      values.map((value) => pieceOf(f, value, 0, null)),
    );
}

/** Join over a sequence or an array, whose items' type says how they are written. */
export function pushJoined(f: FunctionEmitter, call: Call): void {
  const separator = hold(f, argument(call, 0));
  const values = listed(argument(call, 1));
  if (values === null) {
    joinSequence(f, separator, argument(call, 1));
    return;
  }
  const pieces = values.map((value) => pieceOf(f, value, 0, null));
  const between: Piece = { value: separator, width: 0, format: null };
  build(
    f,
    pieces.flatMap((piece, index) => (index === 0 ? [piece] : [between, piece])),
  );
}

function joinSequence(f: FunctionEmitter, separator: Held | null, node: Expression): void {
  const { code } = f;
  const sequence = f.sequence(node, 'ArgumentNullException');
  const builder = newBuilder(f);
  const further = code.local('i32');
  code.i32(0);
  code.set(further);
  goOver(f, sequence, (item) => {
    if (separator !== null) {
      code.get(further);
      code.if();
      addValue(f, builder, separator, 0, null);
      code.end();
      code.i32(1);
      code.set(further);
    }
    f.charge(4);
    addValue(f, builder, { type: sequence.item, local: item }, 0, null);
  });
  finishBuilder(f, builder);
}

/** Join of a part of an array. */
function joinPart(f: FunctionEmitter, call: Call): void {
  const { code } = f;
  const separator = hold(f, argument(call, 0));
  const array = checkedReference(f, argument(call, 1), 'ArgumentNullException');
  const [start, count] = [f.toLocal(argument(call, 2)).local, f.toLocal(argument(call, 3)).local];
  const item = code.local('i32');
  const first = code.local('i32');
  code.get(start);
  code.get(count);
  code.op(i32.or);
  code.i32(0);
  code.op(i32.ltS);
  code.get(start);
  code.get(array);
  code.load(i32.load, places.count);
  code.get(count);
  code.op(i32.sub, i32.gtS, i32.or);
  f.failIf('ArgumentOutOfRangeException');
  const builder = newBuilder(f);
  code.get(start);
  code.set(first);
  code.get(start);
  code.get(count);
  code.op(i32.add);
  code.set(count);
  const after = code.block();
  const top = code.loop();
  code.get(start);
  code.get(count);
  code.op(i32.geS);
  code.branchIf(after);
  f.charge(4);
  code.get(start);
  code.get(first);
  code.op(i32.ne);
  code.if();
  addValue(f, builder, separator, 0, null);
  code.end();
  loadItemOf(f, { array, index: start, item: string });
  code.set(item);
  addValue(f, builder, { type: string, local: item }, 0, null);
  code.get(start);
  code.i32(1);
  code.op(i32.add);
  code.set(start);
  code.branch(top);
  code.end();
  code.end();
  finishBuilder(f, builder);
}

const string: Type = { kind: 'primitive', name: 'string' };

function concatSequence(f: FunctionEmitter, call: Call): void {
  joinSequence(f, null, argument(call, 0));
}

// --- ToString ------------------------------------------------------------------------------------------------------------

/**
 * The value whose text is asked for, as a piece; `index`: of the argument with the format, -1 without one. Null throws where it is the
 * receiver.
 */
function textOf(index: number, subject: (call: Call) => Expression = receiver): CallEmitter {
  return (f, call) => {
    const node = subject(call);
    const value = hold(f, node);
    const { type } = value;
    // Members of Object on a null reference.
    if (subject === receiver && formOf(type) !== null) {
      f.code.get(value.local);
      f.code.i32(nullOf(type));
      f.code.op(i32.eq);
      f.failIf('NullReferenceException');
    }
    const shown = index < 0 ? null : formatArgument(f, argument(call, index));
    const builder = newBuilder(f);
    addValue(f, builder, value, 0, shown);
    finishBuilder(f, builder);
    f.charge(8);
  };
}

/** The value in a format of its own. */
function textIn(shown: string): CallEmitter {
  return (f, call) => {
    build(f, [{ value: hold(f, receiver(call)), width: 0, format: shown }]);
  };
}

function formatArgument(f: FunctionEmitter, node: Expression): Format {
  const inner = unboxed(node);
  if (inner.kind === 'constant') return inner.value as string | null;
  const { local } = hold(f, inner);
  // Reading it may take longer than what it makes is long.
  f.code.get(local);
  f.code.if();
  f.chargeText(local);
  f.code.end();
  return { local };
}

/** A string is its own text, null too. */
const same: CallEmitter = (f, call) => f.expression(argument(call, 0));

const numbers: readonly string[] = [
  'Byte', 'SByte', 'Int16', 'UInt16', 'Int32', 'UInt32', 'Int64', 'UInt64', 'Single', 'Double', 'Decimal',
]; // biome-ignore format: a table

const formattable = [...numbers, 'DateTime', 'DateTimeOffset', 'TimeSpan'];

const first = (call: Call): Expression => argument(call, 0);

const convertible = [
  'bool', 'char', 'byte', 'sbyte', 'short', 'ushort', 'int', 'uint', 'long', 'ulong', 'float', 'double', 'decimal', 'DateTime',
  'object',
]; // biome-ignore format: a table

export const textBuildCalls: readonly [string, CallEmitter][] = [
  ['String.Join(string,string[],int,int)', joinPart],
  ['String.Concat(object)', concat],
  ['String.Concat(object,object)', concat],
  ['String.Concat(object,object,object)', concat],
  ['String.Concat(object[])', concatArray],
  ['String.Concat(string[])', concatArray],
  ['String.Concat<T>(IEnumerable<T>)', concatSequence],
  ['String.Concat(IEnumerable<string>)', concatSequence],
  ...['string', 'char'].flatMap((separator): [string, CallEmitter][] => [
    [`String.Join(${separator},string[])`, pushJoined],
    [`String.Join(${separator},object[])`, pushJoined],
    [`String.Join<T>(${separator},IEnumerable<T>)`, pushJoined],
  ]),
  ['String.Join(string,IEnumerable<string>)', pushJoined],
  ...formattable.flatMap((name): [string, CallEmitter][] => [
    [`${name}.ToString()`, textOf(-1)],
    [`${name}.ToString(string)`, textOf(0)],
    [`${name}.ToString(IFormatProvider)`, textOf(-1)],
    [`${name}.ToString(string,IFormatProvider)`, textOf(0)],
  ]),
  ['DateTime.ToLongDateString()', textIn('D')],
  ['DateTime.ToLongTimeString()', textIn('T')],
  ['DateTime.ToShortDateString()', textIn('d')],
  ['DateTime.ToShortTimeString()', textIn('t')],
  ['Guid.ToString()', textOf(-1)],
  ['Guid.ToString(string)', textOf(0)],
  ['Boolean.ToString()', textOf(-1)],
  ['Boolean.ToString(IFormatProvider)', textOf(-1)],
  ['Char.ToString()', textOf(-1)],
  ['Char.ToString(IFormatProvider)', textOf(-1)],
  ['Char.ToString(char)', textOf(-1, first)],
  ['Enum.ToString()', textOf(-1)],
  ['Enum.ToString(string)', textOf(0)],
  ['Object.ToString()', textOf(-1)],
  ['VertexModel.ToString()', textOf(-1)],
  ['EdgeModel.ToString()', textOf(-1)],
  ['Nullable<T>.ToString()', textOf(-1)],
  ['KeyValuePair<TKey,TValue>.ToString()', textOf(-1)],
  ['Exception.ToString()', textOf(-1)],
  ['IFormattable.ToString(string,IFormatProvider)', textOf(0)],
  ['IConvertible.ToString(IFormatProvider)', textOf(-1)],
  ['Guid.ToString(string,IFormatProvider)', textOf(0)],
  ['String.ToString(IFormatProvider)', textOf(-1)],
  ['Convert.ToString(string)', same],
  ['Convert.ToString(string,IFormatProvider)', same],
  ...convertible.flatMap((name): [string, CallEmitter][] => [
    [`Convert.ToString(${name})`, textOf(-1, first)],
    [`Convert.ToString(${name},IFormatProvider)`, textOf(-1, first)],
  ]),
];
