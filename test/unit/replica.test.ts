// A replica's follower over an engine in this process: it comes to the state of its source, notices when it is another one, and begins anew where
// the frames are not to be had. And which routes count as writes.

import zlib from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { defaultSlices } from '../../src/core/slices.ts';
import { crc32With } from '../../src/engine/log/crc32.ts';
import type { Namespaces } from '../../src/engine/namespaces.ts';
import { Follower } from '../../src/engine/replication/follower.ts';
import type { LogSource } from '../../src/engine/replication/log-source.ts';
import { FrameTail } from '../../src/engine/replication/tail.ts';
import type { Committed } from '../../src/engine/types.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import { Problem } from '../../src/http/problems.ts';
import { guardOf } from '../../src/http/replication/guard.ts';
import { writesState } from '../../src/http/replication/writes.ts';
import type { Route } from '../../src/http/route.ts';
import { allRoutes } from '../../src/http/routes.ts';
import { edge, graphOf, startedWith, vertex } from './engine-support.ts';

const crc32 = crc32With((bytes, seed) => zlib.crc32(bytes, seed));
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const feed = { enabled: true, bufferSize: 1000, subscriberQueueSize: 100, maxSubscribers: 5, keepAliveSeconds: 60 };

async function pair(verifyEveryMs: number | null = null) {
  const tail = new FrameTail({ crc32, limitBytes: 1 << 22 });
  const writer = await startedWith({ tails: () => tail, changeFeed: feed });
  const replica = await startedWith({ logs: null, metadata: null, changeFeed: feed });
  const told = {
    began: 0,
    failed: [] as string[],
    compared: [] as boolean[],
    ready: 0,
    isBroken: false,
    isGone: false,
    /** When reads began that found something. */
    finds: [] as number[],
  };
  const source: LogSource = {
    namespaces: async () => ['default'],
    snapshot: async (name, signal) => {
      if (told.isBroken) throw new Error('no route');
      return (await writer.engine.packages.snapshot(name, signal))?.body as unknown as AsyncIterable<Uint8Array>;
    },
    read: async (_, position, signal) => {
      if (told.isBroken) throw new Error('no route');
      if (told.isGone) {
        told.isGone = false;
        return null;
      }
      const beganMs = performance.now();
      await tail.changed(position.sequence, 20, signal);
      const read = tail.read(position.sequence, 1000);
      if (read === null || read.before.chain !== position.chain) return null;
      const { changeFeed } = graphOf(writer.engine);
      const of = { epoch: changeFeed.epoch, sequence: read.feedSequence };
      if (read.blocks.length > 0) told.finds.push(beganMs);
      return { blocks: read.blocks, feed: of, headSequence: read.last.sequence };
    },
    hash: () => graphOf(writer.engine).runs.stateHash(),
  };
  const end = new AbortController();
  const namespace = replica.engine.named('default');
  if (!namespace) throw new Error('There is no default.');
  const follower = new Follower({
    ...{
      name: 'default',
      source,
      crc32,
      slices: defaultSlices,
      nowMs: () => performance.now(),
      verifyEveryMs,
      signal: end.signal,
    },
    pauseMs: (ms) => new Promise((resolve) => setTimeout(resolve, Math.min(ms, 20))),
    replace: (start) => replica.engine.replaceFrom(namespace, start),
    graph: () => {
      if (namespace.graph === null) throw new Error('gone');
      return namespace.graph;
    },
    ready: () => void told.ready++,
    applied: () => {},
    compared: (same) => void told.compared.push(same),
    began: () => void told.began++,
    failed: (error) => void told.failed.push(String(error)),
  });
  const over = follower.run();
  ends.push(async () => {
    end.abort();
    await over;
    await replica.engine.close();
    await writer.engine.close();
  });
  return { writer: writer.engine, replica: replica.engine, told };
}

async function write(engine: Namespaces, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const made = graphOf(engine).write([vertex('v', [['n', 7, String(i)]])]) as Committed;
    await (graphOf(engine).write([edge(made.firstId, 0)]) as Committed).durable;
  }
}

const at = (engine: Namespaces) => graphOf(engine).position?.sequence;
const hashOf = async (engine: Namespaces) => (await graphOf(engine).runs.stateHash()).hash;
const together = (one: Namespaces, other: Namespaces) =>
  expect.poll(() => at(other), { timeout: 20_000 }).toBe(at(one));

it('comes to the state of its writer, events included', async () => {
  const { writer, replica, told } = await pair();
  await write(writer, 5);
  await expect.poll(() => told.ready).toBe(1);
  await write(writer, 50);
  graphOf(writer).write([{ kind: 'trim' }]);
  await write(writer, 5);
  await together(writer, replica);
  expect(await hashOf(replica)).toBe(await hashOf(writer));
  expect(graphOf(replica).changeFeed.head).toBe(graphOf(writer).changeFeed.head);
  expect([told.began, told.failed]).toEqual([1, []]);
});

