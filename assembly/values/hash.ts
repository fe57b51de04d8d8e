// Hashing of bytes and words for tables in memory: fast, well mixed, the same on every host, not secret and not for files.
//
// Each step multiplies a word by an odd constant and folds the high half down; words are read overlapping at the end, so every length
// costs one load per eight bytes and no tail loop. Four lanes run side by side from 64 bytes on.

const MULTIPLY_1: u64 = 0x9e3779b97f4a7c15;
const MULTIPLY_2: u64 = 0xbf58476d1ce4e5b9;
const MULTIPLY_3: u64 = 0x94d049bb133111eb;

// @ts-ignore: decorator
@inline
function step(state: u64, word: u64): u64 {
  const mixed = (state ^ word) * MULTIPLY_1;
  return mixed ^ (mixed >> 32);
}

/** A 32-bit hash of one word. */
// @ts-ignore: decorator
@inline
export function hashWord(word: u64): u32 {
  let mixed = (word ^ (word >> 30)) * MULTIPLY_2;
  mixed = (mixed ^ (mixed >> 27)) * MULTIPLY_3;
  return <u32>(mixed ^ (mixed >> 32));
}

/** A 32-bit hash of `bytes` bytes at `p`. */
export function hashBytes(p: usize, bytes: u32): u32 {
  let state: u64 = <u64>bytes * MULTIPLY_3;
  const end = p + <usize>bytes;
  if (bytes >= 8) {
    if (bytes >= 64) {
      let second: u64 = MULTIPLY_1;
      let third: u64 = MULTIPLY_2;
      let fourth: u64 = MULTIPLY_3;
      while (p + 32 <= end) {
        state = step(state, load<u64>(p));
        second = step(second, load<u64>(p, 8));
        third = step(third, load<u64>(p, 16));
        fourth = step(fourth, load<u64>(p, 24));
        p += 32;
      }
      state = step(step(step(state, second), third), fourth);
    }
    while (p + 8 < end) {
      state = step(state, load<u64>(p));
      p += 8;
    }
    return hashWord(step(state, load<u64>(end - 8)));
  }
  let word: u64 = 0;
  if (bytes >= 4) word = (<u64>load<u32>(p) << 32) | <u64>load<u32>(end - 4);
  else if (bytes > 0) {
    word = ((<u64>load<u8>(p)) << 16) | ((<u64>load<u8>(p + (<usize>bytes >> 1))) << 8) | <u64>load<u8>(end - 1);
  }
  return hashWord(step(state, word));
}
