// What a worker of a page offers a service: a core beside this module, the page's storage, a pause of the event loop, bodies that never need
// a request's own stream. A page that is isolated from other origins has the core of shared memory, and threads. Elsewhere one plain binary
// serves as both cores, because the one whose searches give way answers everything else too.

import type { Settings } from '../src/config/catalogue.ts';
import type { Configuration } from '../src/config/configuration.ts';
import { coreBinaryOf } from '../src/core/core-binary.ts';
import type { CoreBinary } from '../src/core/instance.ts';
import type { Logger } from '../src/engine/logger.ts';
import { webPlatformWith } from '../src/http/web-parts.ts';
import type { ServiceHome, ServiceThreads } from '../src/service.ts';
import { openWrittenSettings } from '../src/written-settings.ts';
import { loadCoreModule } from './core-module.ts';
import { bodyOf } from './engine-port.ts';
import { portAnswer } from './port-answers.ts';
import { openOpfs } from './storage/opfs.ts';
import type { Store } from './store-name.ts';

/**
 * `firstModule`: the core that a page of this kind, isolated or not, is served by; another one is loaded where the settings want none of its
 * threads. Rejects when the store cannot be opened (docs/browser.md), or the binary cannot be had. Settings that the store keeps of earlier
 * writes are in `configuration` then.
 */
export async function openBrowserHome(
  store: Store,
  configuration: Configuration,
  firstModule: Promise<WebAssembly.Module>,
): Promise<ServiceHome> {
  const pause = pauseByMessage();
  const storage = store.kind === 'opfs' ? await openOpfs(store.name, pause) : null;
  if (storage !== null) await openWrittenSettings(configuration, storage.metadata, logger);
  const [core, threads] = await coreAndThreads(configuration.settings, firstModule);
  const isVolatile = configuration.settings['Durability:Volatile'];
  const platform = webPlatformWith(bytesOf, { logger, pause, bodyOf });
  return {
    ...{ core, pause, threads },
    storage: isVolatile ? null : storage,
    // A volatile engine keeps its settings there, and nobody else opens the store meanwhile.
    close: async () => {
      if (isVolatile) await storage?.release();
    },
    turnsCore: () => core,
    clock: { nowMs: () => Date.now() },
    http: { ...platform, respond: portAnswer },
    fetch: (input, init) => fetch(input, init),
  };
}

const logger: Logger = {
  info: () => {},
  warn: (message, fields) => console.warn(message, fields ?? ''),
  error: (message, fields) => console.error(message, fields ?? ''),
};

async function coreAndThreads(
  settings: Settings,
  firstModule: Promise<WebAssembly.Module>,
): Promise<readonly [CoreBinary, ServiceThreads | null]> {
  const wantsThreads = crossOriginIsolated && settings['Jobs:Threads'] >= 0;
  const [module, { pageThreads }] = await Promise.all([
    wantsThreads === crossOriginIsolated ? firstModule : loadCoreModule(wantsThreads),
    wantsThreads ? import('./workers/page-threads.ts') : { pageThreads: null },
  ]);
  const core = coreBinaryOf(module);
  return [core, core.shared && pageThreads !== null ? pageThreads(settings, core, logger) : null];
}

/** A turn of the event loop without the least delay that timers have. */
function pauseByMessage(): () => Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()?.();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(null);
    });
}

/**
 * In the place of a digest: who calls a service in a page is that page, so how long its key is tells nobody anything. A digest would be 4 kB that
 * each page loads.
 */
function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
