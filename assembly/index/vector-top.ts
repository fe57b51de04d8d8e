// The best k of a scan: a heap with the worst of them at its root.
//
//   top (instance-own scratch)   u32 k, u32 count, f32 key to reach, u32 zero, then k x { f32 key, u32 element id }
//
// Better is the higher key, and of equal keys the lower id. The key to reach is the root's once k are there, -infinity before:
// whoever has a lower key need not be offered. Knows keys and ids; nothing of vectors.

const TOP_COUNT: usize = 4;
const TOP_REACH: usize = 8;
const TOP_ZERO: usize = 12;
const TOP_HEADER: usize = 16;
/** Of an entry: the id behind its key. */
export const TOP_ID: usize = 4;

export function topBytes(k: u32): usize {
  return TOP_HEADER + (<usize>k << 3);
}

export function topBegin(top: usize, k: u32): void {
  store<u32>(top, k);
  store<u32>(top, 0, TOP_COUNT);
  store<f32>(top, -Infinity, TOP_REACH);
  store<u32>(top, 0, TOP_ZERO);
}

/** A candidate with a lower key than this changes nothing; one with the same key may. */
// @ts-ignore: decorator
@inline
export function topReach(top: usize): f32 {
  return load<f32>(top, TOP_REACH);
}

// @ts-ignore: decorator
@inline
export function topCount(top: usize): u32 {
  return load<u32>(top, TOP_COUNT);
}

/** Address of entry `index`: { f32 key, u32 id }. */
// @ts-ignore: decorator
@inline
export function topEntry(top: usize, index: u32): usize {
  return top + TOP_HEADER + (<usize>index << 3);
}

// @ts-ignore: decorator
@inline
function isWorse(key: f32, id: u32, otherKey: f32, otherId: u32): bool {
  return key < otherKey || (key == otherKey && id > otherId);
}

/** Takes a candidate with a finite key in if it is among the best k. */
export function topPush(top: usize, key: f32, id: u32): void {
  const k = load<u32>(top);
  const count = load<u32>(top, TOP_COUNT);
  if (count < k) {
    siftUp(top, count, key, id);
    store<u32>(top, count + 1, TOP_COUNT);
    if (count + 1 == k) store<f32>(top, load<f32>(topEntry(top, 0)), TOP_REACH);
    return;
  }
  const root = topEntry(top, 0);
  if (!isWorse(load<f32>(root), load<u32>(root, TOP_ID), key, id)) return;
  siftDown(top, k, 0, key, id);
  store<f32>(top, load<f32>(root), TOP_REACH);
}

function siftUp(top: usize, index: u32, key: f32, id: u32): void {
  while (index != 0) {
    const parent = (index - 1) >> 1;
    const at = topEntry(top, parent);
    if (!isWorse(key, id, load<f32>(at), load<u32>(at, TOP_ID))) break;
    store<u64>(topEntry(top, index), load<u64>(at));
    index = parent;
  }
  const to = topEntry(top, index);
  store<f32>(to, key);
  store<u32>(to, id, TOP_ID);
}

function siftDown(top: usize, count: u32, index: u32, key: f32, id: u32): void {
  while (true) {
    let child: u32 = 2 * index + 1;
    if (child >= count) break;
    let at = topEntry(top, child);
    if (child + 1 < count) {
      const other = topEntry(top, child + 1);
      if (isWorse(load<f32>(other), load<u32>(other, TOP_ID), load<f32>(at), load<u32>(at, TOP_ID))) {
        child++;
        at = other;
      }
    }
    if (!isWorse(load<f32>(at), load<u32>(at, TOP_ID), key, id)) break;
    store<u64>(topEntry(top, index), load<u64>(at));
    index = child;
  }
  const to = topEntry(top, index);
  store<f32>(to, key);
  store<u32>(to, id, TOP_ID);
}

/** Puts the entries in order, best first; nothing may be pushed afterwards. */
export function topSort(top: usize): void {
  for (let count = topCount(top); count > 1; count--) {
    const worst = load<u64>(topEntry(top, 0));
    const last = topEntry(top, count - 1);
    const key = load<f32>(last);
    const id = load<u32>(last, TOP_ID);
    siftDown(top, count - 1, 0, key, id);
    store<u64>(last, worst);
  }
}
