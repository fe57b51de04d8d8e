// Log files and blobs as files below one directory. A file that appears under a name does so whole: it is written under a
// temporary name, synced, renamed, and the directory is synced. Temporary files of a dead process are skipped by `list` and
// removed when the directory is opened.

import { randomBytes } from 'node:crypto';
import { dirname, join, sep } from 'node:path';
import { type BlobStore, checkStorageName, type LogFile, type LogStore } from '../../src/storage/types.ts';
import { type FileHandle, type FileSystem, nodeFileSystem, zeroBlock } from './file-system.ts';
import { Reserve, reserveName } from './reserve.ts';

const temporaryMark = '.part-';

export interface FileStoreOptions {
  /** Must exist. */
  readonly directory: string;
  /** Names that lie elsewhere, as absolute paths; what a name plus a suffix names (a kept torn tail) lies beside it. */
  readonly elsewhere?: ReadonlyMap<string, string>;
  readonly fileSystem?: FileSystem;
}

/** What all stores need of a directory tree. */
export class FileTree {
  readonly fileSystem: FileSystem;
  readonly directory: string;
  private readonly elsewhere: ReadonlyMap<string, string>;

  constructor(options: FileStoreOptions) {
    this.fileSystem = options.fileSystem ?? nodeFileSystem;
    this.directory = options.directory;
    this.elsewhere = options.elsewhere ?? new Map();
  }

  pathOf(name: string): string {
    checkStorageName(name);
    for (const [key, path] of this.elsewhere) if (name.startsWith(key)) return path + name.slice(key.length);
    return join(this.directory, ...name.split('/'));
  }

  /** Writes a whole file under a temporary name, then gives it its name. */
  async put(name: string, content: Uint8Array): Promise<void> {
    const path = this.pathOf(name);
    const temporary = `${path}${temporaryMark}${randomBytes(6).toString('hex')}`;
    await this.makeParents(path);
    const handle = await this.fileSystem.open(temporary, 'new', false);
    try {
      await writeAll(handle, content, 0);
      await handle.sync();
      await handle.close();
      await this.fileSystem.rename(temporary, path);
    } catch (error) {
      await handle.close().catch(() => {}); // it may be closed already
      await this.fileSystem.remove(temporary).catch(() => {}); // or renamed; the first error is the one to report
      throw error;
    }
    await this.fileSystem.syncDirectory(dirname(path));
  }

  async delete(name: string): Promise<void> {
    const path = this.pathOf(name);
    try {
      await this.fileSystem.remove(path);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return;
      throw error;
    }
    await this.fileSystem.syncDirectory(dirname(path));
    await this.removeEmptyParents(path);
  }

  async list(prefix: string): Promise<string[]> {
    const found: string[] = [];
    await this.listInto(found, '', prefix);
    return found.filter((name) => !name.includes(temporaryMark)).sort();
  }

  /** Goes only where the prefix leads: the storage directory may be an application's own, full of other things. */
  private async listInto(found: string[], below: string, prefix: string): Promise<void> {
    for (const entry of await this.fileSystem.readDirectory(join(this.directory, ...below.split('/')))) {
      const name = below + entry.name;
      if (entry.kind === 'file' && name.startsWith(prefix)) found.push(name);
      if (entry.kind !== 'directory') continue;
      if (prefix.startsWith(`${name}/`) || `${name}/`.startsWith(prefix))
        await this.listInto(found, `${name}/`, prefix);
    }
  }

  /** Makes the directories between the root and `path`, each durable in its parent before anything is put into it. */
  async makeParents(path: string): Promise<void> {
    const missing: string[] = [];
    for (let directory = dirname(path); this.isBelowRoot(directory); directory = dirname(directory))
      missing.unshift(directory);
    for (const directory of missing) {
      try {
        await this.fileSystem.makeDirectory(directory);
      } catch (error) {
        if (codeOf(error) === 'EEXIST') continue;
        throw error;
      }
      await this.fileSystem.syncDirectory(dirname(directory));
    }
  }

