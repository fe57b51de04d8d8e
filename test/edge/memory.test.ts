// Objects near their limit: evictions and openings, and memory that is given back. EDGE_EVICTIONS and EDGE_MEMORY_MEBIBYTES make more of it
// (`npm run soak:evictions`: fifty at the limit that objects have by themselves).

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workerModule } from './support/modules.ts';
import { Workerd, workerdPath } from './support/workerd.ts';

const mebibyte = 2 ** 20;
const limitBytes = Number(process.env.EDGE_MEMORY_MEBIBYTES ?? 16) * mebibyte;
const evictions = Number(process.env.EDGE_EVICTIONS ?? 4);
/** What one object has at a deployed runtime. */
const objectBytes = 128 * mebibyte;
/** Of the limit: graphs leave an eighth to the buffers of reads and writes, so none has more. */
const fullShare = 7 / 8;
/** In front of the pages that are handed out (docs/architecture.md). */
const tableBytes = mebibyte + 3 * 65_536;

/** Vertices with texts, edges with numbers, an index; then what fits beside them, until nothing does. */
async function fill(url: string): Promise<void> {
  const send = async (method: string, path: string, body: string, type = 'application/json'): Promise<number> =>
    (await fetch(url + path, { method, headers: { 'content-type': type }, body })).status;
  const people = Math.floor(limitBytes / 800);
  expect(await send('POST', '/bulk/import', peopleLines(people), 'application/x-ndjson')).toBe(200);
  const index = JSON.stringify({ uniqueId: 'ages', pluginType: 'RangeIndex' });
  expect(await send('POST', '/index', index)).toBe(200);
  expect(await send('POST', '/index/backfill/ages', JSON.stringify({ propertyId: 'age' }))).toBe(200);
  const vertices = JSON.stringify(Array.from({ length: 2000 }, (_, at) => ({ label: `l${at % 50}` })));
  while ((await send('PUT', '/vertices?waitForCompletion=true', vertices)) === 200);
  // Elements come in larger runs than texts do.
  for (let characters = 50_000, id = 0; characters > 1000; id++) {
    const value = JSON.stringify({ propertyValue: 'x'.repeat(characters), fullQualifiedTypeName: 'string' });
    if ((await send('PUT', `/graphelement/${id}/text?waitForCompletion=true`, value)) !== 202)
      characters = Math.floor(characters / 2);
  }
}

/** So many vertices and twice as many edges in the format of bulk imports. */
function peopleLines(count: number): string {
  const edges = 2 * count;
  const lines = [{ type: 'meta', format: 'service-jsonl', version: 2, vertexCount: count, edgeCount: edges } as object];
  for (let id = 0; id < count; id++) {
    const text = `${'person '.repeat(12)}${Math.imul(id, 2_654_435_761) >>> 0}`;
    const properties = { name: { type: 'string', value: text }, age: { type: 'int', value: String(id % 90) } };
    lines.push({ type: 'vertex', id, label: 'person', creationDate: 0, properties });
  }
  for (let at = 0; at < edges; at++) {
    const [source, target] = [at % count, (at * 7919) % count];
    const properties = { since: { type: 'int', value: String(1990 + (at % 30)) } };
    const edge = { type: 'edge', id: count + at, label: null, source, target, edgePropertyId: 'knows' };
    lines.push({ ...edge, creationDate: 0, properties });
  }
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
}

