// Changing adjacency: adding a pair, marking it removed, bringing it back, taking it off again, and tidying up at commit.
//
// Every function names its group by vertex, column (COLUMN_A out, COLUMN_B in) and edge type, never by address, since any that
// allocates may move all groups of the region. While a transaction runs nothing is dropped or compacted, so that undo finds each
// pair where it was; `groupSettle` does that at commit, where a lack of memory only means that it is not done.
// False always means: no memory, and the contents of the graph are as before (a block may have grown).

import { allocate, blockBytes, roundedBytes } from '../memory/allocator';
import { check } from '../memory/check';
import { NONE, PURPOSE_ADJACENCY } from '../memory/layout';
import { retire } from '../memory/retire';
import {
  adjacencyGroup, adjacencyGroups, DIRECTORY_CAPACITY, DIRECTORY_COUNT, DIRECTORY_FILLED, DIRECTORY_HEADER,
  DIRECTORY_LIVE, directoryFind, directoryGroup, directorySlotCount, GROUP_CAPACITY, GROUP_HEADER, GROUP_LIVE,
  GROUP_TYPE, GROUP_USED, groupFind, groupFindPair, groupHead, groupLive, groupLowerBound, groupPair, PAIR_NEIGHBOUR,
  pairEdge, pairNeighbour,
} from './adjacency';
import { columnWord } from './elements';
import {
  directoryAdd, directoryBytes, directoryStart, GROUP_STANDALONE, groupBytes, groupCopy, isStandalone, REGION_BLOCK_BYTES, regionDead,
  regionExtend, regionRoom, regionTake,
} from './regions';
import { reserveLater, reserveNow, runningRemoving } from './running';
import { emptyGroup, pageAddress, stateHeap } from './state';

/** Compaction waits for at least this many dead pairs. */
const DEAD_PAIRS: u32 = 4;
const MAX_PAIRS: u32 = 0x1ffffff0;

// @ts-ignore: decorator
@inline
function wordAddress(state: usize, vertex: u32, column: usize): usize {
  return columnWord(pageAddress(state, vertex), vertex) + column;
}

// @ts-ignore: decorator
@inline
function groupCapacity(group: usize): u32 {
  return load<u32>(group, GROUP_CAPACITY) & ~GROUP_STANDALONE;
}

// --- Adding --------------------------------------------------------------------------------------------------------------

/** Adds the pair behind the group's others; edge ids ascend unless this is a redo. */
// @ts-ignore: decorator
@inline
export function pairAdd(state: usize, vertex: u32, column: usize, type: u32, edge: u32, neighbour: u32): bool {
  const group = groupFind(load<u32>(wordAddress(state, vertex, column)), type);
  if (group != 0) {
    const used = load<u32>(group, GROUP_USED);
    if (used != 0 && used < groupCapacity(group) && pairEdge(groupPair(group, used - 1)) < edge) {
      pairWrite(group, used, edge, neighbour);
      return true;
    }
  }
  return pairAddRare(state, vertex, column, type, edge, neighbour);
}

// @ts-ignore: decorator
@inline
function pairWrite(group: usize, used: u32, edge: u32, neighbour: u32): void {
  store<u64>(groupPair(group, used), <u64>edge | ((<u64>neighbour) << 32));
  store<u32>(group, load<u32>(group, GROUP_LIVE) + 1, GROUP_LIVE);
  atomic.store<u32>(group, used + 1, GROUP_USED);
}

function pairAddRare(state: usize, vertex: u32, column: usize, type: u32, edge: u32, neighbour: u32): bool {
  let group = groupFind(load<u32>(wordAddress(state, vertex, column)), type);
  if (group == 0) {
    group = groupNew(state, vertex, column, type);
    if (group == 0) return false;
    pairWrite(group, 0, edge, neighbour);
    return true;
  }
  let used = load<u32>(group, GROUP_USED);
  if (used != 0 && pairEdge(groupPair(group, used - 1)) >= edge) {
    return pairInsert(state, vertex, column, group, edge, neighbour);
  }
  // A group that was there before it had pairs (reserve.ts): undo drops it.
  if (used == 0 && !reserveLater(u32(isStandalone(group)))) return false;
  if (used == groupCapacity(group)) {
    group = groupGrow(state, vertex, column, group);
    if (group == 0) return false;
    used = load<u32>(group, GROUP_USED);
  }
  pairWrite(group, used, edge, neighbour);
  return true;
}

