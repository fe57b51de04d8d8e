// The typed tree of a fragment: what the binder makes, and what both back ends (interpreter and WebAssembly emitter) run.
//
// The binder has decided everything: each node has its type, overloads are chosen, implicit conversions are nodes, constants
// are folded, named and default arguments are in parameter order, and most sugar is gone:
//   compound assignment, ++ and --       `sequence` over temporary locals, so that receivers and indices are evaluated once
//   lifted operators on nullable values  `conditional` over `hasValue` and `unwrap` of temporary locals
//   patterns, switch, is                 `conditional`, `typeTest`, `binary` and assignments to locals
//   ?. and ??                            `sequence` + `conditional` with a null test of a temporary
//   properties, indexers of the library  `call` of the member
//   ranges and ^ on strings and spans    `call` of Substring or Slice
//   ^ and ranges as values               `call` of the constructors and members of Index and Range
//   labels and goto                      `loop` over the parts of a list of statements
//   ref locals                           reads of and assignments to the place they stand for
//   generic local functions              one function for each list of type arguments
//   interpolated strings                 `interpolation` (its formatting stays with the back end)
//   methods of classes                   local functions that take the object first; calls of virtual ones go through a function that asks its type
//   structs of the source                tuples under a name: `tuple`, `tupleElement`
//   named types' operators (DateTime - DateTime, decimal, string ==)   `call` of the operator's member
// Invariants: a local belongs to exactly one function body (fragment, lambda or local function); `captured` is true when an inner
// function reads or writes it, and then every entry of the block that declares it makes a new variable, as in C#.
// The tree holds no positions except where a run-time failure may want one.

import type { PrimitiveName, Type } from './types.ts';
import type { UserType } from './user-types.ts';

/** What a fragment is compiled for; the names are the contract's. */
export type DelegateKind =
  | 'VertexFilter'
  | 'EdgeFilter'
  | 'EdgePropertyFilter'
  | 'VertexCost'
  | 'EdgeCost'
  | 'GraphElementFilter'
  /** A plugin's class, lowered (src/fragments/plugins). */
  | 'Plugin';

/** A bound fragment: run `statements` once for each factory call, then call the delegate that `return` gave. */
export interface BoundFragment {
  readonly kind: DelegateKind;
  /** The `context` parameter of the factory method, in scope everywhere. */
  readonly context: Local;
  /** The statements of the factory; the last one returns a value of the delegate type. */
  readonly body: Block;
  /** Every local of the factory body itself (not of lambdas inside). */
  readonly locals: readonly Local[];
  /** What the emitter may take of the steps that the compilation has (limits.ts). */
  readonly stepsLeft: number;
  /** Types of the source, which live as long as the tree. */
  readonly userTypes?: readonly UserType[];
}

export interface Local {
  /** Unique within a fragment. */
  readonly id: number;
  readonly name: string; // '' for temporaries
  readonly type: Type;
  /** Used by an inner function: lives in a shared cell instead of a slot. */
  captured: boolean;
  /** `out` and `ref` parameters are passed by address. */
  readonly byReference: boolean;
}

/** A member of the library. `key` is what back ends implement, written as the declaration is: the head comment of `library/declarations.ts` gives the form. */
export interface Member {
  /** For example `String.Substring(int,int)`, `Enumerable.Where<TSource>(IEnumerable<TSource>,Func<TSource,bool>)`,
   *  `String.get_Length()`, `DateTime.op_Subtraction(DateTime,DateTime)`, `List<T>.new()`. */
  readonly key: string;
  readonly static: boolean;
}

/** A function of the fragment itself: a lambda's or a local function's code. */
export interface FunctionCode {
  readonly parameters: readonly Local[];
  /** Every local declared inside, parameters excluded, inner functions excluded. */
  readonly locals: readonly Local[];
  readonly body: Block;
  readonly returnType: Type;
  /** Locals of outer functions that it uses, directly or through functions inside it. */
  readonly captures: readonly Local[];
  /** Of an iterator, whose body yields: the type of its items. The result is an IEnumerable of them. */
  readonly yields?: Type | null;
}

export interface LocalFunction {
  readonly id: number;
  readonly name: string;
  code: FunctionCode; // set once its body is bound: local functions may call each other
}

// --- expressions ---------------------------------------------------------------------------------------------------

/** Constant values by type: bool boolean; integers and char number (long and ulong bigint); float and double number;
 *  decimal its text (`1.10`); string string; null null. */
export type ConstantValue = boolean | number | bigint | string | null | { readonly decimal: string };

