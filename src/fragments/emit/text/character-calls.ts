// Char's members: classes, cases, surrogates, numeric values (assembly/fragments/characters.ts).

import type { Expression } from '../../tree.ts';
import {
  argument,
  type Call,
  type CallEmitter,
  checkedReference,
  outTarget,
  storeDefault,
  storeLocal,
} from '../control/call-parts.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { f64, i32, type Opcode } from '../wasm/opcodes.ts';
import { newText, orFailure } from './text-answers.ts';

/** Pushes the unit asked about. */
type PushUnit = (f: FunctionEmitter, call: Call) => void;

const given: PushUnit = (f, call) => f.expression(argument(call, 0));

/** Of a string, at an index. */
const indexed: PushUnit = (f, call) => {
  const { code } = f;
  const text = f.toLocal(argument(call, 0));
  const index = f.toLocal(argument(call, 1));
  code.get(text.local);
  code.op(i32.eqz);
  f.failIf('ArgumentNullException');
  code.get(text.local);
  code.get(index.local);
  f.core('charAt');
  orFailure(f, 0);
  code.release(text.type, text.local);
  code.release(index.type, index.local);
};

/** Classes by the bits of the core's table (assembly/scan/case-table.ts). */
const classes = {
  Letter: 1, Upper: 2, Lower: 4, Digit: 8, LetterOrDigit: 9, Number: 16, Punctuation: 32, Symbol: 64, Separator: 128,
} as const; // biome-ignore format: a table

/** Units whose bits under a mask are a value. */
const masks = {
  Surrogate: [0xf800, 0xd800], HighSurrogate: [0xfc00, 0xd800], LowSurrogate: [0xfc00, 0xdc00],
} as const; // biome-ignore format: a table

function masked(f: FunctionEmitter, [mask, bits]: readonly [number, number]): void {
  f.code.i32(mask);
  f.code.op(i32.and);
  f.code.i32(bits);
  f.code.op(i32.eq);
}

/** `Char.IsX(char)` and `Char.IsX(string,int)`, for what is on the stack. */
function test(name: string, answer: (f: FunctionEmitter) => void): [string, CallEmitter][] {
  const from =
    (push: PushUnit): CallEmitter =>
    (f, call) => {
      push(f, call);
      answer(f);
    };
  return [
    [`Char.Is${name}(char)`, from(given)],
    [`Char.Is${name}(string,int)`, from(indexed)],
  ];
}

function inRange(f: FunctionEmitter, from: number, to: number): void {
  f.code.i32(from);
  f.code.op(i32.sub);
  f.code.i32(to - from);
  f.code.op(i32.leU);
}

/** Whether the unit lies in one of several ranges. */
function ascii(...ranges: readonly (readonly [number, number])[]): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const unit = f.toLocal(argument(call, 0));
    for (const [index, [from, to]] of ranges.entries()) {
      code.get(unit.local);
      inRange(f, from, to);
      if (index > 0) code.op(i32.or);
    }
    code.release(unit.type, unit.local);
  };
}

const digits = [0x30, 0x39] as const;
const upper = [0x41, 0x5a] as const;
const lower = [0x61, 0x7a] as const;

function changeCase(toUpper: boolean): CallEmitter {
  return (f, call) => {
    f.expression(argument(call, 0));
    f.code.i32(toUpper ? 1 : 0);
    f.core('charCase');
    orFailure(f, 0);
  };
}

function numericValue(push: PushUnit): CallEmitter {
  return (f, call) => {
    const { code } = f;
    push(f, call);
    f.core('charNumber');
    const number = code.borrow('f64');
    code.tee(number);
    code.f64(-2);
    code.op(f64.eq);
    f.failIf('NotCompiled');
    code.get(number);
    code.release('f64', number);
  };
}

/** A unit that is the whole of a text: pushes whether it is. */
function isSingle(f: FunctionEmitter, text: number): void {
  f.code.get(text);
  f.core('textLength');
  f.code.i32(1);
  f.code.op(i32.eq);
}

function parse(f: FunctionEmitter, call: Call): void {
  pushSingle(f, checkedReference(f, argument(call, 0), 'ArgumentNullException'));
}

/** Pushes the unit that the text in a local is, or throws. */
export function pushSingle(f: FunctionEmitter, text: number): void {
  isSingle(f, text);
  f.code.op(i32.eqz);
  f.failIf('FormatException');
  f.code.get(text);
  f.code.i32(0);
  f.core('textUnit');
}

function tryParse(f: FunctionEmitter, call: Call): void {
  const { code } = f;
  const text = f.toLocal(argument(call, 0));
  const target = outTarget(call, 1);
  const good = code.local('i32');
  const unit = code.local('i32');
  code.get(text.local);
  code.if('i32');
  isSingle(f, text.local);
  code.else();
  code.i32(0);
  code.end();
  code.tee(good);
  code.if();
  code.get(text.local);
  code.i32(0);
  f.core('textUnit');
  code.set(unit);
  storeLocal(f, target, unit);
  code.else();
  storeDefault(f, target);
  code.end();
  code.get(good);
  code.release(text.type, text.local);
}

