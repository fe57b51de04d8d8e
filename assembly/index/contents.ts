// What an index holds, listed: its pairs of element and key, for whoever writes them down. In the scratch (memory/runs.ts), 16 bytes each:
// u32 element, u32 type, u32 address of the value, u32 zero. Good until the index or the scratch changes.

import { runItem, runWithRoom } from '../memory/runs';

export const CONTENT_BYTES: usize = 16;
export const CONTENT_ELEMENT: usize = 0;
export const CONTENT_TYPE: usize = 4;
export const CONTENT_VALUE: usize = 8;

let first: usize = 0;
let last: usize = 0;

export function contentsBegin(): void {
  first = 0;
  last = 0;
}

/** Lists one pair. False = no memory. */
export function contentsAdd(element: u32, type: u32, value: usize): bool {
  last = runWithRoom(last, CONTENT_BYTES);
  if (last == 0) return false;
  if (first == 0) first = last;
  const at = runItem(last, CONTENT_BYTES);
  store<u32>(at, element, CONTENT_ELEMENT);
  store<u32>(at, type, CONTENT_TYPE);
  store<u32>(at, <u32>value, CONTENT_VALUE);
  return true;
}

/** The first run, 0 = nothing was listed. */
export function contentsFirst(): usize {
  return first;
}
