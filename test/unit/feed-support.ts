// What the tests of the change feed share: a clock that only moves when told, records as the core writes them, the naive text of a
// frame, and a reader that says what it has got without waiting.

import { ChangeFeed, type FeedOptions } from '../../src/engine/feed/feed.ts';
import { type ChangeFilter, parseFilter } from '../../src/engine/feed/filter.ts';

export const epoch = '0f8fad5b-d9cb-469f-a165-70867728950e';
export const startMs = Date.UTC(2026, 6, 15, 12, 34, 56, 789);
export const kinds = [
  '',
  'vertexCreated',
  'vertexRemoved',
  'edgeCreated',
  'edgeRemoved',
  'propertySet',
  'propertyRemoved',
];

/** Interned names by number, as a core would have them. */
export const names = ['person', 'knows', 'name', 'Straße', 'a "b"\n\\', '😀', '\ud800x', ''];
export const resolve = (id: number): string => names[id] as string;

export interface Change {
  readonly kind: string;
  readonly element?: 'vertex' | 'edge';
  readonly id?: number;
  readonly label?: string;
  readonly edgePropertyId?: string;
  readonly key?: string;
  readonly source?: number;
  readonly target?: number;
  readonly reason?: string;
}

export type Event = Change & { readonly seq: number; readonly ts: string };

/** The core's records of some changes. */
export function records(changes: readonly Change[]): Uint32Array {
  const numberOf = (name: string | undefined): number => (name === undefined ? 0xffff_ffff : names.indexOf(name));
  return Uint32Array.from(
    changes.flatMap((change) => [
      kinds.indexOf(change.kind) | ((change.element === 'edge' ? 2 : 1) << 8),
      change.id ?? 0,
      numberOf(change.label),
      numberOf(change.edgePropertyId ?? change.key),
      change.source ?? 0,
      change.target ?? 0,
      0,
      0,
    ]),
  );
}

/** What the contract says an event looks like on the wire, written the plain way. */
export function frameOf({ seq, ts, ...change }: Event): string {
  const { kind, element, id, label, edgePropertyId, key, source, target, reason } = change;
  const data = { seq, ts, kind, element, id, label, edgePropertyId, key, source, target, reason };
  // Contract order of members: the edge's ends follow what names it.
  return `id: ${epoch}:${seq}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Time and timers that move when told. */
export class FakeTime {
  #nowMs = startMs;
  #timers: { readonly atMs: number; readonly run: () => void }[] = [];

  readonly clock = { nowMs: (): number => this.#nowMs };
  readonly timers = {
    after: (delayMs: number, run: () => void): (() => void) => {
      const timer = { atMs: this.#nowMs + delayMs, run };
      this.#timers.push(timer);
      return () => {
        this.#timers = this.#timers.filter((other) => other !== timer);
      };
    },
  };

  get pending(): number {
    return this.#timers.length;
  }

  advance(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (let left = 10_000; left > 0; left--) {
      const next = this.#timers.reduce((a, b) => (b.atMs < a.atMs ? b : a), { atMs: Infinity, run: () => {} });
      if (next.atMs > untilMs) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.run();
    }
    this.#nowMs = untilMs;
  }

  /** Sets the clock without letting time pass. */
  set(ms: number): void {
    this.#nowMs = ms;
  }
}

export function newFeed(time: FakeTime, options: Partial<FeedOptions> = {}): ChangeFeed {
  return new ChangeFeed({
    enabled: true,
    bufferSize: 8,
    subscriberQueueSize: 4,
    maxSubscribers: 4,
    keepAliveSeconds: 15,
    clock: time.clock,
    timers: time.timers,
    epoch,
    ...options,
  });
}

export function filterOf(query: string): ChangeFilter {
  const result = parseFilter(new URLSearchParams(query));
  if (!result.ok) throw new Error(result.detail);
  return result.filter;
}

/** Lets promises that are settled already take effect. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 6; turn++) await null;
}

export class Reader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #isReading = false;
  chunks: string[] = [];
  ended = false;

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.getReader();
  }

  get text(): string {
    return this.chunks.join('');
  }

  get isReading(): boolean {
    return this.#isReading;
  }

  /** Asks for one chunk unless it has asked already. */
  async read(): Promise<void> {
    if (!this.#isReading && !this.ended) {
      this.#isReading = true;
      void this.#reader.read().then(({ done, value }) => {
        this.#isReading = false;
        if (done) this.ended = true;
        else this.chunks.push(new TextDecoder().decode(value));
      });
    }
    await settle();
  }

  /** Asks until nothing more comes at once. */
  async drain(): Promise<void> {
    do await this.read();
    while (!this.#isReading && !this.ended);
  }

  async cancel(): Promise<void> {
    await this.#reader.cancel();
    this.ended = true;
  }
}

/** A subscription that must succeed. */
export function subscribe(feed: ChangeFeed, query = '', since?: string): Reader {
  const result = feed.subscribe({ filter: filterOf(query), ...(since === undefined ? {} : { since }) });
  if (!result.ok) throw new Error(result.detail);
  return new Reader(result.stream);
}
