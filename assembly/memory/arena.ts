// The buffers of one instance: INPUT (requests the host writes), OUTPUT (results the host reads) and SCRATCH (temporary
// blocks, given back by mark). Where they lie is kept in globals, so every instance has its own.
//
// On the writer each is made of blocks of heap 0 (purpose scratch) and grows on demand. A reader instance may not allocate:
// it gets one fixed region, the first eighth of it INPUT; OUTPUT grows up from there and SCRATCH down from the end
// until they meet, so either may use what the other does not. What fails there sets `arenaNeed`, the bytes of a region that
// would have done.
//
// OUTPUT is contiguous, so reserving may move it; SCRATCH blocks never move until they are released. Knows nothing of graphs.

import { allocate, blockBytes, memoryLend, release } from './allocator';
import { check } from './check';
import { NONE, PAGE_BYTES, PAGE_SHIFT, PURPOSE_SCRATCH, ROOT_PAGE_LIMIT } from './layout';

/** Input and output of a writer start with this and return to it. */
const START_BYTES: usize = PAGE_BYTES;
/** Buffers above this, or above a part of the memory limit (a power of two), are given back by `arenaTrim`. */
const TRIM_BYTES: usize = 8 << 20;
const TRIM_SHIFT: usize = 5;
const LARGEST_CHUNK: usize = 1 << 20;

// Scratch chunk: { u32 previous chunk, u32 end address, u64 zero, blocks ... }
const CHUNK_END: usize = 4;
const CHUNK_HEADER: usize = 16;

const CHECK_ATTACHED: u32 = 130;
const CHECK_COMMIT: u32 = 131;
const CHECK_MARK: u32 = 132;

let growable: bool = false;
/** Of a growable arena: 0, or the heap of a thread that helps to load a graph. */
let ownHeap: u32 = 0;
let attached: bool = false;
let regionBytes: usize = 0;
let need: usize = 0;

let input: usize = 0;
let inputBytes: usize = 0;

let output: usize = 0;
let outputBytes: usize = 0; // writer: capacity
let outputUsed: usize = 0;
let outputReserved: usize = 0; // end of the last reservation, counted from output

let chunk: usize = 0; //      writer: the newest scratch chunk
let spareChunk: usize = 0; // writer: an empty one kept back
let scratchAt: usize = 0; //  writer: next free byte in `chunk`; reader: lowest byte in use
let scratchEnd: usize = 0; // writer: end of `chunk`; reader: end of the region
// Writer: the stack of chunks that is not in use, while there are two.
let asideChunk: usize = 0;
let asideAt: usize = 0;
let asideEnd: usize = 0;

// --- Attaching -----------------------------------------------------------------------------------------------------------

/** Gives the writer instance its first buffers; false without memory. Once for each (re)initialised memory. */
export function arenaAttachWriter(): bool {
  forget();
  input = allocate(ownHeap, PURPOSE_SCRATCH, START_BYTES);
  output = allocate(ownHeap, PURPOSE_SCRATCH, START_BYTES);
  if (input == 0 || output == 0 || !chunkPush(8)) {
    if (input != 0) release(PURPOSE_SCRATCH, input);
    if (output != 0) release(PURPOSE_SCRATCH, output);
    forget();
    return false;
  }
  inputBytes = blockBytes(input);
  outputBytes = blockBytes(output);
  growable = true;
  attached = true;
  return true;
}

/** An instance that helps to load a graph: scratch alone, in a heap of its own, which the writer drops afterwards. */
export function arenaAttachHelper(heap: u32): bool {
  forget();
  ownHeap = heap;
  growable = true;
  attached = true;
  return chunkPush(8);
}

/** Divides a fixed region (a block the writer allocated for this reader) between the buffers. */
export function arenaAttachReader(base: usize, bytes: usize): void {
  forget();
  const start = (base + 7) & ~7;
  const end = (base + bytes) & ~7;
  regionBytes = end - start;
  input = start;
  inputBytes = (regionBytes >> 3) & ~7;
  output = start + inputBytes;
  scratchEnd = end;
  scratchAt = end;
  attached = true;
}

