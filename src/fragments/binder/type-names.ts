// Types as they are written: names to types of the library, and what is said when a name means none.

import { stepAt } from '../steps.ts';
import type * as Syntax from '../syntax.ts';
import type { PrimitiveName, Type } from '../types.ts';
import type { Binder } from './binder.ts';
import { nestedType } from './class-access.ts';
import { isReferenceType, isRefLike } from './conversions.ts';
import type { TypeSymbol } from './symbols.ts';
import {
  ERROR,
  isPrimitive,
  named,
  nullableOf,
  primitiveByDotNetName,
  primitiveType,
  sized,
  typeText,
  withoutNullable,
} from './typing.ts';

/** What a dotted or simple name can mean where a type may stand. */
export type NamedThing =
  | { readonly kind: 'type'; readonly type: Type }
  | { readonly kind: 'namespace'; readonly name: string }
  | null;

type Suffix = Syntax.TypeSyntax & { readonly kind: 'arrayType' | 'nullableType' };

/** A type as it is written; of `T[][]?` from `T` on, however long it is. */
export function bindType(b: Binder, syntax: Syntax.TypeSyntax): Type {
  const suffixes: Suffix[] = [];
  let core = syntax;
  for (; core.kind === 'arrayType' || core.kind === 'nullableType'; core = core.element) suffixes.push(core);
  return suffixes.reduceRight((type, suffix) => suffixed(b, suffix, type), bindCore(b, core));
}

function bindCore(b: Binder, syntax: Syntax.TypeSyntax): Type {
  switch (syntax.kind) {
    case 'predefinedType':
      return primitiveType(syntax.keyword as PrimitiveName);
    case 'nameType':
    case 'qualifiedType': {
      const thing = bindNamed(b, syntax);
      if (thing === null) return ERROR;
      if (thing.kind === 'type') return thing.type;
      b.report('CS0118', syntax, thing.name, 'namespace', 'type');
      return ERROR;
    }
    case 'tupleType':
      return tupleType(b, syntax);
    case 'refType':
      b.report('CS1073', { start: syntax.start, end: syntax.start + 'ref'.length });
      return bindType(b, syntax.element);
    default:
      return ERROR;
  }
}

/** `T[]` and `T?` of a type. */
function suffixed(b: Binder, syntax: Suffix, element: Type): Type {
  stepAt(syntax, 2);
  if (syntax.kind === 'arrayType') {
    if (isRefLike(element)) b.report('CS0611', syntax.element, typeText(element));
    return element.kind === 'error' ? element : sized({ kind: 'array', element, rank: syntax.rank });
  }
  if (element.kind === 'nullable' || isRefLike(element)) {
    b.report('CS0453', syntax, typeText(element), 'T', 'Nullable<T>');
    return ERROR;
  }
  if (element.kind === 'error') return element;
  if (!isReferenceType(b, element)) return nullableOf(element);
  b.warn('CS8632', { start: syntax.end - 1, end: syntax.end });
  return element;
}

function tupleType(b: Binder, syntax: Syntax.TypeSyntax & { kind: 'tupleType' }): Type {
  const names = new Set<string>();
  const elements = syntax.elements.map(({ type, name }) => {
    if (name) {
      if (names.has(name.text)) b.report('CS8127', name);
      names.add(name.text);
    }
    return { type: bindType(b, type), name: name?.text ?? null };
  });
  return elements.some((element) => element.type.kind === 'error') ? ERROR : sized({ kind: 'tuple', elements });
}

export function isVar(b: Binder, syntax: Syntax.TypeSyntax | null): boolean {
  return (
    syntax?.kind === 'nameType' &&
    syntax.name.text === 'var' &&
    syntax.arguments.length === 0 &&
    b.text[syntax.name.start] !== '@'
  );
}

function bindNamed(b: Binder, syntax: Syntax.TypeSyntax & { kind: 'nameType' | 'qualifiedType' }): NamedThing {
  if (syntax.kind === 'nameType') {
    if (syntax.name.text === '') return null;
    const found = simpleName(b, syntax.name, syntax.arguments, syntax);
    if (found === undefined && syntax.arguments.length === 0 && b.find(syntax.name.text)?.kind === 'local')
      b.report('CS0118', syntax, syntax.name.text, 'variable', 'type');
    else if (found === undefined) b.report('CS0246', syntax, syntax.name.text);
    return found ?? null;
  }
  // `A.B.C` from `A` on, however long it is.
  const parts: QualifiedType[] = [];
  let first: Syntax.TypeSyntax = syntax;
  for (; first.kind === 'qualifiedType'; first = first.left) parts.push(first);
  if (first.kind !== 'nameType') {
    bindType(b, first);
    return null;
  }
  const isNamespace = first.arguments.length === 0 && b.library.isNamespace(first.name.text);
  const start: NamedThing = isNamespace ? { kind: 'namespace', name: first.name.text } : bindNamed(b, first);
  return parts.reduceRight((outer, part) => qualified(b, part, outer), start);
}

