// Replaying a log into the empty graph: edges that are linked all at once at the end, or when a transaction has to see them, make the graph
// that the same transactions make one by one.

import { afterAll, describe, expect, it } from 'vitest';
import { LoadThreads } from '../../runtime-node/workers/load-threads.ts';
import type { Core } from '../../src/core/core.ts';
import { Room } from '../../src/core/room.ts';
import { CoreStatus } from '../../src/core/status.ts';
import type { LoadHelpers } from '../../src/engine/checkpoint/load.ts';
import { Documents } from '../../src/engine/documents.ts';
import { LogReplay, ReplayRefused } from '../../src/engine/log-replay.ts';
import { difference, dumpOf } from './support/checkpoint-graph.ts';
import { Cores, Writer } from './support/checkpoint-home.ts';
import { Transaction } from './support/transaction.ts';

const seed = Number(process.env.ARCWISE_SEED ?? 20260704);
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

interface History {
  readonly log: readonly Uint8Array[];
  /** The graph after the last transaction. */
  readonly dump: ReturnType<typeof dumpOf>;
}

/** Notes what a writer applies. */
async function historyOf(cores: Cores, write: (writer: Writer) => Promise<unknown>, from = seed): Promise<History> {
  const log: Uint8Array[] = [];
  return cores.using(async (core) => {
    const noting = {
      append: async (bytes: Uint8Array) => {
        log.push(bytes.slice());
        return true;
      },
    };
    const writer = new Writer(core, from, noting as never);
    await write(writer);
    return { log, dump: dumpOf(core, writer.graph) };
  });
}

async function replayed(core: Core, log: readonly Uint8Array[], helpers: LoadHelpers | null = null) {
  const graph = core.createGraph();
  const documents = new Documents();
  const room = new Room(core);
  room.begin(graph);
  const replay = new LogReplay({ core, graph, room, documents, pause: async () => {}, helpers });
  const waited: number[] = [];
  for (const [i, payload] of log.entries()) {
    const work = replay.apply(payload, i + 1);
    if (work === undefined) continue;
    waited.push(i + 1);
    await work;
  }
  await replay.end();
  return { graph, waited, documents };
}

async function same(cores: Cores, { log, dump }: History, helpers: LoadHelpers | null, what: string) {
  await cores.using(async (core) => {
    const { graph } = await replayed(core, log, helpers);
    expect(difference(dumpOf(core, graph), dump), what).toBeNull();
    // What was linked goes on like any other graph, and goes altogether.
    const writer = new Writer(core, seed, null, graph);
    writer.alive.nextId = core.nextId(graph);
    for (let i = 0; i < 10; i++) await writer.write(40);
    await writer.apply(new Transaction().trim());
    core.instance.exports.graphDrop(graph);
    core.instance.exports.retireAdvance();
    const use = core.memoryUse();
    expect([use.elements, use.adjacency, use.properties]).toEqual([0, 0, 0]);
  });
}

/** Vertices, then edges between them in a run of one operation. */
async function writeRun(writer: Writer, vertices: number, edges: number): Promise<void> {
  const base = writer.core.nextId(writer.graph);
  const first = new Transaction(writer.time++);
  for (let i = 0; i < vertices; i++) first.vertex();
  await writer.apply(first);
  const run = new Transaction(writer.time++);
  run.edges(
    'to',
    Array.from({ length: edges }, (_, i) => [base + (i % vertices), base + ((i * 7) % vertices)] as const),
  );
  await writer.apply(run);
}

