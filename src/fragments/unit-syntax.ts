// A compilation unit as it is written: what a plugin's source is. Bodies are those of fragments (syntax.ts).

import type {
  Argument,
  BlockStatement,
  Declarator,
  Expression,
  Initializer,
  Name,
  Node,
  Parameter,
  Statement,
  TypeSyntax,
} from './syntax.ts';

export interface UnitSyntax {
  readonly usings: readonly (Node & { readonly name: string })[];
  /** Namespaces around the types: what they hold is in scope too. */
  readonly namespaces: readonly string[];
  readonly types: readonly TypeDeclaration[];
}

export type TypeKind = 'class' | 'struct' | 'interface' | 'enum';

export interface TypeDeclaration extends Node {
  readonly kind: TypeKind;
  readonly isRecord: boolean;
  readonly modifiers: ReadonlySet<string>;
  readonly namespace: string;
  readonly name: Name;
  readonly bases: readonly TypeSyntax[];
  /** Of a record, `record Point(int X, int Y)`. */
  readonly parameters: readonly Parameter[] | null;
  /** What a record hands to its base. */
  readonly baseArguments: readonly Argument[];
  readonly members: readonly MemberSyntax[];
  /** Members that a record has without writing them. */
  readonly implied: readonly MemberSyntax[];
  readonly types: readonly TypeDeclaration[];
  readonly constants: readonly { readonly name: Name; readonly value: Expression | null }[];
}

export type FunctionSyntax = Statement & { readonly kind: 'localFunction' };
export type BodySyntax = Expression | BlockStatement;

/** `auto`: `get;`. Null: there is none. */
export type AccessorSyntax = BodySyntax | 'auto' | null;

export interface AccessorWord extends Node {
  readonly word: 'get' | 'set';
  readonly isAuto: boolean;
  readonly modifiers: ReadonlySet<string>;
}

export type MemberSyntax = Node & { readonly modifiers: ReadonlySet<string> } & (
    | { readonly kind: 'field'; readonly type: TypeSyntax; readonly declarators: readonly Declarator[] }
    | {
        readonly kind: 'property';
        readonly type: TypeSyntax;
        readonly name: Name;
        /** Of an indexer. */
        readonly parameters: readonly Parameter[] | null;
        readonly get: AccessorSyntax;
        readonly set: AccessorSyntax;
        readonly isInit: boolean;
        /** As they are written; none where an expression stands for the getter. */
        readonly accessors: readonly AccessorWord[];
        readonly initializer: Expression | Initializer | null;
      }
    /** `hasBody`: an abstract one has none, and its function's body is an error node. */
    | { readonly kind: 'method'; readonly function: FunctionSyntax; readonly hasBody: boolean }
    | {
        readonly kind: 'constructor';
        readonly name: Name;
        readonly parameters: readonly Parameter[];
        readonly chain: {
          readonly kind: 'this' | 'base';
          readonly at: Node;
          readonly arguments: readonly Argument[];
        } | null;
        readonly body: BodySyntax;
      }
  );
