// The scan of a SpatialIndex: elements near another one. Its keys are boxes, held in a key table as the bytes of their two corners: d
// lowest coordinates, then d highest, as f64; a point is a box without extent. The distance of two boxes is that of their nearest
// points, and boxes of different dimensions have none. A tree of boxes (spatial-tree.ts) says which keys may be near; the key decides.
//
// [W]: the place of the element that is asked about stands in the reverse table, which is the writer's alone.

import { elementKind } from '../graph/elements';
import { graphState } from '../graph/state';
import { outBegin, scratchAllocate, scratchMark, scratchRelease } from '../memory/arena';
import { outputFailure } from '../read/output';
import { NOT_FOUND, OK, WRONG_KIND } from '../status';
import { indexFind } from './catalogue';
import { reverseCount, reverseKey, reverseWord } from './keys';
import { INDEX_KIND, INDEX_SPATIAL, KEY_VALUE } from './layout';
import { keyRead } from './scan';
import { SPATIAL_BOX_BYTES, spatialBelow, spatialBox, spatialCount, spatialIsLeaf, spatialNear, spatialRoot } from './spatial-tree';

const RECORD_DATA: usize = 8;

// The scan under way: boxes and keys of the element that is asked about, and the square of the distance.
let places: usize = 0;
let placesCount: u32 = 0;
let placesWord: u32 = 0;
let reach: f64 = 0;

/**
 * Elements with a box at most `distance` from a box of `element`, to OUTPUT. OK; NOT_FOUND without such an index, or when the element
 * is not in it; WRONG_KIND for another kind; NO_MEMORY.
 */
export function indexSpatial(graph: usize, name: usize, nameBytes: u32, element: u32, distance: f64): i32 {
  outBegin();
  const state = graphState(graph);
  const index = indexFind(state, name, nameBytes);
  if (index == 0) return NOT_FOUND;
  if (load<u32>(index, INDEX_KIND) != INDEX_SPATIAL) return WRONG_KIND;
  const at = elementKind(state, element) == 0 ? 0 : reverseWord(index, element);
  const word: u32 = at == 0 ? 0 : load<u32>(at);
  const boxes = reverseCount(word);
  if (boxes == 0) return NOT_FOUND;
  const root = spatialRoot(index);
  if (!(distance >= 0) || root == 0) return OK;
  const mark = scratchMark();
  places = scratchAllocate(<usize>boxes * SPATIAL_BOX_BYTES);
  placesCount = boxes;
  placesWord = word;
  reach = distance * distance;
  let found = places != 0;
  for (let i: u32 = 0; i < boxes && found; i++) spatialBox(reverseKey(word, i), places + <usize>i * SPATIAL_BOX_BYTES);
  found = found && walk(graph, root);
  scratchRelease(mark);
  return found ? OK : outputFailure();
}

/** Writes the elements of all keys below a node that are near. False: no memory. */
function walk(graph: usize, node: usize): bool {
  const count = spatialCount(node);
  const isLeaf = spatialIsLeaf(node);
  for (let entry: u32 = 0; entry < count; entry++) {
    for (let i: u32 = 0; i < placesCount; i++) {
      if (!spatialNear(node, entry, places + <usize>i * SPATIAL_BOX_BYTES, reach)) continue;
      const below = spatialBelow(node, entry);
      if (isLeaf) {
        if (!isNear(below + KEY_VALUE, reverseKey(placesWord, i) + KEY_VALUE, reach)) continue;
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
  for (let offset: usize = RECORD_DATA; offset < RECORD_DATA + half; offset += 8) {
    const above = load<f64>(a + offset) - load<f64>(b + offset + half);
    const below = load<f64>(b + offset) - load<f64>(a + offset + half);
    const gap = max<f64>(0, max<f64>(above, below));
    sum += gap * gap;
  }
  return sum <= reach;
}
