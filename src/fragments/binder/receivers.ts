// The object that a member is asked of: how it is passed, and which extension methods take it.

import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import type { Binder } from './binder.ts';
import type { Value } from './bound.ts';
import { convertTree } from './build.ts';
import { hasImplicit, isReferenceType, isValueType } from './conversions.ts';
import { named, OBJECT, sameType } from './typing.ts';

/** The receiver as the member wants it: value types are boxed for members of object and of interfaces. */
export function receiverTree(b: Binder, receiver: Value, owner: string): Tree.Expression {
  const { type, tree } = receiver;
  const inherited = owner === 'Object' || owner === 'ValueType' || owner === 'Enum';
  const boxed =
    isValueType(b, type) && (inherited || b.library.symbolOf(type)?.name !== owner) && type.kind !== 'nullable';
  if (!boxed) return tree;
  return convertTree(inherited ? OBJECT : named(owner), tree, 'box');
}

/** Whether an extension method of the name could take the receiver at all: else the name is simply unknown. */
export function hasExtension(b: Binder, receiver: Value, name: string): boolean {
  return b.library.extensionMethods(name).some((method) => {
    const first = method.parameters[0]!.type;
    return method.typeParameters.length > 0 || isExtensionReceiver(b, receiver.type, first);
  });
}

/** The `this` argument of an extension method takes identity, reference and boxing conversions only. */
export function isExtensionReceiver(b: Binder, from: Type, to: Type): boolean {
  if (sameType(from, to)) return true;
  if (from.kind === 'null') return false;
  if (isValueType(b, from) && isValueType(b, to)) return isSpanOf(from, to);
  return (isReferenceType(b, to) && hasImplicit(b, from, to)) || isSpanOf(from, to);
}

/** Arrays and spans pass as spans to extension methods, as C# 14 has it. */
export function isSpanOf(from: Type, to: Type): boolean {
  if (to.kind !== 'named' || (to.name !== 'ReadOnlySpan' && to.name !== 'Span')) return false;
  if (from.kind === 'array') return from.rank === 1 && sameType(from.element, to.arguments[0]!);
  return from.kind === 'named' && from.name === 'Span' && sameType(from.arguments[0]!, to.arguments[0]!);
}
