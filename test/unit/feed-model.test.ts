// The change feed against a naive model that keeps every event in a list and gives each subscriber a queue of its own: all short
// scripts of publishing, reading, time and reconnecting, and long random ones. What each subscriber has read must be the same.

// @module-tag long

import { describe, expect, it } from 'vitest';
import {
  type Change,
  type Event,
  epoch,
  FakeTime,
  frameOf,
  newFeed,
  type Reader,
  records,
  resolve,
  settle,
  startMs,
  subscribe,
} from './feed-support.ts';

interface Sizes {
  readonly bufferSize: number;
  readonly subscriberQueueSize: number;
}

const stamp = new Date(startMs).toISOString();

class ModelSubscriber {
  text = '';
  isWaiting = false;
  #hasBegun = false;
  #queue: Event[] = [];
  #dropped = 0;
  /** The last event this subscriber is done with. */
  #cursor: number;
  #firstDropped = 0;
  readonly #feed: ModelFeed;
  readonly #wants: (event: Event) => boolean;

  constructor(feed: ModelFeed, wants: (event: Event) => boolean, since: number) {
    this.#feed = feed;
    this.#wants = wants;
    this.#cursor = since;
    this.#queue = feed.events.slice(since).filter(wants);
  }

  get isDone(): boolean {
    return this.#queue.length === 0 && this.#dropped === 0;
  }

  get lastSeen(): number {
    return this.#cursor;
  }

