// Epochs: what a reader may still hold is retired, not released, and freed when no reader can hold it any more.
//
// Protocol. A reader announces the current epoch in its slot, then looks things up, then writes 0. The writer makes a thing
// unreachable, retires it (the entry is tagged with the current epoch t), moves the epoch, reads all slots, and frees the
// entries with t < every announced epoch.
//
// Why that is safe. All accesses named here are WebAssembly atomics, which have one total order that agrees with every
// thread's own order. Say a reader holds Z. It loaded the address of Z before the writer's store that made Z unreachable,
// it announced e before that load, and it read e from ROOT_EPOCH before that. The writer retires Z after its store, with
// the epoch t of that moment; the epoch only grows, so e <= t. The writer reads the slots after the store, hence after the
// announcement, and the reader has not left: the writer sees e (or a later epoch the same reader announced after letting go
// of Z). Since t < e is false, Z stays. A reader delayed between reading the epoch and announcing it announces an older one
// than it might; that only keeps more.
// The reader's lookups need not be atomic themselves: `readerEnter` ends with an atomic load of the epoch, after which no
// later load can move ahead of it, and so none ahead of the announcement. (It compares, too: when the epoch moved it announces
// again, so that a delayed reader does not hold back what it never saw.) The writer's stores before `retire` need not be
// atomic either: the atomic store that moves the epoch comes after them and before the look at the slots. When a
// reader leaves, its atomic store of 0 comes after its last load, and the writer reuses the block after it read that 0.
//
// The epoch is 32 bits and is compared by difference, so the current one never runs more than 2^30 ahead of an announced one:
// it stands still instead, which the proof allows, since it asks only that the epoch never goes back.
//
// Retired entries queue in order, 16 bytes each, in chunks that are blocks of heap 0. Because the tags ascend, freeing stops
// at the first entry that must wait; a heap's own entries are always freed before the heap. Functions marked [W]: writer.

import { allocate, blockBytes, heapBytes, heapDrop, release } from './allocator';
import { check } from './check';
import {
  NONE, PURPOSE_COUNT, PURPOSE_SYSTEM, READER_ATTACHED, READER_BYTES, READER_COUNT, READER_EPOCH, READER_SHARE, READER_STOP, ROOT_CANCEL,
  ROOT_EPOCH, ROOT_READER_TOP, ROOT_READERS, ROOT_RETIRED, ROOT_RETIRED_BYTES, ROOT_RETIRED_COUNT, ROOT_RETIRED_SPARE, ROOT_RETIRED_TAIL,
} from './layout';

// Chunk: { u32 next, u32 first entry (offset), u32 end of entries (offset), u32 zero, entries }
const CHUNK_BYTES: u32 = 4096;
const CHUNK_NEXT: usize = 0;
const CHUNK_FIRST: usize = 4;
const CHUNK_END: usize = 8;
const CHUNK_HEADER: u32 = 16;
// Entry: { u32 address or heap, u32 purpose, u32 epoch, u32 bytes }
const ENTRY_BYTES: u32 = 16;
const ENTRY_PURPOSE: usize = 4;
const ENTRY_EPOCH: usize = 8;
const ENTRY_SIZE: usize = 12;
const CHUNK_ENTRIES: u32 = (CHUNK_BYTES - CHUNK_HEADER) / ENTRY_BYTES;
/** In the place of a purpose: the entry is a heap. */
const WHOLE_HEAP: u32 = 0xff;
/** Room that `retireAdvance` leaves: a reservation of up to this many entries outlives it, chunks beyond are released. */
const KEPT_ENTRIES: u32 = 4 * CHUNK_ENTRIES;
const EPOCH_LEAD: i32 = 0x40000000;

const CHECK_SLOT: u32 = 120;
const CHECK_RESERVED: u32 = 121;

// --- Readers (any thread) ------------------------------------------------------------------------------------------------

// @ts-ignore: decorator
@inline
function readerSlot(slot: i32): usize {
  return ROOT_READERS + READER_BYTES * <usize>slot;
}

/** Takes a reader slot for this thread; -1 when all are taken. */
export function readerAttach(): i32 {
  for (let slot: i32 = 0; slot < <i32>READER_COUNT; slot++) {
    const at = readerSlot(slot);
    if (atomic.cmpxchg<u32>(at + READER_ATTACHED, 0, 1) != 0) continue;
    // The writer looks at the slots below the top only, so the top covers this one before it announces anything.
    const above = <u32>slot + 1;
    let top = atomic.load<u32>(ROOT_READER_TOP);
    while (top < above) {
      const seen = atomic.cmpxchg<u32>(ROOT_READER_TOP, top, above);
      if (seen == top) break;
      top = seen;
    }
    return slot;
  }
  return -1;
}

/** Where the stop word of a slot lies (-1, no slot: ROOT_CANCEL): what stop.ts watches and the host sets. */
export function readerStopAddress(slot: i32): usize {
  if (slot < 0) return ROOT_CANCEL;
  return readerSlot(slot) + READER_STOP;
}

/** Gives the slot back. */
export function readerDetach(slot: i32): void {
  readerClear(slot);
}

