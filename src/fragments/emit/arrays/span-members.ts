// The members of Span, ReadOnlySpan and MemoryExtensions, but for those of spans of characters alone (span-texts.ts).

import type { Expression } from '../../tree.ts';
import type { Type } from '../../types.ts';
import { argument, type Call, type CallEmitter, receiver } from '../control/call-parts.ts';
import { primitive, variable } from '../control/callbacks.ts';
import { newCell } from '../control/closures.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { codeOf, headOf, load, places, tags } from '../objects/object-layout.ts';
import { orFull } from '../objects/objects.ts';
import { mayEnd, nameOf, representation } from '../representation.ts';
import { i32, i64, parametric } from '../wasm/opcodes.ts';
import {
  chargeItems,
  checkIndex,
  mayBeGroup,
  narrow,
  narrowFrom,
  pushAddress,
  pushCode,
  pushText,
  pushView,
  putItem,
  spanItem,
  type View,
  viewOf,
  viewOfArray,
} from './spans.ts';

// --- One span ------------------------------------------------------------------------------------------------------------

const isWritten = (call: Call): boolean => nameOf(call.type) === 'Span';

const ofArray: CallEmitter = (f, call) => pushView(f, viewOfArray(f, argument(call, 0), isWritten(call)));

/** The array and where the part begins: `(array, start)` or `(array, start, length)`. */
const partOfArray: CallEmitter = (f, call) => {
  const view = viewOfArray(f, argument(call, 0), isWritten(call));
  pushPart(f, view, call, 1);
};

const slice: CallEmitter = (f, call) => pushPart(f, viewOf(f, receiver(call)), call, 0);

/** Pushes the part of a view that the arguments from `first` on name. */
export function pushPart(f: FunctionEmitter, view: View, call: Call, first: number): void {
  const [start, length] = call.arguments.slice(first).map((_, at) => f.toLocal(argument(call, first + at)));
  if (start === undefined) throw new Error('a part without a start');
  if (length === undefined) narrowFrom(f, view, start.local);
  else narrow(f, view, start.local, length.local);
  pushView(f, view);
  for (const each of [start, length]) if (each !== undefined) f.code.release(each.type, each.local);
}

const empty: CallEmitter = ({ code }) => code.i64(0n);

const length: CallEmitter = (f, call) => {
  const node = receiver(call);
  if (mayBeGroup(node.type)) {
    f.expression(node);
    f.core('viewCount');
    return;
  }
  f.code.get(viewOf(f, node).count);
};

const isEmpty: CallEmitter = (f, call) => {
  length(f, call);
  f.code.op(i32.eqz);
};

const item: CallEmitter = (f, call) => {
  const { code } = f;
  const node = receiver(call);
  if (mayBeGroup(node.type)) {
    edge(f, call);
    return;
  }
  const view = viewOf(f, node);
  const index = f.toLocal(argument(call, 0));
  checkIndex(f, view, index.local);
  pushAddress(f, view, index.local);
  load(code, representation(view.item), 0);
  code.release(index.type, index.local);
};

function edge(f: FunctionEmitter, call: Call): void {
  const { code } = f;
  const span = f.toLocal(receiver(call));
  const index = f.toLocal(argument(call, 0));
  code.get(index.local);
  code.get(span.local);
  f.core('viewCount');
  code.op(i32.geU);
  f.failIf('IndexOutOfRangeException');
  code.get(span.local);
  code.get(index.local);
  f.core('viewEdge');
  code.release(span.type, span.local);
  code.release(index.type, index.local);
}

const setItem: CallEmitter = (f, call) => {
  const { code } = f;
  const view = viewOf(f, receiver(call));
  const index = f.toLocal(argument(call, 0));
  const value = f.toLocal(argument(call, 1));
  checkIndex(f, view, index.local);
  pushAddress(f, view, index.local);
  code.set(index.local);
  putItem(f, view.item, index.local, value.local);
  code.release(index.type, index.local);
  code.release(value.type, value.local);
};

const toArray: CallEmitter = (f, call) => {
  const view = viewOf(f, receiver(call));
  chargeItems(f, view.count);
  pushView(f, view);
  f.code.i32(headOf(tags.array, f.module.types.numberOf(call.type), codeOf(view.item)));
  f.core('viewArray');
  orFull(f);
};

