// One namespace of a replica: a snapshot of its writer's, then frame by frame what comes behind it, for as long as it is followed. Where the
// frames cannot be had any more, another snapshot takes the graph's place, as a restore does; readers notice a resync.
//
// Now and then the writer is asked for the hash of its state. The replica has no later one then, so it comes by that very state, and compares.

import type { Slices } from '../../core/slices.ts';
import { MemoryCheckpointStore } from '../../storage/memory-store.ts';
import { readCheckpoint } from '../checkpoint/manifest.ts';
import type { StartPoint } from '../checkpoint/types.ts';
import { isDocumentTransaction } from '../documents.ts';
import type { LiveGraph } from '../live-graph.ts';
import type { Crc32 } from '../log/crc32.ts';
import { ReplayRefused } from '../log-replay.ts';
import { unpack } from '../packages/spool.ts';
import type { HashedState, HistoryPosition } from '../state-hash.ts';
import { applyFrame } from './apply.ts';
import { type Frame, FramesUnreadable, framesAfter } from './frames.ts';
import type { LogPart, LogSource } from './log-source.ts';

const sliceLength = { ms: 4, steps: 64 };
const firstPauseMs = 100;
const longestPauseMs = 5_000;
/** Reads that find something begin so far apart. (At 3,000 writes a second this took 177 us of the replica's processor for each down to 111.) */
const readEveryMs = 5;

export interface FollowerParts {
  readonly name: string;
  readonly source: LogSource;
  /** Puts the state of a checkpoint in the place of the namespace's. */
  readonly replace: (start: StartPoint) => Promise<void>;
  /** The namespace's graph; throws when it has gone. */
  readonly graph: () => LiveGraph;
  readonly crc32: Crc32;
  readonly slices: Slices;
  readonly nowMs: () => number;
  readonly pauseMs: (ms: number, signal: AbortSignal) => Promise<void>;
  /** How often hashes are compared; null: never. */
  readonly verifyEveryMs: number | null;
  readonly signal: AbortSignal;
  /** The first state is there. */
  readonly ready: () => void;
  /** Frames were applied: milliseconds since the newest of them was committed. */
  readonly applied: (lagMs: number, headSequence: number) => void;
  readonly compared: (same: boolean, position: HistoryPosition) => void;
  readonly began: () => void;
  readonly failed: (error: unknown) => void;
}

export class Follower {
  private readonly parts: FollowerParts;
  private position: HistoryPosition | null = null;
  private verifiedMs: number;
  private check: HashedState | null = null;
  /** The source has been heard of what comes behind the graph's state. */
  private isHeard = false;
  /** When the next read may begin. */
  private readFromMs = Number.NEGATIVE_INFINITY;

  constructor(parts: FollowerParts) {
    this.parts = parts;
    this.verifiedMs = parts.nowMs();
  }

  /** Whether its graph is the state after the writer's commit that it says. */
  get isWhole(): boolean {
    return this.position !== null;
  }

  /** Runs until the signal ends it; never rejects. */
  async run(): Promise<void> {
    const { failed, pauseMs, signal } = this.parts;
    let isFirst = true;
    let wait = firstPauseMs;
    while (!signal.aborted) {
      try {
        // A graph that followed before goes on where it is, if the writer has what comes behind it.
        if (isFirst) this.position = this.parts.graph().position;
        isFirst = false;
        if (this.position === null) await this.begin();
        await this.next();
        wait = firstPauseMs;
      } catch (error) {
        if (signal.aborted) return;
        // What cannot be applied is another history, or was damaged on its way.
        if (error instanceof ReplayRefused || error instanceof FramesUnreadable) this.position = null;
        failed(error);
        await pauseMs(wait, signal);
        wait = Math.min(longestPauseMs, 2 * wait);
      }
    }
  }

