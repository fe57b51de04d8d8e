// What stands in the log of a request, on a terminal too, and which traces it may name.

import { expect, test, vi } from 'vitest';
import { forPeople } from '../../runtime-node/terminal-line.ts';
import { Configuration } from '../../src/config/configuration.ts';
import { createHandler } from '../../src/http/handler.ts';
import { webPlatform } from '../../src/http/web-platform.ts';
import { parseTraceParent } from '../../src/telemetry/traceparent.ts';
import { NaiveEngine } from '../model/naive-engine.ts';

type Fields = Readonly<Record<string, unknown>>;

function handlerWith(settings: Readonly<Record<string, string>>) {
  const lines: [string, Fields][] = [];
  const keep = (message: string, fields: Fields = {}) => void lines.push([message, fields]);
  const logger = { info: keep, warn: keep, error: keep };
  const platform = webPlatform({ logger, pause: async () => {}, usedMemoryBytes: () => 0 });
  const sources = Object.entries(settings).map(([key, text]) => ({ key, text, source: 'test' }));
  const engine = new NaiveEngine({ maxNamespaces: 10 });
  return { lines, handle: createHandler({ engine, configuration: new Configuration(sources), platform }) };
}

const trace = '0af7651916cd43dd8448eb211c80319c';
const parent = `00-${trace}-b7ad6b7169203331-01`;

test('one line a request, by template, without anything that the client keeps secret', async () => {
  const key = 'key-that-never-leaves';
  const { lines, handle } = handlerWith({ 'Logging:Requests': 'true', 'Security:ApiKey': key });
  const headers = { authorization: `Bearer ${key}`, traceparent: parent, 'content-type': 'application/json' };
  await handle(new Request('http://h/ns/default/vertex/7', { headers }));
  await handle(new Request(`http://h/vertex?key=${key}`, { method: 'PUT', headers, body: `{"label":"${key}","x":1}` }));
  await handle(new Request(`http://h/nowhere/${key}%0Aforged`, { headers }));
  await handle(new Request('http://h/vertex/7', { headers: { authorization: 'Bearer wrong' } }));
  const logged = lines.filter(([message]) => message === 'request').map(([, fields]) => fields);
  expect(logged.map(({ ms, ...rest }) => rest)).toEqual([
    {
      method: 'GET',
      route: '/vertex/{id}',
      status: 204,
      bytes: expect.any(Number),
      namespace: 'default',
      traceId: trace,
    },
    {
      ...{ method: 'PUT', route: '/vertex', status: 202, bytes: 0, namespace: 'default', traceId: trace },
      warnings: 2,
    },
    { method: 'GET', route: 'none', status: 404, bytes: expect.any(Number), traceId: trace },
    { method: 'GET', route: '/vertex/{id}', status: 401, bytes: expect.any(Number), namespace: 'default' },
  ]);
  for (const { ms } of logged) expect(ms).toBeGreaterThanOrEqual(0);
  expect(JSON.stringify(lines)).not.toContain(key);
});

test('a request takes from when it came, where whoever hands it over knows', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(5000);
  try {
    const { lines, handle } = handlerWith({ 'Logging:Requests': 'true' });
    const request = () => new Request('http://h/vertex/count');
    await handle(request(), '/vertex/count', () => ({ ms: 4000 }));
    const answered = handle(request());
    now.mockReturnValue(5007);
    await answered;
    expect(lines.map(([, { ms }]) => ms)).toEqual([1000, 7]);
  } finally {
    now.mockRestore();
  }
});

test('off, nothing is said of a request', async () => {
  const { lines, handle } = handlerWith({});
  await handle(new Request('http://h/vertex/count'));
  expect(lines).toEqual([]);
});

test('a line for people is one line, whatever stands in it', () => {
  const line = JSON.stringify({ level: 40, time: 0, msg: 'a\nb\u001b[31m', route: 'x\ny', status: 200 });
  expect(forPeople(line)).toBe('00:00:00 warn  a\\nb\\u001b[31m  route="x\\ny" status=200\n');
});

test('a trace is taken from a header of the exact form alone', () => {
  expect(parseTraceParent(parent)).toEqual({ traceId: trace, spanId: 'b7ad6b7169203331', sampled: true });
  expect(parseTraceParent(`cc-${trace}-b7ad6b7169203331-00-what-comes-later`)?.sampled).toBe(false);
  for (const broken of [
    ...[null, '', '00', parent.toUpperCase(), parent.slice(1), `${parent}-more`, `${parent}, ${parent}`],
    ...[
      `ff${parent.slice(2)}`,
      parent.replace(trace, '0'.repeat(32)),
      parent.replace('b7ad6b7169203331', '0'.repeat(16)),
    ],
    ...[
      parent.replace('a', 'g'),
      `cc${parent.slice(2)}-${'x'.repeat(600)}`,
      parent.replaceAll('-', ' '),
      `${parent}\u0000`,
    ],
  ]) {
    expect(parseTraceParent(broken)).toBeNull();
  }
});
