// `arcwise/node`: the engine inside a Node program, with files, threads and the built cores, and without a socket.

import type { Logger } from '../src/engine/logger.ts';
import { type ArcwiseService, createService } from '../src/service.ts';
import { type SettingValues, settingsOf } from '../src/settings-of.ts';
import { openNodeHome } from './home.ts';
import { createLogger } from './logger.ts';

export * from '../src/index.ts';
export { openNodeHome } from './home.ts';
export { type RunningService, startService } from './service.ts';

export interface OpenOptions {
  /** Missing: warnings and errors go to standard error as lines of JSON. */
  readonly logger?: Logger;
}

/**
 * A service whose namespaces are loaded, for `service.fetch` and `service.graph()`. `values`: settings by key, such as
 * `{ 'Durability:StorageDirectory': 'graph' }`. Rejects with InvalidSetting, StorageInUse, or why it cannot load; nothing stays open
 * then. Close it before the process ends.
 */
export async function openService(values: SettingValues = {}, options: OpenOptions = {}): Promise<ArcwiseService> {
  const configuration = settingsOf(values);
  const logger = options.logger ?? createLogger('warn');
  const service = await createService(await openNodeHome(configuration, logger, 'program'), configuration);
  await service.ready;
  return service;
}
