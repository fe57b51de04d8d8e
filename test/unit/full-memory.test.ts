// A memory in which nothing is left, of graph and of buffers, and then one allocation after the other that fails: what gives memory back
// is not refused, nor what reads, nor a save, as often as it is asked.

// @module-tag long

import { afterEach, describe, expect, it } from 'vitest';
import type { Core } from '../../src/core/core.ts';
import type { WriteOperation } from '../../src/core/requests.ts';
import { CoreStatus } from '../../src/core/status.ts';
import { TypeId } from '../../src/core/values.ts';
import { sectionKinds } from '../../src/engine/checkpoint/types.ts';
import type { NamespaceEngine } from '../../src/engine/namespace-engine.ts';
import type { Namespaces } from '../../src/engine/namespaces.ts';
import type { GraphEngine } from '../../src/engine/types.ts';
import { MemoryCheckpointStore } from '../../src/storage/memory-store.ts';
import { bodyText, edge, graphOf, startedWith, textOf } from './engine-support.ts';
import { saveGamesOver } from './support/savegame-home.ts';

const mebibyte = 2 ** 20;
const documentKind = sectionKinds.storedQueries;
const engines: Namespaces[] = [];

afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

interface Full {
  readonly engine: Namespaces;
  readonly graph: GraphEngine;
  readonly core: Core;
}

const coreOf = (graph: GraphEngine): Core => (graph as unknown as { engine: NamespaceEngine }).engine.core;

function repeat(graph: GraphEngine, make: (i: number) => WriteOperation[]): void {
  for (let i = 0; i < 1_000_000; i++) {
    const outcome = graph.write(make(i));
    if (outcome.ok) continue;
    expect(outcome.status).toBe(CoreStatus.noMemory);
    return;
  }
}

/** Elements to the brim, names until what is left to buffers is gone, and buffers for whatever is left then. */
async function full(limitBytes: number, isFull = true): Promise<Full> {
  const { engine } = await startedWith({ limitBytes, saveGames: saveGamesOver(new MemoryCheckpointStore()) });
  engines.push(engine);
  const graph = graphOf(engine);
  for (const name of ['a', 'b'])
    expect(graph.indexes.create(name, 'DictionaryIndex', new Map(), false)).toMatchObject({ ok: true });
  const text = (i: number): string => `${i} ${'text '.repeat(i % 200)}`;
  const properties = (i: number) => [{ key: 'key', type: TypeId.string, text: text(i) }];
  for (let i = 0; i < 300; i++) {
    expect(
      graph.write([{ kind: 'createVertex', creationDate: 1, label: 'l', properties: properties(i) }]),
    ).toMatchObject({ ok: true });
    expect(graph.write([edge(i === 0 ? 0 : 2 * i - 2, 2 * i)])).toMatchObject({ ok: true });
    expect(graph.write([{ kind: 'putDocument', documentKind, name: `d${i}`, text: 'text' }])).toMatchObject({
      ok: true,
    });
    expect(graph.indexes.add('a', 2 * i, TypeId.int32, String(i % 20))).toMatchObject({ ok: true });
  }
  if (!isFull) return { engine, graph, core: coreOf(graph) };
  for (let i = 0; i < 3000; i++) {
    const outcome = graph.write([
      { kind: 'setProperty', element: 2 * (i % 300), key: `k${i % 20}`, type: TypeId.string, text: text(i) },
    ]);
    if (!outcome.ok) break;
  }
  repeat(graph, (i) => [{ kind: 'createVertex', creationDate: 1, label: 'l', properties: properties(i) }]);
  const request = { index: 'b', property: 'k', prefix: true, replace: false, label: null };
  const filled = graph.indexes.backfill(request).catch(({ name }: Error) => ({ ok: false, reason: name }));
  expect(['noMemory', 'CoreMemoryExhausted']).toContain(((await filled) as { reason: string }).reason);
  repeat(graph, (i) => [{ kind: 'createVertex', creationDate: 1, label: `label ${text(i)}`, properties: [] }]);
  const core = coreOf(graph);
  for (let bytes = 2 ** 20; bytes >= 8; bytes /= 2) while (core.instance.exports.arenaAllocate(bytes) !== 0);
  return { engine, graph, core };
}

type Task = (full: Full) => unknown;
const removals = (from: number): WriteOperation[] =>
  Array.from({ length: 40 }, (_, i) => ({ kind: 'removeElement', element: from + i, skipRemoved: true }));

