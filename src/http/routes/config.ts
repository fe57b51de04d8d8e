// What the service runs with, and changes of it (contract part 3, Configuration read; reference 16). Without a key the answer goes to
// anybody, so no setting that says where data lie, what is called or who may call has its value in it; and without a key nothing
// is written.

import { z } from 'zod';
import type { Settings } from '../../config/catalogue.ts';
import type { Refusal } from '../../config/changes.ts';
import { ChangesNotStored } from '../../config/configuration.ts';
import { type Body, codeBodyBytes, json } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { Problem } from '../problems.ts';
import { type Route, route, shows } from '../route.ts';
import { count } from '../shapes.ts';
import { chatBlock, embeddingBlock } from './status.ts';
import { chatShape, embeddingShape } from './status-shapes.ts';

const applyMode = z.enum(['live', 'liveForNewWork', 'restart', 'never']);

const setting = z
  .object({
    key: z.string(),
    kind: z.enum(['bool', 'int', 'double', 'string', 'enum', 'array']),
    tier: z.enum(['live', 'restart', 'notWritable']),
    applyMode,
    value: z.string().optional(),
    valueWithheld: z.literal(true).optional(),
    source: z.enum(['default', 'appSettings', 'userSecrets', 'environment', 'commandLine', 'host', 'override']),
    restartPending: z.boolean(),
    minimum: z.number().nullable(),
    maximum: z.number().nullable(),
    allowedValues: z.array(z.string()).nullable(),
    rule: z.string().nullable(),
    reason: z.string().nullable(),
  })
  .meta({ id: 'Setting' });

const pending = z
  .object({ key: z.string(), runningValue: z.string().nullable(), pendingValue: z.string().nullable() })
  .meta({ id: 'PendingRestart' });

const configuration = z
  .object({
    settings: z.array(setting),
    pendingRestart: z.array(pending),
    configWriteEnabled: z.boolean(),
    semantic: z.object({ embedding: embeddingShape, chat: chatShape }),
    observability: z.object({
      otlpEnabled: z.boolean(),
      otlpEndpoint: z.string().nullable(),
      prometheusEnabled: z.boolean(),
      prometheusRequireApiKey: z.boolean(),
      tracingSamplingRatio: z.number(),
      statisticsElementBudget: count,
      statisticsTopN: count,
    }),
    apiKeyRequired: z.boolean(),
  })
  .meta({ id: 'Configuration' });

const patch = z
  .object({
    settings: z
      .record(z.string(), z.string().nullable())
      .refine((settings) => Object.keys(settings).length > 0, 'Name at least one setting.')
      .meta({ description: 'Texts by full keys; null takes a written text away.' }),
  })
  .meta({ id: 'ConfigurationUpdate' });

type Patch = z.infer<typeof patch>;

const change = z
  .object({
    key: z.string(),
    value: z.string().nullable().meta({ description: 'In force now, or from the next start on.' }),
    coerced: z.boolean().meta({ description: 'It is not, letter by letter, the text that was asked for.' }),
    cleared: z.boolean(),
    applyMode,
    restartPending: z.boolean(),
    applyFailure: z.string().optional().meta({ description: 'Why a value that counts at once waits for a restart.' }),
  })
  .meta({ id: 'SettingChange' });

const changed = z
  .object({ results: z.array(change).meta({ description: 'By key.' }), pendingRestart: z.array(pending) })
  .meta({ id: 'ConfigurationChange' });

/** Refusals that one answer lists; the rest is counted. */
const maxRefusals = 100;

export const configRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/config',
    scope: 'service',
    tag: 'Admin',
    summary: 'What the service runs with.',
    answers: { 200: shows('Settings and what follows from them.', configuration) },
    serve: readConfig,
  }),
  route({
    method: 'PATCH',
    path: '/config',
    scope: 'service',
    tag: 'Admin',
    rateLimited: true,
    summary: 'Writes settings, all of a batch or none.',
    body: patchBody(),
    answers: { 200: shows('What became of each.', changed) },
    problems: ['badRequest', 'forbidden', 'conflict', 'settingsNotStored'],
    serve: changeConfig,
  }),
];

