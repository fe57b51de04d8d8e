// Large transactions, made in steps: reads go on between them, writes that ask wait, and whatever comes between, the transaction is made whole
// or not at all, once, and stands in the log where it stood in the graph.

import { describe, expect, it } from 'vitest';
import type { WriteOperation } from '../../src/core/requests.ts';
import { CoreStatus } from '../../src/core/status.ts';
import { TypeId } from '../../src/core/values.ts';
import { largeWriteOperations } from '../../src/engine/large-writes.ts';
import type { GraphEngine } from '../../src/engine/types.ts';
import { MemoryLogStore } from '../../src/storage/memory-store.ts';
import { bodyText, edge, graphOf, type Home, startedWith, vertex } from './engine-support.ts';

interface Writing extends Home {
  readonly graph: GraphEngine;
  /** Called in each pause. */
  between: (count: number) => void;
}

async function writing(changes: Parameters<typeof startedWith>[0] = {}): Promise<Writing> {
  let count = 0;
  const state = { between: (_: number): void => {} };
  const pause = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    state.between(count++);
  };
  // A slice is one step, so that there is a pause behind each whatever machine this is.
  const home = await startedWith({ ...changes, pause, slices: () => ({ isOver: () => true }) });
  return Object.assign(state, home, { graph: graphOf(home.engine) });
}

const many = (count: number, make: (index: number) => WriteOperation): WriteOperation[] =>
  Array.from({ length: count }, (_, index) => make(index));

const size = 2 * largeWriteOperations + 3;
const people = many(size, (index) => vertex('person', [['n', 7, String(index)]]));
const isThere = (graph: GraphEngine, id: number): boolean => graph.reads.element(id, 'any') !== null;

async function contents(graph: GraphEngine): Promise<string> {
  const started = await graph.startExport({ vertexLabel: null, edgeLabel: null, edgeType: null }, new Date(0));
  if (!started.ok) throw new Error(started.cause);
  return bodyText(started.body);
}

describe('a write of one long text', () => {
  it('is built, applied and logged in turns of their own, and found when it is committed', async () => {
    const home = await writing();
    const { graph } = home;
    const found: boolean[] = [];
    home.between = () => {
      found.push(isThere(graph, 0));
    };
    const text = 'x'.repeat(3_000_000);
    const outcome = await graph.writeInSteps([vertex('note', [['text', 1, text]])]);
    expect(outcome).toMatchObject({ ok: true, firstId: 0, createCount: 1 });
    // One behind building it, and one before its frame.
    expect(found.length).toBeGreaterThanOrEqual(3);
    expect(found[0]).toBe(false);
    expect(found.at(-1)).toBe(true);
    expect(await contents(graph)).toContain(text);
  });
});

