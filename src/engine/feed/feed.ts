// The change feed of one namespace (contract part 1, Change feed and Events; reference 7): numbers the events of committed
// transactions, keeps the last of them, and gives each subscriber a server-sent-event stream of those it wants. Publishing copies
// records into the ring and at most sets a timer: encoding and delivery run later, so a write waits for no subscriber.
// Knows neither HTTP nor the graph.
//
// Subscribers that wait are served together, and after that not again for an interval that grows with what was delivered: under
// load each gets few large chunks, the same bytes for all; after a pause the first event leaves at once. A stuck subscriber is not
// among them. Writing to 32 sockets costs a thread half as much each 100 ms as each 20 ms (benchmarks/feed.ts).
//
// Streams may be served by another thread instead. Then this feed only keeps their places and tells a relay that something was
// published; the other thread has a feed of its own that mirrors this one (./mirror.ts) and subscribes there.

import type { Clock } from '../logger.ts';
import { Backlog } from './backlog.ts';
import { recordWords, type StoredReason } from './events.ts';
import { type ChangeFilter, wantsEverything } from './filter.ts';
import { FrameCache } from './frames.ts';
import { type FeedBatch, FeedMirror, FeedTail } from './mirror.ts';
import type { NameResolver } from './names.ts';
import { type FeedPosition, parsePosition } from './position.ts';
import { EventRing } from './ring.ts';
import { Subscriber } from './subscriber.ts';
import { type FeedTimers, systemTimers } from './timers.ts';

/** Events kept for subscribers that wait for them, and for a relay: 4 MiB. */
const liveEvents = 131_072;
/** Part of the kept events that is taken out of the ring at once for subscribers that do not read. */
const keepPart = 8;
const shortestIntervalMs = 20;
const longestIntervalMs = 100;
/** Events times subscribers whose delivery lengthens the interval by a millisecond: above 128,000 a second it grows. */
const deliveriesPerMs = 128;

/** The `ChangeFeed:` settings, all at least 1. */
export interface FeedSettings {
  readonly bufferSize: number;
  readonly subscriberQueueSize: number;
  readonly maxSubscribers: number;
  readonly keepAliveSeconds: number;
}

export interface FeedOptions extends FeedSettings {
  /** False: nothing is kept and nobody can subscribe. */
  readonly enabled: boolean;
  readonly clock: Clock;
  /** Hyphenated GUID, new for each start of the engine; default a random one. */
  readonly epoch?: string;
  readonly timers?: FeedTimers;
  /** Shortest time from one delivery to the next; default 20. */
  readonly deliveryIntervalMs?: number;
}

export interface SubscribeRequest {
  readonly filter: ChangeFilter;
  /** Query parameter `since`; null, absent or empty: unset. */
  readonly since?: string | null;
  /** Header `Last-Event-ID`, used when `since` is unset. */
  readonly lastEventId?: string | null;
  /** Ends the subscription; cancelling the stream does so as well. */
  readonly signal?: AbortSignal;
}

/** `unavailable`: closed, by dropping the namespace or shutting down. */
export type SubscribeFailure = 'disabled' | 'unavailable' | 'limitReached' | 'invalidSince';

interface Refusal {
  readonly ok: false;
  readonly failure: SubscribeFailure;
  readonly detail: string;
}

export type SubscribeResult = { readonly ok: true; readonly stream: ReadableStream<Uint8Array> } | Refusal;

type StartResult = { readonly ok: true; readonly position: FeedPosition | null } | Refusal;

/** A subscriber that another thread serves. */
export interface FeedPlace {
  readonly filter: ChangeFilter;
  /** The `since` that makes a mirror serve what this feed would have served at this moment. */
  readonly since: string;
  /** Gives the place back; idempotent. */
  release(): void;
}

export type ReserveResult = { readonly ok: true; readonly place: FeedPlace } | Refusal;

/** Who passes on to another thread what is published. Called while a transaction is published, so it may do next to nothing. */
export interface FeedRelay {
  published(): void;
  /** The ring is about to overwrite what the tail has not sent: it is sent now, or lost. */
  pressed(): void;
  /** The feed has ended, and with it every stream. */
  closed(): void;
}

