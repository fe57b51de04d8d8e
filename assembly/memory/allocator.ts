// The allocator: blocks out of 64 KiB pages, in heaps that can be dropped whole.
//
// A page belongs to one heap and is either full of blocks of one class, or part of a run of pages that is one large
// block. All bookkeeping lies in the page table, so a release touches the first 8 bytes of the block, the page's
// 16-byte entry and the heap's byte counter, and nothing else. A page whose last block is released goes back to the pool
// at once and may serve any heap and class next.
//
// Block classes: every 8 bytes to 128, eight to each doubling up to 8 KiB, then the 7th to the 2nd part of a page; above
// that, runs of whole pages, first fit.
//
// A page that was full and gets a block back becomes the first of its list. It is the fullest of all pages with room, so
// the emptier ones further back are left to run empty.
//
// Invariants: every page below ROOT_PAGE_TOP is free or belongs to a live heap; the page just below the top is in use; no page
// below ROOT_FREE_HINT is free; a page of blocks is in its heap's list exactly when it has room; the highest page (65535) is
// never handed out, so the end of a block is always a valid number. Only the writer may call what changes anything, with one
// exception: while a graph is loaded, helping threads allocate from heaps that each has for itself (`heapFork`, or a heap of
// its own). They meet only where whole pages are taken, and there a lock stands. The bytes of a block are not cleared. In
// debug builds a block is 16 bytes longer than said and carries a canary on either side;
// every byte count is still the release build's.

import { check } from './check';
import {
  FIRST_PAGE, HEAP_BYTES, HEAP_COUNT, HEAP_HEADER_BYTES, HEAP_ID, HEAP_PAGES, HEAP_ROOM, LAYOUT_VERSION, MAX_PAGES, NO_BLOCK, PAGE_BLOCKS,
  PAGE_BUMP, PAGE_BYTES, PAGE_CLASS, PAGE_ENTRY_BYTES, PAGE_FIRST_FREE, PAGE_FREE, PAGE_HEAP, PAGE_KIND, PAGE_LIVE, PAGE_NEXT,
  PAGE_PREVIOUS, PAGE_RUN_HEAD, PAGE_RUN_PAGES, PAGE_RUN_TAIL, PAGE_SHIFT, PAGE_TABLE, PAGE_UNITS, PURPOSE_COUNT, PURPOSE_SYSTEM,
  ROOT_EPOCH, ROOT_FAIL_AFTER, ROOT_FREE_HINT, ROOT_HEAPS, ROOT_MAGIC, ROOT_MAGIC_VALUE, ROOT_PAGE_HEADROOM, ROOT_PAGE_LENT,
  ROOT_PAGE_LIMIT, ROOT_PAGE_LOCK, ROOT_PAGE_RESERVE, ROOT_PAGE_TOP, ROOT_PAGES_USED, ROOT_VERSION, SYSTEM_HEAP,
} from './layout';

/** Pages that a graph may always take out of the reserve: its state block, its directory and a little room. */
const OPENING_PAGES: u32 = 4;
/** Above this many bytes a block is a run of whole pages. */
export const LARGEST_BLOCK: usize = PAGE_BYTES / 2;

const UNITS_A_PAGE: u32 = 8192;
const SMALL_CLASSES: u32 = 16; // 8 to 128 bytes
const SMALL_BYTES: usize = 128;
const STEPPED_BYTES: usize = 8192; // the end of the classes with eight steps to a doubling
const PARTS_CLASS: u32 = 71; // class of the n-th part of a page is 71 - n
const MOST_PAGES: u32 = MAX_PAGES - 1;
const GROW_PAGES: u32 = 64; // a memory that can grow grows by at least an eighth, at most by this

const CANARY_WORD: usize = 4;
const CANARY_BYTES: usize = 8;
const CANARY_LIVE: u32 = 0x5afe10c5;
const CANARY_FREE: u32 = 0xdeadb10c;
const POISON: u32 = 0xdb;
const POISONED_BYTES: usize = 1 << 20; // of a run, no more than this

