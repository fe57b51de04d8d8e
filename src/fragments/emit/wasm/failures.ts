// What compiled code throws by its number, for the compiler and for whoever runs what it made.

/** Exceptions that compiled code throws by number. */
export const failures = [
  '',
  'NullReferenceException',
  'DivideByZeroException',
  'OverflowException',
  'IndexOutOfRangeException',
  'ArgumentOutOfRangeException',
  'KeyNotFoundException',
  'InvalidOperationException',
  'ArgumentNullException',
  'Exception',
  /** Scratch is full: no exception of C#. */
  'OutOfMemoryException',
  /** A text whose case only the host knows: the search starts again with the interpreter. */
  'NotCompiled',
  // Thrown by `throw` alone.
  'ApplicationException',
  'ArgumentException',
  'ArithmeticException',
  'ArrayTypeMismatchException',
  'FormatException',
  'InvalidCastException',
  'NotFiniteNumberException',
  'NotImplementedException',
  'NotSupportedException',
  'RankException',
  'SwitchExpressionException',
  'SystemException',
  'TimeoutException',
  /** Calls nest too deep: no exception that code can catch. */
  'InsufficientExecutionStackException',
  'OperationCanceledException',
  'UnauthorizedAccessException',
] as const;

export type Failure = Exclude<(typeof failures)[number], ''>;
