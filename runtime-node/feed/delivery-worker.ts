// The thread that delivers change feeds: a mirror of each feed that has subscribers here, a stream for each subscriber, and plain writes to
// their sockets. The sockets are not this thread's (./shared-socket.ts): a write that would wait is tried again later.

import { writevSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { ChangeFeed } from '../../src/engine/feed/feed.ts';
import { type FromDelivery, gateOpen, gateWriting, type SharedSocket, type ToDelivery } from './messages.ts';

/** Batches already wait here for those that begin; deliveries that follow each other closer than this cost more than they bring. */
const deliveryIntervalMs = 5;
const shortestRetryMs = 5;
const longestRetryMs = 100;
const lineEnd = Buffer.from('\r\n');

if (parentPort === null) throw new Error('This module runs in a thread.');
const port = parentPort;
/** Word 0 counts the batches that have been taken. */
const taken = workerData as Int32Array;

// A write that would wait is an error, many times a second: nobody reads where it happened.
Error.stackTraceLimit = 0;

interface Mirror {
  readonly feed: ChangeFeed;
  readonly subscribers: Set<Delivery>;
}

const mirrors = new Map<number, Mirror>();
const deliveries = new Map<number, Delivery>();

type Written = 'all' | 'gone';

/** One subscriber: its stream, and from `attach` on its socket. */
class Delivery {
  private readonly id: number;
  private readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  private readonly mirror: Mirror;
  private isLeft = false;

  constructor(id: number, stream: ReadableStream<Uint8Array>, mirror: Mirror) {
    this.id = id;
    this.reader = stream.getReader();
    this.mirror = mirror;
    mirror.subscribers.add(this);
    deliveries.set(id, this);
  }

  /** Nobody wants its stream any more. */
  leave(): void {
    if (this.isLeft) return;
    this.isLeft = true;
    this.mirror.subscribers.delete(this);
    deliveries.delete(this.id);
    void this.reader.cancel();
  }

  async run(socket: SharedSocket): Promise<void> {
    while (true) {
      const { done, value } = await this.reader.read();
      if (this.isLeft) return;
      if (done) break;
      if (value.length > 0 && (await this.write(socket, value)) === 'gone') {
        if (!this.isLeft) this.end(false);
        return;
      }
    }
    this.end(true);
  }

  private end(complete: boolean): void {
    this.leave();
    tell({ kind: 'ended', subscriber: this.id, complete });
  }

  /** The whole piece, however long the socket takes. */
  private async write(socket: SharedSocket, piece: Uint8Array): Promise<Written> {
    let parts = socket.chunked ? [Buffer.from(`${piece.length.toString(16)}\r\n`), piece, lineEnd] : [piece];
    for (let retryMs = shortestRetryMs; ; ) {
      const bytes = writeNow(socket, parts);
      if (bytes === 'gone') return 'gone';
      parts = restOf(parts, bytes);
      if (parts.length === 0) return 'all';
      retryMs = bytes > 0 ? shortestRetryMs : Math.min(longestRetryMs, retryMs * 2);
      await pause(retryMs);
      if (this.isLeft) return 'gone';
    }
  }
}

/** Bytes that the system took, 0 when it would have had to wait. */
function writeNow({ descriptor, gate }: SharedSocket, parts: readonly Uint8Array[]): number | 'gone' {
  if (Atomics.compareExchange(gate, 0, gateOpen, gateWriting) !== gateOpen) return 'gone';
  try {
    return writevSync(descriptor, parts);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : 'gone';
  } finally {
    Atomics.store(gate, 0, gateOpen);
  }
}

function restOf(parts: readonly Uint8Array[], written: number): Uint8Array[] {
  let left = written;
  return parts.flatMap((part) => {
    const skipped = Math.min(left, part.length);
    left -= skipped;
    return skipped === part.length ? [] : [part.subarray(skipped)];
  });
}

function tell(message: FromDelivery): void {
  port.postMessage(message);
}

function subscribe(message: Extract<ToDelivery, { kind: 'subscribe' }>): void {
  const { subscriber, filter, since, settings } = message;
  const mirror = mirrors.get(message.feed) as Mirror;
  mirror.feed.configure({ ...settings, maxSubscribers: Number.MAX_SAFE_INTEGER });
  const result = mirror.feed.subscribe({ filter, since });
  if (!result.ok) throw new Error(result.detail);
  new Delivery(subscriber, result.stream, mirror);
}

function receive(message: ToDelivery): void {
  switch (message.kind) {
    case 'open': {
      const { epoch, settings } = message;
      const clock = { nowMs: () => Date.now() };
      const feed = new ChangeFeed({ ...settings, enabled: true, clock, epoch, deliveryIntervalMs });
      mirrors.set(message.feed, { feed, subscribers: new Set() });
      return;
    }
    case 'batch':
      mirrors.get(message.feed)?.feed.publishMirrored(message.batch);
      Atomics.add(taken, 0, 1);
      return;
    case 'close':
      mirrors.get(message.feed)?.feed.close();
      mirrors.delete(message.feed);
      return;
    case 'subscribe':
      subscribe(message);
      return;
    case 'attach':
      // Ended before its socket was ready: then `leave` or the feed's end came first, and the other side knows.
      void deliveries.get(message.subscriber)?.run(message.socket);
      return;
    case 'leave':
      deliveries.get(message.subscriber)?.leave();
  }
}

port.on('message', receive);
