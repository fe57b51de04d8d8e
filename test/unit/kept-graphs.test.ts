// A graph that has followed becomes the writer's without being loaded anew: behind its last commit the log is read on, and everything is as a graph
// has it that was loaded. One that the log does not go through is loaded.

import zlib from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import type { WriteOperation } from '../../src/core/requests.ts';
import { defaultSlices } from '../../src/core/slices.ts';
import { sectionKinds } from '../../src/engine/checkpoint/types.ts';
import { KeptGraphs } from '../../src/engine/kept-graphs.ts';
import { crc32With } from '../../src/engine/log/crc32.ts';
import type { Namespaces } from '../../src/engine/namespaces.ts';
import { Followers } from '../../src/engine/replication/followers.ts';
import type { LogSource } from '../../src/engine/replication/log-source.ts';
import { FrameTail } from '../../src/engine/replication/tail.ts';
import { MemoryObjectStore } from '../../src/storage/memory-objects.ts';
import { randomFrom } from '../durability/choices.ts';
import { edge, graphOf, startedWith, vertex } from './engine-support.ts';
import { type Taken, takeOver } from './support/cluster-home.ts';

const crc32 = crc32With((bytes, seed) => zlib.crc32(bytes, seed));
const changeFeed = {
  enabled: true,
  bufferSize: 1000,
  subscriberQueueSize: 100,
  maxSubscribers: 5,
  keepAliveSeconds: 60,
};
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** The tails of one node's namespaces. */
function tailsOf(): (id: string) => FrameTail {
  const byId = new Map<string, FrameTail>();
  return (id) => {
    const tail = byId.get(id) ?? new FrameTail({ crc32, limitBytes: 1 << 24 });
    byId.set(id, tail);
    return tail;
  };
}

interface Writer extends Taken {
  readonly tails: (id: string) => FrameTail;
}

async function writer(store: MemoryObjectStore, kept?: KeptGraphs): Promise<Writer> {
  const tails = tailsOf();
  const taken = await takeOver(store, false, { tails, changeFeed, ...(kept === undefined ? {} : { kept }) });
  ends.push(() => taken.engine.close());
  return { ...taken, tails };
}

/** What a writer answers to those who follow it. */
function sourceOf({ engine, tails }: Writer): LogSource {
  const tailOf = (name: string): FrameTail => tails(engine.find(name)?.id ?? '');
  return {
    namespaces: async () => engine.list().map(({ name }) => name),
    snapshot: async (name, signal) =>
      (await engine.packages.snapshot(name, signal))?.body as unknown as AsyncIterable<Uint8Array>,
    read: async (name, { chain, epoch, sequence }, signal, isAtOnce) => {
      if (isAtOnce !== true) await tailOf(name).changed(sequence, 20, signal);
      const read = tailOf(name).read(sequence, 1e6);
      if (read === null || read.before.chain !== chain || read.before.epoch !== epoch) return null;
      return { blocks: read.blocks, feed: null, headSequence: read.last.sequence };
    },
    hash: async () => null,
  };
}

class Replica {
  readonly engine: Namespaces;
  readonly lines: readonly string[];
  private readonly followers: Followers;
  snapshots = 0;

  private constructor(engine: Namespaces, lines: readonly string[], source: LogSource, kept: KeptGraphs | undefined) {
    this.engine = engine;
    this.lines = lines;
    const snapshot: LogSource['snapshot'] = (...asked) => {
      this.snapshots++;
      return source.snapshot(...asked);
    };
    this.followers = new Followers({
      ...{
        engine,
        crc32,
        slices: defaultSlices,
        clock: { nowMs: () => 0 },
        telemetry: null,
        verifyEveryMs: null,
        kept,
      },
      source: { ...source, snapshot },
      logger: { info: () => {}, warn: () => {}, error: () => {} },
      pauseMs: (ms) => new Promise((resolve) => setTimeout(resolve, Math.min(ms, 20))),
    });
    this.followers.start();
  }

