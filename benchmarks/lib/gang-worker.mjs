// A thread that takes part in jobs: told an address and its member number, it runs until the job ends and says what came of it.

import { parentPort, workerData } from 'node:worker_threads';
import { runJob } from '../../dist/src/core/analytics.js';
import { CoreReader } from '../../dist/src/core/reader.js';

const { binary, memory, lease } = workerData;
const reader = new CoreReader(binary, memory);
reader.use(lease.arena, lease.slot);
parentPort.postMessage('ready');
parentPort.on('message', ({ address, member }) => {
  parentPort.postMessage({ answer: runJob(reader.instance, { address }, member, lease.slot) });
});
