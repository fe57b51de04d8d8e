// The instance's own buffers: growing ones of a writer, a fixed region of a reader.

import { describe, expect, it } from 'vitest';
import {
  attach,
  BUILDS,
  type Build,
  createMemory,
  type Exports,
  PAGE,
  randomFrom,
  SCRATCH,
  unsigned,
} from './memory-module.ts';

function createWriter(build: Build, limit = 4096) {
  const world = createMemory(build, limit);
  expect(world.core.arenaAttachWriter!()).toBe(1);
  return world;
}

/** Nested marks at random against a list; contents are checked when a mark is released. */
function scratchModel(core: Exports, words: Uint32Array, seed: number, steps: number, largest: number): number {
  const random = randomFrom(seed);
  const stack: { mark: number; blocks: { address: number; words: number; content: number }[] }[] = [];
  let refused = 0;
  stack.push({ mark: unsigned(core.scratchMark!()), blocks: [] });
  for (let step = 0; step < steps; step++) {
    const kind = random(10);
    const top = stack.at(-1)!;
    if (kind < 2) stack.push({ mark: unsigned(core.scratchMark!()), blocks: [] });
    else if (kind < 4 && stack.length > 1) {
      for (const block of top.blocks) {
        for (let i = 0; i < block.words; i++) {
          if (words[block.address / 4 + i] !== block.content) throw new Error('scratch was overwritten');
        }
      }
      core.scratchRelease!(top.mark);
      stack.pop();
    } else {
      const count = random(random(8) === 0 ? largest / 4 : 100);
      const address = unsigned(core.scratchAllocate!(4 * count));
      if (address === 0) {
        refused++;
        continue;
      }
      expect(address % 8).toBe(0);
      words.fill(step, address / 4, address / 4 + count);
      top.blocks.push({ address, words: count, content: step });
    }
  }
  core.scratchRelease!(stack[0]!.mark);
  return refused;
}

