// The members of LINQ that give some of the items, more items, or pairs of them: Take, Skip, Concat, DefaultIfEmpty, Zip.

import type { Type } from '../../types.ts';
import { addItem, listType, newList, pushArrayOf, pushCount } from '../collections/list-objects.ts';
import { argument } from '../control/call-parts.ts';
import { type Applied, delegate, primitive } from '../control/callbacks.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { tags } from '../objects/object-layout.ts';
import { createTuple } from '../objects/tuples.ts';
import { representation } from '../representation.ts';
import { i32 } from '../wasm/opcodes.ts';
import { itemOf, type Sequence, type SequenceMember } from './sequence.ts';
import { counter, passing, source, stepped } from './stepping.ts';

const S = 'IEnumerable<TSource>';
const P = 'Func<TSource,bool>';
const PI = 'Func<TSource,int,bool>';
const where = 'Enumerable.';
const int = primitive('int');

/** Stops before it would ask for one item too many. */
const take: SequenceMember = (f, call) => {
  const inner = source(f, call);
  const count = f.toLocal(argument(call, 1)).local;
  return stepped(
    inner.item,
    (g) => {
      const left = g.code.local('i32');
      g.code.get(count);
      g.code.set(left);
      return { left, next: inner.start(g) };
    },
    ({ code }, { left, next }, end) => {
      code.get(left);
      code.i32(0);
      code.op(i32.leS);
      code.branchIf(end);
      const item = next(end);
      code.get(left);
      code.i32(1);
      code.op(i32.sub);
      code.set(left);
      return item;
    },
  );
};

const skip: SequenceMember = (f, call) => {
  const inner = source(f, call);
  const count = f.toLocal(argument(call, 1)).local;
  return passing(
    inner,
    ({ code }) => {
      const left = code.local('i32');
      code.get(count);
      code.set(left);
      return left;
    },
    ({ code }, _, left) => {
      code.get(left);
      code.i32(0);
      code.op(i32.leS);
      code.if('i32');
      code.i32(1);
      code.else();
      code.get(left);
      code.i32(1);
      code.op(i32.sub);
      code.set(left);
      code.i32(0);
      code.end();
    },
  );
};

const takeWhile: SequenceMember = (f, call) => {
  const inner = source(f, call);
  const predicate = delegate(f, argument(call, 1), [inner.item, int]);
  return stepped(
    inner.item,
    (g) => ({ at: counter(g), next: inner.start(g) }),
    ({ code }, { at, next }, end) => {
      const item = next(end);
      at.advance();
      predicate.apply([item, at.local]);
      code.op(i32.eqz);
      code.branchIf(end);
      return item;
    },
  );
};

const skipWhile: SequenceMember = (f, call) => {
  const inner = source(f, call);
  const predicate = delegate(f, argument(call, 1), [inner.item, int]);
  return passing(
    inner,
    (g) => {
      const done = g.code.local('i32');
      g.code.i32(0);
      g.code.set(done);
      return { done, at: counter(g) };
    },
    ({ code }, item, { done, at }) => {
      code.get(done);
      code.if('i32');
      code.i32(1);
      code.else();
      at.advance();
      predicate.apply([item, at.local]);
      code.op(i32.eqz);
      code.tee(done);
      code.end();
    },
  );
};

// --- One after the other -------------------------------------------------------------------------------------------------

/** `second` begins when `first` has ended. */
export function concatenated(first: Sequence, second: Sequence): Sequence {
  return stepped(
    first.item,
    (f) => {
      const ended = f.code.local('i32');
      f.code.i32(0);
      f.code.set(ended);
      return { ended, next: first.start(f), found: f.code.local(representation(first.item)) };
    },
    (f, { ended, next, found }, end) => {
      const { code } = f;
      const got = code.block();
      code.get(ended);
      code.op(i32.eqz);
      code.if();
      const through = code.block();
      code.get(next(through));
      code.set(found);
      code.branch(got);
      code.end();
      code.i32(1);
      code.set(ended);
      const other = second.start(f);
      code.end();
      code.get(other(end));
      code.set(found);
      code.end();
      return found;
    },
  );
}

/** One item, which lies in a local. */
function single(item: Type, place: number): Sequence {
  return stepped(
    item,
    ({ code }) => {
      const given = code.local('i32');
      code.i32(0);
      code.set(given);
      return given;
    },
    ({ code }, given, end) => {
      code.get(given);
      code.branchIf(end);
      code.i32(1);
      code.set(given);
      return place;
    },
  );
}

const concat: SequenceMember = (f, call) => concatenated(source(f, call), source(f, call, 1));

const append: SequenceMember = (f, call) => {
  const inner = source(f, call);
  return concatenated(inner, single(inner.item, f.toLocal(argument(call, 1)).local));
};

const prepend: SequenceMember = (f, call) => {
  const inner = source(f, call);
  return concatenated(single(inner.item, f.toLocal(argument(call, 1)).local), inner);
};