// Codes of the checks, 100 to 119.
const CHECK_HEAP: u32 = 100;
const CHECK_PURPOSE: u32 = 101;
const CHECK_ADDRESS: u32 = 102;
const CHECK_DOUBLE_RELEASE: u32 = 103;
const CHECK_CANARY_AFTER: u32 = 104;
const CHECK_WRITTEN_AFTER_RELEASE: u32 = 105;

// --- Classes -----------------------------------------------------------------------------------------------------------

// @ts-ignore: decorator
@inline
function pageEntry(page: u32): usize {
  return PAGE_TABLE + PAGE_ENTRY_BYTES * <usize>page;
}

// @ts-ignore: decorator
@inline
function heapHeader(heap: u32): usize {
  return <usize>load<u32>(ROOT_HEAPS + ((<usize>heap) << 2));
}

/** Class of a block of `bytes` (at most LARGEST_BLOCK). */
// @ts-ignore: decorator
@inline
function classOf(bytes: usize): u32 {
  if (bytes <= SMALL_BYTES) return (<u32>(bytes + 7 + usize(bytes == 0)) >> 3) - 1;
  if (bytes <= STEPPED_BYTES) {
    const last = <u32>bytes - 1;
    const exponent = 31 - clz(last);
    return SMALL_CLASSES + ((exponent - 7) << 3) + ((last >> (exponent - 3)) & 7);
  }
  return PARTS_CLASS - <u32>PAGE_BYTES / ((<u32>bytes + 7) & ~7);
}

/** Bytes of a block of the class, a multiple of 8. */
function classBytes(blockClass: u32): u32 {
  if (blockClass < SMALL_CLASSES) return (blockClass + 1) << 3;
  const index = blockClass - SMALL_CLASSES;
  if (index < 48) return (9 + (index & 7)) << (4 + (index >> 3));
  return (<u32>PAGE_BYTES / (PARTS_CLASS - blockClass)) & ~7;
}

/** What `allocate(…, bytes)` really hands out and counts: the bytes of the class, or whole pages. */
export function roundedBytes(bytes: usize): usize {
  if (bytes > LARGEST_BLOCK) return (bytes + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1);
  return <usize>classBytes(classOf(bytes));
}

// --- Pages -------------------------------------------------------------------------------------------------------------

/** Makes the memory at least `pages` long; false when the host does not give them. */
function memoryEnsure(pages: u32): bool {
  const have = <u32>memory.size();
  if (pages <= have) return true;
  const limit = load<u32>(ROOT_PAGE_LIMIT);
  let want = have + max<u32>(pages - have, min<u32>(have >> 3, GROW_PAGES));
  if (want > limit) want = max<u32>(limit, pages);
  if (memory.grow(<i32>(want - have)) >= 0) return true;
  return memory.grow(<i32>(pages - have)) >= 0;
}

/** First page of `count` for a heap, marked as taken (PAGE_RUN_TAIL) until the caller says what they are; 0 when they do not fit. */
function pagesTake(heap: u32, count: u32): u32 {
  pagesLock();
  const page = pagesChoose(heap, count);
  // Before anybody else looks for a free page.
  if (page != 0) for (let i: u32 = 0; i < count; i++) store<u8>(pageEntry(page + i), <u8>PAGE_RUN_TAIL, PAGE_KIND);
  pagesUnlock();
  return page;
}

/** Held for as long as it takes to find a page, so waiting is spinning; nobody else wants it but while a graph is loaded. */
function pagesLock(): void {
  while (atomic.cmpxchg<u32>(ROOT_PAGE_LOCK, 0, 1) != 0) {}
}

function pagesUnlock(): void {
  atomic.store<u32>(ROOT_PAGE_LOCK, 0);
}

/**
 * First page of `count` free ones in a row for a heap, marked by nobody yet; 0 when they do not fit. Graphs leave the reserve to the
 * system heap, so that a memory full of data still answers reads. A graph's first pages may come out of the reserve: otherwise an
 * erase, which begins a new graph beside the full one, could not be done. While headroom is lent there is no reserve, and the limit
 * is so much higher.
 *
 * The limit is one of pages in use. Pages above it that the memory has had since headroom was lent are as good as those below: what is
 * left of a full graph lies scattered below it, and the first page of ids of the next one needs so many in a row.
 */