describe.each(BUILDS)('arena (%s)', (build) => {
  it('a writer takes 192 KiB to begin with, or nothing', () => {
    const { core } = createMemory(build);
    for (let nth = 1; nth <= 3; nth++) {
      core.setFailAfter!(nth);
      // The scratch chunk is tried twice, so the third failure does not hurt.
      expect(core.arenaAttachWriter!()).toBe(nth === 3 ? 1 : 0);
      expect(core.memoryBytes!(SCRATCH)).toBeLessThanOrEqual(nth === 3 ? 3 * PAGE : 0);
    }
  });

  it('output keeps its contents while it grows', () => {
    const { core, bytes } = createWriter(build);
    core.outBegin!();
    for (let i = 0; i < 3000; i++) {
      const address = unsigned(core.outReserve!(1000));
      bytes()[address] = i;
      bytes()[address + 699] = i;
      core.outCommit!(700);
    }
    expect(core.outUsed!()).toBe(3000 * 700);
    const base = unsigned(core.outBase!());
    for (let i = 0; i < 3000; i++) {
      expect([bytes()[base + 700 * i], bytes()[base + 700 * i + 699]]).toEqual([i & 255, i & 255]);
    }
    core.outTruncate!(700);
    expect(core.outUsed!()).toBe(700);
    core.outBegin!();
    expect(core.outUsed!()).toBe(0);
  });

  it('gives large buffers back on request', () => {
    const { core } = createWriter(build);
    const start = core.memoryBytes!(SCRATCH);
    expect(core.inputEnsure!(20 << 20)).toBeGreaterThan(0);
    core.outBegin!();
    expect(core.outReserve!(30 << 20)).toBeGreaterThan(0);
    const mark = unsigned(core.scratchMark!());
    expect(core.scratchAllocate!(9 << 20)).toBeGreaterThan(0);
    core.scratchRelease!(mark);
    expect(core.memoryBytes!(SCRATCH)).toBeGreaterThan(59 << 20);
    core.arenaTrim!();
    expect(core.memoryBytes!(SCRATCH)).toBe(start);
    expect(core.inputEnsure!(100)).toBeGreaterThan(0);
    expect(core.outReserve!(100)).toBeGreaterThan(0);
  });

  it('answers 0 at the memory limit and works on', () => {
    const { core, words } = createWriter(build, 19 + 40);
    expect(core.inputEnsure!(100 * PAGE)).toBe(0);
    core.outBegin!();
    words()[unsigned(core.outReserve!(8)) / 4] = 77;
    core.outCommit!(8);
    expect(core.outReserve!(100 * PAGE)).toBe(0);
    expect(core.scratchAllocate!(100 * PAGE)).toBe(0);
    expect(core.scratchAllocate!(0xffffffff)).toBe(0);
    expect(core.outReserve!(0xffffffff)).toBe(0);
    expect(core.outReserve!(10 * PAGE)).toBeGreaterThan(0);
    expect(words()[unsigned(core.outBase!()) / 4]).toBe(77);
    expect(core.inputEnsure!(2 * PAGE)).toBeGreaterThan(0);
  });

  it('scratch blocks stay where they are until released (writer)', () => {
    const { core, words } = createWriter(build);
    for (const seed of [1, 2, 3]) expect(scratchModel(core, words(), seed, 5000, 300_000)).toBe(0);
    // One chunk in use and at most one kept back.
    core.arenaTrim!();
    expect(core.memoryBytes!(SCRATCH)).toBeLessThan(3 * PAGE + (2 << 20));
  });

  it('a growable buffer keeps what it holds', () => {
    const { core, words } = createWriter(build, 19 + 64);
    const start = core.memoryBytes!(SCRATCH);
    let address = unsigned(core.bufferEnsure!(0, 0, 100));
    for (let used = 100; used < 300_000; used += 100) {
      address = unsigned(core.bufferEnsure!(address, used, used + 100));
      expect(address).toBeGreaterThan(0);
      words()[(address + used) / 4] = used;
    }
    for (let used = 100; used < 300_000; used += 100) expect(words()[(address + used) / 4]).toBe(used);
    expect(core.bufferEnsure!(address, 300_000, 100 * PAGE)).toBe(0);
    expect(words()[(address + 100) / 4]).toBe(100);
    core.release!(SCRATCH, address);
    expect(core.memoryBytes!(SCRATCH)).toBe(start);
  });

  it('a reader stays inside its region and says what it would need', () => {
    const { core, memory, words } = createWriter(build);
    const reader = attach(build, memory);
    const bytes = 40_000;
    const base = unsigned(core.allocate!(0, SCRATCH, bytes + 16));
    words()[base / 4] = 0xabcdef01;
    words()[(base + 8 + bytes) / 4] = 0xabcdef02;
    reader.arenaAttachReader!(base + 8, bytes);
    const inside = (address: number, size: number) => address >= base + 8 && address + size <= base + 8 + bytes;
    expect(inside(unsigned(reader.inputEnsure!(5000)), 5000)).toBe(true);
    expect(reader.inputEnsure!(5001)).toBe(0);
    reader.outBegin!();
    expect(scratchModel(reader, words(), 9, 3000, 20_000)).toBeGreaterThan(0);
    expect(inside(unsigned(reader.outReserve!(35_000)), 35_000)).toBe(true);
    reader.outCommit!(34_000);
    expect(reader.scratchAllocate!(1)).toBe(0); // still reserved
    reader.outTruncate!(34_000);
    expect(inside(unsigned(reader.scratchAllocate!(1000)), 1000)).toBe(true);
    expect(reader.scratchAllocate!(1)).toBe(0);
    expect(words()[base / 4]).toBe(0xabcdef01);
    expect(words()[(base + 8 + bytes) / 4]).toBe(0xabcdef02);
    expect(reader.allocate).toBeDefined();
  });

  it.each([
    ['input', (reader: Exports) => reader.inputEnsure!(123_456)],
    ['output', (reader: Exports) => reader.outReserve!(123_456)],
    ['scratch', (reader: Exports) => reader.scratchAllocate!(123_456)],
  ])('a region of arenaNeed bytes is enough for %s', (_, ask) => {
    const { core, memory } = createWriter(build);
    const reader = attach(build, memory);
    const base = unsigned(core.allocate!(0, SCRATCH, 10_000));
    reader.arenaAttachReader!(base, 10_000);
    expect(ask(reader)).toBe(0);
    const need = unsigned(reader.arenaNeed!());
    expect(need).toBeLessThan(10 * 123_456);
    reader.arenaAttachReader!(unsigned(core.allocate!(0, SCRATCH, need)), need);
    expect(ask(reader)).not.toBe(0);
  });
});
