// What a running transaction did besides creating elements at the end of the id space, newest first: commit reads it to
// give back what was replaced, undo to bring it back.
//
//   entry (scratch)   u32 previous entry, u32 kind, u32 element id, u32 words whose meaning depends on the kind:
//     PROPERTY   old row, old modification, new record, its type, old record, its type (record 0 = none)
//     VALUE      as PROPERTY for one property of a run (property-run.ts): records only, the row has an entry of its own
//     EDGE       row, source, target, edge type of an edge removed by name
//     VERTEX     row of a vertex removed with its edges; those are found through its groups, which stay as they are
//     CREATED    (redo only) the columns label, creation, modification, row, a, b, c as they were, then the kind created
//
// Entries are written before the change they tell of, so that a lack of memory leaves nothing to take back.

import { scratchAllocate } from '../memory/arena';

export const JOURNAL_PREVIOUS: usize = 0;
export const JOURNAL_KIND: usize = 4;
export const JOURNAL_ELEMENT: usize = 8;
export const JOURNAL_WORD: usize = 12;
const JOURNAL_BYTES: usize = 48;

export const JOURNAL_PROPERTY: u32 = 1;
export const JOURNAL_EDGE: u32 = 2;
export const JOURNAL_VERTEX: u32 = 3;
export const JOURNAL_CREATED: u32 = 4;
export const JOURNAL_VALUE: u32 = 5;

let newest: usize = 0;

export function journalBegin(): void {
  newest = 0;
}

/** The newest entry, 0 when there is none. */
export function journalNewest(): usize {
  return newest;
}

/** A new entry with unset words; 0 = no memory. `journalAdd` makes it count. */
export function journalEntry(kind: u32, element: u32): usize {
  const entry = scratchAllocate(JOURNAL_BYTES);
  if (entry == 0) return 0;
  store<u32>(entry, kind, JOURNAL_KIND);
  store<u32>(entry, element, JOURNAL_ELEMENT);
  return entry;
}

/** From here commit and undo act on the entry. */
// @ts-ignore: decorator
@inline
export function journalAdd(entry: usize): void {
  store<u32>(entry, <u32>newest, JOURNAL_PREVIOUS);
  newest = entry;
}

// @ts-ignore: decorator
@inline
export function journalWord(entry: usize, index: u32): u32 {
  return load<u32>(entry + ((<usize>index) << 2), JOURNAL_WORD);
}

// @ts-ignore: decorator
@inline
export function journalSet(entry: usize, index: u32, word: u32): void {
  store<u32>(entry + ((<usize>index) << 2), word, JOURNAL_WORD);
}
