// How long work on the service's own thread goes on before others have their turn. A home whose clock advances while it computes
// measures slices by time. Where clocks stand still between two events (edge runtimes) slices are counted instead: each place that
// asks says how many of its steps make a slice.

/** A slice of work: whichever measure the home has is used. */
export interface SliceLength {
  readonly ms: number;
  /** How often `isOver` may answer false. */
  readonly steps: number;
}

export interface Slice {
  /** Asked once behind each step. */
  isOver(): boolean;
}

/** Begins slices of a length. */
export type Slices = (length: SliceLength) => Slice;

/** `now`: milliseconds, monotonic, advancing while nothing is awaited. */
export function slicesByTime(now: () => number): Slices {
  return ({ ms }) => {
    const endMs = now() + ms;
    return { isOver: () => now() >= endMs };
  };
}

export const slicesByCount: Slices = ({ steps }) => {
  let left = steps;
  return { isOver: () => --left <= 0 };
};

/** Of homes that say nothing else. */
export const defaultSlices: Slices = slicesByTime(() => performance.now());
