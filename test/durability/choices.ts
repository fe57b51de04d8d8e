// Ways to go through the possibilities of a run that asks `choose(count)` again and again.

import type { Choose } from './simulated-disk.ts';

/** Calls `run` once for every sequence of choices it can make. Answers how many there were, or throws above `limit`. */
export async function everyChoice(limit: number, run: (choose: Choose) => Promise<void>): Promise<number> {
  const path: { chosen: number; count: number }[] = [];
  for (let runs = 1; ; runs++) {
    if (runs > limit) throw new Error(`There are more than ${limit} possibilities.`);
    let depth = 0;
    await run((count) => {
      if (depth === path.length) path.push({ chosen: 0, count });
      return path[depth++]!.chosen;
    });
    path.length = depth;
    while (path.length > 0 && path.at(-1)!.chosen + 1 === path.at(-1)!.count) path.pop();
    if (path.length === 0) return runs;
    path.at(-1)!.chosen++;
  }
}

/** A generator of numbers in [0, 1), the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** All lost, all kept, then random ones; some of those lean to one side, so that single survivors and single losses come up. */
export function chooserOf(index: number, random: () => number): Choose {
  if (index === 0) return () => 0;
  if (index === 1) return (count) => Math.min(1, count - 1);
  const lean = [0.5, 0.1, 0.9][index % 3] as number;
  return (count) => (random() < lean ? 0 : Math.floor(random() * count));
}
