// What watching costs: one service that records nothing, one that is scraped, one that exports over OTLP with a hundredth of its traces,
// and a second one that records nothing. All under the same load, in turns of a few milliseconds. Two equal processes differ by several
// percent for as long as they live (where their memory lies, what was compiled when), more than what is looked for. So all four are
// started anew many times, what counts is the mean over these lives, and its standard error stands beside it. No service has two turns
// behind each other, which would find warm caches, and each life begins with another one of them.
// `npm run bench -- observing [--lives 16] [--rounds 100] [--turn 320]`

import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BlockLoad, requestText } from './lib/load.ts';
import { machineLine, setting, table, target } from './lib/measure.ts';
import { type RunningServer, startService } from './lib/servers.ts';

/** Of a turn. A short one also counts how each service finds the caches that another one left. */
const requestsPerBlock = setting('turn', 320);
/** Rounds that do not count: what runs for the first time, the first export among it, is done then. */
const warmUp = Math.ceil(48_000 / requestsPerBlock);
const vertex = JSON.stringify({ label: 'person', creationDate: 0 });
const loads = [
  { name: 'GET /vertex/{id}, 32 connections', request: requestText('GET', '/vertex/0'), status: 200, connections: 32 },
  {
    name: 'PUT /vertex waited, 64 clients',
    request: requestText('PUT', '/vertex?waitForCompletion=true', vertex),
    ...{ status: 202, connections: 64 },
  },
];

interface Watched {
  readonly server: RunningServer;
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

/** Processor time of a process, all threads there are, in microseconds; none where the system does not tell. */
function processorUs({ server }: Watched): number {
  const tasks = `/proc/${server.process.pid}/task`;
  try {
    const times = readdirSync(tasks).map((task) => readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]);
    return times.reduce((sum, nanoseconds) => sum + Number(nanoseconds) / 1000, 0);
  } catch {
    return Number.NaN;
  }
}

interface Cost {
  /** Microseconds of the processor that a request took, on all threads of the service: what watching costs the machine. */
  readonly processorUs: number;
  /** Microseconds until the next request of the load could be sent: what its rate is made of. */
  readonly timeUs: number;
}

/** What a request cost, for each service. */
async function costs(services: readonly Watched[], load: (typeof loads)[number], rounds: number): Promise<Cost[]> {
  const { request, status: expectedStatus, connections } = load;
  const blocks = await Promise.all(
    services.map(({ server: { port } }) => BlockLoad.open({ port, request, expectedStatus }, connections)),
  );
  const used = services.map(() => ({ processorUs: 0, timeUs: 0 }));
  for (let round = -warmUp; round < rounds; round++) {
    for (const [i, service] of services.entries()) {
      const before = processorUs(service);
      const began = performance.now();
      await blocks[i]?.run(requestsPerBlock);
      const timeUs = 1000 * (performance.now() - began);
      const own = used[i] as (typeof used)[number];
      if (round < 0) continue;
      own.processorUs += processorUs(service) - before;
      own.timeUs += timeUs;
    }
  }
  for (const block of blocks) block.close();
  const requests = requestsPerBlock * rounds;
  return used.map((own) => ({ processorUs: own.processorUs / requests, timeUs: own.timeUs / requests }));
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

/** One life of the four services, of which number `first` has the first turn: what a request cost by load and service. */
async function life(collector: string, rounds: number, first: number): Promise<Cost[][]> {
  const settings = [
    [],
    [],
    ['Prometheus:Enabled=true'],
    [`Otlp:Endpoint=${collector}`, 'TracingSamplingRatio=0.01'],
  ].map((texts) => ['--Service:Log:Level=error', ...texts.map((text) => `--Service:Observability:${text}`)]);
  const turned = settings.map((_, i) => settings[(first + i) % settings.length] as string[]);
  const services: Watched[] = [];
  for (const own of turned) services.push({ server: await startService(own) });
  for (const { server } of services) {
    const answer = await fetch(`http://127.0.0.1:${server.port}/vertex?waitForCompletion=true`, {
      ...{ method: 'PUT', headers: { 'content-type': 'application/json' }, body: vertex },
    });
    if (answer.status !== 202) throw new Error(`The first vertex answered ${answer.status}`);
  }
  const measured: Cost[][] = [];
  for (const load of loads) {
    const inTurns = await costs(services, load, rounds);
    measured.push(settings.map((_, i) => inTurns[(i - first + settings.length) % settings.length] as Cost));
  }
  for (const { server } of services) await server.stop();
  return measured;
}

const kinds = ['processorUs', 'timeUs'] as const;

/** By life: what service `i` cost, of the mean of those that record nothing. */
function ratios(ofLives: readonly Cost[][], i: number, kind: (typeof kinds)[number]): number[] {
  return ofLives.map((one) => (one[i] as Cost)[kind] / mean(one.slice(0, silent).map((cost) => cost[kind])));
}

const shown = (values: readonly number[]): string[] => [mean(values).toFixed(3), standardError(values).toFixed(3)];

async function main(): Promise<void> {
  const lives = setting('lives', 16);
  const rounds = setting('rounds', 100);
  const collector = await startCollector();
  const measured: Cost[][][] = [];
  for (let i = 0; i < lives; i++) measured.push(await life(collector.url, rounds, i % names.length));
  console.log(machineLine());
  for (const [l, load] of loads.entries()) {
    const ofLives = measured.map((one) => one[l] as Cost[]);
    const rows = names.map((name, i) => {
      const [processor, time] = kinds.map((kind) => ratios(ofLives, i, kind));
      const us = mean(ofLives.map((one) => (one[i] as Cost).processorUs));
      return [`  ${name}`, us.toFixed(1), ...shown(processor ?? []), ...shown(time ?? [])];
    });
    const head = [
      load.name,
      'processor us each',
      'of nothing recorded',
      'standard error',
      'time of nothing',
      'standard error',
    ];
    console.log(table([head, ...rows]));
    for (const i of names.keys()) {
      if (i < silent) continue;
      const ratio = mean(ratios(ofLives, i, 'timeUs'));
      console.log(target(`${names[i]}: rate against nothing recorded`, 1 / ratio, '>=', 0.97, '×'));
    }
  }
  console.log(`the collector received ${collector.received()} bytes`);
  collector.stop();
}

await main();
