// A projection with weights beside one of the same arcs without: each median of several, on one thread, with the edges of each vertex made at
// random times, so that their ids lie anywhere. `npm run bench -- projections [--edges 4000000] [--degree 16] [--rounds 5] [--heaviest 255]`

import {
  dropProjection,
  fillProjection,
  type Projection,
  projectScope,
  runJob,
  type Scope,
  settleProjection,
  View,
} from '../src/core/analytics.ts';
import type { Core } from '../src/core/core.ts';
import type { WriteOperation } from '../src/core/requests.ts';
import { TypeId } from '../src/core/values.ts';
import { uniformGraph } from './lib/graphs.ts';
import { fill, newCore } from './lib/load-core.ts';
import { figure, machineLine, median, setting, table } from './lib/measure.ts';

const edges = setting('edges', 4_000_000);
const degree = setting('degree', 16);
const rounds = setting('rounds', 5);
const heaviest = setting('heaviest', 255);
const batch = 20_000;

/** Each edge with a whole weight in an Int32, as most weights are. */
function weightedGraph(): { readonly core: Core; readonly graph: number } {
  const { vertexCount, source, target } = uniformGraph(Math.ceil(edges / degree), degree, 1, true);
  const core = newCore();
  const graph = core.createGraph();
  fill(core, graph, { vertexCount, source: new Uint32Array(0), target: new Uint32Array(0) });
  for (let from = 0; from < source.length; from += batch) {
    const operations: WriteOperation[] = [];
    for (let i = from; i < Math.min(from + batch, source.length); i++) {
      const properties = [{ key: 'weight', type: TypeId.int32, text: String(1 + (i % heaviest)) }];
      const ends = { source: source[i] as number, target: target[i] as number };
      operations.push({ kind: 'createEdge', creationDate: 0, ...ends, edgeType: 'knows', label: null, properties });
    }
    if (!core.write(graph, operations, 0).ok) throw new Error('The core refused a batch');
  }
  return { core, graph };
}

/** Milliseconds of counting and of filling. */
function project({ instance }: Core, graph: number, scope: Partial<Scope>): readonly [number, number] {
  const begun = performance.now();
  const projection: Projection | null = projectScope(instance, graph, {
    ...{ label: null, edgeType: null, view: View.both },
    ...scope,
  });
  if (projection === null) throw new Error('No memory for a projection');
  runJob(instance, projection, 0, -1);
  const counted = performance.now();
  if (!fillProjection(instance, projection)) throw new Error('No memory for a projection');
  runJob(instance, projection, 0, -1);
  settleProjection(instance, projection);
  const ended = performance.now();
  dropProjection(instance, projection);
  instance.exports.retireAdvance();
  return [counted - begun, ended - counted];
}

const { core, graph } = weightedGraph();
const rows: string[][] = [['view', 'weights', 'count ms', 'fill ms', 'together', 'ratio']];
for (const [name, view] of [
  ['out', View.out],
  ['both', View.both],
] as const) {
  const scopes: readonly (readonly [string, Partial<Scope>])[] = [
    ['none', { view }],
    ['beside targets', { view, weightKey: 'weight', paired: true }],
    ['apart', { view, weightKey: 'weight' }],
  ];
  const times = scopes.map((): (readonly [number, number])[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, [, scope]] of scopes.entries()) times[i]?.push(project(core, graph, scope));
  }
  const medians = times.map((all) => [0, 1].map((part) => median(all.map((one) => one[part] as number))));
  const [plain] = medians.map(([count = 0, filled = 0]) => count + filled);
  medians.forEach(([count = 0, filled = 0], i) => {
    const together = count + filled;
    const ratio = `${(together / (plain ?? 1)).toFixed(2)}x`;
    rows.push([name, scopes[i]?.[0] ?? '', figure(count), figure(filled), figure(together), ratio]);
  });
}
console.log(`${machineLine()}, ${edges} edges, ${degree} a vertex`);
console.log(table(rows));
core.dispose();
