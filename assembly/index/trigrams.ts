// The trigram table of a RegExIndex: which keys may contain a text, without looking at them.
//
// Every key has a signature: a row of bits, one set for each trigram of its folded text, chosen by hash. Signatures lie bit by bit: in a
// block of keys all first bits stand together, then all second bits, and so on. So the keys that may contain a literal come out of
// reading as many columns as it has trigrams and no others: some 100 KB for a million keys. About one key in a thousand that does not
// contain a literal of eight characters passes, and the search for the literal in its text (scan.ts) turns it down.
//
//   own words   for each class: blocks directory (atomic), blocks (atomic), directory capacity, first free slot + 1 (0 = none);
//               then u32 bytes of all keys (atomic)
//   class c     keys of up to CLASS_TRIGRAMS << 2c trigrams: 256 << 2c columns, a block of 512, 256, 128 or 128 keys
//   block       keys x u32 key address (atomic; odd: free, the next free slot << 1 | 1; 0: never used), then columns x keys bits
//
// Folding: A-Z to a-z, U+212A to k, U+017F to s, which is what case-insensitive expressions do within ASCII. No trigram reaches across
// another character, and a literal's other characters are not asked for. A removed key's bits are cleared and its slot is used
// again. Readers take the bits for hints and the key's text for the truth; one that is being added they may miss.

import { allocate, blockBytes } from '../memory/allocator';
import { PURPOSE_INDEXES } from '../memory/layout';
import { hashWord } from '../values/hash';
import { blockRetire, blocksReserve } from './blocks';
import { INDEX_HEAP, KEY_PLACE, KEY_VALUE, OWN_MORE } from './layout';

export const CLASS_COUNT: u32 = 4;
const CLASS_TRIGRAMS: u32 = 100;
const CLASS_WORDS_SHIFT: u32 = 4;
const WORD_BLOCKS: usize = 4;
const WORD_CAPACITY: usize = 8;
const WORD_FREE: usize = 12;

/** Own word: bytes of all keys, for who compares their lengths. */
const TEXT_BYTES: usize = OWN_MORE + ((<usize>CLASS_COUNT) << CLASS_WORDS_SHIFT);

/** No character that can be part of a trigram. */
const BREAK: u32 = 0;

// @ts-ignore: decorator
@inline
function classAt(index: usize, c: u32): usize {
  return index + OWN_MORE + ((<usize>c) << CLASS_WORDS_SHIFT);
}

// @ts-ignore: decorator
@inline
export function classColumns(c: u32): u32 {
  return 256 << (c << 1);
}

/** Keys in a block, a power of two. */
// @ts-ignore: decorator
@inline
export function classKeys(c: u32): u32 {
  return c == 0 ? 512 : c == 1 ? 256 : 128;
}

/** Bytes of one column of a block. */
// @ts-ignore: decorator
@inline
export function columnBytes(c: u32): usize {
  return <usize>(classKeys(c) >> 3);
}

/** Bytes of the texts of all keys. Any thread. */
export function textBytes(index: usize): u32 {
  return atomic.load<u32>(index + TEXT_BYTES);
}

/** Number of blocks of a class. Any thread; take it before `classBlock`. */
export function classBlocks(index: usize, c: u32): u32 {
  return atomic.load<u32>(classAt(index, c), WORD_BLOCKS);
}

/** Block `i`. Any thread. */
export function classBlock(index: usize, c: u32, i: u32): usize {
  return <usize>load<u32>(<usize>atomic.load<u32>(classAt(index, c)) + ((<usize>i) << 2));
}

/** The key in a slot of a block, 0 if there is none. Any thread. */
// @ts-ignore: decorator
@inline
export function blockKey(block: usize, slot: u32): usize {
  const word = atomic.load<u32>(block + ((<usize>slot) << 2));
  return (word & 1) != 0 ? 0 : <usize>word;
}

/** Address of a column of a block. */
// @ts-ignore: decorator
@inline
export function blockColumn(block: usize, c: u32, column: u32): usize {
  return block + ((<usize>classKeys(c)) << 2) + <usize>column * columnBytes(c);
}

// --- Trigrams of a text -------------------------------------------------------------------------------------------------------------

let foldedNext: usize = 0;

/** The folded character at `p`, BREAK for any that has no place in a trigram; `foldedNext` is behind it. */
// @ts-ignore: decorator
@inline
function folded(p: usize): u32 {
  const byte = <u32>load<u8>(p);
  if (byte < 0x80) {
    foldedNext = p + 1;
    return byte - 0x41 < 26 ? byte + 32 : byte;
  }
  return foldedWide(p, byte);
}

function foldedWide(p: usize, lead: u32): u32 {
  foldedNext = p + (lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4);
  if (lead == 0xc5 && load<u8>(p, 1) == 0xbf) return 0x73;
  if (lead == 0xe2 && load<u8>(p, 1) == 0x84 && load<u8>(p, 2) == 0xaa) return 0x6b;
  return BREAK;
}

let walkAt: usize = 0;
let walkEnd: usize = 0;
let walkWord: u32 = 0;

