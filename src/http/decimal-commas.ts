// Texts of numbers in which a comma was probably meant for a point: "1,5" is 15 (contract part 1, Values; .NET's invariant culture).

import type { OddCommas } from '../core/interchange.ts';
import { TypeId } from '../core/values.ts';
import type { Warnings } from './warnings.ts';

/** Commas where thousands are parted, or none. */
const usual = /^[^,]*$|^\s*[+-]?\d{1,3}(?:,\d{3})+(?:\.|[eE]|\s*[+-]?\s*$)/;

/** Warns of a number whose commas part something else than thousands. Costs next to nothing for texts of other types. */
export function noticeCommas(warnings: Warnings, type: TypeId, text: string, at: () => string): void {
  if (type !== TypeId.double && type !== TypeId.single && type !== TypeId.decimal) return;
  if (warnings.isFull || usual.test(text)) return;
  warnings.add('decimalComma', at(), saying(text));
}

/** Warns of those that an import has read: of the first one, with how many there are. */
export function warnOfCommas(warnings: Warnings, { count, line, text }: OddCommas): void {
  const more = count > 1 ? ` ${count} numbers are written like this.` : '';
  warnings.add('decimalComma', `line ${line}`, `${saying(text)}${more}`);
}

function saying(text: string): string {
  return `Commas part thousands, so '${text}' is ${text.replaceAll(',', '').trim()}. A point is for fractions.`;
}
