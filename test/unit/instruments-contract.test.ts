// The table of instruments against the contract's (part 3, Metrics; reference 15.3), and the statuses of the document against its list of them
// (reference, appendix B), both written down here a second time.

import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../../src/http/openapi/document.ts';
import { allRoutes } from '../../src/http/routes.ts';
import { type Instrument, identityTags, instruments, type Kind, type Level } from '../../src/telemetry/instruments.ts';
import { spanAttributes, spans } from '../../src/telemetry/spans.ts';

/** Units of what is counted stand in braces. */
type Line = readonly [name: string, kind: Kind, level: Level, unit: 's' | 'By' | '1' | '{}', tags?: readonly string[]];

const lines: readonly Line[] = [
  ['transaction.commits', 'counter', 'engine', '{}', ['transaction.type']],
  ['transaction.rollbacks', 'counter', 'engine', '{}', ['transaction.type', 'failure.reason']],
  ['transaction.commit.duration', 'histogram', 'engine', 's'],
  ['transaction.execute.duration', 'histogram', 'engine', 's'],
  ['transaction.queue.depth', 'gauge', 'engine', '{}'],
  ['transaction.group.size', 'histogram', 'engine', '{}'],
  ['transaction.nondurable', 'counter', 'engine', '{}'],
  ['wal.flush.duration', 'histogram', 'engine', 's'],
  ['wal.flush.failures', 'counter', 'engine', '{}'],
  ['wal.degraded', 'gauge', 'engine', '1'],
  ['wal.size', 'gauge', 'engine', 'By'],
  ['checkpoint.save.duration', 'histogram', 'engine', 's'],
  ['checkpoint.load.duration', 'histogram', 'engine', 's'],
  ['checkpoint.save.bytes', 'histogram', 'engine', 'By'],
  ['checkpoint.load.bytes', 'histogram', 'engine', 'By'],
  ['checkpoint.failures', 'counter', 'engine', '{}', ['operation']],
  ['graph.vertices', 'gauge', 'engine', '{}'],
  ['graph.edges', 'gauge', 'engine', '{}'],
  ['index.count', 'gauge', 'engine', '{}'],
  ['index.entries', 'gauge', 'engine', '{}'],
  ['codegen.cache.hits', 'counter', 'app', '{}', ['artifact']],
  ['codegen.cache.misses', 'counter', 'app', '{}', ['artifact']],
  ['codegen.compile.duration', 'histogram', 'app', 's', ['artifact', 'success']],
  ['codegen.compile.failures', 'counter', 'app', '{}'],
  ['delegate.validate', 'counter', 'app', '{}', ['kind', 'result']],
  ['namespace.info', 'gauge', 'app', '1', [identityTags.namespaceId, identityTags.namespaceName]],
];
/** Beside the contract's. */
const ours = [
  'http.server.request.duration',
  ...['objects', 'failures', 'lag'].map((name) => `service.backup.${name}`),
  ...['lag', 'snapshots', 'comparisons'].map((name) => `service.replica.${name}`),
];

describe('the instruments of the contract', () => {
  const table: readonly Instrument[] = Object.values(instruments);

  test.each(lines)('%s', (name, kind, level, unit, tags = []) => {
    const found = table.filter((one) => one.name === `service.${name}`);
    expect(found).toHaveLength(1);
    const [instrument] = found as [Instrument];
    expect({ kind: instrument.kind, level: instrument.level, tags: instrument.tags }).toEqual({ kind, level, tags });
    if (unit === '{}') expect(instrument.unit).toMatch(/^\{[a-z]+\}$/);
    else expect(instrument.unit).toBe(unit);
  });

  test('are all there are, beside ours', () => {
    const named = [...lines.map(([name]) => `service.${name}`), ...ours];
    expect(table.map(({ name }) => name).sort()).toEqual(named.sort());
  });

  test('and the spans', () => {
    const named = ['transaction.execute', 'checkpoint.save', 'checkpoint.load', 'subgraph.run', 'codegen.compile'];
    const all = [spans.request, ...named, 'path.search', 'analytics.run'];
    expect(Object.values(spans).sort()).toEqual(all.sort());
    const { transactionType, transactionState, transactionDurable } = spanAttributes;
    const tags = ['transaction.type', 'transaction.state', 'transaction.durable'];
    expect([transactionType, transactionState, transactionDurable]).toEqual(tags);
  });
});