/** Starts walking the trigrams of a text. */
export function trigramsBegin(text: usize, bytes: u32): void {
  walkAt = text;
  walkEnd = text + <usize>bytes;
  walkWord = 0;
}

/** The hash of the next trigram, 0 at the end. */
export function trigramNext(): u32 {
  while (walkAt < walkEnd) {
    const character = folded(walkAt);
    walkAt = foldedNext;
    if (character == BREAK) {
      walkWord = 0;
      continue;
    }
    walkWord = ((walkWord << 8) | character) & 0xffffff;
    // A character 0 is a break itself, so three that are none leave no zero byte.
    if (walkWord > 0xffff && (walkWord & 0xff00) != 0) return hashWord(<u64>walkWord) | 0x80000000;
  }
  return 0;
}

// --- Changes [W] -----------------------------------------------------------------------------------------------------------------------

/** The class of a text of so many bytes. */
function classOf(bytes: u32): u32 {
  let c: u32 = 0;
  while (c < CLASS_COUNT - 1 && bytes > CLASS_TRIGRAMS << (c << 1)) c++;
  return c;
}

/** Enters a String key. False = no memory, nothing changed. */
export function trigramsAdd(index: usize, key: usize): bool {
  const bytes = load<u32>(key, KEY_VALUE);
  const c = classOf(bytes);
  const words = classAt(index, c);
  if (load<u32>(words, WORD_FREE) == 0 && !blockAdd(index, c)) return false;
  const keys = classKeys(c);
  const place = load<u32>(words, WORD_FREE) - 1;
  const block = classBlock(index, c, place / keys);
  const slot = place & (keys - 1);
  const entry = block + ((<usize>slot) << 2);
  store<u32>(words, load<u32>(entry) >> 1, WORD_FREE);
  const mask = classColumns(c) - 1;
  const bit: u32 = 1 << (slot & 7);
  trigramsBegin(key + KEY_VALUE + 8, bytes);
  while (true) {
    const hash = trigramNext();
    if (hash == 0) break;
    const at = blockColumn(block, c, hash & mask) + <usize>(slot >> 3);
    store<u8>(at, <u32>load<u8>(at) | bit);
  }
  store<u32>(key, (c << 30) | place, KEY_PLACE);
  atomic.store<u32>(entry, <u32>key);
  atomic.add<u32>(index + TEXT_BYTES, bytes);
  return true;
}

/** Takes a key out. */
export function trigramsRemove(index: usize, key: usize): void {
  atomic.sub<u32>(index + TEXT_BYTES, load<u32>(key, KEY_VALUE));
  const c = load<u32>(key, KEY_PLACE) >> 30;
  const place = load<u32>(key, KEY_PLACE) & 0x3fffffff;
  const keys = classKeys(c);
  const block = classBlock(index, c, place / keys);
  const slot = place & (keys - 1);
  const words = classAt(index, c);
  atomic.store<u32>(block + ((<usize>slot) << 2), (load<u32>(words, WORD_FREE) << 1) | 1);
  const keep: u32 = ~(1 << (slot & 7));
  const columns = classColumns(c);
  for (let column: u32 = 0; column < columns; column++) {
    const at = blockColumn(block, c, column) + <usize>(slot >> 3);
    store<u8>(at, <u32>load<u8>(at) & keep);
  }
  store<u32>(words, place + 1, WORD_FREE);
}

/** One more block of free slots. */
function blockAdd(index: usize, c: u32): bool {
  const words = classAt(index, c);
  const heap = load<u32>(index, INDEX_HEAP);
  const blocks = load<u32>(words, WORD_BLOCKS);
  if (blocks == load<u32>(words, WORD_CAPACITY) && !directoryGrow(words, heap, blocks)) return false;
  const keys = classKeys(c);
  const bytes = ((<usize>keys) << 2) + <usize>classColumns(c) * columnBytes(c);
  const block = allocate(heap, PURPOSE_INDEXES, bytes);
  if (block == 0) return false;
  memory.fill(block, 0, bytes);
  // The free list holds slots in ascending order, each the number of the next one plus one.
  for (let slot: u32 = 0; slot < keys; slot++) {
    const next = slot + 1 == keys ? load<u32>(words, WORD_FREE) : blocks * keys + slot + 2;
    store<u32>(block + ((<usize>slot) << 2), (next << 1) | 1);
  }
  store<u32>(<usize>load<u32>(words) + ((<usize>blocks) << 2), <u32>block);
  store<u32>(words, blocks * keys + 1, WORD_FREE);
  atomic.store<u32>(words + WORD_BLOCKS, blocks + 1);
  return true;
}

function directoryGrow(words: usize, heap: u32, blocks: u32): bool {
  if (!blocksReserve(1)) return false;
  const directory = allocate(heap, PURPOSE_INDEXES, ((<usize>max<u32>(blocks << 1, 8)) << 2));
  if (directory == 0) return false;
  const old: usize = load<u32>(words);
  if (old != 0) memory.copy(directory, old, (<usize>blocks) << 2);
  atomic.store<u32>(words, <u32>directory);
  store<u32>(words, <u32>(blockBytes(directory) >> 2), WORD_CAPACITY);
  if (old != 0) blockRetire(old);
  return true;
}
