// The syntax tree of a fragment: what the parser builds and the binder reads. Plain data, one interface a construct, no
// behaviour. Every node carries its span in UTF-16 offsets of the fragment text (`end` is exclusive). The parser is
// error-tolerant: what it could not read is an `error` node or a missing name (`text` empty, zero width), and the
// diagnostic has been reported already, so that whoever meets such a node later stays silent.

export interface Node {
  readonly start: number;
  readonly end: number;
}

/** An identifier where it is written; `text` is without `@` and with escapes resolved; empty when it is missing. */
export interface Name extends Node {
  readonly text: string;
}

export interface Fragment extends Node {
  /** Statements in order; a well-formed fragment ends with `return <lambda>;`. */
  readonly statements: readonly Statement[];
}

// --- types ---------------------------------------------------------------------------------------------------------

export type TypeSyntax =
  | (Node & { readonly kind: 'predefinedType'; readonly keyword: string }) // int, string, object, void, …
  | (Node & { readonly kind: 'nameType'; readonly name: Name; readonly arguments: readonly TypeSyntax[] }) // List<int>, var, nint, dynamic
  | (Node & {
      readonly kind: 'qualifiedType';
      readonly left: TypeSyntax;
      readonly name: Name;
      readonly arguments: readonly TypeSyntax[];
    })
  | (Node & { readonly kind: 'arrayType'; readonly element: TypeSyntax; readonly rank: number })
  | (Node & { readonly kind: 'nullableType'; readonly element: TypeSyntax })
  | (Node & {
      readonly kind: 'tupleType';
      readonly elements: readonly { readonly type: TypeSyntax; readonly name: Name | null }[];
    })
  /** `ref int` and `ref readonly int`, of a local or of what a function returns. */
  | (Node & { readonly kind: 'refType'; readonly readOnly: boolean; readonly element: TypeSyntax })
  | (Node & { readonly kind: 'refusedType'; readonly construct: string }) // pointers, function pointers: already reported
  | (Node & { readonly kind: 'errorType' });

// --- expressions ---------------------------------------------------------------------------------------------------

export type BinaryOperator =
  | '+' | '-' | '*' | '/' | '%' | '<<' | '>>' | '>>>' | '&' | '|' | '^' | '&&' | '||'
  | '==' | '!=' | '<' | '>' | '<=' | '>=' | '??'; // biome-ignore format: a table
export type AssignmentOperator =
  | '=' | '+=' | '-=' | '*=' | '/=' | '%=' | '<<=' | '>>=' | '>>>=' | '&=' | '|=' | '^=' | '??='; // biome-ignore format: a table
export type UnaryOperator = '+' | '-' | '!' | '~' | '++' | '--' | '^' | '&' | '*';

/** A literal as written. Number texts keep no separators; `suffix` is lower case. */
export type LiteralValue =
  | {
      readonly type: 'integer';
      readonly value: bigint;
      readonly suffix: '' | 'u' | 'l' | 'ul';
      readonly base: 2 | 10 | 16;
    }
  | { readonly type: 'real'; readonly text: string; readonly suffix: '' | 'f' | 'd' | 'm' }
  | { readonly type: 'char'; readonly value: string }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'null' }
  | { readonly type: 'default' };

export interface Argument extends Node {
  readonly name: Name | null;
  readonly mode: 'value' | 'ref' | 'out' | 'in';
  readonly value: Expression; // `out var x` and `out int x` are declaration expressions, `out _` is an identifier or declaration
}

export interface Parameter extends Node {
  readonly name: Name;
  readonly type: TypeSyntax | null;
  readonly mode: 'value' | 'ref' | 'out' | 'in' | 'params' | 'this';
  readonly default: Expression | null;
}

export type InterpolationPart =
  | { readonly kind: 'text'; readonly value: string }
  | (Node & {
      readonly kind: 'hole';
      readonly value: Expression;
      readonly alignment: Expression | null;
      readonly format: string | null;
    });

/** `where T : class, IComparable<T>`. */
export interface ConstraintClause extends Node {
  readonly keyword: Node;
  readonly name: Name;
  readonly constraints: readonly Constraint[];
}

export type Constraint =
  | (Node & { readonly kind: 'struct' })
  | (Node & { readonly kind: 'class' })
  | (Node & { readonly kind: 'new' })
  | (Node & { readonly kind: 'type'; readonly type: TypeSyntax }); // also `notnull` and `unmanaged`

export interface SwitchArm extends Node {
  readonly pattern: Pattern;
  readonly when: Expression | null;
  readonly value: Expression;
}

/** What a variable designation names: `x`, `_` or `(x, _)`. */
export type Designation =
  | (Node & { readonly kind: 'single'; readonly name: Name })
  | (Node & { readonly kind: 'discard' })
  | (Node & { readonly kind: 'parenthesized'; readonly parts: readonly Designation[] });

