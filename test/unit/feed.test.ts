// The change feed of one namespace, dimension by dimension (contract part 1, Change event, Change feed, Events; reference 7).
// Interleavings of publishing and reading are in feed-model.test.ts.

import { describe, expect, it } from 'vitest';
import { ChangeFeed } from '../../src/engine/feed/feed.ts';
import { parseFilter } from '../../src/engine/feed/filter.ts';
import { parsePosition } from '../../src/engine/feed/position.ts';
import {
  type Change,
  epoch,
  FakeTime,
  filterOf,
  frameOf,
  newFeed,
  Reader,
  records,
  resolve,
  settle,
  startMs,
  subscribe,
} from './feed-support.ts';

const ts = '2026-07-15T12:34:56.789Z';

const all: readonly Change[] = [
  { kind: 'vertexCreated', element: 'vertex', id: 0, label: 'person' },
  { kind: 'vertexCreated', element: 'vertex', id: 2147483647 },
  { kind: 'edgeCreated', element: 'edge', id: 1, label: 'Straße', edgePropertyId: 'knows', source: 0, target: 3 },
  { kind: 'edgeCreated', element: 'edge', id: 2, edgePropertyId: 'a "b"\n\\', source: 3, target: 0 },
  { kind: 'propertySet', element: 'vertex', id: 0, label: 'person', key: 'name' },
  { kind: 'propertySet', element: 'edge', id: 1, label: '😀', key: '😀' },
  { kind: 'propertyRemoved', element: 'edge', id: 1, label: '', key: '\ud800x' },
  { kind: 'vertexRemoved', element: 'vertex', id: 0, label: 'person' },
  { kind: 'edgeRemoved', element: 'edge', id: 1, label: 'Straße' },
];

const created: Change = { kind: 'vertexCreated', element: 'vertex', id: 1 };

/** Sequence numbers and kinds of frames, a resync with its reason. */
function shape(text: string): string[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => {
    const { seq, kind, reason } = JSON.parse(json ?? '') as { seq: number; kind: string; reason?: string };
    return `${seq} ${reason ?? kind}`;
  });
}

