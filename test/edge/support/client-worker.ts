// A Worker beside the library's objects that talks to them by the typed client, as an application at the edge does.

import type { Environment } from '../../../runtime-edge/platform.ts';
import { Client, ProblemError } from '../../../src/client/index.ts';

export { ArcwiseObject } from '../../../runtime-edge/object.ts';

const lines = [
  '{"type":"meta","format":"service-jsonl","version":2,"vertexCount":2,"edgeCount":1}',
  '{"type":"vertex","id":0,"label":"a","creationDate":0,"properties":{}}',
  '{"type":"vertex","id":1,"label":"b","creationDate":0,"properties":{}}',
  '{"type":"edge","id":2,"edgePropertyId":"e","source":0,"target":1,"creationDate":0}',
];

async function tryClient({ ARCWISE }: Environment): Promise<unknown> {
  const object = ARCWISE.get(ARCWISE.idFromName('default'));
  let refused = 0;
  const attempts: string[] = [];
  const client = new Client({
    url: 'http://object',
    fetch: async (request) => {
      attempts.push(`${request.method} ${new URL(request.url).pathname}`);
      // Refused once, as a busy service does: the client comes back.
      if (request.method === 'GET' && refused++ === 0)
        return new Response(null, { status: 503, headers: { 'retry-after': '0' } });
      return object.fetch(request);
    },
    onWarnings: () => {},
  });
  const imported = await client.importLines(lines.join('\n'));
  const count = await client.get('/vertex/count');
  const exported: string[] = [];
  for await (const line of client.exportLines()) exported.push(JSON.parse(line).type);
  const missing = await client
    .delete('/graphelement/{id}', { path: { id: 4711 }, query: { waitForCompletion: true } })
    .catch((error: unknown) => error);
  const ended = AbortSignal.abort();
  const aborted = await client.get('/edge/count', { signal: ended }).catch((error: Error) => error.name);
  return {
    imported: [imported.verticesCreated, imported.edgesCreated],
    ...{ count, exported, aborted },
    counts: attempts.filter((attempt) => attempt === 'GET /vertex/count').length,
    missing: missing instanceof ProblemError ? missing.problem.title : String(missing),
  };
}

export default {
  fetch: async (_: Request, environment: Environment): Promise<Response> =>
    new Response(JSON.stringify(await tryClient(environment).catch((error: Error) => String(error.stack)))),
};
