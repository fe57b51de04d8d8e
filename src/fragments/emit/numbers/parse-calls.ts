// Parse, TryParse and Convert of texts: what the core reads (assembly/fragments/text-parse.ts) in the type that is asked for.

import type { Target } from '../../tree.ts';
import type { PrimitiveName, Type } from '../../types.ts';
import { argument, type CallEmitter, constantOf, outTarget, storeDefault, storeLocal } from '../control/call-parts.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { propertyIdOf } from '../objects/object-layout.ts';
import { representation } from '../representation.ts';
import { newText } from '../text/text-answers.ts';
import { NotCompiled } from '../unsupported.ts';
import { failures } from '../wasm/failures.ts';
import { f32, f64, i32, i64, parametric } from '../wasm/opcodes.ts';

interface Readable {
  readonly type: Type;
  /** Of an integer; 0 for others. */
  readonly bits: number;
  readonly signed: boolean;
  /** The NumberStyles that it is read with when none is said; -1 for what is no number. */
  readonly style: number;
}

const integer = (name: PrimitiveName, bits: number, signed: boolean): Readable => ({
  type: { kind: 'primitive', name },
  bits,
  signed,
  style: 7,
});
const other = (name: PrimitiveName, style: number): Readable => ({
  type: { kind: 'primitive', name },
  bits: 0,
  signed: true,
  style,
});
const named = (name: string): Readable => ({
  type: { kind: 'named', name, arguments: [] },
  bits: 0,
  signed: true,
  style: -1,
});

const readables: Readonly<Record<string, Readable>> = {
  Byte: integer('byte', 8, false),
  SByte: integer('sbyte', 8, true),
  Int16: integer('short', 16, true),
  UInt16: integer('ushort', 16, false),
  Int32: integer('int', 32, true),
  UInt32: integer('uint', 32, false),
  Int64: integer('long', 64, true),
  UInt64: integer('ulong', 64, false),
  Single: other('float', 231),
  Double: other('double', 231),
  Decimal: other('decimal', 111),
  Boolean: other('bool', -1),
  TimeSpan: named('TimeSpan'),
};

/** What TryParse answers false for. */
const refusals = ['ArgumentNullException', 'FormatException', 'OverflowException'] as const;
const hexadecimal = 512;
const hexadecimalWhite = 515;

/** Reads the text in a local; pushes 0 or the number of the exception. */
function read(f: FunctionEmitter, { type, bits, signed, style }: Readable, text: number, wanted: number): void {
  const { code } = f;
  f.charge(8);
  code.get(text);
  if (bits > 0 && (wanted === hexadecimal || wanted === hexadecimalWhite)) {
    code.i32(bits);
    code.i32(signed ? 1 : 0);
    code.i32(wanted === hexadecimalWhite ? 1 : 0);
    f.core('textParseHexadecimal');
    return;
  }
  if (wanted !== style) throw new NotCompiled('a number of this style');
  code.i32(propertyIdOf(type) as number);
  f.core('textParse');
}

/** Pushes the value read last. */
export function pushParsed(f: FunctionEmitter, type: Type): void {
  const { code } = f;
  const form = representation(type);
  if (form === 'v128') {
    f.core('parsedWide');
    return;
  }
  f.core('parsedWord');
  if (form === 'f64') code.op(f64.reinterpretI64);
  else if (form === 'f32') code.op(i32.wrapI64, f32.reinterpretI32);
  else if (form === 'i32') code.op(i32.wrapI64);
}

/** Pushes the value of the text in a local, or throws. */
function parseLocal(f: FunctionEmitter, readable: Readable, text: number, style: number): void {
  const fault = f.code.borrow('i32');
  chargeGiven(f, text);
  read(f, readable, text, style);
  throwFault(f, fault);
  pushParsed(f, readable.type);
  f.code.release('i32', fault);
}

/** Pushes what the text in a local says, read as `Convert` reads it; `name`: of the type. */
export function pushReadAs(f: FunctionEmitter, name: string, text: number): void {
  const readable = readables[name] as Readable;
  parseLocal(f, readable, text, readable.style);
}

/** Throws unless the i32 on the stack is 0. */
export function throwFault(f: FunctionEmitter, fault: number): void {
  const { code } = f;
  code.tee(fault);
  code.if();
  code.get(fault);
  f.failNumber();
  code.end();
}

export function chargeGiven(f: FunctionEmitter, text: number): void {
  f.code.get(text);
  f.code.if();
  f.chargeText(text);
  f.code.end();
}

