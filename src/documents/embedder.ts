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
  /** One vector a text, in their order. Throws ProviderFailed, or what the signal was aborted with. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
  embedQuery(text: string, signal: AbortSignal): Promise<Float32Array>;
}

/** Null while embedding is off. */
export function embedderOf(settings: Settings, provider: EmbeddingProvider): Embedder | null {
  if (!provider.enabled) return null;
  return {
    ...{ stamp: provider.stamp, dimension: provider.dimension, metric: settings['Embedding:IntendedMetric'] },
    ...{ maxBatchSize: settings['Embedding:MaxBatchSize'], maxBatches: settings['Embedding:MaxConcurrentBatches'] },
    embed: (texts, signal) => provider.embed(texts, signal),
    embedQuery: (text, signal) => provider.embedQuery(text, signal),
  };
}
