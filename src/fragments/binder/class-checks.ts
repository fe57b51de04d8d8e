// What is wrong with types by themselves: members that are missing, overrides of nothing, overrides that differ.

import type * as Syntax from '../syntax.ts';
import type { Type } from '../types.ts';
import type { Binder } from './binder.ts';
import { type ClassType, classOf, type UserMethod } from './class-model.ts';
import { checkPairs } from './class-signatures.ts';
import { implementationIn } from './dispatch.ts';
import { BOOL, INT, STRING, sameType, typeText } from './typing.ts';

export function checkTypes(b: Binder, all: readonly ClassType[]): void {
  for (const one of all) {
    if (one.shape === 'class' || one.shape === 'struct') {
      checkOverrides(b, one);
      checkAbstract(b, one);
      checkInterfaces(b, one);
      checkPairs(b, one);
      if (one.shape === 'struct') checkCycle(b, one);
    }
  }
}

const objectMembers = new Set(['ToString()', 'GetHashCode()', 'Equals(object)']);

/** CS0115, CS0506, CS0508, CS0239. */
function checkOverrides(b: Binder, one: ClassType): void {
  for (const method of one.methods) {
    if (!method.modifiers.has('override')) continue;
    const at = nameOf(method);
    let found: UserMethod | undefined;
    for (let base = one.base; base !== null && found === undefined; base = base.base) {
      found = base.methods.find(({ signature, isStatic }) => signature === method.signature && !isStatic);
    }
    if (found === undefined) {
      const isKnown =
        objectMembers.has(method.signature) || (one.libraryBase !== null && method.name === 'get_Message');
      if (!isKnown) b.report('CS0115', at, `${one.name}.${at.text}`);
      else checkObjectMember(b, one, method, at);
      continue;
    }
    if (!found.isVirtual) b.report('CS0506', at, `${one.name}.${at.text}`, `${found.owner.name}.${at.text}`);
    else if (found.modifiers.has('sealed'))
      b.report('CS0239', at, `${one.name}.${at.text}`, `${found.owner.name}.${at.text}`);
    else if (!sameType(found.symbol.returnType, method.symbol.returnType)) {
      b.report('CS0508', at, `${one.name}.${at.text}`, `${found.owner.name}.${at.text}`);
    } else if (found.access !== method.access) b.report('CS0507', at, `${one.name}.${at.text}`, found.access);
  }
}

const results: Readonly<Record<string, Type>> = { 'ToString()': STRING, 'GetHashCode()': INT, 'Equals(object)': BOOL };

/** CS0508, CS0507: an override of what object has. */
function checkObjectMember(
  b: Binder,
  one: ClassType,
  method: UserMethod,
  at: Syntax.Node & { readonly text: string },
): void {
  const result = results[method.signature];
  if (result === undefined) return;
  if (!sameType(result, method.symbol.returnType))
    b.report('CS0508', at, `${one.name}.${at.text}`, `object.${at.text}`);
  else if (method.access !== 'public') b.report('CS0507', at, `${one.name}.${at.text}`, 'public');
}

/** CS0523: a struct that holds itself. */
function checkCycle(b: Binder, one: ClassType): void {
  const reaches = (from: ClassType, seen: Set<ClassType>): boolean =>
    from.fields.some(({ type, isStatic }) => {
      const own = isStatic ? undefined : classOf(b.classes, type.kind === 'nullable' ? type.element : type);
      if (own?.shape !== 'struct') return false;
      if (own === one) return true;
      if (seen.has(own)) return false;
      seen.add(own);
      return reaches(own, seen);
    });
  for (const { name, type, isStatic } of one.fields) {
    const own = isStatic ? undefined : classOf(b.classes, type.kind === 'nullable' ? type.element : type);
    if (own?.shape === 'struct' && (own === one || reaches(own, new Set()))) {
      b.report('CS0523', name, `${one.name}.${name.text}`, typeText(type));
      return;
    }
  }
}

function nameOf(method: UserMethod): { readonly text: string; readonly start: number; readonly end: number } {
  const { name } = method.symbol.user?.function?.syntax ?? { name: method.owner.syntax.name };
  return { ...name, text: name.text.replace(/^[gs]et_/, '') };
}

/** CS0534. */
function checkAbstract(b: Binder, one: ClassType): void {
  if (one.abstract) return;
  for (let at = one.base; at !== null; at = at.base) {
    for (const method of at.methods) {
      if (!method.modifiers.has('abstract') || implementationIn(one, method) !== null) continue;
      b.report('CS0534', one.syntax.name, one.name, `${at.name}.${method.signature.replace(/^[gs]et_(\w+).*/, '$1')}`);
    }
  }
}

/** CS0535, CS0737, CS0738: members of interfaces of the source. */
function checkInterfaces(b: Binder, one: ClassType): void {
  for (const base of one.bases) {
    const own = classOf(b.classes, base);
    if (own?.shape !== 'interface') continue;
    for (const face of withBases(b, own)) {
      for (const method of face.methods) {
        const found = implementationIn(one, method);
        const name = `${face.name}.${method.signature.replace(/^[gs]et_(\w+).*/, '$1')}`;
        if (found === null) {
          if (!one.abstract || !isAbstractIn(one, method)) b.report('CS0535', one.syntax.name, one.name, name);
        } else if (found.access !== 'public') b.report('CS0737', one.syntax.name, one.name, name);
        else if (!sameType(found.symbol.returnType, method.symbol.returnType))
          b.report('CS0738', one.syntax.name, one.name, name);
      }
    }
  }
}

function isAbstractIn(one: ClassType, method: UserMethod): boolean {
  for (let at: ClassType | null = one; at !== null; at = at.base) {
    if (at.methods.some(({ signature }) => signature === method.signature)) return true;
  }
  return false;
}

function withBases(b: Binder, face: ClassType): ClassType[] {
  const found = [face];
  for (const base of face.bases) {
    const own = classOf(b.classes, base);
    if (own !== undefined && own !== face) found.push(...withBases(b, own));
  }
  return found;
}
