// One put of a file, in calls that stand until they are done, for the thread that is there for them (put-thread.ts).

import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface FilePut {
  readonly path: string;
  /** A name in the same folder, which nobody else uses. */
  readonly temporary: string;
  readonly bytes: Uint8Array;
}

/**
 * Whether a file with these bytes is now at that path, durably; false: there is one already. Throws what a call fails with. The temporary file is left to
 * `putAway`, which nobody needs to wait for.
 */
export function putOnceSync({ bytes, path, temporary }: FilePut): boolean {
  const folder = dirname(path);
  const file = openedIn(folder, temporary);
  try {
    writeFileSync(file, bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    linkSync(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
  syncFolder(folder);
  return true;
}

/** Deletes what a put has left behind, if anything. */
export function putAway({ temporary }: FilePut): void {
  rmSync(temporary, { force: true });
}

function openedIn(folder: string, path: string): number {
  try {
    return openSync(path, 'wx');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(folder, { recursive: true });
    return openSync(path, 'wx');
  }
}

function syncFolder(path: string): void {
  if (process.platform === 'win32') return; // it has no such call; its links are journalled
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
