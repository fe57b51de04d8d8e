import zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { crc32With, portableCrc32 } from '../../src/engine/log/crc32.ts';
import { frameBytes, segmentHeaderBytes } from '../../src/engine/log/format.ts';
import { Log } from '../../src/engine/log/log.ts';
import { createLog, LogCorruption, type Recovery, recoverLog } from '../../src/engine/log/recovery.ts';
import { MemoryLogStore } from '../../src/storage/memory-store.ts';
import type { LogFile, LogStore } from '../../src/storage/types.ts';

const crc32 = crc32With((bytes, seed) => zlib.crc32(bytes, seed));
const header = { namespaceId: 'default', epoch: '00112233445566778899aabbccddeeff', baseSequence: 0, chainBefore: 0 };
const options = { crc32, namespaceId: 'default', nowMs: Date.UTC(2026, 0, 2, 3, 4, 5, 6) };

/** A payload that says which one it is, of a length that varies. */
function payloadOf(index: number, bytes = 8 + ((index * 13) % 90)): Uint8Array {
  const payload = new Uint8Array(bytes);
  for (let i = 0; i < bytes; i++) payload[i] = (index * 31 + i * 7 + 1) & 255;
  return payload;
}

async function freshLog(store: LogStore, name = 'a.wal'): Promise<Log> {
  const { file, position } = await createLog(store, name, header, crc32);
  return new Log(file, position, { crc32 });
}

async function replayAll(
  store: LogStore,
  name = 'a.wal',
): Promise<{ payloads: Uint8Array[]; recovery: Recovery; file: LogFile }> {
  const file = (await store.open(name)) as LogFile;
  const payloads: Uint8Array[] = [];
  const recovery = await recoverLog(store, name, file, options, (payload, sequence) => {
    expect(sequence).toBe(payloads.length + 1);
    payloads.push(payload.slice());
  });
  return { payloads, recovery, file };
}

/** The runner's own comparison takes minutes over megabytes. */
function expectSame(found: readonly Uint8Array[], expected: readonly Uint8Array[]): void {
  expect(found.length).toBe(expected.length);
  expect(found.findIndex((payload, i) => Buffer.compare(payload, expected[i] as Uint8Array) !== 0)).toBe(-1);
}

/** Groups of the given sizes, one write each; answers the file's bytes and the offset behind each frame. */
async function logOf(
  groups: readonly number[],
): Promise<{ bytes: Uint8Array; ends: number[]; payloads: Uint8Array[] }> {
  const store = new MemoryLogStore();
  const log = await freshLog(store);
  const payloads: Uint8Array[] = [];
  const ends: number[] = [];
  let offset = segmentHeaderBytes;
  for (const size of groups) {
    let last: Promise<boolean> = Promise.resolve(true);
    for (let i = 0; i < size; i++) {
      const payload = payloadOf(payloads.length);
      payloads.push(payload);
      offset += frameBytes(payload.length);
      ends.push(offset);
      last = log.append(payload);
    }
    expect(await last).toBe(true);
  }
  await log.close();
  const file = (await store.open('a.wal')) as LogFile;
  const bytes = new Uint8Array(offset + 64);
  await file.read(0, bytes);
  return { bytes, ends, payloads };
}

async function storeOf(bytes: Uint8Array): Promise<MemoryLogStore> {
  const store = new MemoryLogStore();
  await store.create('a.wal', bytes);
  return store;
}

describe('crc32', () => {
  it('is the one of zip at every length and seed, by tables and by native code', () => {
    const bytes = payloadOf(3, 600);
    for (let length = 0; length <= 600; length += length < 40 ? 1 : 37) {
      for (const seed of [0, 1, 0xffffffff, 0x12345678]) {
        const expected = zlib.crc32(bytes.subarray(5, 5 + Math.min(length, 595)), seed);
        expect(portableCrc32(bytes, 5, 5 + Math.min(length, 595), seed)).toBe(expected);
        expect(crc32(bytes, 5, 5 + Math.min(length, 595), seed)).toBe(expected);
      }
    }
  });
});

