// Analytics through the service: end to end over HTTP (projection, run, answer), cold and with the projection kept; the traversal
// benchmark and the generator; and what a running PageRank costs everybody else: the p99 of GET /vertex/{id} and the rate of durable
// writes, both beside the idle service in the same run. `npm run bench -- analytics-http [--scale 18] [--rounds 3] [--seconds 2]`
//
//   BENCH_DATA   folder of rmat<scale>.d.gbin; without it a random graph of the same size

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EdgeList, uniformGraph } from './lib/graphs.ts';
import { type LoadResult, requestText, runSockets, runWrk } from './lib/load.ts';
import { figure, machineLine, median, setting, table, target, timedAsync } from './lib/measure.ts';
import { hasProgram, type RunningServer, startService } from './lib/servers.ts';

const scale = setting('scale', 18);
const rounds = setting('rounds', 3);
const durationMs = setting('seconds', 2) * 1000;
const runLoad = hasProgram('wrk') ? runWrk : runSockets;
const encoder = new TextEncoder();

function graphOf(): EdgeList {
  const path = join(process.env.BENCH_DATA ?? '', `rmat${scale}.d.gbin`);
  if (process.env.BENCH_DATA === undefined || !existsSync(path)) {
    console.log(`${path} is not there: a random graph of the same size instead.`);
    return uniformGraph(2 ** scale, 16, 1);
  }
  const file = readFileSync(path);
  const [vertexCount = 0, edgeCount = 0] = [file.readUInt32LE(8), file.readUInt32LE(12)];
  const words = new Uint32Array(file.buffer, file.byteOffset + 16, 2 * edgeCount);
  return { vertexCount, source: words.subarray(0, edgeCount), target: words.subarray(edgeCount) };
}

/** Bare vertices and edges as lines, in blocks of about 1 MiB. */
function* linesOf({ vertexCount, source, target: targets }: EdgeList): Generator<Uint8Array> {
  const head = `"vertexCount":${vertexCount},"edgeCount":${source.length}`;
  let text = `{"type":"meta","format":"service-jsonl","version":2,${head}}\n`;
  for (let id = 0; id < vertexCount + source.length; id++) {
    const i = id - vertexCount;
    text +=
      i < 0
        ? `{"type":"vertex","id":${id},"creationDate":0}\n`
        : `{"type":"edge","id":${id},"edgePropertyId":"to","source":${source[i]},"target":${targets[i]},"creationDate":0}\n`;
    if (text.length < 2 ** 20) continue;
    yield encoder.encode(text);
    text = '';
  }
  yield encoder.encode(text);
}

async function load(server: RunningServer, list: EdgeList): Promise<void> {
  const lines = linesOf(list);
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { value, done } = lines.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  const init = { method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, body, duplex: 'half' };
  const answer = await fetch(`http://127.0.0.1:${server.port}/bulk/import`, init as RequestInit);
  if (answer.status !== 200) throw new Error(await answer.text());
}

async function run(server: RunningServer, name: string, body: object = {}): Promise<Record<string, unknown>> {
  const answer = await fetch(`http://127.0.0.1:${server.port}/analytics/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const result = (await answer.json()) as Record<string, unknown>;
  if (answer.status !== 200) throw new Error(JSON.stringify(result));
  return { ...result, bytes: Number(answer.headers.get('x-memory-bytes')) };
}

/** A write, so that the kept projection goes. */
async function touch(server: RunningServer): Promise<void> {
  await fetch(`http://127.0.0.1:${server.port}/graphelement/0/touched`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ propertyValue: `${performance.now()}`, fullQualifiedTypeName: 'System.String' }),
  });
}

const requests: readonly [name: string, body: object][] = [
  ['PAGERANK', { maxIterations: 20, epsilon: 1e-300 }],
  ['WCC', {}],
  ['LABELPROPAGATION', { maxIterations: 10 }],
  ['DEGREE', {}],
  ['TRIANGLECOUNT', {}],
  ['BFS', { parameters: { Source: 0 } }],
];