/** Announces the reader; from here to `readerExit` nothing it can reach is freed. Enters do not nest. */
export function readerEnter(slot: i32): void {
  check(slot >= 0 && slot < <i32>READER_COUNT, CHECK_SLOT);
  const at = readerSlot(slot);
  let epoch = atomic.load<u32>(ROOT_EPOCH);
  while (true) {
    atomic.store<u32>(at + READER_EPOCH, epoch);
    const now = atomic.load<u32>(ROOT_EPOCH);
    if (now == epoch) break;
    epoch = now;
  }
}

/** The reader holds nothing any more. */
export function readerExit(slot: i32): void {
  atomic.store<u32>(readerSlot(slot) + READER_EPOCH, 0);
}

/** Clears the slot of a reader that detaches or died. */
export function readerClear(slot: i32): void {
  check(slot >= 0 && slot < <i32>READER_COUNT, CHECK_SLOT);
  const at = readerSlot(slot);
  atomic.store<u32>(at + READER_STOP, 0);
  atomic.store<u32>(at + READER_SHARE, 0);
  atomic.store<u32>(at + READER_EPOCH, 0);
  atomic.store<u32>(at + READER_ATTACHED, 0);
}

// --- The queue [W] -------------------------------------------------------------------------------------------------------

/** An empty chunk at the very end of the chain; false without memory. */
function chunkAppend(): bool {
  const chunk = allocate(0, PURPOSE_SYSTEM, CHUNK_BYTES);
  if (chunk == 0) return false;
  store<u32>(chunk, 0, CHUNK_NEXT);
  store<u32>(chunk, CHUNK_HEADER, CHUNK_FIRST);
  store<u32>(chunk, CHUNK_HEADER, CHUNK_END);
  let last = <usize>load<u32>(ROOT_RETIRED_TAIL);
  if (last == 0) {
    store<u32>(ROOT_RETIRED, <u32>chunk);
    store<u32>(ROOT_RETIRED_TAIL, <u32>chunk);
  } else {
    let next = <usize>load<u32>(last, CHUNK_NEXT);
    while (next != 0) {
      last = next;
      next = <usize>load<u32>(last, CHUNK_NEXT);
    }
    store<u32>(last, <u32>chunk, CHUNK_NEXT);
  }
  store<u32>(ROOT_RETIRED_SPARE, load<u32>(ROOT_RETIRED_SPARE) + CHUNK_ENTRIES);
  return true;
}

/** Entries that are promised to the end of the running transaction; the writer's own, 0 between transactions. */
let promised: u32 = 0;
/** True while a transaction has been left in the middle (transaction/apply-steps.ts): what others retire meanwhile only queues. */
let held: bool = false;

/**
 * Makes sure that the next `count` calls of `retire` or `retireHeap` cannot fail, beyond those that are promised; false without memory.
 * Holds until `retireAdvance`, which leaves room for 1,020 of them.
 */
export function retireReserve(count: u32): bool {
  return spareEnsure(promised + count);
}

/** Keeps `count` entries more for what comes at the end of the transaction; false without memory. */
export function retirePromise(count: u32): bool {
  if (!spareEnsure(promised + count)) return false;
  promised += count;
  return true;
}

/** Entries promised so far. */
// @ts-ignore: decorator
@inline
export function retirePromised(): u32 {
  return promised;
}

/** Sets what is promised: at the beginning of a transaction, and when its end begins to take what was. */
export function retireKeep(count: u32): void {
  promised = count;
}

/** From here, or no longer, nothing is freed and room for entries stays as it is. */
export function retireHold(value: bool): void {
  held = value;
}

function spareEnsure(count: u32): bool {
  while (load<u32>(ROOT_RETIRED_SPARE) < count) {
    if (!chunkAppend()) return false;
  }
  return true;
}

function append(word: u32, purpose: u32, bytes: u32): void {
  if (!spareEnsure(1)) {
    // Without room for the entry nobody could say when the block is free: it stays where it is, counted and unused.
    check(false, CHECK_RESERVED);
    return;
  }
  let chunk = <usize>load<u32>(ROOT_RETIRED_TAIL);
  let end = load<u32>(chunk, CHUNK_END);
  if (end == CHUNK_HEADER + CHUNK_ENTRIES * ENTRY_BYTES) {
    chunk = <usize>load<u32>(chunk, CHUNK_NEXT);
    store<u32>(ROOT_RETIRED_TAIL, <u32>chunk);
    end = CHUNK_HEADER;
  }
  const entry = chunk + <usize>end;
  store<u32>(entry, word);
  store<u32>(entry, purpose, ENTRY_PURPOSE);
  store<u32>(entry, load<u32>(ROOT_EPOCH), ENTRY_EPOCH);
  store<u32>(entry, bytes, ENTRY_SIZE);
  store<u32>(chunk, end + ENTRY_BYTES, CHUNK_END);
  store<u32>(ROOT_RETIRED_SPARE, load<u32>(ROOT_RETIRED_SPARE) - 1);
  store<u32>(ROOT_RETIRED_COUNT, load<u32>(ROOT_RETIRED_COUNT) + 1);
  store<u32>(ROOT_RETIRED_BYTES, load<u32>(ROOT_RETIRED_BYTES) + bytes);
}