/** Redo only: the edge belongs before others. Brings its dead pair back, or copies the group with the pair in its place. */
function pairInsert(state: usize, vertex: u32, column: usize, group: usize, edge: u32, neighbour: u32): bool {
  const pair = groupFindPair(group, edge);
  if (pair != 0) {
    if (pairNeighbour(pair) == NONE) store<u32>(group, groupLive(group) + 1, GROUP_LIVE);
    atomic.store<u32>(pair + PAIR_NEIGHBOUR, neighbour);
    return true;
  }
  const type = load<u32>(group, GROUP_TYPE);
  // One pair more than there are, so that the copy has room for the new one.
  const fresh = groupBlock(state, vertex, load<u32>(group, GROUP_USED) + 1);
  if (fresh == 0) return false;
  const old = groupFind(load<u32>(wordAddress(state, vertex, column)), type);
  const used = load<u32>(old, GROUP_USED);
  const at = groupLowerBound(old, edge);
  store<u32>(fresh, type, GROUP_TYPE);
  store<u32>(fresh, used + 1, GROUP_USED);
  store<u32>(fresh, groupLive(old) + 1, GROUP_LIVE);
  memory.copy(groupPair(fresh, 0), groupPair(old, 0), (<usize>at) << 3);
  store<u64>(groupPair(fresh, at), <u64>edge | ((<u64>neighbour) << 32));
  memory.copy(groupPair(fresh, at + 1), groupPair(old, at), (<usize>(used - at)) << 3);
  groupReplace(state, vertex, column, old, fresh);
  return true;
}

/**
 * A block for `capacity` pairs or a few more with only its capacity set, and a retire entry for the block it replaces; 0 = no
 * memory. May move the region.
 */
function groupBlock(state: usize, vertex: u32, capacity: u32): usize {
  const bytes = groupBytes(capacity);
  const small = bytes <= REGION_BLOCK_BYTES;
  if (capacity > MAX_PAIRS || !reserveLater(u32(!small)) || !reserveNow(1)) return 0;
  if (small) {
    if (!regionRoom(state, vertex, bytes)) return 0;
    const block = regionTake(state, vertex, bytes);
    store<u32>(block, capacity, GROUP_CAPACITY);
    return block;
  }
  const block = allocate(stateHeap(state), PURPOSE_ADJACENCY, bytes);
  if (block == 0) return 0;
  const pairs = <u32>((blockBytes(block) - GROUP_HEADER) >> 3);
  store<u32>(block, pairs | GROUP_STANDALONE, GROUP_CAPACITY);
  return block;
}

/** The group with room for at least one more pair; 0 = no memory. */
function groupGrow(state: usize, vertex: u32, column: usize, group: usize): usize {
  const capacity = groupCapacity(group);
  const alone = isStandalone(group);
  if (!alone && groupBytes(capacity + 1) <= REGION_BLOCK_BYTES) {
    // Never for a block whose capacity was cut (pairsTakeBack): its end is not the region's.
    if (regionExtend(state, vertex, group + groupBytes(capacity), 8)) {
      store<u32>(group, capacity + 1, GROUP_CAPACITY);
      return group;
    }
  }
  const type = load<u32>(group, GROUP_TYPE);
  const used = load<u32>(group, GROUP_USED);
  const fresh = groupBlock(state, vertex, used + 1 + (used >> 2));
  if (fresh == 0) return 0;
  const old = groupFind(load<u32>(wordAddress(state, vertex, column)), type);
  groupCopy(old, fresh, load<u32>(fresh, GROUP_CAPACITY));
  groupReplace(state, vertex, column, old, fresh);
  return fresh;
}

