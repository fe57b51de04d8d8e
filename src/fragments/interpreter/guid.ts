// Guid as text, in and out.

import { formatError } from './exceptions.ts';
import { GuidValue } from './structs.ts';

export function formatGuid(value: GuidValue, format: string | null): string {
  const { text } = value;
  switch ((format || 'D').toUpperCase()) {
    case 'D':
      return text;
    case 'N':
      return text.replaceAll('-', '');
    case 'B':
      return `{${text}}`;
    case 'P':
      return `(${text})`;
    case 'X': {
      const digits = text.replaceAll('-', '');
      const tail = digits
        .slice(16)
        .match(/../g)!
        .map((pair) => `0x${pair}`);
      return `{0x${digits.slice(0, 8)},0x${digits.slice(8, 12)},0x${digits.slice(12, 16)},{${tail.join(',')}}}`;
    }
    default:
      return formatError('Format String can be only "D", "d", "N", "n", "P", "p", "B", "b", "X" or "x".');
  }
}

const SHAPES: Readonly<Record<string, RegExp>> = {
  N: /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/i,
  D: /^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})$/i,
  B: /^\{([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})\}$/i,
  P: /^\(([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})\)$/i,
};

/** In any form, or in the one that the format names; null when it is none. */
export function readGuid(text: string, format: string | null): GuidValue | null {
  const trimmed = text.trim();
  const shapes = format === null ? Object.values(SHAPES) : [SHAPES[format.toUpperCase()]];
  for (const shape of shapes) {
    const match = shape?.exec(trimmed);
    if (match) return new GuidValue(match.slice(1).join('-').toLowerCase());
  }
  if (format === null || format.toUpperCase() === 'X') return readStructured(trimmed);
  return null;
}

/** The form with braces: `{0x…,0x…,0x…,{0x…,…}}`. */
function readStructured(text: string): GuidValue | null {
  const part = '\\s*0x([0-9a-f]+)\\s*';
  const shape = new RegExp(`^\\{${part},${part},${part},\\s*\\{${Array(8).fill(part).join(',')}\\}\\s*\\}$`, 'i');
  const match = shape.exec(text);
  if (!match) return null;
  const widths = [8, 4, 4, 2, 2, 2, 2, 2, 2, 2, 2];
  const parts = match.slice(1).map((digits, at) => digits.padStart(widths[at]!, '0'));
  if (parts.some((digits, at) => digits.length !== widths[at])) return null;
  const all = parts.join('').toLowerCase();
  return new GuidValue(
    `${all.slice(0, 8)}-${all.slice(8, 12)}-${all.slice(12, 16)}-${all.slice(16, 20)}-${all.slice(20)}`,
  );
}
