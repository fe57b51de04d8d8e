// The kernels beside the GAP benchmark suite, a plain C++ loop and graphology, on one graph in one run, the projection left out on all
// sides and printed for itself. `npm run bench -- analytics --graph rmat18 --threads 2 --rounds 5 --only pagerank,bfs`
//
// A kernel's time is that of its threads at work, from the first one's beginning, once all are awake, to the last one's end: GAP, too,
// finds its threads there. What waking them by messages and hearing back adds stands beside it. With several threads each kernel also runs
// on one of them, in turn with the others and on the same graph in memory.
//
//   BENCH_DATA            folder of <graph>.d.gbin, <graph>.u.gbin, <graph>.json; without it a random graph without GAP beside it
//   and where native peers are: lib/native-peers.ts

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  beginKernel,
  dropKernel,
  dropProjection,
  fillProjection,
  type Job,
  Kernel,
  type KernelOptions,
  type Projection,
  projectionSize,
  projectScope,
  runJob,
  runOutcome,
  type Scope,
  settleProjection,
  View,
} from '../src/core/analytics.ts';
import type { Core } from '../src/core/core.ts';
import type { WriteOperation } from '../src/core/requests.ts';
import { TypeId } from '../src/core/values.ts';
import { Gang, type GangTimes } from './lib/gang.ts';
import { graphologyRanks, graphologyStructure } from './lib/graphology.ts';
import { type EdgeList, uniformGraph } from './lib/graphs.ts';
import { fill, loadBinary, newCore } from './lib/load-core.ts';
import {
  type Contestant,
  compete,
  figure,
  machineLine,
  median,
  type Result,
  setting,
  table,
  target,
} from './lib/measure.ts';
import { NativePeers, ONE_THREAD } from './lib/native-peers.ts';

const data = process.env.BENCH_DATA;
const graphName = textSetting('graph', data === undefined ? 'random' : 'rmat16');
const threads = setting('threads', 1);
const rounds = setting('rounds', 5);
const only = textSetting('only', '');
/**
 * Runs in a row that one round is the median of, on all native sides alike: the first finds its caches full of what another one did,
 * and a single run of a millisecond says little. As many as make about `roundMs` of ours.
 */
let trials = 1;
const roundMs = 50;
const mostTrials = 25;
const native = new NativePeers(graphName, threads);
const trialsNow = (): number => trials;
/** `ids` or `degrees` instead of what the projection chooses by itself. */
const order = textSetting('order', '');

function textSetting(name: string, standard: string): string {
  const index = process.argv.indexOf(`--${name}`);
  return index < 0 ? standard : (process.argv[index + 1] ?? standard);
}

function wanted(name: string): boolean {
  return only === '' || only.split(',').includes(name);
}

/** Simple directed edges, or each undirected pair once. */
function edgesOf(kind: 'd' | 'u'): EdgeList {
  if (data === undefined) return uniformGraph(100_000, 10, 1);
  const bytes = readFileSync(join(data, `${graphName}.${kind}.gbin`));
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  const [, , vertexCount = 0, edgeCount = 0] = words;
  return {
    vertexCount,
    source: words.subarray(4, 4 + edgeCount),
    target: words.subarray(4 + edgeCount, 4 + 2 * edgeCount),
  };
}

// --- Our side ----------------------------------------------------------------------------------------------------------------

interface OurContestant extends Contestant {
  sum: number;
  /** By round: the time with waking the threads and hearing back. */
  readonly wallMs: number[];
  /** The same on one thread, where there are several. */
  readonly alone: OurContestant | null;
}

class Bench {
  readonly core: Core;
  readonly graph: number;
  private readonly gang: Gang | null;

  private constructor(core: Core, graph: number, gang: Gang | null) {
    this.core = core;
    this.graph = graph;
    this.gang = gang;
  }

  static async over(list: EdgeList, weights: Uint8Array | null = null): Promise<Bench> {
    const core = newCore();
    const graph = core.createGraph();
    if (weights === null) fill(core, graph, list);
    else fillWeighted(core, graph, list, weights);
    return new Bench(core, graph, threads > 1 ? await Gang.start(core, loadBinary(), threads) : null);
  }

