// What an expression is between its syntax and the typed tree. Most are values with a type; the rest have no type of their
// own until something gives them one: lambdas, method groups, `null`, `default`, `new()`, conditionals and switches without
// a natural type, collection expressions, throw expressions, tuples with such elements.

import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import type { UserField, UserProperty } from './class-model.ts';
import type { FunctionScope, LocalFunctionSymbol, LocalSymbol, Scope } from './scopes.ts';
import type { FieldSymbol, MethodSymbol, PropertySymbol } from './symbols.ts';
import type { Substitution } from './typing.ts';

/** Where a value came from, for those who assign to it or pass it by reference. */
export type Place =
  | { readonly kind: 'local'; readonly symbol: LocalSymbol; readonly property?: UserProperty }
  | { readonly kind: 'temporary'; readonly local: Tree.Local }
  | { readonly kind: 'element'; readonly array: Tree.Expression; readonly indices: readonly Tree.Expression[] }
  | {
      readonly kind: 'member';
      readonly symbol: PropertySymbol | FieldSymbol;
      readonly receiver: Tree.Expression | null;
      readonly receiverIsValueType: boolean;
      readonly arguments: readonly Tree.Expression[];
      /** The receiver as it was bound, where the member is one of the source. */
      readonly owner?: Value;
    }
  | {
      readonly kind: 'tupleElement';
      readonly tuple: Value;
      readonly index: number;
      readonly field?: UserField;
      readonly property?: UserProperty;
    }
  /** A field of an object of a class of the source. */
  | {
      readonly kind: 'field';
      readonly object: Tree.Expression;
      readonly field: UserField;
      readonly property?: UserProperty;
    }
  /** `c ? ref a : ref b`. */
  | {
      readonly kind: 'choice';
      readonly condition: Tree.Expression;
      readonly whenTrue: Value;
      readonly whenFalse: Value;
    }
  | { readonly kind: 'readOnly' }; // array length, members of anonymous types: CS0200

export interface Value {
  readonly kind: 'value';
  readonly syntax: Syntax.Node;
  readonly type: Type;
  readonly tree: Tree.Expression;
  readonly constant?: Tree.ConstantValue | undefined;
  readonly place?: Place | undefined;
  /** `base`: its members are those of the base class as it stands. */
  readonly isBase?: boolean | undefined;
  /** The ref local that was named. */
  readonly alias?: LocalSymbol | undefined;
  /** The elements of a tuple literal, which convert one by one. */
  readonly elements?: readonly Bound[] | undefined;
}

export interface Candidate {
  readonly method: MethodSymbol | null;
  readonly local: LocalFunctionSymbol | null;
  readonly map: Substitution;
  readonly extension: boolean;
}

export interface LambdaBody {
  readonly owner: FunctionScope;
  readonly code: Tree.FunctionCode;
  readonly returns: readonly LambdaReturn[];
  readonly endReachable: boolean;
  readonly diagnostics: readonly import('../diagnostics.ts').Diagnostic[];
  readonly hasErrors: boolean;
  inferred: Type | null | undefined;
}

export interface LambdaReturn {
  readonly value: Bound | null;
  readonly syntax: Syntax.Node;
  readonly node: { kind: 'return'; value: Tree.Expression | null };
}

export type Bound =
  | Value
  | { readonly kind: 'error'; readonly syntax: Syntax.Node }
  | { readonly kind: 'type'; readonly syntax: Syntax.Node; readonly type: Type }
  | { readonly kind: 'namespace'; readonly syntax: Syntax.Node; readonly name: string }
  | {
      readonly kind: 'lambda';
      readonly syntax: Syntax.Expression & { readonly kind: 'lambda' };
      readonly scope: Scope;
      readonly owner: FunctionScope;
      readonly state: bigint;
      readonly checked: boolean;
      readonly bodies: Map<string, LambdaBody>;
    }
  | {
      readonly kind: 'methods';
      readonly syntax: Syntax.Node;
      readonly nameSpan: Syntax.Node;
      readonly name: string;
      /** A value, a type, or null for local functions. */
      readonly receiver: Bound | null;
      /** The receiver is the object around, which was not written. */
      readonly implicit?: boolean;
      /** `base.Name`: no override is asked. */
      readonly isBase?: boolean;
      readonly candidates: readonly Candidate[];
      readonly typeArguments: readonly Type[] | null;
    }
  | { readonly kind: 'default'; readonly syntax: Syntax.Node }
  | { readonly kind: 'throw'; readonly syntax: Syntax.Node; readonly operand: Tree.Expression }
  | {
      readonly kind: 'new';
      readonly syntax: Syntax.Expression & { readonly kind: 'new' };
      readonly arguments: readonly BoundArgument[];
    }
  | {
      readonly kind: 'conditional';
      readonly syntax: Syntax.Node;
      readonly condition: Tree.Expression;
      readonly whenTrue: Bound;
      readonly whenFalse: Bound;
    }
  | {
      readonly kind: 'switch';
      readonly syntax: Syntax.Node;
      readonly arms: readonly Bound[];
      readonly build: (arms: readonly Tree.Expression[], type: Type) => Tree.Expression;
    }
  | {
      readonly kind: 'tuple';
      readonly syntax: Syntax.Node;
      readonly elements: readonly Bound[];
      readonly names: readonly (string | null)[];
    }
  | {
      readonly kind: 'collection';
      readonly syntax: Syntax.Node;
      readonly elements: readonly { readonly spread: boolean; readonly value: Bound }[];
    }
  | { readonly kind: 'outVariable'; readonly syntax: Syntax.Expression; readonly declare: (type: Type) => Tree.Target }
  | { readonly kind: 'discard'; readonly syntax: Syntax.Node };

export interface BoundArgument {
  readonly syntax: Syntax.Node;
  readonly name: Syntax.Name | null;
  readonly mode: 'value' | 'ref' | 'out' | 'in';
  readonly value: Bound;
}

/** The type an expression has by itself, or null. */
export function naturalType(bound: Bound): Type | null {
  return bound.kind === 'value' && bound.type.kind !== 'null' ? bound.type : null;
}

/** Whether something in it has already been reported. */
export function isErroneous(bound: Bound): boolean {
  return bound.kind === 'error' || (bound.kind === 'value' && bound.type.kind === 'error');
}

export function isNullLiteral(bound: Bound): boolean {
  return bound.kind === 'value' && bound.type.kind === 'null';
}

/** `null` or a default of a nullable type, with or without a cast. */
export function isAlwaysNull({ type, tree, syntax }: Value): boolean {
  return (
    type.kind === 'null' ||
    (type.kind === 'nullable' && isWrittenNull(syntax) && (tree.kind === 'default' || isNullConstant(tree)))
  );
}

function isWrittenNull(syntax: Syntax.Node & { kind?: string; operand?: Syntax.Node }): boolean {
  if (syntax.kind === 'parenthesized') return isWrittenNull(syntax.operand!);
  return syntax.kind === 'cast' || syntax.kind === 'literal' || syntax.kind === 'defaultOf';
}

function isNullConstant(tree: Tree.Expression): boolean {
  return tree.kind === 'constant' && tree.value === null;
}

/** Methods of one name that a call chooses from. */
export type MethodGroup = Bound & { readonly kind: 'methods' };
