// Change feeds delivered by a thread of their own: writing the same events to 32 sockets costs a processor a third of its time, and that
// time is the writer's when the service's thread does it. Here every event leaves once, in batches, whatever number of subscribers it
// has; filters, queues, resyncs, keep-alives and the sockets are the other thread's (./delivery-worker.ts).
//
// The thread starts with the first subscriber. When it ends, so do the streams, which is logged; clients go on from where they were and
// find a new thread. One that has never worked is not tried again: streams are then served here, as they are on a system whose sockets
// cannot be shared.

import type { ServerResponse } from 'node:http';
import { Worker } from 'node:worker_threads';
import type { ChangeFeed, FeedPlace, FeedRelay } from '../../src/engine/feed/feed.ts';
import type { FeedTail } from '../../src/engine/feed/mirror.ts';
import type { Logger } from '../../src/engine/logger.ts';
import type { AnswerBody, FeedOutlet } from '../../src/http/platform.ts';
import { incoming } from '../http-platform.ts';
import type { FromDelivery, SharedSocket, ToDelivery } from './messages.ts';
import { canShare, shareSocket, shutGate } from './shared-socket.ts';

const batchIntervalMs = 20;
/** Events of one batch: half a mebibyte. */
const batchEvents = 16_384;
/** Batches that may wait for the thread; what is published meanwhile waits in the ring. */
const waitingBatches = 8;
const threadHeapMebibytes = 256;

export interface FeedDeliveryOptions {
  readonly logger: Logger;
  /** The built one, by default beside this module. */
  readonly entry?: URL;
}

export class FeedDelivery implements FeedOutlet {
  private readonly logger: Logger;
  private readonly entry: URL;
  private readonly sources = new Map<ChangeFeed, Source>();
  private thread: DeliveryThread | null = null;
  private isUseless = false;
  private lastNumber = 0;

  constructor({ logger, entry }: FeedDeliveryOptions) {
    this.logger = logger;
    this.entry = entry ?? new URL('./delivery-worker.js', import.meta.url);
  }

  takes(request: Request): boolean {
    return !this.isUseless && canShare(incoming(request).socket);
  }

  bodyFor(feed: ChangeFeed, place: FeedPlace): AnswerBody {
    const subscriber = this.subscribe(feed, place);
    const body = {
      pipe: (response: ServerResponse) => void subscriber.attach(response),
      destroy: () => subscriber.leave(),
    };
    return body as unknown as AnswerBody;
  }

  /** Ends the thread, and with it the streams that have not ended yet. */
  async close(): Promise<void> {
    this.isUseless = true;
    await this.thread?.end();
  }

  /** The subscriber's stream begins at once; its bytes follow when it is attached to an answer. */
  subscribe(feed: ChangeFeed, place: FeedPlace): RemoteSubscriber {
    this.thread ??= this.start();
    let source = this.sources.get(feed);
    if (source === undefined) {
      source = new Source(++this.lastNumber, feed, this.thread, () => this.sources.delete(feed));
      this.sources.set(feed, source);
    }
    source.sendAll();
    return new RemoteSubscriber(++this.lastNumber, place, source, this.thread);
  }

  private start(): DeliveryThread {
    const thread: DeliveryThread = new DeliveryThread(this.entry, (error) => {
      this.thread = null;
      for (const source of [...this.sources.values()]) source.forget();
      if (this.isUseless) return;
      this.isUseless = !thread.hasWorked;
      const consequence = this.isUseless ? 'streams are served without it from now on' : 'the next one starts another';
      this.logger.error(`The thread that delivers change feeds has ended: its streams end, and ${consequence}.`, {
        error: error?.stack ?? 'unknown',
      });
    });
    return thread;
  }
}

class DeliveryThread {
  readonly subscribers = new Map<number, RemoteSubscriber>();
  private readonly worker: Worker;
  /** Word 0: batches the thread has taken. */
  private readonly taken = new Int32Array(new SharedArrayBuffer(4));
  private sent = 0;
  hasEnded = false;

  constructor(entry: URL, onEnd: (error: Error | null) => void) {
    const resourceLimits = { maxOldGenerationSizeMb: threadHeapMebibytes };
    this.worker = new Worker(entry, { workerData: this.taken, resourceLimits });
    let failure: Error | null = null;
    this.worker.on('error', (error: Error) => {
      failure = error;
    });
    this.worker.on('exit', () => {
      this.hasEnded = true;
      onEnd(failure);
      for (const subscriber of [...this.subscribers.values()]) subscriber.cut();
    });
    this.worker.on('message', ({ subscriber, complete }: FromDelivery) => {
      this.subscribers.get(subscriber)?.ended(complete);
    });
    // Sockets keep the process alive; without any the thread has nothing to do.
    this.worker.unref();
  }

  get hasWorked(): boolean {
    return Atomics.load(this.taken, 0) !== 0;
  }

