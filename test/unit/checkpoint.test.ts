// Saving and loading through the host: the state at the anchor comes back exactly, whatever the writer did meanwhile, and nothing that
// is not a whole checkpoint of this namespace is loaded.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { FileCheckpointStore } from '../../runtime-node/storage/checkpoint-store.ts';
import { ThreadScanner } from '../../runtime-node/workers/checkpoint-scanner.ts';
import { jobsOnThreads } from '../../runtime-node/workers/job-threads.ts';
import { type Block, writeBlock } from '../../src/core/checkpoint.ts';
import type { CoreBinary } from '../../src/core/instance.ts';
import { ScanGate } from '../../src/engine/checkpoint/gate.ts';
import { loadCheckpoint } from '../../src/engine/checkpoint/load.ts';
import { deleteCheckpoint, readCheckpoint } from '../../src/engine/checkpoint/manifest.ts';
import { type PartitionScanner, scanPartitions, slicingScanner } from '../../src/engine/checkpoint/scan.ts';
import { CheckpointUnreadable } from '../../src/engine/checkpoint/types.ts';
import type { Jobs } from '../../src/engine/jobs/types.ts';
import { MemoryCheckpointStore, MemoryLogStore } from '../../src/storage/memory-store.ts';
import { difference } from './support/checkpoint-graph.ts';
import { Cores, crc32, dumpCheckpoint, namespaceId, openLog, Writer } from './support/checkpoint-home.ts';
import type { Dump } from './support/graph-core.ts';
import { Transaction, value } from './support/transaction.ts';

const seed = Number(process.env.ARCWISE_SEED ?? 20260401);
const directory = await mkdtemp(join(tmpdir(), 'arcwise-checkpoint-'));
const cores = new Cores(true);

afterAll(() => rm(directory, { recursive: true, force: true }));

async function grown(writer: Writer, transactions: number, operations: number): Promise<Writer> {
  for (let i = 0; i < transactions; i++) await writer.write(operations);
  return writer;
}

/** As the slicing scanner, in blocks of few ids, so that much happens between them. */
const fineScanner: PartitionScanner = {
  threaded: false,
  scan: (job) =>
    scanPartitions(job, job.store, job.crc32, async (from, to) => {
      await job.pause();
      if (job.gate.isReplaced) return 'replaced';
      return writeBlock(job.core.instance, job.graph, from, Math.min(to, from + 97)) as Block;
    }),
};

