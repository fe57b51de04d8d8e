// Room for the frames of a search that is left in the middle and come back to (src/core/turns.ts): { u32 end of what is used, u32 end of
// the room }, then the room. The form is that of binaryen's pass, which writes and reads it.

import { scratchAllocate } from './arena';

const TURNS_END: usize = 4;
const TURNS_HEADER: usize = 8;
/** Some ten frames of a few hundred bytes. */
const TURNS_BYTES: usize = 16_384;

/** The room, empty, in scratch; 0 without any. */
export function turnsStack(): usize {
  const at = scratchAllocate(TURNS_BYTES);
  if (at == 0) return 0;
  store<u32>(at, <u32>(at + TURNS_HEADER));
  store<u32>(at, <u32>(at + TURNS_BYTES), TURNS_END);
  return at;
}
