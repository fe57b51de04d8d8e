// The state hash: one for one state, whatever the history, on both builds and both kinds of memory; another one for any difference.
// STATE_HASH_SEED repeats a run.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Core } from '../../src/core/core.ts';
import { MemoryPool } from '../../src/core/memory-pool.ts';
import type { WriteOperation } from '../../src/core/requests.ts';
import { StateHash } from '../../src/core/state-hash.ts';
import { TypeId } from '../../src/core/values.ts';
import { loadCheckpoint } from '../../src/engine/checkpoint/load.ts';
import { MemoryCheckpointStore } from '../../src/storage/memory-store.ts';
import { Cores, crc32, namespaceId, Writer } from '../unit/support/checkpoint-home.ts';

const seed = Number(process.env.STATE_HASH_SEED ?? (Date.now() ^ 0x5a5a) >>> 0);

function plainCore(): Core {
  const module = new WebAssembly.Module(readFileSync(new URL('../../dist/wasm/core.plain.wasm', import.meta.url)));
  return new Core({ module, shared: false }, new MemoryPool({ shared: false }), 1 << 30);
}

function hashOf(core: Core, graph: number): string {
  const hash = new StateHash(core, graph);
  while (!hash.step());
  return hash.hex;
}

const trim: readonly WriteOperation[] = [{ kind: 'trim' }];
const seconds = 1_700_000_000;
const removal = (element: number): WriteOperation => ({ kind: 'removeElement', element, skipRemoved: false });
const vertex = (label: string | null, ...properties: [string, TypeId, string][]): WriteOperation => ({
  ...{ kind: 'createVertex', creationDate: seconds, label },
  properties: properties.map(([key, type, text]) => ({ key, type, text })),
});
const edge = (source: number, target: number, edgeType: string, label: string | null = null): WriteOperation => ({
  ...{ kind: 'createEdge', creationDate: seconds, source, target, edgeType, label, properties: [] },
});

/** The hash of what some transactions make, each at its own second from `from` on. */
function made(transactions: readonly (readonly WriteOperation[])[], from = seconds): string {
  const core = plainCore();
  const graph = core.createGraph();
  for (const [i, operations] of transactions.entries()) {
    expect(core.write(graph, operations, (from + i) * 1000), JSON.stringify(operations)).toMatchObject({ ok: true });
  }
  return hashOf(core, graph);
}

/** Indexes of three kinds over what is alive. */
function fillIndexes(writer: Writer): void {
  const { core, graph, alive } = writer;
  const operations: WriteOperation[][] = [
    [{ kind: 'createIndex', index: 'words', indexKind: 1, definition: null }],
    [{ kind: 'createIndex', index: 'range', indexKind: 3, definition: null }],
    [{ kind: 'createIndex', index: 'vectors', indexKind: 6, definition: '3\nCosine\n\n' }],
  ];
  for (const element of alive.vertices.slice(0, 40)) {
    const vector = new Uint8Array(new Float32Array([element + 1, 1, 2]).buffer);
    operations.push([
      { kind: 'addToIndex', index: 'words', element, type: TypeId.string, text: `w${element % 7}` },
      { kind: 'addToIndex', index: 'words', element, type: TypeId.string, text: `é${element % 5}` },
      { kind: 'addToIndex', index: 'range', element, type: TypeId.int32, text: String(element % 9) },
      { kind: 'addToIndex', index: 'vectors', element, type: TypeId.singleArray, text: vector },
    ]);
  }
  for (const list of operations) {
    const applied = core.write(graph, list, writer.time++ * 1000);
    if (!applied.ok) throw new Error(`status ${applied.status}`);
  }
}

