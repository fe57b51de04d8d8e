// Object, Type, Nullable, Enum, the small interfaces, exceptions, tuples, hash codes and cultures.

import { LIBRARY } from '../../library/index.ts';
import type { Type } from '../../types.ts';
import { newArray } from '../array-objects.ts';
import { compareValues, equalValues, hashOf, sameReference } from '../equality.ts';
import {
  AggregateObject,
  argumentNull,
  badArgument,
  DisposedObject,
  ExceptionObject,
  invalidOperation,
  outOfRange,
  raise,
} from '../exceptions.ts';
import { combine, remove } from '../multicast.ts';
import { type RuntimeType, runtimeType } from '../runtime-types.ts';
import { IndexValue, RangeValue } from '../structs.ts';
import { formatEnum, objectText, textFormatter } from '../to-text.ts';
import {
  Boxed,
  box,
  type Cell,
  collect,
  defaultOf,
  NamedObject,
  newList,
  PlainObject,
  TupleObject,
  TupleValue,
  typeOfObject,
  type Value,
} from '../values.ts';
import { bySite, type MemberTable, type Native, type Site, type SiteNative } from './native.ts';

const named = (name: string, list: readonly Type[] = []): Type => ({ kind: 'named', name, arguments: list });

/** The receiver as an object: members of Object may be called on bare values. */
function asObject(site: Site): (value: Value) => Value {
  const { receiver } = site;
  return receiver ? (value) => box(receiver, value) : (value) => value;
}

const OBJECTS: MemberTable = {
  'Object.new()': () => new PlainObject(),
  'Object.ToString()': bySite((site) => {
    const format = textFormatter(site.receiver!, null);
    return (value) => format(value);
  }),
  'Object.Equals(object)': bySite((site) => {
    const object = asObject(site);
    return (value, other) => equalValues(object(value), other);
  }),
  'Object.GetHashCode()': bySite((site) => {
    const object = asObject(site);
    return (value) => hashOf(object(value));
  }),
  'Object.GetType()': bySite((site) => {
    const object = asObject(site);
    return (value) => new NamedObject(runtimeType(named('Type')), typeOfObject(object(value)));
  }),
  'Object.Equals(object,object)': (left, right) => equalValues(left, right),
  'Object.ReferenceEquals(object,object)': (left, right) => sameReference(left, right),
  // What the binder makes of `typeof(T)`.
  'Type.typeof<T>()': bySite((site) => {
    const type = new NamedObject(runtimeType(named('Type')), runtimeType(site.typeArguments[0]!));
    return () => type;
  }),
  'Type.get_Name()': (type) => type.subject.name,
  'Type.get_FullName()': (type) => type.subject.fullName,
  'Type.get_Namespace()': (type) => type.subject.namespace,
  'Type.ToString()': (type) => type.subject.fullName,
  'Type.op_Equality(Type,Type)': (left, right) => left?.subject === right?.subject,
  'Type.op_Inequality(Type,Type)': (left, right) => left?.subject !== right?.subject,
  'IComparable.CompareTo(object)': (left, right) => compareValues(left, right),
  'IComparable<T>.CompareTo(T)': (left, right) => compareValues(bare(left), right),
  'IEquatable<T>.Equals(T)': (left, right) => equalValues(bare(left), right),
  'IFormattable.ToString(string,IFormatProvider)': (value, format) => objectText(value, format),
  'IDisposable.Dispose()': () => undefined,
  'IComparer<T>.Compare(T,T)': (comparer, left, right) => comparer.compare(left, right),
  'IEqualityComparer<T>.Equals(T,T)': (comparer, left, right) => comparer.equals(left, right),
  'IEqualityComparer<T>.GetHashCode(T)': (comparer, value) => hashOf(comparer.key(value)),
};

/** The value in a box. */
function bare(value: Value): Value {
  return value instanceof Boxed ? value.value : value;
}

