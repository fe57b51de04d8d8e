// What an index is in memory, and the numbers of the kinds. Constants only.
//
//   catalogue (the graph's heap)   u32 count, u32 zero, then the addresses of the indexes in the order of their creation; immutable:
//                                  creating, deleting or clearing an index publishes another one (state.ts holds its address)
//   index (a heap of its own)      the words below, then INDEX_OWN_BYTES words that belong to the kind, zeros at first
//   text                           u32 bytes, u32 zero, data: the name and the definition
//
// Everything an index consists of lies in its own heap, so deleting it is one retired heap, however large it is.

export const CATALOGUE_COUNT: usize = 0;
export const CATALOGUE_ZERO: usize = 4;
export const CATALOGUE_HEADER: usize = 8;

export const INDEX_KIND: usize = 0;
export const INDEX_HEAP: usize = 4;
export const INDEX_NAME: usize = 8; //       address of a text
export const INDEX_DEFINITION: usize = 12; // address of a text, 0 = none
export const INDEX_KEYS: usize = 16; //      keys with at least one element
export const INDEX_VALUES: usize = 20; //    pairs of key and element
export const INDEX_OWN: usize = 32;
export const INDEX_OWN_BYTES: usize = 256;
export const INDEX_BYTES: usize = INDEX_OWN + INDEX_OWN_BYTES;

export const TEXT_ZERO: usize = 4;
export const TEXT_HEADER: usize = 8;

// The kinds, as logs and checkpoints name them.
export const INDEX_DICTIONARY: u32 = 1;
export const INDEX_SINGLE: u32 = 2;
export const INDEX_RANGE: u32 = 3;
export const INDEX_REGEX: u32 = 4;
export const INDEX_SPATIAL: u32 = 5;
export const INDEX_VECTOR: u32 = 6;

// Own words of a key table (keys.ts).
export const OWN_TABLE: usize = INDEX_OWN; // atomic
export const OWN_REVERSE: usize = OWN_TABLE + 4;
export const OWN_REVERSE_PAGES: usize = OWN_REVERSE + 4;
/** First own word for a kind's further structures. */
export const OWN_MORE: usize = OWN_REVERSE_PAGES + 8;

// A key (keys.ts).
export const KEY_HASH: usize = 0;
export const KEY_TYPE: usize = 4;
export const KEY_POSTINGS: usize = 8;
export const KEY_PLACE: usize = 12;
export const KEY_VALUE: usize = 16;
