// A reader of the vector test: searches the index over and over while the writer changes it. Every vector has the same number in all its
// components, every element is always in, and all numbers together are always the same sum, so an answer says by itself if it is right.

import { parentPort, workerData } from 'node:worker_threads';

const { module, memory, arena, arenaBytes, graph, name, nameBytes, dimension, request, elements, sum } = workerData;
/** Addresses of words: 1 there ends the thread; here it keeps how many different scores an answer had at most. */
const { stop, seen } = workerData;
const abort = (code) => {
  throw new Error(`check ${code}`);
};
const core = new WebAssembly.Instance(module, { env: { memory, abort } }).exports;
const words = new Int32Array(memory.buffer);
const floats = new Float32Array(memory.buffer);
core.arenaAttachReader(arena, arenaBytes);
const slot = core.readerAttach();

/** Scores by element, checked to be one for each. */
function take(at) {
  const scores = new Map();
  for (let i = 0; i < words[at]; i++) scores.set(words[at + 2 + 2 * i], floats[at + 1 + 2 * i]);
  if (words[at] !== elements || scores.size !== elements) throw new Error(`${words[at]} hits, ${scores.size} elements`);
  return scores;
}

let answers = 0;
parentPort.postMessage('ready');
while (Atomics.load(words, stop / 4) === 0) {
  core.readerEnter(slot);
  const status = core.vectorSearch(graph, name, nameBytes, dimension, request, 2, 0, 0);
  if (status !== 0) throw new Error(`status ${status}`);
  const first = (core.outBase() >>> 0) / 4;
  const scores = take(first);
  const others = take(first + 1 + 2 * elements);
  core.readerExit(slot);
  let total = 0;
  for (const [id, score] of scores) {
    if (others.get(id) !== score) throw new Error(`element ${id} is torn: ${score} and ${others.get(id)}`);
    total += score;
  }
  if (total !== sum) throw new Error(`a transaction was seen in part: ${total} instead of ${sum}`);
  answers = Math.max(answers, new Set(scores.values()).size);
  Atomics.store(words, seen / 4, answers);
}
core.readerDetach(slot);
parentPort.postMessage('done');