function pagesChoose(heap: u32, count: u32): u32 {
  const used = load<u32>(ROOT_PAGES_USED);
  const top = load<u32>(ROOT_PAGE_TOP);
  const lent = load<u32>(ROOT_PAGE_LENT);
  const limit = load<u32>(ROOT_PAGE_LIMIT) + lent;
  let reserve: u32 = 0;
  if (lent == 0 && heap != 0 && load<u32>(heapHeader(heap), HEAP_PAGES) >= OPENING_PAGES) reserve = load<u32>(ROOT_PAGE_RESERVE);
  if (<u64>FIRST_PAGE + used + count + reserve > <u64>limit) return 0;
  const end = pagesEnd(limit);
  let page: u32 = 0;
  if (top - FIRST_PAGE - used >= count) page = pagesFind(count, min<u32>(top, end));
  if (page == 0) {
    if (top >= end || end - top < count) return 0;
    if (!memoryEnsure(top + count)) return 0;
    page = top;
    store<u32>(ROOT_PAGE_TOP, top + count);
  }
  if (load<u32>(ROOT_FREE_HINT) == page) store<u32>(ROOT_FREE_HINT, page + count);
  store<u32>(ROOT_PAGES_USED, used + count);
  return page;
}

/** First page that nothing is put into while so many may be in use: the memory does not grow beyond them. */
function pagesEnd(limit: u32): u32 {
  return max<u32>(limit, min<u32>(<u32>memory.size(), MOST_PAGES));
}

/** First fit below `end`; moves the hint over the used pages at its beginning. */
function pagesFind(count: u32, end: u32): u32 {
  let page = load<u32>(ROOT_FREE_HINT);
  let first: u32 = 0;
  let found: u32 = 0;
  while (page < end) {
    const entry = pageEntry(page);
    const kind: u32 = load<u8>(entry, PAGE_KIND);
    if (kind != PAGE_FREE) {
      page += kind == PAGE_RUN_HEAD ? load<u32>(entry, PAGE_RUN_PAGES) : 1;
      found = 0;
      continue;
    }
    if (first == 0) {
      first = page;
      store<u32>(ROOT_FREE_HINT, first);
    }
    page++;
    if (++found == count) return page - count;
  }
  return 0;
}

function pagesGive(page: u32, count: u32): void {
  pagesLock();
  pagesReturn(page, count);
  pagesUnlock();
}

function pagesReturn(page: u32, count: u32): void {
  memory.fill(pageEntry(page), 0, (<usize>count) * PAGE_ENTRY_BYTES);
  store<u32>(ROOT_PAGES_USED, load<u32>(ROOT_PAGES_USED) - count);
  if (page < load<u32>(ROOT_FREE_HINT)) store<u32>(ROOT_FREE_HINT, page);
  let top = load<u32>(ROOT_PAGE_TOP);
  if (page + count != top) return;
  top = page;
  while (top > FIRST_PAGE && load<u8>(pageEntry(top - 1), PAGE_KIND) == PAGE_FREE) top--;
  store<u32>(ROOT_PAGE_TOP, top);
  if (load<u32>(ROOT_FREE_HINT) > top) store<u32>(ROOT_FREE_HINT, top);
}

/** Makes the page the first with room of its heap and class. */
function pageLink(header: usize, page: u32, entry: usize): void {
  const room = header + HEAP_ROOM + ((<usize>load<u8>(entry, PAGE_CLASS)) << 1);
  const next = <u32>load<u16>(room);
  store<u16>(entry, <u16>next, PAGE_NEXT);
  store<u16>(entry, 0, PAGE_PREVIOUS);
  if (next != 0) store<u16>(pageEntry(next), <u16>page, PAGE_PREVIOUS);
  store<u16>(room, <u16>page);
}