export class ChangeFeed {
  epoch: string;
  readonly enabled: boolean;
  readonly #clock: Clock;
  readonly #timers: FeedTimers;
  readonly #shortestIntervalMs: number;
  readonly #ring: EventRing;
  #frames: FrameCache;
  readonly #subscribers = new Set<Subscriber>();
  readonly #waiting = new Set<Subscriber>();
  readonly #places = new Set<FeedPlace>();
  readonly #mirror = new FeedMirror();
  #relay: FeedRelay | null = null;
  #tail: FeedTail | null = null;
  /** Nobody needs an event up to here from the ring. */
  #neededFrom = 0;
  #settings: FeedSettings;
  #cancelDelivery: (() => void) | null = null;
  #deliveredMs = Number.NEGATIVE_INFINITY;
  #deliveredSequence = 0;
  #intervalMs: number;
  #closed = false;

  constructor(options: FeedOptions) {
    this.epoch = (options.epoch ?? crypto.randomUUID()).toLowerCase();
    this.enabled = options.enabled;
    this.#clock = options.clock;
    this.#timers = options.timers ?? systemTimers;
    this.#shortestIntervalMs = options.deliveryIntervalMs ?? shortestIntervalMs;
    this.#intervalMs = this.#shortestIntervalMs;
    this.#settings = options;
    this.#ring = new EventRing(options.bufferSize);
    this.#frames = new FrameCache(this.#ring, this.epoch);
  }

  get settings(): FeedSettings {
    const { bufferSize, subscriberQueueSize, maxSubscribers, keepAliveSeconds } = this.#settings;
    return { bufferSize, subscriberQueueSize, maxSubscribers, keepAliveSeconds };
  }

  /** Sequence number of the last event, 0 before the first. */
  get newest(): number {
    return this.#ring.newest;
  }

  /** Position of the last event: a subscription with it as its `since` gets what one that begins now gets. */
  get head(): string {
    return `${this.epoch}:${this.newest}`;
  }

  /** Sequence number of the oldest event that can still be replayed; `newest` + 1 when there is none. */
  get oldest(): number {
    return this.#ring.oldest;
  }

  get subscriberCount(): number {
    return this.#subscribers.size + this.#places.size;
  }

  /** Text kept for subscribers, in bytes. @testonly */
  get encodedBytes(): number {
    return this.#frames.bytes;
  }

