// Room for a graph that is put together again: from a checkpoint, from its log. What was acknowledged once must fit again under the same
// limit, though it comes in another order, without the room that was made ahead (assembly/transaction/reserve.ts), and beside a checkpoint
// that lies in memory differently.
//
// What the contents themselves take is the same as it was: elements, rows, values, names and indexes are made by the same
// transactions. What can be more is slack between the groups of adjacency, buffers, and pages of which only a part is in use. So when a
// transaction does not fit, in this order: buffers go back; adjacency is squeezed where that gives back a good part of the limit, and
// grows with little slack from then on; headroom is lent, in steps, so that squeezing comes first again; all slack goes. Once everything
// stands, the headroom ends. What lies in it stays, but nothing is added until there is less.

import type { Applied, Core } from './core.ts';
import type { WriteRefusal } from './requests.ts';
import { CoreStatus } from './status.ts';

/** Headroom is lent by this part of the limit. */
const lentPart = 16;
/** Squeezing costs a copy of all adjacency: it is worth that when it gives back this part of the limit, */
const slackPart = 64;
/** and when as many bytes of transactions as this part of the limit have come since the last time. */
const writtenPart = 16;
const pageBytes = 65_536;
const pageIds = 65_536;

export class Room {
  private readonly core: Core;
  private graph = 0;
  private readonly limitPages: number;
  private lentPages = 0;
  /** Bytes of transactions since the last squeeze. */
  private written = Number.POSITIVE_INFINITY;

  /** Lends all headroom until `begin`. */
  constructor(core: Core) {
    this.core = core;
    this.limitPages = core.limitPages;
    this.lendAll();
  }

  /** Until `begin`: for what is done at once or not at all, loading a checkpoint and linking edges. */
  lendAll(): void {
    this.core.instance.exports.memoryLend(2 * this.limitPages);
  }

  /** The graph is there; what comes are transactions. */
  begin(graph: number): void {
    this.graph = graph;
    this.core.instance.exports.memoryLend(this.lentPages);
    this.core.trimBuffers();
  }

  /** Applies a transaction of the log, and makes room as often as it does not fit and there is some to be had. */
  apply(transaction: Uint8Array): Applied | WriteRefusal {
    this.written += transaction.length;
    let applied = this.core.applyBytes(this.graph, transaction, false);
    while (!applied.ok && applied.status === CoreStatus.noMemory && this.make()) {
      applied = this.core.applyBytes(this.graph, transaction, false);
    }
    return applied;
  }

  private make(): boolean {
    const { exports } = this.core.instance;
    const limitBytes = this.limitPages * pageBytes;
    const isWorthIt = exports.graphSlack(this.graph) >>> 0 > limitBytes / slackPart;
    if (isWorthIt && this.written > limitBytes / writtenPart && this.squeeze()) return true;
    const before = this.lentPages;
    exports.memoryLend(before + Math.ceil(this.limitPages / lentPart));
    // How much of that there was to lend is the core's to say.
    this.lentPages = exports.memoryLend(before + Math.ceil(this.limitPages / lentPart));
    return this.lentPages > before || this.squeeze();
  }

  /** Everything stands. */
  end(): void {
    const { exports } = this.core.instance;
    exports.memoryLend(0);
    this.core.trimBuffers();
    if (exports.pagesOver() > 0) this.squeeze();
    exports.graphTight(0);
  }

  /** Whether pages came free. What a squeeze needs itself is little, and lent. */
  private squeeze(): boolean {
    const { core, graph } = this;
    const { exports } = core.instance;
    const before = exports.pagesUsed();
    this.written = 0;
    core.trimBuffers();
    core.instance.lending(() => {
      for (let base = 0; base < core.nextId(graph); base += pageIds) exports.graphSqueeze(graph, base);
    });
    return exports.pagesUsed() < before;
  }
}