function pageUnlink(header: usize, entry: usize): void {
  const next = <u32>load<u16>(entry, PAGE_NEXT);
  const previous = <u32>load<u16>(entry, PAGE_PREVIOUS);
  if (next != 0) store<u16>(pageEntry(next), <u16>previous, PAGE_PREVIOUS);
  if (previous != 0) store<u16>(pageEntry(previous), <u16>next, PAGE_NEXT);
  else store<u16>(header + HEAP_ROOM + ((<usize>load<u8>(entry, PAGE_CLASS)) << 1), <u16>next);
}

/** A new page of blocks, already the first of its list; 0 when there is none. */
function pageOpen(header: usize, blockClass: u32): u32 {
  const page = pagesTake(<u32>load<u16>(header, HEAP_ID), 1);
  if (page == 0) return 0;
  const entry = pageEntry(page);
  store<u8>(entry, <u8>PAGE_BLOCKS, PAGE_KIND);
  store<u8>(entry, <u8>blockClass, PAGE_CLASS);
  store<u16>(entry, load<u16>(header, HEAP_ID), PAGE_HEAP);
  store<u16>(entry, 0, PAGE_LIVE);
  store<u16>(entry, <u16>NO_BLOCK, PAGE_FIRST_FREE);
  store<u16>(entry, 0, PAGE_BUMP);
  store<u16>(entry, <u16>(classBytes(blockClass) >> 3), PAGE_UNITS);
  store<u32>(header, load<u32>(header, HEAP_PAGES) + 1, HEAP_PAGES);
  pageLink(header, page, entry);
  // So that no old content of the page passes for a released block's canary.
  if (CORE_DEBUG != 0) memory.fill((<usize>page) << PAGE_SHIFT, 0, PAGE_BYTES);
  return page;
}

// --- Blocks ------------------------------------------------------------------------------------------------------------

/** Adds to (or, with a negative number, takes from) the heap's bytes of the purpose. */
// @ts-ignore: decorator
@inline
function countBytes(header: usize, purpose: u32, bytes: usize): void {
  const counter = header + ((<usize>purpose) << 2);
  store<u32>(counter, load<u32>(counter, HEAP_BYTES) + <u32>bytes, HEAP_BYTES);
}

/** The block itself, canaries included, and its bytes counted; 0 when it does not fit. */
// @ts-ignore: decorator
@inline
function take(header: usize, purpose: u32, bytes: usize): usize {
  if (bytes > LARGEST_BLOCK) return takeRun(header, purpose, bytes);
  const blockClass = classOf(bytes);
  let page = <u32>load<u16>(header + ((<usize>blockClass) << 1), HEAP_ROOM);
  if (page == 0) {
    page = pageOpen(header, blockClass);
    if (page == 0) return 0;
  }
  const entry = pageEntry(page);
  const units = <u32>load<u16>(entry, PAGE_UNITS);
  let bump = <u32>load<u16>(entry, PAGE_BUMP);
  let free = <u32>load<u16>(entry, PAGE_FIRST_FREE);
  const pageStart = (<usize>page) << PAGE_SHIFT;
  let block: usize;
  if (free != NO_BLOCK) {
    block = pageStart + ((<usize>free) << 3);
    free = load<u32>(block);
    store<u16>(entry, <u16>free, PAGE_FIRST_FREE);
  } else {
    block = pageStart + ((<usize>bump) << 3);
    bump += units;
    store<u16>(entry, <u16>bump, PAGE_BUMP);
  }
  store<u16>(entry, load<u16>(entry, PAGE_LIVE) + 1, PAGE_LIVE);
  if (free == NO_BLOCK && bump + units > UNITS_A_PAGE) pageUnlink(header, entry);
  countBytes(header, purpose, (<usize>units) << 3);
  return block;
}

function takeRun(header: usize, purpose: u32, bytes: usize): usize {
  if (bytes > (<usize>MOST_PAGES) << PAGE_SHIFT) return 0;
  const count = <u32>((bytes + PAGE_BYTES - 1) >> PAGE_SHIFT);
  const heap = load<u16>(header, HEAP_ID);
  const page = pagesTake(heap, count);
  if (page == 0) return 0;
  const entry = pageEntry(page);
  store<u16>(entry, heap, PAGE_HEAP);
  store<u32>(entry, count, PAGE_RUN_PAGES);
  // Last: another thread that looks for a page goes by the length of a head.
  atomic.store<u8>(entry, <u8>PAGE_RUN_HEAD, PAGE_KIND);
  for (let i: u32 = 1; i < count; i++) {
    store<u8>(pageEntry(page + i), <u8>PAGE_RUN_TAIL, PAGE_KIND);
    store<u16>(pageEntry(page + i), heap, PAGE_HEAP);
  }
  store<u32>(header, load<u32>(header, HEAP_PAGES) + count, HEAP_PAGES);
  countBytes(header, purpose, (<usize>count) << PAGE_SHIFT);
  return (<usize>page) << PAGE_SHIFT;
}

