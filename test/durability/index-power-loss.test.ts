// Power loss in the middle of writes to indexes, with checkpoints under way: what comes back is the graph with all its indexes after some
// commit that is not before the last acknowledged one.

import { describe, expect, it } from 'vitest';
import { FileCheckpointStore } from '../../runtime-node/storage/checkpoint-store.ts';
import { FileLogStore } from '../../runtime-node/storage/file-store.ts';
import type { Core } from '../../src/core/core.ts';
import { listIndexes, scanIndex } from '../../src/core/indexes.ts';
import type { WriteOperation } from '../../src/core/requests.ts';
import { TypeId } from '../../src/core/values.ts';
import { readDefinition, searchVectors } from '../../src/core/vectors.ts';
import { loadCheckpoint } from '../../src/engine/checkpoint/load.ts';
import { dumpOf } from '../unit/support/checkpoint-graph.ts';
import { Cores, crc32, namespaceId, openLog, Writer } from '../unit/support/checkpoint-home.ts';
import { chooserOf, randomFrom } from './choices.ts';
import { type Choose, SimulatedDisk } from './simulated-disk.ts';

const seed = Number(process.env.ARCWISE_SEED ?? 20260814);
const cores = new Cores(true);
/** Newest first. */
const names = ['b', 'a'];
const keys = ['', 'a', 'b', 'Key', 'some longer key'];
const definitions = ['2\nDotProduct\ne\n', '2\nL2\n\nmodel'];
const indexNames = ['d', 's', 'r', 'x', 'v', 'w'];

/** Random transactions on a few elements and six indexes: the four of keys, a bound and a free one of vectors. */
class IndexWrites {
  readonly random: () => number;

  constructor(from: number) {
    this.random = randomFrom(from);
  }

  private below(count: number): number {
    return Math.floor(this.random() * count);
  }

  private vector(): Uint8Array {
    return new Uint8Array(Float32Array.of(this.below(9), this.below(9)).buffer);
  }

  next(elements: number): WriteOperation[] {
    const index = indexNames[this.below(6)] as string;
    const isVector = index === 'v' || index === 'w';
    const element = this.below(elements);
    const key = keys[this.below(keys.length)] as string;
    const singles = TypeId.singleArray;
    switch (this.below(12)) {
      case 0:
        return [{ kind: 'createVertex', creationDate: 1, label: null, properties: [] }];
      case 1:
        return [{ kind: 'removeElement', element, skipRemoved: false }];
      case 2:
      case 3:
        return [{ kind: 'setProperty', element, key: '$embedding:e', type: singles, text: this.vector() }];
      case 4:
        return [{ kind: 'removeProperty', element, key: '$embedding:e' }];
      case 5: {
        const indexKind = indexNames.indexOf(index) + 1;
        if (!isVector) return [{ kind: 'createIndex', index, indexKind, definition: null }];
        return [{ kind: 'createIndex', index, indexKind: 6, definition: definitions[indexKind - 5] as string }];
      }
      case 6:
        return this.below(3) > 0 ? [] : [{ kind: 'dropIndex', index }];
      case 7:
        return [{ kind: 'removeFromIndex', index, element }];
      case 8:
        if (this.below(4) === 0) return [{ kind: 'clearIndex', index }];
        return isVector ? [] : [{ kind: 'removeIndexKey', index, type: TypeId.string, text: key }];
      default:
        if (index === 'v') return [];
        if (index === 'w') return [{ kind: 'addToIndex', index, element, type: singles, text: this.vector() }];
        return Array.from({ length: 1 + this.below(3) }, () => {
          return { kind: 'addToIndex', index, element, type: TypeId.string, text: keys[this.below(5)] as string };
        });
    }
  }
}

/** The graph and everything its indexes answer, as text. */
function pictureOf(core: Core, graph: number): string {
  const { instance } = core;
  const indexes = listIndexes(instance, graph).map(({ name, kind, keys: count, values, definition }) => {
    if (kind === 6) {
      const { dimension } = readDefinition(definition ?? '');
      const queries = [{ vector: Float32Array.of(1, 2), k: 1000, mask: 3, label: null } as const];
      const hits = searchVectors(instance, { graph, index: name, dimension, queries }, null);
      if (hits === null || hits === 'stopped') throw new Error('The index has gone.');
      return {
        name,
        kind,
        count,
        values,
        definition,
        ids: [...(hits[0]?.ids ?? [])],
        scores: [...(hits[0]?.scores ?? [])],
      };
    }
    const found = keys.map((text) => {
      const query = { index: name, operator: 0, type: TypeId.string, text, label: null, mask: 3 } as const;
      return [...(scanIndex(instance, graph, query) as Uint32Array)];
    });
    return { name, kind, count, values, found };
  });
  indexes.sort((a, b) => (a.name < b.name ? -1 : 1));
  const { nextId } = dumpOf(core, graph);
  return JSON.stringify({ nextId, elements: dumpOf(core, graph), indexes });
}

