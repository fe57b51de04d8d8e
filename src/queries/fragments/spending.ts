// What the fragments of one search may spend, and the ways in which they end it.

import type { JobControl } from '../../engine/jobs/types.ts';

/** What fragments of one search may spend together. */
export interface FragmentLimits {
  readonly maxFuel: number;
  /** Of the whole search. */
  readonly maxSeconds: number;
  /** When the time budget of the request is over, in milliseconds of `Date.now`; missing: it has none. */
  readonly endsAtMs?: number | undefined;
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

/** What is left to spend, and who says stop. */
export class Spending {
  /** When the search began, in milliseconds of `Date.now`: the present moment of its fragments. */
  readonly beganAtMs = Date.now();
  /** Of compiled fragments; interpreted ones count for themselves. */
  fuelLeft: number;
  private readonly endsAt: number;
  private readonly limit: string;
  private readonly control: JobControl;

  constructor({ maxFuel, maxSeconds, endsAtMs = Number.POSITIVE_INFINITY }: FragmentLimits, control: JobControl) {
    this.fuelLeft = maxFuel;
    const latest = this.beganAtMs + maxSeconds * 1000;
    this.endsAt = Math.min(latest, endsAtMs);
    this.limit = endsAtMs <= latest ? ownBudget : 'Fragments:MaxSeconds';
    this.control = control;
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
    if (Date.now() > this.endsAt) throw new LimitReached(this.limit);
  }

  isOver(): boolean {
    return this.control.stopReason() !== null || Date.now() > this.endsAt;
  }
}
