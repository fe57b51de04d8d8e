// A job: work in phases, each cut into chunks that any number of threads take one by one. Building a projection is a job, and so is
// every kernel. A thread that takes part is a member; its number says which private workspace is its own.
//
//   ticket   u64: number of the phase in the high word, chunks not yet taken in the low one
//
// A member takes some chunks in a row by counting the ticket down, a sixteenth of what is left, the next ones from the front or, every
// other member, from the end; runs them, and counts `done` up. So from phase to phase a thread works on much the same vertices and finds
// them in its caches. And members meet seldom: a line of memory that two threads write takes some 200 ns from one to the other, as long
// as a chunk of a short phase. So what they take, what they have done and what they read before each chunk lie in lines apart.
// Measured (benchmarks/analytics, PageRank, two threads, 4-core EPYC, d66d699): time of taking all from the front → this,
// 1 → 0.91 on a package graph; on RMAT 18 no difference above the noise.
// Whoever does the last chunk of a phase runs the kernel's `next`, which reduces what the chunks left behind and names the next phase.
// So there is no barrier at which a member must be present: threads may join late, leave between two chunks (that is how one thread alone
// works in slices) or never come.
// What a chunk computes depends on the chunk alone, and reductions go over chunks in ascending order: the answer is the same
// whatever the number of threads. A chunk covers at most 4096 vertices, and before each one the words that stop a run are read
// (memory/stop.ts).
//
// Ordering: everything a chunk writes is written before the atomic add to `done`, everything `next` writes before the atomic store
// of the ticket, and a member reads the ticket atomically before it reads anything else. What belongs to a phase (its total, its order)
// is read while a chunk of it is held, never behind the add that counts the chunk as done.
// A stopped job stays as it is: what its last complete phase wrote is intact, and `JOB_ITERATIONS` says how many rounds that were.
// Knows nothing of graphs.

import { NONE } from '../memory/layout';
import { STOP_DEADLINE, stopWord } from '../memory/stop';

const JOB_TICKET_PHASE: usize = 4; // the ticket's high word
const JOB_FRONT: usize = 8; // u32 chunks of the phase that were taken from the front
const JOB_BACK: usize = 12; // u32 chunks taken from the end
export const JOB_KIND: usize = 64; // u32 KIND_…
export const JOB_PHASE: usize = 68; // u32
export const JOB_PROJECTION: usize = 72; // u32 address
export const JOB_MEMBERS: usize = 76; // u32 workspaces
export const JOB_PARTIALS: usize = 80; // u32 address: PARTIAL_BYTES a chunk
export const JOB_RESULT: usize = 84; // u32 address of a value a position
export const JOB_RESULT_TYPE: usize = 88; // u32 RESULT_…
export const JOB_ITERATIONS: usize = 92; // u32 complete rounds
export const JOB_CONVERGED: usize = 96; // u32
export const JOB_MAX_ITERATIONS: usize = 100; // u32
export const JOB_SOURCE: usize = 104; // u32 position of the source vertex
export const JOB_SAMPLES: usize = 108; // u32 sampled sources, 0 = all
export const JOB_SEED: usize = 112; // u32
export const JOB_SIZES: usize = 116; // u32 address of a word a vertex: sizes of partitions, once the run is over
export const JOB_SUM: usize = 120; // f64 what the kernel says about the whole: components, triangles, modularity …
export const JOB_EPSILON: usize = 128; // f64
export const JOB_DAMPING: usize = 136; // f64
export const JOB_WORDS: usize = 144; // 12 x u32 of the kernel's own
export const JOB_NUMBERS: usize = 192; // 8 x f64 of the kernel's own
export const JOB_TOTAL: usize = 256; // u32 chunks of the phase
export const JOB_STOP: usize = 260; // u32 STOP_… of memory/stop.ts, 0 = go on
export const JOB_STATE: usize = 264; // u32 STATE_…
export const JOB_ERROR: usize = 268; // u32 ERROR_… of a failed job
export const JOB_ERROR_ELEMENT: usize = 272; // u32 the element concerned
export const JOB_SLICE_AT: usize = 276; // u32 where the next slice of a kernel of one thread begins (slices.ts)
export const JOB_SLICE_OVER: usize = 280; // u32 1 = the slice was the last one of its phase
/** u32 1 = every member takes chunks of the phase from the front: what is found early helps with what comes later. */
export const JOB_FORWARD: usize = 284;
const JOB_DONE: usize = 320; // u32 chunks of the phase that are done
export const JOB_HEADER: usize = 384;

/** Four f64 a chunk, for reductions in chunk order. */
export const PARTIAL_BYTES: usize = 32;

export const STATE_RUNNING: u32 = 0;
export const STATE_FINISHED: u32 = 1;
export const STATE_FAILED: u32 = 2;

// What `jobRun` answers.
export const RUN_FINISHED: i32 = 0;
/** The chunks it was allowed are done; there is more to do. */
export const RUN_MORE: i32 = 1;
export const RUN_CANCELLED: i32 = 2;
export const RUN_DEADLINE: i32 = 3;
/** `jobError` says why. */
export const RUN_FAILED: i32 = 4;

