// What the service gives to the explorer: its page and files without a key, and POST /topology behind it.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readTopology } from '../../explorer/data/topology.ts';
import { isReal, startService, type TestService } from './support/service.ts';

const apiKey = 'a-key-of-some-length';
const key = { 'x-api-key': apiKey, 'content-type': 'application/json' };

describe('the explorer', () => {
  let service: TestService;
  const post = (body: unknown, headers: Record<string, string> = key): Promise<Response> =>
    fetch(`${service.url}/topology`, { method: 'POST', headers, body: JSON.stringify(body) });

  beforeAll(async () => {
    service = await startService({ 'Security:ApiKey': apiKey });
    const send = (path: string, body: unknown): Promise<Response> =>
      fetch(`${service.url}${path}?waitForCompletion=true`, {
        method: 'PUT',
        headers: key,
        body: JSON.stringify(body),
      });
    await send(
      '/vertices',
      Array.from({ length: 4 }, () => ({ label: 'a', creationDate: 0 })),
    );
    const edge = (sourceVertex: number, targetVertex: number, edgePropertyId: string): unknown => ({
      ...{ sourceVertex, targetVertex, edgePropertyId, creationDate: 0 },
    });
    await send('/edges', [edge(0, 1, 'e'), edge(0, 1, 'e'), edge(1, 2, 'f'), edge(2, 2, 'g'), edge(3, 0, 'e')]);
  });

  afterAll(() => service.stop());

  test.runIf(isReal)('its page is below a folder, strict about scripts, and wants no key', async () => {
    const bare = await fetch(`${service.url}/explorer`, { redirect: 'manual' });
    expect([bare.status, bare.headers.get('location')]).toEqual([302, 'explorer/']);
    const page = await fetch(`${service.url}/explorer/`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe-inline');
    const html = await page.text();
    expect(html).not.toMatch(/<script>|<style|https?:\/\//);
    for (const [, file] of html.matchAll(/(?:src|href)="([^":]+)"/g))
      expect((await fetch(`${service.url}/explorer/${file}`)).status, file).toBe(200);
  });

  test.runIf(isReal)('the documentation is below a folder, without a key, and asks nobody', async () => {
    const bare = await fetch(`${service.url}/docs`, { redirect: 'manual' });
    expect([bare.status, bare.headers.get('location')]).toEqual([302, 'docs/']);
    for (const file of [
      '',
      'tutorial.html',
      'site.css',
      'search.js',
      'search-index.js',
      'pictures/explorer-light.png',
    ]) {
      const answer = await fetch(`${service.url}/docs/${file}`);
      expect(answer.status, file).toBe(200);
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(answer.headers.get('content-security-policy')).not.toContain('connect-src');
      await answer.body?.cancel();
    }
    expect((await fetch(`${service.url}/docs/none.html`)).status).toBe(401);
    expect((await fetch(`${service.url}/document`)).status).toBe(401);
  });

  test('what is no file of it is an unknown route, behind the key', async () => {
    for (const path of ['/explorer/none.js', '/explorer/..%2fwasm', '/explorers', '/explorer/.stamps'])
      expect((await fetch(`${service.url}${path}`)).status, path).toBe(401);
    expect((await fetch(`${service.url}/explorer/none.js`, { headers: key })).status).toBe(404);
    expect((await fetch(`${service.url}/explorer/`, { method: 'POST', headers: key })).status).toBe(400);
  });

  test('topology: edges between vertices, ends of edges, and nothing without the key', async () => {
    expect((await post({ vertices: [0] }, { 'content-type': 'application/json' })).status).toBe(401);
    const answer = await post({ vertices: [0, 1, 2, 77] });
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    expect(readTopology(await answer.arrayBuffer())).toEqual({
      vertices: [0, 1, 2],
      edges: [
        { id: 4, type: 'e', source: 0, target: 1 },
        { id: 5, type: 'e', source: 0, target: 1 },
        { id: 6, type: 'f', source: 1, target: 2 },
        { id: 7, type: 'g', source: 2, target: 2 },
      ],
      isComplete: true,
    });
    const ends = readTopology(await (await post({ edges: [8, 8, 0, 99, 6] })).arrayBuffer());
    expect(ends.edges.map(({ id, source, target }) => [id, source, target])).toEqual([
      [8, 3, 0],
      [6, 1, 2],
    ]);
    expect(ends.vertices).toEqual([3, 0, 1, 2]);
  });

  test('topology: the next edges of a vertex, however many it has, from either end', async () => {
    const around = async (more: Record<string, unknown>) =>
      readTopology(await (await post({ around: { vertex: 0, edgePropertyId: 'e', ...more } })).arrayBuffer());
    expect((await around({ limit: 1 })).edges).toEqual([{ id: 4, type: 'e', source: 0, target: 1 }]);
    expect((await around({ limit: 1, after: 4 })).edges.map(({ id }) => id)).toEqual([5]);
    expect((await around({ after: 5 })).edges).toEqual([]);
    expect((await around({ direction: 'in' })).edges).toEqual([{ id: 8, type: 'e', source: 3, target: 0 }]);
    expect((await around({ vertex: 2, edgePropertyId: 'g', direction: 'in' })).edges).toEqual([
      { id: 7, type: 'g', source: 2, target: 2 },
    ]);
    for (const none of [{ vertex: 77 }, { vertex: 4 }, { vertex: -1 }, { edgePropertyId: 'none' }])
      expect((await around(none)).edges).toEqual([]);
    for (const limit of [0, 1001])
      expect((await post({ around: { vertex: 0, edgePropertyId: 'e', limit } })).status).toBe(400);
    expect((await post({ around: { vertex: 0 } })).status).toBe(400);
  });

  test('topology: the edges of a hub are read in parts, and none is left out', async () => {
    const json = (path: string, body: unknown) =>
      fetch(`${service.url}/ns/hub${path}`, { method: 'PUT', headers: key, body: JSON.stringify(body) });
    expect((await json('', {})).status).toBe(201);
    expect((await json('/vertices?waitForCompletion=true', [{}, {}])).status).toBe(200);
    const edges = Array.from({ length: 9000 }, () => ({ sourceVertex: 0, targetVertex: 1, edgePropertyId: 'e' }));
    expect((await json('/edges?waitForCompletion=true', edges)).status).toBe(200);
    const gone = { method: 'DELETE', headers: key, body: JSON.stringify([4097, 4098, 4099, 8195, 9001]) };
    expect((await fetch(`${service.url}/ns/hub/graphelements?waitForCompletion=true`, gone)).status).toBe(202);
    const ask = { method: 'POST', headers: key, body: JSON.stringify({ vertices: [0, 1] }) };
    const topology = readTopology(await (await fetch(`${service.url}/ns/hub/topology`, ask)).arrayBuffer());
    const there = Array.from({ length: 9000 }, (_, i) => i + 2).filter(
      (id) => ![4097, 4098, 4099, 8195, 9001].includes(id),
    );
    expect(topology.edges.map(({ id }) => id)).toEqual(there);
  });

  test('topology refuses lists that are too long, and things that are no ids', async () => {
    expect((await post({ vertices: Array.from({ length: 200_001 }, (_, id) => id) })).status).toBe(400);
    expect((await post({ edges: ['x'] })).status).toBe(400);
    expect(readTopology(await (await post({})).arrayBuffer())).toEqual({ vertices: [], edges: [], isComplete: true });
  });
});
