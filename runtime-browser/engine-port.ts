// The engine's side of one channel: takes requests out of messages, asks the service, and sends answers back.

import type { Handler } from '../src/http/handler.ts';
import { IncomingBody, OutgoingBody } from './body-flow.ts';
import { type FlowMessage, type FromEngine, failureOf, type Post, type ToEngine } from './messages.ts';
import { wholeAnswers } from './whole-answers.ts';

type RequestMessage = Extract<ToEngine, { kind: 'request' }>;

/** One request under way. */
interface Exchange {
  readonly abort: AbortController;
  /** Null: the request came whole. */
  readonly incoming: IncomingBody | null;
  /** Null until an answer is sent in blocks. */
  outgoing: OutgoingBody | null;
}

export class EnginePort {
  private readonly exchanges = new Map<number, Exchange>();
  private readonly answer: Handler;
  private readonly post: Post<FromEngine>;

  constructor(answer: Handler, post: Post<FromEngine>) {
    this.answer = answer;
    this.post = post;
  }

  receive(message: RequestMessage | FlowMessage | Extract<ToEngine, { kind: 'abort' }>): void {
    if (message.kind === 'request') {
      void this.serve(message);
      return;
    }
    const exchange = this.exchanges.get(message.id);
    if (exchange === undefined) return;
    switch (message.kind) {
      case 'block':
        exchange.incoming?.block(message.bytes);
        break;
      case 'end':
        exchange.incoming?.end();
        break;
      case 'broken':
        exchange.incoming?.fail(new Error(message.message));
        break;
      case 'credit':
        exchange.outgoing?.grant(message.bytes);
        break;
      case 'abort':
        giveUp(exchange);
        break;
    }
  }

  /** Nobody is there any more: what is under way is given up. */
  end(): void {
    for (const exchange of this.exchanges.values()) giveUp(exchange);
  }

  /** Never rejects: what goes wrong is told to the other side. */
  private async serve(message: RequestMessage): Promise<void> {
    const { id } = message;
    const flow: Post<FlowMessage> = this.post;
    const incoming = message.body.kind === 'blocks' ? new IncomingBody(id, flow, () => {}) : null;
    const exchange: Exchange = { abort: new AbortController(), incoming, outgoing: null };
    this.exchanges.set(id, exchange);
    try {
      const response = await this.answer(requestOf(message, incoming, exchange.abort.signal));
      const { status, statusText } = response;
      const body = wholeAnswers.bodyOf(response);
      if (response.body !== null) exchange.outgoing = new OutgoingBody(id, response.body, flow);
      this.post({ kind: 'answer', id, status, statusText, headers: [...response.headers], body });
      if (exchange.abort.signal.aborted) exchange.outgoing?.stop();
      await exchange.outgoing?.send();
    } catch (error) {
      this.post({ kind: 'failed', id, failure: failureOf(error) });
    } finally {
      this.exchanges.delete(id);
    }
  }
}

function giveUp({ abort, incoming, outgoing }: Exchange): void {
  abort.abort();
  incoming?.fail(new DOMException('The request was given up.', 'AbortError'));
  outgoing?.stop();
}

function requestOf({ method, url, headers, body }: RequestMessage, incoming: IncomingBody | null, signal: AbortSignal) {
  const request = new Request(url, { method, headers: headers as [string, string][], signal });
  if (body.kind === 'whole') givenBodies.set(request, oneBlock(body.content));
  else if (incoming !== null) givenBodies.set(request, incoming.blocks());
  return request;
}

const givenBodies = new WeakMap<Request, AsyncIterable<Uint8Array>>();

/** The body that came beside a request; null when it has none. Requests are made without one, because not every browser streams them. */
export function bodyOf(request: Request): AsyncIterable<Uint8Array> | null {
  return givenBodies.get(request) ?? null;
}

async function* oneBlock(content: Uint8Array | string): AsyncIterable<Uint8Array> {
  yield typeof content === 'string' ? new TextEncoder().encode(content) : content;
}
