// Searches on other threads while the writer replaces vectors as fast as it can: every answer is that of one commit, whole.

import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { randomFrom } from '../unit/support/graph-random.ts';
import { Transaction, value } from '../unit/support/transaction.ts';
import { moduleOf, VectorCore } from '../unit/support/vector-core.ts';

const seed = Number(process.env.VECTOR_SEED ?? 4711);
const runMs = Number(process.env.VECTOR_MS ?? 1500);
const elements = 500;
const dimension = 40;
const none = 0xffffffff;

function constant(number: number) {
  return value.singles(...new Array<number>(dimension).fill(number));
}

/** Two queries: the first component of every vector, and the last. */
function writeRequests(core: VectorCore, at: number): void {
  const words = 4 + Math.ceil(dimension / 16) * 16;
  core.words.fill(0, at / 4, at / 4 + 2 * words);
  for (const [i, component] of [0, dimension - 1].entries()) {
    core.words.set([1024, 3, none], at / 4 + i * words);
    core.floats[at / 4 + i * words + 4 + component] = 1;
  }
}

it.each([0, none])('readers see commits whole (companion from %i bytes)', async (companionFrom) => {
  const core = new VectorCore();
  const { exports } = core;
  const block = exports.allocate(0, 6, 8192) >>> 0;
  const [stop, name, request] = [block, block + 64, block + 1024];
  core.words.fill(0, block / 4, block / 4 + 2048);
  core.bytes.set(new TextEncoder().encode('moving'), name);
  writeRequests(core, request);
  core.apply(new Transaction().indexCreate('moving', 6, `${dimension}\nDotProduct\ne\n`));
  exports.vectorCompanionFrom(core.index('moving', 'dot', dimension).address, companionFrom);
  const first = new Transaction();
  for (let id = 0; id < elements; id++) first.vertex({ properties: { '$embedding:e': constant(100) } });
  core.apply(first);
  const arenaBytes = 1 << 20;
  const readers = [4, 8].map((offset) => {
    const workerData = {
      ...{
        module: moduleOf('vector'),
        memory: core.memory,
        arena: exports.allocate(0, 6, arenaBytes) >>> 0,
        arenaBytes,
      },
      ...{ graph: core.graph, name, nameBytes: 6, dimension, request, elements, sum: 100 * elements },
      ...{ stop, seen: stop + offset },
    };
    return new Worker(new URL('./vectors-worker.mjs', import.meta.url), { workerData });
  });
  let isBroken = false;
  const ends = readers.map(
    (reader) =>
      new Promise<void>((done, fail) => {
        reader.on('error', (error) => {
          isBroken = true;
          fail(error);
        });
        reader.on('message', (message) => message === 'done' && done());
      }),
  );
  const all = Promise.all(ends);
  all.catch(() => {}); // awaited below
  const words = new Int32Array(core.memory.buffer);
  /** Both have seen answers with vectors as they were and as they are. */
  const isEnough = (): boolean => [1, 2].every((index) => Atomics.load(words, stop / 4 + index) > 1);
  const random = randomFrom(seed);
  const numbers = new Array<number>(elements).fill(100);
  const until = performance.now() + runMs;
  while (!isBroken && (performance.now() < until || !isEnough())) {
    for (let i = 0; i < 20; i++) {
      const [from, to] = [random(elements), random(elements)];
      if (from === to) continue;
      (numbers[from] as number)--;
      (numbers[to] as number)++;
      const transaction = new Transaction();
      for (const id of [from, to]) transaction.set(id, '$embedding:e', constant(numbers[id] as number));
      core.apply(transaction);
    }
    await new Promise((turn) => setImmediate(turn));
  }
  Atomics.store(words, stop / 4, 1);
  await all;
  expect(isEnough()).toBe(true);
});
