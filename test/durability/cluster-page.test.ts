// The commands of docs/cluster.md, run as they stand there: only the program, the ports, the directories and where database and bucket are found
// are those of the test. What wants PostgreSQL says so where Debian's package is not there.

// @module-tag long

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort, hasPostgres, Postgres } from '../../benchmarks/lib/postgres.ts';
import { at } from '../../scripts/lib/freshness.mjs';
import { S3Double } from '../unit/support/s3-double.ts';

const page = readFileSync(at('docs/cluster.md'), 'utf8');
const main = at('dist/node/main.js');
const run = promisify(execFile);
const seconds = 1000;

let folder: string;
let ports: Map<string, number>;
let started: ChildProcess[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'arcwise-page-'));
  ports = new Map();
  for (const port of ['8080', '8081', '8082', '8083']) ports.set(port, await freePort());
  started = [];
});

afterEach(async () => {
  for (const child of started) child.kill('SIGKILL');
  await Promise.all(started.map(ended));
  rmSync(folder, { recursive: true, force: true });
});

function ended(child: ChildProcess): Promise<unknown> {
  const isOver = child.exitCode !== null || child.signalCode !== null;
  return isOver ? Promise.resolve() : new Promise((resolve) => child.once('exit', resolve));
}

/** A line of the page with the ports and the directories of the test. */
function own(line: string): string {
  const placed = line.replaceAll('file:///mnt/', `file://${folder}/`);
  return placed.replace(/\b808[0-3]\b/g, (port) => String(ports.get(port)));
}

/** The lines of a chapter that begin so; those that name a bucket only where they are wanted. */
function linesOf(chapter: string, begin: string, isBucket = false): string[] {
  const [, rest = ''] = page.split(`\n## ${chapter}\n`);
  const [text = ''] = rest.split('\n## ');
  const lines = text.split('\n').filter((line) => line.startsWith(begin) && line.includes('s3://') === isBucket);
  expect(lines.length, `lines of '${chapter}'`).toBeGreaterThan(0);
  return lines.map(own);
}

function argumentsOf(line: string): string[] {
  return line
    .replace(/^npx arcwise /, '')
    .replace(/ &$/, '')
    .replaceAll("'", '')
    .split(' ');
}

/** The variables that a line exports. */
function exported(line: string): Record<string, string> {
  const pairs = line.replace('export ', '').replaceAll("'", '').split(' ');
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
}

/** Begins what the line says; a port of the test where it names none. `given`: what the page exports before it. */
function begin(line: string, directory: string, given: Readonly<Record<string, string>> = {}): void {
  const args = argumentsOf(line);
  const port = args.some((one) => one.includes('Http:Port=')) ? [] : [`--Service:Http:Port=${ports.get('8080')}`];
  const env = { ...process.env, ...given, Service__Durability__StorageDirectory: join(folder, directory) };
  started.push(spawn(process.execPath, [main, ...args, ...port], { cwd: folder, env, stdio: 'ignore' }));
}

const urlOf = (port: string): string => `http://127.0.0.1:${ports.get(port)}`;

async function answerOf(url: string, init?: RequestInit): Promise<Response> {
  const answer = await fetch(url, init).catch(() => null);
  return answer ?? new Response(null, { status: 599 });
}

const json = { 'content-type': 'application/json' };

/** Resolves when a waited write is taken there, or by whom it is sent to. */
async function write(url: string): Promise<void> {
  const init = { method: 'PUT', headers: json, body: '{"label":"person"}' };
  const put = async () => (await answerOf(`${url}/vertex?waitForCompletion=true`, init)).status;
  await expect.poll(put, { timeout: 120 * seconds, interval: 200 }).toBe(202);
}

const countAt = async (url: string): Promise<string> => (await answerOf(`${url}/vertex/count`)).text();

test('a backup that runs along is verified and brought back', async () => {
  const [backup] = linesOf('A backup that runs along', 'npx arcwise');
  begin(backup as string, 'data');
  await write(urlOf('8080'));
  const [verify, restore] = linesOf('Bringing it back', 'npx arcwise');
  // A base that came behind the commit does not say when that was.
  const told =
    /^default: commit \d+(?: of \S+)?, (?:the newest|as wanted); \d+ frames behind the base; hash [0-9a-f]{32}; [\d.]+ s$/m;
  const verified = async () => {
    const { stdout } = await run(process.execPath, [main, ...argumentsOf(verify as string)]).catch(() => ({
      stdout: '',
    }));
    return stdout;
  };
  await expect.poll(verified, { timeout: 60 * seconds, interval: 500 }).toMatch(told);
  const { stdout } = await run(process.execPath, [main, ...argumentsOf(restore as string)], { cwd: folder });
  expect(stdout).toMatch(told);
  for (const child of started) child.kill('SIGKILL');
  begin(`npx arcwise --Service:Http:Port=${ports.get('8081')}`, 'restored');
  await expect.poll(() => countAt(urlOf('8081')), { timeout: 60 * seconds }).toBe('1');
});

