// What a worker thread for jobs does: hands the messages of its port to a server of jobs.

import { parentPort, type TransferListItem } from 'node:worker_threads';
import type { ToThread } from '../../src/engine/jobs/messages.ts';
import { JobServer } from '../../src/engine/jobs/server.ts';
import type { AnyJobKind } from '../../src/engine/jobs/types.ts';

export function serveJobs(kinds: readonly AnyJobKind[]): void {
  if (parentPort === null) throw new Error('Jobs are served by a worker thread.');
  const port = parentPort;
  const server = new JobServer(
    { post: (message, transfer) => port.postMessage(message, transfer as TransferListItem[]) },
    kinds,
  );
  port.on('message', (message: ToThread) => server.receive(message));
}
