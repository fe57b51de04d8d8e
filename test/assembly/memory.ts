// Test module: the memory layer and the intern table, exported as they are, and a few loops that must run at full speed.

import { allocate, release } from '../../assembly/memory/allocator';
import { PURPOSE_SCRATCH, ROOT_EPOCH, ROOT_FAIL_AFTER, ROOT_RETIRED_BYTES } from '../../assembly/memory/layout';
import { readerEnter, readerExit, retire, retireAdvance } from '../../assembly/memory/retire';

export {
  allocate,
  blockBytes,
  heapBytes,
  heapCreate,
  heapDrop,
  memoryBytes,
  memoryHeadroom,
  memoryInit,
  memoryLend,
  memoryLimit,
  memoryReserve,
  pagesOver,
  pagesUsed,
  release,
  roundedBytes,
} from '../../assembly/memory/allocator';
export {
  arenaAttachReader,
  arenaAttachWriter,
  arenaNeed,
  arenaTrim,
  bufferEnsure,
  inputEnsure,
  outBase,
  outBegin,
  outCommit,
  outReserve,
  outTruncate,
  outUsed,
  scratchAllocate,
  scratchMark,
  scratchRelease,
} from '../../assembly/memory/arena';
export {
  readerAttach,
  readerClear,
  readerDetach,
  readerEnter,
  readerExit,
  retire,
  retireAdvance,
  retireHeap,
  retireKeep,
  retirePromise,
  retireReserve,
} from '../../assembly/memory/retire';
export {
  intern,
  internAddress,
  internCount,
  internFind,
  internInit,
  internRenew,
  internTruncate,
} from '../../assembly/graph/intern';

/**
 * A reader's side of the epoch test: `rounds` times enters, loads the published block's address at `published` (its words must
 * all be equal), reads it `reads` times and leaves. Answers how many times a word differed.
 */
export function readPublished(slot: i32, published: usize, words: u32, rounds: u32, reads: u32): u32 {
  let bad: u32 = 0;
  for (let round: u32 = 0; round < rounds; round++) {
    readerEnter(slot);
    const block = <usize>atomic.load<u32>(published);
    const expected = load<u32>(block);
    for (let again: u32 = 0; again < reads; again++) {
      for (let word: u32 = 0; word < words; word++) {
        if (load<u32>(block + ((<usize>word) << 2)) != expected) {
          bad++;
          break;
        }
      }
    }
    readerExit(slot);
  }
  return bad;
}

/**
 * The writer's side: `rounds` times fills a new block with one word, publishes it and retires the one before. `broken` releases it
 * instead, which is what the protocol is there to prevent. The number of the last round stands in the block.
 */
export function publishBlocks(heap: u32, published: usize, words: u32, rounds: u32, broken: bool): bool {
  for (let round: u32 = 0; round < rounds; round++) {
    const block = allocate(heap, PURPOSE_SCRATCH, (<usize>words) << 2);
    if (block == 0) return false;
    const old = <usize>load<u32>(published);
    const content: u32 = old == 0 ? 1 : load<u32>(old) + 1;
    for (let word: u32 = 0; word < words; word++) store<u32>(block + ((<usize>word) << 2), content);
    atomic.store<u32>(published, <u32>block);
    if (old == 0) continue;
    if (broken) release(PURPOSE_SCRATCH, old);
    else retire(PURPOSE_SCRATCH, old);
    retireAdvance();
  }
  return true;
}

/** The n-th allocation from now fails. */
export function setFailAfter(count: u32): void {
  store<u32>(ROOT_FAIL_AFTER, count);
}

/** Sets the epoch, to test what happens where its numbers end. */
export function setEpoch(epoch: u32): void {
  atomic.store<u32>(ROOT_EPOCH, epoch);
}

export function epochNow(): u32 {
  return atomic.load<u32>(ROOT_EPOCH);
}

export function retiredBytes(): u32 {
  return load<u32>(ROOT_RETIRED_BYTES);
}
