// Which kind of index does what: the one place where an index's kind is asked. Each hook says what a new kind must supply.

import { NONE } from '../memory/layout';
import { TYPE_SINGLE_ARRAY, TYPE_STRING } from '../values/types';
import { addedBefore, addedKey, keysAdd, keysContents, keysCopy, keysCreate, keysRemove, keysRemoveKey, keysUndo } from './keys';
import { INDEX_KIND, INDEX_REGEX, INDEX_SPATIAL, INDEX_VECTOR } from './layout';
import { vectorAdd, vectorContents, vectorCopy, vectorDefine, vectorFill } from './vector-index';
import { vectorKeyOf } from './vector-rows';
import { vectorRemove, vectorUndo } from './vector-slab';

// What the last kindAdd did.
let added: usize = 0;
let before: u32 = 0;

/** True for the kinds that are key tables (keys.ts). */
// @ts-ignore: decorator
@inline
export function isKeyTable(kind: u32): bool {
  return kind < INDEX_SPATIAL;
}

// @ts-ignore: decorator
@inline
function isVector(index: usize): bool {
  return load<u32>(index, INDEX_KIND) == INDEX_VECTOR;
}

/** [W] Sets up the own words of a new index, whose name and definition stand. OK, NO_MEMORY, or BAD_VALUE for its definition. */
export function kindCreate(index: usize): i32 {
  return isVector(index) ? vectorDefine(index) : keysCreate(index);
}

/** [W] Gives a new index, which nobody can see yet, the contents that follow from the graph's. False = no memory. */
export function kindFill(state: usize, index: usize): bool {
  return !isVector(index) || vectorFill(state, index);
}

/** Whether the index can hold a key of that type. One that it cannot is passed over: adding it succeeds and changes nothing. */
export function kindTakes(index: usize, type: u32): bool {
  const kind = load<u32>(index, INDEX_KIND);
  if (kind == INDEX_REGEX || kind == INDEX_SPATIAL) return type == TYPE_STRING;
  if (kind == INDEX_VECTOR) return type == TYPE_SINGLE_ARRAY;
  return type != TYPE_SINGLE_ARRAY;
}

/**
 * [W] Adds a live element under a key. OK, NO_MEMORY, or WRONG_KIND for a value the kind refuses; then nothing changed. What undo needs to
 * know of it stands in kindAdded and kindBefore, 0 and anything when nothing changed.
 */
export function kindAdd(index: usize, element: u32, type: u32, value: usize): i32 {
  if (!isVector(index)) {
    const code = keysAdd(index, element, type, value);
    added = addedKey;
    before = addedBefore;
    return code;
  }
  added = index;
  return vectorAdd(index, element, value);
}

/** [W] Of the last kindAdd, for kindUndo. */
export function kindAdded(): usize {
  return added;
}

export function kindBefore(): u32 {
  return before;
}

/** [W] Takes back an add of this transaction; the later ones have been taken back already. Cannot fail. */
export function kindUndo(index: usize, element: u32, addedThen: usize, beforeThen: u32): void {
  // A vector index takes back its whole transaction at once; doing it again changes nothing.
  if (isVector(index)) vectorUndo(index);
  else keysUndo(index, element, addedThen, beforeThen);
}

/** Whether its contents follow from the graph's, so that nobody takes an element out by hand: passed over like a key it cannot hold. */
export function kindFollows(index: usize): bool {
  return isVector(index) && vectorKeyOf(index) != NONE;
}

/** [W] Removes an element, which may not be in it. Cannot fail. */
export function kindRemove(index: usize, element: u32): void {
  if (isVector(index)) vectorRemove(index, element);
  else keysRemove(index, element);
}

/** [W] Removes a key with its elements. Cannot fail. */
export function kindRemoveKey(index: usize, type: u32, value: usize): void {
  // No key addresses vectors.
  if (!isVector(index)) keysRemoveKey(index, type, value);
}

/** [W] Fills `copy`, an empty index, with what `index` holds, under the new ids (trimRank) in the trimmed graph `fresh`. */
export function kindCopy(fresh: usize, index: usize, copy: usize): bool {
  return isVector(index) ? vectorCopy(index, copy) : keysCopy(index, copy);
}

/**
 * [W] Lists the index's contents of elements from `element` on below `end` (contents.ts) until about `limit` pairs are listed; answers the
 * element to go on from, `end` when that is all. Contents that follow from the graph's are not listed. NONE = no memory.
 */
export function kindContents(index: usize, element: u32, end: u32, limit: u32): u32 {
  return isVector(index) ? vectorContents(index, element, end, limit) : keysContents(index, element, end, limit);
}
