// Room for the frames of a search that is left in the middle and come back to (src/core/turns.ts): { u32 end of what is used, u32 end of
// the room }, then the room. The form is that of binaryen's pass, which writes and reads it.

import { scratchAllocate } from './arena';

/** Some ten frames of a few hundred bytes. */
const TURNS_BYTES: usize = 16_384;

/** The room, empty, in scratch; 0 without any. */
export function turnsStack(): usize {
  const at = scratchAllocate(TURNS_BYTES);
  if (at == 0) return 0;
  store<u32>(at, <u32>(at + 8));
  store<u32>(at, <u32>(at + TURNS_BYTES), 4);
  return at;
}
