// A graph beside the namespace's own, out of a list of what is in it, a slice at a time.

import type { Core } from '../../core/core.ts';
import { dropGraph } from '../../core/extract.ts';
import { CoreMemoryExhausted } from '../../core/memory-exhausted.ts';
import type { CreateEdge, CreateVertex } from '../../core/requests.ts';
import { CoreStatus } from '../../core/status.ts';

/** Operations of one slice: a few milliseconds. */
const sliceOperations = 2048;

/**
 * Answers the handle of the new graph, in which the place of an operation is the id of what it creates; else why there is none, and nothing of
 * it is left. `pause` lets other work run; what it throws ends the work.
 */
export async function buildGraph(
  core: Core,
  contents: readonly (CreateVertex | CreateEdge)[],
  timeMs: number,
  pause: () => Promise<void>,
): Promise<number | 'memory' | 'refused'> {
  let graph: number;
  try {
    graph = core.createGraph();
  } catch (error) {
    if (error instanceof CoreMemoryExhausted) return 'memory';
    throw error;
  }
  let isWhole = false;
  try {
    for (let from = 0; from < contents.length; from += sliceOperations) {
      const applied = core.write(graph, contents.slice(from, from + sliceOperations), timeMs);
      if (!applied.ok) return applied.status === CoreStatus.noMemory ? 'memory' : 'refused';
      await pause();
    }
    isWhole = true;
    return graph;
  } finally {
    if (!isWhole) dropGraph(core, graph);
  }
}