  /**
   * Publishes the changes of one committed transaction, in the core's records of eight words, in commit order and, where there is a
   * log, not before its frame is durable. `changes` is copied. `resolver` is asked for names it has not been asked for, at once
   * and only during this call; it stays the same function as long as the core's numbers keep their meaning.
   */
  publish(changes: Uint32Array, resolver: NameResolver, committedMs: number): void {
    if (!this.enabled || this.#closed) return;
    this.#append(changes, resolver, committedMs);
    this.#announce();
  }

  /** Publishes that what clients hold is stale. What the core's numbers of names mean may change with it. */
  resync(reason: StoredReason, committedMs: number): void {
    if (!this.enabled || this.#closed) return;
    this.#makeRoom(1);
    this.#ring.appendResync(reason, committedMs);
    this.#announce();
  }

  /** Publishes what another feed of the same epoch has published. Such a feed publishes nothing else. */
  publishMirrored(batch: FeedBatch): void {
    const { first, records } = batch;
    const resolver = this.#mirror.resolverOf(batch);
    if (first !== this.#ring.newest + 1) {
      for (const subscriber of this.#subscribers) subscriber.keep(this.#ring.newest);
      this.#ring.skipTo(first - 1);
    }
    this.#append(records, resolver, null);
    this.#announce();
  }

  /** Goes on as the feed of that epoch behind its event `newest`. Every stream ends, and who comes back says where he was. */
  follow(epoch: string, newest: number): void {
    if (this.#closed || (epoch === this.epoch && newest === this.newest)) return;
    this.#endStreams();
    this.epoch = epoch;
    this.#ring.skipTo(newest);
    this.#frames = new FrameCache(this.#ring, epoch);
  }

  /** Tells `relay` of everything published from now on; null: nobody. Answers what a mirror that begins now has to be given. */
  relayTo(relay: FeedRelay): FeedTail;
  relayTo(relay: null): null;
  relayTo(relay: FeedRelay | null): FeedTail | null {
    this.#relay = relay;
    this.#tail = relay === null ? null : new FeedTail(this.#ring);
    this.#neededFrom = Math.min(this.#neededFrom, this.#tail?.cursor ?? this.#neededFrom);
    this.#keepLess();
    return this.#tail;
  }

  /** Records of a transaction, or of a batch of another ring: piece by piece where not all of them fit beside what somebody still needs. */
  #append(records: Uint32Array, resolver: NameResolver, committedMs: number | null): void {
    const count = Math.floor(records.length / recordWords);
    for (let from = 0; from < count; ) {
      const to = from + this.#makeRoom(count - from);
      const isWhole = from === 0 && to === count;
      const piece = isWhole ? records : records.subarray(from * recordWords, to * recordWords);
      this.#ring.append(piece, resolver, committedMs);
      from = to;
    }
  }

  /**
   * Sees to it that events can be appended without overwriting one that somebody needs; answers how many of the `count` that follow. What
   * is needed by those who wait stays in the ring, up to `liveEvents`; everybody else takes out what is queued for him.
   */
  #makeRoom(count: number): number {
    const ring = this.#ring;
    const isNeeded = this.#subscribers.size > 0 || this.#tail !== null;
    if (!isNeeded || ring.newest + count - ring.kept <= this.#neededFrom) return count;
    let live = Math.min(ring.newest, this.#tail?.cursor ?? ring.newest);
    for (const { cursor } of this.#waiting) live = Math.min(live, cursor);
    const wanted = ring.newest + count - live;
    // Twice as many: each time it is extended all of it is copied.
    if (wanted > ring.kept && ring.kept < liveEvents) ring.keep(Math.min(liveEvents, Math.max(wanted, 2 * ring.kept)));
    const fitting = Math.min(count, ring.kept);
    const overwritten = ring.newest + fitting - ring.kept;
    if (this.#tail !== null && this.#tail.cursor < overwritten) this.#relay?.pressed();
    const ahead = Math.min(ring.newest, overwritten + Math.floor(ring.kept / keepPart));
    let neededFrom = Math.min(ring.newest, this.#tail?.cursor ?? ring.newest);
    for (const subscriber of this.#subscribers) {
      if (subscriber.cursor < overwritten || !this.#waiting.has(subscriber)) {
        subscriber.keep(this.#waiting.has(subscriber) ? overwritten : ahead);
      }
      neededFrom = Math.min(neededFrom, subscriber.cursor);
    }
    this.#neededFrom = neededFrom;
    return fitting;
  }

  /** Nobody is left for whom more than the window would be kept. */
  #keepLess(): void {
    if (this.#subscribers.size === 0 && this.#tail === null) this.#ring.keep(0);
  }

  /**
   * A stream of frames, at the live head or from the position on; the first chunk may be empty. Its chunks are shared with other
   * subscribers: neither change nor transfer them. It takes a place until it is cancelled, its signal aborts or the feed closes.
   */
  subscribe(request: SubscribeRequest): SubscribeResult {
    const start = this.#startOf(request);
    if (!start.ok) return start;
    const { signal } = request;
    const subscriber = this.#newSubscriber(request.filter, start.position, () =>
      signal?.removeEventListener('abort', end),
    );
    const end = (): void => subscriber.end();
    this.#subscribers.add(subscriber);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
    return { ok: true, stream: subscriber.stream };
  }

  /** Takes a place for a subscriber that a mirror serves; it is given back by its holder or when the feed closes. */
  reserve(request: Omit<SubscribeRequest, 'signal'>): ReserveResult {
    const start = this.#startOf(request);
    if (!start.ok) return start;
    const wanted = request.since || request.lastEventId || '';
    const place: FeedPlace = {
      filter: request.filter,
      since: start.position === null ? this.head : wanted,
      release: () => void this.#places.delete(place),
    };
    this.#places.add(place);
    return { ok: true, place };
  }

  /** Changes settings. `bufferSize` and `maxSubscribers` count at once, the others for subscriptions that follow. */
  configure(settings: Partial<FeedSettings>): void {
    this.#settings = { ...this.#settings, ...settings };
    if (settings.bufferSize !== undefined) this.#ring.setLimit(settings.bufferSize);
  }

  /** Ends every stream after what has been published, without a resync, and refuses what follows; idempotent. */
  close(): void {
    this.#closed = true;
    this.#cancelDelivery?.();
    this.#cancelDelivery = null;
    this.#endStreams();
  }

  #endStreams(): void {
    for (const subscriber of [...this.#subscribers]) subscriber.finish();
    this.#places.clear();
    this.#relay?.closed();
    this.#relay = null;
    this.#tail = null;
  }

  /** Where a new subscriber would begin, if there is a place for it; null: with what is published next. */
  #startOf({ since, lastEventId }: Omit<SubscribeRequest, 'signal'>): StartResult {
    if (!this.enabled) return refusal('disabled', 'The change feed is switched off (ChangeFeed:Enabled).');
    if (this.#closed) return refusal('unavailable', 'The change feed of this namespace has ended.');
    const text = since || lastEventId || '';
    const position = text.trim() === '' ? null : parsePosition(text);
    if (position === null && text.trim() !== '') {
      return refusal('invalidSince', `${JSON.stringify(text)} is neither <epoch>:<sequence> nor a sequence number.`);
    }
    const { maxSubscribers } = this.#settings;
    if (this.subscriberCount >= maxSubscribers) {
      return refusal('limitReached', `The change feed of this namespace has ${maxSubscribers} subscribers already.`);
    }
    return { ok: true, position };
  }

  /** Something was published. */
  #announce(): void {
    if (this.#waiting.size > 0 && !this.#cancelDelivery) this.#scheduleDelivery();
    this.#relay?.published();
  }

  #newSubscriber(filter: ChangeFilter, position: FeedPosition | null, onEnd: () => void): Subscriber {
    const { subscriberQueueSize, keepAliveSeconds } = this.#settings;
    const isServed = position !== null && this.#canReplay(position);
    this.#neededFrom = Math.min(this.#neededFrom, isServed ? position.sequence : this.#ring.newest);
    const backlog = new Backlog(this.#ring, this.#frames, {
      filter: wantsEverything(filter) ? null : filter,
      queueSize: Math.max(1, subscriberQueueSize),
      position: isServed ? position.sequence : this.#ring.newest,
      outOfRange: position !== null && !isServed,
    });
    return new Subscriber(backlog, {
      clock: this.#clock,
      timers: this.#timers,
      keepAliveMs: Math.max(1, keepAliveSeconds) * 1000,
      waiting: this.#waiting,
      onEnd: (subscriber) => {
        this.#subscribers.delete(subscriber);
        if (this.#subscribers.size === 0) this.#frames.clear();
        this.#keepLess();
        onEnd();
      },
    });
  }

  #canReplay({ epoch, sequence }: FeedPosition): boolean {
    if (epoch !== null && epoch !== this.epoch) return false;
    return sequence >= this.#ring.oldest - 1 && sequence <= this.#ring.newest;
  }

  #scheduleDelivery(): void {
    const sinceMs = this.#clock.nowMs() - this.#deliveredMs;
    // A clock set back must not hold events up.
    const delayMs = sinceMs >= 0 ? Math.max(0, this.#intervalMs - sinceMs) : 0;
    this.#cancelDelivery = this.#timers.after(delayMs, () => this.#deliver());
  }

  #deliver(): void {
    this.#cancelDelivery = null;
    this.#deliveredMs = this.#clock.nowMs();
    const deliveries = (this.#ring.newest - this.#deliveredSequence) * this.#waiting.size;
    const wantedMs = Math.min(longestIntervalMs, deliveries / deliveriesPerMs);
    this.#intervalMs = Math.max(this.#shortestIntervalMs, wantedMs);
    this.#deliveredSequence = this.#ring.newest;
    for (const subscriber of [...this.#waiting]) subscriber.deliver();
  }
}

function refusal(failure: SubscribeFailure, detail: string): Refusal {
  return { ok: false, failure, detail };
}