describe('one state has one hash', () => {
  it.each([false, true])(
    `after a replay, a checkpoint, a trim (debug build: %s), STATE_HASH_SEED=${seed}`,
    async (debug) => {
      const cores = new Cores(debug);
      for (let round = 0; round < 4; round++) {
        const log: Uint8Array[] = [];
        const core = cores.make();
        const writer = new Writer(core, seed + round);
        core.tap = { begin: () => {}, applied: (bytes) => void log.push(bytes.slice()), refused: () => {} };
        for (let i = 0; i < 40; i++) await writer.write(30);
        fillIndexes(writer);
        for (let i = 0; i < 20; i++) await writer.write(20);
        const whole = hashOf(core, writer.graph);
        expect(hashOf(core, writer.graph)).toBe(whole);

        for (const redo of [false, true]) {
          const again = plainCore();
          const copy = again.createGraph();
          for (const bytes of log) expect(again.applyBytes(copy, bytes, redo)).toMatchObject({ ok: true });
          expect(hashOf(again, copy), `replayed, redo ${redo}`).toBe(whole);
        }

        core.tap = null;
        const store = new MemoryCheckpointStore();
        await writer.save(store, 'one');
        const loaded = cores.make();
        const { graph } = await loadCheckpoint(loaded, store, 'one', { crc32, pause: async () => {}, namespaceId });
        expect(hashOf(loaded, graph), 'loaded').toBe(whole);

        for (const [one, handle] of [
          [core, writer.graph],
          [loaded, graph],
        ] as const)
          expect(one.write(handle, trim, 1_800_000_000_000)).toMatchObject({ ok: true });
        const trimmed = hashOf(core, writer.graph);
        expect(trimmed).not.toBe(whole);
        expect(hashOf(loaded, graph), 'loaded and trimmed').toBe(trimmed);
        core.dispose();
        loaded.dispose();
      }
    },
  );

  it('whichever way it came about', () => {
    const direct = made([
      [vertex('a', ['x', TypeId.int32, '1'], ['y', TypeId.string, 'é']), vertex('b')],
      [edge(0, 1, 't')],
    ]);
    const withDetour = made(
      [
        [vertex('gone'), vertex('a', ['x', TypeId.int32, '1'], ['y', TypeId.string, 'é']), vertex('b')],
        [edge(1, 0, 'u'), edge(0, 2, 'v'), edge(1, 2, 't')],
        [removal(0)],
        trim,
      ],
      seconds,
    );
    expect(withDetour).toBe(direct);
    const set = (key: string, text: string): WriteOperation => ({
      kind: 'setProperty',
      element: 0,
      key,
      type: 7,
      text,
    });
    const inOneOrder = made([[vertex(null)], [set('x', '1'), set('y', '2')]]);
    const inAnother = made([[vertex(null)], [set('y', '3'), set('x', '1'), set('y', '2')]]);
    expect(inAnother).toBe(inOneOrder);
  });

  it('when groups were compacted', () => {
    const edges = Array.from({ length: 64 }, () => edge(0, 1, 't'));
    const removals = Array.from({ length: 60 }, (_, i) => removal(2 + i));
    const together = made([[vertex(null), vertex(null)], edges, removals, trim]);
    const few = made([[vertex(null), vertex(null)], edges.slice(0, 4)]);
    expect(together).toBe(few);
  });
});