/** Forgets everything without releasing: the memory behind it was reset, or is another instance's to release. */
function forget(): void {
  ownHeap = 0;
  growable = false;
  attached = false;
  regionBytes = 0;
  need = 0;
  input = 0;
  inputBytes = 0;
  output = 0;
  outputBytes = 0;
  outputUsed = 0;
  outputReserved = 0;
  chunk = 0;
  spareChunk = 0;
  scratchAt = 0;
  scratchEnd = 0;
  asideChunk = 0;
  asideAt = 0;
  asideEnd = 0;
}

/** Bytes a reader's region would have needed for the last thing that did not fit. */
export function arenaNeed(): usize {
  return need;
}

/** Gives back what a large request left behind. The contents of the buffers that go are lost. [W] */
export function arenaTrim(): void {
  if (!growable) return;
  // The small buffers that take the place of the large ones must not fail for want of what those hold.
  const lent = memoryLend(NONE);
  buffersTrim(trimBytes());
  memoryLend(lent);
}

/**
 * Makes input and output as small as they begin, each in the lowest free page: left in the middle of the free memory, they may keep a
 * large block from its place. Their contents are lost. [W]
 */
export function arenaSettle(): void {
  if (!growable) return;
  if (spareChunk != 0) release(PURPOSE_SCRATCH, spareChunk);
  spareChunk = 0;
  const lent = memoryLend(NONE);
  inputReplace();
  outputReplace();
  memoryLend(lent);
}

function inputReplace(): void {
  const small = allocate(ownHeap, PURPOSE_SCRATCH, START_BYTES);
  if (small == 0) return;
  release(PURPOSE_SCRATCH, input);
  input = small;
  inputBytes = blockBytes(small);
}

function outputReplace(): void {
  const small = allocate(ownHeap, PURPOSE_SCRATCH, START_BYTES);
  if (small == 0) return;
  release(PURPOSE_SCRATCH, output);
  output = small;
  outputBytes = blockBytes(small);
  outputUsed = 0;
  outputReserved = 0;
}

/** A buffer of so many bytes may stay: at least four times what it begins with. */
function trimBytes(): usize {
  const limit = (<usize>min<u32>(load<u32>(ROOT_PAGE_LIMIT), 65535)) << PAGE_SHIFT;
  return max<usize>(4 * START_BYTES, min<usize>(TRIM_BYTES, limit >> TRIM_SHIFT));
}

function buffersTrim(most: usize): void {
  if (inputBytes > most) inputReplace();
  if (outputBytes > most) outputReplace();
  if (spareChunk != 0 && blockBytes(spareChunk) > most) {
    release(PURPOSE_SCRATCH, spareChunk);
    spareChunk = 0;
  }
}

// --- Growable buffers ----------------------------------------------------------------------------------------------------

/**
 * The growable helper: a scratch block of heap 0 with at least `bytes`, its first `used` bytes those of `address` (0 = none
 * yet). At least doubles, or else takes exactly `bytes`; `blockBytes` says the capacity. 0 = does not fit, and
 * `address` is still good. [W]
 */
export function bufferEnsure(address: usize, used: usize, bytes: usize): usize {
  let capacity: usize = 0;
  if (address != 0) {
    capacity = blockBytes(address);
    if (bytes <= capacity) return address;
  }
  let larger: usize = 0;
  if (capacity < 0x40000000) larger = allocate(ownHeap, PURPOSE_SCRATCH, max<usize>(bytes, capacity << 1));
  if (larger == 0) larger = allocate(ownHeap, PURPOSE_SCRATCH, bytes);
  if (larger == 0) return 0;
  if (address != 0) {
    memory.copy(larger, address, used);
    release(PURPOSE_SCRATCH, address);
  }
  return larger;
}

// --- INPUT ---------------------------------------------------------------------------------------------------------------

/** Address of the input buffer with room for `bytes`; its contents may be lost; 0 = impossible. */
export function inputEnsure(bytes: usize): usize {
  check(attached, CHECK_ATTACHED);
  if (bytes <= inputBytes) return input;
  if (!growable) {
    need = 8 * bytes + 64;
    return 0;
  }
  const larger = bufferEnsure(input, 0, bytes);
  if (larger == 0) return 0;
  input = larger;
  inputBytes = blockBytes(larger);
  return larger;
}

