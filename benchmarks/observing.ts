// What watching costs: one service that records nothing, one that is scraped, one that exports over OTLP with a hundredth of its traces,
// and a second one that records nothing. All under the same load, in turns of some milliseconds. No service has two turns behind each
// other, which would find warm caches, and each life begins with another one of them.
//
// Two equal processes differ by several percent for as long as they live (where their memory lies, what was compiled when), more than what
// is looked for. So all four are in one process, where they share compiled code and memory; it is started anew several times, and the mean
// over these lives counts, with its standard error. `--apart` gives each service a process of its own: errors are twice as large then.
//
// A service answers on one thread: how much of a processor that thread takes for a request is what its rate is made of once there are
// enough clients, and what the first targets are about. The time of a turn stands beside it. It has the load's own work in it, and on a machine
// of two processors the load shares one with the thread that exports and with the collector.
//
// `npm run bench -- observing [--lives 8] [--rounds 50] [--turn 640] [--apart]`

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type RunningService, startService as startHere } from '../runtime-node/service.ts';
import { settingsOf } from '../src/settings-of.ts';
import { BlockLoad, requestText, vertex } from './lib/load.ts';
import { machineLine, setting, table, target } from './lib/measure.ts';
import { type RunningServer, scratchFolder, startService } from './lib/servers.ts';

/** Of a turn. A short one also counts how each service finds the caches that another one left. */
const requestsPerBlock = setting('turn', 640);
/** Rounds that do not count: what runs for the first time, the first export among it, is done then. */
const warmUp = Math.ceil(48_000 / requestsPerBlock);
/** Rounds before those in which every request is traced, where any is: by its hundredth part nothing would get compiled in this time. */
const tracedUp = Math.ceil(16_000 / requestsPerBlock);
const traced = ['traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'];

interface Load {
  readonly name: string;
  readonly request: (more?: readonly string[]) => string;
  readonly status: number;
  readonly connections: number;
}

const loads: readonly Load[] = [
  {
    name: 'GET /vertex/{id}, 32 connections',
    request: (more) => requestText('GET', '/vertex/0', undefined, more),
    ...{ status: 200, connections: 32 },
  },
  {
    name: 'PUT /vertex waited, 64 clients',
    request: (more) => requestText('PUT', '/vertex?waitForCompletion=true', vertex, more),
    ...{ status: 202, connections: 64 },
  },
];

const isApart = process.argv.includes('--apart');

interface Watched {
  readonly port: number;
  readonly pid: number;
}

interface Started {
  readonly services: readonly Watched[];
  readonly stop: () => Promise<void>;
}

/** Takes what comes and answers at once. */
function startCollector(): Promise<{ url: string; received: () => number; stop: () => void }> {
  let bytes = 0;
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    request.on('end', () => response.writeHead(200).end());
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      resolve({ url, received: () => bytes, stop: () => server.close() });
    });
  });
}

interface Cost {
  /** Microseconds of the processor that a request took on the thread that answers. */
  readonly threadUs: number;
  /** The same on all threads of the service: what watching costs the machine. */
  readonly processorUs: number;
  /** Microseconds until the next request of the load could be sent. */
  readonly timeUs: number;
}

/** What a process has used until now; NaN where the system does not tell. */
function used({ pid }: Watched): Cost {
  const tasks = `/proc/${pid}/task`;
  const usOf = (task: string): number =>
    Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]) / 1000;
  const timeUs = 1000 * performance.now();
  try {
    const processorUs = readdirSync(tasks).reduce((sum, task) => sum + usOf(task), 0);
    return { threadUs: usOf(String(pid)), processorUs, timeUs };
  } catch {
    return { threadUs: Number.NaN, processorUs: Number.NaN, timeUs };
  }
}

const kinds = ['threadUs', 'processorUs', 'timeUs'] as const;

/** Connections to each service. */
function open(services: readonly Watched[], load: Load, more?: readonly string[]): Promise<BlockLoad[]> {
  const request = load.request(more);
  return Promise.all(
    services.map(({ port }) => BlockLoad.open({ port, request, expectedStatus: load.status }, load.connections)),
  );
}

async function trace(services: readonly Watched[], load: Load): Promise<void> {
  const blocks = await open(services, load, traced);
  for (let round = 0; round < tracedUp; round++) for (const block of blocks) await block.run(requestsPerBlock);
  for (const block of blocks) block.close();
}

/** What a request cost, for each service. */
async function costs(services: readonly Watched[], load: Load, rounds: number): Promise<Cost[]> {
  await trace(services, load);
  const blocks = await open(services, load);
  const sums = services.map(() => ({ threadUs: 0, processorUs: 0, timeUs: 0 }));
  for (let round = -warmUp; round < rounds; round++) {
    for (const [i, service] of services.entries()) {
      const before = used(service);
      await blocks[i]?.run(requestsPerBlock);
      const after = used(service);
      const own = sums[i] as (typeof sums)[number];
      if (round < 0) continue;
      for (const kind of kinds) own[kind] += after[kind] - before[kind];
    }
  }
  for (const block of blocks) block.close();
  const requests = requestsPerBlock * rounds;
  return sums.map((own) => ({
    threadUs: own.threadUs / requests,
    processorUs: own.processorUs / requests,
    timeUs: own.timeUs / requests,
  }));
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function standardError(values: readonly number[]): number {
  const middle = mean(values);
  const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1) / values.length);
}

