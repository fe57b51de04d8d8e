// Power loss with checkpoints under way: whatever the disk kept, the newest checkpoint that has a manifest loads, the log goes on from
// it, and together they are the state after some commit that is not before the last acknowledged one.

// @module-tag long

import { describe, expect, it } from 'vitest';
import { FileCheckpointStore } from '../../runtime-node/storage/checkpoint-store.ts';
import { FileLogStore } from '../../runtime-node/storage/file-store.ts';
import type { FileSystem } from '../../runtime-node/storage/file-system.ts';
import { loadCheckpoint } from '../../src/engine/checkpoint/load.ts';
import { CheckpointFailed, CheckpointUnreadable, sectionKinds } from '../../src/engine/checkpoint/types.ts';
import { Documents, isDocumentTransaction } from '../../src/engine/documents.ts';
import type { CheckpointStore } from '../../src/storage/types.ts';
import { Alive, difference, dumpOf } from '../unit/support/checkpoint-graph.ts';
import { Cores, crc32, namespaceId, openLog, Writer } from '../unit/support/checkpoint-home.ts';
import type { Dump } from '../unit/support/graph-core.ts';
import { chooserOf, randomFrom } from './choices.ts';
import { FaultyFileSystem } from './faulty-file-system.ts';
import { type Choose, SimulatedDisk } from './simulated-disk.ts';

const seed = Number(process.env.ARCWISE_SEED ?? 20260501);
/** What a disk may keep of what was not synced: nothing, all, and random parts. `npm run soak:checkpoint` asks more of the last kind. */
const outcomes = Number(process.env.CHECKPOINT_OUTCOMES ?? 3);
const outcomeSeed = Number(process.env.CHECKPOINT_SEED ?? Date.now() % 1_000_000);
const cores = new Cores(true);
/** Newest first: what a registry would say. */
const names = ['c', 'b', 'a'];

interface Script {
  readonly disk: SimulatedDisk;
  /** After so many commits. */
  readonly states: State[];
}

interface State {
  readonly dump: Dump;
  readonly documents: string;
}

const stateOf = (writer: Writer): State => ({ dump: writer.dump(), documents: writer.kept });

/** Every third commit is one of documents: a text that was never there before, and sometimes another one goes. */
function commit(writer: Writer, operations: number): Promise<boolean> {
  const number = writer.commits + 1;
  if (number % 3 !== 0) return writer.write(operations);
  const texts = { [`text ${number % 4}`]: `of commit ${number}` };
  return writer.keep(number % 2 === 0 ? { ...texts, [`text ${(number + 1) % 4}`]: null } : texts);
}

type StoreOver = (fileSystem: FileSystem) => CheckpointStore;
const honest: StoreOver = (fileSystem) => new FileCheckpointStore({ directory: '/', fileSystem });

/** Writes, and checkpoints beside writes; `breaks`: the disk refuses log writes for a while, and a checkpoint heals the log. */
async function runScript(storeOver: StoreOver = honest, breaks = false): Promise<Script> {
  const disk = new SimulatedDisk();
  const states: State[] = [];
  let refusing = false;
  const logFiles: FileSystem = changed(disk, {
    open: async (path, mode, synchronous) => {
      const handle = await disk.open(path, mode, synchronous);
      const write = async (bytes: Uint8Array, offset: number): Promise<number> => {
        if (refusing && synchronous) throw Object.assign(new Error('EIO'), { code: 'EIO' });
        return handle.write(bytes, offset);
      };
      return { ...handle, write };
    },
  });
  await cores.using(async (core) => {
    const { log } = await openLog(new FileLogStore({ directory: '/', fileSystem: logFiles }));
    const writer = new Writer(core, seed, log);
    states.push(stateOf(writer));
    const write = async (operations: number): Promise<boolean> => {
      const number = writer.commits + 1;
      disk.note('committed', number);
      const durable = commit(writer, operations);
      states.push(stateOf(writer));
      const good = await durable;
      if (good) disk.note('acknowledged', Math.max(number, disk.noted('acknowledged', disk.journal.length)));
      return good;
    };
    const store = storeOver(disk);
    for (const name of [...names].reverse()) {
      for (let i = 0; i < 4; i++) await write(6);
      void write(3);
      if (breaks && name === 'b') {
        refusing = true;
        expect(await write(3)).toBe(false);
        expect(log.degraded).toBe(true);
        refusing = false;
        expect(await write(2)).toBe(false);
      }
      const waiting: Promise<unknown>[] = [];
      const pause = async (): Promise<void> => {
        for (let i = 0; i < 3; i++) waiting.push(write(2));
      };
      const saving = writer.save(store, name, { pause });
      for (let i = 0; i < 3; i++) await write(2);
      await saving;
      disk.note('saved', 1 + names.length - names.indexOf(name));
      expect(log.degraded).toBe(false);
      await Promise.all(waiting);
      expect(await write(2)).toBe(true);
    }
    await log.close();
  });
  return { disk, states };
}

