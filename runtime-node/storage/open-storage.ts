// The storage of a Node service: the storage directory under its lock, the log files in it, and the metadata directory.

import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { CheckpointPlaces } from '../../src/engine/savegames/home.ts';
import type { BlobStore, CheckpointStore, LogStore } from '../../src/storage/types.ts';
import { openCheckpointPlaces } from './checkpoint-places.ts';
import { FileCheckpointStore } from './checkpoint-store.ts';
import { lockDirectory } from './directory-lock.ts';
import { FileBlobStore, FileLogStore, removeTemporaryFiles } from './file-store.ts';
import { nodeFileSystem } from './file-system.ts';

/** The log of the namespace `default`, below the storage directory; each other one has its own in `namespaces/<id>/`. */
const defaultLogName = 'arcwise.wal';

export interface NodeStorageOptions {
  /** `Durability:StorageDirectory`; made when missing. */
  readonly storageDirectory: string;
  /** `Metadata:Directory`; made when missing. */
  readonly metadataDirectory: string;
  /** `Durability:WalPath`; null for the default inside the storage directory. A relative path counts from that directory. */
  readonly walPath: string | null;
}

export interface NodeStorage {
  readonly logs: LogStore;
  readonly metadata: BlobStore;
  readonly checkpoints: CheckpointStore;
  /** Where checkpoints may lie, as requests name it. */
  readonly places: CheckpointPlaces;
  /** Gives the directories' locks back. */
  release(): Promise<void>;
}

/** Rejects with DirectoryInUse when another process has one of the directories. */
export async function openNodeStorage(options: NodeStorageOptions): Promise<NodeStorage> {
  const storageDirectory = resolve(options.storageDirectory);
  const metadataDirectory = resolve(options.metadataDirectory);
  const elsewhere = new Map<string, string>();
  if (options.walPath !== null) elsewhere.set(defaultLogName, resolve(storageDirectory, options.walPath));
  for (const directory of [storageDirectory, metadataDirectory, ...[...elsewhere.values()].map(dirname)]) {
    await makeDirectories(directory);
  }
  const walPath = elsewhere.get(defaultLogName) ?? null;
  const places = await openCheckpointPlaces({ storageDirectory, metadataDirectory, walPath });
  const locks = [await lockDirectory(storageDirectory)];
  const release = async (): Promise<void> => {
    for (const lock of locks) await lock.release();
  };
  try {
    // A metadata directory of its own may be shared by mistake with a service whose storage lies elsewhere.
    if (metadataDirectory !== storageDirectory) locks.push(await lockDirectory(metadataDirectory));
    await removeTemporaryFiles(storageDirectory);
    await removeTemporaryFiles(metadataDirectory);
    const namespaces = join(storageDirectory, 'namespaces');
    for (const { name, kind } of await nodeFileSystem.readDirectory(namespaces)) {
      if (kind !== 'directory') continue;
      await removeTemporaryFiles(join(namespaces, name));
    }
  } catch (error) {
    await release();
    throw error;
  }
  return {
    checkpoints: new FileCheckpointStore({ directory: storageDirectory }),
    places,
    logs: new FileLogStore({ directory: storageDirectory, elsewhere }),
    metadata: new FileBlobStore({ directory: metadataDirectory }),
    release,
  };
}

/** Makes a directory and those above it, each durable in its parent. */
async function makeDirectories(directory: string): Promise<void> {
  const first = await mkdir(directory, { recursive: true });
  if (first === undefined) return;
  for (let made = directory; made.length >= first.length; made = dirname(made)) {
    await nodeFileSystem.syncDirectory(dirname(made));
  }
}
