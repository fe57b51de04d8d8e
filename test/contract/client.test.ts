// The typed client against a running service: calls of every method, retries, problems as errors, streams in and out, and a change feed
// that outlives its connections.

import { execFileSync } from 'node:child_process';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import {
  type Change,
  Client,
  isProblem,
  neighbours,
  type OnWarnings,
  ProblemError,
  type Resync,
  upsert,
} from '../../src/client/index.ts';
import { withService } from './support/with-service.ts';

const person = {
  label: 'person',
  properties: [{ propertyId: 'name', propertyValue: 'Ada', fullQualifiedTypeName: 'string' }],
};

/** A fetch that answers what it is told, and keeps what it was asked. */
function scripted(...answers: (Response | Error)[]) {
  const asked: Request[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    asked.push(request);
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer instanceof Error) throw answer;
    return (answer as Response).clone();
  };
  return { asked, fetch };
}

/** Waits for nothing, and keeps how long it was asked to. */
function noSleep() {
  const waits: number[] = [];
  return {
    waits,
    sleep: async (ms: number, signal: AbortSignal | undefined) => {
      signal?.throwIfAborted();
      waits.push(ms);
    },
  };
}

function refusal(status: number, title: string, headers = {}): Response {
  return new Response(JSON.stringify({ title, status, detail: 'why' }), {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  });
}

function frames(...lines: string[]): Response {
  return new Response(`${lines.join('\n')}\n`, { headers: { 'content-type': 'text/event-stream' } });
}

test('its types are those of the document', { tags: ['long'] }, () => {
  execFileSync(process.execPath, [at('scripts/generate-client.mjs'), '--check'], { stdio: 'pipe' });
});

