// What one subscriber has still to get: a cursor into the ring and a few numbers. Answers exactly what a queue of `queueSize` events
// that pass its filter would hold, which takes each event when it is published and drops it when full; it may be computed
// as late as the next take, because only a take makes room. Knows no streams and no time of its own.
//
//   cursor            admitted                 scanned = newest seen
//     | queued events    | dropped events          |         published since, not looked at yet
//
// Order of delivery: a seek's resync, the queued events, then one resync `overflow` if anything was dropped, then what follows
// `scanned`. While that resync waits, everything new is dropped into it. A subscriber that waits with nothing queued is not slow:
// what is published meanwhile is its own, however much. Nor does what a subscription replays count against its queue size.
// Before the ring overwrites events behind the cursor, `keep` takes those that are queued out of it, as the text that will be sent.
// When it has overwritten them all the same (a gap in a mirror), all that was queued is dropped.

import { type ChangeFilter, matches } from './filter.ts';
import type { FrameCache } from './frames.ts';
import type { EventRing } from './ring.ts';

export interface BacklogStart {
  /** Null: every event. */
  readonly filter: ChangeFilter | null;
  /** Events, at least 1. */
  readonly queueSize: number;
  /** The last event that is not to be delivered. */
  readonly position: number;
  /** Whether the wanted position could not be served, which the subscriber is told first. */
  readonly outOfRange: boolean;
}

/** Events that may be kept as text at least: a burst that its subscriber was waiting for, or a replay, is longer than the queue. */
const mostKept = 8192;

interface KeptChunk {
  readonly bytes: Uint8Array;
  readonly events: number;
}

export class Backlog {
  readonly #ring: EventRing;
  readonly #frames: FrameCache;
  readonly #filter: ChangeFilter | null;
  readonly #queueSize: number;
  #outOfRange: boolean;
  readonly #position: number;
  readonly #kept: KeptChunk[] = [];
  #keptEvents = 0;
  #cursor: number;
  #admitted: number;
  #scanned: number;
  #queued = 0;
  /** The last event dropped; 0: none. */
  #dropped = 0;

  constructor(ring: EventRing, frames: FrameCache, start: BacklogStart) {
    this.#ring = ring;
    this.#frames = frames;
    this.#filter = start.filter;
    this.#queueSize = start.queueSize;
    this.#outOfRange = start.outOfRange;
    this.#position = start.position;
    this.#cursor = start.position;
    this.#admitted = start.position;
    this.#scanned = start.position;
    this.#admit(Number.POSITIVE_INFINITY);
  }

  /** The next chunk, null when there is nothing. `waited`: the last take answered null and the subscriber has been waiting since. */
  take(waited: boolean, nowMs: number): Uint8Array | null {
    if (this.#outOfRange) {
      this.#outOfRange = false;
      return this.#frames.resync('seekOutOfRange', this.#position, nowMs);
    }
    this.#dropLost();
    this.#admit(waited ? Number.POSITIVE_INFINITY : this.#queueSize);
    const kept = this.#kept.shift();
    if (kept !== undefined) {
      this.#keptEvents -= kept.events;
      return kept.bytes;
    }
    if (this.#queued > 0) return this.#chunk();
    this.#cursor = this.#admitted;
    if (this.#dropped === 0) return null;
    const frame = this.#frames.resync('overflow', this.#dropped, nowMs);
    this.#dropped = 0;
    this.#cursor = this.#scanned;
    this.#admitted = this.#scanned;
    return frame;
  }

  /** The last event that is not needed from the ring any more. */
  get cursor(): number {
    return this.#cursor;
  }

  /** The ring is about to overwrite events up to `upTo`: afterwards none of them is needed from there. Call it again for the next ones. */
  keep(upTo: number): void {
    if (this.#cursor >= upTo) return;
    this.#dropLost();
    this.#admit(this.#queueSize);
    const most = Math.max(this.#queueSize, mostKept);
    while (this.#queued > 0 && this.#cursor < upTo) {
      if (this.#keptEvents >= most) {
        this.#dropAll();
        break;
      }
      const before = this.#queued;
      const bytes = this.#chunk();
      this.#kept.push({ bytes, events: before - this.#queued });
      this.#keptEvents += before - this.#queued;
    }
    if (this.#queued > 0) return;
    // What was dropped is not needed either.
    this.#cursor = this.#dropped === 0 ? this.#admitted : this.#scanned;
    this.#admitted = this.#cursor;
  }

  /** Lets events published since into the queue, up to `limit` with what is kept. */
  #admit(most: number): void {
    const limit = most - this.#keptEvents;
    const newest = this.#ring.newest;
    if (this.#filter) this.#admitMatching(this.#filter, newest, limit);
    else {
      if (this.#dropped === 0) {
        const taken = Math.max(0, Math.min(newest - this.#scanned, limit - this.#queued));
        this.#queued += taken;
        this.#admitted += taken;
      }
      if (this.#admitted < newest && this.#scanned < newest) this.#dropped = newest;
    }
    this.#scanned = newest;
  }

  #admitMatching(filter: ChangeFilter, newest: number, limit: number): void {
    for (let sequence = this.#scanned + 1; sequence <= newest; sequence++) {
      if (!matches(filter, this.#ring, this.#ring.recordAt(sequence))) continue;
      if (this.#dropped === 0 && this.#queued < limit) {
        this.#queued++;
        continue;
      }
      if (this.#dropped === 0) this.#admitted = sequence - 1;
      this.#dropped = sequence;
    }
    if (this.#dropped === 0) this.#admitted = newest;
  }

  #chunk(): Uint8Array {
    const filter = this.#filter;
    const ring = this.#ring;
    if (!filter) {
      const run = this.#frames.run(this.#cursor + 1, this.#admitted);
      this.#queued -= run.last - this.#cursor;
      this.#cursor = run.last;
      return run.bytes;
    }
    const wanted = (sequence: number): boolean => matches(filter, ring, ring.recordAt(sequence));
    const run = this.#frames.pick(this.#cursor + 1, this.#admitted, wanted);
    this.#queued -= run.count;
    this.#cursor = this.#queued === 0 ? this.#admitted : run.last;
    return run.bytes;
  }

  #dropLost(): void {
    if (this.#cursor < this.#ring.oldestKept - 1) this.#dropAll();
  }

  #dropAll(): void {
    this.#queued = 0;
    this.#admitted = this.#cursor;
    this.#scanned = this.#ring.newest;
    this.#dropped = this.#ring.newest;
  }
}
