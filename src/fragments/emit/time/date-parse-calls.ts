// Reading dates: Parse, ParseExact, their Try forms and Convert, as the core does (assembly/fragments/date-exact.ts, date-guess.ts).

import type { Expression } from '../../tree.ts';
import type { Type } from '../../types.ts';
import { argument, type CallEmitter, outTarget } from '../control/call-parts.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { chargeGiven, pushParsed, storeOrRefuse, throwFault } from '../numbers/parse-calls.ts';
import { unboxed } from '../objects/boxes.ts';
import { propertyIdOf } from '../objects/object-layout.ts';
import { representation } from '../representation.ts';
import { i32 } from '../wasm/opcodes.ts';

/** Where the arguments stand; -1 for those that a member does not have. */
interface Places {
  readonly format: number;
  readonly styles: number;
}

/** Reads the text in a local by what the other arguments, in locals, say; pushes 0 or the number of the exception. */
function read(
  f: FunctionEmitter,
  type: Type,
  given: readonly number[],
  { format, styles }: Places,
  many: boolean,
): void {
  const { code } = f;
  code.get(given[0] as number);
  if (format >= 0) code.get(given[format] as number);
  if (styles >= 0) code.get(given[styles] as number);
  else code.i32(0);
  code.i32(propertyIdOf(type) === propertyIdOf(offsetType) ? 1 : 0);
  f.core(format < 0 ? 'dateGuess' : many ? 'dateReadAny' : 'dateRead');
}

const offsetType: Type = { kind: 'named', name: 'DateTimeOffset', arguments: [] };
const dateType: Type = { kind: 'named', name: 'DateTime', arguments: [] };

/** The culture counts for nothing. */
function hold(f: FunctionEmitter, nodes: readonly (Expression | null)[]): number[] {
  return nodes.map((node) => (node === null ? -1 : f.toLocal(node).local));
}

function parse(type: Type, places: Places, many = false): CallEmitter {
  return (f, call) => {
    const isUsed = (index: number) => index === 0 || index === places.format || index === places.styles;
    const given = hold(f, call.arguments.map((_, index) => (isUsed(index) ? argument(call, index) : null))); // biome-ignore format: a line
    chargeGiven(f, given[0] as number);
    f.charge(8);
    read(f, type, given, places, many);
    throwFault(f, f.code.local('i32'));
    pushParsed(f, type);
  };
}

function tryParse(type: Type, places: Places, many = false): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const isUsed = (index: number) => index === 0 || index === places.format || index === places.styles;
    const last = call.arguments.length - 1;
    const given = hold(f, call.arguments.map((_, index) => (index < last && isUsed(index) ? argument(call, index) : null))); // biome-ignore format: a line
    const target = outTarget(call, last);
    const fault = code.local('i32');
    const value = code.local(representation(type));
    chargeGiven(f, given[0] as number);
    f.charge(8);
    read(f, type, given, places, many);
    storeOrRefuse(f, fault, value, type, target);
    code.get(fault);
    code.op(i32.eqz);
  };
}

/** `Convert.ToDateTime`: of null, which may not be the receiver, a text, or a box of a date. */
const convert: CallEmitter = (f, call) => {
  const { code } = f;
  const object = f.toLocal(call.receiver ?? argument(call, 0));
  if (call.receiver !== null) {
    code.get(object.local);
    code.op(i32.eqz);
    f.failIf('NullReferenceException');
  }
  code.get(object.local);
  code.if('i64');
  code.get(object.local);
  code.i32(2);
  code.op(i32.and);
  code.if('i64');
  code.get(object.local);
  f.module.types.test(f, dateType);
  code.op(i32.eqz);
  f.failIf('InvalidCastException');
  unboxed(f, object.local, dateType);
  code.else();
  f.chargeText(object.local);
  read(f, dateType, [object.local], { format: -1, styles: -1 }, false);
  throwFault(f, code.local('i32'));
  pushParsed(f, dateType);
  code.end();
  code.else();
  code.i64(0n);
  code.end();
  code.release(object.type, object.local);
};

function members(type: Type & { readonly name: string }): [string, CallEmitter][] {
  const { name } = type;
  const plain: Places = { format: -1, styles: -1 };
  const list: [string, CallEmitter][] = [
    [`${name}.Parse(string)`, parse(type, plain)],
    [`${name}.Parse(string,IFormatProvider)`, parse(type, plain)],
    [`${name}.Parse(string,IFormatProvider,DateTimeStyles)`, parse(type, { format: -1, styles: 2 })],
    [`${name}.TryParse(string,out ${name})`, tryParse(type, plain)],
    [`${name}.TryParse(string,IFormatProvider,out ${name})`, tryParse(type, plain)],
    [`${name}.TryParse(string,IFormatProvider,DateTimeStyles,out ${name})`, tryParse(type, { format: -1, styles: 2 })],
    [`${name}.ParseExact(string,string,IFormatProvider)`, parse(type, { format: 1, styles: -1 })],
  ];
  for (const [formats, many] of [['string', false], ['string[]', true]] as const) {
    const places: Places = { format: 1, styles: 3 };
    list.push(
      [`${name}.ParseExact(string,${formats},IFormatProvider,DateTimeStyles)`, parse(type, places, many)],
      [`${name}.TryParseExact(string,${formats},IFormatProvider,DateTimeStyles,out ${name})`, tryParse(type, places, many)],
    );
  } // biome-ignore format: a table
  return list;
}

export const dateParseCalls: readonly [string, CallEmitter][] = [
  ...members(dateType as Type & { readonly name: string }),
  ...members(offsetType as Type & { readonly name: string }),
  ['IConvertible.ToDateTime(IFormatProvider)', convert],
  ...['string', 'object'].flatMap((from): [string, CallEmitter][] => [
    [`Convert.ToDateTime(${from})`, convert],
    [`Convert.ToDateTime(${from},IFormatProvider)`, convert],
  ]),
];