/** Publishes `fresh` in the place of `old` and lets go of that block. */
function groupReplace(state: usize, vertex: u32, column: usize, old: usize, fresh: usize): void {
  const at = wordAddress(state, vertex, column);
  const word = load<u32>(at);
  if ((word & 1) == 0) {
    atomic.store<u32>(at, <u32>fresh);
  } else {
    const index = directoryFind(<usize>word - 1, load<u32>(old, GROUP_TYPE));
    check(index >= 0 && directoryGroup(<usize>word - 1, <u32>index) == old, 2020);
    atomic.store<u32>(<usize>word - 1 + DIRECTORY_HEADER + ((<usize>index) << 2), <u32>fresh);
  }
  groupLetGo(state, vertex, old);
}

function groupLetGo(state: usize, vertex: u32, group: usize): void {
  if (isStandalone(group)) retire(PURPOSE_ADJACENCY, group);
  else regionDead(state, vertex, groupBytes(groupCapacity(group)));
}

// --- New groups ----------------------------------------------------------------------------------------------------------

/** An empty group of a type the word does not have, published; 0 = no memory. */
function groupNew(state: usize, vertex: u32, column: usize, type: u32): usize {
  const word = load<u32>(wordAddress(state, vertex, column));
  const bytes = groupBytes(1);
  if (word == 0) {
    if (!regionRoom(state, vertex, bytes)) return 0;
    const group = groupStart(regionTake(state, vertex, bytes), type);
    atomic.store<u32>(wordAddress(state, vertex, column), <u32>group);
    return group;
  }
  const capacity = grownCapacity(word);
  const large = directoryBytes(capacity) > REGION_BLOCK_BYTES;
  // One entry for the directory that goes, one for the new one should undo drop it.
  if (!reserveLater(u32(large)) || !reserveNow(1)) return 0;
  if (!regionRoom(state, vertex, large ? bytes : bytes + directoryBytes(capacity))) return 0;
  // From here nothing moves any more. The copy may have changed the word: a directory in a region is copied without room.
  const at = wordAddress(state, vertex, column);
  if (directoryHasRoom(load<u32>(at))) {
    const group = groupStart(regionTake(state, vertex, bytes), type);
    directoryAdd(<usize>load<u32>(at) - 1, group);
    return group;
  }
  const block = large
    ? allocate(stateHeap(state), PURPOSE_ADJACENCY, directoryBytes(capacity))
    : regionTake(state, vertex, directoryBytes(capacity));
  if (block == 0) return 0;
  const group = groupStart(regionTake(state, vertex, bytes), type);
  directoryRewrite(state, vertex, at, block, capacity, group);
  return group;
}

function groupStart(block: usize, type: u32): usize {
  groupHead(block, type, 0, 0, 1);
  return block;
}

/** Capacity of the next directory of the word when a group is added. */
function grownCapacity(word: u32): u32 {
  const live: u32 = (word & 1) == 0 ? 1 : load<u32>(<usize>word - 1, DIRECTORY_LIVE);
  return (live + 2 + (live >> 2)) & ~1;
}

function directoryHasRoom(word: u32): bool {
  if ((word & 1) == 0) return false;
  const directory = <usize>word - 1;
  const capacity = load<u32>(directory, DIRECTORY_CAPACITY);
  if (load<u32>(directory, DIRECTORY_COUNT) == capacity) return false;
  const slots = directorySlotCount(capacity);
  return slots == 0 || load<u32>(directory, DIRECTORY_FILLED) < slots - (slots >> 2);
}

/** Writes the word's groups that are not emptied, and `group` if not 0, to a new directory in `block`, and publishes that. */
function directoryRewrite(state: usize, vertex: u32, at: usize, block: usize, capacity: u32, group: usize): void {
  const word = load<u32>(at);
  directoryStart(block, capacity);
  const count = adjacencyGroups(word);
  for (let index: u32 = 0; index < count; index++) {
    const old = adjacencyGroup(word, index);
    if (old != emptyGroup(state)) directoryAdd(block, old);
  }
  if (group != 0) directoryAdd(block, group);
  atomic.store<u32>(at, <u32>block | 1);
  if ((word & 1) != 0) directoryLetGo(state, vertex, <usize>word - 1);
}

