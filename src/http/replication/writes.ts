// Which routes change what is kept. A route that is in no list counts as one that does.
// Analytics that would write back, and functions of plugins that would write, find that out themselves.

import type { Route } from '../route.ts';

/** Routes that only read although they carry a body. */
const reading: ReadonlySet<string> = new Set([
  'POST /graphelements/get',
  'POST /scan/graph/property/:propertyId',
  'POST /scan/graph/properties',
  'POST /scan/index/all',
  'POST /scan/index/range',
  'POST /scan/index/fulltext',
  'POST /scan/index/spatial',
  'POST /scan/index/vector',
  'POST /path/:from/to/:to',
  'POST /topology',
  'POST /delegates/validate',
  'POST /document/search',
  'POST /plugins/function/:name/invoke',
  'POST /embedding/text',
  'POST /embedding/search',
  'POST /chat',
  'POST /analytics/:algorithmName',
  'POST /analytics/:algorithmName/partition/:partitionId',
  'POST /plugins/algorithm/validate',
  'POST /plugins/function/validate',
  'PATCH /config',
  'PUT /cluster/namespaces/:name',
]);

/** Asked at every request: its list is asked by a text that would be made each time. */
const known = new WeakMap<Route, boolean>();

export function writesState(route: Route): boolean {
  let writes = known.get(route);
  if (writes === undefined) {
    writes = isWriting(route);
    known.set(route, writes);
  }
  return writes;
}

function isWriting({ method, path, tag }: Route): boolean {
  if (method === 'GET') return path === '/generate';
  // HEAD of the admin's routes is erase and trim; elsewhere it is a look.
  if (method === 'HEAD') return tag === 'Admin';
  return !reading.has(`${method} ${path}`);
}
