// Readers on other threads over indexes that the writer fills, empties and fills again: keys split and grow, are removed and come back, tables
// and lists are replaced; what a reader finds is right at every moment (indexes-worker.mjs says what that means).

import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { Core } from '../../src/core/core.ts';
import { findIndex, IndexKind, indexEntry } from '../../src/core/indexes.ts';
import { MemoryPool } from '../../src/core/memory-pool.ts';
import type { WriteOperation } from '../../src/core/requests.ts';
import { TypeId } from '../../src/core/values.ts';
import { randomFrom } from '../unit/support/reads-values.ts';

const keys = 120;
const elements = 40_000;
const rounds = Number(process.env.INDEX_READERS_ROUNDS ?? 60);
const arenaBytes = 4 * 1024 * 1024;

describe.each(['', 'debug/'])('indexes under readers (%score)', (folder) => {
  it('show nothing wrong while they change', async () => {
    const path = new URL(`../../dist/wasm/${folder}core.shared.wasm`, import.meta.url);
    const module = new WebAssembly.Module(readFileSync(path));
    const core = new Core({ module, shared: true }, new MemoryPool({ shared: true }), 2 ** 31);
    const graph = core.createGraph();
    const write = (operations: readonly WriteOperation[]): void => {
      const outcome = core.write(graph, operations, 0);
      if (!outcome.ok) throw new Error(`Refused: status ${outcome.status}.`);
    };
    for (let from = 0; from < elements; from += 10_000) {
      write(
        Array.from({ length: 10_000 }, () => {
          return { kind: 'createVertex', creationDate: 1, label: null, properties: [] } as const;
        }),
      );
    }
    const add = (index: string, element: number): WriteOperation => {
      const key = element % keys;
      return index === 'r'
        ? { kind: 'addToIndex', index, element, type: TypeId.string, text: `key ${key}` }
        : { kind: 'addToIndex', index, element, type: TypeId.int32, text: `${key}` };
    };
    const names = ['d', 'g', 'r'];
    const kinds = [IndexKind.dictionary, IndexKind.range, IndexKind.regex];
    for (const [i, index] of names.entries()) {
      write([{ kind: 'createIndex', index, indexKind: kinds[i] as number, definition: null }]);
      write(Array.from({ length: keys }, (_, element) => add(index, element)));
    }
    const flags = new Int32Array(new SharedArrayBuffer(4));
    const workers = await Promise.all(
      [0, 1].map(async () => {
        const arena = core.instance.exports.arenaAllocate(arenaBytes) >>> 0;
        const { memory } = core.instance;
        const worker = new Worker(new URL('./indexes-worker.mjs', import.meta.url), {
          workerData: { memory, module, arena, arenaBytes, graph, keys, flags },
        });
        const failed = new Promise<never>((_, reject) => worker.once('error', reject));
        failed.catch(() => {}); // awaited below
        await Promise.race([failed, new Promise((resolve) => worker.once('message', resolve))]);
        const done = new Promise<{ reads: number }>((resolve) => worker.once('message', resolve));
        return { failed, done };
      }),
    );
    const random = randomFrom(3);
    const pickElement = (): number => keys + Math.floor(random() * (elements - keys));
    const others = Array.from({ length: 1000 }, (_, i) => `other ${i}`);
    for (let round = 0; round < rounds; round++) {
      for (const index of names) {
        write(Array.from({ length: 400 }, () => add(index, pickElement())));
        // Keys that come and go make tables, lists and blocks of trigrams grow and be used again.
        const text = others[round % others.length] as string;
        const element = pickElement();
        const key = index === 'r' ? { type: TypeId.string, text } : { type: TypeId.int32, text: `${1000 + round}` };
        write([{ kind: 'addToIndex', index, element, ...key }]);
        if (round % 3 === 0) write([{ kind: 'removeIndexKey', index, ...key }]);
        for (let i = 0; i < 100; i++) write([{ kind: 'removeFromIndex', index, element: pickElement() }]);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    Atomics.store(flags, 0, 1);
    for (const { done, failed } of workers) expect((await Promise.race([done, failed])).reads).toBeGreaterThan(0);
    core.instance.exports.retireAdvance();
    for (const index of names) write([{ kind: 'clearIndex', index }]);
    core.instance.exports.retireAdvance();
    for (const index of names) {
      expect(indexEntry(core.instance, findIndex(core.instance, graph, index)).values).toBe(0);
      write([{ kind: 'dropIndex', index }]);
    }
    core.instance.exports.retireAdvance();
    expect(core.memoryUse().indexes).toBe(0);
    core.dispose();
  });
});
