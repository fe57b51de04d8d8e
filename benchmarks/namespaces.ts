// Many namespaces in one real service: what saving all of them takes, and what each costs in memory, at a start and at a stop. First
// 100 namespaces of 10,000 elements, then 1,000 of ten vertices, round by round over the same data.
// `npm run bench -- namespaces [--large 100] [--elements 10000] [--small 1000] [--rounds 3]`

import { readFileSync, rmSync } from 'node:fs';
import { Agent, fetch } from 'undici';
import { machineLine, median, setting, table } from './lib/measure.ts';
import { type RunningServer, scratchFolder, startService } from './lib/servers.ts';

const rounds = setting('rounds', 3);
const limits = [
  '--Service:Namespaces:MaxNamespaces=10000',
  '--Service:Security:SensitiveRateLimitPermitPerWindow=1000000',
  '--Service:Log:Level=error',
];
const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
/** Requests at the same time while namespaces are made. */
const atOnce = 16;

async function call(server: RunningServer, method: string, path: string, body?: string, type = 'application/json') {
  const options = body === undefined ? {} : { body, headers: { 'content-type': type } };
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { method, dispatcher, ...options });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.text();
}

/** Resident bytes of the service's process (Linux). */
function residentBytes({ process }: RunningServer): number {
  const status = readFileSync(`/proc/${process.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

/** As many vertices as edges, in a ring. */
function ring(elements: number): string {
  const count = elements / 2;
  const lines: string[] = [];
  for (let i = 0; i < count; i++) {
    const properties = `{"n":{"type":"Int32","value":"${i}"}}`;
    lines.push(`{"type":"vertex","id":${i},"label":"dot","creationDate":${i},"properties":${properties}}`);
  }
  for (let i = 0; i < count; i++) {
    const ends = `"source":${i},"target":${(i + 1) % count}`;
    lines.push(`{"type":"edge","id":${count + i},"edgePropertyId":"next",${ends},"creationDate":0}`);
  }
  return `${lines.join('\n')}\n`;
}

async function forEach(count: number, run: (name: string) => Promise<unknown>): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) await run(`n${next++}`);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

interface Figures {
  readonly saveMs: number[];
  readonly stopMs: number[];
  readonly startMs: number[];
  readonly startBytes: number[];
}

async function measure(what: string, count: number, fill: (server: RunningServer, name: string) => Promise<unknown>) {
  const folder = scratchFolder('arcwise');
  const figures: Figures = { saveMs: [], stopMs: [], startMs: [], startBytes: [] };
  let server = await startService(limits, folder);
  try {
    const emptyBytes = residentBytes(server);
    await forEach(count, (name) => call(server, 'PUT', `/ns/${name}`));
    await forEach(count, (name) => fill(server, name));
    const filledBytes = residentBytes(server);
    for (let round = 0; round < rounds; round++) {
      const savedAt = performance.now();
      await call(server, 'PUT', '/save/all');
      figures.saveMs.push(performance.now() - savedAt);
      // Something to save, or the stop has nothing to do.
      await forEach(count, (name) =>
        call(server, 'PUT', `/ns/${name}/vertices?waitForCompletion=true`, '[{"label":"x"}]'),
      );
      const stoppedAt = performance.now();
      await server.stop();
      figures.stopMs.push(performance.now() - stoppedAt);
      const startedAt = performance.now();
      server = await startService(limits, folder);
      await call(server, 'GET', '/readyz');
      figures.startMs.push(performance.now() - startedAt);
      figures.startBytes.push(residentBytes(server));
    }
    const stoppedAt = performance.now();
    await server.stop();
    const idleStopMs = performance.now() - stoppedAt;
    const each = (bytes: number): number => (bytes - emptyBytes) / count / 1024;
    console.log(`\n${what}, medians of ${rounds} rounds`);
    console.log(
      table([
        ['', 'all', 'each'],
        ['PUT /save/all, ms', median(figures.saveMs), median(figures.saveMs) / count],
        ['stop with a save of each, ms', median(figures.stopMs), median(figures.stopMs) / count],
        ['stop with nothing to save, ms', idleStopMs, idleStopMs / count],
        ['process start to /readyz, ms', median(figures.startMs), median(figures.startMs) / count],
        ['resident after writing, MiB and KiB', filledBytes / 2 ** 20, each(filledBytes)],
        ['resident after a start, MiB and KiB', median(figures.startBytes) / 2 ** 20, each(median(figures.startBytes))],
      ]),
    );
  } finally {
    server.process.kill('SIGKILL'); // it has ended already, unless something failed
    rmSync(folder, { recursive: true, force: true });
  }
}

console.log(machineLine());
const large = setting('large', 100);
const elements = setting('elements', 10_000);
const small = setting('small', 1000);
const file = ring(elements);
if (large > 0) {
  await measure(`${large} namespaces of ${elements.toLocaleString('en')} elements`, large, (server, name) =>
    call(server, 'POST', `/ns/${name}/bulk/import`, file, 'application/x-ndjson'),
  );
}
if (small > 0) {
  const ten = JSON.stringify(Array.from({ length: 10 }, () => ({ label: 'dot' })));
  await measure(`${small.toLocaleString('en')} namespaces of ten vertices`, small, (server, name) =>
    call(server, 'PUT', `/ns/${name}/vertices?waitForCompletion=true`, ten),
  );
}
await dispatcher.close();