const toText: CallEmitter = (f, call) => {
  const { type } = receiver(call);
  const of = spanItem(type);
  if (of.kind === 'primitive' && of.name === 'char') {
    pushText(f, receiver(call));
    return;
  }
  length(f, call);
  const count = f.code.local('i32');
  f.code.set(count);
  f.expression({
    kind: 'interpolation',
    type: primitive('string'),
    parts: [
      { kind: 'text', value: `System.${nameOf(type)}<${f.module.types.nameOf(of)}>[` },
      { kind: 'hole', value: variable(f, primitive('int'), count), alignment: 0, format: null },
      { kind: 'text', value: ']' },
    ],
  });
};

// --- Changing what lies there ----------------------------------------------------------------------------------------------

/** The address of a cell with the value of a local, for a routine that takes items of any type. */
function pushCellOf(f: FunctionEmitter, type: Type, value: number): void {
  f.code.get(value);
  const cell = newCell(f, type);
  f.code.get(cell);
  f.code.i32(places.payload);
  f.code.op(i32.add);
}

function fill(f: FunctionEmitter, view: View, value: number): void {
  chargeItems(f, view.count);
  pushView(f, view);
  pushCellOf(f, view.item, value);
  pushCode(f, view.item);
  f.core('itemsFill');
  f.code.op(i32.eqz);
  f.failIf('NotCompiled');
}

const fillWith: CallEmitter = (f, call) => {
  const view = viewOf(f, receiver(call));
  const value = f.toLocal(argument(call, 0));
  fill(f, view, value.local);
  f.code.release(value.type, value.local);
};

const clear: CallEmitter = (f, call) => {
  const view = viewOf(f, receiver(call));
  const value = f.code.local(representation(view.item));
  f.zero(view.item);
  f.code.set(value);
  fill(f, view, value);
};

/** Copies one view to the beginning of another that has room for it. */
function copy(f: FunctionEmitter, from: View, to: View): void {
  chargeItems(f, from.count);
  pushView(f, from);
  pushView(f, to);
  pushCode(f, from.item);
  f.core('itemsCopy');
  if (mayEnd(from.item)) {
    f.code.op(i32.eqz);
    f.failIf('NotCompiled');
  } else f.code.op(parametric.drop);
}

const pushTooLong = (f: FunctionEmitter, from: View, to: View): void => {
  f.code.get(from.count);
  f.code.get(to.count);
  f.code.op(i32.gtU);
};

const copyTo: CallEmitter = (f, call) => {
  const [from, to] = [viewOf(f, receiver(call)), viewOf(f, argument(call, 0))];
  pushTooLong(f, from, to);
  f.failIf('ArgumentException');
  copy(f, from, to);
};

const copyArray: CallEmitter = (f, call) => {
  const [from, to] = [viewOfArray(f, argument(call, 0), false), viewOf(f, argument(call, 1))];
  pushTooLong(f, from, to);
  f.failIf('ArgumentException');
  copy(f, from, to);
};

const tryCopyTo: CallEmitter = (f, call) => {
  const [from, to] = [viewOf(f, receiver(call)), viewOf(f, argument(call, 0))];
  pushTooLong(f, from, to);
  f.code.if('i32');
  f.code.i32(0);
  f.code.else();
  copy(f, from, to);
  f.code.i32(1);
  f.code.end();
};

const reverse: CallEmitter = (f, call) => {
  const view = viewOf(f, argument(call, 0));
  chargeItems(f, view.count);
  pushView(f, view);
  pushCode(f, view.item);
  f.core('itemsTurn');
};

// --- Two spans -----------------------------------------------------------------------------------------------------------

/** The same items at the same place. */
const same =
  (negated: boolean): CallEmitter =>
  (f, call) => {
    for (const index of [0, 1]) pushView(f, viewOf(f, argument(call, index)));
    f.code.op(negated ? i64.ne : i64.eq);
  };

/** Pushes whether `part` lies at `at` (a local) in a view that reaches so far. */
function pushMatches(f: FunctionEmitter, view: View, at: number, part: View): void {
  const { code } = f;
  const matched = code.borrow('i32');
  pushView(f, view);
  code.get(at);
  pushView(f, part);
  pushCode(f, view.item);
  f.core('viewMatch');
  code.set(matched);
  chargeItems(f, matched);
  code.get(matched);
  code.get(part.count);
  code.op(i32.eq);
  code.release('i32', matched);
}

