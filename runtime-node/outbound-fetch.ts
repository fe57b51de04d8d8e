// Requests of the service's own, over pools that are not the process's: a provider that is slow to answer holds no connection of others, also
// where two of them are one host, and has all the time that its caller gives it. What sends them is loaded with the first of them: most
// services never send one, and it is a tenth of what a start loads.

import type { Agent } from 'undici';

/** Connections of one pool to one host. */
const connections = 64;

export interface OutboundFetches {
  /** Requests over the pool of that name, which is made with its first use. */
  pool(name: string): typeof globalThis.fetch;
  /** Ends the connections of all pools, idle or not. */
  close(): Promise<void>;
}

export function outboundFetches(): OutboundFetches {
  const pools = new Map<string, Agent>();
  const pool: OutboundFetches['pool'] = (name) => {
    const fetch = async (input: unknown, init: object = {}) => {
      const undici = await import('undici');
      // No time-outs of the pool's own: each call has a deadline.
      const limits = { connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 };
      const dispatcher = pools.get(name) ?? new undici.Agent(limits);
      pools.set(name, dispatcher);
      return undici.fetch(input as string, { ...init, dispatcher });
    };
    return fetch as unknown as typeof globalThis.fetch;
  };
  const close = async (): Promise<void> => {
    await Promise.all(Array.from(pools.values(), (agent) => agent.destroy()));
  };
  return { pool, close };
}
