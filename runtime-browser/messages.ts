// What a page and the worker of its engine tell each other: one tagged union each way. A request has a number that its side of the
// channel chose. Bodies travel whole when their sender has them whole, else as blocks under credit: the sender may be `windowBytes`
// ahead of what was taken, and the taker grants what it took. A message about a number that is over is dropped.

import type { SettingValues } from '../src/settings-of.ts';

/** Bytes of a body that may be on their way and not taken yet. One block more may go beyond it. */
export const windowBytes = 1 << 20;

/** How a body comes. `whole`: with the message itself. */
export type Body =
  | { readonly kind: 'none' }
  | { readonly kind: 'whole'; readonly content: Uint8Array | string }
  | { readonly kind: 'blocks' };

/** A body on its way; both sides send these about a request's number. */
export type FlowMessage =
  | { readonly kind: 'block'; readonly id: number; readonly bytes: Uint8Array }
  | { readonly kind: 'end'; readonly id: number }
  | { readonly kind: 'broken'; readonly id: number; readonly message: string }
  /** The other side took so many bytes of what this one sends. */
  | { readonly kind: 'credit'; readonly id: number; readonly bytes: number };

export type HeaderList = readonly (readonly [name: string, value: string])[];

export type ToEngine =
  | FlowMessage
  /** The first message; answered by `opened` or `refused`. */
  | { readonly kind: 'open'; readonly store: string; readonly settings: SettingValues }
  /** Behind `open`, once: the page compiles the core while the worker starts. */
  | { readonly kind: 'core'; readonly module: WebAssembly.Module }
  | {
      readonly kind: 'request';
      readonly id: number;
      readonly method: string;
      readonly url: string;
      readonly headers: HeaderList;
      readonly body: Body;
    }
  /** Nobody waits for this answer, or for the rest of it. */
  | { readonly kind: 'abort'; readonly id: number }
  /** The last message; answered by `closed`. */
  | { readonly kind: 'close' };

export type FromEngine =
  | FlowMessage
  | { readonly kind: 'opened' }
  | { readonly kind: 'refused'; readonly failure: Failure }
  | {
      readonly kind: 'answer';
      readonly id: number;
      readonly status: number;
      readonly statusText: string;
      readonly headers: HeaderList;
      readonly body: Body;
    }
  /** There is no answer: the engine threw. */
  | { readonly kind: 'failed'; readonly id: number; readonly failure: Failure }
  /** `failure`: the first thing that could not be closed; null when all could. */
  | { readonly kind: 'closed'; readonly failure: Failure | null };

/** An error as it crosses. */
export interface Failure {
  readonly name: string;
  readonly message: string;
}

export function failureOf(error: unknown): Failure {
  if (error instanceof Error) return { name: error.name, message: error.message };
  return { name: 'Error', message: String(error) };
}

export function errorOf({ name, message }: Failure): Error {
  const error = new Error(message);
  error.name = name;
  return error;
}

/** Sends a message to the other side; buffers in `transfer` go with it and are gone here. */
export type Post<Message> = (message: Message, transfer?: Transferable[]) => void;
