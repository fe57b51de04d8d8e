// Memory of a run that is given back while it goes on: blocks in segments of SCRATCH, collected by mark and sweep. Nothing moves.
//
// A module whose loops allocate (src/fragments/emit/control/collecting.ts) brings a CONTROL block and begins a run behind
// `fragmentEnter`; all that a call makes then comes from here. What other modules make, and what `init` makes, is plain scratch, and
// ends with its mark.
//
//   CONTROL   +0 wanted: the module calls `runCollect` at the next place where it can   +4 end of the stack   +8 heads of the lists of free
//             blocks, one for each power of two   +136 the stack: words of the module that may name blocks
//   SEGMENT   +0 the one before   +4 bytes of its blocks   +16 blocks, one behind the other
//   block     +0 bytes, these 8 with them   +4 MARKED, kind, and a link: of a free block the next one in its list, while marking the
//             next one to be looked through   +8 what `runAllocate` answers
//
// Marking is conservative: a word names the block it points into, wherever it points. Contents are looked through word by word, but for
// texts and arrays of plain values (OPAQUE), and tables, whose entries have hashes. So a register of the module may hold an address, a
// reference or the middle of an array, and what a routine left behind in a block without a head keeps alive what it names. It
// happens at places where no routine of the core is under way: what these keep in variables of their own
// between two calls is marked here by name.
//
// Cost: allocating is a bump in the free block in use. A collection takes time in proportion to the heap, and the next one is wanted when
// half of what was free then is used.

import { scratchAllocate, scratchMark, scratchRelease, scratchRoom } from '../memory/arena';
import { check } from '../memory/check';
import { ENTRIES, ENTRY_KEY, FORM, isTable, TABLE_USED } from './table-layout';

const WANTED: usize = 0;
const STACK_END: usize = 4;
const LISTS: usize = 8;
const CLASSES: usize = 32;
const STACK: usize = LISTS + 4 * CLASSES;

const SEGMENT_BYTES: usize = 4;
const SEGMENT_HEADER: usize = 16;
const LEAST_SEGMENT: usize = 64 << 10;
const LARGEST_SEGMENT: usize = 4 << 20;

const META: usize = 4;
const HEADER: usize = 8;
const MARKED: u32 = 1;
const KINDS: u32 = 6;
/** Texts and plain values: nothing in it names a block. */
const OPAQUE: u32 = 2;
const FREE: u32 = 4;
/** It begins with the head of an object. */
const OBJECT: u32 = 6;
const FLAGS: u32 = 7;
/** Free blocks below this are found again by the next collection alone. */
const LEAST_LISTED: usize = 32;
/** From here on a block has a place looked for instead of closing the free block in use. */
const LARGE: usize = 2048;
/** Free blocks of the size's own class that are looked at. */
const MOST_TRIED: i32 = 8;

/** What was given back is overwritten with, in debug builds. */
export const POISON: u8 = 0xcb;

const CARD_SHIFT: usize = 8;
/** Of the sorted segments while marking: start, end, cards. */
const PLACE_BYTES: usize = 12;

const LEAST_STACK: usize = 8 << 10;
const LARGEST_STACK: usize = 1 << 20;
/** What a heap without a bound of its own may allocate before it is collected for the first time. */
const FIRST_ALLOWANCE: usize = 4 << 20;
const LEAST_ALLOWANCE: usize = 32 << 10;
const UNBOUNDED: usize = 0xffffffff;

const CHECK_BLOCKS: u32 = 133;

/** 0: nothing is collected. */
let control: usize = 0;
let stressed: bool = false;
let segments: usize = 0;
let heapBytes: usize = 0;
/** Bytes until a collection is wanted. */
let allowance: isize = 0;
// The free block in use.
let gapStart: usize = 0;
let gapAt: usize = 0;
let gapEnd: usize = 0;
/** What a routine keeps between two calls. */
let held: u32 = 0;

// --- Runs ----------------------------------------------------------------------------------------------------------------

