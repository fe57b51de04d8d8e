// The entry of the thread that puts small objects into a directory.

import { parentPort } from 'node:worker_threads';
import { type FilePut, putAway, putOnceSync } from './put-once.ts';
import type { FromPutting } from './put-thread.ts';

const tell = (message: FromPutting): void => parentPort?.postMessage(message);

parentPort?.on('message', (put: FilePut) => {
  try {
    tell({ kind: 'put', isOurs: putOnceSync(put) });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    tell({ kind: 'failed', code, message });
  }
  try {
    putAway(put);
  } catch {
    // Where there is no such folder, for one; what is left takes space, and has no object's name.
  }
});
tell({ kind: 'ready' });
