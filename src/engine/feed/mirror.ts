// A feed's events on their way to another thread: the tail copies what the ring has got since it was last asked, with the names that are
// new in it; the mirror's feed puts both into a ring of its own, under the same sequence numbers. Nothing here is per subscriber.
//
// The ring keeps events until the tail has come to them, as many as it may; those that it has overwritten leave a gap. The mirror goes on
// behind it with an empty ring: each of its subscribers gets what was queued before, and then one resync.

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

  /** The last event that is not needed from the ring any more. */
  get cursor(): number {
    return this.#sent;
  }

  get isAtHead(): boolean {
    return this.#sent === this.#ring.newest;
  }

  /** The next events, `limit` at most. The first batch of all may have none: it says where the ring stands. */
  next(limit: number): FeedBatch {
    const ring = this.#ring;
    const { names } = ring;
    const first = Math.max(this.#sent + 1, ring.oldestKept);
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

/** The other end: understands batches. */
export class FeedMirror {
  #generation = -1;
  #texts: string[] = [];
  #resolver: NameResolver = () => '';

  /** What says the names of the batch's records. */
  resolverOf({ generation, firstName, names }: FeedBatch): NameResolver {
    if (generation !== this.#generation) {
      const texts: string[] = [];
      this.#texts = texts;
      this.#generation = generation;
      // Another function for other numbers: the ring's table keeps what it knows by it.
      this.#resolver = (number) => texts[number] as string;
    }
    for (const [index, name] of names.entries()) this.#texts[firstName + index] = name;
    return this.#resolver;
  }
}
