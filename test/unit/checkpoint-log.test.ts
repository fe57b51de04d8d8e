// The log across checkpoints: turning to a new file, healing, and which files and checkpoints fit together.

import { describe, expect, it } from 'vitest';
import type { Anchor } from '../../src/engine/checkpoint/types.ts';
import { LogElsewhere } from '../../src/engine/checkpoint/types.ts';
import { LogCorruption } from '../../src/engine/log/recovery.ts';
import { MemoryLogStore } from '../../src/storage/memory-store.ts';
import type { LogFile, LogStore } from '../../src/storage/types.ts';
import { logName, openLog } from './support/checkpoint-home.ts';

const payload = (number: number): Uint8Array => new Uint8Array([number, 1, 2, 3, 4, 5, 6, 7]);

async function found(logs: LogStore, anchor: Anchor | null = null, restart = false) {
  const numbers: number[] = [];
  const opened = await openLog(logs, (bytes) => void numbers.push(bytes[0] as number), anchor, restart);
  return { ...opened, numbers };
}

async function appended(log: Awaited<ReturnType<typeof found>>['log'], from: number, to: number): Promise<void> {
  const waiting: Promise<boolean>[] = [];
  for (let number = from; number <= to; number++) waiting.push(log.append(payload(number)));
  expect((await Promise.all(waiting)).every(Boolean)).toBe(true);
}

/** Log files that refuse writes while told to. */
class RefusingStore implements LogStore {
  refuses = false;
  private readonly inner = new MemoryLogStore();

  private guard(file: LogFile): LogFile {
    const refuse = (): void => {
      if (this.refuses) throw new Error('EIO');
    };
    return {
      get sizeBytes() {
        return file.sizeBytes;
      },
      read: (offset, target) => file.read(offset, target),
      write: async (offset, bytes) => {
        refuse();
        await file.write(offset, bytes);
      },
      reserve: async (sizeBytes) => {
        refuse();
        await file.reserve(sizeBytes);
      },
      truncate: (sizeBytes) => file.truncate(sizeBytes),
      sync: () => file.sync(),
      close: () => file.close(),
    };
  }

  async open(name: string): Promise<LogFile | null> {
    const file = await this.inner.open(name);
    return file === null ? null : this.guard(file);
  }

  async create(name: string, content: Uint8Array): Promise<LogFile> {
    return this.guard(await this.inner.create(name, content));
  }

  list(prefix: string): Promise<string[]> {
    return this.inner.list(prefix);
  }

  delete(name: string): Promise<void> {
    return this.inner.delete(name);
  }
}

