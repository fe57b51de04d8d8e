// Arrays: making them, their items, going over them, and the members that are theirs alone. Those of more dimensions: grids.ts.

import type { Expression, Statement } from '../../tree.ts';
import type { Type } from '../../types.ts';
import { argument, type Call, type CallEmitter, checkedReceiver, checkedReference } from '../control/call-parts.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { codeOf, headOf, load, places, shiftOf, tags } from '../objects/object-layout.ts';
import { orFull, put } from '../objects/objects.ts';
import { formOf, isObjectStruct, nameOf, representation } from '../representation.ts';
import type { Failure } from '../wasm/failures.ts';
import { i32, i64 } from '../wasm/opcodes.ts';
import { elementOf, type ItemParts, type ItemPlace, pushIndex, rankOf } from './array-items.ts';
import { emitNewGrid, gridPlace } from './grids.ts';

/** Pushes a new array of as many items as the i32 on the stack says, which is not negative. */
export function createArray(f: FunctionEmitter, type: Type): void {
  const { code } = f;
  const item = elementOf(type);
  const count = code.borrow('i32');
  code.set(count);
  // Room costs: a sixteenth of the bytes.
  code.getGlobal(0);
  code.get(count);
  code.i32(2);
  code.op(i32.shrU, i32.sub);
  code.setGlobal(0);
  f.charge(4);
  code.i32(headOf(tags.array, f.module.types.numberOf(type), codeOf(item)));
  code.get(count);
  f.core('objectArray');
  orFull(f);
  code.release('i32', count);
}

export function emitNewArray(f: FunctionEmitter, node: Expression & { kind: 'newArray' }): void {
  const { code } = f;
  if (rankOf(node.type) > 1) {
    emitNewGrid(f, node);
    return;
  }
  const item = elementOf(node.type);
  const array = code.local('i32');
  if (node.values !== null) {
    code.i32(node.values.length);
    createArray(f, node.type);
    code.set(array);
    for (const [index, value] of node.values.entries()) {
      const held = f.toLocal(value);
      put(f, item, array, places.payload + (index << shiftOf(item)), held.local, false);
      code.release(held.type, held.local);
    }
    code.get(array);
    return;
  }
  const count = pushIndex(f, node.sizes[0] as Expression);
  code.get(count);
  code.i32(0);
  code.op(i32.ltS);
  f.failIf('OverflowException');
  code.get(count);
  createArray(f, node.type);
  code.set(array);
  fillDefaults(f, array, item);
  code.get(array);
}

/** Structs that are objects have a default that is one, too. */
export function fillDefaults(f: FunctionEmitter, array: number, item: Type): void {
  if (!isObjectStruct(item)) return;
  f.code.get(array);
  f.zero(item);
  f.core('objectFill');
}

/** Whether an array of such items may be one of narrower items, which take less. */
function mayBeNarrower(item: Type): boolean {
  const form = formOf(item);
  if (form === 'element') return nameOf(item) === 'AGraphElementModel';
  if (form === 'object') return true;
  return form === 'reference' && (item.kind === 'array' || !sealedReferences.has(nameOf(item)));
}

/** References that no other type derives from. */
const sealedReferences = new Set(['List', 'Queue', 'Dictionary', 'HashSet', 'Tuple', '']);

/** An array that was made of narrower items checks what it is given: left to the interpreter, or an exception. */
export function requireOwnItems(f: FunctionEmitter, array: number, type: Type, failure: Failure = 'NotCompiled'): void {
  if (!mayBeNarrower(elementOf(type))) return;
  const { code } = f;
  code.get(array);
  code.i32(2);
  code.op(i32.sub);
  code.load(i32.load, 0);
  code.i32(8);
  code.op(i32.shrU);
  code.i32(0xffff);
  code.op(i32.and);
  code.i32(f.module.types.numberOf(type));
  code.op(i32.ne);
  f.failIf(failure);
}

export function itemPlace(f: FunctionEmitter, array: Expression, indices: readonly Expression[]): ItemPlace {
  return checkedItem(f, itemParts(f, array, indices));
}

