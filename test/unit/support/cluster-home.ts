// Engines over what a cluster keeps in a bucket, one taking the log over from the other.

import zlib from 'node:zlib';
import { expect } from 'vitest';
import type { EngineOptions } from '../../../src/engine/engine-options.ts';
import { crc32With } from '../../../src/engine/log/crc32.ts';
import type { Namespaces } from '../../../src/engine/namespaces.ts';
import { placesIn } from '../../../src/engine/savegames/named-places.ts';
import type { SaveGames } from '../../../src/engine/types.ts';
import { BlobCheckpoints } from '../../../src/storage/blob-checkpoints.ts';
import { BucketLog } from '../../../src/storage/bucket-log.ts';
import { FencedBlobs } from '../../../src/storage/fenced-blobs.ts';
import type { MemoryObjectStore } from '../../../src/storage/memory-objects.ts';
import { blobsIn, blobsUnder } from '../../../src/storage/object-files.ts';
import { SharedLogStore } from '../../../src/storage/shared-log-store.ts';
import { homeWith } from '../engine-support.ts';

const crc32 = crc32With((bytes, seed) => zlib.crc32(bytes, seed));

export interface Taken {
  readonly engine: Namespaces;
  readonly lines: readonly string[];
  readonly games: SaveGames;
  readonly log: BucketLog;
  readonly checkpoints: BlobCheckpoints;
}

let nowMs = Date.UTC(2026, 4, 6);
/** All nodes have the same time here. */
const clock = { nowMs: () => nowMs++ };

/** A node that takes the log over and opens what is there. */
export async function takeOver(
  store: MemoryObjectStore,
  saveOnShutdown = false,
  more: Pick<EngineOptions, 'kept' | 'tails' | 'changeFeed'> = {},
): Promise<Taken> {
  const log = new BucketLog({ store, prefix: '', crc32, nowMs: () => 0 });
  const { term: before } = await log.owner();
  expect(await log.take(before, 'node', 1000)).toBe(true);
  const term = before + 1;
  const never = async (): Promise<void> => {
    throw new Error('There was no need to try again.');
  };
  const logs = await SharedLogStore.open({ log, term, again: never, onFenced: () => {} });
  const blobs = new FencedBlobs({ store, prefix: 'blobs/', term, crc32, pause: async () => {} });
  const index = blobsUnder(blobs, 'checkpoints/');
  const checkpoints = await BlobCheckpoints.open({ index, parts: blobsIn(store, 'files/'), nowMs: () => Date.now() });
  const saveGames = {
    ...{ checkpoints, places: placesIn('cluster://arcwise', checkpoints), baseName: 'Temp.f8s', saveOnShutdown },
    ...{ defaultPartitions: 2, engineVersion: '1', usedMemoryBytes: () => 1000 },
  };
  const { engine, lines } = homeWith({ logs, metadata: blobsUnder(blobs, 'metadata/'), saveGames, clock, ...more });
  await engine.start();
  return { engine, lines, games: engine.saveGames as SaveGames, log, checkpoints };
}
