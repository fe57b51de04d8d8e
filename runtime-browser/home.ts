// What a worker of a page offers a service: the plain core beside this module, the page's storage, a pause of the event loop, bodies that
// never need a request's own stream. One binary serves as both cores, because the one whose searches give way answers everything else too.

import type { CoreBinary } from '../src/core/instance.ts';
import type { Logger } from '../src/engine/logger.ts';
import { webPlatform } from '../src/http/web-platform.ts';
import type { ServiceHome } from '../src/service.ts';
import { bodyOf } from './engine-port.ts';
import { openOpfs } from './storage/opfs.ts';
import type { Store } from './store-name.ts';
import { wholeAnswers } from './whole-answers.ts';

/** Rejects when the binary cannot be had, or the store cannot be opened (docs/browser.md). */
export async function openBrowserHome(store: Store): Promise<ServiceHome> {
  const pause = pauseByMessage();
  const [core, storage] = await Promise.all([
    loadCore(),
    store.kind === 'opfs' ? openOpfs(store.name, pause) : Promise.resolve(null),
  ]);
  const platform = webPlatform({ logger, pause, bodyOf });
  return {
    ...{ core, pause, storage, threads: null },
    turnsCore: () => core,
    clock: { nowMs: () => Date.now() },
    http: { ...platform, respond: wholeAnswers.respond },
    fetch: (input, init) => fetch(input, init),
  };
}

const logger: Logger = {
  info: () => {},
  warn: (message, fields) => console.warn(message, fields ?? ''),
  error: (message, fields) => console.error(message, fields ?? ''),
};

async function loadCore(): Promise<CoreBinary> {
  const url = new URL('./core.plain.turns.wasm', import.meta.url);
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`The core cannot be loaded: ${url.href} answers ${answer.status}.`);
  // Compiling while it arrives is refused for any other type; servers of plain files often know none.
  const streams = answer.headers.get('content-type') === 'application/wasm';
  const module = streams
    ? await WebAssembly.compileStreaming(answer)
    : await WebAssembly.compile(await answer.arrayBuffer());
  return { module, shared: false };
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
