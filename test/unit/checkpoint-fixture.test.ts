// A checkpoint written once and kept: every later version of the reader loads it. When the format changes, this one stays and the new
// one gets a folder of its own.

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { FileCheckpointStore } from '../../runtime-node/storage/checkpoint-store.ts';
import { Core } from '../../src/core/core.ts';
import { MemoryPool } from '../../src/core/memory-pool.ts';
import { loadCheckpoint } from '../../src/engine/checkpoint/load.ts';
import { readCheckpoint } from '../../src/engine/checkpoint/manifest.ts';
import { MemoryCheckpointStore } from '../../src/storage/memory-store.ts';
import { difference, dumpOf } from './support/checkpoint-graph.ts';
import { Cores, crc32, dumpCheckpoint, namespaceId, Writer } from './support/checkpoint-home.ts';
import type { Dump } from './support/graph-core.ts';

const directory = new URL('../fixtures/checkpoint-v1/', import.meta.url);
const store = new FileCheckpointStore({ directory: directory.pathname });

describe('a checkpoint of format version 1', () => {
  it('says what it is', async () => {
    const info = await readCheckpoint(store, 'small');
    expect(info).toMatchObject({ namespaceId, fileCount: 3, createdAtMs: 1_760_000_000_000, engineVersion: '0.1.0' });
    expect(info.sections.map(({ kind, required, bytes }) => [kind, required, bytes.length])).toEqual([
      [3, false, 14],
      [999, false, 3],
    ]);
  });

  it.each([true, false])('loads (debug core: %s)', async (debug) => {
    const wanted = JSON.parse(await readFile(new URL('small.json', directory), 'utf8')) as Dump;
    expect(Object.keys(wanted.elements).length).toBeGreaterThan(30);
    expect(difference(await dumpCheckpoint(new Cores(debug), store, 'small'), wanted)).toBeNull();
  });

  it('loads into a memory that grows, and is written from one', async () => {
    const path = new URL('../../dist/wasm/debug/core.plain.wasm', import.meta.url);
    const binary = { module: new WebAssembly.Module(readFileSync(path)), shared: false };
    const make = (): Core => new Core(binary, new MemoryPool(binary), 2 ** 28);
    const wanted = JSON.parse(await readFile(new URL('small.json', directory), 'utf8')) as Dump;
    const options = { crc32, pause: async () => {}, namespaceId };
    const core = make();
    const { graph } = await loadCheckpoint(core, store, 'small', options);
    expect(difference(dumpOf(core, graph), wanted)).toBeNull();
    const copies = new MemoryCheckpointStore();
    await new Writer(core, 1, null, graph).save(copies, 'copy');
    const other = make();
    expect(difference(dumpOf(other, (await loadCheckpoint(other, copies, 'copy', options)).graph), wanted)).toBeNull();
  });
});
