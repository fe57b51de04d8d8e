// The values of a run as a property of each vertex in scope: transactions of a fixed number of vertices in ascending id, on the writer,
// other work between two of them. Each is atomic, all together are not.

import type { Job } from '../../core/analytics.ts';
import { buildWriteBack } from '../../core/analytics-write-back.ts';
import type { Applied } from '../../core/core.ts';
import { CoreStatus } from '../../core/status.ts';
import { applyBuilt, type WriterSlices } from '../writer-slices.ts';
import type { AnalyticsRun, WrittenBack } from './types.ts';

/** Vertices of one transaction (contract part 2, Limits). */
const chunkVertices = 50_000;

/** What a write-back needs of its namespace. */
export interface WriteBackTarget extends WriterSlices {
  /** Logs and publishes an applied chunk; settles false when it should be on disk and is not. */
  readonly commitValues: (applied: Applied, nowMs: number, logged: boolean) => Promise<boolean>;
}

/** `flaw`: why a chunk was not written; null when all were. */
export type WriteBackOutcome = WrittenBack & { readonly flaw: string | null };

export async function writeBackValues(
  target: WriteBackTarget,
  kernel: Job,
  vertices: number,
  { writeBack, logWriteBack }: AnalyticsRun,
): Promise<WriteBackOutcome> {
  let verticesWritten = 0;
  let chunks = 0;
  let durable: Promise<boolean> | null = null;
  if (writeBack === null) return { verticesWritten, chunks, flaw: null };
  for (let from = 0; from < vertices; from += chunkVertices) {
    if (from > 0) await target.nextSlice();
    const nowMs = target.nowMs();
    const chunk = { ...writeBack, kernel, from, limit: chunkVertices, nowMs };
    const written = target.obstacle() ?? buildWriteBack(target.core, chunk);
    const applied = typeof written === 'string' ? written : apply(target);
    if (typeof applied === 'string') return { verticesWritten, chunks, flaw: applied };
    durable = target.commitValues(applied, nowMs, logWriteBack);
    verticesWritten += written as number;
    chunks++;
  }
  const flaw = (await durable) === false ? 'The values are in memory, but not on disk.' : null;
  return { verticesWritten, chunks, flaw };
}

/** What the core has built, applied; or why not. */
function apply(target: WriteBackTarget): Applied | string {
  const applied = applyBuilt(target, false);
  if (applied.ok) return applied;
  if (applied.status === CoreStatus.noMemory) return 'The values do not fit into the memory of the namespace.';
  return `The core refused the values (status ${applied.status}).`;
}