describe('a large write', () => {
  it('lets reads go on, which find its elements when all of it is valid, and asks writes to wait', async () => {
    const home = await writing();
    const { graph } = home;
    const seen: boolean[] = [];
    let pauses = 0;
    home.between = () => {
      pauses++;
      seen.push(isThere(graph, 0));
      if (graph.vertexCount === 0) expect(graph.writeHold()).not.toBeNull();
    };
    const outcome = await graph.writeInSteps(people);
    expect(outcome).toMatchObject({ ok: true, firstId: 0, createCount: size });
    expect(pauses).toBeGreaterThan(size / 1024);
    expect(seen.indexOf(true)).toBeGreaterThan(seen.length / 2);
    expect(graph.writeHold()).toBeNull();
    expect(graph.vertexCount).toBe(size);
    await home.engine.close();
  });

  it('is the same graph and log as at once', async () => {
    const exports: string[] = [];
    for (const inSteps of [true, false]) {
      const logs = new MemoryLogStore();
      const home = await writing({ logs });
      const { graph } = home;
      const make = async (operations: WriteOperation[]): Promise<void> => {
        const outcome = inSteps ? await graph.writeInSteps(operations) : graph.write(operations);
        expect(outcome.ok && (await outcome.durable)).toBe(true);
      };
      await make(people);
      await make(many(size, (index) => edge(index, (index * 7919) % size, `type${index % 5}`)));
      await make(
        many(size, (index) => ({
          kind: 'setProperty',
          element: index,
          key: 'k',
          type: TypeId.string,
          text: `v${index}`,
        })),
      );
      await make(many(size, (index) => ({ kind: 'removeElement', element: 2 * index, skipRemoved: true })));
      exports.push(await contents(graph));
      await home.engine.close();
      const again = await startedWith({ logs });
      exports.push(await contents(graphOf(again.engine)));
      await again.engine.close();
    }
    expect(new Set(exports).size).toBe(1);
  });

  it.each([1, 5, 17, 18, 19, 24])('is whole before a write that does not wait, in pause %i', async (when) => {
    const home = await writing();
    const { graph } = home;
    await graph.writeInSteps(people);
    let single = -1;
    let at = 0;
    home.between = () => {
      if (at++ !== when) return;
      const outcome = graph.write([vertex('late')]);
      single = outcome.ok ? outcome.firstId : -2;
    };
    const outcome = await graph.writeInSteps(people);
    if (!outcome.ok) throw new Error(`status ${outcome.status}`);
    home.between = () => {};
    expect(new Set([outcome.firstId, single])).toEqual(
      new Set(single < outcome.firstId ? [size, size + 1] : [size, 2 * size]),
    );
    expect(graph.vertexCount).toBe(2 * size + 1);
    const all = await contents(graph);
    await home.engine.close();
    const again = await startedWith({ logs: home.options.logs });
    expect(await contents(graphOf(again.engine))).toBe(all);
    await again.engine.close();
  });

  it('changes nothing when it is refused, and says where', async () => {
    const home = await writing();
    const { graph } = home;
    await graph.writeInSteps(people);
    const before = await contents(graph);
    const last = size - 1;
    const set = (text: string, element: number): WriteOperation => ({
      ...{ kind: 'setProperty', element, key: 'k', type: TypeId.int32, text },
    });
    const badValue = many(size, (index) => set(index === last ? 'x' : '1', index));
    expect(await graph.writeInSteps(badValue)).toMatchObject({ ok: false, status: CoreStatus.badValue, record: last });
    const missing = many(size, (index) => set('1', index === last ? 9 * size : index));
    expect(await graph.writeInSteps(missing)).toMatchObject({ ok: false, status: CoreStatus.notFound, record: last });
    // Known only when the operations are carried out: the vertex goes before its edge comes.
    const gone = many(size, (index) =>
      index === last ? edge(0, 1) : { kind: 'removeElement', element: index, skipRemoved: false },
    );
    expect(await graph.writeInSteps(gone)).toMatchObject({ ok: false, status: CoreStatus.notFound, record: last });
    expect(await contents(graph)).toBe(before);
    expect(graph.write([vertex()])).toMatchObject({ ok: true, firstId: size });
    await home.engine.close();
  });

  it('is refused by a full memory as a write at once is, and the next one is not', async () => {
    const home = await writing({ limitBytes: 2 ** 23 });
    const { graph } = home;
    const text = 'x'.repeat(200);
    const wide = many(60_000, (index) => ({
      ...{ kind: 'createVertex', creationDate: 1, label: 'person' },
      properties: [{ key: 'n', type: TypeId.string, text: text + index }],
    }));
    expect(await graph.writeInSteps(wide)).toMatchObject({ ok: false, status: CoreStatus.noMemory });
    expect([graph.vertexCount, graph.writeHold()]).toEqual([0, null]);
    expect(await graph.writeInSteps(people)).toMatchObject({ ok: true, firstId: 0 });
    expect(
      await graph.writeInSteps(many(size, (element) => ({ kind: 'removeElement', element, skipRemoved: false }))),
    ).toMatchObject({ ok: true });
    expect(graph.vertexCount).toBe(0);
    await home.engine.close();
  });

  it('comes after another one, a trim and an erase that were there before, and before those that came later', async () => {
    const home = await writing();
    const { graph } = home;
    await graph.writeInSteps(people);
    const outcomes = await Promise.all([
      graph.runs.trim(),
      graph.writeInSteps(people),
      graph.writeInSteps(people),
      graph.runs.trim(),
    ]);
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, true, true]);
    expect(graph.vertexCount).toBe(3 * size);
    expect(await contents(graph)).toContain(`"vertexCount":${3 * size}`);
    await home.engine.close();
  });

  it('publishes as many events as at once', async () => {
    const changeFeed = {
      enabled: true,
      bufferSize: 1000,
      subscriberQueueSize: 1000,
      maxSubscribers: 1,
      keepAliveSeconds: 60,
    };
    const home = await writing({ changeFeed });
    const { graph } = home;
    const before = graph.changeFeed.newest;
    const outcome = await graph.writeInSteps(many(largeWriteOperations, () => vertex('person')));
    const single = graph.write([vertex('late')]);
    expect(outcome.ok && single.ok && (await single.durable)).toBe(true);
    // It comes behind the pieces of the large one, which are published a turn each.
    expect(graph.changeFeed.newest - before).toBeLessThan(largeWriteOperations + 1);
    while (graph.changeFeed.newest - before < largeWriteOperations + 1)
      await new Promise((resolve) => setImmediate(resolve));
    const subscribed = graph.changeFeed.subscribe({
      filter: { kinds: null, elements: null, labels: null, keys: null },
      since: `${graph.changeFeed.newest - 3}`,
    });
    if (!subscribed.ok) throw new Error(subscribed.detail);
    const reader = subscribed.stream.getReader();
    let text = '';
    while (!text.includes('"late"')) text += new TextDecoder().decode((await reader.read()).value);
    const labels = [...text.matchAll(/"label":"(\w+)"/g)].map(([, label]) => label);
    expect(labels).toEqual(['person', 'person', 'late']);
    await reader.cancel();
    await home.engine.close();
  });

  it('is whole in the log of a namespace that ends meanwhile, or not in it and never said to be durable', async () => {
    const logs = new MemoryLogStore();
    const home = await writing({ logs });
    const { graph } = home;
    let closed: Promise<unknown> | null = null;
    home.between = (count) => {
      if (count === 12) closed = home.engine.close();
    };
    const outcome = await graph.writeInSteps(people).catch((error: Error) => error.constructor.name);
    expect(closed).not.toBeNull();
    await closed;
    const isKept = typeof outcome === 'object' && outcome.ok && (await outcome.durable);
    const again = await startedWith({ logs });
    expect(graphOf(again.engine).vertexCount).toBe(isKept ? size : 0);
    await again.engine.close();
  });
});
