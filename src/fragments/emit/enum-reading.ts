// Reading the values of enums: numbers, and names that are joined by commas.

import type { Type } from '../types.ts';
import { failures } from './core-functions.ts';
import { membersOf } from './enum-texts.ts';
import type { FunctionEmitter } from './function-emitter.ts';
import { propertyIds } from './object-layout.ts';
import { nameOf } from './representation.ts';
import { newText } from './text-answers.ts';

/** What the reader answers beside a value: no such name, and a number too large. */
export const [unknownName, tooLarge] = [2n ** 32n, 2n ** 33n];

/** Reads the text in a local, which is not null, into an i64 local; `pushIgnores` pushes whether case does not count. */
export function readEnum(f: FunctionEmitter, type: Type, text: number, pushIgnores: () => void): number {
  const { code } = f;
  const answer = code.local('i64');
  code.get(text);
  pushIgnores();
  f.module.types.ask(f, `read ${nameOf(type)}`, (g) => writeReader(g, type), 2, 'i64');
  code.set(answer);
  return answer;
}

/** The function of a text and whether case does not count; i64. */
function writeReader(f: FunctionEmitter, type: Type): void {
  const { code } = f;
  code.get(0);
  code.i32(3);
  f.core('textTrim');
  newText(f);
  code.set(0);
  code.get(0);
  f.core('textLength');
  code.op(0x45);
  code.if();
  code.i64(unknownName);
  code.op(0x0f);
  code.end();
  readNumber(f);
  readNames(f, type);
}

/** Returns the number that the text is. */
function readNumber(f: FunctionEmitter): void {
  const { code } = f;
  const [unit, fault] = [code.local('i32'), code.local('i32')];
  code.get(0);
  code.i32(0);
  f.core('textUnit');
  code.set(unit);
  code.get(unit);
  code.i32('0'.charCodeAt(0));
  code.op(0x6b);
  code.i32(10);
  code.op(0x49);
  for (const sign of ['+', '-']) {
    code.get(unit);
    code.i32(sign.charCodeAt(0));
    code.op(0x46, 0x72);
  }
  code.if();
  code.get(0);
  code.i32(propertyIds.int as number);
  f.core('textParse');
  code.tee(fault);
  code.op(0x45);
  code.if();
  f.core('parsedWord');
  code.op(0xa7, 0xad, 0x0f);
  code.end();
  code.get(fault);
  code.i32(failures.indexOf('OverflowException'));
  code.op(0x46);
  code.if();
  code.i64(tooLarge);
  code.op(0x0f);
  code.end();
  code.end();
}

/** Pushes the values of the names between the commas, or that one is none. */
function readNames(f: FunctionEmitter, type: Type): void {
  const { code } = f;
  const [word, from, comma, value] = ['i32', 'i32', 'i32', 'i32'].map(() => code.local('i32')) as [
    number,
    number,
    number,
    number,
  ];
  const top = code.loop();
  f.charge(4);
  code.get(0);
  code.i32(','.charCodeAt(0));
  code.get(from);
  f.core('textFindUnit');
  code.set(comma);
  code.get(0);
  code.get(from);
  code.get(comma);
  code.get(0);
  f.core('textLength');
  code.get(comma);
  code.i32(0);
  code.op(0x4e, 0x1b);
  code.get(from);
  code.op(0x6b);
  f.core('textSlice');
  newText(f);
  code.i32(3);
  f.core('textTrim');
  newText(f);
  code.set(word);
  const found = code.block();
  for (const [number, name] of membersOf(type)) {
    pushIsName(f, word, name);
    code.if();
    code.get(value);
    code.i32(number);
    code.op(0x72);
    code.set(value);
    code.branch(found);
    code.end();
  }
  code.i64(unknownName);
  code.op(0x0f);
  code.end();
  code.get(comma);
  code.i32(1);
  code.op(0x6a);
  code.set(from);
  code.get(comma);
  code.i32(0);
  code.op(0x4e);
  code.branchIf(top);
  code.end();
  code.get(value);
  code.op(0xad);
}

function pushIsName(f: FunctionEmitter, word: number, name: string): void {
  const { code } = f;
  code.get(1);
  code.if('i32');
  code.get(word);
  f.text(name);
  f.core('textEqualsFolded');
  code.i32(1);
  code.op(0x46);
  code.else();
  code.get(word);
  f.text(name);
  f.core('textEquals');
  code.end();
}
