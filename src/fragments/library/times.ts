// Dates, times and identifiers: DateTime, DateTimeOffset, TimeSpan, Guid. The local time zone is UTC. The present moment is the one at
// which the request began, so that a fragment gives the same answer for every element of a search.

import type { Declarations } from './declarations.ts';

const compareOperators = (type: string): string =>
  ['==', '!=', '<', '<=', '>', '>=']
    .map((sign) => `  static bool operator ${sign}(${type} t1, ${type} t2);`)
    .join('\n');

function common(type: string): string {
  return `
  static int Compare(${type} t1, ${type} t2);
  int CompareTo(object value);
  int CompareTo(${type} value);
  bool Equals(object value);
  bool Equals(${type} value);
  static bool Equals(${type} t1, ${type} t2);
  int GetHashCode();
  string ToString();
  string ToString(string format);
  string ToString(string format, IFormatProvider provider);
${compareOperators(type)}`;
}

/** What a day without a time shares with a time without a day. */
function ofDay(type: string): string {
  return `
  int CompareTo(object value);
  int CompareTo(${type} value);
  bool Equals(object value);
  bool Equals(${type} value);
  int GetHashCode();
  string ToString();
  string ToString(IFormatProvider provider);
  string ToString(string format);
  string ToString(string format, IFormatProvider provider);
  static ${type} Parse(string s);
  static ${type} ParseExact(string s, string format);
  static ${type} ParseExact(string s, string format, IFormatProvider provider, DateTimeStyles style = DateTimeStyles.None);
  static bool TryParse(string s, out ${type} result);
  static bool TryParseExact(string s, string format, out ${type} result);
  static bool TryParseExact(string s, string format, IFormatProvider provider, DateTimeStyles style, out ${type} result);
${compareOperators(type)}`;
}

/** Parsing by a guess of the form or by given ones. */
function parsing(type: string): string {
  return `
  static ${type} Parse(string s);
  static ${type} Parse(string s, IFormatProvider provider);
  static ${type} Parse(string s, IFormatProvider provider, DateTimeStyles styles);
  static ${type} ParseExact(string s, string format, IFormatProvider provider);
  static ${type} ParseExact(string s, string format, IFormatProvider provider, DateTimeStyles style);
  static ${type} ParseExact(string s, string[] formats, IFormatProvider provider, DateTimeStyles style);
  static bool TryParse(string s, out ${type} result);
  static bool TryParse(string s, IFormatProvider provider, out ${type} result);
  static bool TryParse(string s, IFormatProvider provider, DateTimeStyles styles, out ${type} result);
  static bool TryParseExact(string s, string format, IFormatProvider provider, DateTimeStyles style, out ${type} result);
  static bool TryParseExact(string s, string[] formats, IFormatProvider provider, DateTimeStyles style, out ${type} result);`;
}

/** What a date shares with a date with an offset. */
function calendar(type: string): string {
  return `
  int Day { get; }
  DayOfWeek DayOfWeek { get; }
  int DayOfYear { get; }
  int Hour { get; }
  int Millisecond { get; }
  int Minute { get; }
  int Month { get; }
  int Second { get; }
  long Ticks { get; }
  TimeSpan TimeOfDay { get; }
  int Year { get; }
  ${type} Add(TimeSpan value);
  ${type} AddDays(double value);
  ${type} AddHours(double value);
  ${type} AddMilliseconds(double value);
  ${type} AddMinutes(double value);
  ${type} AddMonths(int months);
  ${type} AddSeconds(double value);
  ${type} AddTicks(long value);
  ${type} AddYears(int value);
  TimeSpan Subtract(${type} value);
  ${type} Subtract(TimeSpan value);
  ${type} ToLocalTime();
  ${type} ToUniversalTime();
  string ToString(IFormatProvider provider);
  static ${type} operator +(${type} d, TimeSpan t);
  static ${type} operator -(${type} d, TimeSpan t);
  static TimeSpan operator -(${type} d1, ${type} d2);`;
}