// @ts-ignore: decorator
@inline
function give(purpose: u32, block: usize): void {
  const page = <u32>(block >> PAGE_SHIFT);
  const entry = pageEntry(page);
  const header = heapHeader(<u32>load<u16>(entry, PAGE_HEAP));
  if (load<u8>(entry, PAGE_KIND) != PAGE_BLOCKS) {
    giveRun(header, purpose, page, entry);
    return;
  }
  const units = <u32>load<u16>(entry, PAGE_UNITS);
  const free = <u32>load<u16>(entry, PAGE_FIRST_FREE);
  const live = <u32>load<u16>(entry, PAGE_LIVE) - 1;
  countBytes(header, purpose, 0 - ((<usize>units) << 3));
  store<u32>(block, free);
  store<u16>(entry, <u16>((block & (PAGE_BYTES - 1)) >> 3), PAGE_FIRST_FREE);
  store<u16>(entry, <u16>live, PAGE_LIVE);
  if (free == NO_BLOCK && <u32>load<u16>(entry, PAGE_BUMP) + units > UNITS_A_PAGE) pageLink(header, page, entry);
  if (live == 0) pageClose(header, page, entry);
}

function pageClose(header: usize, page: u32, entry: usize): void {
  pageUnlink(header, entry);
  store<u32>(header, load<u32>(header, HEAP_PAGES) - 1, HEAP_PAGES);
  pagesGive(page, 1);
}

function giveRun(header: usize, purpose: u32, page: u32, entry: usize): void {
  check(load<u8>(entry, PAGE_KIND) == PAGE_RUN_HEAD, CHECK_ADDRESS);
  const count = load<u32>(entry, PAGE_RUN_PAGES);
  countBytes(header, purpose, 0 - ((<usize>count) << PAGE_SHIFT));
  store<u32>(header, load<u32>(header, HEAP_PAGES) - count, HEAP_PAGES);
  pagesGive(page, count);
}

/** The test hook: true for the one allocation that shall fail. */
function failsNow(): bool {
  const left = load<u32>(ROOT_FAIL_AFTER) - 1;
  store<u32>(ROOT_FAIL_AFTER, left);
  return left == 0;
}

/** All bytes of the block in its page, canaries included. */
function innerBytes(block: usize): usize {
  const entry = pageEntry(<u32>(block >> PAGE_SHIFT));
  if (load<u8>(entry, PAGE_KIND) == PAGE_RUN_HEAD) return (<usize>load<u32>(entry, PAGE_RUN_PAGES)) << PAGE_SHIFT;
  return (<usize>load<u16>(entry, PAGE_UNITS)) << 3;
}

// --- Debug builds: canaries ----------------------------------------------------------------------------------------------
// A live block:      { u32 bytes said, u32 CANARY_LIVE, the bytes ..., u32 CANARY_LIVE, u32 CANARY_LIVE }
// A released block:  { u32 next free, u32 CANARY_FREE, POISON ... }