describe('frames', () => {
  it('have the contract members in order, absent ones left out, whatever the names are', async () => {
    const feed = newFeed(new FakeTime(), { bufferSize: 64, subscriberQueueSize: 64 });
    const reader = subscribe(feed);
    feed.publish(records(all), resolve, startMs);
    feed.resync('delegateWrite', startMs + 1);
    await reader.drain();
    const later = '2026-07-15T12:34:56.790Z';
    const resync = { seq: all.length + 1, ts: later, kind: 'resync', reason: 'delegateWrite' };
    expect(reader.text).toBe(
      [...all.map((change, i) => ({ ...change, seq: i + 1, ts })), resync].map(frameOf).join(''),
    );
    expect(reader.text).toContain(
      `id: ${epoch}:5\nevent: propertySet\ndata: {"seq":5,"ts":"${ts}","kind":"propertySet",`,
    );
    expect(reader.text).toContain('"edgePropertyId":"knows","source":0,"target":3}\n\n');
  });

  it('leave out what a record carries beyond its kind', async () => {
    const feed = newFeed(new FakeTime(), { bufferSize: 64, subscriberQueueSize: 64 });
    const reader = subscribe(feed);
    const removed: Change = {
      kind: 'edgeRemoved',
      element: 'edge',
      id: 1,
      edgePropertyId: 'knows',
      source: 4,
      target: 5,
    };
    feed.publish(records([removed]), resolve, startMs);
    await reader.drain();
    expect(reader.text).toBe(frameOf({ seq: 1, ts, kind: 'edgeRemoved', element: 'edge', id: 1 }));
  });

  it('are the same bytes for all subscribers, made only when one asks and dropped with the last', async () => {
    const feed = newFeed(new FakeTime(), { bufferSize: 64, subscriberQueueSize: 64 });
    feed.publish(records(all), resolve, startMs);
    expect(feed.encodedBytes).toBe(0);
    const streams = [1, 2].map(() => feed.subscribe({ filter: filterOf(''), since: '0' }));
    expect(feed.encodedBytes).toBe(0);
    const chunks: (Uint8Array | undefined)[] = [];
    for (const one of streams) if (one.ok) chunks.push((await one.stream.getReader().read()).value);
    expect(chunks[0]?.length).toBeGreaterThan(1000);
    expect(chunks[0]?.buffer).toBe(chunks[1]?.buffer);
    expect(chunks[0]).toEqual(chunks[1]);
    feed.close();
    expect(feed.encodedBytes).toBe(0);
  });

  it('come in chunks of 64 KiB at most, from a bounded store of text', { tags: ['long'] }, async () => {
    const feed = newFeed(new FakeTime(), { bufferSize: 10_000 });
    const many = Array.from(
      { length: 10_000 },
      (_, id): Change => ({ ...created, id, label: id % 9 ? 'person' : '😀' }),
    );
    // Frames of about 600 bytes, so that a chunk ends before its block does.
    const longName = (id: number): string => resolve(id).repeat(80);
    feed.publish(records(many), longName, startMs);
    const wanted = many.map((change, i) =>
      frameOf({ ...change, label: change.label?.repeat(80) ?? '', seq: i + 1, ts }),
    );
    for (const query of ['', 'kinds=vertexCreated']) {
      const stream = feed.subscribe({ filter: filterOf(query), since: '0' });
      if (!stream.ok) throw new Error(stream.detail);
      const reader = stream.stream.getReader();
      let text = '';
      let chunks = 0;
      let peakBytes = 0;
      for (; shape(text.slice(-900)).at(-1) !== '10000 vertexCreated'; chunks++) {
        const { value } = await reader.read();
        expect(value?.length).toBeLessThanOrEqual(65_536);
        text += new TextDecoder().decode(value);
        peakBytes = Math.max(peakBytes, feed.encodedBytes);
      }
      expect(text).toBe(wanted.join(''));
      expect(chunks).toBeLessThan(250);
      expect(peakBytes).toBeLessThan(4.5 * 1024 * 1024);
      await reader.cancel();
    }
  });

  it('longer than a chunk travel alone', async () => {
    const long = 'x'.repeat(70_000);
    const feed = newFeed(new FakeTime());
    feed.publish(records([created, { ...created, label: 'person' }, created]), () => long, startMs);
    for (const query of ['', 'elements=vertex']) {
      const reader = subscribe(feed, query, '0');
      await reader.drain();
      expect(reader.chunks.map((chunk) => shape(chunk).length)).toEqual([1, 1, 1]);
    }
  });

  it('keep names whose memory is gone, or whose numbers mean something else now', async () => {
    const feed = newFeed(new FakeTime(), { bufferSize: 64, subscriberQueueSize: 64 });
    const labeled = records([{ ...created, label: 'person' }]);
    feed.publish(labeled, resolve, startMs);
    feed.publish(labeled, () => 'other', startMs);
    const changing = { text: 'before' };
    const resolver = (): string => changing.text;
    feed.publish(labeled, resolver, startMs);
    feed.resync('load', startMs);
    changing.text = 'after';
    feed.publish(labeled, resolver, startMs);
    const reader = subscribe(feed, '', '0');
    await reader.drain();
    expect([...reader.text.matchAll(/"label":"(\w+)"/g)].map(([, name]) => name)).toEqual([
      'person',
      'other',
      'before',
      'after',
    ]);
  });

  it('stay right while names come and go', async () => {
    const feed = newFeed(new FakeTime(), { bufferSize: 100 });
    const record = records([
      { ...created, label: 'person' },
      { ...created, label: 'person' },
    ]);
    for (let id = 0; id < 5000; id++) {
      record[2] = id * 2;
      record[10] = id * 2 + 1;
      feed.publish(record, (number) => `label ${number}`, startMs);
    }
    const reader = subscribe(feed, '', `${feed.oldest - 1}`);
    await reader.drain();
    const labels = [...reader.text.matchAll(/"label":"label (\d+)"/g)].map(([, number]) => Number(number));
    expect(labels).toEqual(Array.from({ length: 100 }, (_, i) => 9900 + i));
  });
});

