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
];

const usual = (name: string): string => `new(); new(string message); new(string message, ${name} innerException);`;

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
${PLAIN.map(([name, base]) => `class ${name} : ${base} { ${usual('Exception')} }`).join('\n')}
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
`;
