// One bulk export: every property is checked first, then blocks of whole lines go out as their reader asks for them. Other work runs
// between slices; an erase or a renumbering meanwhile ends it, because the lines still to come would not fit those that are out.

import type { Core } from '../core/core.ts';
import { ExportInterrupted, ExportSession } from '../core/interchange.ts';
import type { ExportFilter, ExportStart } from './types.ts';

/** What an export needs of its namespace. */
export interface ExportSource {
  readonly core: Core;
  readonly graph: number;
  /** Lets other work run; throws when the namespace or the caller has gone. */
  nextSlice(): Promise<void>;
  /** Changes whenever the ids that elements have may mean others from now on. */
  renumberings(): number;
  /** Runs a step that the namespace's end waits for. */
  task<T>(run: () => Promise<T>): Promise<T>;
  /** Keeps the graph in memory until the answer is called, though another one may take its place. */
  hold(): () => void;
}

export async function startExport(source: ExportSource, filter: ExportFilter, exportedAt: Date): Promise<ExportStart> {
  while (true) {
    try {
      return await beginExport(source, filter, exportedAt);
    } catch (error) {
      // Erased or renumbered during the check: no byte was sent yet, so the graph that is there now is exported.
      if (!(error instanceof ExportInterrupted)) throw error;
    }
  }
}

async function beginExport(source: ExportSource, filter: ExportFilter, exportedAt: Date): Promise<ExportStart> {
  const renumberings = source.renumberings();
  const session = new ExportSession(source.core, source.graph, filter);
  const check = session.check();
  let step = check.next();
  for (; step.done !== true; step = check.next()) await nextSlice(source, renumberings);
  if (!step.value.ok) {
    const { element, key } = step.value;
    return { ok: false, element, key, cause: 'its text holds half a surrogate pair, which UTF-8 cannot carry' };
  }
  const meta = session.meta(step.value.vertices, step.value.edges, exportedAt);
  const nextBlock = async (): Promise<Uint8Array | null> => {
    await nextSlice(source, renumberings);
    let block = session.block();
    for (; block !== null && block.length === 0; block = session.block()) await nextSlice(source, renumberings);
    return block;
  };
  return { ok: true, body: streamOf(meta, () => source.task(nextBlock), source.hold()) };
}

/** The core knows a graph by the address of its state, which comes back after two erases; so this counts them. */
async function nextSlice(source: ExportSource, renumberings: number): Promise<void> {
  await source.nextSlice();
  if (source.renumberings() !== renumberings)
    throw new ExportInterrupted('The graph was erased or renumbered meanwhile.');
}

/** Yields `first`, then what `next` answers until that is null. `end` is called once nobody reads on, for whatever reason. */
function streamOf(
  first: Uint8Array,
  next: () => Promise<Uint8Array | null>,
  end: () => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(first),
    pull: async (controller) => {
      const block = await next().catch((error: unknown) => {
        end();
        throw error;
      });
      if (block !== null) return controller.enqueue(block);
      end();
      controller.close();
    },
    cancel: end,
  });
}