function directoryLetGo(state: usize, vertex: u32, directory: usize): void {
  const bytes = directoryBytes(load<u32>(directory, DIRECTORY_CAPACITY));
  if (bytes > REGION_BLOCK_BYTES) retire(PURPOSE_ADJACENCY, directory);
  else regionDead(state, vertex, bytes);
}

// --- Removing, and taking it back --------------------------------------------------------------------------------------------

/** Marks the edge's pair removed. Never fails; the caller has said so to the writer (runningSetRemoving). */
export function pairRemove(state: usize, vertex: u32, column: usize, type: u32, edge: u32): void {
  const group = groupFind(load<u32>(wordAddress(state, vertex, column)), type);
  check(group != 0, 2022);
  const pair = groupFindPair(group, edge);
  check(pair != 0 && pairNeighbour(pair) != NONE, 2023);
  atomic.store<u32>(pair + PAIR_NEIGHBOUR, NONE);
  store<u32>(group, groupLive(group) - 1, GROUP_LIVE);
}

/** Undo of a redo's pairAdd: marks the pair removed if it came to be. */
export function pairUnlink(state: usize, vertex: u32, column: usize, type: u32, edge: u32): void {
  const group = groupFind(load<u32>(wordAddress(state, vertex, column)), type);
  const pair: usize = group == 0 ? 0 : groupFindPair(group, edge);
  if (pair == 0 || pairNeighbour(pair) == NONE) return;
  atomic.store<u32>(pair + PAIR_NEIGHBOUR, NONE);
  store<u32>(group, groupLive(group) - 1, GROUP_LIVE);
}

/** Undo of pairRemove; does nothing to a pair that is alive. */
export function pairRestore(state: usize, vertex: u32, column: usize, type: u32, edge: u32, neighbour: u32): void {
  const group = groupFind(load<u32>(wordAddress(state, vertex, column)), type);
  check(group != 0, 2024);
  const pair = groupFindPair(group, edge);
  check(pair != 0, 2025);
  if (pairNeighbour(pair) != NONE) return;
  store<u32>(group, groupLive(group) + 1, GROUP_LIVE);
  atomic.store<u32>(pair + PAIR_NEIGHBOUR, neighbour);
}

/**
 * Undo of pairAdd, newest edge first: takes the edge's pair off the end if it is there. The freed place is given up, not used
 * again: a reader may be looking at it. What a group of the transaction's own may retire was reserved when it was made.
 */
export function pairTakeBack(state: usize, vertex: u32, column: usize, type: u32, edge: u32): void {
  const group = groupFind(load<u32>(wordAddress(state, vertex, column)), type);
  if (group == 0) return;
  const used = load<u32>(group, GROUP_USED);
  if (used == 0 || pairEdge(groupPair(group, used - 1)) != edge) return;
  const live = groupLive(group) - u32(pairNeighbour(groupPair(group, used - 1)) != NONE);
  store<u32>(group, live, GROUP_LIVE);
  atomic.store<u32>(group, used - 1, GROUP_USED);
  const flag = load<u32>(group, GROUP_CAPACITY) & GROUP_STANDALONE;
  store<u32>(group, (used - 1) | flag, GROUP_CAPACITY);
  if (live == 0) groupDrop(state, vertex, column, type, group);
}

// --- Tidying up at commit --------------------------------------------------------------------------------------------------

