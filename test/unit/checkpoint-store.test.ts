// The suite of all checkpoint stores, over those of Node and over what stands for a page.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { Pool } from '../../runtime-browser/storage/pool.ts';
import { PoolCheckpointStore } from '../../runtime-browser/storage/pool-stores.ts';
import { FileCheckpointStore } from '../../runtime-node/storage/checkpoint-store.ts';
import { crc32With } from '../../src/engine/log/crc32.ts';
import { MemoryCheckpointStore } from '../../src/storage/memory-store.ts';
import type { CheckpointStore } from '../../src/storage/types.ts';
import { SimulatedDisk } from '../durability/simulated-disk.ts';
import { checkpointStoreSuite } from './checkpoint-store-suite.ts';
import { MemoryDirectory } from './support/memory-directory.ts';

const root = await mkdtemp(join(tmpdir(), 'arcwise-checkpoint-store-'));
afterAll(() => rm(root, { recursive: true, force: true }));
let directories = 0;

async function poolStore(): Promise<CheckpointStore> {
  const options = { crc32: crc32With(undefined), nowMs: () => 1, warn: () => {} };
  return new PoolCheckpointStore(await Pool.open({ directory: new MemoryDirectory(), ...options }));
}

const stores: Record<string, () => Promise<CheckpointStore>> = {
  memory: async () => new MemoryCheckpointStore(),
  files: async () => new FileCheckpointStore({ directory: await mkdtemp(join(root, `d${++directories}-`)) }),
  'files beside other writes': async () =>
    new FileCheckpointStore({ directory: await mkdtemp(join(root, `d${++directories}-`)), isBeside: () => true }),
  'a page': poolStore,
  'a simulated disk': async () => new FileCheckpointStore({ directory: '/', fileSystem: new SimulatedDisk() }),
};

for (const [name, open] of Object.entries(stores)) checkpointStoreSuite(name, open);
