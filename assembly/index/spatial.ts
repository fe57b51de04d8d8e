// The scan of a SpatialIndex: elements near another one. Its keys are boxes, held in a key table as the bytes of their two corners: d
// lowest coordinates, then d highest, as f64; a point is a box without extent. The distance of two boxes is that of their nearest
// points, and boxes of different dimensions have none. A tree of boxes (spatial-tree.ts) says which keys may be near; the key decides.
//
// A scan takes two calls. `indexPlaces` is the writer's, since the places of an element stand in the reverse table; it answers them as the
// records that keys have { u32 bytes, u32, data }, each padded to 8 bytes. `indexNear` takes them and runs on any thread.

import { elementKind } from '../graph/elements';
import { graphState } from '../graph/state';
import { outBegin, outCommit, outReserve, scratchAllocate, scratchMark, scratchRelease } from '../memory/arena';
import { outputFailure } from '../read/output';
import { NOT_FOUND, OK, WRONG_KIND } from '../status';
import { RECORD_HEADER } from '../values/record';
import { indexFind } from './catalogue';
import { reverseCount, reverseKey, reverseWord } from './keys';
import { INDEX_KIND, INDEX_SPATIAL, KEY_VALUE } from './layout';
import { keyRead } from './scan';
import { SPATIAL_BOX_BYTES, spatialBelow, spatialBox, spatialCount, spatialIsLeaf, spatialNear, spatialRoot } from './spatial-tree';


// The scan under way: places that are asked about as records and as boxes, and the square of the distance.
let records: usize = 0;
let boxes: usize = 0;
let placesCount: u32 = 0;
let reach: f64 = 0;

// @ts-ignore: decorator
@inline
function recordBytes(record: usize): usize {
  return RECORD_HEADER + ((<usize>load<u32>(record) + 7) & ~7);
}

/**
 * [W] The places of an element, to OUTPUT. OK; NOT_FOUND without such an index, or when the element is not in it; WRONG_KIND for another
 * kind; NO_MEMORY.
 */
export function indexPlaces(graph: usize, name: usize, nameBytes: u32, element: u32): i32 {
  outBegin();
  const state = graphState(graph);
  const index = indexFind(state, name, nameBytes);
  if (index == 0) return NOT_FOUND;
  if (load<u32>(index, INDEX_KIND) != INDEX_SPATIAL) return WRONG_KIND;
  const at = elementKind(state, element) == 0 ? 0 : reverseWord(index, element);
  const word: u32 = at == 0 ? 0 : load<u32>(at);
  const count = reverseCount(word);
  for (let i: u32 = 0; i < count; i++) {
    const record = reverseKey(word, i) + KEY_VALUE;
    const bytes = recordBytes(record);
    const out = outReserve(bytes);
    if (out == 0) return outputFailure();
    memory.fill(out, 0, bytes);
    memory.copy(out, record, RECORD_HEADER + <usize>load<u32>(record));
    outCommit(bytes);
  }
  return count == 0 ? NOT_FOUND : OK;
}

/**
 * Elements with a box at most `distance` from one of the places, to OUTPUT. OK; NOT_FOUND without such an index; WRONG_KIND for another
 * kind; NO_MEMORY (writer), ARENA_TOO_SMALL (reader).
 */
export function indexNear(graph: usize, name: usize, nameBytes: u32, places: usize, placesBytes: u32, distance: f64): i32 {
  outBegin();
  const index = indexFind(graphState(graph), name, nameBytes);
  if (index == 0) return NOT_FOUND;
  if (load<u32>(index, INDEX_KIND) != INDEX_SPATIAL) return WRONG_KIND;
  const root = spatialRoot(index);
  if (!(distance >= 0) || root == 0) return OK;
  const mark = scratchMark();
  reach = distance * distance;
  const found = placesOpen(places, places + <usize>placesBytes) && walk(graph, root);
  scratchRelease(mark);
  return found ? OK : outputFailure();
}

/** False: no memory. */
function placesOpen(from: usize, end: usize): bool {
  placesCount = 0;
  for (let at = from; at < end; at += recordBytes(at)) placesCount++;
  boxes = scratchAllocate(<usize>placesCount * (SPATIAL_BOX_BYTES + 4));
  if (boxes == 0) return false;
  records = boxes + <usize>placesCount * SPATIAL_BOX_BYTES;
  let i: usize = 0;
  for (let at = from; at < end; at += recordBytes(at), i++) {
    store<u32>(records + (i << 2), <u32>at);
    spatialBox(at - KEY_VALUE, boxes + i * SPATIAL_BOX_BYTES);
  }
  return true;
}

/** Writes the elements of all keys below a node that are near. False: no memory. */
function walk(graph: usize, node: usize): bool {
  const count = spatialCount(node);
  const isLeaf = spatialIsLeaf(node);
  for (let entry: u32 = 0; entry < count; entry++) {
    for (let i: u32 = 0; i < placesCount; i++) {
      if (!spatialNear(node, entry, boxes + <usize>i * SPATIAL_BOX_BYTES, reach)) continue;
      const below = spatialBelow(node, entry);
      if (isLeaf) {
        if (!isNear(below + KEY_VALUE, <usize>load<u32>(records + (<usize>i << 2)), reach)) continue;
        if (!keyRead(graph, below)) return false;
      } else if (!walk(graph, below)) return false;
      break;
    }
  }
  return true;
}

/** Whether two boxes of one dimension are no further apart than the root of `reach`. */
function isNear(a: usize, b: usize, reach: f64): bool {
  const bytes = load<u32>(a);
  if (bytes != load<u32>(b)) return false;
  const half = <usize>(bytes >> 1);
  let sum: f64 = 0;
  for (let offset: usize = RECORD_HEADER; offset < RECORD_HEADER + half; offset += 8) {
    const above = load<f64>(a + offset) - load<f64>(b + offset + half);
    const below = load<f64>(b + offset) - load<f64>(a + offset + half);
    const gap = max<f64>(0, max<f64>(above, below));
    sum += gap * gap;
  }
  return sum <= reach;
}
