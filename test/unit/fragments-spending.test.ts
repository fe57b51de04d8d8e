// What the fragments of one search may spend: fuel together, whether they are compiled or interpreted, and time by a clock that is never set.

import { readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { Core } from '../../src/core/core.ts';
import { MemoryPool } from '../../src/core/memory-pool.ts';
import type { JobControl } from '../../src/engine/jobs/types.ts';
import { interpretedFunction } from '../../src/queries/fragments/interpreted.ts';
import { LimitReached, Spending } from '../../src/queries/fragments/spending.ts';

const module = new WebAssembly.Module(readFileSync(at('dist/wasm/core.shared.wasm')));
const { instance } = new Core({ module, shared: true }, new MemoryPool({ shared: true }), 2 ** 24);
const forever = Number.POSITIVE_INFINITY;

const controlUntil = (endsAtMs: number): JobControl => ({ stopReason: () => null, endsAtMs }) as unknown as JobControl;

/** The setting that ends it; null when nothing does. */
function limitOf(run: () => void): string | null {
  try {
    run();
  } catch (error) {
    if (error instanceof LimitReached) return error.limit;
    throw error;
  }
  return null;
}

/** A filter that spends about so much at each call. */
function looping(rounds: number, spending: Spending): () => void {
  const text = `return v => { for (int i = 0; i < ${rounds}; i++) { } return true; };`;
  const fragment = { key: `spends ${rounds}`, kind: 'VertexFilter', text } as const;
  const context = { queryVector: null, embeddingName: 'default', metric: 0 } as const;
  const call = interpretedFunction(instance, fragment, spending, context) as (id: number) => number;
  return () => {
    call(0);
  };
}

afterEach(() => {
  vi.restoreAllMocks();
});

test('interpreted fragments of one search share its fuel', () => {
  const spending = new Spending({ maxFuel: 10_000, maxSeconds: 3600 }, controlUntil(forever));
  const [first, second] = [looping(4000, spending), looping(4001, spending)];
  expect(limitOf(first)).toBeNull();
  expect(limitOf(second)).toBeNull();
  expect(limitOf(first)).toBe('Fragments:MaxFuel');
  expect(limitOf(second)).toBe('Fragments:MaxFuel');
});

test('what a compiled fragment took and has not used is there for interpreted ones', () => {
  const spending = new Spending({ maxFuel: 10_000, maxSeconds: 3600 }, controlUntil(forever));
  spending.slice = new WebAssembly.Global({ value: 'i32', mutable: true }, 0);
  spending.slice.value = spending.take();
  expect(spending.fuelLeft).toBe(0);
  expect(limitOf(looping(4000, spending))).toBeNull();
  expect(spending.slice.value).toBe(0);
  expect(limitOf(looping(9000, spending))).toBe('Fragments:MaxFuel');
});

test('a clock that is set does not change the time a search has', () => {
  const now = performance.now();
  const limits = { maxFuel: 1, maxSeconds: 60 };
  const spendings = [
    new Spending(limits, controlUntil(now + 3600_000)),
    new Spending(limits, controlUntil(now + 30_000)),
  ];
  const ends = (): (string | null)[] => spendings.map((spending) => limitOf(() => spending.check()));
  for (const jump of [3600_000, -3600_000]) {
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + jump);
    expect(ends()).toEqual([null, null]);
    expect(spendings.some((spending) => spending.isOver())).toBe(false);
    vi.restoreAllMocks();
  }
  vi.spyOn(performance, 'now').mockReturnValue(now + 31_000);
  expect(ends()).toEqual([null, 'timeBudgetSeconds']);
  vi.spyOn(performance, 'now').mockReturnValue(now + 61_000 + 1000);
  expect(ends()).toEqual(['Fragments:MaxSeconds', 'timeBudgetSeconds']);
  expect(spendings.every((spending) => spending.isOver())).toBe(true);
});