describe.each(['debug', 'release'] as const)('a log replayed into the empty graph (%s)', (build) => {
  const cores = byBuild[build];

  it('gives the graph that was written, whatever was written', async () => {
    for (let round = 0; round < 8; round++) {
      const history = await historyOf(
        cores,
        async (writer) => {
          for (let i = 0; i < 4 + 6 * round; i++) await writer.write(60);
        },
        seed + round,
      );
      await same(cores, history, null, `seed ${seed + round}`);
      await same(cores, history, threads[build], `seed ${seed + round}, helped`);
    }
  });

  it('gives what runs of edges gave, across pages of ids', { tags: ['long'] }, async () => {
    const history = await historyOf(cores, async (writer) => {
      await writeRun(writer, 300, 140_000);
      await writeRun(writer, 10, 5000);
    });
    await same(cores, history, null, 'alone');
    await same(cores, history, threads[build], 'helped');
  });

  it('links before an element is removed and before a trim, and once only', async () => {
    const create = new Transaction();
    const [a, b] = [create.vertex(), create.vertex()];
    for (let i = 0; i < 5; i++) create.edge(a, b, `type${i % 2}`);
    const kinds: [string, Transaction][] = [
      ['an edge', new Transaction().remove(3)],
      ['a vertex', new Transaction().remove(1)],
      ['a trim', new Transaction().trim()],
    ];
    for (const [what, needs] of kinds) {
      const history = await historyOf(cores, async (writer) => {
        await writer.apply(create);
        await writer.apply(needs);
        const later = new Transaction();
        later.edge(0, 0, 'later');
        await writer.apply(later);
        await writer.apply(new Transaction().remove(0));
      });
      await cores.using(async (core) => {
        const { graph, waited } = await replayed(core, history.log);
        expect(waited, what).toEqual([2]);
        expect(difference(dumpOf(core, graph), history.dump), what).toBeNull();
      });
    }
  });

  it('links nothing before an erase', async () => {
    const history = await historyOf(cores, async (writer) => {
      await writeRun(writer, 10, 100);
      await writer.apply(new Transaction().erase());
      await writeRun(writer, 20, 50);
    });
    await cores.using(async (core) => {
      const { graph, waited } = await replayed(core, history.log);
      expect(waited).toEqual([]);
      expect(difference(dumpOf(core, graph), history.dump)).toBeNull();
    });
  });

  it('refuses a run to what is no vertex, and a transaction with other ids than it had', async () => {
    const { log } = await historyOf(cores, (writer) => writeRun(writer, 4, 10));
    await cores.using(async (core) => {
      await expect(replayed(core, [log[1] as Uint8Array])).rejects.toThrow(ReplayRefused);
    });
    await cores.using(async (core) => {
      await expect(replayed(core, [log[0], log[0], log[1]] as Uint8Array[])).rejects.toThrow('began at id 0, now at 4');
    });
  });

  it('gives up cleanly or does without scratch, whichever allocation fails', async () => {
    const history = await historyOf(cores, async (writer) => {
      for (let i = 0; i < 3; i++) await writer.write(40);
      await writeRun(writer, 50, 3000);
    });
    let refused = 0;
    for (let failing = 1; ; failing += 1 + (failing >> 4)) {
      const left = await cores.using(async (core) => {
        core.instance.exports.failAfter(failing);
        const outcome = await replayed(core, history.log).catch((error: unknown) => error);
        if (outcome instanceof Error) {
          expect(['ReplayRefused', 'CoreMemoryExhausted']).toContain(outcome.name);
          refused++;
          return 0;
        }
        const left = new DataView(core.instance.memory.buffer).getUint32(failAfterWord, true);
        core.instance.exports.failAfter(0);
        expect(difference(dumpOf(core, (outcome as { graph: number }).graph), history.dump), `${failing}`).toBeNull();
        return left;
      });
      if (left > 0) break;
    }
    expect(refused).toBeGreaterThan(0);
  });
});

describe('a graph whose edges are linked later', () => {
  it('has to be empty, and takes removals again once it is linked', async () => {
    await byBuild.debug.using(async (core) => {
      const { exports } = core.instance;
      const graph = core.createGraph();
      expect(exports.linkDefer(graph)).toBe(1);
      const create = new Transaction();
      create.edge(create.vertex(), create.vertex(), 'to');
      expect(core.applyBytes(graph, create.encode(), false).ok).toBe(true);
      expect(exports.linkDefer(graph)).toBe(0);
      const remove = new Transaction().remove(2).encode();
      expect(core.applyBytes(graph, remove, false)).toMatchObject({ ok: false, status: CoreStatus.notLinked });
      const other = core.createGraph();
      expect(core.applyBytes(other, create.encode(), false).ok).toBe(true);
      expect(core.applyBytes(other, remove, false).ok).toBe(true);
    });
  });
});

/** ROOT_FAIL_AFTER (assembly/memory/layout.ts). */
const failAfterWord = 1024 + 14 * 4;