/** Drops the group if it has no live pair, compacts it if half of it is dead; if memory is short it stays. */
export function groupSettle(state: usize, vertex: u32, column: usize, type: u32): void {
  check(!runningRemoving(), 2026);
  const group = groupFind(load<u32>(wordAddress(state, vertex, column)), type);
  if (group == 0) return;
  const live = groupLive(group);
  if (live == 0) {
    if (reserveNow(2)) groupDrop(state, vertex, column, type, group);
    return;
  }
  const dead = load<u32>(group, GROUP_USED) - live;
  if (dead < DEAD_PAIRS || dead < live) return;
  const fresh = groupBlock(state, vertex, live + 1 + (live >> 3));
  if (fresh == 0) return;
  const old = groupFind(load<u32>(wordAddress(state, vertex, column)), type);
  groupCopy(old, fresh, load<u32>(fresh, GROUP_CAPACITY));
  groupReplace(state, vertex, column, old, fresh);
}

/** Not within a transaction: copies a group that has a block of its own to one of its size, if that gives memory back. Whether it did. */
export function groupSqueeze(state: usize, vertex: u32, column: usize, group: usize): bool {
  if (!isStandalone(group)) return false;
  const live = groupLive(group);
  const bytes = groupBytes(live);
  if (live == 0 || (bytes > REGION_BLOCK_BYTES && roundedBytes(bytes) >= blockBytes(group))) return false;
  const fresh = groupBlock(state, vertex, live);
  if (fresh == 0) return false;
  groupCopy(group, fresh, load<u32>(fresh, GROUP_CAPACITY));
  groupReplace(state, vertex, column, group, fresh);
  return true;
}

/** Takes a group without live pairs out of the word. */
function groupDrop(state: usize, vertex: u32, column: usize, type: u32, group: usize): void {
  const at = wordAddress(state, vertex, column);
  const word = load<u32>(at);
  if ((word & 1) == 0) {
    atomic.store<u32>(at, 0);
    groupLetGo(state, vertex, group);
    return;
  }
  const directory = <usize>word - 1;
  const index = directoryFind(directory, type);
  atomic.store<u32>(directory + DIRECTORY_HEADER + ((<usize>index) << 2), <u32>emptyGroup(state));
  const live = load<u32>(directory, DIRECTORY_LIVE) - 1;
  store<u32>(directory, live, DIRECTORY_LIVE);
  groupLetGo(state, vertex, group);
  if (live == 0) {
    atomic.store<u32>(at, 0);
    directoryLetGo(state, vertex, directory);
  }
}

/** At commit, where most groups of a directory may have emptied: rewrites it. Does nothing when memory is short. */
export function directorySettle(state: usize, vertex: u32, column: usize): void {
  const at = wordAddress(state, vertex, column);
  const word = load<u32>(at);
  if ((word & 1) == 0) return;
  const live = load<u32>(<usize>word - 1, DIRECTORY_LIVE);
  if (load<u32>(<usize>word - 1, DIRECTORY_COUNT) - live <= max<u32>(live, 2) || !reserveNow(1)) return;
  const capacity = grownCapacity(word);
  const bytes = directoryBytes(capacity);
  let block: usize = 0;
  if (bytes > REGION_BLOCK_BYTES) {
    block = allocate(stateHeap(state), PURPOSE_ADJACENCY, bytes);
  } else if (regionRoom(state, vertex, bytes)) {
    block = regionTake(state, vertex, bytes);
  }
  if (block != 0) directoryRewrite(state, vertex, at, block, capacity, 0);
}

/** Number of retire entries `wordLetGo` takes. */
export function wordLetGoCount(word: u32): u32 {
  if (word == 0) return 0;
  let count = word & 1;
  const groups = adjacencyGroups(word);
  for (let index: u32 = 0; index < groups; index++) count += u32(isStandalone(adjacencyGroup(word, index)));
  return count;
}

/** Lets go of all blocks of a word that nobody finds any more. */
export function wordLetGo(state: usize, vertex: u32, word: u32): void {
  if (word == 0) return;
  const groups = adjacencyGroups(word);
  for (let index: u32 = 0; index < groups; index++) {
    const group = adjacencyGroup(word, index);
    if (group != emptyGroup(state)) groupLetGo(state, vertex, group);
  }
  if ((word & 1) != 0) directoryLetGo(state, vertex, <usize>word - 1);
}
