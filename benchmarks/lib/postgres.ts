// A PostgreSQL of a test's or a benchmark's own on loopback, with a standby where one is wanted. It wants the Debian package postgresql.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { PostgresCluster } from '../../runtime-node/cluster/postgres.ts';

const programs = '/usr/lib/postgresql';
export const hasPostgres = existsSync(programs);

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

type User = { readonly uid?: number; readonly gid?: number };

/** The server refuses to run as root. */
function serverUser(): User {
  if (process.getuid?.() !== 0) return {};
  const number = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: number('-u'), gid: number('-g') };
}

function program(name: string): string {
  return join(programs, readdirSync(programs).sort().at(-1) as string, 'bin', name);
}

export class Postgres {
  readonly url: string;
  readonly port: number;
  private readonly directory: string;
  private readonly server: ChildProcess;

  private constructor(directory: string, port: number, server: ChildProcess) {
    this.directory = directory;
    this.port = port;
    this.server = server;
    this.url = `postgres://arcwise@127.0.0.1:${port}/postgres`;
  }

  /** Below a directory that is there. `options`: settings of the server. */
  static async start(directory: string, options: readonly string[] = []): Promise<Postgres> {
    const user = serverUser();
    const data = join(directory, 'data');
    mkdirSync(data);
    own(user, directory, data);
    const init = ['-D', data, '-U', 'arcwise', '--auth=trust', '-E', 'UTF8'];
    execFileSync(program('initdb'), init, { ...user, stdio: 'pipe' });
    const one = await Postgres.run(directory, data, options);
    while (!(await one.answers())) await new Promise((resolve) => setTimeout(resolve, 100));
    return one;
  }

  private static async run(directory: string, data: string, options: readonly string[]): Promise<Postgres> {
    const port = await freePort();
    const all = ['listen_addresses=127.0.0.1', `unix_socket_directories=${directory}`, ...options];
    const args = ['-D', data, '-p', String(port), ...all.flatMap((option) => ['-c', option])];
    return new Postgres(directory, port, spawn(program('postgres'), args, { ...serverUser(), stdio: 'ignore' }));
  }

  /** A copy that follows this one over `port`, under the name `standby`. */
  async standby(port: number): Promise<Postgres> {
    const data = join(this.directory, 'standby');
    mkdirSync(data, { mode: 0o700 });
    const user = serverUser();
    own(user, data);
    const from = `host=127.0.0.1 port=${this.port} user=arcwise application_name=standby`;
    const copy = ['-D', data, '-d', from, '-R', '-c', 'fast', '-X', 'stream'];
    execFileSync(program('pg_basebackup'), copy, { ...user, stdio: 'pipe' });
    const through = `primary_conninfo=host=127.0.0.1 port=${port} user=arcwise application_name=standby`;
    return Postgres.run(this.directory, data, [
      through,
      'wal_receiver_timeout=3s',
      'wal_retrieve_retry_interval=200ms',
    ]);
  }

  /** Where its socket is. */
  get socketDirectory(): string {
    return this.directory;
  }

  /** What a statement answers, as text. */
  ask(statement: string): string {
    const args = [
      '-h',
      '127.0.0.1',
      '-p',
      String(this.port),
      '-U',
      'arcwise',
      '-d',
      'postgres',
      '-At',
      '-c',
      statement,
    ];
    return execFileSync(program('psql'), args, { encoding: 'utf8' }).trim();
  }

  private async answers(): Promise<boolean> {
    const probe = await PostgresCluster.open(this.url, 'probe').catch(() => null);
    await probe?.close();
    return probe !== null;
  }

  /** To the server and all its processes. */
  signalAll(name: NodeJS.Signals): void {
    const { pid } = this.server;
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(/\s+/);
    for (const one of [String(pid), ...children]) process.kill(Number(one), name);
  }

  async stop(): Promise<void> {
    this.server.kill('SIGINT');
    if (this.server.exitCode === null) await new Promise((resolve) => this.server.once('exit', resolve));
  }
}

function own({ gid, uid }: User, ...paths: readonly string[]): void {
  if (uid !== undefined && gid !== undefined) for (const path of paths) chownSync(path, uid, gid);
}
