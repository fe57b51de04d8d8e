// The few places in the core's memory that compiled fragments read without a call (assembly/graph/elements.ts, state.ts). Every instance
// compares them with what its core says of itself.

/** Offsets of columns in a page of elements: four bytes an id, 65,536 ids a page. */
export const elementColumns = { label: 65_536, row: 851_968, a: 1_114_112, b: 1_376_256, c: 1_638_400 } as const;

/** `layoutWord` of the first of them; they stand in this order. */
export const firstColumnWord = 4;
