// The server process: its one line, its exit codes, its signals, and that what was answered is there after any end.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checks } from '../../scripts/check.mjs';
import { at } from '../../scripts/lib/freshness.mjs';
import { send } from './support/client.ts';
import { expectEmpty, expectJson, waited } from './support/requests.ts';
import { isReal } from './support/service.ts';

const main = at('dist/node/main.js');
let directory: string;
const children = new Set<ChildProcess>();

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'arcwise-process-'));
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  rmSync(directory, { recursive: true, force: true });
});

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  output(): { readonly out: string; readonly err: string };
  exit: Promise<number | null>;
}

function run(args: readonly string[], environment: Record<string, string> = {}): Omit<Running, 'url'> {
  return spawnNode([main, ...args], environment);
}

function spawnNode(args: readonly string[], environment: Record<string, string> = {}): Omit<Running, 'url'> {
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, args, { cwd: directory, env, stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  let out = '';
  let err = '';
  child.stdout.on('data', (block) => {
    out += block;
  });
  child.stderr.on('data', (block) => {
    err += block;
  });
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, exit, output: () => ({ out, err }) };
}

async function start(
  args: readonly string[] = ['--Service:Http:Port=0'],
  environment?: Record<string, string>,
): Promise<Running> {
  const running = run(args, environment);
  const url = await new Promise<string>((resolve, reject) => {
    running.child.stdout?.on('data', () => {
      const found = /http:\/\/\S+/.exec(running.output().out)?.[0];
      if (found !== undefined) resolve(found);
    });
    running.exit.then((code) => reject(new Error(`Ended with ${code}: ${running.output().err}`)));
  });
  return { ...running, url };
}

test.runIf(isReal)('one line tells where it is; SIGTERM and SIGINT end it with 0', async () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const { child, exit, url, output } = await start();
    expect(expectJson(await send(url, 'GET', '/vertex/count'))).toBe(0);
    child.kill(signal);
    expect(await exit).toBe(0);
    expect(output().out).toMatch(
      /^arcwise listening on http:\/\/127\.0\.0\.1:\d+ · data \S+arcwise-data · no API key · explorer http:\/\/127\.0\.0\.1:\d+\/explorer · docs http:\/\/127\.0\.0\.1:\d+\/docs\n$/,
    );
  }
});

test.runIf(isReal)('what a start in a clone leaves behind is nothing to git and nothing to the formatter', async () => {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: directory, encoding: 'utf8' });
  git('init', '-q');
  for (const file of ['.gitignore', 'biome.json']) copyFileSync(at(file), join(directory, file));
  git('add', '.');
  const { child, exit, url } = await start();
  expectJson(await send(url, 'PUT', '/ns/sample'), 201);
  expectJson(await send(url, 'PUT', `/vertices${waited}`, { json: [{ label: 'a' }] }));
  child.kill('SIGTERM');
  expect(await exit).toBe(0);
  expect(existsSync(join(directory, 'arcwise-data/metadata/savegames.json'))).toBe(true);
  expect(
    git('status', '--porcelain')
      .split('\n')
      .filter((line) => line.startsWith('??')),
  ).toEqual([]);
  const [, formatter, args] = checks[0] as (typeof checks)[number];
  execFileSync(process.execPath, [at(formatter), ...args], { cwd: directory, stdio: 'pipe' });
});

test.runIf(isReal)('what was answered is there after kill -9', async () => {
  const first = await start();
  expectJson(await send(first.url, 'PUT', '/ns/kept'), 201);
  const created = await send(first.url, 'PUT', `/ns/kept/vertices${waited}`, {
    json: [{ label: 'a' }, { label: 'b' }],
  });
  expect(expectJson(created)).toEqual([0, 1]);
  expectEmpty(await send(first.url, 'DELETE', `/ns/kept/graphelement/0${waited}`), 202);
  first.child.kill('SIGKILL');
  await first.exit;

  const second = await start();
  expectEmpty(await send(second.url, 'GET', '/ns/kept/vertex/0'), 204);
  expect(expectJson(await send(second.url, 'GET', '/ns/kept/vertex/1'))).toMatchObject({ label: 'b' });
  expect(expectJson(await send(second.url, 'GET', '/ns/kept/status'))).toMatchObject({
    durability: { recoveryRan: true, lastRecoveryTruncated: false, lastRecoveryReplayedEntries: 2 },
  });
  second.child.kill('SIGTERM');
  expect(await second.exit).toBe(0);
});

