// The OpenAPI document, made of the route table (contract part 1, Versioning 4; reference 1.5): every route with a place in it, those of
// a namespace twice, bare and below `/ns/{ns}`.

import { z } from 'zod';
import { apiVersion } from '../exchange.ts';
import type { Parameter, Parameters } from '../parameters.ts';
import { type Answer, type Method, type Route, tags } from '../route.ts';
import { problemResponses } from './problem-responses.ts';
import { Schemas } from './schemas.ts';

type Json = Readonly<Record<string, unknown>>;

export interface DocumentOptions {
  /** Header that carries the key. */
  readonly apiKeyHeader: string;
}

const description = `A property-graph engine: graphs in memory, durable from the first write, over one HTTP contract.

Every path of a namespace also exists below \`/ns/{ns}\`; the bare path is that of the namespace \`default\`.
A number may come as its text wherever a body takes one, and the names of members match in any case.`;

/** The document as a value. Paths stand in ordinal order. */
export function openApiDocument(routes: readonly Route[], { apiKeyHeader }: DocumentOptions): Json {
  const schemas = new Schemas();
  const paths = new Map<string, Record<string, unknown>>();
  const add = (path: string, method: Method, operation: Json): void => {
    const item = paths.get(path) ?? {};
    item[method.toLowerCase()] = operation;
    paths.set(path, item);
  };
  for (const route of routes) {
    if (route.hidden === true) continue;
    const path = templateOf(route.path);
    const bare = route.needsNamespace === true ? deprecatedOperation(route, schemas) : operationOf(route, '', schemas);
    add(path, route.method, bare);
    if (route.scope === 'namespace') add(`/ns/{ns}${path}`, route.method, operationOf(route, 'ns', schemas));
  }
  const ordered = [...paths].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Arcwise',
      version: apiVersion,
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: [{ ApiKey: [] }],
    paths: Object.fromEntries(ordered),
    components: {
      schemas: schemas.components(),
      securitySchemes: {
        ApiKey: {
          type: 'apiKey',
          in: 'header',
          name: apiKeyHeader,
          description: 'The key of the service; it is also taken as a bearer token.',
        },
      },
    },
  };
}

/** `/vertex/{id}` of `/vertex/:id`. */
function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

/** A name of its own for each operation: `putVertexEdgesOutById` of `PUT /vertex/{id}/edges/out`. */
function operationId({ method, path }: Route, scope: '' | 'ns'): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  const words = segments.filter((segment) => !segment.startsWith(':')).map(capitalised);
  const params = segments.filter((segment) => segment.startsWith(':')).map((segment) => capitalised(segment.slice(1)));
  const by = params.length > 0 ? `By${params.join('And')}` : '';
  return `${method.toLowerCase()}${words.join('')}${by}${scope === 'ns' ? 'InNamespace' : ''}`;
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function operationOf(route: Route, scope: '' | 'ns', schemas: Schemas): Json {
  const { body } = route;
  return {
    ...headOf(route, scope),
    parameters: [
      ...(scope === 'ns' ? [namespaceParameter] : []),
      ...parametersOf(route, schemas),
      ...(route.scope === 'namespace' ? [positionParameter] : []),
      ...versionParameters,
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: body.required,
            ...(body.maxBytes === null ? {} : { description: `At most ${body.maxBytes} bytes.` }),
            content: { [body.mediaType]: { schema: schemas.input(body.schema) } },
          },
        }),
    responses: { ...answersOf(route, schemas), ...problemResponses(route, schemas) },
  };
}

/** What is left of a route that needs a namespace, without one. */
function deprecatedOperation(route: Route, schemas: Schemas): Json {
  return {
    ...headOf(route, ''),
    deprecated: true,
    description: `Only answers that it needs a namespace: use /ns/{ns}${templateOf(route.path)}.`,
    parameters: versionParameters,
    responses: problemResponses({ ...route, problems: ['namespaceRequired'] }, schemas, [400]),
  };
}

function headOf(route: Route, scope: '' | 'ns'): Json {
  return {
    tags: [route.tag],
    operationId: operationId(route, scope),
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    ...(route.anonymous === true ? { security: [] } : {}),
  };
}

const namespaceParameter = {
  name: 'ns',
  in: 'path',
  required: true,
  description: 'Name of the namespace.',
  schema: { type: 'string' },
};

/** Read before every route of a namespace where graphs are followed (replication/guard.ts). */
const positionParameter = {
  name: 'atLeast',
  in: 'query',
  description:
    'Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position.',
  schema: { type: 'string' },
};

const versionParameters = [
  {
    name: 'api-version',
    in: 'query',
    description: 'Version of the interface.',
    schema: { type: 'string', default: apiVersion },
  },
  {
    name: 'X-Version',
    in: 'header',
    description: 'Version of the interface.',
    schema: { type: 'string', default: apiVersion },
  },
];

function parametersOf(route: Route, schemas: Schemas): Json[] {
  const listed = (parameters: Parameters | undefined, place: 'path' | 'query'): Json[] =>
    Object.entries<Parameter<unknown>>(parameters ?? {}).map(([name, { description, schema }]) => ({
      name,
      in: place,
      ...(place === 'path' ? { required: true } : {}),
      description,
      schema: schemas.input(schema),
    }));
  return [...listed(route.params, 'path'), ...listed(route.query, 'query')];
}

const versionHeader = {
  'api-supported-versions': { description: 'The versions there are.', schema: { type: 'string' } },
};

function answersOf(route: Route, schemas: Schemas): Json {
  return Object.fromEntries(
    Object.entries(route.answers).map(([status, answer]) => [status, responseOf(answer, schemas)]),
  );
}

function responseOf(
  { description, schema, mediaTypes = ['application/json'], headers }: Answer,
  schemas: Schemas,
): Json {
  const own = Object.entries(headers ?? {}).map(([name, meaning]) => [
    name,
    { description: meaning, schema: schemas.output(z.string()) },
  ]);
  return {
    description,
    headers: { ...versionHeader, ...Object.fromEntries(own) },
    ...(schema === undefined
      ? {}
      : { content: Object.fromEntries(mediaTypes.map((type) => [type, { schema: schemas.output(schema) }])) }),
  };
}
