// Members of a source's types that are assigned to: whether they may be, and properties, whose accessors are called.

import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Binder } from './binder.ts';
import type { Bound, Place, Value } from './bound.ts';
import { assignLocal, localTree, sequence, value } from './build.ts';
import { isAccessible } from './class-access.ts';
import { callOf } from './class-invocations.ts';
import type { UserField, UserProperty } from './class-model.ts';
import { VOID } from './typing.ts';

interface Placed {
  effects: Tree.Expression[];
  read: Tree.Expression;
  store: (tree: Tree.Expression) => Tree.Expression;
}

/** CS0191, CS0198, CS0200, CS8852, CS0272: a field of a type of the source, or the property that it is behind. */
export function checkField(b: Binder, field: UserField, place: Place, at: Syntax.Node): boolean {
  const property = 'property' in place ? place.property : undefined;
  const isOwn = b.classes?.isConstructing === true && b.classes.current === field.owner;
  if (property === undefined) {
    if (!field.readonly || isOwn) return true;
    b.report(field.isStatic ? 'CS0198' : 'CS0191', at, field.name.text);
    return false;
  }
  if (isOwn) return true;
  if (property.set === null || property.isInit) b.report(property.isInit ? 'CS8852' : 'CS0200', at, field.name.text);
  else if (!isAccessible(b, property.owner, property.setAccess)) b.report('CS0272', at, field.name.text);
  else return true;
  return false;
}

/** CS0154, CS0271: a property of a type of the source can be read, from here. Anything else can. */
export function isReadable(b: Binder, bound: Bound): boolean {
  if (b.classes === null || bound.kind !== 'value' || bound.place === undefined) return true;
  const { place, syntax } = bound;
  const property =
    place.kind === 'member' ? (place.symbol.kind === 'property' ? place.symbol.user : undefined) : propertyAt(place);
  if (property === undefined) return true;
  if (property.get === null) b.report('CS0154', syntax, b.text.slice(syntax.start, syntax.end));
  else if (!isAccessible(b, property.owner, property.getAccess))
    b.report('CS0271', syntax, b.text.slice(syntax.start, syntax.end));
  else return true;
  return false;
}

function propertyAt(place: Place): UserProperty | undefined {
  return 'property' in place ? place.property : undefined;
}

/** A property of a type of the source: its accessors are called. */
export function placedProperty(
  b: Binder,
  { type }: Value,
  property: UserProperty,
  place: Place & { kind: 'member' },
  effects: Tree.Expression[],
): Placed {
  const owner =
    place.receiver === null
      ? null
      : property.owner.shape === 'struct' && place.owner !== undefined
        ? place.owner
        : {
            ...(place.owner ?? value({ start: 0, end: 0 }, place.receiver.type, place.receiver)),
            tree: place.receiver,
          };
  const given = place.arguments.map((content): Tree.CallArgument => ({ mode: 'value', value: content }));
  const isBase = owner?.isBase;
  const read: Tree.Expression =
    property.get === null ? { kind: 'default', type } : callOf(b, property.get, owner, given, type, isBase);
  return {
    effects,
    read,
    store: (tree) => {
      if (property.set === null) return tree;
      const kept = b.temporary(type);
      const call = callOf(b, property.set, owner, [...given, { mode: 'value', value: localTree(kept) }], VOID, isBase);
      return sequence([assignLocal(kept, tree), call], localTree(kept));
    },
  };
}
