// Places: what stands for a variable, an element or a member, as a target, as a read, and as both with its parts evaluated once.

import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import type { Binder } from './binder.ts';
import type { Place, Value } from './bound.ts';
import { assignLocal, conditional, localTree, NOWHERE, once, sequence, value } from './build.ts';
import { placedProperty } from './class-places.ts';

/** The variable behind a value, for passing it by reference. */
export function targetOfPlace(bound: Value): Tree.Target | null {
  const { place, type } = bound;
  switch (place?.kind) {
    case 'local':
      return { kind: 'local', type, local: place.symbol.local };
    case 'temporary':
      return { kind: 'local', type, local: place.local };
    case 'element':
      return { kind: 'element', type, array: place.array, indices: place.indices };
    case 'tupleElement': {
      const tuple = targetOfPlace(place.tuple);
      return tuple ? { kind: 'tupleElement', type, tuple, index: place.index } : null;
    }
    case 'field':
      return { kind: 'field', type, object: place.object, index: place.field.index };
    default:
      return null;
  }
}

/** How to read and write a place with its parts evaluated once. */
export function placed(
  b: Binder,
  bound: Value,
  reads = true,
): { effects: Tree.Expression[]; read: Tree.Expression; store: (tree: Tree.Expression) => Tree.Expression } {
  const { place, type } = bound;
  const effects: Tree.Expression[] = [];
  const keep = (tree: Tree.Expression): Tree.Expression => {
    if (!reads) return tree;
    const saved = once(b, tree);
    effects.push(...saved.effects);
    return saved.read;
  };
  if (place?.kind === 'element') {
    const array = keep(place.array);
    const indices = place.indices.map(keep);
    const target: Tree.Target = { kind: 'element', type, array, indices };
    return {
      effects,
      read: { kind: 'element', type, array, indices },
      store: (tree) => ({ kind: 'assign', type, target, value: tree }),
    };
  }
  if (place?.kind === 'member') {
    const receiver = place.receiver ? keep(place.receiver) : null;
    const values = place.arguments.map(keep);
    const { symbol } = place;
    if (symbol.kind === 'property' && symbol.user !== undefined)
      return placedProperty(b, bound, symbol.user, { ...place, receiver, arguments: values }, effects);
    const key = symbol.kind === 'field' ? symbol.key : (symbol.setKey ?? symbol.getKey ?? '');
    const target: Tree.Target = {
      kind: 'member',
      type,
      setter: { key, static: symbol.static },
      receiver,
      arguments: values,
    };
    const readKey = symbol.kind === 'field' ? symbol.key : (symbol.getKey ?? '');
    const read: Tree.Expression = {
      kind: 'call',
      type,
      member: { key: readKey, static: symbol.static },
      receiver,
      arguments: values.map((content) => ({ mode: 'value', value: content })),
      typeArguments: [],
    };
    return { effects, read, store: (tree) => ({ kind: 'assign', type, target, value: tree }) };
  }
  if (place?.kind === 'field') {
    const object = keep(place.object);
    const target: Tree.Target = { kind: 'field', type, object, index: place.field.index };
    return {
      effects,
      read: { kind: 'field', type, object, index: place.field.index },
      store: (tree) => ({ kind: 'assign', type, target, value: tree }),
    };
  }
  if (place?.kind === 'choice') return placedChoice(b, type, place, keep, effects);
  const target = targetOfPlace(bound) ?? { kind: 'discard', type };
  return { effects, read: bound.tree, store: (tree) => ({ kind: 'assign', type, target, value: tree }) };
}

/** One of two places: which one is asked once, and read and written as both would be. */
function placedChoice(
  b: Binder,
  type: Type,
  { condition, whenTrue, whenFalse }: Place & { kind: 'choice' },
  keep: (tree: Tree.Expression) => Tree.Expression,
  effects: Tree.Expression[],
): ReturnType<typeof placed> {
  const chosen = keep(condition);
  const [first, second] = [placed(b, whenTrue, false), placed(b, whenFalse, false)];
  return {
    effects,
    read: conditional(type, chosen, first.read, second.read),
    store: (tree) => {
      const once = b.temporary(type);
      const read = localTree(once);
      return sequence([assignLocal(once, tree)], conditional(type, chosen, first.store(read), second.store(read)));
    },
  };
}

export function readPlace(b: Binder, type: Type, place: Place): Tree.Expression {
  switch (place.kind) {
    case 'local':
      return localTree(place.symbol.local);
    case 'temporary':
      return localTree(place.local);
    case 'tupleElement':
      return {
        kind: 'tupleElement',
        type,
        tuple: readPlace(b, place.tuple.type, place.tuple.place!),
        index: place.index,
      };
    case 'choice':
      return conditional(
        type,
        place.condition,
        readPlace(b, type, place.whenTrue.place!),
        readPlace(b, type, place.whenFalse.place!),
      );
    default:
      return placed(b, value(NOWHERE, type, { kind: 'default', type }, { place }), false).read;
  }
}
