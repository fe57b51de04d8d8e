// A scrape of very many namespaces beside steady reads of one vertex: how long the scrape takes, and what the reads wait meanwhile. The
// namespaces are real ones of a service in memory, each written once, so that each has all its series.
// `npm run bench -- scrape [--namespaces 10000] [--rounds 5] [--rate 200]`

import { Agent, fetch } from 'undici';
import { figure, machineLine, median, percentile, setting, table, target } from './lib/measure.ts';
import { startService } from './lib/servers.ts';
import { steadyReads } from './lib/steady-reads.ts';

const namespaces = setting('namespaces', 10_000);
const rounds = setting('rounds', 5);
const perSecond = setting('rate', 200);
/** Requests at the same time while namespaces are made. */
const atOnce = 32;
/** Of one stretch of reads without a scrape. */
const quietMs = 3000;

const service = await startService([
  `--Service:Namespaces:MaxNamespaces=${namespaces}`,
  '--Service:Security:SensitiveRateLimitPermitPerWindow=1000000',
  '--Service:Observability:Prometheus:Enabled=true',
  '--Service:Durability:Volatile=true',
  '--Service:Log:Level=error',
]);
const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

async function call(method: string, path: string, body?: string): Promise<string> {
  const options = body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } };
  const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, { method, dispatcher, ...options });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.text();
}

async function fill(): Promise<void> {
  await call('PUT', '/vertex?waitForCompletion=true', '{"label":"dot"}');
  let next = 1;
  const work = async (): Promise<void> => {
    while (next < namespaces) {
      const name = `n${next++}`;
      await call('PUT', `/ns/${name}`);
      await call('PUT', `/ns/${name}/vertex?waitForCompletion=true`, '{"label":"dot"}');
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

/** Latencies of reads for so long. */
function reads(durationMs: number): Promise<readonly number[]> {
  return steadyReads({ port: service.port, path: '/vertex/0', perSecond, durationMs, patienceMs: durationMs + 60_000 });
}

try {
  console.log(machineLine());
  const began = performance.now();
  await fill();
  console.log(`${namespaces} namespaces were made in ${figure((performance.now() - began) / 1000)} s`);
  await call('GET', '/metrics');
  const beside: number[] = [];
  const alone: number[] = [];
  const tookMs: number[] = [];
  let bytes = 0;
  for (let round = 0; round < rounds; round++) {
    alone.push(...(await reads(quietMs)));
    const reading = reads(quietMs);
    const start = performance.now();
    bytes = (await call('GET', '/metrics')).length;
    tookMs.push(performance.now() - start);
    beside.push(...(await reading));
  }
  const row = (name: string, ms: readonly number[]): (string | number)[] => [
    name,
    percentile(ms, 0.5),
    percentile(ms, 0.99),
    Math.max(...ms),
  ];
  console.log(`a scrape of ${figure(bytes / 2 ** 20)} MiB takes ${figure(median(tookMs))} ms`);
  console.log(
    table([['GET /vertex/0, ms', 'p50', 'p99', 'worst'], row('alone', alone), row('beside a scrape', beside)]),
  );
  console.log(target('p99 of a read beside a scrape', percentile(beside, 0.99), '<=', 20, 'ms'));
} finally {
  await service.stop();
  await dispatcher.close();
}
