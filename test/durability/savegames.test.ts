// Power loss, or the death of the process, at every moment of saving, of deleting save games with their files and of restoring the
// newest one: whatever the disk kept, the next start has everything that was acknowledged, and so has loading the newest entry then.

// @module-tag long

import { expect, it } from 'vitest';
import { FileCheckpointStore } from '../../runtime-node/storage/checkpoint-store.ts';
import { FileBlobStore, FileLogStore } from '../../runtime-node/storage/file-store.ts';
import type { FileSystem } from '../../runtime-node/storage/file-system.ts';
import type { Namespaces } from '../../src/engine/namespaces.ts';
import type { CheckpointPlaces, SaveGameHome } from '../../src/engine/savegames/home.ts';
import type { SaveGames } from '../../src/engine/types.ts';
import { bodyText, graphOf, type Home, homeWith, vertex } from '../unit/engine-support.ts';
import { chooserOf, randomFrom } from './choices.ts';
import { type Choose, SimulatedDisk } from './simulated-disk.ts';

const seed = Number(process.env.ARCWISE_SEED ?? 20_261_122);
/** All scripts of so many operations; places of the journal are taken by the step, beginning elsewhere for each script. */
const operations = Number(process.env.SAVEGAME_OPERATIONS ?? 3);
const step = operations > 3 ? 1 : 3;

/** S saves, D deletes the oldest entry with its files, L loads the newest one. */
type Operation = 'S' | 'D' | 'L';

/** When files came under their names: survives what the disk does not. */
class Times {
  nowMs = Date.UTC(2026, 4, 6);
  readonly modified = new Map<string, number>();

  tick = (): number => ++this.nowMs;

  over(disk: SimulatedDisk): FileSystem {
    const touch = (path: string): void => void this.modified.set(path, this.tick());
    return {
      open: (path, mode, synchronous) => {
        if (mode === 'new') touch(path);
        return disk.open(path, mode, synchronous);
      },
      rename: (source, target) => {
        touch(target);
        return disk.rename(source, target);
      },
      remove: (path) => disk.remove(path),
      removeDirectory: (path) => disk.removeDirectory(path),
      makeDirectory: (path) => disk.makeDirectory(path),
      syncDirectory: (path) => disk.syncDirectory(path),
      readDirectory: (path) => disk.readDirectory(path),
    };
  }
}

function homeOver(disk: SimulatedDisk, times: Times): Home {
  const fileSystem = times.over(disk);
  const checkpoints = new FileCheckpointStore({ directory: '/', fileSystem });
  const places: CheckpointPlaces = {
    directory: '/',
    reserved: [],
    isAbsolute: (path) => path.startsWith('/'),
    pathOf: (name) => `/${name}`,
    nameOf: (path) => (path.startsWith('/') ? path.slice(1) : null),
    inspect: async (name) => {
      const file = await checkpoints.open(name);
      if (file === null) return { kind: 'missing' };
      await file.close();
      return { kind: 'file', bytes: file.sizeBytes, modifiedMs: times.modified.get(`/${name}`) ?? 0 };
    },
    filesIn: async (directory) =>
      (await checkpoints.list(directory)).filter((name) => !name.slice(directory.length).includes('/')),
  };
  const saveGames: SaveGameHome = {
    ...{ checkpoints, places, baseName: 'Temp.f8s', saveOnShutdown: false, defaultPartitions: 1 },
    ...{ engineVersion: '1', usedMemoryBytes: () => 1000 },
  };
  const logs = new FileLogStore({ directory: '/', fileSystem });
  const metadata = new FileBlobStore({ directory: '/', fileSystem });
  return homeWith({ logs, metadata, saveGames, clock: { nowMs: times.tick }, limitBytes: 2 ** 26 });
}

function gamesOf(engine: Namespaces): SaveGames {
  if (engine.saveGames === null) throw new Error('No save games.');
  return engine.saveGames;
}

/** Labels are numbers: `label` is durable when this resolves. */
async function write(engine: Namespaces, label: number): Promise<void> {
  const outcome = graphOf(engine).write([vertex(String(label))]);
  if (!outcome.ok || !(await outcome.durable)) throw new Error(`The write ${label} is not durable.`);
}

