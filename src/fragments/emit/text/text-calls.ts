// String, its comparison and its searches. Culture is the invariant one everywhere, which compares as ordinal does.

import type { Expression } from '../../tree.ts';
import {
  argument,
  type Call,
  type CallEmitter,
  checkedReceiver,
  checkedReference,
  constantOf,
} from '../control/call-parts.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { pushNameOfSource } from '../elements/element-calls.ts';
import { NotCompiled } from '../unsupported.ts';
import { i32 } from '../wasm/opcodes.ts';
import { newText } from './text-answers.ts';

/** StringComparison: the odd ones ignore case. */
function ignoresCase(call: Call, index: number): boolean {
  const value = Number(constantOf(argument(call, index)));
  if (!(value >= 0 && value <= 5)) throw new NotCompiled('an unknown StringComparison');
  return value % 2 === 1;
}

/** Negative answers of the searches of the core mean that scratch is full: -1 where 0 and 1 are answers, -2 where indices are. */
function orFull(f: FunctionEmitter, full: number): void {
  const { code } = f;
  const answer = code.borrow('i32');
  code.tee(answer);
  code.i32(full);
  code.op(i32.eq);
  f.failIf('OutOfMemoryException');
  code.get(answer);
  code.release('i32', answer);
}

function equality(
  negated: boolean,
  first: (call: Call) => Expression,
  second: (call: Call) => Expression,
): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const [left, right] = [first(call), second(call)];
    const constant = [left, right].find((side) => side.kind === 'constant' && typeof side.value === 'string');
    const other = constant === left ? right : left;
    if (constant?.kind === 'constant' && pushNameOfSource(f, other)) {
      f.name(constant.value as string);
      code.op(negated ? i32.ne : i32.eq);
      return;
    }
    f.expression(left);
    f.expression(right);
    f.core('textEquals');
    if (negated) code.op(i32.eqz);
  };
}

function equalityFolded(
  first: (f: FunctionEmitter, call: Call) => void,
  other: number,
  comparison: number,
): CallEmitter {
  return (f, call) => {
    const folded = ignoresCase(call, comparison);
    first(f, call);
    f.expression(argument(call, other));
    f.core(folded ? 'textEqualsFolded' : 'textEquals');
    if (folded) orFull(f, -1);
  };
}

/** Searches of one text in another. `comparison`: index of that argument, -1 without one. */
function search(name: 'contains' | 'starts' | 'ends' | 'index', comparison: number): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const folded = comparison >= 0 && ignoresCase(call, comparison);
    const text = checkedReceiver(f, call);
    const part = checkedReference(f, argument(call, 0), 'ArgumentNullException');
    f.chargeText(text);
    code.get(text);
    code.get(part);
    if (name === 'starts' || name === 'ends') {
      code.i32(folded ? 1 : 0);
      f.core(name === 'starts' ? 'textStarts' : 'textEnds');
      orFull(f, -1);
      return;
    }
    code.i32(0);
    code.i32(folded ? 1 : 0);
    f.core('textFind');
    orFull(f, -2);
    if (name === 'contains') {
      code.i32(0);
      code.op(i32.geS);
    }
  };
}

function searchUnit(name: 'contains' | 'index' | 'starts' | 'ends'): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const text = checkedReceiver(f, call);
    if (name === 'starts' || name === 'ends') {
      code.get(text);
      f.core('textLength');
      code.if('i32');
      code.get(text);
      if (name === 'starts') code.i32(0);
      else {
        code.get(text);
        f.core('textLength');
        code.i32(1);
        code.op(i32.sub);
      }
      f.core('textUnit');
      f.expression(argument(call, 0));
      code.op(i32.eq);
      code.else();
      code.i32(0);
      code.end();
      return;
    }
    f.chargeText(text);
    code.get(text);
    f.expression(argument(call, 0));
    code.i32(0);
    f.core('textFindUnit');
    orFull(f, -2);
    if (name === 'contains') {
      code.i32(0);
      code.op(i32.geS);
    }
  };
}

function length(f: FunctionEmitter, call: Call): void {
  f.code.get(checkedReceiver(f, call));
  f.core('textLength');
}

function unit(f: FunctionEmitter, call: Call): void {
  const { code } = f;
  const text = checkedReceiver(f, call);
  const index = f.toLocal(argument(call, 0));
  code.get(index.local);
  code.get(text);
  f.core('textLength');
  code.op(i32.geU);
  f.failIf('IndexOutOfRangeException');
  code.get(text);
  code.get(index.local);
  f.core('textUnit');
  code.release(index.type, index.local);
}

function isNullOrEmpty(f: FunctionEmitter, call: Call): void {
  const { code } = f;
  f.expression(argument(call, 0));
  const text = code.local('i32');
  code.tee(text);
  code.if('i32');
  code.get(text);
  f.core('textLength');
  code.op(i32.eqz);
  code.else();
  code.i32(1);
  code.end();
}

function isNullOrWhiteSpace(f: FunctionEmitter, call: Call): void {
  f.expression(argument(call, 0));
  f.core('textIsBlank');
}

