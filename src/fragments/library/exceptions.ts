// The exceptions that a fragment may throw, catch or meet. All have the three usual constructors; some take a parameter's name first.

import type { Declarations } from './declarations.ts';

/** Exceptions with nothing but the usual constructors, by base class. */
const PLAIN: readonly (readonly [name: string, base: string])[] = [
  ['SystemException', 'Exception'],
  ['ApplicationException', 'Exception'],
  ['ArithmeticException', 'SystemException'],
  ['DivideByZeroException', 'ArithmeticException'],
  ['OverflowException', 'ArithmeticException'],
  ['NotFiniteNumberException', 'ArithmeticException'],
  ['ArrayTypeMismatchException', 'SystemException'],
  ['FormatException', 'SystemException'],
  ['IndexOutOfRangeException', 'SystemException'],
  ['InvalidCastException', 'SystemException'],
  ['InvalidOperationException', 'SystemException'],
  ['NotImplementedException', 'SystemException'],
  ['NotSupportedException', 'SystemException'],
  ['NullReferenceException', 'SystemException'],
  ['RankException', 'SystemException'],
  ['TimeoutException', 'SystemException'],
  ['OperationCanceledException', 'SystemException'],
  ['UnauthorizedAccessException', 'SystemException'],
  ['OutOfMemoryException', 'SystemException'],
  ['StackOverflowException', 'SystemException'],
  ['InsufficientExecutionStackException', 'SystemException'],
  ['PlatformNotSupportedException', 'NotSupportedException'],
  ['AccessViolationException', 'SystemException'],
  ['DataMisalignedException', 'SystemException'],
  ['InvalidProgramException', 'SystemException'],
  ['MemberAccessException', 'SystemException'],
  ['FieldAccessException', 'MemberAccessException'],
  ['MethodAccessException', 'MemberAccessException'],
  ['MissingMemberException', 'MemberAccessException'],
  ['MissingFieldException', 'MissingMemberException'],
  ['MissingMethodException', 'MissingMemberException'],
  ['TypeLoadException', 'SystemException'],
  ['EntryPointNotFoundException', 'TypeLoadException'],
  ['DllNotFoundException', 'TypeLoadException'],
  ['InvalidTimeZoneException', 'Exception'],
  ['TimeZoneNotFoundException', 'Exception'],
];

/** The same in other namespaces. */
const ELSEWHERE: Readonly<Record<string, typeof PLAIN>> = {
  'System.IO': [
    ['IOException', 'SystemException'],
    ['DirectoryNotFoundException', 'IOException'],
    ['EndOfStreamException', 'IOException'],
    ['FileNotFoundException', 'IOException'],
    ['PathTooLongException', 'IOException'],
    ['InvalidDataException', 'SystemException'],
  ],
  'System.Security': [['SecurityException', 'SystemException']],
  'System.Runtime.Serialization': [['SerializationException', 'SystemException']],
  'System.Threading.Tasks': [['TaskCanceledException', 'OperationCanceledException']],
};

const usual = (name: string): string => `new(); new(string message); new(string message, ${name} innerException);`;

const plain = (list: typeof PLAIN): string =>
  list.map(([name, base]) => `class ${name} : ${base} { ${usual('Exception')} }`).join('\n');

export const EXCEPTIONS: Declarations = `
namespace System;

class Exception {
  ${usual('Exception')}
  string Message { get; }
  string StackTrace { get; }
  Exception InnerException { get; }
  Exception GetBaseException();
  string ToString();
}
${plain(PLAIN)}
class AggregateException : Exception {
  ${usual('Exception')}
  new(params Exception[] innerExceptions);
  new(IEnumerable<Exception> innerExceptions);
  new(string message, params Exception[] innerExceptions);
  new(string message, IEnumerable<Exception> innerExceptions);
  IReadOnlyList<Exception> InnerExceptions { get; }
  AggregateException Flatten();
}
class ObjectDisposedException : InvalidOperationException {
  new(string objectName); new(string message, Exception innerException);
  new(string objectName, string message);
  string ObjectName { get; }
}
class ArgumentException : SystemException {
  ${usual('Exception')}
  new(string message, string paramName);
  new(string message, string paramName, Exception innerException);
  string ParamName { get; }
}
class ArgumentNullException : ArgumentException {
  new(); new(string paramName); new(string message, Exception innerException);
  new(string paramName, string message);
}
class ArgumentOutOfRangeException : ArgumentException {
  new(); new(string paramName); new(string message, Exception innerException);
  new(string paramName, string message);
  new(string paramName, object actualValue, string message);
  object ActualValue { get; }
}

namespace System.Collections.Generic;

class KeyNotFoundException : SystemException { ${usual('Exception')} }

namespace System.Runtime.CompilerServices;

class SwitchExpressionException : InvalidOperationException { new(); }
${Object.entries(ELSEWHERE)
  .map(([space, list]) => `\nnamespace ${space};\n\n${plain(list)}`)
  .join('\n')}
`;