/** `index`: of the NumberStyles; -1 without. Further arguments are a culture, which is always the same. */
function parse(readable: Readable, index: number): CallEmitter {
  return (f, call) => {
    const style = index < 0 ? readable.style : Number(constantOf(argument(call, index)));
    const text = f.toLocal(argument(call, 0));
    parseLocal(f, readable, text.local, style);
    f.code.release(text.type, text.local);
  };
}

function tryParse(readable: Readable, index: number): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const style = index < 0 ? readable.style : Number(constantOf(argument(call, index)));
    const text = f.toLocal(argument(call, 0));
    const target = outTarget(call, call.arguments.length - 1);
    const fault = code.local('i32');
    const value = code.local(representation(readable.type));
    chargeGiven(f, text.local);
    read(f, readable, text.local, style);
    storeOrRefuse(f, fault, value, readable.type, target);
    code.get(fault);
    code.op(i32.eqz);
    code.release(text.type, text.local);
  };
}

/** Stores the value read last, or the default where the fault on the stack, kept in a local, is one that TryParse answers false for. */
export function storeOrRefuse(f: FunctionEmitter, fault: number, value: number, type: Type, target: Target): void {
  const { code } = f;
  code.tee(fault);
  code.if();
  code.get(fault);
  code.i32(0);
  for (const refusal of refusals) {
    code.get(fault);
    code.i32(failures.indexOf(refusal));
    code.op(i32.eq, i32.or);
  }
  code.op(i32.eqz);
  code.if();
  code.get(fault);
  f.failNumber();
  code.end();
  code.op(parametric.drop);
  storeDefault(f, target);
  code.else();
  pushParsed(f, type);
  code.set(value);
  storeLocal(f, target, value);
  code.end();
}

/** `Convert.ToX(string)`: null is zero. */
function convertText(readable: Readable): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const text = f.toLocal(argument(call, 0));
    code.get(text.local);
    code.if(representation(readable.type));
    parseLocal(f, readable, text.local, readable.style);
    code.else();
    f.zero(readable.type);
    code.end();
    code.release(text.type, text.local);
  };
}

function convertBase(readable: Readable): CallEmitter {
  return (f, call) => {
    const { code } = f;
    f.expression(argument(call, 0));
    f.expression(argument(call, 1));
    code.i32(propertyIdOf(readable.type) as number);
    code.i32(readable.bits);
    code.i32(readable.signed ? 1 : 0);
    f.core('textParseBase');
    const fault = code.borrow('i32');
    throwFault(f, fault);
    pushParsed(f, readable.type);
    code.release('i32', fault);
    f.charge(8);
  };
}

/** `Convert.ToString(value, base)`. */
function toBase(bits: number): CallEmitter {
  return (f, call) => {
    const { code } = f;
    f.expression(argument(call, 0));
    if (bits < 64) code.op(bits === 8 ? i64.extendI32U : i64.extendI32S);
    code.i32(bits);
    f.expression(argument(call, 1));
    f.core('textBase');
    newText(f);
  };
}

const keyword = (type: Type): string => ('name' in type ? type.name : '');

function members([name, readable]: readonly [string, Readable]): [string, CallEmitter][] {
  const out = keyword(readable.type);
  const calls: [string, CallEmitter][] = [
    [`${name}.Parse(string)`, parse(readable, -1)],
    [`${name}.TryParse(string,out ${out})`, tryParse(readable, -1)],
  ];
  if (name !== 'Boolean') {
    calls.push(
      [`${name}.Parse(string,IFormatProvider)`, parse(readable, -1)],
      [`${name}.TryParse(string,IFormatProvider,out ${out})`, tryParse(readable, -1)],
    );
  }
  if (readable.style >= 0) {
    calls.push(
      [`${name}.Parse(string,NumberStyles)`, parse(readable, 1)],
      [`${name}.Parse(string,NumberStyles,IFormatProvider)`, parse(readable, 1)],
      [`${name}.TryParse(string,NumberStyles,IFormatProvider,out ${out})`, tryParse(readable, 1)],
    );
  }
  if (name === 'TimeSpan') return calls;
  calls.push(
    [`Convert.To${name}(string)`, convertText(readable)],
    [`Convert.To${name}(string,IFormatProvider)`, convertText(readable)],
  );
  if (readable.bits > 0) calls.push([`Convert.To${name}(string,int)`, convertBase(readable)]);
  return calls;
}

export const parseCalls: readonly [string, CallEmitter][] = [
  ...Object.entries(readables).flatMap(members),
  ['Convert.ToString(byte,int)', toBase(8)],
  ['Convert.ToString(short,int)', toBase(16)],
  ['Convert.ToString(int,int)', toBase(32)],
  ['Convert.ToString(long,int)', toBase(64)],
];
