// Saving and loading a checkpoint of 5 M elements with two properties each: rates, file size against resident bytes, and what a save does
// to waited single writes (round by round with and without a save beside them, real files and syncs in the system's temporary
// directory or --directory), and the time from the start of the real service to its readiness. `npm run bench -- checkpoint [--vertices 1000000] [--degree 4] [--rounds 3] [--rates 0]`

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as zlib from 'node:zlib';
import { FileCheckpointStore } from '../runtime-node/storage/checkpoint-store.ts';
import { FileLogStore } from '../runtime-node/storage/file-store.ts';
import { ThreadScanner } from '../runtime-node/workers/checkpoint-scanner.ts';
import { jobsOnThreads } from '../runtime-node/workers/job-threads.ts';
import { LoadThreads } from '../runtime-node/workers/load-threads.ts';
import { Core } from '../src/core/core.ts';
import { ImportSession } from '../src/core/interchange.ts';
import { MemoryPool } from '../src/core/memory-pool.ts';
import { loadCheckpoint } from '../src/engine/checkpoint/load.ts';
import { deleteCheckpoint } from '../src/engine/checkpoint/manifest.ts';
import { saveCheckpoint } from '../src/engine/checkpoint/save.ts';
import { type PartitionScanner, slicingScanner } from '../src/engine/checkpoint/scan.ts';
import { Documents } from '../src/engine/documents.ts';
import { crc32With, type NativeCrc32 } from '../src/engine/log/crc32.ts';
import { openSegments } from '../src/engine/log/open-segments.ts';
import type { SegmentedLog } from '../src/engine/log/segments.ts';
import { jsonlBlocks, uniformGraph } from './lib/graphs.ts';
import { fill, loadBinary } from './lib/load-core.ts';
import { machineLine, median, percentile, setting, table, target } from './lib/measure.ts';
import { type RunningServer, startService, timeToReady } from './lib/servers.ts';

const vertices = setting('vertices', 1_000_000);
const degree = setting('degree', 4);
const rounds = setting('rounds', 3);
const clients = setting('clients', 16);
const elements = vertices * (1 + degree);
const at = process.argv.indexOf('--directory');
const directory = await mkdtemp(join(at < 0 ? tmpdir() : (process.argv[at + 1] as string), 'arcwise-bench-'));
const binary = loadBinary();
const pool = new MemoryPool(binary);
const crc32 = crc32With((zlib as unknown as { crc32?: NativeCrc32 }).crc32);
const store = new FileCheckpointStore({ directory });
const loadThreads = new LoadThreads(binary);
const jobs = jobsOnThreads({ binary, threads: 1 });
const threads = new ThreadScanner(jobs, directory);
const namespaceId = 'ns-20260101-000000-0001';
const loadedAt = 1_760_000_000_000;

interface Loaded {
  readonly core: Core;
  readonly graph: number;
}

function bare(): Loaded {
  const core = new Core(binary, pool, 2 ** 32);
  const graph = core.createGraph();
  fill(core, graph, uniformGraph(vertices, degree, 1));
  return { core, graph };
}

function withProperties(): Loaded {
  const core = new Core(binary, pool, 2 ** 32);
  const graph = core.createGraph();
  const session = new ImportSession(core, graph, 10_000, 1 << 20);
  for (const block of jsonlBlocks(uniformGraph(vertices, degree, 1), 2)) {
    for (let from = 0; from < block.length; from += 262_144) {
      let step = session.feed(block.subarray(from, from + 262_144), loadedAt);
      while (step === 'batch') {
        if (!session.apply().ok) throw new Error('A batch was refused');
        step = session.resume(loadedAt);
      }
    }
  }
  for (let step = session.end(loadedAt); step === 'batch'; step = session.resume(loadedAt)) session.apply();
  session.drop();
  return { core, graph };
}

