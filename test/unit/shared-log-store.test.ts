// Log files on a shared log: whatever is done to them, who takes the log over has them as they were; and the journal is not kept whole for files that
// are small or that checkpoints have overtaken.

import { expect, it } from 'vitest';
import { Journal } from '../../runtime-node/cluster/journal.ts';
import { ReadAhead } from '../../runtime-node/cluster/read-ahead.ts';
import type { ArcwiseService } from '../../src/service.ts';
import { MemorySharedLog } from '../../src/storage/memory-shared-log.ts';
import { SharedLogStore } from '../../src/storage/shared-log-store.ts';
import type { LogFile } from '../../src/storage/types.ts';
import { randomFrom } from '../durability/choices.ts';

const never = async (): Promise<void> => {
  throw new Error('There was no need to try again.');
};
const opened = (log: MemorySharedLog, term: number): Promise<SharedLogStore> =>
  SharedLogStore.open({ log, term, again: never, onFenced: () => {} });

async function owned(): Promise<MemorySharedLog> {
  const log = new MemorySharedLog(() => 0);
  await log.take(0, 'a', 1000);
  return log;
}

async function contentOf(file: LogFile | null): Promise<Uint8Array | null> {
  if (file === null) return null;
  const bytes = new Uint8Array(file.sizeBytes);
  await file.read(0, bytes);
  return bytes;
}

/** Up to where the bytes are not zero: more is reserved, and in no journal. */
function trimmed(bytes: Uint8Array | null): string | null {
  if (bytes === null) return null;
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return Buffer.from(bytes.subarray(0, end)).toString('hex');
}

it('has the files as they were, after any operations side by side', async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = randomFrom(seed);
    const log = await owned();
    const store = await opened(log, 1);
    const model = new Map<string, Uint8Array>();
    const files = new Map<string, LogFile>();
    let running: Promise<unknown>[] = [];
    for (let step = 0; step < 120; step++) {
      const name = `f${Math.floor(random() * 4)}`;
      const file = files.get(name);
      const dice = random();
      const content = new Uint8Array(1 + Math.floor(random() * (dice < 0.02 ? 300_000 : 3000))).fill(1 + (step % 200));
      if (file === undefined || dice < 0.1) {
        await Promise.all(running); // as the engine: nothing else is done to a file that is being made
        running = [];
        const made = new Uint8Array(content.length + 5000);
        made.set(content);
        files.set(name, await store.create(name, made));
        model.set(name, made);
      } else if (dice < 0.2) {
        await Promise.all(running);
        files.delete(name);
        model.delete(name);
        running = [store.delete(name)]; // beside what comes next
      } else if (dice < 0.3) {
        const size = Math.floor(random() * file.sizeBytes);
        model.set(name, (model.get(name) as Uint8Array).slice(0, size));
        running.push(file.truncate(size));
      } else {
        const before = model.get(name) as Uint8Array;
        const offset = Math.floor(random() * before.length);
        const after = new Uint8Array(Math.max(before.length, offset + content.length));
        after.set(before);
        after.set(content, offset);
        model.set(name, after);
        running.push(file.write(offset, content));
      }
    }
    await Promise.all(running);
    await log.take(1, 'b', 1000);
    const other = await opened(log, 2);
    expect(await other.list(''), `seed ${seed}`).toEqual([...model.keys()].sort());
    for (const [name, bytes] of model)
      expect(trimmed(await contentOf(await other.open(name))), `seed ${seed}, ${name}`).toBe(trimmed(bytes));
  }
});

