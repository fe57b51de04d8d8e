// The keys of a SpatialIndex by place: an R-tree.
//
//   own word     address of the root (atomic), 0 = no keys
//   node         u32 count, u32 level (0 = leaf), then at most NODE_MOST entries: the box { 3 x f32 low, 3 x f32 high }, u32 address of the
//                key (leaf) or of the node below, u32 zero
//
// Boxes lie in the first three dimensions, zeros where a key has fewer, and are rounded outwards: whatever they leave out is out of reach,
// and who takes what they leave in asks the key itself. So keys of any number of dimensions share one tree. A key whose coordinates are
// none (bytes that are no two corners, NaN) has a box without bounds.
//
// A published node never changes. A change makes the nodes from a leaf to the root anew, at most SPATIAL_BLOCKS of them, publishes the
// root with one store and retires what it replaces: readers go on in the tree they began with. A full node is cut in half where its boxes'
// middles are spread most. A removal takes empty nodes away and otherwise leaves nodes as thin as they become.

import { allocate, release } from '../memory/allocator';
import { scratchAllocate, scratchMark, scratchRelease } from '../memory/arena';
import { PURPOSE_INDEXES } from '../memory/layout';
import { RECORD_HEADER } from '../values/record';
import { blockRetire, blocksReserve } from './blocks';
import { INDEX_HEAP, KEY_VALUE, OWN_MORE } from './layout';

const OWN_ROOT: usize = OWN_MORE;

const NODE_LEVEL: usize = 4;
const NODE_HEADER: usize = 8;
const NODE_MOST: u32 = 24;
const ENTRY_BYTES: usize = 32;
const ENTRY_HIGH: usize = 12;
const ENTRY_BELOW: usize = 24;
const AXES: usize = 12; // bytes

/** Blocks that one change replaces at most: a node that splits was full, so a tree of 12 levels had more keys than there are addresses. */
export const SPATIAL_BLOCKS: u32 = 12;

/** Bytes of a String's record before its data, and of a corner's coordinate. */
const COORDINATE_BYTES: u32 = 8;

// What `remove` answers beside the address of a node.
const ABSENT: usize = 0;
const EMPTY: usize = 1;
const NO_ROOM: usize = 2;

// The change under way. `work`: entries of the node that is being made, one more than fit; `made` and `replaced`: addresses of nodes.
let heap: u32 = 0;
let work: usize = 0;
let made: usize = 0;
let madeCount: u32 = 0;
let replaced: usize = 0;
let replacedCount: u32 = 0;
/** The other half of the node that was made last, 0 when it did not split. */
let sibling: usize = 0;

// --- Boxes ---------------------------------------------------------------------------------------------------------------------

/** The largest single-precision number that is not above `x`. */
// @ts-ignore: decorator
@inline
function roundDown(x: f64): f32 {
  const y = <f32>x;
  if (!(<f64>y > x)) return y;
  if (y == 0) return reinterpret<f32>(0x80000001);
  const bits = reinterpret<u32>(y);
  return reinterpret<f32>((bits & 0x80000000) != 0 ? bits + 1 : bits - 1);
}

/** Writes the entry of a key. */
function entryOfKey(key: usize, to: usize): void {
  const bytes = load<u32>(key + KEY_VALUE);
  const half = bytes >> 1;
  let bounded = half != 0 && bytes % (2 * COORDINATE_BYTES) == 0;
  for (let axis: usize = 0; axis < AXES && bounded; axis += 4) {
    let low: f64 = 0;
    let high: f64 = 0;
    if (<u32>(axis << 1) < half) {
      const at = key + KEY_VALUE + RECORD_HEADER + (axis << 1);
      low = load<f64>(at);
      high = load<f64>(at + <usize>half);
    }
    bounded = low <= high;
    store<f32>(to + axis, roundDown(low));
    store<f32>(to + axis, -roundDown(-high), ENTRY_HIGH);
  }
  for (let axis: usize = 0; axis < AXES && !bounded; axis += 4) {
    store<f32>(to + axis, -Infinity);
    store<f32>(to + axis, Infinity, ENTRY_HIGH);
  }
  store<u32>(to, <u32>key, ENTRY_BELOW);
  store<u32>(to, 0, ENTRY_BELOW + 4);
}