/** In an order in which each has something to give back. */
const giving: readonly (readonly [string, Task])[] = [
  ['remove a property', ({ graph }) => graph.write([{ kind: 'removeProperty', element: 8, key: 'key' }])],
  ['remove an element', ({ graph }) => graph.write([{ kind: 'removeElement', element: 100, skipRemoved: true }])],
  ['remove many elements', ({ graph }) => graph.write(removals(200))],
  ['remove a document', ({ graph }) => graph.documents.remove(documentKind, 'd3') || { ok: true }],
  ['remove an element from an index', ({ graph }) => graph.indexes.removeElement('a', 4)],
  ['remove a key from an index', ({ graph }) => graph.indexes.removeKey('a', TypeId.int32, '7') || { ok: true }],
  ['clear an index', ({ graph }) => graph.write([{ kind: 'clearIndex', index: 'b' }])],
  ['trim', ({ graph }) => graph.runs.trim()],
  ['save', ({ engine }) => engine.saveGames?.save('default', { location: null, partitions: null })],
];
const last: readonly (readonly [string, Task])[] = [
  ['drop an index', ({ graph }) => graph.indexes.drop('b') || { ok: true }],
  ['erase', ({ graph }) => graph.write([{ kind: 'erase' }])],
];

async function expectReadable({ graph }: Full): Promise<void> {
  expect(graph.reads.element(2, 'vertex')).not.toBeNull();
  const whole = JSON.parse(await bodyText(await graph.reads.graph(1_000_000)));
  expect([whole.vertices.length, whole.edges.length]).toEqual([graph.vertexCount, graph.edgeCount]);
  const ids = whole.vertices.map(({ id }: { id: number }) => id);
  expect(JSON.parse(await bodyText(await graph.reads.elements(ids))).elements).toHaveLength(ids.length);
  const scan = { key: 'key', operator: 5, type: TypeId.string, text: '', label: null, resultType: 'Both' } as const;
  expect(textOf((await graph.scans.property(scan))?.ids)).toMatch(/^\[\d/);
  expect(textOf(await graph.scans.text('TEXT', null, 'Both'))).toMatch(/^\[\d/);
  const found = await graph.indexes.scan({
    index: 'a',
    operator: 0,
    type: TypeId.int32,
    text: '3',
    label: null,
    resultType: 'Both',
  });
  expect(textOf(found)).toMatch(/^\[\d/);
  const names = { vertexLabel: null, edgeLabel: null, edgeType: null };
  const exported = await graph.startExport(names, new Date(0));
  if (!exported.ok) throw new Error(exported.cause);
  expect((await bodyText(exported.body)).split('\n').length).toBeGreaterThan(graph.vertexCount);
  await graph.runs.statistics({ elementBudget: 1000, topN: 10 });
}

describe.each([8, 24].map((limit) => limit * mebibyte))('a full memory of %i bytes', (limitBytes) => {
  it('is read, saved and given back, several times in a row', async () => {
    const namespace = await full(limitBytes);
    for (let round = 0; round < 3; round++) {
      await expectReadable(namespace);
      for (const [name, task] of giving) expect(await task(namespace), name).toMatchObject({ ok: true });
    }
    await expectReadable(namespace);
    for (const [name, task] of last) expect(await task(namespace), name).toMatchObject({ ok: true });
    for (let i = 0; i < 3; i++) expect(namespace.graph.write([{ kind: 'erase' }])).toMatchObject({ ok: true });
    expect(namespace.graph.vertexCount).toBe(0);
  });

  it('takes elements again after an erase, though names alone had filled it', async () => {
    const { engine } = await startedWith({ limitBytes });
    engines.push(engine);
    const graph = graphOf(engine);
    const createNamed = (label: string) =>
      graph.write([{ kind: 'createVertex', creationDate: 1, label, properties: [] }]).ok;
    for (let round = 0; round < 3; round++) {
      let names = 0;
      while (createNamed(`${round}${'n'.repeat(names % 4000)}${names}`)) names++;
      expect(names).toBeGreaterThan(100);
      expect(graph.write([{ kind: 'erase' }])).toMatchObject({ ok: true });
      expect(createNamed('again')).toBe(true);
    }
  });

  it('is erased as it is', async () => {
    const { graph } = await full(limitBytes);
    for (let i = 0; i < 3; i++) expect(graph.write([{ kind: 'erase' }])).toMatchObject({ ok: true });
  });
});

describe('a memory of which one allocation fails', () => {
  it('is read, saved and given back all the same', async () => {
    const namespace = await full(24 * mebibyte, false);
    const { exports } = namespace.core.instance;
    for (const [name, task] of [...giving, ...last]) {
      for (let allocation = 1; allocation < 40; allocation++) {
        exports.failAfter(allocation);
        const outcome = await task(namespace);
        // A save may come to nothing, once.
        if (name === 'save') exports.failAfter(0);
        expect(name === 'save' ? await task(namespace) : outcome, `${name}, allocation ${allocation}`).toMatchObject({
          ok: true,
        });
      }
      exports.failAfter(0);
    }
  });
});
