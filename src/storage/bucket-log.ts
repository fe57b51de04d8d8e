// A shared log and its owner over objects of a bucket alone: two kinds of puts that hold only on a condition decide who writes.
//
//   <prefix>owner            the owner, a JSON text, replaced on condition of its tag: term, holder, lease, a beat that makes each one another,
//                            the log's first frame, up to where older objects have been deleted, and the frame up to which it was known to
//                            reach: a log that ends before has lost its newest objects
//   <prefix>log/<12 digits>/<3 digits>
//                            what begins with the frame of that number, put where there is none:
//                            u32 CRC-32 of the rest, u8 version 1, u8 kind (1 batch, 2 fence), u16 0, u32 frames, u64 term, u64 first frame,
//                            then the batch
//   <prefix>packs/<15 digits>
//                            the objects of a stretch of frames once more (bucket-packs.ts)
//
// Who takes the log raises the term, and then puts a *fence*, a batch of one frame without bytes, in the first free place. What the one before
// still puts is meant for that place, or for one before it that is taken: it is refused however late it comes. Only with the fence in its place,
// and the term still its own behind it, has a taker the log. One that finds a later fence has lost it.
//
// Fences are never deleted, so that the place of a put that is under way for days is not free again. Everything else below the first frame is.
// The first frame stands in the owner's object: who was replaced cannot move it, so what a taker reads stays there while it reads.
//
// A bucket has no clock to ask. A lease runs from the moment at which an observer saw the owner's object change, by the observer's clock.

import { type Checksum, decodedEntry, type Entry, EntryNames, encodedEntry, LogDamaged } from './bucket-entries.ts';
import { Packs } from './bucket-packs.ts';
import type { ObjectStore, PutOnce, StoredObject } from './objects.ts';
import {
  type AppendOutcome,
  type LogBatch,
  type LogOwner,
  type LogOwnership,
  LogTruncated,
  type SharedLog,
} from './shared-log.ts';

/** Objects that are deleted at once, and that are fetched at once where the log goes on for long. */
const atOnce = 16;
const mostAtOnce = 64;
/** Of one read, about. */
const mostBatches = 256;
/** Attempts of a fence whose put has no answer. */
const mostFences = 4;

interface OwnerText {
  readonly format: 1;
  readonly term: number;
  readonly holder: string;
  /** Of the instance that holds it: two that want the same term put different texts. */
  readonly instance: string;
  readonly leaseMs: number;
  readonly beat: number;
  readonly first: number;
  /** No object but fences is left below it. */
  readonly cleared: number;
  /** All frames below it were there. */
  readonly end: number;
}

const nobody: OwnerText = {
  ...{ format: 1, term: 0, holder: '', instance: '', leaseMs: 0, beat: 0, first: 1, cleared: 1, end: 1 },
};

interface KnownOwner {
  readonly text: OwnerText;
  /** Null: there is none yet. */
  readonly tag: string | null;
  readonly seenMs: number;
}

export interface BucketLogOptions {
  readonly store: ObjectStore;
  /** Of the names of all its objects. */
  readonly prefix: string;
  /** Continues 0 over `bytes` from `start` to `end`. */
  readonly crc32: Checksum;
  /** A clock that never goes back; only leases know it. */
  readonly nowMs: () => number;
  /** Missing: 256. */
  readonly packFrames?: number;
}

export class BucketLog implements SharedLog, LogOwnership {
  private readonly options: BucketLogOptions;
  private readonly entries: PutOnce;
  private readonly names: EntryNames;
  private readonly instance = crypto.randomUUID();
  private known: KnownOwner | null = null;
  /** Under which this instance may append; 0: it may not. */
  private term = 0;
  /** Where the next batch belongs, while it may. */
  private next = 1;
  /** Where the objects begin that this instance has seen, one behind the other, up to `seenEnd`. */
  private starts: number[] = [];
  private seenEnd = 0;
  private readonly fences = new Set<number>();
  private readonly packs: Packs;
  /** Where the last read ended, and for how many objects at once it asked there. */
  private lastRead = { end: 0, count: 1 };
  private turn: Promise<unknown> = Promise.resolve();
  private clearing: Promise<void> = Promise.resolve();
  private isGivenUp = false;

