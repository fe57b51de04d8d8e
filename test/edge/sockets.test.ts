// The change feed over WebSockets of objects, also behind a hibernation: with EDGE_HIBERNATION=1 an object is left alone until the runtime has
// taken it out of memory, which takes it ten seconds, or has had time to: whoever reads an answer or a stream keeps its object.

// @module-tag long

import { WebSocket } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workerModule } from './support/modules.ts';
import { Workerd, workerdPath } from './support/workerd.ts';

interface Message {
  readonly id: string;
  readonly event: string;
  readonly data: { readonly kind: string; readonly label?: string };
}

/** Collects what comes. */
class Listener {
  readonly messages: Message[] = [];
  closed: number | null = null;
  private readonly socket: WebSocket;
  private readonly opened: Promise<void>;
  private waiting: (() => void) | null = null;

  constructor(url: string) {
    this.socket = new WebSocket(url);
    this.opened = new Promise((resolve, reject) => {
      this.socket.addEventListener('open', () => resolve());
      this.socket.addEventListener('error', () => reject(new Error('The socket was not opened.')));
    });
    this.socket.addEventListener('message', ({ data }) => {
      this.messages.push(JSON.parse(String(data)) as Message);
      this.waiting?.();
    });
    this.socket.addEventListener('close', ({ code }) => {
      this.closed = code;
      this.waiting?.();
    });
  }

  async open(): Promise<this> {
    await this.opened;
    return this;
  }

  async until(done: () => boolean): Promise<void> {
    while (!done()) await new Promise<void>((resolve) => (this.waiting = resolve));
  }

  send(text: string): void {
    this.socket.send(text);
  }

  close(): void {
    this.socket.close();
  }
}

describe.skipIf(workerdPath === null)('sockets', () => {
  let edge: Workerd;

  beforeAll(async () => {
    edge = await Workerd.start({
      settings: { 'ChangeFeed:MaxSubscribers': 3, 'Security:SensitiveRateLimitPermitPerWindow': 1_000_000 },
      main: await workerModule('test/edge/support/hooked-worker.ts'),
    });
  });

  afterAll(() => edge?.stop());

  const listen = (path: string): Promise<Listener> => new Listener(edge.url.replace('http', 'ws') + path).open();
  const put = async (path: string, body: unknown): Promise<void> => {
    const headers = { 'content-type': 'application/json' };
    const { status } = await fetch(edge.url + path, { method: 'PUT', headers, body: JSON.stringify(body) });
    expect(status).toBeLessThan(300);
  };
  const add = (label: string, space = ''): Promise<void> =>
    put(`${space}/vertices?waitForCompletion=true`, [{ label }]);
  const objects = async (): Promise<number> => {
    const told = await fetch(edge.url, { headers: { 'x-hook': 'hooks' } });
    return ((await told.json()) as { objects: number }).objects;
  };

  it('hear what is committed, by their filters, and go on behind a position', async () => {
    const all = await listen('/changefeed');
    const books = await listen('/changefeed?labels=book');
    await add('book');
    await add('page');
    await add('book');
    await all.until(() => all.messages.length === 3);
    await books.until(() => books.messages.length === 2);
    expect(all.messages.map(({ event, data }) => [event, data.label])).toEqual([
      ['vertexCreated', 'book'],
      ['vertexCreated', 'page'],
      ['vertexCreated', 'book'],
    ]);
    expect(books.messages.map(({ id }) => id)).toEqual([all.messages[0]?.id, all.messages[2]?.id]);
    const behind = await listen(`/changefeed?since=${all.messages[0]?.id}`);
    await behind.until(() => behind.messages.length === 2);
    expect(behind.messages).toEqual(all.messages.slice(1));
    for (const listener of [all, books, behind]) listener.close();
  });

  it('take places of the feed, and give them back', async () => {
    const three = await Promise.all([listen('/changefeed'), listen('/changefeed'), listen('/changefeed')]);
    await expect(listen('/changefeed')).rejects.toThrow('not opened');
    expect((await fetch(`${edge.url}/changefeed`)).status).toBe(503);
    for (const listener of three) {
      listener.close();
      await listener.until(() => listener.closed !== null);
    }
    const again = await listen('/changefeed');
    again.close();
  });

  it('are asked for as a request is, and taken for one elsewhere', async () => {
    await expect(listen('/changefeed?kinds=nothing')).rejects.toThrow('not opened');
    await expect(listen('/vertex/count')).rejects.toThrow('not opened');
    await expect(listen('/ns/nowhere/changefeed')).rejects.toThrow('not opened');
  });

  it('take no messages, and end with their namespace', async () => {
    const talker = await listen('/changefeed');
    talker.send('hello');
    await talker.until(() => talker.closed !== null);
    expect(talker.closed).toBe(1003);
    await put('/ns/short', null);
    const listener = await listen('/ns/short/changefeed');
    await add('one', '/ns/short');
    await fetch(`${edge.url}/ns/short`, { method: 'DELETE' });
    await listener.until(() => listener.closed !== null);
    expect([listener.closed, listener.messages.length]).toEqual([1001, 1]);
  });

  it.runIf(process.env.EDGE_HIBERNATION)('outlive the memory of their object', async () => {
    const listener = await listen('/changefeed');
    await add('before');
    await listener.until(() => listener.messages.length === 1);
    const made = await objects();
    await new Promise((resolve) => setTimeout(resolve, 15_000));
    expect(listener.closed).toBe(null);
    await add('behind');
    await listener.until(() => listener.messages.length === 2);
    expect(await objects()).toBe(made + 1);
    const [first, second] = listener.messages as [Message, Message];
    expect(second.data.label).toBe('behind');
    expect(second.id.split(':')[0]).not.toBe(first.id.split(':')[0]);
    listener.close();
  });

  it.runIf(process.env.EDGE_HIBERNATION)('of streams and answers that are not read keep their object', async () => {
    const open = async (path: string): Promise<ReadableStreamDefaultReader<Uint8Array>> => {
      const { body } = await fetch(edge.url + path);
      const reader = (body as ReadableStream<Uint8Array>).getReader();
      await reader.read();
      return reader;
    };
    await put('/ns/long', null);
    const many = Array.from({ length: 20_000 }, (_, at) => ({ label: `${'x'.repeat(500)}${at}` }));
    await put('/ns/long/vertices?waitForCompletion=true', many);
    await put('/ns/fed', null);
    const made = await objects();
    const readers = [await open('/ns/long/bulk/export'), await open('/ns/fed/changefeed')];
    await new Promise((resolve) => setTimeout(resolve, 15_000));
    for (const path of ['/ns/long/vertex/count', '/ns/fed/vertex/count'])
      expect((await fetch(edge.url + path)).status).toBe(200);
    expect(await objects()).toBe(made);
    for (const reader of readers) await reader.cancel();
  });
});