export const TIMES: Declarations = `
namespace System.Globalization;

enum DateTimeStyles {
  None = 0, AllowLeadingWhite = 1, AllowTrailingWhite = 2, AllowInnerWhite = 4, AllowWhiteSpaces = 7, NoCurrentDateDefault = 8,
  AdjustToUniversal = 16, AssumeLocal = 32, AssumeUniversal = 64, RoundtripKind = 128,
}

namespace System;

enum DayOfWeek { Sunday = 0, Monday = 1, Tuesday = 2, Wednesday = 3, Thursday = 4, Friday = 5, Saturday = 6 }
enum DateTimeKind { Unspecified = 0, Utc = 1, Local = 2 }

struct DateTime : IComparable, IFormattable, IConvertible, IComparable<DateTime>, IEquatable<DateTime> {
  static readonly DateTime MinValue;
  static readonly DateTime MaxValue;
  static readonly DateTime UnixEpoch;
  new(long ticks);
  new(long ticks, DateTimeKind kind);
  new(int year, int month, int day);
  new(int year, int month, int day, int hour, int minute, int second);
  new(int year, int month, int day, int hour, int minute, int second, DateTimeKind kind);
  new(int year, int month, int day, int hour, int minute, int second, int millisecond);
  new(int year, int month, int day, int hour, int minute, int second, int millisecond, DateTimeKind kind);
  static DateTime Now { get; }
  static DateTime UtcNow { get; }
  static DateTime Today { get; }
  DateTime Date { get; }
  DateTimeKind Kind { get; }${calendar('DateTime')}${common('DateTime')}${parsing('DateTime')}
  static int DaysInMonth(int year, int month);
  static bool IsLeapYear(int year);
  static DateTime SpecifyKind(DateTime value, DateTimeKind kind);
  string ToLongDateString();
  string ToLongTimeString();
  string ToShortDateString();
  string ToShortTimeString();
}

struct DateTimeOffset : IComparable, IFormattable, IComparable<DateTimeOffset>, IEquatable<DateTimeOffset> {
  static readonly DateTimeOffset MinValue;
  static readonly DateTimeOffset MaxValue;
  static readonly DateTimeOffset UnixEpoch;
  new(long ticks, TimeSpan offset);
  new(DateTime dateTime);
  new(DateTime dateTime, TimeSpan offset);
  new(int year, int month, int day, int hour, int minute, int second, TimeSpan offset);
  new(int year, int month, int day, int hour, int minute, int second, int millisecond, TimeSpan offset);
  static DateTimeOffset Now { get; }
  static DateTimeOffset UtcNow { get; }
  DateTime DateTime { get; }
  DateTime UtcDateTime { get; }
  DateTime LocalDateTime { get; }
  DateTime Date { get; }
  TimeSpan Offset { get; }
  long UtcTicks { get; }${calendar('DateTimeOffset')}${common('DateTimeOffset')}${parsing('DateTimeOffset')}
  bool EqualsExact(DateTimeOffset other);
  DateTimeOffset ToOffset(TimeSpan offset);
  static DateTimeOffset FromUnixTimeSeconds(long seconds);
  static DateTimeOffset FromUnixTimeMilliseconds(long milliseconds);
  long ToUnixTimeSeconds();
  long ToUnixTimeMilliseconds();
  static implicit operator DateTimeOffset(DateTime dateTime);
}

struct TimeSpan : IComparable, IFormattable, IComparable<TimeSpan>, IEquatable<TimeSpan> {
  static readonly TimeSpan Zero;
  static readonly TimeSpan MaxValue;
  static readonly TimeSpan MinValue;
  const long TicksPerMillisecond = 10000L;
  const long TicksPerSecond = 10000000L;
  const long TicksPerMinute = 600000000L;
  const long TicksPerHour = 36000000000L;
  const long TicksPerDay = 864000000000L;
  new(long ticks);
  new(int hours, int minutes, int seconds);
  new(int days, int hours, int minutes, int seconds);
  new(int days, int hours, int minutes, int seconds, int milliseconds);
  long Ticks { get; }
  int Days { get; }
  int Hours { get; }
  int Milliseconds { get; }
  int Minutes { get; }
  int Seconds { get; }
  double TotalDays { get; }
  double TotalHours { get; }
  double TotalMilliseconds { get; }
  double TotalMinutes { get; }
  double TotalSeconds { get; }
  static TimeSpan FromDays(double value);
  static TimeSpan FromHours(double value);
  static TimeSpan FromMinutes(double value);
  static TimeSpan FromSeconds(double value);
  static TimeSpan FromMilliseconds(double value);
  static TimeSpan FromTicks(long value);
  TimeSpan Add(TimeSpan ts);
  TimeSpan Subtract(TimeSpan ts);
  TimeSpan Multiply(double factor);
  TimeSpan Divide(double divisor);
  double Divide(TimeSpan ts);
  TimeSpan Duration();
  TimeSpan Negate();${common('TimeSpan')}
  static TimeSpan Parse(string s);
  static TimeSpan Parse(string s, IFormatProvider provider);
  static bool TryParse(string s, out TimeSpan result);
  static bool TryParse(string s, IFormatProvider provider, out TimeSpan result);
  static TimeSpan operator -(TimeSpan t);
  static TimeSpan operator +(TimeSpan t);
  static TimeSpan operator -(TimeSpan t1, TimeSpan t2);
  static TimeSpan operator +(TimeSpan t1, TimeSpan t2);
  static TimeSpan operator *(TimeSpan timeSpan, double factor);
  static TimeSpan operator *(double factor, TimeSpan timeSpan);
  static TimeSpan operator /(TimeSpan timeSpan, double divisor);
  static double operator /(TimeSpan t1, TimeSpan t2);
}

struct Guid : IComparable, IFormattable, IComparable<Guid>, IEquatable<Guid> {
  static readonly Guid Empty;
  new(byte[] b);
  new(string g);
  static Guid Parse(string input);
  static Guid ParseExact(string input, string format);
  static bool TryParse(string input, out Guid result);
  static bool TryParseExact(string input, string format, out Guid result);
  byte[] ToByteArray();
  int CompareTo(object value);
  int CompareTo(Guid value);
  bool Equals(object o);
  bool Equals(Guid g);
  int GetHashCode();
  string ToString();
  string ToString(string format);
  string ToString(string format, IFormatProvider provider);
  static bool operator ==(Guid a, Guid b);
  static bool operator !=(Guid a, Guid b);
}

struct DateOnly : IComparable, IFormattable, IComparable<DateOnly>, IEquatable<DateOnly> {
  static DateOnly MinValue { get; }
  static DateOnly MaxValue { get; }
  new(int year, int month, int day);
  static DateOnly FromDateTime(DateTime dateTime);
  static DateOnly FromDayNumber(int dayNumber);
  int Day { get; }
  int DayNumber { get; }
  DayOfWeek DayOfWeek { get; }
  int DayOfYear { get; }
  int Month { get; }
  int Year { get; }
  DateOnly AddDays(int value);
  DateOnly AddMonths(int value);
  DateOnly AddYears(int value);
  void Deconstruct(out int year, out int month, out int day);
  DateTime ToDateTime(TimeOnly time);
  DateTime ToDateTime(TimeOnly time, DateTimeKind kind);
  string ToLongDateString();
  string ToShortDateString();${ofDay('DateOnly')}
}

struct TimeOnly : IComparable, IFormattable, IComparable<TimeOnly>, IEquatable<TimeOnly> {
  static TimeOnly MinValue { get; }
  static TimeOnly MaxValue { get; }
  new(int hour, int minute);
  new(int hour, int minute, int second);
  new(int hour, int minute, int second, int millisecond);
  new(long ticks);
  static TimeOnly FromDateTime(DateTime dateTime);
  static TimeOnly FromTimeSpan(TimeSpan timeSpan);
  int Hour { get; }
  int Millisecond { get; }
  int Minute { get; }
  int Second { get; }
  long Ticks { get; }
  TimeOnly Add(TimeSpan value);
  TimeOnly Add(TimeSpan value, out int wrappedDays);
  TimeOnly AddHours(double value);
  TimeOnly AddHours(double value, out int wrappedDays);
  TimeOnly AddMinutes(double value);
  TimeOnly AddMinutes(double value, out int wrappedDays);
  void Deconstruct(out int hour, out int minute);
  void Deconstruct(out int hour, out int minute, out int second);
  bool IsBetween(TimeOnly start, TimeOnly end);
  string ToLongTimeString();
  string ToShortTimeString();
  TimeSpan ToTimeSpan();
  static TimeSpan operator -(TimeOnly t1, TimeOnly t2);${ofDay('TimeOnly')}
}
`;
