// Epochs: nothing is freed while a reader may hold it, everything is freed after. One thread decides each case exactly; real
// threads show that it holds when nothing is in turn, and that it would be seen if it did not.

import { describe, expect, it } from 'vitest';
import {
  ADJACENCY,
  attach,
  BUILDS,
  type Build,
  createMemory,
  type Exports,
  PAGE,
  randomFrom,
  SCRATCH,
  STRINGS,
  SYSTEM,
  unsigned,
} from './memory-module.ts';
import { startReader } from './memory-threads.ts';

function readerOf(build: Build, memory: WebAssembly.Memory) {
  const core = attach(build, memory);
  return { core, slot: core.readerAttach!() };
}

const take = (core: Exports, bytes = 64) => unsigned(core.allocate!(0, STRINGS, bytes));

describe.each(BUILDS)('retire (%s)', (build) => {
  it('gives nobody an entry that is promised to the end of a transaction', () => {
    const { core, bytes } = createMemory(build);
    core.internInit!();
    const intern = (i: number): number => {
      const text = new TextEncoder().encode(`name ${i}`);
      const at = unsigned(core.allocate!(0, SCRATCH, text.length));
      bytes().set(text, at);
      const id = core.intern!(at, text.length);
      core.release!(SCRATCH, at);
      return id;
    };
    for (let i = 0; i < 64; i++) expect(intern(i)).toBe(i);
    // All of the first chunk is promised, and the next one cannot be had.
    expect(core.retirePromise!(255)).toBe(1);
    core.setFailAfter!(2);
    expect(intern(64)).toBe(-1);
    core.setFailAfter!(1);
    expect(core.retireReserve!(1)).toBe(0);
    // Those who were promised them have them without memory.
    core.retireKeep!(0);
    core.setFailAfter!(1);
    expect(core.retireReserve!(255)).toBe(1);
    core.setFailAfter!(0);
    expect(intern(64)).toBe(64);
  });

  it('frees at once when nobody reads', () => {
    const { core } = createMemory(build);
    const address = take(core);
    core.retire!(STRINGS, address);
    expect(core.retiredBytes!()).toBe(64);
    expect(core.memoryBytes!(STRINGS)).toBe(64);
    expect(core.retireAdvance!()).toBe(0);
    expect(core.memoryBytes!(STRINGS)).toBe(0);
    expect(core.retiredBytes!()).toBe(0);
    expect(take(core)).toBe(address);
  });

  it('waits for the reader that was there before, not for the one that came after', () => {
    const { core, memory } = createMemory(build);
    const before = readerOf(build, memory);
    const after = readerOf(build, memory);
    expect([before.slot, after.slot]).toEqual([0, 1]);
    take(core);
    const address = take(core);
    before.core.readerEnter!(before.slot);
    core.retire!(STRINGS, address);
    expect(core.retireAdvance!()).toBe(1);
    after.core.readerEnter!(after.slot);
    expect(core.retireAdvance!()).toBe(1);
    expect(take(core)).not.toBe(address);
    before.core.readerExit!(before.slot);
    expect(core.retireAdvance!()).toBe(0);
    expect(take(core)).toBe(address);
    after.core.readerExit!(after.slot);
  });

  it('has 64 reader slots, and a dead reader holds nothing back once cleared', () => {
    const { core } = createMemory(build);
    const slots = Array.from({ length: 64 }, () => core.readerAttach!());
    expect(slots).toEqual(slots.map((_, index) => index));
    expect(core.readerAttach!()).toBe(-1);
    core.readerEnter!(63);
    core.retire!(STRINGS, take(core));
    expect(core.retireAdvance!()).toBe(1);
    core.readerClear!(63);
    expect(core.retireAdvance!()).toBe(0);
    expect(core.readerAttach!()).toBe(63);
    core.readerDetach!(5);
    expect(core.readerAttach!()).toBe(5);
  });

  it('drops a retired heap after the blocks of it that wait', () => {
    const { core, memory } = createMemory(build);
    const reader = readerOf(build, memory);
    const heap = core.heapCreate!();
    const pages = core.pagesUsed!();
    const blocks = Array.from({ length: 2000 }, () => unsigned(core.allocate!(heap, ADJACENCY, 100)));
    expect(core.retireReserve!(1001)).toBe(1);
    reader.core.readerEnter!(reader.slot);
    for (const address of blocks.slice(0, 1000)) core.retire!(ADJACENCY, address);
    core.retireHeap!(heap);
    expect(core.retireAdvance!()).toBe(1001);
    expect(core.memoryBytes!(ADJACENCY)).toBe(2000 * 104);
    reader.core.readerExit!(reader.slot);
    expect(core.retireAdvance!()).toBe(0);
    expect(core.memoryBytes!(ADJACENCY)).toBe(0);
    expect(core.retiredBytes!()).toBe(0);
    expect(core.pagesUsed!()).toBeLessThanOrEqual(pages + 1);
    expect(core.heapCreate!()).toBe(heap);
  });

  it('keeps what it reserved when memory is out, and says so when it cannot', () => {
    const { core } = createMemory(build, 19 + 8);
    const blocks: number[] = [];
    expect(core.retireReserve!(2000)).toBe(1);
    for (let address = take(core, 1000); address !== 0; address = take(core, 1000)) blocks.push(address);
    expect(core.retireReserve!(10_000)).toBe(0);
    core.readerAttach!();
    core.readerEnter!(0);
    for (const address of blocks) core.retire!(STRINGS, address);
    expect(core.retireAdvance!()).toBe(blocks.length);
    core.readerExit!(0);
    expect(core.retireAdvance!()).toBe(0);
    expect(core.memoryBytes!(STRINGS)).toBe(0);
  });

  it('gives the queue back after a flood', () => {
    const { core } = createMemory(build);
    core.readerAttach!();
    core.readerEnter!(0);
    for (let i = 0; i < 20_000; i++) core.retire!(STRINGS, take(core, 8));
    const flooded = core.memoryBytes!(SYSTEM);
    core.readerExit!(0);
    expect(core.retireAdvance!()).toBe(0);
    expect(core.memoryBytes!(SYSTEM)).toBeLessThan(flooded / 4);
    expect(core.retireReserve!(3000)).toBe(1);
    for (let i = 0; i < 3000; i++) core.retire!(STRINGS, take(core, 8));
    expect(core.retireAdvance!()).toBe(0);
  });

  it('goes on where the epoch numbers end', () => {
    const { core, memory } = createMemory(build);
    const reader = readerOf(build, memory);
    core.setEpoch!(0xfffffffd);
    for (let round = 0; round < 8; round++) {
      const address = take(core);
      reader.core.readerEnter!(reader.slot);
      core.retire!(STRINGS, address);
      expect(core.retireAdvance!()).toBe(1);
      core.retire!(STRINGS, take(core));
      expect(core.retireAdvance!()).toBe(2);
      reader.core.readerExit!(reader.slot);
      expect(core.retireAdvance!()).toBe(0);
      expect(core.epochNow!()).not.toBe(0);
    }
    expect(unsigned(core.epochNow!())).toBeLessThan(100);
  });

  it('stands still instead of running around a reader that never leaves', () => {
    const { core } = createMemory(build);
    core.readerAttach!();
    core.readerEnter!(0);
    core.setEpoch!(1 + 0x40000000 - 1);
    for (let i = 1; i <= 3; i++) {
      core.retire!(STRINGS, take(core));
      expect(core.retireAdvance!()).toBe(i);
    }
    expect(core.epochNow!()).toBe(1 + 0x40000000);
    core.readerExit!(0);
    expect(core.retireAdvance!()).toBe(0);
  });

  it('frees exactly what no reader of that time is left for (random)', () => {
    const random = randomFrom(4711);
    const { core, memory } = createMemory(build);
    const readers = Array.from({ length: 4 }, () => ({ ...readerOf(build, memory), since: 0 }));
    let clock = 1; // ticks with each advance that had something to do
    let waiting: { tag: number; bytes: number }[] = [];
    for (let step = 0; step < 20_000; step++) {
      const reader = readers[random(4)]!;
      const kind = random(10);
      if (kind < 2 && reader.since === 0) {
        reader.core.readerEnter!(reader.slot);
        reader.since = clock;
      } else if (kind < 4 && reader.since !== 0) {
        reader.core.readerExit!(reader.slot);
        reader.since = 0;
      } else if (kind < 7) {
        const bytes = 8 + 8 * random(20);
        core.retire!(STRINGS, take(core, bytes));
        waiting.push({ tag: clock, bytes: unsigned(core.roundedBytes!(bytes)) });
      } else {
        if (waiting.length > 0) clock++;
        const oldest = Math.min(...readers.map(({ since }) => since || Infinity));
        waiting = waiting.filter(({ tag }) => tag >= oldest);
        expect(core.retireAdvance!()).toBe(waiting.length);
        expect(core.retiredBytes!()).toBe(waiting.reduce((sum, { bytes }) => sum + bytes, 0));
        expect(core.memoryBytes!(STRINGS)).toBe(core.retiredBytes!());
      }
    }
    for (const reader of readers) reader.core.readerExit!(reader.slot);
    expect(core.retireAdvance!()).toBe(0);
    expect(core.memoryBytes!(STRINGS)).toBe(0);
  });
});

