// The commands of docs/cluster.md, run as they stand there: only the program, the ports and the directories are those of the test. What wants a
// database or a bucket is for cluster.test.ts and cluster-bucket.test.ts.

// @module-tag long

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { freePort } from './cluster-nodes.ts';

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

/** The lines of a chapter that begin so. */
function linesOf(chapter: string, begin: string): string[] {
  const [, rest = ''] = page.split(`\n## ${chapter}\n`);
  const [text = ''] = rest.split('\n## ');
  const lines = text.split('\n').filter((line) => line.startsWith(begin) && !line.includes('s3://'));
  expect(lines.length, `lines of '${chapter}'`).toBeGreaterThan(0);
  return lines.map(own);
}

function argumentsOf(line: string): string[] {
  return line
    .replace(/^npx arcwise /, '')
    .replace(/ &$/, '')
    .split(' ');
}

/** Begins what the line says; a port of the test where it names none. */
function begin(line: string, directory: string): void {
  const args = argumentsOf(line);
  const port = args.some((one) => one.includes('Http:Port=')) ? [] : [`--Service:Http:Port=${ports.get('8080')}`];
  const env = { ...process.env, Service__Durability__StorageDirectory: join(folder, directory) };
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
  const told =
    /^default: commit \d+ of \S+, (?:the newest|as wanted); \d+ frames behind the base; hash [0-9a-f]{32}; [\d.]+ s$/m;
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