async function endToEnd(server: RunningServer): Promise<void> {
  const rows: (string | number)[][] = [['', 'cold ms', 'kept ms', 'MiB', 'rounds']];
  for (const [name, body] of requests) {
    const times: [cold: number[], kept: number[]] = [[], []];
    let result: Record<string, unknown> = {};
    for (let round = 0; round < rounds; round++) {
      await touch(server);
      for (const list of times) {
        list.push(
          await timedAsync(async () => {
            result = await run(server, name, body);
          }),
        );
      }
    }
    rows.push([
      name,
      median(times[0]),
      median(times[1]),
      (result.bytes as number) / 2 ** 20,
      result.iterationsRun as number,
    ]);
  }
  console.log(table(rows));
}

async function besideARun(server: RunningServer, vertices: number): Promise<void> {
  let isOver = false;
  const results: Record<'idle' | 'busy', Record<'read' | 'write', LoadResult[]>> = {
    idle: { read: [], write: [] },
    busy: { read: [], write: [] },
  };
  const plans = {
    read: { request: requestText('GET', `/vertex/${vertices >> 1}`), expectedStatus: 200, connections: 4 },
    write: {
      request: requestText('PUT', '/vertex?waitForCompletion=true', JSON.stringify({ label: 'new', creationDate: 0 })),
      expectedStatus: 200,
      connections: 16,
    },
  };
  for (let round = 0; round < rounds; round++) {
    for (const state of ['idle', 'busy'] as const) {
      isOver = state === 'idle';
      const running = isOver ? Promise.resolve() : runUntil(server, () => isOver);
      for (const what of ['read', 'write'] as const) {
        results[state][what].push(await runLoad({ ...plans[what], port: server.port, durationMs }));
      }
      isOver = true;
      await running;
    }
  }
  const p99 = (state: 'idle' | 'busy'): number => median(results[state].read.map(({ p99Us }) => p99Us));
  const rate = (state: 'idle' | 'busy'): number => median(results[state].write.map(({ perSecond }) => perSecond));
  console.log(
    table([
      ['', 'GET p50 µs', 'GET p99 µs', 'durable writes/s'],
      ...(['idle', 'busy'] as const).map((state) => [
        state === 'idle' ? 'idle' : 'PageRank running',
        median(results[state].read.map(({ p50Us }) => p50Us)),
        p99(state),
        rate(state),
      ]),
    ]),
  );
  console.log(target('p99 of reads beside PageRank', p99('busy') / p99('idle'), '<=', 3, '× idle'));
  console.log(target('durable writes beside PageRank', rate('busy') / rate('idle'), '>=', 0.7, '× idle'));
}

async function runUntil(server: RunningServer, isOver: () => boolean): Promise<void> {
  while (!isOver()) await run(server, 'PAGERANK', { maxIterations: 100, epsilon: 1e-300 });
}

async function traversal(): Promise<void> {
  for (const threads of [2, 3, 0]) {
    const server = await startService([
      `--Service:Jobs:Threads=${threads}`,
      '--Service:Durability:SaveOnShutdown=false',
    ]);
    const at = `http://127.0.0.1:${server.port}/ns/default`;
    const made = (await (await fetch(`${at}/generate?nodeCount=1000000&edgeCount=10`)).json()) as Record<
      string,
      number
    >;
    const swept = (await (await fetch(`${at}/benchmark?iterations=100`)).json()) as Record<string, number>;
    const on = threads === 0 ? 'all threads but one' : `${threads - 1} thread${threads === 2 ? '' : 's'}`;
    console.log(
      `generate 1 M × 10: ${figure((made.elapsedMilliseconds ?? 0) / 1000)} s; ` +
        target(`benchmark on ${on}`, (swept.medianTps ?? 0) / 1e6, '>=', threads === 2 ? 400 : 800, 'M edges/s'),
    );
    await server.stop();
  }
}

console.log(machineLine());
const list = graphOf();
const server = await startService([
  '--Service:Durability:SaveOnShutdown=false',
  '--Service:Analytics:ProjectionCacheMegabytes=1024',
]);
const loadMs = await timedAsync(() => load(server, list));
console.log(`${list.vertexCount} vertices, ${list.source.length} edges, imported in ${figure(loadMs / 1000)} s`);
await endToEnd(server);
await besideARun(server, list.vertexCount);
await server.stop();
await traversal();
