// Adjacency as readers see it: the edges of a vertex in one direction, in groups by edge type.
//
//   word (column a or b of a vertex)   0 no edges | even: address of the only group | odd: address of a directory, plus 1
//   directory   u32 count (atomic), u32 capacity, u32 groups not emptied, u32 hash slots filled,
//               capacity x u32 group address (atomic), hash slots x u32 (0 or 1 + index of a group)
//   group       u32 type (intern id), u32 used (atomic, published after the pairs), u32 live, u32 capacity and flag,
//               capacity x { u32 edge, u32 neighbour }
//
// Groups stand in the order in which their types first appeared; pairs ascend by edge id, not strictly: what is dead may repeat.
// A removed pair keeps its edge and has neighbour NONE: skip it. A directory may name a group without live pairs (`groupLive` 0:
// in passing, or the empty group of the state, type NONE, until the directory is rewritten): skip it, it is no group of the
// vertex. `groupLive` is a plain counter, exact when no write is running.
// Within a group nothing a reader has seen moves or changes, except neighbours turning NONE. A group that outgrows its block
// is copied and the new address is published; the old block stays readable until no reader holds it (see regions.ts).
// A pair's edge or neighbour may be of a running transaction: its `elementKind` is then KIND_NONE, as for one just removed.
// Directories of more than 16 groups carry the hash table, so finding a type does not walk.

import { NONE } from '../memory/layout';

export const GROUP_HEADER: usize = 16;
export const PAIR_NEIGHBOUR: usize = 4;
export const PAIR_BYTES: usize = 8;

export const GROUP_TYPE: usize = 0;
export const GROUP_USED: usize = 4;
export const GROUP_LIVE: usize = 8;
/** Pairs the block can take; bit 31: the block is one of the allocator's, not part of a region. Writer only. */
export const GROUP_CAPACITY: usize = 12;

export const DIRECTORY_COUNT: usize = 0;
export const DIRECTORY_CAPACITY: usize = 4;
export const DIRECTORY_LIVE: usize = 8;
export const DIRECTORY_FILLED: usize = 12;
export const DIRECTORY_HEADER: usize = 16;
/** Up to this capacity a directory has no hash table. */
export const DIRECTORY_PLAIN: u32 = 16;

// --- Words and groups ----------------------------------------------------------------------------------------------------

/** Number of groups, some of which may have no live pair. */
// @ts-ignore: decorator
@inline
export function adjacencyGroups(word: u32): u32 {
  if ((word & 1) == 0) return u32(word != 0);
  return atomic.load<u32>(<usize>word - 1, DIRECTORY_COUNT);
}

/** Address of group `index` < adjacencyGroups(word). */
// @ts-ignore: decorator
@inline
export function adjacencyGroup(word: u32, index: u32): usize {
  if ((word & 1) == 0) return <usize>word;
  return <usize>atomic.load<u32>(<usize>word - 1 + DIRECTORY_HEADER + ((<usize>index) << 2));
}

/** The group of that edge type with at least one live pair, or 0. */
// @ts-ignore: decorator
@inline
export function adjacencyFind(word: u32, type: u32): usize {
  const group = groupFind(word, type);
  return group != 0 && groupLive(group) != 0 ? group : 0;
}

/** Live pairs of all groups: the degree of the vertex in this direction. */
export function adjacencyDegree(word: u32): u32 {
  let degree: u32 = 0;
  const count = adjacencyGroups(word);
  for (let index: u32 = 0; index < count; index++) degree += groupLive(adjacencyGroup(word, index));
  return degree;
}

/** Writes the four words before a group's pairs. */
// @ts-ignore: decorator
@inline
export function groupHead(group: usize, type: u32, used: u32, live: u32, capacity: u32): void {
  store<u32>(group, type, GROUP_TYPE);
  store<u32>(group, used, GROUP_USED);
  store<u32>(group, live, GROUP_LIVE);
  store<u32>(group, capacity, GROUP_CAPACITY);
}

// @ts-ignore: decorator
@inline
export function groupType(group: usize): u32 {
  return load<u32>(group, GROUP_TYPE);
}