async function labelsOf(engine: Namespaces): Promise<number[]> {
  const graph = JSON.parse(await bodyText(await graphOf(engine).reads.graph(1000)));
  return graph.vertices.map(({ label }: { label: string }) => Number(label));
}

async function loadNewest(engine: Namespaces): Promise<void> {
  const [newest] = await gamesOf(engine).list();
  if (newest === undefined) return;
  const begun = await gamesOf(engine).restore(newest.id, null);
  const end = begun.ok ? await begun.done : begun;
  if (!end.ok) throw new Error(`Restoring the newest entry: ${end.detail}`);
}

async function run(engine: Namespaces, operation: Operation): Promise<void> {
  const games = gamesOf(engine);
  if (operation === 'S') await games.save('default', { location: null, partitions: null });
  if (operation === 'L') await loadNewest(engine);
  if (operation === 'D') {
    const oldest = (await games.list()).at(-1);
    if (oldest !== undefined) await games.remove(oldest.id, true);
  }
}

interface Ran {
  readonly disk: SimulatedDisk;
  readonly times: Times;
}

/** Writes before, between and beside the operations; `acknowledged` and `committed` are noted as the greatest label. */
async function runScript(script: readonly Operation[]): Promise<Ran> {
  const disk = new SimulatedDisk();
  const times = new Times();
  const home = homeOver(disk, times);
  await home.engine.start();
  let label = 0;
  const writes: Promise<void>[] = [];
  const next = (): Promise<void> => {
    const mine = ++label;
    disk.note('committed', mine);
    const done = write(home.engine, mine).then(() => {
      disk.note('acknowledged', Math.max(mine, disk.noted('acknowledged', disk.journal.length)));
    });
    writes.push(done);
    return done;
  };
  await next();
  for (const operation of script) {
    const running = run(home.engine, operation);
    void next();
    await running;
    await next();
  }
  await Promise.all(writes);
  await home.engine.close();
  return { disk, times };
}

/** The start after the power came back, a load of the newest entry, and a start after that. */
async function recover({ disk, times }: Ran, place: number, choose: Choose): Promise<void> {
  const acknowledged = disk.noted('acknowledged', place);
  const committed = disk.noted('committed', place);
  const after = disk.afterPowerLoss(place, choose);
  const again = new Times();
  again.nowMs = times.nowMs;
  for (const [path, ms] of times.modified) again.modified.set(path, ms);
  const home = homeOver(after, again);
  const check = async ({ engine, lines }: Home, when: string, least: number, most: number): Promise<number> => {
    const labels = await labelsOf(engine);
    const wanted = Array.from({ length: labels.length }, (_, i) => i + 1);
    if (labels.length < least || labels.length > most || labels.some((label, i) => label !== wanted[i])) {
      throw new Error(
        `${when}: ${labels.join(' ')}; ${least} were acknowledged, ${most} committed. ${lines.join('\n')}`,
      );
    }
    return labels.length;
  };
  await home.engine.start();
  const found = await check(home, 'After the start', acknowledged, committed);
  await write(home.engine, found + 1);
  await loadNewest(home.engine);
  await check(home, 'After loading the newest', found + 1, found + 1);
  await home.engine.close();
  const second = homeOver(after, again);
  await second.engine.start();
  await check(second, 'After another start', found + 1, found + 1);
  await second.engine.close();
}

function everyScript(length: number): Operation[][] {
  if (length === 0) return [[]];
  const shorter = everyScript(length - 1);
  return (['S', 'D', 'L'] as const).flatMap((first) => shorter.map((rest) => [first, ...rest]));
}

it(`scripts of ${operations} operations, every ${step}. place (ARCWISE_SEED=${seed})`, async () => {
  const random = randomFrom(seed);
  let recovered = 0;
  for (const [number, script] of everyScript(operations).entries()) {
    if (script[0] !== 'S') continue; // without an entry the others do nothing
    const ran = await runScript(script);
    for (let place = number % step; place <= ran.disk.journal.length; place += step) {
      for (const choice of [1, 2 + (recovered % 3)]) {
        const at = `${script.join('')}, power loss at ${place} of ${ran.disk.journal.length}, choice ${choice}`;
        await recover(ran, place, chooserOf(choice, random)).catch((error) => {
          throw new Error(`${at}: ${error.stack}`);
        });
        recovered++;
      }
    }
  }
  expect(recovered).toBeGreaterThan(500);
});
