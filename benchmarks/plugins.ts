// Plugins over 100 k vertices and 500 k edges: breadth-first search with a Queue and a Dictionary, the same with arrays, and Dijkstra with a
// PriorityQueue, compiled and interpreted, beside the same source on Mono, where that is installed, and the same in JavaScript over
// graphology. Then what registering, a first call and a search cost who asks a service. `npm run bench -- plugins [--vertices 100000]`

import { DirectedGraph } from 'graphology';
import { emitFragment } from '../src/fragments/emit/emit.ts';
import type { PluginInput, PluginResult } from '../src/fragments/engine-reader.ts';
import { createPlugin } from '../src/fragments/interpreter/index.ts';
import { bindPlugin } from '../src/fragments/plugins/compile.ts';
import { realFunctions } from '../src/queries/fragments/elements.ts';
import { EmittedPlugin, type PluginRun } from '../src/queries/plugins/emitted.ts';
import { EngineElements } from '../src/queries/plugins/engine-elements.ts';
import { WriterChannel } from '../src/queries/plugins/writer-channel.ts';
import { uniformGraph } from './lib/graphs.ts';
import { bareTransactions, newCore } from './lib/load-core.ts';
import { compete, machineLine, median, setting, table, target } from './lib/measure.ts';
import { MonoSearch } from './lib/mono-search.ts';
import { pluginServiceFigures } from './lib/plugin-service.ts';

const vertices = setting('vertices', 100_000);
const rounds = setting('rounds', 5);
const degree = 5;

const functionOf = (body: string): string => `using System;
using System.Collections.Generic;
using NoSQL.GraphDB.Core;
using NoSQL.GraphDB.Core.Model;
using NoSQL.GraphDB.Core.Plugin;
using NoSQL.GraphDB.Core.Plugins;
public class Search : IGraphFunction {
  IFallen8 graph;
  public string PluginName => "Search";
  public Type PluginCategory => typeof(IGraphFunction);
  public string Description => "d";
  public string Manufacturer => "m";
  public void Initialize(IFallen8 fallen8, IDictionary<string, object> parameter) { graph = fallen8; }
  public void Dispose() { }
  public bool TryInvoke(out GraphFunctionResult result, IDictionary<string, object> parameters) {
    result = null;
    if (!graph.TryGetVertex(out var start, 0)) return false;
    VertexModel last = start;
    ${body}
    result = GraphFunctionResult.FromElements(new List<VertexModel> { last }, null);
    return true;
  }
}`;

const edges = 'foreach (var group in vertex.OutEdges) foreach (var edge in group.Value)';
const sources = {
  'BFS, Queue and Dictionary': `
    var depth = new Dictionary<int, int> { [0] = 0 };
    var queue = new Queue<VertexModel>();
    queue.Enqueue(start);
    while (queue.Count > 0) {
      var vertex = queue.Dequeue();
      last = vertex;
      if (vertex.OutEdges == null) continue;
      ${edges} {
        var next = edge.TargetVertex;
        if (depth.ContainsKey(next.Id)) continue;
        depth[next.Id] = depth[vertex.Id] + 1;
        queue.Enqueue(next);
      }
    }`,
  'BFS, arrays': `
    var depth = new int[graph.VertexCount];
    var queue = new VertexModel[graph.VertexCount];
    Array.Fill(depth, -1);
    depth[0] = 0;
    queue[0] = start;
    var end = 1;
    for (var at = 0; at < end; at++) {
      var vertex = queue[at];
      last = vertex;
      if (vertex.OutEdges == null) continue;
      var next = depth[vertex.Id] + 1;
      ${edges} {
        var target = edge.TargetVertex;
        if (depth[target.Id] >= 0) continue;
        depth[target.Id] = next;
        queue[end++] = target;
      }
    }`,
  'Dijkstra, PriorityQueue': `
    var distance = new double[graph.VertexCount];
    Array.Fill(distance, double.MaxValue);
    distance[0] = 0;
    var queue = new PriorityQueue<VertexModel, double>();
    queue.Enqueue(start, 0);
    while (queue.TryDequeue(out var vertex, out var travelled)) {
      if (travelled > distance[vertex.Id]) continue;
      last = vertex;
      if (vertex.OutEdges == null) continue;
      ${edges} {
        var target = edge.TargetVertex;
        var total = travelled + edge.Id % 7 + 1;
        if (total >= distance[target.Id]) continue;
        distance[target.Id] = total;
        queue.Enqueue(target, total);
      }
    }`,
} as const;

const core = newCore();
const graph = core.createGraph();
const list = uniformGraph(vertices, degree, 1);
for (const transaction of bareTransactions(list)) core.applyBytes(graph, transaction, false);
const peer = new DirectedGraph();
for (let id = 0; id < list.vertexCount; id++) peer.addNode(id);
for (let at = 0; at < list.source.length; at++) peer.mergeEdge(list.source[at], list.target[at]);

const { instance } = core;
const input: PluginInput = {
  ...{
    asksName: false,
    parameters: null,
    path: null,
    analytics: null,
    subGraph: null,
    budgetMs: Number.POSITIVE_INFINITY,
  },
  ...{ nowMs: () => performance.now(), isCancelled: () => false },
};

function begin(): PluginRun {
  instance.exports.fragmentBegin(graph);
  const channel = new WriterChannel(
    null,
    () => {},
    () => {},
  );
  const elements = new EngineElements(instance, graph, '', channel);
  return { elements, input, budget: { fuel: 1e12, memoryBytes: 2 ** 30, depth: 500, cancelled: null } };
}