  published(event: Event): void {
    if (!this.#wants(event)) return;
    const hasRoom = this.isWaiting || this.#queue.length < this.#feed.sizes.subscriberQueueSize;
    if (this.#dropped === 0 && hasRoom) this.#queue.push(event);
    else {
      if (this.#dropped === 0) this.#firstDropped = event.seq;
      this.#dropped = event.seq;
    }
  }

  /** A read that brought `count` events; how many of the queued ones make a chunk is the feed's choice, as long as it is one. */
  read(count: number): void {
    if (this.isWaiting || this.#take(count)) return;
    if (this.#hasBegun) this.isWaiting = true;
    this.#hasBegun = true;
  }

  tick(count: number): void {
    if (this.isWaiting && this.#take(count)) this.isWaiting = false;
  }

  #take(count: number): boolean {
    const newest = this.#feed.events.length;
    const taken = this.#queue.splice(0, Math.max(1, count));
    if (taken.length > 0 && this.#queue.length > 0) this.#cursor = taken.at(-1)?.seq ?? 0;
    else if (taken.length > 0 && this.#dropped > 0) this.#cursor = this.#firstDropped - 1;
    else this.#cursor = newest;
    if (taken.length === 0 && this.#dropped > 0) {
      taken.push({ seq: this.#dropped, ts: stamp, kind: 'resync', reason: 'overflow' });
      this.#dropped = 0;
    }
    this.text += taken.map(frameOf).join('');
    this.#hasBegun ||= taken.length > 0;
    return taken.length > 0;
  }
}

class ModelFeed {
  readonly events: Event[] = [];
  readonly subscribers: ModelSubscriber[] = [];
  readonly sizes: Sizes;

  constructor(sizes: Sizes) {
    this.sizes = sizes;
  }

  publish(changes: readonly Change[]): void {
    for (const change of changes) {
      const event = { ...change, seq: this.events.length + 1, ts: stamp };
      this.events.push(event);
      for (const subscriber of this.subscribers) subscriber.published(event);
    }
  }
}

const created: Change = { kind: 'vertexCreated', element: 'vertex', id: 7, label: 'person' };
const mixed: readonly Change[] = [
  { kind: 'edgeCreated', element: 'edge', id: 8, label: 'Straße', edgePropertyId: 'knows', source: 7, target: 7 },
  { kind: 'vertexCreated', element: 'vertex', id: 9 },
  { kind: 'propertySet', element: 'vertex', id: 9, key: '😀' },
];

const wantsAll = (): boolean => true;
const wantsCreated = (event: Event): boolean => event.kind === 'vertexCreated' || event.kind === 'resync';

/** Both feeds, with one subscriber for everything and one for created vertices. */
class Pair {
  readonly #time = new FakeTime();
  readonly #feed;
  readonly #model: ModelFeed;
  #readers: Reader[];

  constructor(sizes: Sizes) {
    // The clock stands still, so that all times on frames are the same; timers run all the same.
    const clock = { nowMs: (): number => startMs };
    this.#feed = newFeed(this.#time, { ...sizes, clock, deliveryIntervalMs: 20, keepAliveSeconds: 1_000_000 });
    this.#model = new ModelFeed(sizes);
    this.#readers = [subscribe(this.#feed), subscribe(this.#feed, 'kinds=vertexCreated')];
    for (const wants of [wantsAll, wantsCreated])
      this.#model.subscribers.push(new ModelSubscriber(this.#model, wants, 0));
  }

  async step(letter: string, count = 3): Promise<void> {
    switch (letter) {
      case 'p':
        return this.#publish([created]);
      case 'q':
        return this.#publish(Array.from({ length: count }, (_, index) => mixed[index % 3] as Change));
      case 'r':
        this.#feed.resync('trim', startMs);
        return this.#model.publish([{ kind: 'resync', reason: 'trim' }]);
      case 'a':
      case 'b': {
        const counts = await this.#counted(() => this.#readers['ab'.indexOf(letter)]?.read());
        const index = 'ab'.indexOf(letter);
        return this.#model.subscribers[index]?.read(counts[index] ?? 0);
      }
      case 't': {
        const counts = await this.#counted(() => {
          this.#time.advance(20);
          return settle();
        });
        return this.#model.subscribers.forEach((subscriber, index) => {
          subscriber.tick(counts[index] ?? 0);
        });
      }
      default:
        return this.#reconnect();
    }
  }

  /** Events each subscriber got while `action` ran. */
  async #counted(action: () => Promise<void> | undefined): Promise<number[]> {
    const before = this.#readers.map(({ chunks }) => chunks.length);
    await action();
    return this.#readers.map(({ chunks }, index) => chunks.slice(before[index]).join('').split('\n\n').length - 1);
  }

  #publish(changes: readonly Change[]): void {
    this.#feed.publish(records(changes), resolve, startMs);
    this.#model.publish(changes);
  }

  /** The first subscriber leaves and comes back where it was, if that can still be served. */
  async #reconnect(): Promise<void> {
    const [model] = this.#model.subscribers;
    const [reader] = this.#readers;
    if (!model || !reader) return;
    const since = model.lastSeen;
    if (since < this.#feed.oldest - 1) return;
    await reader.cancel();
    const next = subscribe(this.#feed, '', `${epoch}:${since}`);
    next.chunks.push(reader.text);
    this.#readers[0] = next;
    const nextModel = new ModelSubscriber(this.#model, wantsAll, since);
    nextModel.text = model.text;
    this.#model.subscribers[0] = nextModel;
  }

  /** Reads everything that is left; answers both sides' texts, one pair a subscriber. */
  async finish(): Promise<[string, string][]> {
    for (let round = 0; round < 400 && !this.#readers.every(({ isReading }) => isReading); round++) {
      for (const letter of 'ab') await this.step(letter);
    }
    await this.step('t');
    for (const letter of 'abab') await this.step(letter);
    for (const subscriber of this.#model.subscribers) expect(subscriber.isDone).toBe(true);
    const texts = this.#readers.map((reader, index): [string, string] => [
      reader.text,
      this.#model.subscribers[index]?.text ?? '',
    ]);
    this.#feed.close();
    expect(this.#time.pending).toBe(0);
    return texts;
  }
}

async function play(script: string, sizes: Sizes): Promise<[string, string][]> {
  const pair = new Pair(sizes);
  for (const letter of script) await pair.step(letter);
  return pair.finish();
}

/** Scripts after which the two sides differ. `distort` is applied to what the feed's first subscriber got. */
async function differences(scripts: Iterable<string>, sizes: Sizes, distort = (text: string): string => text) {
  const found: string[] = [];
  for (const script of scripts) {
    const texts = await play(script, sizes);
    if (texts.some(([got, wanted], index) => (index === 0 ? distort(got) : got) !== wanted)) found.push(script);
  }
  return found;
}

function* scriptsOf(alphabet: string, length: number): Iterable<string> {
  if (length === 0) yield '';
  else for (const rest of scriptsOf(alphabet, length - 1)) for (const letter of alphabet) yield rest + letter;
}

/** Numbers from 0 up to but without `below`, the same for the same seed. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('change feed and model', () => {
  for (const sizes of [
    { bufferSize: 4, subscriberQueueSize: 2 },
    { bufferSize: 16, subscriberQueueSize: 2 },
  ]) {
    it(`agree on every script of five steps, buffer ${sizes.bufferSize}`, async () => {
      expect(await differences(scriptsOf('pqrabtc', 5), sizes)).toEqual([]);
    });
  }

  it('agree on every script of eight publishing and reading steps', async () => {
    expect(await differences(scriptsOf('qat', 8), { bufferSize: 6, subscriberQueueSize: 4 })).toEqual([]);
  });

  it('agree on long random scripts over many blocks', async () => {
    for (let seed = 1; seed <= 40; seed++) {
      const next = random(seed);
      const pair = new Pair({ bufferSize: 300 + next(600), subscriberQueueSize: 1 + next(250) });
      for (let step = 0; step < 150; step++) await pair.step('pqqrabbtc'.charAt(next(9)), 1 + next(80));
      for (const [got, wanted] of await pair.finish()) expect(got === wanted, `seed ${seed}`).toBe(true);
    }
  });

  it('would disagree if one event were lost, changed or sent twice', async () => {
    const scripts = ['aappat', 'qaaqt', 'appppaar'];
    const sizes = { bufferSize: 16, subscriberQueueSize: 2 };
    const firstFrame = /^id: [\s\S]*?\n\n/;
    expect(await differences(scripts, sizes)).toEqual([]);
    expect(await differences(scripts, sizes, (text) => text.replace(firstFrame, ''))).toEqual(scripts);
    expect(await differences(scripts, sizes, (text) => text.replace(firstFrame, '$&$&'))).toEqual(scripts);
    expect(await differences(scripts, sizes, (text) => text.replace('"id":', '"id":1'))).toEqual(scripts);
  });
});
