// How the structures of an index let go of a block that readers may still hold: it is retired. While an index is built that nobody can
// see yet (trim), there are no such readers, and its heap may be dropped at any moment, so its blocks are released at once.

import { release } from '../memory/allocator';
import { PURPOSE_INDEXES } from '../memory/layout';
import { retire, retireReserve } from '../memory/retire';

let hidden: bool = false;

/** From here blocks are released at once (true) or retired (false). [W] */
export function blocksHide(value: bool): void {
  hidden = value;
}

/** True while blocks are released at once. [W] */
// @ts-ignore: decorator
@inline
export function blocksHidden(): bool {
  return hidden;
}

/** Makes sure that the next `count` calls of blockRetire cannot fail; false without memory. [W] */
// @ts-ignore: decorator
@inline
export function blocksReserve(count: u32): bool {
  return hidden || retireReserve(count);
}

/** Lets go of a block that new readers cannot reach. [W] */
// @ts-ignore: decorator
@inline
export function blockRetire(block: usize): void {
  if (hidden) release(PURPOSE_INDEXES, block);
  else retire(PURPOSE_INDEXES, block);
}
