// What documents need of an embedding provider. Without one they are found by their words, and by vectors that callers bring.

import type { Settings } from '../config/catalogue.ts';
import type { VectorMetric } from '../core/vectors.ts';
import type { EmbeddingProvider } from '../providers/embedding/provider.ts';

export interface Embedder {
  /** `name[@version]#dimension#metric`: who made a vector. */
  readonly stamp: string;
  readonly dimension: number;
  readonly metric: VectorMetric;
  /** Texts of one call, and calls of one document at the same time. */
  readonly maxBatchSize: number;
  readonly maxBatches: number;
  /**
   * One vector a text, in their order. Calls of several documents wait for each other where there are more than may be in flight. Throws
   * ProviderFailed, or what the signal was aborted with.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
  embedQuery(text: string, signal: AbortSignal): Promise<Float32Array>;
}

/** Null while embedding is off. */
export function embedderOf(settings: Settings, provider: EmbeddingProvider): Embedder | null {
  if (!provider.enabled) return null;
  const maxBatches = settings['Embedding:MaxConcurrentBatches'];
  // A model in the service computes one batch after the other; the one that waits there is not in flight.
  const slots = new Slots(maxBatches + (provider.isLocal ? 1 : 0));
  return {
    ...{ stamp: provider.stamp, dimension: provider.dimension, metric: settings['Embedding:IntendedMetric'] },
    ...{ maxBatchSize: settings['Embedding:MaxBatchSize'], maxBatches },
    embed: (texts, signal) =>
      slots.run(() => {
        signal.throwIfAborted();
        return provider.embed(texts, signal);
      }),
    embedQuery: (text, signal) => provider.embedQuery(text, signal),
  };
}

/** Lets so many run at the same time; the others wait in their order. */
class Slots {
  private readonly waiting: (() => void)[] = [];
  private free: number;

  constructor(count: number) {
    this.free = count;
  }

  async run<Value>(task: () => Promise<Value>): Promise<Value> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free++;
      else next();
    }
  }
}
