// Every kind of work that takes threads, on one of them and on two: in two services on the same save game, asked in turn. A job leaves one
// thread to others, so they are started with two threads and with three; but a short projection takes all, so it is made by services with
// one and with two. `npm run bench -- threads [--vertices 200000] [--degree 8] [--rounds 7]
// [--only PAGERANK,WCC]`. Vector scans are in `npm run bench -- vectors`.

import { rm } from 'node:fs/promises';
import { jsonlBlocks, uniformGraph } from './lib/graphs.ts';
import { compete, machineLine, setting, table, timedAsync } from './lib/measure.ts';
import { type RunningServer, scratchFolder, startService } from './lib/servers.ts';

const vertices = setting('vertices', 200_000);
const degree = setting('degree', 8);
const rounds = setting('rounds', 7);
const onlyAt = process.argv.indexOf('--only');
const only = onlyAt < 0 ? null : (process.argv[onlyAt + 1] ?? '').split(',');
const settings = ['--Service:Log:Level=error', '--Service:Durability:SaveOnShutdown=false'];
const json = { 'content-type': 'application/json' };

async function ask(server: RunningServer, method: string, path: string, body?: object): Promise<void> {
  const init = body === undefined ? { method } : { method, headers: json, body: JSON.stringify(body) };
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, init);
  if (!answer.ok) throw new Error(`${method} ${path} answers ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

interface Work {
  readonly name: string;
  /** Before the clock runs. */
  readonly prepare?: (server: RunningServer) => Promise<void>;
  readonly run: (server: RunningServer) => Promise<void>;
  /** Whether it takes every thread. */
  readonly takesAll?: boolean;
}

let touches = 0;
/** A write, so that the next run projects anew. */
function touch(server: RunningServer): Promise<void> {
  const value = { propertyValue: `${touches++}`, fullQualifiedTypeName: 'System.String' };
  return ask(server, 'PUT', '/graphelement/0/touched?waitForCompletion=true', value);
}

const analyze =
  (name: string, body: object = {}) =>
  (server: RunningServer): Promise<void> =>
    ask(server, 'POST', `/analytics/${name}`, body);
const weighted = { parameters: { Source: 0 }, weightPropertyId: 'weight' };
const text = { searchTerm: 'person 1999x', resultType: 'Both' };
const property = { operator: 1, literal: { value: '2001', fullQualifiedTypeName: 'System.Int32' } };

const plainKernels = 'PAGERANK WCC LABELPROPAGATION DEGREE TRIANGLECOUNT LOUVAIN KCORE SCC CLUSTERINGCOEFFICIENT'.split(
  ' ',
);

const works: readonly Work[] = [
  { name: 'text scan', run: (server) => ask(server, 'POST', '/scan/graph/properties', text) },
  { name: 'property scan', run: (server) => ask(server, 'POST', '/scan/graph/property/since', property) },
  { name: 'sweep', run: (server) => ask(server, 'GET', '/ns/default/benchmark?iterations=5') },
  { name: 'statistics', run: (server) => ask(server, 'GET', '/statistics') },
  { name: 'export', run: (server) => ask(server, 'GET', '/bulk/export') },
  { name: 'checkpoint', prepare: touch, run: (server) => ask(server, 'PUT', '/save', {}) },
  { name: 'projection and DEGREE', prepare: touch, run: analyze('DEGREE'), takesAll: true },
  { name: 'projection and WCC', prepare: touch, run: analyze('WCC'), takesAll: true },
  { name: 'projection with weights and SSSP', prepare: touch, run: analyze('SSSP', weighted), takesAll: true },
  ...plainKernels.map((name) => ({ name, run: analyze(name) })),
  { name: 'BFS', run: analyze('BFS', { parameters: { Source: 0 } }) },
  { name: 'SSSP', run: analyze('SSSP', weighted) },
  { name: 'CLOSENESS', run: analyze('CLOSENESS', { parameters: { Samples: 16 } }) },
  { name: 'BETWEENNESS', run: analyze('BETWEENNESS', { parameters: { Samples: 16 } }) },
];

async function fillFolder(folder: string): Promise<void> {
  const server = await startService(settings, folder);
  const answer = await fetch(`http://127.0.0.1:${server.port}/bulk/import`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: Buffer.concat(jsonlBlocks(uniformGraph(vertices, degree, 1), 2)),
  });
  if (!answer.ok) throw new Error(await answer.text());
  await answer.arrayBuffer();
  await ask(server, 'PUT', '/save', {});
  await server.stop();
}

const folders = [1, 2, 3].map((threads) => scratchFolder(`arcwise-threads-${threads}`));
const servers: RunningServer[] = [];
try {
  console.log(machineLine());
  for (const [index, folder] of folders.entries()) {
    await fillFolder(folder);
    servers.push(await startService([...settings, `--Service:Jobs:Threads=${index + 1}`], folder));
  }
  const rows: (string | number)[][] = [];
  for (const { name, prepare, run, takesAll = false } of works) {
    if (only !== null && !only.includes(name)) continue;
    const pair = takesAll ? servers.slice(0, 2) : servers.slice(1);
    const contestants = pair.map((server, index) => ({
      name: `${index + 1}`,
      round: async (): Promise<number> => {
        await prepare?.(server);
        return await timedAsync(() => run(server));
      },
    }));
    const [one = 0, two = 0] = (await compete(contestants, rounds)).map(({ medianMs }) => medianMs);
    rows.push([name, one, two, one / two]);
  }
  console.log(`${vertices.toLocaleString('en')} × ${degree}, ms, medians of ${rounds} rounds`);
  console.log(table([['', 'one thread', 'two', 'times as fast'], ...rows]));
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
}
