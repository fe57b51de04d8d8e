// The page's side of the service worker: registers it, and answers it by the page's engine.

import { bodyOf, EnginePort } from './engine-port.ts';
import { gone, ownLock } from './locks.ts';
import type { AskedRequest } from './requests.ts';
import { type Find, type Here, pathParameter, serving } from './service-worker-messages.ts';
import type { Asked } from './tabs.ts';

export interface ServiceWorkerOptions {
  /** The service worker's module, on the page's own origin; missing: `service-worker.js` beside the library. */
  readonly script?: string | URL;
  /** Pages below it are served; missing: those beside and below this one. */
  readonly scope?: string;
}

/** What a page has of these; the types here are a worker's. */
interface Container extends EventTarget {
  readonly controller: { postMessage(message: unknown): void } | null;
  register(url: URL, options: { readonly type: 'module'; readonly scope: string }): Promise<unknown>;
  startMessages(): void;
}

type Fetch = (asked: AskedRequest) => Promise<Response>;

/** Answers until `release` is called. Rejects when the browser refuses the service worker, with what may be done. */
export async function answerServiceWorker(
  path: string,
  { script = new URL('./service-worker.js', import.meta.url), scope = './' }: ServiceWorkerOptions,
  fetch: Fetch,
): Promise<{ release(): void }> {
  const container = (navigator as unknown as { readonly serviceWorker?: Container }).serviceWorker;
  if (container === undefined) throw new Error('This page may have no service worker: it needs https, or localhost.');
  if (!path.startsWith('/') || !path.endsWith('/'))
    throw new TypeError(`"${path}" does not begin and end with a slash.`);
  const lock = ownLock('page');
  await lock.held;
  const listener = ({ data, ports: [port] }: MessageEvent<Find>): void => {
    if (data?.kind !== 'arcwise-find' || data.path !== path || port === undefined) return;
    serve(port, data, fetch);
    port.postMessage({ kind: 'here', lock: lock.name } satisfies Here);
  };
  const release = (): void => {
    container.removeEventListener('message', listener as EventListener);
    lock.release();
  };
  container.addEventListener('message', listener as EventListener);
  container.startMessages();
  try {
    await controlled(container, path, script, scope);
  } catch (error) {
    release();
    throw error;
  }
  container.controller?.postMessage(serving);
  return { release };
}

/** Resolves when this page's requests go through the service worker. */
async function controlled(container: Container, path: string, script: string | URL, scope: string): Promise<void> {
  const place = location as unknown as { readonly href: string };
  const url = new URL(script, place.href);
  url.searchParams.set(pathParameter, path);
  try {
    await container.register(url, { type: 'module', scope });
  } catch (error) {
    const why = (error as Error).message;
    throw new Error(
      `The browser refuses the service worker ${url.pathname} with the scope "${scope}": ${why} A script serves pages beside and below itself: ` +
        `serve a module above the pages that imports it, or answer it with the header service-worker-allowed.`,
    );
  }
  while (container.controller === null) {
    await new Promise((resolve) => container.addEventListener('controllerchange', resolve, { once: true }));
  }
}

function serve(port: MessagePort, { lock }: Find, fetch: Fetch): void {
  const answer = (request: Request): Promise<Response> => {
    const { method, url, headers, signal } = request;
    const blocks = bodyOf(request);
    return fetch({ method, url, headers: [...headers], body: blocks === null ? null : streamOf(blocks), signal });
  };
  const engine = new EnginePort(answer, (message, transfer = []) => port.postMessage(message, transfer));
  port.onmessage = ({ data }: MessageEvent<Asked>) => engine.receive(data);
  void gone(lock).then(() => {
    engine.end();
    port.close();
  });
}

function streamOf(blocks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const source = blocks[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await source.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await source.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