const NULLABLES: MemberTable = {
  'Nullable<T>.new(T)': (value) => value,
  'Nullable<T>.get_HasValue()': (value) => value !== null,
  'Nullable<T>.get_Value()': (value) =>
    value === null ? invalidOperation('Nullable object must have a value.') : value,
  'Nullable<T>.GetValueOrDefault()': bySite((site) => {
    const initial = defaultOf(site.result);
    return (value) => value ?? initial;
  }),
  'Nullable<T>.GetValueOrDefault(T)': (value, other) => value ?? other,
  'Nullable<T>.Equals(object)': bySite((site) => {
    const object = asObject(site);
    return (value, other) => equalValues(object(value), other);
  }),
  'Nullable<T>.GetHashCode()': bySite((site) => {
    const object = asObject(site);
    return (value) => hashOf(object(value));
  }),
  'Nullable<T>.ToString()': bySite((site) => textFormatter(site.receiver!, null)),
  'Nullable.Compare<T>(T?,T?)': (left, right) => compareValues(left, right),
  'Nullable.Equals<T>(T?,T?)': (left, right) => equalValues(left, right),
};

// --- enums ------------------------------------------------------------------------------------------------------------

/** An enum's value and type, from a box or from a bare receiver. */
function enumOf(site: Site): (value: Value) => { type: RuntimeType; value: number } {
  const own = site.receiver ? runtimeType(site.receiver) : null;
  return (value) => (value instanceof Boxed ? value : { type: own!, value });
}

/** Null: there is no such name. What begins as a number is one, if it can be. */
function parseEnum(type: RuntimeType, text: string | null, ignoreCase: boolean): number | 'tooLarge' | null {
  if (text === null || text.trim() === '') return null;
  if (/^\s*[+-]?\d+\s*$/.test(text)) return Number(text) === (Number(text) | 0) ? Number(text) : 'tooLarge';
  let result = 0;
  for (const part of text.split(',')) {
    const word = part.trim();
    const name = [...type.members!].find(([, member]) =>
      ignoreCase ? member.toLowerCase() === word.toLowerCase() : member === word,
    );
    if (!name) return null;
    result |= name[0];
  }
  return result;
}

/** The value that `Parse` gives. */
function parsedEnum(type: RuntimeType, text: string | null, ignoreCase: boolean): number {
  if (text === null) return argumentNull('value');
  const value = parseEnum(type, text, ignoreCase);
  if (value === 'tooLarge') return raise('OverflowException');
  return value ?? badArgument(`Requested value '${text}' was not found.`);
}

function enumParser(ignoreCaseAt: number | null): SiteNative {
  return bySite((site) => {
    const type = runtimeType(site.typeArguments[0] ?? site.result);
    return (text, ...rest) => parsedEnum(type, text, ignoreCaseAt === null ? false : rest[0]);
  });
}

function enumTryParser(hasIgnoreCase: boolean): SiteNative {
  return bySite((site) => {
    const type = runtimeType(site.typeArguments[0]!);
    return (text, ...rest) => {
      const cell: Cell = rest.at(-1)!;
      const value = parseEnum(type, text, hasIgnoreCase ? rest[0] : false);
      cell.value = typeof value === 'number' ? value : 0;
      return typeof value === 'number';
    };
  });
}

/** The enum behind an object of class Type. */
function enumType(type: NamedObject | null): RuntimeType {
  if (type === null) return argumentNull('enumType');
  return type.subject?.members ? type.subject : badArgument('Type provided must be an Enum.', 'enumType');
}

function parseOf(type: NamedObject | null, text: string | null, ignoreCase: boolean): Boxed {
  const wanted = enumType(type);
  return new Boxed(wanted, parsedEnum(wanted, text, ignoreCase));
}

