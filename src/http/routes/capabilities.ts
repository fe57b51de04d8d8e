// Capabilities that are always off here, because nothing stands behind them: embedding of texts, chat, documents, integrations and
// plugins. Their routes answer what the contract has for a capability that is switched off (part 1, Authentication 7; reference 1.3),
// whatever the body, so that a client sees why it is refused. Of plugins and services there are none, and so say the reads.

import { readJson } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { textParameter } from '../parameters.ts';
import { Problem } from '../problems.ts';
import type { Method, Route, RouteScope } from '../route.ts';
import { pluginSpecification } from '../schemas.ts';

type Serve = Route['serve'];

const embedding = refuses('The embedding provider is disabled, so texts cannot be embedded.');
const documents = refuses('Document ingestion is disabled.');
const integrations = refuses('Integrations are disabled.');
const plugins = refuses('Plugins cannot be registered: this service runs none.');

export const capabilityRoutes: readonly Route[] = [
  sensitive('POST', '/embedding/element', embedding),
  sensitive('POST', '/embedding/elements', embedding),
  sensitive('POST', '/embedding/search', embedding),
  sensitive('POST', '/embedding/text', embedding),

  sensitive('POST', '/document', documents),
  sensitive('POST', '/document/text', documents),
  sensitive('POST', '/document/search', documents),
  plain('GET', '/document', documents),
  plain('GET', '/document/binding', documents),
  plain('POST', '/document/binding/ensure', documents),
  plain('GET', '/document/entities', documents),
  plain('GET', '/document/:id', documents),
  plain('DELETE', '/document/:id', documents),

  sensitive('POST', '/chat', refuseChat, 'service'),
  sensitive('GET', '/chat/models', refuseChat, 'service'),

  plain('GET', '/integrations/providers', integrations, 'service'),
  plain('GET', '/integrations/vocabulary', integrations, 'service'),
  plain('POST', '/integrations/job', integrations, 'service'),
  plain('POST', '/integrations/snapshot/validate', integrations, 'service'),

  sensitive('POST', '/plugins/algorithm', plugins),
  sensitive('POST', '/plugins/algorithm/validate', plugins),
  sensitive('POST', '/plugins/function', plugins),
  sensitive('POST', '/plugins/function/validate', plugins),
  plain('POST', '/plugins/function/:name/invoke', missPlugin),
  plain('GET', '/plugins', (exchange) => exchange.value([])),
  plain('GET', '/plugins/:name', missPlugin),
  plain('DELETE', '/plugins/:name', missPlugin),

  plain('POST', '/service', createService),
  plain('DELETE', '/service/:key', (exchange) => exchange.value(false)),
];

function plain(method: Method, path: string, serve: Serve, scope: RouteScope = 'namespace'): Route {
  return { method, path, scope, serve };
}

/** A route that counts against the limiter of sensitive endpoints. */
function sensitive(method: Method, path: string, serve: Serve, scope: RouteScope = 'namespace'): Route {
  return { method, path, scope, rateLimited: true, serve };
}

function refuses(detail: string): Serve {
  return () => {
    throw new Problem('forbidden', detail);
  };
}

/** Without a key nobody is authenticated, so the refusal is that of a caller without one. */
function refuseChat(exchange: Exchange): never {
  const isKeyless = exchange.service.settings['Security:ApiKey'] === null;
  if (isKeyless) throw new Problem('unauthorized', 'Chat is disabled.', {}, [['www-authenticate', 'Bearer']]);
  throw new Problem('forbidden', 'Chat is disabled.');
}

function missPlugin(exchange: Exchange): never {
  throw new Problem('notFound', `There is no plugin '${textParameter(exchange, 'name')}'.`);
}

/** False, as for every type that there is not: there are no types of services. */
async function createService(exchange: Exchange): Promise<Response> {
  await readJson(exchange, pluginSpecification);
  return exchange.value(false);
}
