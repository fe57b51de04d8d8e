// The storage of an engine in a page: a pool of files in the origin's private file system. For workers: only they have handles whose reads
// and writes are synchronous.

import { crc32With } from '../../src/engine/log/crc32.ts';
import { placesIn } from '../../src/engine/savegames/named-places.ts';
import type { ServiceStorage } from '../../src/service.ts';
import { Pool } from './pool.ts';
import { type Gather, PoolBlobStore, PoolCheckpointStore, PoolLogStore } from './pool-stores.ts';
import { type FileDirectory, StoreInUse, StoreRefused, type SyncFile } from './sync-file.ts';

/** Resolves when what is in the origin's storage under this name is open, and nobody else can open it. */
export async function openOpfs(name: string, gather: Gather): Promise<ServiceStorage> {
  const pool = await Pool.open({
    directory: await directoryOf(name),
    crc32: crc32With(undefined),
    nowMs: () => Date.now(),
    warn: (message) => console.warn(message),
  });
  const metadata = new PoolBlobStore(pool);
  await metadata.keepReserve();
  const checkpoints = new PoolCheckpointStore(pool);
  return {
    logs: new PoolLogStore(pool, gather),
    metadata,
    saveGames: { checkpoints, places: placesIn(`opfs://${name}`, checkpoints) },
    release: async () => pool.close(),
  };
}

async function directoryOf(name: string): Promise<FileDirectory> {
  const shown = `opfs://${name}`;
  let directory: FileSystemDirectoryHandle;
  try {
    const root = await navigator.storage.getDirectory();
    directory = await root.getDirectoryHandle(`arcwise-${name}`, { create: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreRefused(`The browser gives this page no storage of its own: ${reason}`, { cause: error });
  }
  return {
    name: shown,
    open: async (file) => {
      const handle = await directory.getFileHandle(file, { create: true });
      return exclusive(handle, shown);
    },
    list: async () => {
      const names: string[] = [];
      for await (const key of keysOf(directory)) names.push(key);
      return names;
    },
  };
}

async function exclusive(handle: FileSystemFileHandle, shown: string): Promise<SyncFile> {
  try {
    return await handle.createSyncAccessHandle();
  } catch (error) {
    const { name } = error as Error;
    if (name !== 'NoModificationAllowedError' && name !== 'InvalidStateError') throw error;
    throw new StoreInUse(`Another engine has the store ${shown} open.`, { cause: error });
  }
}

/** Known to every browser with synchronous handles, and not to this version of the types. */
function keysOf(directory: FileSystemDirectoryHandle): AsyncIterable<string> {
  return (directory as unknown as { keys(): AsyncIterable<string> }).keys();
}