export type Expression =
  | (Node & { readonly kind: 'literal'; readonly literal: LiteralValue })
  | (Node & { readonly kind: 'interpolation'; readonly parts: readonly InterpolationPart[] })
  | (Node & { readonly kind: 'identifier'; readonly name: Name; readonly typeArguments: readonly TypeSyntax[] | null })
  | (Node & { readonly kind: 'typeExpression'; readonly type: TypeSyntax }) // a predefined type used as a receiver: int.Parse
  | (Node & {
      readonly kind: 'member';
      readonly receiver: Expression;
      readonly name: Name;
      readonly typeArguments: readonly TypeSyntax[] | null;
    })
  | (Node & { readonly kind: 'conditionalAccess'; readonly receiver: Expression; readonly access: Expression }) // access hangs from a `binding`
  | (Node & { readonly kind: 'binding' }) // the receiver inside a conditional access: `?.` continues from here
  | (Node & { readonly kind: 'call'; readonly callee: Expression; readonly arguments: readonly Argument[] })
  | (Node & { readonly kind: 'index'; readonly receiver: Expression; readonly arguments: readonly Argument[] })
  | (Node & { readonly kind: 'unary'; readonly operator: UnaryOperator; readonly operand: Expression })
  | (Node & { readonly kind: 'postfix'; readonly operator: '++' | '--' | '!'; readonly operand: Expression })
  | (Node & {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly operatorSpan: Node;
      readonly left: Expression;
      readonly right: Expression;
    })
  | (Node & {
      readonly kind: 'assignment';
      readonly operator: AssignmentOperator;
      readonly target: Expression;
      readonly value: Expression;
    })
  | (Node & {
      readonly kind: 'conditional';
      readonly condition: Expression;
      readonly whenTrue: Expression;
      readonly whenFalse: Expression;
    })
  | (Node & { readonly kind: 'cast'; readonly type: TypeSyntax; readonly operand: Expression })
  | (Node & { readonly kind: 'is'; readonly operand: Expression; readonly pattern: Pattern }) // `x is T` is a type pattern
  | (Node & { readonly kind: 'as'; readonly operand: Expression; readonly type: TypeSyntax })
  | (Node & {
      readonly kind: 'lambda';
      readonly returnType: TypeSyntax | null;
      readonly parameters: readonly Parameter[];
      readonly body: Expression | BlockStatement;
      readonly arrow: Node;
      readonly static: boolean;
    })
  | (Node & { readonly kind: 'tuple'; readonly elements: readonly Argument[] })
  | (Node & { readonly kind: 'declaration'; readonly type: TypeSyntax; readonly designation: Designation }) // out var x, var (a, b)
  | (Node & {
      readonly kind: 'new';
      readonly type: TypeSyntax | null;
      readonly arguments: readonly Argument[];
      readonly initializer: Initializer | null;
    })
  | (Node & {
      readonly kind: 'newArray';
      readonly element: TypeSyntax | null;
      readonly sizes: readonly Expression[];
      readonly rank: number;
      readonly initializer: Initializer | null;
    })
  | (Node & {
      readonly kind: 'newAnonymous';
      readonly members: readonly { readonly name: Name | null; readonly value: Expression }[];
    })
  | (Node & {
      readonly kind: 'stackalloc';
      readonly element: TypeSyntax | null;
      readonly size: Expression | null;
      readonly initializer: Initializer | null;
    })
  | (Node & {
      readonly kind: 'collection';
      readonly elements: readonly { readonly spread: boolean; readonly value: Expression }[];
    }) // [1, 2, ..rest]
  | (Node & { readonly kind: 'typeof'; readonly type: TypeSyntax })
  | (Node & { readonly kind: 'nameof'; readonly operand: Expression })
  | (Node & { readonly kind: 'sizeof'; readonly type: TypeSyntax })
  | (Node & { readonly kind: 'defaultOf'; readonly type: TypeSyntax })
  | (Node & { readonly kind: 'checked'; readonly checked: boolean; readonly operand: Expression })
  | (Node & { readonly kind: 'switch'; readonly operand: Expression; readonly arms: readonly SwitchArm[] })
  | (Node & { readonly kind: 'range'; readonly from: Expression | null; readonly to: Expression | null })
  | (Node & { readonly kind: 'throw'; readonly operand: Expression })
  | (Node & { readonly kind: 'ref'; readonly operand: Expression }) // a reference to a variable
  | (Node & { readonly kind: 'parenthesized'; readonly operand: Expression })
  | (Node & { readonly kind: 'refused'; readonly construct: string }) // await, this, base, delegate { }, … already reported
  | (Node & { readonly kind: 'error' });

/** `{ 1, 2 }`, `{ X = 1, Y = 2 }` or `{ { key, value } }`: an entry is an assignment expression, an expression or a nested initializer. */
export interface Initializer extends Node {
  readonly entries: readonly (Expression | Initializer)[];
}

// --- patterns ------------------------------------------------------------------------------------------------------

