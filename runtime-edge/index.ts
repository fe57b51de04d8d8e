// The engine at the edge: a class of objects for the configuration file, and the Worker that sends requests to them (docs/edge.md).

import { exportAll } from './exports.ts';
import type { Environment } from './platform.ts';
import { route } from './routing.ts';

export { exportNamespace } from './exports.ts';
export { ArcwiseObject } from './object.ts';
export type { Bucket, Environment } from './platform.ts';

export default {
  fetch: (request: Request, environment: Environment): Promise<Response> => route(request, environment),
  /** Where the configuration has a schedule: exports into the bucket. */
  scheduled: ({ scheduledTime }: { readonly scheduledTime: number }, environment: Environment): Promise<void> =>
    exportAll(environment, scheduledTime),
};
