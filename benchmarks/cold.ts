// Where the time of the first run of an algorithm goes, in services that have just started: the threads' start, code that runs for the
// first time, the projection, the run itself. `npm run bench -- cold [--vertices 265000] [--degree 2] [--rounds 5] [--restMs 1500]`
//
// Each round starts the service twice on the same save game. One is asked at once, the other after a rest, in which it starts its threads:
// the difference is theirs. After a write the second run projects anew with code that has run before; the third finds the projection kept.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { machineLine, median, setting, table, timedAsync } from './lib/measure.ts';
import { type RunningServer, startService } from './lib/servers.ts';

const vertices = setting('vertices', 265_000);
const degree = setting('degree', 2);
const rounds = setting('rounds', 5);
const restMs = setting('restMs', 1500);
const settings = ['--Service:Log:Level=error', '--Service:Durability:SaveOnShutdown=false'];
const names = ['PAGERANK', 'WCC', 'DEGREE'];
const json = { 'content-type': 'application/json' };

async function ask(server: RunningServer, method: string, path: string, body?: object): Promise<void> {
  const init = body === undefined ? { method } : { method, headers: json, body: JSON.stringify(body) };
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, init);
  if (!answer.ok) throw new Error(`${method} ${path} answers ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

/** Milliseconds of the first run, of one with a new projection, and of one with a kept one. */
async function runs(
  folder: string,
  name: string,
  waitMs: number,
): Promise<[first: number, anew: number, kept: number]> {
  const server = await startService(settings, folder);
  await sleep(waitMs);
  const run = () => timedAsync(() => ask(server, 'POST', `/analytics/${name}`, {}));
  const first = await run();
  const touched = { propertyValue: `${performance.now()}`, fullQualifiedTypeName: 'System.String' };
  await ask(server, 'PUT', '/graphelement/0/touched?waitForCompletion=true', touched);
  const anew = await run();
  const kept = await run();
  await server.stop();
  return [first, anew, kept];
}

const folder = await mkdtemp(join(tmpdir(), 'arcwise-cold-'));
try {
  console.log(machineLine());
  const maker = await startService(settings, folder);
  await ask(maker, 'GET', `/ns/default/generate?nodeCount=${vertices}&edgeCount=${degree}`);
  await ask(maker, 'PUT', '/save', {});
  await maker.stop();
  const rows: (string | number)[][] = [];
  for (const name of names) {
    const atOnce: number[] = [];
    const rested: number[][] = [[], [], []];
    for (let round = 0; round < rounds; round++) {
      atOnce.push((await runs(folder, name, 0))[0]);
      for (const [i, ms] of (await runs(folder, name, restMs)).entries()) rested[i]?.push(ms);
    }
    const [first = 0, anew = 0, kept = 0] = rested.map((times) => median(times));
    const now = median(atOnce);
    rows.push([name, now, first, now - first, first - anew, anew - kept, kept]);
  }
  console.log(`${vertices.toLocaleString('en')} × ${degree}, ms, medians of ${rounds} rounds; rested: ${restMs} ms`);
  const head = ['', 'first, at once', 'first, rested', 'threads', 'code', 'projection', 'run'];
  console.log(table([head, ...rows]));
} finally {
  await rm(folder, { recursive: true, force: true });
}
