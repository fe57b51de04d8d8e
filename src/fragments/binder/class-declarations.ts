// The types of a source and their members, before any body is bound: names, bases, signatures, and what is wrong with them.

import type * as Syntax from '../syntax.ts';
import type { Type } from '../types.ts';
import type { TypeDeclaration } from '../unit-syntax.ts';
import { newUserType } from '../user-types.ts';
import type { Binder } from './binder.ts';
import { type Access, ClassType, classOf } from './class-model.ts';
import { checkBasesSeen } from './class-visibility.ts';
import { bindType } from './type-names.ts';
import { isNamed, sameType, typeText } from './typing.ts';

/** The types by themselves, those inside of others too, outer ones first. */
export function declareTypes(declarations: readonly TypeDeclaration[]): ClassType[] {
  const all: ClassType[] = [];
  const declare = (syntax: TypeDeclaration, outer: ClassType | null): ClassType => {
    const simple = syntax.name.text;
    const text = outer === null ? simple : `${outer.user.text}+${simple}`;
    const { kind: shape, namespace } = syntax;
    const user = newUserType({ simple, text, namespace, shape });
    const usual = outer === null ? 'internal' : outer.shape === 'interface' ? 'public' : 'private';
    const made = new ClassType(user, syntax, outer, accessOf(syntax.modifiers, usual));
    all.push(made);
    for (const inner of syntax.types) {
      const own = declare(inner, made);
      if (!made.nested.has(inner.name.text)) made.nested.set(inner.name.text, own);
    }
    return made;
  };
  for (const syntax of declarations) declare(syntax, null);
  return all;
}

/** In one source `protected internal` is what `internal` is, and `private protected` what `protected` is. */
export function accessOf(modifiers: ReadonlySet<string>, otherwise: Access): Access {
  if (modifiers.has('protected') && modifiers.has('internal')) return 'internal';
  for (const access of ['public', 'protected', 'internal', 'private'] as const)
    if (modifiers.has(access)) return access;
  return otherwise;
}

/** CS0101, CS0102: names that are taken. */
export function checkNames(b: Binder, types: readonly ClassType[]): void {
  const seen = new Map<string, ClassType>();
  for (const one of types) {
    const key = `${one.namespace} ${one.user.text}`;
    if (seen.has(key)) b.report(one.outer === null ? 'CS0101' : 'CS0102', one.syntax.name, one.syntax.name.text);
    else seen.set(key, one);
    if (one.outer !== null && one.outer.syntax.name.text === one.syntax.name.text && one.outer.shape !== 'interface')
      b.report('CS0542', one.syntax.name, one.syntax.name.text);
  }
}

/** Types that a type sees without qualification: those beside it and around it, and its own. */
export function nameTypes(types: readonly ClassType[]): ReadonlyMap<string, Type> {
  const outermost = new Map<string, Type>();
  for (const one of types) if (one.outer === null) outermost.set(one.syntax.name.text, one.type);
  for (const one of types) {
    const names = new Map(one.outer?.typeNames ?? outermost);
    for (const [name, inner] of one.nested) names.set(name, inner.type);
    one.typeNames = names;
  }
  return outermost;
}

/** Interfaces of the library that a type of the source may have: whatever the library itself does with them goes by hooks. */
const interfaces = new Set([
  ...['IComparable', 'IEquatable', 'IDisposable', 'IPlugin', 'IGraphFunction', 'IShortestPathAlgorithm'],
  ...['IGraphAnalyticsAlgorithm', 'ISubGraphAlgorithm'],
]);

export function declareBases(b: Binder, types: readonly ClassType[]): void {
  for (const one of types) {
    b.typeNames = (one.outer ?? one).typeNames;
    const { kind, bases } = one.syntax;
    const found: Type[] = [];
    for (const [at, syntax] of bases.entries()) {
      const type = bindType(b, syntax);
      if (type.kind === 'error') continue;
      if (kind === 'enum') {
        one.underlying = type;
        continue;
      }
      if (found.some((other) => sameType(other, type))) b.report('CS0528', syntax, typeText(type));
      else if (declareBase(b, one, syntax, type, at)) found.push(type);
    }
    one.bases = found;
    one.user.bases = kind === 'struct' ? [...found, { kind: 'named', name: 'ValueType', arguments: [] }] : found;
  }
  for (const one of types) {
    if (one.shape === 'interface' && reaches(b, one, one)) {
      b.report('CS0529', one.syntax.name, one.name);
      one.bases = [];
      one.user.bases = [];
    }
    checkBasesSeen(b, one);
  }
  // A class depends on its base, and on the class that it is nested in.
  const circular = types.filter((one) => one.base !== null && dependsOn(one, one));
  for (const one of circular) b.report('CS0146', one.syntax.name, one.name);
  for (const one of circular) {
    one.base = null;
    one.bases = [];
    one.user.bases = [];
  }
}

function dependsOn(from: ClassType, wanted: ClassType, seen = new Set<ClassType>()): boolean {
  if (seen.has(from)) return false;
  seen.add(from);
  return [from.base, from.outer].some((on) => on !== null && (on === wanted || dependsOn(on, wanted, seen)));
}

/** Whether an interface is among the bases of one. */
function reaches(b: Binder, from: ClassType, wanted: ClassType, seen = new Set<ClassType>()): boolean {
  if (seen.has(from)) return false;
  seen.add(from);
  return from.bases.some((base) => {
    const own = classOf(b.classes, base);
    return own !== undefined && (own === wanted || reaches(b, own, wanted, seen));
  });
}

/** Whether the base stands. */
function declareBase(b: Binder, one: ClassType, at: Syntax.Node, type: Type, index: number): boolean {
  const own = classOf(b.classes, type);
  const shape = b.library.symbolOf(type)?.shape;
  if (one.shape === 'static class') {
    if (shape === 'interface') b.report('CS0714', at, one.name);
    else if (!isNamed(type, 'Object')) b.report('CS0713', at, one.name, typeText(type));
    return false;
  }
  if (shape === 'interface') {
    if (own !== undefined || (type.kind === 'named' && interfaces.has(type.name))) return true;
    b.report('CS8652', at, `the interface ${typeText(type)} of a class of its own`);
    return false;
  }
  if (own?.shape === 'static class' && one.syntax.kind === 'class') {
    b.report('CS0709', one.syntax.name, one.name, typeText(type));
    return false;
  }
  if (one.syntax.kind !== 'class' || shape !== 'class') {
    b.report('CS0527', at, typeText(type));
    return false;
  }
  if (index > 0) {
    b.report('CS1722', at, typeText(type));
    return false;
  }
  if (own !== undefined) {
    if (own.sealed) b.report('CS0509', one.syntax.name, one.name, typeText(type));
    one.base = own;
    return true;
  }
  if (isNamed(type, 'Object')) return false;
  if (type.kind === 'named' && type.name.endsWith('Exception')) {
    one.libraryBase = type;
    return true;
  }
  if (b.library.symbolOf(type)?.sealed) b.report('CS0509', one.syntax.name, one.name, typeText(type));
  else b.report('CS8652', at, `a class that derives from ${typeText(type)}`);
  return false;
}