/** Recovers from the disk as it came back. Answers the number of commits and the disk to lose power with again. */
async function recover(script: Script, place: number, choose: Choose): Promise<SimulatedDisk> {
  const acknowledged = script.disk.noted('acknowledged', place);
  const committed = script.disk.noted('committed', place);
  const after = script.disk.afterPowerLoss(place, choose);
  const store = honest(after);
  const logs = new FileLogStore({ directory: '/', fileSystem: after });
  const at = `seed ${seed} and ${outcomeSeed}, power loss at ${place} of ${script.disk.journal.length}`;
  await cores.using(async (core) => {
    let name: string | undefined;
    for (const one of names) {
      const file = await store.open(one);
      if (file !== null) name ??= one;
      await file?.close();
    }
    const loaded =
      name === undefined
        ? null
        : await loadCheckpoint(core, store, name, { crc32, pause: async () => {}, namespaceId });
    const graph = loaded?.graph ?? core.createGraph();
    const anchor = loaded?.info.anchor ?? null;
    const documents = loaded?.documents ?? new Documents();
    const apply = (payload: Uint8Array): void => {
      if (!core.applyBytes(graph, payload, false).ok) throw new Error(`${at}: the core refused a frame.`);
      if (isDocumentTransaction(payload)) documents.apply(payload);
    };
    const { log, replayed } = await openLog(logs, apply, anchor);
    const writer = new Writer(core, seed, log, graph, new Alive(), documents);
    const found = stateOf(writer);
    const { nextId } = found.dump;
    const number = script.states.findIndex(
      ({ dump, documents }) =>
        documents === found.documents && dump.nextId === nextId && difference(found.dump, dump) === null,
    );
    if (number < 0) throw new Error(`${at}: what came back (${name}, ${replayed} frames) was never there.`);
    if (number < acknowledged) throw new Error(`${at}: ${acknowledged} were acknowledged, ${number} came back.`);
    if (number > committed) throw new Error(`${at}: ${committed} were committed, ${number} came back.`);
    // It goes on: another commit, another checkpoint, and both come back.
    if (!(await writer.write(3))) throw new Error(`${at}: the log does not go on.`);
    await writer.save(store, 'd', {});
    if (!(await writer.keep({ last: at }))) throw new Error(`${at}: the log does not go on after a checkpoint.`);
    await log.close();
    const wanted = stateOf(writer);
    await cores.using(async (second) => {
      const again = await loadCheckpoint(second, store, 'd', { crc32, pause: async () => {}, namespaceId });
      const opened = await openLog(logs, (payload) => again.documents.apply(payload), again.info.anchor);
      expect(opened.replayed).toBe(1);
      await opened.log.close();
      expect(JSON.stringify(again.documents.list(sectionKinds.storedQueries))).toBe(wanted.documents);
      expect(difference(dumpOf(second, again.graph), wanted.dump)).toBeNull();
    });
    expect((await logs.list('arcwise.wal')).filter((one) => !one.includes('torn'))).toHaveLength(1);
  });
  return after;
}

async function everyPlace(script: Script, outcomes: number, from = seed): Promise<number> {
  console.log(`power loss at ${script.disk.journal.length} places, CHECKPOINT_SEED=${from}`);
  const random = randomFrom(from);
  let checked = 0;
  for (let place = 0; place <= script.disk.journal.length; place++) {
    for (let outcome = 0; outcome < outcomes; outcome++) {
      await recover(script, place, chooserOf(outcome, random));
      checked++;
    }
  }
  return checked;
}

function changed(disk: FileSystem, methods: Partial<FileSystem>): FileSystem {
  return {
    open: (path, mode, synchronous) => disk.open(path, mode, synchronous),
    rename: (source, target) => disk.rename(source, target),
    remove: (path) => disk.remove(path),
    removeDirectory: (path) => disk.removeDirectory(path),
    makeDirectory: (path) => disk.makeDirectory(path),
    syncDirectory: (path) => disk.syncDirectory(path),
    readDirectory: (path) => disk.readDirectory(path),
    ...methods,
  };
}

