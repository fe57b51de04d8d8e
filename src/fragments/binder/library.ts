// The library as the binder asks it: types by name, the bases of a type, members by name, extension methods, operators.
// Fragments import System, System.Linq and the namespaces of the model; what lies elsewhere must be named in full.

import type { Declarations } from '../library/declarations.ts';
import { step, uncounted } from '../steps.ts';
import type { Type } from '../types.ts';
import { declarationName, readDeclarations } from './reader.ts';
import type { MemberSymbol, MethodSymbol, TypeSymbol } from './symbols.ts';
import { named, OBJECT, type Substitution, substitute, typeText } from './typing.ts';

/** A member together with what the type arguments of its receiver put in for its owner's type parameters. */
export interface FoundMember<M extends MemberSymbol = MemberSymbol> {
  readonly symbol: M;
  readonly map: Substitution;
}

const NO_MAP: Substitution = new Map();
const ARRAY_INTERFACES = ['IEnumerable', 'IReadOnlyCollection', 'IReadOnlyList', 'ICollection', 'IList'];

export class Library {
  readonly #types = new Map<string, TypeSymbol[]>();
  readonly #namespaces = new Set<string>();
  readonly #extensionHolders: TypeSymbol[] = [];
  readonly #extensions = new Map<string, readonly MethodSymbol[]>();
  /** Of types by object: those of the library without type arguments are the same in all fragments. */
  readonly #bases = new WeakMap<Type, readonly Type[]>();
  /** Those that are in scope without being named; null: those of fragments. */
  imports: ReadonlySet<string> | null = null;

  constructor(texts: readonly Declarations[]) {
    for (const symbol of readDeclarations(texts)) {
      const list = this.#types.get(symbol.name);
      if (list) list.push(symbol);
      else this.#types.set(symbol.name, [symbol]);
      const parts = symbol.namespace.split('.');
      for (let count = 1; count <= parts.length; count++) this.#namespaces.add(parts.slice(0, count).join('.'));
      if (symbol.hasExtensions && isImported(symbol.namespace)) this.#extensionHolders.push(symbol);
    }
  }