/** The default is the first item where there is none; the state says whether one came, or the default did. */
const defaultIfEmpty: SequenceMember = (f, call) => {
  const inner = source(f, call);
  const initial = f.code.local(representation(inner.item));
  if (call.arguments.length > 1) f.expression(argument(call, 1));
  else f.zero(inner.item);
  f.code.set(initial);
  return stepped(
    inner.item,
    (g) => {
      const state = g.code.local('i32');
      g.code.i32(0);
      g.code.set(state);
      return { state, next: inner.start(g), found: g.code.local(representation(inner.item)) };
    },
    ({ code }, { state, next, found }, end) => {
      code.get(state);
      code.i32(2);
      code.op(i32.eq);
      code.branchIf(end);
      const got = code.block();
      const through = code.block();
      code.get(next(through));
      code.set(found);
      code.i32(1);
      code.set(state);
      code.branch(got);
      code.end();
      code.get(state);
      code.branchIf(end);
      code.i32(2);
      code.set(state);
      code.get(initial);
      code.set(found);
      code.end();
      return found;
    },
  );
};

const zip: SequenceMember = (f, call) => {
  const [first, second] = [source(f, call), source(f, call, 1)];
  const result: Applied = delegate(f, argument(call, 2), [first.item, second.item]);
  return stepped(
    result.result,
    (g) => [first.start(g), second.start(g), g.code.local(representation(result.result))] as const,
    ({ code }, [one, other, found], end) => {
      const left = one(end);
      const right = other(end);
      result.apply([left, right]);
      code.set(found);
      return found;
    },
  );
};

/** Pairs of what two sequences give, or of places and items, as tuples. */
function paired(f: FunctionEmitter, type: Type, items: readonly [Type, number][]): number {
  const made = f.code.local('i32');
  createTuple(f, tags.tuple, type, items);
  f.code.set(made);
  return made;
}

const zipPairs: SequenceMember = (f, call) => {
  const [first, second] = [source(f, call), source(f, call, 1)];
  const item = itemOf(call.type);
  return stepped(
    item,
    (g) => ({ one: first.start(g), other: second.start(g) }),
    (g, { one, other }, end) => {
      const left = one(end);
      return paired(g, item, [
        [first.item, left],
        [second.item, other(end)],
      ]);
    },
  );
};

const indexed: SequenceMember = (f, call) => {
  const inner = source(f, call);
  const item = itemOf(call.type);
  return stepped(
    item,
    (g) => ({ at: counter(g), next: inner.start(g) }),
    (g, { at, next }, end) => {
      const found = next(end);
      at.advance();
      return paired(g, item, [
        [int, at.local],
        [inner.item, found],
      ]);
    },
  );
};

/** Arrays of so many items; the last one may have fewer. */
const chunk: SequenceMember = (f, call) => {
  const inner = source(f, call);
  const size = f.toLocal(argument(call, 1)).local;
  f.code.get(size);
  f.code.i32(1);
  f.code.op(i32.ltS);
  f.failIf('ArgumentOutOfRangeException');
  return stepped(
    itemOf(call.type),
    (g) => {
      const ended = g.code.local('i32');
      g.code.i32(0);
      g.code.set(ended);
      return { ended, next: inner.start(g) };
    },
    (g, { ended, next }, end) => {
      const { code } = g;
      code.get(ended);
      code.branchIf(end);
      const list = newList(g, listType(inner.item), inner.item);
      const full = code.block();
      const through = code.block();
      const top = code.loop();
      addItem(g, list, next(through));
      pushCount(g, list.place);
      code.get(size);
      code.op(i32.ltS);
      code.branchIf(top);
      code.branch(full);
      code.end();
      code.end();
      code.i32(1);
      code.set(ended);
      pushCount(g, list.place);
      code.op(i32.eqz);
      code.branchIf(end);
      code.end();
      const made = code.local('i32');
      pushArrayOf(g, list);
      code.set(made);
      return made;
    },
  );
};

export const partMembers: readonly [string, SequenceMember][] = [
  [`${where}Take<TSource>(${S},int)`, take],
  [`${where}Skip<TSource>(${S},int)`, skip],
  [`${where}TakeWhile<TSource>(${S},${P})`, takeWhile],
  [`${where}TakeWhile<TSource>(${S},${PI})`, takeWhile],
  [`${where}SkipWhile<TSource>(${S},${P})`, skipWhile],
  [`${where}SkipWhile<TSource>(${S},${PI})`, skipWhile],
  [`${where}Concat<TSource>(${S},${S})`, concat],
  [`${where}Append<TSource>(${S},TSource)`, append],
  [`${where}Prepend<TSource>(${S},TSource)`, prepend],
  [`${where}Zip<TFirst,TSecond>(IEnumerable<TFirst>,IEnumerable<TSecond>)`, zipPairs],
  [`${where}Index<TSource>(${S})`, indexed],
  [`${where}Chunk<TSource>(${S},int)`, chunk],
  [`${where}DefaultIfEmpty<TSource>(${S})`, defaultIfEmpty],
  [`${where}DefaultIfEmpty<TSource>(${S},TSource)`, defaultIfEmpty],
  [`${where}Zip<TFirst,TSecond,TResult>(IEnumerable<TFirst>,IEnumerable<TSecond>,Func<TFirst,TSecond,TResult>)`, zip],
];