describe('calls', () => {
  const service = withService({});
  const client = (): Client => new Client({ url: service().url });

  test('as helpers: the neighbours of a vertex, and a vertex by its key', async () => {
    const own = client().inNamespace('helped');
    await client().put('/ns/{name}', { path: { name: 'helped' } });
    await own.put('/vertices', {
      query: { waitForCompletion: true },
      body: [{ label: 'a' }, { label: 'b' }, { label: 'c' }].map((one) => ({ ...one, creationDate: 0 })),
    });
    const edges = [
      [0, 1, 'knows'],
      [0, 2, 'knows'],
      [0, 1, 'likes'],
      [2, 0, 'likes'],
    ] as const;
    const body = edges.map(([sourceVertex, targetVertex, edgePropertyId]) => ({
      sourceVertex,
      targetVertex,
      edgePropertyId,
      creationDate: 0,
    }));
    await own.put('/edges', { query: { waitForCompletion: true }, body });
    const labels = async (...input: Parameters<typeof neighbours>) =>
      (await neighbours(...input)).map(
        ({ edgeId, edgePropertyId, vertex }) => `${edgeId} ${edgePropertyId} ${vertex.label}`,
      );
    expect(await labels(own, 0)).toEqual(['3 knows b', '4 knows c', '5 likes b']);
    expect(await labels(own, 0, { edgePropertyId: 'likes' })).toEqual(['5 likes b']);
    expect(await labels(own, 0, { direction: 'in' })).toEqual(['6 likes c']);
    expect(await labels(own, 77)).toEqual([]);

    await own.post('/index', { body: { uniqueId: 'keys', pluginType: 'DictionaryIndex' } });
    const key = { indexId: 'keys', value: 'ada', type: 'string' };
    const first = await upsert(own, key, { label: 'person', creationDate: 0 });
    expect(first).toEqual({ id: 7, created: true });
    expect(await upsert(own, key, { label: 'person', creationDate: 0 })).toEqual({ id: 7, created: false });
    await expect(upsert(own, { ...key, indexId: 'none' }, { creationDate: 0 })).rejects.toThrow(TypeError);
    expect(await own.get('/vertex/count')).toBe(4);
  });

  test('tell what of them the service did not use, and are refused for it where that is wanted', async () => {
    const told: string[] = [];
    const onWarnings: OnWarnings = (warnings, call) => told.push(...warnings.map(({ at }) => `${call} ${at}`));
    const body = { pluginType: 'DictionaryIndex', uniqeId: 'names' } as object;
    await new Client({ url: service().url, onWarnings }).post('/index', { body });
    expect(told).toEqual(['POST /index uniqeId', 'POST /index uniqueId']);
    const strict = new Client({ url: service().url, onWarnings, strict: true });
    await expect(strict.post('/index', { body })).rejects.toMatchObject({ status: 400 });
  });

  test('of every method, with what the document says of them', async () => {
    const ids = await client().put('/vertices', { query: { waitForCompletion: true }, body: [person, {}] });
    expectTypeOf(ids).toEqualTypeOf<number[] | null>();
    const [ada = 0, other = 0] = ids ?? [];
    const vertex = await client().get('/vertex/{id}', { path: { id: ada } });
    expect(vertex?.properties[0]?.propertyValue).toBe('Ada');
    expect(await client().get('/vertex/{id}', { path: { id: 999_999 } })).toBeNull();
    const edge = { sourceVertex: ada, targetVertex: other, edgePropertyId: 'knows' };
    expect(await client().put('/edge', { body: edge, query: { waitForCompletion: true } })).toBeNull();
    expect(await client().get('/vertex/{id}/edges/out', { path: { id: ada } })).toEqual(['knows']);
    const literal = { value: 'Ada', fullQualifiedTypeName: 'string' };
    const found = await client().post('/scan/graph/property/{propertyId}', {
      path: { propertyId: 'name' },
      body: { literal },
    });
    expect(found).toEqual([ada]);
    const removal = { path: { id: other }, query: { waitForCompletion: true } };
    expect(await client().delete('/graphelement/{id}', removal)).toBeNull();
    expect(await client().get('/vertex/count')).toBe(1);
    expect(await client().head('/tabularasa')).toBeNull();
    expect(await client().get('/vertex/count')).toBe(0);
  });

  test('in a namespace whose name has to be encoded', async () => {
    const name = 'Flüge & Züge';
    expect(await client().put('/ns/{name}', { path: { name } })).toMatchObject({ name, state: 'ready' });
    const there = client().inNamespace(name);
    await there.put('/vertices', { query: { waitForCompletion: true }, body: [person] });
    expect(await there.get('/vertex/count')).toBe(1);
    expect(await client().get('/vertex/count')).toBe(0);
    expect((await there.get('/ns')).namespaces.map((one) => one.name)).toContain(name);
    expect(await there.get('/generate', { query: { nodeCount: 3, edgeCount: 0 } })).toMatchObject({
      verticesCreated: 3,
    });
    expect((await client().patch('/ns/{name}', { path: { name }, body: { name: 'other' } })).name).toBe('other');
  });

  test('that fail throw the problem, with its members', async () => {
    const error = await client()
      .inNamespace('nowhere')
      .get('/vertex/count')
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ProblemError);
    if (!isProblem(error, 'Namespace not found')) throw error;
    expectTypeOf(error.problem.namespace).toEqualTypeOf<string>();
    expect(error.problem).toMatchObject({ status: 404, namespace: 'nowhere' });
    expect(isProblem(error, 'Not Found')).toBe(false);
  });

  test('lines go out and come back', async () => {
    await client().inNamespace('default').head('/tabularasa');
    async function* lines(): AsyncGenerator<string> {
      for (let id = 0; id < 500; id++) yield `{"type":"vertex","id":${id},"creationDate":0,"label":"é"}\n`;
    }
    expect(await client().importLines(lines())).toEqual({
      verticesCreated: 500,
      edgesCreated: 0,
      linesRead: 500,
      durable: true,
    });
    const back: string[] = [];
    for await (const line of client().exportLines({ vertexLabel: 'é' })) back.push(line);
    expect(back).toHaveLength(501);
    expect(JSON.parse(back[500] as string)).toMatchObject({ type: 'vertex', label: 'é' });
    const again = await client()
      .importLines(back.join('\n'))
      .catch((error: unknown) => error);
    expect(isProblem(again, 'Import requires an empty graph')).toBe(true);
  });

  test('changes arrive, and go on behind a position', async () => {
    const stop = new AbortController();
    const feed = client().changes({ kinds: ['vertexCreated'], signal: stop.signal });
    const first = feed.next();
    // The feed begins with the present, so writes are made until it has one of them.
    let seen: IteratorResult<Change | Resync> | null = null;
    void first.then((event) => {
      seen = event;
    });
    while (seen === null)
      await client().put('/vertex', { body: { label: 'live' }, query: { waitForCompletion: true } });
    const { position } = (seen as IteratorResult<Change>).value;
    expect(seen).toMatchObject({ value: { kind: 'vertexCreated', label: 'live' } });
    await feed.return(undefined);
    await client().put('/vertex', { body: { label: 'later' }, query: { waitForCompletion: true } });
    for await (const event of client().changes({ since: position, signal: stop.signal })) {
      if (event.kind === 'vertexCreated' && event.label === 'later') break;
    }
    stop.abort();
    await expect(client().changes({ signal: stop.signal }).next()).rejects.toThrow();
  });
});

