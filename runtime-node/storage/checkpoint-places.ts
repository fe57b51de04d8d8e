// The storage directory as requests name places in it: what stands under a name, and whether the way there leaves the directory.

import type { Stats } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { CheckpointPlaces, FileFacts } from '../../src/engine/savegames/home.ts';

const temporaryMark = '.part-';
const windowsPath = /^(?:[A-Za-z]:|\\)/;

export interface PlacesOptions {
  /** Absolute, and there. */
  readonly storageDirectory: string;
  /** Absolute. */
  readonly metadataDirectory: string;
  /** Absolute path of the default namespace's log; null for the usual place. */
  readonly walPath: string | null;
}

export async function openCheckpointPlaces(options: PlacesOptions): Promise<CheckpointPlaces> {
  const { storageDirectory } = options;
  return new NodePlaces(storageDirectory, await realpath(storageDirectory), reservedBy(options));
}

function reservedBy({ storageDirectory, metadataDirectory, walPath }: PlacesOptions): string[] {
  const inside = (path: string): string | null => nameBelow(path, storageDirectory);
  const metadata = inside(metadataDirectory);
  const documents = ['namespaces.json', 'savegames.json'];
  const wal = walPath === null ? null : inside(walPath);
  return [
    ...(metadata === null ? [] : metadata === '' ? documents.map((name) => `${name}*`) : [metadata]),
    ...(wal === null ? [] : [`${wal}*`]),
  ];
}

/** `/`-separated, empty for the directory itself, null for what is not below it. Text only: nothing is looked up. */
function nameBelow(path: string, directory: string): string | null {
  const name = relative(directory, path);
  if (isAbsolute(name) || name === '..' || name.startsWith(`..${sep}`)) return null;
  return name.split(sep).join('/');
}

class NodePlaces implements CheckpointPlaces {
  readonly directory: string;
  readonly reserved: readonly string[];
  private readonly realDirectory: string;

  constructor(directory: string, realDirectory: string, reserved: readonly string[]) {
    this.directory = directory;
    this.realDirectory = realDirectory;
    this.reserved = reserved;
  }

  isAbsolute(path: string): boolean {
    return isAbsolute(path) || windowsPath.test(path);
  }

  pathOf(name: string): string {
    return join(this.directory, ...name.split('/'));
  }

  nameOf(path: string, directory?: string): string | null {
    const roots = directory === undefined ? [this.directory, this.realDirectory] : [directory];
    for (const root of roots) {
      const start = root.endsWith(sep) ? root : root + sep;
      if (path.startsWith(start)) return path.slice(start.length).split(sep).join('/');
    }
    return null;
  }

  async inspect(name: string): Promise<FileFacts> {
    const parts = name.split('/');
    let path = this.directory;
    for (const [index, part] of parts.entries()) {
      path = join(path, part);
      const isLast = index === parts.length - 1;
      const status = await statusOf(path);
      if (status === null) return { kind: 'missing' };
      if (status.isSymbolicLink()) return { kind: 'refused', problem: 'a part of it is a symbolic link' };
      if (isLast && status.isFile())
        return { kind: 'file', bytes: status.size, modifiedMs: Math.floor(status.mtimeMs) };
      if (isLast) return { kind: 'refused', problem: 'something is there that is no file' };
      if (!status.isDirectory()) return { kind: 'refused', problem: `"${part}" is no directory` };
    }
    return { kind: 'missing' };
  }

  async filesIn(directory: string): Promise<string[]> {
    try {
      const entries = await readdir(join(this.directory, directory), { withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile() && !entry.name.includes(temporaryMark));
      return files.map((entry) => directory + entry.name).sort();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }
}

async function statusOf(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
