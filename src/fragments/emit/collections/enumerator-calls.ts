// Enumerators that a fragment moves by hand: MoveNext and Current. After the last item they stay where they are.

import { type Call, type CallEmitter, checkedReceiver, receiver } from '../control/call-parts.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { load, places } from '../objects/object-layout.ts';
import { isEdgeList, representation } from '../representation.ts';
import { itemOf } from '../sequences/sequence.ts';
import { NotCompiled } from '../unsupported.ts';
import { i32 } from '../wasm/opcodes.ts';

/** Offset of the item from the reference of an enumerator. */
const item = 22;

const begin: CallEmitter = (f, call) => {
  const { type } = receiver(call);
  if (isEdgeList(type)) throw new NotCompiled('an enumerator of edges');
  f.code.get(f.module.queries.begin(f, checkedReceiver(f, call)));
};

/** The count of an enumerator says that it has come to its end. */
const moveNext: CallEmitter = (f, call) => {
  const { code } = f;
  const enumerator = checkedReceiver(f, call);
  const moved = code.local('i32');
  code.i32(0);
  code.set(moved);
  code.get(enumerator);
  code.load(i32.load, places.count);
  code.op(i32.eqz);
  code.if();
  const end = code.block();
  const found = code.local(representation(itemTypeOf(call)));
  f.module.queries.next(f, enumerator, itemTypeOf(call), found, end);
  code.i32(1);
  code.set(moved);
  code.end();
  code.get(enumerator);
  code.i32(places.count);
  code.get(moved);
  code.op(i32.eqz);
  f.core('objectPut');
  code.end();
  code.get(moved);
};

function itemTypeOf(call: Call) {
  let node = receiver(call);
  while (node.kind === 'convert' && node.conversion.kind === 'identity') node = node.operand;
  if (node.type.kind !== 'named' || node.type.arguments.length === 0)
    throw new NotCompiled('an enumerator of unknown items');
  return itemOf(node.type);
}

function current(f: FunctionEmitter, call: Call): void {
  f.code.get(checkedReceiver(f, call));
  load(f.code, representation(call.type), item);
}

export const enumeratorCalls = (): readonly [string, CallEmitter][] => [
  ['IEnumerable<T>.GetEnumerator()', begin],
  ['IEnumerator<T>.MoveNext()', moveNext],
  ['IEnumerator.MoveNext()', moveNext],
  ['IEnumerator<T>.get_Current()', current],
  ['IEnumerator<T>.Dispose()', (f, call) => void checkedReceiver(f, call)],
];