describe('filters', () => {
  const cases: [string, number[]][] = [
    ['', [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ['kinds=', [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ['kinds=vertexCreated', [1, 2]],
    ['kinds=vertexRemoved', [8]],
    ['kinds=edgeCreated', [3, 4]],
    ['kinds=edgeRemoved', [9]],
    ['kinds=propertySet', [5, 6]],
    ['kinds=propertyRemoved', [7]],
    ['kinds=resync', []],
    ['kinds=resync,edgeRemoved', [9]],
    ['kinds=vertexCreated,%20edgeCreated&kinds=edgeRemoved', [1, 2, 3, 4, 9]],
    ['elements=vertex', [1, 2, 5, 8]],
    ['elements=edge', [3, 4, 6, 7, 9]],
    ['elements=edge,vertex', [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ['labels=person', [1, 5, 8]],
    ['labels=Person', []],
    ['labels=person&labels=Stra%C3%9Fe', [1, 3, 5, 8, 9]],
    ['keys=name', [5]],
    ['keys=name,%F0%9F%98%80', [5, 6]],
    ['keys=knows', []],
    ['elements=vertex&labels=person&kinds=propertySet,vertexRemoved', [5, 8]],
    ['keys=name&elements=edge', []],
  ];
  for (const [query, wanted] of cases) {
    it(`"${query}" passes ${wanted.join(' ') || 'nothing'} and every resync, live and replayed`, async () => {
      const time = new FakeTime();
      const feed = newFeed(time, { bufferSize: 64, subscriberQueueSize: 64 });
      const live = subscribe(feed, query);
      await live.drain();
      feed.publish(records(all), resolve, startMs);
      feed.resync('tabulaRasa', startMs);
      time.advance(50);
      await live.drain();
      const replayed = subscribe(feed, query, `${epoch}:0`);
      await replayed.drain();
      const expected = [...wanted.map((seq) => `${seq} ${all[seq - 1]?.kind}`), '10 tabulaRasa'];
      expect(shape(live.text)).toEqual(expected);
      expect(shape(replayed.text)).toEqual(expected);
    });
  }

  it('refuse unknown kinds and elements, exact in case', () => {
    for (const query of [
      'kinds=vertexcreated',
      'kinds=vertexCreated,x',
      'elements=Vertex',
      'elements=graph',
      'kinds=%22',
    ]) {
      expect(parseFilter(new URLSearchParams(query)), query).toMatchObject({ ok: false, failure: 'invalidFilter' });
    }
  });
});

describe('positions', () => {
  it('are an epoch and digits, or digits', () => {
    const upper = epoch.toUpperCase();
    expect(parsePosition('0')).toEqual({ epoch: null, sequence: 0 });
    expect(parsePosition('007')).toEqual({ epoch: null, sequence: 7 });
    expect(parsePosition(`${upper}:12`)).toEqual({ epoch, sequence: 12 });
    expect(parsePosition('9223372036854775807')).toEqual({ epoch: null, sequence: 2 ** 63 });
    const bare = epoch.replaceAll('-', '');
    const wrong = [
      '+1',
      '-1',
      '1.0',
      '1 ',
      ' 1',
      'x',
      '0x1',
      ':1',
      `${epoch}:`,
      `${epoch}`,
      `${epoch}:1:2`,
      `x:1`,
      '١',
    ];
    for (const text of [...wrong, `${bare}:1`, `{${epoch}}:1`, `${epoch}:-1`, '9223372036854775808']) {
      expect(parsePosition(text), text).toBeNull();
    }
  });

  const ring = 4;
  for (const published of [0, 1, 3, 4, 5, 9]) {
    it(`are served from one before the oldest to the newest, after ${published} events`, async () => {
      const feed = newFeed(new FakeTime(), { bufferSize: ring, subscriberQueueSize: 1 });
      for (let i = 0; i < published; i++) feed.publish(records([created]), resolve, startMs);
      const oldest = Math.max(1, published - ring + 1);
      expect([feed.oldest, feed.newest]).toEqual([oldest, published]);
      for (let since = 0; since <= published + 1; since++) {
        for (const prefix of ['', `${epoch}:`]) {
          const reader = subscribe(feed, '', `${prefix}${since}`);
          await reader.drain();
          const isServed = since >= oldest - 1 && since <= published;
          const missed = Array.from({ length: published - since }, (_, i) => `${since + 1 + i} vertexCreated`);
          expect(shape(reader.text), `since ${since}`).toEqual(isServed ? missed : [`${published} seekOutOfRange`]);
          await reader.cancel();
        }
      }
    });
  }

  it('of another epoch, or of the future, begin with a resync at the newest and go on live', async () => {
    for (const since of [
      '00000000-0000-0000-0000-000000000000:2',
      `${epoch}:4`,
      '99999999999999999',
      '9223372036854775807',
    ]) {
      const feed = newFeed(new FakeTime());
      feed.publish(records([created, created, created]), resolve, startMs);
      const reader = subscribe(feed, 'kinds=edgeCreated', since);
      feed.publish(records(all.slice(2, 3)), resolve, startMs);
      await reader.drain();
      expect(reader.text).toBe(
        frameOf({ seq: 3, ts, kind: 'resync', reason: 'seekOutOfRange' }) +
          frameOf({ ...(all[2] as Change), seq: 4, ts }),
      );
    }
  });

  it('come from Last-Event-ID when since is unset or empty, and are refused alike', async () => {
    const feed = newFeed(new FakeTime());
    feed.publish(records([created, created, created]), resolve, startMs);
    const filter = filterOf('');
    const positions: [string | null | undefined, string | null, string[]][] = [
      [undefined, `${epoch}:2`, ['3 vertexCreated']],
      [null, '2', ['3 vertexCreated']],
      ['', '1', ['2 vertexCreated', '3 vertexCreated']],
      ['2', '0', ['3 vertexCreated']],
      ['2', 'nonsense', ['3 vertexCreated']],
      [undefined, null, []],
    ];
    for (const [since, lastEventId, wanted] of positions) {
      const result = feed.subscribe({ filter, lastEventId, ...(since === undefined ? {} : { since }) });
      if (!result.ok) throw new Error(result.detail);
      const reader = new Reader(result.stream);
      await reader.drain();
      expect(shape(reader.text)).toEqual(wanted);
      await reader.cancel();
    }
    for (const request of [{ since: 'x' }, { since: 'x', lastEventId: '1' }, { lastEventId: 'x' }]) {
      expect(feed.subscribe({ filter, ...request })).toMatchObject({ ok: false, failure: 'invalidSince' });
    }
    expect(feed.subscriberCount).toBe(0);
  });
});

describe('the ring', () => {
  it('keeps the last of a transaction larger than itself and counts them all', async () => {
    const feed = newFeed(new FakeTime(), { bufferSize: 100 });
    const many = Array.from({ length: 1000 }, (_, id): Change => ({ ...created, id }));
    feed.publish(records(many), resolve, startMs);
    expect([feed.oldest, feed.newest]).toEqual([901, 1000]);
    const reader = subscribe(feed, '', '900');
    await reader.drain();
    expect(reader.text).toBe(
      many
        .slice(900)
        .map((change, i) => frameOf({ ...change, seq: 901 + i, ts }))
        .join(''),
    );
  });

  it('changes its size while events are in it', async () => {
    const feed = newFeed(new FakeTime(), { bufferSize: 10 });
    for (const [bufferSize, kept] of [
      [10, 10],
      [3, 3],
      [1, 1],
      [70, 51],
      [500, 101],
      [20, 20],
    ] as const) {
      feed.configure({ bufferSize });
      feed.publish(records(Array.from({ length: 50 }, () => created)), resolve, startMs);
      expect(feed.newest - feed.oldest + 1).toBe(kept);
      const reader = subscribe(feed, '', `${feed.oldest - 1}`);
      await reader.drain();
      expect(shape(reader.text)).toHaveLength(kept);
      expect(shape(reader.text).at(-1)).toBe(`${feed.newest} vertexCreated`);
      await reader.cancel();
    }
  });
});

describe('a subscriber', () => {
  it('gets an empty chunk first when there is nothing, so that a server sends the head', async () => {
    const reader = subscribe(newFeed(new FakeTime()));
    await reader.read();
    expect(reader.chunks).toEqual(['']);
  });

  it('that is slow gets its queue, exactly one overflow without a further commit, then what follows', async () => {
    const time = new FakeTime();
    const feed = newFeed(time, { bufferSize: 100, subscriberQueueSize: 4 });
    const reader = subscribe(feed);
    for (let i = 0; i < 4; i++) feed.publish(records([created]), resolve, startMs);
    await reader.drain();
    expect(shape(reader.text)).toHaveLength(4);
    await reader.cancel();

    const slow = subscribe(feed);
    for (let i = 0; i < 7; i++) feed.publish(records([created]), resolve, startMs);
    await slow.drain();
    const queued = [5, 6, 7, 8].map((seq) => `${seq} vertexCreated`);
    expect(shape(slow.text)).toEqual([...queued, '11 overflow']);
    feed.publish(records([created]), resolve, startMs);
    time.advance(50);
    await slow.drain();
    expect(shape(slow.text)).toEqual([...queued, '11 overflow', '12 vertexCreated']);
    expect(feed.newest).toBe(12);
  });

  it('that waits is not slow, however much is published at once', async () => {
    const time = new FakeTime();
    const feed = newFeed(time, { bufferSize: 2000, subscriberQueueSize: 1 });
    const reader = subscribe(feed);
    await reader.drain();
    for (let i = 0; i < 10; i++) feed.publish(records(Array.from({ length: 100 }, () => created)), resolve, startMs);
    time.advance(50);
    await reader.drain();
    expect(shape(reader.text)).toEqual(Array.from({ length: 1000 }, (_, i) => `${i + 1} vertexCreated`));
  });

  it('that never reads changes nothing for the others and keeps no text alive', async () => {
    const time = new FakeTime();
    const feed = newFeed(time, { bufferSize: 64, subscriberQueueSize: 8 });
    const stuck = subscribe(feed);
    const reader = subscribe(feed);
    await reader.drain();
    for (let i = 0; i < 2000; i++) {
      feed.publish(records([created]), resolve, startMs);
      time.advance(20);
      await reader.drain();
    }
    expect(shape(reader.text)).toEqual(Array.from({ length: 2000 }, (_, i) => `${i + 1} vertexCreated`));
    expect(feed.encodedBytes).toBeLessThan(256 * 1024);
    await stuck.drain();
    const queued = Array.from({ length: 8 }, (_, i) => `${i + 1} vertexCreated`);
    expect(shape(stuck.text)).toEqual([...queued, '2000 overflow']);
  });

  const many = (count: number, change = created): Uint32Array => records(Array.from({ length: count }, () => change));
  const other: Change = { kind: 'edgeRemoved', element: 'edge', id: 1 };

  it('that waits gets all of a transaction larger than the ring, and nothing of one it did not ask for', async () => {
    const time = new FakeTime();
    const feed = newFeed(time, { bufferSize: 8192, subscriberQueueSize: 1024 });
    const all = subscribe(feed);
    const none = subscribe(feed, 'kinds=edgeRemoved');
    const some = subscribe(feed, 'kinds=edgeRemoved,propertyRemoved');
    for (const reader of [all, none, some]) await reader.drain();
    feed.publish(many(5000), resolve, startMs);
    feed.publish(records([{ kind: 'propertyRemoved', element: 'vertex', id: 1, key: 'name' }]), resolve, startMs);
    feed.publish(many(20_000), resolve, startMs);
    time.advance(200);
    for (const reader of [all, none, some]) await reader.drain();
    const seen = shape(all.text);
    expect(seen).toHaveLength(25_001);
    expect(seen.every((line, i) => line.startsWith(`${i + 1} `) && !line.endsWith('overflow'))).toBe(true);
    expect(none.text).toBe('');
    expect(shape(some.text)).toEqual(['5001 propertyRemoved']);
    // What can be replayed is the window, whatever is kept.
    expect(feed.newest - feed.oldest + 1).toBe(8192);
    const late = subscribe(feed, '', `${feed.oldest - 2}`);
    await late.drain();
    expect(shape(late.text)[0]).toBe('25001 seekOutOfRange');
  });

  it('that does not read keeps its queue of what passes its filter, however far the ring goes on', async () => {
    const time = new FakeTime();
    const feed = newFeed(time, { bufferSize: 100, subscriberQueueSize: 10, maxSubscribers: 8 });
    const idle = subscribe(feed, 'kinds=edgeRemoved');
    const slow = subscribe(feed);
    const replaying = subscribe(feed, 'kinds=vertexCreated,edgeRemoved', '0');
    feed.publish(many(3), resolve, startMs);
    const few = subscribe(feed, 'kinds=edgeRemoved,propertySet');
    feed.publish(records([other, other]), resolve, startMs);
    for (let i = 0; i < 100; i++) feed.publish(many(70), resolve, startMs);
    feed.publish(many(300_000), resolve, startMs);
    feed.publish(records([other]), resolve, startMs);
    time.advance(200);
    for (const reader of [idle, few, slow, replaying]) await reader.drain();
    expect(shape(idle.text)).toEqual(['4 edgeRemoved', '5 edgeRemoved', '307006 edgeRemoved']);
    expect(shape(few.text)).toEqual(['4 edgeRemoved', '5 edgeRemoved', '307006 edgeRemoved']);
    for (const reader of [slow, replaying]) {
      expect(shape(reader.text)).toHaveLength(11);
      expect(shape(reader.text).at(-1)).toBe('307006 overflow');
    }
  });

  it('that waits for other events is not told of more than the ring may ever keep', async () => {
    const time = new FakeTime();
    const feed = newFeed(time, { bufferSize: 100, subscriberQueueSize: 10 });
    const none = subscribe(feed, 'kinds=edgeRemoved');
    const all = subscribe(feed);
    for (const reader of [none, all]) await reader.drain();
    feed.publish(many(500_000), resolve, startMs);
    feed.publish(records([other]), resolve, startMs);
    time.advance(200);
    for (const reader of [none, all]) await reader.drain();
    expect(shape(none.text)).toEqual(['500001 edgeRemoved']);
    expect(shape(all.text).filter((line) => line.endsWith('overflow'))).toEqual(['500001 overflow']);
    expect(feed.encodedBytes).toBeLessThan(8 * 1024 * 1024);
  });

  it('is served together with the others, at most once each interval, off the publishing call', async () => {
    const time = new FakeTime();
    const feed = newFeed(time, { bufferSize: 64, subscriberQueueSize: 64, deliveryIntervalMs: 20 });
    const readers = [subscribe(feed), subscribe(feed)];
    for (const reader of readers) await reader.drain();
    const publish = async (): Promise<number[]> => {
      feed.publish(records([created]), resolve, startMs);
      await settle();
      return readers.map(({ text }) => shape(text).length);
    };
    expect(await publish()).toEqual([0, 0]);
    time.advance(0);
    for (const reader of readers) await reader.drain();
    expect(readers.map(({ text }) => shape(text).length)).toEqual([1, 1]);
    expect(await publish()).toEqual([1, 1]);
    time.advance(19);
    expect(await publish()).toEqual([1, 1]);
    time.advance(1);
    await settle();
    expect(readers.map(({ text }) => shape(text).length)).toEqual([3, 3]);
  });

  it('waits longer after a large delivery, a tenth of a second at most', async () => {
    const time = new FakeTime();
    const feed = newFeed(time, { bufferSize: 100_000 });
    const reader = subscribe(feed);
    await reader.drain();
    for (const [count, intervalMs] of [
      [1, 20],
      [2560, 20],
      [6400, 50],
      [50_000, 100],
      [1, 20],
    ] as const) {
      time.advance(200);
      feed.publish(records(Array.from({ length: count }, () => created)), resolve, startMs);
      time.advance(0);
      await reader.drain();
      reader.chunks = [];
      feed.publish(records([created]), resolve, startMs);
      time.advance(intervalMs - 1);
      await reader.drain();
      expect(reader.chunks).toEqual([]);
      time.advance(1);
      await reader.drain();
      expect(shape(reader.text)).toHaveLength(1);
    }
  });

  it('frees its place when it cancels or its signal aborts; one too many is refused', async () => {
    const time = new FakeTime();
    const feed = newFeed(time, { maxSubscribers: 2 });
    const filter = filterOf('');
    const first = subscribe(feed);
    const abort = new AbortController();
    const second = feed.subscribe({ filter, signal: abort.signal });
    expect(second.ok).toBe(true);
    expect(feed.subscribe({ filter })).toMatchObject({ ok: false, failure: 'limitReached' });
    abort.abort();
    expect(feed.subscriberCount).toBe(1);
    if (second.ok) expect(await second.stream.getReader().read()).toEqual({ done: true, value: undefined });
    const third = subscribe(feed);
    await third.drain();
    expect(feed.subscribe({ filter })).toMatchObject({ ok: false, failure: 'limitReached' });
    await first.cancel();
    await third.cancel();
    expect([feed.subscriberCount, time.pending]).toEqual([0, 0]);
    expect(feed.subscribe({ filter, signal: AbortSignal.abort() }).ok).toBe(true);
    expect(feed.subscriberCount).toBe(0);
  });

  it('of a feed reconfigured: limits for those that come later', async () => {
    const time = new FakeTime();
    const feed = newFeed(time, { bufferSize: 100, subscriberQueueSize: 2, maxSubscribers: 1, keepAliveSeconds: 10 });
    const old = subscribe(feed);
    feed.configure({ subscriberQueueSize: 3, maxSubscribers: 2, keepAliveSeconds: 0 });
    const young = subscribe(feed);
    expect(feed.subscribe({ filter: filterOf('') }).ok).toBe(false);
    for (let i = 0; i < 5; i++) feed.publish(records([created]), resolve, startMs);
    for (const reader of [old, young]) await reader.drain();
    expect(shape(old.text)).toEqual(['1 vertexCreated', '2 vertexCreated', '5 overflow']);
    expect(shape(young.text)).toEqual(['1 vertexCreated', '2 vertexCreated', '3 vertexCreated', '5 overflow']);
    time.advance(2000);
    await settle();
    expect([old, young].map(({ text }) => text.includes(': keepalive'))).toEqual([false, true]);
  });

  it('hears keep-alive comments in silence only', async () => {
    const time = new FakeTime();
    const feed = newFeed(time, { keepAliveSeconds: 15 });
    const reader = subscribe(feed, 'kinds=edgeCreated');
    const stuck = subscribe(feed);
    await reader.drain();
    const keepAlives = async (ms: number): Promise<number> => {
      time.advance(ms);
      await reader.drain();
      return reader.text.split(': keepalive\n\n').length - 1;
    };
    expect(await keepAlives(14_999)).toBe(0);
    expect(await keepAlives(1)).toBe(1);
    expect(await keepAlives(15_000)).toBe(2);
    // What its filter keeps back is silence too; what it gets is not.
    feed.publish(records([created]), resolve, startMs);
    expect(await keepAlives(15_000)).toBe(3);
    await keepAlives(10_000);
    feed.publish(records(all.slice(2, 3)), resolve, startMs);
    expect(await keepAlives(0)).toBe(3);
    expect(await keepAlives(14_999)).toBe(3);
    expect(await keepAlives(1)).toBe(4);
    expect(shape(reader.text)).toEqual(['2 edgeCreated']);
    expect(stuck.chunks).toEqual([]);
  });

  it('hears them although the clock is set back', async () => {
    const time = new FakeTime();
    const moved = { nowMs: startMs };
    const other = subscribe(newFeed(time, { keepAliveSeconds: 15, clock: { nowMs: () => moved.nowMs } }));
    await other.drain();
    moved.nowMs -= 1e9;
    time.advance(15_000);
    moved.nowMs += 1e9 + 15_000;
    time.advance(15_000);
    await settle();
    expect(other.text).toBe(': keepalive\n\n');
  });
});

describe('the end', () => {
  it('completes every stream after what was published, without a resync, and refuses what follows', async () => {
    const time = new FakeTime();
    const feed = newFeed(time);
    const readers = [subscribe(feed), subscribe(feed, 'kinds=edgeCreated')];
    for (const reader of readers) await reader.drain();
    feed.publish(records([created]), resolve, startMs);
    feed.close();
    feed.close();
    for (const reader of readers) await reader.drain();
    expect(readers.map(({ ended }) => ended)).toEqual([true, true]);
    expect(readers.map(({ text }) => [...text.matchAll(/^event: (.*)$/gm)].map(([, kind]) => kind))).toEqual([
      ['vertexCreated'],
      [],
    ]);
    expect([feed.subscriberCount, time.pending]).toEqual([0, 0]);
    feed.publish(records([created]), resolve, startMs);
    feed.resync('load', startMs);
    expect(feed.newest).toBe(1);
    expect(feed.subscribe({ filter: filterOf('') })).toMatchObject({ ok: false, failure: 'unavailable' });
  });

  it('of a feed switched off: nothing is kept, nobody subscribes', () => {
    const feed = newFeed(new FakeTime(), { enabled: false });
    feed.publish(records(all), resolve, startMs);
    feed.resync('trim', startMs);
    expect(feed.newest).toBe(0);
    expect(feed.subscribe({ filter: filterOf(''), since: 'x' })).toMatchObject({ ok: false, failure: 'disabled' });
  });

  it('gives each feed an epoch of its own unless it is given one', () => {
    const time = new FakeTime();
    const settings = { bufferSize: 1, subscriberQueueSize: 1, maxSubscribers: 1, keepAliveSeconds: 1 };
    const epochs = [1, 2].map(() => new ChangeFeed({ ...settings, enabled: true, clock: time.clock }).epoch);
    expect(new Set([...epochs, newFeed(time).epoch]).size).toBe(3);
    for (const one of epochs) expect(parsePosition(`${one}:1`)).toEqual({ epoch: one, sequence: 1 });
    expect(newFeed(time, { epoch: epoch.toUpperCase() }).epoch).toBe(epoch);
  });
});
