// What lies near a point of a SpatialIndex, beside RBush: 200,000 points and boxes in the plane, some ten answers a question.

import { findIndex, geometryKey, IndexKind, indexEntry, scanIndexSpatial } from '../../src/core/indexes.ts';
import type { WriteOperation } from '../../src/core/requests.ts';
import { TypeId } from '../../src/core/values.ts';
import { Random } from './graphs.ts';
import { fill, newCore } from './load-core.ts';
import { compete, figure, table, timed } from './measure.ts';

const count = 200_000;
const questions = 2000;
const side = 1_000_000;
const distance = 4000;
const batch = 10_000;

interface Box {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
  readonly id: number;
}

/** What is used of RBush, which comes without types. */
interface Tree {
  insert(box: Box): void;
  search(box: Omit<Box, 'id'>): Box[];
}

/** Times of building and asking, with answers checked against each other. */
export async function spatialTable(rounds: number): Promise<string> {
  const random = new Random(3);
  const boxes = Array.from({ length: count }, (_, id): Box => {
    const [minX, minY] = [random.below(side), random.below(side)];
    const extent = id % 2 === 0 ? 0 : random.below(500);
    return { minX, minY, maxX: minX + extent, maxY: minY + extent, id };
  });
  const core = newCore();
  const graph = core.createGraph();
  fill(core, graph, { vertexCount: count, source: new Uint32Array(0), target: new Uint32Array(0) });
  core.write(graph, [{ kind: 'createIndex', index: 's', indexKind: IndexKind.spatial, definition: null }], 0);
  const addMs = timed(() => {
    for (let from = 0; from < count; from += batch) {
      const adds = boxes.slice(from, from + batch).map(({ minX, minY, maxX, maxY, id }): WriteOperation => {
        const text = geometryKey({ low: [minX, minY], high: [maxX, maxY] });
        return { kind: 'addToIndex', index: 's', element: id, type: TypeId.string, text };
      });
      if (!core.write(graph, adds, 0).ok) throw new Error('The core refused adds.');
    }
  });
  const { default: RBush } = (await import('rbush' as string)) as { default: new () => Tree };
  const tree = new RBush();
  const insertMs = timed(() => {
    for (const box of boxes) tree.insert(box);
  });
  let [found, expected] = [0, 0];
  const ours = (): void => {
    for (let i = 0; i < questions; i++) {
      found += (scanIndexSpatial(core.instance, graph, 's', i * 97, distance) as Uint32Array).length;
    }
  };
  const theirs = (): void => {
    for (let i = 0; i < questions; i++) expected += near(tree, boxes[i * 97] as Box).length;
  };
  const results = await compete(
    [
      { name: 'SpatialIndex', round: () => timed(ours) },
      { name: 'RBush', round: () => timed(theirs) },
    ],
    rounds,
  );
  if (found !== expected) throw new Error(`${found} answers, ${expected} of RBush.`);
  const { bytes } = indexEntry(core.instance, findIndex(core.instance, graph, 's'));
  const [index, rbush] = results.map(({ medianMs }) => (1000 * medianMs) / questions) as [number, number];
  return `${table([
    [`near one of ${count}`, 'µs a question', 'arcwise ×', 'µs an insert'],
    ['SpatialIndex', index, 1, (1000 * addMs) / count],
    ['RBush', rbush, rbush / index, (1000 * insertMs) / count],
  ])}\n${figure(found / questions / (rounds + 1))} answers a question; ${Math.round(bytes / count)} bytes a key, elements included`;
}

function near(tree: Tree, from: Box): Box[] {
  const around = {
    ...{ minX: from.minX - distance, minY: from.minY - distance },
    ...{ maxX: from.maxX + distance, maxY: from.maxY + distance },
  };
  return tree.search(around).filter((box) => {
    const gapX = Math.max(0, box.minX - from.maxX, from.minX - box.maxX);
    const gapY = Math.max(0, box.minY - from.maxY, from.minY - box.maxY);
    return gapX * gapX + gapY * gapY <= distance * distance;
  });
}