  async run(job: Job, members = threads): Promise<GangTimes> {
    if (this.gang !== null) return this.gang.time(job, members);
    const started = performance.now();
    runJob(this.core.instance, job, 0, -1);
    const ms = performance.now() - started;
    return { kernelMs: ms, wallMs: ms };
  }

  /** A projection and the milliseconds it took. */
  async project(scope: Partial<Scope>): Promise<{ projection: Projection; ms: number }> {
    const { instance } = this.core;
    const started = performance.now();
    const whole: Scope = { label: null, edgeType: null, view: View.both, ...scope };
    const ordered: Scope = order === '' ? whole : { ...whole, order: order as 'ids' | 'degrees' };
    const projection = projectScope(instance, this.graph, ordered);
    if (projection === null) throw new Error('No memory for a projection');
    await this.run(projection);
    if (!fillProjection(instance, projection)) throw new Error('No memory for a projection');
    await this.run(projection);
    settleProjection(instance, projection);
    return { projection, ms: performance.now() - started };
  }

  drop(projection: Projection): void {
    dropProjection(this.core.instance, projection);
    this.core.instance.exports.retireAdvance();
  }

  contestant(
    projection: Projection,
    kernel: Kernel,
    options: Partial<KernelOptions> = {},
    members = threads,
  ): OurContestant {
    const { instance } = this.core;
    const contestant: OurContestant = {
      name: 'arcwise',
      sum: 0,
      wallMs: [],
      alone: members === 1 ? null : this.contestant(projection, kernel, options, 1),
      round: async (): Promise<number> => {
        const times: GangTimes[] = [];
        for (let trial = 0; trial < trials; trial++) {
          const job = beginKernel(instance, projection, kernel, { members, ...options });
          if (job === null) throw new Error('No memory for a kernel');
          times.push(await this.run(job, members));
          contestant.sum = runOutcome(instance, job).sum;
          dropKernel(instance, job);
        }
        contestant.wallMs.push(median(times.map(({ wallMs }) => wallMs)));
        return median(times.map(({ kernelMs }) => kernelMs));
      },
    };
    return contestant;
  }

  async stop(): Promise<void> {
    await this.gang?.stop();
    this.core.dispose();
  }
}

/** Vertices, and edges with a Double `weight` each, a few million at most: they are written like any others. */
function fillWeighted(core: Core, graph: number, { vertexCount, source, target }: EdgeList, weights: Uint8Array): void {
  fill(core, graph, { vertexCount, source: new Uint32Array(0), target: new Uint32Array(0) });
  for (let from = 0; from < source.length; from += 10_000) {
    const operations: WriteOperation[] = [];
    for (let i = from; i < Math.min(from + 10_000, source.length); i++) {
      operations.push({
        kind: 'createEdge',
        creationDate: 0,
        source: source[i] as number,
        target: target[i] as number,
        edgeType: 'knows',
        label: null,
        properties: [{ key: 'weight', type: TypeId.double, text: String(weights[i]) }],
      });
    }
    if (!core.write(graph, operations, 0).ok) throw new Error('The core refused a batch');
  }
}

/** The undirected pairs with their weights, 1 to 255. */
function weightedEdges(): { list: EdgeList; weights: Uint8Array } {
  const list = edgesOf('u');
  if (data === undefined) return { list, weights: new Uint8Array(list.source.length).fill(7) };
  const bytes = readFileSync(join(data, `${graphName}.u.wel`));
  const weights = new Uint8Array(list.source.length);
  const source = new Uint32Array(list.source.length);
  const target = new Uint32Array(list.source.length);
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let byte = bytes[at++] ?? 0; byte >= 48; byte = bytes[at++] ?? 0) value = 10 * value + byte - 48;
    return value;
  };
  for (let i = 0; i < weights.length; i++) {
    source[i] = number();
    target[i] = number();
    weights[i] = number();
  }
  return { list: { vertexCount: list.vertexCount, source, target }, weights };
}

