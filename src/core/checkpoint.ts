// Checkpoint blocks at the core's boundary: one is written by any instance (announced, if it is a reader's), and a graph is put
// together from them by the writer. What stands in a block is the core's business (assembly/checkpoint/format.ts).

import type { Core } from './core.ts';
import type { CoreInstance } from './instance.ts';
import { CoreStatus } from './status.ts';

/** A block stops growing at about this size. */
const blockBytes = 512 * 1024;
/** Ids linked between two pauses: one page of ids, some milliseconds. */
const sliceIds = 65_536;

export interface Block {
  /** Copied: the caller's to keep and to change. */
  readonly bytes: Uint8Array;
  /** First id behind it. */
  readonly next: number;
}

/** The elements of a graph from `from` on, below `to`, as one block; the status when it does not fit into memory or arena. */
export function writeBlock(instance: CoreInstance, graph: number, from: number, to: number): Block | number {
  const { exports } = instance;
  const status = exports.checkpointBlock(graph, from, to, blockBytes);
  if (status !== CoreStatus.ok) return status;
  return { bytes: instance.takeOutput(), next: exports.checkpointNext() >>> 0 };
}

/** Puts one graph together. Every method answers a status; after any but ok the graph is good for nothing but to be dropped. */
export class GraphLoader {
  private readonly core: Core;
  private readonly graph: number;
  private readonly ids: number;

  /** `graph` is empty; all ids will be below `ids`. */
  constructor(core: Core, graph: number, ids: number) {
    this.core = core;
    this.graph = graph;
    this.ids = ids;
  }

  begin(): number {
    return this.core.instance.exports.loadBegin(this.graph, this.ids);
  }

  /** Blocks may come in any order. */
  add(block: Uint8Array): number {
    const { instance } = this.core;
    const address = instance.input(instance.exports.loadBlockRoom(block.length));
    if (address === null) return CoreStatus.noMemory;
    instance.bytes.set(block, address);
    return instance.exports.loadBlock(this.graph, address, block.length);
  }

  /** After the last block: hangs the edges into their vertices' groups. Pauses between slices. */
  async link(pause: () => Promise<void>): Promise<number> {
    const { exports } = this.core.instance;
    exports.linkBegin();
    await this.slices(pause, (from, to) => {
      exports.linkCheck(this.graph, from, to);
      return CoreStatus.ok;
    });
    let status = await this.slices(pause, (from, to) => exports.linkCount(this.graph, from, to));
    if (status === CoreStatus.ok) {
      status = await this.slices(pause, (from) => exports.linkLayout(this.graph, from));
    }
    exports.linkRelease();
    if (status !== CoreStatus.ok) {
      // What counting takes may not fit where the graph itself does.
      await this.slices(pause, (from, to) => {
        exports.linkClear(this.graph, from, to);
        return CoreStatus.ok;
      });
    }
    status = await this.slices(pause, (from, to) => exports.linkFill(this.graph, from, to));
    exports.linkEnd(this.graph);
    return status;
  }

  private async slices(pause: () => Promise<void>, slice: (from: number, to: number) => number): Promise<number> {
    for (let from = 0; from < this.ids; from += sliceIds) {
      const status = slice(from, Math.min(this.ids, from + sliceIds));
      if (status !== CoreStatus.ok) return status;
      await pause();
    }
    return CoreStatus.ok;
  }
}