/** A control block, which lasts as long as the scratch it is made in; 0: no room. */
export function runPrepare(): usize {
  const room = scratchRoom();
  let stack = LARGEST_STACK >> 2;
  if (room != UNBOUNDED) stack = max<usize>(LEAST_STACK, min<usize>(LARGEST_STACK, room >> 4)) & ~7;
  const address = scratchAllocate(STACK + stack);
  if (address == 0) return 0;
  store<u32>(address, 0, WANTED);
  store<u32>(address, <u32>(address + STACK + stack), STACK_END);
  return address;
}

/** From here on what is made can be given back. Behind `fragmentEnter`. */
export function runBegin(address: usize): void {
  control = address;
  store<u32>(address, stressed ? 1 : 0, WANTED);
  memory.fill(address + LISTS, 0, 4 * CLASSES);
  segments = 0;
  heapBytes = 0;
  gapStart = 0;
  gapAt = 0;
  gapEnd = 0;
  const room = scratchRoom();
  allowance = room == UNBOUNDED ? FIRST_ALLOWANCE : <isize>(room >> 1);
}

/** The run is over; its blocks end with the scratch around them. */
export function runEnd(): void {
  control = 0;
}

/** For tests: every place where a collection is possible makes one, and what was given back is overwritten. */
export function runStress(on: bool): void {
  stressed = on;
}

/** Where a run is, for `runRelease`. */
export function runMark(): usize {
  return control == 0 ? scratchMark() : gapAt | 1;
}

/** Gives back what was made since a mark, as far as that is free of cost; the rest is collected. A mark from before a run ends it. */
export function runRelease(mark: usize): void {
  if ((mark & 1) == 0) {
    control = 0;
    scratchRelease(mark);
    return;
  }
  const at = mark - 1;
  if (at < gapStart || at > gapAt || at == 0) return;
  if (CORE_DEBUG != 0) memory.fill(at, POISON, gapAt - at);
  gapAt = at;
}

/** A word that a routine keeps between two calls; there is one. */
export function runHold(word: u32): void {
  held = word;
}

// --- Allocating ----------------------------------------------------------------------------------------------------------

/** 8-aligned block of `bytes`, not cleared; 0 = impossible. */
export function runAllocate(bytes: usize): usize {
  if (control == 0) return scratchAllocate(bytes);
  if (bytes > 0x7fffff00) return 0;
  const size = (bytes + HEADER + 7) & ~7;
  let block = gapAt;
  if (size <= gapEnd - gapAt) gapAt += size;
  else {
    block = size >= LARGE ? takeLarge(size) : takeSmall(size);
    if (block == 0) {
      store<u32>(control, 1, WANTED);
      return 0;
    }
  }
  store<u32>(block, <u32>size);
  store<u32>(block, 0, META);
  return block + HEADER;
}

/** A block, allocated just now, names no other. */
// @ts-ignore: decorator
@inline
export function runOpaque(address: usize): void {
  if (control != 0) store<u32>(address - HEADER, OPAQUE, META);
}

/** A block, allocated just now, begins with the head of an object. */
// @ts-ignore: decorator
@inline
export function runObject(address: usize, names: bool): void {
  if (control != 0) store<u32>(address - HEADER, names ? OBJECT : OPAQUE, META);
}

function spend(bytes: usize): void {
  allowance -= <isize>bytes;
  if (allowance < 0) store<u32>(control, 1, WANTED);
}

function takeSmall(size: usize): usize {
  closeGap();
  let found = takeFree(size);
  if (found == 0) found = pushSegment(size);
  if (found == 0) return 0;
  const bytes = <usize>load<u32>(found);
  spend(bytes);
  gapStart = found;
  gapAt = found + size;
  gapEnd = found + bytes;
  return found;
}

function takeLarge(size: usize): usize {
  let found = takeFree(size);
  if (found == 0) found = pushSegment(size);
  if (found == 0) return 0;
  spend(size);
  const rest = <usize>load<u32>(found) - size;
  if (rest > 0) giveBack(found + size, rest);
  return found;
}

