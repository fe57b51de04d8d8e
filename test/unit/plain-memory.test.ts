// Cores over a plain memory, which grows: views that were made before it did are no more.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { Core } from '../../src/core/core.ts';
import { MemoryPool } from '../../src/core/memory-pool.ts';
import { TypeId } from '../../src/core/values.ts';

const core = (): Core => {
  const module = new WebAssembly.Module(readFileSync(at('dist/wasm/core.plain.turns.wasm')));
  return new Core({ module, shared: false }, new MemoryPool({ shared: false }), 2 ** 28);
};

it.each([1, 1000, 100_000, 5_000_000, 10_000_000])(
  'a transaction with a text of %d characters is there to be logged',
  (length) => {
    const own = core();
    const graph = own.createGraph();
    const properties = [{ key: 'text', type: TypeId.string, text: 'é'.repeat(length) }];
    for (let round = 0; round < 3; round++) {
      const made = own.write(graph, [{ kind: 'createVertex', creationDate: 0, label: null, properties }], 0);
      if (!made.ok) throw new Error(`It was refused: ${made.status}.`);
      expect(made.bytes.length).toBeGreaterThan(2 * length);
      // Applied again elsewhere, as a log is, it makes the same element.
      const other = core();
      const otherGraph = other.createGraph();
      if (round === 0) {
        expect(other.applyBytes(otherGraph, made.bytes.slice(), true)).toMatchObject({ ok: true, createCount: 1 });
        expect(other.vertexCount(otherGraph)).toBe(1);
      }
    }
    expect(own.vertexCount(graph)).toBe(3);
  },
);
