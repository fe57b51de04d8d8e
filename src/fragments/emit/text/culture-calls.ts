// Cultures and formats of a culture: objects of which there is one of a kind, the invariant one. And String's members that take one.

import { argument, type Call, type CallEmitter, checkedReceiver, checkedReference } from '../control/call-parts.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { headOf, tags } from '../objects/object-layout.ts';
import { create } from '../objects/objects.ts';
import { i32 } from '../wasm/opcodes.ts';

const invariantName = 'Invariant Language (Invariant Country)';

/** The only object of the call's type. */
function invariant(f: FunctionEmitter, call: Call): void {
  create(f, headOf(tags.alone, f.module.types.numberOf(call.type)), 0, 0);
}

/** Every name means the invariant culture. */
function named(f: FunctionEmitter, call: Call): void {
  checkedReference(f, argument(call, 0), 'ArgumentNullException');
  invariant(f, call);
}

function part(text: string): CallEmitter {
  return (f, call) => {
    checkedReceiver(f, call);
    f.text(text);
  };
}

/** StartsWith and EndsWith with a truth value that says whether case counts. */
function matches(name: 'textStarts' | 'textEnds'): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const text = checkedReceiver(f, call);
    const wanted = checkedReference(f, argument(call, 0), 'ArgumentNullException');
    f.chargeText(text);
    code.get(text);
    code.get(wanted);
    f.expression(argument(call, 1));
    f.core(name);
    const answer = code.borrow('i32');
    code.tee(answer);
    code.i32(-1);
    code.op(i32.eq);
    f.failIf('OutOfMemoryException');
    code.get(answer);
    code.release('i32', answer);
  };
}

export const cultureCalls: readonly [string, CallEmitter][] = [
  ['CultureInfo.get_InvariantCulture()', invariant],
  ['CultureInfo.get_CurrentCulture()', invariant],
  ['CultureInfo.get_CurrentUICulture()', invariant],
  ['CultureInfo.GetCultureInfo(string)', named],
  ['CultureInfo.get_Name()', part('')],
  ['CultureInfo.get_DisplayName()', part(invariantName)],
  ['CultureInfo.get_EnglishName()', part(invariantName)],
  ['CultureInfo.ToString()', part('')],
  ['NumberFormatInfo.get_InvariantInfo()', invariant],
  ['NumberFormatInfo.get_CurrentInfo()', invariant],
  ['DateTimeFormatInfo.get_InvariantInfo()', invariant],
  ['DateTimeFormatInfo.get_CurrentInfo()', invariant],
  ['String.StartsWith(string,bool,CultureInfo)', matches('textStarts')],
  ['String.EndsWith(string,bool,CultureInfo)', matches('textEnds')],
];
