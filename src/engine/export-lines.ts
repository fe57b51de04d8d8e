// One bulk export: every property is checked first, then blocks of whole lines go out as their reader asks for them. An erase or a
// renumbering meanwhile ends it, because the lines still to come would not fit those that are out.

import { ExportInterrupted } from '../core/interchange.ts';
import { type AnswerSource, answerJob, streamOf } from './answer-stream.ts';
import { type ExportedBlocks, exportBlocksJob, exportCheckJob } from './jobs/export.ts';
import type { ExportFilter, ExportStart } from './types.ts';

/** Ids of a graph whose export is not worth a thread. */
const shortIds = 256;

export async function startExport(source: AnswerSource, filter: ExportFilter, exportedAt: Date): Promise<ExportStart> {
  while (true) {
    const start = await beginExport(source, filter, exportedAt);
    // Erased or renumbered during the check: no byte was sent yet, so the graph that is there now is exported.
    if (start !== 'changed') return start;
  }
}

async function beginExport(
  source: AnswerSource,
  names: ExportFilter,
  exportedAt: Date,
): Promise<ExportStart | 'changed'> {
  const { graph } = source;
  const renumberings = source.renumberings();
  const isShort = source.nextId() <= shortIds;
  const checked = await answerJob(source, exportCheckJob, { graph, names, exportedAt }, { isShort, isBegun: false });
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
      const answer: ExportedBlocks = await answerJob(
        source,
        exportBlocksJob,
        { graph, cursor },
        { isShort, isBegun: true },
      );
      if (answer.outcome === 'changed' || source.renumberings() !== renumberings) {
        throw new ExportInterrupted('The graph was erased or renumbered meanwhile.');
      }
      cursor = answer.cursor;
      isDone = answer.isDone;
      return answer.blocks;
    });
  return { ok: true, body: streamOf([checked.meta], next, source.hold()) };
}
