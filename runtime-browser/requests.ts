// What callers of `arcwise.fetch` hand in, as the channel takes it.

import type { Body, HeaderList } from './messages.ts';

/** Paths are relative to this; nothing is ever sent there. */
const base = 'http://arcwise.invalid/';

export interface AskedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: HeaderList;
  readonly body: ReadableStream<Uint8Array> | Uint8Array | null;
  readonly signal: AbortSignal | null;
}

/** As `new Request` takes them, with paths such as `/vertex/count`, and streams as bodies in every browser. Rejects with TypeError. */
export async function askedRequest(input: Request | URL | string, init: RequestInit = {}): Promise<AskedRequest> {
  const { body: given, signal: givenSignal, ...rest } = init;
  const streamed = given instanceof ReadableStream;
  const source = input instanceof Request ? input : new URL(input, base);
  const request = new Request(source, given === undefined || streamed ? rest : { ...rest, body: given });
  const { method, url } = request;
  const body = streamed ? (given as ReadableStream<Uint8Array>) : await bodyOf(request, input instanceof Request);
  const signal = givenSignal === undefined ? (input instanceof Request ? input.signal : null) : givenSignal;
  return { method, url, headers: [...request.headers], body, signal };
}

/** A body that the caller wrote down is there already and travels whole; that of a `Request` streams where browsers let it. */
async function bodyOf(request: Request, mayStream: boolean): Promise<AskedRequest['body']> {
  if (request.method === 'GET' || request.method === 'HEAD' || request.body === null) return null;
  if (mayStream && request.body !== undefined) return request.body;
  return new Uint8Array(await request.arrayBuffer());
}

export function sentBody(body: AskedRequest['body']): Body {
  if (body === null) return { kind: 'none' };
  return body instanceof ReadableStream ? { kind: 'blocks' } : { kind: 'whole', content: body };
}
