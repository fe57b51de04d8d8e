// StringBuilder: a builder of the core that is an object (assembly/fragments/string-builder.ts). What interpolated strings write to a
// builder of their own, Append writes to this one.

import type { Expression } from '../../tree.ts';
import type { Type } from '../../types.ts';
import { argument, type Call, type CallEmitter, checkedReceiver } from '../control/call-parts.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { primitive } from '../control/routines.ts';
import { headOf, tags } from '../objects/object-layout.ts';
import { nameOf } from '../representation.ts';
import type { CoreFunction } from '../wasm/core-functions.ts';
import { i32, parametric } from '../wasm/opcodes.ts';
import { newArray, newText, orFailure } from './text-answers.ts';
import { finishBuilder, newBuilder } from './text-builders.ts';
import { pushJoined } from './text-builds.ts';
import { pushComposite } from './text-formats.ts';
import { addPieces, addValue, constantText, hold, type Piece } from './text-values.ts';

const writerType: Type = { kind: 'named', name: 'StringBuilder', arguments: [] };

/** Throws the failure that the i32 on the stack is, if it is one; 0 is none. */
function checked(f: FunctionEmitter): void {
  orFailure(f, 0);
  f.code.op(parametric.drop);
}

/** Pushes the builder of a writer in a local, as the functions of builders take it; into a local. */
function builderOf(f: FunctionEmitter, writer: number): number {
  const { code } = f;
  const builder = code.local('i32');
  code.get(writer);
  code.i32(2);
  code.op(i32.sub);
  code.set(builder);
  return builder;
}

function create(text: number | null, capacity: number | null): CallEmitter {
  return (f, call) => {
    const { code } = f;
    code.i32(headOf(tags.builder, f.module.types.numberOf(writerType)));
    if (text === null) code.i32(0);
    else f.expression(argument(call, text));
    if (capacity === null) code.i32(16);
    else f.expression(argument(call, capacity));
    f.core('writerNew');
    newArray(f);
    f.charge(8);
  };
}

/** Adds pieces to the writer in a local and pushes it. */
function addTo(f: FunctionEmitter, writer: number, pieces: readonly Piece[]): void {
  const { code } = f;
  addPieces(f, builderOf(f, writer), pieces);
  code.get(writer);
  f.core('writerFailure');
  checked(f);
  f.charge(4);
  for (const piece of pieces) {
    const isText =
      typeof piece !== 'string' && piece.value.type.kind === 'primitive' && piece.value.type.name === 'string';
    if (!isText) continue;
    code.get(piece.value.local);
    code.if();
    f.chargeText(piece.value.local);
    code.end();
  }
  code.get(writer);
}

/** `Append` of a value, with what `AppendLine` adds to it. */
function append(end: string): CallEmitter {
  return (f, call) => {
    const writer = checkedReceiver(f, call);
    const pieces: Piece[] = [];
    if (call.arguments.length > 0) {
      const node = argument(call, 0);
      pieces.push(constantText(node) ?? { value: hold(f, node), width: 0, format: null });
    }
    if (end !== '') pieces.push(end);
    addTo(f, writer, pieces);
  };
}

/** Adds the text that `push` makes. */
function appendMade(push: (f: FunctionEmitter, call: Call) => void): CallEmitter {
  return (f, call) => {
    const writer = checkedReceiver(f, call);
    push(f, call);
    const local = f.code.local('i32');
    f.code.set(local);
    addTo(f, writer, [{ value: { type: primitive('string'), local }, width: 0, format: null }]);
  };
}

/** What a routine answers. */
type Answer = 'self' | 'nothing' | 'number' | 'truth' | 'text';

/** A routine of the core on the writer and the arguments; what goes through all of its text is paid for. */
function routine(name: CoreFunction, answer: Answer, costs = true): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const writer = checkedReceiver(f, call);
    const values = call.arguments.map((_, index) => f.toLocal(argument(call, index)));
    code.get(writer);
    for (const { local } of values) code.get(local);
    f.core(name);
    if (answer === 'text') newText(f);
    else if (answer === 'number') orFailure(f, 0);
    else if (answer !== 'truth') checked(f);
    if (costs) chargeBytes(f, writer);
    f.charge(4);
    if (answer === 'self') code.get(writer);
    for (const { type, local } of values) code.release(type, local);
  };
}

function chargeBytes(f: FunctionEmitter, writer: number): void {
  f.code.get(writer);
  f.core('writerBytes');
  f.code.i32(4);
  f.code.op(i32.shrU);
  f.chargeAmount();
}

function insert(f: FunctionEmitter, call: Call): void {
  const { code } = f;
  const writer = checkedReceiver(f, call);
  const index = f.toLocal(argument(call, 0));
  insertText(f, writer, index.local, textOf(f, argument(call, 1)));
  code.release(index.type, index.local);
}

