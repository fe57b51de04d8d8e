// A provider of models as a real HTTP server that answers as it is told: the n-th request of a path gets the n-th answer of its script, the
// last one again and again. What it was sent is kept. A page of any origin may ask it.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every protocol
  readonly body: any;
}

export type Reply = (response: ServerResponse, received: Received) => void;

export interface FakeProvider {
  readonly origin: string;
  readonly received: Received[];
  /** Requests whose client went away before their answer had ended. */
  abandoned: number;
  /** What `path` answers from now on. */
  on(path: string, ...replies: readonly Reply[]): void;
  close(): Promise<void>;
}

export async function startProvider(): Promise<FakeProvider> {
  const scripts = new Map<string, Reply[]>();
  const received: Received[] = [];
  const server = createServer((request, response) => {
    if (allowPages(request, response)) return;
    let text = '';
    request.on('data', (block) => {
      text += block;
    });
    response.on('close', () => {
      if (!response.writableFinished) provider.abandoned++;
    });
    request.on('end', () => {
      const path = request.url ?? '';
      const isJson = request.headers['content-type']?.includes('json') === true;
      const body = isJson && text !== '' ? JSON.parse(text) : text;
      const one = { method: request.method ?? '', path, headers: request.headers, body };
      received.push(one);
      const script = scripts.get(path) ?? [];
      const reply = script.length > 1 ? script.shift() : script[0];
      (reply ?? status(404, { error: 'no script' }))(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const provider: FakeProvider = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    abandoned: 0,
    on: (path, ...replies) => void scripts.set(path, [...replies]),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
  return provider;
}

/** Lets every page read the answers; a browser's question whether it may ask is answered here, and true. */
export function allowPages(request: IncomingMessage, response: ServerResponse): boolean {
  const wanted = request.headers['access-control-request-headers'];
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-expose-headers', '*');
  if (request.method !== 'OPTIONS') return false;
  if (wanted !== undefined) response.setHeader('access-control-allow-headers', wanted);
  response.setHeader('access-control-allow-methods', 'GET, POST, PUT, DELETE');
  response.writeHead(204).end();
  return true;
}

export function json(body: unknown): Reply {
  return status(200, body);
}

export function status(code: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return (response) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** Blocks one after the other; `end` false: the rest never comes, `'cut'`: the connection breaks. */
export function stream(contentType: string, blocks: readonly string[], end: boolean | 'cut' = true): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': contentType });
    let next = 0;
    const send = (): void => {
      const block = blocks[next++];
      if (block !== undefined) response.write(block, () => setImmediate(send));
      else if (end === true) response.end();
      else if (end === 'cut') response.destroy();
    };
    send();
  };
}

/** Server-sent events, each a JSON text. */
export function events(list: readonly (object | string)[], end: boolean | 'cut' = true): Reply {
  const blocks = list.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
  return stream('text/event-stream', blocks, end);
}

/** One JSON text a line. */
export function lines(list: readonly object[], end: boolean | 'cut' = true): Reply {
  return stream(
    'application/x-ndjson',
    list.map((line) => `${JSON.stringify(line)}\n`),
    end,
  );
}

export const never: Reply = () => {};