  private async removeEmptyParents(path: string): Promise<void> {
    for (let directory = dirname(path); this.isBelowRoot(directory); directory = dirname(directory)) {
      try {
        await this.fileSystem.removeDirectory(directory);
      } catch (error) {
        // Something else is in it, or another delete was quicker.
        if (['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(codeOf(error))) return;
        throw error;
      }
      await this.fileSystem.syncDirectory(dirname(directory));
    }
  }

  private isBelowRoot(directory: string): boolean {
    const root = this.directory.endsWith(sep) ? this.directory : this.directory + sep;
    return directory.startsWith(root) && directory !== root;
  }
}

class NodeLogFile implements LogFile {
  private readonly handle: FileHandle;
  private size: number;

  constructor(handle: FileHandle, sizeBytes: number) {
    this.handle = handle;
    this.size = sizeBytes;
  }

  get sizeBytes(): number {
    return this.size;
  }

  async read(offset: number, target: Uint8Array): Promise<number> {
    let done = 0;
    while (done < target.length) {
      const bytes = await this.handle.read(target.subarray(done), offset + done);
      if (bytes === 0) break;
      done += bytes;
    }
    return done;
  }

  async write(offset: number, bytes: Uint8Array): Promise<void> {
    const written = await this.handle.write(bytes, offset);
    if (written < bytes.length) await writeAll(this.handle, bytes.subarray(written), offset + written);
    this.size = Math.max(this.size, offset + bytes.length);
  }

  async reserve(sizeBytes: number): Promise<void> {
    while (this.size < sizeBytes) {
      const zeros = zeroBlock.subarray(0, Math.min(zeroBlock.length, sizeBytes - this.size));
      await this.write(this.size, zeros);
    }
  }

  async truncate(sizeBytes: number): Promise<void> {
    if (sizeBytes >= this.size) return;
    await this.handle.truncate(sizeBytes);
    this.size = sizeBytes;
    await this.handle.sync();
  }

  sync(): Promise<void> {
    return this.handle.sync();
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

/** Two services could write into the file without knowing of each other. */
class LogShared extends Error {
  override readonly name = 'LogShared';

  constructor(path: string, names: number) {
    super(`The log file ${path} has ${names} names (hard links). Put a copy of its own in its place.`);
  }
}

export class FileLogStore implements LogStore {
  private readonly tree: FileTree;

  constructor(options: FileStoreOptions) {
    this.tree = new FileTree(options);
  }

  async open(name: string): Promise<LogFile | null> {
    const path = this.tree.pathOf(name);
    let handle: FileHandle;
    try {
      handle = await this.tree.fileSystem.open(path, 'existing', true);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      throw error;
    }
    try {
      // A lock goes by names: whoever came by another one would write into the same log.
      const names = await handle.linkCount();
      if (names > 1) throw new LogShared(path, names);
      return new NodeLogFile(handle, await handle.sizeBytes());
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async create(name: string, content: Uint8Array): Promise<LogFile> {
    await this.tree.put(name, content);
    const file = await this.open(name);
    if (file === null) throw new Error(`The log file ${name} vanished while it was made.`);
    return file;
  }

  list(prefix: string): Promise<string[]> {
    return this.tree.list(prefix);
  }

  delete(name: string): Promise<void> {
    return this.tree.delete(name);
  }
}

/** What a full disk, or a quota, says. */
const noRoom: readonly string[] = ['ENOSPC', 'EDQUOT'];

export class FileBlobStore implements BlobStore {
  private readonly tree: FileTree;
  private readonly reserve: Reserve;

  constructor(options: FileStoreOptions) {
    this.tree = new FileTree(options);
    this.reserve = new Reserve(options.directory, options.fileSystem);
  }

  /** Sets room aside for what makes room. For the process that holds the directory's lock. */
  async keepReserve(): Promise<void> {
    let longest = 0;
    for (const name of await this.list('')) longest = Math.max(longest, (await this.get(name))?.length ?? 0);
    await this.reserve.keep(longest);
  }

  async put(name: string, bytes: Uint8Array, makesRoom = false): Promise<void> {
    try {
      await this.tree.put(name, bytes);
    } catch (error) {
      if (!makesRoom || !noRoom.includes(codeOf(error))) throw error;
      if (!(await this.reserve.become(this.tree.pathOf(name), bytes))) throw error;
    }
    await this.reserve.keep(bytes.length);
  }

  async get(name: string): Promise<Uint8Array | null> {
    let handle: FileHandle;
    try {
      handle = await this.tree.fileSystem.open(this.tree.pathOf(name), 'existing', false);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      throw error;
    }
    try {
      const file = new NodeLogFile(handle, await handle.sizeBytes());
      const bytes = new Uint8Array(file.sizeBytes);
      return bytes.subarray(0, await file.read(0, bytes));
    } finally {
      await handle.close();
    }
  }

  async list(prefix: string): Promise<string[]> {
    return (await this.tree.list(prefix)).filter((name) => name !== reserveName);
  }

  delete(name: string): Promise<void> {
    return this.tree.delete(name);
  }
}

/**
 * Removes what a process that died in the middle of a `put` left directly in `directory`. Only for the process that holds the
 * directory's lock.
 */
export async function removeTemporaryFiles(directory: string, fileSystem: FileSystem = nodeFileSystem): Promise<void> {
  for (const { name, kind } of await fileSystem.readDirectory(directory)) {
    if (kind === 'file' && /\.part-[0-9a-f]{12}$/.test(name)) await fileSystem.remove(join(directory, name));
  }
}

export async function writeAll(handle: FileHandle, bytes: Uint8Array, offset: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const written = await handle.write(bytes.subarray(done), offset + done);
    if (written === 0) throw new Error(`The disk took none of ${bytes.length - done} bytes.`);
    done += written;
  }
}

export function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? '');
}
