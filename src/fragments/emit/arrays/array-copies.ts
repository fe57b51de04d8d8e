// Array.Copy and CopyTo of arrays and collections.

import { widens } from '../../interpreter/integers.ts';
import { runtimeType } from '../../interpreter/runtime-types.ts';
import type { Expression } from '../../tree.ts';
import type { Type } from '../../types.ts';
import { pushCountOf } from '../collections/interface-calls.ts';
import { ofList } from '../collections/searches.ts';
import {
  argument,
  argumentLocal,
  type Call,
  type CallEmitter,
  checkedReference,
  receiver,
} from '../control/call-parts.ts';
import { variable } from '../control/callbacks.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { toObject, unbox } from '../objects/boxes.ts';
import { places } from '../objects/object-layout.ts';
import { representation } from '../representation.ts';
import { goOver, itemOf } from '../sequences/sequence.ts';
import { NotCompiled } from '../unsupported.ts';
import { i32 } from '../wasm/opcodes.ts';
import { elementOf, rankOf } from './array-items.ts';
import { loadItemOf, requireOwnItems, storeItemOf } from './arrays.ts';

/** An array behind a conversion to Array, with the type it has there; `anyRank`: also one of more dimensions. */
export function bare(node: Expression, anyRank = false): Expression {
  let inner = node;
  while (inner.type.kind !== 'array' && inner.kind === 'convert') inner = inner.operand;
  if (inner.type.kind !== 'array' || (inner.type.rank > 1 && !anyRank))
    throw new NotCompiled('an array of unknown items');
  return inner;
}

/** Pushes what an item of one type is in an array of another; throws NotCompiled for pairs that differ at run time alone. */
function pushCopied(f: FunctionEmitter, from: Type, to: Type, item: number): void {
  const [own, wanted] = [runtimeType(from), runtimeType(to)];
  const operand = variable(f, from, item);
  if (own.isValue && wanted.isValue) {
    if (own.type.kind !== 'primitive' || wanted.type.kind !== 'primitive' || !widens(own.type.name, wanted.type.name)) {
      f.fail('ArrayTypeMismatchException');
      f.zero(to);
      return;
    }
    const [source, target] = [own.type.name, wanted.type.name];
    const conversion = { kind: 'numeric', from: source, to: target, checked: false } as const;
    f.expression({ kind: 'convert', type: to, conversion, operand });
  } else if (own.isValue) {
    f.expression(operand);
    toObject(f, from);
  } else if (wanted.isValue) {
    f.code.get(item);
    f.code.op(i32.eqz);
    f.failIf('InvalidCastException');
    f.code.get(item);
    f.module.types.test(f, to);
    f.code.op(i32.eqz);
    f.failIf('InvalidCastException');
    f.code.get(item);
    unbox(f, to);
  } else f.expression({ kind: 'convert', type: to, conversion: { kind: 'reference' }, operand });
}

interface Copied {
  readonly node: Expression;
  readonly array: number;
  readonly start: number;
}

function copy(f: FunctionEmitter, from: Copied, to: Copied, count: number): void {
  const { code } = f;
  const [own, wanted] = [elementOf(from.node.type), elementOf(to.node.type)];
  code.get(count);
  for (const { start } of [from, to]) {
    code.get(start);
    code.op(i32.or);
  }
  code.i32(0);
  code.op(i32.ltS);
  f.failIf('ArgumentOutOfRangeException');
  for (const { array, start } of [from, to]) {
    code.get(start);
    code.get(array);
    code.load(i32.load, places.count);
    code.get(count);
    code.op(i32.sub, i32.gtS);
  }
  code.op(i32.or);
  f.failIf('ArgumentException');
  requireOwnItems(f, to.array, to.node.type);
  if (runtimeType(own).key === runtimeType(wanted).key) {
    f.charge(8);
    code.get(to.array);
    code.get(to.start);
    code.get(from.array);
    code.get(from.start);
    code.get(count);
    f.core('objectMove');
    return;
  }
  const [index, at] = [code.local('i32'), code.local('i32')];
  const [item, value] = [code.local(representation(own)), code.local(representation(wanted))];
  code.i32(0);
  code.set(index);
  const after = code.block();
  const top = code.loop();
  code.get(index);
  code.get(count);
  code.op(i32.geS);
  code.branchIf(after);
  f.charge(2);
  code.get(from.start);
  code.get(index);
  code.op(i32.add);
  code.set(at);
  loadItemOf(f, { array: from.array, index: at, item: own });
  code.set(item);
  pushCopied(f, own, wanted, item);
  code.set(value);
  code.get(to.start);
  code.get(index);
  code.op(i32.add);
  code.set(at);
  storeItemOf(f, { array: to.array, index: at, item: wanted }, value);
  code.get(index);
  code.i32(1);
  code.op(i32.add);
  code.set(index);
  code.branch(top);
  code.end();
  code.end();
}