  private async begin(): Promise<void> {
    const { began, crc32, graph, name, replace, signal, source } = this.parts;
    began();
    const store = new MemoryCheckpointStore();
    const file = 'snapshot';
    await unpack(await source.snapshot(name, signal), { store, name: file, crc32 });
    const { anchor } = await readCheckpoint(store, file, crc32);
    await replace({ store, name: file, log: 'restart', anyNamespace: true });
    this.check = null;
    this.moved(anchor);
    const first = await source.read(name, anchor, signal, true);
    if (first === null) throw new Error('The writer has let go of what comes behind its snapshot.');
    if (first.feed !== null) graph().changeFeed.follow(first.feed.epoch, first.feed.sequence);
    await this.apply(first);
    this.heard();
  }

  private heard(): void {
    if (!this.isHeard) this.parts.ready();
    this.isHeard = true;
  }

  private moved(position: HistoryPosition): void {
    this.position = position;
    this.parts.graph().followed = position;
  }

  private async next(): Promise<void> {
    const { name, nowMs, pauseMs, signal, source, verifyEveryMs } = this.parts;
    if (verifyEveryMs !== null && nowMs() - this.verifiedMs >= verifyEveryMs) {
      this.verifiedMs = nowMs();
      this.check = await source.hash(name, signal);
      await this.compare();
    }
    const early = this.readFromMs - nowMs();
    if (early > 0) await pauseMs(Math.ceil(early), signal);
    const beganMs = nowMs();
    const part = await source.read(name, this.position as HistoryPosition, signal, !this.isHeard);
    // Whoever waited for something new reads on at once.
    if (part !== null && part.blocks.length > 0) this.readFromMs = beganMs + readEveryMs;
    if (part === null) {
      this.position = null;
      return;
    }
    await this.apply(part);
    this.heard();
  }

  /** Applies frames in slices; readers come in between, and so does the state that is to be compared. */
  private async apply({ blocks, feed, headSequence }: LogPart): Promise<void> {
    const { applied, crc32, graph, nowMs, pauseMs, signal, slices } = this.parts;
    if (feed !== null && feed.epoch !== graph().changeFeed.epoch) graph().changeFeed.follow(feed.epoch, feed.sequence);
    let slice = slices(sliceLength);
    let last: Frame | null = null;
    for (const block of blocks) {
      for (const frame of framesAfter(block, this.position as HistoryPosition, crc32)) {
        await applyFrame(graph().followTarget, frame);
        this.moved({
          epoch: (this.position as HistoryPosition).epoch,
          sequence: frame.sequence,
          chain: frame.checksum,
        });
        if (feed !== null) this.alignFeed(frame.feedSequence);
        last = frame;
        if (isDocumentTransaction(frame.payload)) graph().extracts.recipesChanged();
        if (this.check?.position?.sequence === frame.sequence) await this.compare();
        if (this.position === null) return;
        if (!slice.isOver()) continue;
        await pauseMs(0, signal);
        signal.throwIfAborted();
        slice = slices(sliceLength);
      }
    }
    if (last !== null && last.committedMs > 0) applied(nowMs() - last.committedMs, headSequence);
  }

  /** What the writer published and this one did not, or the other way round, costs subscribers a resync. */
  private alignFeed(sequence: number): void {
    const { changeFeed } = this.parts.graph();
    if (changeFeed.newest !== sequence && sequence > 0) changeFeed.follow(changeFeed.epoch, sequence);
  }

  private async compare(): Promise<void> {
    const { compared, graph, signal } = this.parts;
    const { check, position } = this;
    const at = check?.position ?? null;
    if (check === null || at === null || position === null || at.sequence > position.sequence) return;
    this.check = null;
    if (at.sequence !== position.sequence || at.epoch !== position.epoch) return;
    const { hash } = await graph().runs.stateHash(signal);
    compared(hash === check.hash, position);
    // A state that differs is given up, whoever has it right.
    if (hash !== check.hash) this.position = null;
  }
}
