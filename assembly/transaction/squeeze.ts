// Squeezing adjacency: regions and long groups copied, one at a time, to blocks of exactly their size. It changes no contents and no id,
// needs room for no more than one of them beside what there is, and gives back the slack that the order of writes has left: afterwards
// adjacency takes no more than in a graph that has been trimmed.
//
// For a graph that is being put together again and does not fit (src/core/room.ts). Once that has happened copies get little slack, or
// the next transaction would take back at once what was gained.

import { adjacencyGroup, adjacencyGroups } from '../graph/adjacency';
import { COLUMN_A, COLUMN_B, columnWord, KIND_VERTEX, kindAddress } from '../graph/elements';
import { groupSqueeze } from '../graph/groups';
import { REGION_SLOT_SHIFT, REGION_SLOTS, regionSqueeze, regionsSlack, regionsTight } from '../graph/regions';
import { runningKeep, runningRelease } from '../graph/running';
import { graphState, PAGE_IDS, pageAddress, stateEdgeCount, stateNextId, stateVertexCount } from '../graph/state';
import { retireAdvance } from '../memory/retire';
import { trimOvertaken } from './trim';
import { writerBegin } from './writer';

/** Bytes of the graph's regions that are no blocks in use. */
export function graphSlack(graph: usize): usize {
  const state = graphState(graph);
  let slack: usize = 0;
  for (let id: u32 = 0; id < stateNextId(state); id += PAGE_IDS) slack += regionsSlack(state, id);
  return slack;
}

/** [W] Whether copies of regions get little slack from here on. */
export function graphTight(value: bool): void {
  regionsTight(value);
}

/** [W] Squeezes the page of ids that begins at `base`, and leaves the graph tight; not within a transaction. */
export function graphSqueeze(graph: usize, base: u32): void {
  const state = graphState(graph);
  const next = stateNextId(state);
  if (base >= next) return;
  trimOvertaken(state);
  regionsTight(true);
  writerBegin(next, stateVertexCount(state), stateEdgeCount(state));
  const end = base + min<u32>(PAGE_IDS, next - base);
  for (let id = base; id < end; id++) {
    if (load<u8>(kindAddress(pageAddress(state, id), id)) != <u8>KIND_VERTEX) continue;
    wordSqueeze(state, id, COLUMN_A);
    wordSqueeze(state, id, COLUMN_B);
  }
  for (let slot: u32 = 0; slot < REGION_SLOTS; slot++) regionSqueeze(state, base + (slot << REGION_SLOT_SHIFT));
  runningRelease();
  retireAdvance();
}

function wordSqueeze(state: usize, vertex: u32, column: usize): void {
  const at = columnWord(pageAddress(state, vertex), vertex) + column;
  const groups = adjacencyGroups(load<u32>(at));
  for (let index: u32 = 0; index < groups; index++) {
    if (!groupSqueeze(state, vertex, column, adjacencyGroup(load<u32>(at), index))) continue;
    runningKeep(0);
    retireAdvance();
  }
}