describe('retries', () => {
  const ok = (): Response => new Response('7', { headers: { 'content-type': 'application/json' } });

  test('wait longer each time, and as long as the service asks', async () => {
    const { waits, sleep } = noSleep();
    const { asked, fetch } = scripted(
      refusal(503, 'Service overloaded', { 'retry-after': '3' }),
      refusal(429, 'Too Many Requests'),
      refusal(503, 'Service overloaded'),
      ok(),
    );
    const client = new Client({ url: 'http://a', fetch, retry: { sleep } });
    expect(await client.get('/vertex/count')).toBe(7);
    expect(asked).toHaveLength(4);
    expect(waits[0]).toBe(3000);
    expect(waits[1]).toBeGreaterThanOrEqual(200);
    expect(waits[1]).toBeLessThanOrEqual(400);
    expect(waits[2]).toBeGreaterThanOrEqual(400);
    expect(waits[2]).toBeLessThanOrEqual(800);
  });

  test('end after so many attempts', async () => {
    const { waits, sleep } = noSleep();
    const { asked, fetch } = scripted(refusal(503, 'Service overloaded'));
    const client = new Client({ url: 'http://a', fetch, retry: { attempts: 3, sleep } });
    await expect(client.get('/vertex/count')).rejects.toBeInstanceOf(ProblemError);
    expect(asked).toHaveLength(3);
    expect(waits).toHaveLength(2);
  });

  test('that reach nobody say where and why', async () => {
    const nobody = new Client({ url: 'http://127.0.0.1:1' });
    await expect(nobody.get('/status')).rejects.toThrow(/^GET http:\/\/127\.0\.0\.1:1\/status has no answer: \S/);
    expect(() => new Client({ url: 'localhost:8080' })).toThrow('begins with http:// or https://');
  });

  test('are made of what may be repeated, and of nothing else', async () => {
    const { sleep } = noSleep();
    const attemptsOf = async (call: (client: Client) => Promise<unknown>): Promise<number> => {
      const { asked, fetch } = scripted(refusal(503, 'Service overloaded'));
      await expect(call(new Client({ url: 'http://a', fetch, retry: { attempts: 2, sleep } }))).rejects.toThrow();
      return asked.length;
    };
    expect(await attemptsOf((client) => client.post('/graphelements/get', { body: [1] }))).toBe(2);
    expect(await attemptsOf((client) => client.head('/trim'))).toBe(2);
    expect(await attemptsOf((client) => client.put('/vertex', { body: {} }))).toBe(1);
    expect(await attemptsOf((client) => client.put('/vertex', { body: {}, retry: true }))).toBe(2);
    expect(await attemptsOf((client) => client.inNamespace('a').get('/generate'))).toBe(1);
    expect(await attemptsOf((client) => client.get('/status', { retry: false }))).toBe(1);
    expect(await attemptsOf((client) => client.importLines('x'))).toBe(1);
  });

  test('are not made of other refusals, and stop when the signal says so', async () => {
    const { asked, fetch } = scripted(refusal(500, 'Internal Server Error'));
    await expect(new Client({ url: 'http://a', fetch }).get('/status')).rejects.toMatchObject({ status: 500 });
    expect(asked).toHaveLength(1);
    const stop = new AbortController();
    const slow = scripted(refusal(503, 'Service overloaded'));
    const call = new Client({ url: 'http://a', fetch: slow.fetch, retry: { firstDelayMs: 1e8, maxDelayMs: 1e8 } }).get(
      '/status',
      {
        signal: stop.signal,
      },
    );
    stop.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
  });

  test('an answer that is no problem document becomes one', async () => {
    const { fetch } = scripted(new Response('<html>bad gateway</html>', { status: 502, statusText: 'Bad Gateway' }));
    await expect(new Client({ url: 'http://a', fetch }).get('/status')).rejects.toMatchObject({
      status: 502,
      problem: { title: 'Bad Gateway', detail: '<html>bad gateway</html>' },
    });
  });
});