/** Evaluates the array and the indices without a look at them. */
export function itemParts(f: FunctionEmitter, array: Expression, indices: readonly Expression[]): ItemParts {
  f.expression(array);
  const place = f.code.local('i32');
  f.code.set(place);
  return { array: place, indices: indices.map((index) => pushIndex(f, index)), item: elementOf(array.type) };
}

/** The place that evaluated parts name; throws where there is none. */
export function checkedItem(f: FunctionEmitter, parts: ItemParts): ItemPlace {
  const { code } = f;
  if (parts.indices.length > 1) return gridPlace(f, parts);
  const { array: place, item } = parts;
  const index = parts.indices[0] as number;
  code.get(place);
  code.op(i32.eqz);
  f.failIf('NullReferenceException');
  code.get(index);
  code.get(place);
  code.load(i32.load, places.count);
  code.op(i32.geU);
  f.failIf('IndexOutOfRangeException');
  return { array: place, index, item };
}

export function loadItemOf(f: FunctionEmitter, { array, index, item }: ItemPlace): void {
  const { code } = f;
  code.get(array);
  code.get(index);
  code.i32(shiftOf(item));
  code.op(i32.shl, i32.add);
  load(code, representation(item), places.payload);
}

export function storeItemOf(f: FunctionEmitter, { array, index, item }: ItemPlace, value: number): void {
  const offset = () => {
    f.code.get(index);
    f.code.i32(shiftOf(item));
    f.code.op(i32.shl);
    f.code.i32(places.payload);
    f.code.op(i32.add);
  };
  put(f, item, array, offset, value, false);
}

/** A loop over the items of the array in a local, not null; `onItem` gets each in a local. */
function walkArray(f: FunctionEmitter, array: number, type: Type, onItem: (item: number) => void): void {
  const { code } = f;
  const element = elementOf(type);
  const index = code.local('i32');
  const item = code.local(representation(element));
  code.i32(0);
  code.set(index);
  const after = code.block();
  const top = code.loop();
  code.get(index);
  code.get(array);
  code.load(i32.load, places.count);
  code.op(i32.geU);
  code.branchIf(after);
  f.charge(2);
  loadItemOf(f, { array, index, item: element });
  code.set(item);
  code.get(index);
  code.i32(1);
  code.op(i32.add);
  code.set(index);
  onItem(item);
  code.branch(top);
  code.end();
  code.end();
}

export function emitForEachArray(f: FunctionEmitter, node: Statement & { kind: 'forEach' }): void {
  const { code } = f;
  const after = code.block();
  f.label(node.after, after);
  const array = checkedReference(f, node.sequence, 'NullReferenceException');
  walkArray(f, array, node.sequence.type, (item) => {
    const own = code.local(representation(node.item.type));
    code.get(item);
    code.set(own);
    f.bind(node.item, own);
    f.label(node.next, code.block());
    f.statement(node.body);
    code.end();
  });
  code.end();
}

function length(f: FunctionEmitter, call: Call): void {
  f.code.get(checkedReceiver(f, call));
  f.code.load(i32.load, places.count);
}

function slice(f: FunctionEmitter, call: Call): void {
  const { code } = f;
  const array = checkedReference(f, argument(call, 0), 'NullReferenceException');
  const start = f.toLocal(argument(call, 1));
  const count = f.toLocal(argument(call, 2));
  // Each at most the length as unsigned numbers, and together.
  code.get(start.local);
  code.get(array);
  code.load(i32.load, places.count);
  code.op(i32.gtU);
  code.get(count.local);
  code.get(array);
  code.load(i32.load, places.count);
  code.get(start.local);
  code.op(i32.sub, i32.gtU, i32.or);
  f.failIf('ArgumentOutOfRangeException');
  f.charge(8);
  code.get(array);
  code.get(start.local);
  code.get(count.local);
  f.core('objectSlice');
  orFull(f);
}

export const arrayCalls: readonly [string, CallEmitter][] = [
  ['Array.get_Length()', length],
  ['Array.get_LongLength()', (f, call) => {
    length(f, call);
    f.code.op(i64.extendI32U);
  }],
  ['Array.slice<T>(T[],int,int)', slice],
]; // biome-ignore format: a table
