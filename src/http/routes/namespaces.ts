// The collection of namespaces: list, read, create, change, drop, activate.

import { z } from 'zod';
import type { NamespaceFailure, NamespaceInfo, NamespacePatch, Policy } from '../../engine/types.ts';
import { json } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { textInPath } from '../parameters.ts';
import { Problem, type ProblemKind } from '../problems.ts';
import { nothing, type Route, route, shows } from '../route.ts';
import { record } from '../schemas.ts';
import { count } from '../shapes.ts';

const policies: readonly string[] = ['enabled', 'disabled', 'inherit'] satisfies Policy[];
const policy = z.string().nullable().default(null).meta({ description: 'enabled, disabled or inherit.' });

/** Words and names are judged below, where each has a title. */
const namespacePatch = record({
  name: z.string().nullable().default(null),
  pluginRegistration: policy,
  loadOnStartup: policy,
}).meta({ id: 'NamespaceUpdate', description: 'At least one member.' });

const entry = z
  .object({
    name: z.string(),
    state: z.enum(['ready', 'notLoaded']),
    vertexCount: count.nullable(),
    edgeCount: count.nullable(),
    createdAt: z.string(),
    pluginRegistrationEnabled: z.boolean().nullable(),
    loadOnStartupEnabled: z.boolean().nullable(),
  })
  .meta({ id: 'Namespace', description: 'Counts are null while it is not loaded.' });

const listing = z
  .object({
    namespaces: z.array(entry),
    maxNamespaces: count,
    loadOnStartupDefault: z.boolean(),
    startupLoadMode: z.enum(['catalog', 'all', 'defaultOnly']),
  })
  .meta({ id: 'NamespaceList' });

const activation = z
  .object({ namespace: entry, activated: z.boolean(), detail: z.string() })
  .meta({ id: 'NamespaceActivation' });

const base = { scope: 'service', tag: 'Namespaces' } as const;
const one = { ...base, path: '/ns/:name', params: { name: textInPath('Name of the namespace.') } } as const;
const limited = { ...one, rateLimited: true } as const;

export const namespaceRoutes: readonly Route[] = [
  route({
    ...base,
    method: 'GET',
    path: '/ns',
    summary: 'All namespaces.',
    answers: { 200: shows('By name.', listing) },
    serve: listNamespaces,
  }),
  route({
    ...one,
    method: 'GET',
    summary: 'One namespace.',
    answers: { 200: shows('The namespace.', entry) },
    problems: ['namespaceNotFound'],
    serve: readNamespace,
  }),
  route({
    ...limited,
    method: 'PUT',
    summary: 'Creates a namespace.',
    answers: { 201: shows('The namespace.', entry, { location: 'Its path.' }) },
    problems: ['namespaceNameInvalid', 'namespaceNameInUse', 'namespaceQuotaExceeded', 'namespaceStorageFailed'],
    serve: createNamespace,
  }),
  route({
    ...limited,
    method: 'PATCH',
    summary: 'Renames a namespace or changes its policies.',
    body: json(namespacePatch),
    answers: { 200: shows('The namespace.', entry) },
    problems: [
      'namespaceUpdateInvalid',
      'pluginRegistrationInvalid',
      'loadOnStartupInvalid',
      'namespaceNameInvalid',
      'namespaceNotFound',
      'namespaceNameInUse',
      'namespaceReserved',
      'namespaceStorageFailed',
    ],
    serve: updateNamespace,
  }),
  route({
    ...limited,
    method: 'DELETE',
    summary: 'Drops a namespace; its checkpoints stay.',
    answers: { 204: nothing('It is gone.') },
    problems: ['namespaceNotFound', 'namespaceReserved', 'namespaceStorageFailed'],
    serve: removeNamespace,
  }),
  route({
    ...limited,
    method: 'POST',
    path: '/ns/:name/activate',
    summary: 'Loads a namespace that is not loaded.',
    answers: { 200: shows('It is loaded.', activation) },
    problems: ['namespaceNotFound', 'namespaceHasUnregisteredCheckpoints', 'namespaceActivationFailed'],
    serve: activateNamespace,
  }),
];

interface Named {
  readonly name: string;
}

/** The contract's namespace entry; counts are null, never 0, while it is not loaded. */
function entryOf(namespace: NamespaceInfo): Record<string, unknown> {
  return {
    name: namespace.name,
    state: namespace.state,
    vertexCount: namespace.graph?.vertexCount ?? null,
    edgeCount: namespace.graph?.edgeCount ?? null,
    createdAt: namespace.createdAt,
    pluginRegistrationEnabled: namespace.pluginRegistrationEnabled,
    loadOnStartupEnabled: namespace.loadOnStartupEnabled,
  };
}

