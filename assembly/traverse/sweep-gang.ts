// The edge sweep by several threads at once: they take ranges of ids from a counter in the gang's block until none is left, and meet at
// the barrier. Two counters take turns, so that the one of the next round is zero before anybody needs it.
//
//   gang + GANG_SHARED   u32 next range of even rounds, u32 of odd ones

import { graphState, stateNextId } from '../graph/state';
import { scratchMark, scratchRelease } from '../memory/arena';
import { GANG_SHARED, gangBarrier, gangStopped } from '../memory/gang';
import { readerEnter, readerExit } from '../memory/retire';
import { stopWord } from '../memory/stop';
import { sweepOutEdges, sweepRoundBegin, sweepRoundEnd } from './sweep';

/** A sixth of a millisecond with ten edges a vertex. */
const RANGE_IDS: u32 = 8192;

let sum: f64 = 0;

/** Out-edges this member has followed in the last round. */
export function sweepGangEdges(): f64 {
  return sum;
}

/** One member's share of round `round`, up to the barrier behind it. 0, or not 0 when the gang is to stop. */
export function sweepGang(graph: usize, gang: usize, round: u32, slot: i32): u32 {
  const counter = gang + GANG_SHARED + ((<usize>(round & 1)) << 2);
  sum = 0;
  const mark = scratchMark();
  if (slot >= 0) readerEnter(slot);
  sweepRoundBegin(graph);
  if (slot >= 0) readerExit(slot);
  while (gangStopped(gang) == 0 && stopWord() == 0) {
    if (slot >= 0) readerEnter(slot);
    const from = <u64>atomic.add<u32>(counter, 1) * <u64>RANGE_IDS;
    const nextId = <u64>stateNextId(graphState(graph));
    if (from < nextId) sum += sweepOutEdges(graph, <u32>from, <u32>min<u64>(from + RANGE_IDS, nextId));
    if (slot >= 0) readerExit(slot);
    if (from >= nextId) break;
  }
  sweepRoundEnd();
  scratchRelease(mark);
  const stop = gangBarrier(gang);
  if (stop != 0) return stop;
  atomic.store<u32>(counter, 0);
  return stopWord();
}
