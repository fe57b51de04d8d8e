// The types that a fragment's expressions have once it is bound. A type is plain data; two types are the same when
// `sameType` says so. The named types and their members come from the declarations in `library/`.

/** The simple types of C#, by keyword. `void` is only a return type. */
export type PrimitiveName =
  | 'bool' | 'byte' | 'sbyte' | 'short' | 'ushort' | 'int' | 'uint' | 'long' | 'ulong' | 'char'
  | 'float' | 'double' | 'decimal' | 'string' | 'object' | 'void'; // biome-ignore format: a table

export type Type =
  | { readonly kind: 'primitive'; readonly name: PrimitiveName }
  /** A type of the library: structs (DateTime, TimeSpan, Guid, Span<float>), classes, interfaces, delegates, enums. */
  | { readonly kind: 'named'; readonly name: string; readonly arguments: readonly Type[] }
  | { readonly kind: 'array'; readonly element: Type; readonly rank: number }
  | { readonly kind: 'nullable'; readonly element: Type } // Nullable<T> of a value type; reference types carry no annotation
  | { readonly kind: 'tuple'; readonly elements: readonly TupleElement[] }
  | { readonly kind: 'anonymous'; readonly members: readonly { readonly name: string; readonly type: Type }[] }
  | { readonly kind: 'parameter'; readonly name: string } // a type parameter inside a declaration
  | { readonly kind: 'null' } // the type of `null`, before conversion
  | { readonly kind: 'error' }; // something was wrong and has been reported

export interface TupleElement {
  readonly type: Type;
  readonly name: string | null;
}
