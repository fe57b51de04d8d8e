// One process per storage directory. The lock is a listening unix socket in the directory: the system closes it with its process,
// however that dies, so a stale one is known by refusing connections. A file with a process id was rejected: ids are reused, and in
// containers that share a volume each process is number 1. The lock says who holds it to whoever connects.
//
// Taking: listen on a name of one's own, then `link` it to the lock's name, which only one process can do. A stale lock is first
// moved aside, by a rename that only one process can win; whoever went that way looks again a moment later whether the lock is
// still its own, because a rival may have judged the old lock and moved the new one.

import { randomBytes } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';

const lockName = 'arcwise.lock';
/** A unix socket's path has at most this many bytes (104 on macOS, 108 on Linux, the closing zero included). */
const socketPathLimitBytes = 103;
const secondLookMs = 50;
const answerTimeoutMs = 1000;
const attempts = 20;

/** Another process holds the directory. @testonly: nobody else tells it from other failures of a start. */
export class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse';

  constructor(directory: string, holder: string) {
    super(`The storage directory ${directory} is in use by ${holder}. Stop that process or use another directory.`);
  }
}

export interface DirectoryLock {
  release(): Promise<void>;
}

type Holder =
  | { readonly state: 'absent' | 'stale' }
  | { readonly state: 'alive'; readonly token: string; readonly text: string };

/** Takes the lock of `directory`, which must exist; rejects with DirectoryInUse. */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  if (process.platform === 'win32') return lockByPipe(directory);
  const short = await shortNameOf(directory);
  try {
    return await lockBySocket(directory, short.path);
  } finally {
    await short.close();
  }
}

async function lockBySocket(directory: string, shortDirectory: string): Promise<DirectoryLock> {
  const token = randomBytes(8).toString('hex');
  const path = join(shortDirectory, lockName);
  const own = join(shortDirectory, `.lock-${token}`);
  const realPath = join(directory, lockName);
  const server = await listen(own, token);
  try {
    let tookOver = false;
    for (let attempt = 0; attempt < attempts; attempt++) {
      if (await tryLink(own, path)) {
        if (tookOver) await new Promise((resolve) => setTimeout(resolve, secondLookMs));
        const holder = await ask(path);
        if (holder.state === 'alive' && holder.token === token)
          return { release: () => release(server, realPath, token) };
        continue;
      }
      const holder = await ask(path);
      if (holder.state === 'alive') throw new DirectoryInUse(directory, holder.text);
      if (holder.state === 'stale')
        tookOver = (await moveAside(path, join(shortDirectory, `.stale-${token}`))) || tookOver;
    }
    throw new DirectoryInUse(directory, 'several processes that are starting at once');
  } catch (error) {
    server.close();
    throw error;
  } finally {
    await rm(own, { force: true });
  }
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
async function release(server: Server, path: string, token: string): Promise<void> {
  const short = await shortNameOf(join(path, '..'));
  try {
    const holder = await ask(join(short.path, lockName));
    if (holder.state === 'alive' && holder.token === token) await rm(path, { force: true });
  } finally {
    await short.close();
  }
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

/** A name of the directory that leaves room for a socket's name: itself, or on Linux the one under which it is open here. */
async function shortNameOf(directory: string): Promise<{ path: string; close: () => Promise<void> }> {
  const longest = join(directory, `.stale-${'0'.repeat(16)}`);
  if (Buffer.byteLength(longest) <= socketPathLimitBytes) return { path: directory, close: async () => {} };
  if (process.platform !== 'linux')
    throw new Error(`The path of the storage directory ${directory} is too long to be locked.`);
  const handle = await open(directory, 'r');
  return { path: `/proc/self/fd/${handle.fd}`, close: () => handle.close() };
}

/** Windows: a named pipe is exclusive by itself and ends with its process. */
async function lockByPipe(directory: string): Promise<DirectoryLock> {
  const { createHash } = await import('node:crypto');
  const name = createHash('sha256').update(directory.toLowerCase()).digest('hex').slice(0, 32);
  try {
    const server = await listen(`\\\\.\\pipe\\arcwise-${name}`, name);
    return { release: () => new Promise((resolve) => server.close(() => resolve())) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new DirectoryInUse(directory, 'another process');
  }
}
