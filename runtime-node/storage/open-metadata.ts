// The metadata directory alone, for a service that keeps nothing else: settings that are written over HTTP outlive its graphs.

import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { BlobStore } from '../../src/storage/types.ts';
import { lockDirectory } from './directory-lock.ts';
import { FileBlobStore, removeTemporaryFiles } from './file-store.ts';

export interface MetadataStore {
  readonly metadata: BlobStore;
  /** Gives the directory's lock back. */
  release(): Promise<void>;
}

/** `directory` is made when missing. Rejects with DirectoryInUse when another process has it. */
export async function openMetadata(directory: string): Promise<MetadataStore> {
  const path = resolve(directory);
  await mkdir(path, { recursive: true });
  const lock = await lockDirectory(path);
  await removeTemporaryFiles(path);
  return { metadata: new FileBlobStore({ directory: path }), release: () => lock.release() };
}
