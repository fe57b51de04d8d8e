// Analytics through the service: end to end over HTTP (projection, run, answer), cold and with the projection kept; the traversal
// benchmark and the generator; and what a running PageRank costs everybody else: the p99 of GET /vertex/{id} and the rate of durable
// writes, both beside the idle service in the same run. `npm run bench -- analytics-http [--scale 18] [--rounds 3] [--windows 6]
// [--seconds 2] [--only ends|beside|sweep]`
//
//   BENCH_DATA   folder of rmat<scale>.d.gbin; without it a random graph of the same size

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EdgeList, uniformGraph } from './lib/graphs.ts';
import { importGraph } from './lib/imported.ts';
import { type LoadResult, requestText, runSockets, runWrk } from './lib/load.ts';
import { figure, machineLine, median, setting, table, target, timedAsync } from './lib/measure.ts';
import { NativeRead } from './lib/native-read.ts';
import { hasProgram, type RunningServer, startService } from './lib/servers.ts';

const scale = setting('scale', 18);
const rounds = setting('rounds', 3);
const durationMs = setting('seconds', 2) * 1000;
const windows = setting('windows', 6);
const runLoad = hasProgram('wrk') ? runWrk : runSockets;

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

async function run(
  server: RunningServer,
  name: string,
  body: object = {},
  signal: AbortSignal | null = null,
): Promise<Record<string, unknown>> {
  const answer = await fetch(`http://127.0.0.1:${server.port}/analytics/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
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

/** PageRank, one run after the other, until `stop`; that answers what each run took and how many rounds it made. */
function runsOf(server: RunningServer): { stop(): Promise<readonly number[]> } {
  const times: number[] = [];
  const giveUp = new AbortController();
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      const started = performance.now();
      await run(server, 'PAGERANK', { maxIterations: 100, epsilon: 1e-300 }, giveUp.signal);
      times.push(performance.now() - started);
    }
  })().catch((error) => {
    if (!giveUp.signal.aborted) throw error;
  });
  return {
    stop: async () => {
      isOver = true;
      giveUp.abort();
      await running;
      return times;
    },
  };
}

const states = ['idle', 'busy'] as const;
type State = (typeof states)[number];

/**
 * A load for a few seconds without and with PageRank beside it, in turn; the medians over windows. So a machine that others slow down
 * for a while slows down both alike.
 */
async function besideARun(server: RunningServer, vertices: number): Promise<void> {
  const results = {
    read: { idle: [] as LoadResult[], busy: [] as LoadResult[] },
    write: { idle: [] as LoadResult[], busy: [] as LoadResult[] },
  };
  const plans = {
    read: { request: requestText('GET', `/vertex/${vertices >> 1}`), expectedStatus: 200, connections: 4 },
    write: {
      request: requestText('PUT', '/vertex?waitForCompletion=true', JSON.stringify({ label: 'new', creationDate: 0 })),
      expectedStatus: 200,
      connections: 16,
    },
  };
  const runMs: number[] = [];
  for (const what of ['read', 'write'] as const) {
    for (let window = 0; window <= windows; window++) {
      for (const state of states) {
        const running = state === 'busy' ? runsOf(server) : null;
        // Into the kernel: what a run begins with is over soon.
        if (running !== null) await sleep(200);
        const result = await runLoad({ ...plans[what], port: server.port, durationMs });
        if (running !== null) runMs.push(...(await running.stop()));
        // The first window warms up.
        if (window > 0) results[what][state].push(result);
      }
    }
  }
  const of = (what: 'read' | 'write', state: State, member: 'p50Us' | 'p99Us' | 'perSecond'): number =>
    median(results[what][state].map((result) => result[member]));
  console.log(
    table([
      ['', 'GET p50 µs', 'GET p99 µs', 'GET/s', 'durable writes/s', 'write p99 µs'],
      ...states.map((state) => [
        state === 'idle' ? 'idle' : 'PageRank running',
        of('read', state, 'p50Us'),
        of('read', state, 'p99Us'),
        of('read', state, 'perSecond'),
        of('write', state, 'perSecond'),
        of('write', state, 'p99Us'),
      ]),
    ]),
  );
  console.log(`${runMs.length} runs to their end, median ${figure(median(runMs))} ms`);
  const spread = (what: 'read' | 'write', member: 'p99Us' | 'perSecond'): string =>
    states.map((state) => results[what][state].map((result) => figure(result[member])).join(' ')).join(' | ');
  console.log(
    `p99 of the windows: ${spread('read', 'p99Us')}\nwrites/s of the windows: ${spread('write', 'perSecond')}`,
  );
  console.log(
    target(
      'p99 of reads beside PageRank',
      of('read', 'busy', 'p99Us') / of('read', 'idle', 'p99Us'),
      '<=',
      3,
      '× idle',
    ),
  );
  console.log(
    target(
      'durable writes beside PageRank',
      of('write', 'busy', 'perSecond') / of('write', 'idle', 'perSecond'),
      '>=',
      0.7,
      '× idle',
    ),
  );
}

/** Bytes of the pairs that a sweep over 1 M × 10 reads. */
const pairBytes = 8 * 10_000_000;

/** The traversal benchmark, and beside it how fast a native program reads as many bytes: what the sweep is bound by at last. */
async function traversal(): Promise<void> {
  const native = NativeRead.start(2 ** 28);
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
    const readMs: number[] = [];
    for (let pass = 0; native !== null && pass < 9; pass++) readMs.push(await native.pass(Math.max(1, threads - 1)));
    const on = threads === 0 ? 'all threads but one' : `${threads - 1} thread${threads === 2 ? '' : 's'}`;
    console.log(
      `generate 1 M × 10: ${figure((made.elapsedMilliseconds ?? 0) / 1000)} s; ` +
        target(`benchmark on ${on}`, (swept.medianTps ?? 0) / 1e6, '>=', threads === 2 ? 400 : 800, 'M edges/s'),
    );
    if (native !== null && threads > 0) {
      const sweepsPerSecond = 2 ** 28 / pairBytes / (median(readMs) / 1000);
      const share = (swept.medianTps ?? 0) / 1e7 / sweepsPerSecond;
      console.log(
        `        a native program reads the pairs ${figure(sweepsPerSecond)} times a second: share ${figure(share)}`,
      );
    }
    await server.stop();
  }
  native?.end();
}

console.log(machineLine());
const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : null;
if (only !== 'sweep') {
  const list = graphOf();
  const server = await startService([
    '--Service:Durability:SaveOnShutdown=false',
    '--Service:Analytics:ProjectionCacheMegabytes=1024',
  ]);
  const loadMs = await timedAsync(() => importGraph(server, list));
  console.log(`${list.vertexCount} vertices, ${list.source.length} edges, imported in ${figure(loadMs / 1000)} s`);
  if (only === null || only === 'ends') await endToEnd(server);
  if (only === null || only === 'beside') await besideARun(server, list.vertexCount);
  await server.stop();
}
if (only === null || only === 'sweep') await traversal();
