// The form in which the library that fragments may use is declared: C#-like text, read once by the binder. Everything a fragment can
// name beyond the language's own operators on primitive types is declared in this folder, and what is not declared does not exist.
//
//   namespace System;                                    the types that follow live there; fragments import System, System.Linq and the model
//   struct DateTime : IComparable<DateTime> { … }        struct, class, static class, interface; bases after the colon
//   enum StringComparison { CurrentCulture = 0, … }
//   delegate TResult Func<T, TResult>(T arg);
// Members:
//   new(int year, int month, int day);                   constructor                           key DateTime.new(int,int,int)
//   int Day { get; }                                     property; `static` before the type     key DateTime.get_Day()
//   char this[int index] { get; }                        indexer                               key String.get_Item(int)
//   const double PI = 3.141592653589793;                 constant, folded by the binder; no key
//   static readonly string Empty;                        field                                 key String.Empty
//   int Id;                                              field of an instance                  key VertexModel.Id
//   bool TryGetProperty<T>(out T value, string key);     method                                key AGraphElementModel.TryGetProperty<T>(out T,string)
//   static bool Any<TSource>(this IEnumerable<TSource> source);   extension method             key Enumerable.Any<TSource>(IEnumerable<TSource>)
//   static string Concat(params object[] args);          `params`, default values (`int count = 1`), `out`, `ref`, `in` as in C#
//   static TimeSpan operator -(DateTime left, DateTime right);    operator                     key DateTime.op_Subtraction(DateTime,DateTime)
//   static implicit operator decimal(int value);         conversion                            key Decimal.op_Implicit(int)->decimal
// Beside that: `abstract class`, `sealed class`, `ref struct`, `enum`, `in`/`out` before the type parameters of interfaces and delegates,
// `readonly` before an instance field. Type names are short everywhere: a name with its number of type parameters is declared once over all namespaces.
// Keys of members of generic types carry the type parameters too (`List<T>.Add(T)`, `Nullable<T>.get_Value()`), keys of nullable types are as declared (`int?`).
// Type parameters take constraints as in C# (`where T : struct`). A member or type preceded by `[CS0012]` (or another id) is known but answers that diagnostic
// when used. A key holds the declaring type's name without its namespace (primitive types by their .NET name: String, Int32, Decimal), the member's name
// (op_… and get_/set_ names as .NET has them), `<…>` with its type parameters as declared, and the parameter types as declared, with keywords for primitive
// types, `out `/`ref ` kept, no spaces after commas, no parameter names.

/** One file's worth of declarations. */
export type Declarations = string;
