// Requests of the service's own, over pools that are not the process's: a provider that is slow to answer holds no connection of others, also
// where two of them are one host, and has all the time that its caller gives it.

import { Agent, fetch as fetchOver } from 'undici';

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
  const agentOf = (name: string): Agent => {
    // No time-outs of the pool's own: each call has a deadline.
    const agent = pools.get(name) ?? new Agent({ connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
    pools.set(name, agent);
    return agent;
  };
  const pool: OutboundFetches['pool'] = (name) => {
    const fetch = (input: unknown, init: object = {}) =>
      fetchOver(input as string, { ...init, dispatcher: agentOf(name) });
    return fetch as unknown as typeof globalThis.fetch;
  };
  const close = async (): Promise<void> => {
    await Promise.all(Array.from(pools.values(), (agent) => agent.destroy()));
  };
  return { pool, close };
}
