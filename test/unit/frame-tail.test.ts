// The tail of a log: what those who follow read of it, at every moment, and what they do not.

import zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { crc32With } from '../../src/engine/log/crc32.ts';
import { type Frame, FramesUnreadable, frameKinds, framesAfter } from '../../src/engine/replication/frames.ts';
import { FrameTail, type TailRead } from '../../src/engine/replication/tail.ts';

const crc32 = crc32With((bytes, seed) => zlib.crc32(bytes, seed));
const epoch = 'ab'.repeat(16);
const start = { sequence: 0, chain: 0 };

/** A log's side: hands frames to a tail and settles them. */
class Source {
  readonly tail: FrameTail;
  sequence = 0;
  chain = 0;
  feed = 0;
  private readonly settles: ((durable: boolean) => void)[] = [];

  constructor(limitBytes = 1 << 20) {
    this.tail = new FrameTail({ crc32, limitBytes });
    this.tail.begin({ epoch, ...start }, 0);
  }

  append(text: string, kind: keyof typeof frameKinds = 'changes'): void {
    const payload = new TextEncoder().encode(text);
    const padded = new Uint8Array(Math.ceil(payload.length / 8) * 8);
    padded.set(payload);
    this.sequence++;
    this.chain = crc32(padded, 0, padded.length, this.chain);
    const { sequence, chain } = this;
    const durable = new Promise<boolean>((resolve) => this.settles.push(resolve));
    const entry = { payload, kind, committedMs: 1000 + sequence, position: { epoch, sequence, chain } };
    void durable.then(this.tail.append(entry, () => ++this.feed));
  }

  async settle(durable = true): Promise<void> {
    this.settles.shift()?.(durable);
    await Promise.resolve();
    await Promise.resolve();
  }
}

function framesOf(read: TailRead | null): Frame[] {
  if (read === null) throw new Error('nothing can be read');
  let last = { sequence: read.before.sequence, chain: read.before.chain };
  return read.blocks.flatMap((block) => {
    const frames = [...framesAfter(block, last, crc32)];
    const end = frames.at(-1);
    if (end !== undefined) last = { sequence: end.sequence, chain: end.checksum };
    return frames;
  });
}

const texts = (read: TailRead | null): string[] =>
  framesOf(read).map(({ payload }) => new TextDecoder().decode(payload));

