// A second graph out of elements of a first one, made by the writer in slices (assembly/graph/extract.ts). One at a time in a memory.

import { GraphLoader } from './checkpoint.ts';
import type { Core } from './core.ts';
import { CoreStatus } from './status.ts';

/** Ids looked at in one slice, a multiple of 512: a millisecond or so. */
const sliceIds = 8192;

export type Extracted =
  | { readonly ok: true; readonly graph: number }
  /** What was made has been dropped. */
  | { readonly ok: false; readonly status: CoreStatus };

/**
 * Copies the elements of `source` below `ids` whose bit is set in `bits`, or all of them (null). `pause` lets other work run; what it throws
 * ends the extraction, and so does the source being renumbered, which the caller finds out there.
 */
export async function extractGraph(
  core: Core,
  source: number,
  ids: number,
  bits: Uint8Array | null,
  pause: () => Promise<void>,
): Promise<Extracted> {
  const { instance } = core;
  const { exports } = instance;
  core.finishStepped();
  let address: number | null = 0;
  if (bits !== null) {
    address = instance.input(bits.length);
    if (address !== null) instance.bytes.set(bits, address);
  }
  const graph = address === null ? 0 : exports.extractBegin(source, ids, address) >>> 0;
  if (graph === 0) return { ok: false, status: CoreStatus.noMemory };
  let whole = false;
  try {
    // What links a graph is the writer's, as a transaction is.
    const settledPause = async (): Promise<void> => {
      await pause();
      core.finishStepped();
    };
    const status = await copy(core, graph, ids, settledPause);
    whole = status === CoreStatus.ok;
    return whole ? { ok: true, graph } : { ok: false, status };
  } finally {
    if (!whole) dropGraph(core, graph);
  }
}

async function copy(core: Core, graph: number, ids: number, pause: () => Promise<void>): Promise<CoreStatus> {
  const { exports } = core.instance;
  for (const slice of [exports.extractVertices, exports.extractEdges]) {
    for (let from = 0; from < ids; from += sliceIds) {
      const status = slice(from, Math.min(ids, from + sliceIds)) as CoreStatus;
      if (status !== CoreStatus.ok) return status;
      await pause();
    }
  }
  const elements = exports.extractEnd() >>> 0;
  try {
    return (await new GraphLoader(core, graph, elements).link(pause)) as CoreStatus;
  } finally {
    // Whoever threw in a pause has left the loader's scratch behind; otherwise there is none.
    exports.linkRelease();
  }
}

/**
 * Takes a graph back; its memory is free once no reader that has announced itself holds it. Nothing may ask for it any more. False: there is not
 * even memory to note that, try again later.
 */
export function dropGraph(core: Core, graph: number): boolean {
  const { exports } = core.instance;
  core.finishStepped();
  const drop = (): number => exports.graphDrop(graph);
  if (drop() === 0 && core.instance.lending(drop) === 0) return false;
  exports.retireAdvance();
  return true;
}