// --- OUTPUT --------------------------------------------------------------------------------------------------------------

/** Starts a new result. */
export function outBegin(): void {
  outputUsed = 0;
  outputReserved = 0;
}

/** Where to write the next `bytes`; earlier addresses may be void now, the contents are not; 0 = impossible. */
export function outReserve(bytes: usize): usize {
  check(attached, CHECK_ATTACHED);
  const end = outputUsed + bytes;
  if (end < bytes) return 0;
  if (growable) {
    if (end > outputBytes && !outputGrow(end)) return 0;
  } else if (end > scratchAt - output) {
    need = regionBytes + 64 + (end - (scratchAt - output)) * 2;
    return 0;
  }
  outputReserved = end;
  return output + outputUsed;
}

/** A result is a reader's or says what a write has changed: it may take headroom, so that a full memory can be read. */
function outputGrow(bytes: usize): bool {
  let larger = bufferEnsure(output, outputUsed, bytes);
  if (larger == 0) {
    const lent = memoryLend(NONE);
    larger = bufferEnsure(output, outputUsed, bytes);
    memoryLend(lent);
  }
  if (larger == 0) return false;
  output = larger;
  outputBytes = blockBytes(larger);
  return true;
}

/** The first `bytes` of the reservation are written. */
export function outCommit(bytes: usize): void {
  check(outputUsed + bytes <= outputReserved, CHECK_COMMIT);
  outputUsed += bytes;
}

/** Takes the result back to its first `used` bytes. */
export function outTruncate(used: usize): void {
  check(used <= outputUsed, CHECK_COMMIT);
  outputUsed = used;
  outputReserved = used;
}

export function outBase(): usize {
  return output;
}

export function outUsed(): usize {
  return outputUsed;
}

// --- SCRATCH -------------------------------------------------------------------------------------------------------------

/** What `scratchRelease` takes to give back everything allocated from here on. */
export function scratchMark(): usize {
  return scratchAt;
}

/** 8-aligned block of `bytes`, not cleared, that does not move until released; 0 = impossible. */
export function scratchAllocate(bytes: usize): usize {
  check(attached, CHECK_ATTACHED);
  const rounded = (bytes + 7) & ~7;
  if (rounded < bytes) return 0;
  if (!growable) {
    const floor = (output + max<usize>(outputReserved, outputUsed) + 7) & ~7;
    if (rounded > scratchAt - floor) {
      need = regionBytes + 64 + (rounded - (scratchAt - floor)) * 2;
      return 0;
    }
    scratchAt -= rounded;
    return scratchAt;
  }
  if (rounded > scratchEnd - scratchAt && !chunkPush(rounded)) return 0;
  const block = scratchAt;
  scratchAt += rounded;
  return block;
}

/** Bytes that a reader's region has left; of a scratch that grows the largest number. */
export function scratchRoom(): usize {
  if (growable) return 0xffffffff;
  return scratchAt - ((output + max<usize>(outputReserved, outputUsed) + 7) & ~7);
}

/** Gives back every block allocated since the mark was taken. */
export function scratchRelease(mark: usize): void {
  if (!growable) {
    check(mark >= scratchAt && mark <= scratchEnd, CHECK_MARK);
    scratchAt = mark;
    return;
  }
  // A chunk's blocks begin behind its header, so a mark lies in one chunk only, its end included.
  while (mark < chunk + CHUNK_HEADER || mark > scratchEnd) {
    const previous = <usize>load<u32>(chunk);
    check(previous != 0, CHECK_MARK);
    chunkKeep(chunk);
    chunk = previous;
    scratchEnd = <usize>load<u32>(chunk, CHUNK_END);
  }
  scratchAt = mark;
}

