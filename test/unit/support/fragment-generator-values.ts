// The part of random fragments that computes with decimals, dates, times, identifiers and nullable values of 64 bits and more.

export type ValueKind =
  | 'decimal' | 'DateTime' | 'TimeSpan' | 'DateTimeOffset' | 'Guid' | 'long?' | 'double?' | 'decimal?' | 'DateTime?'; // biome-ignore format: a list

export const valueKinds: readonly ValueKind[] = ['decimal', 'DateTime', 'TimeSpan', 'DateTimeOffset', 'Guid', 'long?', 'double?', 'decimal?', 'DateTime?']; // biome-ignore format: a list

/** The variables: name, and the statement that declares it. */
export const valueVariables: Readonly<Record<ValueKind, readonly (readonly [name: string, declaration: string])[]>> = {
  decimal: [['m', 'v.TryGetProperty(out decimal m, "m");'], ['m2', 'decimal m2 = v.Id / 7m - 3;'], ['m3', 'decimal m3 = v.Id * 1.10m;']],
  DateTime: [['t', 'v.TryGetProperty(out DateTime t, "t");'], ['t2', 'DateTime t2 = v.GetCreationDate();'], ['t3', 'var t3 = new DateTime(2024, 1, 31).AddDays(v.Id);']],
  TimeSpan: [['p', 'v.TryGetProperty(out TimeSpan p, "p");'], ['p2', 'var p2 = TimeSpan.FromHours(v.Id - 7.25);']],
  DateTimeOffset: [['o1', 'v.TryGetProperty(out DateTimeOffset o1, "o");'], ['o2', 'DateTimeOffset o2 = v.GetCreationDate();']],
  Guid: [['y', 'v.TryGetProperty(out Guid y, "y");'], ['y2', 'Guid y2 = Guid.Empty;']],
  'long?': [['nl', 'long? nl = v.Id % 3 == 0 ? (long?)null : v.Id * 3074457345618258603L;']],
  'double?': [['nd', 'double? nd = v.TryGetProperty(out double nd0, "score") ? nd0 : (double?)null;']],
  'decimal?': [['nm', 'decimal? nm = v.TryGetProperty(out decimal nm0, "m") ? nm0 : (decimal?)null;']],
  'DateTime?': [['nt', 'DateTime? nt = v.Id % 3 == 0 ? (DateTime?)null : new DateTime(2000, 1, 1).AddMonths(v.Id);']],
}; // biome-ignore format: a table

export const valueLiterals: Readonly<Record<ValueKind, readonly string[]>> = {
  decimal: ['0m', '1m', '-1m', '0.1m', '1.10m', '2.5m', '-0.5m', '3m', '79228162514264337593543950335m', '0.0000000000000000000000000001m', '12345678901234567890.123456789m', '100m'],
  DateTime: ['DateTime.MinValue', 'DateTime.MaxValue', 'DateTime.UnixEpoch', 'new DateTime(2024, 2, 29, 23, 59, 59)', 'DateTime.UtcNow', 'default(DateTime)'],
  TimeSpan: ['TimeSpan.Zero', 'TimeSpan.MaxValue', 'TimeSpan.FromDays(1)', 'new TimeSpan(1, 2, 3, 4, 5)', 'TimeSpan.FromTicks(-1)'],
  DateTimeOffset: ['DateTimeOffset.MinValue', 'DateTimeOffset.UnixEpoch', 'new DateTimeOffset(2024, 1, 1, 0, 0, 0, TimeSpan.FromHours(2))', 'DateTimeOffset.UtcNow'],
  Guid: ['Guid.Empty', 'default(Guid)'],
  'long?': ['(long?)null', '(long?)5'], 'double?': ['(double?)null', '(double?)0.5'], 'decimal?': ['(decimal?)null', '(decimal?)1.5m'],
  'DateTime?': ['(DateTime?)null'],
}; // biome-ignore format: a table

/** What the generator lends to these expressions. */
export interface Lender {
  /** Code of any type, one step less deep. */
  make(type: string): string;
  pick<T>(list: readonly T[]): T;
  /** Only what every runtime does alike, to be compared with C#. */
  readonly strict: boolean;
}

type Choices = readonly (() => string)[];

