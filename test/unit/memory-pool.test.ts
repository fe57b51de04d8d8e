// Memories of namespaces that were dropped: zeros when they are used again, and no more of them backed by the system than was used.

import { expect, it } from 'vitest';
import { Core } from '../../src/core/core.ts';
import { pageTable } from '../../src/core/layout.ts';
import { MemoryPool } from '../../src/core/memory-pool.ts';
import { binary, edge, vertex } from './engine-support.ts';

it('is of zeros again, however it was used', () => {
  const pool = new MemoryPool(binary);
  const core = new Core(binary, pool, 2 ** 28);
  const graph = core.createGraph();
  for (let round = 0; round < 20; round++) {
    const people = Array.from({ length: 2000 }, (_, i) => vertex(`label ${round}`, [['n', 7, String(i)]]));
    expect(core.write(graph, people, 0).ok).toBe(true);
    const first = round * 4000;
    expect(
      core.write(
        graph,
        Array.from({ length: 2000 }, (_, i) => edge(first + i, first)),
        0,
      ).ok,
    ).toBe(true);
  }
  expect(core.write(graph, [{ kind: 'erase' }], 0).ok).toBe(true);
  const pages = core.instance.exports.pageTop();
  core.dispose();
  const memory = pool.take();
  expect(memory).toBe(core.instance.memory);
  expect(new BigUint64Array(memory.buffer, 0, pages * 8192).findIndex((word) => word !== 0n)).toBe(-1);
});

it('is not looked at where its page table has no entries: the system would back what is read', () => {
  const pool = new MemoryPool(binary);
  const memory = pool.take();
  const words = new Uint32Array(memory.buffer);
  const usedPages = 40;
  const untouched = (pageTable.at + usedPages * pageTable.entryBytes) / 4;
  words[untouched - 1] = 7;
  words[untouched] = 7;
  words[(pageTable.at + pageTable.bytes) / 4 - 1] = 7;
  words[(pageTable.at + pageTable.bytes) / 4] = 7;
  pool.give(memory, usedPages);
  expect([words[untouched - 1], words[(pageTable.at + pageTable.bytes) / 4]]).toEqual([0, 0]);
  expect([words[untouched], words[(pageTable.at + pageTable.bytes) / 4 - 1]]).toEqual([7, 7]);
});