/** Pairs to look at, dead ones included. Load it once. */
// @ts-ignore: decorator
@inline
export function groupUsed(group: usize): u32 {
  return atomic.load<u32>(group, GROUP_USED);
}

// @ts-ignore: decorator
@inline
export function groupLive(group: usize): u32 {
  return load<u32>(group, GROUP_LIVE);
}

/** Address of pair `index`: edge at +0, neighbour (NONE = removed) at +4. */
// @ts-ignore: decorator
@inline
export function groupPair(group: usize, index: u32): usize {
  return group + GROUP_HEADER + ((<usize>index) << 3);
}

// @ts-ignore: decorator
@inline
export function pairEdge(pair: usize): u32 {
  return load<u32>(pair);
}

/** The vertex at the other end; NONE when the edge was removed. */
// @ts-ignore: decorator
@inline
export function pairNeighbour(pair: usize): u32 {
  return load<u32>(pair, PAIR_NEIGHBOUR);
}

/** First index whose edge id is at least `edge`. */
export function groupLowerBound(group: usize, edge: u32): u32 {
  let low: u32 = 0;
  let high = groupUsed(group);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pairEdge(groupPair(group, middle)) < edge) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The pair of that edge, dead or alive, live before dead; 0 when there is none. */
export function groupFindPair(group: usize, edge: u32): usize {
  const used = groupUsed(group);
  let dead: usize = 0;
  for (let index = groupLowerBound(group, edge); index < used; index++) {
    const pair = groupPair(group, index);
    if (pairEdge(pair) != edge) break;
    if (pairNeighbour(pair) != NONE) return pair;
    dead = pair;
  }
  return dead;
}

// --- Finding a type ------------------------------------------------------------------------------------------------------

/** The group of that edge type, perhaps without live pairs; 0 = none. */
// @ts-ignore: decorator
@inline
export function groupFind(word: u32, type: u32): usize {
  if ((word & 1) == 0) return word != 0 && groupType(<usize>word) == type ? <usize>word : 0;
  const index = directoryFind(<usize>word - 1, type);
  return index < 0 ? 0 : directoryGroup(<usize>word - 1, <u32>index);
}

// @ts-ignore: decorator
@inline
export function directoryGroup(directory: usize, index: u32): usize {
  return <usize>atomic.load<u32>(directory + DIRECTORY_HEADER + ((<usize>index) << 2));
}

/** Hash slots of a directory of that capacity: none, or a power of two and at least twice the capacity. */
// @ts-ignore: decorator
@inline
export function directorySlotCount(capacity: u32): u32 {
  return capacity <= DIRECTORY_PLAIN ? 0 : 1 << (32 - clz(2 * capacity - 1));
}

// @ts-ignore: decorator
@inline
export function typeHash(type: u32): u32 {
  const mixed = type * 0x9e3779b1;
  return mixed ^ (mixed >> 15);
}

/**
 * Index of the group of that type, or -1. A hash slot is a hint: its index may lie behind the count or name another type when
 * a group emptied or a write was taken back.
 */
export function directoryFind(directory: usize, type: u32): i32 {
  const capacity = load<u32>(directory, DIRECTORY_CAPACITY);
  const count = atomic.load<u32>(directory, DIRECTORY_COUNT);
  if (capacity <= DIRECTORY_PLAIN) {
    for (let index: u32 = 0; index < count; index++) {
      if (groupType(directoryGroup(directory, index)) == type) return <i32>index;
    }
    return -1;
  }
  const mask = directorySlotCount(capacity) - 1;
  const slots = directory + DIRECTORY_HEADER + ((<usize>capacity) << 2);
  let slot = typeHash(type) & mask;
  while (true) {
    const hint = atomic.load<u32>(slots + ((<usize>slot) << 2));
    if (hint == 0) return -1;
    if (hint <= count && groupType(directoryGroup(directory, hint - 1)) == type) return <i32>(hint - 1);
    slot = (slot + 1) & mask;
  }
}
