// Parts of a node of a cluster that need no cluster: turns of requests for one name, what a writer that was replaced still answers, and how a node that
// ends gives away what it writes.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { handedOver, handOver } from '../../runtime-node/cluster/hand-over.ts';
import { Turns } from '../../runtime-node/cluster/turns.ts';
import type { Settings } from '../../src/config/catalogue.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import { Problem } from '../../src/http/problems.ts';
import { guardOf } from '../../src/http/replication/guard.ts';
import type { Route } from '../../src/http/route.ts';

describe('turns', () => {
  it('go one behind the other for one name, and side by side for two', async () => {
    const turns = new Turns(1000);
    const order: string[] = [];
    const run = (what: string, ms: number) => async (): Promise<string> => {
      order.push(`${what} begins`);
      await new Promise((resolve) => setTimeout(resolve, ms));
      order.push(`${what} ends`);
      return what;
    };
    const all = [turns.take('a', run('a1', 20)), turns.take('a', run('a2', 1)), turns.take('b', run('b', 1))];
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'b']);
    expect(order.indexOf('a2 begins')).toBeGreaterThan(order.indexOf('a1 ends'));
    expect(order.indexOf('b ends')).toBeLessThan(order.indexOf('a1 ends'));
  });

  it('end for those who wait behind one that does not, and for no other name', async () => {
    const turns = new Turns(20);
    let end: (value: string) => void = () => {};
    const hanging = turns.take('a', () => new Promise<string>((resolve) => (end = resolve)));
    expect(await turns.take('b', async () => 'b')).toBe('b');
    let ran = false;
    const late = turns.take('a', async () => {
      ran = true;
    });
    await expect(late).rejects.toMatchObject({ kind: 'overloaded' });
    end('a');
    expect(await hanging).toBe('a');
    expect(await turns.take('a', async () => 'again')).toBe('again');
    expect(ran).toBe(false);
  });

  it('go on behind one that failed', async () => {
    const turns = new Turns(1000);
    const failing = turns.take('a', () => Promise.reject(new Error('no')));
    const next = turns.take('a', async () => 'next');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('next');
  });
});

describe('a writer that was replaced', () => {
  const exchangeOf = (hasWritten = false): Exchange =>
    ({ hasWritten, encodedNamespace: 'default', query: () => null }) as unknown as Exchange;
  const routeOf = (method: string, path: string): Route =>
    ({ method, path, scope: 'namespace', tag: 'Scan', serve: async () => new Response('[]') }) as unknown as Route;
  const replaced = guardOf(null, () => true);

  it.each([
    ['POST', '/scan/graph/property/:propertyId'],
    ['POST', '/topology'],
    ['POST', '/path/:from/to/:to'],
    ['POST', '/analytics/:algorithmName'],
    ['GET', '/vertex/count'],
  ])('does not answer what was read (%s %s)', async (method, path) => {
    await expect((async () => replaced(exchangeOf(), routeOf(method, path)))()).rejects.toBeInstanceOf(Problem);
  });

  it('says what a write came to, that of an analytics run too', async () => {
    expect((await replaced(exchangeOf(), routeOf('PUT', '/vertex'))).status).toBe(200);
    expect((await replaced(exchangeOf(true), routeOf('POST', '/analytics/:algorithmName'))).status).toBe(200);
    expect((await guardOf(null, () => false)(exchangeOf(), routeOf('POST', '/topology'))).status).toBe(200);
  });
});

describe('a node that ends', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });
  /** A node that says of these logs that it follows them. */
  const nodeWith = async (ids: readonly string[], isReady?: boolean): Promise<string> => {
    const namespaces = ids.map((id) => ({ id, role: 'replica', ...(isReady === undefined ? {} : { isReady }) }));
    const server = createServer((_, response) => response.end(JSON.stringify({ namespaces })));
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const settings = { 'Replica:ApiKey': null } as Settings;

  it('gives each log to a node that follows it, and waits until it is given up', async () => {
    const [one, two] = [await nodeWith(['main', 'a']), await nodeWith(['a', 'b'])];
    const parts = ['main', 'a', 'b', 'c'].map((id) => ({ id, role: id === 'c' ? 'replica' : 'writer' }));
    let given: ReadonlyMap<string, string> = new Map();
    await handOver({
      ...{ parts, settings, otherNodes: [one, two, 'http://127.0.0.1:1'], isThere: () => true, withinMs: 60_000 },
      place: async (places) => {
        given = places;
        setTimeout(() => {
          for (const part of parts) part.role = 'none';
        }, 30);
      },
    });
    expect([...given]).toEqual([
      ['main', one],
      ['a', two],
      ['b', two],
    ]);
    expect(parts.every(({ role }) => role === 'none')).toBe(true);
  });

  it('prefers nodes that could write at once', async () => {
    const [slow, ready, old] = [
      await nodeWith(['main', 'a'], false),
      await nodeWith(['main'], true),
      await nodeWith(['a']),
    ];
    const parts = ['main', 'a'].map((id) => ({ id, role: 'writer' }));
    const given: (readonly [string, string])[] = [];
    const place = async (places: ReadonlyMap<string, string>): Promise<void> => void given.push(...places);
    const options = { parts, settings, place, isThere: () => true, withinMs: 1 };
    await handOver({ ...options, otherNodes: [slow, ready, old] });
    await handOver({ ...options, otherNodes: [slow] });
    expect(given).toEqual([
      ['main', ready],
      ['a', old],
      ['main', slow],
      ['a', slow],
    ]);
  });

  it('waits for no node that ends as well, and no longer than it may', async () => {
    const one = await nodeWith(['main']);
    const parts = [{ id: 'main', role: 'writer' }];
    const others = { parts, settings, otherNodes: [one], place: async () => {} };
    await handOver({ ...others, isThere: () => false, withinMs: 600_000 });
    await handOver({ ...others, isThere: () => true, withinMs: 50 });
    expect(parts[0]?.role).toBe('writer');
  });

  it('is no place any more, and gives nothing to one that has gone', () => {
    const nodes = ['http://a', 'http://b'];
    const text = { format: 1, stamp: '', nodes, namespaces: { people: { id: 'p', node: 'http://a' } } } as const;
    const nameOf = (id: string): string => (id === 'p' ? 'people' : 'default');
    const places = new Map([
      ['main', 'http://b'],
      ['p', 'http://gone'],
    ]);
    expect(handedOver(text, places, 'http://a', nameOf)).toEqual({
      nodes: ['http://b'],
      namespaces: { people: { id: 'p', node: 'http://a' }, default: { id: 'main', node: 'http://b' } },
    });
  });
});
