// The upper-case table of the any-property scan (assembly/scan/case-table.ts): for each UTF-16 unit the unit it becomes in upper case,
// 0 where it stays. The platform's own Unicode data fill it, so no table is shipped. Surrogates map to themselves.

const units = 65536;

/** Writes the table at `address` of linear memory: 65,536 words of 16 bits, little-endian. */
export function writeCaseTable(memory: ArrayBufferLike, address: number): void {
  const table = new Uint16Array(memory, address, units);
  for (let unit = 0; unit < units; unit++) {
    if (unit >= 0xd800 && unit <= 0xdfff) continue;
    const upper = String.fromCharCode(unit).toUpperCase();
    const mapped = upper.length === 1 ? upper.charCodeAt(0) : unit;
    table[unit] = mapped === unit ? 0 : mapped;
  }
}