describe('a log', () => {
  it('gives back what was appended, across extents, blocks and reopening', async () => {
    const store = new MemoryLogStore();
    const log = await freshLog(store);
    const expected: Uint8Array[] = [];
    for (let i = 0; i < 300; i++) {
      const payload = payloadOf(i, i % 50 === 49 ? 700_000 : 1 + ((i * 37) % 3000));
      expected.push(payload);
      const durable = log.append(payload);
      if (i % 7 === 0) expect(await durable).toBe(true);
    }
    await log.close();
    const first = await replayAll(store);
    expectSame(first.payloads, expected);
    expect(first.recovery).toMatchObject({ frames: 300, tornBytes: 0, tornName: null, header });
    const again = new Log(first.file, first.recovery.position, { crc32 });
    expect(await again.append(payloadOf(300))).toBe(true);
    await again.close();
    expectSame((await replayAll(store)).payloads, [...expected, payloadOf(300)]);
  });

  it('reads a frame larger than a block, and small ones around block ends', async () => {
    const store = new MemoryLogStore();
    const log = await freshLog(store);
    const sizes = [4 * 1024 * 1024 - 4096 - 24 - 24, 8, 9 * 1024 * 1024, 1, 4 * 1024 * 1024 - 24, 5];
    for (const size of sizes) await log.append(payloadOf(size & 255, size));
    await log.close();
    const { payloads, recovery } = await replayAll(store);
    expect(payloads.map(({ length }) => length)).toEqual(sizes);
    expect(payloads.every((payload, i) => Buffer.compare(payload, payloadOf(sizes[i]! & 255, sizes[i])) === 0)).toBe(
      true,
    );
    expect(recovery.tornBytes).toBe(0);
  });

  it('writes one group at a time and gathers what arrives meanwhile', async () => {
    const inner = new MemoryLogStore();
    const writes: number[] = [];
    let underWay = 0;
    const { file, position } = await createLog(inner, 'a.wal', header, crc32);
    const slow: LogFile = Object.create(file, {
      sizeBytes: { get: () => file.sizeBytes },
      write: {
        value: async (offset: number, bytes: Uint8Array) => {
          expect(++underWay).toBe(1);
          writes.push(bytes.length);
          await new Promise((resolve) => setTimeout(resolve, 2));
          await file.write(offset, bytes);
          underWay--;
        },
      },
    });
    const log = new Log(slow, position, { crc32 });
    await log.append(payloadOf(0, 8));
    const first = log.append(payloadOf(1, 8));
    await new Promise((resolve) => setTimeout(resolve, 0));
    const rest = Array.from({ length: 64 }, (_, i) => log.append(payloadOf(i + 2, 8)));
    expect(await first).toBe(true);
    expect(await Promise.all(rest)).toEqual(Array(64).fill(true));
    expect(writes).toEqual([32, 32, 64 * 32]);
    await log.close();
    expect((await replayAll(inner)).payloads.length).toBe(66);
  });

  it('asks for patience above the limit and never leaves one waiting', async () => {
    const store = new MemoryLogStore();
    const { file, position } = await createLog(store, 'a.wal', header, crc32);
    const log = new Log(file, position, { crc32, pendingLimitBytes: 1000 });
    expect(log.backpressure()).toBeNull();
    void log.append(new Uint8Array(900).fill(1));
    expect(log.backpressure()).toBeNull();
    const last = log.append(new Uint8Array(100).fill(1));
    const patience = log.backpressure();
    expect(patience).not.toBeNull();
    expect(log.backpressure()).toBe(patience);
    await patience;
    expect(log.backpressure()).toBeNull();
    expect(await last).toBe(true);
    expect(await log.flushed()).toBe(true);
    await log.close();
    expect(await log.append(payloadOf(1))).toBe(false);
  });

  it('belongs to one namespace', async () => {
    const store = new MemoryLogStore();
    await (await freshLog(store)).close();
    const file = (await store.open('a.wal')) as LogFile;
    await expect(recoverLog(store, 'a.wal', file, { ...options, namespaceId: 'other' }, () => {})).rejects.toThrow(
      'it belongs to the namespace with id default',
    );
  });

  it('waits for what takes longer than a call before it goes on, and hands on what that rejects with', async () => {
    const { bytes } = await logOf([5]);
    const store = await storeOf(bytes);
    const reopened = async () => (await store.open('a.wal')) as LogFile;
    const seen: string[] = [];
    const slow = (_payload: Uint8Array, sequence: number): Promise<void> | void => {
      seen.push(`${sequence} begins`);
      if (sequence % 2 === 0) return Promise.resolve().then(() => void seen.push(`${sequence} ends`));
    };
    await recoverLog(store, 'a.wal', await reopened(), options, slow);
    expect(seen.join()).toBe('1 begins,2 begins,2 ends,3 begins,4 begins,4 ends,5 begins');
    const refuse = async (): Promise<void> => {
      throw new Error('refused later');
    };
    await expect(recoverLog(store, 'a.wal', await reopened(), options, refuse)).rejects.toThrow('refused later');
  });

  it('hands on what the replay throws and leaves the file alone', async () => {
    const { bytes } = await logOf([3]);
    const store = await storeOf(bytes);
    const file = (await store.open('a.wal')) as LogFile;
    const refuse = (): never => {
      throw new Error('refused');
    };
    await expect(recoverLog(store, 'a.wal', file, options, refuse)).rejects.toThrow('refused');
    expect(file.sizeBytes).toBe(bytes.length);
  });
});

