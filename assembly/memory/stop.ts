// Being told to stop: one word in shared memory that a running kernel looks at, at least every 4,096 vertices or some 100 µs. Whoever
// runs the job sets it from another thread; in a home of one thread it changes between two slices. A kernel that sees it leaves
// with whatever it has, gives its scratch back and answers; the host knows why, because it looks at the same word.
//
// Each reader slot has a word of its own (READER_STOP), so that one read ends and the others go on. An instance without a slot, such as
// the writer's, watches ROOT_CANCEL, which nobody sets.
//
// Behind the stop word of a slot lies the share of its time that the reader may work (READER_SHARE). A kernel cannot rest, because it
// knows no time: one that takes part in that comes back between two pieces of its work while there is a share, and its host rests.

import { READER_SHARE, READER_STOP, ROOT_CANCEL } from './layout';

export const STOP_NONE: u32 = 0;
export const STOP_CANCELLED: u32 = 1;
export const STOP_DEADLINE: u32 = 2;

/** The address of this instance's word; 0 = ROOT_CANCEL. */
let watched: usize = 0;

/** From now on this instance watches the word at `address`: its reader slot's (`readerStopAddress`), or ROOT_CANCEL again (0). */
export function stopWatch(address: usize): void {
  watched = address;
}

/** STOP_NONE as long as the running job shall go on. An atomic load: cheap enough for every few hundred elements. */
export function stopWord(): u32 {
  return atomic.load<u32>(watched == 0 ? ROOT_CANCEL : watched);
}

/** Per cent of its time that this instance may work; 0: all of it. */
export function shareWord(): u32 {
  return watched == 0 ? 0 : atomic.load<u32>(watched + READER_SHARE - READER_STOP);
}
