// Bulk import, durable import, export and recovery of 1 M vertices and 5 M edges with two properties each, beside what JavaScript
// does with the same bytes: JSON.parse of each line alone, and graphology building the same graph from parsed lines (a part of the
// file, --peer-lines; what is compared is lines a second). `npm run bench -- interchange [--vertices 1000000] [--degree 5]`

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as zlib from 'node:zlib';
import { MultiDirectedGraph } from 'graphology';
import { openNodeStorage } from '../runtime-node/storage/open-storage.ts';
import { Core } from '../src/core/core.ts';
import { beginExport, ExportSession, endExport, ImportSession } from '../src/core/interchange.ts';
import { MemoryPool } from '../src/core/memory-pool.ts';
import type { EngineOptions } from '../src/engine/engine-options.ts';
import type { NativeCrc32 } from '../src/engine/log/crc32.ts';
import { Namespaces } from '../src/engine/namespaces.ts';
import type { GraphEngine } from '../src/engine/types.ts';
import { jsonlBlocks, uniformGraph } from './lib/graphs.ts';
import { loadBinary } from './lib/load-core.ts';
import { machineLine, median, setting, table, target, timedAsync } from './lib/measure.ts';
import { scratchFolder } from './lib/servers.ts';

const vertices = setting('vertices', 1_000_000);
const degree = setting('degree', 5);
const rounds = setting('rounds', 3);
const peerLines = setting('peer-lines', 300_000);
const batchSize = 10_000;
const maxLineBytes = 1_048_576;
const binary = loadBinary();
const pool = new MemoryPool(binary);

const quiet = { info: () => {}, warn: console.warn, error: console.error };

function options(storage: Pick<EngineOptions, 'logs' | 'metadata'>): EngineOptions {
  return {
    ...storage,
    newCore: () => new Core(binary, pool, 2 ** 32),
    logger: quiet,
    clock: { nowMs: () => Date.now() },
    pause: () => setImmediate(),
    nativeCrc32: (zlib as unknown as { crc32: NativeCrc32 }).crc32,
    maxNamespaces: 10,
    loadOnStartupDefault: true,
    startupLoadMode: 'catalog',
  };
}

async function* chunks(blocks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const block of blocks) for (let at = 0; at < block.length; at += 65_536) yield block.subarray(at, at + 65_536);
}

function defaultGraph(engine: Namespaces): GraphEngine {
  const graph = engine.find('default')?.graph;
  if (graph === null || graph === undefined) throw new Error('The default namespace is not loaded');
  return graph;
}

/** Bytes in, graph out, nothing else: the core alone. */
async function importAlone(blocks: readonly Uint8Array[], lines: number): Promise<{ ms: number; exportMs: number }> {
  const core = new Core(binary, pool, 2 ** 32);
  const graph = core.createGraph();
  const started = performance.now();
  const session = new ImportSession(core, graph, batchSize, maxLineBytes);
  for (const block of blocks) {
    for (let at = 0; at < block.length; at += 262_144) {
      let step = session.feed(block.subarray(at, at + 262_144), 0);
      while (step === 'batch') {
        if (!session.apply().ok) throw new Error('A batch was refused');
        step = session.resume(0);
      }
      if (step === 'failed') throw new Error(JSON.stringify(session.failure()));
    }
  }
  let step = session.end(0);
  while (step === 'batch') {
    if (!session.apply().ok) throw new Error('A batch was refused');
    step = session.resume(0);
  }
  session.drop();
  const ms = performance.now() - started;
  if (core.vertexCount(graph) + core.edgeCount(graph) + 1 !== lines) throw new Error('The import is not complete');
  const exportMs = exportAll(core, graph, lines);
  core.dispose();
  return { ms, exportMs };
}

function exportAll(core: Core, graph: number, lines: number): number {
  const started = performance.now();
  const keep = beginExport(core.instance, graph);
  const names = { vertexLabel: null, edgeLabel: null, edgeType: null };
  const session = new ExportSession(core, graph, { ...keep, names });
  const check = session.check();
  let checked = check.next();
  while (!checked.done) checked = check.next();
  if (!checked.value.ok || checked.value.vertices + checked.value.edges + 1 !== lines)
    throw new Error('The check differs');
  let bytes = session.meta(checked.value.vertices, checked.value.edges, new Date(0)).length;
  for (let block = session.block(); block !== null; block = session.block()) bytes += block.length;
  endExport(core.instance, keep);
  if (bytes < lines * 50) throw new Error('The export is not complete');
  return performance.now() - started;
}

