// Char: its classes by Unicode category, cases, and surrogates.

import { argumentNull, badArgument, formatError, outOfRange } from '../exceptions.ts';
import { hashOfUnit } from '../hash-codes.ts';
import { lowerUnit, upperUnit } from '../text.ts';
import { Boxed } from '../values.ts';
import type { MemberTable, Native } from './native.ts';
import { isWhite } from './string-helpers.ts';

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

function category(pattern: RegExp): (unit: number) => boolean {
  return (unit) => pattern.test(String.fromCharCode(unit));
}

const CLASSES: Readonly<Record<string, (unit: number) => boolean>> = {
  Control: (unit) => unit < 0x20 || (unit >= 0x7f && unit <= 0x9f),
  Digit: category(/\p{Nd}/u),
  Letter: category(/\p{L}/u),
  LetterOrDigit: category(/[\p{L}\p{Nd}]/u),
  // The ordinals of Latin 1 count as lower case.
  Lower: category(/[\p{Ll}\xaa\xba]/u),
  Number: category(/\p{N}/u),
  Punctuation: category(/\p{P}/u),
  Separator: category(/\p{Z}/u),
  Surrogate: (unit) => isHigh(unit) || isLow(unit),
  Symbol: category(/\p{S}/u),
  Upper: category(/\p{Lu}/u),
  WhiteSpace: isWhite,
  HighSurrogate: isHigh,
  LowSurrogate: isLow,
};

/** The unit at a place of a string. */
function unitAt(text: string | null, index: number): number {
  if (text === null) return argumentNull('s');
  return index >= 0 && index < text.length ? text.charCodeAt(index) : outOfRange('index');
}

function classTable(): Record<string, Native> {
  const table: Record<string, Native> = {};
  for (const [name, test] of Object.entries(CLASSES)) {
    table[`Char.Is${name}(char)`] = test;
    table[`Char.Is${name}(string,int)`] = (text, index) => test(unitAt(text, index));
  }
  return table;
}

/** Of the enum UnicodeCategory, in the order of its numbers. */
const CATEGORIES = [
  'Lu', 'Ll', 'Lt', 'Lm', 'Lo', 'Mn', 'Mc', 'Me', 'Nd', 'Nl', 'No', 'Zs', 'Zl', 'Zp', 'Cc', 'Cf', 'Cs', 'Co', 'Pc', 'Pd', 'Ps', 'Pe',
  'Pi', 'Pf', 'Po', 'Sm', 'Sc', 'Sk', 'So', 'Cn',
].map((name) => new RegExp(`^\\p{${name}}$`, 'u')); // biome-ignore format: a table

function categoryOf(point: number): number {
  const character = String.fromCodePoint(point);
  return CATEGORIES.findIndex((pattern) => pattern.test(character));
}

/** Of the code point at a place of a string. */
function categoryAt(text: string | null, index: number): number {
  unitAt(text, index);
  return categoryOf((text as string).codePointAt(index) as number);
}

const FRACTIONS = new Map([
  [0xbc, 0.25],
  [0xbd, 0.5],
  [0xbe, 0.75],
  [0xb2, 2],
  [0xb3, 3],
  [0xb9, 1],
]);

/** Digits of every script, fractions of Latin 1, Roman and circled numbers; -1 for everything else. */
function numericValue(unit: number): number {
  if (CLASSES.Digit!(unit)) {
    let first = unit;
    while (first > 0 && CLASSES.Digit!(first - 1) && unit - first < 9) first--;
    return first >= 0x30 && unit <= 0x39 ? unit - 0x30 : (unit - first) % 10;
  }
  const known = FRACTIONS.get(unit);
  if (known !== undefined) return known;
  if (unit >= 0x2160 && unit <= 0x216b) return unit - 0x215f;
  if (unit >= 0x2170 && unit <= 0x217b) return unit - 0x216f;
  if (unit >= 0x2460 && unit <= 0x2473) return unit - 0x245f;
  return -1;
}

function parse(text: string | null): number {
  if (text === null) return argumentNull('s');
  return text.length === 1 ? text.charCodeAt(0) : formatError('String must be exactly one character long.');
}

