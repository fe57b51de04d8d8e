// Settings that are written over HTTP: brought in at the start, and, where they count at once (reference, appendix A, L), to the parts
// of the service that hold them. Those not named here are read where they are used: quotas of stored queries and subgraphs, limits
// of fragments.

import type { Settings } from './config/catalogue.ts';
import type { Configuration } from './config/configuration.ts';
import type { Logger } from './engine/logger.ts';
import { settingOverrides } from './engine/setting-overrides.ts';
import type { Engine, EngineLimits } from './engine/types.ts';
import type { BlobStore } from './storage/types.ts';

/**
 * Brings in what `store` keeps of earlier writes, and lets further ones be kept there. For a home, before it reads any setting that may
 * be written. What cannot be used is left out with a line in the log.
 */
export async function openWrittenSettings(
  configuration: Configuration,
  store: BlobStore,
  logger: Logger,
): Promise<void> {
  for (const problem of await configuration.openStore(settingOverrides(store))) logger.warn(problem);
}

const engineKeys = [
  'Namespaces:MaxNamespaces',
  'ChangeFeed:SubscriberQueueSize',
  'ChangeFeed:MaxSubscribers',
  'ChangeFeed:KeepAliveSeconds',
] as const;

/** From here on a change of the configuration reaches the engine. */
export function keepLive(configuration: Configuration, engine: Engine): void {
  configuration.onChange(engineKeys, () => engine.configure(limitsOf(configuration.settings)));
}

function limitsOf(settings: Settings): EngineLimits {
  return {
    maxNamespaces: settings['Namespaces:MaxNamespaces'],
    changeFeed: {
      subscriberQueueSize: settings['ChangeFeed:SubscriberQueueSize'],
      maxSubscribers: settings['ChangeFeed:MaxSubscribers'],
      keepAliveSeconds: settings['ChangeFeed:KeepAliveSeconds'],
    },
  };
}
