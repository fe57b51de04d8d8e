// A feed served on another thread: its mirror gives every subscriber what the feed itself would have given, whatever is published, however
// far the batches lag, with rings that wrap, names that are numbered anew and numbers of the core that change their meaning.

import { describe, expect, it } from 'vitest';
import type { FeedBatch, FeedTail } from '../../src/engine/feed/mirror.ts';
import {
  type Change,
  epoch,
  FakeTime,
  filterOf,
  newFeed,
  Reader,
  records,
  resolve,
  subscribe,
} from './feed-support.ts';

/** The feed, its mirror, and the way between them; batches travel as messages between threads do. */
function pair(bufferSize: number, maxSubscribers = 100) {
  const time = new FakeTime();
  const queue = { bufferSize, subscriberQueueSize: 1000 };
  const feed = newFeed(time, { ...queue, maxSubscribers });
  const mirror = newFeed(time, { ...queue, maxSubscribers: 1000 });
  let published = 0;
  let tail: FeedTail | null = null;
  const send = (limit = 1000): void => {
    const batch: FeedBatch = structuredClone((tail as FeedTail).next(limit));
    mirror.publishMirrored(batch);
  };
  const open = (): void => {
    tail = feed.relayTo({ published: () => published++, pressed: () => {}, closed: () => mirror.close() });
    send();
  };
  const sendAll = (limit?: number): void => {
    while (!(tail as FeedTail).isAtHead) send(limit);
  };
  return { feed, mirror, time, open, send, sendAll, published: () => published };
}

const vertex = (id: number, label?: string): Change => ({
  kind: 'vertexCreated',
  element: 'vertex',
  id,
  ...(label === undefined ? {} : { label }),
});

/** A mirror's subscriber at the place that the feed has reserved. */
function reserved({ feed, mirror }: ReturnType<typeof pair>, query = '', since?: string) {
  const result = feed.reserve({ filter: filterOf(query), ...(since === undefined ? {} : { since }) });
  if (!result.ok) throw new Error(result.detail);
  const { place } = result;
  const served = mirror.subscribe({ filter: place.filter, since: place.since });
  if (!served.ok) throw new Error(served.detail);
  return { place, reader: new Reader(served.stream) };
}

