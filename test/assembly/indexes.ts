// The whole core with loops over index reads, so that benchmarks time them without the host's share. Never shipped.

export * from '../../assembly/index';

import { keysPrefetch } from '../../assembly/index/keys';
import { lookupRead, rangeRead } from '../../assembly/index/scan';
import { outUsed, scratchAllocate, scratchMark, scratchRelease } from '../../assembly/memory/arena';
import { TYPE_INT32 } from '../../assembly/values/types';

const AT_ONCE: u32 = 32;

/**
 * Looks up `rounds` Int32 keys that jump about below `below`; answers how many elements they had. As a caller with many keys would, it asks
 * for the memory of several before it looks them up, so that cache misses overlap.
 */
export function loopLookups(graph: usize, index: usize, rounds: u32, below: u32, stride: u32): u32 {
  const mark = scratchMark();
  const values = scratchAllocate((<usize>AT_ONCE) << 3);
  let key: u32 = 0;
  let found: u32 = 0;
  for (let i: u32 = 0; i < rounds; i += AT_ONCE) {
    const count = min<u32>(AT_ONCE, rounds - i);
    for (let k: u32 = 0; k < count; k++) {
      key = (key + stride) % below;
      store<i64>(values + ((<usize>k) << 3), <i64>key);
    }
    keysPrefetch(index, TYPE_INT32, values, count);
    for (let k: u32 = 0; k < count; k++) {
      lookupRead(graph, index, TYPE_INT32, values + ((<usize>k) << 3));
      found += <u32>(outUsed() >> 2);
    }
  }
  scratchRelease(mark);
  return found;
}

/** Answers `rounds` ranges of `width` Int32 keys that jump about below `below`. */
export function loopRanges(graph: usize, index: usize, rounds: u32, below: u32, stride: u32, width: u32): u32 {
  const mark = scratchMark();
  const low = scratchAllocate(8);
  const high = scratchAllocate(8);
  let key: u32 = 0;
  let found: u32 = 0;
  for (let i: u32 = 0; i < rounds; i++) {
    key = (key + stride) % (below - width);
    store<i64>(low, <i64>key);
    store<i64>(high, <i64>(key + width));
    rangeRead(graph, index, TYPE_INT32, low, high, true, false);
    found += <u32>(outUsed() >> 2);
  }
  scratchRelease(mark);
  return found;
}
