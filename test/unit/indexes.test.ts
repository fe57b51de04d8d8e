// Indexes where the model test does not reach: every allocation that fails, one key with very many elements, memory given back, geometry, and
// the setting that keeps indexes out of the log.

import { readFileSync } from 'node:fs';
import RBush from 'rbush';
import { afterEach, describe, expect, it } from 'vitest';
import { Core } from '../../src/core/core.ts';
import { findIndex, IndexKind, indexEntry, scanIndex } from '../../src/core/indexes.ts';
import { MemoryPool } from '../../src/core/memory-pool.ts';
import type { WriteOperation } from '../../src/core/requests.ts';
import { CoreStatus } from '../../src/core/status.ts';
import { TypeId } from '../../src/core/values.ts';
import { MemoryLogStore } from '../../src/storage/memory-store.ts';
import { graphOf, startedWith, vertex } from './engine-support.ts';
import { randomFrom } from './support/reads-values.ts';

const module = new WebAssembly.Module(readFileSync(new URL('../../dist/wasm/debug/core.plain.wasm', import.meta.url)));
const cores: Core[] = [];
afterEach(() => {
  for (const core of cores.splice(0)) core.dispose();
});

function newCore(vertices: number, limitBytes = 1 << 30): { core: Core; graph: number } {
  const core = new Core({ module, shared: false }, new MemoryPool({ shared: false }), limitBytes);
  cores.push(core);
  const graph = core.createGraph();
  core.write(
    graph,
    Array.from({ length: vertices }, () => vertex()),
    0,
  );
  return { core, graph };
}

const kinds = Object.entries(IndexKind).filter(([name]) => name !== 'spatial' && name !== 'vector');
const add = (element: number, text: string): WriteOperation => {
  return { kind: 'addToIndex', index: 'i', element, type: TypeId.string, text };
};

describe('indexes in the core', () => {
  it.each(kinds)('%s: an allocation that fails leaves all as it was', (_, indexKind) => {
    const { core, graph } = newCore(2000);
    const { instance } = core;
    const create: WriteOperation = { kind: 'createIndex', index: 'i', indexKind, definition: null };
    const scripts: WriteOperation[][] = [
      [create],
      Array.from({ length: 40 }, (_, i) => add(i, `first ${i % 7}`)),
      Array.from({ length: 700 }, (_, i) => add(i, 'one key')),
      Array.from({ length: 300 }, (_, i) => add(i, `key ${i}`)),
      [{ kind: 'removeIndexKey', index: 'i', type: TypeId.string, text: 'one key' }],
      [{ kind: 'clearIndex', index: 'i' }],
      [add(5, 'again')],
      [{ kind: 'dropIndex', index: 'i' }],
    ];
    const state = (): unknown => {
      const index = findIndex(instance, graph, 'i');
      if (index === 0) return null;
      const { keys, values } = indexEntry(instance, index);
      const query = { index: 'i', operator: 5, type: TypeId.string, text: '', label: null, mask: 3 } as const;
      return { keys, values, ids: [...(scanIndex(instance, graph, query) as Uint32Array)].sort((a, b) => a - b) };
    };
    let failures = 0;
    for (const operations of scripts) {
      for (let n = 1; ; n++) {
        const before = state();
        instance.exports.failAfter(n);
        const outcome = core.write(graph, operations, 0);
        instance.exports.failAfter(0);
        if (outcome.ok) break;
        expect(outcome.status).toBe(CoreStatus.noMemory);
        expect(state()).toEqual(before);
        failures++;
      }
    }
    expect(failures).toBeGreaterThan(20);
    instance.exports.retireAdvance();
    expect(core.memoryUse().indexes).toBe(0);
  });

  it.each(kinds)('%s: very many elements of one key, in any order', (_, indexKind) => {
    const count = 60_000;
    const { core, graph } = newCore(count);
    core.write(graph, [{ kind: 'createIndex', index: 'i', indexKind, definition: null }], 0);
    const ids = Array.from({ length: count }, (_, i) => (i * 7919) % count);
    for (let from = 0; from < count; from += 10_000) {
      const written = core.write(
        graph,
        ids.slice(from, from + 10_000).map((id) => add(id, 'one')),
        0,
      );
      expect(written.ok).toBe(true);
    }
    const query = { index: 'i', operator: 0, type: TypeId.string, text: 'one', label: null, mask: 3 } as const;
    const expected = indexKind === IndexKind.single ? [ids.at(-1)] : Array.from({ length: count }, (_, i) => i);
    expect([...(scanIndex(core.instance, graph, query) as Uint32Array)]).toEqual(expected);
    const removals = ids
      .slice(1)
      .map((element): WriteOperation => ({ kind: 'removeElement', element, skipRemoved: true }));
    core.write(graph, removals, 0);
    const left = indexKind === IndexKind.single ? [] : [0];
    expect([...(scanIndex(core.instance, graph, query) as Uint32Array)]).toEqual(left);
    core.write(graph, [{ kind: 'erase' }], 0);
    core.instance.exports.retireAdvance();
    expect(core.memoryUse().indexes).toBe(0);
  });
});

