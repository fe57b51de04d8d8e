// Arrays of more dimensions: their items lie row by row as those of any array, and their lengths behind them (assembly/fragments/objects.ts).

import type { Expression } from '../../tree.ts';
import type { Type } from '../../types.ts';
import { argument, type Call, type CallEmitter, checkedReceiver, receiver } from '../control/call-parts.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { codeOf, headOf, places, shiftOf, tags } from '../objects/object-layout.ts';
import { orFull } from '../objects/objects.ts';
import { isObjectStruct } from '../representation.ts';
import { NotCompiled } from '../unsupported.ts';
import { i32 } from '../wasm/opcodes.ts';
import { elementOf, type ItemParts, type ItemPlace, pushIndex, rankOf } from './array-items.ts';

const mostDimensions = 4;

export function emitNewGrid(f: FunctionEmitter, node: Expression & { kind: 'newArray' }): void {
  const { code } = f;
  const item = elementOf(node.type);
  const rank = rankOf(node.type);
  if (rank > mostDimensions) throw new NotCompiled('an array of so many dimensions');
  if (node.values !== null) throw new NotCompiled('a grid of values');
  const lengths = node.sizes.map((size) => pushIndex(f, size));
  for (const length of lengths) {
    code.get(length);
    code.i32(0);
    code.op(i32.ltS);
    f.failIf('OverflowException');
  }
  const grid = code.local('i32');
  code.i32(headOf(tags.array, f.module.types.numberOf(node.type), codeOf(item)));
  code.i32(rank);
  for (const length of lengths) code.get(length);
  for (let at = rank; at < mostDimensions; at++) code.i32(0);
  f.core('objectGrid');
  orFull(f);
  code.set(grid);
  // Room costs: a sixteenth of the bytes.
  code.getGlobal(0);
  code.get(grid);
  code.load(i32.load, places.count);
  code.i32(2);
  code.op(i32.shrU, i32.sub);
  code.setGlobal(0);
  f.charge(4);
  if (isObjectStruct(item)) {
    code.get(grid);
    f.zero(item);
    f.core('objectFill');
  }
  code.get(grid);
}

/** Pushes the address of the lengths, less `places.payload`, of the grid in a local. */
function pushLengths({ code }: FunctionEmitter, grid: number, item: Type): void {
  code.get(grid);
  code.get(grid);
  code.load(i32.load, places.count);
  code.i32(shiftOf(item));
  code.op(i32.shl, i32.add);
}

/** An item by its indices, each checked. */
export function gridPlace(f: FunctionEmitter, { array: grid, indices: own, item }: ItemParts): ItemPlace {
  const { code } = f;
  code.get(grid);
  code.op(i32.eqz);
  f.failIf('NullReferenceException');
  const lengths = code.local('i32');
  pushLengths(f, grid, item);
  code.set(lengths);
  for (const [at, index] of own.entries()) {
    code.get(index);
    code.get(lengths);
    code.load(i32.load, places.payload + 4 * at);
    code.op(i32.geU);
    f.failIf('IndexOutOfRangeException');
  }
  const place = code.local('i32');
  code.get(own[0] as number);
  for (const [at, index] of own.entries()) {
    if (at === 0) continue;
    code.get(lengths);
    code.load(i32.load, places.payload + 4 * at);
    code.op(i32.mul);
    code.get(index);
    code.op(i32.add);
  }
  code.set(place);
  return { array: grid, index: place, item };
}

/** Pushes what `push` makes of the length of the dimension that the argument names. */
function ofDimension(push: (f: FunctionEmitter, pushLength: () => void) => void): CallEmitter {
  return (f: FunctionEmitter, call: Call) => {
    const { code } = f;
    const { type } = receiver(call);
    const rank = rankOf(type);
    const grid = checkedReceiver(f, call);
    const dimension = f.toLocal(argument(call, 0));
    code.get(dimension.local);
    code.i32(rank);
    code.op(i32.geU);
    f.failIf('IndexOutOfRangeException');
    push(f, () => {
      if (rank === 1) {
        code.get(grid);
        code.load(i32.load, places.count);
        return;
      }
      pushLengths(f, grid, elementOf(type));
      code.get(dimension.local);
      code.i32(2);
      code.op(i32.shl, i32.add);
      code.load(i32.load, places.payload);
    });
    code.release(dimension.type, dimension.local);
  };
}

const rank: CallEmitter = (f, call) => {
  checkedReceiver(f, call);
  f.code.i32(rankOf(receiver(call).type));
};

export const gridCalls: readonly [string, CallEmitter][] = [
  ['Array.get_Rank()', rank],
  ['Array.GetLength(int)', ofDimension((_, pushLength) => pushLength())],
  ['Array.GetLowerBound(int)', ofDimension((f) => f.code.i32(0))],
  [
    'Array.GetUpperBound(int)',
    ofDimension((f, pushLength) => {
      pushLength();
      f.code.i32(1);
      f.code.op(i32.sub);
    }),
  ],
];
