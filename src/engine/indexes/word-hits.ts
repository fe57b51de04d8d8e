// The best of many scored elements.

/** Best first, the smaller id among equals; both lists of one length. */
export interface WordHits {
  readonly ids: Uint32Array;
  readonly scores: Float64Array;
}

/** Lists are cut back to the best when they have grown to so many times what is wanted. */
const slack = 4;

export function bestOf(scores: ReadonlyMap<number, number>, most: number): WordHits {
  let best: (readonly [id: number, score: number])[] = [];
  const better = (a: readonly [number, number], b: readonly [number, number]): number => b[1] - a[1] || a[0] - b[0];
  let least = Number.NEGATIVE_INFINITY;
  for (const entry of scores) {
    if (entry[1] < least) continue;
    best.push(entry);
    if (best.length < slack * most + slack) continue;
    best = best.sort(better).slice(0, most);
    least = best.at(-1)?.[1] ?? least;
  }
  best = best.sort(better).slice(0, most);
  return { ids: Uint32Array.from(best, ([id]) => id), scores: Float64Array.from(best, ([, score]) => score) };
}
