// Arrays of bytes and of words: base 64 and 16, Guid and decimal in their parts, characters copied into an array.

import type { Type } from '../../types.ts';
import {
  argument,
  type Call,
  type CallEmitter,
  checkedReceiver,
  outTarget,
  storeLocal,
} from '../control/call-parts.ts';
import { checkFault } from '../control/faults.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { pushOperands } from '../control/routines.ts';
import { codeOf, headOf, tags } from '../objects/object-layout.ts';
import { newArray, newText, orFailure } from '../text/text-answers.ts';
import { failures } from '../wasm/failures.ts';
import { i32, parametric } from '../wasm/opcodes.ts';

/** Pushes the first word of an array of the call's type. */
function pushHead(f: FunctionEmitter, { type }: Call): void {
  const { element } = type as Type & { kind: 'array' };
  f.code.i32(headOf(tags.array, f.module.types.numberOf(type), codeOf(element)));
}

function toText(sixteen: boolean): CallEmitter {
  return (f, call) => {
    f.expression(argument(call, 0));
    f.code.i32(sixteen ? 1 : 0);
    f.core('bytesText');
    newText(f);
  };
}

function toBytes(sixteen: boolean): CallEmitter {
  return (f, call) => {
    const text = f.toLocal(argument(call, 0));
    f.code.get(text.local);
    f.code.if();
    f.chargeText(text.local);
    f.code.end();
    f.code.get(text.local);
    f.code.i32(sixteen ? 1 : 0);
    pushHead(f, call);
    f.core('textBytes');
    newArray(f);
    f.code.release(text.type, text.local);
  };
}

function words(name: 'guidBytes' | 'decimalBits'): CallEmitter {
  return (f, call) => {
    pushOperands(f, call);
    pushHead(f, call);
    f.core(name);
    newArray(f);
    f.charge(16);
  };
}

function guid(name: 'guidOfBytes' | 'guidParseExact'): CallEmitter {
  return (f, call) => {
    pushOperands(f, call);
    f.core(name);
    checkFault(f);
    f.charge(16);
  };
}

function tryGuid(f: FunctionEmitter, call: Call): void {
  const { code } = f;
  const [value, fault] = [code.local('v128'), code.local('i32')];
  f.expression(argument(call, 0));
  f.expression(argument(call, 1));
  f.core('guidParseExact');
  code.set(value);
  f.core('fragmentFault');
  code.tee(fault);
  code.i32(failures.indexOf('OutOfMemoryException'));
  code.op(i32.eq);
  f.failIf('OutOfMemoryException');
  f.charge(16);
  storeLocal(f, outTarget(call, 2), value);
  code.get(fault);
  code.op(i32.eqz);
}

function copy(f: FunctionEmitter, call: Call): void {
  const { code } = f;
  const text = checkedReceiver(f, call);
  f.chargeText(text);
  code.get(text);
  for (const index of call.arguments.keys()) f.expression(argument(call, index));
  f.core('textCopy');
  orFailure(f, 0);
  code.op(parametric.drop);
}

export const byteCalls: readonly [string, CallEmitter][] = [
  ['Convert.ToBase64String(byte[])', toText(false)],
  ['Convert.ToHexString(byte[])', toText(true)],
  ['Convert.FromBase64String(string)', toBytes(false)],
  ['Convert.FromHexString(string)', toBytes(true)],
  ['Guid.new(byte[])', guid('guidOfBytes')],
  ['Guid.ParseExact(string,string)', guid('guidParseExact')],
  ['Guid.TryParseExact(string,string,out Guid)', tryGuid],
  ['Guid.ToByteArray()', words('guidBytes')],
  ['Decimal.GetBits(decimal)', words('decimalBits')],
  ['String.CopyTo(int,char[],int,int)', copy],
];
