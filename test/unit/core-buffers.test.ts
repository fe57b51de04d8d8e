// Buffers that one large request blew up are given back: they count against the memory limit of the namespace.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { Core } from '../../src/core/core.ts';
import { MemoryPool } from '../../src/core/memory-pool.ts';
import { TypeId } from '../../src/core/values.ts';

const mebibyte = 2 ** 20;

it('keeps no buffer of a 20 MB write or read', () => {
  const module = new WebAssembly.Module(readFileSync(at('dist/wasm/core.shared.wasm')));
  const core = new Core({ module, shared: true }, new MemoryPool({ shared: true }), 512 * mebibyte);
  const graph = core.createGraph();
  const text = 'x'.repeat(20_000_000);
  const properties = [{ key: 'text', type: TypeId.string, text }];
  expect(core.write(graph, [{ kind: 'createVertex', creationDate: 0, label: null, properties }], 0).ok).toBe(true);
  expect(core.readElement(graph, 0, 1)?.length).toBeGreaterThan(text.length);
  expect(core.memoryUse().properties + core.memoryUse().strings).toBeGreaterThan(text.length);
  // Another transaction lets go of what the large one was built in.
  expect(core.write(graph, [{ kind: 'removeElement', element: 0, skipRemoved: false }], 0).ok).toBe(true);
  expect(core.memoryUse().scratch).toBeLessThan(9 * mebibyte);
});