function takeChecked(heap: u32, purpose: u32, bytes: usize): usize {
  check(heap < HEAP_COUNT && heapHeader(heap) != 0, CHECK_HEAP);
  check(purpose < PURPOSE_COUNT, CHECK_PURPOSE);
  if (bytes > (<usize>MOST_PAGES) << PAGE_SHIFT) return 0;
  const header = heapHeader(heap);
  const said = roundedBytes(bytes);
  const block = take(header, purpose, said + 2 * CANARY_BYTES);
  if (block == 0) return 0;
  const inner = innerBytes(block);
  countBytes(header, purpose, said - inner);
  if (inner <= LARGEST_BLOCK && load<u32>(block, CANARY_WORD) == CANARY_FREE) {
    for (let at = block + CANARY_BYTES; at < block + inner; at++) {
      check(<u32>load<u8>(at) == POISON, CHECK_WRITTEN_AFTER_RELEASE);
    }
  }
  const address = block + CANARY_BYTES;
  store<u32>(block, <u32>said);
  store<u32>(block, CANARY_LIVE, CANARY_WORD);
  store<u32>(address + said, CANARY_LIVE);
  store<u32>(address + said, CANARY_LIVE, CANARY_WORD);
  memory.fill(address, <u8>POISON, min<usize>(said, POISONED_BYTES));
  return address;
}

/** Traps unless `address` is a live block whose neighbourhood is intact; answers the bytes said. */
function inspect(address: usize): usize {
  const block = address - CANARY_BYTES;
  check((address & 7) == 0 && address > <usize>FIRST_PAGE << PAGE_SHIFT, CHECK_ADDRESS);
  const page = <u32>(block >> PAGE_SHIFT);
  check(page < load<u32>(ROOT_PAGE_TOP), CHECK_DOUBLE_RELEASE);
  const kind: u32 = load<u8>(pageEntry(page), PAGE_KIND);
  check(kind != PAGE_FREE, CHECK_DOUBLE_RELEASE);
  check(kind != PAGE_RUN_TAIL, CHECK_ADDRESS);
  check(load<u32>(block, CANARY_WORD) != CANARY_FREE, CHECK_DOUBLE_RELEASE);
  check(load<u32>(block, CANARY_WORD) == CANARY_LIVE, CHECK_ADDRESS);
  const said = <usize>load<u32>(block);
  check(said + 2 * CANARY_BYTES <= innerBytes(block), CHECK_ADDRESS);
  check(load<u64>(address + said) == ((<u64>CANARY_LIVE) << 32 | <u64>CANARY_LIVE), CHECK_CANARY_AFTER);
  return said;
}

function giveChecked(purpose: u32, address: usize): void {
  check(purpose < PURPOSE_COUNT, CHECK_PURPOSE);
  const said = inspect(address);
  const block = address - CANARY_BYTES;
  const inner = innerBytes(block);
  const header = heapHeader(<u32>load<u16>(pageEntry(<u32>(block >> PAGE_SHIFT)), PAGE_HEAP));
  check(load<u32>(header + ((<usize>purpose) << 2), HEAP_BYTES) >= <u32>said, CHECK_PURPOSE);
  countBytes(header, purpose, inner - said);
  memory.fill(block, <u8>POISON, min<usize>(inner, POISONED_BYTES));
  store<u32>(block, CANARY_FREE, CANARY_WORD);
  give(purpose, block);
}

// --- Public ------------------------------------------------------------------------------------------------------------

/**
 * Makes a zeroed memory a root block, an empty page table and heap 0, the system's. `pageLimit`: pages of 64 KiB the whole
 * memory may have, root and tables included; at most 65535 count. Traps when not even the tables fit.
 */
export function memoryInit(pageLimit: u32): void {
  store<u32>(ROOT_PAGE_LIMIT, min<u32>(pageLimit, MOST_PAGES));
  memoryEnsure(FIRST_PAGE);
  store<u32>(ROOT_VERSION, LAYOUT_VERSION);
  store<u32>(ROOT_PAGE_TOP, FIRST_PAGE);
  store<u32>(ROOT_FREE_HINT, FIRST_PAGE);
  store<u32>(ROOT_PAGES_USED, 0);
  store<u32>(ROOT_EPOCH, 1);
  memory.fill(SYSTEM_HEAP, 0, HEAP_HEADER_BYTES);
  store<u32>(ROOT_HEAPS, <u32>SYSTEM_HEAP);
  atomic.store<u32>(ROOT_MAGIC, ROOT_MAGIC_VALUE);
}

/** Keeps `pages` of the limit for the system heap: buffers, results, names. */
export function memoryReserve(pages: u32): void {
  store<u32>(ROOT_PAGE_RESERVE, pages);
}