/** Frees the block once no reader announced an epoch up to now. The block must be unreachable already. */
export function retire(purpose: u32, address: usize): void {
  append(<u32>address, purpose, <u32>blockBytes(address));
}

/** Drops the heap likewise, after everything of it that was retired before. */
export function retireHeap(heap: u32): void {
  let bytes: u32 = 0;
  for (let purpose: u32 = 0; purpose < PURPOSE_COUNT; purpose++) bytes += <u32>heapBytes(heap, purpose);
  append(heap, WHOLE_HEAP, bytes);
}

/** Moves the epoch and frees what no reader can hold; answers how many entries wait on. At the end of each transaction. */
export function retireAdvance(): u32 {
  retireSome(NONE);
  return load<u32>(ROOT_RETIRED_COUNT);
}

/** The same, but frees `most` entries at most. True: there is more to free. */
export function retireSome(most: u32): bool {
  let left = load<u32>(ROOT_RETIRED_COUNT);
  if (left == 0 || held) return false;
  let some = most;
  const oldest = epochMove();
  let chunk = <usize>load<u32>(ROOT_RETIRED);
  while (left != 0) {
    const first = load<u32>(chunk, CHUNK_FIRST);
    if (first == load<u32>(chunk, CHUNK_END)) {
      chunk = chunkRecycle(chunk);
      continue;
    }
    const entry = chunk + <usize>first;
    if (<i32>(load<u32>(entry, ENTRY_EPOCH) - oldest) >= 0) break;
    if (some == 0) {
      store<u32>(ROOT_RETIRED_COUNT, left);
      return true;
    }
    some--;
    store<u32>(chunk, first + ENTRY_BYTES, CHUNK_FIRST);
    left--;
    free(entry);
  }
  store<u32>(ROOT_RETIRED_COUNT, left);
  if (left == 0) chunkRestart();
  return false;
}

function free(entry: usize): void {
  const word = load<u32>(entry);
  const purpose = load<u32>(entry, ENTRY_PURPOSE);
  store<u32>(ROOT_RETIRED_BYTES, load<u32>(ROOT_RETIRED_BYTES) - load<u32>(entry, ENTRY_SIZE));
  if (purpose == WHOLE_HEAP) heapDrop(word);
  else release(purpose, <usize>word);
}

/** Moves the epoch by one (see the head comment for when not) and answers the oldest announced, or the new epoch. */
function epochMove(): u32 {
  const before = load<u32>(ROOT_EPOCH);
  let next = before + 1;
  if (next == 0) next = 1; // 0 means idle
  const top = atomic.load<u32>(ROOT_READER_TOP);
  let blocked = false;
  for (let slot: u32 = 0; slot < top; slot++) {
    const epoch = atomic.load<u32>(readerSlot(<i32>slot) + READER_EPOCH);
    if (epoch != 0 && <i32>(before - epoch) >= EPOCH_LEAD) blocked = true;
  }
  if (blocked) next = before;
  atomic.store<u32>(ROOT_EPOCH, next);
  let oldest = next;
  // Read again: a reader may have attached or announced since, and only what is seen after the store above counts.
  const topNow = atomic.load<u32>(ROOT_READER_TOP);
  for (let slot: u32 = 0; slot < topNow; slot++) {
    const epoch = atomic.load<u32>(readerSlot(<i32>slot) + READER_EPOCH);
    if (epoch != 0 && <i32>(epoch - oldest) < 0) oldest = epoch;
  }
  return oldest;
}

/** Takes the used-up first chunk away; answers the new first one. */
function chunkRecycle(chunk: usize): usize {
  const next = <usize>load<u32>(chunk, CHUNK_NEXT);
  store<u32>(ROOT_RETIRED, <u32>next);
  release(PURPOSE_SYSTEM, chunk);
  return next;
}

/** The queue is empty: begins at the start of its one chunk again and releases spare chunks beyond a few. */
function chunkRestart(): void {
  const tail = <usize>load<u32>(ROOT_RETIRED_TAIL);
  let chunk = <usize>load<u32>(ROOT_RETIRED);
  while (chunk != tail) chunk = chunkRecycle(chunk);
  const used = (load<u32>(chunk, CHUNK_END) - CHUNK_HEADER) / ENTRY_BYTES;
  store<u32>(chunk, CHUNK_HEADER, CHUNK_FIRST);
  store<u32>(chunk, CHUNK_HEADER, CHUNK_END);
  let spare = load<u32>(ROOT_RETIRED_SPARE) + used;
  while (spare >= KEPT_ENTRIES + CHUNK_ENTRIES) {
    const extra = <usize>load<u32>(chunk, CHUNK_NEXT);
    store<u32>(chunk, load<u32>(extra, CHUNK_NEXT), CHUNK_NEXT);
    release(PURPOSE_SYSTEM, extra);
    spare -= CHUNK_ENTRIES;
  }
  store<u32>(ROOT_RETIRED_SPARE, spare);
}