const statuses: readonly (readonly [operations: string, codes: string])[] = [
  ['PUT /vertex, PUT /edge', '202 400 500'],
  ['PUT /vertices, PUT /edges', '200 202 400 500'],
  ['PUT /edge, PUT /edges', '404'],
  ['GET /vertex/{}, GET /edge/{}, GET /graphelement/{}', '200 204'],
  ['GET /vertex/{}/edges/out, GET /vertex/{}/edges/in', '200 204'],
  ['GET /vertex/{}/edges/out/{}, GET /vertex/{}/edges/in/{}', '200 204'],
  ['GET /vertex/{}/edges/indegree, GET /vertex/{}/edges/outdegree', '200 404'],
  ['GET /vertex/{}/edges/in/{}/degree, GET /vertex/{}/edges/out/{}/degree', '200 404'],
  ['GET /edge/{}/source, GET /edge/{}/target', '200 404'],
  ['PUT /graphelement/{}/{}', '202 400 500'],
  ['DELETE /graphelement/{}/{}', '202 400 500'],
  ['DELETE /graphelement/{}', '202 400 500'],
  ['PUT /graphelements/properties, DELETE /graphelements', '202 400 500'],
  ['PUT /graphelement/{}/embedding/{}, DELETE /graphelement/{}/embedding/{}', '202 400 404 500'],
  ['GET /graphelement/{}/embedding/{}', '200 400 404'],
  ['POST /graphelements/get', '200 400'],
  ['GET /graph', '200 400'],
  ['PUT /unittest', '200'],
  [
    'POST /scan/graph/property/{}, POST /scan/graph/properties, POST /scan/index/all, POST /scan/index/range',
    '200 400',
  ],
  ['POST /scan/index/fulltext, POST /scan/index/spatial', '200 204 400'],
  ['POST /scan/index/vector', '200 400 404'],
  ['POST /index, PUT /index/{}, DELETE /index/{}, DELETE /index/{}/{}, DELETE /index/{}/propertyValue', '200 400'],
  ['PUT /index/vector/{}', '200 400 404'],
  ['POST /index/backfill/{}', '200 400'],
  ['POST /path/{}/to/{}', '200 400 401 404 408 409 500'],
  ['PUT /subgraph', '201 400 401 404 409 500'],
  ['POST /subgraph/{}/recalculate', '200 404 409'],
  ['DELETE /subgraph/{}', '204 404 500'],
  ['POST /analytics/{}, POST /analytics/{}/partition/{}', '200 400 404 408 429'],
  ['GET /bulk/export', '200 401 422'],
  ['POST /bulk/import', '200 400 401 409 413 500'],
  ['GET /changefeed', '200 400 401 503'],
  ['PUT /save', '200 400 500'],
  ['PUT /save/all', '200 429 500'],
  ['PUT /load', '204 400 500'],
  ['GET /savegames/{}', '200 204'],
  ['DELETE /savegames/{}', '204 404'],
  ['PUT /savegames/{}/load', '200 202 404 500'],
  ['GET /statistics', '200 429'],
  ['GET /status', '200'],
  ['GET /config', '200 401'],
  ['POST /chat', '200 400 401 403 429 502 503 504'],
  ['POST /embedding/element, POST /embedding/elements', '200 400 401 403 404 409 502 503'],
  ['POST /embedding/search', '200 400 401 403 404 409 502 503'],
  ['POST /embedding/text', '200 400 401 403 429 502 503'],
  ['POST /document, POST /document/text', '202 400 401 403 404 409 413 428 503 507'],
  ['POST /service', '200 400'],
  ['DELETE /service/{}', '200'],
];

describe('the statuses that the contract lists', async () => {
  // biome-ignore lint/suspicious/noExplicitAny: a document has every shape
  const { paths }: any = openApiDocument(await allRoutes(), { apiKeyHeader: 'X-Api-Key' });
  /** Names of parameters are ours. */
  const shapeOf = (path: string): string => path.replace(/\{[^}]*\}/g, '{}');
  const byShape = new Map(Object.keys(paths).map((path) => [shapeOf(path), path]));

  test.each(statuses.flatMap(([operations, codes]) => operations.split(', ').map((one) => [one, codes] as const)))(
    '%s: %s',
    (operation, codes) => {
      const [method = '', path = ''] = operation.split(' ');
      for (const twin of ['', '/ns/{}']) {
        const known = byShape.get(shapeOf(twin + path));
        if (twin === '' || known !== undefined) {
          const declared = Object.keys(paths[known ?? '']?.[method.toLowerCase()]?.responses ?? {});
          expect(declared, `${twin}${path}`).toEqual(expect.arrayContaining(codes.split(' ')));
        }
      }
    },
  );
});