const ENUMS: MemberTable = {
  'Enum.HasFlag(Enum)': bySite((site) => {
    const read = enumOf(site);
    return (value, flag) => (read(value).value & bare(flag)) === bare(flag);
  }),
  'Enum.CompareTo(object)': bySite((site) => {
    const read = enumOf(site);
    return (value, other) => {
      if (other === null) return 1;
      const own = read(value);
      if (!(other instanceof Boxed) || other.type.key !== own.type.key)
        return badArgument('Object must be the same type.');
      return compareValues(own.value, other.value);
    };
  }),
  'Enum.Equals(object)': bySite((site) => {
    const object = asObject(site);
    return (value, other) => equalValues(value instanceof Boxed ? value : object(value), other);
  }),
  'Enum.GetHashCode()': bySite((site) => {
    const read = enumOf(site);
    return (value) => read(value).value;
  }),
  'Enum.ToString()': bySite((site) => {
    const read = enumOf(site);
    return (value) => formatEnum(read(value).type, read(value).value, null);
  }),
  'Enum.ToString(string)': bySite((site) => {
    const read = enumOf(site);
    return (value, format) => formatEnum(read(value).type, read(value).value, format);
  }),
  'Enum.Parse<TEnum>(string)': enumParser(null),
  'Enum.Parse<TEnum>(string,bool)': enumParser(1),
  'Enum.Parse(Type,string)': (type, text) => parseOf(type, text, false),
  'Enum.Parse(Type,string,bool)': parseOf,
  'Enum.IsDefined(Type,object)': (type, value) =>
    typeof value === 'string'
      ? [...enumType(type).members!.values()].includes(value)
      : enumType(type).members!.has(bare(value)),
  'Enum.GetName(Type,object)': (type, value) => enumType(type).members!.get(bare(value)) ?? null,
  'Enum.GetNames(Type)': (type) =>
    newArray({ kind: 'primitive', name: 'string' }, [...enumType(type).members!.values()]),
  'Enum.TryParse<TEnum>(string,out TEnum)': enumTryParser(false),
  'Enum.TryParse<TEnum>(string,bool,out TEnum)': enumTryParser(true),
  'Enum.IsDefined<TEnum>(TEnum)': bySite((site) => {
    const type = runtimeType(site.typeArguments[0]!);
    return (value) => type.members!.has(value);
  }),
  'Enum.GetName<TEnum>(TEnum)': bySite((site) => {
    const type = runtimeType(site.typeArguments[0]!);
    return (value) => type.members!.get(value) ?? null;
  }),
  'Enum.GetNames<TEnum>()': bySite((site) => {
    const type = runtimeType(site.typeArguments[0]!);
    return () => newArray({ kind: 'primitive', name: 'string' }, [...type.members!.values()]);
  }),
  'Enum.GetValues<TEnum>()': bySite((site) => {
    const type = site.typeArguments[0]!;
    return () => newArray(type, [...runtimeType(type).members!.keys()]);
  }),
};

// --- exceptions -------------------------------------------------------------------------------------------------------

const EXCEPTION_CLASSES = LIBRARY.flatMap((text) =>
  [...text.matchAll(/^class (\w*Exception)\b/gm)].map((match) => match[1]!),
);

function exceptionTable(): MemberTable {
  const table: Record<string, Native> = {};
  for (const name of EXCEPTION_CLASSES) {
    const make = (
      message: string | null,
      inner: ExceptionObject | null,
      parameter: string | null = null,
      actual: Value = null,
    ) => new ExceptionObject(name, message, inner, parameter, actual);
    table[`${name}.new()`] = () => make(null, null);
    table[`${name}.new(string)`] = (message) => make(message, null);
    table[`${name}.new(string,Exception)`] = (message, inner) => make(message, inner);
    table[`${name}.new(string,${name})`] = (message, inner) => make(message, inner);
    table[`${name}.new(string,string)`] =
      name === 'ArgumentException'
        ? (message, parameter) => make(message, null, parameter)
        : (parameter, message) => make(message, null, parameter);
    table[`${name}.new(string,string,Exception)`] = (message, parameter, inner) => make(message, inner, parameter);
    table[`${name}.new(string,object,string)`] = (parameter, actual, message) => make(message, null, parameter, actual);
  }
  for (const name of ['ArgumentNullException', 'ArgumentOutOfRangeException']) {
    table[`${name}.new(string)`] = (parameter) => new ExceptionObject(name, null, null, parameter);
  }
  return table;
}

