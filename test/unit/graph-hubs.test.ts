// Vertices with very many edges, or very many edge types, and readers on other threads while the graph changes.

import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { BUILDS, GraphCore, moduleOf, STATUS } from './support/graph-core.ts';
import { randomFrom } from './support/graph-random.ts';
import { Transaction, value } from './support/transaction.ts';

describe.each(BUILDS)('%s', (build) => {
  const edges = build === 'graph' ? 200_000 : 60_000;

  it('grows, thins out and drops a hub without quadratic cost', { tags: ['long'] }, () => {
    const core = new GraphCore(build);
    core.apply(vertices(1000));
    for (let at = 0; at < edges; at += 10_000) {
      const transaction = new Transaction();
      for (let i = 0; i < 10_000; i++) transaction.edge(0, 1 + ((at + i) % 999), 'hub');
      expect(core.apply(transaction)).toBe(STATUS.ok);
    }
    expect(core.verify()).toBe(0);
    const full = core.exports.memoryBytes!(1);
    const thin = new Transaction();
    for (let id = 1000; id < 1000 + edges; id++) if (id % 10) thin.remove(id);
    expect(core.apply(thin)).toBe(STATUS.ok);
    expect(core.verify()).toBe(0);
    expect(core.exports.memoryBytes!(1)).toBeLessThan(full * 0.4);
    expect(core.dump().edgeCount).toBe(edges / 10);
    expect(core.apply(new Transaction().trim())).toBe(STATUS.ok);
    expect(core.verify()).toBe(0);
    expect(core.dump()).toMatchObject({ nextId: 1000 + edges / 10, edgeCount: edges / 10 });
    expect(core.apply(new Transaction().remove(0), false, true)).toBe(STATUS.ok);
    expect(core.changes).toHaveLength(1 + edges / 10);
    expect(core.verify()).toBe(0);
    expect(core.dump()).toMatchObject({ vertexCount: 999, edgeCount: 0 });
  });

  it('removes a hub with all its edges at once, and takes that back', () => {
    const core = new GraphCore(build);
    core.apply(vertices(100));
    const transaction = new Transaction();
    for (let i = 0; i < 20_000; i++) transaction.edge(i % 3 ? 0 : 1 + (i % 99), i % 5 ? 1 + (i % 99) : 0, `t${i % 7}`);
    core.apply(transaction);
    const before = core.dump();
    expect(core.apply(new Transaction().remove(0).set(5, 'x', value.int32(1)).remove(0))).toBe(STATUS.notFound);
    expect(core.verify()).toBe(0);
    expect(core.dump()).toEqual(before);
    expect(core.apply(new Transaction().remove(0))).toBe(STATUS.ok);
    expect(core.verify()).toBe(0);
  });

  it('has 40,000 edge types at one vertex', () => {
    const core = new GraphCore(build);
    const types = 40_000;
    core.apply(vertices(3));
    const transaction = new Transaction();
    for (let i = 0; i < types; i++) transaction.edge(0, 1, `type${i}`);
    expect(core.apply(transaction)).toBe(STATUS.ok);
    expect(core.apply(again(types))).toBe(STATUS.ok);
    for (let at = 0; at < types; at += 500) {
      const removal = new Transaction();
      for (let i = 0; i < 500; i++) if ((at + i) % 4) removal.remove(3 + at + i).remove(3 + types + at + i);
      expect(core.apply(removal)).toBe(STATUS.ok);
    }
    expect(core.verify()).toBe(0);
    const { out } = core.dump().elements[0]!;
    expect(out).toHaveLength(types / 4);
    expect(out![1]).toEqual(['type4', [7, types + 7]]);
    expect(core.apply(new Transaction().remove(1))).toBe(STATUS.ok);
    expect(core.verify()).toBe(0);
  });

  it('never shows a reader on another thread anything torn or freed', { tags: ['long'] }, async () => {
    const core = new GraphCore(build);
    core.apply(vertices(300));
    const stopAddress = core.exports.allocate!(0, 6, 64) >>> 0;
    const words = new Int32Array(core.memory.buffer);
    words.fill(0, stopAddress / 4, stopAddress / 4 + 3);
    const ids = 2000;
    const workers = [4, 8].map((offset) => {
      const roundsAddress = stopAddress + offset;
      const scratch = core.exports.allocate!(0, 6, 12 * ids);
      const { memory, graph } = core;
      return new Worker(new URL('./support/graph-reader.mjs', import.meta.url), {
        workerData: { module: moduleOf(build), memory, graph, stopAddress, roundsAddress, scratch, ids },
      });
    });
    const answers = workers.map(
      (worker) =>
        new Promise<{ bad: number }>((done, fail) => {
          worker.on('error', fail);
          worker.on('message', (message) => message !== 'ready' && done(message));
        }),
    );
    let results: { bad: number }[] = [];
    try {
      await Promise.all(workers.map((worker) => new Promise((done) => worker.once('message', done))));
      churn(core, () => Math.min(...[1, 2].map((index) => Atomics.load(words, stopAddress / 4 + index))) > 5);
      Atomics.store(words, stopAddress / 4, 1);
      results = await Promise.all(answers);
    } finally {
      // A reader that was shown nonsense may be anywhere, an endless loop included.
      await Promise.all(workers.map((worker) => worker.terminate()));
    }
    expect(results).toHaveLength(2);
    for (const { bad } of results) expect(bad).toBe(0);
    expect(core.verify()).toBe(0);
  });
});

function vertices(count: number): Transaction {
  const transaction = new Transaction();
  for (let i = 0; i < count; i++) transaction.vertex();
  return transaction;
}

function again(types: number): Transaction {
  const transaction = new Transaction();
  for (let i = 0; i < types; i++) transaction.edge(0, 1, `type${i}`);
  return transaction;
}

/** Changes the graph in every way, more than a thousand times, until it is enough. */
function churn(core: GraphCore, isEnough: () => boolean): void {
  const random = randomFrom(7);
  for (let step = 1; step < 1200 || !isEnough(); step++) {
    const next = core.word(core.word(core.graph) + 12);
    const transaction = new Transaction(step);
    if (next > 20_000) transaction.trim();
    else for (let i = 0; i < 30; i++) change(transaction, next, random);
    if (core.apply(transaction) === STATUS.ok && step % 50 === 0) core.apply(hubLoss(core));
  }
}

/** One operation; a missing element may spoil the whole transaction, which is welcome now and then. */
function change(transaction: Transaction, next: number, random: (below: number) => number): void {
  const letter = value.string(String.fromCharCode(97 + random(26)).repeat(random(40)));
  const kind = random(20);
  if (kind < 2) transaction.vertex({ properties: { name: letter } });
  else if (kind < 14) transaction.edge(random(250), random(250), `type${random(6)}`, { properties: { name: letter } });
  else if (kind < 17) transaction.set(random(250), `key${random(5)}`, letter);
  else if (next > 300) transaction.remove(300 + random(next - 300), true);
}

/** Removes the vertex with the most edges out. */
function hubLoss(core: GraphCore): Transaction {
  const { elements } = core.dump();
  let [best, most] = [0, -1];
  for (const [id, one] of Object.entries(elements)) {
    const degree = one.out?.reduce((sum, [, edges]) => sum + edges.length, 0) ?? -1;
    if (degree > most && Number(id) >= 250) [best, most] = [Number(id), degree];
  }
  return new Transaction().remove(best, true);
}
