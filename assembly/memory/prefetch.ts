// Prefetching by loads: WebAssembly has no instruction that only asks for a cache line. Whoever knows many addresses loads a word of each
// in a tight loop that does nothing else, so that their misses overlap. It changes nothing and may be left out.

/** Keeps the loads from being dropped as unused. */
let sink: u32 = 0;

/** Takes what a loop has loaded, in whatever way it was put together. */
// @ts-ignore: decorator
@inline
export function prefetched(words: u32): void {
  sink = words;
}

/** Loads a word of each cache line of [from, to), in order. */
export function prefetchLines(from: usize, to: usize): void {
  let words: u32 = 0;
  for (let at = from; at < to; at += 64) words |= load<u32>(at);
  prefetched(words);
}
