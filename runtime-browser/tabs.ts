// Tabs that have one store open: the engine of one of them leads, and the others send it what their pages ask. Who has the store's lock
// leads. The lock goes on by itself when its tab is closed or killed, and whoever gets it opens the store and says so.
//
// On the store's channel a newcomer says `hello` and a new leader `leading`. What a tab asks and is answered goes over a channel of its
// own, which only it and the leader hear; it asks nothing there before the leader's `welcome`. Each tab also holds a lock of its own: when the leader gets that, the tab is gone, and so is
// whatever it had asked for.
//
// What is under way when a leader ends fails at its asker, who cannot know whether it took effect. What was acknowledged is on the disk.

import type { Handler } from '../src/http/handler.ts';
import { EnginePort } from './engine-port.ts';
import type { FromEngine, Post, ToEngine } from './messages.ts';

/** What the tabs say to each other is of one version only. */
const version = 1;

/** A request, or what belongs to one. */
export type Asked = Exclude<ToEngine, { readonly kind: 'open' | 'core' | 'close' }>;
/** About a request. */
export type Answered = Extract<FromEngine, { readonly id: number }>;

type Hall =
  | { readonly kind: 'hello'; readonly version: number; readonly tab: string }
  | { readonly kind: 'leading'; readonly version: number; readonly leader: string };
type Private =
  | { readonly kind: 'welcome'; readonly leader: string }
  | { readonly kind: 'ask'; readonly leader: string; readonly message: Asked }
  | { readonly kind: 'tell'; readonly leader: string; readonly message: Answered };

/** Lock and channel of a store; what two tabs of one browser share. */
export function lockOf(store: string): string {
  return `arcwise:${store}`;
}

function channelOf(store: string, tab: string): string {
  return `arcwise:${store}:${tab}`;
}

/** Answers the other tabs from here on. */
export function lead(store: string, answer: Handler): void {
  const leader = crypto.randomUUID();
  const known = new Map<string, BroadcastChannel>();
  const hall = new BroadcastChannel(lockOf(store));
  const announce = (): void => hall.postMessage({ kind: 'leading', version, leader } satisfies Hall);
  hall.onmessage = ({ data }: MessageEvent<Hall>) => {
    if (data.kind !== 'hello') return;
    if (data.version !== version) {
      announce(); // it ends by itself
      return;
    }
    const { tab } = data;
    const channel = known.get(tab) ?? serve(store, tab, leader, answer, () => known.delete(tab));
    known.set(tab, channel);
    channel.postMessage({ kind: 'welcome', leader } satisfies Private);
  };
  announce();
}

function serve(store: string, tab: string, leader: string, answer: Handler, over: () => void): BroadcastChannel {
  const name = channelOf(store, tab);
  const channel = new BroadcastChannel(name);
  const post: Post<FromEngine> = (message) =>
    channel.postMessage({ kind: 'tell', leader, message: message as Answered } satisfies Private);
  const port = new EnginePort(answer, post);
  channel.onmessage = ({ data }: MessageEvent<Private>) => {
    if (data.kind === 'ask' && data.leader === leader) port.receive(data.message);
  };
  void navigator.locks.request(name, () => {
    over();
    port.end();
    channel.close();
  });
  return channel;
}

/** The way of one tab to whichever tab leads. */
export class Follower {
  private readonly tab = crypto.randomUUID();
  private readonly hall: BroadcastChannel;
  private readonly channel: BroadcastChannel;
  private readonly post: Post<FromEngine>;
  private readonly release: () => void;
  private leader: string | null = null;
  /** Numbers of requests that are not over, and whether the head of their answer is there. */
  private readonly underWay = new Map<number, 'asked' | 'answered'>();
  /** What is asked while nobody leads. */
  private waiting: Asked[] = [];

  /**
   * `post`: to the page. `connected`: there is a leader. `refused`: it is of another version of this library, and nothing can be asked.
   */
  constructor(store: string, post: Post<FromEngine>, connected: () => void, refused: (error: Error) => void) {
    this.post = post;
    this.hall = new BroadcastChannel(lockOf(store));
    this.channel = new BroadcastChannel(channelOf(store, this.tab));
    this.hall.onmessage = ({ data }: MessageEvent<Hall>) => {
      if (data.kind !== 'leading' || data.leader === this.leader) return;
      if (data.version === version) this.lookAgain();
      else refused(new Error('Another tab has the store open with another version of the library. Reload both.'));
    };
    this.channel.onmessage = ({ data }: MessageEvent<Private>) => {
      if (data.kind === 'tell' && data.leader === this.leader) this.told(data.message);
      if (data.kind !== 'welcome' || data.leader === this.leader) return;
      this.follow(data.leader);
      connected();
    };
    let release = (): void => {};
    const ended = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.release = release;
    // The leader waits for this lock, so it is held before the leader hears of this tab.
    void navigator.locks.request(channelOf(store, this.tab), () => {
      this.hello();
      return ended;
    });
  }

  receive(message: Asked): void {
    if (message.kind === 'request') this.underWay.set(message.id, 'asked');
    if (!this.underWay.has(message.id)) return;
    if (this.leader === null) this.waiting.push(message);
    else this.ask(this.leader, message);
    if (message.kind === 'abort') this.underWay.delete(message.id);
  }

  /** This tab leads now, or is over: what no leader got is given back. */
  end(): readonly Asked[] {
    this.failAll();
    this.hall.close();
    this.channel.close();
    this.release();
    return this.waiting;
  }

  private hello(): void {
    this.hall.postMessage({ kind: 'hello', version, tab: this.tab } satisfies Hall);
  }

  private lookAgain(): void {
    this.failAll();
    this.leader = null;
    this.hello();
  }

  private follow(leader: string): void {
    if (this.leader !== null) this.failAll();
    this.leader = leader;
    for (const message of this.waiting.splice(0)) this.ask(leader, message);
  }

  private ask(leader: string, message: Asked): void {
    this.channel.postMessage({ kind: 'ask', leader, message } satisfies Private);
  }

  private told(message: Answered): void {
    this.post(message);
    const { kind, id } = message;
    if (kind === 'answer' && message.body.kind === 'blocks') this.underWay.set(id, 'answered');
    else if (kind !== 'block' && kind !== 'credit') this.underWay.delete(id);
  }

  /** Requests that went to a leader which is gone; those that still wait for one go on waiting. */
  private failAll(): void {
    const kept = new Set(this.waiting.map(({ id }) => id));
    const message = 'The tab that led has gone: whether the request took effect is not known.';
    for (const [id, state] of this.underWay) {
      if (kept.has(id)) continue;
      this.underWay.delete(id);
      if (state === 'answered') this.post({ kind: 'broken', id, message });
      else this.post({ kind: 'failed', id, failure: { name: 'LeaderGone', message } });
    }
  }
}
