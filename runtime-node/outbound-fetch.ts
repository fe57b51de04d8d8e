// Requests of the service's own, over a pool that is not the process's: a provider that is slow to answer holds no connection of others,
// and has all the time that its caller gives it.

import { Agent, fetch as fetchOver } from 'undici';

/** Connections to one host. */
const connections = 64;

export interface OutboundFetch {
  readonly fetch: typeof globalThis.fetch;
  /** Ends the pool's connections, idle or not. */
  close(): Promise<void>;
}

export function outboundFetch(): OutboundFetch {
  // No time-outs of the pool's own: each call has a deadline.
  const dispatcher = new Agent({ connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
  const fetch = (input: unknown, init: object = {}) => fetchOver(input as string, { ...init, dispatcher });
  return { fetch: fetch as unknown as typeof globalThis.fetch, close: () => dispatcher.destroy() };
}
