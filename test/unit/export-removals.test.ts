// Exports beside a writer that removes, creates and changes: every file says how many lines it has, and imports.

import { expect, test } from 'vitest';
import type { GraphEngine } from '../../src/engine/types.ts';
import { bodyOf, edge, graphOf, importLimits, ringOf, startedWith, vertex } from './engine-support.ts';
import { randomFrom } from './support/graph-random.ts';

const names = { vertexLabel: null, edgeLabel: null, edgeType: null };
const limits = { ...importLimits, batchSize: 10_000 };
const count = 6000;

/** One write somewhere in the graph; some find nothing to change. */
function writeSomething(graph: GraphEngine, random: (below: number) => number): void {
  const ids = 2 * count;
  switch (random(4)) {
    case 0:
      graph.write([{ kind: 'removeElement', element: random(ids), skipRemoved: true }]);
      return;
    case 1: {
      const first = random(ids);
      const elements = Array.from({ length: 50 }, (_, i) => (first + i) % ids);
      graph.write(elements.map((element) => ({ kind: 'removeElement', element, skipRemoved: true }) as const));
      return;
    }
    case 2:
      graph.write([{ kind: 'setProperty', element: random(ids), key: 'n', type: 1, text: 'changed' }]);
      return;
    default:
      graph.write([vertex('young')]);
      graph.write([edge(random(ids), random(ids))]);
  }
}

test('every export that is written beside removals imports, with as many elements as it says', async () => {
  let between = (): void => {};
  const pause = async (): Promise<void> => {
    between();
    await new Promise((resolve) => setImmediate(resolve));
  };
  const { engine } = await startedWith({ pause });
  const graph = graphOf(engine);
  await engine.create('copy');
  const copy = graphOf(engine, 'copy');
  let removals = 0;
  for (let round = 0; round < 12; round++) {
    const random = randomFrom(round + 1);
    graph.write([{ kind: 'erase' }]);
    expect(await graph.importLines(bodyOf(ringOf(count), 65_536), limits)).toMatchObject({ ok: true });
    for (let i = 0; i < 20; i++) writeSomething(graph, random);
    const [vertices, edges] = [graph.vertexCount, graph.edgeCount];
    between = () => {
      for (let i = random(8); i > 0; i--) writeSomething(graph, random);
    };
    const started = graph.startExport(names, new Date(0));
    between();
    const start = await started;
    if (!start.ok) throw new Error(start.cause);
    const text = await new Response(start.body).text();
    between = () => {};
    removals += edges - graph.edgeCount;
    expect(JSON.parse(text.split('\n', 1)[0] as string), `round ${round}`).toMatchObject({
      vertexCount: vertices,
      edgeCount: edges,
    });
    copy.write([{ kind: 'erase' }]);
    const imported = await copy.importLines(bodyOf(text, 65_536), limits);
    expect(imported, `round ${round}`).toMatchObject({ ok: true, verticesCreated: vertices, edgesCreated: edges });
  }
  expect(removals).toBeGreaterThan(500);
  await engine.close();
});

test('what an export keeps makes way for writes that find no memory', async () => {
  const { engine } = await startedWith({ limitBytes: 24 * 1024 * 1024 });
  const graph = graphOf(engine);
  const long = 'x'.repeat(10_000);
  const filled = (): number => {
    let made = 0;
    while (graph.write([vertex('long', [['text', 1, `${long}${made}`]])]).ok) made++;
    return made;
  };
  const made = filled();
  expect(made).toBeGreaterThan(300);
  const start = await graph.startExport(names, new Date(0));
  if (!start.ok) throw new Error(start.cause);
  for (let id = 0; id < made; id++) graph.write([{ kind: 'removeElement', element: id, skipRemoved: true }]);
  expect(graph.vertexCount).toBe(0);
  expect(filled()).toBeGreaterThan(made / 2);
  await expect(new Response(start.body).text()).rejects.toThrow('needed its memory');
  await engine.close();
});