describe('retire with reader threads', () => {
  const words = 256;

  /** Replaces the published block so many times at least, until both readers read it as often, or one saw a torn one; their counts. */
  async function race(build: Build, broken: boolean, enough: number) {
    const { core, memory, words: memoryWords } = createMemory(build, 2048);
    const heap = core.heapCreate!();
    const shared = unsigned(core.allocate!(0, SCRATCH, PAGE));
    memoryWords().fill(0, shared / 4, shared / 4 + 6);
    const [stopAddress, published, roundsAddress] = [shared, shared + 8, shared + 16];
    memoryWords()[published / 4] = 0;
    core.publishBlocks!(heap, published, words, 1, 0);
    const readers = await Promise.all(
      [0, 4].map((offset) => {
        const counted = { stopAddress, roundsAddress: roundsAddress + offset };
        return startReader(build, memory, { job: 'blocks', ...counted, published, words });
      }),
    );
    let ended = false;
    const counts = Promise.race(readers.map((reader) => reader.counts)).finally(() => {
      ended = true;
    });
    counts.catch(() => {});
    const read = (index: number): number => Atomics.load(memoryWords(), roundsAddress / 4 + index);
    for (let rounds = 0; !ended && Math.min(rounds, read(0), read(1)) < enough; rounds += 5000) {
      core.publishBlocks!(heap, published, words, 5000, broken ? 1 : 0);
      await new Promise((next) => setImmediate(next));
    }
    Atomics.store(memoryWords(), stopAddress / 4, 1);
    const all = await Promise.all(readers.map((reader) => reader.counts));
    const left = core.retireAdvance!();
    return { all, left, live: core.memoryBytes!(SCRATCH) - PAGE };
  }

  it.each(BUILDS)('never frees what a reader holds (%s)', async (build) => {
    const { all, left, live } = await race(build, false, 200_000);
    expect(all.map(({ bad }) => bad)).toEqual([0, 0]);
    expect(left).toBe(0);
    expect(live).toBe(4 * words);
  });

  it('canary: releasing instead of retiring is seen', async () => {
    const { all } = await race('release', true, Number.POSITIVE_INFINITY);
    expect(Math.max(...all.map(({ bad }) => bad))).toBeGreaterThan(0);
  });
});