export type Pattern =
  | (Node & { readonly kind: 'constantPattern'; readonly value: Expression }) // also a name that the binder finds to be a type
  | (Node & { readonly kind: 'typePattern'; readonly type: TypeSyntax })
  | (Node & { readonly kind: 'declarationPattern'; readonly type: TypeSyntax; readonly designation: Designation }) // int x, var x, var (x, y)
  | (Node & {
      readonly kind: 'relationalPattern';
      readonly operator: '<' | '>' | '<=' | '>=';
      readonly value: Expression;
    })
  | (Node & { readonly kind: 'notPattern'; readonly operand: Pattern })
  | (Node & { readonly kind: 'andPattern' | 'orPattern'; readonly left: Pattern; readonly right: Pattern })
  | (Node & {
      readonly kind: 'recursivePattern';
      readonly type: TypeSyntax | null;
      readonly positional: readonly { readonly name: Name | null; readonly pattern: Pattern }[] | null;
      readonly properties: readonly { readonly path: readonly Name[]; readonly pattern: Pattern }[] | null;
      readonly designation: Designation | null;
    })
  | (Node & {
      readonly kind: 'listPattern';
      readonly elements: readonly Pattern[];
      readonly designation: Designation | null;
    })
  | (Node & { readonly kind: 'slicePattern'; readonly pattern: Pattern | null })
  | (Node & { readonly kind: 'parenthesizedPattern'; readonly operand: Pattern })
  | (Node & { readonly kind: 'discardPattern' })
  | (Node & { readonly kind: 'errorPattern' });

// --- statements ----------------------------------------------------------------------------------------------------

export interface BlockStatement extends Node {
  readonly kind: 'block';
  readonly statements: readonly Statement[];
}

export interface Declarator extends Node {
  readonly name: Name;
  readonly initializer: Expression | Initializer | null; // `int[] a = { 1, 2 }` has an Initializer (an object with `entries`)
}

export type SwitchLabel =
  | (Node & { readonly kind: 'case'; readonly pattern: Pattern; readonly when: Expression | null })
  | (Node & { readonly kind: 'default' });

export interface CatchClause extends Node {
  readonly type: TypeSyntax | null;
  readonly name: Name | null;
  readonly filter: Expression | null;
  readonly body: BlockStatement;
}

export interface LocalDeclaration extends Node {
  readonly kind: 'localDeclaration';
  readonly const: boolean;
  readonly type: TypeSyntax; // `var` is a nameType
  readonly declarators: readonly Declarator[];
}

export type Statement =
  | BlockStatement
  | LocalDeclaration
  | (Node & {
      readonly kind: 'localFunction';
      readonly static: boolean;
      readonly returnType: TypeSyntax;
      readonly name: Name;
      readonly typeParameters: readonly Name[];
      readonly constraints: readonly ConstraintClause[];
      readonly parameters: readonly Parameter[];
      readonly body: Expression | BlockStatement;
    })
  | (Node & { readonly kind: 'expression'; readonly value: Expression })
  | (Node & { readonly kind: 'empty' })
  | (Node & {
      readonly kind: 'if';
      readonly condition: Expression;
      readonly whenTrue: Statement;
      readonly whenFalse: Statement | null;
    })
  | (Node & { readonly kind: 'while'; readonly condition: Expression; readonly body: Statement })
  | (Node & { readonly kind: 'do'; readonly body: Statement; readonly condition: Expression })
  | (Node & {
      readonly kind: 'for';
      readonly declaration: LocalDeclaration | null;
      readonly initializers: readonly Expression[];
      readonly condition: Expression | null;
      readonly increments: readonly Expression[];
      readonly body: Statement;
    })
  | (Node & {
      readonly kind: 'foreach';
      /** `(int a, var b)`: a tuple of declarations in the place of type and designation. */
      readonly target: Expression | null;
      readonly type: TypeSyntax | null;
      readonly designation: Designation;
      readonly sequence: Expression;
      readonly body: Statement;
    })
  | (Node & {
      readonly kind: 'switch';
      readonly operand: Expression;
      readonly sections: readonly {
        readonly labels: readonly SwitchLabel[];
        readonly statements: readonly Statement[];
      }[];
    })
  | (Node & { readonly kind: 'break' | 'continue' })
  | (Node & { readonly kind: 'label'; readonly name: Name }) // the statement behind it is the next of the list
  | (Node & { readonly kind: 'goto'; readonly name: Name })
  | (Node & { readonly kind: 'gotoCase'; readonly value: Expression | null }) // null: goto default
  | (Node & { readonly kind: 'return'; readonly value: Expression | null })
  | (Node & { readonly kind: 'throw'; readonly value: Expression | null })
  | (Node & { readonly kind: 'yield'; readonly value: Expression | null }) // null: yield break
  | (Node & {
      readonly kind: 'try';
      readonly body: BlockStatement;
      readonly catches: readonly CatchClause[];
      readonly finally: BlockStatement | null;
    })
  | (Node & { readonly kind: 'checked'; readonly checked: boolean; readonly body: BlockStatement })
  | (Node & { readonly kind: 'classes' }) // where the types of the source begin to be there: no text has it
  | (Node & { readonly kind: 'refused'; readonly construct: string }) // lock, unsafe, fixed, using, yield, class …: already reported
  | (Node & { readonly kind: 'error' });
