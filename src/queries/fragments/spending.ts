// What the fragments of one search may spend, and the ways in which they end it.

import type { JobControl } from '../../engine/jobs/types.ts';

/** What fragments of one search may spend together. */
export interface FragmentLimits {
  readonly maxFuel: number;
  /** Of the whole search. */
  readonly maxSeconds: number;
}

/** In the place of a setting's name: the request's own budget is used up. */
export const ownBudget = 'timeBudgetSeconds';

/** The setting that says how much fuel there is. */
export const fuelLimit = 'Fragments:MaxFuel';

/** Fuel of a slice: some milliseconds of compiled code. */
const sliceFuel = 1_000_000;

/** The search was told to stop while a fragment ran. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** A limit of the settings. */
export class LimitReached extends Error {
  override readonly name = 'LimitReached';
  readonly limit: string;

  constructor(limit: string) {
    super(`A fragment reached ${limit}.`);
    this.limit = limit;
  }
}

/** A fragment threw an exception of C# that it did not catch. */
export class FragmentThrew extends Error {
  override readonly name = 'FragmentThrew';
  readonly exception: string;

  constructor(exception: string) {
    super(`A fragment threw ${exception}.`);
    this.exception = exception;
  }
}

/** What is left to spend, and who says stop. All fragments of a search, compiled or interpreted, spend from one. */
export class Spending {
  /** When the search began, in milliseconds of `Date.now`: the present moment of its fragments. */
  readonly beganAtMs = Date.now();
  fuelLeft: number;
  /** Where compiled fragments keep the slice they took last. */
  slice: WebAssembly.Global<'i32'> | null = null;
  /** In milliseconds of `performance.now`. */
  private readonly endsAt: number;
  private readonly limit: string;
  private readonly control: JobControl;

  constructor({ maxFuel, maxSeconds }: FragmentLimits, control: JobControl) {
    this.fuelLeft = maxFuel;
    const latest = performance.now() + maxSeconds * 1000;
    this.endsAt = Math.min(latest, control.endsAtMs);
    this.limit = control.endsAtMs <= latest ? ownBudget : 'Fragments:MaxSeconds';
    this.control = control;
  }

  /** What interpreted fragments spend from: what a compiled one took and has not used is theirs as well. */
  get fuel(): number {
    const unused = this.fuelLeft < sliceFuel ? (this.slice?.value ?? 0) : 0;
    if (this.slice !== null && unused > 0) {
      this.fuelLeft += unused;
      this.slice.value = 0;
    }
    return this.fuelLeft;
  }

  set fuel(left: number) {
    this.fuelLeft = left;
  }

  /** Takes the next slice; throws when there is none or the job has to stop. */
  take(): number {
    this.check();
    if (this.fuelLeft <= 0) throw new LimitReached(fuelLimit);
    const slice = Math.min(sliceFuel, this.fuelLeft);
    this.fuelLeft -= slice;
    return slice;
  }

  /** Throws when the job has to stop or has run too long. */
  check(): void {
    if (this.control.stopReason() !== null) throw new Stopped();
    if (performance.now() > this.endsAt) throw new LimitReached(this.limit);
  }

  isOver(): boolean {
    return this.control.stopReason() !== null || performance.now() > this.endsAt;
  }
}
