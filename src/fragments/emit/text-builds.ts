// Texts made of pieces: interpolated strings, Concat, Join, Format and ToString. The values are evaluated first, in their order, and then
// written one behind the other into a builder of the core.

import type { Expression } from '../tree.ts';
import { argument, type Call, type CallEmitter, receiver } from './calls.ts';
import type { FunctionEmitter } from './function-emitter.ts';
import { formOf, nullOf } from './representation.ts';
import { goOver, sequenceOf } from './sequences.ts';
import {
  addPieces,
  addValue,
  constantText,
  type Format,
  finishBuilder,
  type Held,
  hold,
  newBuilder,
  type Piece,
  unboxed,
} from './text-values.ts';
import { NotCompiled } from './unsupported.ts';

/** Makes a text of pieces and pushes it. */
function build(f: FunctionEmitter, pieces: readonly Piece[]): void {
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
function listed(node: Expression): readonly Expression[] | null {
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
  const sequence = sequenceOf(f, node, 'ArgumentNullException');
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

function concatSequence(f: FunctionEmitter, call: Call): void {
  joinSequence(f, null, argument(call, 0));
}

// --- Format --------------------------------------------------------------------------------------------------------------

interface Hole {
  readonly index: number;
  readonly width: number;
  readonly format: string | null;
}

/** A composite format in its texts and holes; null when it is broken. */
function readComposite(format: string): (string | Hole)[] | null {
  const parts: (string | Hole)[] = [];
  let at = 0;
  while (at < format.length) {
    const character = format[at] as string;
    if (character === '{' && format[at + 1] !== '{') {
      const hole = readHole(format, at + 1);
      if (hole === null) return null;
      parts.push(hole);
      at = hole.end;
    } else if (character === '{' || character === '}') {
      if (format[at + 1] !== character) return null;
      parts.push(character);
      at += 2;
    } else {
      const length = /^[^{}]+/.exec(format.slice(at))?.[0].length ?? 1;
      parts.push(format.slice(at, at + length));
      at += length;
    }
  }
  return parts;
}

function readHole(format: string, from: number): (Hole & { readonly end: number }) | null {
  const match = /^(\d{1,7}) *(?:, *(-?\d{1,7}) *)?(:|\})/.exec(format.slice(from));
  if (match === null) return null;
  const head = { index: Number(match[1]), width: Number(match[2] ?? 0) };
  let at = from + match[0].length;
  if (match[3] === '}') return { ...head, format: null, end: at };
  let own = '';
  for (;;) {
    const character = format[at++];
    if (character === undefined) return null;
    if (character === '}' || character === '{') {
      if (format[at] === character) at++;
      else if (character === '}') break;
      else return null;
    }
    own += character;
  }
  return { ...head, format: own === '' ? null : own, end: at };
}

/** Pushes the text of a composite format and values; `first`: where the format stands. One that is not constant is left to the interpreter. */
export function pushComposite(f: FunctionEmitter, call: Call, first: number): void {
  const written = unboxed(argument(call, first));
  if (written.kind !== 'constant') throw new NotCompiled('a composite format that is not constant');
  const rest = call.arguments.slice(first + 1).map((_, index) => argument(call, first + 1 + index));
  const values = call.member.key.endsWith('object[])') ? listed(rest[0] as Expression) : rest;
  if (values === null) throw new NotCompiled('the arguments of a composite format in an array');
  const held = values.map((value) => {
    const inner = unboxed(value);
    return inner.kind === 'constant' && inner.value === null ? null : hold(f, value);
  });
  const parts = typeof written.value === 'string' ? readComposite(written.value) : null;
  const isBroken = parts?.some((part) => typeof part !== 'string' && part.index >= held.length) ?? true;
  if (isBroken) {
    f.fail(written.value === null ? 'ArgumentNullException' : 'FormatException');
    return;
  }
  build(
    f,
    (parts ?? []).flatMap((part): Piece[] => {
      if (typeof part === 'string') return [part];
      const value = held[part.index] ?? null;
      if (value === null) return [' '.repeat(Math.abs(part.width))];
      return [{ value, width: part.width, format: part.format }];
    }),
  );
}

const format =
  (first: number): CallEmitter =>
  (f, call) =>
    pushComposite(f, call, first);

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
      f.code.op(0x46);
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
    [`String.Join(${separator},IEnumerable<string>)`, pushJoined],
  ]),
  ...['object', 'object,object', 'object,object,object', 'object[]'].flatMap((values): [string, CallEmitter][] => [
    [`String.Format(string,${values})`, format(0)],
    [`String.Format(IFormatProvider,string,${values})`, format(1)],
  ]),
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
  ['AGraphElementModel.ToString()', textOf(-1)],
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
