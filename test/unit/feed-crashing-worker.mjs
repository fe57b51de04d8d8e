// The thread that delivers change feeds, with a flaw: it ends when it learns of a name.

import { parentPort } from 'node:worker_threads';
import '../../dist/runtime-node/feed/delivery-worker.js';

parentPort.on('message', (message) => {
  if (message.kind === 'batch' && message.batch.names.includes('fatal')) throw new Error('a fatal name');
});
