// Where things lie in a table and its entries (collections.ts has the whole picture), for those who go through them.

export const ENTRIES: usize = 8;
export const ROOM: usize = ENTRIES + 4;
export const TABLE_VERSION: usize = ROOM + 4;
export const TABLE_USED: usize = TABLE_VERSION + 4;
export const HEADS: usize = TABLE_USED + 4;
export const MASK: usize = HEADS + 4;
export const FORM: usize = MASK + 4;

export const NEXT: usize = 4;
export const ENTRY_KEY: usize = NEXT + 4;
export const ENTRY_VALUE: usize = ENTRY_KEY + 16;

export const TAG_DICTIONARY: u32 = 51;
export const TAG_SET: u32 = 52;
export const TAG_LOOKUP: u32 = 53;

/** In the place of what comes next: the entry is of no key any more. */
export const REMOVED: u32 = 0xffffffff;

/** Whether an object with this first word is a table: a dictionary, a set, a lookup. */
export function isTable(word: u32): bool {
  const tag = word & 0xff;
  return tag >= TAG_DICTIONARY && tag <= TAG_LOOKUP;
}
