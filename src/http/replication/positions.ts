// Waiting for a commit by its number.

import type { Exchange } from '../exchange.ts';

/** Who waits looks again after so many milliseconds: nothing on the way of a commit knows of it. */
const lookAgainMs = 2;

/** True once the commit `sequence` is in the graph; false when it has not come within `Replica:MaxWaitSeconds`. */
export async function reached(exchange: Exchange, sequence: number): Promise<boolean> {
  const { platform, settings } = exchange.service;
  const endMs = platform.monotonicMs() + 1000 * settings['Replica:MaxWaitSeconds'];
  const { signal } = exchange.request;
  while ((exchange.graph.position?.sequence ?? 0) < sequence) {
    if (platform.monotonicMs() >= endMs) return false;
    signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
  }
  return true;
}
