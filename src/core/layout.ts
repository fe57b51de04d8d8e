// The few places in the core's memory that the host or compiled fragments know without a call (assembly/graph/elements.ts, state.ts). Every instance
// compares them with what its core says of itself.

/** Offsets of columns in a page of elements: four bytes an id, 65,536 ids a page. */
export const elementColumns = { label: 65_536, row: 851_968, a: 1_114_112, b: 1_376_256, c: 1_638_400 } as const;

/** `layoutWord` of the first of them; they stand in this order. */
export const firstColumnWord = 4;

/** The table of pages (assembly/memory/layout.ts): an entry for each page that a memory may have, those of used pages first. */
export const pageTable = { at: 65_536, bytes: 1_048_576, entryBytes: 16 } as const;

/** `layoutWord` of the first page behind the tables. */
export const firstPageWord = 1;
/** What it says where `pageTable` is right: the page of the root, those of the table, and two of value tables. */
export const firstPage = 19;