/** Takes a free block of at least `size` out of the lists; 0: there is none. */
function takeFree(size: usize): usize {
  const each = 31 - clz<u32>(<u32>size);
  let link = control + LISTS + 4 * <usize>each;
  for (let tries = 0; tries < MOST_TRIED; tries++) {
    const block = <usize>(load<u32>(link) & ~FLAGS);
    if (block == 0) break;
    if (<usize>load<u32>(block) >= size) return unlink(link, block);
    link = block + META;
  }
  for (let above: usize = <usize>each + 1; above < CLASSES; above++) {
    link = control + LISTS + 4 * above;
    const block = <usize>load<u32>(link);
    if (block != 0) return unlink(link, block);
  }
  return 0;
}

/** Takes a block out of a list; a link has the flags of the block it lies in beside it. */
function unlink(link: usize, block: usize): usize {
  store<u32>(link, (load<u32>(block, META) & ~FLAGS) | (load<u32>(link) & FLAGS));
  return block;
}

/** Makes a free block of some bytes. */
function giveBack(address: usize, bytes: usize): void {
  store<u32>(address, <u32>bytes);
  if (bytes < LEAST_LISTED) {
    store<u32>(address, FREE, META);
    return;
  }
  const link = control + LISTS + 4 * <usize>(31 - clz<u32>(<u32>bytes));
  store<u32>(address, load<u32>(link) | FREE, META);
  store<u32>(link, <u32>address);
}

function closeGap(): void {
  if (gapAt < gapEnd) giveBack(gapAt, gapEnd - gapAt);
  gapStart = 0;
  gapAt = 0;
  gapEnd = 0;
}

/** Another segment as one free block of at least `size`, in no list; 0: no room. Cards for all of them have to find a place beside. */
function pushSegment(size: usize): usize {
  let bytes = max<usize>(size, min<usize>(LARGEST_SEGMENT, max<usize>(LEAST_SEGMENT, heapBytes >> 2)));
  const room = scratchRoom();
  if (room != UNBOUNDED) {
    const beside = SEGMENT_HEADER + 1024 + ((heapBytes + bytes) >> 5);
    if (room < beside || room - beside < size) {
      const least = SEGMENT_HEADER + 1024 + ((heapBytes + size) >> 5);
      if (room < least || room - least < size) return 0;
      bytes = size;
    } else bytes = min<usize>(bytes, (room - beside) & ~7);
  }
  let segment = scratchAllocate(SEGMENT_HEADER + bytes);
  if (segment == 0 && bytes > size) {
    bytes = size;
    segment = scratchAllocate(SEGMENT_HEADER + bytes);
  }
  if (segment == 0) return 0;
  const first = segment + SEGMENT_HEADER;
  if (CORE_DEBUG != 0) memory.fill(first, POISON, bytes);
  store<u32>(first, <u32>bytes);
  store<u32>(first, FREE, META);
  let all = bytes;
  let before = segments;
  if (before == first + bytes) {
    // Right in front of the one before: one segment, with the head of that as a free block between.
    all += SEGMENT_HEADER + <usize>load<u32>(before, SEGMENT_BYTES);
    heapBytes += SEGMENT_HEADER;
    const behind = before;
    before = <usize>load<u32>(before);
    if (CORE_DEBUG != 0) memory.fill(behind, POISON, SEGMENT_HEADER);
    store<u32>(behind, <u32>SEGMENT_HEADER);
    store<u32>(behind, FREE, META);
  }
  store<u32>(segment, <u32>before);
  store<u32>(segment, <u32>all, SEGMENT_BYTES);
  segments = segment;
  heapBytes += bytes;
  return first;
}

// --- Collecting ----------------------------------------------------------------------------------------------------------

let places: usize = 0;
let placeCount: usize = 0;
// The segment that was found last.
let placeFrom: usize = 0;
let placeTo: usize = 0;
let placeCards: usize = 0;
/** Marked blocks that are to be looked through. */
let pending: usize = 0;

