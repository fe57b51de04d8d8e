// The meter of the interpreter: what a running fragment has spent and what it may still spend. There is one meter for each JavaScript
// thread, set up by whoever runs a fragment (`metered`) and charged from everywhere below, so that no loop, call, sequence step or
// allocation is free. Limits are not exceptions of C#: no fragment can catch them.

import type { RealFunctions } from '../real-functions.ts';
import type { CompilesExpressions } from '../regular-expressions.ts';

export type LimitName = 'fuel' | 'memory' | 'depth' | 'cancelled';

/** Ends a fragment at once; passes through every catch and finally of the fragment. */
export class LimitError extends Error {
  readonly limit: LimitName;

  constructor(limit: LimitName) {
    super(`the fragment reached its limit: ${limit}`);
    this.limit = limit;
  }
}

/** What one search may spend in its fragments. Fuel counts over all calls of the search, memory and depth for each call. */
export interface Budget {
  /** Units left: about one for each loop round, call and sequence step. Counted down. */
  fuel: number;
  /** Bytes that one call may allocate in strings, arrays and lists: freed or not, or, where `heldBytes` says it, what it holds. */
  readonly memoryBytes: number;
  /** Bytes that the call's thread holds now beyond what it held when the call began. */
  readonly heldBytes?: () => number;
  /** Calls inside each other. */
  readonly depth: number;
  /** Asked every `pollFuel` units; true stops the fragment (deadline, a client that left). */
  readonly cancelled: (() => boolean) | null;
}

/** What a call of a fragment sees beside the graph. */
export interface Surroundings {
  /** The present moment: 100 ns since year 1. */
  readonly nowTicks: bigint;
  readonly reals: RealFunctions;
  /** Missing: there are no regular expressions. */
  readonly expressions?: CompilesExpressions | undefined;
}

const POLL_FUEL = 4096;
/** The part of a call's memory that has to be free when it has been looked at. */
const leastFree = 8;

/** The present spending: `slice` is fuel that may be used before `refill` looks further. */
export const meter = { slice: 0, bytes: 0, depth: 0 };
let budget: Budget = { fuel: 0, memoryBytes: 0, depth: 0, cancelled: null };
let around: Surroundings | null = null;

/** Spends fuel. */
export function charge(units: number): void {
  meter.slice -= units;
  if (meter.slice < 0) refill();
}

function refill(): void {
  budget.fuel += meter.slice; // the overdraft
  meter.slice = 0;
  if (budget.fuel < 0) throw new LimitError('fuel');
  if (budget.cancelled?.()) throw new LimitError('cancelled');
  takeSlice();
}

function takeSlice(): void {
  meter.slice = Math.min(POLL_FUEL, budget.fuel);
  budget.fuel -= meter.slice;
}

/** Accounts for an allocation before it is made; large ones cost fuel as well. */
export function allocate(bytes: number): void {
  meter.bytes -= bytes;
  if (meter.bytes < 0) reclaim(bytes);
  if (bytes > 256) charge(bytes >> 6);
}

/** The platform collects by itself: what was allocated and is not held may be allocated again, as long as that is worth the look. */
function reclaim(bytes: number): void {
  const { heldBytes, memoryBytes } = budget;
  if (heldBytes === undefined) throw new LimitError('memory');
  const free = memoryBytes - heldBytes() - bytes;
  if (free < memoryBytes / leastFree) throw new LimitError('memory');
  meter.bytes = free / 2;
}

/** Enters a function of the fragment. Every `enter` is paired with a `meter.depth++`. */
export function enter(): void {
  if (--meter.depth < 0) {
    meter.depth++;
    throw new LimitError('depth');
  }
  charge(1);
}

/** Runs one call of a fragment on a budget. */
export function metered<T>(spending: Budget, surroundings: Surroundings, run: () => T): T {
  const outer = { budget, around, slice: meter.slice, bytes: meter.bytes, depth: meter.depth };
  budget = spending;
  around = surroundings;
  meter.bytes = spending.memoryBytes;
  meter.depth = spending.depth;
  takeSlice();
  try {
    return run();
  } finally {
    spending.fuel += meter.slice;
    budget = outer.budget;
    around = outer.around;
    meter.slice = outer.slice;
    meter.bytes = outer.bytes;
    meter.depth = outer.depth;
  }
}

/** The moment that the search began, in ticks: DateTime.UtcNow. */
export function presentTicks(): bigint {
  return around?.nowTicks ?? 0n;
}

/** The functions of mathematics of the search. */
export function realFunctions(): RealFunctions {
  if (around === null) throw new Error('No fragment is running.');
  return around.reals;
}

/** What compiles regular expressions; null where there is nothing that does. */
export function expressionCompiler(): CompilesExpressions | null {
  return around?.expressions ?? null;
}
