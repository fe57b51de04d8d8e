// Array.Sort and List.Sort. The core asks which items to compare and moves them in the end (assembly/fragments/sort.ts): what has an order
// of its own it compares itself, comparisons of the fragment are called from here.

import type { Expression } from '../../tree.ts';
import type { Type } from '../../types.ts';
import { elementOf } from '../arrays/array-items.ts';
import { argument, type Call, type CallEmitter } from '../control/call-parts.ts';
import { lambdaOf } from '../control/callbacks.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { catching } from '../control/try-statements.ts';
import { orFull } from '../objects/objects.ts';
import { representation } from '../representation.ts';
import { failures } from '../wasm/failures.ts';
import { i32 } from '../wasm/opcodes.ts';
import { type Comparer, comparerOf, comparisonOf } from './comparers.ts';
import { checkAnswer, touchList } from './list-objects.ts';
import { givenPart, type Indexed, indexedArray, type Owner, ofArray, ofList, type Part, whole } from './searches.ts';

const argumentFault = failures.indexOf('ArgumentException');

/** Takes fuel for sorting so many items, before it is done. */
function chargeSort(f: FunctionEmitter, count: number): void {
  const { code } = f;
  code.getGlobal(0);
  code.get(count);
  code.i32(4);
  code.op(i32.shl, i32.sub);
  code.setGlobal(0);
  f.charge(8);
}

/** Puts the state of a finished sort of a part into a local. */
function sorted(f: FunctionEmitter, items: Indexed, part: Part, comparer: Comparer): number {
  chargeSort(f, part.count);
  return comparer.kind === 'default' ? byCore(f, items, part, comparer.folded) : byDelegate(f, items, part, comparer);
}

function byCore(f: FunctionEmitter, items: Indexed, part: Part, folded: boolean): number {
  const { code } = f;
  const state = code.local('i32');
  items.items();
  items.first();
  code.get(part.start);
  code.op(i32.add);
  code.get(part.count);
  f.core('objectSlice');
  orFull(f);
  code.i32(folded ? 2 : 0);
  code.i32(0);
  f.core('orderKey');
  checkAnswer(f, false);
  code.get(part.count);
  f.core('itemsOrder');
  code.tee(state);
  code.i32(argumentFault);
  code.op(i32.eq);
  f.failIf('InvalidOperationException');
  code.get(state);
  checkAnswer(f, false);
  code.set(state);
  return state;
}

function byDelegate(f: FunctionEmitter, items: Indexed, part: Part, comparer: Comparer & { kind: 'delegate' }): number {
  const { code } = f;
  const [state, order, asked] = [code.local('i32'), code.local('i32'), code.local('i32')];
  code.get(part.count);
  f.core('sortStart');
  checkAnswer(f, false);
  code.set(state);
  code.i32(0);
  code.set(order);
  const after = code.block();
  const top = code.loop();
  code.get(state);
  code.get(order);
  f.core('sortNext');
  code.tee(asked);
  code.op(i32.eqz);
  code.branchIf(after);
  code.get(asked);
  code.i32(1);
  code.op(i32.ne);
  code.if();
  code.get(asked);
  f.failNumber();
  code.end();
  f.charge(2);
  const places = [0, 1].map((which) => {
    const index = code.local('i32');
    code.get(state);
    code.i32(which);
    f.core('sortAsked');
    code.get(part.start);
    code.op(i32.add);
    code.set(index);
    const place = code.local(representation(items.item));
    items.load(index);
    code.set(place);
    return place;
  });
  comparer.compare.apply(places);
  code.set(order);
  code.branch(top);
  code.end();
  code.end();
  return state;
}

function apply(f: FunctionEmitter, state: number, items: Indexed, part: Part): void {
  const { code } = f;
  code.get(state);
  items.items();
  items.first();
  code.get(part.start);
  code.op(i32.add);
  f.core('sortApply');
  code.op(i32.eqz);
  f.failIf('OutOfMemoryException');
}

