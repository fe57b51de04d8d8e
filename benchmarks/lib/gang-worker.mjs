// A thread that takes part in jobs: told an address and its member number, it runs until the job ends and says what came of it, and
// when it was at work: milliseconds of one clock that all threads share. Told to meet, it begins once so many have come in all.

import { parentPort, workerData } from 'node:worker_threads';
import { runJob } from '../../dist/src/core/analytics.js';
import { CoreReader } from '../../dist/src/core/reader.js';

const { binary, memory, lease, arrivals } = workerData;
const reader = new CoreReader(binary, memory);
reader.use(lease.arena, lease.slot);
parentPort.postMessage('ready');
parentPort.on('message', ({ address, member, meeting }) => {
  if (meeting !== undefined) meet(meeting);
  const fromMs = Number(process.hrtime.bigint()) / 1e6;
  const answer = runJob(reader.instance, { address }, member, lease.slot);
  parentPort.postMessage({ answer, fromMs, toMs: Number(process.hrtime.bigint()) / 1e6 });
});

function meet(count) {
  Atomics.add(arrivals, 0, 1);
  while (Atomics.load(arrivals, 0) < count);
}
