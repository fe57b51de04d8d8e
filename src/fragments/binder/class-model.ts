// The types of a source as the binder keeps them: what TypeSymbol says of them, and where their members lie in the tree.

import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import type { BodySyntax, TypeDeclaration } from '../unit-syntax.ts';
import type { UserType } from '../user-types.ts';
import type { LocalFunctionSymbol, LocalSymbol } from './scopes.ts';
import type { MemberSymbol, MethodSymbol, TypeShape, TypeSymbol } from './symbols.ts';
import { INT } from './typing.ts';

export type Access = 'public' | 'internal' | 'protected' | 'private';

export interface UserField {
  readonly owner: ClassType;
  readonly name: Syntax.Name;
  readonly type: Type;
  readonly access: Access;
  readonly readonly: boolean;
  /** Static as written; fields of a class with one object alone lie as static ones do. */
  readonly isStatic: boolean;
  readonly initializer: Syntax.Expression | Syntax.Initializer | null;
  /** Of an object: its place among all fields. */
  index: number;
  /** Where a static one lies. */
  local: LocalSymbol | null;
  /** Of a constant, once it has been asked for; undefined: it is none. */
  constant: Tree.ConstantValue | undefined;
  isConst: boolean;
  /** While its value is being found. */
  pending: boolean;
}

export interface UserProperty {
  readonly owner: ClassType;
  readonly access: Access;
  readonly isStatic: boolean;
  /** What an automatic one is. */
  readonly field: UserField | null;
  readonly get: UserMethod | null;
  readonly set: UserMethod | null;
  readonly getAccess: Access;
  readonly setAccess: Access;
  readonly isInit: boolean;
}

export interface UserMethod {
  readonly owner: ClassType;
  readonly name: string;
  /** Name and parameter types: what an override shares with what it overrides. */
  readonly signature: string;
  readonly access: Access;
  readonly modifiers: ReadonlySet<string>;
  readonly isStatic: boolean;
  /** Whether its function takes the object first. */
  readonly hasThis: boolean;
  readonly isVirtual: boolean;
  readonly isConstructor: boolean;
  /** Null: it is abstract. */
  readonly function: LocalFunctionSymbol | null;
  /** Null: the body of an accessor that has none. */
  readonly body: BodySyntax | null;
  /** The field behind an accessor without a body. */
  readonly field: UserField | null;
  readonly chain: {
    readonly kind: 'this' | 'base';
    readonly at: Syntax.Node;
    readonly arguments: readonly Syntax.Argument[];
  } | null;
  /** The object, where the function takes it: declared when its body is bound. */
  symbol: MethodSymbol;
  /** Functions that choose between overrides, by the static type they are called on. */
  readonly dispatchers: Map<string, Tree.LocalFunction>;
}

export class ClassType implements TypeSymbol {
  readonly user: UserType;
  readonly syntax: TypeDeclaration;
  readonly outer: ClassType | null;
  readonly type: Type;
  readonly name: string;
  readonly namespace: string;
  readonly shape: TypeShape;
  readonly typeParameters = [];
  readonly refused = null;
  readonly sealed: boolean;
  readonly abstract: boolean;
  readonly hasExtensions: boolean;
  readonly signature = null;
  bases: readonly Type[] = [];
  underlying: Type = INT;
  readonly access: Access;
  readonly nested = new Map<string, ClassType>();
  base: ClassType | null = null;
  /** The class of the library that it derives from: an exception's. */
  libraryBase: Type | null = null;
  /** There is one object of it, which nothing refers to: its members lie as static ones do. */
  isAlone = false;
  readonly methods: UserMethod[] = [];
  readonly fields: UserField[] = [];
  readonly constructors: UserMethod[] = [];
  /** Names of types that need no qualification inside. */
  typeNames: ReadonlyMap<string, Type> = new Map();
  private readonly members = new Map<string, MemberSymbol[]>();

  constructor(user: UserType, syntax: TypeDeclaration, outer: ClassType | null, access: Access) {
    this.user = user;
    this.syntax = syntax;
    this.outer = outer;
    this.type = { kind: 'named', name: user.name, arguments: [] };
    this.name = user.name;
    this.namespace = user.namespace;
    this.access = access;
    const { kind, modifiers } = syntax;
    this.shape = kind === 'class' && modifiers.has('static') ? 'static class' : kind;
    this.sealed = modifiers.has('sealed') || kind === 'struct' || kind === 'enum';
    this.abstract = modifiers.has('abstract') || kind === 'interface';
    this.hasExtensions =
      this.shape === 'static class' &&
      syntax.members.some((member) => member.kind === 'method' && member.function.parameters[0]?.mode === 'this');
  }

  add(member: MemberSymbol, name: string = member.name): void {
    const list = this.members.get(name);
    if (list === undefined) this.members.set(name, [member]);
    else list.push(member);
  }

  membersNamed(name: string): readonly MemberSymbol[] {
    return this.members.get(name) ?? [];
  }

  memberNames(): Iterable<string> {
    return this.members.keys();
  }

  constructorCount(word: 'static'): number {
    return this.syntax.members.filter(({ kind, modifiers }) => kind === 'constructor' && modifiers.has(word)).length;
  }

  /** Whether it is the other or derives from it. */
  is(other: ClassType): boolean {
    for (let at: ClassType | null = this; at !== null; at = at.base) if (at === other) return true;
    return false;
  }
}

export interface Classes {
  readonly all: readonly ClassType[];
  /** The class whose member is being bound; null: what the host adds. */
  current: ClassType | null;
  /** Whether that member is static as written. */
  isStatic: boolean;
  /** The constructor being bound, in which what is readonly may be set. */
  isConstructing: boolean;
  /** Values of fields are being bound, which see no object. */
  isInitializing: boolean;
  readonly byName: ReadonlyMap<string, ClassType>;
  /** Functions that were made while others were bound. */
  readonly made: Tree.Statement[];
  /** Constructors that hand on to another one of their class. */
  readonly chains: Map<UserMethod, UserMethod>;
  /** The value of a constant expression; undefined: it is none, `wrong`: that has been reported. */
  readonly bindConstant: (
    b: import('./binder.ts').Binder,
    syntax: Syntax.Expression,
  ) => Tree.ConstantValue | undefined | 'wrong';
  readonly constantOf: (b: import('./binder.ts').Binder, field: UserField) => Tree.ConstantValue | undefined;
  /** Runs as inside of a static member of a class. */
  readonly inside: <T>(b: import('./binder.ts').Binder, one: ClassType, run: () => T) => T;
  /** The variable behind a value; null: there is none. */
  readonly targetOf: (value: import('./bound.ts').Value) => Tree.Target | null;
  /** Statics, constructors of types and the functions of all members, where the host's part begins. */
  readonly bindMembers: (b: import('./binder.ts').Binder) => Tree.Statement;
}

/** A type of the source by a type. */
export function classOf(classes: Classes | null, type: Type): ClassType | undefined {
  return type.kind === 'named' ? classes?.byName.get(type.name) : undefined;
}