  constructor(options: BucketLogOptions) {
    this.options = options;
    this.entries = options.store.once ?? options.store;
    this.names = new EntryNames(options.prefix);
    this.packs = new Packs({ ...options, entries: this.entries });
  }

  /** A batch at a time: another one before the first has an outcome is a conflict. */
  async append(batch: LogBatch): Promise<AppendOutcome> {
    const { bytes, firstSequence, frameCount, term } = batch;
    if (term !== this.term) return 'fenced';
    if (firstSequence !== this.next) return 'conflict';
    try {
      const sealed = encodedEntry({ ...batch, isFence: false }, this.options.crc32);
      const isTaken = (await this.entries.putIfAbsent(this.names.of(firstSequence), sealed)).taken;
      if (!isTaken) {
        const there = await this.entryAt(firstSequence);
        if (there === null) return 'unknown';
        if (there.term > term) return 'fenced';
        const isThis = there.term === term && there.frameCount === frameCount && isEqual(there.bytes, bytes);
        if (!isThis || this.next !== firstSequence) return 'conflict';
      }
      this.next = firstSequence + frameCount;
      this.see(firstSequence, this.next);
      this.packs.add(firstSequence, this.next, sealed);
      return 'ok';
    } catch (error) {
      if (error instanceof LogDamaged) throw error;
      return 'unknown';
    }
  }

  async read(from: number, limitBytes: number): Promise<LogBatch[]> {
    const { first } = (await this.look()).text;
    if (from < first) throw new LogTruncated(`The log begins with frame ${first}.`);
    const found = await this.readFrom(from, first, limitBytes).catch((error: unknown) => error as Error);
    if (!(found instanceof Error) && found.length > 0) return found;
    // What is not there may have been let go of since.
    if (from < (await this.first())) throw new LogTruncated(`Frame ${from} has just gone.`);
    if (found instanceof Error) throw found;
    return found;
  }

  private async readFrom(from: number, first: number, limitBytes: number): Promise<LogBatch[]> {
    const found: LogBatch[] = [];
    let bytes = 0;
    // Most reads are near the end: what is asked for beyond it costs a request each.
    const going = from === this.lastRead.end ? this.lastRead.count : 1;
    for (let at = await this.startOf(from, first), count = going; ; count = Math.min(mostAtOnce, 2 * count)) {
      const asked = this.packs.most(at, count);
      const askedTo = at + asked;
      const run = (await this.packAt(at, count)) ?? (await this.entriesFrom(at, asked));
      for (const { isFence: _, ...batch } of run) {
        if (bytes > 0 && bytes + batch.bytes.length > limitBytes) return found;
        bytes += batch.bytes.length;
        at = batch.firstSequence + batch.frameCount;
        found.push(batch);
      }
      // Where fewer came than were asked for, as many may have come behind that before the next read.
      const isAtEnd = at < askedTo;
      this.lastRead = { end: at, count: isAtEnd ? Math.max(1, run.length) : count };
      // A writer may add to it as fast as it is read.
      if (isAtEnd || found.length >= mostBatches) return found;
    }
  }

  async first(): Promise<number> {
    return (await this.look()).text.first;
  }

  /** Resolves when the log begins there. Objects go behind that, until the lease is given up; those that are left go with the next call. */
  async truncate(sequence: number): Promise<void> {
    const { term } = this;
    const before = (await this.look()).text;
    while (this.seenEnd < Math.min(sequence, this.next)) {
      const [batch] = await this.read(Math.max(this.seenEnd, before.first), 1);
      if (batch === undefined) break;
    }
    const starts = this.starts.filter((start) => start <= sequence);
    const first = sequence >= this.seenEnd ? this.seenEnd : (starts.at(-1) ?? 0);
    if (first <= before.first || !(await this.change(term, { first }))) return;
    this.clearing = this.clearing.then(() => this.clearBelow(first, term)).catch(() => {}); // only space
  }

  /** When the objects of all truncations so far have gone. @testonly */
  get cleared(): Promise<void> {
    return this.clearing;
  }

