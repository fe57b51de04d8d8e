// The storage of a Node service: the storage directory under its lock, the log files in it, and the metadata directory.

import { mkdir, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { CheckpointPlaces } from '../../src/engine/savegames/home.ts';
import type { BlobStore, CheckpointStore, LogStore } from '../../src/storage/types.ts';
import { openCheckpointPlaces } from './checkpoint-places.ts';
import { FileCheckpointStore } from './checkpoint-store.ts';
import { lockDirectory, lockLogFile, type StorageLock } from './directory-lock.ts';
import { codeOf, FileBlobStore, FileLogStore, removeTemporaryFiles } from './file-store.ts';
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

/** Rejects with StorageInUse when another process has one of the directories, or the log of `default`. */
export async function openNodeStorage(options: NodeStorageOptions): Promise<NodeStorage> {
  const storageDirectory = resolve(options.storageDirectory);
  const metadataDirectory = resolve(options.metadataDirectory);
  const walPath = options.walPath === null ? null : resolve(storageDirectory, options.walPath);
  for (const directory of [storageDirectory, metadataDirectory, ...(walPath === null ? [] : [dirname(walPath)])]) {
    await makeDirectories(directory);
  }
  const places = await openCheckpointPlaces({ storageDirectory, metadataDirectory, walPath });
  const usualLog = join(storageDirectory, defaultLogName);
  const log = await realFile(walPath ?? usualLog);
  const elsewhere = new Map(log === usualLog ? [] : [[defaultLogName, log]]);
  const metadata = new FileBlobStore({ directory: metadataDirectory });
  const locks: StorageLock[] = [];
  const release = async (): Promise<void> => {
    for (let lock = locks.pop(); lock !== undefined; lock = locks.pop()) await lock.release();
  };
  try {
    locks.push(await lockDirectory(storageDirectory));
    // A metadata directory of its own may be shared by mistake with a service whose storage lies elsewhere, and so may a log file.
    if ((await realpath(metadataDirectory)) !== (await realpath(storageDirectory)))
      locks.push(await lockDirectory(metadataDirectory, `The metadata directory ${metadataDirectory}`));
    locks.push(await lockLogFile(log));
    await removeTemporaryFiles(storageDirectory);
    await removeTemporaryFiles(metadataDirectory);
    const namespaces = join(storageDirectory, 'namespaces');
    for (const { name, kind } of await nodeFileSystem.readDirectory(namespaces)) {
      if (kind !== 'directory') continue;
      await removeTemporaryFiles(join(namespaces, name));
    }
    await metadata.keepReserve();
  } catch (error) {
    await release();
    throw error;
  }
  return {
    checkpoints: new FileCheckpointStore({ directory: storageDirectory }),
    places,
    logs: new FileLogStore({ directory: storageDirectory, elsewhere }),
    metadata,
    release,
  };
}

/** The path that leads to a file by no symbolic link, whether it is there already or not; its directory must be. */
async function realFile(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  const target = await readlink(path).catch(() => null); // no link: it is not there
  if (target !== null) return realFile(resolve(dirname(path), target));
  return join(await realpath(dirname(path)), basename(path));
}

/** Makes a directory and those above it, each durable in its parent. */
async function makeDirectories(directory: string): Promise<void> {
  const first = await mkdir(directory, { recursive: true });
  if (first === undefined) return;
  for (let made = directory; made.length >= first.length; made = dirname(made)) {
    await nodeFileSystem.syncDirectory(dirname(made));
  }
}
