// A thread for jobs of which one member of an analytics run, the first that finds its turn, does not come back: it dies, or hangs while it
// holds an epoch. `workerData.words`: how many chunks members do before, then 0; and what happens, one of `failures`.

import { workerData } from 'node:worker_threads';
import { serveJobs } from '../../dist/runtime-node/workers/serve-jobs.js';
import { jobKinds } from '../../dist/src/engine/jobs/table.js';

const words = new Int32Array(workerData.words);
const failures = { 1: () => process.exit(7), 2: endless, 3: trap };

/** @param {any} reader */
function endless(reader) {
  reader.announced(() => {
    while (true);
  });
}

function trap() {
  throw new WebAssembly.RuntimeError('unreachable');
}

/** @param {any} kind */
function failing(kind) {
  if (kind.name !== 'analyticsMember') return kind;
  /** @param {any} reader @param {any} request @param {any} control */
  const run = async (reader, request, control) => {
    while (Atomics.load(words, 0) > 0) {
      const { job } = request;
      const answer = reader.instance.exports.jobRun(job.address, control.gang.index, reader.slot, 1);
      if (Atomics.sub(words, 0, 1) === 1) failures[Atomics.load(words, 1)]?.(reader);
      if (answer !== 1) return answer;
      await control.slice();
    }
    return kind.run(reader, request, control);
  };
  return { ...kind, run };
}

serveJobs(jobKinds.map(failing));