describe('a log that turns', () => {
  it('acknowledges beside the turn and drops the old file when the checkpoint is durable', async () => {
    const logs = new MemoryLogStore();
    const { log } = await found(logs);
    await appended(log, 1, 3);
    const before = log.append(payload(4));
    const turn = log.turn(await log.prepare());
    expect(turn.anchor).toMatchObject({ sequence: 4 });
    const behind = log.append(payload(5));
    expect([await before, await behind]).toEqual([true, true]);
    expect(await logs.list('')).toEqual([logName, `${logName}.1`]);
    expect((await found(logs)).numbers).toEqual([1, 2, 3, 4, 5]);
    expect((await found(logs, turn.anchor)).numbers).toEqual([5]);
  });

  it('is one file again after the checkpoint, however often', async () => {
    const logs = new MemoryLogStore();
    const { log } = await found(logs);
    let anchor: Anchor | null = null;
    for (let round = 0; round < 9; round++) {
      await appended(log, 2 * round + 1, 2 * round + 2);
      const turn = log.turn(await log.prepare());
      await turn.settle();
      anchor = turn.anchor;
      expect(await logs.list('')).toHaveLength(1);
    }
    await appended(log, 19, 21);
    await log.close();
    await expect(found(logs)).rejects.toThrow(LogElsewhere);
    expect((await found(logs, anchor)).numbers).toEqual([19, 20, 21]);
  });

  it('goes on over checkpoints that fail, with and without a free name', async () => {
    const logs = new MemoryLogStore();
    const { log } = await found(logs);
    for (let round = 0; round < 6; round++) {
      await appended(log, round + 1, round + 1);
      log.turn(await log.prepare()).forget();
    }
    await appended(log, 7, 7);
    expect(await logs.list('')).toHaveLength(4);
    expect((await found(logs)).numbers).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const turn = log.turn(await log.prepare());
    await turn.settle();
    await appended(log, 8, 8);
    await log.close();
    expect(await logs.list('')).toHaveLength(1);
    expect((await found(logs, turn.anchor)).numbers).toEqual([8]);
  });

  it('heals with the checkpoint, not before it', async () => {
    const logs = new RefusingStore();
    const { log } = await found(logs);
    await appended(log, 1, 2);
    logs.refuses = true;
    expect(await log.append(payload(3))).toBe(false);
    logs.refuses = false;
    expect(await log.append(payload(4))).toBe(false);
    const failing = log.turn(await log.prepare());
    const lost = log.append(payload(5));
    failing.forget();
    expect(await lost).toBe(false);
    expect(log.degraded).toBe(true);
    const turn = log.turn(await log.prepare());
    let settled = false;
    const waits = log.append(payload(6)).finally(() => {
      settled = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([settled, log.degraded]).toEqual([false, true]);
    await turn.settle();
    expect([await waits, log.degraded]).toEqual([true, false]);
    await log.close();
    expect((await found(logs, turn.anchor)).numbers).toEqual([6]);
  });
});

describe('reading a log', () => {
  async function turned(): Promise<{ logs: MemoryLogStore; anchor: Anchor }> {
    const logs = new MemoryLogStore();
    const { log } = await found(logs);
    await appended(log, 1, 3);
    const { anchor } = log.turn(await log.prepare());
    await appended(log, 4, 5);
    await log.close();
    return { logs, anchor };
  }

  it('does not pass over a gap', async () => {
    const { logs, anchor } = await turned();
    await logs.delete(logName);
    await expect(found(logs)).rejects.toThrow(LogElsewhere);
    expect((await found(logs, anchor)).numbers).toEqual([4, 5]);
    await expect(found(logs, { ...anchor, sequence: 2 })).rejects.toThrow(LogElsewhere);
  });

  it('notices an old file that ends too early', async () => {
    const { logs, anchor } = await turned();
    const file = (await logs.open(logName)) as LogFile;
    await file.truncate(4096 + 32);
    await expect(found(logs)).rejects.toThrow(LogCorruption);
    // The checkpoint contains what is missing.
    expect((await found(logs, anchor)).numbers).toEqual([4, 5]);
  });

  it('refuses a checkpoint of another history', async () => {
    const { logs, anchor } = await turned();
    await expect(found(logs, { ...anchor, epoch: 'f'.repeat(32) })).rejects.toThrow(LogElsewhere);
    await expect(found(logs, { ...anchor, chain: anchor.chain + 1 })).rejects.toThrow(LogElsewhere);
  });

  it('begins anew where it is told to, and fits that checkpoint alone', async () => {
    const { logs, anchor } = await turned();
    const restarted = await found(logs, { ...anchor, sequence: 2, chain: 77 }, true);
    expect([restarted.numbers, restarted.existed]).toEqual([[], false]);
    expect(await logs.list('')).toHaveLength(1);
    await appended(restarted.log, 50, 52);
    await restarted.log.close();
    await expect(found(logs, anchor)).rejects.toThrow(LogElsewhere);
    await expect(found(logs)).rejects.toThrow(LogElsewhere);
    expect((await found(logs, { ...anchor, sequence: 2, chain: 77 })).numbers).toEqual([50, 51, 52]);
  });

  it('takes numbers above the checkpoint when the log has lost its end', async () => {
    const { logs, anchor } = await turned();
    const later = { ...anchor, sequence: 9, chain: 5 };
    const opened = await found(logs, later);
    expect(opened.numbers).toEqual([]);
    expect(opened.log.lastSequence).toBe(9);
    await appended(opened.log, 60, 60);
    await opened.log.close();
    expect(await logs.list('')).toHaveLength(1);
    expect((await found(logs, later)).numbers).toEqual([60]);
  });

  it('passes over a file that was prepared and never used, but not over one that lost its header', async () => {
    const { logs } = await turned();
    await logs.create(`${logName}.2`, new Uint8Array(9000));
    expect((await found(logs)).numbers).toEqual([1, 2, 3, 4, 5]);
    expect(await logs.list('')).toHaveLength(2);
    const lost = new Uint8Array(9000);
    lost[5000] = 1;
    await logs.create(`${logName}.2`, lost);
    await expect(found(logs)).rejects.toThrow(LogCorruption);
  });
});
