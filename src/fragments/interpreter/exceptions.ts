// Exceptions of C# inside the interpreter: an object that the fragment can catch and read, and the JavaScript error that carries it
// up. The library throws through the helpers here.

import type { Type } from '../types.ts';
import { type RuntimeType, runtimeType } from './runtime-types.ts';

/** An exception object: its class, message and cause. */
export class ExceptionObject {
  readonly type: RuntimeType;
  readonly ownMessage: string | null;
  readonly inner: ExceptionObject | null;
  readonly parameterName: string | null;
  readonly actualValue: unknown;

  constructor(
    typeName: string,
    message: string | null,
    inner: ExceptionObject | null = null,
    parameterName: string | null = null,
    actualValue: unknown = null,
  ) {
    this.type = runtimeType({ kind: 'named', name: typeName, arguments: [] });
    this.ownMessage = message;
    this.inner = inner;
    this.parameterName = parameterName;
    this.actualValue = actualValue;
  }

  get message(): string {
    const text = this.ownMessage ?? usualMessage(this.type);
    return this.parameterName ? `${text} (Parameter '${this.parameterName}')` : text;
  }
}

/** An exception of several causes, which its message names. */
export class AggregateObject extends ExceptionObject {
  readonly causes: readonly ExceptionObject[];

  constructor(message: string | null, causes: readonly ExceptionObject[]) {
    super('AggregateException', message, causes[0] ?? null);
    this.causes = causes;
  }

  override get message(): string {
    return [super.message, ...this.causes.map((cause) => `(${cause.message})`)].join(' ');
  }
}

/** An exception about an object of some name. */
export class DisposedObject extends ExceptionObject {
  readonly objectName: string;

  constructor(objectName: string | null, message: string | null, inner: ExceptionObject | null = null) {
    super('ObjectDisposedException', message, inner);
    this.objectName = objectName ?? '';
  }

  override get message(): string {
    return this.objectName === '' ? super.message : `${super.message}\nObject name: '${this.objectName}'.`;
  }
}

/** An object of a class of the source that derives from an exception. */
export class UserException extends ExceptionObject {
  readonly fields: unknown[];

  constructor(type: Type, fields: unknown[]) {
    super(type.kind === 'named' ? type.name : 'Exception', null);
    this.fields = fields;
  }

  begin(message: string | null, inner: ExceptionObject | null): void {
    Object.assign(this, { ownMessage: message, inner });
  }
}

/** Carries a C# exception through JavaScript frames. No Error: a stack trace that nobody reads would cost more than the throw. */
export class Thrown {
  readonly exception: ExceptionObject;

  constructor(exception: ExceptionObject) {
    this.exception = exception;
  }
}

const DEFAULT_MESSAGES: Readonly<Record<string, string>> = {
  NullReferenceException: 'Object reference not set to an instance of an object.',
  DivideByZeroException: 'Attempted to divide by zero.',
  OverflowException: 'Arithmetic operation resulted in an overflow.',
  IndexOutOfRangeException: 'Index was outside the bounds of the array.',
  InvalidCastException: 'Specified cast is not valid.',
  ArgumentNullException: 'Value cannot be null.',
  ArgumentException: 'Value does not fall within the expected range.',
  ArgumentOutOfRangeException: 'Specified argument was out of the range of valid values.',
  FormatException: 'One of the identified items was in an invalid format.',
  InvalidOperationException: 'Operation is not valid due to the current state of the object.',
  NotSupportedException: 'Specified method is not supported.',
  NotImplementedException: 'The method or operation is not implemented.',
  SwitchExpressionException: 'No arm of the switch expression fits its input.',
  KeyNotFoundException: 'The given key was not present in the dictionary.',
  ArithmeticException: 'Overflow or underflow in the arithmetic operation.',
  TimeoutException: 'The operation has timed out.',
  RankException: 'Attempted to operate on an array with the incorrect number of dimensions.',
  SystemException: 'System error.',
  ApplicationException: 'Error in the application.',
  ArrayTypeMismatchException: 'Attempted to access an element as a type incompatible with the array.',
  NotFiniteNumberException: 'Number encountered was not a finite quantity.',
  AggregateException: 'One or more errors occurred.',
  ObjectDisposedException: 'Cannot access a disposed object.',
  OperationCanceledException: 'The operation was canceled.',
  TaskCanceledException: 'A task was canceled.',
  UnauthorizedAccessException: 'Attempted to perform an unauthorized operation.',
  OutOfMemoryException: 'Insufficient memory to continue the execution of the program.',
  StackOverflowException: 'Operation caused a stack overflow.',
  InsufficientExecutionStackException:
    'Insufficient stack to continue executing the program safely. This can happen from having too many functions on the call stack or function on the stack using too much stack space.',
  PlatformNotSupportedException: 'Operation is not supported on this platform.',
  AccessViolationException:
    'Attempted to read or write protected memory. This is often an indication that other memory is corrupt.',
  DataMisalignedException: 'A datatype misalignment was detected in a load or store instruction.',
  InvalidProgramException: 'Common Language Runtime detected an invalid program.',
  MemberAccessException: 'Cannot access member.',
  FieldAccessException: 'Attempted to access a field that is not accessible by the caller.',
  MethodAccessException: 'Attempt to access the method failed.',
  MissingMemberException: 'Attempted to access a missing member.',
  MissingFieldException: 'Attempted to access a non-existing field.',
  MissingMethodException: 'Attempted to access a missing method.',
  TypeLoadException: 'Failure has occurred while loading a type.',
  EntryPointNotFoundException: 'Entry point was not found.',
  DllNotFoundException: 'Dll was not found.',
  IOException: 'I/O error occurred.',
  DirectoryNotFoundException: 'Attempted to access a path that is not on the disk.',
  EndOfStreamException: 'Attempted to read past the end of the stream.',
  FileNotFoundException: 'Unable to find the specified file.',
  PathTooLongException:
    'The specified file name or path is too long, or a component of the specified path is too long.',
  InvalidDataException: 'Found invalid data while decoding.',
  SecurityException: 'Security error.',
  SerializationException: 'Serialization error.',
};

/** The message of an exception that was given none. */
export function usualMessage({ name, fullName }: RuntimeType): string {
  return DEFAULT_MESSAGES[name] ?? `Exception of type '${fullName}' was thrown.`;
}

export function raise(typeName: string, message: string | null = null): never {
  throw new Thrown(new ExceptionObject(typeName, message));
}

export function nullReference(): never {
  return raise('NullReferenceException');
}

export function overflow(message: string | null = null): never {
  return raise('OverflowException', message);
}

export function formatError(message = 'Input string was not in a correct format.'): never {
  return raise('FormatException', message);
}

export function invalidOperation(message: string): never {
  return raise('InvalidOperationException', message);
}

export function argumentNull(parameter: string): never {
  throw new Thrown(new ExceptionObject('ArgumentNullException', null, null, parameter));
}

export function outOfRange(parameter: string, message: string | null = null): never {
  throw new Thrown(new ExceptionObject('ArgumentOutOfRangeException', message, null, parameter));
}

export function badArgument(message: string, parameter: string | null = null): never {
  throw new Thrown(new ExceptionObject('ArgumentException', message, null, parameter));
}
