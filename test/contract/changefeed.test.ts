// Contract part 1, Change feed and Events, asked of the running service: frames, filters, catching up, resyncs, limits, ends.

import { type ClientRequest, get, type IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isReal, startService, type TestService } from './support/service.ts';

interface Frame {
  readonly id: string;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: events have many shapes
  readonly data: any;
}

/** A subscription; `frames` grows as events arrive. */
class Stream {
  readonly frames: Frame[] = [];
  readonly comments: string[] = [];
  status = 0;
  headers: IncomingHttpHeaders = {};
  ended = false;
  private readonly request: ClientRequest;
  private text = '';
  private wake: () => void = () => {};

  private constructor(request: ClientRequest) {
    this.request = request;
  }

  /** Where the places are taken it asks again: the service may still be learning that streams of earlier tests are gone. */
  static async open(url: string, headers: Record<string, string> = {}): Promise<Stream> {
    for (;;) {
      const stream = await Stream.ask(url, headers);
      if (stream.status !== 503) return stream;
      stream.close();
    }
  }

  private static ask(url: string, headers: Record<string, string>): Promise<Stream> {
    return new Promise((resolve, reject) => {
      const request = get(url, { headers }, (answer) => {
        const stream = new Stream(request);
        stream.status = answer.statusCode ?? 0;
        stream.headers = answer.headers;
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => stream.take(chunk));
        answer.on('close', () => {
          stream.ended = true;
          stream.wake();
        });
        answer.on('error', () => {});
        resolve(stream);
      });
      request.on('error', reject);
    });
  }

  private take(chunk: string): void {
    this.text += chunk;
    for (let end = this.text.indexOf('\n\n'); end >= 0; end = this.text.indexOf('\n\n')) {
      const lines = this.text.slice(0, end).split('\n');
      this.text = this.text.slice(end + 2);
      const field = (name: string): string =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? '';
      if (lines[0]?.startsWith(':')) this.comments.push(lines[0]);
      else this.frames.push({ id: field('id'), event: field('event'), data: JSON.parse(field('data')) });
    }
    this.wake();
  }

  /** Waits until `count` events are there, or the stream has ended. */
  async has(count: number): Promise<Frame[]> {
    const late = Date.now() + 40_000;
    while (this.frames.length < count && !this.ended && Date.now() < late) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        setTimeout(resolve, 100);
      });
    }
    return this.frames;
  }

  close(): void {
    this.request.destroy();
  }
}

/** Both ways to subscribers: a thread that delivers, and the service's own. */
const deliveries = [
  ['delivered by a thread', true],
  ['delivered by the service itself', false],
] as const;

