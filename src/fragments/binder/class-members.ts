// Fields and properties of the types of a source where they are named.

import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Binder } from './binder.ts';
import type { Bound, Place, Value } from './bound.ts';
import { constantValue, errorBound, value } from './build.ts';
import { checkAccess } from './class-access.ts';
import { callOf } from './class-invocations.ts';
import type { UserField, UserProperty } from './class-model.ts';
import { localBound } from './local-names.ts';
import type { PropertySymbol } from './symbols.ts';

// --- Fields and properties -------------------------------------------------------------------------------------------------

export function fieldBound(
  b: Binder,
  syntax: Syntax.Node,
  at: Syntax.Name,
  field: UserField,
  receiver: Value | null,
): Bound {
  if (!checkAccess(b, field.owner, field.access, at, field.name.text)) return errorBound(syntax);
  return plainField(b, syntax, field, receiver);
}

function plainField(b: Binder, syntax: Syntax.Node, field: UserField, receiver: Value | null): Bound {
  const { type } = field;
  if (field.isConst) {
    const content = b.classes!.constantOf(b, field);
    return content === undefined ? errorBound(syntax) : constantValue(syntax, type, content);
  }
  const { local } = field;
  if (local !== null) {
    local.used = true;
    const name = { ...field.name, start: syntax.start, end: syntax.end };
    return localBound(
      b,
      { kind: 'identifier', name, typeArguments: null, start: syntax.start, end: syntax.end },
      local,
    );
  }
  if (receiver === null) return errorBound(syntax);
  const { tree } = receiver;
  if (field.owner.shape === 'struct') {
    const node: Tree.Expression = { kind: 'tupleElement', type, tuple: tree, index: field.index };
    return value(syntax, type, node, { place: { kind: 'tupleElement', tuple: receiver, index: field.index, field } });
  }
  const node: Tree.Expression = { kind: 'field', type, object: tree, index: field.index };
  return value(syntax, type, node, { place: { kind: 'field', object: tree, field } });
}

export function propertyBound(
  b: Binder,
  syntax: Syntax.Node,
  at: Syntax.Name,
  symbol: PropertySymbol,
  receiver: Value | null,
  values: readonly Tree.CallArgument[] = [],
): Bound {
  const property = symbol.user!;
  if (!checkAccess(b, property.owner, property.access, at, symbol.name)) return errorBound(syntax);
  const isPlain = property.field !== null && property.get !== null && !property.get.isVirtual && isBodiless(property);
  if (isPlain) {
    const bound = plainField(b, syntax, property.field!, receiver);
    if (bound.kind !== 'value' || bound.place === undefined) return bound;
    return withProperty(bound, property);
  }
  const { type } = symbol;
  const tree: Tree.Expression =
    property.get === null
      ? { kind: 'default', type }
      : callOf(b, property.get, receiver, values, type, receiver?.isBase);
  const place: Place = {
    ...{ kind: 'member', symbol, receiver: receiver?.tree ?? null, receiverIsValueType: false },
    arguments: values.map((argument) => (argument.mode === 'value' ? argument.value : { kind: 'default', type })),
    ...(receiver === null ? {} : { owner: receiver }),
  };
  return value(syntax, type, tree, { place });
}

/** The place of the field behind a property, which knows how the property may be set. */
function withProperty(bound: Value, property: UserProperty): Value {
  const { place } = bound;
  if (place?.kind !== 'local' && place?.kind !== 'tupleElement' && place?.kind !== 'field') return bound;
  return { ...bound, place: { ...place, property } };
}

function isBodiless({ get, set }: UserProperty): boolean {
  return get?.body === null && (set === null || set.body === null);
}

// --- Calls -------------------------------------------------------------------------------------------------------------------
