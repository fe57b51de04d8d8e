// Steps of a kernel that one thread runs in one order: the work of a phase over many vertices is cut into slices, each a phase of one chunk
// of its own. So a thread that takes turns with others gives way between any two, and whoever runs the job sees it told to stop.
//
// A slice ends after SLICE_WORK vertices and arcs, about a millisecond; the one vertex that goes beyond is finished. Where the cuts lie
// shows nowhere: a slice begins where the one before ended, with everything it needs in the job.

import { get, JOB_SLICE_AT, JOB_SLICE_OVER, set } from './job';

/** Vertices and arcs; few in a debug build, so that small graphs of tests are cut, too. */
export const SLICE_WORK: u32 = CORE_DEBUG != 0 ? 7 : 65_536;

/** Where the slice begins: the next vertex of the phase, or whatever it counts. */
// @ts-ignore: decorator
@inline
export function sliceAt(job: usize): u32 {
  return get(job, JOB_SLICE_AT);
}

/** Where the slice ends when all vertices are the same work. */
// @ts-ignore: decorator
@inline
export function sliceEnd(job: usize, count: u32): u32 {
  const at = get(job, JOB_SLICE_AT);
  return count - at > SLICE_WORK ? at + SLICE_WORK : count;
}

/** The slice went up to `at`; `over`: that is all of its phase. */
export function sliceDone(job: usize, at: u32, over: bool): void {
  set(job, JOB_SLICE_AT, at);
  set(job, JOB_SLICE_OVER, u32(over));
}

/** To be asked by a kernel's `next`: whether the phase is over. If so the next one begins at 0. */
export function sliceNext(job: usize): bool {
  if (get(job, JOB_SLICE_OVER) == 0) return false;
  sliceDone(job, 0, false);
  return true;
}
