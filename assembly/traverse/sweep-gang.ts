// The edge sweep by several threads at once. In each round they note together which ids are vertices, meet at the barrier, follow the
// edges, and meet again. What they do is cut into ranges of ids that they take from counters in the gang's block until none is left.
// The counters of even and of odd rounds take turns, so that those of the next round are zero before anybody needs them.
//
//   gang + GANG_SHARED   u32 next range to note, u32 next range to follow, of even rounds; the same of odd ones
//   ... + 64             a bit for each of the ids that the block was made for

import { graphState, stateNextId } from '../graph/state';
import { scratchMark, scratchRelease } from '../memory/arena';
import { GANG_SHARED, gangBarrier, gangStopped } from '../memory/gang';
import { readerEnter, readerExit } from '../memory/retire';
import { stopWord } from '../memory/stop';
import { sweepNote, sweepOutEdges, sweepUse } from './sweep';

/** A sixth of a millisecond with ten edges a vertex. */
const RANGE_IDS: u32 = 8192;
/** A tenth of a millisecond. */
const NOTE_IDS: u32 = 262_144;
/** Of the counters of a round: the ranges that are noted come first. */
const RANGES_TAKEN: usize = 4;
const BITS: usize = GANG_SHARED + 64;

let sum: f64 = 0;

/** Out-edges this member has followed in the last round. */
export function sweepGangEdges(): f64 {
  return sum;
}

/**
 * One member's share of round `round`, up to the barrier behind it. `ids`: how many ids the block has bits for, 0 for none; it goes
 * slower for those beyond. 0, or not 0 when the gang is to stop.
 */
export function sweepGang(graph: usize, gang: usize, ids: u32, round: u32, slot: i32): u32 {
  const counters = gang + GANG_SHARED + ((<usize>(round & 1)) << 3);
  const bits = gang + BITS;
  sum = 0;
  while (ids != 0 && !stopped(gang)) {
    const from = <u64>atomic.add<u32>(counters, 1) * <u64>NOTE_IDS;
    if (from >= <u64>ids) break;
    if (slot >= 0) readerEnter(slot);
    sweepNote(graph, bits, <u32>from, <u32>min<u64>(from + NOTE_IDS, <u64>ids));
    if (slot >= 0) readerExit(slot);
  }
  let stop = ids != 0 ? gangBarrier(gang) : 0;
  if (stop != 0) return stop;
  sweepUse(ids != 0 ? bits : 0, ids);
  const mark = scratchMark();
  while (!stopped(gang)) {
    if (slot >= 0) readerEnter(slot);
    const from = <u64>atomic.add<u32>(counters + RANGES_TAKEN, 1) * <u64>RANGE_IDS;
    const nextId = <u64>stateNextId(graphState(graph));
    if (from < nextId) sum += sweepOutEdges(graph, <u32>from, <u32>min<u64>(from + RANGE_IDS, nextId));
    if (slot >= 0) readerExit(slot);
    if (from >= nextId) break;
  }
  sweepUse(0, 0);
  scratchRelease(mark);
  stop = gangBarrier(gang);
  if (stop != 0) return stop;
  atomic.store<u64>(counters, 0);
  return stopWord();
}

function stopped(gang: usize): bool {
  return gangStopped(gang) != 0 || stopWord() != 0;
}