interface Script {
  readonly disk: SimulatedDisk;
  readonly pictures: string[];
}

async function runScript(from: number): Promise<Script> {
  const disk = new SimulatedDisk();
  const pictures: string[] = [];
  await cores.using(async (core) => {
    const { log } = await openLog(new FileLogStore({ directory: '/', fileSystem: disk }));
    const writer = new Writer(core, from, log);
    const { graph } = writer;
    const writes = new IndexWrites(from);
    pictures.push(pictureOf(core, graph));
    const write = async (): Promise<void> => {
      const operations = writes.next(core.nextId(graph) + 1);
      const applied = operations.length === 0 ? null : core.write(graph, operations, 1000);
      if (applied === null || !applied.ok) return;
      const number = pictures.length;
      disk.note('committed', number);
      const durable = log.append(applied.bytes);
      pictures.push(pictureOf(core, graph));
      expect(await durable).toBe(true);
      disk.note('acknowledged', Math.max(number, disk.noted('acknowledged', disk.journal.length)));
    };
    const store = new FileCheckpointStore({ directory: '/', fileSystem: disk });
    for (const name of [...names].reverse()) {
      for (let i = 0; i < 60; i++) await (i % 4 === 0 ? Promise.all([write(), write()]) : write());
      const waiting: Promise<void>[] = [];
      const pause = async (): Promise<void> => {
        for (let i = 0; i < 4; i++) waiting.push(write());
      };
      await writer.save(store, name, { pause });
      await Promise.all(waiting);
    }
    for (let i = 0; i < 20; i++) await write();
    await log.close();
  });
  return { disk, pictures };
}

async function recover(script: Script, place: number, choose: Choose): Promise<void> {
  const acknowledged = script.disk.noted('acknowledged', place);
  const committed = script.disk.noted('committed', place);
  const after = script.disk.afterPowerLoss(place, choose);
  const store = new FileCheckpointStore({ directory: '/', fileSystem: after });
  const at = `seed ${seed}, power loss at ${place} of ${script.disk.journal.length}`;
  await cores.using(async (core) => {
    let name: string | undefined;
    for (const one of names) {
      const file = await store.open(one);
      if (file !== null) name ??= one;
      await file?.close();
    }
    const options = { crc32, pause: async () => {}, namespaceId };
    const loaded = name === undefined ? null : await loadCheckpoint(core, store, name, options);
    const graph = loaded?.graph ?? core.createGraph();
    const apply = (payload: Uint8Array): void => {
      if (!core.applyBytes(graph, payload, false).ok) throw new Error(`${at}: the core refused a frame.`);
    };
    const logs = new FileLogStore({ directory: '/', fileSystem: after });
    const { log } = await openLog(logs, apply, loaded?.info.anchor ?? null);
    await log.close();
    const picture = pictureOf(core, graph);
    const fits = script.pictures.flatMap((one, number) => (one === picture ? [number] : []));
    if (fits.length === 0) {
      const near = script.pictures.slice(acknowledged, committed + 1).join('\n');
      throw new Error(`${at}: what came back (${name}) was never there:\n${picture}\nbut\n${near}`);
    }
    if (!fits.some((number) => number >= acknowledged && number <= committed))
      throw new Error(`${at}: ${acknowledged} acknowledged, ${committed} committed, ${fits} came back.`);
  });
}

describe('indexes on a disk that loses power', () => {
  it.each([0, 1, 2])(
    'come back as they were after some commit (%i)',
    async (number) => {
      const script = await runScript(seed + number);
      const random = randomFrom(seed);
      expect(script.pictures.length).toBeGreaterThan(40);
      expect(script.pictures.filter((picture) => /"kind":[1-6],"count":[1-9]/.test(picture)).length).toBeGreaterThan(
        10,
      );
      for (let place = number % 2; place <= script.disk.journal.length; place += 2)
        await recover(script, place, chooserOf(place, random));
    },
    120_000,
  );
});
