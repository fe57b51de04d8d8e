// Reads that are too long for the main thread, over HTTP: the same answers with threads and without, other requests meanwhile, clients
// that go away, namespaces that are dropped, and too much at once.

import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from './support/client.ts';
import { expectJson, expectProblem } from './support/requests.ts';
import { isReal, startService, type TestService } from './support/service.ts';

const vertices = 100_000;
const people = { text: 'needle in the haystack', count: 0 };

function lines(): string {
  const list = [
    `{"type":"meta","format":"service-jsonl","version":2,"vertexCount":${vertices},"edgeCount":0}`,
    ...Array.from({ length: vertices }, (_, id) => {
      const text = id % 1000 === 0 ? people.text : `straw ${id} of a long line of dry and useless stalks`;
      return `{"type":"vertex","id":${id},"label":"dot","creationDate":${id},"properties":{"n":{"type":"Int32","value":"${id}"},"t":{"type":"String","value":"${text}"}}}`;
    }),
  ];
  return `${list.join('\n')}\n`;
}

const body = lines();
const headers = { 'content-type': 'application/x-ndjson' };

describe.each([
  ['threads', { 'Jobs:Threads': 3, 'Jobs:MaxWaiting': 4 }],
  ['one thread', { 'Jobs:Threads': -1, 'Jobs:MaxWaiting': 4 }],
] as const)('long reads on %s', (_name, settings) => {
  let service: TestService;

  beforeAll(async () => {
    const unlimited = { 'Security:SensitiveRateLimitPermitPerWindow': 1000, 'Fragments:MaxSeconds': 300 };
    service = await startService({ ...settings, ...unlimited, 'Durability:Volatile': true });
    expectJson(await service.call('POST', '/bulk/import', { body, headers }));
  });
  afterAll(() => service.stop());

  const scanText = (path = '') =>
    service.call('POST', `${path}/scan/graph/properties`, { json: { searchTerm: 'NEEDLE', resultType: 'Both' } });
  const needles = Array.from({ length: vertices / 1000 }, (_, i) => i * 1000);

  test('scans', async () => {
    expect(expectJson(await scanText())).toEqual(needles);
    const literal = { value: '99989', fullQualifiedTypeName: 'System.Int32' };
    const found = await service.call('POST', '/scan/graph/property/n', { json: { operator: 1, literal } });
    expect(expectJson(found)).toEqual([99990, 99991, 99992, 99993, 99994, 99995, 99996, 99997, 99998, 99999]);
    const bad = { operator: 1, literal: { ...literal, value: 'x' } };
    expectProblem(await service.call('POST', '/scan/graph/property/n', { json: bad }), 400);
    const none = { operator: 0, literal: { ...literal, value: '-1' } };
    expect(expectJson(await service.call('POST', '/scan/graph/property/n', { json: none }))).toEqual([]);
  });

  test('an export gives back what was imported', async () => {
    const answer = await service.call('GET', '/bulk/export');
    expect(answer.status).toBe(200);
    const exported = Buffer.from(answer.bytes).toString().trimEnd().split('\n');
    expect(exported.length).toBe(vertices + 1);
    expect(exported[1 + 54_321]).toContain('straw 54321 of');
  });

  test('pages of the whole graph at once: what is not refused at its beginning comes to its end', {
    tags: ['long'],
  }, async () => {
    const pages = Array.from({ length: 8 }, () => service.call('GET', '/graph?maxElements=100000'));
    for (let id = 0; id < 50; id++) expectJson(await service.call('GET', `/vertex/${id}`));
    const answers = await Promise.all(pages);
    const whole = answers.filter(({ status }) => status === 200);
    for (const answer of answers) if (answer.status !== 200) expectProblem(answer, 503, 'Service overloaded');
    const [first, ...others] = whole;
    const { vertices: read, edges } = expectJson(first as Answer) as { vertices: { id: number }[]; edges: unknown[] };
    expect([read.length, edges.length]).toEqual([vertices, 0]);
    expect(read.every(({ id }, i) => id === i)).toBe(true);
    // Nothing is written meanwhile.
    expect(others.every(({ bytes }) => bytes.equals((first as Answer).bytes))).toBe(true);
  });

  test('many elements by their ids', async () => {
    const ids = Array.from({ length: 30_000 }, (_, i) => vertices + 1000 - 3 * i);
    const { elements, notFound } = expectJson(await service.call('POST', '/graphelements/get', { json: ids })) as {
      elements: { id: number }[];
      notFound: number[];
    };
    expect(elements.map(({ id }) => id)).toEqual(ids.filter((id) => id < vertices));
    expect(notFound).toEqual(ids.filter((id) => id >= vertices));
  });

  test('other requests are answered meanwhile', async () => {
    const scans = [scanText(), scanText()];
    for (let id = 0; id < 50; id++) expectJson(await service.call('GET', `/vertex/${id}`));
    for (const scan of scans) expect(expectJson(await scan)).toEqual(needles);
  });

  test.runIf(isReal)('clients that go away leave their place to others', async () => {
    const given = Array.from({ length: 12 }, () => abandonedScan(service.url));
    await Promise.all(given);
    // The service may still be learning of the last of them.
    let answer = await scanText();
    while (answer.status === 503) answer = await scanText();
    expect(expectJson(answer)).toEqual(needles);
  });

  test.runIf(isReal)('too much at once is refused with 503 and a time to come back', async () => {
    // Searches that take ages have all places but those that are kept for other kinds of reads.
    expect((await service.call('PUT', '/ns/dense')).status).toBe(201);
    expectJson(await service.call('GET', '/ns/dense/generate?nodeCount=5000&edgeCount=50'));
    const ages = { pathAlgorithmName: 'DIJKSTRA', timeBudgetSeconds: 300 };
    const clients = Array.from({ length: 12 }, () => postAndWait(service.url, '/ns/dense/path/0/to/4999', ages));
    await Promise.race(clients.map(({ answered }) => answered));
    let refused: Answer[] = [];
    const scans = Array.from({ length: 12 }, async () => {
      const answer = await scanText();
      if (answer.status !== 200) refused = [...refused, answer];
      return answer;
    });
    await Promise.race(scans);
    for (const { leave } of clients) leave();
    const served = (await Promise.all(scans)).filter(({ status }) => status === 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of served) expect(expectJson(answer)).toEqual(needles);
    for (const answer of refused) {
      expectProblem(answer, 503, 'Service overloaded');
      expect(answer.headers['retry-after']).toBe('1');
    }
    let last = await scanText();
    while (last.status === 503) last = await scanText();
    expect(expectJson(last)).toEqual(needles);
  });

  test('erase, and a namespace dropped, while scans run', async () => {
    expect((await service.call('PUT', '/ns/other')).status).toBe(201);
    expectJson(await service.call('POST', '/ns/other/bulk/import', { body, headers }));
    const running = [scanText('/ns/other'), scanText('/ns/other'), service.call('GET', '/ns/other/bulk/export')];
    running[2]?.catch(() => {}); // its stream may be cut
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await service.call('DELETE', '/ns/other')).status).toBeLessThan(300);
    for (const scan of running.slice(0, 2)) expect([200, 404]).toContain((await scan)?.status);
    await running[2]?.catch(() => {});
    const erased = [scanText(), service.call('HEAD', '/tabularasa')];
    expect((await Promise.all(erased)).map(({ status }) => status < 300)).toEqual([true, true]);
    expect(expectJson(await scanText())).toEqual([]);
  });
});

/** Sends a request that its client can leave before the answer; `answered` settles with the status of an answer only. */
function postAndWait(url: string, path: string, json: unknown): { answered: Promise<number>; leave: () => void } {
  const headers = { 'content-type': 'application/json' };
  const outgoing = request(`${url}${path}`, { method: 'POST', headers });
  outgoing.on('error', () => {});
  const answered = new Promise<number>((resolve) => {
    outgoing.on('response', (incoming) => {
      incoming.resume();
      resolve(incoming.statusCode ?? 0);
    });
  });
  outgoing.end(JSON.stringify(json));
  return { answered, leave: () => outgoing.destroy() };
}

/** Sends a scan and closes its connection some ms later. */
function abandonedScan(url: string): Promise<void> {
  return new Promise((resolve) => {
    const scan = request(`${url}/scan/graph/properties`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    scan.on('error', () => resolve());
    scan.on('close', () => resolve());
    scan.end(JSON.stringify({ searchTerm: 'straw', resultType: 'Both' }));
    setTimeout(() => scan.destroy(), 3);
  });
}
