// A reader thread over a graph that the test's thread keeps changing: looks at everything until told to stop.

import { parentPort, workerData } from 'node:worker_threads';

const { module, memory, graph, stopAddress, roundsAddress, scratch, ids } = workerData;
const abort = (code) => {
  throw new Error(`check ${code}`);
};
const core = new WebAssembly.Instance(module, { env: { memory, abort } }).exports;
const words = new Int32Array(memory.buffer);
const slot = core.readerAttach();
let bad = 0;
parentPort.postMessage('ready');
while (Atomics.load(words, stopAddress / 4) === 0 && bad === 0) {
  bad += core.readAll(graph, slot, scratch, ids);
  Atomics.add(words, roundsAddress / 4, 1);
}
parentPort.postMessage({ bad });