/**
 * Sets the headroom: pages above the limit for what must not be refused because the memory is full. Limit and headroom together stay
 * within what can be addressed.
 */
export function memoryHeadroom(pages: u32): void {
  store<u32>(ROOT_PAGE_HEADROOM, min<u32>(pages, MOST_PAGES - load<u32>(ROOT_PAGE_LIMIT)));
}

/**
 * Lends up to `pages` of the headroom and all of the reserve, until this is called again with what it answers: the pages lent before, 0
 * as a rule. What was taken meanwhile stays; as long as more is in use than the limit allows, nothing else is handed out.
 */
export function memoryLend(pages: u32): u32 {
  const before = load<u32>(ROOT_PAGE_LENT);
  store<u32>(ROOT_PAGE_LENT, min<u32>(pages, load<u32>(ROOT_PAGE_HEADROOM)));
  return before;
}

/** Pages in use that lie beyond what graphs may take of the limit. */
export function pagesOver(): u32 {
  const taken = FIRST_PAGE + load<u32>(ROOT_PAGES_USED) + load<u32>(ROOT_PAGE_RESERVE);
  const limit = load<u32>(ROOT_PAGE_LIMIT);
  return taken > limit ? taken - limit : 0;
}

/** Changes the limit. What is in use above a lowered limit stays, and nothing new fits until there is less. */
export function memoryLimit(pages: u32): void {
  store<u32>(ROOT_PAGE_LIMIT, min<u32>(pages, MOST_PAGES));
}

/**
 * Hands out a block of at least `bytes` bytes, 8-aligned, not cleared; 0 = does not fit, and nothing changed.
 * The same heap's `allocate` never gives two live blocks that overlap.
 */
export function allocate(heap: u32, purpose: u32, bytes: usize): usize {
  if (load<u32>(ROOT_FAIL_AFTER) != 0 && failsNow()) return 0;
  if (CORE_DEBUG != 0) return takeChecked(heap, purpose, bytes);
  return take(heapHeader(heap), purpose, bytes);
}

/** Takes a block back now. `purpose` is the one it was allocated for; the page table knows the rest. */
export function release(purpose: u32, address: usize): void {
  if (CORE_DEBUG != 0) giveChecked(purpose, address);
  else give(purpose, address);
}

/** Bytes of the block that its owner may use: what was asked for, rounded up to the class. */
export function blockBytes(address: usize): usize {
  if (CORE_DEBUG != 0) return inspect(address);
  return innerBytes(address);
}

/** A new heap without pages; 0 = no memory, or all HEAP_COUNT taken. It costs one small block of heap 0. */
export function heapCreate(): u32 {
  let heap: u32 = 1;
  while (heap < HEAP_COUNT && heapHeader(heap) != 0) heap++;
  if (heap == HEAP_COUNT) return 0;
  const header = allocate(0, PURPOSE_SYSTEM, HEAP_HEADER_BYTES);
  if (header == 0) return 0;
  memory.fill(header, 0, HEAP_HEADER_BYTES);
  store<u32>(header, heap, HEAP_ID);
  store<u32>(ROOT_HEAPS + ((<usize>heap) << 2), <u32>header);
  return heap;
}

/** How many more heaps there can be. */
export function heapsFree(): u32 {
  let free: u32 = 0;
  for (let heap: u32 = 1; heap < HEAP_COUNT; heap++) free += u32(heapHeader(heap) == 0);
  return free;
}

/**
 * A second header for a heap, for a thread that allocates beside others: what is allocated from it belongs to `heap`. It must be taken
 * in (`heapJoin`) before anything in `heap` is released or dropped. 0 as `heapCreate`.
 */
export function heapFork(heap: u32): u32 {
  const fork = heapCreate();
  if (fork != 0) store<u32>(heapHeader(fork), heap, HEAP_ID);
  return fork;
}

