// What the service's thread and the thread that delivers change feeds say to each other, and the gate both keep in shared memory in
// front of each socket. Messages arrive in the order they were sent; that is what makes a subscription's start exact.

import type { FeedSettings } from '../../src/engine/feed/feed.ts';
import type { ChangeFilter } from '../../src/engine/feed/filter.ts';
import type { FeedBatch } from '../../src/engine/feed/mirror.ts';

/** Numbers name feeds and subscribers for as long as the thread lives; none is used twice. */
export type ToDelivery =
  | { readonly kind: 'open'; readonly feed: number; readonly epoch: string; readonly settings: FeedSettings }
  | { readonly kind: 'batch'; readonly feed: number; readonly batch: FeedBatch }
  /** Ends its streams and forgets it. */
  | { readonly kind: 'close'; readonly feed: number }
  | {
      readonly kind: 'subscribe';
      readonly feed: number;
      readonly subscriber: number;
      readonly filter: ChangeFilter;
      readonly since: string;
      readonly settings: FeedSettings;
    }
  | { readonly kind: 'attach'; readonly subscriber: number; readonly socket: SharedSocket }
  | { readonly kind: 'leave'; readonly subscriber: number };

/** A subscriber's stream is over. `complete`: all of it is on the socket, which may go on with whatever follows. */
export interface FromDelivery {
  readonly kind: 'ended';
  readonly subscriber: number;
  readonly complete: boolean;
}

/** A socket of the service's thread that the other one may write to. */
export interface SharedSocket {
  readonly descriptor: number;
  readonly gate: Int32Array;
  /** Whether each piece is a chunk of HTTP/1.1; otherwise the body ends with the connection. */
  readonly chunked: boolean;
}

/**
 * States of a gate. A descriptor's number belongs to the next connection as soon as it is closed, so it may only be closed while
 * nobody writes: `open` becomes `writing` and `open` again by the thread that delivers, and `shut` by the one that owns the socket.
 */
export const gateOpen = 0;
export const gateWriting = 1;
export const gateShut = 2;
