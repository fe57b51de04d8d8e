// The entry of the thread that puts and gets small objects in a directory.

import { parentPort } from 'node:worker_threads';
import { type FilePut, getSync, putAway, putOnceSync } from './file-calls.ts';
import type { FromFiles, ToFiles } from './file-thread.ts';

function tell(message: FromFiles): void {
  const sent = message.kind === 'got' && message.bytes !== null ? [message.bytes.buffer as ArrayBuffer] : [];
  parentPort?.postMessage(message, sent);
}

function done(request: ToFiles): FromFiles {
  try {
    if (request.kind === 'get') return { kind: 'got', bytes: getSync(request.path) };
    return { kind: 'put', isOurs: putOnceSync(request) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { kind: 'failed', code, message };
  }
}

function forget(put: FilePut): void {
  try {
    putAway(put);
  } catch {
    // Where there is no such folder, for one; what is left takes space, and has no object's name.
  }
}

parentPort?.on('message', (request: ToFiles) => {
  tell(done(request));
  if (request.kind === 'put') forget(request);
});
tell({ kind: 'ready' });
