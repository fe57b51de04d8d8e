// A gang: several instances, one a thread, that run the same kernel at the same time, each with its index and their count, and wait for
// each other between phases. They share one block of memory that the writer has allocated:
//
//   0   u32 stop         0 = go on, otherwise why not (stop.ts): everyone leaves at the next barrier
//   4   u32 count        members
//   8   u32 arrived      members at the barrier
//   12  u32 generation   barriers passed
//   64  the kernel's own: work counters, sums of members, ... zero at first
//
// The barrier is a counter and a generation. A member that arrives last resets the counter, moves the generation and wakes the rest. A
// stop moves the generation as well, after it has set the word; a waiter reads the generation before the word, so it either
// sees the word or meets a generation that has moved: nobody sleeps through a stop. After a stop a gang is good for nothing more.
// A member that leaves early, for whatever reason, calls `gangStop`; for one whose thread dies the host does.
//
// Only real threads wait. A gang of one never does, so the same kernel runs where there are no threads.

const GANG_STOP: usize = 0;
const GANG_COUNT: usize = 4;
const GANG_ARRIVED: usize = 8;
const GANG_GENERATION: usize = 12;
/** Where the kernel's own part of the block begins. */
export const GANG_SHARED: usize = 64;

/** Looks at the generation before a waiter sleeps: phases of a few microseconds need no system call. */
const SPINS: u32 = 100_000;

/** Makes a block of `bytes` bytes (GANG_SHARED and more) the meeting place of `count` members, before any of them starts. */
export function gangBegin(gang: usize, bytes: usize, count: u32): void {
  memory.fill(gang, 0, bytes);
  atomic.store<u32>(gang + GANG_COUNT, count);
}

/** Frees everyone from the barrier for good; the first reason stands. */
export function gangStop(gang: usize, reason: u32): void {
  atomic.cmpxchg<u32>(gang + GANG_STOP, 0, reason);
  atomic.add<u32>(gang + GANG_GENERATION, 1);
  if (atomic.load<u32>(gang + GANG_COUNT) > 1) atomic.notify(gang + GANG_GENERATION, -1);
}

/** Why the gang has to stop; 0 = go on. */
export function gangStopped(gang: usize): u32 {
  return atomic.load<u32>(gang + GANG_STOP);
}

/** Waits until every member is here. Answers 0, or why the gang has to stop: the caller then leaves. */
export function gangBarrier(gang: usize): u32 {
  const generation = atomic.load<u32>(gang + GANG_GENERATION);
  const stop = atomic.load<u32>(gang + GANG_STOP);
  if (stop != 0) return stop;
  const count = atomic.load<u32>(gang + GANG_COUNT);
  if (count <= 1) return 0;
  if (atomic.add<u32>(gang + GANG_ARRIVED, 1) + 1 == count) {
    atomic.store<u32>(gang + GANG_ARRIVED, 0);
    atomic.add<u32>(gang + GANG_GENERATION, 1);
    atomic.notify(gang + GANG_GENERATION, -1);
    return atomic.load<u32>(gang + GANG_STOP);
  }
  for (let spin: u32 = 0; spin < SPINS; spin++) {
    if (atomic.load<u32>(gang + GANG_GENERATION) != generation) return atomic.load<u32>(gang + GANG_STOP);
  }
  while (atomic.load<u32>(gang + GANG_GENERATION) == generation) {
    atomic.wait<i32>(gang + GANG_GENERATION, <i32>generation, -1);
  }
  return atomic.load<u32>(gang + GANG_STOP);
}
