// Capabilities that are always off here, because nothing stands behind them: documents, integrations and
// plugins. Their routes answer what the contract has for a capability that is switched off (part 1, Authentication 7; reference 1.3),
// whatever they are sent, so that a client sees why it is refused. Of plugins and services there are none, and so say the reads.

import { z } from 'zod';
import { type Body, codeBodyBytes, json, unread } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { textInPath } from '../parameters.ts';
import { Problem } from '../problems.ts';
import { type Method, type Route, type RouteContract, route, shows, type Tag } from '../route.ts';
import * as bodies from './capability-bodies.ts';
import { pluginSpecification } from './indexes.ts';

interface Line {
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly body?: Body<unknown>;
  readonly rateLimited?: boolean;
}

type Rest = Pick<RouteContract, 'params' | 'query'>;

const code = (schema: z.ZodType): Body<undefined> => unread(schema, codeBodyBytes);

const off = {
  integrations: () => new Problem('forbidden', 'Integrations are disabled.'),
  plugins: () => new Problem('forbidden', 'Plugins cannot be registered: this service runs none.'),
} as const;

/** A route of a capability that is off; none of its parameters is looked at. */
function refused(tag: Tag, scope: Route['scope'], problem: (exchange: Exchange) => Problem) {
  return (line: Line, rest: Rest = {}): Route => ({
    ...line,
    ...rest,
    tag,
    scope,
    answers: {},
    problems: ['forbidden', 'unauthorized'],
    serve: (exchange) => {
      throw problem(exchange);
    },
  });
}

const integration = refused('Integrations', 'service', off.integrations);
const plugin = refused('Plugins', 'namespace', off.plugins);

const sensitive = { method: 'POST', rateLimited: true } as const;

const serviceLines: readonly Route[] = [
  integration({ method: 'GET', path: '/integrations/providers', summary: 'The adapters there are.' }),
  integration({ method: 'GET', path: '/integrations/vocabulary', summary: 'The words that adapters use.' }),
  integration({ method: 'POST', path: '/integrations/job', summary: 'Starts a job.', body: unread(bodies.anyObject) }),
  integration({
    ...{ method: 'POST', path: '/integrations/snapshot/validate', summary: 'Checks a snapshot.' },
    body: unread(bodies.anyObject),
  }),
];

const plugins = { scope: 'namespace', tag: 'Plugins' } as const;
const named = { name: textInPath('Name of the plugin.') };
const missing = { ...plugins, params: named, answers: {}, problems: ['notFound'] } as const;

const pluginLines: readonly Route[] = [
  plugin({
    ...sensitive,
    path: '/plugins/algorithm',
    summary: 'Registers an algorithm.',
    body: code(bodies.algorithmSource),
  }),
  plugin({
    ...{ ...sensitive, path: '/plugins/algorithm/validate', summary: 'Compiles an algorithm.' },
    body: code(bodies.algorithmSource),
  }),
  plugin({
    ...sensitive,
    path: '/plugins/function',
    summary: 'Registers a function.',
    body: code(bodies.functionSource),
  }),
  plugin({
    ...{ ...sensitive, path: '/plugins/function/validate', summary: 'Compiles a function.' },
    body: code(bodies.functionSource),
  }),
  route({
    ...{ ...missing, method: 'POST', path: '/plugins/function/:name/invoke', summary: 'Calls a function.' },
    body: unread(bodies.invocation),
    serve: missPlugin,
  }),
  route({
    ...{ ...plugins, method: 'GET', path: '/plugins', summary: 'All registered plugins.' },
    answers: { 200: shows('None.', z.array(bodies.pluginSummary)) },
    serve: (exchange) => exchange.value([]),
  }),
  route({ ...missing, method: 'GET', path: '/plugins/:name', summary: 'One plugin.', serve: missPlugin }),
  route({ ...missing, method: 'DELETE', path: '/plugins/:name', summary: 'Deletes a plugin.', serve: missPlugin }),

  route({
    ...{ ...plugins, tag: 'Admin', method: 'POST', path: '/service', summary: 'Starts a service.' },
    body: json(pluginSpecification),
    answers: { 200: shows('False: there are no types of services.', z.boolean()) },
    serve: (exchange) => exchange.value(false),
  }),
  route({
    ...{ ...plugins, tag: 'Admin', method: 'DELETE', path: '/service/:key', summary: 'Ends a service.' },
    params: { key: textInPath('Name of the service.') },
    answers: { 200: shows('False: there is no such service.', z.boolean()) },
    serve: (exchange) => exchange.value(false),
  }),
];

export const capabilityRoutes: readonly Route[] = [...serviceLines, ...pluginLines];

function missPlugin(_exchange: Exchange, { name }: { name: string }): never {
  throw new Problem('notFound', `There is no plugin '${name}'.`);
}
