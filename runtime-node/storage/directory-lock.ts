// One process per storage directory, per metadata directory and per log file. A lock is a listening unix socket beside what it locks: the
// system closes it with its process, however that dies, so a stale one is known by refusing connections. A file with a process id was
// rejected: ids are reused, and in containers that share a volume each process is number 1. The lock says who holds it to whoever
// connects.
//
// Taking: listen on a name of one's own, then `link` it to the lock's name, which only one process can do. A stale lock is first
// moved aside, by a rename that only one process can win; whoever went that way looks again a moment later whether the lock is
// still its own, because a rival may have judged the old lock and moved the new one.

import { createHash, randomBytes } from 'node:crypto';
import { link, lstat, open, rename, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';

const directoryLockName = 'arcwise.lock';
const lockEnding = '.lock';
/** Names of log files from here on are too long for a socket's path; their locks are named by a hash. */
const longestPlainName = 48;
/** What the files of one log are called behind its name (src/engine/log/segments.ts). */
const segmentEnding = /\.[1-3]$/;
const segmentEndings = ['.1', '.2', '.3'];
/** A unix socket's path has at most this many bytes (104 on macOS, 108 on Linux, the closing zero included). */
const socketPathLimitBytes = 103;
const secondLookMs = 50;
const answerTimeoutMs = 1000;
const attempts = 20;

/** Another process holds it. @testonly: nobody else tells it from other failures of a start. */
export class StorageInUse extends Error {
  override readonly name = 'StorageInUse';

  constructor(what: string, holder: string) {
    super(`${what} is in use by ${holder}. Stop that process or use another one.`);
  }
}

/** It cannot be locked, so nothing may be kept in it. */
class StorageUnusable extends Error {
  override readonly name = 'StorageUnusable';
}

export interface StorageLock {
  release(): Promise<void>;
}

interface Place {
  /** Must exist. */
  readonly directory: string;
  /** Of the lock in it. */
  readonly name: string;
  /** What is locked, as the subject of a sentence. */
  readonly what: string;
}

type Holder =
  | { readonly state: 'absent' | 'stale' }
  | { readonly state: 'alive'; readonly token: string; readonly text: string };

/** Locks a directory, which must exist; `what` names it as the subject of a sentence. Rejects with StorageInUse. */
export function lockDirectory(directory: string, what = `The storage directory ${directory}`): Promise<StorageLock> {
  return lock({ directory, name: directoryLockName, what });
}

/**
 * Locks a log file and the names that its segments take, under its real path (`realFile`): whatever way leads to it. Rejects with
 * StorageInUse.
 */
export async function lockLogFile(path: string): Promise<StorageLock> {
  const directory = dirname(path);
  const own = basename(path);
  const what = `The log file ${path}`;
  const taken = await lock({ directory, name: lockNameOf(own), what });
  try {
    // Another log's name may be one that this log's segments take, or the other way round.
    const rivals = [...segmentEndings.map((ending) => own + ending), own.replace(segmentEnding, '')];
    for (const rival of rivals) {
      if (rival === own) continue;
      const holder = await at(directory, lockNameOf(rival), (socket) => ask(socket));
      if (holder.state === 'alive') throw new StorageInUse(what, `a log beside it, ${rival}, of ${holder.text}`);
    }
    return taken;
  } catch (error) {
    await taken.release();
    throw error;
  }
}

function lockNameOf(file: string): string {
  const isLong = Buffer.byteLength(file) > longestPlainName;
  return (isLong ? `arcwise.${createHash('sha256').update(file).digest('hex').slice(0, 24)}` : file) + lockEnding;
}

async function lock(place: Place): Promise<StorageLock> {
  if (process.platform === 'win32') return lockByPipe(place);
  try {
    return await at(place.directory, place.name, (path) => lockBySocket(place, path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof StorageInUse || error instanceof StorageUnusable || code === undefined) throw error;
    const { message } = error as Error;
    throw new StorageUnusable(`${place.what} cannot be locked by ${join(place.directory, place.name)}: ${message}`);
  }
}

/** Runs with a path of that name that is short enough for a socket. */
async function at<T>(directory: string, name: string, run: (path: string) => Promise<T>): Promise<T> {
  const short = await shortNameOf(directory, name);
  try {
    return await run(join(short.path, name));
  } finally {
    await short.close();
  }
}

async function lockBySocket(place: Place, path: string): Promise<StorageLock> {
  const { directory, name, what } = place;
  const token = randomBytes(8).toString('hex');
  const own = join(dirname(path), `.lock-${token}`);
  const server = await listen(own, token);
  try {
    let tookOver = false;
    for (let attempt = 0; attempt < attempts; attempt++) {
      if (await tryLink(own, path)) {
        if (tookOver) await new Promise((resolve) => setTimeout(resolve, secondLookMs));
        const holder = await ask(path);
        if (holder.state === 'alive' && holder.token === token) return { release: () => release(server, place, token) };
        continue;
      }
      const holder = await ask(path);
      if (holder.state === 'alive') throw new StorageInUse(what, holder.text);
      if (holder.state === 'stale') {
        await checkIsLock(path, join(directory, name));
        tookOver = (await moveAside(path, join(dirname(path), `.stale-${token}`))) || tookOver;
      }
    }
    throw new StorageInUse(what, 'several processes that are starting at once');
  } catch (error) {
    server.close();
    throw error;
  } finally {
    await rm(own, { force: true });
  }
}

/** What is moved aside is deleted, so it must be a lock: a socket, or the empty file that copying makes of one. */
async function checkIsLock(path: string, realPath: string): Promise<void> {
  const status = await lstat(path).catch(() => null); // gone meanwhile
  if (status === null || status.isSocket() || (status.isFile() && status.size === 0)) return;
  const kind = status.isDirectory()
    ? 'a directory'
    : status.isSymbolicLink()
      ? 'a symbolic link'
      : 'a file with contents';
  throw new StorageUnusable(`${realPath} is ${kind} where the lock of the service belongs. Move it away.`);
}

/** Listens on `path` and tells everyone who connects who this process is. The socket keeps no process alive. */
function listen(path: string, token: string): Promise<Server> {
  const since = new Date().toISOString();
  const text = `process ${process.pid} on ${hostname()}, running since ${since}`;
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => {}); // the one who asked has gone
      socket.end(`${token} ${text}\n`);
    });
    server.once('error', reject);
    server.listen(path, () => {
      server.unref();
      resolve(server);
    });
  });
}

