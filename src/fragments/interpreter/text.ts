// What comparing and folding strings needs. Comparisons are by UTF-16 units, as .NET does without culture data; upper and lower case
// are the simple mappings of Unicode, one unit for one.

import { charge } from './machine.ts';

/** Below, at or above zero: the difference of the first units that differ, or of the lengths. The first two units are
 *  compared as if a zero ended each text, which shows in the size of the answer. */
export function compareOrdinal(left: string, right: string): number {
  if (left === right) return 0;
  for (let at = 0; at < 2; at++) {
    const difference = (left.charCodeAt(at) || 0) - (right.charCodeAt(at) || 0);
    if (difference !== 0) return difference;
  }
  const length = Math.min(left.length, right.length);
  let at = 0;
  while (at < length && left.charCodeAt(at) === right.charCodeAt(at)) at++;
  charge(at >> 4);
  return at < length ? left.charCodeAt(at) - right.charCodeAt(at) : left.length - right.length;
}

const upperTable = new Uint16Array(65536);
const lowerTable = new Uint16Array(65536);
let tablesFilled = false;

function fillTables(): void {
  tablesFilled = true;
  for (let unit = 0; unit < 65536; unit++) {
    const character = String.fromCharCode(unit);
    const surrogate = unit >= 0xd800 && unit <= 0xdfff;
    const upper = surrogate ? character : character.toUpperCase();
    const lower = surrogate ? character : character.toLowerCase();
    upperTable[unit] = upper.length === 1 ? upper.charCodeAt(0) : unit;
    lowerTable[unit] = lower.length === 1 ? lower.charCodeAt(0) : unit;
  }
  // Dotless i, the long s and the Kelvin sign: what .NET's invariant mapping leaves alone, being the case of an ASCII letter.
  for (const unit of [0x131, 0x17f]) upperTable[unit] = unit;
  for (const unit of [0x130, 0x212a]) lowerTable[unit] = unit;
}

export function upperUnit(unit: number): number {
  if (unit < 0x80) return unit >= 0x61 && unit <= 0x7a ? unit - 32 : unit;
  if (!tablesFilled) fillTables();
  return upperTable[unit]!;
}

export function lowerUnit(unit: number): number {
  if (unit < 0x80) return unit >= 0x41 && unit <= 0x5a ? unit + 32 : unit;
  if (!tablesFilled) fillTables();
  return lowerTable[unit]!;
}

const ASCII = /^[\x00-\x7f]*$/;

export function upperInvariant(text: string): string {
  charge(text.length >> (ASCII.test(text) ? 5 : 1));
  return ASCII.test(text) ? text.toUpperCase() : mapUnits(text, upperUnit);
}

export function lowerInvariant(text: string): string {
  charge(text.length >> (ASCII.test(text) ? 5 : 1));
  return ASCII.test(text) ? text.toLowerCase() : mapUnits(text, lowerUnit);
}

function mapUnits(text: string, map: (unit: number) => number): string {
  let mapped = '';
  for (let at = 0; at < text.length; at++) mapped += String.fromCharCode(map(text.charCodeAt(at)));
  return mapped;
}
