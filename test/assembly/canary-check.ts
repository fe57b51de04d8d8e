// Shows that checks work in the debug build and leave nothing behind in the release build, not even the load in a condition.

import { check } from '../../assembly/memory/check';

/** Returns 1 when the word at `address` + 4 is not 7; otherwise check 42 fails. */
export function checked(address: usize): u32 {
  check(load<u32>(address, 4) != 7, 42);
  if (address > 0) check(load<u32>(address, 4) != 8, 43);
  return 1;
}
