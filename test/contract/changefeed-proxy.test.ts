// The change feed read with fetch through a reverse proxy: a proxy that waits longer than the keep-alive never ends a quiet stream, and
// behind one that cuts connections a reader that goes on from the last id it saw misses nothing.

// @module-tag long

import { afterEach, describe, expect, it } from 'vitest';
import { ReverseProxy } from './support/proxy.ts';
import { createVertices } from './support/requests.ts';
import { isReal, startService, type TestService } from './support/service.ts';

let service: TestService;
let proxy: ReverseProxy;
afterEach(async () => {
  await proxy.stop();
  await service.stop();
});

/** A reader as a script in any home would have it: fetch, a text decoder, and another fetch when the stream ends. */
class FetchReader {
  readonly sequences: number[] = [];
  readonly kinds = new Set<string>();
  comments = 0;
  connections = 0;
  private lastId: string | null = null;
  private readonly url: string;
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>;

  constructor(url: string) {
    this.url = url;
    this.running = this.run();
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await this.readOnce().catch(() => {}); // a cut connection: the next one goes on
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  private async readOnce(): Promise<void> {
    const headers: Record<string, string> = this.lastId === null ? {} : { 'last-event-id': this.lastId };
    const answer = await fetch(this.url, { headers, signal: this.stopping.signal });
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
    this.connections++;
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      const frames = text.split('\n\n');
      text = frames.pop() as string;
      for (const frame of frames) this.take(frame);
    }
  }

  private take(frame: string): void {
    if (frame.startsWith(':')) {
      this.comments++;
      return;
    }
    this.lastId = /^id: (.+)$/m.exec(frame)?.[1] ?? null;
    const data = JSON.parse(/^data: (.+)$/m.exec(frame)?.[1] ?? 'null');
    this.sequences.push(data.seq);
    this.kinds.add(data.kind);
  }

  async until(isSo: () => boolean): Promise<void> {
    const late = Date.now() + 30_000;
    while (!isSo() && Date.now() < late) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(isSo()).toBe(true);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }
}

const vertices = (count: number) => createVertices(service, Array(count).fill({ label: 'x' }));
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

/** Both ways to subscribers: a thread that delivers, and the service's own. */
const deliveries = [
  ['delivered by a thread', true],
  ['delivered by the service itself', false],
] as const;

describe.runIf(isReal).each(deliveries)('a fetch reader behind a proxy, %s,', (_, onThread) => {
  it('that waits longer than the keep-alive keeps its stream, however quiet it is', async () => {
    service = await startService({ 'ChangeFeed:DeliveryThread': onThread, 'ChangeFeed:KeepAliveSeconds': 1 });
    proxy = await ReverseProxy.start(service.url, 3000);
    const reader = new FetchReader(`${proxy.url}/changefeed`);
    await reader.until(() => reader.connections === 1);
    await vertices(3);
    await reader.until(() => reader.sequences.length === 3);
    await reader.until(() => reader.comments >= 4);
    await vertices(2);
    await reader.until(() => reader.sequences.length === 5);
    expect(reader.sequences).toEqual(upTo(5));
    expect([proxy.timeouts, reader.connections]).toEqual([0, 1]);
    await reader.stop();
  });

  it('that gives up sooner than the keep-alive, or cuts connections, misses nothing', async () => {
    service = await startService({ 'ChangeFeed:DeliveryThread': onThread, 'ChangeFeed:KeepAliveSeconds': 15 });
    proxy = await ReverseProxy.start(service.url);
    const reader = new FetchReader(`${proxy.url}/changefeed`);
    await reader.until(() => reader.connections === 1);
    await vertices(1);
    await reader.until(() => reader.sequences.length === 1);
    // From here on there is an id to go on from; a connection that ends before the first one has nothing to name.
    proxy.readTimeoutMs = 300;
    proxy.cut();
    await reader.until(() => proxy.timeouts >= 2);
    let written = 1;
    for (let round = 0; round < 10; round++) {
      const { connections } = reader;
      await vertices(20);
      proxy.cut();
      await vertices(5);
      written += 25;
      await reader.until(() => reader.connections > connections);
    }
    await reader.until(() => reader.sequences.length >= written);
    expect(reader.sequences).toEqual(upTo(written));
    expect([...reader.kinds]).toEqual(['vertexCreated']);
    expect(reader.connections).toBeGreaterThan(10);
    expect(proxy.lastEventIds.at(-1)).toMatch(/^[0-9a-f-]{36}:\d+$/);
    await reader.stop();
  });
});
