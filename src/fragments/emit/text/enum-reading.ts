// Reading the values of enums: numbers, and names that are joined by commas.

import type { Type } from '../../types.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { propertyIds } from '../objects/object-layout.ts';
import { nameOf } from '../representation.ts';
import { failures } from '../wasm/failures.ts';
import { control, i32, i64, parametric } from '../wasm/opcodes.ts';
import { membersOf } from './enum-texts.ts';
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
  code.op(i32.eqz);
  code.if();
  code.i64(unknownName);
  code.op(control.return);
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
  code.op(i32.sub);
  code.i32(10);
  code.op(i32.ltU);
  for (const sign of ['+', '-']) {
    code.get(unit);
    code.i32(sign.charCodeAt(0));
    code.op(i32.eq, i32.or);
  }
  code.if();
  code.get(0);
  code.i32(propertyIds.int as number);
  f.core('textParse');
  code.tee(fault);
  code.op(i32.eqz);
  code.if();
  f.core('parsedWord');
  code.op(i32.wrapI64, i64.extendI32U, control.return);
  code.end();
  code.get(fault);
  code.i32(failures.indexOf('OverflowException'));
  code.op(i32.eq);
  code.if();
  code.i64(tooLarge);
  code.op(control.return);
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
  code.op(i32.geS, parametric.select);
  code.get(from);
  code.op(i32.sub);
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
    code.op(i32.or);
    code.set(value);
    code.branch(found);
    code.end();
  }
  code.i64(unknownName);
  code.op(control.return);
  code.end();
  code.get(comma);
  code.i32(1);
  code.op(i32.add);
  code.set(from);
  code.get(comma);
  code.i32(0);
  code.op(i32.geS);
  code.branchIf(top);
  code.end();
  code.get(value);
  code.op(i64.extendI32U);
}

function pushIsName(f: FunctionEmitter, word: number, name: string): void {
  const { code } = f;
  code.get(1);
  code.if('i32');
  code.get(word);
  f.text(name);
  f.core('textEqualsFolded');
  code.i32(1);
  code.op(i32.eq);
  code.else();
  code.get(word);
  f.text(name);
  f.core('textEquals');
  code.end();
}
