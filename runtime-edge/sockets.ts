// The change feed over WebSockets that outlive their object's memory. While nothing is committed a socket holds no timer and no stream: its
// namespace and position stand at the socket itself (`serializeAttachment`), so the runtime may take the object out of memory. Whatever
// commits wakes the object first, so nothing can have happened meanwhile, and a socket goes on at the head of the new feed.
//
// Each message is one event: {"id": "<epoch>:<number>", "event": kind, "data": {...}}, as the frames of server-sent events have it.

import type { ChangeFeed, FeedPlace } from '../src/engine/feed/feed.ts';
import { type ChangeFilter, parseFilter } from '../src/engine/feed/filter.ts';
import { defaultNamespace } from '../src/engine/names.ts';
import type { ArcwiseService } from '../src/service.ts';
import type { KeptSocket, ObjectState } from './platform.ts';
import { problem } from './problems.ts';

declare const WebSocketPair: new () => { readonly 0: KeptSocket; readonly 1: KeptSocket };

/** What stands at a socket. */
interface Attached {
  readonly namespace: string;
  /** The query that has the filter. */
  readonly query: string;
}

interface Subscription {
  readonly socket: KeptSocket;
  readonly filter: ChangeFilter;
  readonly feed: ChangeFeed;
  position: string;
  place: FeedPlace | null;
}

export function isSocketRequest(request: Request): boolean {
  return request.method === 'GET' && request.headers.get('upgrade')?.toLowerCase() === 'websocket';
}

export class FeedSockets {
  private readonly state: ObjectState;
  private readonly service: ArcwiseService;
  private readonly subscriptions = new Map<KeptSocket, Subscription>();
  private delivering: Promise<void> | null = null;
  private published = false;

  constructor(state: ObjectState, service: ArcwiseService) {
    this.state = state;
    this.service = service;
  }

  /** Takes up the sockets that an earlier instance of the object has accepted. */
  resume(): void {
    for (const socket of this.state.getWebSockets()) {
      const { namespace, query } = socket.deserializeAttachment() as Attached;
      if (!this.subscribe(socket, { namespace, query }, null)) socket.close(1011, 'The change feed has ended.');
    }
  }

  /** Asks what a plain request would be answered; where that is the feed, the socket takes its place. */
  async accept(request: Request): Promise<Response> {
    const headers = new Headers(request.headers);
    headers.delete('upgrade');
    const asked = await this.service.fetch(new Request(request.url, { headers }));
    if (asked.status !== 200 || asked.headers.get('content-type')?.startsWith('text/event-stream') !== true)
      return asked;
    await asked.body?.cancel();
    const { pathname, searchParams } = new URL(request.url);
    const encoded = /^\/ns\/([^/]+)\//.exec(pathname)?.[1];
    const attached: Attached = {
      namespace: encoded === undefined ? defaultNamespace : decodeURIComponent(encoded),
      query: searchParams.toString(),
    };
    const pair = new WebSocketPair();
    this.state.acceptWebSocket(pair[1]);
    const since = searchParams.get('since') || request.headers.get('last-event-id');
    if (!this.subscribe(pair[1], attached, since)) {
      pair[1].close(1013, 'The change feed has no place.');
      return problem(503, 'Subscriber limit reached', 'The change feed has no place for another subscriber.');
    }
    pair[1].serializeAttachment(attached);
    if (since) this.wake();
    return new Response(null, { status: 101, webSocket: pair[0] } as ResponseInit);
  }

  closed(socket: KeptSocket): void {
    this.subscriptions.get(socket)?.place?.release();
    this.subscriptions.delete(socket);
  }

  /** Ends every socket: the namespace is gone. */
  end(): void {
    for (const socket of [...this.subscriptions.keys()]) {
      this.closed(socket);
      socket.close(1001, 'The change feed has ended.');
    }
  }

  /** Resolves when everything that was published so far has been sent. */
  async settled(): Promise<void> {
    while (this.delivering !== null) await this.delivering;
  }

  /** `since`: null for the head. False: there is no such feed, or no place. */
  private subscribe(socket: KeptSocket, { namespace, query }: Attached, since: string | null): boolean {
    const feed = this.service.engine.find(namespace)?.graph?.changeFeed;
    const filter = parseFilter(new URLSearchParams(query));
    if (feed === undefined || !filter.ok) return false;
    const reserved = feed.reserve({ filter: filter.filter, since });
    if (!reserved.ok) return false;
    const { place } = reserved;
    this.subscriptions.set(socket, { socket, filter: filter.filter, feed, position: place.since, place });
    this.listen(feed);
    return true;
  }

  private listen(feed: ChangeFeed): void {
    feed.relayTo({ published: () => this.wake(), pressed: () => {}, closed: () => this.left(feed) });
  }

  private left(feed: ChangeFeed): void {
    for (const [socket, subscription] of [...this.subscriptions]) {
      if (subscription.feed !== feed) continue;
      this.closed(socket);
      socket.close(1001, 'The change feed has ended.');
    }
  }

  /** Called while a transaction is published: the rest happens in a later turn. */
  private wake(): void {
    this.published = true;
    this.delivering ??= this.deliver().finally(() => {
      this.delivering = null;
    });
    this.state.waitUntil(this.delivering);
  }

  private async deliver(): Promise<void> {
    while (this.published) {
      await turn();
      this.published = false;
      const feeds = new Set([...this.subscriptions.values()].map(({ feed }) => feed));
      for (const subscription of [...this.subscriptions.values()]) await this.send(subscription);
      for (const feed of feeds) this.listen(feed); // nothing is kept for this listener
    }
  }

  /** Everything behind the position, by a stream that is left as soon as it has no more. */
  private async send(subscription: Subscription): Promise<void> {
    const { feed, filter, socket } = subscription;
    const upTo = feed.newest;
    subscription.place?.release(); // the stream takes the same place
    const stream = feed.subscribe({ filter, since: subscription.position });
    if (!stream.ok) return this.left(feed);
    const reader = stream.stream.getReader();
    const decoder = new TextDecoder();
    try {
      for (let next = await soon(reader.read()); next !== null && !next.done; next = await soon(reader.read()))
        for (const message of messagesOf(decoder.decode(next.value))) socket.send(message);
    } catch {
      this.closed(socket); // it has been closed, and its event is still to come
      return;
    } finally {
      reader.cancel().catch(() => {}); // the feed has ended
    }
    subscription.position = `${feed.epoch}:${upTo}`;
    const reserved = feed.reserve({ filter, since: subscription.position });
    subscription.place = reserved.ok ? reserved.place : null;
  }
}

const turn = (): Promise<null> => new Promise((resolve) => setTimeout(resolve, 0, null));

/** Null: it does not come in this turn. */
function soon<T>(promise: Promise<T>): Promise<T | null> {
  return Promise.race([promise, turn()]);
}

/** The events among whole frames of server-sent events; comments are left out. */
function messagesOf(frames: string): string[] {
  return frames.split('\n\n').flatMap((frame) => {
    const [, id] = /^id: (.*)$/m.exec(frame) ?? [];
    const [, event] = /^event: (.*)$/m.exec(frame) ?? [];
    const [, data] = /^data: (.*)$/m.exec(frame) ?? [];
    if (event === undefined || data === undefined) return [];
    return [`{"id":${JSON.stringify(id ?? null)},"event":${JSON.stringify(event)},"data":${data}}`];
  });
}
