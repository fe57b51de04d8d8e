// Sequences that are there already: the edges of a group, the groups of a map, the units of a text, numbers in a row.

import type { Expression } from '../../tree.ts';
import type { Type } from '../../types.ts';
import { elementOf } from '../arrays/array-items.ts';
import { loadItemOf } from '../arrays/arrays.ts';
import { anySequence, pushIsObject } from '../collections/interface-calls.ts';
import { argument, type Call, checkedReference, receiver } from '../control/call-parts.ts';
import { edgeObjects } from '../control/escapes.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { places } from '../objects/object-layout.ts';
import { isEdgeList, isEdgeMap, representation } from '../representation.ts';
import { NotCompiled } from '../unsupported.ts';
import { i32, i64, type ValueType } from '../wasm/opcodes.ts';
import type { Sequence, WhenNull } from './sequence.ts';
import { either, itemOf } from './sequence.ts';

/** How places that are counted from 0 are read. */
interface Places {
  readonly item: Type;
  /** Pushes how many there are. */
  readonly places: (f: FunctionEmitter) => void;
  /** Pushes what lies at the place in the local. */
  readonly load: (f: FunctionEmitter, index: number) => void;
  /** Pushes whether there is nothing at the place after all, from the item in the local. */
  readonly skips?: (f: FunctionEmitter, item: number) => void;
  readonly count?: (f: FunctionEmitter) => void;
}

/** One loop over places, as a whole or in steps. */
function counted({ item, places: placeCount, load, skips, count }: Places): Sequence {
  const begin = (f: FunctionEmitter) => {
    const { code } = f;
    const state = { index: code.local('i32'), end: code.local('i32'), value: code.local(representation(item)) };
    placeCount(f);
    code.set(state.end);
    code.i32(0);
    code.set(state.index);
    return state;
  };
  /** From the head of a loop to an item. */
  const step = (f: FunctionEmitter, state: ReturnType<typeof begin>, end: number, top: number): void => {
    const { code } = f;
    code.get(state.index);
    code.get(state.end);
    code.op(i32.geS);
    code.branchIf(end);
    f.charge(3);
    load(f, state.index);
    code.set(state.value);
    code.get(state.index);
    code.i32(1);
    code.op(i32.add);
    code.set(state.index);
    if (skips === undefined) return;
    skips(f, state.value);
    code.branchIf(top);
  };
  return {
    item,
    ...(count === undefined ? {} : { count }),
    start: (f) => {
      const state = begin(f);
      return (end) => {
        const top = f.code.loop();
        step(f, state, end, top);
        f.code.end();
        return state.value;
      };
    },
    walk: (f, onItem) => {
      const { code } = f;
      const state = begin(f);
      const after = code.block();
      const top = code.loop();
      step(f, state, after, top);
      onItem(state.value, representation(item));
      code.branch(top);
      code.end();
      code.end();
    },
  };
}

/** The edges of a group. */
function groupEdges(group: number, item: Type): Sequence {
  const ask = (f: FunctionEmitter, name: 'fragmentListPlaces' | 'fragmentListCount'): void => {
    f.code.get(group);
    f.core(name);
  };
  return counted({
    item,
    count: (f) => ask(f, 'fragmentListCount'),
    places: (f) => ask(f, 'fragmentListPlaces'),
    load: (f, index) => {
      f.code.get(group);
      f.code.get(index);
      f.core('fragmentListAt');
    },
    skips: ({ code }, edge) => {
      code.get(edge);
      code.i32(-1);
      code.op(i32.eq);
    },
  });
}

/** Each group of a map that has live edges. */
function mapGroups(map: number, item: Type): Sequence {
  return counted({
    item,
    count: (f) => {
      f.code.get(map);
      f.core('fragmentGroupCount');
    },
    places: (f) => {
      f.code.get(map);
      f.core('fragmentGroups');
    },
    load: (f, index) => {
      f.code.get(map);
      f.code.get(index);
      f.core('fragmentGroupAt');
    },
    skips: ({ code }, group) => {
      code.get(group);
      code.op(i32.eqz);
    },
  });
}

