// Subgraphs: a friend of a friend with a label filter beside the same pattern written by hand over graphology, a pattern of variable length on
// a graph with hubs, and how fast a graph is copied. Our side is what a `PUT /subgraph` does: the filter is a C# fragment, compiled before the
// round as it is by the second request; matching is the job that the service runs, extraction what the writer does.
// `npm run bench -- subgraph [--rounds 3] [--only wordnet,rmat16,rmat14,extract]`
//
//   BENCH_DATA   folder of wordnet.d.gbin, rmat16.d.gbin and, where it is there, rmat14.d.gbin; without it random graphs of their sizes

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MultiDirectedGraph } from 'graphology';
import type { Core } from '../src/core/core.ts';
import { dropGraph, extractGraph } from '../src/core/extract.ts';
import { CoreReader } from '../src/core/reader.ts';
import type { PropertyText, WriteOperation } from '../src/core/requests.ts';
import { defaultSlices } from '../src/core/slices.ts';
import { TypeId } from '../src/core/values.ts';
import type { JobControl, JobModule } from '../src/engine/jobs/types.ts';
import { FragmentCompiler } from '../src/queries/fragments/compiler.ts';
import { compilersHere } from '../src/queries/fragments/compiler-here.ts';
import { planMatch } from '../src/queries/subgraphs/compile.ts';
import { type Matched, matchJob } from '../src/queries/subgraphs/match-job.ts';
import type { PatternBody } from '../src/queries/subgraphs/patterns.ts';
import { type Recipe, subgraphAlgorithm } from '../src/queries/subgraphs/recipe.ts';
import { silent } from '../src/telemetry/telemetry.ts';
import { type EdgeList, uniformGraph } from './lib/graphs.ts';
import { loadedAt, newCore } from './lib/load-core.ts';
import {
  type Contestant,
  compete,
  figure,
  machineLine,
  setting,
  table,
  target,
  timed,
  timedAsync,
} from './lib/measure.ts';

const rounds = setting('rounds', 3);
const data = process.env.BENCH_DATA;
const onlyAt = process.argv.indexOf('--only');
const only = onlyAt < 0 ? null : (process.argv[onlyAt + 1] ?? '').split(',');
const wanted = (name: string): boolean => only === null || only.includes(name);
const batchSize = 10_000;
const pause = async (): Promise<void> => {};

function edgesOf(name: string, vertexCount: number, degree: number): EdgeList {
  const file = data === undefined ? '' : join(data, `${name}.d.gbin`);
  if (!existsSync(file)) {
    console.log(`${name}: no file, so a random graph of ${vertexCount} vertices instead`);
    return uniformGraph(vertexCount, degree, 1);
  }
  const bytes = readFileSync(file);
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  const [, , vertices = 0, edges = 0] = words;
  return {
    vertexCount: vertices,
    source: words.subarray(4, 4 + edges),
    target: words.subarray(4 + edges, 4 + 2 * edges),
  };
}

type LabelOf = (id: number) => string;
type PropertiesOf = (id: number) => readonly PropertyText[];

function load(core: Core, list: EdgeList, labelOf: LabelOf, propertiesOf: PropertiesOf = () => []): number {
  const graph = core.createGraph();
  const common = { creationDate: loadedAt };
  const write = (count: number, make: (i: number) => WriteOperation): void => {
    for (let from = 0; from < count; from += batchSize) {
      const operations = Array.from({ length: Math.min(batchSize, count - from) }, (_, i) => make(from + i));
      if (!core.write(graph, operations, loadedAt * 1000).ok) throw new Error('The core refused a batch.');
    }
  };
  write(list.vertexCount, (id) => ({
    kind: 'createVertex',
    ...common,
    label: labelOf(id),
    properties: propertiesOf(id),
  }));
  write(list.source.length, (i) => ({
    ...{ kind: 'createEdge', ...common, label: null, edgeType: 'knows' },
    properties: propertiesOf(i),
    source: list.source[i] as number,
    target: list.target[i] as number,
  }));
  return graph;
}

// --- Our side ----------------------------------------------------------------------------------------------------------------

const compiler = new FragmentCompiler({
  ...{ telemetry: silent, artifact: 'subgraph' },
  ...{ compilers: compilersHere({ maxWaiting: 16, maxMs: 60_000 }), shared: true, emits: true },
  ...{ cache: { entries: 16, bytes: 2 ** 24, ageMs: 60_000 }, maxSeconds: 60, now: () => 0 },
});

function controlOf(modules: readonly JobModule[]): JobControl {
  return {
    gang: null,
    endsAtMs: Number.POSITIVE_INFINITY,
    slices: defaultSlices,
    slice: pause,
    stopReason: () => null,
    emit: pause,
    widen: pause,
    fitting: async (read) => read() as never,
    module: (key) => modules.find((module) => module.key === key)?.module as WebAssembly.Module,
  };
}