  static async of(source: LogSource, kept?: KeptGraphs): Promise<Replica> {
    const options = { logs: null, metadata: null, isReplica: true, changeFeed };
    const { engine, lines } = await startedWith({ ...options, ...(kept === undefined ? {} : { kept }) });
    const replica = new Replica(engine, lines, source, kept);
    ends.push(() => replica.close());
    return replica;
  }

  async cameTo(other: Namespaces, name = 'default'): Promise<void> {
    await expect.poll(() => this.followers.isReady(name), { timeout: 20_000 }).toBe(true);
    const at = (engine: Namespaces) => graphOf(engine, name).position?.sequence;
    await expect.poll(() => at(this.engine), { timeout: 20_000 }).toBe(at(other));
  }

  async release(): Promise<KeptGraphs> {
    await this.followers.close();
    return this.engine.release((name) => this.followers.isWhole(name));
  }

  async close(): Promise<void> {
    await this.followers.close();
    await this.engine.close();
  }
}

const hashOf = async (engine: Namespaces, name = 'default') => (await graphOf(engine, name).runs.stateHash()).hash;
const replayed = (engine: Namespaces, name = 'default') => graphOf(engine, name).durability.lastRecoveryReplayedEntries;

async function write(engine: Namespaces, operations: readonly WriteOperation[], name = 'default'): Promise<void> {
  const outcome = graphOf(engine, name).write(operations);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome));
  expect(await outcome.durable).toBe(true);
}

/** Something of everything that a log can hold. */
async function fill({ engine }: Writer, random: () => number, count: number): Promise<void> {
  const graph = graphOf(engine);
  if (graph.vertexCount === 0) {
    graph.indexes.create('numbers', 'RangeIndex', new Map(), true);
    graph.indexes.create('words', 'RegExIndex', new Map(), true);
    await write(
      engine,
      Array.from({ length: 40 }, (_, i) => vertex('v', [['n', 7, `${i}`]])),
    );
  }
  for (let i = 0; i < count; i++) {
    const dice = random();
    const element = Math.floor(random() * 30);
    if (dice < 0.3)
      await write(engine, [
        vertex('v', [
          ['n', 7, `${i}`],
          ['t', 1, `word${i} more`],
        ]),
      ]);
    else if (dice < 0.5) await write(engine, [edge(element, Math.floor(random() * 30))]);
    else if (dice < 0.7) await write(engine, [{ kind: 'setProperty', element, key: 'n', type: 7, text: `${i}` }]);
    else if (dice < 0.8) graph.documents.put(sectionKinds.storedQueries, `q${element}`, `${i}`);
    else if (dice < 0.85) graph.documents.remove(sectionKinds.storedQueries, `q${element}`);
    else if (dice < 0.9)
      await write(engine, [{ kind: 'removeElement', element: 40 + element, skipRemoved: true }]).catch(() => {}); // it is not there
    else if (dice < 0.95) await write(engine, [{ kind: 'trim' }]);
    else
      await write(
        engine,
        Array.from({ length: 50 }, () => vertex('w')),
      );
  }
}

it('is the state that a load comes to, is written to, and is what the next one loads', async () => {
  for (let seed = 1; seed <= 12; seed++) {
    const random = randomFrom(seed);
    const store = new MemoryObjectStore();
    const first = await writer(store);
    await fill(first, random, 20);
    const replica = await Replica.of(sourceOf(first));
    await fill(first, random, 30);
    if (seed % 3 === 0) await first.games.saveBases();
    await replica.cameTo(first.engine);
    await fill(first, random, 5);
    await replica.cameTo(first.engine);
    const kept = await replica.release();
    // What comes now has not been followed.
    const behind = seed % 4;
    for (let i = 0; i < behind; i++) await write(first.engine, [vertex('late')]);
    if (seed % 5 === 0) await first.games.saveBases();
    const wanted = await hashOf(first.engine);

    const second = await writer(store, kept);
    expect(await hashOf(second.engine)).toBe(wanted);
    // Where the log begins behind what has followed, the checkpoint is loaded.
    expect(replayed(second.engine)).toBe(seed % 5 === 0 ? 0 : behind);
    await fill(second, random, 20);
    if (seed % 2 === 0) await second.games.saveBases();
    await fill(second, random, 5);
    const behindIt = await hashOf(second.engine);
    const third = await writer(store);
    expect(await hashOf(third.engine), `seed ${seed}`).toBe(behindIt);
    expect(await graphOf(third.engine).documents.list?.(sectionKinds.storedQueries)).toEqual(
      await graphOf(second.engine).documents.list?.(sectionKinds.storedQueries),
    );
  }
}, 60_000);

