// Which object answers a request. One object a namespace: `/ns/<name>/…` and `GET /ns/<name>` are the object of that name, a path without
// a namespace is the object `default`, and what concerns the service as a whole (by the route table) is an object of its own
// (service-routes.ts), which also makes and removes namespaces. With ARCWISE_OBJECTS=service one object answers everything.

import { defaultNamespace } from '../src/engine/names.ts';
import { allRoutes } from '../src/http/routes.ts';
import type { Environment } from './platform.ts';
import { problem } from './problems.ts';

/** Tells an object its name where the runtime does not. Whatever a client sends under it is replaced. */
export const nameHeader = 'x-arcwise-object';
/** No namespace can have this name: names hold no slash. */
export const serviceName = '/service';

/** Paths of the service as a whole, without those below a namespace; made with the first request. */
let servicePaths: readonly RegExp[] | null = null;

async function patternsOfService(): Promise<readonly RegExp[]> {
  const routes = await allRoutes();
  return routes
    .filter(({ scope, path }) => scope === 'service' && !path.startsWith('/ns/'))
    .map(({ path }) => new RegExp(`^${path.replaceAll(/:[^/]+/g, '[^/]+')}$`));
}

/** The whole Worker: hands a request on to its object. */
export async function route(request: Request, environment: Environment): Promise<Response> {
  if (environment.ARCWISE_OBJECTS === 'service') return askObject(request, environment, defaultNamespace);
  servicePaths ??= await patternsOfService();
  const name = objectOf(servicePaths, request.method, new URL(request.url).pathname);
  if (name === null) return problem(400, 'Bad Request', 'The path is not percent-encoded UTF-8.');
  return askObject(request, environment, name);
}

/** Asks the object of a name. */
export function askObject(request: Request, { ARCWISE }: Environment, name: string): Promise<Response> {
  const named = new Request(request);
  // Header values are bytes; names are any text.
  named.headers.set(nameHeader, encodeURIComponent(name));
  return ARCWISE.get(ARCWISE.idFromName(name)).fetch(named);
}

/** Null for a path that is no text. */
function objectOf(service: readonly RegExp[], method: string, path: string): string | null {
  const [, encoded, rest] = /^\/ns\/([^/]+)(\/.*)?$/.exec(path) ?? [];
  if (encoded === undefined) return service.some((pattern) => pattern.test(path)) ? serviceName : defaultNamespace;
  if (rest === undefined && method !== 'GET' && method !== 'HEAD') return serviceName;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