function lastOf(outcome: { readonly kind: string; readonly result?: PluginResult }): number {
  if (outcome.result?.kind !== 'elements') throw new Error(JSON.stringify(outcome));
  return outcome.result.vertices[0] as number;
}

function peerSearch(): number {
  const depth = new Map<string, number>([['0', 0]]);
  const queue = ['0'];
  for (let at = 0; at < queue.length; at++) {
    const vertex = queue[at] as string;
    const next = (depth.get(vertex) as number) + 1;
    peer.forEachOutNeighbor(vertex, (target) => {
      if (depth.has(target)) return;
      depth.set(target, next);
      queue.push(target);
    });
  }
  return depth.size;
}

console.log(machineLine());
console.log(`${list.vertexCount} vertices, ${list.source.length} edges; ms of one call`);
const mono = MonoSearch.of(list);
if (mono === null) console.log('No other runtime of C#: `mcs` and `mono` are not installed.');
const rows: (string | number)[][] = [['', 'compiled', 'interpreted', 'mono', 'compiled / mono', 'graphology']];
for (const [name, body] of Object.entries(sources)) {
  const binding = bindPlugin(functionOf(body), 'GraphFunction');
  if (!binding.ok) throw new Error(binding.errors.join('\n'));
  const emitted = emitFragment(binding.bound, true);
  if (!emitted.ok) throw new Error(emitted.reason);
  const compiled = new EmittedPlugin(instance, {
    ...emitted.fragment,
    module: new WebAssembly.Module(emitted.fragment.bytes),
  });
  const interpreted = createPlugin(binding.bound);
  const context = {
    ...{ queryVector: null, embeddingName: '', metric: 0 as const, score: () => 0, reals: realFunctions(instance) },
  };
  const answers = new Set<number>();
  const measured = (run: () => number) => () => {
    const began = performance.now();
    answers.add(run());
    return performance.now() - began;
  };
  const results = await compete(
    [
      { name: 'compiled', round: measured(() => lastOf(compiled.run(begin()))) },
      {
        name: 'interpreted',
        round: measured(() => {
          const run = begin();
          return lastOf(interpreted(run.elements, context, input, run.budget));
        }),
      },
    ],
    rounds,
  );
  if (answers.size !== 1) throw new Error('The two back ends ended at different vertices.');
  const other = mono?.run(functionOf(body), rounds) ?? null;
  if (other !== null && !answers.has(other.last)) throw new Error('Mono ended at another vertex.');
  const monoMs = other === null ? Number.NaN : median(other.ms);
  const beside = name.startsWith('BFS')
    ? (await compete([{ name: 'graphology', round: () => timedSearch() }], rounds))[0]?.medianMs
    : undefined;
  const [compiledMs, interpretedMs] = results.map(({ medianMs }) => medianMs) as [number, number];
  rows.push([name, compiledMs, interpretedMs, monoMs, compiledMs / monoMs, beside ?? '']);
}
mono?.end();
console.log(table(rows));
for (const [row, most] of [
  [1, 3],
  [2, 1.5],
] as const) {
  const [name, , , , ratio] = rows[row] as [string, number, number, number, number];
  if (!Number.isNaN(ratio)) console.log(target(`${name}: compiled against Mono`, ratio, '<=', most, '×'));
}

const asked = await pluginServiceFigures(functionOf(sources['Dijkstra, PriorityQueue']));
const { lines, firstMs, nextMs, warmMs, parts, firstCallMs } = asked.registering;
console.log(target(`registering a plugin of ${lines} lines, warm`, warmMs, '<=', 30, 'ms'));
console.log(
  `of it ${Object.entries(parts)
    .map(([part, ms]) => `${part} ${ms.toFixed(1)}`)
    .join(', ')} ms; the very first took ${Math.round(firstMs)} ms, those at once behind it ${nextMs.toFixed(1)}`,
);
console.log(target('its first call, longer than the second', firstCallMs, '<=', 5, 'ms'));
const { ms: hundredMs, reads, longestReadMs } = asked.hundred;
console.log(
  `100 of them that begin within one second are registered after ${Math.round(hundredMs)} ms; ` +
    `the longest of ${reads} reads meanwhile: ${longestReadMs.toFixed(1)} ms`,
);
const { pluginMs, settled, bothEndsMs, builtInMs, beside } = asked;
const eachMicros = ((pluginMs * 1000) / settled).toFixed(2);
console.log(
  `Dijkstra over all ${settled} vertices by a plugin, asked of a service: ${pluginMs.toFixed(1)} ms, ${eachMicros} us each`,
);
console.log(
  `Dijkstra between two vertices, from both ends: ${bothEndsMs.toFixed(1)} ms by a plugin, ${builtInMs.toFixed(1)} ms built in`,
);
console.log(target('the plugin from both ends against the built-in search', bothEndsMs / builtInMs, '<=', 2, '×'));
console.log(
  target('the plugin over all vertices against the built-in search of one way', pluginMs / builtInMs, '<=', 2, '×'),
);
const [besideMs, idleMs] = [beside.longestMs, beside.idleMs].map(median) as [number, number];
console.log(
  `a source of 200,000 characters is registered in ${Math.round(beside.registeredMs)} ms; the longest of the reads meanwhile, median of ` +
    `${beside.longestMs.length} registrations: ${besideMs.toFixed(1)} ms (most ${Math.max(...beside.longestMs).toFixed(1)}), of as many reads without: ` +
    `${idleMs.toFixed(1)} ms (most ${Math.max(...beside.idleMs).toFixed(1)}); ${beside.reads} reads`,
);
console.log(target('the longest read beside it, longer than without', besideMs - idleMs, '<=', 20, 'ms'));

function timedSearch(): number {
  const began = performance.now();
  peerSearch();
  return performance.now() - began;
}
