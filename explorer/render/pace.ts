// How many edges a frame draws while the picture moves. Where drawing takes long (a screen without a graphics processor of its own, a very large
// picture) a moving picture shows a part of its edges, and all of them as soon as it stands.

/** A frame that takes longer is slow; one that takes so little has room for more. */
const [slowMs, quickMs] = [50, 25];
const fewestEdges = 500;

export class Pace {
  private most = Number.POSITIVE_INFINITY;

  /** Edges of `count` that a frame of a moving picture draws. */
  edgesOf(count: number): number {
    return Math.min(count, Math.max(fewestEdges, Math.floor(this.most)));
  }

  /** A frame with so many edges took so long. */
  took(ms: number, edges: number): void {
    if (ms > slowMs) this.most = (edges * slowMs) / ms;
    else if (ms < quickMs) this.most = Math.max(this.most, 1.5 * edges);
  }
}

/** The places of a list in an order of which each beginning is spread evenly over the list. */
export function spreadOrder(count: number): Uint32Array {
  const order = new Uint32Array(count);
  let step = Math.max(1, Math.round(count * ((Math.sqrt(5) - 1) / 2)));
  while (commonDivisor(step, count) > 1) step++;
  for (let at = 0, place = 0; at < count; at++, place = (place + step) % count) order[at] = place;
  return order;
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