describe('the change feed', () => {
  const created = (seq: number): string[] => [
    `id: e:${seq}`,
    'event: vertexCreated',
    `data: {"seq":${seq},"ts":"t","kind":"vertexCreated","element":"vertex","id":${seq}}`,
    '',
  ];

  async function take(count: number, client: Client, since?: string): Promise<(Change | Resync)[]> {
    const events: (Change | Resync)[] = [];
    for await (const event of client.changes(since === undefined ? {} : { since })) {
      events.push(event);
      if (events.length === count) break;
    }
    return events;
  }

  test('goes on behind the last event when the connection ends or breaks', async () => {
    const { sleep } = noSleep();
    const { asked, fetch } = scripted(
      frames(...created(1), ': keepalive', '', ...created(2)),
      new TypeError('network'),
      refusal(503, 'Subscriber limit reached'),
      frames(...created(3)),
    );
    const events = await take(3, new Client({ url: 'http://a', namespace: 'n', fetch, reconnect: { sleep } }), 'e:0');
    expect(events.map(({ position }) => position)).toEqual(['e:1', 'e:2', 'e:3']);
    expect(asked.map(({ url }) => url)).toEqual([
      'http://a/ns/n/changefeed?since=e%3A0',
      ...Array(3).fill('http://a/ns/n/changefeed?since=e%3A2'),
    ]);
  });

  test('says when events may be missing: by the service, or because there was no position', async () => {
    const { sleep } = noSleep();
    const { fetch } = scripted(
      frames(': keepalive', ''),
      frames('id: e:9', 'event: resync', 'data: {"seq":9,"ts":"t","kind":"resync","reason":"trim"}', ''),
    );
    const events = await take(2, new Client({ url: 'http://a', fetch, reconnect: { sleep } }));
    expect(events).toEqual([
      { kind: 'resync', reason: 'reconnected', position: '' },
      { kind: 'resync', reason: 'trim', seq: 9, ts: 't', position: 'e:9' },
    ]);
  });

  test('waits longer each time, and from the start again behind an event', async () => {
    const { waits, sleep } = noSleep();
    const { fetch } = scripted(
      new TypeError('a'),
      new TypeError('b'),
      new TypeError('c'),
      frames(...created(1)),
      frames(...created(2)),
    );
    await take(2, new Client({ url: 'http://a', fetch, reconnect: { sleep, firstDelayMs: 100, maxDelayMs: 300 } }));
    expect(waits).toHaveLength(4);
    for (const [index, highest] of [100, 200, 300, 100].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(highest / 2);
      expect(waits[index]).toBeLessThanOrEqual(highest);
    }
  });

  test('ends with a refusal that does not pass', async () => {
    for (const title of ['Change feed disabled', 'Invalid since position', 'Namespace not found', 'Unauthorized']) {
      const { fetch } = scripted(refusal(title === 'Change feed disabled' ? 503 : 400, title));
      await expect(take(1, new Client({ url: 'http://a', fetch }))).rejects.toMatchObject({ problem: { title } });
    }
  });
});
