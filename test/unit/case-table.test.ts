// The table of case and classes, made by blocks of units, beside its definition unit by unit.

import { expect, test } from 'vitest';
import { writeCaseTable } from '../../src/core/case-table.ts';

const units = 65536;
const classes = [/\p{L}/u, /\p{Lu}/u, /[\p{Ll}\xaa\xba]/u, /\p{Nd}/u, /\p{N}/u, /\p{P}/u, /\p{S}/u, /\p{Z}/u];

function mapped(text: string, other: string): number {
  return other.length === 1 && other !== text ? other.charCodeAt(0) : 0;
}

test('a table made by blocks is the one made unit by unit', () => {
  const memory = new ArrayBuffer(8 + 5 * units);
  writeCaseTable(memory, 8);
  const upper = new Uint16Array(memory, 8, units);
  const lower = new Uint16Array(memory, 8 + 2 * units, units);
  const classOf = new Uint8Array(memory, 8 + 4 * units, units);
  const wrong: string[] = [];
  for (let unit = 0; unit < units; unit++) {
    const isSurrogate = unit >= 0xd800 && unit <= 0xdfff;
    const text = isSurrogate ? '\0' : String.fromCharCode(unit);
    const bits = classes.reduce((sum, one, bit) => sum + (one.test(text) ? 1 << bit : 0), 0);
    const expected = [mapped(text, text.toUpperCase()), mapped(text, text.toLowerCase()), bits];
    const found = [upper[unit], lower[unit], classOf[unit]];
    if (String(expected) !== String(found)) wrong.push(`${unit.toString(16)}: ${found} for ${expected}`);
  }
  expect(wrong).toEqual([]);
  expect([upper[0xdf], lower[0x3a3], classOf[0x41]], 'ß stays, Σ becomes σ, A is an upper letter').toEqual([
    0, 0x3c3, 3,
  ]);
});