const modes = ['ToEven', 'AwayFromZero', 'ToZero', 'ToNegativeInfinity', 'ToPositiveInfinity'].map((mode) => `MidpointRounding.${mode}`); // biome-ignore format: a list
const smallSpan = (lender: Lender): string => `TimeSpan.FromMinutes(${lender.make('int')} % 900)`;

function decimals(lender: Lender): Choices {
  const m = () => lender.make('decimal');
  const { pick } = lender;
  return [
    () => `(${m()} ${pick(['+', '-', '*', '/', '%'])} ${m()})`,
    () => `(${m()} ${pick(['+', '-', '*'])} ${m()})`,
    () => `(${m()} ${pick(['+', '*', '/'])} ${lender.make('int')})`,
    () => `(-${m()})`,
    () => `((decimal)${lender.make(pick(['int', 'long', 'ulong', 'uint', 'byte', 'double', 'float', 'char']))})`,
    () => `Math.Round(${m()}, ${lender.make('int')} & 15, ${pick(modes)})`,
    () => `decimal.Round(${m()}, ${pick(['0', '1', '2', '28'])})`,
    () => `Math.${pick(['Floor', 'Ceiling', 'Truncate', 'Abs', 'Round'])}(${m()})`,
    () => `Math.${pick(['Max', 'Min'])}(${m()}, ${m()})`,
    () => `(${pick(['m', 'm2', 'm3']) === 'm' ? lender.make('decimal variable') : lender.make('decimal variable')} ${pick(['=', '+=', '-=', '*='])} ${m()})`,
    () => `(${lender.make('decimal?')} ?? ${m()})`,
    () => `Convert.ToDecimal(${lender.make(pick(['int', 'bool', 'double', 'long']))})`,
  ]; // biome-ignore format: a table
}

function dates(lender: Lender): Choices {
  const t = () => lender.make('DateTime');
  const int = () => lender.make('int');
  const { pick } = lender;
  return [
    () => `${t()}.Add${pick(['Days', 'Hours', 'Minutes', 'Seconds', 'Milliseconds'])}(${lender.make(pick(['double', 'int']))})`,
    () => `${t()}.AddDays(${int()} % 100000 / 7.0)`,
    () => `${t()}.AddMonths(${int()} % 200)`,
    () => `${t()}.AddYears(${int()} % 50)`,
    () => `${t()}.AddTicks(${lender.make('long')})`,
    () => `(${t()} ${pick(['+', '-'])} ${lender.make('TimeSpan')})`,
    () => `${t()}.Date`,
    () => `new DateTime(1 + (${int()} & 8191), 1 + (${int()} & 7), 1 + (${int()} & 31))`,
    () => `new DateTime(2000, 1, 1, ${int()} & 31, ${int()} & 63, 7, ${pick(['0', '999'])}, DateTimeKind.${pick(['Utc', 'Local', 'Unspecified'])})`,
    () => `DateTime.SpecifyKind(${t()}, DateTimeKind.${pick(['Utc', 'Local', 'Unspecified'])})`,
    () => `${lender.make('DateTimeOffset')}.${pick(['DateTime', 'UtcDateTime', 'Date', 'LocalDateTime'])}`,
    () => `(${lender.make('DateTime?')} ?? ${t()})`,
  ]; // biome-ignore format: a table
}

function spans(lender: Lender): Choices {
  const p = () => lender.make('TimeSpan');
  const { pick } = lender;
  return [
    () => `TimeSpan.From${pick(['Days', 'Hours', 'Minutes', 'Seconds', 'Milliseconds'])}(${lender.make('int')} / 3.0)`,
    () => `TimeSpan.FromTicks(${lender.make('long')})`,
    () => `(${lender.make('DateTime')} - ${lender.make('DateTime')})`,
    () => `(${lender.make('DateTimeOffset')} - ${lender.make('DateTimeOffset')})`,
    () => `(${p()} ${pick(['+', '-'])} ${p()})`,
    () => `(${p()} ${pick(['*', '/'])} ${lender.make('double')})`,
    () => `(${lender.make('double')} * ${p()})`,
    () => `(-${p()})`,
    () => `${p()}.Duration()`,
    () => `${lender.make('DateTime')}.TimeOfDay`,
    () => `${lender.make('DateTimeOffset')}.Offset`,
    () => `new TimeSpan(${lender.make('int')}, ${lender.make('int')}, ${lender.make('int')})`,
  ]; // biome-ignore format: a table
}