describe.runIf(isReal).each(deliveries)('the change feed %s', (_, onThread) => {
  let service: TestService;
  const write = (method: string, path: string, json?: unknown) =>
    service.call(
      method,
      `${path}${path.includes('?') ? '&' : '?'}waitForCompletion=true`,
      json === undefined ? {} : { json },
    );
  const create = (label: string | null) => write('PUT', '/vertices', [{ label, creationDate: 0, properties: [] }]);

  beforeAll(async () => {
    service = await startService({
      'ChangeFeed:DeliveryThread': onThread,
      'ChangeFeed:MaxSubscribers': 4,
      'ChangeFeed:BufferSize': 64,
      'ChangeFeed:KeepAliveSeconds': 1,
    });
  });
  afterAll(() => service.stop());

  it('answers its headers at once and sends frames of the documented form', async () => {
    const stream = await Stream.open(`${service.url}/changefeed`);
    expect(stream.status).toBe(200);
    expect(stream.headers['content-type']).toBe('text/event-stream');
    expect(stream.headers['cache-control']).toBe('no-cache');
    await write('PUT', '/vertices', [
      {
        label: 'a',
        creationDate: 0,
        properties: [{ propertyId: 'p', propertyValue: 'secret', fullQualifiedTypeName: 'string' }],
      },
      { label: null, creationDate: 0 },
    ]);
    await write('PUT', '/edge', { sourceVertex: 0, targetVertex: 1, edgePropertyId: 'knows', creationDate: 0 });
    await write('PUT', '/graphelement/0/age', { propertyId: 'x', propertyValue: '7', fullQualifiedTypeName: 'int' });
    await write('DELETE', '/graphelement/0/age');
    await write('DELETE', '/graphelement/0');
    const frames = await stream.has(7);
    const [first] = frames;
    const epoch = first?.id.split(':')[0] ?? '';
    expect(epoch).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(frames.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7].map((seq) => `${epoch}:${seq}`));
    expect(frames.every(({ event, data }) => event === data.kind)).toBe(true);
    expect(frames.every(({ data }) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(data.ts))).toBe(true);
    expect(frames.map(({ data: { ts: _, ...rest } }) => rest)).toEqual([
      { seq: 1, kind: 'vertexCreated', element: 'vertex', id: 0, label: 'a' },
      { seq: 2, kind: 'vertexCreated', element: 'vertex', id: 1 },
      { seq: 3, kind: 'edgeCreated', element: 'edge', id: 2, edgePropertyId: 'knows', source: 0, target: 1 },
      { seq: 4, kind: 'propertySet', element: 'vertex', id: 0, label: 'a', key: 'age' },
      { seq: 5, kind: 'propertyRemoved', element: 'vertex', id: 0, label: 'a', key: 'age' },
      { seq: 6, kind: 'vertexRemoved', element: 'vertex', id: 0, label: 'a' },
      { seq: 7, kind: 'edgeRemoved', element: 'edge', id: 2 },
    ]);
    expect(frames[5]?.data.ts).toBe(frames[6]?.data.ts);
    expect(JSON.stringify(frames)).not.toContain('secret');
    stream.close();
  });

  it('catches up from a position, exclusively, by since or Last-Event-ID', async () => {
    const live = await Stream.open(`${service.url}/changefeed`);
    await create('one');
    await create('two');
    const [one, two] = await live.has(2);
    live.close();
    const replay = await Stream.open(`${service.url}/changefeed?since=${one?.id}`);
    expect((await replay.has(1))[0]?.id).toBe(two?.id);
    replay.close();
    const byHeader = await Stream.open(`${service.url}/changefeed`, { 'Last-Event-ID': `${one?.data.seq}` });
    expect((await byHeader.has(1))[0]?.id).toBe(two?.id);
    byHeader.close();
    const other = await Stream.open(`${service.url}/changefeed?since=00000000-0000-0000-0000-000000000000:1`);
    expect((await other.has(1))[0]?.data).toMatchObject({ kind: 'resync', reason: 'seekOutOfRange' });
    other.close();
    const future = await Stream.open(`${service.url}/changefeed?since=999999`);
    expect((await future.has(1))[0]?.data).toMatchObject({ kind: 'resync', reason: 'seekOutOfRange' });
    future.close();
  });

  it('filters by kind, element, label and key', async () => {
    const stream = await Stream.open(`${service.url}/changefeed?kinds=vertexCreated,propertySet&labels=x&labels=y`);
    await create('z');
    await create('x');
    await create(null);
    await create('y');
    const frames = await stream.has(2);
    expect(frames.map(({ data }) => data.label)).toEqual(['x', 'y']);
    stream.close();
  });

  it('brings a batch larger than the ring to whoever listens, and tells nobody else of it', async () => {
    const [all, removals] = await Promise.all(
      ['', '?kinds=edgeRemoved,vertexRemoved'].map((query) => Stream.open(`${service.url}/changefeed${query}`)),
    );
    const created = (await (all as Stream).has(0)).length;
    const ids = (
      await write(
        'PUT',
        '/vertices',
        Array.from({ length: 3000 }, () => ({ label: 'many' })),
      )
    ).json;
    const frames = await (all as Stream).has(created + 3000);
    expect(frames.map(({ event, data }) => [event, data.id])).toEqual(ids.map((id: number) => ['vertexCreated', id]));
    await write('DELETE', `/graphelement/${ids[0]}`);
    const [removed] = await (removals as Stream).has(1);
    expect([removed?.event, removed?.data.id]).toEqual(['vertexRemoved', ids[0]]);
    for (const stream of [all, removals]) stream?.close();
  });

  it('sends a heartbeat while idle', async () => {
    const stream = await Stream.open(`${service.url}/changefeed`);
    while (stream.comments.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(stream.comments).toContain(': keepalive');
    expect(stream.frames).toEqual([]);
    stream.close();
  });

  it('resyncs after trim and tabula rasa', async () => {
    const stream = await Stream.open(`${service.url}/changefeed?kinds=edgeCreated`);
    await service.call('HEAD', '/trim');
    await service.call('HEAD', '/tabularasa');
    // A home that gives an erased graph a new memory tells of that behind it.
    const frames = (await stream.has(2)).slice(0, 2);
    expect(frames.map(({ event, data }) => [event, data.reason])).toEqual([
      ['resync', 'trim'],
      ['resync', 'tabulaRasa'],
    ]);
    stream.close();
  });

  it('shows a generated graph, and the trim behind it', async () => {
    const stream = await Stream.open(`${service.url}/changefeed`);
    for (const _ of [1, 2]) await service.call('GET', '/ns/default/generate?nodeCount=2&edgeCount=1');
    const frames = await stream.has(10);
    const kinds = ['vertexCreated', 'vertexCreated', 'edgeCreated', 'edgeCreated', 'resync'];
    expect(frames.map(({ event }) => event)).toEqual([...kinds, ...kinds]);
    expect(frames[9]?.data).toMatchObject({ reason: 'trim' });
    stream.close();
  });

  it('refuses what it cannot answer with the documented titles', async () => {
    const kinds = await service.call('GET', '/changefeed?kinds=created');
    expect([kinds.status, kinds.json.title]).toEqual([400, 'Invalid change feed filter']);
    const elements = await service.call('GET', '/changefeed?elements=Vertex');
    expect([elements.status, elements.json.title]).toEqual([400, 'Invalid change feed filter']);
    const since = await service.call('GET', '/changefeed?since=-1');
    expect([since.status, since.json.title]).toEqual([400, 'Invalid since position']);
    const unknown = await service.call('GET', '/ns/nope/changefeed');
    expect([unknown.status, unknown.json.namespace]).toEqual([404, 'nope']);
    const streams: Stream[] = [];
    while (streams.length < 4) streams.push(await Stream.open(`${service.url}/changefeed`));
    const full = await service.call('GET', '/changefeed');
    expect([full.status, full.json.title]).toEqual([503, 'Subscriber limit reached']);
    for (const stream of streams) stream.close();
  });

  it('is a feed of its own in every namespace, and ends with it', async () => {
    expect((await service.call('PUT', '/ns/other')).status).toBe(201);
    const stream = await Stream.open(`${service.url}/ns/other/changefeed`);
    await create('here');
    await service.call('PUT', '/ns/other/vertex?waitForCompletion=true', { json: { label: 'there', creationDate: 0 } });
    expect((await stream.has(1))[0]?.data).toMatchObject({ seq: 1, label: 'there' });
    await service.call('DELETE', '/ns/other');
    await stream.has(99);
    expect(stream.ended).toBe(true);
    expect(stream.frames.length).toBe(1);
  });

  it('answers 503 when it is switched off', async () => {
    const off = await startService({ 'ChangeFeed:Enabled': false });
    const answer = await off.call('GET', '/changefeed?kinds=nonsense');
    expect([answer.status, answer.json.title]).toEqual([503, 'Change feed disabled']);
    await off.stop();
  });
});
