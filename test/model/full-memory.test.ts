// What was acknowledged opens again under the same memory limit. Namespaces are filled to the brim by every kind of write, in random order
// and with removals in between; then the log alone, or a checkpoint and the log behind it, must make the same graph again without more
// memory. The seed is in the test's name; FULL_MEMORY_SEED repeats a run, FULL_MEMORY_ROUNDS makes it longer.

// @module-tag long

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { WriteOperation } from '../../src/core/requests.ts';
import { CoreStatus } from '../../src/core/status.ts';
import { TypeId } from '../../src/core/values.ts';
import { sectionKinds } from '../../src/engine/checkpoint/types.ts';
import type { NamespaceEngine } from '../../src/engine/namespace-engine.ts';
import type { GraphEngine } from '../../src/engine/types.ts';
import { MemoryBlobStore, MemoryCheckpointStore, MemoryLogStore } from '../../src/storage/memory-store.ts';
import {
  bodyOf,
  bodyText,
  edge,
  graphOf,
  homeWith,
  importLimits,
  ringOf,
  startedWith,
} from '../unit/engine-support.ts';
import { randomFrom } from '../unit/support/graph-random.ts';
import { saveGamesOver } from '../unit/support/savegame-home.ts';

const seed = Number(process.env.FULL_MEMORY_SEED ?? 20261123);
const rounds = Number(process.env.FULL_MEMORY_ROUNDS ?? 5);
const mebibyte = 2 ** 20;
const limits = [8, 9, 12, 16, 24];

type Random = (below: number) => number;
/** Answers whether it was refused because the memory is full. */
type Fill = (graph: GraphEngine, random: Random) => Promise<boolean> | boolean;

const isFull = (outcome: { ok: boolean; status?: number; reason?: string } | false): boolean =>
  outcome !== false && !outcome.ok && (outcome.status === CoreStatus.noMemory || outcome.reason === 'noMemory');

/** Text of random length, most of it short. */
const text = (random: Random): string => 'x'.repeat(random(1 + 2 ** random(12))) + random(1000);

function property(random: Random): { key: string; type: TypeId; text: string } {
  const key = `key${random(8)}`;
  return random(2) === 0
    ? { key, type: TypeId.int32, text: String(random(1000)) }
    : { key, type: TypeId.string, text: text(random) };
}

/** An id that is or was there. */
const anId = (graph: GraphEngine, random: Random): number => random(graph.vertexCount + graph.edgeCount + 1);

function write(graph: GraphEngine, random: Random, operation: () => WriteOperation): boolean {
  return isFull(graph.write(Array.from({ length: 1 + random(120) }, operation)));
}

const fills: Readonly<Record<string, Fill>> = {
  vertices: (graph, random) =>
    write(graph, random, () => ({
      kind: 'createVertex',
      creationDate: 1,
      label: `label${random(30)}`,
      properties: random(3) === 0 ? [] : [property(random)],
    })),
  edges: (graph, random) => {
    if (graph.vertexCount === 0) return false;
    const hub = anId(graph, random);
    return write(graph, random, () =>
      edge(random(3) === 0 ? hub : anId(graph, random), anId(graph, random), `type${random(4)}`),
    );
  },
  properties: (graph, random) =>
    write(graph, random, () => ({ kind: 'setProperty', element: anId(graph, random), ...property(random) })),
  names: (graph, random) =>
    write(graph, random, () => ({ kind: 'createVertex', creationDate: 1, label: text(random), properties: [] })),
  vectors: (graph, random) => {
    const embedding = new Uint8Array(new Float32Array(64).fill(random(100) / 100 + 0.5).buffer);
    const key = '$embedding:e';
    return isFull(
      graph.write([
        { kind: 'setProperty', element: anId(graph, random), key, type: TypeId.singleArray, text: embedding },
      ]),
    );
  },
  indexed: (graph, random) => {
    let full = false;
    for (let i = random(60); i >= 0 && !full; i--) {
      full = isFull(
        graph.indexes.add(`index${random(3)}`, anId(graph, random), TypeId.string, text(random).slice(-50)),
      );
    }
    return full;
  },
  backfill: async (graph, random) => {
    const request = {
      index: `index${random(3)}`,
      property: 'key',
      prefix: true,
      replace: random(4) === 0,
      label: null,
    };
    const filled = graph.indexes.backfill(request).catch(({ name }: Error) => ({ ok: false, reason: name }));
    return ['noMemory', 'CoreMemoryExhausted'].includes(((await filled) as { reason?: string }).reason ?? '');
  },
  documents: (graph, random) =>
    isFull(
      graph.write([
        { kind: 'putDocument', documentKind: sectionKinds.storedQueries, name: `d${random(50)}`, text: text(random) },
      ]),
    ),
  generate: async (graph, random) => {
    const [vertices, edges] = [100 + random(30_000), 1 + random(8)];
    const made = await graph.runs
      .generate({ vertices, edges, distribution: random(2) === 0 ? 'uniform' : 'preferential' })
      .catch((error: Error) => ({ ok: false, reason: error.name }));
    return !made.ok;
  },
  import: async (graph, random) => {
    if (graph.vertexCount + graph.edgeCount > 0) return false;
    return !(
      await graph.importLines(bodyOf(ringOf(100 + random(40_000)), 65_536), { ...importLimits, batchSize: 5000 })
    ).ok;
  },
  removals: (graph, random) => {
    write(graph, random, () => ({ kind: 'removeElement', element: anId(graph, random), skipRemoved: true }));
    return false;
  },
  trim: async (graph, random) => {
    if (random(10) === 0) expect(await graph.runs.trim()).toMatchObject({ ok: true });
    return false;
  },
};