// --- Beside graphology ------------------------------------------------------------------------------------------------------

async function besideGraphology(): Promise<void> {
  const list = edgesOf('d');
  const directed = await Bench.over(list);
  const { projection: pull } = await directed.project({ view: View.in, opposite: true });
  const rank = { maxIterations: 1000, epsilon: 1e-6, damping: 0.85 };
  const limit = graphName.startsWith('rmat') ? 1 / 30 : 1 / 7;
  await match('PageRank, 1e-6', directed.contestant(pull, Kernel.pageRank, rank), [graphologyRanks(list)], limit);
  directed.drop(pull);
  await directed.stop();
  const pairs = edgesOf('u');
  const peers = graphologyStructure(pairs);
  const bench = await Bench.over(pairs);
  const { projection } = await bench.project({ view: View.both });
  await match('components', bench.contestant(projection, Kernel.wcc), [peers.components], 1 / 100);
  const communities = bench.contestant(projection, Kernel.louvain, { damping: 1 });
  await match('Louvain', communities, [peers.louvain], 1 / 5);
  console.log(`modularity: ${communities.sum}, graphology at best ${peers.louvain.modularity}`);
  const above = 100 * (communities.sum - peers.louvain.modularity);
  verdicts.push(target('modularity above that of graphology', above, '>=', 0, 'hundredths'));
  const source = pairs.source[0] as number;
  await match('least weights', bench.contestant(projection, Kernel.sssp, { source }), [peers.sssp], 1 / 30);
  bench.drop(projection);
  await bench.stop();
}

// --- The run -----------------------------------------------------------------------------------------------------------------

const rows: (string | number)[][] = [
  ['', 'arcwise ms', 'with waking', 'peer', 'peer ms', 'ratio of medians', 'of best rounds'],
];
const verdicts: string[] = [];

function row(name: string, ms: number): void {
  rows.push([name, ms, Number.NaN, '–', Number.NaN, Number.NaN, Number.NaN]);
}

async function match(name: string, ours: OurContestant, peers: readonly Contestant[], limit: number): Promise<void> {
  trials = 1;
  const onceMs = await ours.round();
  trials = Math.min(mostTrials, Math.ceil(roundMs / onceMs));
  const { alone } = ours;
  const [own, ...others] = await compete(
    [ours, ...(alone === null ? [] : [{ ...alone, name: 'one thread' }]), ...peers],
    rounds,
  );
  if (own === undefined) return;
  const wallMs = median(ours.wallMs.slice(-own.rounds));
  if (others.length === 0) rows.push([name, own.medianMs, wallMs, '–', Number.NaN, Number.NaN, Number.NaN]);
  for (const [index, other] of others.entries()) {
    const ratio = own.medianMs / other.medianMs;
    rows.push([name, own.medianMs, wallMs, other.name, other.medianMs, ratio, own.minMs / other.minMs]);
    if (alone !== null && index === 0) {
      verdicts.push(target(`${name}, ${threads} threads against one`, gain(own, other), '>=', 0.85 * threads, '×'));
    } else if (other.name.endsWith(ONE_THREAD)) {
      const many = others[index - 1] as Result;
      verdicts.push(`        beside it ${many.name}, ${threads} threads against one: ${figure(gain(many, other))} ×`);
    } else {
      verdicts.push(target(`${name} against ${other.name}`, ratio, '<=', limit, '×'));
    }
  }
}

/** How many times as fast as one thread several are: the median of the rounds. */
function gain(many: Result, one: Result): number {
  return median(many.times.map((ms, round) => (one.times[round] as number) / ms));
}

