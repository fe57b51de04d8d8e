// The members of HashSet that work with another sequence, and those that go over the set's own items to take some out.

import { argument, type Call, type CallEmitter, outTarget } from '../control/call-parts.ts';
import { delegate } from '../control/callbacks.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { nameOf, representation } from '../representation.ts';
import { ownTable as own } from '../sequences/makers.ts';
import { pushAdded } from '../sequences/memory.ts';
import { goOver, type Sequence } from '../sequences/sequence.ts';
import { i32, type Opcode, parametric } from '../wasm/opcodes.ts';
import { findEntry, loadEntryKey, type Table, tableSequence } from './hash-tables.ts';
import { checkAnswer, pushCount } from './list-objects.ts';

/** Offset of how keys are compared from a reference. */
const form = 30;

function other(f: FunctionEmitter, call: Call): Sequence {
  return f.sequence(argument(call, 0), 'ArgumentNullException');
}

/** The set's own items, whatever happens to it meanwhile. */
function itemsOf(set: Table): Sequence {
  return tableSequence(set, set.key, false, (f, entry) => loadEntryKey(f, set, entry));
}

function addTo(f: FunctionEmitter, set: Table, item: number): void {
  pushAdded(f, set, item);
  f.code.op(parametric.drop);
}

/** A new set that compares as another one does. */
function like(f: FunctionEmitter, set: Table): Table {
  const place = f.code.local('i32');
  f.charge(8);
  f.code.get(set.place);
  f.core('tableLike');
  checkAnswer(f, false);
  f.code.set(place);
  return { ...set, place };
}

/** The items of a sequence in a set that compares as another one does. */
function asSet(f: FunctionEmitter, items: Sequence, set: Table): Table {
  const made = like(f, set);
  goOver(f, items, (item) => addTo(f, made, item));
  return made;
}

/** Takes an item out, if it is there; pushes whether it was. */
function pushRemoved(f: FunctionEmitter, set: Table, item: number): void {
  const { code } = f;
  const entry = findEntry(f, set, item);
  code.get(entry);
  code.if();
  code.get(set.place);
  code.get(entry);
  f.core('tableRemove');
  code.end();
  code.get(entry);
  code.i32(0);
  code.op(i32.ne);
}

/** Emits `work`, but for the set itself as the other sequence: then all of it goes. */
function unlessItself(f: FunctionEmitter, set: Table, items: Sequence, work: () => void): void {
  const { code } = f;
  if (items.place === undefined) {
    work();
    return;
  }
  code.get(items.place);
  code.get(set.place);
  code.op(i32.eq);
  code.if();
  code.get(set.place);
  f.core('tableClear');
  code.else();
  work();
  code.end();
}

const unionWith: CallEmitter = (f, call) => {
  const set = own(f, call);
  const items = other(f, call);
  const union = (): void => goOver(f, items, (item) => addTo(f, set, item));
  if (items.place === undefined) {
    union();
    return;
  }
  f.code.get(items.place);
  f.code.get(set.place);
  f.code.op(i32.ne);
  f.code.if();
  union();
  f.code.end();
};

const exceptWith: CallEmitter = (f, call) => {
  const set = own(f, call);
  const items = other(f, call);
  unlessItself(f, set, items, () =>
    goOver(f, items, (item) => {
      pushRemoved(f, set, item);
      f.code.op(parametric.drop);
    }),
  );
};

const intersectWith: CallEmitter = (f, call) => {
  const set = own(f, call);
  const kept = asSet(f, other(f, call), set);
  goOver(f, itemsOf(set), (item) => {
    f.code.get(findEntry(f, kept, item));
    f.code.op(i32.eqz);
    f.code.if();
    pushRemoved(f, set, item);
    f.code.op(parametric.drop);
    f.code.end();
  });
};

/** Items that are in one of both: of a set that compares alike one by one, otherwise what is new goes in before anything goes out. */
const symmetricExceptWith: CallEmitter = (f, call) => {
  const { code } = f;
  const set = own(f, call);
  const node = argument(call, 0);
  const items = other(f, call);
  const oneByOne = (): void =>
    goOver(f, items, (item) => {
      pushRemoved(f, set, item);
      code.op(i32.eqz);
      code.if();
      addTo(f, set, item);
      code.end();
    });
  unlessItself(f, set, items, () => {
    const isSet = items.place !== undefined && nameOf(bare(node).type) === 'HashSet';
    if (!isSet) {
      inTwoSteps(f, set, items);
      return;
    }
    for (const place of [items.place as number, set.place]) {
      code.get(place);
      code.load(i32.load, form);
    }
    code.op(i32.eq);
    code.if();
    oneByOne();
    code.else();
    inTwoSteps(f, set, items);
    code.end();
  });
};

