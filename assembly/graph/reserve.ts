// Room made ahead for edges that are known before they are written: groups without pairs, of exactly the right size, laid out as trim
// lays them out. Writing the edges then copies nothing, and leaves the graph as if it had been trimmed. Readers pass over a group
// without pairs. It changes no contents and goes into no log; whoever reserved and does not write the edges takes it back.
//
// Only pages whose vertices have no adjacency yet are reserved. Elsewhere, or where memory is short, groups grow as usual.

import { allocate } from '../memory/allocator';
import { PURPOSE_ADJACENCY } from '../memory/layout';
import { retireAdvance, retireReserve } from '../memory/retire';
import { GROUP_CAPACITY, GROUP_LIVE, GROUP_TYPE, GROUP_USED } from './adjacency';
import { COLUMN_A, COLUMN_B, columnWord, kindAddress } from './elements';
import { KIND_VERTEX } from './format';
import { wordLetGo, wordLetGoCount } from './groups';
import {
  GROUP_STANDALONE,
  groupBytes,
  REGION_BLOCK_BYTES,
  REGION_SLOT_SHIFT,
  REGION_SLOTS,
  regionOpen,
  regionsFresh,
  regionsSingle,
  regionTake,
  SPLIT_BYTES,
} from './regions';
import { pageAddress, stateHeap } from './state';
import { trimOvertaken } from './trim';

/**
 * [W] Reserves groups of the edge type for the vertices of the page that begins at id `base`. `outs`, `ins`: a u32 for each id of the
 * page, how many edges it will have; 0 for ids that are no vertices.
 */
export function reservePage(state: usize, base: u32, type: u32, outs: usize, ins: usize): void {
  if (!regionsFresh(state, base)) return;
  let first: u32 = 0;
  while (first < REGION_SLOTS) {
    let count = REGION_SLOTS;
    let bytes = slotsBytes(outs, ins, first, count);
    while (count > 1 && ((first & (count - 1)) != 0 || bytes > SPLIT_BYTES)) {
      count >>= 1;
      bytes = slotsBytes(outs, ins, first, count);
    }
    if (!regionOpen(stateHeap(state), state, base, first, count, bytes)) {
      regionsSingle(state, base, first);
      return;
    }
    slotsReserve(state, base, first, count, type, COLUMN_A, outs);
    slotsReserve(state, base, first, count, type, COLUMN_B, ins);
    first += count;
  }
}

function slotsBytes(outs: usize, ins: usize, first: u32, count: u32): usize {
  const from = (<usize>first) << (REGION_SLOT_SHIFT + 2);
  const to = (<usize>(first + count)) << (REGION_SLOT_SHIFT + 2);
  let bytes: usize = 0;
  for (let at = from; at < to; at += 4) bytes += regionBytes(load<u32>(outs + at)) + regionBytes(load<u32>(ins + at));
  return bytes;
}

/** Bytes of a group's block if it lies in a region. */
// @ts-ignore: decorator
@inline
function regionBytes(pairs: u32): usize {
  return pairs == 0 || pairs > <u32>((REGION_BLOCK_BYTES - groupBytes(0)) >> 3) ? 0 : groupBytes(pairs);
}

function slotsReserve(state: usize, base: u32, first: u32, count: u32, type: u32, column: usize, degrees: usize): void {
  const page = pageAddress(state, base);
  const end = (first + count) << REGION_SLOT_SHIFT;
  for (let place = first << REGION_SLOT_SHIFT; place < end; place++) {
    const pairs = load<u32>(degrees + ((<usize>place) << 2));
    if (pairs == 0 || load<u8>(kindAddress(page, place)) != <u8>KIND_VERTEX) continue;
    const bytes = regionBytes(pairs);
    const group = bytes != 0 ? regionTake(state, base + place, bytes) : allocate(stateHeap(state), PURPOSE_ADJACENCY, groupBytes(pairs));
    if (group == 0) continue;
    store<u32>(group, type, GROUP_TYPE);
    store<u32>(group, 0, GROUP_USED);
    store<u32>(group, 0, GROUP_LIVE);
    store<u32>(group, bytes != 0 ? pairs : pairs | GROUP_STANDALONE, GROUP_CAPACITY);
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
