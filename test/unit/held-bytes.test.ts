// The measure of what a thread holds: with it an interpreted plugin may allocate any amount, as long as what it keeps is little.

import { expect, it } from 'vitest';
import { heldBytes } from '../../runtime-node/workers/held-bytes.ts';
import { allocate, type Budget, LimitError, metered } from '../../src/fragments/interpreter/machine.ts';
import { heldSinceNow, provideHeldBytes } from '../../src/queries/plugins/held-bytes.ts';

const megabyte = 2 ** 20;
const surroundings = { nowTicks: 0n, reals: {} as never };

const budgetOf = (megabytes: number): Budget => ({
  ...{ fuel: Number.MAX_SAFE_INTEGER, memoryBytes: megabytes * megabyte, depth: 10, cancelled: null },
  ...heldSinceNow(),
});

function making(megabytes: number, keeps: boolean): number {
  const kept: Float64Array[] = [];
  for (let at = 0; at < megabytes; at++) {
    allocate(megabyte);
    const made = new Float64Array(megabyte / 8).fill(at);
    if (keeps || at % 100 === 0) kept.push(made);
  }
  return kept.length;
}

/** What is held once nothing that other tests of this process left behind is collected any more. */
function settled(): number {
  let last = heldBytes(true);
  for (let tries = 0; tries < 50; tries++) {
    const next = heldBytes(true);
    if (Math.abs(next - last) < megabyte) return next;
    last = next;
  }
  return last;
}

it('collects before it measures', () => {
  const kept: object[] = [];
  const before = settled();
  // Where it is made nothing else holds it.
  const hold = (): number => kept.push(new Array(4 * megabyte).fill(0.5));
  hold();
  expect(heldBytes(true) - before).toBeGreaterThan(30 * megabyte);
  kept.pop();
  expect(heldBytes(true) - before).toBeLessThan(10 * megabyte);
});

it('lets a run allocate more than it may hold', () => {
  provideHeldBytes(heldBytes);
  expect(metered(budgetOf(64), surroundings, () => making(500, false))).toBe(5);
});

it('ends one that holds more', () => {
  provideHeldBytes(heldBytes);
  expect(() => metered(budgetOf(64), surroundings, () => making(500, true))).toThrow(LimitError);
});
