// The core and a few kernels beside it, for the tests of jobs: one that polls, one that does not, one that traps, and a gang.

import { GANG_SHARED, gangBarrier, gangStop, gangStopped } from '../../assembly/memory/gang';
import { stopWord } from '../../assembly/memory/stop';

export * from '../../assembly/index';

/** Counts until told to stop; answers the stop word. */
export function pollUntilStopped(): u32 {
  let turns: u32 = 0;
  while (true) {
    turns++;
    if ((turns & 4095) == 0) {
      const word = stopWord();
      if (word != 0) return word;
    }
  }
  return 0;
}

/** Never looks, never ends. */
export function endless(at: usize): void {
  while (true) store<u32>(at, load<u32>(at) + 1);
}

export function trap(): void {
  unreachable();
}

/** Calls function `index` of the table with 20. */
export function callTable(index: u32): i32 {
  return call_indirect<i32>(index, 20);
}

/**
 * Sums the numbers below `numbers` by the members of a gang, in `rounds` rounds with two barriers each: every member adds its range
 * to the shared sum, then the first one checks it. Answers the rounds it saw through.
 */
export function gangSum(gang: usize, index: u32, count: u32, numbers: u32, rounds: u32): u32 {
  const sum = gang + GANG_SHARED;
  const chunk = (numbers + count - 1) / count;
  for (let round: u32 = 0; round < rounds; round++) {
    let own: u64 = 0;
    const to = min<u32>(numbers, (index + 1) * chunk);
    for (let i = index * chunk; i < to; i++) own += i;
    atomic.add<u64>(sum, own);
    if (gangBarrier(gang) != 0) return round;
    if (index == 0) {
      if (atomic.load<u64>(sum) != <u64>numbers * (numbers - 1) / 2) {
        gangStop(gang, 3);
        return round;
      }
      atomic.store<u64>(sum, 0);
    }
    if (gangBarrier(gang) != 0) return round;
  }
  return rounds;
}

/** Member 0 never comes to the barrier: it polls the gang's word; the others sleep there. */
export function gangWait(gang: usize, index: u32): u32 {
  if (index != 0) return gangBarrier(gang);
  while (gangStopped(gang) == 0) {}
  return gangStopped(gang);
}

/** As `gangWait`, but member 0 looks at nothing. */
export function gangStuck(gang: usize, index: u32): u32 {
  if (index != 0) return gangBarrier(gang);
  endless(gang + GANG_SHARED);
  return 0;
}
