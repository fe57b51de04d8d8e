// The allocator against a model in plain JavaScript, in both builds.

import { describe, expect, it } from 'vitest';
import {
  ADJACENCY,
  BUILDS,
  type Build,
  CLASS_BYTES,
  createMemory,
  ELEMENTS,
  type Exports,
  expectedBytes,
  FIRST_PAGE,
  PAGE,
  PROPERTIES,
  PURPOSES,
  randomFrom,
  SCRATCH,
  STRINGS,
  SYSTEM,
  unsigned,
} from './memory-module.ts';

interface Block {
  address: number;
  heap: number;
  purpose: number;
  bytes: number;
  content: number;
}

/** Takes, gives and checks blocks at random. */
class Model {
  readonly live: Block[] = [];
  private next = 1;
  private readonly world;
  readonly core: Exports;

  constructor(
    build: Build,
    private readonly random: (below: number) => number,
    limit: number,
  ) {
    this.world = createMemory(build, limit, FIRST_PAGE + 1);
    this.core = this.world.core;
  }

  take(heap: number): void {
    const purpose = this.random(SYSTEM);
    const bytes = this.size();
    const address = unsigned(this.core.allocate!(heap, purpose, bytes));
    expect(address).toBeGreaterThan(0);
    expect(address % 8).toBe(0);
    const usable = unsigned(this.core.blockBytes!(address));
    expect(usable).toBe(expectedBytes(bytes));
    const block = { address, heap, purpose, bytes: usable, content: this.next++ };
    this.world.words().fill(block.content, address / 4, (address + usable) / 4);
    this.live.push(block);
  }

  give(): void {
    const [block] = this.live.splice(this.random(this.live.length), 1);
    if (!block) return;
    this.inspect(block);
    this.core.release!(block.purpose, block.address);
  }

  drop(heap: number): void {
    for (const block of this.live.filter((one) => one.heap === heap)) this.inspect(block);
    const kept = this.live.filter((one) => one.heap !== heap);
    this.live.splice(0, this.live.length, ...kept);
    this.core.heapDrop!(heap);
  }

  inspectAll(heaps: number[]): void {
    const sorted = [...this.live].sort((a, b) => a.address - b.address);
    for (const [index, block] of sorted.entries()) {
      this.inspect(block);
      if (index > 0) {
        const before = sorted[index - 1]!;
        if (before.address + before.bytes > block.address) throw new Error('two blocks overlap');
      }
    }
    for (let purpose = 0; purpose < SYSTEM; purpose++) {
      const sum = (heap?: number) =>
        this.live
          .filter((one) => one.purpose === purpose && (heap === undefined || one.heap === heap))
          .reduce((total, one) => total + one.bytes, 0);
      expect(this.core.memoryBytes!(purpose)).toBe(sum());
      for (const heap of heaps) expect(unsigned(this.core.heapBytes!(heap, purpose))).toBe(sum(heap));
    }
  }

  private size(): number {
    const kind = this.random(100);
    if (kind < 70) return this.random(200);
    if (kind < 90) return this.random(3000);
    if (kind < 99) return this.random(PAGE / 2 + 1);
    return this.random(5 * PAGE);
  }

  private inspect({ address, bytes, content }: Block): void {
    const words = this.world.words();
    for (let at = address / 4; at < (address + bytes) / 4; at++) {
      if (words[at] !== content) throw new Error(`content of ${address} changed at ${at * 4}`);
    }
  }
}

