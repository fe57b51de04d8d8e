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

/** What one of two helpers does beside the other: at its share of the vertices, or of the pages (assembly/checkpoint/link.ts). */
export interface LinkPart {
  readonly step: 'count' | 'layout' | 'fill';
  readonly graph: number;
  readonly share: 0 | 1;
  /** All ids are below this. */
  readonly ids: number;
}

/** What a helper works with: both made and taken back by the writer. */
export interface HelperHeaps {
  /** Its scratch. */
  readonly scratch: number;
  /** Its fork of the graph's heap. */
  readonly fork: number;
}

/** Two threads, each with an instance over the memory that is being loaded. Rejects when one of them has ended: the memory is lost then. */
export interface LinkHelpers {
  /** Attaches one helper to each of the two pairs of heaps; false without memory for their scratch. */
  begin(heaps: readonly [HelperHeaps, HelperHeaps]): Promise<boolean>;
  /** Each does its part; answers their statuses. */
  run(parts: readonly [LinkPart, LinkPart]): Promise<readonly number[]>;
  /** Lets go of the memory. Nothing may be running; a second call does nothing. */
  end(): void;
}

/** A helper's instance at work. */
export class LinkHelper {
  private readonly instance: CoreInstance;
  private readonly heaps: HelperHeaps;

  /** `instance` is one over the writer's memory that has not been attached. */
  constructor(instance: CoreInstance, heaps: HelperHeaps) {
    this.instance = instance;
    this.heaps = heaps;
  }

  /** False: no memory. */
  attach(): boolean {
    const { exports } = this.instance;
    exports.linkBegin();
    return exports.coreAttachHelper(this.heaps.scratch) !== 0;
  }

  /**
   * Answers the first status that is not ok. In slices all the same, though nobody waits between them: a call that has begun in
   * code compiled in haste stays there to its end.
   */
  run(part: LinkPart): number {
    const { exports } = this.instance;
    const { step, graph, share, ids } = part;
    const slice = step === 'count' ? exports.linkCountShare : exports.linkFillShare;
    for (let page = 0; page * sliceIds < ids; page++) {
      const from = page * sliceIds;
      let status: number = CoreStatus.ok;
      if (step !== 'layout') status = slice(graph, share, from, Math.min(ids, from + sliceIds));
      else if (page % 2 === share) status = exports.linkLayoutFrom(this.heaps.fork, graph, from);
      if (status !== CoreStatus.ok) return status;
    }
    return CoreStatus.ok;
  }
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

  /**
   * After the last block: hangs the edges into their vertices' groups. Pauses between slices. With helpers two threads do it, each at its
   * half of the vertices, and this thread only waits; where that does not work out, alone.
   */
  async link(pause: () => Promise<void>, helpers: LinkHelpers | null = null): Promise<number> {
    const { exports } = this.core.instance;
    exports.linkBegin();
    await this.slices(pause, (from, to) => {
      exports.linkCheck(this.graph, from, to);
      return CoreStatus.ok;
    });
    const helped = helpers === null ? 'not counted' : await this.linkBesides(helpers);
    if (helped === 'linked') {
      exports.linkEnd(this.graph);
      return CoreStatus.ok;
    }
    let status: number = CoreStatus.noMemory;
    if (helped === 'not counted') {
      if (helpers !== null) await this.clear(pause);
      status = await this.slices(pause, (from, to) => exports.linkCount(this.graph, from, to));
      if (status === CoreStatus.ok) {
        status = await this.slices(pause, (from) => exports.linkLayout(this.graph, from));
      }
    }
    exports.linkRelease();
    // What counting takes may not fit where the graph itself does.
    if (status !== CoreStatus.ok) await this.clear(pause);
    status = await this.slices(pause, (from, to) => exports.linkFill(this.graph, from, to));
    exports.linkEnd(this.graph);
    return status;
  }

  private async clear(pause: () => Promise<void>): Promise<void> {
    await this.slices(pause, (from, to) => {
      this.core.instance.exports.linkClear(this.graph, from, to);
      return CoreStatus.ok;
    });
  }

  /**
   * All of it by helpers. When they have no memory, the vertices' words have to be cleared; a layout that has begun can only be left
   * behind, so no other one may be made.
   */
  private async linkBesides(helpers: LinkHelpers): Promise<'linked' | 'not counted' | 'begun to lay out'> {
    const { exports } = this.core.instance;
    const { graph, ids } = this;
    const taken: HelperHeaps[] = [];
    const take = (): HelperHeaps => {
      const heaps = { scratch: exports.helperHeap() >>> 0, fork: exports.helperFork(graph) >>> 0 };
      taken.push(heaps);
      return heaps;
    };
    const both = [take(), take()] as const;
    let outcome: 'linked' | 'not counted' | 'begun to lay out' = 'not counted';
    if (taken.every(({ scratch, fork }) => scratch !== 0 && fork !== 0) && (await helpers.begin(both))) {
      const run = async (step: LinkPart['step']): Promise<boolean> => {
        const statuses = await helpers.run([
          { step, graph, share: 0, ids },
          { step, graph, share: 1, ids },
        ]);
        return statuses.every((status) => status === CoreStatus.ok);
      };
      if (await run('count')) {
        outcome = 'begun to lay out';
        if ((await run('layout')) && (await run('fill'))) outcome = 'linked';
      }
    }
    for (const { scratch, fork } of taken) {
      if (scratch !== 0) exports.helperHeapDrop(scratch);
      if (fork !== 0) exports.helperJoin(graph, fork);
    }
    return outcome;
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
