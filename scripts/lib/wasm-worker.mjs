// A thread of the build: told a module to build, it builds it, and hands on what there is to report and whether the module is good.

import { parentPort, workerData } from 'node:worker_threads';
import { buildTarget } from '../build-wasm.mjs';

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
port.on('message', async (target) => {
  const good = await buildTarget(target, workerData, (line) => port.postMessage({ line }));
  port.postMessage({ good });
});
