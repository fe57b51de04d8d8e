// The engine's side of one channel: takes requests out of messages, asks the service, and sends answers back.

import type { Handler } from '../src/http/handler.ts';
import { IncomingBody, OutgoingBody } from './body-flow.ts';
import { type FlowMessage, type FromEngine, failureOf, type HeaderList, type Post, type ToEngine } from './messages.ts';
import { partsOf } from './port-answers.ts';

type RequestMessage = Extract<ToEngine, { kind: 'request' }>;

/** One request under way. */
interface Exchange {
  readonly abort: LazyAbort;
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
    const exchange: Exchange = { abort: new LazyAbort(), incoming, outgoing: null };
    this.exchanges.set(id, exchange);
    try {
      const request = new PortRequest(message, incoming, exchange.abort);
      const response = await this.answer(request as unknown as Request);
      const { status, statusText } = response;
      const { headers, body, stream } = partsOf(response);
      if (stream !== null) exchange.outgoing = new OutgoingBody(id, stream, flow);
      this.post({ kind: 'answer', id, status, statusText, headers, body });
      if (exchange.abort.isAborted) exchange.outgoing?.stop();
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

/**
 * What a service reads of a request, without the 0.1 ms that the browser takes to make one of its own with a signal. The rest is made when it is
 * asked for.
 */
class PortRequest {
  readonly method: string;
  readonly url: string;
  readonly blocks: AsyncIterable<Uint8Array> | null;
  private readonly list: HeaderList;
  private readonly abort: LazyAbort;
  private made: Headers | null = null;

  constructor({ method, url, headers, body }: RequestMessage, incoming: IncomingBody | null, abort: LazyAbort) {
    this.method = method;
    this.url = url;
    this.list = headers;
    this.abort = abort;
    this.blocks = body.kind === 'whole' ? oneBlock(body.content) : (incoming?.blocks() ?? null);
  }

  get headers(): Headers {
    this.made ??= new Headers(this.list as [string, string][]);
    return this.made;
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }
}

/** A controller that is made when somebody asks for its signal. */
class LazyAbort {
  isAborted = false;
  private controller: AbortController | null = null;

  get signal(): AbortSignal {
    if (this.controller === null) {
      this.controller = new AbortController();
      if (this.isAborted) this.controller.abort();
    }
    return this.controller.signal;
  }

  abort(): void {
    this.isAborted = true;
    this.controller?.abort();
  }
}

/** The body that came beside a request; null when it has none. Requests are made without one, because not every browser streams them. */
export function bodyOf(request: Request): AsyncIterable<Uint8Array> | null {
  return request instanceof PortRequest ? request.blocks : null;
}

async function* oneBlock(content: Uint8Array | string): AsyncIterable<Uint8Array> {
  yield typeof content === 'string' ? new TextEncoder().encode(content) : content;
}
