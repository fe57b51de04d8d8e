// Loading with helpers: whatever two instances beside each other make of a checkpoint is what one alone makes of it, the graph goes on
// like any other afterwards, and where their memory does not suffice the load does without them.

import { afterAll, describe, expect, it } from 'vitest';
import { LoadThreads } from '../../runtime-node/workers/load-threads.ts';
import { type HelperHeaps, LinkHelper, type LinkHelpers } from '../../src/core/checkpoint.ts';
import { ColumnPages } from '../../src/core/column-pages.ts';
import type { Core } from '../../src/core/core.ts';
import { type CoreBinary, CoreInstance } from '../../src/core/instance.ts';
import { type LoadHelpers, loadCheckpoint } from '../../src/engine/checkpoint/load.ts';
import { CheckpointUnreadable } from '../../src/engine/checkpoint/types.ts';
import { MemoryCheckpointStore } from '../../src/storage/memory-store.ts';
import { difference, dumpOf } from './support/checkpoint-graph.ts';
import { Cores, crc32, dumpCheckpoint, namespaceId, Writer } from './support/checkpoint-home.ts';
import { Transaction, value } from './support/transaction.ts';

const seed = Number(process.env.ARCWISE_SEED ?? 20260701);
const entry = new URL('../../dist/runtime-node/workers/load-worker.js', import.meta.url);
const byBuild = { debug: new Cores(true), release: new Cores(false) };
const threads = {
  debug: new LoadThreads(byBuild.debug.binary, { fromIds: 0, entry }),
  release: new LoadThreads(byBuild.release.binary, { fromIds: 0, entry }),
};
afterAll(async () => {
  await threads.debug.close();
  await threads.release.close();
});

/** Helpers in this very thread, one after the other; `says` may replace an answer of theirs. */
class LocalHelpers implements LoadHelpers {
  readonly fromIds = 0;
  runs = 0;
  private readonly binary: CoreBinary;
  private readonly says: (run: number) => number | null;

  constructor(binary: CoreBinary, says: (run: number) => number | null = () => null) {
    this.binary = binary;
    this.says = says;
  }

  take(core: Core): LinkHelpers {
    let helpers: LinkHelper[] = [];
    const make = (heaps: HelperHeaps) => new LinkHelper(new CoreInstance(this.binary, core.instance.memory), heaps);
    return {
      touch: async (pages) => pages.touch(core.instance.memory),
      begin: async (heaps) => {
        helpers = heaps.map(make);
        return helpers.every((helper) => helper.attach());
      },
      run: async (parts) => parts.map((part, i) => this.says(++this.runs) ?? (helpers[i] as LinkHelper).run(part)),
      end: () => {
        helpers = [];
      },
    };
  }
}

/** A checkpoint with a tail and with edges that lost a vertex while it was written. */
async function saved(cores: Cores, from: number, transactions: number): Promise<MemoryCheckpointStore> {
  const store = new MemoryCheckpointStore();
  await cores.using(async (core) => {
    const writer = new Writer(core, from);
    for (let i = 0; i < transactions; i++) await writer.write(60);
    // A vertex with more edge types than a chain of nodes holds, and one with more edges than a region's block.
    const wide = new Transaction(writer.time++);
    const ids = [wide.vertex(), wide.vertex()] as const;
    for (let i = 0; i < 100; i++) wide.edge(ids[0], ids[1], `wide${i % 50}`);
    for (let i = 0; i < 400; i++) wide.edge(ids[1], ids[0], 'many');
    await writer.apply(wide);
    writer.alive.nextId = writer.core.nextId(writer.graph);
    await writer.save(store, 'a', { pause: async () => void writer.write(8) });
  });
  return store;
}

async function loadedWith(cores: Cores, store: MemoryCheckpointStore, helpers: LoadHelpers, from: number) {
  await cores.using(async (core) => {
    const options = { crc32, pause: async () => {}, namespaceId, helpers };
    const { graph } = await loadCheckpoint(core, store, 'a', options);
    expect(difference(dumpOf(core, graph), await dumpCheckpoint(cores, store, 'a')), `seed ${from}`).toBeNull();
    // Blocks that a helper handed out go back like all others.
    const writer = new Writer(core, from, null, graph);
    writer.alive.nextId = core.nextId(graph);
    for (let i = 0; i < 20; i++) await writer.write(40);
    await writer.apply(new Transaction().trim());
    core.instance.exports.graphDrop(graph);
    core.instance.exports.retireAdvance();
    const use = core.memoryUse();
    expect([use.elements, use.adjacency, use.properties]).toEqual([0, 0, 0]);
  });
}