/** Both halves of a pair in locals, checked in their order; `fails`: they have to be a pair. */
function pair(fails: boolean): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const high = f.toLocal(argument(call, 0));
    const low = f.toLocal(argument(call, 1));
    code.get(high.local);
    masked(f, masks.HighSurrogate);
    code.get(low.local);
    masked(f, masks.LowSurrogate);
    code.op(i32.and);
    if (fails) {
      code.op(i32.eqz);
      f.failIf('ArgumentOutOfRangeException');
      code.get(high.local);
      code.i32(10);
      code.op(i32.shl);
      code.get(low.local);
      code.op(i32.add);
      code.i32(0xd800 * 0x400 + 0xdc00 - 0x10000);
      code.op(i32.sub);
    }
    code.release(high.type, high.local);
    code.release(low.type, low.local);
  };
}

function pointAt(f: FunctionEmitter, call: Call): void {
  const text = checkedReference(f, argument(call, 0), 'ArgumentNullException');
  f.code.get(text);
  f.expression(argument(call, 1));
  f.core('charPoint');
  orFailure(f, 0);
}

/** Two units on the stack, then instructions. */
function two(first: (call: Call) => Expression, second: (call: Call) => Expression, code: Opcode): CallEmitter {
  return (f, call) => {
    f.expression(first(call));
    f.expression(second(call));
    f.code.op(code);
  };
}

const self = (call: Call): Expression => call.receiver as Expression;
const other = (call: Call): Expression => argument(call, 0);

function between(f: FunctionEmitter, call: Call): void {
  const { code } = f;
  const [unit, least, most] = [0, 1, 2].map((index) => f.toLocal(argument(call, index)).local) as [
    number,
    number,
    number,
  ];
  code.get(unit);
  code.get(least);
  code.op(i32.sub);
  code.get(most);
  code.get(least);
  code.op(i32.sub, i32.leU);
}

export const characterCalls: readonly [string, CallEmitter][] = [
  ...Object.entries(classes).flatMap(([name, mask]) =>
    test(name, (f) => {
      f.code.i32(mask);
      f.core('charIs');
      orFailure(f, 0);
    }),
  ),
  ...Object.entries(masks).flatMap(([name, mask]) => test(name, (f) => masked(f, mask))),
  ...test('WhiteSpace', (f) => f.core('charIsSpace')),
  ...test('Control', (f) => {
    // Below 0x20, and from 0x7f to 0x9f: without bit 7 from 0x7f, turned by one, all below 0x21.
    f.code.i32(1);
    f.code.op(i32.add);
    f.code.i32(-129);
    f.code.op(i32.and);
    f.code.i32(0x21);
    f.code.op(i32.ltU);
  }),
  ['Char.IsSurrogatePair(char,char)', pair(false)],
  [
    'Char.IsSurrogatePair(string,int)',
    (f, call) => {
      const text = checkedReference(f, argument(call, 0), 'ArgumentNullException');
      f.code.get(text);
      f.expression(argument(call, 1));
      f.core('charPair');
      orFailure(f, 0);
    },
  ],
  ['Char.IsBetween(char,char,char)', between],
  ['Char.ConvertToUtf32(char,char)', pair(true)],
  ['Char.ConvertToUtf32(string,int)', pointAt],
  [
    'Char.ConvertFromUtf32(int)',
    (f, call) => {
      f.expression(argument(call, 0));
      f.core('textOfPoint');
      newText(f);
    },
  ],
  ['Char.IsAscii(char)', ascii([0, 0x7f])],
  ['Char.IsAsciiDigit(char)', ascii(digits)],
  ['Char.IsAsciiLetter(char)', ascii(upper, lower)],
  ['Char.IsAsciiLetterLower(char)', ascii(lower)],
  ['Char.IsAsciiLetterUpper(char)', ascii(upper)],
  ['Char.IsAsciiLetterOrDigit(char)', ascii(upper, lower, digits)],
  ['Char.IsAsciiHexDigit(char)', ascii(digits, [0x41, 0x46], [0x61, 0x66])],
  ['Char.GetNumericValue(char)', numericValue(given)],
  ['Char.GetNumericValue(string,int)', numericValue(indexed)],
  ...['ToUpper(char)', 'ToUpper(char,CultureInfo)', 'ToUpperInvariant(char)'].map((name): [string, CallEmitter] => [
    `Char.${name}`,
    changeCase(true),
  ]),
  ...['ToLower(char)', 'ToLower(char,CultureInfo)', 'ToLowerInvariant(char)'].map((name): [string, CallEmitter] => [
    `Char.${name}`,
    changeCase(false),
  ]),
  ['Char.Parse(string)', parse],
  ['Char.TryParse(string,out char)', tryParse],
  ['Char.CompareTo(char)', two(self, other, i32.sub)],
  ['Char.Equals(char)', two(self, other, i32.eq)],
];
