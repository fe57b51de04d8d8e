// The service worker that answers plain `fetch` and `EventSource` of every tab below one path, by the engine of a tab that has one. It keeps
// nothing: a browser stops it whenever it likes, and the next request finds a tab anew.

import { EngineClient } from './engine-client.ts';
import { EndedStreams, EventPosition } from './event-positions.ts';
import { gone, ownLock } from './locks.ts';
import type { FromEngine } from './messages.ts';
import type { AskedRequest } from './requests.ts';
import { type Find, type Here, pathParameter, serving, streamParameter } from './service-worker-messages.ts';

const scope = self as unknown as ServiceWorkerGlobalScope;
const path = new URL(scope.location.href).searchParams.get(pathParameter) ?? '/api/';
const lock = ownLock('worker');

/**
 * How long a stream of events is kept open. A browser stops a service worker whose event has lasted five minutes, and an EventSource whose
 * connection breaks with its service worker is closed for good; one whose stream ends connects again.
 */
const streamMs = Number(new URL(scope.location.href).searchParams.get(streamParameter) ?? 240_000);

/** How long a request waits for a tab that has an engine. */
const findMs = 5_000;

const eventStream = 'text/event-stream';
const lastEventId = 'last-event-id';

const ended = new EndedStreams();
let engine: Promise<EngineClient> | null = null;
/** Called when a tab may have come that answers. */
let lookAgain: (() => void)[] = [];

scope.addEventListener('install', () => void scope.skipWaiting());
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()));
scope.addEventListener('message', ({ data }) => {
  if (data === serving) for (const look of lookAgain.splice(0)) look();
});
scope.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== scope.location.origin || !url.pathname.startsWith(path)) return;
  let over = (): void => {};
  // A worker without an event is stopped, and the rest of a body with it.
  event.waitUntil(
    new Promise<void>((resolve) => {
      over = resolve;
    }),
  );
  event.respondWith(answer(event.request, event.clientId, url, over));
});

async function answer(request: Request, clientId: string, url: URL, over: () => void): Promise<Response> {
  const listens = request.headers.get('accept')?.includes(eventStream) === true;
  const listener = `${clientId} ${url.href}`;
  const behind = listens ? (request.headers.get(lastEventId) ?? ended.take(listener)) : null;
  try {
    const found = await (await engineOf()).fetch(await asked(request, url, behind));
    if (found.headers.get('content-type')?.startsWith(eventStream) !== true) return withEnd(found, over);
    const position = new EventPosition(behind ?? found.headers.get('x-changefeed-head'));
    const remember = (): void => ended.put(listener, listens ? position.last : null);
    return new Response(rotated(found.body, position, remember, over), { headers: found.headers });
  } catch (error) {
    over();
    // What listens to events is never told a status: it would not ask again. It is told a stream that has ended.
    if (listens) {
      ended.put(listener, behind);
      return new Response('retry: 1000\n\n', { headers: { 'content-type': eventStream } });
    }
    if (!(error instanceof NoEngine)) return Response.error();
    const problem = { title: 'No engine', status: 503, detail: error.message };
    return Response.json(problem, { status: 503, headers: { 'content-type': 'application/problem+json' } });
  }
}

/** `behind`: the position that a listener who connects again goes on behind. */
async function asked(request: Request, url: URL, behind: string | null): Promise<AskedRequest> {
  const { method, headers, signal } = request;
  const rest = url.pathname.slice(path.length);
  const search = new URLSearchParams(url.search);
  if (behind !== null) search.set('since', behind);
  const query = search.size > 0 ? `?${search}` : '';
  const none = method === 'GET' || method === 'HEAD';
  // Firefox has no stream of a request's body.
  const streamed = (request as { body?: ReadableStream<Uint8Array> | null }).body;
  const body = none ? null : streamed === undefined ? new Uint8Array(await request.arrayBuffer()) : streamed;
  return {
    method,
    url: `http://arcwise.invalid/${rest}${behind === null ? url.search : query}`,
    headers: [...headers],
    body,
    signal,
  };
}

/** The same answer; `over` is called when its body has ended, whichever way. */
function withEnd(found: Response, over: () => void): Response {
  const { status, statusText, headers, body } = found;
  if (body === null) {
    over();
    return found;
  }
  const stream = passedOn(body.getReader(), over, (controller, error) => controller.error(error));
  return new Response(stream, { status, statusText, headers });
}

/** A stream of events that ends after its time, and where the tab that sent it is gone: whoever listens connects again. */
function rotated(
  body: Response['body'],
  position: EventPosition,
  remember: () => void,
  over: () => void,
): ReadableStream<Uint8Array> | null {
  if (body === null) {
    over();
    return null;
  }
  const reader = body.getReader();
  const timer = setTimeout(() => void reader.cancel(), streamMs);
  const end = (isLeft = false): void => {
    clearTimeout(timer);
    if (!isLeft) remember();
    over();
  };
  return passedOn(
    reader,
    end,
    (controller) => controller.close(),
    (block) => position.passed(block),
  );
}

function passedOn(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  over: (isLeft?: boolean) => void,
  failed: (controller: ReadableStreamDefaultController<Uint8Array>, error: unknown) => void,
  passing: (block: Uint8Array) => void = () => {},
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          passing(value);
          controller.enqueue(value);
          return;
        }
        controller.close();
      } catch (error) {
        failed(controller, error);
      }
      over();
    },
    async cancel(reason) {
      over(true);
      await reader.cancel(reason);
    },
  });
}

class NoEngine extends Error {}

function engineOf(): Promise<EngineClient> {
  engine ??= find().catch((error: unknown) => {
    engine = null;
    throw error;
  });
  return engine;
}

/** The first tab that says it answers. */
async function find(): Promise<EngineClient> {
  await lock.held;
  const found = askAll();
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new NoEngine('No tab has a graph open that answers here.')), findMs);
  });
  return Promise.race([found, late]);
}

function askAll(): Promise<EngineClient> {
  return new Promise((resolve) => {
    const look = async (): Promise<void> => {
      lookAgain.push(() => void look());
      const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
      for (const page of pages) {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }: MessageEvent<Here>) => resolve(clientOf(port1, data));
        page.postMessage({ kind: 'arcwise-find', path, lock: lock.name } satisfies Find, [port2]);
      }
    };
    void look();
  });
}

function clientOf(port: MessagePort, here: Here): EngineClient {
  lookAgain = [];
  const client = new EngineClient((message, transfer = []) => port.postMessage(message, transfer));
  port.onmessage = ({ data }: MessageEvent<Extract<FromEngine, { id: number }>>) => client.receive(data);
  void gone(here.lock).then(() => {
    engine = null;
    client.end(new Error('The tab that answered is gone.'));
    port.close();
  });
  return client;
}
