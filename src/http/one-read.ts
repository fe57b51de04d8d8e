// The answer to a read of one element or of its edges. One that is long is made by another thread: a text of thirty megabytes, or the ids of
// a million edges, would hold up everybody else.

import type { OneRead } from '../engine/jobs/one-read.ts';
import type { Exchange } from './exchange.ts';

/** 204 where there is nothing to read. */
export function answerRead(exchange: Exchange, read: OneRead): Response | Promise<Response> {
  const json = exchange.graph.reads.short(read);
  if (json === undefined) return answerLong(exchange, read);
  return json === null ? exchange.empty(204) : exchange.json(json);
}

async function answerLong(exchange: Exchange, read: OneRead): Promise<Response> {
  const body = await exchange.graph.reads.long(read, exchange.request.signal);
  return body === null ? exchange.empty(204) : exchange.jsonBody(body);
}