describe.each(['debug', 'release'] as const)('a load with helpers (%s)', (build) => {
  const cores = byBuild[build];

  it('gives what one without gives', { tags: ['long'] }, async () => {
    for (let round = 0; round < 6; round++) {
      const store = await saved(cores, seed + round, 20 + 20 * round);
      const local = new LocalHelpers(cores.binary);
      await loadedWith(cores, store, local, seed + round);
      expect(local.runs).toBe(8);
      await loadedWith(cores, store, threads[build], seed + round);
    }
  });

  it('does without them when one of them has no memory, at whatever step', async () => {
    const store = await saved(cores, seed, 30);
    for (let failing = 1; failing <= 8; failing++) {
      const helpers = new LocalHelpers(cores.binary, (run) => (run === failing ? 1 : null));
      await loadedWith(cores, store, helpers, seed);
    }
  });

  it('gives up cleanly or does without them, whichever allocation fails', async () => {
    const store = await saved(cores, seed, 10);
    const wanted = await dumpCheckpoint(cores, store, 'a');
    let refused = 0;
    for (let failing = 1; ; failing += 1 + (failing >> 4)) {
      const left = await cores.using(async (core) => {
        const { exports } = core.instance;
        exports.failAfter(failing);
        const helpers = new LocalHelpers(cores.binary);
        const options = { crc32, pause: async () => {}, namespaceId, helpers };
        const loaded = await loadCheckpoint(core, store, 'a', options).catch((error: unknown) => error);
        if (loaded instanceof Error) {
          if (loaded instanceof CheckpointUnreadable) expect(loaded.reason).toBe('noMemory');
          else expect(loaded.name).toBe('CoreMemoryExhausted');
          refused++;
          return 0;
        }
        const left = new DataView(core.instance.memory.buffer).getUint32(failAfterWord, true);
        exports.failAfter(0);
        expect(difference(dumpOf(core, (loaded as { graph: number }).graph), wanted), `${failing}`).toBeNull();
        return left;
      });
      if (left > 0) break;
    }
    expect(refused).toBeGreaterThan(10);
  });
});

it('reads blocks that are longer than what is kept of a part, and files of several parts', async () => {
  const cores = byBuild.release;
  const store = new MemoryCheckpointStore();
  await cores.using(async (core) => {
    const writer = new Writer(core, seed);
    for (let i = 0; i < 9; i++) {
      const long = new Transaction(writer.time++);
      long.vertex({ properties: { text: value.string(String.fromCharCode(97 + i).repeat(700_000 * (1 + (i % 3)))) } });
      await writer.apply(long);
    }
    await writer.save(store, 'a', { pause: async () => {} });
    const wanted = dumpOf(core, writer.graph);
    await cores.using(async (other) => {
      const options = { crc32, pause: async () => {}, namespaceId, helpers: new LocalHelpers(cores.binary) };
      const { graph, info } = await loadCheckpoint(other, store, 'a', options);
      expect(info.totalBytes).toBeGreaterThan(12_000_000);
      expect(difference(dumpOf(other, graph), wanted)).toBeNull();
    });
  });
});

