// Stored queries that a start brings: compiled once, kept when they do not compile any more, and more than may be registered.

import { afterEach, describe, expect, it } from 'vitest';
import { createNodePlatform } from '../../runtime-node/http-platform.ts';
import { type Listener, listen } from '../../runtime-node/listener.ts';
import { Configuration } from '../../src/config/configuration.ts';
import { sectionKinds } from '../../src/engine/checkpoint/types.ts';
import { createHandler } from '../../src/http/handler.ts';
import { createQueries } from '../../src/queries/queries.ts';
import { graphOf, type Home, startedWith } from './engine-support.ts';

const { storedQueries } = sectionKinds;
const quiet = { info: () => {}, warn: () => {}, error: () => {} };

const textOf = (vertexFilter: string): string =>
  JSON.stringify({
    kind: 'Path',
    description: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    specification: { filter: { vertexFilter } },
  });
const good = textOf('return v => v.Id > 0;');
const bad = textOf('return v => v.Gone;');

function settingsWith(changes: Readonly<Record<string, string>>) {
  return new Configuration(Object.entries(changes).map(([key, text]) => ({ key, text, source: 'test' })));
}

const listeners: Listener[] = [];

afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.close(0);
});

async function callerOf(home: Home, changes: Readonly<Record<string, string>> = {}) {
  const handler = createHandler({
    engine: home.engine,
    configuration: settingsWith(changes),
    platform: createNodePlatform(quiet),
  });
  const listener = await listen(handler, { host: '127.0.0.1', port: 0 });
  listeners.push(listener);
  return async (method: string, path: string, body?: unknown): Promise<{ status: number; json: unknown }> => {
    const headers = { 'content-type': 'application/json' };
    const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
    const answer = await fetch(listener.url + path, init);
    const text = await answer.text();
    return { status: answer.status, json: text === '' ? null : JSON.parse(text) };
  };
}

describe('stored queries that are there already', () => {
  it('stay as Failed when they do not compile, until they are deleted', async () => {
    const home = await startedWith();
    graphOf(home.engine).documents.put(storedQueries, 'bad', bad);
    graphOf(home.engine).documents.put(storedQueries, 'a', good);
    const call = await callerOf(home);
    expect((await call('GET', '/storedquery')).json).toMatchObject([
      { name: 'a', compileState: 'Compiled' },
      { name: 'bad', kind: 'Path', compileState: 'Failed', createdAt: '2026-01-01T00:00:00.000Z' },
    ]);
    expect((await call('GET', '/storedquery/bad')).json).toMatchObject({
      compileState: 'Failed',
      compileDiagnostics: expect.stringContaining('CS1061'),
      specificationJson: '{"filter":{"vertexFilter":"return v => v.Gone;"}}',
    });
    expect(await call('POST', '/path/0/to/1', { storedQuery: 'bad' })).toMatchObject({
      status: 409,
      json: { title: 'Conflict', detail: expect.stringContaining('CS1061') },
    });
    const again = { name: 'bad', kind: 'Path', path: {} };
    expect((await call('POST', '/storedquery', again)).status).toBe(409);
    expect((await call('DELETE', '/storedquery/bad')).status).toBe(204);
    expect((await call('POST', '/storedquery', again)).status).toBe(201);
  });

  it('may be more than can be registered', async () => {
    const home = await startedWith();
    for (const name of ['a', 'b', 'c']) graphOf(home.engine).documents.put(storedQueries, name, good);
    const call = await callerOf(home, { 'StoredQueries:MaxCount': '2' });
    expect((await call('GET', '/storedquery')).json).toHaveLength(3);
    expect((await call('POST', '/storedquery', { name: 'd', kind: 'Path', path: {} })).status).toBe(409);
  });

  it('are compiled once, and again when another text comes by their name', async () => {
    const graph = graphOf((await startedWith()).engine);
    graph.documents.put(storedQueries, 'q', good);
    const { stored } = createQueries(settingsWith({}).settings, { shared: true, now: () => 0 });
    const first = await stored.find(graph, 'q');
    expect(first?.runnable?.set.modules).toHaveLength(1);
    expect(await stored.find(graph, 'q')).toBe(first);
    expect((await stored.list(graph))[0]).toBe(first);
    graph.documents.put(storedQueries, 'q', bad);
    expect((await stored.find(graph, 'q'))?.runnable).toBeNull();
    graph.documents.remove(storedQueries, 'q');
    expect(await stored.find(graph, 'q')).toBeNull();
  });

  it('count as failed when their text is of another make', async () => {
    const graph = graphOf((await startedWith()).engine);
    const { stored } = createQueries(settingsWith({}).settings, { shared: true, now: () => 0 });
    for (const text of ['', 'null', '[]', '{"kind":"Other"}', '{"kind":"Path"}']) {
      graph.documents.put(storedQueries, 'q', text);
      expect(await stored.find(graph, 'q'), text).toMatchObject({
        runnable: null,
        compileDiagnostics: expect.any(String),
      });
    }
  });

  it('are registered through the limiter of sensitive endpoints', async () => {
    const call = await callerOf(await startedWith(), { 'Security:SensitiveRateLimitPermitPerWindow': '1' });
    expect((await call('POST', '/storedquery', {})).status).toBe(400);
    expect((await call('POST', '/storedquery', {})).status).toBe(429);
    expect((await call('GET', '/storedquery')).status).toBe(200);
  });
});
