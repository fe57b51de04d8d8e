// Puts and gets of files, in calls that stand until they are done, for the thread that is there for them (file-thread.ts).

import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** The file's bytes, in a buffer of their own; null: there is none. */
export function getSync(path: string): Uint8Array | null {
  try {
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Whether a call failed because there is no such file, or no folder it could be in. */
export const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

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