describe('pages of columns that a thread touches first', () => {
  it('belong to who has taken them', async () => {
    await byBuild.release.using(async (core) => {
      const ids = 3 * 65_536 + 1;
      const graph = core.createGraph();
      expect(core.instance.exports.loadBegin(graph, ids)).toBe(0);
      const pages = ColumnPages.of(core, graph, ids);
      const { states, addresses, pageBytes } = pages.message;
      expect(addresses).toHaveLength(4);
      const words = new Uint32Array(core.instance.memory.buffer);
      const of = (page: number) =>
        words.subarray((addresses[page] as number) / 4, ((addresses[page] as number) + pageBytes) / 4);
      for (let page = 0; page < 4; page++) of(page).fill(0x0101_0101 * (page + 1));
      expect(pages.take(65_536, 1)).toBe(true);
      states[2] = 1;
      expect(pages.take(65_535, 2)).toBe(true);
      expect(pages.take(131_000, 72)).toBe(true);
      expect(pages.take(131_000, 73)).toBe(false);
      expect(pages.take(ids - 1, 2 ** 32 - 1)).toBe(true);
      ColumnPages.from(structuredClone(pages.message)).touch(core.instance.memory);
      expect([...states]).toEqual([2, 2, 1, 2]);
      states[2] = 0;
      pages.touch(core.instance.memory);
      expect([...states]).toEqual([2, 2, 2, 2]);
      // Once in 4 KiB where it was touched, nowhere where it was taken.
      const zeros = [0, 1, 2, 3].map((page) => of(page).reduce((sum, word) => sum + Number(word === 0), 0));
      expect(zeros).toEqual([0, 0, pageBytes / 4096, 0]);
      core.instance.exports.graphDrop(graph);
    });
  });

  it('are waited for by the load, and are untouched when it is over', async () => {
    const cores = byBuild.debug;
    const store = await saved(cores, seed, 10);
    await cores.using(async (core) => {
      let pauses = 0;
      let pages: ColumnPages | null = null;
      let isOver = false;
      const local = new LocalHelpers(cores.binary);
      const helpers: LoadHelpers = {
        fromIds: 0,
        take: (of) => ({
          ...local.take(of),
          touch: async (those) => {
            pages = those;
            those.message.states.fill(1);
            while (pauses < 5) await Promise.resolve();
            isOver = true;
          },
        }),
      };
      const pause = async () => {
        if (++pauses === 5) pages?.message.states.fill(2);
      };
      const loaded = await loadCheckpoint(core, store, 'a', { crc32, pause, namespaceId, helpers });
      expect(pauses).toBeGreaterThan(5);
      expect(isOver).toBe(true);
      expect(difference(dumpOf(core, loaded.graph), await dumpCheckpoint(cores, store, 'a'))).toBeNull();
    });
  });

  it('fail the load with the thread that touches them, once it has come to rest', async () => {
    const cores = byBuild.debug;
    const store = await saved(cores, seed, 10);
    await cores.using(async (core) => {
      const local = new LocalHelpers(cores.binary);
      const ends = async () => {
        throw new Error('This thread ends.');
      };
      const helpers: LoadHelpers = { fromIds: 0, take: (of) => ({ ...local.take(of), touch: ends }) };
      const options = { crc32, pause: async () => {}, namespaceId, helpers };
      await expect(loadCheckpoint(core, store, 'a', options)).rejects.toThrow('This thread ends.');
    });
  });
});

/** ROOT_FAIL_AFTER (assembly/memory/layout.ts). */
const failAfterWord = 1024 + 14 * 4;

describe('helping threads', () => {
  it('are asked by one load at a time, and come back after one has ended', async () => {
    const own = new LoadThreads(byBuild.release.binary, { fromIds: 0, entry });
    const core = byBuild.release.make();
    const first = own.take(core);
    expect(first).not.toBeNull();
    expect(own.take(core)).toBeNull();
    first?.end();
    first?.end();
    const second = own.take(core);
    expect(second).not.toBeNull();
    first?.end();
    expect(own.take(core)).toBeNull();
    second?.end();
    await own.close();
    const store = await saved(byBuild.release, seed, 10);
    await loadedWith(byBuild.release, store, own, seed);
    await own.close();
    core.dispose();
  });

  it('are both at an end before a load that one of them fails is given up', async () => {
    const failing = new URL('./load-failing-worker.mjs', import.meta.url);
    const own = new LoadThreads(byBuild.release.binary, { fromIds: 0, entry: failing });
    const core = byBuild.release.make();
    const helpers = own.take(core) as LinkHelpers;
    const heaps = { scratch: 0, fork: 0, shared: 0 };
    expect(await helpers.begin([heaps, heaps])).toBe(true);
    const part = { step: 'fill', graph: 0, ids: 0 } as const;
    await expect(
      helpers.run([
        { ...part, share: 0 },
        { ...part, share: 1 },
      ]),
    ).rejects.toThrow('This thread ends.');
    helpers.end();
    const words = new Int32Array(core.instance.memory.buffer);
    const seen = Atomics.load(words, 4);
    expect(seen).toBeGreaterThan(0);
    let isAtRest = true;
    for (let looks = 0; looks < 1_000_000; looks++) isAtRest &&= Atomics.load(words, 4) === seen;
    expect(isAtRest).toBe(true);
    Atomics.store(words, 4, 0);
    core.dispose();
    await own.close();
  });
});
