// The record of a value of any length, a text or a Single[]: what rows point to and what interned names and texts of fragments begin with.
//
//   u32 bytes, u32 info, data padded to 8
//   info   of a text: bit 31 all characters are ASCII, bits 0 to 29 its length in UTF-16 units, bit 30 free for whoever keeps the record;
//          of a Single[]: how many there are

export const RECORD_INFO: usize = 4;
export const RECORD_HEADER: usize = 8;

/** The second word of a record of 16 bytes, a Guid's last eight bytes; Decimals and DateTimeOffsets have names of their own. */
export const WIDE_SECOND: usize = 8;

/** In info: the text is all ASCII. */
export const INFO_ASCII: u32 = 0x80000000;
/** In info: the length in UTF-16 units. */
export const INFO_UNITS: u32 = 0x3fffffff;
