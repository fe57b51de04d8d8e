// Capabilities that are always off here, because nothing stands behind them: integrations. Their routes answer what the contract has for
// a capability that is switched off (part 1, Authentication 7; reference 1.3), whatever they are sent, so that a client sees why it is
// refused. Of services there are none, and so say their routes.

import { z } from 'zod';
import { type Body, json, unread } from '../bodies.ts';
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

const off = {
  integrations: () => new Problem('forbidden', 'Integrations are disabled.'),
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

const serviceLines: readonly Route[] = [
  integration({ method: 'GET', path: '/integrations/providers', summary: 'The adapters there are.' }),
  integration({ method: 'GET', path: '/integrations/vocabulary', summary: 'The words that adapters use.' }),
  integration({ method: 'POST', path: '/integrations/job', summary: 'Starts a job.', body: unread(bodies.anyObject) }),
  integration({
    ...{ method: 'POST', path: '/integrations/snapshot/validate', summary: 'Checks a snapshot.' },
    body: unread(bodies.anyObject),
  }),
];

const services = { scope: 'namespace', tag: 'Admin' } as const;

const servicePluginLines: readonly Route[] = [
  route({
    ...{ ...services, method: 'POST', path: '/service', summary: 'Starts a service.' },
    body: json(pluginSpecification),
    answers: { 200: shows('False: there are no types of services.', z.boolean()) },
    serve: (exchange) => exchange.value(false),
  }),
  route({
    ...{ ...services, method: 'DELETE', path: '/service/:key', summary: 'Ends a service.' },
    params: { key: textInPath('Name of the service.') },
    answers: { 200: shows('False: there is no such service.', z.boolean()) },
    serve: (exchange) => exchange.value(false),
  }),
];

export const capabilityRoutes: readonly Route[] = [...serviceLines, ...servicePluginLines];