async function match(core: Core, graph: number, patterns: readonly PatternBody[]): Promise<Matched> {
  const recipe: Recipe = {
    ...{
      name: 'benchmark',
      fromSubGraph: null,
      algorithm: subgraphAlgorithm,
      semantic: null,
      additionalInformation: null,
    },
    template: { patterns },
  };
  const planned = await planMatch(recipe, compiler, {});
  if (!planned.ok) throw new Error(planned.detail);
  const limits = { maxFuel: 1e12, maxSeconds: 600 };
  const request = { graph, ...planned.plan, limits, matchLimits: { maxArcs: 1e10, maxBytes: 2 ** 28 } };
  const end = await matchJob.run(CoreReader.ofWriter(core), request, controlOf(planned.modules));
  if (end.ended !== 'value') throw new Error(end.ended);
  return end.value;
}

async function extract(core: Core, graph: number, bits: Uint8Array | null): Promise<void> {
  const ids = bits === null ? core.nextId(graph) : 8 * bits.length;
  const made = await extractGraph(core, graph, ids, bits, pause);
  if (!made.ok) throw new Error(`The core answered ${made.status}.`);
  dropGraph(core, made.graph);
}

// --- By hand -----------------------------------------------------------------------------------------------------------------

function peerOf(list: EdgeList, labelOf: LabelOf): MultiDirectedGraph {
  const graph = new MultiDirectedGraph();
  for (let id = 0; id < list.vertexCount; id++) graph.addNode(id, { label: labelOf(id) });
  for (let i = 0; i < list.source.length; i++)
    graph.addDirectedEdgeWithKey(i, list.source[i], list.target[i], { type: 'knows' });
  return graph;
}

interface Kept {
  readonly nodes: Set<string>;
  readonly edges: Set<string>;
}

/** As one writes it down: three nested loops, and whatever they meet is kept. */
function nestedLoops(graph: MultiDirectedGraph, label: string): Kept {
  const nodes = new Set<string>();
  const edges = new Set<string>();
  graph.forEachNode((first, { label: own }) => {
    if (own !== label) return;
    graph.forEachEdge(first, (edge, _, source, targetNode) => {
      const second = source === first ? targetNode : source;
      if (second === first || graph.getNodeAttribute(second, 'label') !== label) return;
      graph.forEachEdge(second, (other, __, from, to) => {
        const third = from === second ? to : from;
        if (third === first || third === second || graph.getNodeAttribute(third, 'label') !== label) return;
        nodes.add(first).add(second).add(third);
        edges.add(edge).add(other);
      });
    });
  });
  return { nodes, edges };
}

/** With a thought first: an edge between two of the label is kept when either end has another such neighbour. */
function firstWitness(graph: MultiDirectedGraph, label: string): Kept {
  const nodes = new Set<string>();
  const edges = new Set<string>();
  const hasOther = (node: string, not: string): string | undefined =>
    graph.findEdge(node, (_, __, from, to) => {
      const there = from === node ? to : from;
      return there !== not && there !== node && graph.getNodeAttribute(there, 'label') === label;
    });
  graph.forEachEdge((edge, _, source, targetNode, { label: a }, { label: b }) => {
    if (source === targetNode || a !== label || b !== label) return;
    if (hasOther(targetNode, source) === undefined && hasOther(source, targetNode) === undefined) return;
    edges.add(edge);
    nodes.add(source).add(targetNode);
  });
  return { nodes, edges };
}

function copyOf(graph: MultiDirectedGraph, { nodes, edges }: Kept): MultiDirectedGraph {
  const copy = new MultiDirectedGraph();
  for (const node of nodes) copy.addNode(node, { ...graph.getNodeAttributes(node) });
  for (const edge of edges) {
    copy.addDirectedEdgeWithKey(edge, graph.source(edge), graph.target(edge), { ...graph.getEdgeAttributes(edge) });
  }
  return copy;
}

// --- Rounds ------------------------------------------------------------------------------------------------------------------

async function friendOfFriend(
  name: string,
  list: EdgeList,
  label: string,
  labelOf: LabelOf,
  loops: boolean,
): Promise<void> {
  const core = newCore();
  const graph = load(core, list, labelOf);
  const peer = peerOf(list, labelOf);
  const person = { type: 'Vertex', vertexFilter: `return v => v.Label == "${label}";` };
  const patterns = [
    person,
    { type: 'Edge', direction: 'UndirectedEdge' },
    person,
    { type: 'Edge', direction: 'UndirectedEdge' },
    person,
  ];
  const expected = await match(core, graph, patterns);
  if (expected.ended !== 'matched') throw new Error(expected.ended);
  const check = ({ nodes, edges }: Kept): void => {
    if (nodes.size === expected.vertices && edges.size === expected.edges) return;
    throw new Error(`By hand ${nodes.size} and ${edges.size}, not ${expected.vertices} and ${expected.edges}.`);
  };
  const byHand = (find: (graph: MultiDirectedGraph, label: string) => Kept) => async (): Promise<number> => {
    let kept: Kept = { nodes: new Set(), edges: new Set() };
    const ms = timed(() => {
      kept = find(peer, label);
      copyOf(peer, kept);
    });
    check(kept);
    return ms;
  };
  const contestants: Contestant[] = [
    {
      name: 'arcwise, match and extraction',
      round: () =>
        timedAsync(async () => {
          const found = await match(core, graph, patterns);
          if (found.ended === 'matched') await extract(core, graph, found.bits);
        }),
    },
    { name: 'arcwise, match alone', round: () => timedAsync(async () => void (await match(core, graph, patterns))) },
    { name: 'graphology, first witness', round: byHand(firstWitness) },
  ];
  if (loops) contestants.push({ name: 'graphology, nested loops', round: byHand(nestedLoops) });
  const results = await compete(contestants, rounds);
  console.log(`\nFriend of a friend, ${name}: ${expected.vertices} vertices and ${expected.edges} edges kept`);
  const ours = results[0]?.medianMs ?? 0;
  console.log(
    table([['', 'ms', 'times ours'], ...results.map(({ name: who, medianMs }) => [who, medianMs, medianMs / ours])]),
  );
  for (const { name: who, medianMs } of results.slice(2)) {
    console.log(target(`${name}, against ${who}`, medianMs / ours, '>=', 10, '×'));
  }
  core.dispose();
}