describe('a tail', () => {
  it('shows what is durable and published, in order', async () => {
    const source = new Source();
    for (const text of ['one', 'two two', 'three three three'])
      source.append(text, text === 'one' ? 'trim' : 'changes');
    expect(texts(source.tail.read(0, 1e6))).toEqual([]);
    await source.settle();
    expect(texts(source.tail.read(0, 1e6))).toEqual(['one']);
    await source.settle();
    await source.settle();
    const read = source.tail.read(0, 1e6);
    expect(texts(read)).toEqual(['one', 'two two', 'three three three']);
    expect(framesOf(read)[0]).toMatchObject({ kind: frameKinds.trim, sequence: 1, committedMs: 1001, feedSequence: 1 });
    expect(read?.last).toEqual({ epoch, sequence: 3, chain: source.chain });
    expect(source.tail.read(2, 1e6)?.feedSequence).toBe(2);
    expect(texts(source.tail.read(2, 1e6))).toEqual(['three three three']);
    expect(texts(source.tail.read(3, 1e6))).toEqual([]);
    expect(source.tail.read(4, 1e6)).toBeNull();
    expect(texts(source.tail.read(0, 1))).toEqual(['one']);
  });

  it('waits for events that are still published, and keeps the order', async () => {
    const source = new Source();
    let publish: (sequence: number) => void = () => {};
    const long = new Promise<number>((resolve) => {
      publish = resolve;
    });
    source.append('a');
    const { tail } = source;
    await source.settle();
    const payload = new Uint8Array(8);
    const chain = crc32(payload, 0, 8, source.chain);
    const position = { epoch, sequence: 2, chain };
    void Promise.resolve(true).then(tail.append({ payload, kind: 'changes', committedMs: 0, position }, () => long));
    await Promise.resolve();
    expect(tail.position?.sequence).toBe(1);
    publish(7);
    await long;
    await Promise.resolve();
    expect(tail.position?.sequence).toBe(2);
    expect(tail.read(2, 1)?.feedSequence).toBe(7);
  });

  it('lets go of the oldest when there is too much', async () => {
    const source = new Source(512 * 1024);
    for (let i = 0; i < 3000; i++) {
      source.append(`${i}`.padEnd(400, 'x'));
      await source.settle();
    }
    expect(source.tail.read(0, 1e9)).toBeNull();
    let from = 2500;
    let count = 0;
    while (from < 3000) {
      const read = source.tail.read(from, 10_000) as TailRead;
      expect(read.blocks.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(10_000);
      count += framesOf(read).length;
      from = read.last.sequence;
    }
    expect(count).toBe(500);
    // One frame larger than all may be is kept alone.
    source.append('y'.repeat(2_000_000));
    await source.settle();
    expect(texts(source.tail.read(3000, 1))[0]?.length).toBe(2_000_000);
  });

  it('is empty after a frame that is not durable, until the log goes on', async () => {
    const source = new Source();
    source.append('one');
    source.append('two');
    await source.settle();
    await source.settle(false);
    expect(source.tail.position).toBeNull();
    expect(source.tail.read(1, 1e6)).toBeNull();
    source.append('three');
    await source.settle();
    expect(source.tail.position).toBeNull();
    source.tail.begin({ epoch, sequence: 3, chain: source.chain }, 9);
    expect(source.tail.read(3, 1e6)?.feedSequence).toBe(9);
    source.append('four');
    await source.settle();
    expect(texts(source.tail.read(3, 1e6))).toEqual(['four']);
  });

  it('goes on over a start that finds the same log, and begins anew with another', async () => {
    const source = new Source();
    for (const text of ['one', 'two']) source.append(text);
    await source.settle();
    await source.settle();
    const { chain } = source;
    const tail = new FrameTail({ crc32, limitBytes: 1e6 });
    tail.begin({ epoch: '', ...start }, 0);
    for (const frame of framesOf(source.tail.read(0, 1e6)))
      tail.replayed(frame.payload, frame.sequence, frame.checksum);
    tail.begin({ epoch, sequence: 2, chain }, 0);
    expect(texts(tail.read(0, 1e6))).toEqual(['one', 'two']);
    expect(tail.position).toEqual({ epoch, sequence: 2, chain });
    tail.begin({ epoch: 'cd'.repeat(16), sequence: 2, chain }, 0);
    expect(tail.read(1, 1e6)).toBeNull();
    expect(tail.read(2, 1e6)?.blocks).toEqual([]);
  });

  it('wakes who waits', async () => {
    const source = new Source();
    source.append('one');
    let woken = 0;
    const waits = [source.tail.changed(0, 60_000), source.tail.changed(0, 60_000)].map((wait) =>
      wait.then(() => woken++),
    );
    const given = new AbortController();
    const other = source.tail.changed(5, 60_000, given.signal);
    await source.settle();
    await Promise.all(waits);
    expect(woken).toBe(2);
    given.abort();
    await other;
    await source.tail.changed(0, 60_000);
    await source.tail.changed(1, 1);
  });
});

describe('frames', () => {
  const whole = async (): Promise<Uint8Array> => {
    const source = new Source();
    for (const text of ['one', 'two', 'three']) {
      source.append(text);
      await source.settle();
    }
    return Buffer.concat((source.tail.read(0, 1e6) as TailRead).blocks);
  };

  it('that are changed, cut off, missing or of another history are found', async () => {
    const bytes = await whole();
    expect([...framesAfter(bytes, start, crc32)].length).toBe(3);
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Uint8Array.from(bytes);
      damaged[at] = (damaged[at] as number) ^ 1;
      expect(() => [...framesAfter(damaged, start, crc32)], `byte ${at}`).toThrow(FramesUnreadable);
      if (at % 48 !== 0) expect(() => [...framesAfter(bytes.subarray(0, at), start, crc32)]).toThrow(FramesUnreadable);
    }
    expect(() => [...framesAfter(bytes.subarray(48), start, crc32)]).toThrow('stands where 1 should');
    expect(() => [...framesAfter(bytes, { sequence: 0, chain: 5 }, crc32)]).toThrow('does not follow');
    expect(() => [...framesAfter(bytes, { sequence: 1, chain: 5 }, crc32)]).toThrow('another history');
  });

  it('up to where somebody stands are passed over', async () => {
    const bytes = await whole();
    const [one] = [...framesAfter(bytes, start, crc32)];
    const rest = [...framesAfter(bytes, { sequence: 1, chain: (one as Frame).checksum }, crc32)];
    expect(rest.map(({ sequence }) => sequence)).toEqual([2, 3]);
  });
});
