// Prefetching (memory/prefetch.ts) for edges that are created: an edge goes to two groups that may lie anywhere, three dependent cache
// misses each. So before a run of edges is created its vertices' words, groups and ends of groups are loaded, each in a tight loop.

import { GROUP_USED, groupPair, PAIR_BYTES } from '../graph/adjacency';
import { COLUMN_A, COLUMN_B, columnWord, KIND_EDGE, KIND_VERTEX, kindAddress } from '../graph/elements';
import { pageAddress, stateNextId } from '../graph/state';
import { scratchAllocate } from '../memory/arena';
import { ROOT } from '../memory/layout';
import { prefetched } from '../memory/prefetch';
import { createLength } from './create';
import {
  CREATE_FLAGS, CREATE_SOURCE, CREATE_SOURCE_RELATIVE, CREATE_TARGET, CREATE_TARGET_RELATIVE, CREATE_TEMPLATE, EDGE_TARGET, OP_CREATE,
} from './format';
import { RECORD_KIND, templateRecord } from './templates';

/** Edges looked at in one go. */
export const PREFETCH_EDGES: u32 = 128;

/** A place is the address of a vertex's word; an edge has two. */
const PLACE_BYTES: usize = 4;

let places: usize = 0;

/** Whether what an edge names may be no vertex: then its words lead anywhere. Otherwise validation has seen that it is one. */
let unsure: bool = false;

/** Takes its working memory for this transaction; without it, nothing is prefetched. */
export function prefetchBegin(redo: bool): void {
  places = scratchAllocate(2 * PLACE_BYTES * <usize>PREFETCH_EDGES);
  unsure = redo;
}

/** Where the vertex's words lie; 0 for what is known to be none. */
// @ts-ignore: decorator
@inline
function vertexWords(state: usize, id: u32): usize {
  const page = pageAddress(state, id);
  return unsure && load<u8>(kindAddress(page, id)) != <u8>KIND_VERTEX ? 0 : columnWord(page, id);
}

/** For the creates from `at` on, at most `count` of them. */
export function prefetchCreates(state: usize, at: usize, count: u32): void {
  if (places == 0) return;
  const next = stateNextId(state);
  let end = places;
  for (let i: u32 = 0; i < count; i++) {
    if (load<u32>(at) != OP_CREATE) break;
    const record = templateRecord(load<u32>(at, CREATE_TEMPLATE));
    if (load<u32>(record, RECORD_KIND) == KIND_EDGE) {
      const flags = load<u32>(at, CREATE_FLAGS);
      const source = load<u32>(at, CREATE_SOURCE);
      const target = load<u32>(at, CREATE_TARGET);
      const sourceWords: usize = (flags & CREATE_SOURCE_RELATIVE) == 0 && source < next ? vertexWords(state, source) : 0;
      if (sourceWords != 0) {
        store<u32>(end, <u32>(sourceWords + COLUMN_A));
        end += PLACE_BYTES;
      }
      const targetWords: usize = (flags & CREATE_TARGET_RELATIVE) == 0 && target < next ? vertexWords(state, target) : 0;
      if (targetWords != 0) {
        store<u32>(end, <u32>(targetWords + COLUMN_B));
        end += PLACE_BYTES;
      }
    }
    at += createLength(at, record);
  }
  placesLoad(end);
}

/** For edges of a run: `count` x { u32 source, u32 target }, at most PREFETCH_EDGES. */
export function prefetchEdges(state: usize, pair: usize, count: u32): void {
  if (places == 0) return;
  const next = stateNextId(state);
  let end = places;
  for (const last = pair + (<usize>count << 3); pair < last; pair += 8) {
    const source = load<u32>(pair);
    const target = load<u32>(pair, EDGE_TARGET);
    if (source >= next || target >= next) continue;
    const sourceWords = vertexWords(state, source);
    const targetWords = vertexWords(state, target);
    if (sourceWords == 0 || targetWords == 0) continue;
    store<u32>(end, <u32>(sourceWords + COLUMN_A));
    store<u32>(end + PLACE_BYTES, <u32>(targetWords + COLUMN_B));
    end += 2 * PLACE_BYTES;
  }
  placesLoad(end);
}

/** Loads the words whose places have been noted, then what they lead to. */
function placesLoad(end: usize): void {
  let sum: u32 = 0;
  for (let place = places; place < end; place += PLACE_BYTES) {
    const word = load<u32>(<usize>load<u32>(place));
    store<u32>(place, word);
  }
  // Of a directory only its head is loaded; no word at all reads the root block, which is always there.
  for (let place = places; place < end; place += PLACE_BYTES) {
    const word = load<u32>(place);
    let address: usize = ROOT;
    if ((word & 1) != 0) address = <usize>word - 1;
    else if (word != 0) address = groupPair(<usize>word, load<u32>(<usize>word, GROUP_USED)) - PAIR_BYTES;
    store<u32>(place, <u32>address);
  }
  for (let place = places; place < end; place += PLACE_BYTES) sum += load<u32>(<usize>load<u32>(place));
  prefetched(sum);
}