describe('SpatialIndex', () => {
  it('is scanned as a job when it is large', async () => {
    const { engine } = await startedWith();
    const graph = graphOf(engine);
    const { indexes } = graph;
    const count = 10_500;
    graph.write(Array.from({ length: count }, () => vertex()));
    indexes.create('s', 'SpatialIndex', new Map(), false);
    for (let id = 0; id < count; id++) indexes.addGeometry('s', id, { low: [id], high: [id] });
    indexes.addGeometry('s', 7, { low: [9_000], high: [9_001] });
    expect(await indexes.scanSpatial('s', 7, 1)).toEqual([6, 7, 8, 8999, 9000, 9001, 9002]);
    expect(await indexes.scanSpatial('s', 0, 1e9)).toHaveLength(count);
    expect(await indexes.scanSpatial('s', count, 1)).toBeNull();
    await engine.close();
  });

  it('finds what is near, as an R-tree of boxes does', async () => {
    const { engine } = await startedWith();
    const graph = graphOf(engine);
    const { indexes } = graph;
    const random = randomFrom(11);
    const count = 300;
    graph.write(Array.from({ length: count }, () => vertex()));
    expect(indexes.create('s', 'SpatialIndex', new Map(), true)).toBe(false);
    expect(indexes.create('s', 'SpatialIndex', new Map(), false)).toMatchObject({ ok: true });
    const tree = new RBush<{ minX: number; minY: number; maxX: number; maxY: number; id: number }>();
    const boxes = Array.from({ length: count }, (_, id) => {
      const [minX, minY] = [random() * 100 - 50, random() * 100 - 50];
      const isPoint = id % 2 === 0;
      const box = {
        minX,
        minY,
        maxX: minX + (isPoint ? 0 : random() * 5),
        maxY: minY + (isPoint ? 0 : random() * 5),
        id,
      };
      tree.insert(box);
      const geometry = { low: [box.minX, box.minY], high: [box.maxX, box.maxY] };
      expect(indexes.addGeometry('s', id, geometry)).toMatchObject({ ok: true });
      return box;
    });
    for (const distance of [0, 1, 7.5, 30, 500]) {
      for (const box of boxes.slice(0, 60)) {
        const around = {
          minX: box.minX - distance,
          minY: box.minY - distance,
          maxX: box.maxX + distance,
          maxY: box.maxY + distance,
        };
        const expected = tree.search(around).filter((other) => {
          const gapX = Math.max(0, other.minX - box.maxX, box.minX - other.maxX);
          const gapY = Math.max(0, other.minY - box.maxY, box.minY - other.maxY);
          return gapX * gapX + gapY * gapY <= distance * distance;
        });
        expect(await indexes.scanSpatial('s', box.id, distance)).toEqual(
          expected.map(({ id }) => id).sort((a, b) => a - b),
        );
      }
    }
    expect(await indexes.scanSpatial('s', 0, -1)).toEqual([]);
    expect(await indexes.scanSpatial('s', count, 1)).toBeNull();
    expect(await indexes.scanSpatial('none', 0, 1)).toBeNull();
    expect(indexes.addGeometry('s', 0, { low: [1], high: [0] })).toBe(false);
    expect(indexes.addGeometry('s', 0, { low: [Number.NaN], high: [1] })).toBe(false);
    await engine.close();
  });
});

describe('very many indexes', () => {
  it('are refused before the graph could no longer be trimmed or erased', () => {
    const { core, graph } = newCore(3);
    // Most heaps are taken by something else.
    for (let i = 0; i < 7400; i++) expect(core.instance.exports.helperHeap()).toBeGreaterThan(0);
    const create = (i: number): boolean =>
      core.write(graph, [{ kind: 'createIndex', index: `i${i}`, indexKind: IndexKind.dictionary, definition: null }], 0)
        .ok;
    let count = 0;
    while (create(count)) count++;
    expect(count).toBeGreaterThan(200);
    const toLast = { kind: 'addToIndex', element: 2, type: TypeId.string, text: 'a' } as const;
    expect(core.write(graph, [{ ...toLast, index: `i${count - 1}` }], 0).ok).toBe(true);
    expect(core.write(graph, [{ kind: 'clearIndex', index: 'i0' }], 0).ok).toBe(true);
    expect(core.write(graph, [{ kind: 'trim' }], 0).ok).toBe(true);
    expect(core.write(graph, [{ kind: 'erase' }], 0).ok).toBe(true);
    expect(create(0)).toBe(true);
  });
});

describe('Durability:LogIndexes', () => {
  it.each([true, false])('%s: whether indexes come back from the log', async (logIndexes) => {
    const logs = new MemoryLogStore();
    const first = await startedWith({ logs, logIndexes });
    const graph = graphOf(first.engine);
    graph.write([vertex('person', [['name', 1, 'Alice']])]);
    graph.indexes.create('i', 'DictionaryIndex', new Map(), true);
    expect(
      await graph.indexes.backfill({ index: 'i', property: 'name', prefix: false, replace: false, label: null }),
    ).toMatchObject({
      indexedElements: 1,
      durable: true,
    });
    await first.engine.close();
    const second = await startedWith({ logs, logIndexes });
    const again = graphOf(second.engine);
    expect(again.vertexCount).toBe(1);
    expect(again.indexes.list().map(({ indexId, values }) => [indexId, values])).toEqual(logIndexes ? [['i', 1]] : []);
    await second.engine.close();
  });
});
