// Composite formats: String.Format and AppendFormat. One that is a constant is read here, others when they run (assembly/fragments/composite.ts).

import type { Expression } from '../../tree.ts';
import type { Type } from '../../types.ts';
import { emitNewArray } from '../arrays/arrays.ts';
import { argument, type Call, type CallEmitter } from '../control/call-parts.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { places, propertyIds } from '../objects/object-layout.ts';
import { i32, i64 } from '../wasm/opcodes.ts';
import { pushObjectText } from './object-texts.ts';
import { orFailure } from './text-answers.ts';
import { finishBuilder, newBuilder } from './text-builders.ts';
import { build, listed } from './text-builds.ts';
import { hold, type Piece, unboxed } from './text-values.ts';

const objects: Type = { kind: 'array', element: { kind: 'primitive', name: 'object' }, rank: 1 };

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

/** The same where the format or how many values there are shows only when it runs. */
function pushFormatted(
  f: FunctionEmitter,
  written: Expression,
  values: readonly Expression[] | null,
  rest: readonly Expression[],
): void {
  const { code } = f;
  const [array, at, index] = [code.local('i32'), code.local('i32'), code.local('i32')];
  const [width, text] = [code.local('i32'), code.local('i32')];
  const composite = hold(f, written).local;
  if (values === null) f.expression(rest[0] as Expression);
  else emitNewArray(f, { kind: 'newArray', type: objects, sizes: [], values });
  code.set(array);
  for (const reference of [composite, array]) {
    code.get(reference);
    code.op(i32.eqz);
    f.failIf('ArgumentNullException');
  }
  f.chargeText(composite);
  const builder = newBuilder(f);
  code.i32(0);
  code.set(at);
  const after = code.block();
  const top = code.loop();
  f.charge(8);
  code.get(builder);
  code.get(composite);
  code.get(at);
  f.core('compositeNext');
  orFailure(f, 0);
  code.set(at);
  f.core('compositeIndex');
  code.tee(index);
  code.i32(0);
  code.op(i32.ltS);
  code.branchIf(after);
  code.get(index);
  code.get(array);
  code.load(i32.load, places.count);
  code.op(i32.geU);
  f.failIf('FormatException');
  // Making the text may read another format.
  f.core('compositeWidth');
  code.set(width);
  code.get(array);
  code.get(index);
  code.i32(2);
  code.op(i32.shl, i32.add);
  code.load(i32.load, places.payload);
  f.core('compositeFormat');
  pushObjectText(f);
  code.set(text);
  code.get(builder);
  code.i32(propertyIds.string as number);
  code.get(text);
  code.op(i64.extendI32U);
  code.i32(0);
  code.get(width);
  f.core('builderField');
  code.branch(top);
  code.end();
  code.end();
  finishBuilder(f, builder);
}

/** Pushes the text of a composite format and values; `first`: where the format stands. One that is not constant is left to the interpreter. */
export function pushComposite(f: FunctionEmitter, call: Call, first: number): void {
  const written = unboxed(argument(call, first));
  const rest = call.arguments.slice(first + 1).map((_, index) => argument(call, first + 1 + index));
  const values = call.member.key.endsWith('object[])') ? listed(rest[0] as Expression) : rest;
  if (written.kind !== 'constant' || values === null) {
    pushFormatted(f, written, values, rest);
    return;
  }
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

export const formatCalls: readonly [string, CallEmitter][] = [
  ...['object', 'object,object', 'object,object,object', 'object[]'].flatMap((values): [string, CallEmitter][] => [
    [`String.Format(string,${values})`, format(0)],
    [`String.Format(IFormatProvider,string,${values})`, format(1)],
  ]),
];
