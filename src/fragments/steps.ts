// How much work a compilation may do. Every stage counts what it does in steps of about a tenth of a microsecond, and the first one that has
// none left ends the compilation. Steps are counted and never timed: the same fragment compiles on every machine or on none. A compilation
// is synchronous, so that one count at a time is enough, and whoever works for it need not be handed it.

import type { Diagnostic } from './diagnostics.ts';

/** A named limit that a fragment goes beyond. What throws it leaves nothing half-done that outlives the compilation. */
export class CompilationLimit extends Error {}

/** The stretch of the fragment that is being compiled: where a limit is reached. */
interface Place {
  readonly start: number;
  readonly end: number;
}

const NOWHERE: Place = { start: 0, end: 0 };
const UNCOUNTED = Number.POSITIVE_INFINITY;

let given = UNCOUNTED;
let left = UNCOUNTED;
let place = NOWHERE;
let taken = 0;

/** Takes steps from those that are left; throws when there are none. Outside of `counted` everything is free. */
export function step(count = 1): void {
  left -= count;
  if (left < 0) throw new CompilationLimit(`The fragment takes more than ${given} steps to compile.`);
}

/** The same for a node of the fragment, which is where a limit reached from here on is said to be. */
export function stepAt(node: Place, count: number): void {
  place = node;
  step(count);
}

/** The steps that are left of those given. */
export function stepsLeft(): number {
  return left;
}

/** Runs a stage that may take so many steps; of a compilation that takes `total` in all. */
export function counted<T>(steps: number, total: number, run: () => T): T {
  const before = [given, left, place] as const;
  [given, left, place] = [total, steps, NOWHERE];
  try {
    return run();
  } finally {
    taken = steps - Math.max(0, left);
    [given, left, place] = before;
  }
}

/** The steps that the last stage took, whether it ended or not. @testonly */
export function stepsTaken(): number {
  return taken;
}

/** Runs what is kept beyond the compilation, such as what is read of the library: whoever comes first does not pay for all. */
export function uncounted<T>(run: () => T): T {
  const before = left;
  left = UNCOUNTED;
  try {
    return run();
  } finally {
    left = before;
  }
}

/** What is said of a fragment beyond a limit, at the place that was reached; to be asked inside `counted`. */
export function limitDiagnostic(limit: CompilationLimit): Diagnostic {
  const { start, end } = place;
  return { id: 'F8LIMIT', severity: 'error', message: limit.message, start, end };
}
