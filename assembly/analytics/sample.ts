// A sample of the vertices: `wanted` of all ranks, each as likely as any other, ascending (Knuth, selection sampling), from a generator
// of 32 bits (mulberry32) so that a seed means the same sample on every host. All of them when as many or none are wanted.

import { setWord } from './job';

/** Writes the sampled ranks to `list` and answers how many there are. `room` of the list: `count` words. O(count). */
export function sampleRanks(count: u32, wanted: u32, seed: u32, list: usize): u32 {
  if (wanted == 0 || wanted >= count) {
    for (let rank: u32 = 0; rank < count; rank++) setWord(list, rank, rank);
    return count;
  }
  let state = seed;
  let taken: u32 = 0;
  for (let rank: u32 = 0; taken < wanted; rank++) {
    state += 0x6d2b79f5;
    let mixed: u32 = (state ^ (state >> 15)) * (state | 1);
    mixed ^= mixed + (mixed ^ (mixed >> 7)) * (mixed | 61);
    mixed ^= mixed >> 14;
    if (<u32>((<u64>mixed * <u64>(count - rank)) >> 32) < wanted - taken) setWord(list, taken++, rank);
  }
  return taken;
}