const names = ['nothing recorded', 'nothing recorded, again', 'scraped', 'exported, 1 % traced'] as const;
/** Of `names`: those that record nothing, whose mean is what the others are compared with. */
const silent = 2;

type Values = Readonly<Record<string, string | number | boolean>>;

async function startApart(settings: readonly Values[]): Promise<Started> {
  const servers: RunningServer[] = [];
  for (const values of settings) {
    const texts = Object.entries({ ...values, 'Log:Level': 'error' }).map(
      ([key, value]) => `--Service:${key}=${value}`,
    );
    servers.push(await startService(texts));
  }
  const stop = async (): Promise<void> => {
    for (const server of servers) await server.stop();
  };
  return { services: servers.map(({ port, process: { pid } }) => ({ port, pid: pid as number })), stop };
}

/** This file in another process, which serves. */
async function startTogether(settings: readonly Values[]): Promise<Started> {
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const;
  const args = [fileURLToPath(import.meta.url), 'serve', JSON.stringify(settings)];
  const child = spawn(process.execPath, args, { stdio: [...stdio] });
  const [ports] = (await once(child, 'message')) as [number[]];
  const stop = async (): Promise<void> => {
    child.send('stop');
    await once(child, 'exit');
  };
  return { services: ports.map((port) => ({ port, pid: child.pid as number })), stop };
}

async function serve(settings: readonly Values[]): Promise<void> {
  const silent = (): void => {};
  const folders = settings.map(() => scratchFolder('arcwise'));
  const running: RunningService[] = [];
  for (const [i, values] of settings.entries()) {
    const own = { ...values, 'Http:Port': 0, 'Durability:StorageDirectory': folders[i] as string };
    running.push(await startHere(settingsOf(own), { info: silent, warn: silent, error: console.error }));
  }
  process.once('message', async () => {
    for (const service of running) await service.stop();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    process.disconnect();
  });
  process.send?.(running.map(({ url }) => Number(new URL(url).port)));
}

/** One life of the four services, of which number `first` has the first turn: what a request cost by load and service. */
async function life(collector: string, rounds: number, first: number): Promise<Cost[][]> {
  const settings: Values[] = [
    {},
    {},
    { 'Observability:Prometheus:Enabled': true },
    { 'Observability:Otlp:Endpoint': collector, 'Observability:TracingSamplingRatio': 0.01 },
  ];
  const turned = settings.map((_, i) => settings[(first + i) % settings.length] as Values);
  const { services, stop } = await (isApart ? startApart(turned) : startTogether(turned));
  for (const { port } of services) {
    const answer = await fetch(`http://127.0.0.1:${port}/vertex?waitForCompletion=true`, {
      ...{ method: 'PUT', headers: { 'content-type': 'application/json' }, body: vertex },
    });
    if (answer.status !== 202) throw new Error(`The first vertex answered ${answer.status}`);
  }
  const measured: Cost[][] = [];
  for (const load of loads) {
    const inTurns = await costs(services, load, rounds);
    measured.push(settings.map((_, i) => inTurns[(i - first + settings.length) % settings.length] as Cost));
  }
  await stop();
  return measured;
}

/** By life: what service `i` cost, of the mean of those that record nothing, or of service `against`. */
function ratios(ofLives: readonly Cost[][], i: number, kind: (typeof kinds)[number], against?: number): number[] {
  return ofLives.map((one) => {
    const others = against === undefined ? one.slice(0, silent) : one.slice(against, against + 1);
    return (one[i] as Cost)[kind] / mean(others.map((cost) => cost[kind]));
  });
}

/** The cost of metrics, of tracing, and of both: of the rate each may take 3 %. */
const judged = [
  { what: 'metrics, scraped', of: 2, against: undefined },
  { what: 'tracing 1 %, exported against scraped', of: 3, against: 2 },
  { what: 'both, exported', of: 3, against: undefined },
] as const;

const shown = (values: readonly number[]): string[] => [mean(values).toFixed(3), standardError(values).toFixed(3)];

async function main(): Promise<void> {
  const lives = setting('lives', 8);
  const rounds = setting('rounds', 50);
  const collector = await startCollector();
  const measured: Cost[][][] = [];
  for (let i = 0; i < lives; i++) measured.push(await life(collector.url, rounds, i % names.length));
  console.log(machineLine());
  for (const [l, load] of loads.entries()) {
    const ofLives = measured.map((one) => one[l] as Cost[]);
    const rows = names.map((name, i) => {
      const us = mean(ofLives.map((one) => (one[i] as Cost).threadUs));
      return [`  ${name}`, us.toFixed(1), ...kinds.flatMap((kind) => shown(ratios(ofLives, i, kind)))];
    });
    const head = [
      load.name,
      'us of the thread',
      ...['thread', 'all threads', 'time'].flatMap((what) => [`${what}, of nothing`, 'error']),
    ];
    console.log(table([head, ...rows]));
    for (const { what, of, against } of judged) {
      for (const [kind, rate] of [
        ['threadUs', 'rate of the thread'],
        ['timeUs', 'rate of this load'],
      ] as const) {
        const lost = 100 * (1 - 1 / mean(ratios(ofLives, of, kind, against)));
        console.log(target(`${what}: taken of the ${rate}`, lost, '<=', 3, '%'));
      }
    }
  }
  console.log(`the collector received ${collector.received()} bytes`);
  collector.stop();
}

if (process.argv[2] === 'serve') await serve(JSON.parse(process.argv[3] as string));
else await main();
