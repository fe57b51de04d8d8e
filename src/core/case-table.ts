// The case and class table of UTF-16 units (assembly/scan/case-table.ts): for each unit the unit it becomes in upper and in lower case, 0 where
// it stays, and its classes. The platform's own Unicode data fill it, so no table is shipped. Surrogates map to themselves.

const units = 65536;
/** Units that are mapped by one call, where each of them becomes one unit; most scripts have no case, and most blocks one class. */
const blockUnits = 256;

const hasClass = /[\p{L}\p{N}\p{P}\p{S}\p{Z}]/u;
/** Letters without case, all of them; the block of the ordinals has others, too. */
const onlyLetters = /^[\p{Lo}\p{Lm}]+$/u;

/** The classes, from bit 0 on; the ordinals of Latin 1 count as lower case. */
const classes = [
  /\p{L}+/gu,
  /\p{Lu}+/gu,
  /[\p{Ll}\xaa\xba]+/gu,
  /\p{Nd}+/gu,
  /\p{N}+/gu,
  /\p{P}+/gu,
  /\p{S}+/gu,
  /\p{Z}+/gu,
];

/**
 * Writes the table at `address` of linear memory: two tables of 65,536 words of 16 bits, little-endian, and one of bytes. Takes some 15 ms, unit
 * by unit 52: a service's first long read waits for it.
 */
export function writeCaseTable(memory: ArrayBufferLike, address: number): void {
  const upperTable = new Uint16Array(memory, address, units);
  const lowerTable = new Uint16Array(memory, address + 2 * units, units);
  const classTable = new Uint8Array(memory, address + 4 * units, units);
  for (let from = 0; from < units; from += blockUnits) {
    const text = blockText(from);
    const to = from + blockUnits;
    writeMapped(upperTable.subarray(from, to), text, (one) => one.toUpperCase());
    writeMapped(lowerTable.subarray(from, to), text, (one) => one.toLowerCase());
    writeClasses(classTable.subarray(from, to), text);
  }
}

/** Controls in the place of surrogates: neither has a case or a class. */
function blockText(from: number): string {
  let text = '';
  for (let unit = from; unit < from + blockUnits; unit++)
    text += String.fromCharCode(unit >= 0xd800 && unit <= 0xdfff ? 0 : unit);
  return text;
}

/** No unit becomes less than one, so a mapping that keeps the length keeps the places. */
function writeMapped(table: Uint16Array, text: string, map: (text: string) => string): void {
  const mapped = map(text);
  if (mapped === text) return;
  const keepsPlaces = mapped.length === text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const code = keepsPlaces ? mapped.charCodeAt(at) : single(map(text.charAt(at)), unit);
    table[at] = code === unit ? 0 : code;
  }
}

function single(mapped: string, unit: number): number {
  return mapped.length === 1 ? mapped.charCodeAt(0) : unit;
}

function writeClasses(table: Uint8Array, text: string): void {
  if (!hasClass.test(text)) return;
  if (onlyLetters.test(text)) {
    table.fill(1);
    return;
  }
  for (const [bit, pattern] of classes.entries()) {
    for (const match of text.matchAll(pattern)) {
      const end = match.index + match[0].length;
      for (let at = match.index; at < end; at++) table[at] = (table[at] as number) | (1 << bit);
    }
  }
}
