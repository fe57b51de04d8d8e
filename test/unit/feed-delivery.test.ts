// Streams that another thread writes, on real sockets: their framing, what else may come on the same connection, clients that go at any
// moment, clients that never read, and a thread that ends.

import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { FeedDelivery } from '../../runtime-node/feed/feed-delivery.ts';
import { at } from '../../scripts/lib/freshness.mjs';
import { ChangeFeed } from '../../src/engine/feed/feed.ts';
import type { Logger } from '../../src/engine/logger.ts';
import { filterOf } from './feed-support.ts';

const entry = new URL(`file://${at('dist/runtime-node/feed/delivery-worker.js')}`);
const crashing = new URL('./feed-crashing-worker.mjs', import.meta.url);
const nameOf = (id: number): string => (id === 13 ? 'fatal' : `name-${id}`);

function newFeed(bufferSize = 8192): ChangeFeed {
  const limits = { bufferSize, subscriberQueueSize: 1024, maxSubscribers: 32, keepAliveSeconds: 15 };
  return new ChangeFeed({ ...limits, enabled: true, clock: { nowMs: () => Date.now() } });
}

/** `count` vertices in one transaction, each with the label. */
function publish(feed: ChangeFeed, count: number, label = 1): void {
  const records = new Uint32Array(count * 8);
  for (let i = 0; i < count; i++) records.set([0x0101, i, label, 0xffff_ffff], i * 8);
  feed.publish(records, nameOf, Date.now());
}

/** A connection as bytes. */
class Wire {
  readonly socket: Socket;
  text = '';
  closed = false;

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.setEncoding('latin1');
    this.socket.on('data', (piece: string) => {
      this.text += piece;
    });
    this.socket.on('close', () => {
      this.closed = true;
    });
    this.socket.on('error', () => {});
  }

  ask(path: string, version = '1.1'): this {
    this.socket.write(`GET ${path} HTTP/${version}\r\nHost: x\r\n\r\n`);
    return this;
  }

  get events(): number {
    return this.text.split('\nevent: ').length - 1;
  }
}

async function until(isSo: () => boolean): Promise<void> {
  const late = Date.now() + 15_000;
  while (!isSo() && Date.now() < late) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(isSo()).toBe(true);
}

/** The body of a chunked answer, which must be whole up to where it is. */
function bodyOf(answer: string): { body: string; rest: string; ended: boolean } {
  let left = answer.slice(answer.indexOf('\r\n\r\n') + 4);
  let body = '';
  while (left !== '') {
    const [head = ''] = left.split('\r\n', 1);
    expect(head).toMatch(/^[0-9a-f]+$/);
    const size = Number.parseInt(head, 16);
    const piece = left.slice(head.length + 2, head.length + 2 + size);
    expect(left.slice(head.length + 2 + size, head.length + 4 + size)).toBe('\r\n');
    left = left.slice(head.length + 4 + size);
    if (size === 0) return { body, rest: left, ended: true };
    body += piece;
  }
  return { body, rest: '', ended: false };
}

class Home {
  readonly errors: string[] = [];
  readonly delivery: FeedDelivery;
  feed = newFeed();
  private readonly server: Server;