describe('a damaged log', () => {
  const groups = [1, 3, 1, 4, 2];

  it('with any one bit flipped is detected or unharmed', async () => {
    const { bytes, ends, payloads } = await logOf(groups);
    const lastGroupFrom = ends.length - (groups.at(-1) as number);
    let detected = 0;
    for (let at = 0; at < bytes.length; at++) {
      // The zeros of the header page are all alike; a sample of them will do.
      if (at > 64 && at < segmentHeaderBytes && at % 61 !== 0) continue;
      const flipped = bytes.slice();
      flipped[at] = (flipped[at] as number) ^ (1 << (at % 8));
      const store = await storeOf(flipped);
      const victim = at < segmentHeaderBytes ? -1 : ends.findIndex((end) => at < end);
      try {
        const { payloads: found, recovery, file } = await replayAll(store);
        // Only the newest group can pass for one that was never acknowledged; then it is reported and kept.
        expect(victim === -1 || victim >= lastGroupFrom, `byte ${at}`).toBe(true);
        expect(at).toBeGreaterThanOrEqual(segmentHeaderBytes);
        expect(found).toEqual(payloads.slice(0, victim === -1 ? payloads.length : victim));
        expect(recovery.tornBytes).toBeGreaterThan(0);
        expect(await store.list('a.wal.torn-')).toEqual(['a.wal.torn-20260102T030405006']);
        expect(file.sizeBytes).toBe(recovery.position.offset);
      } catch (error) {
        expect(error, `byte ${at}`).toBeInstanceOf(LogCorruption);
        expect(victim, `byte ${at}`).toBeLessThan(lastGroupFrom);
        detected++;
      }
    }
    expect(detected).toBeGreaterThan(500);
  });

  it('cut at any byte comes back as a prefix and takes appends again', async () => {
    const { bytes, ends, payloads } = await logOf(groups);
    for (let length = segmentHeaderBytes; length <= bytes.length; length++) {
      const store = await storeOf(bytes.slice(0, length));
      const { payloads: found, recovery, file } = await replayAll(store);
      const whole = ends.filter((end) => end <= length).length;
      expect(found).toEqual(payloads.slice(0, whole));
      const end = ends[whole - 1] ?? segmentHeaderBytes;
      const torn = bytes.subarray(end, length).findLastIndex((byte) => byte !== 0) >= 0;
      expect(recovery.tornBytes > 0).toBe(torn);
      if (length % 17 !== 0) continue;
      const log = new Log(file, recovery.position, { crc32 });
      expect(await log.append(payloadOf(99))).toBe(true);
      await log.close();
      expect((await replayAll(store)).payloads).toEqual([...payloads.slice(0, whole), payloadOf(99)]);
    }
  });

  it('whose last group lost its first part is torn, whatever of the rest is whole', async () => {
    const { bytes, ends, payloads } = await logOf([2, 5]);
    bytes.fill(0, ends[1], (ends[1] as number) + 16);
    const store = await storeOf(bytes);
    const { payloads: found, recovery } = await replayAll(store);
    expect(found).toEqual(payloads.slice(0, 2));
    expect(recovery.tornBytes).toBeGreaterThan(0);
  });

  it('that lost an older frame is corrupt even where it left only zeros', async () => {
    const { bytes, ends } = await logOf([2, 1, 1]);
    bytes.fill(0, ends[0], ends[1]);
    const file = (await (await storeOf(bytes)).open('a.wal')) as LogFile;
    const store = new MemoryLogStore();
    const failure = await recoverLog(store, 'a.wal', file, options, () => {}).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(LogCorruption);
    expect(failure).toMatchObject({ offset: ends[0], sequence: 2 });
    expect(file.sizeBytes).toBe(bytes.length);
    expect(await store.list('')).toEqual([]);
  });

  it('does not take the frames of another log for its own', async () => {
    const { bytes, ends } = await logOf([1, 1, 1]);
    const store = new MemoryLogStore();
    const other = await createLog(store, 'a.wal', { ...header, epoch: 'ffeeddccbbaa99887766554433221100' }, crc32);
    // A disk that shows stale blocks: everything behind the header is what an earlier log left there.
    await other.file.write(segmentHeaderBytes, bytes.subarray(segmentHeaderBytes, ends[2]));
    const { payloads, recovery } = await replayAll(store).catch((error: unknown) => {
      throw error;
    });
    expect(payloads).toEqual([]);
    expect(recovery.tornBytes).toBeGreaterThan(0);
  });

  it('without a whole header is corrupt', async () => {
    const { bytes } = await logOf([1]);
    for (const length of [0, 1, 100, segmentHeaderBytes - 1]) {
      const store = await storeOf(bytes.slice(0, length));
      await expect(replayAll(store)).rejects.toThrow(LogCorruption);
    }
  });
});
