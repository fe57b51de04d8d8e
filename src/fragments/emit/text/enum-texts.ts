// The names of enum values and their texts under the formats that enums have. What depends on the values of one enum is a function of the
// module, written once.

import { runtimeType } from '../../interpreter/runtime-types.ts';
import type { Type } from '../../types.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { nameOf } from '../representation.ts';
import { control, i32 } from '../wasm/opcodes.ts';
import { newText } from './text-answers.ts';
import { addWord, finishBuilder, newBuilder, pushWord } from './text-builders.ts';

/** Enums whose values are sets of flags. */
const flags = new Set(['StringSplitOptions', 'NumberStyles', 'DateTimeStyles']);

export const membersOf = (type: Type): readonly (readonly [number, string])[] => [...(runtimeType(type).members ?? [])];

/** Pushes the name of the value on the stack, 0 when it has none. */
export function pushName(f: FunctionEmitter, type: Type): void {
  f.module.types.ask(f, `name of ${nameOf(type)}`, (g) => {
    const { code } = g;
    for (const [number, name] of membersOf(type)) {
      code.get(0);
      code.i32(number);
      code.op(i32.eq);
      code.if();
      g.text(name);
      code.op(control.return);
      code.end();
    }
    code.i32(0);
  });
}

/** Pushes the number in a local as text. */
function pushNumber(f: FunctionEmitter, local: number, form: 'int' | 'uint', format: string | null): void {
  const builder = newBuilder(f);
  addWord(f, builder, form, () => pushWord(f, form, 'i32', local), 0, format);
  finishBuilder(f, builder);
}

/** The function that makes the text of a value under a format: G and nothing, F, D, X. */
function writeText(f: FunctionEmitter, type: Type): void {
  const { code } = f;
  const [letter, text] = [code.local('i32'), code.local('i32')];
  const is = (wanted: string): void => {
    code.get(letter);
    code.i32(wanted.charCodeAt(0));
    code.op(i32.eq);
  };
  code.i32('g'.charCodeAt(0));
  code.set(letter);
  code.get(1);
  code.if();
  code.get(1);
  f.core('textLength');
  code.if();
  code.get(1);
  f.core('textLength');
  code.i32(1);
  code.op(i32.ne);
  f.failIf('FormatException');
  code.get(1);
  code.i32(0);
  f.core('textUnit');
  code.i32(32);
  code.op(i32.or);
  code.set(letter);
  code.end();
  code.end();
  is('d');
  code.if();
  pushNumber(f, 0, 'int', null);
  code.op(control.return);
  code.end();
  is('x');
  code.if();
  pushNumber(f, 0, 'uint', 'X8');
  code.op(control.return);
  code.end();
  is('g');
  is('f');
  code.op(i32.or, i32.eqz);
  f.failIf('FormatException');
  code.get(0);
  pushName(f, type);
  code.tee(text);
  code.if();
  code.get(text);
  code.op(control.return);
  code.end();
  if (!flags.has(nameOf(type))) {
    is('f');
    code.if();
    writeFlags(f, type);
    code.end();
  } else writeFlags(f, type);
  pushNumber(f, 0, 'int', null);
}

/** Returns the names of the flags, the smallest first, when they make up the value. */
function writeFlags(f: FunctionEmitter, type: Type): void {
  const { code } = f;
  const [rest, text] = [code.local('i32'), code.local('i32')];
  code.get(0);
  code.set(rest);
  code.i32(0);
  code.set(text);
  for (const [flag, name] of [...membersOf(type)].sort(([a], [b]) => b - a)) {
    if (flag === 0) continue;
    code.get(rest);
    code.i32(flag);
    code.op(i32.and);
    code.i32(flag);
    code.op(i32.eq);
    code.if();
    code.get(rest);
    code.i32(~flag);
    code.op(i32.and);
    code.set(rest);
    code.get(text);
    code.if('i32');
    f.text(`${name}, `);
    code.get(text);
    f.core('textJoin');
    newText(f);
    code.else();
    f.text(name);
    code.end();
    code.set(text);
    code.end();
  }
  code.get(rest);
  code.op(i32.eqz);
  code.get(text);
  code.i32(0);
  code.op(i32.ne, i32.and);
  code.if();
  code.get(text);
  code.op(control.return);
  code.end();
}

/** Pushes the text of the value in a local; the format that `format` pushes is 0 for none. */
export function pushEnumText(f: FunctionEmitter, type: Type, local: number, format: () => void): void {
  f.code.get(local);
  format();
  f.module.types.ask(f, `text of ${nameOf(type)}`, (g) => writeText(g, type), 2);
}
