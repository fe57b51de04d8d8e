// A reader thread of the memory tests: one more instance over the shared memory. Runs one kind of job until told to stop (a word of
// the memory), then posts what it counted.

import { parentPort, workerData } from 'node:worker_threads';

const { module, memory, job, stopAddress, roundsAddress, scratch, published, words } = workerData;
const abort = (code) => {
  throw new Error(`check ${code}`);
};
const core = new WebAssembly.Instance(module, { env: { memory, abort } }).exports;
const memoryWords = new Int32Array(memory.buffer);
const stopped = () => Atomics.load(memoryWords, stopAddress / 4) !== 0;
const slot = core.readerAttach();

/** Holds a published block while the writer replaces it again and again. */
function readBlocks() {
  let bad = 0;
  let rounds = 0;
  while (!stopped() && bad === 0) {
    bad += core.readPublished(slot, published, words, 200, 20);
    rounds += 200;
    Atomics.store(memoryWords, roundsAddress / 4, rounds);
  }
  return { bad, rounds };
}

/** Looks keys up while the writer adds more; key number i must have id i. */
function findKeys() {
  let bad = 0;
  let rounds = 0;
  let absent = 0;
  const bytes = new Uint8Array(memory.buffer);
  const encoder = new TextEncoder();
  while (!stopped()) {
    core.readerEnter(slot);
    for (let i = 0; i < 100; i++, rounds++) {
      const count = core.internCount();
      const id = Math.floor(Math.random() * (count + 1));
      const text = encoder.encode(`key ${id}`);
      bytes.set(text, scratch);
      const found = core.internFind(scratch, text.length);
      // The next one is either not there yet or added since. The newest one counts a moment before it can be found.
      if (found === -1 && id >= count - 1) {
        absent++;
        continue;
      }
      if (id === count) {
        if (found !== id) bad++;
        continue;
      }
      const record = found === id ? core.internAddress(id) >>> 0 : 0;
      if (
        record === 0 ||
        memoryWords[record / 4] !== text.length ||
        bytes[record + 16 + text.length - 1] !== text.at(-1)
      )
        bad++;
    }
    core.readerExit(slot);
    Atomics.store(memoryWords, roundsAddress / 4, rounds);
  }
  return { bad, rounds, absent };
}

parentPort.postMessage({ ready: true });
const result = job === 'blocks' ? readBlocks() : findKeys();
core.readerDetach(slot);
parentPort.postMessage(result);
