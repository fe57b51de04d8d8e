// The map of file ids against a Map: numbered without gaps, in several ranges, in strides, at random; and what it costs.

import { describe, expect, it } from 'vitest';
import { BUILDS, InterchangeCore, NONE, randomFrom, SCRATCH } from './support/interchange-core.ts';

const ADDED = 0;
const DUPLICATE = 1;
const NO_MEMORY = 2;
const COUNT = 300_000;

/** Ids of a file by position, and the most bytes an entry may cost. */
const PATTERNS: [string, (i: number) => number, number][] = [
  ['from 0', (i) => i, 6],
  ['downwards from -1', (i) => -1 - i, 6],
  ['around 0', (i) => i - COUNT / 2, 6],
  ['in three ranges', (i) => (i % 3) * 700_000_000 - 900_000_000 + Math.floor(i / 3), 8],
  ['every second', (i) => 2 * i, 12],
  ['every hundredth', (i) => 100 * i, 14],
  ['multiples of 4096', (i) => Math.imul(4096, i) + (i >> 20), 14],
  ['scattered', (i) => Math.imul(i, 0x9e3779b1), 14],
];

describe.each(BUILDS)('file ids (%s)', (build) => {
  const core = new InterchangeCore(build);

  it.each(PATTERNS)('keeps ids numbered %s', (_name, idOf, mostBytes) => {
    const map = core.call('allocate', 0, SCRATCH, 16);
    const before = core.call('memoryBytes', SCRATCH);
    expect(core.call('fileIdsInit', map)).toBe(1);
    for (let i = 0; i < COUNT; i++) {
      if (core.exports.fileIdAdd!(map, idOf(i), i) !== ADDED) throw new Error(`${idOf(i)} was not added`);
    }
    const random = randomFrom(7);
    for (let i = 0; i < COUNT; i += 1 + random(5)) {
      if (core.call('fileIdFind', map, idOf(i)) !== i) throw new Error(`${idOf(i)} is lost`);
    }
    for (let i = 0; i < COUNT; i += 1 + random(1000)) {
      expect(core.exports.fileIdAdd!(map, idOf(i), 1)).toBe(DUPLICATE);
    }
    const known = new Set(Array.from({ length: COUNT }, (_, i) => idOf(i) | 0));
    for (let i = 0; i < 2000; i++) {
      const id = random(2) ? random(COUNT * 2) : random(0x7fffffff) * 2;
      if (!known.has(id | 0)) expect(core.call('fileIdFind', map, id | 0)).toBe(NONE);
    }
    // Half a mebibyte is the directory or the segments, whatever they hold.
    expect((core.call('memoryBytes', SCRATCH) - before - 2 ** 19) / COUNT).toBeLessThan(mostBytes);
    core.exports.fileIdsDrop!(map);
    expect(core.call('memoryBytes', SCRATCH)).toBe(before);
    core.exports.release!(SCRATCH, map);
  });

  it('answers failing allocations, also while it turns into a hash', () => {
    const map = core.call('allocate', 0, SCRATCH, 16);
    const before = core.call('memoryBytes', SCRATCH);
    let refused = 0;
    for (let n = 1; n < 400; n += 1 + (n >> 4)) {
      core.failAfter(n);
      let status = core.call('fileIdsInit', map) === 1 ? ADDED : NO_MEMORY;
      for (let i = 0; status === ADDED && i < 200; i++) status = core.exports.fileIdAdd!(map, i * 1_000_003, i);
      core.failAfter(0);
      expect(status === ADDED || status === NO_MEMORY).toBe(true);
      if (status === NO_MEMORY) refused++;
      core.exports.fileIdsDrop!(map);
      expect(core.call('memoryBytes', SCRATCH)).toBe(before);
    }
    expect(refused).toBeGreaterThan(20);
    core.exports.release!(SCRATCH, map);
  });
});
