// An object of the local edge runtime beside the service of Node: first answer, waited writes, reads, an import of as much of WordNet as an
// object holds, a scan, paths with a filter, bytes and memory. Both get the same requests, in turn.
//
//   npm run bench -- edge [--vertices 70000] [--rounds 3]     behind `npm run build`

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { openSource } from '../runtime-node/samples/sources.ts';
import { edgeBinary, startEdge } from './lib/edge-server.ts';
import { compete, figure, machineLine, setting, table } from './lib/measure.ts';
import { type RunningServer, startService } from './lib/servers.ts';

const vertices = setting('vertices', 70_000);
const rounds = setting('rounds', 3);
const json = { 'content-type': 'application/json' };
const limits = { 'Security:SensitiveRateLimitPermitPerWindow': 1_000_000 };
const nodeSettings = [
  '--Service:Log:Level=error',
  ...Object.entries(limits).map(([key, value]) => `--Service:${key}=${value}`),
];

type Start = () => Promise<RunningServer>;

/** The edge runtime closes connections that were idle: what was sent on one is sent again. */
async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    if (code === undefined || !['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(code)) throw error;
    return fetch(url, init);
  }
}

async function ask(server: RunningServer, method: string, path: string, body?: BodyInit): Promise<unknown> {
  const headers = path === '/bulk/import' ? { 'content-type': 'application/x-ndjson' } : json;
  const init = body === undefined ? { method } : { method, headers, body };
  const answer = await send(`http://127.0.0.1:${server.port}${path}`, init);
  if (answer.status !== 200) throw new Error(`${method} ${path} answers ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** `count` requests by so many clients, each of which waits for its answer. */
function clients(many: number, count: number, request: () => Promise<unknown>): Promise<unknown> {
  let left = count;
  const client = async (): Promise<void> => {
    while (left-- > 0) await request();
  };
  return Promise.all(Array.from({ length: many }, client));
}

/** Lines of WordNet between its first vertices, in the bulk format. */
async function partOfWordnet(): Promise<{ text: string; lines: number; path: readonly [number, number] }> {
  const source = await openSource('wordnet');
  let rest = '';
  const kept: string[] = [];
  const ends: [number, number][] = [];
  let counts = { vertexCount: 0, edgeCount: 0 };
  for await (const block of source.blocks(() => {})) {
    const parts = (rest + Buffer.from(block).toString()).split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts) {
      const { type, id, source: from, target: to } = JSON.parse(line) as Record<string, number> & { type: string };
      const isIn =
        type === 'vertex' ? (id as number) < vertices : (from as number) < vertices && (to as number) < vertices;
      if (type === 'meta' || !isIn) continue;
      kept.push(line);
      if (type === 'edge') ends.push([from as number, to as number]);
      counts = { vertexCount: counts.vertexCount + Number(type === 'vertex'), edgeCount: ends.length };
    }
  }
  const meta = JSON.stringify({ type: 'meta', format: 'service-jsonl', version: 2, ...counts });
  const far = ends[ends.length >> 1] as [number, number];
  return {
    text: `${[meta, ...kept].join('\n')}\n`,
    lines: kept.length + 1,
    path: [far[0], (ends[0] as [number, number])[1]],
  };
}

/** Most bytes of memory that a process had; 0 where the system does not tell. */
function peakBytes({ process: { pid } }: RunningServer): number {
  const path = `/proc/${pid}/status`;
  return existsSync(path) ? 1024 * Number(/VmHWM:\s*(\d+)/.exec(readFileSync(path, 'utf8'))?.[1] ?? 0) : 0;
}

function gzippedBytes(): [name: string, bytes: number, gzipped: number][] {
  const folder = fileURLToPath(new URL('../edge', import.meta.url));
  return readdirSync(folder)
    .filter((name) => /\.(js|wasm)$/.test(name))
    .map((name) => {
      const bytes = readFileSync(`${folder}/${name}`);
      return [name, bytes.length, gzipSync(bytes, { level: 9 }).length];
    });
}

const binary = edgeBinary();
if (binary === null)
  console.log('There is no local runtime for this platform, or the objects are not built: Node runs alone.');
const starts: [name: string, start: Start][] = [['node', () => startService(nodeSettings)]];
if (binary !== null) starts.unshift(['edge', () => startEdge(binary, limits)]);

/** In turn, and the median of each with the ratio to Node. */
async function row(what: string, unit: string, run: (name: string) => Promise<number>, count = 1): Promise<string[]> {
  const results = await compete(
    starts.map(([name]) => ({ name, round: () => run(name) })),
    rounds,
  );
  const [first, second] = results.map(({ medianMs }) => medianMs / count);
  const ratio = second === undefined ? '' : figure((first as number) / second);
  const cells = [what, unit, ...[first, second].map((value) => (value === undefined ? '' : figure(value))), ratio];
  console.log(cells.join('  ')); // a run that is cut off has told something
  return cells;
}

console.log(machineLine());
const rows: string[][] = [['', 'unit', ...starts.map(([name]) => name), 'edge / node']];
const byName = new Map(starts);
rows.push(
  await row('first answer, cold', 'ms', async (name) => {
    const began = performance.now();
    const server = await (byName.get(name) as Start)();
    await ask(server, 'GET', '/vertex/count');
    const ms = performance.now() - began;
    await server.stop();
    return ms;
  }),
);
const servers = new Map<string, RunningServer>();
for (const [name, start] of starts) servers.set(name, await start());
const of = (name: string): RunningServer => servers.get(name) as RunningServer;
try {
  const body = JSON.stringify([{ label: 'person' }]);
  const put = (name: string) => () => ask(of(name), 'PUT', '/vertices?waitForCompletion=true', body);
  rows.push(await row('waited PUT, 1 client', 'ms', (name) => timed(() => clients(1, 100, put(name))), 100));
  rows.push(await row('waited PUT, 16 clients', 'ms a PUT', (name) => timed(() => clients(16, 800, put(name))), 800));
  const get = (name: string) => () => ask(of(name), 'GET', '/vertex/0');
  rows.push(await row('GET, 16 clients', 'ms a GET', (name) => timed(() => clients(16, 800, get(name))), 800));
  const { text, lines, path } = await partOfWordnet();
  rows.push(
    await row(`import, ${lines.toLocaleString('en')} lines`, 'ms', async (name) => {
      await send(`http://127.0.0.1:${of(name).port}/tabularasa`, { method: 'HEAD' });
      return timed(() => ask(of(name), 'POST', '/bulk/import', text));
    }),
  );
  const search = JSON.stringify({ searchTerm: 'anthropology', resultType: 'Vertices' });
  rows.push(
    await row('scan of all texts', 'ms', (name) =>
      timed(() => ask(of(name), 'POST', '/scan/graph/properties', search)),
    ),
  );
  const filter = { edgePropertyFilter: 'return t => t == "sense" || t == "hypernym";' };
  const wanted = JSON.stringify({ maxResults: 1, maxDepth: 8, filter });
  const [from, to] = path;
  rows.push(
    await row('path with a filter', 'ms', (name) =>
      timed(() => ask(of(name), 'POST', `/path/${from}/to/${to}`, wanted)),
    ),
  );
  console.log(`medians of ${rounds} rounds`);
  console.log(table(rows));
  for (const [name, server] of servers)
    console.log(`${name}: ${figure(peakBytes(server) / 2 ** 20)} MiB of memory at most`);
} finally {
  for (const server of servers.values()) await server.stop();
}
const files = gzippedBytes();
console.log(table([['file', 'bytes', 'gzipped'], ...files]));
console.log(`gzipped together: ${files.reduce((sum, [, , bytes]) => sum + bytes, 0).toLocaleString('en')} bytes`);