/** Widens the box at `to` so that it holds the one at `box`. */
// @ts-ignore: decorator
@inline
function boxWiden(to: usize, box: usize): void {
  for (let axis: usize = 0; axis < AXES; axis += 4) {
    store<f32>(to + axis, min<f32>(load<f32>(to + axis), load<f32>(box + axis)));
    store<f32>(to + axis, max<f32>(load<f32>(to + axis, ENTRY_HIGH), load<f32>(box + axis, ENTRY_HIGH)), ENTRY_HIGH);
  }
}

// @ts-ignore: decorator
@inline
function boxHolds(box: usize, other: usize): bool {
  for (let axis: usize = 0; axis < AXES; axis += 4) {
    if (load<f32>(box + axis) > load<f32>(other + axis)) return false;
    if (load<f32>(box + axis, ENTRY_HIGH) < load<f32>(other + axis, ENTRY_HIGH)) return false;
  }
  return true;
}

/** Sum of a box's edges once it holds the other one, less the sum before: what taking it in costs. */
// @ts-ignore: decorator
@inline
function boxGrowth(box: usize, other: usize): f64 {
  let growth: f64 = 0;
  for (let axis: usize = 0; axis < AXES; axis += 4) {
    growth += max<f64>(0, <f64>load<f32>(box + axis) - <f64>load<f32>(other + axis));
    growth += max<f64>(0, <f64>load<f32>(other + axis, ENTRY_HIGH) - <f64>load<f32>(box + axis, ENTRY_HIGH));
  }
  return growth;
}

// @ts-ignore: decorator
@inline
function boxSize(box: usize): f64 {
  let size: f64 = 0;
  for (let axis: usize = 0; axis < AXES; axis += 4) size += <f64>load<f32>(box + axis, ENTRY_HIGH) - <f64>load<f32>(box + axis);
  return size;
}

/** Square of a distance that two boxes have at least. Not above that of the keys: each step rounds as the keys' own does, of less. */
// @ts-ignore: decorator
@inline
function boxGap(a: usize, b: usize): f64 {
  let sum: f64 = 0;
  for (let axis: usize = 0; axis < AXES; axis += 4) {
    const above = <f64>load<f32>(a + axis) - <f64>load<f32>(b + axis, ENTRY_HIGH);
    const below = <f64>load<f32>(b + axis) - <f64>load<f32>(a + axis, ENTRY_HIGH);
    const gap = max<f64>(0, max<f64>(above, below));
    sum += gap * gap;
  }
  return sum;
}

// --- Nodes [W] -----------------------------------------------------------------------------------------------------------------

// @ts-ignore: decorator
@inline
function entryAt(node: usize, i: u32): usize {
  return node + NODE_HEADER + <usize>i * ENTRY_BYTES;
}

// @ts-ignore: decorator
@inline
function workAt(i: u32): usize {
  return work + <usize>i * ENTRY_BYTES;
}

// @ts-ignore: decorator
@inline
function below(entry: usize): usize {
  return <usize>load<u32>(entry, ENTRY_BELOW);
}

/** Begins a change. False: no memory. */
function begin(index: usize): bool {
  if (!blocksReserve(SPATIAL_BLOCKS)) return false;
  heap = load<u32>(index, INDEX_HEAP);
  work = scratchAllocate(<usize>(NODE_MOST + 1) * ENTRY_BYTES + ENTRY_BYTES + 12 * <usize>SPATIAL_BLOCKS);
  if (work == 0) return false;
  made = workAt(NODE_MOST + 2);
  replaced = made + 8 * <usize>SPATIAL_BLOCKS;
  madeCount = 0;
  replacedCount = 0;
  return true;
}

/** Publishes the root that was made, or forgets all that was made when there is none. */
function end(index: usize, root: usize, kept: bool): void {
  if (!kept) {
    for (let i: u32 = 0; i < madeCount; i++) release(PURPOSE_INDEXES, <usize>load<u32>(made + (<usize>i << 2)));
    return;
  }
  atomic.store<u32>(index + OWN_ROOT, <u32>root);
  for (let i: u32 = 0; i < replacedCount; i++) blockRetire(<usize>load<u32>(replaced + (<usize>i << 2)));
}

function noteReplaced(node: usize): void {
  store<u32>(replaced + (<usize>replacedCount << 2), <u32>node);
  replacedCount++;
}

