// Path search. BLS: all fewest-hop paths of random pairs on RMAT scale 18 (or a uniform graph), beside the same search in C++, without
// filters and with a label filter that is compiled from C#. DIJKSTRA: one pair and ten paths on a road-like grid of 1 M edges, with its cost
// read from a property by a compiled fragment, beside ngraph.path and graphology. `npm run bench -- paths [--pairs 40] [--grid 708]`
//
//   BENCH_DATA   folder with rmat18.d.gbin; without it a uniform random graph
//   g++          compiles the native peer; without it that peer is left out

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UndirectedGraph } from 'graphology';
import { bidirectional } from 'graphology-shortest-path/dijkstra.js';
import createGraph from 'ngraph.graph';
import path from 'ngraph.path';
import type { Core } from '../src/core/core.ts';
import { BoundFragmentModule } from '../src/core/fragments.ts';
import type { WriteOperation } from '../src/core/requests.ts';
import { TypeId } from '../src/core/values.ts';
import { bindFragment } from '../src/fragments/compile.ts';
import { emitFragment } from '../src/fragments/emit/emit.ts';
import type { DelegateKind } from '../src/fragments/tree.ts';
import { type EdgeList, Random, uniformGraph } from './lib/graphs.ts';
import { bareTransactions, loadedAt, newCore } from './lib/load-core.ts';
import { machineLine, median, setting, target, timed } from './lib/measure.ts';

const pairs = setting('pairs', 40);
const side = setting('grid', 708);
const pathLimit = 100;
const batchSize = 10_000;
const random = new Random(7);
const none = 0;
const off = { call: none, select: none };
/** A cost of nothing at all: the engine's own, which is 1 an edge and 0 a vertex. */
const maxWeight = Number.MAX_VALUE;

function graphOf(): { readonly name: string; readonly list: EdgeList } {
  const file = process.env.BENCH_DATA === undefined ? '' : join(process.env.BENCH_DATA, 'rmat18.d.gbin');
  if (!existsSync(file)) return { name: 'uniform 200 k × 15', list: uniformGraph(200_000, 15, 1) };
  const bytes = readFileSync(file);
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  const [, , vertexCount = 0, edgeCount = 0] = words;
  const source = words.subarray(4, 4 + edgeCount);
  return { name: 'RMAT 18', list: { vertexCount, source, target: words.subarray(4 + edgeCount, 4 + 2 * edgeCount) } };
}

/** Vertices with a label, then the edges. */
function fillLabelled(core: Core, graph: number, list: EdgeList): void {
  for (let from = 0; from < list.vertexCount; from += batchSize) {
    const count = Math.min(batchSize, list.vertexCount - from);
    const vertex: WriteOperation = { kind: 'createVertex', creationDate: loadedAt, label: 'person', properties: [] };
    const done = core.write(graph, new Array(count).fill(vertex), loadedAt * 1000);
    if (!done.ok) throw new Error(`status ${done.status}`);
  }
  let skip = Math.ceil(list.vertexCount / batchSize);
  for (const transaction of bareTransactions(list)) {
    if (skip-- > 0) continue;
    if (!core.applyBytes(graph, transaction, false).ok) throw new Error('The core refused a batch.');
  }
}

/** Indices of a compiled fragment in the core's table; `select`, for filters, takes blocks of ids. */
function installed(core: Core, graph: number, kind: DelegateKind, text: string): { call: number; select: number } {
  const bound = bindFragment(text, kind, { report: () => {} });
  const emitted = bound === null ? null : emitFragment(bound, true);
  if (emitted?.ok !== true) throw new Error(`${text} was not compiled.`);
  const fuel = new WebAssembly.Global({ value: 'i32', mutable: true }, 0);
  const refuel = (): void => {
    fuel.value = 2_000_000_000;
  };
  core.instance.exports.fragmentBegin(graph);
  const module = new WebAssembly.Module(emitted.fragment.bytes);
  const made = new BoundFragmentModule(core.instance, { module, ...emitted.fragment }, { fuel, refuel });
  if (!made.prepare()) throw new Error('No scratch.');
  const functions = made.select === null ? [made.call] : [made.call, made.select];
  const call = core.instance.functions.install(text, () => functions);
  return { call, select: made.select === null ? none : call + 1 };
}

function randomPairs(vertices: number, usable: (id: number) => boolean): [number, number][] {
  const list: [number, number][] = [];
  while (list.length < pairs) {
    const [from, to] = [random.below(vertices), random.below(vertices)];
    if (from !== to && usable(from) && usable(to)) list.push([from, to]);
  }
  return list;
}

/** Fastest of three, in microseconds. */
function fastest(work: () => void): number {
  return 1000 * Math.min(timed(work), timed(work), timed(work));
}