/** Takes a fork's pages and counts into its heap, and forgets the fork. Its thread must be done with it. */
export function heapJoin(heap: u32, fork: u32): void {
  const header = heapHeader(heap);
  const from = heapHeader(fork);
  check(header != 0 && from != 0 && load<u32>(from, HEAP_ID) == heap, CHECK_HEAP);
  store<u32>(header, load<u32>(header, HEAP_PAGES) + load<u32>(from, HEAP_PAGES), HEAP_PAGES);
  for (let purpose: u32 = 0; purpose < PURPOSE_COUNT; purpose++) {
    countBytes(header, purpose, <usize>load<u32>(from + ((<usize>purpose) << 2), HEAP_BYTES));
  }
  for (let room: usize = HEAP_ROOM; room < HEAP_HEADER_BYTES; room += 2) {
    let page = <u32>load<u16>(from + room);
    while (page != 0) {
      const entry = pageEntry(page);
      const next = <u32>load<u16>(entry, PAGE_NEXT);
      pageLink(header, page, entry);
      page = next;
    }
  }
  store<u32>(ROOT_HEAPS + ((<usize>fork) << 2), 0);
  release(PURPOSE_SYSTEM, from);
}

/**
 * Frees every page of the heap at once, whatever is still in it, and forgets the heap. No block of it may wait among the
 * retired (`retireHeap` takes its turn behind them). Costs one pass over the page table.
 */
export function heapDrop(heap: u32): void {
  const header = heapHeader(heap);
  check(heap != 0 && header != 0, CHECK_HEAP);
  const top = load<u32>(ROOT_PAGE_TOP);
  let first: u32 = 0;
  for (let page = FIRST_PAGE; page <= top; page++) {
    const entry = pageEntry(page);
    const own = page < top && load<u8>(entry, PAGE_KIND) != PAGE_FREE && <u32>load<u16>(entry, PAGE_HEAP) == heap;
    if (own) {
      if (first == 0) first = page;
    } else if (first != 0) {
      pagesGive(first, page - first);
      first = 0;
    }
  }
  store<u32>(ROOT_HEAPS + ((<usize>heap) << 2), 0);
  release(PURPOSE_SYSTEM, header);
}

/** Pages that the heap holds. */
export function heapPages(heap: u32): usize {
  return <usize>load<u32>(heapHeader(heap), HEAP_PAGES);
}

/** Bytes of the heap's blocks of one purpose, each rounded to its class. */
export function heapBytes(heap: u32, purpose: u32): usize {
  return <usize>load<u32>(heapHeader(heap) + ((<usize>purpose) << 2), HEAP_BYTES);
}

/** Bytes of all heaps' blocks of one purpose, each rounded to its class, retired ones included until they are freed. */
export function memoryBytes(purpose: u32): f64 {
  let bytes: f64 = 0;
  for (let heap: u32 = 0; heap < HEAP_COUNT; heap++) {
    if (heapHeader(heap) != 0) bytes += <f64>heapBytes(heap, purpose);
  }
  return bytes;
}

/** Pages handed out, the root's and the tables' not counted. */
export function pagesUsed(): u32 {
  return load<u32>(ROOT_PAGES_USED);
}

/** Pages that a heap other than the system's may still take, the reserve left out. Not all of them need lie in a row. */
export function pagesFree(): u32 {
  const taken = FIRST_PAGE + load<u32>(ROOT_PAGES_USED) + load<u32>(ROOT_PAGE_RESERVE);
  const limit = load<u32>(ROOT_PAGE_LIMIT);
  return limit > taken ? limit - taken : 0;
}

/** Pages of the longest row among those, for one large block. */
export function pagesFreeRun(): u32 {
  const top = load<u32>(ROOT_PAGE_TOP);
  const end = pagesEnd(load<u32>(ROOT_PAGE_LIMIT));
  let longest: u32 = end > top ? end - top : 0;
  let run: u32 = 0;
  let page = FIRST_PAGE;
  while (page < top) {
    const entry = pageEntry(page);
    const kind: u32 = load<u8>(entry, PAGE_KIND);
    run = kind == PAGE_FREE ? run + 1 : 0;
    longest = max<u32>(longest, run);
    page += kind == PAGE_RUN_HEAD ? load<u32>(entry, PAGE_RUN_PAGES) : 1;
  }
  return min<u32>(longest, pagesFree());
}
