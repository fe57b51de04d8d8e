// The case and class table of UTF-16 units (assembly/scan/case-table.ts): for each unit the unit it becomes in upper and in lower case, 0 where
// it stays, and its classes. The platform's own Unicode data fill it, so no table is shipped. Surrogates map to themselves.

const units = 65536;

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

/** Writes the table at `address` of linear memory: two tables of 65,536 words of 16 bits, little-endian, and one of bytes. */
export function writeCaseTable(memory: ArrayBufferLike, address: number): void {
  const upperTable = new Uint16Array(memory, address, units);
  const lowerTable = new Uint16Array(memory, address + 2 * units, units);
  for (let unit = 0; unit < units; unit++) {
    if (unit >= 0xd800 && unit <= 0xdfff) continue;
    const text = String.fromCharCode(unit);
    upperTable[unit] = single(text.toUpperCase(), unit);
    lowerTable[unit] = single(text.toLowerCase(), unit);
  }
  writeClasses(new Uint8Array(memory, address + 4 * units, units));
}

function single(mapped: string, unit: number): number {
  const code = mapped.length === 1 ? mapped.charCodeAt(0) : unit;
  return code === unit ? 0 : code;
}

function writeClasses(table: Uint8Array): void {
  // Controls in the place of surrogates: neither has a class.
  let all = '';
  for (let unit = 0; unit < units; unit++) {
    all += String.fromCharCode(unit >= 0xd800 && unit <= 0xdfff ? 0 : unit);
  }
  for (const [bit, pattern] of classes.entries()) {
    for (const match of all.matchAll(pattern)) {
      const end = match.index + match[0].length;
      for (let unit = match.index; unit < end; unit++) table[unit] = (table[unit] as number) | (1 << bit);
    }
  }
}
