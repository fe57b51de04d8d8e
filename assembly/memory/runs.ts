// A list of items of one size in the scratch: it grows by runs, so nothing moves and no more is asked for than a run beyond what is used.
//
//   run   u32 next run, u32 end of its items, u32 end of its room, u32 zero, items
//
// Whoever keeps a list keeps the addresses of its first and its last run, both 0 while it is empty.

import { scratchAllocate } from './arena';

const RUN_NEXT: usize = 0;
const RUN_END: usize = 4;
const RUN_LIMIT: usize = 8;
const RUN_HEADER: usize = 16;
/** Bytes of a run. */
const RUN_BYTES: usize = 4096;

/** The last run with room for one more item: `last`, or a new one behind it; 0 = no memory. */
// @ts-ignore: decorator
@inline
export function runWithRoom(last: usize, itemBytes: usize): usize {
  if (last != 0 && <usize>load<u32>(last, RUN_END) + itemBytes <= <usize>load<u32>(last, RUN_LIMIT)) return last;
  return runMake(last);
}

function runMake(last: usize): usize {
  const run = scratchAllocate(RUN_BYTES);
  if (run == 0) return 0;
  store<u32>(run, 0, RUN_NEXT);
  store<u32>(run, <u32>(run + RUN_HEADER), RUN_END);
  store<u32>(run, <u32>(run + RUN_BYTES), RUN_LIMIT);
  if (last != 0) store<u32>(last, <u32>run, RUN_NEXT);
  return run;
}

/** Address of a new item in a run that has room for it; the caller fills it. */
// @ts-ignore: decorator
@inline
export function runItem(run: usize, itemBytes: usize): usize {
  const at: usize = load<u32>(run, RUN_END);
  store<u32>(run, <u32>(at + itemBytes), RUN_END);
  return at;
}

/** The next run, 0 behind the last one. */
// @ts-ignore: decorator
@inline
export function runNext(run: usize): usize {
  return <usize>load<u32>(run, RUN_NEXT);
}

// @ts-ignore: decorator
@inline
export function runItems(run: usize): usize {
  return run + RUN_HEADER;
}

// @ts-ignore: decorator
@inline
export function runItemsEnd(run: usize): usize {
  return <usize>load<u32>(run, RUN_END);
}
