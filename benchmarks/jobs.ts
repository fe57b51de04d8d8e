// What jobs on threads cost and what they are for. The round trip of an empty job beside that of a bare message between two threads; and
// the p99 of `GET /vertex/{id}` while scans over a whole graph run one after the other, on threads and (Jobs:Threads=-1) in turns on the
// main thread, beside the p99 of the same service without scans.
// `npm run bench -- jobs [--elements 1000000] [--seconds 4] [--rounds 3]`

import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { jobsOnThreads } from '../runtime-node/workers/job-threads.ts';
import { emptyJob } from '../src/engine/jobs/empty.ts';
import { requestText, runSockets, runWrk } from './lib/load.ts';
import { loadBinary, newCore } from './lib/load-core.ts';
import { compete, machineLine, median, setting, table, target } from './lib/measure.ts';
import { hasProgram, type RunningServer, startService } from './lib/servers.ts';

const trips = 2000;

async function roundTrips(): Promise<void> {
  const core = newCore();
  const jobs = jobsOnThreads({ binary: loadBinary(), threads: 1 });
  const space = jobs.open(core);
  const echo = new Worker(new URL(import.meta.url));
  let heard: () => void = () => {};
  echo.on('message', () => heard());
  const message = (): Promise<void> =>
    new Promise((resolve) => {
      heard = resolve;
      echo.postMessage({ kind: 'run', job: 1, name: 'empty', request: 1 });
    });
  const timeOf = async (trip: () => Promise<unknown>): Promise<number> => {
    const started = performance.now();
    for (let i = 0; i < trips; i++) await trip();
    return (performance.now() - started) / trips;
  };
  const results = await compete(
    [
      { name: 'empty job', round: () => timeOf(() => space.run(emptyJob, 1)) },
      { name: 'bare message and its echo', round: () => timeOf(message) },
    ],
    setting('rounds', 3) * 3,
  );
  const [ours, bare] = results.map(({ medianMs }) => medianMs * 1000) as [number, number];
  await echo.terminate();
  await space.close();
  await jobs.close();
  console.log(
    table([['round trip', 'µs'], ...results.map(({ name }, i): [string, number] => [name, [ours, bare][i] ?? 0])]),
  );
  console.log(target('an empty job against a bare message', ours / bare, '<=', 2, '×'));
}

const elements = setting('elements', 1_000_000);
const linesAtOnce = 20_000;

async function* graphLines(): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  yield encoder.encode(
    `{"type":"meta","format":"service-jsonl","version":2,"vertexCount":${elements},"edgeCount":0}\n`,
  );
  for (let from = 0; from < elements; from += linesAtOnce) {
    let text = '';
    for (let id = from; id < Math.min(elements, from + linesAtOnce); id++) {
      text += `{"type":"vertex","id":${id},"label":"person","creationDate":0,"properties":{"age":{"type":"Int32","value":"${id % 90}"},"name":{"type":"String","value":"person number ${id}"}}}\n`;
    }
    yield encoder.encode(text);
  }
}

async function filled(settings: readonly string[]): Promise<RunningServer> {
  const server = await startService(['--Service:Durability:Volatile=true', ...settings]);
  const answer = await fetch(`http://127.0.0.1:${server.port}/bulk/import`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: graphLines(),
    duplex: 'half',
  } as unknown as RequestInit);
  if (!answer.ok) throw new Error(await answer.text());
  return server;
}

interface ScanPlan {
  readonly path: string;
  readonly body: string;
}

const scans: Readonly<Record<string, ScanPlan>> = {
  'text scan': {
    path: '/scan/graph/properties',
    body: JSON.stringify({ searchTerm: 'person number 99x', resultType: 'Both' }),
  },
  'property scan': {
    path: '/scan/graph/property/age',
    body: JSON.stringify({ operator: 1, literal: { value: '88', fullQualifiedTypeName: 'System.Int32' } }),
  },
};

/** Sends a scan again and again until told to stop; answers the milliseconds each took. */
function scanning(port: number, { path, body }: ScanPlan): { stop(): Promise<number[]> } {
  let stopped = false;
  const times: number[] = [];
  const running = (async () => {
    while (!stopped) {
      const started = performance.now();
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`A scan was answered with ${answer.status}.`);
      times.push(performance.now() - started);
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      await running;
      return times;
    },
  };
}

interface Sample {
  readonly perSecond: number;
  readonly p50Us: number;
  readonly p99Us: number;
  readonly scanMs: number;
}

async function readsBesideScans(): Promise<void> {
  const runLoad = hasProgram('wrk') ? runWrk : runSockets;
  const durationMs = setting('seconds', 4) * 1000;
  const servers = [
    { name: 'threads', server: await filled([]) },
    { name: 'main thread', server: await filled(['--Service:Jobs:Threads=-1']) },
  ];
  const request = requestText('GET', '/vertex/4711');
  const load = (port: number) => runLoad({ port, connections: 1, durationMs, request, expectedStatus: 200 });
  const measured = new Map<string, Sample[]>();
  for (let round = 0; round < setting('rounds', 3); round++) {
    for (const { name, server } of servers) {
      const keep = (key: string, sample: Sample): unknown => measured.set(key, [...(measured.get(key) ?? []), sample]);
      keep('nothing', { ...(await load(server.port)), scanMs: Number.NaN });
      for (const [scan, plan] of Object.entries(scans)) {
        const beside = scanning(server.port, plan);
        const result = await load(server.port);
        keep(`${scan}, ${name}`, { ...result, scanMs: median(await beside.stop()) });
      }
    }
  }
  for (const { server } of servers) await server.stop();
  const medianOf = (key: string, member: keyof Sample): number =>
    median((measured.get(key) ?? []).map((sample) => sample[member]));
  const rows = [...measured.keys()].map((key): (string | number)[] => [
    key,
    medianOf(key, 'perSecond'),
    medianOf(key, 'p50Us'),
    medianOf(key, 'p99Us'),
    medianOf(key, 'scanMs'),
  ]);
  console.log(table([['GET /vertex/{id} beside', 'a second', 'p50 µs', 'p99 µs', 'scan ms'], ...rows]));
  const times = medianOf('text scan, threads', 'p99Us') / medianOf('nothing', 'p99Us');
  console.log(target('p99 beside text scans on threads against idle', times, '<=', 3, '×'));
}

if (isMainThread) {
  console.log(machineLine());
  await roundTrips();
  await readsBesideScans();
} else {
  parentPort?.on('message', (message) => parentPort?.postMessage(message));
}
