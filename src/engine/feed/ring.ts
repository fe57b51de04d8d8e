// The last events of one namespace, as records in one typed array that starts small and doubles up to what is kept. Writing an event
// copies six words and makes no object. Sequence numbers are not stored: they follow from the position. Knows no subscriber.
//
// What can be replayed is the window, `limit` events. More are kept while somebody has still to get them.
//
// Invariants: numbers run from 1 without gaps; `oldestKept` .. `newest` are readable, and `oldest` is one of them, or `newest` + 1 when
// nothing is readable.

import { noName, recordWords, resync, type StoredReason, storedReasons } from './events.ts';
import { type NameResolver, NameTable } from './names.ts';

const firstCapacity = 64;
const timeWord = 6;
/** Names may outnumber the ring's slots by this factor before the table is rewritten; an event has two at most. */
const namesPerSlot = 4;
const namesAlwaysKept = 1024;

export class EventRing {
  readonly names = new NameTable();
  #limit: number;
  /** Events kept, at least `limit`. */
  #kept: number;
  #capacity: number;
  #words: Uint32Array;
  #times: Float64Array;
  #newest = 0;
  #count = 0;
  /** Slot of the next event. */
  #next = 0;

  /** `limit`: events kept, at least 1. */
  constructor(limit: number) {
    this.#limit = Math.max(1, limit);
    this.#kept = this.#limit;
    this.#capacity = Math.min(this.#limit, firstCapacity);
    this.#words = new Uint32Array(this.#capacity * recordWords);
    this.#times = new Float64Array(this.#words.buffer);
  }

  get newest(): number {
    return this.#newest;
  }

  /** Of the window. */
  get oldest(): number {
    return this.#newest - Math.min(this.#count, this.#limit) + 1;
  }

  get oldestKept(): number {
    return this.#newest - this.#count + 1;
  }

  /** How many events are kept. */
  get kept(): number {
    return this.#kept;
  }

  /** Keeps so many events from now on, the window at least. */
  keep(events: number): void {
    this.#kept = Math.max(this.#limit, events);
    if (this.#capacity > this.#kept) this.#relay(this.#kept);
  }

  /** The records; replaced when the ring grows, so not to be kept across an append. */
  get words(): Uint32Array {
    return this.#words;
  }

  /** First word of the record of `sequence`, which must be readable. */
  recordAt(sequence: number): number {
    const slot = this.#next - 1 - (this.#newest - sequence);
    return (slot < 0 ? slot + this.#capacity : slot) * recordWords;
  }

  /** Commit time of the record, in Unix milliseconds. */
  timeAt(record: number): number {
    return this.#times[(record + timeWord) >> 1] as number;
  }

  /**
   * Appends the records of one transaction. More than fit leave only the last ones, but take their numbers all the same.
   * `committedMs`: null when the records come from another ring and carry their times.
   */
  append(changes: Uint32Array, resolver: NameResolver, committedMs: number | null): void {
    const count = Math.floor(changes.length / recordWords);
    this.#makeRoom(count);
    const capacity = this.#capacity;
    const skipped = Math.max(0, count - capacity);
    const words = this.#words;
    const times = this.#times;
    const names = this.names;
    let next = this.#next;
    for (let from = skipped * recordWords; from < count * recordWords; from += recordWords) {
      const to = next * recordWords;
      words[to] = (changes[from] as number) & 0xffff;
      words[to + 1] = changes[from + 1] as number;
      words[to + 2] = names.numberOf(changes[from + 2] as number, resolver);
      words[to + 3] = names.numberOf(changes[from + 3] as number, resolver);
      words[to + 4] = changes[from + 4] as number;
      words[to + 5] = changes[from + 5] as number;
      if (committedMs !== null) times[(to + timeWord) >> 1] = committedMs;
      else {
        words[to + timeWord] = changes[from + timeWord] as number;
        words[to + timeWord + 1] = changes[from + timeWord + 1] as number;
      }
      next = next + 1 === capacity ? 0 : next + 1;
    }
    this.#next = next;
    this.#newest += count;
    this.#count = Math.min(capacity, this.#count + count);
  }

  /** Copies of the records `first` .. `last`, which must be readable, with this ring's numbers of names and their times. */
  copy(first: number, last: number): Uint32Array<ArrayBuffer> {
    const copied = new Uint32Array((last - first + 1) * recordWords);
    if (copied.length === 0) return copied;
    const start = this.recordAt(first);
    const head = this.#words.subarray(start, Math.min(this.#words.length, start + copied.length));
    copied.set(head);
    copied.set(this.#words.subarray(0, copied.length - head.length), head.length);
    return copied;
  }

  /** Goes on behind `sequence`, with nothing that could be read: the events up to there are not known here. */
  skipTo(sequence: number): void {
    this.#newest = sequence;
    this.#count = 0;
  }

  appendResync(reason: StoredReason, committedMs: number): void {
    this.append(
      Uint32Array.of(resync, storedReasons.indexOf(reason), noName, noName, 0, 0, 0, 0),
      neverAsked,
      committedMs,
    );
    this.names.forget();
  }

  /** Keeps `limit` events from now on; fewer than before drops the oldest. */
  setLimit(limit: number): void {
    const isExtended = this.#kept > this.#limit;
    this.#limit = Math.max(1, limit);
    this.keep(isExtended ? this.#kept : this.#limit);
  }

  #makeRoom(count: number): void {
    const wanted = Math.min(this.#kept, this.#count + count);
    if (wanted > this.#capacity) this.#relay(Math.min(this.#kept, Math.max(wanted, this.#capacity * 2)));
    if (this.names.size > this.#capacity * namesPerSlot + namesAlwaysKept) this.#rewriteNames();
  }

  /** Moves the newest events into an array of `capacity` slots, oldest first. */
  #relay(capacity: number): void {
    const words = new Uint32Array(capacity * recordWords);
    const count = Math.min(this.#count, capacity);
    words.set(this.copy(this.#newest - count + 1, this.#newest));
    this.#words = words;
    this.#times = new Float64Array(words.buffer);
    this.#capacity = capacity;
    this.#count = count;
    this.#next = count === capacity ? 0 : count;
  }

  #rewriteNames(): void {
    const carry = this.names.rewrite();
    const words = this.#words;
    for (let sequence = this.oldestKept; sequence <= this.#newest; sequence++) {
      const record = this.recordAt(sequence);
      words[record + 2] = carry(words[record + 2] as number);
      words[record + 3] = carry(words[record + 3] as number);
    }
  }
}

function neverAsked(): never {
  throw new Error('A resync has no names');
}