describe('any difference has another one', () => {
  const base = (): WriteOperation[][] => [
    [vertex('a', ['x', TypeId.int32, '1'], ['s', TypeId.string, 'text']), vertex('b'), vertex(null)],
    [edge(0, 1, 't', 'l'), edge(1, 2, 't')],
    [{ kind: 'createIndex', index: 'i', indexKind: 1, definition: null }],
    [{ kind: 'addToIndex', index: 'i', element: 0, type: TypeId.int32, text: '5' }],
  ];
  const changed: Readonly<Record<string, (all: WriteOperation[][]) => void>> = {
    label: (all) => void all[0]?.splice(0, 1, vertex('A', ['x', TypeId.int32, '1'], ['s', TypeId.string, 'text'])),
    'no label': (all) => void all[0]?.splice(2, 1, vertex('')),
    value: (all) => void all[0]?.splice(0, 1, vertex('a', ['x', TypeId.int32, '2'], ['s', TypeId.string, 'text'])),
    type: (all) => void all[0]?.splice(0, 1, vertex('a', ['x', TypeId.int64, '1'], ['s', TypeId.string, 'text'])),
    key: (all) => void all[0]?.splice(0, 1, vertex('a', ['y', TypeId.int32, '1'], ['s', TypeId.string, 'text'])),
    text: (all) => void all[0]?.splice(0, 1, vertex('a', ['x', TypeId.int32, '1'], ['s', TypeId.string, 'texu'])),
    'longer text': (all) =>
      void all[0]?.splice(0, 1, vertex('a', ['x', TypeId.int32, '1'], ['s', TypeId.string, 'text\0'])),
    'one property less': (all) => void all[0]?.splice(0, 1, vertex('a', ['x', TypeId.int32, '1'])),
    creation: (all) => void all[0]?.splice(1, 1, { ...vertex('b'), creationDate: seconds + 1 } as WriteOperation),
    modification: (all) =>
      void all.push(
        [{ kind: 'setProperty', element: 0, key: 'x', type: 7, text: '2' }],
        [{ kind: 'setProperty', element: 0, key: 'x', type: 7, text: '1' }],
      ),
    target: (all) => void all[1]?.splice(1, 1, edge(1, 0, 't')),
    direction: (all) => void all[1]?.splice(1, 1, edge(2, 1, 't')),
    'edge type': (all) => void all[1]?.splice(1, 1, edge(1, 2, 'T')),
    'edge label': (all) => void all[1]?.splice(0, 1, edge(0, 1, 't', 'm')),
    'edges exchanged': (all) => void all[1]?.reverse(),
    'one more edge': (all) => void all[1]?.push(edge(1, 2, 't')),
    'an id consumed': (all) => void all.push([vertex(null)], [removal(5)]),
    'index name': (all) => void all.splice(2, 2, [{ kind: 'createIndex', index: 'j', indexKind: 1, definition: null }]),
    'index kind': (all) => void all.splice(2, 1, [{ kind: 'createIndex', index: 'i', indexKind: 3, definition: null }]),
    'index key': (all) =>
      void all.splice(3, 1, [{ kind: 'addToIndex', index: 'i', element: 0, type: TypeId.int32, text: '6' }]),
    'index element': (all) =>
      void all.splice(3, 1, [{ kind: 'addToIndex', index: 'i', element: 1, type: TypeId.int32, text: '5' }]),
    'index without its key': (all) => void all.splice(3, 1),
  };

  it('of elements, edges and indexes', () => {
    const hashes = new Map([[made(base()), 'base']]);
    for (const [what, change] of Object.entries(changed)) {
      const all = base();
      change(all);
      const hash = made(all);
      expect(hashes.get(hash), what).toBeUndefined();
      hashes.set(hash, what);
    }
  });

  it('of adjacency alone', () => {
    const core = plainCore();
    const graph = core.createGraph();
    const vertices = Array.from({ length: 7000 }, () => vertex(null));
    core.write(graph, vertices, 0);
    core.write(graph, [edge(4321, 6789, 't')], 0);
    const whole = hashOf(core, graph);
    const { words } = core.instance;
    let found = 0;
    for (let i = 0; i + 1 < words.length; i++) {
      if (words[i] !== 7000 || (words[i + 1] !== 6789 && words[i + 1] !== 4321)) continue;
      const neighbour = words[i + 1] as number;
      words[i + 1] = neighbour - 1;
      const differs = hashOf(core, graph) !== whole;
      words[i + 1] = neighbour;
      if (differs) found++;
    }
    expect(found).toBe(2);
    expect(hashOf(core, graph)).toBe(whole);
  });
});

it('takes steps whose length does not grow with the graph', () => {
  const core = plainCore();
  const graph = core.createGraph();
  core.write(graph, [vertex(null), vertex(null)], 0);
  for (let i = 0; i < 10; i++)
    core.write(
      graph,
      Array.from({ length: 20_000 }, () => edge(0, 1, 't')),
      0,
    );
  const hash = new StateHash(core, graph);
  let steps = 1;
  while (!hash.step()) steps++;
  // 200,000 edges and 400,000 pairs, all at two vertices, in steps of 16,384.
  expect(steps).toBeGreaterThan(600_000 / 16_384);
});