/** A new newest chunk with room for `bytes`. */
function chunkPush(bytes: usize): bool {
  let fresh: usize = 0;
  if (spareChunk != 0 && blockBytes(spareChunk) - CHUNK_HEADER >= bytes) {
    fresh = spareChunk;
    spareChunk = 0;
  } else {
    const usual = chunk == 0 ? START_BYTES : min<usize>(LARGEST_CHUNK, (scratchEnd - chunk) << 1);
    if (bytes > 0xffff0000) return false;
    fresh = allocate(ownHeap, PURPOSE_SCRATCH, max<usize>(usual, bytes + CHUNK_HEADER));
    if (fresh == 0) fresh = allocate(ownHeap, PURPOSE_SCRATCH, bytes + CHUNK_HEADER);
    if (fresh == 0) return false;
  }
  store<u32>(fresh, <u32>chunk);
  store<u32>(fresh, <u32>(fresh + blockBytes(fresh)), CHUNK_END);
  chunk = fresh;
  scratchAt = fresh + CHUNK_HEADER;
  scratchEnd = <usize>load<u32>(fresh, CHUNK_END);
  return true;
}

/** Keeps the larger of the emptied chunk and the spare one, so that a loop at a chunk's edge does not allocate. */
function chunkKeep(emptied: usize): void {
  if (spareChunk == 0) {
    spareChunk = emptied;
  } else if (blockBytes(emptied) > blockBytes(spareChunk)) {
    release(PURPOSE_SCRATCH, spareChunk);
    spareChunk = emptied;
  } else {
    release(PURPOSE_SCRATCH, emptied);
  }
}

/**
 * A second, empty stack of scratch blocks becomes the one in use, for work that goes on over several calls: what others take and give back
 * between them nests in the first. False: no memory, or there are two already. [W]
 */
export function scratchFork(): bool {
  if (!growable || asideChunk != 0) return false;
  const whole = chunk;
  const at = scratchAt;
  const end = scratchEnd;
  chunk = 0;
  if (!chunkPush(8)) {
    chunk = whole;
    return false;
  }
  asideChunk = whole;
  asideAt = at;
  asideEnd = end;
  return true;
}

/** The other stack of the two becomes the one in use. [W] */
export function scratchSwap(): void {
  const newest = chunk;
  const at = scratchAt;
  const end = scratchEnd;
  chunk = asideChunk;
  scratchAt = asideAt;
  scratchEnd = asideEnd;
  asideChunk = newest;
  asideAt = at;
  asideEnd = end;
}

/** Gives back all of the second stack, which is in use; the first one is again. [W] */
export function scratchJoin(): void {
  while (chunk != 0) {
    const previous = <usize>load<u32>(chunk);
    chunkKeep(chunk);
    chunk = previous;
  }
  chunk = asideChunk;
  scratchAt = asideAt;
  scratchEnd = asideEnd;
  asideChunk = 0;
}

/** Whether `bytes` at an address lie within what scratch has handed out: what a caller may store to that it did not allocate itself. */
export function scratchHolds(address: usize, bytes: usize): bool {
  if (!growable) return address >= scratchAt && address <= scratchEnd && bytes <= scratchEnd - address;
  if (address >= chunk + CHUNK_HEADER && address <= scratchAt) return bytes <= scratchAt - address;
  let older = <usize>load<u32>(chunk);
  while (older != 0) {
    const end = <usize>load<u32>(older, CHUNK_END);
    if (address >= older + CHUNK_HEADER && address <= end) return bytes <= end - address;
    older = <usize>load<u32>(older);
  }
  return false;
}

/** Whether an address lies in a block that was allocated after the mark was taken. */
export function scratchSince(mark: usize, address: usize): bool {
  if (!growable) return address >= scratchAt && address < mark;
  let from = chunk;
  let end = scratchAt;
  while (from != 0) {
    const holdsMark = mark >= from + CHUNK_HEADER && mark <= <usize>load<u32>(from, CHUNK_END);
    if (address >= (holdsMark ? mark : from + CHUNK_HEADER) && address < end) return true;
    if (holdsMark) return false;
    from = <usize>load<u32>(from);
    end = from == 0 ? 0 : <usize>load<u32>(from, CHUNK_END);
  }
  return false;
}
