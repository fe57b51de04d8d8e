// What the service runs with (contract part 3, Configuration read; reference 16). Without a key the answer goes to anybody, so no setting
// that says where data lie, what is called or who may call has its value in it.

import { z } from 'zod';
import type { Settings } from '../../config/catalogue.ts';
import type { Exchange } from '../exchange.ts';
import { type Route, route, shows } from '../route.ts';
import { count } from '../shapes.ts';
import { chatBlock, embeddingBlock } from './status.ts';
import { chatShape, embeddingShape } from './status-shapes.ts';

const setting = z
  .object({
    key: z.string(),
    kind: z.enum(['bool', 'int', 'double', 'string', 'enum', 'array']),
    tier: z.enum(['live', 'restart', 'notWritable']),
    applyMode: z.enum(['live', 'liveForNewWork', 'restart', 'never']),
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
];

function readConfig(exchange: Exchange): Response {
  const { configuration, settings } = exchange.service;
  return exchange.value({
    settings: configuration.entries(),
    pendingRestart: [],
    configWriteEnabled: false,
    semantic: { embedding: embeddingBlock(settings), chat: chatBlock(settings) },
    observability: observabilityBlock(settings),
    apiKeyRequired: settings['Security:ApiKey'] !== null,
  });
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
    const { origin, pathname } = new URL(endpoint);
    return pathname === '/' ? origin : origin + pathname;
  } catch {
    return '';
  }
}