describe('checkpoints on a disk that loses power', () => {
  it('never lose what was acknowledged', async () => {
    expect(await everyPlace(await runScript(), outcomes, outcomeSeed)).toBeGreaterThan(100 * outcomes);
  });

  it('never lose what was acknowledged when one of them heals the log', async () => {
    expect(await everyPlace(await runScript(honest, true), outcomes, outcomeSeed)).toBeGreaterThan(100 * outcomes);
  });
});

/** Writes and saves on a disk whose n-th call fails; answers false when the script ended before that call. */
async function faultScript(call: number, stays: boolean): Promise<Script | null> {
  const disk = new SimulatedDisk();
  const faulty = new FaultyFileSystem(disk, { call, code: call % 2 ? 'ENOSPC' : 'EIO', stays, short: call % 3 === 0 });
  const states: State[] = [];
  await cores.using(async (core) => {
    const opened = await openLog(new FileLogStore({ directory: '/', fileSystem: faulty })).catch(() => null);
    if (opened === null) return;
    const { log } = opened;
    const writer = new Writer(core, seed, log);
    states.push(stateOf(writer));
    const write = async (): Promise<void> => {
      const number = writer.commits + 1;
      disk.note('committed', number);
      const durable = commit(writer, 3);
      states.push(stateOf(writer));
      if (await durable) disk.note('acknowledged', Math.max(number, disk.noted('acknowledged', disk.journal.length)));
    };
    const store = honest(faulty);
    for (const name of [...names].reverse()) {
      await write();
      const waiting: Promise<void>[] = [];
      const pause = async (): Promise<void> => void waiting.push(write());
      const wasDegraded = log.degraded;
      const saved = await writer.save(store, name, { pause }).then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof CheckpointFailed)) throw error;
          return false;
        },
      );
      // A checkpoint acknowledges everything before its anchor.
      if (saved && wasDegraded) disk.note('acknowledged', writer.commits - waiting.length);
      await Promise.all(waiting);
      await write();
    }
    await log.close();
  });
  return faulty.calls < call ? null : { disk, states };
}

describe('checkpoints on a disk that fails', () => {
  it.each([false, true])(
    'never lose what was acknowledged (for good: %s)',
    async (stays) => {
      let failures = 0;
      for (let call = 1; ; call++) {
        const script = await faultScript(call, stays);
        if (script === null) break;
        failures++;
        if (script.states.length === 0) continue;
        for (const outcome of [0, 1])
          await recover(script, script.disk.journal.length, chooserOf(outcome, Math.random));
      }
      expect(failures).toBeGreaterThan(60);
    },
    120_000,
  );
});

describe('the harness', () => {
  it('catches a manifest that is put before its files are durable', async () => {
    const hasty: StoreOver = (fileSystem) => {
      const store = new FileCheckpointStore({
        directory: '/',
        fileSystem: changed(fileSystem, { open: unsynced(fileSystem) }),
      });
      const whole = honest(fileSystem);
      return Object.assign(Object.create(store) as CheckpointStore, {
        put: (name: string, bytes: Uint8Array) => whole.put(name, bytes),
      });
    };
    const caught = await everyPlace(await runScript(hasty), 4).catch((error: unknown) => error);
    expect(caught).toBeInstanceOf(CheckpointUnreadable);
  }, 300_000);

  it('catches a log that lets go of its old file before the checkpoint is durable', async () => {
    const late: StoreOver = (fileSystem) => {
      const store = honest(fileSystem);
      let overdue = async (): Promise<void> => {};
      return Object.assign(Object.create(store) as CheckpointStore, {
        create: (name: string) => store.create(name),
        put: async (name: string, bytes: Uint8Array) => {
          // Acknowledged to the caller before it is there: it comes with the next one.
          await overdue();
          overdue = () => store.put(name, bytes);
        },
      });
    };
    await expect(everyPlace(await runScript(late), 4)).rejects.toThrow();
  }, 300_000);
});

function unsynced(fileSystem: FileSystem): FileSystem['open'] {
  return async (path, mode, synchronous) => ({
    ...(await fileSystem.open(path, mode, synchronous)),
    sync: async () => {},
  });
}