function pathsFound(core: Core): number {
  return core.instance.exports.pathsWritten();
}

/** Microseconds and paths of the native peer for each pair; null without a compiler. */
function native(list: EdgeList, chosen: readonly [number, number][]): [number, number][] | null {
  if (spawnSync('g++', ['--version']).status !== 0) return null;
  const folder = mkdtempSync(join(tmpdir(), 'arcwise-paths-'));
  try {
    const program = join(folder, 'bidirectional');
    const code = new URL('../../benchmarks/native/bidirectional.cc', import.meta.url).pathname;
    execFileSync('g++', ['-O3', '-march=native', '-std=c++17', code, '-o', program]);
    const words = new Uint32Array(4 + 2 * list.source.length + 2 * chosen.length);
    words.set([list.vertexCount, list.source.length, chosen.length, pathLimit]);
    words.set(list.source, 4);
    words.set(list.target, 4 + list.source.length);
    words.set(
      chosen.map(([from]) => from),
      4 + 2 * list.source.length,
    );
    words.set(
      chosen.map(([, to]) => to),
      4 + 2 * list.source.length + chosen.length,
    );
    writeFileSync(join(folder, 'graph'), words);
    const lines = execFileSync(program, [join(folder, 'graph')], { encoding: 'utf8' })
      .trim()
      .split('\n');
    return lines.map((line) => line.split(' ').map(Number) as [number, number]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

console.log(`${machineLine()}\n`);
fewestHops();
weighted();

function fewestHops(): void {
  const { name, list } = graphOf();
  const core = newCore();
  const graph = core.createGraph();
  fillLabelled(core, graph, list);
  const degree = new Uint32Array(list.vertexCount);
  for (const id of list.source) degree[id] = (degree[id] as number) + 1;
  for (const id of list.target) degree[id] = (degree[id] as number) + 1;
  const chosen = randomPairs(list.vertexCount, (id) => (degree[id] as number) > 0);
  const peer = native(list, chosen);
  const { exports } = core.instance;
  const filter = installed(core, graph, 'VertexFilter', 'return v => v.Label == "person";');
  const edges = installed(core, graph, 'EdgeFilter', 'return e => e.Label != "closed";');
  const ways: readonly (readonly [what: string, vertex: typeof filter, edge: typeof filter, blocks: boolean])[] = [
    ['arcwise, JSON written', off, off, false],
    ['with a label filter, in blocks', filter, off, true],
    ['with a label filter, one by one', filter, off, false],
    ['with an edge filter, in blocks', off, edges, true],
    ['with an edge filter, one by one', off, edges, false],
    ['with both, in blocks', filter, edges, true],
    ['with both, one by one', filter, edges, false],
  ];
  const times: number[][] = ways.map(() => []);
  for (const [index, [from, to]] of chosen.entries()) {
    let paths = -1;
    for (const [way, [what, vertex, edge, blocks]] of ways.entries()) {
      exports.pathFunctions(vertex.call, edge.call, none, none, none);
      if (blocks) exports.pathBlocks(vertex.select, edge.select);
      times[way]?.push(fastest(() => exports.pathFewestHops(graph, from, to, 65_535, pathLimit)));
      const found = pathsFound(core);
      if (paths >= 0 && found !== paths) throw new Error(`${what}: ${found} paths, not ${paths}`);
      paths = found;
    }
    if (peer !== null && peer[index]?.[1] !== paths)
      throw new Error(`${from} to ${to}: ${paths} paths, the peer has ${peer[index]?.[1]}`);
  }
  const [ours = [], filtered = []] = times;
  console.log(`BLS on ${name}, ${pairs} random pairs, at most ${pathLimit} paths each, median (mean) of microseconds`);
  const line = (what: string, values: readonly number[]): void =>
    console.log(`  ${what.padEnd(32)} ${median(values).toFixed(0)} (${mean(values).toFixed(0)})`);
  for (const [way, [what]] of ways.entries()) line(what, times[way] as number[]);
  if (peer === null) console.log('  no g++ here: the native peer is left out');
  else {
    const times = peer.map(([us]) => us);
    line('C++', times);
    console.log(target('BLS, speed beside C++ (ratio of means)', mean(times) / mean(ours), '>=', 0.5, '×'));
  }
  console.log(
    target('BLS with a label filter, beside without (ratio of means)', mean(filtered) / mean(ours), '<=', 2, '×'),
  );
  console.log();
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

interface Road {
  readonly vertexCount: number;
  readonly edges: readonly (readonly [from: number, to: number, weight: number])[];
}

/** A grid with a few missing streets and uneven lengths. */
function road(): Road {
  const edges: [number, number, number][] = [];
  const at = (x: number, y: number): number => y * side + x;
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const street = (to: number): void => {
        if (random.below(20) !== 0) edges.push([at(x, y), to, 1 + random.below(1000) / 10]);
      };
      if (x + 1 < side) street(at(x + 1, y));
      if (y + 1 < side) street(at(x, y + 1));
    }
  }
  return { vertexCount: side * side, edges };
}

function fillRoad(core: Core, graph: number, { vertexCount, edges }: Road): void {
  const write = (operations: WriteOperation[]): void => {
    const done = core.write(graph, operations, loadedAt * 1000);
    if (!done.ok) throw new Error(`status ${done.status}`);
  };
  for (let from = 0; from < vertexCount; from += batchSize) {
    const count = Math.min(batchSize, vertexCount - from);
    write(new Array(count).fill({ kind: 'createVertex', creationDate: loadedAt, label: null, properties: [] }));
  }
  for (let from = 0; from < edges.length; from += batchSize) {
    write(
      edges.slice(from, from + batchSize).map(([source, to, weight]) => ({
        kind: 'createEdge',
        creationDate: loadedAt,
        label: null,
        source,
        target: to,
        edgeType: 'street',
        properties: [{ key: 'weight', type: TypeId.double, text: `${weight}` }],
      })),
    );
  }
}

function weighted(): void {
  const graphRoad = road();
  const core = newCore();
  const graph = core.createGraph();
  fillRoad(core, graph, graphRoad);
  const { exports } = core.instance;
  const cost = installed(
    core,
    graph,
    'EdgeCost',
    'return e => e.TryGetProperty<double>(out var w, "weight") ? w : 1.0;',
  );
  exports.pathFunctions(none, none, none, none, cost.call);
  const other = createGraph<undefined, number>();
  const simple = new UndirectedGraph<object, { weight: number }>();
  for (let id = 0; id < graphRoad.vertexCount; id++) simple.addNode(id);
  for (const [from, to, weight] of graphRoad.edges) {
    other.addLink(from, to, weight);
    simple.addEdge(from, to, { weight });
  }
  const finder = path.nba(other, { distance: (_from, _to, link) => link.data as number });
  const plain = path.aStar(other, { distance: (_from, _to, link) => link.data as number });
  const chosen = randomPairs(graphRoad.vertexCount, () => true).slice(0, Math.max(5, Math.floor(pairs / 5)));
  const times: Record<'ours' | 'ten' | 'nba' | 'aStar' | 'graphology', number[]> = {
    ours: [],
    ten: [],
    nba: [],
    aStar: [],
    graphology: [],
  };
  for (const [from, to] of chosen) {
    times.ours.push(timed(() => exports.pathWeighted(graph, from, to, 65_535, 1, maxWeight)));
    const found = JSON.parse(new TextDecoder().decode(core.instance.takeOutput()))[0]?.totalWeight as number;
    let nodes: readonly { id: unknown }[] = [];
    times.nba.push(
      timed(() => {
        nodes = finder.find(from, to);
      }),
    );
    times.aStar.push(
      timed(() => {
        plain.find(from, to);
      }),
    );
    let route: string[] | null = null;
    times.graphology.push(
      timed(() => {
        route = bidirectional(simple, from, to, 'weight');
      }),
    );
    const weight = lengthOf(simple, (route ?? []).map(Number));
    const nbaWeight = lengthOf(simple, nodes.map(({ id }) => Number(id)).reverse());
    if (Math.abs(weight - found) > 1e-6 * found || nbaWeight < found - 1e-6 * found)
      throw new Error(`${from} to ${to}: ${found}, not ${weight}`);
    times.ten.push(timed(() => exports.pathWeighted(graph, from, to, 65_535, 10, maxWeight)));
  }
  console.log(
    `DIJKSTRA on a grid of ${graphRoad.vertexCount} vertices and ${graphRoad.edges.length} edges, ${chosen.length} pairs, median (mean) of milliseconds`,
  );
  for (const [what, values] of Object.entries(times)) {
    console.log(`  ${what.padEnd(32)} ${median(values).toFixed(1)} (${mean(values).toFixed(1)})`);
  }
  const best = Math.min(mean(times.nba), mean(times.aStar), mean(times.graphology));
  console.log(
    target('one path, beside the best JavaScript library (ratio of means)', best / mean(times.ours), '>=', 3, '×'),
  );
}

function lengthOf(graph: UndirectedGraph<object, { weight: number }>, nodes: readonly number[]): number {
  let sum = 0;
  for (let i = 1; i < nodes.length; i++) sum += graph.getEdgeAttribute(nodes[i - 1], nodes[i], 'weight');
  return sum;
}
