// The OpenAPI document that the route table makes: valid by a validator of the standard's schema, every reference leads somewhere, and
// what the contract says of it (reference 1.5).

import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../../src/http/openapi/document.ts';
import { allRoutes } from '../../src/http/routes.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document has every shape
type Json = any;

const routes = await allRoutes();
const document: Json = JSON.parse(JSON.stringify(openApiDocument(routes, { apiKeyHeader: 'X-Other-Key' })));
const methods = ['get', 'head', 'put', 'post', 'patch', 'delete'];
const operations: { path: string; method: string; operation: Json }[] = Object.entries<Json>(document.paths).flatMap(
  ([path, item]) =>
    Object.entries<Json>(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => ({ path, method, operation })),
);

function operationOf(method: string, path: string): Json {
  return document.paths[path][method];
}

/** Every value of the document with the way to it. */
function* walk(value: Json, place = '#'): Generator<[string, Json]> {
  yield [place, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries<Json>(value)) yield* walk(member, `${place}/${name}`);
}

describe('the document', () => {
  test('is valid OpenAPI 3.1.1, and a broken one is not', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    expect(document.openapi).toBe('3.1.1');
    const broken = structuredClone(document);
    broken.paths['/status'].get.responses = 7;
    expect((await new Validator().validate(broken)).valid).toBe(false);
  });

  test('has no reference into nothing, and no component that nothing refers to', () => {
    const referred = new Set<string>();
    for (const [place, value] of walk(document)) {
      if (typeof value?.$ref !== 'string') continue;
      const target = value.$ref
        .slice(2)
        .split('/')
        .reduce((node: Json, name: string) => node?.[name], document);
      expect(target, `${place} refers to ${value.$ref}`).toBeDefined();
      referred.add(value.$ref);
    }
    const named = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect(named.filter((name) => !referred.has(name))).toEqual([]);
  });

  test('says of every value what it is', () => {
    const unsaid: string[] = [];
    for (const [place, value] of walk(document)) {
      if (
        !/\/(schema|items|additionalProperties|properties\/[^/]+)$/.test(place) ||
        typeof value !== 'object' ||
        value === null
      )
        continue;
      const says = Object.keys(value).filter((name) => !['description', 'default'].includes(name));
      // A JSON Schema in a tool, a snapshot of another system: whatever they hold is handed on.
      if (says.length === 0 && !/IntegrationRequest|Chat(?:Completion|Tool|ToolCall)\//.test(place)) unsaid.push(place);
    }
    expect(unsaid).toEqual([]);
  });

  test('says of a member left out what stands for it, also where a text of a number is taken', () => {
    const { maxDepth, maxResults, cost } = document.components.schemas.PathSpecification.properties;
    expect([maxDepth.default, maxResults.default, cost.default]).toEqual([7, 65_535, null]);
  });

  test('lists paths in ordinal order, each path of a namespace twice', () => {
    const paths = Object.keys(document.paths);
    expect(paths).toEqual([...paths].sort());
    const twins = paths.filter((path) => path.startsWith('/ns/{ns}'));
    for (const twin of twins) expect(paths).toContain(twin.slice('/ns/{ns}'.length));
    const service = paths.filter((path) => !path.startsWith('/ns/{ns}') && !paths.includes(`/ns/{ns}${path}`));
    expect(service).toEqual([
      '/chat',
      '/chat/models',
      '/cluster',
      '/cluster/namespaces/{name}',
      '/config',
      '/delegates/validate',
      '/integrations/job',
      '/integrations/providers',
      '/integrations/snapshot/validate',
      '/integrations/vocabulary',
      '/ns',
      '/ns/{name}',
      '/ns/{name}/activate',
      '/save/all',
      '/savegames',
      '/savegames/{id}',
      '/savegames/{id}/load',
      '/tabularasa/all',
    ]);
  });

  test('has every route of the table but those that are hidden', () => {
    const listed = new Set(operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`));
    for (const { method, path, hidden, scope } of routes) {
      const template = path.replace(/:(\w+)/g, '{$1}');
      expect(listed.has(`${method} ${template}`)).toBe(hidden !== true);
      expect(listed.has(`${method} /ns/{ns}${template}`)).toBe(hidden !== true && scope === 'namespace');
    }
  });

  test('names every operation once, with one of the tags', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = document.tags.map(({ name }: Json) => name);
    expect(tags).toEqual([
      ...[
        'Admin',
        'Analytics',
        'Benchmark',
        'Bulk',
        'ChangeFeed',
        'Chat',
        'Delegates',
        'Document',
        'Embedding',
        'Graph',
      ],
      ...[
        'Integrations',
        'Namespaces',
        'Plugins',
        'SampleGraph',
        'SaveGames',
        'Statistics',
        'StoredQueries',
        'SubGraph',
      ],
    ]);
    for (const { operation } of operations) {
      expect(operation.tags).toHaveLength(1);
      expect(tags).toContain(operation.tags[0]);
    }
    for (const tag of tags) expect(operations.some(({ operation }) => operation.tags[0] === tag)).toBe(true);
  });

  test('lists the version parameters everywhere, and every parameter of a path', () => {
    for (const { path, method, operation } of operations) {
      const at = (place: string): string[] =>
        operation.parameters.filter((one: Json) => one.in === place).map(({ name }: Json) => name);
      expect(at('query'), `${method} ${path}`).toContain('api-version');
      expect(at('header')).toEqual(['X-Version']);
      const needed = operation.deprecated === true ? [] : [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(at('path').sort()).toEqual(needed.sort());
    }
  });

  test('takes JSON under its version', () => {
    const types = operations.flatMap(({ operation }) => Object.keys(operation.requestBody?.content ?? {}));
    expect(new Set(types)).toEqual(
      new Set(['application/json; ver=0.1', 'application/octet-stream', 'application/x-ndjson', 'multipart/form-data']),
    );
    expect(operationOf('put', '/save').requestBody.required).toBe(false);
    expect(operationOf('put', '/edge').requestBody.required).toBe(true);
  });

  test('asks for the key in the configured header, except of what is anonymous', () => {
    expect(document.security).toEqual([{ ApiKey: [] }]);
    expect(document.components.securitySchemes.ApiKey).toMatchObject({
      type: 'apiKey',
      in: 'header',
      name: 'X-Other-Key',
    });
    const open = operations.filter(({ operation }) => operation.security !== undefined);
    expect(open.map(({ path, operation }) => [path, operation.security])).toEqual([
      ['/ns/{ns}/status', []],
      ['/status', []],
    ]);
  });

  test('flags the aliases that only refuse', () => {
    const deprecated = operations.filter(({ operation }) => operation.deprecated === true);
    expect(deprecated.map(({ path }) => path)).toEqual(['/benchmark', '/generate']);
    for (const { operation } of deprecated) expect(Object.keys(operation.responses)).toEqual(['400']);
  });

  test('knows statuses, titles and members of problems', () => {
    const titles = (method: string, path: string, status: number): string[] => {
      const { schema } = operationOf(method, path).responses[status].content['application/problem+json'];
      const refs: Json[] = schema.anyOf ?? [schema];
      return refs.map(({ $ref }) => document.components.schemas[$ref.split('/').at(-1)].properties.title.const);
    };
    expect(titles('get', '/vertex/{id}', 503)).toEqual(['Service overloaded', 'Namespace not loaded']);
    expect(titles('post', '/bulk/import', 409)).toEqual(['Import requires an empty graph']);
    expect(titles('get', '/statistics', 429)).toEqual(['Too Many Requests']);
    expect(operationOf('get', '/ns').responses[429]).toBeUndefined();
    expect(operationOf('get', '/status').responses[401]).toBeUndefined();
    expect(document.components.schemas.ProblemNamespaceNotFound.properties.namespace).toEqual({ type: 'string' });
  });
});
