// One bulk export: every property is checked first, then blocks of whole lines go out as their reader asks for them. An erase or a
// renumbering meanwhile ends it, because the lines still to come would not fit those that are out.

import { ExportInterrupted } from '../core/interchange.ts';
import { type ExportedBlocks, exportBlocksJob, exportCheckJob } from './jobs/export.ts';
import type { GraphJobs } from './jobs/graph-jobs.ts';
import type { ExportFilter, ExportStart } from './types.ts';

/** Ids of a graph whose export is not worth a thread. */
const shortIds = 256;

/** What an export needs of its namespace. */
export interface ExportSource {
  readonly graph: number;
  readonly jobs: GraphJobs;
  readonly signal: AbortSignal | undefined;
  nextId(): number;
  /** Changes whenever the ids that elements have may mean others from now on. */
  renumberings(): number;
  /** Runs a step that the namespace's end waits for. */
  task<T>(run: () => Promise<T>): Promise<T>;
  /** Keeps the graph in memory until the answer is called, though another one may take its place. */
  hold(): () => void;
}

export async function startExport(source: ExportSource, filter: ExportFilter, exportedAt: Date): Promise<ExportStart> {
  while (true) {
    const start = await beginExport(source, filter, exportedAt);
    // Erased or renumbered during the check: no byte was sent yet, so the graph that is there now is exported.
    if (start !== 'changed') return start;
  }
}

async function beginExport(
  source: ExportSource,
  names: ExportFilter,
  exportedAt: Date,
): Promise<ExportStart | 'changed'> {
  const { graph, jobs, signal } = source;
  const renumberings = source.renumberings();
  const isShort = source.nextId() <= shortIds;
  const checked = await jobs.run(exportCheckJob, { graph, names, exportedAt }, isShort, { signal });
  // The core knows a graph by the address of its state, which comes back after two erases; so these are counted.
  if (checked.outcome === 'changed' || source.renumberings() !== renumberings) return 'changed';
  if (checked.outcome === 'unfit') {
    const { element, key } = checked;
    return { ok: false, element, key, cause: 'its text holds half a surrogate pair, which UTF-8 cannot carry' };
  }
  let { cursor } = checked;
  let isDone = false;
  const next = (): Promise<readonly Uint8Array[] | null> =>
    source.task(async () => {
      if (isDone) return null;
      const answer: ExportedBlocks = await jobs.run(exportBlocksJob, { graph, cursor }, isShort, { signal });
      if (answer.outcome === 'changed' || source.renumberings() !== renumberings) {
        throw new ExportInterrupted('The graph was erased or renumbered meanwhile.');
      }
      cursor = answer.cursor;
      isDone = answer.isDone;
      return answer.blocks;
    });
  return { ok: true, body: streamOf(checked.meta, next, source.hold()) };
}

/**
 * Yields `first`, then the blocks that `next` answers until that is null; the blocks after those that are read are asked for ahead.
 * `end` is called once nobody reads on, for whatever reason.
 */
function streamOf(
  first: Uint8Array,
  next: () => Promise<readonly Uint8Array[] | null>,
  end: () => void,
): ReadableStream<Uint8Array> {
  let ready: readonly Uint8Array[] = [first];
  let at = 0;
  let ahead: Promise<readonly Uint8Array[] | null> | null = null;
  const askAhead = (): void => {
    ahead = next();
    ahead.catch(() => {}); // whoever reads on is told
  };
  return new ReadableStream<Uint8Array>({
    start: askAhead,
    pull: async (controller) => {
      while (at === ready.length) {
        const blocks = await (ahead as NonNullable<typeof ahead>).catch((error: unknown) => {
          end();
          throw error;
        });
        if (blocks === null) {
          end();
          controller.close();
          return;
        }
        ready = blocks;
        at = 0;
        askAhead();
      }
      controller.enqueue(ready[at++] as Uint8Array);
    },
    cancel: end,
  });
}