it('is loaded anew where the log does not go through its last commit', async () => {
  const store = new MemoryObjectStore();
  const first = await writer(store);
  await fill(first, randomFrom(1), 20);
  const wanted = await hashOf(first.engine);
  const changes: ((position: { epoch: string; sequence: number; chain: number }) => object)[] = [
    ({ chain }) => ({ chain: (chain ^ 1) >>> 0 }),
    ({ sequence }) => ({ sequence: sequence - 1 }),
    ({ sequence }) => ({ sequence: sequence + 1 }),
    ({ epoch }) => ({ epoch: epoch.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) }),
  ];
  let last = first;
  for (const change of changes) {
    const replica = await Replica.of(sourceOf(last));
    await replica.cameTo(last.engine);
    const all = (await replica.release()).takeAll();
    const other = all.map(
      ([name, kept]) => [name, { ...kept, position: { ...kept.position, ...change(kept.position) } }] as const,
    );
    last = await writer(store, new KeptGraphs(other));
    expect(last.lines.filter((line) => line.includes('does not go on from its graph')).length).toBe(1);
    expect(await hashOf(last.engine)).toBe(wanted);
    expect(replayed(last.engine)).toBeGreaterThan(10);
  }
});

it('is given up where it lost what its log should have, and where its writer does not follow it to its end', async () => {
  const store = new MemoryObjectStore();
  const first = await writer(store);
  await fill(first, randomFrom(2), 10);
  const second = await writer(store);
  // The first one does not know yet that it was replaced.
  const outcome = graphOf(first.engine).write([vertex('lost')]);
  expect(outcome.ok && (await outcome.durable)).toBe(false);
  expect((await first.engine.release(() => true)).takeAll()).toEqual([]);
  const replica = await Replica.of({ ...sourceOf(second), read: async () => null });
  await expect.poll(() => replica.snapshots, { timeout: 20_000 }).toBeGreaterThan(0);
  expect((await replica.release()).takeAll()).toEqual([]);
});

it('goes from a writer that gives the log up to the one that follows the next, and from one that follows to another', async () => {
  const store = new MemoryObjectStore();
  const first = await writer(store);
  await first.engine.create('other');
  await fill(first, randomFrom(3), 20);
  await write(first.engine, [vertex('there')], 'other');
  const [next, beside] = [await Replica.of(sourceOf(first)), await Replica.of(sourceOf(first))];
  for (const name of ['default', 'other']) for (const one of [next, beside]) await one.cameTo(first.engine, name);
  const besides = await beside.release();
  await write(first.engine, [vertex('late')]);
  const left = await first.engine.release(() => true);
  const second = await writer(store, await next.release());
  await fill(second, randomFrom(4), 5);
  for (const kept of [left, besides]) {
    const replica = await Replica.of(sourceOf(second), kept);
    for (const name of ['default', 'other']) {
      await replica.cameTo(second.engine, name);
      expect(await hashOf(replica.engine, name)).toBe(await hashOf(second.engine, name));
    }
    expect(replica.snapshots).toBe(0);
    expect(kept.takeAll()).toEqual([]);
  }
});

it('has indexes, and a feed that begins with a resync', async () => {
  const store = new MemoryObjectStore();
  const first = await writer(store);
  await fill(first, randomFrom(5), 20);
  const replica = await Replica.of(sourceOf(first));
  await replica.cameTo(first.engine);
  const second = await writer(store, await replica.release());
  const [one, other] = [graphOf(first.engine), graphOf(second.engine)];
  expect(other.indexes.list()).toEqual(one.indexes.list());
  expect(other.changeFeed.epoch).not.toBe(one.changeFeed.epoch);
  await write(second.engine, [vertex('v')]);
  expect(other.changeFeed.newest).toBe(1);
  expect(second.tails('default').position).toEqual(other.position);
});
