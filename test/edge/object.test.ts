// The objects of an edge runtime, in the local one: what they answer, keep and refuse. Skips where there is no binary for the platform.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { trampolineBytes } from '../../src/core/trampoline.ts';
import { turnsHeader, withStandingClock } from './support/standing-clock.ts';
import { type Values, Workerd, workerdPath } from './support/workerd.ts';

if (workerdPath === null) console.log('No tests of the edge home: there is no workerd for this platform.');

const headers = { 'content-type': 'application/json' };
const settings: Values = {
  'Security:SensitiveRateLimitPermitPerWindow': 100_000,
  'Fragments:MaxFuel': 200_000,
  'Embedding:Enabled': true,
  'Embedding:ModelName': 'words',
  'Embedding:Dimension': 3,
  'Embedding:Onnx:ModelPath': 'words.onnx',
  'Embedding:Onnx:VocabPath': 'words.txt',
};

it.each(['i32', 'f64'] as const)('the helper module of %s is the one that other homes compile', (result) => {
  expect([...readFileSync(at(`dist/edge/trampoline.${result}.wasm`))]).toEqual([...trampolineBytes(result)]);
});

describe.skipIf(workerdPath === null)('objects', () => {
  let edge: Workerd;

  beforeAll(async () => {
    // As where it is deployed: whatever is here ends, gives way and is refused by what it does, not by the time it takes.
    edge = await Workerd.start({ settings, main: withStandingClock() });
  });

  afterAll(() => edge?.stop());

  const call = (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(edge.url + path, body === undefined ? { method } : { method, headers, body: JSON.stringify(body) });
  const read = async (path: string): Promise<unknown> => (await call('GET', path)).json();
  const add = async (prefix: string, count: number): Promise<number> => {
    const body = Array.from({ length: count }, (_, at) => ({ label: `${'x'.repeat(200)}${at}` }));
    return (await call('PUT', `${prefix}/vertices?waitForCompletion=true`, body)).status;
  };

  it('answer, write, and have everything acknowledged after a kill', async () => {
    expect(await read('/vertex/count')).toBe(0);
    expect(await add('', 2)).toBe(200);
    expect((await call('PUT', '/save')).status).toBe(200);
    expect(await add('', 1)).toBe(200);
    await edge.kill();
    await edge.start();
    expect(await read('/vertex/count')).toBe(3);
    expect(await read('/savegames')).toMatchObject([{ location: expect.stringMatching(/^edge:\/\/default\//) }]);
  });

  it('run fragments as programs, and end one that never does by what it spends', async () => {
    const edges = [{ edgeId: 'knows', sourceVertex: 0, targetVertex: 1, edgePropertyId: 'knows' }];
    expect((await call('PUT', '/edges?waitForCompletion=true', edges)).status).toBe(200);
    const path = (filter: string): Promise<Response> =>
      call('POST', '/path/0/to/1', { filter: { edgePropertyFilter: filter } });
    expect(await (await path('return t => t == "knows";')).json()).toHaveLength(1);
    expect(await (await path('return t => t == "likes";')).json()).toEqual([]);
    const endless = await path('return t => { while (true) { } };');
    expect([endless.status, await endless.json()]).toEqual([408, expect.objectContaining({ status: 408 })]);
    expect(await read('/vertex/count')).toBe(3);
  });

  it('have no models of their own', async () => {
    const pluginOptions = { dimension: { propertyValue: '3', fullQualifiedTypeName: 'System.Int32' } };
    const index = { uniqueId: 'none', pluginType: 'VectorIndex', pluginOptions };
    expect((await call('POST', '/index', index)).status).toBe(200);
    const asked = await call('POST', '/embedding/search', { indexId: 'none', text: 'words', k: 1 });
    expect(asked.status).toBe(503);
  });

  it('hold one namespace each, which the list knows and a removal empties', async () => {
    expect((await call('GET', '/ns/people/vertex/count')).status).toBe(404);
    expect((await call('PUT', '/ns/people')).status).toBe(201);
    expect((await call('PUT', '/ns/people')).status).toBe(409);
    expect(await add('/ns/people', 5)).toBe(200);
    expect(await read('/ns/people/vertex/count')).toBe(5);
    expect(await read('/vertex/count')).toBe(3);
    expect(await read('/ns')).toMatchObject({
      namespaces: [
        { name: 'default', vertexCount: 3 },
        { name: 'people', vertexCount: 5 },
      ],
    });
    expect((await call('PATCH', '/ns/people', { name: 'persons' })).status).toBe(409);
    await edge.kill();
    await edge.start();
    expect(await read('/ns/people/vertex/count')).toBe(5);
    expect((await call('DELETE', '/ns/people')).status).toBe(204);
    expect(await read('/ns')).toMatchObject({ namespaces: [{ name: 'default' }] });
    expect((await call('GET', '/ns/people/vertex/count')).status).toBe(404);
    expect((await call('PUT', '/ns/people')).status).toBe(201);
    expect(await read('/ns/people/vertex/count')).toBe(0);
  });

  it('take no name from a client, and refuse a body larger than they may hold', async () => {
    const forged = { headers: { 'x-arcwise-object': 'people', 'x-arcwise-list': '-people' } };
    expect(await (await fetch(`${edge.url}/vertex/count`, forged)).json()).toBe(3);
    const body = `[${'{},'.repeat(6_000_000)}{}]`;
    const refused = await fetch(`${edge.url}/vertices?waitForCompletion=true`, { method: 'PUT', headers, body });
    expect(refused.status).toBe(413);
    expect(await read('/vertex/count')).toBe(3);
  });

  it('tell subscribers of changes', async () => {
    const stop = new AbortController();
    const feed = await fetch(`${edge.url}/ns/people/changefeed`, { signal: stop.signal });
    const reader = (feed.body as ReadableStream<Uint8Array>).getReader();
    const decoder = new TextDecoder();
    expect(await add('/ns/people', 1)).toBe(200);
    let text = '';
    while (!text.includes('vertexCreated') && !text.includes('"created"'))
      text += decoder.decode((await reader.read()).value);
    stop.abort();
    expect(text).toContain('event:');
  });

  it('write a checkpoint behind so many bytes of log, and keep the newest one only', async () => {
    await edge.kill();
    await edge.start({ ARCWISE_CHECKPOINT_BYTES: '20000' });
    const ids = async (): Promise<string[]> =>
      ((await read('/savegames')) as { id: string }[]).map(({ id }) => id).sort();
    const [own] = await ids();
    const saved: string[] = [];
    while (saved.length < 2) {
      expect(await add('', 100)).toBe(200);
      const [automatic, ...more] = (await ids()).filter((id) => id !== own);
      if (automatic !== undefined && more.length === 0 && !saved.includes(automatic)) saved.push(automatic);
    }
    const count = await read('/vertex/count');
    await edge.kill();
    await edge.start();
    expect(await read('/vertex/count')).toBe(count);
    expect(await ids()).toContain(own);
  });

  it('give way by what they have done, while they import, write, rank and trim', async () => {
    expect((await call('PUT', '/ns/work')).status).toBe(201);
    const turns = async (method: string, path: string, body?: string): Promise<number> => {
      const type = path === '/bulk/import' ? 'application/x-ndjson' : 'application/json';
      const asking = { 'content-type': type, [turnsHeader]: '?' };
      const init = { method, headers: asking, ...(body === undefined ? {} : { body }) };
      const answer = await fetch(`${edge.url}/ns/work${path}`, init);
      expect(answer.ok, `${method} ${path} ${answer.status}`).toBe(true);
      await answer.arrayBuffer();
      return Number(answer.headers.get(turnsHeader));
    };
    const count = 30_000;
    const ids = Array.from({ length: count }, (_, id) => id);
    const lines = [
      { type: 'meta', format: 'service-jsonl', version: 2 },
      ...ids.map((id) => ({ type: 'vertex', id, creationDate: 1, label: 'one' })),
      ...ids.map((id) => ({
        ...{ type: 'edge', id: count + id, creationDate: 1, edgePropertyId: 'next' },
        ...{ source: id, target: (id * 7) % count },
      })),
    ];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const given = {
      import: await turns('POST', '/bulk/import', text),
      write: await turns('PUT', '/vertices?waitForCompletion=true', JSON.stringify(ids.map(() => ({ label: 'two' })))),
      rank: await turns('POST', '/analytics/PAGERANK', '{}'),
      removal: await turns('DELETE', '/graphelement/0?waitForCompletion=true'),
      trim: await turns('HEAD', '/trim'),
    };
    console.log('turns', given);
    expect(await turns('GET', '/vertex/count')).toBe(0);
    for (const work of ['import', 'write', 'rank', 'trim'] as const) expect(given[work], work).toBeGreaterThan(0);
  });

  it('refuse settings that do not fit, and say what would', async () => {
    const large = await Workerd.start({ settings: { 'Memory:MaxBytesPerNamespace': 2 ** 30 } });
    try {
      const answer = await fetch(`${large.url}/vertex/count`);
      expect([answer.status, await answer.json()]).toEqual([
        503,
        expect.objectContaining({ detail: expect.stringContaining('100663296 fits at most') }),
      ]);
    } finally {
      await large.stop();
    }
  });
});
