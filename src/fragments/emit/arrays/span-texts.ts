// Spans of characters: texts as spans, spans as texts, and the members that only they have.

import type { Expression } from '../../tree.ts';
import type { Type } from '../../types.ts';
import { argument, type Call, type CallEmitter } from '../control/call-parts.ts';
import { memberCall, primitive, variable } from '../control/callbacks.ts';
import { checkFault } from '../control/faults.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { i64 } from '../wasm/opcodes.ts';
import { pushPart } from './span-members.ts';
import { chargeItems, newView, pushText, pushView, unpack, type View, viewOf } from './spans.ts';

const string = primitive('string');

/** The characters of a text in a row, null having none. */
function viewOfText(f: FunctionEmitter, node: Expression): View {
  const view = newView(f, primitive('char'));
  f.expression(node);
  f.core('viewOfText');
  checkFault(f);
  unpack(f, view);
  chargeItems(f, view.count);
  return view;
}

const ofText: CallEmitter = (f, call) => pushView(f, viewOfText(f, argument(call, 0)));

const partOfText: CallEmitter = (f, call) => pushPart(f, viewOfText(f, argument(call, 0)), call, 1);

/** A text in a variable of the emitter's own. */
function textOf(f: FunctionEmitter, node: Expression): Expression {
  const text = f.code.local('i32');
  pushText(f, node);
  f.code.set(text);
  return variable(f, string, text);
}

/** A member of two spans and a StringComparison, as String has it. */
function compared(key: string, type: Type, isStatic: boolean): CallEmitter {
  return (f, call) => {
    const [left, right] = [textOf(f, argument(call, 0)), textOf(f, argument(call, 1))];
    const comparison = argument(call, 2);
    f.call(memberCall(key, type, isStatic ? null : left, [...(isStatic ? [left] : []), right, comparison]));
  };
}

function pushTrimmed(f: FunctionEmitter, call: Call, ends: number): void {
  const view = viewOf(f, argument(call, 0));
  chargeItems(f, view.count);
  pushView(f, view);
  f.code.i32(ends);
  f.core('viewTrim');
}

const trim =
  (ends: number): CallEmitter =>
  (f, call) =>
    pushTrimmed(f, call, ends);

const isBlank: CallEmitter = (f, call) => {
  pushTrimmed(f, call, 1);
  f.code.i64(32n);
  f.code.op(i64.shrU, i64.eqz);
};

/** A member that reads a number out of a span, as the one that reads a text. */
function reading(from: string, to: string): [string, CallEmitter] {
  return [
    from,
    (f, call) => {
      const text = textOf(f, argument(call, 0));
      const rest = call.arguments.slice(1);
      f.call({ ...call, member: { key: to, static: true }, arguments: [{ mode: 'value', value: text }, ...rest] });
    },
  ];
}

const numbers = {
  Byte: 'byte', SByte: 'sbyte', Int16: 'short', UInt16: 'ushort', Int32: 'int', UInt32: 'uint', Int64: 'long', UInt64: 'ulong',
  Single: 'float', Double: 'double', Decimal: 'decimal',
}; // biome-ignore format: a table

const C = 'ReadOnlySpan<char>';
const [bool, int] = [primitive('bool'), primitive('int')];

export const spanTextCalls: readonly [string, CallEmitter][] = [
  ['String.op_Implicit(string)->ReadOnlySpan<char>', ofText],
  [`String.new(${C})`, (f, call) => pushText(f, argument(call, 0))],
  ['MemoryExtensions.AsSpan(string)', ofText],
  ['MemoryExtensions.AsSpan(string,int)', partOfText],
  ['MemoryExtensions.AsSpan(string,int,int)', partOfText],
  [`MemoryExtensions.Contains(${C},${C},StringComparison)`, compared('String.Contains(string,StringComparison)', bool, false)],
  [`MemoryExtensions.Equals(${C},${C},StringComparison)`, compared('String.Equals(string,string,StringComparison)', bool, true)],
  [`MemoryExtensions.CompareTo(${C},${C},StringComparison)`, compared('String.Compare(string,string,StringComparison)', int, true)],
  [`MemoryExtensions.IndexOf(${C},${C},StringComparison)`, compared('String.IndexOf(string,StringComparison)', int, false)],
  [`MemoryExtensions.StartsWith(${C},${C},StringComparison)`, compared('String.StartsWith(string,StringComparison)', bool, false)],
  [`MemoryExtensions.EndsWith(${C},${C},StringComparison)`, compared('String.EndsWith(string,StringComparison)', bool, false)],
  [`MemoryExtensions.IsWhiteSpace(${C})`, isBlank],
  [`MemoryExtensions.Trim(${C})`, trim(3)],
  [`MemoryExtensions.TrimStart(${C})`, trim(1)],
  [`MemoryExtensions.TrimEnd(${C})`, trim(2)],
  ...Object.entries(numbers).flatMap(([name, keyword]) => [
    reading(`${name}.Parse(${C},IFormatProvider)`, `${name}.Parse(string,IFormatProvider)`),
    reading(`${name}.Parse(${C},NumberStyles,IFormatProvider)`, `${name}.Parse(string,NumberStyles,IFormatProvider)`),
    reading(`${name}.TryParse(${C},out ${keyword})`, `${name}.TryParse(string,out ${keyword})`),
  ]),
]; // biome-ignore format: a table
