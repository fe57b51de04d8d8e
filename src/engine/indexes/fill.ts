// Filling an index from properties that are there already (contract part 1, Backfill): slice by slice, each one transaction of adds, so
// that other writes go on in between and whatever they do keeps its place in the order of commits.

import type { Applied } from '../../core/core.ts';
import { backfillSlice, findIndex } from '../../core/indexes.ts';
import { CoreMemoryExhausted } from '../../core/memory-exhausted.ts';
import { CoreStatus } from '../../core/status.ts';
import { JobFailed } from '../jobs/failure.ts';
import type { GraphAccess } from './access.ts';
import type { BackfillRequest, BackfillResult } from './types.ts';

/** The index is there and holds keys of properties. Rejects as `closed` when another graph takes the place of this one. */
export async function fillIndex(
  access: GraphAccess,
  request: BackfillRequest,
  signal: AbortSignal | undefined,
): Promise<BackfillResult> {
  const { core, graph } = access;
  let durable: Promise<boolean> = Promise.resolve(true);
  if (request.replace) {
    const cleared = core.write(graph, [{ kind: 'clearIndex', index: request.index }], access.nowMs());
    if (!cleared.ok) return failed(cleared.status);
    durable = access.commit(cleared);
  }
  let renumberings = access.renumberings();
  let [scanned, indexed, skipped] = [0, 0, 0];
  for (let element = 0, end = core.nextId(graph); element < end; ) {
    const from = element;
    const slice = withRoom(access, () => backfillSlice(core.instance, graph, request, from, end, access.nowMs()));
    if (slice === null) return { ok: false, reason: 'noIndex' };
    scanned += slice.scanned;
    indexed += slice.adds;
    skipped += slice.skipped;
    element = slice.next;
    if (slice.adds > 0) {
      let applied = core.apply(graph, slice.address, slice.bytes, false);
      if (!applied.ok && applied.status === CoreStatus.noMemory && access.yieldMemory())
        applied = core.apply(graph, slice.address, slice.bytes, false);
      if (!applied.ok) return failed(applied.status);
      durable = access.commit(applied as Applied);
      await access.backpressure();
    }
    await access.nextSlice(signal);
    refuseReplaced(access);
    if (access.renumberings() === renumberings) continue;
    // The ids of a trimmed graph are new, so the walk begins again; what is indexed already is indexed.
    renumberings = access.renumberings();
    [scanned, indexed, skipped, element, end] = [0, 0, 0, 0, core.nextId(graph)];
  }
  // A graph that has been erased meanwhile has no such index any more, and nothing to walk over that would have shown it.
  if (findIndex(core.instance, graph, request.index) === 0) return { ok: false, reason: 'noIndex' };
  const isDurable = await durable;
  if (!isDurable) refuseReplaced(access);
  return {
    ok: true,
    scannedElements: scanned,
    indexedElements: indexed,
    skippedUnindexableValues: skipped,
    durable: isDurable,
  };
}

/** What `build` makes; memory that is kept for speed makes way for it. */
function withRoom<T>(access: GraphAccess, build: () => T): T {
  try {
    return build();
  } catch (error) {
    if (!(error instanceof CoreMemoryExhausted) || !access.yieldMemory()) throw error;
    return build();
  }
}

/** What is added from here on would be in neither the next graph nor the log. */
function refuseReplaced(access: GraphAccess): void {
  const obstacle = access.obstacle();
  if (obstacle !== null) throw new JobFailed('closed', obstacle);
}

function failed(status: number): BackfillResult {
  return { ok: false, reason: status === CoreStatus.noMemory ? 'noMemory' : 'noIndex' };
}
