// The query vector of a semantic block on the thread of a job: where the core's kernels and compiled fragments find it, and what the
// interpreter's `context` answers.

import { defaultEmbedding, embeddingKey } from '../core/embeddings.ts';
import { findName } from '../core/fragments.ts';
import type { CoreInstance } from '../core/instance.ts';
import type { CoreReader } from '../core/reader.ts';
import { textBound, writeText } from '../core/text.ts';
import type { SearchValues } from './fragments/interpreted.ts';
import { metricNames, type Semantic } from './paths/request.ts';

export function searchValues(semantic: Semantic | null): SearchValues {
  return {
    queryVector: semantic?.queryVector ?? null,
    embeddingName: semantic?.embeddingName ?? defaultEmbedding,
    metric: metricNames.indexOf(semantic?.metric ?? 'Cosine') as 0 | 1 | 2,
  };
}

function setName(instance: CoreInstance, name: string): boolean {
  const input = instance.input(textBound(name) + 8);
  return input !== null && instance.exports.contextNameSet(input, writeText(instance.bytes, input, name)) !== 0;
}

/** Puts the query vector where kernels and fragments find it; false when scratch has no room. */
export function setContext(reader: CoreReader, semantic: Semantic | null): boolean {
  const { instance } = reader;
  const { exports } = instance;
  const name = semantic?.embeddingName ?? defaultEmbedding;
  if (!setName(instance, name)) return false;
  if (semantic === null) return exports.contextSet(0, 0, 0, 0, 0, 0) !== 0;
  const { queryVector, embeddingName, metric, minScore } = semantic;
  // The name is looked up first: it goes through the same buffer.
  const key = findName(instance, embeddingKey(embeddingName)) ?? -2;
  const input = instance.input(queryVector.byteLength);
  if (input === null) return false;
  new Float32Array(instance.memory.buffer, input, queryVector.length).set(queryVector);
  const least = Math.fround(minScore ?? 0);
  const bounded = minScore === null ? 0 : 1;
  return exports.contextSet(input, queryVector.length, metricNames.indexOf(metric), key, bounded, least) !== 0;
}