/** Whether the other begins (or ends) the span, or is equal to it. */
const matches =
  (where: 'start' | 'end' | 'all'): CallEmitter =>
  (f, call) => {
    const { code } = f;
    const [view, part] = [viewOf(f, argument(call, 0)), viewOf(f, argument(call, 1))];
    const at = code.local('i32');
    code.get(part.count);
    code.get(view.count);
    code.op(where === 'all' ? i32.eq : i32.leU);
    code.if('i32');
    code.i32(0);
    if (where === 'end') {
      code.get(view.count);
      code.get(part.count);
      code.op(i32.sub, i32.add);
    }
    code.set(at);
    pushMatches(f, view, at, part);
    code.else();
    code.i32(0);
    code.end();
  };

const indexOfSpan: CallEmitter = (f, call) => {
  const { code } = f;
  const [view, part] = [viewOf(f, argument(call, 0)), viewOf(f, argument(call, 1))];
  const [at, result] = [code.local('i32'), code.local('i32')];
  code.i32(0);
  code.set(at);
  code.i32(-1);
  code.set(result);
  const after = code.block();
  const top = code.loop();
  code.get(at);
  code.get(part.count);
  code.op(i32.add);
  code.get(view.count);
  code.op(i32.gtU);
  code.branchIf(after);
  pushMatches(f, view, at, part);
  code.if();
  code.get(at);
  code.set(result);
  code.branch(after);
  code.end();
  code.get(at);
  code.i32(1);
  code.op(i32.add);
  code.set(at);
  code.branch(top);
  code.end();
  code.end();
  code.get(result);
};

function find(last: boolean): CallEmitter {
  return (f, call) => {
    const view = viewOf(f, argument(call, 0));
    const value = f.toLocal(argument(call, 1));
    chargeItems(f, view.count);
    pushView(f, view);
    pushCellOf(f, view.item, value.local);
    pushCode(f, view.item);
    f.code.i32(last ? 1 : 0);
    f.core('viewFind');
    f.code.release(value.type, value.local);
  };
}

const contains: CallEmitter = (f, call) => {
  find(false)(f, call);
  f.code.i32(0);
  f.code.op(i32.geS);
};

/** A span of both kinds is the same words. */
const asReadOnly: CallEmitter = (f, call) => f.expression(argument(call, 0) as Expression);

function members(name: string): [string, CallEmitter][] {
  const own = `${name}<T>`;
  return [
    [`${own}.new(T[])`, ofArray],
    [`${own}.new(T[],int,int)`, partOfArray],
    [`${own}.get_Empty()`, empty],
    [`${own}.get_IsEmpty()`, isEmpty],
    [`${own}.get_Length()`, length],
    [`${own}.get_Item(int)`, item],
    [`${own}.Slice(int)`, slice],
    [`${own}.Slice(int,int)`, slice],
    [`${own}.CopyTo(Span<T>)`, copyTo],
    [`${own}.TryCopyTo(Span<T>)`, tryCopyTo],
    [`${own}.ToArray()`, toArray],
    [`${own}.ToString()`, toText],
    [`${own}.op_Implicit(T[])->${own}`, ofArray],
    [`${own}.op_Equality(${own},${own})`, same(false)],
    [`${own}.op_Inequality(${own},${own})`, same(true)],
    [`MemoryExtensions.Contains<T>(${own},T)`, contains],
    [`MemoryExtensions.IndexOf<T>(${own},T)`, find(false)],
    [`MemoryExtensions.LastIndexOf<T>(${own},T)`, find(true)],
    [`MemoryExtensions.IndexOf<T>(${own},ReadOnlySpan<T>)`, indexOfSpan],
    [`MemoryExtensions.SequenceEqual<T>(${own},ReadOnlySpan<T>)`, matches('all')],
    [`MemoryExtensions.StartsWith<T>(${own},ReadOnlySpan<T>)`, matches('start')],
    [`MemoryExtensions.EndsWith<T>(${own},ReadOnlySpan<T>)`, matches('end')],
  ];
}

export const spanMembers: readonly [string, CallEmitter][] = [
  ...members('ReadOnlySpan'),
  ...members('Span'),
  ['Span<T>.set_Item(int,T)', setItem],
  ['Span<T>.Clear()', clear],
  ['Span<T>.Fill(T)', fillWith],
  ['Span<T>.op_Implicit(Span<T>)->ReadOnlySpan<T>', asReadOnly],
  ['MemoryExtensions.Reverse<T>(Span<T>)', reverse],
  ['MemoryExtensions.CopyTo<T>(T[],Span<T>)', copyArray],
  ['MemoryExtensions.AsSpan<T>(T[])', ofArray],
  ['MemoryExtensions.AsSpan<T>(T[],int)', partOfArray],
  ['MemoryExtensions.AsSpan<T>(T[],int,int)', partOfArray],
];
