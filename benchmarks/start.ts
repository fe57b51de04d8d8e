// From the start of the process to readiness with a large graph: from its log, which holds every transaction, and from a save game; by turns.
//
//   npm run bench -- start [--vertices 700000] [--degree 28] [--types 1] [--rounds 3] [--directory FOLDER]
//
// 2,000,000 × 28 is as much as a namespace holds: 58 M elements, 3.3 GiB of memory, 0.9 GB of files. The service generates edges of one
// type; edges of several are imported.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uniformGraph } from './lib/graphs.ts';
import { importGraph } from './lib/imported.ts';
import { machineLine, median, setting, table } from './lib/measure.ts';
import { type RunningServer, startService, timeToReady } from './lib/servers.ts';

const vertices = setting('vertices', 700_000);
const degree = setting('degree', 28);
const types = setting('types', 1);
const rounds = setting('rounds', 3);
const elements = vertices * (1 + degree);
const settings = ['--Service:Durability:SaveOnShutdown=false', '--Service:Log:Level=error'];
const at = process.argv.indexOf('--directory');
const directory = await mkdtemp(join(at < 0 ? tmpdir() : (process.argv[at + 1] as string), 'arcwise-start-'));

async function ask(server: RunningServer, path: string, method = 'GET'): Promise<unknown> {
  const sends = method === 'GET' ? {} : { body: '{}', headers: { 'content-type': 'application/json' } };
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { method, ...sends });
  if (answer.status !== 200) throw new Error(`${method} ${path} answers ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** A data directory with the graph, all of it in the log or in a save game. */
async function written(name: string, saves: boolean): Promise<string> {
  const folder = join(directory, name);
  const server = await startService(settings, folder);
  if (types === 1) await ask(server, `/ns/default/generate?nodeCount=${vertices}&edgeCount=${degree}`);
  else await importGraph(server, uniformGraph(vertices, degree, 1), types);
  if (saves) await ask(server, '/save', 'PUT');
  await server.stop();
  return folder;
}

async function isThere(server: RunningServer): Promise<void> {
  const count = (await ask(server, '/edge/count')) as number;
  if (count !== vertices * degree) throw new Error(`The service started with ${count} edges`);
}

try {
  console.log(machineLine());
  const sources = [
    { name: 'its log', folder: await written('log', false), times: [] as number[] },
    { name: 'a save game', folder: await written('saved', true), times: [] as number[] },
  ];
  for (let round = 0; round < rounds; round++) {
    for (const { folder, times } of sources) times.push(await timeToReady(folder, settings, isThere));
  }
  const rows = sources.map(({ name, times }) => [name, median(times), elements / median(times) / 1000]);
  console.log(
    `${elements.toLocaleString('en')} elements, edges of ${types} type${types === 1 ? '' : 's'}, medians of ${rounds} rounds`,
  );
  console.log(table([['start from', 'ms', 'M elements/s'], ...rows]));
} finally {
  await rm(directory, { recursive: true, force: true });
}