async function directed(): Promise<void> {
  const list = edgesOf('d');
  const bench = await Bench.over(list);
  const times: number[] = [];
  for (let round = 0; round < 4; round++) {
    const { projection, ms } = await bench.project({ view: View.in, opposite: true });
    if (round > 0) times.push(ms);
    bench.drop(projection);
  }
  row(`projection of ${list.source.length.toLocaleString('en')} edges`, median(times));
  if (wanted('pagerank')) {
    const { projection } = await bench.project({ view: View.in, opposite: true });
    const options = { maxIterations: 20, epsilon: 0, damping: 0.85 };
    const peers = native.gap('pr_spmv', 'd', ['-i', '20', '-t', '0'], trialsNow);
    await match('PageRank, 20 rounds', bench.contestant(projection, Kernel.pageRank, options), peers, 1);
    bench.drop(projection);
  }
  await bench.stop();
}

async function undirected(): Promise<void> {
  const bench = await Bench.over(edgesOf('u'));
  if (['components', 'labels', 'bfs'].some(wanted)) {
    const { projection } = await bench.project({ view: View.both });
    await matchSymmetric(bench, projection);
    bench.drop(projection);
  }
  if (wanted('triangles')) {
    const { projection, ms } = await bench.project({ view: View.simple });
    row('projection, distinct neighbours', ms);
    const ours = bench.contestant(projection, Kernel.triangleCount);
    await match('triangles', ours, native.gap('tc', 'u', [], trialsNow), 0.6);
    console.log(`triangles: ${ours.sum}`);
    bench.drop(projection);
  }
  await bench.stop();
}

async function matchSymmetric(bench: Bench, projection: Projection): Promise<void> {
  console.log(projectionSize(bench.core.instance, projection));
  if (wanted('components')) {
    const ours = bench.contestant(projection, Kernel.wcc);
    await match('components', ours, native.gap('cc', 'u', [], trialsNow), 0.7);
    console.log(`components: ${ours.sum}`);
  }
  const source = data === undefined ? 0 : sourceVertex();
  if (wanted('bfs')) {
    const ours = bench.contestant(projection, Kernel.bfs, { source });
    await match('breadth-first levels', ours, native.gap('bfs', 'u', ['-r', String(source)], trialsNow), 1.1);
    console.log(`reached: ${ours.sum}`);
  }
  if (wanted('labels')) {
    const ours = bench.contestant(projection, Kernel.labelPropagation, { maxIterations: 20 });
    const loopMs = native.loopMs('labelprop-sync-20');
    const peers = Number.isNaN(loopMs) ? [] : [{ name: 'C++ loop', round: () => loopMs }];
    await match('label propagation, 20 rounds', ours, peers, 0.5);
  }
}

async function weighted(): Promise<void> {
  const { list, weights } = weightedEdges();
  const bench = await Bench.over(list, weights);
  const { projection, ms } = await bench.project({ view: View.both, weightKey: 'weight', paired: true });
  row('projection with weights', ms);
  const source = data === undefined ? 0 : sourceVertex();
  const ours = bench.contestant(projection, Kernel.sssp, { source, epsilon: setting('step', 0) });
  const peers = ['16', '32', '64'].flatMap((delta) =>
    native.gap('sssp', 'w', ['-r', String(source), '-d', delta], trialsNow).map((peer) => ({
      ...peer,
      name: peer.name.replace('sssp', `sssp, delta ${delta}`),
    })),
  );
  await match('least weights', ours, peers, 1.1);
  bench.drop(projection);
  await bench.stop();
}

function sourceVertex(): number {
  const manifest = JSON.parse(readFileSync(join(data ?? '.', `${graphName}.json`), 'utf8')) as { sources: number[] };
  return manifest.sources.at(-1) ?? 0;
}

console.log(`${machineLine()}, ${graphName}, ${threads} thread(s)`);
if (!native.hasGap) console.log('GAP is not there (GAPBS_SERIAL, GAPBS_OMP): nothing to compare with.');
if (['projection', 'pagerank'].some(wanted)) await directed();
if (['components', 'labels', 'bfs', 'triangles'].some(wanted)) await undirected();
if (wanted('sssp')) await weighted();
if (wanted('graphology') && (only !== '' || graphName !== 'rmat20')) await besideGraphology();
console.log(table(rows));
for (const verdict of verdicts) console.log(verdict);