async function openLog(): Promise<SegmentedLog> {
  const logs = new FileLogStore({ directory });
  const newEpoch = (): string => '1'.repeat(32);
  const options = { crc32, namespaceId, nowMs: 0, log: { crc32 }, newEpoch, anchor: null, restart: true };
  return (await openSegments(logs, 'bench.wal', options, () => {})).log;
}

async function save({ core, graph }: Loaded, name: string, scanner: PartitionScanner, log: SegmentedLog | null = null) {
  const started = performance.now();
  const documents = new Documents();
  const source = { core, graph, documents, namespaceId, log, scanner, crc32, pause: () => setImmediate() };
  const options = { store, name, partitions: 6, engineVersion: 'bench', nowMs: 0 };
  const info = await saveCheckpoint(source, options);
  return { info, ms: performance.now() - started };
}

/** Bytes the graph occupies: what the allocator has handed out for it, in blocks. */
function residentBytes({ core }: Loaded): number {
  const use = core.memoryUse();
  return use.elements + use.adjacency + use.properties + use.strings;
}

/** Milliseconds to load checkpoint `a` into a memory of its own. */
async function load(helpers: LoadThreads | null): Promise<number> {
  const core = new Core(binary, pool, 2 ** 32);
  const started = performance.now();
  const options = { crc32, pause: () => setImmediate(), namespaceId, helpers };
  const got = await loadCheckpoint(core, store, 'a', options);
  const ms = performance.now() - started;
  if (got.info.edgeCount !== vertices * degree) throw new Error('The checkpoint is not complete');
  core.dispose();
  return ms;
}

async function rates(what: string, loaded: Loaded): Promise<void> {
  const saves: number[] = [];
  const slices: number[] = [];
  const loads: number[] = [];
  const helped: number[] = [];
  let bytes = 0;
  await save(loaded, 'warm', threads);
  await deleteCheckpoint(store, 'warm');
  for (let round = 0; round < rounds; round++) {
    const beside = await save(loaded, 'a', threads);
    saves.push(beside.ms);
    bytes = beside.info.totalBytes;
    loads.push(await load(null));
    helped.push(await load(loadThreads));
    await deleteCheckpoint(store, 'a');
    slices.push((await save(loaded, 'b', slicingScanner)).ms);
    await deleteCheckpoint(store, 'b');
  }
  const rate = (ms: readonly number[]): number => elements / median(ms) / 1000;
  const resident = residentBytes(loaded);
  console.log(`\n${elements.toLocaleString('en')} elements ${what}, medians of ${rounds} rounds`);
  console.log(
    table([
      ['', 'ms', 'M elements/s'],
      ['save in a thread, synced', median(saves), rate(saves)],
      ['save in slices, synced', median(slices), rate(slices)],
      ['load (one thread, page cache)', median(loads), rate(loads)],
      ['load (two threads help)', median(helped), rate(helped)],
    ]),
  );
  console.log(
    `${(bytes / elements).toFixed(1)} bytes an element in files, ${(resident / elements).toFixed(1)} in memory`,
  );
  console.log(target('saves', rate(saves), '>=', 3, 'M elements/s'));
  console.log(target('loads with two threads', rate(helped), '>=', 5, 'M elements/s'));
  console.log(target('file size against resident bytes', bytes / resident, '<=', 0.6, ''));
}