/** The engine's import into a log on disk, then a restart from that log. */
async function importDurable(blocks: readonly Uint8Array[]): Promise<{ ms: number; recoveryMs: number }> {
  const folder = scratchFolder('interchange');
  const places = { storageDirectory: folder, metadataDirectory: join(folder, 'metadata'), walPath: null };
  try {
    const storage = await openNodeStorage(places);
    const engine = new Namespaces(options(storage));
    await engine.start();
    const ms = await timedAsync(async () => {
      const result = await defaultGraph(engine).importLines(chunks(blocks), {
        batchSize,
        maxLineBytes,
        maxBodyBytes: null,
      });
      if (!result.ok || !result.durable) throw new Error(JSON.stringify(result));
    });
    await engine.close();
    await storage.release();
    const again = await openNodeStorage(places);
    const restarted = new Namespaces(options(again));
    const recoveryMs = await timedAsync(() => restarted.start());
    if (defaultGraph(restarted).vertexCount !== vertices) throw new Error('The recovery is not complete');
    await restarted.close();
    await again.release();
    return { ms, recoveryMs };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function importVolatile(blocks: readonly Uint8Array[]): Promise<number> {
  const engine = new Namespaces(options({ logs: null, metadata: null }));
  await engine.start();
  const ms = await timedAsync(async () => {
    const result = await defaultGraph(engine).importLines(chunks(blocks), {
      batchSize,
      maxLineBytes,
      maxBodyBytes: null,
    });
    if (!result.ok) throw new Error(JSON.stringify(result));
  });
  await engine.close();
  return ms;
}

interface Line {
  type: 'meta' | 'vertex' | 'edge';
  id: number;
  source: number;
  target: number;
  label?: string;
  properties: object;
}

/** JSON.parse of each line, and graphology fed with the results, as milliseconds for `lines` lines. */
function peers(blocks: readonly Uint8Array[], lines: number): { parseMs: number; buildMs: number } {
  const texts: string[] = [];
  const decoder = new TextDecoder();
  for (const block of blocks) {
    texts.push(...decoder.decode(block).trimEnd().split('\n'));
    if (texts.length >= lines) break;
  }
  texts.length = Math.min(texts.length, lines);
  const started = performance.now();
  let sum = 0;
  for (const text of texts) sum += (JSON.parse(text) as Line).id ?? 0;
  const parsed = performance.now();
  if (sum === 0) throw new Error('Nothing was parsed');
  const graph = new MultiDirectedGraph();
  for (const text of texts) {
    const line = JSON.parse(text) as Line;
    if (line.type === 'vertex') graph.addNode(line.id, { label: line.label, ...line.properties });
    else if (line.type === 'edge') graph.addDirectedEdgeWithKey(line.id, line.source, line.target, line.properties);
  }
  if (graph.order === 0) throw new Error('Nothing was built');
  return { parseMs: parsed - started, buildMs: performance.now() - parsed };
}

console.log(machineLine());
const list = uniformGraph(vertices, degree, 1);
const lines = 1 + vertices + list.source.length;
const blocks = jsonlBlocks(list, 2);
const megabytes = blocks.reduce((sum, block) => sum + block.length, 0) / 1e6;
console.log(`${lines.toLocaleString('en-US')} lines, ${megabytes.toFixed(0)} MB`);
// The peers get a small graph of the same kind whole, so that it has edges as well.
const small = uniformGraph(Math.floor(peerLines / (degree + 1)), degree, 1);
const smallBlocks = jsonlBlocks(small, 2);
const smallLines = 1 + small.vertexCount + small.source.length;
const times = {
  alone: [] as number[],
  volatile: [] as number[],
  durable: [] as number[],
  out: [] as number[],
  recovery: [] as number[],
};
const peerTimes = { parse: [] as number[], build: [] as number[] };
for (let round = 0; round <= rounds; round++) {
  const alone = await importAlone(blocks, lines);
  const volatileMs = await importVolatile(blocks);
  const durable = await importDurable(blocks);
  const peer = peers(smallBlocks, smallLines);
  if (round === 0) continue;
  times.alone.push(alone.ms);
  times.out.push(alone.exportMs);
  times.volatile.push(volatileMs);
  times.durable.push(durable.ms);
  times.recovery.push(durable.recoveryMs);
  peerTimes.parse.push(peer.parseMs);
  peerTimes.build.push(peer.buildMs);
}
const rate = (ms: readonly number[], count = lines): number => count / median(ms) / 1000;
console.log(
  table([
    ['', 'median ms', 'M lines/s'],
    ['import, the core alone', median(times.alone), rate(times.alone)],
    ['import, engine without a log', median(times.volatile), rate(times.volatile)],
    ['import, durable', median(times.durable), rate(times.durable)],
    ['export, check included', median(times.out), rate(times.out)],
    ['recovery from the log', median(times.recovery), rate(times.recovery)],
    [
      `JSON.parse of each line (${smallLines.toLocaleString('en-US')} lines)`,
      median(peerTimes.parse),
      rate(peerTimes.parse, smallLines),
    ],
    ['graphology, parsed lines to graph', median(peerTimes.build), rate(peerTimes.build, smallLines)],
  ]),
);
console.log(target('import, the core alone', rate(times.alone), '>=', 1, 'M lines/s'));
console.log(target('durable import against volatile', median(times.durable) / median(times.volatile), '<=', 1.5, '×'));
console.log(target('export', rate(times.out), '>=', 1.5, 'M lines/s'));
console.log(target('recovery', rate(times.recovery), '>=', 1.5, 'M elements/s'));