describe('a mirrored feed', () => {
  it('gives the same text, live and from a position on, with filters and without', async () => {
    const both = pair(64);
    const { feed, time, open, sendAll } = both;
    feed.publish(records([vertex(0, 'person'), vertex(1, 'Straße'), vertex(2)]), resolve, time.clock.nowMs());
    open();
    const cases = [[''], ['labels=person'], ['', `${epoch}:1`], ['', '0'], ['labels=Straße', '0']] as const;
    const here = cases.map(([query, since]) => subscribe(feed, query, since));
    const there = cases.map(([query, since]) => reserved(both, query, since).reader);
    for (const reader of [...here, ...there]) await reader.drain();
    time.advance(5);
    const changes = [vertex(3, 'person'), vertex(4, 'knows'), vertex(5, 'a "b"\n\\'), vertex(6, '😀')];
    for (const change of changes) feed.publish(records([change]), resolve, time.clock.nowMs());
    feed.resync('tabulaRasa', time.clock.nowMs());
    sendAll(2);
    time.advance(100);
    for (const reader of [...here, ...there]) await reader.drain();
    for (const [index, reader] of here.entries()) expect(there[index]?.text).toBe(reader.text);
    expect(there[3]?.text.match(/^id: /gm)?.length).toBe(8);
    expect(there[4]?.text).toContain('"label":"Straße"');
  });

  it('begins where the place was taken, whatever is published before it subscribes there', async () => {
    const both = pair(64);
    const { feed, mirror, time, open, sendAll } = both;
    open();
    const result = feed.reserve({ filter: filterOf('') });
    if (!result.ok) throw new Error(result.detail);
    feed.publish(records([vertex(7)]), resolve, time.clock.nowMs());
    sendAll();
    const served = mirror.subscribe({ filter: filterOf(''), since: result.place.since });
    if (!served.ok) throw new Error(served.detail);
    const reader = new Reader(served.stream);
    await reader.drain();
    expect(reader.text).toContain(`id: ${epoch}:1\n`);
  });

  it('refuses what the feed refuses, and gives places back', () => {
    const { feed } = pair(8, 4);
    const filter = filterOf('');
    const take = (since?: string) => feed.reserve({ filter, ...(since === undefined ? {} : { since }) });
    expect(take('-1')).toMatchObject({ ok: false, failure: 'invalidSince' });
    const places = [take(), take(), take()];
    subscribe(feed);
    expect(take()).toMatchObject({ ok: false, failure: 'limitReached' });
    for (const place of places) if (place.ok) place.place.release();
    for (const place of places) if (place.ok) place.place.release();
    expect(feed.subscriberCount).toBe(1);
    expect(take().ok).toBe(true);
    feed.close();
    expect(feed.subscriberCount).toBe(0);
    expect(take()).toMatchObject({ ok: false, failure: 'unavailable' });
  });

  it('answers a position out of range, or one beyond all numbers, with a resync', async () => {
    const both = pair(4);
    both.feed.publish(records(Array.from({ length: 9 }, (_, id) => vertex(id))), resolve, 0);
    both.open();
    for (const since of ['9223372036854775807', '2', `${epoch.replace('0', '1')}:9`]) {
      const { reader, place } = reserved(both, '', since);
      await reader.drain();
      expect(reader.text, since).toContain('"reason":"seekOutOfRange"');
      expect(reader.text).toContain(`id: ${epoch}:9\n`);
      place.release();
    }
  });

  it('tells its subscribers once of events that the ring lost before they were sent', async () => {
    const both = pair(8);
    const { feed, time, open, sendAll } = both;
    open();
    const { reader } = reserved(both);
    await reader.drain();
    // More than the ring keeps for a tail that is behind.
    const thousand = records(Array.from({ length: 1000 }, (_, id) => vertex(id)));
    for (let i = 0; i < 140; i++) feed.publish(thousand, resolve, time.clock.nowMs());
    sendAll(20_000);
    time.advance(100);
    await reader.drain();
    feed.publish(records([vertex(99)]), resolve, time.clock.nowMs());
    sendAll();
    time.advance(100);
    await reader.drain();
    expect(reader.text.match(/"reason":"overflow"/g)?.length).toBe(1);
    expect(reader.text.match(/^id: \S+/gm)).toEqual([`id: ${epoch}:140000`, `id: ${epoch}:140001`]);
  });

  it('passes on a transaction larger than either ring, to those who wait and to those who do not read', async () => {
    const both = pair(64);
    const { feed, time, open, sendAll } = both;
    open();
    const [all, other, idle] = [reserved(both), reserved(both, 'kinds=edgeRemoved'), reserved(both, 'labels=knows')];
    for (const { reader } of [all, other]) await reader.drain();
    feed.publish(records([vertex(0, 'knows')]), resolve, time.clock.nowMs());
    feed.publish(records(Array.from({ length: 10_000 }, (_, id) => vertex(id))), resolve, time.clock.nowMs());
    sendAll();
    time.advance(200);
    for (const { reader } of [all, other, idle]) await reader.drain();
    expect(all.reader.text.match(/^id: /gm)?.length).toBe(10_001);
    expect(all.reader.text).not.toContain('overflow');
    expect(other.reader.text).toBe('');
    expect(idle.reader.text.match(/^id: \S+/gm)).toEqual([`id: ${epoch}:1`]);
  });

  it('follows names that are numbered anew', async () => {
    const both = pair(8);
    const { feed, time, open, sendAll } = both;
    open();
    const { reader } = reserved(both);
    await reader.drain();
    const expected: string[] = [];
    const nameOf = (id: number): string => `name-${id}`;
    for (let id = 0; id < 5000; id++) {
      feed.publish(Uint32Array.of(0x0101, id, id, 0xffff_ffff, 0, 0, 0, 0), nameOf, time.clock.nowMs());
      expected.push(`"label":"name-${id}"`);
      sendAll();
      time.advance(100);
      await reader.drain();
      if (id === 2500) feed.resync('load', time.clock.nowMs());
    }
    expect(reader.text.match(/"label":"[^"]*"/g)).toEqual(expected);
  });

  it('ends its streams with the feed and is told of everything once', async () => {
    const both = pair(8);
    both.open();
    const { reader } = reserved(both);
    await reader.drain();
    both.feed.publish(records([vertex(1)]), resolve, 0);
    both.feed.resync('load', 0);
    expect(both.published()).toBe(2);
    both.feed.close();
    await reader.drain();
    expect(reader.ended).toBe(true);
  });
});
