// Elements that a transaction removes leave every index. They are noted while it runs and taken out when it has succeeded, which cannot
// fail; a transaction that fails just forgets them. Without indexes nothing is noted.

import { scratchAllocate } from '../memory/arena';
import { kindAddress } from '../graph/elements';
import { KIND_NONE } from '../graph/format';
import { pageAddress, stateIndexes } from '../graph/state';
import { catalogueCount, catalogueIndex } from './catalogue';
import { kindRemove } from './kinds';

// A run of noted ids (scratch): { u32 previous run, u32 ids in it, ids }
const RUN_HEADER: usize = 8;
const RUN_IDS: u32 = 1022;

let run: usize = 0;
let active: bool = false;

/** At the start of a transaction. */
export function purgeBegin(state: usize): void {
  run = 0;
  active = catalogueCount(state) != 0;
}

/** Notes that an element is removed. False = no memory. */
// @ts-ignore: decorator
@inline
export function purgeNote(id: u32): bool {
  return !active || note(id);
}

function note(id: u32): bool {
  if (run == 0 || load<u32>(run, 4) == RUN_IDS) {
    const made = scratchAllocate(RUN_HEADER + ((<usize>RUN_IDS) << 2));
    if (made == 0) return false;
    store<u32>(made, <u32>run);
    store<u32>(made, 0, 4);
    run = made;
  }
  const used = load<u32>(run, 4);
  store<u32>(run + RUN_HEADER + ((<usize>used) << 2), id);
  store<u32>(run, used + 1, 4);
  return true;
}

/** At commit, when nothing can fail any more: takes the noted elements out of all indexes. */
export function purgeCommit(state: usize): void {
  if (run == 0) return;
  const catalogue = stateIndexes(state);
  const count = catalogueCount(state);
  for (let i: u32 = 0; i < count; i++) {
    const index = catalogueIndex(catalogue, i);
    for (let at = run; at != 0; at = <usize>load<u32>(at)) {
      const ids = load<u32>(at, 4);
      for (let k: u32 = 0; k < ids; k++) {
        const id = load<u32>(at + RUN_HEADER + ((<usize>k) << 2));
        // A redo may have created it again.
        if (load<u8>(kindAddress(pageAddress(state, id), id)) == <u8>KIND_NONE) kindRemove(index, id);
      }
    }
  }
}
