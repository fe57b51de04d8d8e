// What watching costs: one service that records nothing, one that is scraped, one that exports over OTLP with a hundredth of its traces,
// and a second one that records nothing, which shows how much two equal ones differ. All under the same load in turn.
// `npm run bench -- observing [--rounds 9] [--seconds 1]`

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { requestText, runSockets, runWrk } from './lib/load.ts';
import { machineLine, median, setting, table, target } from './lib/measure.ts';
import { hasProgram, type RunningServer, startService } from './lib/servers.ts';

const runLoad = hasProgram('wrk') ? runWrk : runSockets;
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

/** Processor time of a process and its threads so far, in microseconds; none where the system does not tell. */
function processorUs({ server }: Watched): number {
  try {
    const text = readFileSync(`/proc/${server.process.pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * usPerTick;
  } catch {
    return Number.NaN;
  }
}

/** What `/proc` counts in: a hundredth of a second wherever Node runs on Linux. */
const usPerTick = 10_000;

/** Medians over rounds: rates, and what one request takes of the processor. The latter hardly moves with what else the machine does. */
async function costs(services: readonly Watched[], load: (typeof loads)[number], rounds: number, durationMs: number) {
  const { request, status: expectedStatus, connections } = load;
  const perSecond = services.map((): number[] => []);
  const perRequestUs = services.map((): number[] => []);
  for (let round = 0; round <= rounds; round++) {
    const order = [...services.entries()];
    for (const [index, service] of round % 2 === 0 ? order : order.reverse()) {
      const { port } = service.server;
      const before = processorUs(service);
      const result = await runLoad({ port, connections, durationMs, request, expectedStatus });
      if (result.wrongStatus > 0) throw new Error(`${result.wrongStatus} answers had another status than expected`);
      if (round === 0) continue;
      perSecond[index]?.push(result.perSecond);
      perRequestUs[index]?.push((processorUs(service) - before) / result.requests);
    }
  }
  return { perSecond: perSecond.map(median), perRequestUs: perRequestUs.map(median) };
}

async function main(): Promise<void> {
  const rounds = setting('rounds', 9);
  const durationMs = setting('seconds', 1) * 1000;
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
  console.log(`${machineLine()}; load by ${runLoad === runWrk ? 'wrk' : 'sockets of our own (wrk is not installed)'}`);
  for (const load of loads) {
    const { perSecond, perRequestUs } = await costs(services, load, rounds, durationMs);
    const rows = services.map(({ name }, i) => [`  ${name}`, ...ofFirst(perSecond, i), ...ofFirst(perRequestUs, i)]);
    console.log(table([[load.name, 'per second', 'of the first', 'processor us each', 'of the first'], ...rows]));
    for (const i of [1, 2]) {
      const [, rate = ''] = ofFirst(perSecond, i);
      console.log(target(`${services[i]?.name} against nothing recorded`, Number(rate), '>=', 0.97, '×'));
    }
  }
  console.log(`the collector received ${collector.received()} bytes`);
  for (const { server } of services) await server.stop();
  collector.stop();
}

function ofFirst(values: readonly number[], i: number): [string, string] {
  const [first = Number.NaN] = values;
  const value = values[i] ?? Number.NaN;
  return [value >= 1000 ? value.toFixed(0) : value.toFixed(2), (value / first).toFixed(3)];
}

await main();