describe('a checkpoint', () => {
  it('holds the state at its anchor while every slice is followed by writes', { tags: ['long'] }, async () => {
    for (let round = 0; round < 25; round++) {
      const store = new MemoryCheckpointStore();
      await cores.using(async (core) => {
        const { log } = await openLog(new MemoryLogStore());
        const writer = await grown(new Writer(core, seed + round, log), 30, 60);
        const pause = async (): Promise<void> => {
          for (let i = writer.writes.below(20); i > 0; i--) void writer.write(1 + writer.writes.below(30));
          if (round % 3 === 0) writer.fail();
        };
        const info = await writer.save(store, 'a', { pause, scanner: fineScanner });
        const wanted = writer.dump();
        expect(info.anchor.sequence, `seed ${seed + round}`).toBe(writer.commits);
        expect(difference(await dumpCheckpoint(cores, store, 'a'), wanted), `seed ${seed + round}`).toBeNull();
        expect([info.vertexCount, info.edgeCount]).toEqual([wanted.vertexCount, wanted.edgeCount]);
        expect(await readCheckpoint(store, 'a')).toEqual(info);
      });
    }
  });

  it('begins again when the graph is replaced, and stands still when that goes on', async () => {
    for (const replacements of [1, 1000]) {
      const store = new MemoryCheckpointStore();
      await cores.using(async (core) => {
        const writer = await grown(new Writer(core, seed, null), 30, 40);
        let left = replacements;
        const pause = async (): Promise<void> => {
          if (left-- > 0) await writer.apply(left % 2 === 0 ? new Transaction().trim() : new Transaction().trim());
        };
        await writer.save(store, 'a', { pause, scanner: fineScanner });
        expect(difference(await dumpCheckpoint(cores, store, 'a'), writer.dump())).toBeNull();
        expect(await store.list('')).toEqual(['a', 'a_elements_0']);
      });
    }
  }, 60_000);

  it('begins again when the graph is replaced while its files are written, but not for ever', async () => {
    for (const replacements of [1, 10, 1000]) {
      const kept = new MemoryCheckpointStore();
      await cores.using(async (core) => {
        const writer = await grown(new Writer(core, seed, null), 30, 40);
        let left = replacements;
        const trim = (): boolean => {
          if (left-- > 0) void writer.apply(new Transaction().trim());
          return false;
        };
        const saved = writer.save(failingAt(kept, trim), 'a');
        if (replacements === 1000) {
          await expect(saved).rejects.toThrow(/erased or trimmed/);
          expect(await kept.list('')).toEqual([]);
          return;
        }
        await saved;
        expect(difference(await dumpCheckpoint(cores, kept, 'a'), writer.dump())).toBeNull();
      });
    }
  }, 60_000);

  it('begins again when the graph is replaced behind the first of its files', async () => {
    const kept = new MemoryCheckpointStore();
    await cores.using(async (core) => {
      const writer = new Writer(core, seed);
      const vertex = { kind: 'createVertex', creationDate: 0, label: null, properties: [] } as const;
      core.write(writer.graph, Array(2 * 65_536).fill(vertex), 0);
      let left = 1;
      const create = (name: string) => {
        if (name === 'a_elements_1' && left-- > 0) void writer.apply(new Transaction().trim());
        return kept.create(name);
      };
      await writer.save(Object.assign(Object.create(kept) as MemoryCheckpointStore, { create }), 'a', {
        partitions: 2,
      });
      expect(left).toBe(-1);
      expect(await kept.list('')).toEqual(['a', 'a_elements_0', 'a_elements_1']);
    });
  });

  it('leaves nothing behind when what reads the graph dies', async () => {
    const store = new MemoryCheckpointStore();
    const scan: PartitionScanner['scan'] = async ({ name }) => {
      for (const partition of [0, 1]) await (await store.create(`${name}_elements_${partition}`)).finish();
      throw new Error('the thread has ended');
    };
    await cores.using(async (core) => {
      const saved = new Writer(core, seed).save(store, 'a', { scanner: { threaded: false, scan } });
      await expect(saved).rejects.toMatchObject({ name: 'CheckpointFailed' });
      expect(await store.list('')).toEqual([]);
    });
  });

  it('of an empty graph is its manifest alone', async () => {
    const store = new MemoryCheckpointStore();
    await cores.using(async (core) => {
      const info = await new Writer(core, seed).save(store, 'deep/empty');
      expect(info).toMatchObject({ vertexCount: 0, edgeCount: 0, fileCount: 1 });
      expect((await dumpCheckpoint(cores, store, 'deep/empty')).nextId).toBe(0);
    });
  });

  it('leaves nothing behind when the store fails, and lets the next one be written', async () => {
    const kept = new MemoryCheckpointStore();
    await cores.using(async (core) => {
      const { log } = await openLog(new MemoryLogStore());
      const writer = await grown(new Writer(core, seed, log), 20, 30);
      const pause = async (): Promise<void> => void (await writer.write(3));
      let calls = 0;
      for (let failing = 1; ; failing++) {
        calls = 0;
        const store = failingAt(kept, () => ++calls === failing);
        const failed = await writer.save(store, 'a', { pause }).then(
          () => null,
          (error: unknown) => error,
        );
        if (failed === null) break;
        expect(failed).toMatchObject({ name: 'CheckpointFailed' });
        expect(await kept.list('')).toEqual([]);
        expect(log.degraded).toBe(false);
      }
      expect(calls).toBeGreaterThan(5);
      expect(difference(await dumpCheckpoint(cores, kept, 'a'), writer.dump())).toBeNull();
    });
  }, 60_000);

  it('ends with the reason of its signal', async () => {
    const store = new MemoryCheckpointStore();
    await cores.using(async (core) => {
      const writer = await grown(new Writer(core, seed), 10, 30);
      const abort = new AbortController();
      const { saveCheckpoint } = await import('../../src/engine/checkpoint/save.ts');
      const { documents, graph } = writer;
      const source = { core, graph, documents, namespaceId, log: null, scanner: slicingScanner, crc32 };
      const options = { store, name: 'a', partitions: 1, engineVersion: '1', nowMs: 0, signal: abort.signal };
      const pause = async (): Promise<void> => abort.abort(new Error('enough'));
      await expect(saveCheckpoint({ ...source, pause }, options)).rejects.toThrow('enough');
      expect(await store.list('')).toEqual([]);
    });
  });
});