function offsets(lender: Lender): Choices {
  const o = () => lender.make('DateTimeOffset');
  const { pick } = lender;
  return [
    () => `new DateTimeOffset(DateTime.SpecifyKind(${lender.make('DateTime')}, DateTimeKind.Unspecified), ${smallSpan(lender)})`,
    () => `((DateTimeOffset)DateTime.SpecifyKind(${lender.make('DateTime')}, DateTimeKind.Utc))`,
    () => `${o()}.AddDays(${lender.make('int')} % 100000 / 7.0)`,
    () => `${o()}.AddMonths(${lender.make('int')} % 200)`,
    () => `(${o()} ${pick(['+', '-'])} ${lender.make('TimeSpan')})`,
    () => `${o()}.ToOffset(${smallSpan(lender)})`,
    () => `${o()}.ToUniversalTime()`,
    () => `DateTimeOffset.FromUnixTimeSeconds(${lender.make('int')} * 60L)`,
  ]; // biome-ignore format: a table
}

const nullable = (lender: Lender, type: 'long' | 'double' | 'decimal'): Choices => [
  () => `(${lender.make(`${type}?`)} ${lender.pick(['+', '-', '*'])} ${lender.make(lender.pick([type, `${type}?`, 'int?', 'int']))})`,
  () => `((${type}?)${lender.make(type)})`,
  () => `(${lender.make('bool')} ? ${lender.make(`${type}?`)} : null)`,
]; // biome-ignore format: a table

/** An expression of one of these types. */
export function valueExpression(lender: Lender, type: ValueKind): string {
  const choices: Readonly<Record<ValueKind, () => Choices>> = {
    decimal: () => decimals(lender),
    DateTime: () => dates(lender),
    TimeSpan: () => spans(lender),
    DateTimeOffset: () => offsets(lender),
    Guid: () => [() => `(${lender.make('bool')} ? ${lender.make('Guid')} : ${lender.make('Guid')})`],
    'long?': () => nullable(lender, 'long'),
    'double?': () => nullable(lender, 'double'),
    'decimal?': () => nullable(lender, 'decimal'),
    'DateTime?': () => [
      () => `((DateTime?)${lender.make('DateTime')})`,
      () => `${lender.make('DateTime?')}?.AddDays(${lender.make('int')} % 1000)`,
      () => `(${lender.make('DateTime?')} + ${lender.make('TimeSpan')})`,
    ],
  };
  return lender.pick(choices[type]())();
}

// --- From these types to others ---------------------------------------------------------------------------------------------

export function intOfValues(lender: Lender): Choices {
  const { make, pick } = lender;
  const type = () => pick<ValueKind>(['decimal', 'DateTime', 'TimeSpan', 'DateTimeOffset', 'Guid']);
  const same = (name: string) => `${make(name)}.CompareTo(${make(name)})`;
  return [
    () => same(type()),
    () => `(int)${make('decimal')}`,
    () => `${make('DateTime')}.${pick(['Year', 'Month', 'Day', 'DayOfYear', 'Hour', 'Minute', 'Second', 'Millisecond'])}`,
    () => `${make('DateTimeOffset')}.${pick(['Year', 'Month', 'Day', 'DayOfYear', 'Hour', 'Minute'])}`,
    () => `(int)${make(pick(['DateTime', 'DateTimeOffset']))}.DayOfWeek`,
    () => `(int)${make('DateTime')}.Kind`,
    () => `${make('TimeSpan')}.${pick(['Days', 'Hours', 'Minutes', 'Seconds', 'Milliseconds'])}`,
    () => `Math.Sign(${make(pick(['decimal', 'double', 'long', 'int', 'float']))})`,
    () => `Convert.ToInt32(${make(pick(['double', 'decimal', 'long', 'bool', 'char', 'float', 'uint']))})`,
    () => `DateTime.DaysInMonth(2000 + (${make('int')} & 63), 1 + (${make('int')} & 7))`,
    () => `${make(pick(['int', 'uint', 'long', 'double', 'byte', 'float']))}.Equals(${make('int')}) ? 1 : 0`.replace(/^/, '(').replace(/$/, ')'),
    () => `Math.DivRem(${make('int')}, ${make('int')}, out _)`,
    () => `Math.Clamp(${make('int')}, -100, 100)`,
    ...(lender.strict ? [] : [() => `${make(pick(['decimal', 'DateTime', 'TimeSpan', 'Guid', 'DateTimeOffset', 'double', 'long', 'float', 'ulong']))}.GetHashCode()`]),
  ]; // biome-ignore format: a table
}