/** Arithmetic and comparison on two operands of the same primitive type (`operand`): the integral ones of 32 and 64 bits, float, double, bool (& | ^ == !=).
 *  Smaller integers and char have been promoted to int. decimal, string and named types never come here: they are calls. */
export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '<<'
  | '>>'
  | '>>>'
  | '&'
  | '|'
  | '^'
  | '=='
  | '!='
  | '<'
  | '>'
  | '<='
  | '>=';

export type Expression =
  | { readonly kind: 'constant'; readonly type: Type; readonly value: ConstantValue }
  | { readonly kind: 'default'; readonly type: Type } // default(T) of any type: zeros, null
  | { readonly kind: 'local'; readonly type: Type; readonly local: Local }
  | { readonly kind: 'assign'; readonly type: Type; readonly target: Target; readonly value: Expression } // its value is the assigned value
  | {
      readonly kind: 'binary';
      readonly type: Type;
      readonly operator: BinaryOperator;
      readonly operand: PrimitiveName;
      readonly checked: boolean;
      readonly left: Expression;
      readonly right: Expression;
    } // shifts: right is int
  | { readonly kind: 'referenceEquals'; readonly type: Type; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'and' | 'or'; readonly type: Type; readonly left: Expression; readonly right: Expression } // short circuit, bool
  | { readonly kind: 'not'; readonly type: Type; readonly operand: Expression } // bool
  | {
      readonly kind: 'negate' | 'complement';
      readonly type: Type;
      readonly checked: boolean;
      readonly operand: Expression;
    } // operand has the node's type
  | {
      readonly kind: 'conditional';
      readonly type: Type;
      readonly condition: Expression;
      readonly whenTrue: Expression;
      readonly whenFalse: Expression;
    }
  /** Evaluates `effects` in order, then gives `value`. A `void` value is a call of type void. */
  | {
      readonly kind: 'sequence';
      readonly type: Type;
      readonly effects: readonly Expression[];
      readonly value: Expression;
    }
  | {
      readonly kind: 'call';
      readonly type: Type;
      readonly member: Member;
      readonly receiver: Expression | null;
      readonly arguments: readonly CallArgument[];
      readonly typeArguments: readonly Type[];
    }
  | {
      readonly kind: 'callLocal';
      readonly type: Type;
      readonly function: LocalFunction;
      readonly arguments: readonly CallArgument[];
    }
  | {
      readonly kind: 'invoke';
      readonly type: Type;
      readonly delegate: Expression;
      readonly arguments: readonly CallArgument[];
    } // null delegate throws
  | { readonly kind: 'lambda'; readonly type: Type; readonly code: FunctionCode }
  | {
      readonly kind: 'delegateOf';
      readonly type: Type;
      readonly member: Member;
      readonly receiver: Expression | null;
      readonly typeArguments: readonly Type[];
    } // method group
  | { readonly kind: 'delegateOfLocal'; readonly type: Type; readonly function: LocalFunction }
  | {
      readonly kind: 'newArray';
      readonly type: Type;
      readonly sizes: readonly Expression[];
      readonly values: readonly Expression[] | null;
    } // element type: of `type`
  | {
      readonly kind: 'element';
      readonly type: Type;
      readonly array: Expression;
      readonly indices: readonly Expression[];
    } // arrays only; int indices
  | { readonly kind: 'tuple'; readonly type: Type; readonly elements: readonly Expression[] }
  | { readonly kind: 'tupleElement'; readonly type: Type; readonly tuple: Expression; readonly index: number }
  | { readonly kind: 'anonymous'; readonly type: Type; readonly values: readonly Expression[] }
  | { readonly kind: 'anonymousMember'; readonly type: Type; readonly object: Expression; readonly index: number }
  | { readonly kind: 'convert'; readonly type: Type; readonly conversion: Conversion; readonly operand: Expression }
  | { readonly kind: 'hasValue'; readonly type: Type; readonly operand: Expression } // of a nullable value
  | { readonly kind: 'unwrap'; readonly type: Type; readonly operand: Expression } // its value or default, without a check
  | { readonly kind: 'typeTest'; readonly type: Type; readonly operand: Expression; readonly test: Type } // false for null
  | { readonly kind: 'interpolation'; readonly type: Type; readonly parts: readonly InterpolationPart[] }
  | { readonly kind: 'throw'; readonly type: Type; readonly operand: Expression }
  /** A new object of a class of the source, its fields all default. */
  | { readonly kind: 'newObject'; readonly type: Type }
  /** A field of an object of a class of the source, by its place among all of the object. */
  | { readonly kind: 'field'; readonly type: Type; readonly object: Expression; readonly index: number }
  /** What the constructor of Exception does for an object of a class that derives from it. */
  | {
      readonly kind: 'exceptionBase';
      readonly type: Type;
      readonly object: Expression;
      readonly message: Expression | null;
      readonly inner: Expression | null;
    };