it('reads a few hundred times a second at most, however fast its writer is', async () => {
  const { writer, replica, told } = await pair();
  await expect.poll(() => told.ready).toBe(1);
  await write(writer, 400);
  await together(writer, replica);
  const gaps = told.finds.slice(1).map((at, i) => at - (told.finds[i] as number));
  expect(gaps.length).toBeGreaterThan(0);
  // Timers may be early, by a millisecond and what the loop was late to look at its clock.
  expect(Math.min(...gaps)).toBeGreaterThan(2.5);
});

it('compares its state, says when it is another one, and begins anew', async () => {
  const { writer, replica, told } = await pair(30);
  await write(writer, 20);
  await expect.poll(() => told.compared.length, { timeout: 20_000 }).toBeGreaterThan(0);
  expect(told.compared.every((same) => same)).toBe(true);
  // Something that no frame tells of.
  graphOf(replica).write([{ kind: 'setProperty', element: 0, key: 'n', type: 7, text: '99' }]);
  await write(writer, 1);
  await expect.poll(() => told.compared.includes(false), { timeout: 20_000 }).toBe(true);
  await write(writer, 5);
  await expect.poll(() => told.began, { timeout: 20_000 }).toBeGreaterThan(1);
  await together(writer, replica);
  expect(await hashOf(replica)).toBe(await hashOf(writer));
});

it('waits for a source that does not answer, and takes a snapshot where the frames have gone', async () => {
  const { writer, replica, told } = await pair();
  await write(writer, 3);
  await expect.poll(() => told.ready).toBe(1);
  told.isBroken = true;
  await write(writer, 10);
  await expect.poll(() => told.failed.length).toBeGreaterThan(1);
  told.isBroken = false;
  await together(writer, replica);
  expect(told.began).toBe(1);
  told.isGone = true;
  await write(writer, 3);
  await expect.poll(() => told.began).toBe(2);
  await together(writer, replica);
  expect(await hashOf(replica)).toBe(await hashOf(writer));
});

it('takes no writes of its own', async () => {
  const { engine } = await startedWith({ logs: null, metadata: null, isReplica: true });
  ends.push(() => engine.close());
  const graph = graphOf(engine);
  expect(() => graph.write([vertex()])).toThrow('This is a replica');
  expect(await graph.runs.generate({ vertices: 5, edges: 1, distribution: 'uniform' })).toMatchObject({ ok: false });
});

it('tells nothing of a graph that another node writes by now, not even that something is not there', async () => {
  let isReplaced = false;
  const guard = guardOf(null, () => isReplaced);
  const exchange = { hasWritten: false, encodedNamespace: 'default', query: () => null } as unknown as Exchange;
  const answer = async (method: string, serve: () => Response | Promise<Response>): Promise<unknown> => {
    const route = { method, path: '/vertex/:id', scope: 'namespace', tag: 'Vertex', serve } as unknown as Route;
    try {
      return (await guard(exchange, route)).status;
    } catch (error) {
      return error instanceof Problem ? error.status : error;
    }
  };
  const found = (): Response => new Response('{}');
  const missing = (): never => {
    throw new Problem('notFound', 'There is no vertex 1.');
  };
  const missingLater = async (): Promise<Response> => missing();
  const answers = async (): Promise<unknown[]> => [
    await answer('GET', found),
    await answer('GET', missing),
    await answer('GET', missingLater),
    await answer('PUT', found),
    await answer('PUT', missing),
  ];
  expect(await answers()).toEqual([200, 404, 404, 200, 404]);
  isReplaced = true;
  expect(await answers()).toEqual([503, 503, 503, 200, 404]);
});

it('knows which routes change what is kept', async () => {
  const routes = await allRoutes();
  const name = ({ method, path }: (typeof routes)[number]): string => `${method} ${path}`;
  const harmless = routes.filter((route) => route.method !== 'GET' && route.method !== 'HEAD' && !writesState(route));
  expect(harmless.map(name).sort()).toEqual([
    'PATCH /config',
    'POST /analytics/:algorithmName',
    'POST /analytics/:algorithmName/partition/:partitionId',
    'POST /chat',
    'POST /delegates/validate',
    'POST /document/search',
    'POST /embedding/search',
    'POST /embedding/text',
    'POST /graphelements/get',
    'POST /path/:from/to/:to',
    'POST /plugins/algorithm/validate',
    'POST /plugins/function/:name/invoke',
    'POST /plugins/function/validate',
    'POST /scan/graph/properties',
    'POST /scan/graph/property/:propertyId',
    'POST /scan/index/all',
    'POST /scan/index/fulltext',
    'POST /scan/index/range',
    'POST /scan/index/spatial',
    'POST /scan/index/vector',
    'POST /topology',
    'PUT /cluster/namespaces/:name',
  ]);
  const heads = routes.filter((route) => (route.method === 'HEAD' || route.method === 'GET') && writesState(route));
  expect(heads.map(name).sort()).toEqual(['GET /generate', 'HEAD /tabularasa', 'HEAD /tabularasa/all', 'HEAD /trim']);
});