  get isBehind(): boolean {
    return ((this.sent - Atomics.load(this.taken, 0)) | 0) >= waitingBatches;
  }

  tell(message: ToDelivery): void {
    if (this.hasEnded) return;
    if (message.kind === 'batch') {
      this.sent = (this.sent + 1) | 0;
      this.worker.postMessage(message, [message.batch.records.buffer]);
    } else this.worker.postMessage(message);
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }
}

/** A feed with subscribers on the thread. */
class Source implements FeedRelay {
  readonly number: number;
  readonly feed: ChangeFeed;
  private readonly thread: DeliveryThread;
  private readonly onEnd: () => void;
  private readonly tail: FeedTail;
  private readonly subscribers = new Set<RemoteSubscriber>();
  private timer: NodeJS.Timeout | null = null;
  private sentMs = Number.NEGATIVE_INFINITY;
  private hasEnded = false;

  constructor(number: number, feed: ChangeFeed, thread: DeliveryThread, onEnd: () => void) {
    this.number = number;
    this.feed = feed;
    this.thread = thread;
    this.onEnd = onEnd;
    thread.tell({ kind: 'open', feed: number, epoch: feed.epoch, settings: feed.settings });
    this.tail = feed.relayTo(this);
    this.sendBatch();
  }

  published(): void {
    if (this.timer === null) this.arm();
  }

  /** A thread that is behind gets no more: its subscribers find a gap. */
  pressed(): void {
    while (!this.tail.isAtHead && !this.thread.isBehind) this.sendBatch();
  }

  /** The streams end when everything that was published is on the sockets. */
  closed(): void {
    this.sendAll();
    this.leave();
  }

  sendAll(): void {
    while (!this.tail.isAtHead) this.sendBatch();
  }

  add(subscriber: RemoteSubscriber): void {
    this.subscribers.add(subscriber);
  }

  remove(subscriber: RemoteSubscriber): void {
    this.subscribers.delete(subscriber);
    if (this.subscribers.size > 0 || this.hasEnded) return;
    this.feed.relayTo(null);
    this.leave();
  }

  /** Sends nothing any more. */
  forget(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    if (this.timer !== null) clearTimeout(this.timer);
    this.feed.relayTo(null);
    this.onEnd();
  }

  private leave(): void {
    this.forget();
    this.thread.tell({ kind: 'close', feed: this.number });
  }

  private arm(): void {
    const sinceMs = performance.now() - this.sentMs;
    this.timer = setTimeout(() => this.send(), Math.max(0, batchIntervalMs - sinceMs));
  }

  private send(): void {
    this.timer = null;
    while (!this.tail.isAtHead && !this.thread.isBehind) this.sendBatch();
    this.sentMs = performance.now();
    if (!this.tail.isAtHead) this.arm();
  }

  private sendBatch(): void {
    this.thread.tell({ kind: 'batch', feed: this.number, batch: this.tail.next(batchEvents) });
  }
}

class RemoteSubscriber {
  private readonly number: number;
  private readonly place: FeedPlace;
  private readonly source: Source;
  private readonly thread: DeliveryThread;
  private response: ServerResponse | null = null;
  private socket: SharedSocket | null = null;
  private isOver = false;

  constructor(number: number, place: FeedPlace, source: Source, thread: DeliveryThread) {
    this.number = number;
    this.place = place;
    this.source = source;
    this.thread = thread;
    source.add(this);
    thread.subscribers.set(number, this);
    const { filter, since } = place;
    const { settings } = source.feed;
    thread.tell({ kind: 'subscribe', feed: source.number, subscriber: number, filter, since, settings });
  }

  /** Sends the head; from then on the answer's body is the other thread's. */
  async attach(response: ServerResponse): Promise<void> {
    this.response = response;
    response.on('close', () => this.leave());
    const socket = await shareSocket(response, () => this.thread.hasEnded);
    if (socket === null || this.isOver) {
      this.leave();
      response.destroy();
      return;
    }
    this.socket = socket;
    this.thread.tell({ kind: 'attach', subscriber: this.number, socket });
  }

  /** The client has gone, or was never there. */
  leave(): void {
    if (this.isOver) return;
    this.thread.tell({ kind: 'leave', subscriber: this.number });
    this.settle();
  }

  ended(complete: boolean): void {
    if (this.isOver) return;
    this.settle();
    const mayGoOn = this.socket === null || shutGate(this.socket.gate);
    if (complete && mayGoOn) this.response?.end();
    else this.response?.destroy();
  }

  /** The thread has ended, perhaps in the middle of a piece. */
  cut(): void {
    if (this.isOver) return;
    this.settle();
    this.response?.destroy();
  }

  private settle(): void {
    this.isOver = true;
    this.place.release();
    this.source.remove(this);
    this.thread.subscribers.delete(this.number);
  }
}
