// What the service runs with (contract part 3, Configuration read; reference 16). Without a key the answer goes to anybody, so no setting
// that says where data lie, what is called or who may call has its value in it.

import type { Settings } from '../../config/catalogue.ts';
import type { Exchange } from '../exchange.ts';
import type { Route } from '../route.ts';
import { chatBlock, embeddingBlock } from './status.ts';

export const configRoutes: readonly Route[] = [{ method: 'GET', path: '/config', scope: 'service', serve: readConfig }];

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