/**
 * Gives back every block that nothing names: neither a word on the stack, from the control block's on to `stackEnd`, nor what these
 * name. False: the heap is too small for what is live.
 */
export function runCollect(address: usize, stackEnd: usize): bool {
  store<u32>(address, stressed ? 1 : 0, WANTED);
  if (control != address) return true;
  closeGap();
  const mark = scratchMark();
  if (!layOut()) {
    scratchRelease(mark);
    return false;
  }
  pending = 0;
  for (let at = address + STACK; at < stackEnd; at += 4) markWord(load<u32>(at));
  markWord(held);
  while (pending != 0) {
    const block = pending;
    const meta = load<u32>(block, META);
    pending = <usize>(meta & ~FLAGS);
    store<u32>(block, meta & FLAGS, META);
    const end = block + <usize>load<u32>(block);
    for (let at = block + HEADER; at < end; at += 4) markWord(load<u32>(at));
    if ((meta & KINDS) == OBJECT && isTable(load<u32>(block, HEADER))) markEntries(block + HEADER);
  }
  scratchRelease(mark);
  return sweep();
}

/** Sorts the segments, and says for each card of their blocks in which one it begins. False: no room. */
function layOut(): bool {
  placeCount = 0;
  for (let segment = segments; segment != 0; segment = <usize>load<u32>(segment)) placeCount++;
  places = scratchAllocate(PLACE_BYTES * placeCount + 8);
  if (places == 0) return false;
  let count: usize = 0;
  for (let segment = segments; segment != 0; segment = <usize>load<u32>(segment)) {
    const from = segment + SEGMENT_HEADER;
    const bytes = <usize>load<u32>(segment, SEGMENT_BYTES);
    const cards = scratchAllocate(4 * ((bytes >> CARD_SHIFT) + 1));
    if (cards == 0) return false;
    fillCards(from, from + bytes, cards);
    let at = places + PLACE_BYTES * count;
    while (at > places && <usize>load<u32>(at - PLACE_BYTES) > from) {
      memory.copy(at, at - PLACE_BYTES, PLACE_BYTES);
      at -= PLACE_BYTES;
    }
    store<u32>(at, <u32>from);
    store<u32>(at, <u32>(from + bytes), 4);
    store<u32>(at, <u32>cards, 8);
    count++;
  }
  placeFrom = 0;
  placeTo = 0;
  return true;
}

function fillCards(from: usize, to: usize, cards: usize): void {
  let card: usize = 0;
  let block = from;
  while (block < to) {
    const size = <usize>load<u32>(block);
    check(size >= HEADER && (size & 7) == 0 && size <= to - block, CHECK_BLOCKS);
    const next = block + size;
    while (from + (card << CARD_SHIFT) < next) {
      store<u32>(cards + 4 * card, <u32>block);
      card++;
    }
    block = next;
  }
  check(block == to, CHECK_BLOCKS);
}

/** The block that an address lies in; 0: in none. */
function blockAt(address: usize): usize {
  if (address < placeFrom || address >= placeTo) {
    let low: usize = 0;
    let high = placeCount;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (<usize>load<u32>(places + PLACE_BYTES * middle, 4) <= address) low = middle + 1;
      else high = middle;
    }
    if (low == placeCount) return 0;
    const place = places + PLACE_BYTES * low;
    if (address < <usize>load<u32>(place)) return 0;
    placeFrom = <usize>load<u32>(place);
    placeTo = <usize>load<u32>(place, 4);
    placeCards = <usize>load<u32>(place, 8);
  }
  let block = <usize>load<u32>(placeCards + 4 * ((address - placeFrom) >> CARD_SHIFT));
  while (block + <usize>load<u32>(block) <= address) block += <usize>load<u32>(block);
  return block;
}

// --- For the debug build: every block looked at before a collection (object-check.ts) ------------------------------------------------

let lookMark: usize = 0;