/** The graph was erased, trimmed or otherwise replaced while it was being read. */
export const ERROR_STALE: u32 = 1;
/** The weight property of an edge is not a number. */
export const ERROR_WEIGHT_TYPE: u32 = 2;
/** The weight of an edge is negative or not finite. */
export const ERROR_WEIGHT_VALUE: u32 = 3;

export const RESULT_NONE: u32 = 0;
/** Scores: f64. */
export const RESULT_F64: u32 = 1;
/** Scores: u32, NONE = this vertex has none. */
export const RESULT_U32: u32 = 2;
/** Partitions: the rank of the vertex the partition is named after. */
export const RESULT_PARTITION: u32 = 3;
/** As RESULT_U32, in a byte each: all are below 255, which says that a vertex has none. The host hears of RESULT_U32. */
export const RESULT_U8: u32 = 4;

/** A member takes this part of the chunks that are left. */
const TAKE_PART: u32 = 16;

/**
 * Reads of the ticket before a member without work goes to sleep: some hundred microseconds. A member that slept through the beginning
 * of a phase misses more of it than that, and the work of a chunk that the others wait for is often longer than a wake. Where reading was
 * in vain, as it is with more threads than processors, the next reads are half as many, down to some ten microseconds. That is less than to
 * sleep and be woken takes, and enough for waits between phases, so that a member comes back from there. With 1024 none did: it slept
 * between any two phases of the run and of all later ones, some 40 microseconds each for both.
 * Measured (benchmarks/analytics, two threads, 4-core EPYC, cf4156b): time with an eighth of it and chunks taken one by one → this,
 * breadth-first levels of a package graph 1 → 0.88, of WordNet 1 → 0.98; components 1 → 0.98, 0.94, of RMAT 18 1 → 0.94.
 */
const MOST_SPINS: u32 = 262_144;
const LEAST_SPINS: u32 = 32_768;
const SLEEP_NS: i64 = 20_000_000;

// @ts-ignore: decorator
@inline
export function get(at: usize, field: usize): u32 {
  return load<u32>(at + field);
}

// @ts-ignore: decorator
@inline
export function set(at: usize, field: usize, value: u32): void {
  store<u32>(at + field, value);
}

/** An address that stands in a header. */
// @ts-ignore: decorator
@inline
export function address(at: usize, field: usize): usize {
  return <usize>load<u32>(at + field);
}

/** Swaps a field with the one behind it: what a round has written becomes what the next one reads. */
export function swapFields(job: usize, field: usize): void {
  const other = get(job, field + 4);
  set(job, field + 4, get(job, field));
  set(job, field, other);
}

/** Element `index` of an array of u32. */
// @ts-ignore: decorator
@inline
export function word(array: usize, index: u32): u32 {
  return load<u32>(array + ((<usize>index) << 2));
}

// @ts-ignore: decorator
@inline
export function setWord(array: usize, index: u32, value: u32): void {
  store<u32>(array + ((<usize>index) << 2), value);
}

/** Value of a result of RESULT_U32, RESULT_U8 or RESULT_PARTITION; NONE where a vertex has none. */
// @ts-ignore: decorator
@inline
export function smallValue(values: usize, type: u32, position: u32): u32 {
  if (type != RESULT_U8) return word(values, position);
  const value = <u32>load<u8>(values + <usize>position);
  return value == 255 ? NONE : value;
}

/** Element `index` of an array of f64. */
// @ts-ignore: decorator
@inline
export function number(array: usize, index: u32): f64 {
  return load<f64>(array + ((<usize>index) << 3));
}

// @ts-ignore: decorator
@inline
export function setNumber(array: usize, index: u32, value: f64): void {
  store<f64>(array + ((<usize>index) << 3), value);
}

/** Bytes of `count` things of `each` bytes, so that what follows is 64-aligned. */
// @ts-ignore: decorator
@inline
export function room(count: u64, each: u64): u64 {
  return (count * each + 63) & ~63;
}

/** Where chunk `chunk` leaves its four partial numbers. */
// @ts-ignore: decorator
@inline
export function partial(job: usize, chunk: u32): usize {
  return address(job, JOB_PARTIALS) + PARTIAL_BYTES * <usize>chunk;
}

/** Sum of partial `index` over the chunks in ascending order. */
export function sumPartials(job: usize, chunks: u32, index: u32): f64 {
  let sum: f64 = 0;
  let at = address(job, JOB_PARTIALS) + ((<usize>index) << 3);
  for (let chunk: u32 = 0; chunk < chunks; chunk++) {
    sum += load<f64>(at);
    at += PARTIAL_BYTES;
  }
  return sum;
}

// --- Running -------------------------------------------------------------------------------------------------------------

