// The change feed of one namespace (contract part 1, Change feed and Events; reference 7): numbers the events of committed
// transactions, keeps the last of them, and gives each subscriber a server-sent-event stream of those it wants. Publishing copies
// records into the ring and at most sets a timer: encoding and delivery run later, so a write waits for no subscriber.
// Knows neither HTTP nor the graph.
//
// Subscribers that wait are served together, and after that not again for an interval that grows with what was delivered: under
// load each gets few large chunks, the same bytes for all; after a pause the first event leaves at once. A stuck subscriber is not
// among them. Writing to 32 sockets costs the writer's thread half as much each 100 ms as each 20 ms (benchmarks/feed.ts).

import type { Clock } from '../logger.ts';
import { Backlog } from './backlog.ts';
import type { StoredReason } from './events.ts';
import { type ChangeFilter, wantsEverything } from './filter.ts';
import { FrameCache } from './frames.ts';
import type { NameResolver } from './names.ts';
import { type FeedPosition, parsePosition } from './position.ts';
import { EventRing } from './ring.ts';
import { Subscriber } from './subscriber.ts';
import { type FeedTimers, systemTimers } from './timers.ts';

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

export type SubscribeResult =
  | { readonly ok: true; readonly stream: ReadableStream<Uint8Array> }
  | { readonly ok: false; readonly failure: SubscribeFailure; readonly detail: string };

export class ChangeFeed {
  readonly epoch: string;
  readonly enabled: boolean;
  readonly #clock: Clock;
  readonly #timers: FeedTimers;
  readonly #shortestIntervalMs: number;
  readonly #ring: EventRing;
  readonly #frames: FrameCache;
  readonly #subscribers = new Set<Subscriber>();
  readonly #waiting = new Set<Subscriber>();
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

  /** Sequence number of the last event, 0 before the first. */
  get newest(): number {
    return this.#ring.newest;
  }

  /** Sequence number of the oldest event that can still be replayed; `newest` + 1 when there is none. */
  get oldest(): number {
    return this.#ring.oldest;
  }

  get subscriberCount(): number {
    return this.#subscribers.size;
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
    this.#ring.append(changes, resolver, committedMs);
    if (this.#waiting.size > 0 && !this.#cancelDelivery) this.#scheduleDelivery();
  }

  /** Publishes that what clients hold is stale. What the core's numbers of names mean may change with it. */
  resync(reason: StoredReason, committedMs: number): void {
    if (!this.enabled || this.#closed) return;
    this.#ring.appendResync(reason, committedMs);
    if (this.#waiting.size > 0 && !this.#cancelDelivery) this.#scheduleDelivery();
  }

  /**
   * A stream of frames, at the live head or from the position on; the first chunk may be empty. Its chunks are shared with other
   * subscribers: neither change nor transfer them. It takes a place until it is cancelled, its signal aborts or the feed closes.
   */
  subscribe(request: SubscribeRequest): SubscribeResult {
    if (!this.enabled) return refusal('disabled', 'The change feed is switched off (ChangeFeed:Enabled).');
    if (this.#closed) return refusal('unavailable', 'The change feed of this namespace has ended.');
    const text = request.since || request.lastEventId || '';
    const position = text.trim() === '' ? null : parsePosition(text);
    if (position === null && text.trim() !== '') {
      return refusal('invalidSince', `${JSON.stringify(text)} is neither <epoch>:<sequence> nor a sequence number.`);
    }
    const { maxSubscribers } = this.#settings;
    if (this.#subscribers.size >= maxSubscribers) {
      return refusal('limitReached', `The change feed of this namespace has ${maxSubscribers} subscribers already.`);
    }
    const { signal } = request;
    const subscriber = this.#newSubscriber(request.filter, position, () => signal?.removeEventListener('abort', end));
    const end = (): void => subscriber.end();
    this.#subscribers.add(subscriber);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
    return { ok: true, stream: subscriber.stream };
  }

  /** Changes settings. `bufferSize` and `maxSubscribers` count at once, the others for subscriptions that follow. */
  configure(settings: Partial<FeedSettings>): void {
    this.#settings = { ...this.#settings, ...settings };
    if (settings.bufferSize !== undefined) this.#ring.setLimit(settings.bufferSize);
  }

  /** Ends every stream, without a resync, and refuses what follows; idempotent. */
  close(): void {
    this.#closed = true;
    this.#cancelDelivery?.();
    this.#cancelDelivery = null;
    for (const subscriber of [...this.#subscribers]) subscriber.end();
  }

  #newSubscriber(filter: ChangeFilter, position: FeedPosition | null, onEnd: () => void): Subscriber {
    const { subscriberQueueSize, keepAliveSeconds } = this.#settings;
    const isServed = position !== null && this.#canReplay(position);
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

function refusal(failure: SubscribeFailure, detail: string): SubscribeResult {
  return { ok: false, failure, detail };
}
