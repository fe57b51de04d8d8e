// The best common type of several expressions: arrays, switch arms, lambda returns, type inference.

import type { Type } from '../types.ts';
import type { Binder } from './binder.ts';
import { type Bound, isErroneous, naturalType } from './bound.ts';
import { hasImplicit } from './conversions.ts';
import { classify } from './converting.ts';
import { naturalDelegate } from './lambdas.ts';
import { sameType } from './typing.ts';

/** The one type among those of the expressions that all of them convert to; null when there is none or more than one. */
export function bestCommonType(b: Binder, expressions: readonly Bound[]): Type | null {
  const candidates: Type[] = [];
  for (const bound of expressions) {
    if (isErroneous(bound)) return { kind: 'error' };
    for (const type of typesOf(b, bound)) {
      if (!candidates.some((other) => sameType(other, type))) candidates.push(type);
    }
  }
  const able = candidates.filter((type) => expressions.every((bound) => classify(b, bound, type)?.implicit));
  if (able.length <= 1) return able[0] ?? null;
  const best = able.filter((type) => able.every((other) => sameType(type, other) || hasImplicit(b, other, type)));
  return best.length === 1 ? best[0]! : null;
}

/** The types that an expression brings in; a conditional or switch without one brings those of its branches. */
function typesOf(b: Binder, bound: Bound): Type[] {
  const natural = naturalType(bound);
  if (natural) return natural.kind === 'primitive' && natural.name === 'void' ? [] : [natural];
  switch (bound.kind) {
    case 'lambda': {
      const type = naturalDelegate(b, bound);
      return type ? [type] : [];
    }
    default:
      return [];
  }
}

/** The best of several types by conversions among them. */
export function bestOfTypes(b: Binder, types: readonly Type[]): Type | null {
  const able = types.filter((type) => types.every((other) => sameType(type, other) || hasImplicit(b, other, type)));
  const distinct = able.filter((type, at) => able.findIndex((other) => sameType(other, type)) === at);
  return distinct.length === 1 ? distinct[0]! : null;
}