/** Opens phase 0 with so many chunks; `next` of the kernel is not asked. The rest of the header has been written. */
export function jobOpen(job: usize, chunks: u32): void {
  store<u32>(job, 0, JOB_DONE);
  store<u64>(job, 0, JOB_FRONT);
  store<u32>(job, 0, JOB_STOP);
  store<u32>(job, chunks, JOB_TOTAL);
  store<u32>(job, STATE_RUNNING, JOB_STATE);
  const phase = (atomic.load<u64>(job) >> 32) + 1;
  atomic.store<u64>(job, (phase << 32) | <u64>chunks);
}

/** Ends the job; it gives no more chunks. */
export function jobFinish(job: usize): void {
  atomic.cmpxchg<u32>(job + JOB_STATE, STATE_RUNNING, STATE_FINISHED);
}

export function jobFail(job: usize, error: u32, element: u32): void {
  if (atomic.cmpxchg<u32>(job + JOB_STATE, STATE_RUNNING, STATE_FAILED) != STATE_RUNNING) return;
  store<u32>(job, element, JOB_ERROR_ELEMENT);
  atomic.store<u32>(job, error, JOB_ERROR);
}

/**
 * Takes chunks by guided self-scheduling (Polychronopoulos, Kuck 1987): a fixed part of those that are left, so that the last ones are
 * single. How many in the high word, the first of them in the low one; 0 when none is left in the phase. `single`: one at most.
 */
export function jobTake(job: usize, member: u32, single: bool): u64 {
  while (true) {
    const ticket = atomic.load<u64>(job);
    const left = <u32>ticket;
    if (left == 0) return 0;
    const count = single ? 1 : max<u32>(1, left / TAKE_PART);
    if (atomic.cmpxchg<u64>(job, ticket, ticket - <u64>count) != ticket) continue;
    // While a chunk is out the phase cannot end, so these numbers are this phase's; and both together never go beyond the total.
    let first: u32 = 0;
    if ((member & 1) == 0 || load<u32>(job, JOB_FORWARD) != 0) first = atomic.add<u32>(job + JOB_FRONT, count);
    else first = load<u32>(job, JOB_TOTAL) - count - atomic.add<u32>(job + JOB_BACK, count);
    return (<u64>count << 32) | <u64>first;
  }
}

/** True when the phase has no chunk that is not taken. */
// @ts-ignore: decorator
@inline
export function jobTaken(job: usize): bool {
  return atomic.load<u32>(job) == 0;
}

/** True to the member at work on the last chunk of the phase: no other one has anything to do. */
// @ts-ignore: decorator
@inline
export function jobWaited(job: usize): bool {
  return atomic.load<u32>(job, JOB_DONE) + 1 >= load<u32>(job, JOB_TOTAL);
}

/**
 * Counts chunks as done; true for the last ones of the phase, whose member then owes `jobPublish`. The total is loaded first: until these
 * chunks are counted it is this phase's, behind that another member may have opened the next phase, and two would end that one.
 */
export function jobDone(job: usize, count: u32): bool {
  const total = atomic.load<u32>(job, JOB_TOTAL);
  return atomic.add<u32>(job + JOB_DONE, count) + count == total;
}

/** Opens the next phase with so many chunks, or tells the others that there is none (0). */
export function jobPublish(job: usize, chunks: u32): void {
  store<u32>(job, 0, JOB_DONE);
  store<u64>(job, 0, JOB_FRONT);
  store<u32>(job, chunks, JOB_TOTAL);
  const phase = (atomic.load<u64>(job) >> 32) + 1;
  atomic.store<u64>(job, (phase << 32) | <u64>chunks);
  atomic.notify(job + JOB_TICKET_PHASE, -1);
}

/** MOST_SPINS to begin with. */
let spins: u32 = 262_144;

/** Waits, a while at most, for another phase than the one whose chunks have run out. */
export function jobWait(job: usize): void {
  const ticket = atomic.load<u64>(job);
  if (<u32>ticket != 0) return;
  for (let i: u32 = 0; i < spins; i++) {
    if (atomic.load<u64>(job) == ticket) continue;
    spins = min<u32>(MOST_SPINS, 2 * spins);
    return;
  }
  spins = max<u32>(LEAST_SPINS, spins >> 1);
  if (atomic.load<u32>(job, JOB_STATE) == STATE_RUNNING) atomic.wait<u32>(job + JOB_TICKET_PHASE, <u32>(ticket >> 32), SLEEP_NS);
}

/** Not 0 when the run shall stop: because this instance was told to, or another member was. */
export function jobStopped(job: usize): u32 {
  let stop = atomic.load<u32>(job, JOB_STOP);
  if (stop != 0) return stop;
  stop = stopWord();
  if (stop != 0) jobStop(job, stop);
  return stop;
}

/** Asks the members of a running job to stop, as STOP_… says. Any thread. */
export function jobStop(job: usize, why: u32): void {
  atomic.cmpxchg<u32>(job + JOB_STOP, 0, why);
  atomic.notify(job + JOB_TICKET_PHASE, -1);
}

/** What `jobRun` answers for a stop word. */
export function stopAnswer(stop: u32): i32 {
  return stop == STOP_DEADLINE ? RUN_DEADLINE : RUN_CANCELLED;
}