it('lets the journal go although small files lie at its beginning', async () => {
  const log = await owned();
  const store = await opened(log, 1);
  const small = await store.create('small', new Uint8Array(70_000));
  await small.write(4096, new Uint8Array([1, 2, 3]));
  for (let round = 0; round < 5; round++) {
    const large = await store.create(`large${round}`, new Uint8Array(10));
    for (let i = 0; i < 10; i++) await large.write(i * 100_000, new Uint8Array(100_000).fill(7));
    if (round > 0) await store.delete(`large${round - 1}`);
  }
  expect(await log.first()).toBeGreaterThan(40);
  const held = (await log.read(await log.first(), 1e9)).reduce((sum, { bytes }) => sum + bytes.length, 0);
  expect(held).toBeLessThan(2_200_000);
  await log.take(1, 'b', 1000);
  const bytes = await contentOf(await (await opened(log, 2)).open('small'));
  expect([...(bytes ?? []).slice(4096, 4099)]).toEqual([1, 2, 3]);
});

it('keeps the journal where what would be put again is nearly all of it', async () => {
  const log = await owned();
  const store = await opened(log, 1);
  await store.create('small', new Uint8Array(1000).fill(1));
  const other = await store.create('other', new Uint8Array(1000));
  await other.write(0, new Uint8Array(1000).fill(2));
  await store.delete('other');
  expect(await log.first()).toBe(1);
});

it('is read ahead up to a length, and again when a checkpoint has made it shorter', async () => {
  const log = await owned();
  const writer = await opened(log, 1);
  const file = await writer.create('log', new Uint8Array([1]));
  const warned: string[] = [];
  const logger = { info: () => {}, error: () => {}, warn: (message: string) => void warned.push(message) };
  const ahead = new ReadAhead(log, logger, 1_000_000);
  const read = async (): Promise<boolean> => {
    ahead.go();
    await expect.poll(() => ahead.isReading).toBe(false);
    return ahead.isThere;
  };
  for (let at = 0; at < 4; at++) await file.write(1 + at * 100_000, new Uint8Array(100_000).fill(7));
  expect(await read()).toBe(true);
  await file.write(400_001, new Uint8Array(700_000).fill(7));
  expect(await read()).toBe(false);
  expect(await read()).toBe(false);
  expect(warned.length).toBe(1);
  // Whoever takes the log reads it however long it is.
  const taken = await opened(log, 1);
  expect(taken.heldBytes).toBeGreaterThan(1_000_000);
  const next = await taken.create('next', new Uint8Array([2]));
  await taken.delete('log');
  await next.write(1, new Uint8Array([3]));
  expect(await read()).toBe(true);
  expect((await ahead.take())?.heldBytes).toBeLessThan(10_000);
});

it('counts what is gone apart, so that a log that was read for long is not saved for that', async () => {
  const log = await owned();
  const writer = await opened(log, 1);
  for (let round = 0; round < 5; round++) {
    const file = await writer.create(`log ${round}`, new Uint8Array([1]));
    await file.write(1, new Uint8Array(500_000).fill(7));
    if (round > 0) await writer.delete(`log ${round - 1}`);
  }
  const { goneBytes, journalBytes } = writer;
  expect(goneBytes).toBeGreaterThan(4 * 500_000);
  expect(journalBytes - goneBytes).toBeLessThan(501_000);
});

it('is saved behind each so many bytes, and known to be while it is', async () => {
  const writer = await opened(await owned(), 1);
  const logger = { info: () => {}, error: () => {}, warn: () => {} };
  const journal = new Journal(writer, 1000, logger);
  const ends: (() => void)[] = [];
  const saveBases = (): Promise<void> => new Promise((resolve) => ends.push(resolve));
  const service = { engine: { saveGames: { saveBases } } } as unknown as ArcwiseService;
  const file = await writer.create('log', new Uint8Array([1]));
  journal.saveWhenDue(service);
  expect([ends.length, journal.isSaving]).toEqual([0, false]);
  await file.write(1, new Uint8Array(2000).fill(7));
  journal.saveWhenDue(service);
  journal.saveWhenDue(service);
  expect([ends.length, journal.isSaving]).toEqual([1, true]);
  ends[0]?.();
  await expect.poll(() => journal.isSaving).toBe(false);
});