test('a replica has what its writer has', async () => {
  const [writer, replica] = linesOf('Replicas', 'npx arcwise');
  begin(writer as string, 'data');
  await write(urlOf('8080'));
  begin(replica as string, 'none');
  await expect.poll(() => countAt(urlOf('8081')), { timeout: 60 * seconds }).toBe('1');
});

test('three nodes are one service, and a namespace is made and moved', async () => {
  const [directory] = linesOf('A cluster on a bucket alone', 'npx arcwise --Service:Cluster:Url=file');
  for (const line of linesOf('A cluster on PostgreSQL', 'npx arcwise'))
    begin(`${line.replace(/ &$/, '')} ${argumentsOf(directory as string).join(' ')}`, 'none');
  await write(urlOf('8082'));
  for (const port of ['8081', '8082', '8083'])
    await expect.poll(() => countAt(urlOf(port)), { timeout: 120 * seconds }).toBe('1');
  for (const line of linesOf('Namespaces in their places', 'curl')) {
    const [, method = 'GET'] = /-X (\w+)/.exec(line) ?? [];
    const [, path = ''] = /localhost:(\d+\S*)/.exec(line) ?? [];
    const [, body] = /-d '([^']*)'/.exec(line) ?? [];
    const asked = async () => {
      const init = { method, ...(body === undefined ? {} : { body, headers: json }) };
      return (await answerOf(`http://127.0.0.1:${path}`, init)).status;
    };
    await expect
      .poll(asked, { timeout: 120 * seconds, interval: 500 })
      .toSatisfy((status) => status === 200 || status === 201);
  }
});

test('a backup goes into a bucket', async () => {
  const bucket = await S3Double.start();
  try {
    const [line] = linesOf('A backup that runs along', 'npx arcwise', true);
    const account = { Service__Backup__AccessKeyId: 'id', Service__Backup__SecretAccessKey: 'secret' };
    begin((line as string).replace('https://s3.example.com', bucket.endpoint), 'data', account);
    await write(urlOf('8080'));
    const names = () => [...bucket.objects.keys()].filter((name) => name.startsWith('arcwise/'));
    await expect.poll(names, { timeout: 60 * seconds }).not.toEqual([]);
  } finally {
    await bucket.stop();
  }
});

test('nodes share a bucket', async () => {
  const bucket = await S3Double.start();
  try {
    const [place] = linesOf('A cluster on a bucket alone', 'export', true) as [string];
    const account = (linesOf('A cluster on a bucket alone', 'export')[0] as string).replaceAll('…', 'id');
    const given = { ...exported(place.replace('https://s3.example.com', bucket.endpoint)), ...exported(account) };
    const [line] = linesOf('A cluster on a bucket alone', 'npx arcwise --Service:Cluster:LeaseMilliseconds') as [
      string,
    ];
    begin(line, 'none', given);
    await write(urlOf('8080'));
    begin(`${line} --Service:Http:Port=${ports.get('8081')}`, 'none', given);
    await expect.poll(() => countAt(urlOf('8081')), { timeout: 120 * seconds }).toBe('1');
  } finally {
    await bucket.stop();
  }
});

test.skipIf(!hasPostgres)('three nodes share a database', async () => {
  chmodSync(folder, 0o755);
  const server = await Postgres.start(mkdtempSync(join(folder, 'postgres-')));
  try {
    server.ask('CREATE ROLE node SUPERUSER LOGIN');
    server.ask('CREATE DATABASE arcwise');
    const [line] = linesOf('A cluster on PostgreSQL', 'export') as [string];
    const socket = { PGUSER: 'node', PGPORT: String(server.port) };
    const given = { ...exported(line.replace('/var/run/postgresql', server.socketDirectory)), ...socket };
    for (const node of linesOf('A cluster on PostgreSQL', 'npx arcwise')) begin(node, 'none', given);
    const [asked] = linesOf('A cluster on PostgreSQL', 'curl') as [string];
    const port = /localhost:(\d+)/.exec(asked)?.[1];
    await write(`http://127.0.0.1:${port}`);
    for (const one of ['8081', '8082', '8083'])
      await expect.poll(() => countAt(urlOf(one)), { timeout: 120 * seconds }).toBe('1');
    const told = await (await answerOf(`http://127.0.0.1:${port}/cluster`)).json();
    expect(['writer', 'replica']).toContain(told.role);
  } finally {
    for (const child of started) child.kill('SIGKILL');
    await server.stop();
  }
});