describe.each(BUILDS)('allocator (%s)', (build) => {
  it('rounds to the classes the design names', () => {
    const { core } = createMemory(build);
    expect(CLASS_BYTES).toHaveLength(70);
    for (let bytes = 0; bytes <= PAGE / 2; bytes++) {
      if (core.roundedBytes!(bytes) !== expectedBytes(Math.max(bytes, 1))) throw new Error(`${bytes} bytes`);
    }
    for (const bytes of [PAGE / 2 + 1, PAGE, PAGE + 1, 5 * PAGE]) {
      expect(core.roundedBytes!(bytes)).toBe(expectedBytes(bytes));
    }
  });

  it.each([1, 2, 3])('behaves like the model (seed %i)', (seed) => {
    const random = randomFrom(seed * 7919);
    const model = new Model(build, random, 4096);
    const heaps = [0, model.core.heapCreate!(), model.core.heapCreate!()];
    for (let round = 0; round < 12; round++) {
      const goal = random(1500);
      for (let step = 0; step < 1500; step++) {
        if (model.live.length === 0 || random(2000) < 1000 + Math.sign(goal - model.live.length) * 400) {
          model.take(heaps[random(heaps.length)]!);
        } else model.give();
      }
      model.inspectAll(heaps);
      if (round % 4 === 3) {
        const index = 1 + random(heaps.length - 1);
        model.drop(heaps[index]!);
        heaps[index] = model.core.heapCreate!();
        model.inspectAll(heaps);
      }
    }
    while (model.live.length > 0) model.give();
    model.inspectAll(heaps);
    for (const heap of heaps.slice(1)) model.drop(heap);
    expect(model.core.pagesUsed!()).toBe(0);
    for (let purpose = 0; purpose < PURPOSES; purpose++) expect(model.core.memoryBytes!(purpose)).toBe(0);
  });

  it('reuses emptied pages for other classes, heaps and runs', () => {
    // A block of a debug build is 16 bytes longer: twice as long as the smallest, a whole page for half of one.
    const { core } = createMemory(build, FIRST_PAGE + (build === 'debug' ? 30 : 16));
    const heap = core.heapCreate!();
    const other = core.heapCreate!();
    for (const bytes of [16, 1000, 24, 9000, 64, PAGE, 3 * PAGE, 32, 30000]) {
      const blocks = [];
      const owner = bytes % 16 === 0 ? heap : other;
      for (let total = 0; total < 12 * PAGE; total += bytes) blocks.push(core.allocate!(owner, ADJACENCY, bytes));
      expect(blocks.every((address) => address !== 0)).toBe(true);
      for (const address of blocks) core.release!(ADJACENCY, unsigned(address));
      expect(core.pagesUsed!()).toBe(1);
    }
  });

  it('answers 0 at the limit, one below and at it not, and recovers', () => {
    const { core } = createMemory(build, FIRST_PAGE + 8);
    const room = build === 'debug' ? 8 * PAGE - 16 : 8 * PAGE;
    expect(core.allocate!(0, ELEMENTS, room + 1)).toBe(0);
    const whole = core.allocate!(0, ELEMENTS, room - PAGE);
    expect(whole).toBeGreaterThan(0);
    expect(core.allocate!(0, ELEMENTS, PAGE)).toBe(build === 'debug' ? 0 : (FIRST_PAGE + 7) * PAGE);
    core.release!(ELEMENTS, whole);
    if (build === 'release') core.release!(ELEMENTS, (FIRST_PAGE + 7) * PAGE);
    expect(core.pagesUsed!()).toBe(0);
    for (const bytes of [8, 48, 5000]) {
      const counts = [0, 0].map(() => {
        const blocks: number[] = [];
        while (true) {
          const address = core.allocate!(0, STRINGS, bytes);
          if (address === 0) break;
          blocks.push(address);
        }
        expect(core.memoryBytes!(STRINGS)).toBe(blocks.length * expectedBytes(bytes));
        for (const address of blocks) core.release!(STRINGS, address);
        expect(core.pagesUsed!()).toBe(0);
        return blocks.length;
      });
      expect(counts[0]).toBe(counts[1]);
      if (build === 'release') expect(counts[0]).toBe(8 * Math.floor(PAGE / expectedBytes(bytes)));
    }
    core.memoryLimit!(FIRST_PAGE);
    expect(core.allocate!(0, STRINGS, 8)).toBe(0);
    core.memoryLimit!(FIRST_PAGE + 1);
    expect(core.allocate!(0, STRINGS, 8)).toBeGreaterThan(0);
  });

  it('hands out nothing above a lowered limit until less is in use', () => {
    const { core } = createMemory(build);
    const blocks = Array.from({ length: 6 }, () => unsigned(core.allocate!(0, ELEMENTS, PAGE - 16)));
    const pages = blocks.map((address) => Math.floor(address / PAGE));
    const each = build === 'debug' ? 2 : 1; // pages: the canaries do not fit into the first
    expect(pages).toEqual(pages.map((_, index) => FIRST_PAGE + each * index));
    core.memoryLimit!(FIRST_PAGE + each * 2);
    for (const index of [4, 3]) core.release!(ELEMENTS, blocks[index]!);
    expect(core.allocate!(0, ELEMENTS, PAGE - 16)).toBe(0);
    core.release!(ELEMENTS, blocks[1]!);
    expect(core.allocate!(0, ELEMENTS, PAGE - 16)).toBe(0);
    core.release!(ELEMENTS, blocks[2]!);
    core.release!(ELEMENTS, blocks[5]!);
    expect(unsigned(core.allocate!(0, ELEMENTS, PAGE - 16))).toBe(blocks[1]);
    expect(core.allocate!(0, ELEMENTS, PAGE - 16)).toBe(0);
    core.memoryLimit!(4096);
    expect(unsigned(core.allocate!(0, ELEMENTS, PAGE - 16))).toBe(blocks[2]);
  });

  it('hands out a row of pages that headroom has left, once as few are in use as the limit allows', () => {
    const each = build === 'debug' ? 2 : 1; // pages: the canaries do not fit into the first
    const { core, memory } = createMemory(build, FIRST_PAGE + 8 * each + 8, FIRST_PAGE);
    core.memoryLimit!(FIRST_PAGE + 8 * each);
    core.memoryHeadroom!(8);
    const blocks = Array.from({ length: 8 }, () => unsigned(core.allocate!(0, ELEMENTS, PAGE)));
    const lent = core.memoryLend!(8);
    const long = unsigned(core.allocate!(0, ELEMENTS, 4 * PAGE));
    core.memoryLend!(lent);
    expect(core.pagesOver!()).toBeGreaterThanOrEqual(4);
    const bytes = memory.buffer.byteLength;
    // Every second block goes, so four pages in a row are above the limit only.
    for (let i = 0; i < blocks.length; i += 2) core.release!(ELEMENTS, blocks[i]!);
    core.release!(ELEMENTS, long);
    expect(unsigned(core.allocate!(0, ELEMENTS, 4 * PAGE))).toBe(long);
    expect(core.pagesOver!()).toBe(0);
    expect(core.allocate!(0, ELEMENTS, 4 * PAGE)).toBe(0);
    expect(memory.buffer.byteLength).toBe(bytes);
  });

  it('gives up on sizes that cannot exist', () => {
    const { core } = createMemory(build, 64);
    for (const bytes of [0x7fffffff, 0x80000000, 0xfffefff0, 0xffff0001, 0xffffffff]) {
      expect(core.allocate!(0, SCRATCH, bytes)).toBe(0);
    }
    expect(core.pagesUsed!()).toBe(0);
  });

  it('fails the allocation that the hook names, once', () => {
    const { core } = createMemory(build);
    core.setFailAfter!(3);
    const answers = [0, 0, 0, 0].map(() => core.allocate!(0, STRINGS, 40) !== 0);
    expect(answers).toEqual([true, true, false, true]);
    core.setFailAfter!(1);
    expect(core.heapCreate!()).toBe(0);
    expect(core.heapCreate!()).toBe(1);
  });

  it('hands out every heap id once and again after a drop', () => {
    const { core } = createMemory(build);
    const heaps = [];
    for (let heap = core.heapCreate!(); heap !== 0; heap = core.heapCreate!()) heaps.push(heap);
    expect(heaps).toEqual(Array.from({ length: 8191 }, (_, index) => index + 1));
    core.heapDrop!(1000);
    expect(core.heapCreate!()).toBe(1000);
    for (const heap of heaps) core.heapDrop!(heap);
    expect(core.pagesUsed!()).toBe(0);
  });

  it('an empty heap costs one small block and no page', () => {
    const { core } = createMemory(build);
    core.heapCreate!();
    const [bytes, pages] = [core.memoryBytes!(SYSTEM), core.pagesUsed!()];
    core.heapCreate!();
    expect(core.memoryBytes!(SYSTEM) - bytes).toBe(208);
    expect(core.pagesUsed!()).toBe(pages);
  });

  it('grows a memory that starts small', () => {
    const { core, memory } = createMemory(build, 1024, 1);
    expect(memory.buffer.byteLength).toBeGreaterThanOrEqual(FIRST_PAGE * PAGE);
    const before = memory.buffer.byteLength;
    expect(core.allocate!(0, ELEMENTS, 100 * PAGE)).toBeGreaterThan(0);
    expect(memory.buffer.byteLength).toBeGreaterThanOrEqual(before + 100 * PAGE);
    expect(core.allocate!(0, ELEMENTS, 1024 * PAGE)).toBe(0);
    expect(core.allocate!(0, ELEMENTS, 800 * PAGE)).toBeGreaterThan(0);
    expect(memory.buffer.byteLength).toBeLessThanOrEqual(1024 * PAGE);
  });

  it('reaches the top of a full memory', () => {
    const { core, words } = createMemory(build, 65536);
    const run = unsigned(core.allocate!(0, ELEMENTS, (65535 - FIRST_PAGE - 2) * PAGE));
    expect(run).toBeGreaterThan(0);
    const last = unsigned(core.allocate!(0, STRINGS, 30000));
    expect(last).toBeGreaterThanOrEqual((65535 - 2) * PAGE);
    words()[last / 4 + 7499] = 1;
    while (core.allocate!(0, STRINGS, 30000) !== 0);
    expect(FIRST_PAGE + core.pagesUsed!()).toBe(65535);
    core.release!(ELEMENTS, run);
    expect(core.pagesUsed!()).toBeLessThanOrEqual(2);
  });
});

