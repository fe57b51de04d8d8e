// What the library declares, once it is read: types and their members. Symbols are immutable and shared by all compilations.

import type { Type } from '../types.ts';
import type { UserField, UserMethod, UserProperty } from './class-model.ts';

export type TypeShape = 'struct' | 'class' | 'static class' | 'interface' | 'enum' | 'delegate';

export interface TypeParameter {
  readonly name: string;
  readonly variance: '' | 'in' | 'out';
  /** `struct`, `class`, `notnull`, `new()` or a base type as declared. */
  readonly constraints: readonly (string | Type)[];
}

export interface ParameterSymbol {
  readonly name: string;
  readonly type: Type;
  readonly mode: 'value' | 'ref' | 'out' | 'in';
  readonly params: boolean;
  /** The text of the default value, or null when the parameter must be given. */
  readonly default: string | null;
}

export interface MethodSymbol {
  readonly kind: 'method';
  readonly owner: TypeSymbol;
  readonly name: string;
  readonly typeParameters: readonly TypeParameter[];
  readonly parameters: readonly ParameterSymbol[];
  readonly returnType: Type;
  readonly static: boolean;
  readonly extension: boolean;
  readonly key: string;
  /** The id that using it answers, for members that are known but out of reach. */
  readonly refused: string | null;
  /** Of a type of the source. */
  readonly user?: UserMethod;
}

export interface PropertySymbol {
  readonly kind: 'property';
  readonly owner: TypeSymbol;
  readonly name: string; // `Item` for an indexer
  readonly parameters: readonly ParameterSymbol[]; // of an indexer
  readonly type: Type;
  readonly static: boolean;
  readonly getKey: string | null;
  readonly setKey: string | null;
  readonly initOnly: boolean;
  readonly refused: string | null;
  readonly user?: UserProperty;
}

export interface FieldSymbol {
  readonly kind: 'field';
  readonly owner: TypeSymbol;
  readonly name: string;
  readonly type: Type;
  readonly static: boolean;
  readonly readonly: boolean;
  readonly key: string;
  /** The text of a constant's value; for an enum member its number. */
  readonly constant: string | null;
  readonly refused: string | null;
  readonly user?: UserField;
}

export type MemberSymbol = MethodSymbol | PropertySymbol | FieldSymbol;

export interface TypeSymbol {
  readonly name: string;
  readonly namespace: string;
  readonly shape: TypeShape;
  readonly typeParameters: readonly TypeParameter[];
  readonly refused: string | null;
  readonly sealed: boolean;
  readonly abstract: boolean;
  /** A static class that declares a method with a `this` parameter. */
  readonly hasExtensions: boolean;
  /** Base class and interfaces as declared. */
  readonly bases: readonly Type[];
  /** An enum's number type. */
  readonly underlying: Type;
  /** A delegate's Invoke. */
  readonly signature: { readonly parameters: readonly ParameterSymbol[]; readonly returnType: Type } | null;
  /** Members declared here (not in bases) under a name; constructors are `new`, indexers `this`, operators `op_…`. */
  membersNamed(name: string): readonly MemberSymbol[];
  /** Every declared name, for instance for enums. */
  memberNames(): Iterable<string>;
}
