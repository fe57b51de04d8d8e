// The folder of `Http:StaticDirectory`. What lies outside it is never read, whichever way a symbolic link leads; what is no plain file
// (a directory, a pipe, a device) is as if it were not there. Files are read in blocks as the client takes them.

import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import type { StaticFile, StaticFiles } from '../src/http/platform.ts';
import { codeOf } from './storage/file-store.ts';

const blockBytes = 256 * 1024;

/** Rejects when there is no such folder: a page that is not there is a mistake of whoever starts the service. */
export async function openStaticFiles(directory: string): Promise<StaticFiles> {
  const found = await stat(directory).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  if (found?.isDirectory() !== true)
    throw new Error(`Service:Http:StaticDirectory is ${directory}, which is no directory.`);
  return { open: (names) => openFile(directory, names) };
}

/** The files of a folder that may be missing, or come later. */
export function folderFiles(directory: string): StaticFiles {
  return { open: (names) => openFile(directory, names) };
}

/** The files of an installed package; none when it is not there. */
export function packageFiles(name: string): StaticFiles {
  const require = createRequire(import.meta.url);
  return {
    open: async (names) => {
      try {
        return await openFile(dirname(require.resolve(`${name}/package.json`)), names);
      } catch (error) {
        if (codeOf(error) === 'MODULE_NOT_FOUND') return null;
        throw error;
      }
    },
  };
}

async function openFile(directory: string, names: readonly string[]): Promise<StaticFile | null> {
  const path = await placeOf(directory, names);
  if (path === null || !(await lstat(path)).isFile()) return null;
  // The place has no link in it. Should somebody put one there meanwhile it is not followed, and a pipe would not hold the open up.
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { size, mtimeMs } = await handle.stat();
    return {
      sizeBytes: size,
      modifiedMs: mtimeMs,
      stream: () => streamOf(handle, size),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Where the name leads in the end; null when nothing is there or it lies outside. The folder itself may be a link that moves. */
async function placeOf(directory: string, names: readonly string[]): Promise<string | null> {
  try {
    const root = await realpath(directory);
    const path = await realpath(join(root, ...names));
    return path.startsWith(root.endsWith(sep) ? root : root + sep) ? path : null;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(codeOf(error))) return null;
    throw error;
  }
}

/** Exactly `sizeBytes` bytes, which were promised: a file that has become shorter meanwhile breaks the answer off. */
function streamOf(handle: FileHandle, sizeBytes: number): ReadableStream<Uint8Array> {
  let offset = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const block = new Uint8Array(Math.min(blockBytes, sizeBytes - offset));
          const { bytesRead } = await handle.read(block, 0, block.length, offset);
          if (bytesRead === 0) throw new Error('A static file became shorter while it was sent.');
          offset += bytesRead;
          controller.enqueue(block.subarray(0, bytesRead));
          if (offset < sizeBytes) return;
          await handle.close();
          controller.close();
        } catch (error) {
          await handle.close().catch(() => {}); // the first error is the one to report
          throw error;
        }
      },
      cancel: () => handle.close(),
    },
    { highWaterMark: 0 },
  );
}
