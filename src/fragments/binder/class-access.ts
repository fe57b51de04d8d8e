// From where the members and the types inside of a type of the source may be used.

import type * as Syntax from '../syntax.ts';
import type { Type } from '../types.ts';
import type { Binder } from './binder.ts';
import { type Access, type ClassType, classOf } from './class-model.ts';

/** CS0122. */
export function isAccessible(b: Binder, owner: ClassType, access: Access): boolean {
  const { current } = b.classes!;
  if (access === 'public' || access === 'internal' || current === null) return true;
  for (let at: ClassType | null = current; at !== null; at = at.outer) {
    if (at === owner || (access === 'protected' && at.is(owner))) return true;
  }
  return false;
}

export function checkAccess(b: Binder, owner: ClassType, access: Access, at: Syntax.Node, name: string): boolean {
  if (isAccessible(b, owner, access)) return true;
  b.report('CS0122', at, `${owner.name}.${name}`);
  return false;
}

/** A type inside of another one by its name. */
export function nestedType(b: Binder, outer: Type, name: Syntax.Name): Type | null {
  for (let at: ClassType | null = classOf(b.classes, outer) ?? null; at !== null; at = at.base) {
    const found = at.nested.get(name.text);
    if (found === undefined) continue;
    if (!isAccessible(b, at, found.access)) b.report('CS0122', name, found.name);
    return found.type;
  }
  return null;
}
