// Applying a log to the empty graph. Edges are not hung into the groups of their vertices one by one, where each would make some group
// move or grow: they are linked all at once at the end, as those of a checkpoint are (assembly/checkpoint/link.ts). A transaction that
// has to see them makes that happen earlier; from there on every edge is linked as it comes.
//
// Measured (npm run bench -- start --vertices 2000000, 2 × Xeon 2.6 GHz, 6d30252): 22.8 s → 5.5 s for 58 M elements, 7.1 s → 2.0 s for 20 M.

import { GraphLoader, type LinkHelpers } from '../core/checkpoint.ts';
import type { Core } from '../core/core.ts';
import type { Room } from '../core/room.ts';
import { CoreStatus } from '../core/status.ts';
import type { LoadHelpers } from './checkpoint/load.ts';
import { type Documents, isDocumentTransaction } from './documents.ts';

/** A logged transaction that the core does not take again: less memory than it once had, or a log of another core. */
export class ReplayRefused extends Error {
  override readonly name = 'ReplayRefused';
}

/** Words of the transaction buffer (assembly/transaction/format.ts). */
const firstIdAt = 36;
const createCountAt = 40;

export interface ReplayTarget {
  readonly core: Core;
  readonly graph: number;
  readonly room: Room;
  readonly documents: Documents;
  readonly pause: () => Promise<void>;
  readonly helpers: LoadHelpers | null;
}

/** Nobody reads the graph before `end` has settled. */
export class LogReplay {
  private readonly target: ReplayTarget;
  private isUnlinked: boolean;

  constructor(target: ReplayTarget) {
    this.target = target;
    this.isUnlinked = target.core.instance.exports.linkDefer(target.graph) !== 0;
  }

  /**
   * Applies one logged transaction and checks that it hands out the ids it once did; a promise where that takes a while. Throws, or rejects
   * with, ReplayRefused.
   */
  apply(payload: Uint8Array, sequence: number): Promise<void> | undefined {
    const applied = this.target.room.apply(payload);
    if (applied.ok) {
      this.check(payload, sequence, applied.firstId);
      return undefined;
    }
    if (applied.status === CoreStatus.notLinked && this.isUnlinked) return this.applyLinked(payload, sequence);
    throw new ReplayRefused(
      `The core refuses the logged transaction with sequence ${sequence}: ${nameOf(applied.status)}.`,
    );
  }

  private async applyLinked(payload: Uint8Array, sequence: number): Promise<void> {
    await this.link(`before the logged transaction with sequence ${sequence}`);
    await this.apply(payload, sequence);
  }

  /** After the last transaction. */
  async end(): Promise<void> {
    if (this.isUnlinked) await this.link('at the end of the log');
  }

  private check(payload: Uint8Array, sequence: number, firstId: number): void {
    const words = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
    const creates = words.getUint32(createCountAt, true);
    if (creates > 0 && words.getInt32(firstIdAt, true) !== firstId) {
      throw new ReplayRefused(
        `The logged transaction with sequence ${sequence} began at id ${words.getInt32(firstIdAt, true)}, now at ${firstId}.`,
      );
    }
    if (isDocumentTransaction(payload)) this.target.documents.apply(payload);
  }

  private async link(when: string): Promise<void> {
    const { core, graph, room, pause, helpers } = this.target;
    this.isUnlinked = false;
    room.lendAll();
    const ids = core.nextId(graph);
    const taken: LinkHelpers | null = helpers !== null && ids >= helpers.fromIds ? helpers.take(core) : null;
    try {
      const status = await new GraphLoader(core, graph, ids).link(pause, taken);
      if (status === CoreStatus.ok) return;
      throw new ReplayRefused(`The core cannot link the edges ${when}: ${nameOf(status)}.`);
    } finally {
      taken?.end();
      room.begin(graph);
    }
  }
}

function nameOf(status: number): string | number {
  return Object.entries(CoreStatus).find(([, one]) => one === status)?.[0] ?? status;
}