  constructor(workerEntry = entry) {
    const note = (message: string): void => void this.errors.push(message);
    const logger: Logger = { info: () => {}, warn: () => {}, error: note };
    this.delivery = new FeedDelivery({ logger, entry: workerEntry });
    this.server = createServer((request, response) => {
      if (request.url !== '/feed') return void response.end(`plain ${request.url}`);
      const reserved = this.feed.reserve({ filter: filterOf('') });
      if (!reserved.ok) return void response.writeHead(503).end();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      void this.delivery.subscribe(this.feed, reserved.place).attach(response);
    });
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  wire(): Wire {
    return new Wire(this.port);
  }

  async listening(): Promise<Wire> {
    const wire = this.wire().ask('/feed');
    await until(() => wire.text.includes('\r\n\r\n'));
    return wire;
  }

  async stop(): Promise<void> {
    this.feed.close();
    this.server.closeAllConnections();
    this.server.close();
    await this.delivery.close();
  }
}

describe('a feed that another thread delivers', () => {
  let home: Home;
  afterEach(() => home.stop());

  it('is chunked, ends with its feed and leaves the connection to what was asked next', async () => {
    home = await new Home().start();
    const wire = await home.listening();
    wire.ask('/next');
    publish(home.feed, 3000);
    await until(() => wire.events === 3000);
    home.feed.close();
    await until(() => wire.text.endsWith('plain /next'));
    const { body, rest, ended } = bodyOf(wire.text);
    expect(body.match(/^id: /gm)?.length).toBe(3000);
    expect(ended).toBe(true);
    expect(rest).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    home.feed = newFeed();
    wire.text = '';
    wire.ask('/feed');
    await until(() => wire.text.includes('\r\n\r\n'));
    publish(home.feed, 1);
    await until(() => wire.events === 1);
    wire.socket.destroy();
    await until(() => home.feed.subscriberCount === 0);
  });

  it('begins when the answers before it on its connection have been sent', async () => {
    home = await new Home().start();
    const wire = home.wire().ask('/first').ask('/feed');
    await until(() => wire.text.includes('event-stream'));
    publish(home.feed, 2);
    await until(() => wire.events === 2);
    expect(wire.text.indexOf('plain /first')).toBeLessThan(wire.text.indexOf('event-stream'));
  });

  it('is the bare text for a client that knows no chunks', async () => {
    home = await new Home().start();
    const wire = home.wire().ask('/feed', '1.0');
    await until(() => wire.text.includes('\r\n\r\n'));
    publish(home.feed, 2);
    await until(() => wire.events === 2);
    expect(wire.text).toMatch(/\r\n\r\nid: [\s\S]*}\n\n$/);
    home.feed.close();
    await until(() => wire.closed);
  });

  it('waits for nobody who does not read, and tells who reads again of every gap', { tags: ['long'] }, async () => {
    home = await new Home().start();
    const stuck = await home.listening();
    const other = await home.listening();
    stuck.socket.pause();
    // More than the buffers of two sockets hold, in steps the ring can keep.
    for (let round = 1; round <= 25; round++) {
      publish(home.feed, 2000);
      await until(() => other.events === round * 2000);
    }
    expect(other.text).not.toContain('overflow');
    stuck.socket.resume();
    await until(() => stuck.text.includes('overflow'));
    publish(home.feed, 1);
    await until(() => stuck.text.includes('"seq":50001,'));
    const { body } = bodyOf(stuck.text);
    let last = 0;
    for (const [, seq, kind] of body.matchAll(/"seq":(\d+),.*?"kind":"(\w+)"/g)) {
      // A resync bears the number of the last event that was dropped.
      if (kind === 'resync') expect(Number(seq)).toBeGreaterThan(last);
      else expect(Number(seq)).toBe(last + 1);
      last = Number(seq);
    }
    expect(last).toBe(50_001);
    bodyOf(other.text);
  });

  it('never writes to a connection that took the place of one that has gone', async () => {
    home = await new Home().start();
    const stay = await home.listening();
    let published = 0;
    let foreign = 0;
    let plain = 0;
    const publishing = setInterval(() => {
      publish(home.feed, 50);
      published += 50;
    }, 1);
    const churn = async (): Promise<void> => {
      for (let round = 0; round < 20; round++) {
        const feed = home.wire().ask('/feed');
        await until(() => feed.text !== '' || feed.closed);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 30));
        feed.socket.resetAndDestroy();
        const next = home.wire().ask('/plain');
        await until(() => next.text.endsWith('plain /plain'));
        await new Promise((resolve) => setTimeout(resolve, 20));
        plain++;
        if (next.events > 0 || next.text.split('HTTP/1.1').length !== 2) foreign++;
        next.socket.destroy();
      }
    };
    await Promise.all(Array.from({ length: 12 }, churn));
    clearInterval(publishing);
    expect(foreign).toBe(0);
    expect(plain).toBe(240);
    await until(() => stay.events === published);
    bodyOf(stay.text);
    stay.socket.destroy();
    await until(() => home.feed.subscriberCount === 0);
    expect(home.errors).toEqual([]);
  });

  it('ends with its thread, is logged, and is there again for who comes back', async () => {
    home = await new Home(crashing).start();
    const wire = await home.listening();
    publish(home.feed, 1);
    await until(() => wire.events === 1);
    publish(home.feed, 1, 13);
    await until(() => wire.closed);
    expect(home.errors).toEqual([expect.stringMatching(/has ended.*the next one starts another/)]);
    expect(home.feed.subscriberCount).toBe(0);
    home.feed = newFeed();
    const again = await home.listening();
    publish(home.feed, 1);
    await until(() => again.events === 1);
  });

  it('is left to the caller when the thread never worked', async () => {
    home = await new Home(new URL('./no-such-worker.mjs', import.meta.url)).start();
    const wire = home.wire().ask('/feed');
    await until(() => wire.closed);
    expect(home.errors).toEqual([expect.stringMatching(/served without it from now on/)]);
    expect(home.delivery.takes({} as Request)).toBe(false);
  });
});