/** Evaluating what cannot throw: a comparison of numbers or properties that are always there. */
function neverThrows(node: Expression): boolean {
  switch (node.kind) {
    case 'constant':
    case 'local':
      return true;
    case 'binary':
      return !node.checked && !/[/%]/.test(node.operator) && neverThrows(node.left) && neverThrows(node.right);
    case 'negate':
      return !node.checked && neverThrows(node.operand);
    case 'conditional':
      return [node.condition, node.whenTrue, node.whenFalse].every(neverThrows);
    case 'tupleElement':
      return neverThrows(node.tuple);
    case 'convert':
      return node.conversion.kind === 'numeric' && !node.conversion.checked && neverThrows(node.operand);
    case 'call':
      return (
        /^(Int32|Int64|Double|Single|Char|Byte|Decimal|DateTime)\.CompareTo\(/.test(node.member.key) &&
        [node.receiver, ...node.arguments.map((given) => (given.mode === 'value' ? given.value : null))].every(
          (part) => part !== null && neverThrows(part),
        )
      );
    default:
      return false;
  }
}

function isSafe(node: Expression): boolean {
  const body = lambdaOf(node)?.body;
  const [only] = body?.statements ?? [];
  return body?.statements.length === 1 && only?.kind === 'return' && only.value !== null && neverThrows(only.value);
}

/** What a comparison throws comes out as an InvalidOperationException, a broken index as a bad argument. */
function guarded(f: FunctionEmitter, comparer: Comparer, node: Expression | null, work: () => void): void {
  if (comparer.kind === 'default' || (node !== null && isSafe(node))) {
    work();
    return;
  }
  catching(f, work, (thrown) => {
    const { code } = f;
    code.get(thrown);
    f.module.exceptions.number(f);
    code.i32(failures.indexOf('IndexOutOfRangeException'));
    code.op(i32.eq);
    f.failIf('ArgumentException');
    f.module.exceptions.caused(f, 'InvalidOperationException', thrown);
  });
}

interface Shape {
  /** Places of arguments behind the owner, -1 for none: the companion, the part, the comparer, the Comparison<T>. */
  readonly companion?: number;
  readonly part?: number;
  readonly comparer?: number;
  readonly comparison?: number;
}

function sort(owner: Owner, { companion = -1, part: partAt = -1, comparer: comparerAt = -1, comparison = -1 }: Shape) {
  return (f: FunctionEmitter, call: Call): void => {
    const { code } = f;
    const { items, rest } = owner(f, call);
    const other = companion < 0 ? null : companionOf(f, argument(call, rest + companion));
    const part = partAt < 0 ? whole(f, items) : givenPart(f, call, items, rest + partAt);
    const given = comparerAt < 0 ? null : argument(call, rest + comparerAt);
    const lambda = comparison < 0 ? null : argument(call, rest + comparison);
    const comparer = lambda === null ? comparerOf(f, given, items.item) : comparisonOf(f, lambda, items.item);
    if (other !== null) other.check(part);
    code.get(part.count);
    code.i32(1);
    code.op(i32.gtS);
    code.if();
    guarded(f, comparer, lambda, () => {
      const state = sorted(f, items, part, comparer);
      apply(f, state, items, part);
      if (other === null) return;
      code.get(other.items.place);
      code.if();
      apply(f, state, other.items, part);
      code.end();
    });
    code.end();
    if (!items.isArray) touchList(f, items.place);
  };
}

/** The array that moves along with the keys; it may be null, but not too short. */
function companionOf(f: FunctionEmitter, node: Expression): { items: Indexed; check: (part: Part) => void } {
  const { code } = f;
  const array = f.toLocal(node).local;
  const item: Type = elementOf(node.type);
  const items = indexedArray(f, array, item);
  return {
    items,
    check: ({ start, count }) => {
      code.get(array);
      code.if();
      code.get(start);
      items.count();
      code.get(count);
      code.op(i32.sub, i32.gtS);
      f.failIf('ArgumentException');
      code.end();
    },
  };
}

function reverse(owner: Owner, isWhole: boolean): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const { items, rest } = owner(f, call);
    const part = isWhole ? whole(f, items) : givenPart(f, call, items, rest);
    items.items();
    items.first();
    code.get(part.start);
    code.op(i32.add);
    code.get(part.count);
    f.core('itemsReverse');
    if (!items.isArray) touchList(f, items.place);
  };
}

const C = 'IComparer<T>';
const pairs = 'Array.Sort<TKey,TValue>(TKey[],TValue[]';

export const sortCalls = (): readonly [string, CallEmitter][] => [
  ['Array.Sort<T>(T[])', sort(ofArray, {})],
  [`Array.Sort<T>(T[],${C})`, sort(ofArray, { comparer: 0 })],
  ['Array.Sort<T>(T[],Comparison<T>)', sort(ofArray, { comparison: 0 })],
  ['Array.Sort<T>(T[],int,int)', sort(ofArray, { part: 0 })],
  [`Array.Sort<T>(T[],int,int,${C})`, sort(ofArray, { part: 0, comparer: 2 })],
  [`${pairs})`, sort(ofArray, { companion: 0 })],
  [`${pairs},IComparer<TKey>)`, sort(ofArray, { companion: 0, comparer: 1 })],
  [`${pairs},int,int)`, sort(ofArray, { companion: 0, part: 1 })],
  [`${pairs},int,int,IComparer<TKey>)`, sort(ofArray, { companion: 0, part: 1, comparer: 3 })],
  ['List<T>.Sort()', sort(ofList, {})],
  [`List<T>.Sort(${C})`, sort(ofList, { comparer: 0 })],
  ['List<T>.Sort(Comparison<T>)', sort(ofList, { comparison: 0 })],
  [`List<T>.Sort(int,int,${C})`, sort(ofList, { part: 0, comparer: 2 })],
  ['Array.Reverse<T>(T[])', reverse(ofArray, true)],
  ['Array.Reverse<T>(T[],int,int)', reverse(ofArray, false)],
  ['List<T>.Reverse()', reverse(ofList, true)],
  ['List<T>.Reverse(int,int)', reverse(ofList, false)],
];
