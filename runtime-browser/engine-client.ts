// The page's side of the channel: numbers requests, waits for answers, gives bodies on as they come.

import { IncomingBody, OutgoingBody } from './body-flow.ts';
import { errorOf, type FlowMessage, type FromEngine, type Post, type ToEngine } from './messages.ts';
import { type AskedRequest, sentBody, transferOf } from './requests.ts';

type AnswerMessage = Extract<FromEngine, { kind: 'answer' }>;

/** One request whose answer is not complete. */
interface Exchange {
  readonly resolve: (response: Response) => void;
  readonly reject: (reason: unknown) => void;
  /** Takes the listener off the caller's signal. */
  readonly release: () => void;
  outgoing: OutgoingBody | null;
  incoming: IncomingBody | null;
}

export class EngineClient {
  private readonly exchanges = new Map<number, Exchange>();
  private readonly post: Post<ToEngine>;
  private nextId = 1;
  private ended: Error | null = null;

  constructor(post: Post<ToEngine>) {
    this.post = post;
  }

  /** Rejects with the signal's reason once it is aborted, or with why the engine is gone. */
  fetch({ method, url, headers, body, areMovable = false, signal }: AskedRequest): Promise<Response> {
    if (this.ended !== null) return Promise.reject(this.ended);
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      const onAbort = (): void => this.giveUp(id, signal?.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
      const release = (): void => signal?.removeEventListener('abort', onAbort);
      const exchange: Exchange = { resolve, reject, release, outgoing: null, incoming: null };
      this.exchanges.set(id, exchange);
      this.post({ kind: 'request', id, method, url, headers, body: sentBody(body) }, transferOf(body));
      if (!(body instanceof ReadableStream)) return;
      exchange.outgoing = new OutgoingBody(id, body, this.post as Post<FlowMessage>, areMovable);
      void exchange.outgoing.send();
    });
  }

  receive(message: Extract<FromEngine, { readonly id: number }>): void {
    const exchange = this.exchanges.get(message.id);
    if (exchange === undefined) return;
    switch (message.kind) {
      case 'answer':
        this.answered(exchange, message);
        break;
      case 'failed':
        this.drop(message.id)?.reject(errorOf(message.failure));
        break;
      case 'block':
        exchange.incoming?.block(message.bytes);
        break;
      case 'end':
        this.drop(message.id)?.incoming?.end();
        break;
      case 'broken':
        this.drop(message.id)?.incoming?.fail(new TypeError(message.message));
        break;
      case 'credit':
        exchange.outgoing?.grant(message.bytes);
        break;
    }
  }

  /** No answer comes any more: everything that waits is told `error`, and so is every request from here on. */
  end(error: Error): void {
    this.ended ??= error;
    for (const id of [...this.exchanges.keys()]) {
      const exchange = this.drop(id);
      exchange?.reject(error);
      exchange?.incoming?.fail(error);
    }
  }

  private answered(exchange: Exchange, { id, status, statusText, headers, body }: AnswerMessage): void {
    const init = { status, statusText, headers: headers as [string, string][] };
    if (body.kind === 'blocks') {
      exchange.incoming = new IncomingBody(id, this.post as Post<FlowMessage>, () => this.giveUp(id, undefined));
      exchange.resolve(new Response(exchange.incoming.stream, init));
      return;
    }
    this.drop(id);
    exchange.resolve(new Response(body.kind === 'whole' ? (body.content as BodyInit) : null, init));
  }

  /** A fetch that waits rejects with `reason`, and so does the rest of a body. */
  private giveUp(id: number, reason: unknown): void {
    const exchange = this.drop(id);
    if (exchange === undefined) return;
    this.post({ kind: 'abort', id });
    exchange.reject(reason);
    exchange.incoming?.fail(reason instanceof Error ? reason : new DOMException('Given up.', 'AbortError'));
  }

  /** Forgets an exchange that is over; the rest of its request's body is not sent. */
  private drop(id: number): Exchange | undefined {
    const exchange = this.exchanges.get(id);
    if (exchange === undefined) return undefined;
    this.exchanges.delete(id);
    exchange.release();
    exchange.outgoing?.stop();
    return exchange;
  }
}