describe.skipIf(workerdPath === null)('an object near its limit', () => {
  let edge: Workerd;

  beforeAll(async () => {
    const settings = {
      'Security:SensitiveRateLimitPermitPerWindow': 1_000_000,
      'Memory:MaxBytesPerNamespace': limitBytes,
    };
    edge = await Workerd.start({ settings, main: await workerModule('test/edge/support/hooked-worker.ts') });
  });

  afterAll(() => edge?.stop());

  const call = (method: string, path: string, body?: string): Promise<Response> =>
    fetch(
      edge.url + path,
      body === undefined ? { method } : { method, headers: { 'content-type': 'application/json' }, body },
    );
  const evict = (): Promise<Response> => fetch(edge.url, { headers: { 'x-hook': 'evict' } });
  const used = async (): Promise<{ heldBytes: number; limitBytes: number }> => {
    const status = (await (await call('GET', '/status')).json()) as {
      namespaceMemory: { heldBytes: number; limitBytes: number };
    };
    return status.namespaceMemory;
  };

  it('opens again and again with everything, within a second of its own, from its checkpoint', async () => {
    expect(await used()).toMatchObject({ limitBytes });
    await fill(edge.url);
    const share = ((await used()).heldBytes + tableBytes) / limitBytes;
    expect(share).toBeGreaterThan(fullShare - 0.01);
    const vertices = Number(await (await call('GET', '/vertex/count')).json());
    const times: number[] = [];
    const memories: number[] = [];
    for (let round = 0; round < evictions; round++) {
      await evict();
      const began = performance.now();
      expect(await (await call('GET', '/vertex/count')).json()).toBe(vertices);
      times.push(performance.now() - began);
      memories.push(edge.memory('now'));
    }
    times.sort((left, right) => left - right);
    const mebibytes = (bytes: number): string => (bytes / mebibyte).toFixed(0);
    console.log(
      `${evictions} openings of ${vertices} vertices at ${(100 * share).toFixed(1)} % of ${mebibytes(limitBytes)} MiB: median ${times[times.length >> 1]?.toFixed(0)} ms, ` +
        `most ${times.at(-1)?.toFixed(0)} ms; the process had ${memories.map(mebibytes).join(' ')} MiB, ${mebibytes(edge.memory('most'))} at most`,
    );
    if (process.env.EDGE_TIMES) expect(times.at(-1)).toBeLessThan(1000);
    // It is no reader only: what goes gives room for what comes.
    expect((await call('DELETE', '/graphelement/0?waitForCompletion=true')).status).toBeLessThan(300);
  });

  it('has its memory back behind an erase, without an end of its change feed', async () => {
    const feed = await call('GET', '/changefeed');
    const reader = (feed.body as ReadableStream<Uint8Array>).getReader();
    const memory = async (): Promise<number> => {
      const told = await fetch(edge.url, { headers: { 'x-hook': 'hooks' } });
      return ((await told.json()) as { memoryBytes: number }).memoryBytes;
    };
    const [before, process] = [await memory(), edge.memory('now')];
    expect(before).toBeGreaterThan(limitBytes / 2);
    expect((await call('HEAD', '/tabularasa')).status).toBe(200);
    const decoder = new TextDecoder();
    let text = '';
    while (!text.includes('"load"')) text += decoder.decode((await reader.read()).value);
    expect(text).toContain('tabulaRasa');
    const after = await memory();
    expect(after).toBeLessThan(4 * mebibyte);
    console.log(
      `an erase took the memory of the core from ${before} to ${after} bytes, the process from ${process} to ${edge.memory('now')}`,
    );
    // Whoever listens goes on, and what is written is kept.
    expect((await call('PUT', '/vertices?waitForCompletion=true', '[{"label":"later"},{}]')).status).toBe(200);
    while (!text.includes('later')) text += decoder.decode((await reader.read()).value);
    await reader.cancel();
    await evict();
    expect(await (await call('GET', '/vertex/count')).json()).toBe(2);
  });

  it('keeps what subgraphs hold behind an erase', async () => {
    expect((await call('PUT', '/ns/held')).status).toBe(201);
    // More than an erased graph may keep.
    const labels = JSON.stringify(Array.from({ length: 5000 }, () => ({ label: 'one' })));
    for (let round = 0; round < 18; round++)
      expect((await call('PUT', '/ns/held/vertices?waitForCompletion=true', labels)).status).toBe(200);
    const recipe = { name: 'few', vertexFilter: 'return v => v.Id < 3;' };
    expect((await call('PUT', '/ns/held/subgraph', JSON.stringify(recipe))).status).toBe(201);
    expect((await call('HEAD', '/ns/held/tabularasa')).status).toBe(200);
    // A write waits until a change of memories is over.
    expect((await call('PUT', '/ns/held/vertices?waitForCompletion=true', '[{}]')).status).toBe(200);
    expect(await (await call('GET', '/ns/held/subgraph/few')).json()).toMatchObject({ vertexCount: 3 });
  });

  it('stays below what the runtime gives to a script', () => {
    // The local runtime refuses nothing: what it has itself is counted too.
    const most = edge.memory('most');
    if (most > 0 && limitBytes <= 16 * mebibyte) expect(most).toBeLessThan(3 * objectBytes);
  });
});
