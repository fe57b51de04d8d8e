// Join and GroupJoin: a lookup of the inner side, made when the outer side has its first item, and the group of it that each outer item
// meets.

import { findEntry, foldsCase, loadEntryValue, type Table } from '../collections/hash-tables.ts';
import { type List, listSequence, listType, newList, pushCount } from '../collections/list-objects.ts';
import { argument, type Call } from '../control/call-parts.ts';
import { type Applied, delegate } from '../control/callbacks.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { formOf, nullOf } from '../representation.ts';
import { NotCompiled } from '../unsupported.ts';
import { i32, parametric } from '../wasm/opcodes.ts';
import { applyToGroup, makeLookup, resultType, withComparer } from './groups.ts';
import { keep, optional } from './memory.ts';
import type { Sequence, SequenceMember } from './sequence.ts';
import { mapped } from './sources.ts';
import { flattened, source } from './stepping.ts';

/** Locals of one pass over a join. */
interface Pass {
  /** 1: the lookup is made. */
  readonly ready: number;
  readonly table: number;
}

/** Both sides of a join with their keys. */
class Sides {
  readonly outer: Sequence;
  readonly inner: Sequence;
  private readonly outerKey: Applied;
  private readonly innerKey: Applied;
  private readonly folded: boolean;

  constructor(f: FunctionEmitter, call: Call) {
    [this.outer, this.inner] = [source(f, call), source(f, call, 1)];
    this.outerKey = delegate(f, argument(call, 2), [this.outer.item]);
    this.innerKey = delegate(f, argument(call, 3), [this.inner.item]);
    this.folded = foldsCase(optional(call, 5));
  }

  begin({ code }: FunctionEmitter): Pass {
    const ready = code.local('i32');
    code.i32(0);
    code.set(ready);
    return { ready, table: code.local('i32') };
  }

  /** Makes the lookup, once: not before the outer sequence has an item. */
  prepare(f: FunctionEmitter, { ready, table }: Pass): void {
    const { code } = f;
    const { inner, innerKey, folded } = this;
    code.get(ready);
    code.op(i32.eqz);
    code.if();
    code.get(makeLookup(f, { items: inner, key: innerKey, element: null, folded, keyed: true }).place);
    code.set(table);
    code.i32(1);
    code.set(ready);
    code.end();
  }

  /** The group of an outer item in a local, 0 without one. */
  groupOf(f: FunctionEmitter, each: number, { table }: Pass): List {
    const { code } = f;
    const { inner, outerKey } = this;
    const group = code.local('i32');
    const key = keep(f, outerKey.result, () => outerKey.apply([each]));
    const lookup: Table = { place: table, key: outerKey.result, value: inner.item };
    const entry = findEntry(f, lookup, key);
    code.i32(0);
    code.set(group);
    code.get(entry);
    if (formOf(lookup.key) !== null) {
      // What has no key meets nothing.
      code.i32(0);
      code.get(key);
      code.i32(nullOf(lookup.key));
      code.op(i32.ne, parametric.select);
    } else if (lookup.key.kind === 'nullable') throw new NotCompiled('a join by nullable keys');
    code.if();
    loadEntryValue(f, { ...lookup, value: { kind: 'primitive', name: 'object' } }, entry);
    code.set(group);
    code.end();
    return { place: group, item: inner.item };
  }
}

/** After its first outer item it ends where the lookup is empty, as .NET does. */
const join: SequenceMember = (f, call) => {
  const sides = new Sides(f, call);
  const { outer, inner } = sides;
  const item = resultType(call);
  const combine = delegate(f, argument(call, 4), [outer.item, inner.item]);
  // Whoever goes over the join begins it first, then its outer side.
  let begun: Pass;
  const met: Sequence = {
    item: outer.item,
    start: (g) => {
      const own = begun;
      const next = outer.start(g);
      return (end) => {
        const each = next(end);
        sides.prepare(g, own);
        pushCount(g, own.table);
        g.code.op(i32.eqz);
        g.code.branchIf(end);
        return each;
      };
    },
  };
  const begin = (g: FunctionEmitter): Pass => {
    begun = sides.begin(g);
    return begun;
  };
  return flattened(met, item, begin, (g, each, pass) =>
    mapped(listSequence(sides.groupOf(g, each, pass), false, true), item, (_, own) => combine.apply([each, own])),
  );
};

const groupJoin: SequenceMember = (f, call) => {
  const sides = new Sides(f, call);
  const { outer, inner } = sides;
  const item = resultType(call);
  return {
    item,
    start: (g) => {
      const { code } = g;
      const pass = sides.begin(g);
      const next = outer.start(g);
      return (end) => {
        const each = next(end);
        sides.prepare(g, pass);
        const group = sides.groupOf(g, each, pass);
        // Without one it is empty, not null.
        code.get(group.place);
        code.op(i32.eqz);
        code.if();
        code.get(newList(g, listType(inner.item), inner.item).place);
        code.set(group.place);
        code.end();
        return keep(g, item, () => applyToGroup(g, argument(call, 4), each, group).apply([]));
      };
    },
  };
};

const joined = 'IEnumerable<TOuter>,IEnumerable<TInner>,Func<TOuter,TKey>,Func<TInner,TKey>';

export const joinMembers: readonly [string, SequenceMember][] = [
  ...withComparer(`Join<TOuter,TInner,TKey,TResult>(${joined},Func<TOuter,TInner,TResult>`, join),
  ...withComparer(
    `GroupJoin<TOuter,TInner,TKey,TResult>(${joined},Func<TOuter,IEnumerable<TInner>,TResult>`,
    groupJoin,
  ),
];