/** A node of work's entries [from, to); 0 = no memory. */
function nodeOf(level: u32, from: u32, to: u32): usize {
  const bytes = <usize>(to - from) * ENTRY_BYTES;
  const node = allocate(heap, PURPOSE_INDEXES, NODE_HEADER + bytes);
  if (node == 0) return 0;
  store<u32>(node, to - from);
  store<u32>(node, level, NODE_LEVEL);
  memory.copy(node + NODE_HEADER, workAt(from), bytes);
  store<u32>(made + (<usize>madeCount << 2), <u32>node);
  madeCount++;
  return node;
}

/** One node of work's first `count` entries, or two when they are too many. 0 = no memory. */
function nodesOf(level: u32, count: u32): usize {
  sibling = 0;
  if (count <= NODE_MOST) return nodeOf(level, 0, count);
  workSort(count, widestAxis(count));
  const node = nodeOf(level, 0, count >> 1);
  sibling = nodeOf(level, count >> 1, count);
  return sibling == 0 ? 0 : node;
}

/** Twice the middle of a box. */
// @ts-ignore: decorator
@inline
function middle(entry: usize, axis: usize): f64 {
  return <f64>load<f32>(entry + axis) + <f64>load<f32>(entry + axis, ENTRY_HIGH);
}

function widestAxis(count: u32): usize {
  let widest: usize = 0;
  let most: f64 = -1;
  for (let axis: usize = 0; axis < AXES; axis += 4) {
    let least: f64 = Infinity;
    let largest: f64 = -Infinity;
    for (let i: u32 = 0; i < count; i++) {
      const at = middle(workAt(i), axis);
      if (at < least) least = at;
      if (at > largest) largest = at;
    }
    if (largest - least > most) {
      most = largest - least;
      widest = axis;
    }
  }
  return widest;
}

function workSort(count: u32, axis: usize): void {
  const spare = workAt(NODE_MOST + 1);
  for (let i: u32 = 1; i < count; i++) {
    memory.copy(spare, workAt(i), ENTRY_BYTES);
    const at = middle(spare, axis);
    let to = i;
    for (; to > 0 && at < middle(workAt(to - 1), axis); to--) memory.copy(workAt(to), workAt(to - 1), ENTRY_BYTES);
    memory.copy(workAt(to), spare, ENTRY_BYTES);
  }
}

/** Lays the entries of a node out in work. */
function workFill(node: usize): u32 {
  const count = load<u32>(node);
  memory.copy(work, node + NODE_HEADER, <usize>count * ENTRY_BYTES);
  return count;
}

/** The entry for a node. */
function entryOfNode(node: usize, to: usize): void {
  memory.copy(to, entryAt(node, 0), ENTRY_BYTES);
  const count = load<u32>(node);
  for (let i: u32 = 1; i < count; i++) boxWiden(to, entryAt(node, i));
  store<u32>(to, <u32>node, ENTRY_BELOW);
}

// --- Changes [W] ---------------------------------------------------------------------------------------------------------------

/** Enters a key. False: no memory, and nothing changed. */
export function spatialAdd(index: usize, key: usize): bool {
  const mark = scratchMark();
  const entry = scratchAllocate(ENTRY_BYTES);
  let root: usize = 0;
  if (entry != 0 && begin(index)) {
    entryOfKey(key, entry);
    const old = <usize>load<u32>(index, OWN_ROOT);
    if (old == 0) {
      memory.copy(work, entry, ENTRY_BYTES);
      root = nodesOf(0, 1);
    } else {
      root = insert(old, entry);
      if (root != 0 && sibling != 0) {
        entryOfNode(root, workAt(0));
        entryOfNode(sibling, workAt(1));
        root = nodesOf(load<u32>(old, NODE_LEVEL) + 1, 2);
      }
    }
    end(index, root, root != 0);
  }
  scratchRelease(mark);
  return root != 0;
}

/** The node anew with an entry more, and `sibling` when it split. 0 = no memory. */
function insert(node: usize, entry: usize): usize {
  noteReplaced(node);
  const level = load<u32>(node, NODE_LEVEL);
  if (level == 0) {
    const count = workFill(node);
    memory.copy(workAt(count), entry, ENTRY_BYTES);
    return nodesOf(0, count + 1);
  }
  const chosen = choose(node, entry);
  const child = insert(below(entryAt(node, chosen)), entry);
  if (child == 0) return 0;
  const other = sibling;
  let count = workFill(node);
  entryOfNode(child, workAt(chosen));
  if (other != 0) {
    entryOfNode(other, workAt(count));
    count++;
  }
  return nodesOf(level, count);
}

