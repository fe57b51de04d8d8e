// Span<T> and ReadOnlySpan<T> in compiled code: 64 bits, the address of the first item in the low half and how many there are in the high
// one; all zeros is the empty one. Items lie as in an array. A ReadOnlySpan<EdgeModel> may be a group of the graph instead, all ones above
// (assembly/fragments/spans.ts): it becomes a row of items where somebody wants more than its edges one by one.
//
// Spans live in variables only, never in objects, so what they name is there for as long as they are.

import type { Expression, Statement } from '../../tree.ts';
import type { Type } from '../../types.ts';
import { checkFault } from '../control/faults.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { codeOf, load, places, shiftOf } from '../objects/object-layout.ts';
import { put } from '../objects/objects.ts';
import { mayEnd, nameOf, representation } from '../representation.ts';
import { newText } from '../text/text-answers.ts';
import { i32, i64, type ValueType } from '../wasm/opcodes.ts';
import { requireOwnItems } from './arrays.ts';

/** What the items of a span are. */
export function spanItem(type: Type): Type {
  return (type as Type & { kind: 'named' }).arguments[0] as Type;
}

/** Whether a span may be a group of the graph. */
export function mayBeGroup(type: Type): boolean {
  return nameOf(type) === 'ReadOnlySpan' && nameOf(spanItem(type)) === 'EdgeModel';
}

/** A span in two locals of 32 bits. */
export interface View {
  readonly address: number;
  readonly count: number;
  readonly item: Type;
}

export function newView({ code }: FunctionEmitter, item: Type): View {
  return { address: code.local('i32'), count: code.local('i32'), item };
}

/** Takes a span from the stack apart. */
export function unpack({ code }: FunctionEmitter, view: View): void {
  const whole = code.borrow('i64');
  code.tee(whole);
  code.op(i32.wrapI64);
  code.set(view.address);
  code.get(whole);
  code.i64(32n);
  code.op(i64.shrU, i32.wrapI64);
  code.set(view.count);
  code.release('i64', whole);
}

/** Makes a span of the address and the count on the stack, both of 32 bits. */
export function pack({ code }: FunctionEmitter): void {
  code.op(i64.extendI32U);
  code.i64(32n);
  code.op(i64.shl);
  const high = code.borrow('i64');
  code.set(high);
  code.op(i64.extendI32U);
  code.get(high);
  code.op(i64.or);
  code.release('i64', high);
}

export function pushView(f: FunctionEmitter, { address, count }: View): void {
  f.code.get(address);
  f.code.get(count);
  pack(f);
}

/** Pushes a span whose items lie in a row. */
function pushItems(f: FunctionEmitter, node: Expression): void {
  f.expression(node);
  if (!mayBeGroup(node.type)) return;
  f.core('viewItems');
  checkFault(f);
}

/** Evaluates a span whose items lie in a row into locals of its own. */
export function viewOf(f: FunctionEmitter, node: Expression): View {
  const view = newView(f, spanItem(node.type));
  const known = node.kind === 'local' ? f.viewOf(node.local) : undefined;
  if (known === undefined) {
    pushItems(f, node);
    unpack(f, view);
    return view;
  }
  f.code.get(known.address);
  f.code.set(view.address);
  f.code.get(known.count);
  f.code.set(view.count);
  return view;
}

/** Throws unless the index in a local is within. */
export function checkIndex(f: FunctionEmitter, view: View, index: number): void {
  f.code.get(index);
  f.code.get(view.count);
  f.code.op(i32.geU);
  f.failIf('IndexOutOfRangeException');
}

/** Pushes the address of the item at an index in a local, which is within. */
export function pushAddress({ code }: FunctionEmitter, view: View, index: number): void {
  code.get(view.address);
  code.get(index);
  code.i32(shiftOf(view.item));
  code.op(i32.shl, i32.add);
}

/** Stores the value of a local at the address in another. */
export function putItem(f: FunctionEmitter, item: Type, address: number, value: number): void {
  if (!mayEnd(item)) {
    put(f, item, address, 0, value, false);
    return;
  }
  f.code.get(address);
  f.code.get(value);
  f.core('objectPutItem');
  f.code.op(i32.eqz);
  f.failIf('NotCompiled');
}

/** Narrows a view to `length` items from `start` on, both in locals. */
export function narrow(f: FunctionEmitter, view: View, start: number, length: number): void {
  const { code } = f;
  code.get(start);
  code.get(view.count);
  code.op(i32.gtU);
  code.get(length);
  code.get(view.count);
  code.get(start);
  code.op(i32.sub, i32.gtU, i32.or);
  f.failIf('ArgumentOutOfRangeException');
  pushAddress(f, view, start);
  code.set(view.address);
  code.get(length);
  code.set(view.count);
}

