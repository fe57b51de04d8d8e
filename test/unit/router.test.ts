// From a path to its route where a part of the table is loaded later.

import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../src/http/exchange.ts';
import type { Route } from '../../src/http/route.ts';
import { Router } from '../../src/http/router.ts';
import { allRoutes, type LaterRoutes, laterRoutes, routesAtOnce } from '../../src/http/routes.ts';

function line(method: Route['method'], path: string, scope: Route['scope'] = 'namespace'): Route {
  return { method, path, scope, tag: 'Graph', summary: '', answers: {}, serve: () => new Response() };
}

/** Lines of the table that count how often they are loaded, and fail as often as `failures` says. */
class Counted implements LaterRoutes {
  readonly heads: readonly string[];
  loads = 0;
  failures = 0;
  private readonly routes: readonly Route[];

  constructor(heads: readonly string[], routes: readonly Route[]) {
    this.heads = heads;
    this.routes = routes;
  }

  async load(): Promise<readonly Route[]> {
    this.loads++;
    if (this.failures-- > 0) throw new Error('not there');
    return this.routes;
  }
}

function exchangeOf(method: string, path: string): Exchange {
  return { method, path, params: {}, encodedNamespace: 'default' } as unknown as Exchange;
}

function routerOf(later: readonly LaterRoutes[]) {
  const served: string[] = [];
  const router = new Router(
    [line('GET', '/vertex/:id'), line('GET', '/ns/:name', 'service')],
    later,
    (exchange, route) => {
      const { encodedNamespace, params } = exchange;
      served.push([route.path, encodedNamespace, ...Object.values(params)].join(' '));
      return new Response();
    },
  );
  const ask = async (method: string, path: string): Promise<string | undefined> => {
    const answer = await router.answer(exchangeOf(method, path));
    return answer === undefined ? undefined : served.pop();
  };
  return { router, ask };
}

describe('lines that are loaded later', () => {
  test('are loaded once, by the first requests below one of their segments', async () => {
    const scans = new Counted(['/scan', '/index'], [line('POST', '/scan/all'), line('GET', '/index/:id/of/:other')]);
    const chat = new Counted(['/chat'], [line('POST', '/chat', 'service')]);
    const { ask } = routerOf([scans, chat]);
    expect(await ask('GET', '/vertex/1')).toBe('/vertex/:id default 1');
    expect(await ask('GET', '/ns/a')).toBe('/ns/:name default a');
    expect(scans.loads).toBe(0);
    const answers = await Promise.all([ask('POST', '/ns/a/scan/all'), ask('POST', '/scan/all')]);
    expect(answers.sort()).toEqual(['/scan/all a', '/scan/all default']);
    expect(await ask('GET', '/ns/b/index/1/of/2')).toBe('/index/:id/of/:other b 1 2');
    expect(scans.loads).toBe(1);
    expect(chat.loads).toBe(0);
  });

  test('have twins only where they are of a namespace', async () => {
    const chat = new Counted(['/chat'], [line('POST', '/chat', 'service')]);
    const { ask } = routerOf([chat]);
    expect(await ask('POST', '/ns/a/chat')).toBeUndefined();
    expect(await ask('POST', '/chat')).toBe('/chat default');
  });

  test('tell the methods of their paths once a request has met them', async () => {
    const chat = new Counted(['/chat'], [line('POST', '/chat', 'service')]);
    const { ask, router } = routerOf([chat]);
    expect(await ask('PUT', '/chat')).toBeUndefined();
    expect(router.allowedMethods(exchangeOf('PUT', '/chat'))).toEqual(['POST']);
  });

  test('are loaded again after a failure, of which its requests hear', async () => {
    const chat = new Counted(['/chat'], [line('POST', '/chat', 'service')]);
    chat.failures = 1;
    const { ask } = routerOf([chat]);
    await expect(ask('POST', '/chat')).rejects.toThrow('not there');
    expect(await ask('POST', '/chat')).toBe('/chat default');
    expect(chat.loads).toBe(2);
  });
});

const headOf = ({ path }: Route): string => `/${path.split('/')[1]}`;

test('every line of the table stands where its first segment leads', async () => {
  const heads = new Set(routesAtOnce.map(headOf));
  for (const later of laterRoutes) {
    for (const head of later.heads) expect(heads.has(head), head).toBe(false);
    const found = new Set((await later.load()).map(headOf));
    expect([...found].sort()).toEqual([...later.heads].sort());
    for (const head of found) heads.add(head);
  }
  expect(new Set((await allRoutes()).map(headOf))).toEqual(heads);
});
