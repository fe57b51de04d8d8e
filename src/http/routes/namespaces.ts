// The collection of namespaces: list, read, create, change, drop, activate.

import type { NamespaceFailure, NamespaceInfo, NamespacePatch, Policy } from '../../engine/types.ts';
import { readJson } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { textParameter } from '../parameters.ts';
import { Problem, type ProblemKind } from '../problems.ts';
import type { Route } from '../route.ts';
import { namespacePatch } from '../schemas.ts';

const limited = { scope: 'service', rateLimited: true } as const;

export const namespaceRoutes: readonly Route[] = [
  { method: 'GET', path: '/ns', scope: 'service', serve: listNamespaces },
  { method: 'GET', path: '/ns/:name', scope: 'service', serve: readNamespace },
  { method: 'PUT', path: '/ns/:name', ...limited, serve: createNamespace },
  { method: 'PATCH', path: '/ns/:name', ...limited, serve: updateNamespace },
  { method: 'DELETE', path: '/ns/:name', ...limited, serve: removeNamespace },
  { method: 'POST', path: '/ns/:name/activate', ...limited, serve: activateNamespace },
];

const policies: readonly string[] = ['enabled', 'disabled', 'inherit'] satisfies Policy[];

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

function readNamespace(exchange: Exchange): Response {
  const name = nameParameter(exchange);
  const namespace = exchange.service.engine.find(name);
  if (namespace === undefined) throw namespaceNotFound(name);
  return exchange.value(entryOf(namespace));
}

async function createNamespace(exchange: Exchange): Promise<Response> {
  const name = nameParameter(exchange);
  const result = await exchange.service.engine.create(name);
  if (!result.ok) throw failureProblem(exchange, name, result.failure, result.detail);
  return exchange.value(entryOf(result.namespace), 201, [['location', `/ns/${encodeURIComponent(name)}`]]);
}

async function updateNamespace(exchange: Exchange): Promise<Response> {
  const name = nameParameter(exchange);
  const body = await readJson(exchange, namespacePatch);
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

async function removeNamespace(exchange: Exchange): Promise<Response> {
  const name = nameParameter(exchange);
  const result = await exchange.service.engine.remove(name);
  if (!result.ok) throw failureProblem(exchange, name, result.failure, result.detail);
  return exchange.empty(204);
}

async function activateNamespace(exchange: Exchange): Promise<Response> {
  const name = nameParameter(exchange);
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

function nameParameter(exchange: Exchange): string {
  return textParameter(exchange, 'name');
}