export function longOfValues({ make, pick }: Lender): Choices {
  return [
    () => `${make(pick(['DateTime', 'TimeSpan', 'DateTimeOffset']))}.Ticks`,
    () => `((long)${make('decimal')})`,
    () => `(${make('long?')} ?? ${make('long')})`,
    () => `${make('DateTimeOffset')}.ToUnixTime${pick(['Seconds', 'Milliseconds'])}()`,
    () => `checked(${make('long')} ${pick(['+', '-', '*'])} ${make('long')})`,
    () => `Convert.ToInt64(${make(pick(['double', 'decimal', 'ulong', 'int']))})`,
    () => `Math.BigMul(${make('int')}, ${make('int')})`,
    () => `BitConverter.DoubleToInt64Bits(${make('double')})`,
  ];
}

const functions = ['Sin', 'Cos', 'Tan', 'Asin', 'Acos', 'Atan', 'Sinh', 'Cosh', 'Tanh', 'Exp', 'Log', 'Log10', 'Cbrt', 'Asinh', 'Acosh', 'Atanh']; // biome-ignore format: a list

export function doubleOfValues(lender: Lender): Choices {
  const { make, pick } = lender;
  const d = () => make('double');
  return [
    () => `((double)${make('decimal')})`,
    () => `${make('TimeSpan')}.Total${pick(['Days', 'Hours', 'Minutes', 'Seconds', 'Milliseconds'])}`,
    () => `(${make('TimeSpan')} / ${make('TimeSpan')})`,
    () => `(${make('double?')} ?? ${d()})`,
    () => `(${d()} % ${d()})`,
    () => `Math.Round(${d()}, ${make('int')} & 15)`,
    () => `Math.Round(${d()}, ${pick(['0', '2'])}, MidpointRounding.${pick(['ToEven', 'AwayFromZero'])})`,
    () => `Math.${pick(['IEEERemainder', 'CopySign', 'MaxMagnitude', 'MinMagnitude'])}(${d()}, ${d()})`,
    () => `Math.${pick(['BitIncrement', 'BitDecrement'])}(${d()})`,
    () => `Math.ScaleB(${d()}, ${make('int')} % 3000)`,
    () => `Convert.ToDouble(${make(pick(['decimal', 'ulong', 'bool', 'int']))})`,
    () =>
      `Convert.ToDouble((object)${make(pick(['decimal', 'ulong', 'byte', 'double', 'int?', 'DateTime', 'string']))})`,
    ...(lender.strict
      ? []
      : [
          () => `Math.${pick(functions)}(${d()})`,
          () => `Math.${pick(['Pow', 'Atan2', 'Log'])}(${d()}, ${d()})`,
          () => `(double)MathF.${pick(functions)}(${make('float')})`,
        ]),
  ];
}

export function boolOfValues({ make, pick }: Lender): Choices {
  const type = () => pick<ValueKind>(['decimal', 'DateTime', 'TimeSpan', 'DateTimeOffset']);
  const two = (name: string, operator: string) => `(${make(name)} ${operator} ${make(name)})`;
  return [
    () => two(type(), pick(['<', '<=', '>', '>=', '==', '!='])),
    () => two('Guid', pick(['==', '!='])),
    () => two(pick(['long?', 'double?', 'decimal?', 'DateTime?']), pick(['<', '>=', '==', '!='])),
    () => `(${make(pick(['long?', 'double?', 'decimal?', 'DateTime?']))}).HasValue`,
    () => `${make('decimal')}.Equals(${make('decimal')})`,
    () => `(${make('decimal?')} is decimal && ${make('bool')})`,
    () => `DateTime.IsLeapYear(1 + (${make('int')} & 4095))`,
    () => `double.Is${pick(['NaN', 'Infinity', 'Negative', 'Normal', 'Subnormal', 'Finite'])}(${make('double')})`,
    () => `Convert.ToBoolean(${make(pick(['double', 'decimal', 'long']))})`,
    () => `Guid.TryParse(${make('string')}, out _)`,
  ];
}