/** Start of the real service on a checkpoint of `default`, and of the same with nothing in it. */
async function start({ core, graph }: Loaded): Promise<void> {
  const folder = await mkdtemp(join(directory, 'service-'));
  const quiet = ['--Service:Durability:SaveOnShutdown=false', '--Service:Log:Level=error'];
  const source = {
    core,
    graph,
    documents: new Documents(),
    namespaceId: 'default',
    log: null,
    scanner: slicingScanner,
    crc32,
    pause: () => setImmediate(),
  };
  const options = { store: new FileCheckpointStore({ directory: folder }), name: 'bench', partitions: 6 };
  await saveCheckpoint(source, { ...options, engineVersion: 'bench', nowMs: 0 });
  const service = await startService(quiet, folder);
  const headers = { 'content-type': 'application/json' };
  const loading = { method: 'PUT', headers, body: JSON.stringify({ saveGameLocation: join(folder, 'bench') }) };
  const answer = await fetch(`http://127.0.0.1:${service.port}/load`, loading);
  if (answer.status !== 204) throw new Error(`/load answers ${answer.status}: ${await answer.text()}`);
  await service.stop();
  const full: number[] = [];
  const empty: number[] = [];
  const isThere = async ({ port }: RunningServer): Promise<void> => {
    const count = await (await fetch(`http://127.0.0.1:${port}/vertex/count`)).json();
    if (count !== vertices) throw new Error(`The service started with ${count} vertices`);
  };
  for (let round = 0; round < rounds; round++) {
    full.push(await timeToReady(folder, quiet, isThere));
    const nothing = await mkdtemp(join(directory, 'empty-'));
    empty.push(await timeToReady(nothing, quiet));
  }
  console.log(
    `From process start to /readyz: ${median(full).toFixed(0)} ms with these ${elements.toLocaleString('en')} elements,` +
      ` ${median(empty).toFixed(0)} ms with none`,
  );
}

/** Waited single writes by `clients` callers until `done`; answers each one's milliseconds. */
async function waitedWrites({ core, graph }: Loaded, log: SegmentedLog, done: () => boolean): Promise<number[]> {
  const times: number[] = [];
  const client = async (number: number): Promise<void> => {
    for (let i = 0; !done(); i++) {
      const started = performance.now();
      const element = (i * 7919 + number * 104_729) % vertices;
      const operation = { kind: 'setProperty', element, key: 'age', type: 7, text: String(i % 100) } as const;
      const applied = core.write(graph, [operation], loadedAt + i);
      if (!applied.ok) throw new Error(`A write was refused: ${applied.status}`);
      await log.append(applied.bytes);
      times.push(performance.now() - started);
      await setImmediate();
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return times;
}

async function latency(loaded: Loaded): Promise<void> {
  const log = await openLog();
  const alone: number[] = [];
  const beside: number[] = [];
  const savesMs: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const end = performance.now() + 2000;
    const quiet = await waitedWrites(loaded, log, () => performance.now() > end);
    let done = false;
    const saving = save(loaded, `latency-${round}`, threads, log).finally(() => {
      done = true;
    });
    const busy = await waitedWrites(loaded, log, () => done);
    const { ms } = await saving;
    await deleteCheckpoint(store, `latency-${round}`);
    if (round === 0) continue;
    alone.push(...quiet);
    beside.push(...busy);
    savesMs.push(ms);
  }
  await log.close();
  const row = (name: string, times: number[]): (string | number)[] => [
    name,
    times.length,
    percentile(times, 0.5),
    percentile(times, 0.99),
    percentile(times, 1),
  ];
  console.log(
    `\nWaited single writes of ${clients} clients, ms; a save beside them takes ${median(savesMs).toFixed(0)} ms`,
  );
  console.log(table([['', 'writes', 'p50', 'p99', 'max'], row('alone', alone), row('beside a save', beside)]));
  console.log(target('saves beside writes', elements / 1000 / median(savesMs), '>=', 3, 'M elements/s'));
  const ratio = percentile(beside, 0.99) / percentile(alone, 0.99);
  console.log(target('p99 beside a save against alone', ratio, '<=', 2, 'x'));
}

try {
  console.log(machineLine());
  const measuresRates = setting('rates', 1) !== 0;
  if (measuresRates) {
    const plain = bare();
    await rates('without properties', plain);
    plain.core.dispose();
  }
  const rich = withProperties();
  if (measuresRates) await rates('with two properties each', rich);
  await start(rich);
  await latency(rich);
} finally {
  await jobs.close();
  await loadThreads.close();
  await rm(directory, { recursive: true, force: true });
}