describe('checks of the debug build', () => {
  const cases: [string, number, (core: Exports, address: number, bytes: Uint8Array) => void][] = [
    ['a purpose that has no such bytes', 101, (core, address) => core.release!(PROPERTIES, address)],
    ['an address inside a block', 102, (core, address) => core.release!(STRINGS, address + 8)],
    ['a misaligned address', 102, (core, address) => core.release!(STRINGS, address + 4)],
    ['a second release', 103, (core, address) => [0, 1].forEach(() => void core.release!(STRINGS, address))],
    [
      'a write behind the end',
      104,
      (core, address, bytes) => {
        bytes[address + 40] = 1;
        core.release!(STRINGS, address);
      },
    ],
    [
      'a write before the start',
      102,
      (core, address, bytes) => {
        bytes[address - 1] = 1;
        core.release!(STRINGS, address);
      },
    ],
    [
      'a write after the release',
      105,
      (core, address, bytes) => {
        core.release!(STRINGS, address);
        bytes[address + 20] = 1;
        core.allocate!(0, STRINGS, 40);
      },
    ],
    ['a heap that does not exist', 100, (core) => core.allocate!(7, STRINGS, 8)],
    ['dropping the system heap', 100, (core) => core.heapDrop!(0)],
  ];

  it.each(cases)('catch %s', (_, code, act) => {
    const { core, bytes } = createMemory('debug');
    const address = unsigned(core.allocate!(0, STRINGS, 40));
    core.allocate!(0, STRINGS, 40);
    expect(() => act(core, address, bytes())).toThrow(`check ${code}`);
  });

  it('catch a second release of a run and of a page that went back', () => {
    const { core } = createMemory('debug');
    for (const bytes of [3 * PAGE, 40]) {
      const address = unsigned(core.allocate!(0, STRINGS, bytes));
      core.release!(STRINGS, address);
      expect(() => core.release!(STRINGS, address)).toThrow('check 103');
    }
  });
});