function causesOf(given: Value, parameter: string): ExceptionObject[] {
  return collect(given, parameter).map(
    (cause: ExceptionObject | null) => cause ?? badArgument('An element of innerExceptions was null.'),
  );
}

/** Causes of causes, in their order, as the causes of one exception. */
function flattened({ ownMessage, causes }: AggregateObject): AggregateObject {
  const all = causes.flatMap((cause) => (cause instanceof AggregateObject ? flattened(cause).causes : [cause]));
  return new AggregateObject(ownMessage, all);
}

const causes = (message: string | null, given: Value) =>
  new AggregateObject(message, causesOf(given, 'innerExceptions'));

const SEVERAL: MemberTable = {
  'AggregateException.new()': () => new AggregateObject(null, []),
  'AggregateException.new(string)': (message) => new AggregateObject(message, []),
  'AggregateException.new(string,Exception)': (message, inner: ExceptionObject | null) =>
    new AggregateObject(message, [inner ?? argumentNull('innerException')]),
  'AggregateException.new(Exception[])': (given) => causes(null, given),
  'AggregateException.new(IEnumerable<Exception>)': (given) => causes(null, given),
  'AggregateException.new(string,Exception[])': causes,
  'AggregateException.new(string,IEnumerable<Exception>)': causes,
  'AggregateException.get_InnerExceptions()': (exception: AggregateObject) =>
    newList(named('Exception'), [...exception.causes]),
  'AggregateException.Flatten()': flattened,
  'ObjectDisposedException.new(string)': (name) => new DisposedObject(name, null),
  'ObjectDisposedException.new(string,string)': (name, message) => new DisposedObject(name, message),
  'ObjectDisposedException.new(string,Exception)': (message, inner) => new DisposedObject(null, message, inner),
  'ObjectDisposedException.get_ObjectName()': (exception: DisposedObject) => exception.objectName,
};

function rootOf(exception: ExceptionObject): ExceptionObject {
  return exception.inner ? rootOf(exception.inner) : exception;
}

const EXCEPTION_MEMBERS: MemberTable = {
  ...exceptionTable(),
  ...SEVERAL,
  'Exception.get_Message()': (exception) => exception.message,
  'Exception.get_StackTrace()': () => null,
  'Exception.get_InnerException()': (exception) => exception.inner,
  'Exception.GetBaseException()': rootOf,
  'Exception.ToString()': (exception) => objectText(exception, null),
  'ArgumentException.get_ParamName()': (exception) => exception.parameterName,
  'ArgumentOutOfRangeException.get_ActualValue()': (exception) => exception.actualValue,
};

// --- tuples, hash codes, cultures, indices ------------------------------------------------------------------------------

function tupleTable(): MemberTable {
  const table: Record<string, Native | SiteNative> = {};
  for (let count = 1; count <= 8; count++) {
    const list = Array.from({ length: count }, (_, at) => `T${at + 1}`).join(',');
    table[`HashCode.Combine<${list}>(${list})`] = (...values) =>
      values.reduce((hash, value) => Math.imul(hash ^ hashOf(value), 0x01000193), 0x811c9dc5 | 0);
    if (count === 8) continue;
    const create = bySite((site) => {
      const type = runtimeType(site.result);
      return (...values) => new TupleObject(type, values);
    });
    table[`Tuple<${list}>.new(${list})`] = create;
    table[`Tuple.Create<${list}>(${list})`] = create;
    for (let at = 0; at < count; at++)
      table[`Tuple<${list}>.get_Item${at + 1}()`] = (tuple: TupleObject) => tuple.items[at];
  }
  return table;
}