/** Who answers at `path`. One that accepts and says nothing in time is alive: its event loop may be busy. */
function ask(path: string): Promise<Holder> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(path);
    const alive = (): void => {
      socket.destroy();
      const space = text.indexOf(' ');
      const known = space > 0 && text.endsWith('\n');
      resolve({
        state: 'alive',
        token: known ? text.slice(0, space) : '',
        text: known ? text.slice(space + 1).trim() : 'another process',
      });
    };
    socket.setEncoding('utf8').setTimeout(answerTimeoutMs, alive);
    socket.on('data', (part: string) => {
      text += part;
    });
    socket.on('end', alive);
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') resolve({ state: 'absent' });
      else if (error.code === 'ECONNREFUSED' || error.code === 'ENOTSOCK') resolve({ state: 'stale' });
      else alive();
    });
  });
}

async function tryLink(own: string, path: string): Promise<boolean> {
  try {
    await link(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Moves a stale lock out of the way. A live one that a rival put there meanwhile goes back. */
async function moveAside(path: string, aside: string): Promise<boolean> {
  try {
    await rename(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    throw error;
  }
  if ((await ask(aside)).state === 'alive') await tryLink(aside, path);
  await rm(aside, { force: true });
  return true;
}

/** Removes the lock if it is still this process's, then stops answering. */
async function release(server: Server, { directory, name }: Place, token: string): Promise<void> {
  const holder = await at(directory, name, (path) => ask(path));
  if (holder.state === 'alive' && holder.token === token) await rm(join(directory, name), { force: true });
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

/** A name of the directory that leaves room for a socket's name: itself, or on Linux the one under which it is open here. */
async function shortNameOf(directory: string, name: string): Promise<{ path: string; close: () => Promise<void> }> {
  const longest = Math.max(Buffer.byteLength(name), `.stale-${'0'.repeat(16)}`.length);
  if (Buffer.byteLength(directory) + 1 + longest <= socketPathLimitBytes)
    return { path: directory, close: async () => {} };
  if (process.platform !== 'linux') throw new StorageUnusable(`The path ${directory} is too long to be locked.`);
  const handle = await open(directory, 'r');
  return { path: `/proc/self/fd/${handle.fd}`, close: () => handle.close() };
}

/** Windows: a named pipe is exclusive by itself and ends with its process. */
async function lockByPipe({ directory, name, what }: Place): Promise<StorageLock> {
  const key = createHash('sha256').update(join(directory, name).toLowerCase()).digest('hex').slice(0, 32);
  try {
    const server = await listen(`\\\\.\\pipe\\arcwise-${key}`, key);
    return { release: () => new Promise((resolve) => server.close(() => resolve())) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new StorageInUse(what, 'another process');
  }
}
