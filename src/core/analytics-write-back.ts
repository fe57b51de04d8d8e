// The values of a run as a transaction (assembly/analytics/write-back.ts). Writer only.

import type { Job } from './analytics.ts';
import type { Core } from './core.ts';
import { CoreStatus } from './status.ts';
import { textBound, writeText } from './text.ts';
import type { TypeId } from './values.ts';

export interface WriteBackChunk {
  /** Finished, and nobody at work on it. */
  readonly kernel: Job;
  /** Vertices in scope, by ascending id. */
  readonly from: number;
  readonly limit: number;
  readonly key: string;
  readonly type: TypeId;
  readonly nowMs: number;
}

/** Builds the transaction, for `applyBuilt`: answers how many vertices get a value, or why there is none. */
export function buildWriteBack({ instance }: Core, chunk: WriteBackChunk): number | string {
  const { kernel, from, limit, key, type, nowMs } = chunk;
  const { exports } = instance;
  const address = instance.input(textBound(key) + 8);
  if (address === null) return 'No memory is left for the name of the property.';
  const bytes = writeText(instance.bytes, address, key);
  const seconds = Math.floor(nowMs / 1000);
  const status = exports.writeBackBuild(kernel.address, from, limit, address, bytes, type, seconds, nowMs);
  if (status === CoreStatus.notFound) return 'The graph was erased or trimmed meanwhile.';
  if (status !== CoreStatus.ok) return 'No memory is left for the values.';
  return exports.writeBackCount();
}