/** Narrows a view to what begins at an index in a local. */
export function narrowFrom(f: FunctionEmitter, view: View, start: number): void {
  const { code } = f;
  code.get(start);
  code.get(view.count);
  code.op(i32.gtU);
  f.failIf('ArgumentOutOfRangeException');
  pushAddress(f, view, start);
  code.set(view.address);
  code.get(view.count);
  code.get(start);
  code.op(i32.sub);
  code.set(view.count);
}

/** The items of an array, null having none; `written`: by a span that things are put through. */
export function viewOfArray(f: FunctionEmitter, array: Expression, written: boolean): View {
  const { code } = f;
  const view = newView(f, (array.type as Type & { kind: 'array' }).element);
  const reference = f.toLocal(array);
  code.get(reference.local);
  code.if('i32');
  if (written) requireOwnItems(f, reference.local, array.type, 'ArrayTypeMismatchException');
  code.get(reference.local);
  code.i32(places.payload);
  code.op(i32.add);
  code.get(reference.local);
  code.load(i32.load, places.count);
  code.set(view.count);
  code.else();
  code.i32(0);
  code.i32(0);
  code.set(view.count);
  code.end();
  code.set(view.address);
  code.release(reference.type, reference.local);
  return view;
}

/** How the items lie, as the core has it. */
export function pushCode(f: FunctionEmitter, item: Type): void {
  f.code.i32(codeOf(item));
}

/** Takes fuel for going over as many items as a local says, in the core. */
export function chargeItems(f: FunctionEmitter, count: number): void {
  const { code } = f;
  code.getGlobal(0);
  code.get(count);
  code.i32(2);
  code.op(i32.shrU, i32.sub);
  code.setGlobal(0);
  f.charge(2);
}

// --- foreach -------------------------------------------------------------------------------------------------------------

export function emitForEachSpan(f: FunctionEmitter, node: Statement & { kind: 'forEach' }): void {
  const { code } = f;
  const after = code.block();
  f.label(node.after, after);
  const walk = mayBeGroup(node.sequence.type) ? walkEdges : walkItems;
  walk(f, node.sequence, (item, type) => {
    const own = code.local(type);
    code.get(item);
    code.set(own);
    f.bind(node.item, own);
    f.label(node.next, code.block());
    f.statement(node.body);
    code.end();
  });
  code.end();
}

type OnItem = (item: number, type: ValueType) => void;

function walkItems(f: FunctionEmitter, node: Expression, onItem: OnItem): void {
  const { code } = f;
  const view = viewOf(f, node);
  const type = representation(view.item);
  const item = code.local(type);
  const end = code.local('i32');
  pushAddress(f, view, view.count);
  code.set(end);
  const after = code.block();
  const top = code.loop();
  code.get(view.address);
  code.get(end);
  code.op(i32.eq);
  code.branchIf(after);
  f.charge(2);
  code.get(view.address);
  load(code, type, 0);
  code.set(item);
  code.get(view.address);
  code.i32(1 << shiftOf(view.item));
  code.op(i32.add);
  code.set(view.address);
  onItem(item, type);
  code.branch(top);
  code.end();
  code.end();
}

/** Edges of a group, or of an array, in which they may be null. */
function walkEdges(f: FunctionEmitter, node: Expression, onItem: OnItem): void {
  const { code } = f;
  const span = f.toLocal(node);
  const [place, end, edge] = [code.local('i32'), code.local('i32'), code.local('i32')];
  code.get(span.local);
  f.core('viewPlaces');
  code.set(end);
  code.i32(0);
  code.set(place);
  const after = code.block();
  const top = code.loop();
  code.get(place);
  code.get(end);
  code.op(i32.geS);
  code.branchIf(after);
  f.charge(3);
  code.get(span.local);
  code.get(place);
  f.core('viewEdgeAt');
  code.set(edge);
  code.get(place);
  code.i32(1);
  code.op(i32.add);
  code.set(place);
  code.get(edge);
  code.i32(-1);
  code.op(i32.eq);
  code.get(span.local);
  code.i64(0n);
  code.op(i64.ltS, i32.and);
  code.branchIf(top);
  onItem(edge, 'i32');
  code.branch(top);
  code.end();
  code.end();
}

/** Pushes the text of a span of characters. */
export function pushText(f: FunctionEmitter, node: Expression): void {
  const view = viewOf(f, node);
  chargeItems(f, view.count);
  pushView(f, view);
  f.core('viewText');
  newText(f);
}