  private async clearBelow(first: number, term: number): Promise<void> {
    const { cleared } = (await this.look()).text;
    const known = new Set(this.starts);
    const clear = async (at: number): Promise<void> => {
      if (known.has(at) ? !this.fences.has(at) : await this.isLeft(at)) await this.entries.delete(this.names.of(at));
    };
    for (let from = cleared; from < first; from += atOnce) {
      if (this.isGivenUp || this.term !== term) return;
      await Promise.all(Array.from({ length: Math.min(atOnce, first - from) }, (_, i) => clear(from + i)));
    }
    await this.packs.clearBelow(first);
    this.starts = this.starts.filter((start) => start >= first);
    await this.change(term, { cleared: first });
  }

  async owner(): Promise<LogOwner> {
    const { seenMs, text } = await this.look();
    const leftMs = text.leaseMs === 0 ? 0 : seenMs + text.leaseMs - this.options.nowMs();
    return { term: text.term, holder: text.holder, leftMs, beat: String(text.beat) };
  }

  take(term: number, holder: string, leaseMs: number, beat?: string): Promise<boolean> {
    return this.inTurn(async () => {
      const { tag, text } = await this.look();
      if (text.term !== term || (beat !== undefined && beat !== String(text.beat))) return false;
      const mine = { ...text, term: term + 1, holder, instance: this.instance, leaseMs, beat: text.beat + 1 };
      if (!(await this.replace(mine, tag))) return false;
      const fence = await this.fence(term + 1);
      if (fence === null || (await this.look()).text.term !== term + 1) return false;
      await this.checkEnd(fence);
      this.term = term + 1;
      this.isGivenUp = false;
      this.packs.begin();
      this.next = fence + 1;
      this.starts = [];
      this.seenEnd = 0;
      return true;
    });
  }

  renew(term: number, leaseMs: number): Promise<boolean> {
    this.isGivenUp = leaseMs === 0;
    return this.change(term, { leaseMs });
  }

  /** Puts a fence in the first free place; answers where. Null: another one is there that is later. */
  private async fence(term: number): Promise<number | null> {
    const { end, first } = (await this.look()).text;
    const from = Math.max(first, this.seenEnd);
    // A list may be old: it says where to begin to look.
    const to = from === first ? Number.POSITIVE_INFINITY : Math.max(from, end);
    let at = (await this.listed(from, to)).reduce((most, number) => Math.max(most, number), from);
    while (at < end) {
      const there = await this.entryAt(at);
      if (there === null) throw new LogDamaged(`The object of frame ${at} is missing, and the log reached ${end}.`);
      at += there.frameCount;
    }
    for (let failed = 0; ; ) {
      const fence: Entry = { term, firstSequence: at, frameCount: 1, bytes: new Uint8Array(0), isFence: true };
      const put = this.entries.putIfAbsent(this.names.of(at), encodedEntry(fence, this.options.crc32));
      const outcome = await put.catch((error: unknown) => {
        // It may be there, and counts as one before the next one then.
        if (++failed === mostFences) throw error;
        return null;
      });
      if (outcome?.taken === true) {
        this.fences.add(at);
        return at;
      }
      const there = await this.entryAt(at);
      if (there === null) continue; // somebody is just putting it
      if (there.term > term) return null;
      at += there.frameCount;
    }
  }

  /** Behind a fence nobody else puts anything: what stands there says that something before is missing. */
  private async checkEnd(fence: number): Promise<void> {
    const beyond = (await this.listed(fence, fence)).find((number) => number > fence);
    if (beyond !== undefined)
      throw new LogDamaged(`The log has an object for frame ${beyond} and none for frame ${fence}.`);
  }

  /** Where objects begin, from a place to the folder behind another one's at least. */
  private async listed(from: number, to: number): Promise<number[]> {
    const { store } = this.options;
    const names = await Promise.all(this.names.between(from, to).map((under) => store.list(under)));
    return names.flat().map((name) => this.names.numberIn(name));
  }

  /** The first frame of the batch that holds `from`, or `from` where none is known to. */
  private async startOf(from: number, first: number): Promise<number> {
    if (from === first || from === this.seenEnd || (await this.entryAt(from)) !== null) return from;
    for (let at = this.seenEnd >= first && this.seenEnd < from ? this.seenEnd : first; ; ) {
      const entry = await this.entryAt(at);
      const end = at + (entry?.frameCount ?? 0);
      if (entry === null) return from;
      if (end > from) return at;
      at = end;
    }
  }

