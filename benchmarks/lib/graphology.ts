// graphology and its algorithm libraries as contestants. They are CommonJS without types that an ES module could import.

import { createRequire } from 'node:module';
import { DirectedGraph, UndirectedGraph } from 'graphology';
import type { EdgeList } from './graphs.ts';
import { type Contestant, timed } from './measure.ts';

const require = createRequire(import.meta.url);
type Graph = DirectedGraph | UndirectedGraph;
type Algorithm<Result = unknown> = (graph: Graph, options: object) => Result;
const pagerank = require('graphology-metrics/centrality/pagerank') as Algorithm;
const louvain = require('graphology-communities-louvain') as { detailed: Algorithm<{ modularity: number }> };
const { connectedComponents } = require('graphology-components') as {
  connectedComponents: (graph: Graph) => unknown;
};
const dijkstra = require('graphology-shortest-path/dijkstra') as {
  singleSource: (graph: Graph, source: unknown, weight: () => number) => unknown;
};

function load<Graph extends DirectedGraph | UndirectedGraph>(graph: Graph, list: EdgeList): Graph {
  for (let i = 0; i < list.vertexCount; i++) graph.addNode(i);
  for (const [i, source] of list.source.entries()) graph.mergeEdge(source, list.target[i] as number); // a random list may name a pair twice
  return graph;
}

/** What takes them seconds runs once. */
function once(work: () => void): Contestant {
  let ms = Number.NaN;
  return {
    name: 'graphology',
    round: () => {
      if (Number.isNaN(ms)) ms = timed(work);
      return ms;
    },
  };
}

/** PageRank until the summed change is below 1e-6. */
export function graphologyRanks(list: EdgeList): Contestant {
  const graph = load(new DirectedGraph(), list);
  // Its tolerance is one for each vertex.
  const options = { alpha: 0.85, maxIterations: 1000, tolerance: 1e-6 / list.vertexCount, getEdgeWeight: null };
  return once(() => {
    pagerank(graph, options);
  });
}

/** Another answer each time, because it begins at a random vertex: every round runs, and `modularity` is the best of them. */
function communities(graph: UndirectedGraph): Contestant & { modularity: number } {
  const contestant = {
    name: 'graphology',
    modularity: Number.NEGATIVE_INFINITY,
    round: (): number =>
      timed(() => {
        const { modularity } = louvain.detailed(graph, { getEdgeWeight: null });
        contestant.modularity = Math.max(contestant.modularity, modularity);
      }),
  };
  return contestant;
}

interface Structure {
  readonly components: Contestant;
  readonly louvain: Contestant & { readonly modularity: number };
  readonly sssp: Contestant;
}

/** Over simple undirected edges. Its distances come with the paths. */
export function graphologyStructure(list: EdgeList): Structure {
  const graph = load(new UndirectedGraph(), list);
  return {
    components: once(() => {
      connectedComponents(graph);
    }),
    louvain: communities(graph),
    sssp: once(() => {
      dijkstra.singleSource(graph, list.source[0] as number, () => 1);
    }),
  };
}