function listNamespaces(exchange: Exchange): Response {
  const { engine } = exchange.service;
  return exchange.value({
    namespaces: engine.list().map(entryOf),
    maxNamespaces: engine.maxNamespaces,
    loadOnStartupDefault: engine.loadOnStartupDefault,
    startupLoadMode: engine.startupLoadMode,
  });
}

function readNamespace(exchange: Exchange, { name }: Named): Response {
  const namespace = exchange.service.engine.find(name);
  if (namespace === undefined) throw namespaceNotFound(name);
  return exchange.value(entryOf(namespace));
}

async function createNamespace(exchange: Exchange, { name }: Named): Promise<Response> {
  const result = await exchange.service.engine.create(name);
  if (!result.ok) throw failureProblem(exchange, name, result.failure, result.detail);
  return exchange.value(entryOf(result.namespace), 201, [['location', `/ns/${encodeURIComponent(name)}`]]);
}

async function updateNamespace(
  exchange: Exchange,
  { name, body }: Named & { body: z.infer<typeof namespacePatch> },
): Promise<Response> {
  const newName = body.name === '' ? null : body.name;
  if (newName === null && body.pluginRegistration === null && body.loadOnStartup === null) {
    throw new Problem('namespaceUpdateInvalid', 'Give at least one of name, pluginRegistration, loadOnStartup.');
  }
  const patch: NamespacePatch = {
    ...policyMember('pluginRegistration', body.pluginRegistration),
    ...policyMember('loadOnStartup', body.loadOnStartup),
    ...(newName === null ? {} : { name: newName }),
  };
  const result = await exchange.service.engine.update(name, patch);
  if (!result.ok) throw failureProblem(exchange, name, result.failure, result.detail);
  return exchange.value(entryOf(result.namespace));
}

function policyMember(member: 'pluginRegistration' | 'loadOnStartup', word: string | null): NamespacePatch {
  if (word === null) return {};
  if (policies.includes(word)) return { [member]: word as Policy };
  const kind = member === 'loadOnStartup' ? 'loadOnStartupInvalid' : 'pluginRegistrationInvalid';
  throw new Problem(kind, `${member} takes ${policies.join(', ')}.`);
}

async function removeNamespace(exchange: Exchange, { name }: Named): Promise<Response> {
  const result = await exchange.service.engine.remove(name);
  if (!result.ok) throw failureProblem(exchange, name, result.failure, result.detail);
  return exchange.empty(204);
}

async function activateNamespace(exchange: Exchange, { name }: Named): Promise<Response> {
  const result = await exchange.service.engine.activate(name);
  if (!result.ok) throw failureProblem(exchange, name, result.failure, result.detail);
  const { namespace, activated } = result;
  const detail = activated ? `Namespace '${name}' is loaded.` : `Namespace '${name}' was already loaded.`;
  return exchange.value({ namespace: entryOf(namespace), activated, detail });
}

const failureKinds: Record<NamespaceFailure, ProblemKind> = {
  invalidName: 'namespaceNameInvalid',
  nameInUse: 'namespaceNameInUse',
  quotaExceeded: 'namespaceQuotaExceeded',
  reserved: 'namespaceReserved',
  notFound: 'namespaceNotFound',
  unregisteredCheckpoints: 'namespaceHasUnregisteredCheckpoints',
  activationFailed: 'namespaceActivationFailed',
  storageFailed: 'namespaceStorageFailed',
};

function failureProblem(exchange: Exchange, name: string, failure: NamespaceFailure, detail: string): Problem {
  switch (failure) {
    case 'notFound':
      return namespaceNotFound(name);
    case 'quotaExceeded':
      return new Problem(failureKinds[failure], detail, { maxNamespaces: exchange.service.engine.maxNamespaces });
    case 'unregisteredCheckpoints':
    case 'activationFailed':
      return new Problem(failureKinds[failure], detail, { namespace: name, namespaceState: 'notLoaded' });
    default:
      return new Problem(failureKinds[failure], detail);
  }
}

/** Clients take this answer, and no other 404, as the sign that a namespace is gone. */
export function namespaceNotFound(name: string): Problem {
  return new Problem('namespaceNotFound', `There is no namespace '${name}'.`, { namespace: name });
}