const inside = (unit: number, from: string, to: string): boolean =>
  unit >= from.charCodeAt(0) && unit <= to.charCodeAt(0);
const asciiLower = (unit: number): boolean => inside(unit, 'a', 'z');
const asciiUpper = (unit: number): boolean => inside(unit, 'A', 'Z');
const asciiDigit = (unit: number): boolean => inside(unit, '0', '9');

export const CHARACTER_MEMBERS: MemberTable = {
  'Char.GetUnicodeCategory(char)': categoryOf,
  'Char.GetUnicodeCategory(string,int)': categoryAt,
  'CharUnicodeInfo.GetUnicodeCategory(char)': categoryOf,
  'CharUnicodeInfo.GetUnicodeCategory(string,int)': categoryAt,
  ...classTable(),
  'Char.CompareTo(object)': (unit, other) => {
    if (other === null) return 1;
    return other instanceof Boxed && other.type.key === 'char'
      ? unit - other.value
      : badArgument('Object must be of type Char.');
  },
  'Char.CompareTo(char)': (unit, other) => unit - other,
  'Char.Equals(object)': (unit, other) => other instanceof Boxed && other.type.key === 'char' && other.value === unit,
  'Char.Equals(char)': (unit, other) => unit === other,
  'Char.GetHashCode()': hashOfUnit,
  'Char.ToString()': (unit) => String.fromCharCode(unit),
  'Char.ToString(IFormatProvider)': (unit) => String.fromCharCode(unit),
  'Char.ToString(char)': (unit) => String.fromCharCode(unit),
  'Char.Parse(string)': parse,
  'Char.TryParse(string,out char)': (text, cell) => {
    const fits = text !== null && text.length === 1;
    cell.value = fits ? text.charCodeAt(0) : 0;
    return fits;
  },
  'Char.IsSurrogatePair(string,int)': (text, index) =>
    isHigh(unitAt(text, index)) && index + 1 < text.length && isLow(text.charCodeAt(index + 1)),
  'Char.IsSurrogatePair(char,char)': (high, low) => isHigh(high) && isLow(low),
  'Char.IsAscii(char)': (unit) => unit < 0x80,
  'Char.IsAsciiDigit(char)': asciiDigit,
  'Char.IsAsciiLetter(char)': (unit) => asciiLower(unit) || asciiUpper(unit),
  'Char.IsAsciiLetterLower(char)': asciiLower,
  'Char.IsAsciiLetterUpper(char)': asciiUpper,
  'Char.IsAsciiLetterOrDigit(char)': (unit) => asciiLower(unit) || asciiUpper(unit) || asciiDigit(unit),
  'Char.IsAsciiHexDigit(char)': (unit) => asciiDigit(unit) || inside(unit, 'a', 'f') || inside(unit, 'A', 'F'),
  'Char.IsBetween(char,char,char)': (unit, from, to) => unit >= from && unit <= to,
  'Char.GetNumericValue(char)': numericValue,
  'Char.GetNumericValue(string,int)': (text, index) => numericValue(unitAt(text, index)),
  'Char.ConvertFromUtf32(int)': (point) => {
    if (point < 0 || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return outOfRange('utf32');
    return String.fromCodePoint(point);
  },
  'Char.ConvertToUtf32(char,char)': (high, low) => {
    if (!isHigh(high)) return outOfRange('highSurrogate');
    return isLow(low) ? (high - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000 : outOfRange('lowSurrogate');
  },
  'Char.ConvertToUtf32(string,int)': (text, index) => {
    const unit = unitAt(text, index);
    if (!isHigh(unit) && !isLow(unit)) return unit;
    const next = text.charCodeAt(index + 1);
    if (!isHigh(unit) || !isLow(next)) return badArgument('Found a surrogate char without its pair.', 's');
    return (unit - 0xd800) * 0x400 + (next - 0xdc00) + 0x10000;
  },
  'Char.ToUpper(char)': upperUnit,
  'Char.ToUpper(char,CultureInfo)': upperUnit,
  'Char.ToUpperInvariant(char)': upperUnit,
  'Char.ToLower(char)': lowerUnit,
  'Char.ToLower(char,CultureInfo)': lowerUnit,
  'Char.ToLowerInvariant(char)': lowerUnit,
};
