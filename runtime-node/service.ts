// A service behind a socket: the engine of src/service.ts in a Node home, and the listener in front of it.

import type { Configuration } from '../src/config/configuration.ts';
import type { Logger } from '../src/engine/logger.ts';
import { createService } from '../src/service.ts';
import { openNodeHome, storageDirectoryOf } from './home.ts';
import { type Listener, listen } from './listener.ts';
import { startAheadAtRest } from './workers/start-ahead.ts';

/** How long running requests may go on after the service was told to stop. */
const drainMs = 10_000;

export interface RunningService {
  readonly url: string;
  /** Where logs lie; null in volatile mode. */
  readonly storageDirectory: string | null;
  /** Finishes running requests, closes logs and gives directories back. */
  stop(): Promise<void>;
}

/** Resolves when everything this start loads is loaded; it listens before. Rejects after having ended what it had begun. */
export async function startService(configuration: Configuration, logger: Logger): Promise<RunningService> {
  const { settings } = configuration;
  const service = await createService(await openNodeHome(configuration, logger), configuration);
  let listener: Listener | null = null;
  try {
    const place = { host: settings['Http:Host'], port: settings['Http:Port'] };
    listener = await listen(service.fetch, { ...place, maxConnections: settings['Http:MaxConnections'] });
    await service.ready;
  } catch (error) {
    await listener?.close(0);
    const alsoFailed = (also: unknown): void =>
      logger.error('What the start had begun did not end.', { error: String(also) });
    await service.close().catch(alsoFailed);
    throw error;
  }
  const { url, close } = listener;
  const stop = async (): Promise<void> => {
    endAhead();
    service.endOpenEnded();
    try {
      await close(drainMs);
    } finally {
      await service.close();
    }
  };
  const endAhead = startAheadAtRest(service);
  return { url, storageDirectory: storageDirectoryOf(settings), stop };
}