/** Which entry to put another one below: the one that grows least, of equals the smallest. */
function choose(node: usize, entry: usize): u32 {
  const count = load<u32>(node);
  let best: u32 = 0;
  let growth: f64 = Infinity;
  let size: f64 = Infinity;
  for (let i: u32 = 0; i < count; i++) {
    const at = entryAt(node, i);
    const grows = boxGrowth(at, entry);
    if (grows > growth) continue;
    const its = boxSize(at);
    if (grows < growth || its < size) {
      best = i;
      growth = grows;
      size = its;
    }
  }
  return best;
}

/** Takes a key out. False: no memory, and nothing changed. */
export function spatialRemove(index: usize, key: usize): bool {
  const old = <usize>load<u32>(index, OWN_ROOT);
  if (old == 0) return true;
  const mark = scratchMark();
  const entry = scratchAllocate(ENTRY_BYTES);
  let done = false;
  if (entry != 0 && begin(index)) {
    entryOfKey(key, entry);
    const root = remove(old, entry);
    done = root != NO_ROOM;
    if (root != ABSENT) end(index, root == EMPTY ? 0 : withoutThinRoot(root), done);
  }
  scratchRelease(mark);
  return done;
}

/** A root of one node is that node. */
function withoutThinRoot(root: usize): usize {
  if (root == NO_ROOM || load<u32>(root) != 1 || load<u32>(root, NODE_LEVEL) == 0) return root;
  const child = below(entryAt(root, 0));
  release(PURPOSE_INDEXES, root);
  return child;
}

/** The node anew without the entry; EMPTY, ABSENT or NO_ROOM. */
function remove(node: usize, entry: usize): usize {
  const count = load<u32>(node);
  const level = load<u32>(node, NODE_LEVEL);
  for (let i: u32 = 0; i < count; i++) {
    const at = entryAt(node, i);
    if (level == 0) {
      if (below(at) == below(entry)) return without(node, i);
      continue;
    }
    if (!boxHolds(at, entry)) continue;
    const child = remove(below(at), entry);
    if (child == ABSENT) continue;
    if (child == NO_ROOM) return NO_ROOM;
    if (child == EMPTY) return without(node, i);
    noteReplaced(node);
    workFill(node);
    entryOfNode(child, workAt(i));
    const anew = nodesOf(level, count);
    return anew == 0 ? NO_ROOM : anew;
  }
  return ABSENT;
}

/** The node anew without its entry `i`. */
function without(node: usize, i: u32): usize {
  noteReplaced(node);
  const count = load<u32>(node) - 1;
  if (count == 0) return EMPTY;
  memory.copy(work, entryAt(node, 0), <usize>i * ENTRY_BYTES);
  memory.copy(workAt(i), entryAt(node, i + 1), <usize>(count - i) * ENTRY_BYTES);
  const anew = nodesOf(load<u32>(node, NODE_LEVEL), count);
  return anew == 0 ? NO_ROOM : anew;
}

// --- Searching (any thread) ------------------------------------------------------------------------------------------------------

/** Where to begin a walk; 0 = there are no keys. The tree stays whole while the reader is announced. */
// @ts-ignore: decorator
@inline
export function spatialRoot(index: usize): usize {
  return <usize>atomic.load<u32>(index + OWN_ROOT);
}

/** Bytes that `spatialBox` fills. */
export const SPATIAL_BOX_BYTES: usize = ENTRY_BYTES;

/** The box of a key, for `spatialNear`. */
export function spatialBox(key: usize, to: usize): void {
  entryOfKey(key, to);
}

// @ts-ignore: decorator
@inline
export function spatialCount(node: usize): u32 {
  return load<u32>(node);
}

// @ts-ignore: decorator
@inline
export function spatialIsLeaf(node: usize): bool {
  return load<u32>(node, NODE_LEVEL) == 0;
}

/** The key (of a leaf) or node below entry `i`. */
// @ts-ignore: decorator
@inline
export function spatialBelow(node: usize, i: u32): usize {
  return below(entryAt(node, i));
}

/** False only when nothing below entry `i` is as near to the box as the root of `reach`. */
// @ts-ignore: decorator
@inline
export function spatialNear(node: usize, i: u32, box: usize, reach: f64): bool {
  return !(boxGap(entryAt(node, i), box) > reach);
}
