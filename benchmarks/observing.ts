// What watching costs: one service that records nothing, one that is scraped, one that exports over OTLP with a hundredth of its traces,
// and a second one that records nothing, which shows how much two equal ones differ. All under the same load, in turns of a few milliseconds.
// `npm run bench -- observing [--rounds 150]`

import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BlockLoad, requestText } from './lib/load.ts';
import { machineLine, median, percentile, setting, table, target } from './lib/measure.ts';
import { type RunningServer, startService } from './lib/servers.ts';

const requestsPerBlock = 320;
/** Rounds that do not count. */
const warmUp = 30;
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
  readonly name: string;
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

/** Medians over rounds; what is compared is compared with the first service in the same round. */
interface Cost {
  /** Of the processor, a request: what a rate is made of where the service has one to itself. */
  readonly processorUs: number;
  readonly processorRatio: number;
  /** The middle half of the rounds. */
  readonly quarters: readonly [number, number];
  readonly timeRatio: number;
}

/** Blocks of requests in turn: each round one for each service, so near in time that they meet the same machine. */
async function costs(services: readonly Watched[], load: (typeof loads)[number], rounds: number): Promise<Cost[]> {
  const { request, status: expectedStatus, connections } = load;
  const blocks = await Promise.all(
    services.map(({ server: { port } }) => BlockLoad.open({ port, request, expectedStatus }, connections)),
  );
  const times = services.map((): number[] => []);
  const used = services.map((): number[] => []);
  for (let round = -warmUp; round < rounds; round++) {
    const order = [...services.entries()];
    for (const [i, service] of round % 2 === 0 ? order : order.reverse()) {
      const before = processorUs(service);
      const ms = (await blocks[i]?.run(requestsPerBlock)) ?? Number.NaN;
      if (round < 0) continue;
      times[i]?.push(ms);
      used[i]?.push((processorUs(service) - before) / requestsPerBlock);
    }
  }
  for (const block of blocks) block.close();
  const ofFirst = (lists: readonly number[][], i: number): number[] =>
    (lists[i] ?? []).map((own, round) => own / (lists[0]?.[round] ?? Number.NaN));
  return services.map((_, i) => {
    const ratios = ofFirst(used, i);
    return {
      processorUs: median(used[i] ?? []),
      processorRatio: median(ratios),
      quarters: [percentile(ratios, 0.25), percentile(ratios, 0.75)],
      timeRatio: median(ofFirst(times, i)),
    };
  });
}

async function main(): Promise<void> {
  const rounds = setting('rounds', 150);
  const collector = await startCollector();
  const started = async (name: string, ...settings: string[]): Promise<Watched> => ({
    name,
    server: await startService(settings.map((text) => `--Service:Observability:${text}`)),
  });
  const services = [
    await started('nothing recorded'),
    await started('scraped', 'Prometheus:Enabled=true'),
    await started('exported, 1 % traced', `Otlp:Endpoint=${collector.url}`, 'TracingSamplingRatio=0.01'),
    await started('nothing recorded, again'),
  ];
  for (const { server } of services) {
    const answer = await fetch(`http://127.0.0.1:${server.port}/vertex?waitForCompletion=true`, {
      ...{ method: 'PUT', headers: { 'content-type': 'application/json' }, body: vertex },
    });
    if (answer.status !== 202) throw new Error(`The first vertex answered ${answer.status}`);
  }
  console.log(machineLine());
  for (const load of loads) {
    const measured = await costs(services, load, rounds);
    const rows = measured.map(({ processorUs, processorRatio, quarters, timeRatio }, i) => [
      `  ${services[i]?.name}`,
      processorUs.toFixed(1),
      ...[processorRatio, ...quarters, timeRatio].map((ratio) => ratio.toFixed(3)),
    ]);
    const head = [
      load.name,
      'processor us each',
      'of the first',
      'lower quarter',
      'upper quarter',
      'time of the first',
    ];
    console.log(table([head, ...rows]));
    for (const i of [1, 2]) {
      const ratio = measured[i]?.processorRatio ?? Number.NaN;
      console.log(target(`${services[i]?.name}: processor time against nothing recorded`, ratio, '<=', 1.03, '×'));
    }
  }
  console.log(`the collector received ${collector.received()} bytes`);
  for (const { server } of services) await server.stop();
  collector.stop();
}

await main();