/** The store, every call of which first asks whether it fails. */
function failingAt(store: MemoryCheckpointStore, fails: () => boolean): MemoryCheckpointStore {
  const check = async (): Promise<void> => {
    if (fails()) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  };
  return Object.assign(Object.create(store) as MemoryCheckpointStore, {
    create: async (name: string) => {
      await check();
      const writer = await store.create(name);
      return {
        append: (bytes: Uint8Array) => check().then(() => writer.append(bytes)),
        finish: () => check().then(() => writer.finish()),
        abandon: () => writer.abandon(),
      };
    },
    put: (name: string, bytes: Uint8Array) => check().then(() => store.put(name, bytes)),
  });
}

describe('a damaged checkpoint', () => {
  async function small(): Promise<{ store: MemoryCheckpointStore; wanted: Dump }> {
    const store = new MemoryCheckpointStore();
    return cores.using(async (core) => {
      const writer = await grown(new Writer(core, seed + 7), 3, 12);
      const pause = async (): Promise<void> => void (await writer.write(6));
      await writer.save(store, 'a', { pause });
      return { store, wanted: writer.dump() };
    });
  }

  async function outcome(store: MemoryCheckpointStore, wanted: Dump): Promise<string> {
    try {
      return difference(await dumpCheckpoint(cores, store, 'a'), wanted) === null ? 'whole' : 'wrong';
    } catch (error) {
      if (error instanceof CheckpointUnreadable) return error.reason;
      throw error;
    }
  }

  it('is noticed, whichever byte is flipped', { tags: ['long'], timeout: 120_000 }, async () => {
    const { store, wanted } = await small();
    expect(await store.list('')).toEqual(['a', 'a_elements_0', 'a_tail']);
    expect(await outcome(store, wanted)).toBe('whole');
    const seen = new Map<string, number>();
    for (const name of await store.list('')) {
      const bytes = (await store.get(name)) as Uint8Array;
      for (let at = 0; at < bytes.length; at++) {
        const bad = bytes.slice();
        bad[at] = (bad[at] as number) ^ (1 << (at % 8));
        await store.put(name, bad);
        const result = await outcome(store, wanted);
        seen.set(result, (seen.get(result) ?? 0) + 1);
      }
      await store.put(name, bytes);
    }
    expect([...seen.keys()].sort()).toEqual(['corrupt', 'notACheckpoint']);
  });

  it('is noticed when a file is cut, longer, missing, or of another save', async () => {
    const { store, wanted } = await small();
    const other = await small();
    for (const name of ['a_elements_0', 'a_tail']) {
      const bytes = (await store.get(name)) as Uint8Array;
      for (const bad of [bytes.subarray(0, bytes.length - 8), bytes.subarray(0, 64), new Uint8Array([...bytes, 0])]) {
        await store.put(name, bad);
        expect(await outcome(store, wanted)).toBe('corrupt');
      }
      await store.put(name, (await other.store.get(name)) as Uint8Array);
      expect(await outcome(store, wanted)).toBe('corrupt');
      await store.delete(name);
      expect(await outcome(store, wanted)).toBe('corrupt');
      await store.put(name, bytes);
      expect(await outcome(store, wanted)).toBe('whole');
    }
    await deleteCheckpoint(store, 'a');
    expect(await store.list('')).toEqual([]);
    expect(await outcome(store, wanted)).toBe('missing');
    await store.put('a', new TextEncoder().encode('{"not":"a checkpoint, but long enough to be read as one"}'));
    expect(await outcome(store, wanted)).toBe('notACheckpoint');
  });

  it('of another namespace or too large for the memory limit is refused', async () => {
    const { store } = await small();
    const options = { crc32, pause: async () => {}, namespaceId: 'ns-20260101-000000-0002' };
    await cores.using(async (core) => {
      await expect(loadCheckpoint(core, store, 'a', options)).rejects.toMatchObject({ reason: 'otherNamespace' });
    });
    await cores.using(async (core) => {
      const loaded = await loadCheckpoint(core, store, 'a', { ...options, namespaceId: null });
      expect(loaded.info.namespaceId).toBe(namespaceId);
    });
    const narrow = cores.make(3 * 2 ** 20);
    await expect(loadCheckpoint(narrow, store, 'a', { ...options, namespaceId: null })).rejects.toMatchObject({
      reason: 'noMemory',
    });
    narrow.dispose();
  });
});