/** An index that is an argument, or 0. */
function indexAt(f: FunctionEmitter, call: Call, index: number): number {
  const start = f.code.local('i32');
  if (index < 0) f.code.i32(0);
  else f.expression(argument(call, index));
  f.code.set(start);
  return start;
}

function copyArrays(fromAt: number, toNode: number, toAt: number, countAt: number): CallEmitter {
  return (f, call) => {
    const [one, other] = [bare(argument(call, 0), true), bare(argument(call, toNode), true)];
    if (rankOf(one.type) !== rankOf(other.type)) throw new NotCompiled('a copy between arrays of different ranks');
    const source = f.toLocal(one).local;
    const start = indexAt(f, call, fromAt);
    const target = f.toLocal(other).local;
    const at = indexAt(f, call, toAt);
    const count = argumentLocal(f, call, countAt);
    for (const array of [source, target]) {
      f.code.get(array);
      f.code.op(i32.eqz);
      f.failIf('ArgumentNullException');
    }
    copy(f, { node: one, array: source, start }, { node: other, array: target, start: at }, count);
  };
}

const copyTo: CallEmitter = (f, call) => {
  const { code } = f;
  const [one, other] = [bare(receiver(call)), bare(argument(call, 0))];
  const source = checkedReference(f, one, 'NullReferenceException');
  const target = checkedReference(f, other, 'ArgumentNullException');
  const [start, count] = [code.local('i32'), code.local('i32')];
  code.i32(0);
  code.set(start);
  code.get(source);
  code.load(i32.load, places.count);
  code.set(count);
  copy(f, { node: one, array: source, start }, { node: other, array: target, start: indexAt(f, call, 1) }, count);
};

/** List.CopyTo of a part: index, array, place in it, count. */
const copyListPart: CallEmitter = (f, call) => {
  const { code } = f;
  const { items } = ofList(f, call);
  const from = argumentLocal(f, call, 0);
  const node = argument(call, 1);
  const array = f.toLocal(node).local;
  const [at, count] = [argumentLocal(f, call, 2), argumentLocal(f, call, 3)];
  items.count();
  code.get(from);
  code.op(i32.sub);
  code.get(count);
  code.op(i32.ltS);
  f.failIf('ArgumentException');
  code.get(array);
  code.op(i32.eqz);
  f.failIf('ArgumentNullException');
  const behind = code.local('i32');
  items.items();
  code.set(behind);
  code.get(from);
  items.first();
  code.op(i32.add);
  code.set(from);
  const source: Expression = { kind: 'default', type: { kind: 'array', element: items.item, rank: 1 } };
  copy(f, { node: source, array: behind, start: from }, { node, array, start: at }, count);
};

/** CopyTo of any collection: its items one by one. */
const copyCollection: CallEmitter = (f, call) => {
  const { code } = f;
  const items = f.sequence(receiver(call), 'NullReferenceException');
  const node = argument(call, 0);
  const array = checkedReference(f, node, 'ArgumentNullException');
  const item = itemOf(receiver(call).type);
  const index = indexAt(f, call, call.arguments.length > 1 ? 1 : -1);
  code.get(index);
  code.i32(0);
  code.op(i32.ltS);
  f.failIf('ArgumentOutOfRangeException');
  code.get(index);
  code.get(array);
  code.load(i32.load, places.count);
  if (items.count !== undefined) items.count(f);
  else pushCountOf(f, items.place as number, item);
  code.op(i32.sub, i32.gtS);
  f.failIf('ArgumentException');
  requireOwnItems(f, array, node.type);
  goOver(f, items, (found) => {
    storeItemOf(f, { array, index, item }, found);
    code.get(index);
    code.i32(1);
    code.op(i32.add);
    code.set(index);
  });
};

export const copyCalls = (): readonly [string, CallEmitter][] => [
  ['Array.Copy(Array,Array,int)', copyArrays(-1, 1, -1, 2)],
  ['Array.Copy(Array,int,Array,int,int)', copyArrays(1, 2, 3, 4)],
  ['Array.CopyTo(Array,int)', copyTo],
  ['List<T>.CopyTo(T[])', copyCollection],
  ['List<T>.CopyTo(T[],int)', copyCollection],
  ['List<T>.CopyTo(int,T[],int,int)', copyListPart],
  ['HashSet<T>.CopyTo(T[])', copyCollection],
  ['HashSet<T>.CopyTo(T[],int)', copyCollection],
  ['ICollection<T>.CopyTo(T[],int)', copyCollection],
];
