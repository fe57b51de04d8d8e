// What a member shows is seen wherever the member is: its types, and the bases of a type.

import type * as Syntax from '../syntax.ts';
import type { Type } from '../types.ts';
import type { Binder } from './binder.ts';
import { type Access, type ClassType, classOf } from './class-model.ts';

/** A place that limits from where something is seen: inside of a type, of those that derive from it, or of the source. */
interface Limit {
  readonly access: Exclude<Access, 'public'>;
  readonly inside: ClassType | null;
}

function limitsOf(owner: ClassType | null, access: Access): Limit[] {
  const found: Limit[] = access === 'public' ? [] : [{ access, inside: owner }];
  for (let at = owner; at !== null; at = at.outer) {
    if (at.access !== 'public') found.push({ access: at.access, inside: at.outer });
  }
  return found;
}

function isInside(inner: ClassType | null, outer: ClassType | null, derives: boolean): boolean {
  for (let at = inner; at !== null; at = at.outer)
    if (at === outer || (derives && outer !== null && at.is(outer))) return true;
  return false;
}

/** Whether what is seen within `given` never leaves what `wanted` allows. */
function holds(wanted: Limit, given: readonly Limit[]): boolean {
  return given.some(({ access, inside }) => {
    if (wanted.access === 'internal') return access === 'internal' || access === 'private';
    if (wanted.access === 'protected') return access !== 'internal' && isInside(inside, wanted.inside, true);
    return access === 'private' && isInside(inside, wanted.inside, false);
  });
}

function isSeen(b: Binder, type: Type, given: readonly Limit[]): boolean {
  switch (type.kind) {
    case 'array':
    case 'nullable':
      return isSeen(b, type.element, given);
    case 'tuple':
      return type.elements.every((element) => isSeen(b, element.type, given));
    case 'named': {
      if (!type.arguments.every((argument) => isSeen(b, argument, given))) return false;
      const own = classOf(b.classes, type);
      return own === undefined || limitsOf(own.outer, own.access).every((limit) => holds(limit, given));
    }
    default:
      return true;
  }
}

/** CS0050 to CS0054, CS0057: a type of a member. */
export function checkSeen(b: Binder, id: string, at: Syntax.Node, one: ClassType, access: Access, type: Type): void {
  if (!isSeen(b, type, limitsOf(one, access))) b.report(id, at);
}

/** CS0060, CS0061. */
export function checkBasesSeen(b: Binder, one: ClassType): void {
  const limits = limitsOf(one.outer, one.access);
  for (const base of one.bases) {
    const shape = b.library.symbolOf(base)?.shape;
    if (one.shape === 'interface' ? shape !== 'interface' : shape === 'interface') continue;
    if (!isSeen(b, base, limits)) b.report(one.shape === 'interface' ? 'CS0061' : 'CS0060', one.syntax.name);
  }
}