describe('a thread beside the writer', () => {
  const entry = new URL('../../dist/runtime-node/workers/job-worker.js', import.meta.url);
  const jobsOf = (binary: CoreBinary): Jobs => jobsOnThreads({ binary, threads: 1, entry });

  async function race(debug: boolean, rounds: number, vertices: number): Promise<void> {
    const own = new Cores(debug);
    const jobs = jobsOf(own.binary);
    const scanner = new ThreadScanner(jobs, directory);
    const store = new FileCheckpointStore({ directory });
    try {
      for (let round = 0; round < rounds; round++) {
        const name = `race-${debug}-${round}`;
        await own.using(async (core) => {
          const writer = await grown(new Writer(core, seed + round, null), Math.ceil(vertices / 100), 300);
          let done = false;
          let during = 0;
          const saving = writer.save(store, name, { scanner, partitions: 3 }).finally(() => {
            done = true;
          });
          // Every turn commits; the save ends between two of them, and what it ends with must be what is there then.
          const taken = saving.then(() => writer.dump());
          taken.catch(() => {});
          while (!done) {
            for (let i = 0; i < 20 && !done; i++) {
              if (core.tap === null) break;
              void writer.write(1 + writer.writes.below(40));
              if (during % 200 === 0) writer.fail();
              during++;
            }
            await setImmediate();
          }
          await saving;
          expect(during).toBeGreaterThan(0);
          const got = await dumpCheckpoint(own, store, name);
          expect(difference(got, await taken), `seed ${seed + round}, ${during} transactions meanwhile`).toBeNull();
        });
      }
    } finally {
      await jobs.close();
    }
  }

  it('writes what is there at the anchor (release)', { tags: ['long'] }, () => race(false, 12, 6000));
  it('writes what is there at the anchor (debug)', () => race(true, 4, 3000), 120_000);

  it('is caught when it does not look at the gate', { tags: ['long'], timeout: 60_000 }, async () => {
    const own = new Cores(false);
    const jobs = jobsOf(own.binary);
    const scanner = new ThreadScanner(jobs, directory);
    const careless: PartitionScanner = {
      threaded: true,
      scan: (job) => scanner.scan({ ...job, gate: new ScanGate({ shared: true }) }),
    };
    const store = new FileCheckpointStore({ directory });
    const differs = async (by: PartitionScanner, name: string): Promise<boolean> =>
      own.using(async (core) => {
        const writer = await grown(new Writer(core, seed), 20, 300);
        let done = false;
        const saving = writer.save(store, name, { scanner: by }).finally(() => {
          done = true;
        });
        while (!done) {
          for (let i = 0; i < 50 && core.tap !== null; i++) writer.fail();
          await setImmediate();
        }
        await saving;
        const wanted = writer.dump();
        return dumpCheckpoint(own, store, name).then(
          (got) => difference(got, wanted) !== null,
          (error: unknown) => error instanceof CheckpointUnreadable,
        );
      });
    let caught = false;
    for (let round = 0; round < 40 && !caught; round++) caught = await differs(careless, `careless-${round}`);
    expect(caught).toBe(true);
    for (let round = 0; round < 3; round++) expect(await differs(scanner, `careful-${round}`)).toBe(false);
    await jobs.close();
  });

  it('asks for a larger arena when an element needs it', { tags: ['long'], timeout: 60_000 }, async () => {
    const own = new Cores(false);
    const jobs = jobsOf(own.binary);
    const scanner = new ThreadScanner(jobs, directory);
    const store = new FileCheckpointStore({ directory });
    await own.using(async (core) => {
      const writer = new Writer(core, seed);
      const transaction = new Transaction();
      transaction.vertex({ properties: { text: value.string('x'.repeat(30 * 2 ** 20)) } });
      await writer.apply(transaction);
      await writer.save(store, 'wide', { scanner });
      expect(difference(await dumpCheckpoint(own, store, 'wide'), writer.dump())).toBeNull();
    });
    await jobs.close();
  });
});
