// The edge sweep: every out-edge of every vertex followed to its target, 1 M vertices × 10 random targets, one thread, beside
// graphology, ngraph and a flat CSR in plain JavaScript. The JavaScript libraries walk a smaller graph of the same kind
// (--peer-vertices); what is compared is edges a second. `npm run bench -- sweep`

import { DirectedGraph } from 'graphology';
import createGraph from 'ngraph.graph';
import { type EdgeList, uniformGraph } from './lib/graphs.ts';
import { fill, newCore } from './lib/load-core.ts';
import { type Contestant, compete, machineLine, setting, table, target, timed } from './lib/measure.ts';

function ourSweep(list: EdgeList, name: string): Contestant {
  const core = newCore();
  const graph = core.createGraph();
  fill(core, graph, list);
  return {
    name,
    round: () =>
      timed(() => {
        if (core.instance.exports.sweepOutEdges(graph, 0, core.nextId(graph)) !== list.source.length) {
          throw new Error('The sweep missed edges');
        }
      }),
  };
}

/** Offsets and targets in typed arrays, as a careful JavaScript programmer lays out a graph that never changes. */
function flatSweep(list: EdgeList): Contestant {
  const offsets = new Uint32Array(list.vertexCount + 1);
  for (const vertex of list.source) offsets[vertex + 1] = (offsets[vertex + 1] as number) + 1;
  for (let i = 0; i < list.vertexCount; i++) offsets[i + 1] = (offsets[i + 1] as number) + (offsets[i] as number);
  const targets = new Uint32Array(list.target.length);
  const next = offsets.slice();
  for (const [i, vertex] of list.source.entries()) {
    const at = next[vertex] as number;
    targets[at] = list.target[i] as number;
    next[vertex] = at + 1;
  }
  const kinds = new Uint8Array(list.vertexCount).fill(1);
  return {
    name: 'flat CSR in JavaScript',
    round: () => {
      let sum = 0;
      let edges = 0;
      const ms = timed(() => {
        for (let vertex = 0; vertex < list.vertexCount; vertex++) {
          const end = offsets[vertex + 1] as number;
          for (let i = offsets[vertex] as number; i < end; i++) {
            const to = targets[i] as number;
            if (kinds[to] === 1) {
              sum += to;
              edges++;
            }
          }
        }
      });
      if (edges !== targets.length || sum === 0) throw new Error('The flat sweep missed edges');
      return ms;
    },
  };
}

function graphologySweep(list: EdgeList): Contestant {
  const graph = new DirectedGraph();
  for (let i = 0; i < list.vertexCount; i++) graph.addNode(i);
  for (const [i, source] of list.source.entries()) graph.mergeDirectedEdge(source, list.target[i] as number);
  return {
    name: 'graphology',
    round: () => {
      let sum = 0;
      const ms = timed(() => {
        graph.forEachNode((node) => {
          graph.forEachOutNeighbor(node, (neighbour) => {
            sum += Number(neighbour);
          });
        });
      });
      if (sum === 0) throw new Error('graphology found nothing');
      return ms;
    },
  };
}

function ngraphSweep(list: EdgeList): Contestant {
  const graph = createGraph({ multigraph: false });
  for (let i = 0; i < list.vertexCount; i++) graph.addNode(i);
  for (const [i, source] of list.source.entries()) graph.addLink(source, list.target[i] as number);
  return {
    name: 'ngraph',
    round: () => {
      let sum = 0;
      const ms = timed(() => {
        graph.forEachNode((node) => {
          graph.forEachLinkedNode(
            node.id,
            (other) => {
              sum += other.id as number;
            },
            true,
          );
        });
      });
      if (sum === 0) throw new Error('ngraph found nothing');
      return ms;
    },
  };
}

const vertexCount = setting('vertices', 1_000_000);
const peerVertices = setting('peer-vertices', 60_000);
const rounds = setting('rounds', 7);
console.log(machineLine());
const list = uniformGraph(vertexCount, 10, 1);
const shuffled = uniformGraph(vertexCount, 10, 1, true);
const peers = uniformGraph(peerVertices, 10, 1);
const contestants = [
  ourSweep(list, 'arcwise, edges written by source'),
  ourSweep(shuffled, 'arcwise, edges written in random order'),
  flatSweep(list),
  graphologySweep(peers),
  ngraphSweep(peers),
];
const edges = [list, shuffled, list, peers, peers].map((graph) => graph.source.length);
const results = await compete(contestants, rounds);
const rate = (index: number): number =>
  (edges[index] as number) / (results[index] as { medianMs: number }).medianMs / 1000;
console.log(
  table([
    ['', 'edges', 'median ms', 'M edges/s', 'arcwise ×'],
    ...results.map(({ name, medianMs }, i) => [name, edges[i] as number, medianMs, rate(i), rate(0) / rate(i)]),
  ]),
);
console.log(target('edge sweep', rate(0), '>=', 400, 'M edges/s'));
