// A trim of a namespace: made in pieces between which reads go on and writes wait, whole in the end whatever comes between.

import { describe, expect, it } from 'vitest';
import type { GraphEngine } from '../../src/engine/types.ts';
import { graphOf, type Home, startedWith } from './engine-support.ts';

const vertex = { kind: 'createVertex', creationDate: 0, label: null, properties: [] } as const;
const vertices = 40_000;

interface Trimming extends Home {
  readonly graph: GraphEngine;
  /** Called in each pause from here on. */
  between: (count: number) => void;
  pauses: number;
}

/** A namespace with a vertex missing at the beginning, so that every other one gets a new id. */
async function holed(): Promise<Trimming> {
  let count = 0;
  const trimming = { between: (_: number): void => {}, pauses: 0 };
  const pause = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    trimming.between(count++);
  };
  const home = await startedWith({ pause });
  const graph = graphOf(home.engine);
  await graph.runs.generate({ vertices, edges: 5, distribution: 'uniform' });
  expect(graph.write([{ kind: 'removeElement', element: 0, skipRemoved: false }]).ok).toBe(true);
  count = 0;
  return Object.assign(trimming, home, { graph });
}

/** Ids are dense: the last one is there, the one behind it is not. */
function expectDense(graph: GraphEngine): void {
  const count = graph.vertexCount + graph.edgeCount;
  const isThere = (id: number): boolean => (graph.reads.element(id, 'any') ?? null) !== null;
  expect([isThere(0), isThere(count - 1), isThere(count)]).toEqual([true, true, false]);
}

describe('a trim', () => {
  it('lets reads go on, shows them the old ids until the end, and asks writes to wait', async () => {
    const trimming = await holed();
    const { graph } = trimming;
    const seen: boolean[] = [];
    trimming.between = () => {
      seen.push(graph.reads.element(0, 'any') === null && graph.reads.element(1, 'vertex') !== null);
      expect(graph.writeHold()).not.toBeNull();
      expect(graph.backpressure()).not.toBeNull();
    };
    const [first, second] = await Promise.all([graph.runs.trim(), graph.runs.trim()]);
    expect([first.ok, second.ok]).toEqual([true, true]);
    expect(new Set(seen)).toEqual(new Set([true]));
    expect(graph.writeHold()).toBeNull();
    expectDense(graph);
    await trimming.engine.close();
  });

  it.each([1, 2, 1000])('is whole with the writes that do not wait, up to %i of them', async (most) => {
    const trimming = await holed();
    const { graph } = trimming;
    const before = graph.vertexCount;
    let written = 0;
    trimming.between = () => {
      if (written < most) written += Number(graph.write([vertex]).ok);
    };
    const outcome = await graph.runs.trim();
    expect(outcome).toMatchObject({ ok: true });
    expect(graph.vertexCount).toBe(before + written);
    expectDense(graph);
    expect(outcome.ok && (await outcome.durable)).toBe(true);
    await trimming.engine.close();
  });

  it('comes after an erase that overtakes it', async () => {
    const trimming = await holed();
    const { graph } = trimming;
    let erased = false;
    trimming.between = () => {
      if (!erased) erased = graph.write([{ kind: 'erase' }]).ok;
    };
    expect(await graph.runs.trim()).toMatchObject({ ok: true });
    expect([erased, graph.vertexCount, graph.edgeCount]).toEqual([true, 0, 0]);
    await trimming.engine.close();
  });

  it('ends when its namespace goes', async () => {
    const trimming = await holed();
    const trim = expect(trimming.graph.runs.trim()).rejects.toMatchObject({ name: 'NamespaceGone' });
    await trimming.engine.close();
    await (trimming.graph as unknown as { dispose: () => Promise<void> }).dispose();
    await trim;
  });

  it('has room for its copy where the memory is full', async () => {
    const { engine } = await startedWith({ limitBytes: 24 * 2 ** 20 });
    const graph = graphOf(engine);
    await graph.runs.generate({ vertices: 60_000, edges: 3, distribution: 'uniform' });
    for (let round = 0; round < 3; round++) {
      graph.write([{ kind: 'removeElement', element: 0, skipRemoved: false }]);
      const before = [graph.vertexCount, graph.edgeCount];
      expect(await graph.runs.trim()).toMatchObject({ ok: true });
      expect([graph.vertexCount, graph.edgeCount]).toEqual(before);
      expect(graph.reads.element(0, 'vertex')).not.toBeNull();
      expect(graph.writeHold()).toBeNull();
    }
    await engine.close();
  });
});
