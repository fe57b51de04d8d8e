// The entry of a thread for jobs.

import type { FromThread, ToThread } from '../../src/engine/jobs/messages.ts';
import { JobServer } from '../../src/engine/jobs/server.ts';
import { jobKinds } from '../../src/engine/jobs/table.ts';
import { queryJobKinds } from '../../src/queries/jobs.ts';
import { serveThread } from './served-thread.ts';

serveThread<ToThread, FromThread>((post) => {
  const port = { post: (message: FromThread, transfer: readonly ArrayBuffer[]) => post(message, [...transfer]) };
  const server = new JobServer(port, [...jobKinds, ...queryJobKinds]);
  return (message) => server.receive(message);
});