const first = (f: FunctionEmitter, call: Call): void => f.expression(argument(call, 0));
const self = (f: FunctionEmitter, call: Call): void => f.code.get(checkedReceiver(f, call));

function substring(f: FunctionEmitter, call: Call): void {
  const { code } = f;
  const text = checkedReceiver(f, call);
  f.chargeText(text);
  const start = f.toLocal(argument(call, 0));
  const count = code.local('i32');
  if (call.arguments.length > 1) {
    f.expression(argument(call, 1));
  } else {
    code.get(text);
    f.core('textLength');
    code.get(start.local);
    code.op(i32.sub);
  }
  code.set(count);
  // Each below or at the length as unsigned numbers, and together.
  code.get(start.local);
  code.get(text);
  f.core('textLength');
  code.op(i32.gtU);
  code.get(count);
  code.get(text);
  f.core('textLength');
  code.get(start.local);
  code.op(i32.sub, i32.gtU, i32.or);
  f.failIf('ArgumentOutOfRangeException');
  code.get(text);
  code.get(start.local);
  code.get(count);
  f.core('textSlice');
  newText(f);
  code.release(start.type, start.local);
}

function concat(f: FunctionEmitter, call: Call): void {
  f.expression(argument(call, 0));
  for (let i = 1; i < call.arguments.length; i++) {
    f.expression(argument(call, i));
    f.core('textJoin');
    newText(f);
    f.charge(64);
  }
}

function trim(ends: number): CallEmitter {
  return (f, call) => {
    const text = checkedReceiver(f, call);
    f.chargeText(text);
    f.code.get(text);
    f.code.i32(ends);
    f.core('textTrim');
    newText(f);
  };
}

function changeCase(upper: boolean): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const text = checkedReceiver(f, call);
    f.chargeText(text);
    code.get(text);
    code.i32(upper ? 1 : 0);
    f.core('textCase');
    newText(f);
  };
}

const receiverOf = (call: Call): Expression => call.receiver as Expression;
const at =
  (index: number) =>
  (call: Call): Expression =>
    argument(call, index);

/** `s.Equals(t)`: a null receiver throws. */
function equalsMember(f: FunctionEmitter, call: Call): void {
  f.code.get(checkedReceiver(f, call));
  f.expression(argument(call, 0));
  f.core('textEquals');
}

/** Without cultures every text counts as normalized. */
const itself: CallEmitter = (f, call) => f.code.get(checkedReceiver(f, call));

const isNormalized: CallEmitter = (f, call) => {
  checkedReceiver(f, call);
  f.code.i32(1);
};

export const textCalls: readonly [string, CallEmitter][] = [
  ['String.Normalize()', itself],
  ['String.Normalize(NormalizationForm)', itself],
  ['String.IsNormalized()', isNormalized],
  ['String.IsNormalized(NormalizationForm)', isNormalized],
  ['String.get_Length()', length],
  ['String.get_Item(int)', unit],
  ['String.Empty', (f) => f.text('')],
  ['String.op_Equality(string,string)', equality(false, at(0), at(1))],
  ['String.op_Inequality(string,string)', equality(true, at(0), at(1))],
  ['String.Equals(string,string)', equality(false, at(0), at(1))],
  ['String.Equals(string)', equalsMember],
  ['String.Equals(string,StringComparison)', equalityFolded(self, 0, 1)],
  ['String.Equals(string,string,StringComparison)', equalityFolded(first, 1, 2)],
  ['String.Contains(string)', search('contains', -1)],
  ['String.Contains(string,StringComparison)', search('contains', 1)],
  ['String.Contains(char)', searchUnit('contains')],
  ['String.StartsWith(string)', search('starts', -1)],
  ['String.StartsWith(string,StringComparison)', search('starts', 1)],
  ['String.StartsWith(char)', searchUnit('starts')],
  ['String.EndsWith(string)', search('ends', -1)],
  ['String.EndsWith(string,StringComparison)', search('ends', 1)],
  ['String.EndsWith(char)', searchUnit('ends')],
  ['String.IndexOf(string)', search('index', -1)],
  ['String.IndexOf(string,StringComparison)', search('index', 1)],
  ['String.IndexOf(char)', searchUnit('index')],
  ['String.IsNullOrEmpty(string)', isNullOrEmpty],
  ['String.IsNullOrWhiteSpace(string)', isNullOrWhiteSpace],
  ['String.Substring(int)', substring],
  ['String.Substring(int,int)', substring],
  ['String.Concat(string,string)', concat],
  ['String.Concat(string,string,string)', concat],
  ['String.Concat(string,string,string,string)', concat],
  ['String.Trim()', trim(3)],
  ['String.TrimStart()', trim(1)],
  ['String.TrimEnd()', trim(2)],
  ['String.ToUpper(CultureInfo)', changeCase(true)],
  ['String.ToLower(CultureInfo)', changeCase(false)],
  ['String.ToUpper()', changeCase(true)],
  ['String.ToUpperInvariant()', changeCase(true)],
  ['String.ToLower()', changeCase(false)],
  ['String.ToLowerInvariant()', changeCase(false)],
  ['String.ToString()', (f, call) => f.code.get(checkedReference(f, receiverOf(call), 'NullReferenceException'))],
];