export type InterpolationPart =
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'hole'; readonly value: Expression; readonly alignment: number; readonly format: string | null }; // alignment 0: none

export type CallArgument =
  | { readonly mode: 'value'; readonly value: Expression }
  | { readonly mode: 'out' | 'ref' | 'in'; readonly target: Target };

/** What can be assigned or passed by reference. */
export type Target =
  | { readonly kind: 'local'; readonly type: Type; readonly local: Local }
  | {
      readonly kind: 'element';
      readonly type: Type;
      readonly array: Expression;
      readonly indices: readonly Expression[];
    }
  | { readonly kind: 'tupleElement'; readonly type: Type; readonly tuple: Target; readonly index: number }
  | { readonly kind: 'field'; readonly type: Type; readonly object: Expression; readonly index: number }
  /** A library property or indexer that can be set; the arguments are evaluated before the value. */
  | {
      readonly kind: 'member';
      readonly type: Type;
      readonly setter: Member;
      readonly receiver: Expression | null;
      readonly arguments: readonly Expression[];
    }
  | { readonly kind: 'discard'; readonly type: Type };

/** numeric: between primitive number types and char (`checked` throws OverflowException; from float/double to integers unchecked is
 *  as .NET does on x64); decimal conversions are `call`s. box/unbox: value type to and from object or an interface (unbox throws InvalidCastException,
 *  NullReferenceException on null). wrap: T to Nullable<T>; unwrapChecked: Nullable<T> to T, throws InvalidOperationException on null.
 *  notNull: the reference itself, NullReferenceException for null.
 *  reference: a cast between reference types that is checked at run time (InvalidCastException); upcast needs nothing: identity keeps the value. as: null when it does not fit. enum: between an enum and its number. */
export type Conversion =
  | { readonly kind: 'numeric'; readonly from: PrimitiveName; readonly to: PrimitiveName; readonly checked: boolean }
  | {
      readonly kind: 'box' | 'unbox' | 'wrap' | 'unwrapChecked' | 'reference' | 'identity' | 'as' | 'enum' | 'notNull';
    };

// --- statements ----------------------------------------------------------------------------------------------------

export interface Block {
  readonly kind: 'block';
  /** Locals that come into being anew each time the block is entered. */
  readonly declares: readonly Local[];
  readonly statements: readonly Statement[];
}

/** A place that `break` and `continue` can leave to; unique within a fragment. */
export interface Label {
  readonly id: number;
}

export type Statement =
  | Block
  | { readonly kind: 'evaluate'; readonly value: Expression }
  | {
      readonly kind: 'if';
      readonly condition: Expression;
      readonly whenTrue: Statement;
      readonly whenFalse: Statement | null;
    }
  /** while, do and for: `leave` to `after` ends it, `leave` to `next` goes to the increments. A null condition is true. */
  | {
      readonly kind: 'loop';
      readonly condition: Expression | null;
      readonly testFirst: boolean;
      readonly increments: readonly Expression[];
      readonly body: Statement;
      readonly after: Label;
      readonly next: Label;
    }
  /** `over` says what `sequence` is; `item` is declared anew for each round. Null throws NullReferenceException. */
  | {
      readonly kind: 'forEach';
      readonly over: 'array' | 'string' | 'span' | 'sequence';
      readonly item: Local;
      readonly sequence: Expression;
      readonly body: Statement;
      readonly after: Label;
      readonly next: Label;
    }
  /** A statement that `leave` can end: a switch after its lowering. */
  | { readonly kind: 'labeled'; readonly body: Statement; readonly after: Label }
  | { readonly kind: 'leave'; readonly label: Label } // never out of a `finally`
  | { readonly kind: 'return'; readonly value: Expression | null }
  | { readonly kind: 'throw'; readonly value: Expression | null } // null: rethrow inside a catch
  | { readonly kind: 'try'; readonly body: Block; readonly catches: readonly Catch[]; readonly finally: Block | null }
  /** Of an iterator; null: it ends. */
  | { readonly kind: 'yield'; readonly value: Expression | null }
  /** Declared for its locals' and captures' sake; running it does nothing. */
  | { readonly kind: 'localFunction'; readonly function: LocalFunction };

export interface Catch {
  /** The exception type caught, for example `DivideByZeroException`; null catches all. */
  readonly type: Type | null;
  readonly local: Local | null;
  readonly filter: Expression | null;
  readonly body: Block;
}