/** Inserts the text in a local and pushes the writer. */
function insertText(f: FunctionEmitter, writer: number, index: number, text: number): void {
  const { code } = f;
  chargeBytes(f, writer);
  code.get(writer);
  code.get(index);
  code.get(text);
  f.core('writerInsert');
  checked(f);
  code.get(writer);
}

/** The text of a value in a local; 0 for null. */
function textOf(f: FunctionEmitter, node: Expression): number {
  const { code } = f;
  const text = code.local('i32');
  const value = hold(f, node);
  if (value.type.kind === 'primitive' && value.type.name === 'string') return value.local;
  const builder = newBuilder(f);
  if (node.type.kind === 'array') {
    // The units of a char[].
    const units = code.local('i32');
    code.get(value.local);
    code.if('i32');
    code.get(value.local);
    code.i32(0);
    code.get(value.local);
    code.load(i32.load, 2);
    f.core('textOfUnits');
    newText(f);
    code.else();
    code.i32(0);
    code.end();
    code.set(units);
    return units;
  }
  addValue(f, builder, value, 0, null);
  finishBuilder(f, builder);
  code.set(text);
  return text;
}

function appendWriter(f: FunctionEmitter, call: Call): void {
  const { code } = f;
  const writer = checkedReceiver(f, call);
  const other = f.toLocal(argument(call, 0));
  const text = code.local('i32');
  code.i32(0);
  code.set(text);
  code.get(other.local);
  code.if();
  // Its own text changes while it is read.
  code.get(other.local);
  code.get(writer);
  code.op(i32.eq);
  code.if('i32');
  code.get(other.local);
  f.core('writerAll');
  newText(f);
  code.else();
  code.get(other.local);
  f.core('writerView');
  code.end();
  code.set(text);
  code.end();
  addTo(f, writer, [{ value: { type: primitive('string'), local: text }, width: 0, format: null }]);
  code.release(other.type, other.local);
}

const numbers = ['sbyte', 'byte', 'short', 'ushort', 'int', 'uint', 'long', 'ulong', 'float', 'double', 'decimal'];
const name = nameOf(writerType);

export const stringBuilderCalls = (): readonly [string, CallEmitter][] => [
  [`${name}.new()`, create(null, null)],
  [`${name}.new(int)`, create(null, 0)],
  [`${name}.new(string)`, create(0, null)],
  [`${name}.new(string,int)`, create(0, 1)],
  [`${name}.get_Length()`, routine('writerLength', 'number', false)],
  [`${name}.set_Length(int)`, routine('writerResize', 'nothing')],
  [`${name}.get_Capacity()`, routine('writerCapacity', 'number', false)],
  [`${name}.get_Item(int)`, routine('writerUnit', 'number', false)],
  [`${name}.set_Item(int,char)`, routine('writerPut', 'nothing', false)],
  ...['bool', 'char', ...numbers, 'string', 'object'].flatMap((type): [string, CallEmitter][] => [
    [`${name}.Append(${type})`, append('')],
    [`${name}.Insert(int,${type})`, insert],
  ]),
  [`${name}.Insert(int,char[])`, insert],
  [`${name}.Append(char[])`, routine('writerUnits', 'self')],
  [`${name}.Append(char[],int,int)`, routine('writerPart', 'self')],
  [`${name}.Append(char,int)`, routine('writerRepeat', 'self')],
  [`${name}.Append(string,int,int)`, routine('writerPart', 'self')],
  [`${name}.Append(StringBuilder)`, appendWriter],
  [`${name}.AppendLine()`, append('\n')],
  [`${name}.AppendLine(string)`, append('\n')],
  ...['object', 'object,object', 'object,object,object', 'object[]'].map((values): [string, CallEmitter] => [
    `${name}.AppendFormat(string,${values})`,
    appendMade((f, call) => pushComposite(f, call, 0)),
  ]),
  ...['string', 'char'].flatMap((separator): [string, CallEmitter][] => [
    [`${name}.AppendJoin(${separator},object[])`, appendMade(pushJoined)],
    [`${name}.AppendJoin(${separator},string[])`, appendMade(pushJoined)],
    [`${name}.AppendJoin<T>(${separator},IEnumerable<T>)`, appendMade(pushJoined)],
  ]),
  [
    `${name}.Clear()`,
    (f, call) => {
      const writer = checkedReceiver(f, call);
      f.code.get(writer);
      f.core('writerClear');
      f.code.get(writer);
    },
  ],
  [`${name}.Equals(StringBuilder)`, routine('writerEquals', 'truth')],
  [`${name}.Remove(int,int)`, routine('writerRemove', 'self')],
  [`${name}.Replace(char,char)`, routine('writerReplaceUnit', 'self')],
  [`${name}.Replace(string,string)`, routine('writerReplace', 'self')],
  [`${name}.ToString()`, routine('writerAll', 'text', false)],
  [`${name}.ToString(int,int)`, routine('writerText', 'text', false)],
];
