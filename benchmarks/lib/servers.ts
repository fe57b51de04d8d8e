// Servers under load, each in a process of its own on a free loopback port: the service, and a bare node:http handler that does the
// least any JSON server can do. Whoever starts one stops it.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface RunningServer {
  readonly port: number;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

function stopper(child: ChildProcess, folder: string | null): () => Promise<void> {
  return async () => {
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGTERM');
    await gone;
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  };
}

function portFrom(child: ChildProcess, pattern: RegExp): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (data: Buffer) => {
      text += data.toString();
      const match = pattern.exec(text);
      if (match?.[1] !== undefined) resolve(Number(match[1]));
    });
    child.once('exit', (code) => reject(new Error(`A server ended with code ${code}: ${text}`)));
  });
}

/** Where durable benchmarks put their files: on the disk under test, `BENCH_SCRATCH` or the system's temporary folder. */
export function scratchFolder(name: string): string {
  return mkdtempSync(join(process.env.BENCH_SCRATCH ?? tmpdir(), `${name}-`));
}

/** The built service, on a fresh data directory or on `kept`, which is then the caller's to remove. Resolves once it has loaded. */
export async function startService(
  settings: readonly string[] = [],
  kept: string | null = null,
): Promise<RunningServer> {
  const folder = kept ?? scratchFolder('arcwise');
  const main = fileURLToPath(new URL('../../node/main.js', import.meta.url));
  const child = spawn(
    process.execPath,
    [
      main,
      '--Service:Http:Port=0',
      `--Service:Durability:StorageDirectory=${folder}`,
      `--Service:Metadata:Directory=${folder}/metadata`,
      ...settings,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const port = await portFrom(child, /http:\/\/127\.0\.0\.1:(\d+)/);
  return { port, process: child, stop: stopper(child, kept === null ? folder : null) };
}

/** Milliseconds from the start of the process on a data directory to a 200 from `/readyz`; `look` may ask it things then. */
export async function timeToReady(
  folder: string,
  settings: readonly string[] = [],
  look: (server: RunningServer) => Promise<void> = async () => {},
): Promise<number> {
  const started = performance.now();
  const server = await startService(settings, folder);
  const answer = await fetch(`http://127.0.0.1:${server.port}/readyz`);
  const ms = performance.now() - started;
  if (answer.status !== 200) throw new Error(`/readyz answers ${answer.status}`);
  await look(server);
  await server.stop();
  return ms;
}

/** node:http with nothing around it: GET answers `answer`, anything else parses the JSON body and answers 202. */
export async function startBareServer(answer: string): Promise<RunningServer> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'bare', answer], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { port: await portFrom(child, /port (\d+)/), process: child, stop: stopper(child, null) };
}

function runBareServer(answer: string): void {
  const body = Buffer.from(answer, 'utf8');
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.setHeader('content-type', 'application/json');
      response.end(body);
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      JSON.parse(Buffer.concat(chunks).toString());
      response.statusCode = 202;
      response.end();
    });
  });
  server.listen(0, '127.0.0.1', () => console.log(`port ${(server.address() as AddressInfo).port}`));
  process.on('SIGTERM', () => process.exit(0));
}

/** True when a program can be started; a benchmark without its native peer says so and goes on. */
export function hasProgram(name: string): boolean {
  return spawnSync(name, ['--version'], { stdio: 'ignore' }).error === undefined;
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv[2] === 'bare')
  runBareServer(process.argv[3] ?? '');
