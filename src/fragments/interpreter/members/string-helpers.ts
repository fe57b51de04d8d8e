import type { ArrayObject } from '../array-objects.ts';
import { badArgument } from '../exceptions.ts';
import { allocate } from '../machine.ts';
import { compareOrdinal, upperInvariant } from '../text.ts';
import { objectText } from '../to-text.ts';
import type { Value } from '../values.ts';

/** A text that has been paid for. */
export function made(text: string): string {
  allocate(text.length * 2 + 24);
  return text;
}

/** Joins texts; what they come to is paid before it exists. */
export function concatenate(...parts: readonly (string | null)[]): string {
  let length = 0;
  for (const part of parts) length += part === null ? 0 : part.length;
  allocate(length * 2 + 24);
  let text = '';
  for (const part of parts) if (part !== null) text += part;
  return text;
}

export function textOf(value: Value): string {
  return value === null ? '' : objectText(value, null);
}

export function ignoresCase(comparison: number): boolean {
  if (comparison < 0 || comparison > 5) {
    return badArgument('The string comparison type passed in is currently not supported.', 'comparisonType');
  }
  return comparison % 2 === 1;
}

export function compare(left: string | null, right: string | null, ignoreCase: boolean): number {
  if (left === null || right === null) return left === right ? 0 : left === null ? -1 : 1;
  return ignoreCase ? compareOrdinal(upperInvariant(left), upperInvariant(right)) : compareOrdinal(left, right);
}

export function same(left: string | null, right: string | null, ignoreCase: boolean): boolean {
  if (left === right) return true;
  if (!ignoreCase || left === null || right === null || left.length !== right.length) return false;
  return upperInvariant(left) === upperInvariant(right);
}

export const units = (list: ArrayObject | null): Set<number> => new Set((list?.items as number[]) ?? []);
export const character = (unit: number): string => String.fromCharCode(unit);

/** What char.IsWhiteSpace says. */
export function isWhite(unit: number): boolean {
  if (unit === 32 || (unit >= 9 && unit <= 13) || unit === 0x85 || unit === 0xa0) return true;
  if (unit < 0x1680) return false;
  return (
    unit === 0x1680 ||
    (unit >= 0x2000 && unit <= 0x200a) ||
    unit === 0x2028 ||
    unit === 0x2029 ||
    unit === 0x202f ||
    unit === 0x205f ||
    unit === 0x3000
  );
}
