// Room made ahead for edges that are known before they are written: groups without pairs, of exactly the right size, laid out as trim
// lays them out. Writing the edges then copies nothing, and leaves the graph as if it had been trimmed. Readers pass over a group
// without pairs. It changes no contents and goes into no log; whoever reserved and does not write the edges takes it back.
//
// Only pages whose vertices have no adjacency yet are reserved. Elsewhere, or where memory is short, groups grow as usual.

import { GROUP_LIVE } from '../graph/adjacency';
import { COLUMN_A, COLUMN_B, columnWord, KIND_VERTEX, kindAddress } from '../graph/elements';
import { wordLetGo, wordLetGoCount } from '../graph/groups';
import { groupMake, regionPlan, regionShare, SIZES_BYTES, slotSize } from '../graph/layout';
import { groupBytes, REGION_SLOT_SHIFT, REGION_SLOTS, regionsFresh, regionsSingle } from '../graph/regions';
import { pageAddress, stateHeap } from '../graph/state';
import { scratchAllocate, scratchMark, scratchRelease } from '../memory/arena';
import { retireAdvance, retireReserve } from '../memory/retire';
import { trimOvertaken } from './trim';

/**
 * [W] Reserves groups of the edge type for the vertices of the page that begins at id `base`. `outs`, `ins`: a u32 for each id of the
 * page, how many edges it will have; 0 for ids that are no vertices.
 */
export function reservePage(state: usize, base: u32, type: u32, outs: usize, ins: usize): void {
  if (!regionsFresh(state, base)) return;
  const mark = scratchMark();
  const sizes = scratchAllocate(SIZES_BYTES);
  if (sizes != 0) pageReserve(state, base, type, outs, ins, sizes);
  scratchRelease(mark);
}

function pageReserve(state: usize, base: u32, type: u32, outs: usize, ins: usize, sizes: usize): void {
  for (let slot: u32 = 0; slot < REGION_SLOTS; slot++) slotSize(sizes, slot, slotMeasure(outs, ins, slot));
  let first: u32 = 0;
  while (first < REGION_SLOTS) {
    const count = regionPlan(stateHeap(state), state, base, sizes, first);
    if (count == 0) {
      regionsSingle(state, base, first);
      return;
    }
    slotsReserve(state, base, first, count, type, COLUMN_A, outs);
    slotsReserve(state, base, first, count, type, COLUMN_B, ins);
    first += count;
  }
}

function slotMeasure(outs: usize, ins: usize, slot: u32): usize {
  const from = (<usize>slot) << (REGION_SLOT_SHIFT + 2);
  const to = (<usize>(slot + 1)) << (REGION_SLOT_SHIFT + 2);
  let bytes: usize = 0;
  for (let at = from; at < to; at += 4) bytes += groupShare(load<u32>(outs + at)) + groupShare(load<u32>(ins + at));
  return bytes;
}

/** Bytes of a region that the group takes. */
// @ts-ignore: decorator
@inline
function groupShare(pairs: u32): usize {
  return pairs == 0 ? 0 : regionShare(groupBytes(pairs));
}

function slotsReserve(state: usize, base: u32, first: u32, count: u32, type: u32, column: usize, degrees: usize): void {
  const page = pageAddress(state, base);
  const end = (first + count) << REGION_SLOT_SHIFT;
  for (let place = first << REGION_SLOT_SHIFT; place < end; place++) {
    const pairs = load<u32>(degrees + ((<usize>place) << 2));
    if (pairs == 0 || load<u8>(kindAddress(page, place)) != <u8>KIND_VERTEX) continue;
    const group = groupMake(stateHeap(state), state, base + place, type, pairs, 0);
    if (group == 0) continue;
    atomic.store<u32>(columnWord(page, place) + column, <u32>group);
  }
}

/**
 * [W] Takes back what is still without pairs of the groups reserved for the `count` vertices from id `from` on, all below the next id. A
 * copy of the state that a trim is making still names these groups, so it is given up.
 */
export function unreserve(state: usize, from: u32, count: u32): void {
  trimOvertaken(state);
  for (let id = from; id < from + count; id++) {
    const page = pageAddress(state, id);
    if (load<u8>(kindAddress(page, id)) != <u8>KIND_VERTEX) continue;
    wordUnreserve(state, id, columnWord(page, id) + COLUMN_A);
    wordUnreserve(state, id, columnWord(page, id) + COLUMN_B);
  }
  retireAdvance();
}

function wordUnreserve(state: usize, vertex: u32, at: usize): void {
  const word = load<u32>(at);
  if (word == 0 || (word & 1) != 0 || load<u32>(<usize>word, GROUP_LIVE) != 0) return;
  if (!retireReserve(wordLetGoCount(word))) return;
  atomic.store<u32>(at, 0);
  wordLetGo(state, vertex, word);
}
