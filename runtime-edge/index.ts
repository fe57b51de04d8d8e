// The engine at the edge: a class of objects for the configuration file, and the Worker that sends requests to them (docs/edge.md).

import type { Environment } from './platform.ts';
import { route } from './routing.ts';

export { ArcwiseObject } from './object.ts';
export type { Environment } from './platform.ts';

export default {
  fetch: (request: Request, environment: Environment): Promise<Response> => route(request, environment),
};