const INVARIANT = new NamedObject(runtimeType(named('CultureInfo')));
const NUMBER_INFO = new NamedObject(runtimeType(named('NumberFormatInfo')));
const DATE_INFO = new NamedObject(runtimeType(named('DateTimeFormatInfo')));

function indexOf(value: number, fromEnd: boolean): IndexValue {
  if (value < 0) outOfRange('value');
  return new IndexValue(value, fromEnd);
}

const OTHERS: MemberTable = {
  'CultureInfo.get_InvariantCulture()': () => INVARIANT,
  'CultureInfo.get_CurrentCulture()': () => INVARIANT,
  'CultureInfo.get_CurrentUICulture()': () => INVARIANT,
  'CultureInfo.GetCultureInfo(string)': () => INVARIANT,
  'CultureInfo.get_Name()': () => '',
  'CultureInfo.get_DisplayName()': () => 'Invariant Language (Invariant Country)',
  'CultureInfo.get_EnglishName()': () => 'Invariant Language (Invariant Country)',
  'CultureInfo.ToString()': () => '',
  'NumberFormatInfo.get_InvariantInfo()': () => NUMBER_INFO,
  'NumberFormatInfo.get_CurrentInfo()': () => NUMBER_INFO,
  'DateTimeFormatInfo.get_InvariantInfo()': () => DATE_INFO,
  'DateTimeFormatInfo.get_CurrentInfo()': () => DATE_INFO,
  'Index.new(int,bool)': indexOf,
  'Index.FromStart(int)': (value) => indexOf(value, false),
  'Index.FromEnd(int)': (value) => indexOf(value, true),
  'Index.Equals(Index)': (index, other) => index.value === other.value && index.fromEnd === other.fromEnd,
  'Index.get_Start()': () => new IndexValue(0, false),
  'Index.get_End()': () => new IndexValue(0, true),
  'Index.get_Value()': (index) => index.value,
  'Index.get_IsFromEnd()': (index) => index.fromEnd,
  'Index.GetOffset(int)': (index, length) => (index.fromEnd ? (length - index.value) | 0 : index.value),
  'Index.ToString()': (index) => index.toString(),
  'Index.op_Implicit(int)->Index': (value) => indexOf(value, false),
  'Range.new(Index,Index)': (start, end) => new RangeValue(start, end),
  'Range.get_Start()': (range) => range.start,
  'Range.get_End()': (range) => range.end,
  'Range.get_All()': () => new RangeValue(new IndexValue(0, false), new IndexValue(0, true)),
  'Range.StartAt(Index)': (start) => new RangeValue(start, new IndexValue(0, true)),
  'Range.EndAt(Index)': (end) => new RangeValue(new IndexValue(0, false), end),
  'Range.GetOffsetAndLength(int)': (range, length) => {
    const [start, end] = [range.start, range.end].map((at) => (at.fromEnd ? (length - at.value) | 0 : at.value));
    if (end >>> 0 > length >>> 0 || start >>> 0 > end >>> 0) outOfRange('length');
    return new TupleValue([start, (end - start) | 0]);
  },
  'Range.Equals(Range)': (range, other) => `${range.start}..${range.end}` === `${other.start}..${other.end}`,
  'Range.ToString()': (range) => `${range.start}..${range.end}`,
};

export const OBJECT_MEMBERS: MemberTable = {
  ...OBJECTS,
  ...NULLABLES,
  ...ENUMS,
  // The binder makes calls of them.
  'Delegate.Combine(Delegate,Delegate)': combine,
  'Delegate.Remove(Delegate,Delegate)': remove,
  ...EXCEPTION_MEMBERS,
  ...tupleTable(),
  ...OTHERS,
};
