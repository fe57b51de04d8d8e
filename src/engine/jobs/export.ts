// Bulk export as jobs: one for the check, then one for each few blocks. A client that reads slowly holds nobody's thread that way; where
// the export stands travels with the request.

import {
  type ExportCursor,
  ExportInterrupted,
  type ExportKeep,
  type ExportNames,
  ExportSession,
} from '../../core/interchange.ts';
import { CoreMemoryExhausted } from '../../core/memory-exhausted.ts';
import type { CoreReader } from '../../core/reader.ts';
import type { JobControl, JobKind } from './types.ts';

export interface ExportCheckRequest {
  readonly graph: number;
  readonly keep: ExportKeep;
  readonly names: ExportNames;
  readonly exportedAt: Date;
}

/** `changed`: the graph was erased or renumbered meanwhile, or needed the memory of what was kept for the export. */
export type ExportChecked =
  | { readonly outcome: 'ok'; readonly meta: Uint8Array; readonly cursor: ExportCursor }
  | { readonly outcome: 'unfit'; readonly element: number; readonly key: string }
  | { readonly outcome: 'changed' };

export interface ExportBlocksRequest {
  readonly graph: number;
  readonly cursor: ExportCursor;
}

export type ExportedBlocks =
  | { readonly outcome: 'ok'; readonly blocks: Uint8Array[]; readonly cursor: ExportCursor; readonly isDone: boolean }
  | { readonly outcome: 'changed' };

/** A block of lines is at most 256 KiB, unless one line is longer. */
const arenaBytes = 1024 * 1024;
/** Of one answer: some ms. */
const answerBytes = 1024 * 1024;

export const exportCheckJob: JobKind<ExportCheckRequest, ExportChecked> = {
  name: 'exportCheck',
  arenaBytes,
  run: async (reader, { graph, keep, names, exportedAt }, control) => {
    try {
      const session = await roomy(reader, control, () => new ExportSession(reader, graph, { ...keep, names }));
      const check = session.check();
      let step = reader.announced(() => check.next());
      while (step.done !== true) {
        await control.slice();
        step = reader.announced(() => check.next());
      }
      if (!step.value.ok) return { outcome: 'unfit', element: step.value.element, key: step.value.key };
      const { vertices, edges } = step.value;
      const meta = await roomy(reader, control, () => session.meta(vertices, edges, exportedAt));
      return { outcome: 'ok', meta, cursor: session.cursor };
    } catch (error) {
      if (error instanceof ExportInterrupted) return { outcome: 'changed' };
      throw error;
    }
  },
};

export const exportBlocksJob: JobKind<ExportBlocksRequest, ExportedBlocks> = {
  name: 'exportBlocks',
  arenaBytes,
  run: async (reader, { graph, cursor }, control) => {
    const session = new ExportSession(reader, graph, cursor);
    const blocks: Uint8Array[] = [];
    let bytes = 0;
    try {
      while (!session.isDone && bytes < answerBytes) {
        const block = await roomy(reader, control, () => session.block());
        if (block !== null && block.length > 0) blocks.push(block);
        bytes += block?.length ?? 0;
        await control.slice();
      }
    } catch (error) {
      if (error instanceof ExportInterrupted) return { outcome: 'changed' };
      throw error;
    }
    return { outcome: 'ok', blocks, cursor: session.cursor, isDone: session.isDone };
  },
};

/** Announced, again with a larger arena each time it does not fit. */
async function roomy<T>(reader: CoreReader, control: JobControl, read: () => T): Promise<T> {
  while (true) {
    try {
      return reader.announced(read);
    } catch (error) {
      if (!(error instanceof CoreMemoryExhausted)) throw error;
      await control.widen(Math.max(2 * reader.arenaBytes, reader.instance.exports.arenaNeed() >>> 0));
    }
  }
}
