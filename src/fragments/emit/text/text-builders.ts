// Builders of texts: begun, given a value as a word with its width and format, and finished.

import type { Type } from '../../types.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { propertyIds } from '../objects/object-layout.ts';
import { f64, i64, type ValueType } from '../wasm/opcodes.ts';
import { newText } from './text-answers.ts';

/** Whose small integers are extended by zeros. */
const unsigned = new Set(['bool', 'byte', 'ushort', 'uint', 'char', 'string']);

/** A value that lies in a local. */
export interface Held {
  readonly type: Type;
  readonly local: number;
}

/** What stands behind the colon, or in a local. */
export type Format = string | null | { readonly local: number };

/** A new builder in a local. */
export function newBuilder(f: FunctionEmitter): number {
  const builder = f.code.local('i32');
  f.core('builderNew');
  f.code.set(builder);
  return builder;
}

/** Completes the builder in a local and pushes its text. */
export function finishBuilder(f: FunctionEmitter, builder: number): void {
  f.code.get(builder);
  f.core('builderFinish');
  newText(f);
}

export function addWord(
  f: FunctionEmitter,
  builder: number,
  kind: string,
  word: () => void,
  width: number,
  format: Format,
): void {
  const { code } = f;
  code.get(builder);
  code.i32(propertyIds[kind] as number);
  word();
  pushFormat(f, format);
  if (width !== 0) code.i32(width);
  f.core(width === 0 ? 'builderValue' : 'builderField');
}

/** Pushes a format: a text or 0. */
export function pushFormat(f: FunctionEmitter, format: Format): void {
  if (format === null || format === '') f.code.i32(0);
  else if (typeof format === 'string') f.text(format);
  else f.code.get(format.local);
}

/** The word of the value in a local, as value-text.ts wants it. */
export function pushWord(f: FunctionEmitter, name: string, form: ValueType, local: number): void {
  const { code } = f;
  code.get(local);
  if (form === 'i32') code.op(unsigned.has(name) ? i64.extendI32U : i64.extendI32S);
  else if (form === 'f32') code.op(f64.promoteF32, i64.reinterpretF64);
  else if (form === 'f64') code.op(i64.reinterpretF64);
  else if (form === 'v128') {
    f.core('builderWide');
    code.op(i64.extendI32U);
  }
}