function inTwoSteps(f: FunctionEmitter, set: Table, items: Sequence): void {
  const { code } = f;
  const [added, gone] = [like(f, set), like(f, set)];
  goOver(f, items, (item) => {
    pushAdded(f, set, item);
    code.if();
    addTo(f, added, item);
    code.else();
    code.get(findEntry(f, added, item));
    code.op(i32.eqz);
    code.if();
    addTo(f, gone, item);
    code.end();
    code.end();
  });
  goOver(f, itemsOf(set), (item) => {
    code.get(findEntry(f, gone, item));
    code.if();
    pushRemoved(f, set, item);
    code.op(parametric.drop);
    code.end();
  });
}

function bare(node: ReturnType<typeof argument>): ReturnType<typeof argument> {
  let inner = node;
  while (inner.kind === 'convert' && inner.conversion.kind !== 'as' && inner.operand.type.kind === 'named') {
    inner = inner.operand;
  }
  return inner;
}

const removeWhere: CallEmitter = (f, call) => {
  const { code } = f;
  const set = own(f, call);
  const match = delegate(f, argument(call, 0), [set.key]);
  const gone = code.local('i32');
  code.i32(0);
  code.set(gone);
  goOver(f, itemsOf(set), (item) => {
    match.apply([item]);
    code.if();
    code.get(gone);
    pushRemoved(f, set, item);
    code.op(i32.add);
    code.set(gone);
    code.end();
  });
  code.get(gone);
};

/** Overlaps: whether any item of another sequence is in the set; IsSupersetOf: whether all are. */
function holds(all: boolean): CallEmitter {
  return (f, call) => pushHolds(f, own(f, call), other(f, call), all);
}

function pushHolds(f: FunctionEmitter, set: Table, items: Sequence, all: boolean): void {
  const { code } = f;
  const result = code.local('i32');
  code.i32(all ? 1 : 0);
  code.set(result);
  const after = code.block();
  goOver(f, items, (item) => {
    code.get(findEntry(f, set, item));
    if (all) code.op(i32.eqz);
    code.if();
    code.i32(all ? 0 : 1);
    code.set(result);
    code.branch(after);
    code.end();
  });
  code.end();
  code.get(result);
}

/** Comparisons of two sets: `counts` is an instruction on the set's count and the other one's, `wider` the one that has to hold all. */
function compare(counts: Opcode | null, wider: 'own' | 'other'): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const set = own(f, call);
    const made = asSet(f, other(f, call), set);
    if (wider === 'own') pushHolds(f, set, itemsOf(made), true);
    else pushHolds(f, made, itemsOf(set), true);
    if (counts === null) return;
    pushCount(f, set.place);
    pushCount(f, made.place);
    code.op(counts, i32.and);
  };
}

const tryGetValue: CallEmitter = (f, call) => {
  const { code } = f;
  const set = own(f, call);
  const entry = findEntry(f, set, f.toLocal(argument(call, 0)).local);
  const found = code.local(representation(set.key));
  f.zero(set.key);
  code.set(found);
  code.get(entry);
  code.if();
  loadEntryKey(f, set, entry);
  code.set(found);
  code.end();
  code.get(found);
  f.store(outTarget(call, 1));
  code.get(entry);
  code.i32(0);
  code.op(i32.ne);
};

const E = '(IEnumerable<T>)';

export const setCalls = (): readonly [string, CallEmitter][] => [
  [`HashSet<T>.UnionWith${E}`, unionWith],
  [`HashSet<T>.ExceptWith${E}`, exceptWith],
  [`HashSet<T>.IntersectWith${E}`, intersectWith],
  [`HashSet<T>.SymmetricExceptWith${E}`, symmetricExceptWith],
  ['HashSet<T>.RemoveWhere(Predicate<T>)', removeWhere],
  [`HashSet<T>.Overlaps${E}`, holds(false)],
  [`HashSet<T>.IsSupersetOf${E}`, holds(true)],
  [`HashSet<T>.IsProperSupersetOf${E}`, compare(i32.gtS, 'own')],
  [`HashSet<T>.IsSubsetOf${E}`, compare(null, 'other')],
  [`HashSet<T>.IsProperSubsetOf${E}`, compare(i32.ltS, 'other')],
  [`HashSet<T>.SetEquals${E}`, compare(i32.eq, 'other')],
  ['HashSet<T>.TryGetValue(T,out T)', tryGetValue],
];
