// One bulk export: every property is checked first, then blocks of whole lines go out as their reader asks for them. The elements are those
// that the graph had at the beginning, whatever is removed meanwhile (assembly/graph/keeps.ts). An erase or a renumbering ends it, because
// the lines still to come would not fit those that are out.

import { beginExport, type ExportCursor, ExportInterrupted, endExport } from '../core/interchange.ts';
import { type AnswerSource, answerJob, streamOf } from './answer-stream.ts';
import { type ExportedBlocks, exportBlocksJob, exportCheckJob } from './jobs/export.ts';
import type { ExportFilter, ExportStart } from './types.ts';

/** Ids of a graph whose export is not worth a thread. */
const shortIds = 256;

export async function startExport(source: AnswerSource, filter: ExportFilter, exportedAt: Date): Promise<ExportStart> {
  while (true) {
    const start = await tryExport(source, filter, exportedAt);
    // Erased or renumbered during the check: no byte was sent yet, so the graph that is there now is exported.
    if (start !== 'changed') return start;
  }
}

async function tryExport(
  source: AnswerSource,
  names: ExportFilter,
  exportedAt: Date,
): Promise<ExportStart | 'changed'> {
  const { graph, signal } = source;
  const renumberings = source.renumberings();
  const isShort = source.nextId() <= shortIds;
  const keep = beginExport(source.instance, graph);
  const letGo = once(() => {
    if (!source.isOver()) endExport(source.instance, keep);
  });
  signal?.addEventListener('abort', letGo);
  let isStreamed = false;
  try {
    const request = { graph, keep, names, exportedAt };
    const checked = await answerJob(source, exportCheckJob, request, { isShort, isBegun: false });
    // The core knows a graph by the address of its state, which comes back after two erases; so these are counted.
    if (checked.outcome === 'changed' || source.renumberings() !== renumberings) return 'changed';
    if (checked.outcome === 'unfit') {
      const { element, key } = checked;
      return { ok: false, element, key, cause: 'its text holds half a surrogate pair, which UTF-8 cannot carry' };
    }
    isStreamed = true;
    const { meta, cursor } = checked;
    const end = source.hold();
    const next = linesFrom(source, cursor, { isShort, renumberings, letGo });
    return {
      ok: true,
      body: streamOf([meta], next, () => {
        letGo();
        end();
      }),
    };
  } finally {
    if (!isStreamed) letGo();
  }
}

/** Answers the next lines each time it is called, null behind the last. */
function linesFrom(
  source: AnswerSource,
  from: ExportCursor,
  run: { readonly isShort: boolean; readonly renumberings: number; readonly letGo: () => void },
): () => Promise<readonly Uint8Array[] | null> {
  const { graph } = source;
  const { isShort, renumberings } = run;
  let cursor = from;
  let isDone = false;
  return () =>
    source.task(async () => {
      if (isDone) return null;
      const request = { graph, cursor };
      const answer: ExportedBlocks = await answerJob(source, exportBlocksJob, request, { isShort, isBegun: true });
      if (answer.outcome === 'changed' || source.renumberings() !== renumberings) {
        throw new ExportInterrupted('The graph was erased or renumbered meanwhile, or needed its memory.');
      }
      ({ cursor, isDone } = answer);
      if (isDone) run.letGo();
      return answer.blocks;
    });
}

function once(run: () => void): () => void {
  let isOver = false;
  return () => {
    if (!isOver) run();
    isOver = true;
  };
}
