// The elements that the running transaction touches, for whoever keeps something beside the graph that follows from it: indexes drain the
// lists when the transaction has succeeded. They say at its start what they want to hear of; without them nothing is listed, and that
// costs a comparison a change. Elements may stand in a list more than once.
//
//   removed   elements that go
//   written   elements created, and those that get or lose a property whose key is watched

import { scratchAllocate } from '../memory/arena';
import { runItem, runWithRoom } from '../memory/runs';

const ID_BYTES: usize = 4;

let listsRemoved: bool = false;
let removed: usize = 0;
let removedLast: usize = 0;
let written: usize = 0;
let writtenLast: usize = 0;
/** Keys whose properties are watched (scratch): intern ids. */
let watched: usize = 0;
let watchedCount: u32 = 0;
let watchedRoom: u32 = 0;

/** At the start of a transaction. `wantsRemoved`: list elements that go. `keys`: so many will be watched at most. False = no memory. */
export function touchedBegin(wantsRemoved: bool, keys: u32): bool {
  listsRemoved = wantsRemoved;
  removed = 0;
  removedLast = 0;
  written = 0;
  writtenLast = 0;
  watchedCount = 0;
  watchedRoom = keys;
  watched = keys == 0 ? 0 : scratchAllocate((<usize>keys) << 2);
  return keys == 0 || watched != 0;
}

/** One of the keys announced. */
export function touchedWatch(key: u32): void {
  store<u32>(watched + ((<usize>watchedCount) << 2), key);
  watchedCount++;
}

/** An element is removed. False = no memory. */
// @ts-ignore: decorator
@inline
export function touchRemoved(id: u32): bool {
  return !listsRemoved || listRemoved(id);
}

/** An element is created. False = no memory. */
// @ts-ignore: decorator
@inline
export function touchCreated(id: u32): bool {
  return watchedCount == 0 || listWritten(id);
}

/** A property of an element is written or removed. False = no memory. */
// @ts-ignore: decorator
@inline
export function touchProperty(id: u32, key: u32): bool {
  return watchedCount == 0 || !isWatched(key) || listWritten(id);
}

/** First run of the elements removed (memory/runs.ts, u32 each), 0 = none. */
export function touchedRemoved(): usize {
  return removed;
}

/** The same of those created or written. */
export function touchedWritten(): usize {
  return written;
}

function isWatched(key: u32): bool {
  for (let i: u32 = 0; i < watchedCount; i++) if (load<u32>(watched + ((<usize>i) << 2)) == key) return true;
  return false;
}

function listRemoved(id: u32): bool {
  removedLast = runWithRoom(removedLast, ID_BYTES);
  if (removedLast == 0) return false;
  if (removed == 0) removed = removedLast;
  store<u32>(runItem(removedLast, ID_BYTES), id);
  return true;
}

function listWritten(id: u32): bool {
  writtenLast = runWithRoom(writtenLast, ID_BYTES);
  if (writtenLast == 0) return false;
  if (written == 0) written = writtenLast;
  store<u32>(runItem(writtenLast, ID_BYTES), id);
  return true;
}