async function variableLength(list: EdgeList): Promise<void> {
  const core = newCore();
  const graph = load(core, list, (id) => (id % 50 === 7 ? 'a' : id % 50 === 8 ? 'b' : 'c'));
  const ends = (label: string): PatternBody => ({ vertexFilter: `return v => v.Label == "${label}";` });
  const hops = (least: number, most: number, direction = 'OutgoingEdge'): PatternBody => ({
    ...{ type: 'VariableLengthEdge', direction },
    minLength: least,
    maxLength: most,
  });
  const cases: readonly (readonly [string, readonly PatternBody[]])[] = [
    ['any -1..6-> any', [{}, hops(1, 6), {}]],
    ['any -6..6-> any', [{}, hops(6, 6), {}]],
    ['a -1..6-> b', [ends('a'), hops(1, 6), ends('b')]],
    ['a -1..6- b', [ends('a'), hops(1, 6, 'UndirectedEdge'), ends('b')]],
    ['a -1..30- b', [ends('a'), hops(1, 30, 'UndirectedEdge'), ends('b')]],
  ];
  const rows: (string | number)[][] = [['pattern, a and b 2 % each', 's', 'vertices', 'edges', 'searches']];
  let slowest = 0;
  for (const [name, patterns] of cases) {
    let found: Matched | null = null;
    const ms = await timedAsync(async () => {
      found = await match(core, graph, patterns);
    });
    const matched = found as Matched | null;
    if (matched?.ended !== 'matched') throw new Error(`${name}: ${matched?.ended}`);
    slowest = Math.max(slowest, name.includes('30') ? 0 : ms / 1000);
    rows.push([name, ms / 1000, matched.vertices, matched.edges, matched.searches]);
  }
  console.log(`\nVariable length on ${list.vertexCount} vertices and ${list.source.length} edges with hubs`);
  console.log(table(rows));
  console.log(target('slowest pattern of up to six hops', slowest, '<=', 10, 's'));
  core.dispose();
}

async function extraction(): Promise<void> {
  const list = uniformGraph(200_000, 4, 1);
  const elements = list.vertexCount + list.source.length;
  const rows: (string | number)[][] = [['whole graph of 1 M elements', 'elements/s', 'bytes an element']];
  for (const properties of [0, 3]) {
    const core = newCore();
    const values = (id: number): PropertyText[] => [
      { key: 'name', type: TypeId.string, text: `person ${id}` },
      { key: 'age', type: TypeId.int32, text: `${id % 90}` },
      { key: 'weight', type: TypeId.double, text: `${id / 8}` },
    ];
    const graph = load(core, list, () => 'person', properties === 0 ? () => [] : values);
    const used = () => Object.values(core.memoryUse()).reduce((sum, bytes) => sum + bytes, 0) - core.memoryUse().pages;
    const before = used();
    const [result] = await compete([{ name: '', round: () => timedAsync(() => extract(core, graph, null)) }], rounds);
    const made = await extractGraph(core, graph, core.nextId(graph), null, pause);
    const bytes = made.ok ? (used() - before) / elements : Number.NaN;
    const perSecond = elements / ((result?.medianMs ?? 0) / 1000);
    rows.push([properties === 0 ? 'bare' : 'three properties each', perSecond, bytes]);
    if (properties === 3) console.log(target('extraction with properties', perSecond / 1e6, '>=', 1, 'M elements/s'));
    core.dispose();
  }
  console.log(table(rows));
}

console.log(machineLine());
if (wanted('wordnet')) {
  const synsets = 117_659;
  const list = edgesOf('wordnet', 264_965, 2);
  await friendOfFriend('WordNet', list, 'synset', (id) => (id < synsets ? 'synset' : 'word'), true);
}
// Nested loops take minutes over hubs.
if (wanted('rmat16')) {
  await friendOfFriend('RMAT 16', edgesOf('rmat16', 65_536, 14), 'a', (id) => (id % 3 === 0 ? 'a' : 'b'), false);
}
if (wanted('rmat14')) await variableLength(edgesOf('rmat14', 16_384, 14));
if (wanted('extract')) await extraction();
console.log(`Median of ${figure(rounds)} rounds.`);