async function readConfig(exchange: Exchange): Promise<Response> {
  const { configuration, settings, chat } = exchange.service;
  const residency = await chat.residency(exchange.request.signal);
  return exchange.value({
    settings: configuration.entries(),
    pendingRestart: configuration.pendingRestart(),
    configWriteEnabled: settings['Security:ApiKey'] !== null && settings['Security:EnableConfigurationWrite'],
    semantic: { embedding: embeddingBlock(exchange.service), chat: chatBlock(exchange.service, residency) },
    observability: observabilityBlock(settings),
    apiKeyRequired: settings['Security:ApiKey'] !== null,
  });
}

/** Whoever may not write is told so whatever the body says. */
function patchBody(): Body<Patch> {
  const body = json(patch, { maxBytes: codeBodyBytes });
  return {
    ...body,
    read: (exchange) => {
      requireWriting(exchange.service.settings);
      return body.read?.(exchange) as Promise<Patch>;
    },
  };
}

async function changeConfig(exchange: Exchange, { body }: { readonly body: Patch }): Promise<Response> {
  const { configuration, platform } = exchange.service;
  const outcome = await configuration.change(body.settings).catch((error: unknown) => {
    if (!(error instanceof ChangesNotStored)) throw error;
    platform.logger.error(error.message);
    throw new Problem('settingsNotStored', `${error.message} Nothing has changed.`);
  });
  if (!outcome.ok) throw refusalProblem(outcome.refusals);
  for (const { key, applyFailure } of outcome.results) {
    if (applyFailure !== undefined) platform.logger.error(`${key} counts from the next start on: ${applyFailure}`);
  }
  const keys = outcome.results.map(({ key }) => key);
  platform.logger.info(`Settings were written: ${keys.join(', ')}.`);
  return exchange.value({ results: outcome.results, pendingRestart: configuration.pendingRestart() });
}

/** Without a key nobody is authenticated, so the refusal is that of a caller without one. */
function requireWriting(settings: Settings): void {
  if (settings['Security:ApiKey'] === null) {
    const detail = 'Settings are written only by callers with a key, and this service has none (Security:ApiKey).';
    throw new Problem('unauthorized', detail, {}, [['www-authenticate', 'Bearer']]);
  }
  if (!settings['Security:EnableConfigurationWrite']) {
    throw new Problem('forbidden', 'Writing settings is switched off (Security:EnableConfigurationWrite).');
  }
}

/** One answer for all that is wrong with a batch. */
function refusalProblem(refusals: readonly Refusal[]): Problem {
  const listed = refusals.slice(0, maxRefusals);
  const more = refusals.length - listed.length;
  const details = listed.map(({ detail }) => detail);
  const detail = [...details, ...(more > 0 ? [`${more} more are refused.`] : []), 'Nothing has been stored.'].join(' ');
  const isInvalid = refusals.some(({ kind }) => kind === 'invalid');
  return new Problem(isInvalid ? 'badRequest' : 'conflict', detail);
}

function observabilityBlock(settings: Settings): Record<string, unknown> {
  const endpoint = settings['Observability:Otlp:Endpoint'];
  return {
    otlpEnabled: endpoint !== null,
    otlpEndpoint: endpoint === null ? null : withoutCredentials(endpoint),
    prometheusEnabled: settings['Observability:Prometheus:Enabled'],
    prometheusRequireApiKey: settings['Observability:Prometheus:RequireApiKey'],
    tracingSamplingRatio: settings['Observability:TracingSamplingRatio'],
    statisticsElementBudget: settings['Observability:StatisticsElementBudget'],
    statisticsTopN: settings['Observability:StatisticsTopN'],
  };
}

/** Names, keys and tokens may stand before the host and in the query. What is no address says nothing. */
function withoutCredentials(endpoint: string): string {
  try {
    const { protocol, host, pathname } = new URL(endpoint);
    return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
  } catch {
    return '';
  }
}