type QualifiedType = Syntax.TypeSyntax & { readonly kind: 'qualifiedType' };

/** The name behind a dot. */
function qualified(b: Binder, syntax: QualifiedType, outer: NamedThing): NamedThing {
  stepAt(syntax, 2);
  if (outer === null || syntax.name.text === '') return null;
  if (outer.kind === 'type') {
    const nested = syntax.arguments.length === 0 ? nestedType(b, outer.type, syntax.name) : null;
    if (nested !== null) return { kind: 'type', type: nested };
    b.report('CS0426', syntax.name, syntax.name.text, typeText(outer.type));
    return null;
  }
  const found = inNamespace(b, outer.name, syntax.name, syntax.arguments, syntax.name);
  if (found === undefined) b.report('CS0234', syntax.name, syntax.name.text, outer.name);
  return found ?? null;
}

/** A simple name as a type or namespace; undefined when nothing has it, null when that has been reported. */
export function simpleName(
  b: Binder,
  name: Syntax.Name,
  typeArguments: readonly Syntax.TypeSyntax[],
  at: Syntax.Node,
): NamedThing | undefined {
  if (name.text === 'dynamic' || name.text === 'nint' || name.text === 'nuint') {
    b.report('CS8652', at, name.text);
    return null;
  }
  if (name.text === 'ValueTuple' && typeArguments.length > 1 && typeArguments.length < 8) {
    return valueTuple(b, typeArguments);
  }
  const own = typeArguments.length === 0 ? b.typeNames.get(name.text) : undefined;
  if (own) return { kind: 'type', type: own };
  const type = typeIn(b, null, name, typeArguments, at);
  if (type !== undefined) return type;
  if (typeArguments.length === 0 && b.library.isNamespace(name.text)) return { kind: 'namespace', name: name.text };
  return undefined;
}

/** `ValueTuple<int, string>` is the tuple type itself. */
function valueTuple(b: Binder, typeArguments: readonly Syntax.TypeSyntax[]): NamedThing {
  const elements = typeArguments.map((argument) => ({ type: bindType(b, argument), name: null }));
  return elements.some(({ type }) => type.kind === 'error')
    ? null
    : { kind: 'type', type: sized({ kind: 'tuple', elements }) };
}

/** A name inside a namespace. */
export function inNamespace(
  b: Binder,
  namespace: string,
  name: Syntax.Name,
  typeArguments: readonly Syntax.TypeSyntax[],
  at: Syntax.Node,
): NamedThing | undefined {
  if (namespace === 'System' && name.text === 'ValueTuple' && typeArguments.length > 1 && typeArguments.length < 8) {
    return valueTuple(b, typeArguments);
  }
  const full = `${namespace}.${name.text}`;
  const own = b.classes?.all.find(
    (one) => one.outer === null && one.namespace === namespace && one.syntax.name.text === name.text,
  );
  if (own !== undefined && typeArguments.length === 0) return { kind: 'type', type: own.type };
  if (typeArguments.length === 0 && b.library.isNamespace(full)) return { kind: 'namespace', name: full };
  return typeIn(b, namespace, name, typeArguments, at);
}

function typeIn(
  b: Binder,
  namespace: string | null,
  name: Syntax.Name,
  typeArguments: readonly Syntax.TypeSyntax[],
  at: Syntax.Node,
): NamedThing | undefined {
  const symbol = b.library.find(name.text, typeArguments.length, namespace);
  if (!symbol) {
    const others = b.library.withAnyArity(name.text, namespace);
    const other = others[0];
    if (!other) return undefined;
    for (const argument of typeArguments) bindType(b, argument);
    if (other.refused) b.report(other.refused, at, name.text);
    else if (other.typeParameters.length) b.report('CS0305', at, name.text, String(other.typeParameters.length));
    else b.report('CS0308', at, name.text);
    return null;
  }
  if (symbol.refused) {
    b.report(symbol.refused, at, name.text);
    return null;
  }
  const bound = typeArguments.map((argument) => {
    const type = bindType(b, argument);
    if (isPrimitive(type, 'void')) b.report('CS1547', argument);
    else if (b.library.symbolOf(type)?.shape === 'static class') b.report('CS0718', argument, typeText(type));
    else if (isRefLike(type)) b.report('CS0306', argument, typeText(type));
    return type;
  });
  if (bound.some((type) => type.kind === 'error')) return null;
  return { kind: 'type', type: constructed(symbol, bound) };
}

function constructed(symbol: TypeSymbol, typeArguments: readonly Type[]): Type {
  if (typeArguments.length === 0 && symbol.namespace === 'System') {
    const simple = primitiveByDotNetName(symbol.name);
    if (simple) return simple;
  }
  if (symbol.name === 'Nullable' && typeArguments.length === 1) return nullableOf(withoutNullable(typeArguments[0]!));
  return named(symbol.name, ...typeArguments);
}
