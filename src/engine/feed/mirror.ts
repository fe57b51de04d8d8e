// A feed's events on their way to another thread: the tail copies what the ring has got since it was last asked, with the names that are
// new in it; the mirror's feed puts both into a ring of its own, under the same sequence numbers. Nothing here is per subscriber.
//
// Events that the ring has overwritten before the tail came to them leave a gap. The mirror goes on behind it with an empty ring, so
// each of its subscribers finds itself overtaken and gets one resync, as it would on the feed's own thread.

import { recordWords } from './events.ts';
import type { NameResolver } from './names.ts';
import type { EventRing } from './ring.ts';

/** Events `first` .. in a row, as a message between threads. */
export interface FeedBatch {
  readonly first: number;
  /** Records of the ring, with its numbers of names and their commit times. */
  readonly records: Uint32Array<ArrayBuffer>;
  /** Another one than before: numbers of names that were sent earlier mean nothing any more. */
  readonly generation: number;
  /** Names that have not been sent in this generation; the first of them has number `firstName`. */
  readonly firstName: number;
  readonly names: readonly string[];
}

/** What of a ring has still to be sent. */
export class FeedTail {
  readonly #ring: EventRing;
  #sent: number;
  #generation = -1;
  #sentNames = 0;

  /** Begins with the oldest event of the ring. */
  constructor(ring: EventRing) {
    this.#ring = ring;
    this.#sent = ring.oldest - 1;
  }

  get isAtHead(): boolean {
    return this.#sent === this.#ring.newest;
  }

  /** The next events, `limit` at most. The first batch of all may have none: it says where the ring stands. */
  next(limit: number): FeedBatch {
    const ring = this.#ring;
    const { names } = ring;
    const first = Math.max(this.#sent + 1, ring.oldest);
    const last = Math.min(ring.newest, first + limit - 1);
    if (names.generation !== this.#generation) this.#sentNames = 0;
    const firstName = this.#sentNames;
    this.#generation = names.generation;
    this.#sentNames = names.size;
    this.#sent = last;
    return {
      first,
      records: ring.copy(first, last),
      generation: names.generation,
      firstName,
      names: names.from(firstName),
    };
  }
}

/** The other end: puts batches into a ring. */
export class FeedMirror {
  readonly #ring: EventRing;
  #generation = -1;
  #texts: string[] = [];
  #resolver: NameResolver = () => '';

  constructor(ring: EventRing) {
    this.#ring = ring;
  }

  take({ first, records, generation, firstName, names }: FeedBatch): void {
    if (generation !== this.#generation) {
      const texts: string[] = [];
      this.#texts = texts;
      this.#generation = generation;
      // Another function for other numbers: the ring's table keeps what it knows by it.
      this.#resolver = (number) => texts[number] as string;
    }
    for (const [index, name] of names.entries()) this.#texts[firstName + index] = name;
    if (first !== this.#ring.newest + 1) this.#ring.skipTo(first - 1);
    if (records.length >= recordWords) this.#ring.append(records, this.#resolver, null);
  }
}
