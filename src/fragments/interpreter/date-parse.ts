// Reading dates by a guess at the forms that people and programs write in the invariant culture.

import { Fields, fullYear, type ReadDate } from './date-fields.ts';
import { DAYS, MONTHS } from './date-format.ts';
import { charge } from './machine.ts';

function fractionTicks(digits: string): number {
  return Math.round(Number(`0.${digits}`) * 1e7);
}

const ZONE = String.raw`\s*(Z|z|GMT|UTC|[+-]\d{1,2}(?::?\d{2})?)?\s*$`;
const TIME = new RegExp(
  String.raw`(?:^|[T\s])(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d+))?)?(?:\s*([AaPp])[Mm])?${ZONE}`,
);
/** An hour alone needs its mark. */
const HOUR = new RegExp(String.raw`(?:^|[T\s])(\d{1,2})()()()\s*([AaPp])[Mm]${ZONE}`);

/** The forms that DateTime.Parse knows. */
export function guessDate(text: string, styles: number): ReadDate | null {
  charge(text.length >> 2);
  if (text.length > 200) return null;
  const fields = new Fields();
  let rest = text.trim().replace(/\0+$/, '');
  if (rest === '') return null;
  const time = TIME.exec(rest) ?? HOUR.exec(rest);
  if (time) {
    if (!takeTime(fields, time)) return null;
    rest = rest.slice(0, time.index).trim();
  } else {
    const zone = /^(.*\d)\s*(Z|GMT|[+-]\d{2}:\d{2})$/.exec(rest);
    if (zone && takeZone(fields, zone[2]!)) rest = zone[1]!;
  }
  if (rest !== '' && !takeDate(fields, rest)) return null;
  if (rest === '' && !time) return null;
  return fields.finish(styles);
}

function takeTime(fields: Fields, match: RegExpExecArray): boolean {
  const [, hour, minute, second, fraction, half, zone] = match;
  fields.hour = Number(hour);
  fields.minute = Number(minute ?? 0);
  fields.second = Number(second ?? 0);
  fields.fraction = fraction ? fractionTicks(fraction) : 0;
  if (half !== undefined) {
    const afternoon = half.toUpperCase() === 'P';
    if (!afternoon && fields.hour > 12) return false;
    if (afternoon && fields.hour < 12) fields.hour += 12;
    if (!afternoon && fields.hour === 12) fields.hour = 0;
  }
  return zone === undefined || takeZone(fields, zone);
}

function takeZone(fields: Fields, zone: string): boolean {
  if (/^[A-Z]/i.test(zone)) {
    fields.zulu = true;
    return true;
  }
  const match = /^([+-])(\d{1,2})(?::?(\d{2}))?$/.exec(zone);
  if (!match) return false;
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
  if (minutes > 840) return false;
  fields.offsetMinutes = match[1] === '-' ? -minutes : minutes;
  return true;
}

function nameIndex(names: readonly string[], word: string): number {
  const lower = word.toLowerCase();
  return names.findIndex((name) => name.toLowerCase() === lower || name.slice(0, 3).toLowerCase() === lower);
}

function takeDate(fields: Fields, text: string): boolean {
  const tokens = text.match(/\d+|[A-Za-z]+|[^\sA-Za-z\d]/g) ?? [];
  const numbers: string[] = [];
  let monthAt = -1;
  for (const token of tokens) {
    if (/^\d/.test(token)) numbers.push(token);
    else if (/^[A-Za-z]/.test(token)) {
      const month = nameIndex(MONTHS, token);
      const day = nameIndex(DAYS, token);
      if (month >= 0 && monthAt < 0) {
        monthAt = numbers.length;
        fields.month = month + 1;
      } else if (day >= 0 && fields.weekday === null) fields.weekday = day;
      else return false;
    } else if (!['/', '-', '.', ','].includes(token)) return false;
  }
  return monthAt >= 0 ? namedMonth(fields, numbers, monthAt) : numericDate(fields, numbers);
}

/** `monthAt`: how many numbers stand before the month. */
function namedMonth(fields: Fields, numbers: readonly string[], monthAt: number): boolean {
  const [first, second] = numbers;
  if (first === undefined) return false;
  if (second === undefined) {
    // A number before a month is its year.
    if (first.length > 2 || monthAt > 0) fields.year = fullYear(first);
    else fields.day = Number(first);
    return true;
  }
  if (numbers.length > 2) return false;
  const yearFirst = first.length > 2;
  fields.year = fullYear(yearFirst ? first : second);
  fields.day = Number(yearFirst ? second : first);
  return true;
}

function numericDate(fields: Fields, numbers: readonly string[]): boolean {
  const [first, second, third] = numbers;
  if (numbers.length === 3) {
    if (first!.length > 2) [fields.year, fields.month, fields.day] = [fullYear(first!), Number(second), Number(third)];
    else [fields.month, fields.day, fields.year] = [Number(first), Number(second), fullYear(third!)];
    return true;
  }
  if (numbers.length !== 2) return false;
  if (first!.length > 2) [fields.year, fields.month] = [fullYear(first!), Number(second)];
  else if (second!.length > 2) [fields.month, fields.year] = [Number(first), fullYear(second!)];
  else [fields.month, fields.day] = [Number(first), Number(second)];
  return true;
}