  /** The same library with the types of a source, seen from where certain namespaces are imported. */
  extended(types: readonly TypeSymbol[], imports: ReadonlySet<string>): Library {
    const made = new Library([]);
    for (const [name, list] of this.#types) made.#types.set(name, list);
    for (const name of this.#namespaces) made.#namespaces.add(name);
    for (const holder of this.#extensionHolders) {
      if (imports.has(holder.namespace)) made.#extensionHolders.push(holder);
    }
    for (const symbol of types) {
      made.#types.set(symbol.name, [symbol]);
      if (symbol.hasExtensions) made.#extensionHolders.push(symbol);
      const parts = symbol.namespace.split('.');
      for (let count = 1; count <= parts.length; count++) made.#namespaces.add(parts.slice(0, count).join('.'));
    }
    made.imports = imports;
    return made;
  }

  #isInScope(namespace: string): boolean {
    return this.imports === null ? isImported(namespace) : this.imports.has(namespace);
  }

  isNamespace(name: string): boolean {
    return this.#namespaces.has(name);
  }

  /** The type that a simple name means where nothing qualifies it, or in a namespace. */
  find(name: string, arity: number, namespace: string | null): TypeSymbol | undefined {
    return this.#types
      .get(name)
      ?.find(
        (symbol) =>
          symbol.typeParameters.length === arity &&
          (namespace === null ? this.#isInScope(symbol.namespace) : symbol.namespace === namespace),
      );
  }

  /** Types of that name in scope with any number of type parameters. */
  withAnyArity(name: string, namespace: string | null): readonly TypeSymbol[] {
    return (this.#types.get(name) ?? []).filter((symbol) =>
      namespace === null ? this.#isInScope(symbol.namespace) : symbol.namespace === namespace,
    );
  }

  /** The declaration behind a type; none for tuples, anonymous types and the like. */
  symbolOf(type: Type): TypeSymbol | undefined {
    const name = declarationName(type);
    if (name === null) return undefined;
    const arity = type.kind === 'named' ? type.arguments.length : type.kind === 'nullable' ? 1 : 0;
    return this.#types.get(name)?.find((symbol) => symbol.typeParameters.length === arity);
  }

  /** What the arguments of a type put in for the parameters of its declaration. */
  mapOf(type: Type, symbol: TypeSymbol): Substitution {
    if (symbol.typeParameters.length === 0) return NO_MAP;
    const own = type.kind === 'named' ? type.arguments : type.kind === 'nullable' ? [type.element] : [];
    return new Map(symbol.typeParameters.map((parameter, at) => [parameter.name, own[at]!]));
  }

  /** The type's direct bases, substituted. */
  directBases(type: Type): readonly Type[] {
    if (type.kind === 'array') {
      const bases: Type[] = [named('Array')];
      if (type.rank > 1) bases.push(named('IEnumerable'));
      else for (const name of ARRAY_INTERFACES) bases.push(named(name, type.element));
      return bases;
    }
    const symbol = this.symbolOf(type);
    if (!symbol) return [];
    if (symbol.shape === 'enum') return [named('Enum')];
    const map = this.mapOf(type, symbol);
    return symbol.bases.map((base) => substitute(base, map));
  }

  /** The type itself and everything it derives from or implements; object is not listed. */
  selfAndBases(type: Type): readonly Type[] {
    let list = this.#bases.get(type);
    if (!list) {
      list = uncounted(() => this.#findBases(type));
      this.#bases.set(type, list);
    }
    step(list.length);
    return list;
  }

  #findBases(type: Type): readonly Type[] {
    const list: Type[] = [type];
    const seen = new Set<string>();
    for (let at = 0; at < list.length; at++) {
      for (const base of this.directBases(list[at]!)) {
        const key = typeText(base);
        if (seen.has(key) || (base.kind === 'primitive' && base.name === 'object')) continue;
        seen.add(key);
        list.push(base);
      }
    }
    return list;
  }

  /**
   * Members of a name: those of the type itself, and if it has none those of the nearest base that has; then object's. What a class or an
   * array has only as an interface's member is seen through that interface alone.
   */
  members(type: Type, name: string): readonly FoundMember[] {
    const found: FoundMember[] = [];
    const isInterface = this.symbolOf(type)?.shape === 'interface';
    for (const level of this.selfAndBases(type)) {
      const symbol = this.symbolOf(level);
      if (symbol?.shape === 'interface' && !isInterface) continue;
      // An array's own symbol is the one of its base.
      if (!symbol || (level !== type && symbol === this.symbolOf(type))) continue;
      const map = this.mapOf(level, symbol);
      for (const member of symbol.membersNamed(name)) {
        step(found.length >> 2);
        if (!hidden(found, member)) found.push({ symbol: member, map });
      }
    }
    const root = this.symbolOf(OBJECT);
    if (root === this.symbolOf(type)) return found;
    for (const member of root?.membersNamed(name) ?? []) {
      if (!hidden(found, member)) found.push({ symbol: member, map: NO_MAP });
    }
    return found;
  }

  /** Names of types in scope, for messages. */
  *typeNames(): Iterable<string> {
    for (const [name, list] of this.#types) if (list.some(({ namespace }) => this.#isInScope(namespace))) yield name;
  }

  /** Names of extension methods in scope, for messages. */
  extensionNames(): readonly string[] {
    return this.#extensionHolders.flatMap((holder) => [...holder.memberNames()]);
  }

  /** Extension methods in scope. */
  extensionMethods(name: string): readonly MethodSymbol[] {
    let list = this.#extensions.get(name);
    if (!list) {
      list = this.#extensionHolders.flatMap((holder) =>
        holder
          .membersNamed(name)
          .filter((member): member is MethodSymbol => member.kind === 'method' && member.extension),
      );
      this.#extensions.set(name, list);
    }
    return list;
  }

  /** User-defined operators or conversions that a type declares, its bases included. */
  operators(type: Type, name: string): readonly FoundMember<MethodSymbol>[] {
    const found: FoundMember<MethodSymbol>[] = [];
    for (const level of this.selfAndBases(type)) {
      const symbol = this.symbolOf(level);
      if (!symbol || symbol.shape === 'interface') continue;
      const map = this.mapOf(level, symbol);
      for (const member of symbol.membersNamed(name)) if (member.kind === 'method') found.push({ symbol: member, map });
    }
    return found;
  }
}

/** A member of a base is hidden by one that is not a method, and by a method with the same parameters. */
function hidden(found: readonly FoundMember[], member: MemberSymbol): boolean {
  return found.some(({ symbol }) => {
    if (symbol.owner === member.owner) return false;
    if (symbol.kind !== 'method' || member.kind !== 'method') return true;
    const own = symbol.key.slice(symbol.key.indexOf('('));
    return own === member.key.slice(member.key.indexOf('('));
  });
}

function isImported(namespace: string): boolean {
  return namespace === 'System' || namespace === 'System.Linq' || !/^System\b/.test(namespace);
}