/** Whether anything takes connections at the port. */
function isListening(port: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

test.runIf(isReal)('a request under way is finished before the end', async () => {
  const { child, exit, url } = await start();
  const headers = { 'content-type': 'application/x-ndjson' };
  const body = `{"type":"vertex","id":1,"creationDate":0}\n`;
  const { hostname, port } = new URL(url);
  const answer = new Promise<number>((resolve, reject) => {
    const chunked = { ...headers, 'transfer-encoding': 'chunked' };
    const outgoing = request({ hostname, port, method: 'POST', path: '/bulk/import', headers: chunked }, (incoming) => {
      incoming.resume();
      resolve(incoming.statusCode ?? 0);
    });
    outgoing.on('error', reject);
    outgoing.write(body);
    const isUnderWay = async (): Promise<boolean> => {
      const other = await send(url, 'POST', '/bulk/import', { body: '', headers });
      return other.status === 409;
    };
    const endMeanwhile = async (): Promise<void> => {
      while (!(await isUnderWay()));
      child.kill('SIGTERM');
      while (await isListening(port)) await new Promise((again) => setTimeout(again, 5));
      outgoing.end(body.replace('1', '2'));
    };
    endMeanwhile().catch(reject);
  });
  expect(await answer).toBe(200);
  expect(await exit).toBe(0);
});

test.runIf(isReal)(
  'a port in use, a bad setting, a bad file, a directory in use: one clear line and 1',
  { tags: ['long'] },
  async () => {
    const taken = await listenAnywhere();
    const { port } = taken.address() as AddressInfo;
    writeFileSync(join(directory, 'bad.json'), '{');
    const cases: [string[], RegExp][] = [
      [[`--Service:Http:Port=${port}`], /^arcwise: 127\.0\.0\.1:\d+ is in use/m],
      [
        ['--Service:Http:Port=many'],
        /^arcwise: Service:Http:Port takes a whole number .*, not "many" \(argument --Service:Http:Port\)\.$/m,
      ],
      [['--config', 'bad.json'], /^arcwise: .*bad\.json is not valid JSON/m],
      [['--config', 'missing.json'], /^arcwise: The configuration file .*missing\.json cannot be read/m],
      [['--nonsense'], /^arcwise: Unknown argument --nonsense/m],
    ];
    for (const [args, message] of cases) {
      const { exit, output } = run(args);
      expect(await exit).toBe(1);
      expect(output().err).toMatch(message);
      expect(output().err).not.toContain('    at ');
      expect(output().out).toBe('');
    }
    taken.close();
    const { child, exit } = await start();
    const second = run(['--Service:Http:Port=0']);
    expect(await second.exit).toBe(1);
    expect(second.output().err).toMatch(/^arcwise: .*in use/m);
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
  },
);

function listenAnywhere(): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => resolve(server));
  });
}

/** Starts in the same process that fail, then one that must find nothing of them, and an end by itself. */
const startsInOneProcess = `
import { startService } from ${JSON.stringify(pathToFileURL(at('dist/runtime-node/service.js')).href)};
import { Configuration } from ${JSON.stringify(pathToFileURL(at('dist/src/config/configuration.js')).href)};
const logger = { info() {}, warn() {}, error() {} };
for (const flawed of JSON.parse(process.argv[1])) {
  const given = Object.entries({ 'Http:Port': '0', ...flawed });
  const configuration = new Configuration(given.map(([key, text]) => ({ key, text, source: 'test' })));
  const started = await startService(configuration, logger).catch((error) => error);
  console.log(started instanceof Error ? started.message : 'started');
  if (!(started instanceof Error)) await started.stop();
}
`;

test.runIf(isReal)(
  'a start that fails leaves nothing behind: no lock, nothing that keeps a process alive',
  async () => {
    const taken = await listenAnywhere();
    const { port } = taken.address() as AddressInfo;
    mkdirSync(join(directory, 'broken'));
    writeFileSync(join(directory, 'broken/namespaces.json'), '{');
    const flawed = [
      { 'Durability:CheckpointBaseName': 'a/b' },
      { 'Http:Port': String(port) },
      { 'Metadata:Directory': 'broken' },
      {},
    ];
    const script = ['--input-type=module', '-e', startsInOneProcess, JSON.stringify(flawed)];
    const { exit, output } = spawnNode(script);
    expect({ code: await exit, err: output().err }).toEqual({ code: 0, err: '' });
    taken.close();
    const lines = output().out.trim().split('\n');
    expect(lines).toEqual([
      expect.stringContaining('CheckpointBaseName'),
      expect.stringContaining('EADDRINUSE'),
      expect.stringContaining('namespaces.json cannot be read'),
      'started',
    ]);
    expect(readdirSync(join(directory, 'arcwise-data')).filter((name) => name.includes('lock'))).toEqual([]);
  },
);

test.runIf(isReal)('file, environment and command line, each over the one before', async () => {
  const settings = {
    Service: { Http: { Port: 0 }, Security: { ApiKey: 'file' }, Durability: { Volatile: true }, Oops: 1 },
  };
  writeFileSync(join(directory, 'appsettings.json'), JSON.stringify(settings));
  const environment = { Service__Security__ApiKey: 'environment', SERVICE__SECURITY__APIKEYHEADER: 'x-env' };
  const { child, exit, url, output } = await start(['--Service:Security:ApiKey', 'argument'], environment);
  expect(output().out).toContain('volatile');
  expect(output().out).toContain('API key required');
  expect((await send(url, 'GET', '/vertex/count', { headers: { 'x-env': 'argument' } })).status).toBe(200);
  expect((await send(url, 'GET', '/vertex/count', { headers: { 'x-env': 'environment' } })).status).toBe(401);
  child.kill('SIGTERM');
  expect(await exit).toBe(0);
  expect(output().err).toContain('Unknown setting Service:Oops');
  expect(output().err).not.toContain('argument');
});

test.runIf(isReal)('a service whose starting command has gone stops', async () => {
  // Stands for a command that dies without handing its signal on: it tells the pid of the service and ends.
  const starter = `
    const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, process.argv.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.on('data', (block) => {
      process.stdout.write(child.pid + ' ' + block);
      process.stdin.once('data', () => process.exit(0));
    });`;
  const env = { ...process.env, npm_lifecycle_event: 'start' };
  const args = ['-e', starter, main, '--Service:Http:Port=0', '--Service:Durability:Volatile=true'];
  const parent = spawn(process.execPath, args, { cwd: directory, env, stdio: ['pipe', 'pipe', 'inherit'] });
  children.add(parent);
  const line = await new Promise<string>((resolve) => parent.stdout.once('data', (block) => resolve(String(block))));
  const pid = Number(line.split(' ')[0]);
  parent.stdin.write('go');
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 50));
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test.runIf(isReal)('--help explains and ends with 0', async () => {
  const { exit, output } = run(['--help']);
  expect(await exit).toBe(0);
  expect(output().out).toContain('--Service:KEY=VALUE');
  expect(output().out).toContain('BulkIO:ImportBatchSize');
});
