// Scores of vectors in scalar JavaScript, rounding by rounding as assembly/index/vector-score.ts fixes it, and the best of a scan.

export const METRICS = ['cosine', 'dot', 'l2'] as const;
export type Metric = (typeof METRICS)[number];

export interface Hit {
  readonly id: number;
  readonly score: number;
}

const round = Math.fround;

/** Sum of products (or squared differences) in the order that vector-score.ts fixes, one rounding after the other. */
function sum(a: Float32Array, b: Float32Array, squares: boolean): number {
  const lanes = new Float32Array(16);
  for (let i = 0; i < a.length; i++) {
    const lane = ((i >> 2) & 3) * 4 + (i & 3);
    const difference = round((a[i] as number) - (b[i] as number));
    const term = squares ? round(difference * difference) : round((a[i] as number) * (b[i] as number));
    lanes[lane] = (lanes[lane] as number) + term;
  }
  const joined = Array.from({ length: 4 }, (_, j) => {
    const [s, t, u, v] = [lanes[j], lanes[4 + j], lanes[8 + j], lanes[12 + j]] as [number, number, number, number];
    return round(round(s + t) + round(u + v));
  }) as [number, number, number, number];
  return round(round(joined[0] + joined[2]) + round(joined[1] + joined[3]));
}

export function modelNorm(a: Float32Array): number {
  return round(Math.sqrt(sum(a, a, false)));
}

/** The score of two vectors, in scalar JavaScript. */
export function modelScore(metric: Metric, a: Float32Array, b: Float32Array): number {
  if (metric === 'l2') return round(Math.sqrt(sum(a, b, true)));
  const dot = sum(a, b, false);
  if (metric === 'dot') return dot;
  const cosine = round(dot / round(modelNorm(a) * modelNorm(b)));
  return cosine > 1 ? 1 : Math.max(cosine, -1);
}

/** The best k of `vectors` by the model; an element is the index of its vector. */
export function modelSearch(
  metric: Metric,
  vectors: ReadonlyMap<number, Float32Array>,
  query: Float32Array,
  k: number,
): Hit[] {
  const hits: Hit[] = [];
  for (const [id, vector] of vectors) {
    const score = modelScore(metric, query, vector);
    if (Number.isFinite(score)) hits.push({ id, score });
  }
  const sign = metric === 'l2' ? 1 : -1;
  return hits.sort((a, b) => sign * (a.score - b.score) || a.id - b.id).slice(0, k);
}
