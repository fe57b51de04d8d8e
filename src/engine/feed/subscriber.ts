// One subscriber's stream. It pulls: nothing is put into the stream that nobody has asked for, so one that stops reading holds no
// chunk and costs nothing. Ends once, by its reader, its signal or the feed, whichever is first.

import type { Clock } from '../logger.ts';
import type { Backlog } from './backlog.ts';
import type { FeedTimers } from './timers.ts';

const keepAlive = new TextEncoder().encode(': keepalive\n\n');

export interface SubscriberSurroundings {
  readonly clock: Clock;
  readonly timers: FeedTimers;
  readonly keepAliveMs: number;
  /** Those that have asked and got nothing yet; kept by the subscribers themselves. */
  readonly waiting: Set<Subscriber>;
  /** Called once, when the subscriber is gone. */
  onEnd(subscriber: Subscriber): void;
}

export class Subscriber {
  readonly stream: ReadableStream<Uint8Array>;
  readonly #backlog: Backlog;
  readonly #surroundings: SubscriberSurroundings;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #sentMs: number;
  #begun = false;
  #ended = false;
  #cancelTimer: () => void;

  constructor(backlog: Backlog, surroundings: SubscriberSurroundings) {
    this.#backlog = backlog;
    this.#surroundings = surroundings;
    this.#sentMs = surroundings.clock.nowMs();
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#pull(),
        cancel: () => this.#leave(),
      },
      { highWaterMark: 0 },
    );
    this.#cancelTimer = this.#arm(surroundings.keepAliveMs);
  }

  /** The last event that is not needed from the ring any more. */
  get cursor(): number {
    return this.#backlog.cursor;
  }

  /** The ring is about to overwrite events up to `upTo`. */
  keep(upTo: number): void {
    this.#backlog.keep(upTo);
  }

  /** Hands over what has come up since it began to wait; goes on waiting when that is nothing. */
  deliver(): void {
    if (this.#ended || !this.#surroundings.waiting.has(this)) return;
    const chunk = this.#backlog.take(true, this.#surroundings.clock.nowMs());
    if (chunk) this.#send(chunk);
  }

  /** Ends the stream after everything that has come up for it: no more than its queue holds. */
  finish(): void {
    if (this.#ended) return;
    const { clock, waiting } = this.#surroundings;
    for (let waited = waiting.has(this); ; waited = false) {
      const chunk = this.#backlog.take(waited, clock.nowMs());
      if (chunk === null) break;
      this.#send(chunk);
    }
    this.end();
  }

  /** Ends the stream after what its reader already has. */
  end(): void {
    if (this.#ended) return;
    this.#leave();
    this.#controller.close();
  }

  #pull(): void {
    if (this.#ended) return;
    // A second read before the first was answered changes nothing: it waits behind it.
    if (this.#surroundings.waiting.has(this)) return;
    const chunk = this.#backlog.take(false, this.#surroundings.clock.nowMs());
    if (chunk) this.#send(chunk);
    // Servers send a response's head with its first chunk, and clients count as live from the head on.
    else if (!this.#begun) this.#send(new Uint8Array(0));
    else this.#surroundings.waiting.add(this);
  }

  #send(chunk: Uint8Array): void {
    this.#begun = true;
    this.#sentMs = this.#surroundings.clock.nowMs();
    this.#surroundings.waiting.delete(this);
    this.#controller.enqueue(chunk);
  }

  #leave(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#cancelTimer();
    this.#surroundings.waiting.delete(this);
    this.#surroundings.onEnd(this);
  }

  /** The timer is not moved with each chunk; when it fires it looks how long the silence has been. */
  #arm(delayMs: number): () => void {
    return this.#surroundings.timers.after(delayMs, () => {
      const { clock, keepAliveMs, waiting } = this.#surroundings;
      this.deliver();
      if (this.#ended) return;
      let silentMs = clock.nowMs() - this.#sentMs;
      if (waiting.has(this) && silentMs >= keepAliveMs) {
        this.#send(keepAlive.slice());
        silentMs = 0;
      }
      // The clock is the wall's and may be set back or forward.
      const isUsual = silentMs >= 0 && silentMs < keepAliveMs;
      this.#cancelTimer = this.#arm(isUsual ? keepAliveMs - silentMs : keepAliveMs);
    });
  }
}
