// Bytes a vertex and an edge take: 1 M bare vertices, then 10 random edges each, by the core's own accounting and by what the
// process gained. `npm run bench -- memory [--vertices 1000000] [--degree 10]`

import { uniformGraph } from './lib/graphs.ts';
import { fill, newCore } from './lib/load-core.ts';
import { figure, machineLine, setting, table, target } from './lib/measure.ts';

interface Reading {
  readonly elements: number;
  readonly adjacency: number;
  readonly pages: number;
  readonly resident: number;
}

function used(core: ReturnType<typeof newCore>): Reading {
  const use = core.memoryUse();
  return {
    elements: use.elements,
    adjacency: use.adjacency,
    pages: use.pages * 65536,
    resident: process.memoryUsage.rss(),
  };
}

function measure(vertexCount: number, degree: number, shuffled: boolean): { vertex: number; edge: number } {
  const core = newCore();
  const graph = core.createGraph();
  const list = uniformGraph(vertexCount, degree, 1, shuffled);
  const before = used(core);
  fill(core, graph, { ...list, source: new Uint32Array(0), target: new Uint32Array(0) });
  const withVertices = used(core);
  fill(core, graph, { ...list, vertexCount: 0 });
  const withEdges = used(core);
  const edgeCount = list.source.length;
  const blocks = (reading: Reading): number => reading.elements + reading.adjacency;
  const vertex = (blocks(withVertices) - blocks(before)) / vertexCount;
  const edge = (blocks(withEdges) - blocks(withVertices)) / edgeCount;
  const row = (name: string, key: keyof Reading): (string | number)[] => [
    name,
    (withVertices[key] - before[key]) / vertexCount,
    (withEdges[key] - withVertices[key]) / edgeCount,
  ];
  console.log(
    `\n${figure(vertexCount)} vertices, ${figure(edgeCount)} edges ${shuffled ? 'in random order' : 'by source'}`,
  );
  console.log(
    table([
      ['bytes', 'a vertex', 'an edge'],
      ['in blocks (exact)', vertex, edge],
      row('    element columns', 'elements'),
      row('    adjacency, both directions', 'adjacency'),
      row('in pages of the core', 'pages'),
      row('gained by the process', 'resident'),
    ]),
  );
  if (core.vertexCount(graph) !== vertexCount || core.edgeCount(graph) !== edgeCount)
    throw new Error('The graph is not complete');
  return { vertex, edge };
}

const vertexCount = setting('vertices', 1_000_000);
const degree = setting('degree', 10);
console.log(machineLine());
const bySource = measure(vertexCount, degree, false);
const shuffled = measure(vertexCount, degree, true);
console.log('');
console.log(target('bytes a bare vertex', Math.max(bySource.vertex, shuffled.vertex), '<=', 40, 'B'));
console.log(target('bytes an edge, by source', bySource.edge, '<=', 56, 'B'));
console.log(target('bytes an edge, random order', shuffled.edge, '<=', 56, 'B'));
