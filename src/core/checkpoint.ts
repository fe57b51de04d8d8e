// Checkpoint blocks at the core's boundary: one is written by any instance (announced, if it is a reader's), and a graph is put
// together from them by the writer. What stands in a block is the core's business (assembly/checkpoint/format.ts).

import { ColumnPages } from './column-pages.ts';
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
  readonly step: 'check' | 'count' | 'layout' | 'fill';
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
  /** What it has in common with the writer. */
  readonly shared: number;
}

/** Two threads, each with an instance over the memory that is being loaded. Rejects when one of them has ended: the memory is lost then. */
export interface LinkHelpers {
  /** One of them touches the pages (column-pages.ts) while the writer reads blocks; nothing else may be asked meanwhile. */
  touch(pages: ColumnPages): Promise<void>;
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
    exports.linkJoin(this.heaps.shared);
    return exports.coreAttachHelper(this.heaps.scratch) !== 0;
  }

  /**
   * Answers the first status that is not ok. In slices all the same, though nobody waits between them: a call that has begun in
   * code compiled in haste stays there to its end.
   */
  run(part: LinkPart): number {
    const { exports } = this.instance;
    const { step, graph, share, ids } = part;
    const all = slices(ids);
    for (const [from, to] of step === 'fill' ? all.toReversed() : all) {
      const isOwn = (from / sliceIds) % 2 === share;
      let status: number = CoreStatus.ok;
      if (step === 'count') status = exports.linkCountShare(graph, share, from, to);
      else if (step === 'fill') status = exports.linkFillShare(graph, share, from, to);
      else if (step === 'layout' && isOwn) status = exports.linkLayoutFrom(this.heaps.fork, graph, from);
      else if (step === 'check' && isOwn) exports.linkCheckShare(graph, from, to);
      if (status !== CoreStatus.ok) return status;
    }
    if (step === 'fill') for (const [from, to] of all) exports.linkCloseShare(graph, share, from, to);
    return CoreStatus.ok;
  }
}

/** Puts one graph together. Every method answers a status; after any but ok the graph is good for nothing but to be dropped. */
export class GraphLoader {
  private readonly core: Core;
  private readonly graph: number;
  private readonly ids: number;
  private pages: ColumnPages | null = null;
  private touched: Promise<void> | null = null;

  /** `graph` is empty; all ids will be below `ids`. */
  constructor(core: Core, graph: number, ids: number) {
    this.core = core;
    this.graph = graph;
    this.ids = ids;
  }

  /** With helpers, one of them is at work until `settle`. */
  begin(helpers: LinkHelpers | null = null): number {
    const status = this.core.instance.exports.loadBegin(this.graph, this.ids);
    if (helpers === null || status !== CoreStatus.ok) return status;
    this.pages = ColumnPages.of(this.core, this.graph, this.ids);
    this.touched = helpers.touch(this.pages);
    this.touched.catch(() => {}); // whoever settles it hears of it
    return status;
  }

  /** After the last block, or instead of more: no helper touches anything any more. Rejects when one has ended. */
  async settle(): Promise<void> {
    this.pages?.takeAll();
    await this.touched;
  }

  /** Whether a block of that many ids from `first` on may be added now; it may in a millisecond, otherwise. */
  isFree(first: number, count: number): boolean {
    return this.pages === null || this.pages.take(first, count);
  }

  /** Blocks may come in any order, each when its ids are free. */
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
    const helped = helpers === null ? 'nothing' : await this.linkBesides(helpers, pause);
    if (helped === 'nothing') await this.checkAll(pause);
    let status: number = helped === 'linked' ? CoreStatus.ok : CoreStatus.noMemory;
    if (helped === 'nothing' || helped === 'checked') {
      if (helped === 'checked') await this.clear(pause);
      status = await this.layOut(pause);
    }
    exports.linkRelease();
    if (status === CoreStatus.ok && helped !== 'linked') status = await this.fill(pause);
    if (status !== CoreStatus.ok) {
      // What counting takes may not fit where the graph itself does.
      await this.clear(pause);
      status = await this.slices(pause, (from, to) => exports.linkAdd(this.graph, from, to));
    }
    exports.linkEnd(this.graph);
    return status;
  }

  private async checkAll(pause: () => Promise<void>): Promise<void> {
    await this.slices(pause, (from, to) => {
      this.core.instance.exports.linkCheck(this.graph, from, to);
      return CoreStatus.ok;
    });
  }

  private async layOut(pause: () => Promise<void>): Promise<number> {
    const { exports } = this.core.instance;
    const status = await this.slices(pause, (from, to) => exports.linkCount(this.graph, from, to));
    if (status !== CoreStatus.ok) return status;
    return this.slices(pause, (from) => exports.linkLayout(this.graph, from));
  }

  private async fill(pause: () => Promise<void>): Promise<number> {
    const { exports } = this.core.instance;
    const lastFirst = slices(this.ids).toReversed();
    const status = await this.slices(pause, (from, to) => exports.linkFill(this.graph, from, to), lastFirst);
    if (status !== CoreStatus.ok) return status;
    return this.slices(pause, (from, to) => {
      exports.linkClose(this.graph, from, to);
      return CoreStatus.ok;
    });
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
  private async linkBesides(
    helpers: LinkHelpers,
    pause: () => Promise<void>,
  ): Promise<'linked' | 'checked' | 'begun to lay out' | 'nothing'> {
    const { exports } = this.core.instance;
    const { graph, ids } = this;
    const shared = exports.linkShared() >>> 0;
    if (shared === 0) return 'nothing';
    const taken: HelperHeaps[] = [];
    const take = (): HelperHeaps => {
      const heaps = { scratch: exports.helperHeap() >>> 0, fork: exports.helperFork(graph) >>> 0, shared };
      taken.push(heaps);
      return heaps;
    };
    const both = [take(), take()] as const;
    let outcome: 'linked' | 'checked' | 'begun to lay out' | 'nothing' = 'nothing';
    if (taken.every(({ scratch, fork }) => scratch !== 0 && fork !== 0) && (await helpers.begin(both))) {
      const run = async (step: LinkPart['step']): Promise<boolean> => {
        const statuses = await helpers.run([
          { step, graph, share: 0, ids },
          { step, graph, share: 1, ids },
        ]);
        return statuses.every((status) => status === CoreStatus.ok);
      };
      if (await run('check')) {
        if (exports.linkChecked() === 0) await this.checkAll(pause);
        outcome = 'checked';
        if (await run('count')) {
          outcome = 'begun to lay out';
          if ((await run('layout')) && (await run('fill'))) outcome = 'linked';
        }
      }
    }
    for (const { scratch, fork } of taken) {
      if (scratch !== 0) exports.helperHeapDrop(scratch);
      if (fork !== 0) exports.helperJoin(graph, fork);
    }
    return outcome;
  }

  private async slices(
    pause: () => Promise<void>,
    run: (from: number, to: number) => number,
    order: Iterable<Slice> = slices(this.ids),
  ): Promise<number> {
    for (const [from, to] of order) {
      const status = run(from, to);
      if (status !== CoreStatus.ok) return status;
      await pause();
    }
    return CoreStatus.ok;
  }
}

type Slice = readonly [from: number, to: number];

function slices(ids: number): readonly Slice[] {
  const all: Slice[] = [];
  for (let from = 0; from < ids; from += sliceIds) all.push([from, Math.min(ids, from + sliceIds)]);
  return all;
}
