// A second thread of a vector search: waits for its turn, searches its share as a member of the gang, says that it is done.

import { workerData } from 'node:worker_threads';

const { module, memory, arena, arenaBytes, control, search, member } = workerData;
const abort = (code) => {
  throw new Error(`check ${code}`);
};
const core = new WebAssembly.Instance(module, { env: { memory, abort, pulse: () => {} } }).exports;
const words = new Int32Array(memory.buffer);
core.coreAttachReader(arena, arenaBytes);
const slot = core.readerAttach();
let turn = 0;
while (true) {
  Atomics.wait(words, control / 4, turn);
  turn = Atomics.load(words, control / 4);
  if (turn < 0) break;
  core.readerEnter(slot);
  core.vectorSearch(...search, member);
  core.readerExit(slot);
  Atomics.store(words, control / 4 + 1, turn);
  Atomics.notify(words, control / 4 + 1);
}
core.readerDetach(slot);
