// What a backend of the embedding provider does: texts in, one vector a text out, in their order.

import type { Deadline } from '../deadline.ts';

/** Of a number in JSON, with what stands between two. */
const componentBytes = 32;

/** Bytes that vectors take in an answer, at most. */
export function vectorBytes(vectors: number, dimension: number): number {
  return vectors * dimension * componentBytes;
}

export interface EmbeddingBackend {
  /**
   * One list of numbers for each text; what they are is judged by the provider. Throws ProviderFailed, or what the caller's signal was aborted
   * with. A text of more tokens than the model takes is refused by name of that ceiling, never cut.
   */
  embed(texts: readonly string[], deadline: Deadline): Promise<readonly ArrayLike<number>[]>;
  /** Gives back what it holds. */
  close?(): Promise<void>;
}