/** Whether there is a heap to look at, and room for it; `runLooked` ends it. */
export function runLook(address: usize): bool {
  if (control != address) return false;
  closeGap();
  lookMark = scratchMark();
  if (layOut()) return true;
  scratchRelease(lookMark);
  return false;
}

export function runLooked(): void {
  scratchRelease(lookMark);
}

/** Parts of the heap, each of blocks one behind the other. */
export function runParts(): usize {
  return placeCount;
}

export function runPartStart(part: usize): usize {
  return <usize>load<u32>(places + PLACE_BYTES * part);
}

export function runPartEnd(part: usize): usize {
  return <usize>load<u32>(places + PLACE_BYTES * part, 4);
}

/** The block that an address lies in; 0: in none. */
export function runBlockAt(address: usize): usize {
  return blockAt(address);
}

export function runBlockEnd(block: usize): usize {
  return block + <usize>load<u32>(block);
}

/** What `runAllocate` answered for a block. */
export function runBlockContent(block: usize): usize {
  return block + HEADER;
}

export function runBlockIsFree(block: usize): bool {
  return (load<u32>(block, META) & KINDS) == FREE;
}

export function runBlockIsObject(block: usize): bool {
  return (load<u32>(block, META) & KINDS) == OBJECT;
}

/** Neither an object nor anything opaque: what a routine of the core has made for itself. */
export function runBlockIsRaw(block: usize): bool {
  return (load<u32>(block, META) & KINDS) == 0;
}

// --- Marking -------------------------------------------------------------------------------------------------------------

/** Keys and values of a table's entries, the one behind the last too: a key that is looked for lies there. */
function markEntries(table: usize): void {
  const form = load<u32>(table, FORM);
  const stride = <usize>(form >> 16);
  let entry = <usize>load<u32>(table, ENTRIES);
  // A table under construction.
  if (entry == 0) return;
  for (let left = load<u32>(table, TABLE_USED) + 1; left > 0; left--) {
    for (let at = ENTRY_KEY; at < stride; at += 4) markWord(load<u32>(entry + at));
    entry += stride;
  }
}

function markWord(word: u32): void {
  // The first pages hold no scratch, and most plain numbers lie there.
  if (word < 0x10000) return;
  const block = blockAt(<usize>word);
  if (block == 0) return;
  const meta = load<u32>(block, META);
  if ((meta & MARKED) != 0 || (meta & KINDS) == FREE) return;
  if ((meta & KINDS) == OPAQUE) {
    store<u32>(block, meta | MARKED, META);
    return;
  }
  store<u32>(block, <u32>pending | (meta & KINDS) | MARKED, META);
  pending = block;
}

/** Makes free blocks of all that is not marked. False: less is free than half of what is live, and collections would follow each other. */
function sweep(): bool {
  memory.fill(control + LISTS, 0, 4 * CLASSES);
  let live: usize = 0;
  for (let segment = segments; segment != 0; segment = <usize>load<u32>(segment)) {
    let block = segment + SEGMENT_HEADER;
    const end = block + <usize>load<u32>(segment, SEGMENT_BYTES);
    let free: usize = 0;
    while (block < end) {
      const size = <usize>load<u32>(block);
      const meta = load<u32>(block, META);
      if (meta & MARKED) {
        store<u32>(block, meta & KINDS, META);
        live += size;
        if (free != 0) makeFree(free, block);
        free = 0;
      } else if (free == 0) free = block;
      block += size;
    }
    if (free != 0) makeFree(free, end);
  }
  const room = scratchRoom();
  if (room == UNBOUNDED) {
    allowance = <isize>max<usize>(FIRST_ALLOWANCE, live);
    return true;
  }
  const free = heapBytes - live + room;
  allowance = <isize>max<usize>(LEAST_ALLOWANCE, free >> 1);
  return free > live >> 1;
}

function makeFree(from: usize, to: usize): void {
  if (stressed || CORE_DEBUG != 0) memory.fill(from, POISON, to - from);
  giveBack(from, to - from);
}
