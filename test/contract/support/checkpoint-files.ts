// The files of a checkpoint, by the absolute path of its primary: listed, deleted, copied, cut short.

import { copyFileSync, mkdirSync, readdirSync, rmSync, truncateSync, utimesSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { needs } from './needs.ts';

/** Names of the primary and its sidecars. */
export function filesOf(location: string): string[] {
  needs('files');
  const name = basename(location);
  return readdirSync(dirname(location)).filter((file) => file === name || file.startsWith(`${name}_`));
}

export function deleteCheckpoint(location: string): void {
  for (const file of filesOf(location)) rmSync(join(dirname(location), file));
}

export function copyCheckpoint(location: string, target: string, modified = new Date()): void {
  mkdirSync(dirname(target), { recursive: true });
  for (const file of filesOf(location)) {
    const copy = join(dirname(target), basename(target) + file.slice(basename(location).length));
    copyFileSync(join(dirname(location), file), copy);
    utimesSync(copy, modified, modified);
  }
}

/** Leaves the primary as it is and next to nothing of the sidecars. */
export function truncateSidecars(location: string): void {
  for (const file of filesOf(location)) {
    if (file !== basename(location)) truncateSync(join(dirname(location), file), 20);
  }
}
