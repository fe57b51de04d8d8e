// The unit, the container and the commands of docs/operations.md and docs/studio.md, done as they stand there with the packed program: the
// instructions one by one, below a folder of the test. Host, ports and the folder are the test's; users and restarts are the system's business.
// Wants a registry of packages, since the unit and the container install one.

// @module-tag long

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { freePort } from '../../benchmarks/lib/postgres.ts';
import { at } from '../../scripts/lib/freshness.mjs';
import { Collector } from '../contract/support/collector.ts';

const run = promisify(execFile);
const seconds = 1000;
const main = at('dist/node/main.js');
/** Whose names the test knows what to do about; the system does the others. */
const keys = ['User', 'WorkingDirectory', 'Environment', 'EnvironmentFile', 'ExecStart', 'Restart', 'TimeoutStopSec'];

let root: string;
let started: ChildProcess[] = [];

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'arcwise-operations-'));
});

afterEach(async () => {
  for (const child of started) child.kill('SIGKILL');
  await Promise.all(started.map(ended));
  started = [];
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

function ended(child: ChildProcess): Promise<unknown> {
  const isOver = child.exitCode !== null || child.signalCode !== null;
  return isOver ? Promise.resolve(child.exitCode) : new Promise((resolve) => child.once('exit', resolve));
}

/** The lines of the first block of a language, of one chapter or the whole page. */
function linesOf(page: string, language: string): string[] {
  const text = readFileSync(at(`docs/${page}.md`), 'utf8');
  const block = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(text)?.[1];
  expect(block, `${language} of ${page}`).toBeDefined();
  return (block as string).trim().split('\n');
}

type Variables = Readonly<Record<string, string>>;

/** `name=value` pairs, split by blanks. */
const pairs = (text: string): Variables => Object.fromEntries(text.split(' ').map((pair) => splitAt(pair, '=')));

function splitAt(text: string, separator: string): [string, string] {
  const place = text.indexOf(separator);
  return [text.slice(0, place), text.slice(place + 1)];
}

/** Starts a command where the system would, on loopback, and resolves when it answers. */
async function begin(command: string, args: readonly string[], cwd: string, variables: Variables): Promise<string> {
  const port = await freePort();
  const env = { ...process.env, ...variables, Service__Http__Host: '127.0.0.1', Service__Http__Port: String(port) };
  started.push(spawn(command, args, { cwd, env, stdio: 'ignore' }));
  const url = `http://127.0.0.1:${port}`;
  const ready = async () => (await fetch(`${url}/readyz`).catch(() => null))?.status;
  await expect.poll(ready, { timeout: 60 * seconds, interval: 100 }).toBe(200);
  return url;
}

/** Writes a vertex, and resolves with the code that the process ends with when it is told to. */
async function writeAndStop(url: string, headers: Variables = {}): Promise<unknown> {
  const json = { 'content-type': 'application/json', ...headers };
  const init = { method: 'PUT', headers: json, body: '{"label":"person"}' };
  expect((await fetch(`${url}/vertex?waitForCompletion=true`, init)).status).toBe(202);
  const [child] = started as [ChildProcess];
  child.kill('SIGTERM');
  return ended(child);
}

/** Runs a command that installs something; a test that finds no registry of packages says so. */
async function installs(context: TestContext, command: string, cwd: string): Promise<void> {
  const said = await run('sh', ['-c', command], { cwd }).then(
    () => '',
    ({ stderr }: { stderr: string }) => stderr,
  );
  context.skip(/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT/.test(said), 'no registry of packages');
  expect(said).toBe('');
}

const saveGamesIn = (folder: string): string[] => readdirSync(folder).filter((name) => name.endsWith('.f8s'));

describe('the packed program', () => {
  let tarball: string;

  beforeAll(async () => {
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', root];
    const { stdout } = await run('npm', args, { cwd: at('.'), maxBuffer: 2 ** 26 });
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    tarball = filename;
  });

  /** Below the folder of the test what the page has below `/`. */
  const own = (text: string): string => text.replace(/(^|[ =])\/(?=\w)/g, `$1${root}/`);

  test('runs as the unit says', async (context) => {
    const unit = linesOf('operations', 'ini');
    const valuesOf = (name: string) =>
      unit.filter((line) => line.startsWith(`${name}=`)).map((line) => own(splitAt(line, '=')[1]));
    const [install] = linesOf('operations', 'sh');
    const installed = /^npm install --global \.\/(arcwise-\S+)$/.exec(install as string);
    expect(installed?.[1]).toBe(tarball);
    await installs(context, `${install} --prefix ${root}/usr/local`, root);

    const [directory] = valuesOf('WorkingDirectory') as [string];
    mkdirSync(directory, { recursive: true });
    const [secrets] = valuesOf('EnvironmentFile') as [string];
    mkdirSync(join(secrets, '..'), { recursive: true });
    writeFileSync(secrets, 'Service__Security__ApiKey=a-key-of-the-test\n');
    const variables = Object.assign(
      {},
      ...valuesOf('Environment').map(pairs),
      pairs(readFileSync(secrets, 'utf8').trim()),
    );
    const [command] = valuesOf('ExecStart') as [string];
    const url = await begin(command, [], directory, variables);
    expect((await fetch(`${url}/vertex/count`)).status).toBe(401);
    expect(await writeAndStop(url, { 'x-api-key': 'a-key-of-the-test' })).toBe(0);
    expect(saveGamesIn(variables.Service__Durability__StorageDirectory)).toHaveLength(1);
    expect(unit.slice(1).filter((line) => !keys.includes(splitAt(line, '=')[0]))).toEqual([]);
  });

  test('runs as the container file says', async (context) => {
    let workdir = root;
    let variables: Variables = {};
    let command: string[] = [];
    for (const line of linesOf('operations', 'dockerfile')) {
      const [instruction, rest] = splitAt(line, ' ');
      if (instruction === 'WORKDIR') {
        workdir = own(rest);
        mkdirSync(workdir, { recursive: true });
      } else if (instruction === 'COPY') {
        const [from, to] = rest.split(' ') as [string, string];
        expect(from).toBe(tarball);
        cpSync(join(root, from), join(workdir, to, from));
      } else if (instruction === 'RUN') {
        await installs(context, rest, workdir);
      } else if (instruction === 'ENV') variables = { ...variables, ...pairs(own(rest)) };
      else if (instruction === 'VOLUME') mkdirSync(own(rest), { recursive: true });
      else if (instruction === 'CMD') command = JSON.parse(rest);
      else expect(['FROM node:22-slim', 'USER node']).toContain(line);
    }
    const [program, ...args] = command as [string, ...string[]];
    const url = await begin(join(workdir, program), args, workdir, variables);
    expect(await writeAndStop(url)).toBe(0);
    expect(saveGamesIn(join(root, 'data'))).toHaveLength(1);
  });
});

test('the exporter of metrics, traces and logs is switched on as the page says', async () => {
  const collector = await Collector.start();
  const argument = /^npx arcwise (--Service:Observability:Otlp:\S+)$/m.exec(
    readFileSync(at('docs/operations.md'), 'utf8'),
  )?.[1];
  const args = [argument?.replace('http://127.0.0.1:4318', collector.url) ?? ''];
  const data = { Service__Durability__StorageDirectory: join(root, 'exporting') };
  const url = await begin(process.execPath, [main, ...args], root, data);
  expect((await fetch(`${url}/vertex/count`)).status).toBe(200);
  await expect
    .poll(() => collector.spans.map(({ name }) => name), { timeout: 60 * seconds })
    .toContain('GET /vertex/count');
  await collector.stop();
});

test('a page is handed out, and one from elsewhere is let in', async () => {
  const page = readFileSync(at('docs/studio.md'), 'utf8');
  const lines = [...page.matchAll(/^npm start -- (--Service:\S+)$/gm)].map(([, argument]) => argument as string);
  expect(lines).toHaveLength(2);
  const [folder, origin] = lines as [string, string];
  mkdirSync(join(root, 'page'), { recursive: true });
  writeFileSync(join(root, 'page/index.html'), '<!doctype html><title>A page</title>');
  const [name] = splitAt(folder, '=');
  const data = { Service__Durability__StorageDirectory: join(root, 'pages') };
  const url = await begin(process.execPath, [main, `${name}=${join(root, 'page')}`, origin], root, data);
  expect(await (await fetch(`${url}/`, { headers: { accept: 'text/html' } })).text()).toContain(
    '<title>A page</title>',
  );
  const asked = await fetch(`${url}/vertex/count`, { headers: { origin: splitAt(origin, '=')[1] } });
  expect(asked.headers.get('access-control-allow-origin')).toBe('https://studio.example');
});
