// Threads that help to load: one ends in the middle of its work, the other goes on writing to the memory for ever.

import { parentPort } from 'node:worker_threads';

/** A word that no load needs: below the first page of the core. */
const word = 4;
let words = null;

parentPort.on('message', ({ kind, memory, part }) => {
  if (kind === 'attach') {
    words = new Int32Array(memory.buffer);
    parentPort.postMessage({ status: 0 });
  } else if (kind === 'run' && part.share === 0) {
    while (Atomics.load(words, word) === 0); // the other one is at work
    throw new Error('This thread ends.');
  } else if (kind === 'run') {
    while (true) Atomics.add(words, word, 1);
  }
});