const vectorOptions = new Map([
  ['dimension', { type: TypeId.int32, text: '64' }],
  ['embeddingName', { type: TypeId.string, text: 'e' }],
]);

/** Writes until it is refused again and again. Each namespace has its own taste. */
async function fill(graph: GraphEngine, random: Random): Promise<void> {
  if (random(3) === 0) await fills.import!(graph, random);
  for (const [i, plugin] of ['DictionaryIndex', 'RangeIndex', 'RegExIndex'].entries()) {
    if (random(2) === 0) graph.indexes.create(`index${i}`, plugin, new Map(), false);
  }
  if (random(2) === 0) graph.indexes.create('vectors', 'VectorIndex', vectorOptions, false);
  const names = Object.keys(fills).filter((name) => name !== 'import' && (name === 'vertices' || random(3) !== 0));
  const favourite = names[random(names.length)]!;
  for (let refused = 0, step = 0; refused < 20 && step < 1500; step++) {
    const name = random(3) === 0 ? favourite : names[random(names.length)]!;
    if (await fills[name]!(graph, random)) refused++;
  }
}

interface Picture {
  readonly counts: readonly number[];
  readonly elements: string;
  readonly indexes: readonly unknown[];
  readonly documents: readonly unknown[];
}

async function pictureOf(graph: GraphEngine): Promise<Picture> {
  const whole = JSON.parse(await bodyText(await graph.reads.graph(1_000_000)));
  const hash = createHash('sha256').update(JSON.stringify(whole.edges));
  for (const { outEdges, inEdges, ...rest } of whole.vertices) {
    // Edge types have no order: a log gives that of their first edges, a checkpoint that of those that are left.
    hash.update(JSON.stringify([rest, Object.entries(outEdges ?? {}).sort(), Object.entries(inEdges ?? {}).sort()]));
  }
  return {
    counts: [graph.vertexCount, graph.edgeCount],
    elements: hash.digest('hex'),
    indexes: graph.indexes.list(),
    documents: [...graph.documents.list(sectionKinds.storedQueries)],
  };
}

/** It takes writes that make it smaller, down to nothing, and then new ones. */
async function expectAlive(graph: GraphEngine): Promise<void> {
  for (let i = 0; i < 3; i++) {
    expect(graph.write([{ kind: 'removeElement', element: i, skipRemoved: true }])).toMatchObject({ ok: true });
  }
  expect(await graph.runs.trim()).toMatchObject({ ok: true });
  expect(graph.write([{ kind: 'erase' }])).toMatchObject({ ok: true });
  expect([graph.vertexCount, graph.edgeCount]).toEqual([0, 0]);
  for (let i = 0; i < 200; i++) {
    const created = graph.write([{ kind: 'createVertex', creationDate: 1, label: 'l', properties: [] }]);
    expect(created).toMatchObject({ ok: true });
  }
}

describe('a namespace that is full', () => {
  it.each(Array.from({ length: rounds }, (_, i) => seed + i))('opens under the same limit, %i', async (round) => {
    const random = randomFrom(round);
    const limitBytes = limits[random(limits.length)]! * mebibyte;
    const stores = {
      ...{ logs: new MemoryLogStore(), metadata: new MemoryBlobStore() },
      saveGames: saveGamesOver(new MemoryCheckpointStore()),
    };
    const first = await startedWith({ ...stores, limitBytes });
    const saves = random(2);
    await fill(graphOf(first.engine), random);
    if (saves === 1) {
      expect(await first.engine.saveGames?.save('default', { location: null, partitions: null })).toMatchObject({
        ok: true,
      });
      for (let i = 0; i < 20; i++) await fills.removals!(graphOf(first.engine), random);
      await fill(graphOf(first.engine), random);
    }
    const picture = await pictureOf(graphOf(first.engine));
    await first.engine.close();
    for (let again = 0; again < 2; again++) {
      const { engine } = homeWith({ ...stores, limitBytes });
      await engine.start();
      expect(await pictureOf(graphOf(engine))).toEqual(picture);
      if (saves === 1 && again === 0) {
        const [newest] = (await engine.saveGames?.list()) ?? [];
        const begun = await engine.saveGames?.restore(newest!.id, null);
        expect(begun?.ok === true && (await begun.done)).toMatchObject({ ok: true });
        expect(await pictureOf(graphOf(engine))).toEqual(picture);
      }
      if (again === 1) await expectAlive(graphOf(engine));
      await engine.close();
    }
  });

  it('opens a generated graph whose log alone would take half as much memory again', async () => {
    const logs = new MemoryLogStore();
    const limitBytes = 96 * mebibyte;
    const first = await startedWith({ logs, limitBytes });
    const [vertices, edges] = [200_000, 5];
    expect(await graphOf(first.engine).runs.generate({ vertices, edges, distribution: 'uniform' })).toMatchObject({
      ok: true,
    });
    const pages = pagesOf(graphOf(first.engine));
    await first.engine.close();
    const { engine } = homeWith({ logs, limitBytes });
    await engine.start();
    const graph = graphOf(engine);
    expect([graph.vertexCount, graph.edgeCount]).toEqual([vertices, vertices * edges]);
    expect(await graph.runs.benchmark(1, 60)).toMatchObject({ edges: vertices * edges });
    // It takes no more than when its groups were reserved, but for regions cut elsewhere.
    expect(pagesOf(graph)).toBeLessThanOrEqual(pages * (1 + 1 / 64));
    await engine.close();
  });
});

function pagesOf(graph: GraphEngine): number {
  return (graph as unknown as { engine: NamespaceEngine }).engine.core.memoryUse().pages;
}
