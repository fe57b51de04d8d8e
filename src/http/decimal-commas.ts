// Texts of numbers in which a comma was probably meant for a point: "1,5" is 15 (contract part 1, Values; .NET's invariant culture).

import { TypeId } from '../core/values.ts';
import type { Warnings } from './warnings.ts';

/** Commas where thousands are parted, or none. */
const usual = /^[^,]*$|^\s*[+-]?\d{1,3}(?:,\d{3})+(?:\.|[eE]|\s*[+-]?\s*$)/;

/** Warns of a number whose commas part something else than thousands. Costs next to nothing for texts of other types. */
export function noticeCommas(warnings: Warnings, type: TypeId, text: string, at: () => string): void {
  if (type !== TypeId.double && type !== TypeId.single && type !== TypeId.decimal) return;
  if (warnings.isFull || usual.test(text)) return;
  const value = text.replaceAll(',', '').trim();
  warnings.add('decimalComma', at(), `Commas part thousands, so '${text}' is ${value}. A point is for fractions.`);
}