/** Lists and maps of edges; null for other types. */
export function edgeSource(f: FunctionEmitter, node: Expression, whenNull: WhenNull): Sequence | null {
  const { type } = node;
  if (isEdgeMap(type)) return mapGroups(checkedReference(f, node, whenNull), itemOf(type));
  if (!isEdgeList(type)) return null;
  const word = checkedReference(f, node, whenNull);
  const item = itemOf(type);
  const groups = groupEdges(word, item);
  if (!f.module.escaping.has(edgeObjects)) return groups;
  const isObject = f.code.local('i32');
  pushIsObject(f, word);
  f.code.set(isObject);
  return { ...either(item, isObject, anySequence(word, item), groups), place: word };
}

export function arraySource(f: FunctionEmitter, node: Expression, whenNull: WhenNull): Sequence {
  const item = elementOf(node.type);
  const array = checkedReference(f, node, whenNull);
  const length = (): void => {
    f.code.get(array);
    f.code.load(i32.load, places.count);
  };
  return counted({
    item,
    count: length,
    places: length,
    load: (_, index) => loadItemOf(f, { array, index, item }),
  });
}

export function textSource(f: FunctionEmitter, node: Expression, whenNull: WhenNull): Sequence {
  const text = checkedReference(f, node, whenNull);
  const length = (): void => {
    f.code.get(text);
    f.core('textLength');
  };
  return counted({
    item: itemOf(node.type),
    count: length,
    places: length,
    load: (_, index) => {
      f.code.get(text);
      f.code.get(index);
      f.core('textUnit');
    },
  });
}

/** `map.Values` or `map.Keys` of edges. */
export function mapPart(f: FunctionEmitter, call: Call, part: 'keys' | 'values'): Sequence {
  if (!isEdgeMap(receiver(call).type)) throw new NotCompiled('a dictionary of this kind');
  const groups = mapGroups(checkedReference(f, receiver(call), 'NullReferenceException'), itemOf(call.type));
  return part === 'values'
    ? groups
    : mapped(groups, groups.item, (inner, group) => {
        inner.code.get(group);
        inner.core('fragmentGroupName');
      });
}

/** Each item of a sequence as `push` makes it. */
export function mapped(source: Sequence, item: Type, push: (f: FunctionEmitter, item: number) => void): Sequence {
  const store = (f: FunctionEmitter, from: number): { local: number; type: ValueType } => {
    const type = representation(item);
    push(f, from);
    const local = f.code.local(type);
    f.code.set(local);
    return { local, type };
  };
  const { count, walk } = source;
  return {
    item,
    ...(count === undefined ? {} : { count }),
    start: (f) => {
      const next = source.start(f);
      return (end) => store(f, next(end)).local;
    },
    ...(walk === undefined
      ? {}
      : {
          walk: (f: FunctionEmitter, onItem) =>
            walk(f, (from) => {
              const { local, type } = store(f, from);
              onItem(local, type);
            }),
        }),
  } satisfies Sequence;
}

const int: Type = { kind: 'primitive', name: 'int' };

export function range(f: FunctionEmitter, call: Call): Sequence {
  const { code } = f;
  const first = f.toLocal(argument(call, 0)).local;
  const count = f.toLocal(argument(call, 1)).local;
  code.get(count);
  code.i32(0);
  code.op(i32.ltS);
  code.get(first);
  code.op(i64.extendI32S);
  code.get(count);
  code.op(i64.extendI32S, i64.add);
  code.i64(2n ** 31n);
  code.op(i64.gtS, i32.or);
  f.failIf('ArgumentOutOfRangeException');
  const push = (): void => code.get(count);
  return counted({
    item: int,
    count: push,
    places: push,
    load: (_, index) => {
      code.get(first);
      code.get(index);
      code.op(i32.add);
    },
  });
}

export function repeat(f: FunctionEmitter, call: Call): Sequence {
  const { code } = f;
  const item = f.toLocal(argument(call, 0)).local;
  const count = f.toLocal(argument(call, 1)).local;
  code.get(count);
  code.i32(0);
  code.op(i32.ltS);
  f.failIf('ArgumentOutOfRangeException');
  const push = (): void => code.get(count);
  return counted({ item: itemOf(call.type), count: push, places: push, load: () => code.get(item) });
}

/** Nothing at all. */
export function empty(item: Type): Sequence {
  return counted({
    item,
    count: ({ code }) => code.i32(0),
    places: ({ code }) => code.i32(0),
    load: (f) => f.zero(item),
  });
}