  /** The objects from one place on without a gap; about `count` of them. */
  private async entriesFrom(from: number, count: number): Promise<Entry[]> {
    const numbers = Array.from({ length: count }, (_, i) => from + i);
    const found = await Promise.all(numbers.map((number) => this.entryAt(number)));
    const run: Entry[] = [];
    let at = from;
    for (const [i, entry] of found.entries()) {
      if (from + i !== at) continue; // the middle of a batch
      if (entry === null) {
        if (this.term !== 0 && at < this.next) throw new LogDamaged(`The object of frame ${at} is missing.`);
        break;
      }
      run.push(entry);
      this.see(at, at + entry.frameCount);
      at += entry.frameCount;
    }
    return run;
  }

  private async packAt(from: number, count: number): Promise<Entry[] | null> {
    const objects = await this.packs.at(from, count);
    if (objects === null) return null;
    const run = objects.map((bytes) => this.decoded(from, bytes));
    for (const { firstSequence, frameCount } of run) this.see(firstSequence, firstSequence + frameCount);
    return run;
  }

  private see(start: number, end: number): void {
    if (this.seenEnd !== 0 && start !== this.seenEnd) return;
    this.starts.push(start);
    this.seenEnd = end;
  }

  private async isLeft(number: number): Promise<boolean> {
    const entry = await this.entryAt(number);
    return entry?.isFence === false;
  }

  /** Changes the owner's text while the term is this instance's; false: it is not. */
  private change(term: number, parts: Partial<OwnerText>): Promise<boolean> {
    return this.inTurn(async () => {
      for (let { known } = this; ; known = await this.look()) {
        if (known === null) continue;
        const { tag, text } = known;
        if (text.term !== term || text.instance !== this.instance) return false;
        const end = this.term === term ? Math.max(text.end, this.next) : text.end;
        if (await this.replace({ ...text, ...parts, end, beat: text.beat + 1 }, tag)) return true;
      }
    });
  }

  /** What the bucket answers nothing to may have happened: the next look shows. */
  private async replace(text: OwnerText, tag: string | null): Promise<boolean> {
    const { nowMs, prefix, store } = this.options;
    const name = `${prefix}owner`;
    const bytes = new TextEncoder().encode(JSON.stringify(text));
    this.known = null;
    const outcome = tag === null ? await store.putIfAbsent(name, bytes) : await store.putIfMatch(name, bytes, tag);
    if (!outcome.taken) return false;
    this.known = { text, tag: outcome.tag, seenMs: nowMs() };
    return true;
  }

  private async look(): Promise<KnownOwner> {
    const { nowMs, prefix, store } = this.options;
    const { known } = this;
    const found: StoredObject | null = await store.get(`${prefix}owner`);
    const isSame = known !== null && known.tag === (found?.tag ?? null);
    const looked = isSame ? known : { text: textOf(found), tag: found?.tag ?? null, seenMs: nowMs() };
    // What was put meanwhile is newer than what was asked for before.
    if (this.known === known) this.known = looked;
    return looked;
  }

  private inTurn<T>(run: () => Promise<T>): Promise<T> {
    const next = this.turn.then(run);
    this.turn = next.catch(() => {}); // the caller has the rejection
    return next;
  }

  private decoded(number: number, bytes: Uint8Array): Entry {
    const entry = decodedEntry(number, bytes, this.options.crc32);
    if (entry.isFence) this.fences.add(number);
    return entry;
  }

  /** Null: there is none. Throws LogDamaged for one that is not what was put. */
  private async entryAt(number: number): Promise<Entry | null> {
    const found = await this.entries.get(this.names.of(number));
    return found === null ? null : this.decoded(number, found.bytes);
  }
}

function textOf(found: StoredObject | null): OwnerText {
  return found === null ? nobody : { ...nobody, ...(JSON.parse(new TextDecoder().decode(found.bytes)) as OwnerText) };
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, i) => byte === other[i]);
}
