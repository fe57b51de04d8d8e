// The keys of a RangeIndex in order, one list for each type of key: values of different types do not compare.
//
//   own words      TYPE_COUNT addresses of directories (atomic), 0 = no key of that type yet
//   directory      u32 count, u32 zero, u64 zero, then { u64 rank of the chunk's first key when the entry was made, u32 chunk (atomic),
//                  u32 zero }
//   chunk          u32 count, u32 zero, then { u64 rank, u32 key, u32 single (atomic) }, never empty; a change of keys copies it
//
// `single` is the postings word of a key that has had one element only, 0 when the key itself must be asked: so walking a range of such
// keys reads memory in order instead of jumping from key to key.
//
// A rank is a number that orders as the values do, as far as 64 bits reach; equal ranks are told apart by comparing the values (String,
// Guid, Decimal) and mean equal values for all other types. Finding a place takes one binary search over ranks in the directory and one
// in a chunk, and a change copies one chunk, and the directory when chunks come or go.
//
// A key belongs to the last chunk whose first key is not above it. The rank in the directory may be lower than that of the first key
// by now, never higher than a key of the chunk, and above or equal to all before: that is enough to search by, with ties looked up.

import { allocate, release } from '../memory/allocator';
import { NONE, PURPOSE_INDEXES } from '../memory/layout';
import { compareValues } from '../values/compare';
import { TICKS_MASK } from '../values/datetime';
import { RECORD_HEADER } from '../values/record';
import {
  TYPE_BOOLEAN, TYPE_BYTE, TYPE_CHAR, TYPE_DATETIME, TYPE_DATETIMEOFFSET, TYPE_DECIMAL, TYPE_DOUBLE, TYPE_GUID, TYPE_INT16, TYPE_INT32,
  TYPE_INT64, TYPE_SBYTE, TYPE_SINGLE, TYPE_STRING, TYPE_TIMESPAN, TYPE_UINT16, TYPE_UINT32, TYPE_UINT64,
} from '../values/types';
import { blockRetire, blocksReserve } from './blocks';
import { INDEX_HEAP, KEY_TYPE, KEY_VALUE, OWN_MORE } from './layout';

const HEADER_ZERO: usize = 8;
const HEADER: usize = 16;
const ENTRY_RANK: usize = 0;
const ENTRY_CHUNK: usize = 8;
const ENTRY_BYTES_SHIFT: usize = 4;
const CHUNK_ZERO: usize = 4;
const CHUNK_HEADER: usize = 8;
const PAIR_BYTES: usize = 16;
const PAIR_KEY: usize = 8;
const PAIR_SINGLE: usize = 12;
const CHUNK_MOST: u32 = 256;

const SIGN: u64 = 0x8000000000000000;

/** Where the last search ended in its chunk. */
let foundPair: u32 = 0;

// --- Ranks ----------------------------------------------------------------------------------------------------------------------

function rankOfFloat(value: f64): u64 {
  if (value != value) return 0;
  const bits = reinterpret<u64>(value == 0 ? 0.0 : value);
  return (bits & SIGN) != 0 ? ~bits : bits | SIGN;
}

/**
 * The first eight bytes, up to one that belongs to a character above U+CFFF: from there on the order of bytes is not that of UTF-16
 * units, so what follows is left to the comparison.
 */
function rankOfString(record: usize): u64 {
  const bytes = min<u32>(load<u32>(record), 8);
  let rank: u64 = 0;
  let shift: u64 = 56;
  for (let i: u32 = 0; i < bytes; i++) {
    const byte = <u32>load<u8>(record + RECORD_HEADER + <usize>i);
    if (byte >= 0xed) return rank | (<u64>0xed << shift);
    rank |= <u64>byte << shift;
    shift -= 8;
  }
  return rank;
}

/** The rank of the value at `value` (slot or record). */
export function rankOf(type: u32, value: usize): u64 {
  switch (type) {
    case TYPE_STRING:
      return rankOfString(value);
    case TYPE_SBYTE:
    case TYPE_INT16:
    case TYPE_INT32:
    case TYPE_INT64:
    case TYPE_TIMESPAN:
    case TYPE_DATETIMEOFFSET:
      return load<u64>(value) ^ SIGN;
    case TYPE_SINGLE:
      return rankOfFloat(<f64>load<f32>(value));
    case TYPE_DOUBLE:
      return rankOfFloat(load<f64>(value));
    case TYPE_DECIMAL:
      return 0;
    case TYPE_DATETIME:
      return load<u64>(value) & TICKS_MASK;
    case TYPE_GUID:
      return bswap(load<u64>(value));
    case TYPE_BOOLEAN:
    case TYPE_BYTE:
    case TYPE_UINT16:
    case TYPE_UINT32:
    case TYPE_UINT64:
    case TYPE_CHAR:
      return load<u64>(value);
    default:
      return unreachable();
  }
}

/** True when equal ranks need not be equal values. */
// @ts-ignore: decorator
@inline
function hasTies(type: u32): bool {
  return type == TYPE_STRING || type == TYPE_DECIMAL || type == TYPE_GUID;
}

// --- Access ---------------------------------------------------------------------------------------------------------------------

// @ts-ignore: decorator
@inline
function rootOf(index: usize, type: u32): usize {
  return index + OWN_MORE + ((<usize>type) << 2);
}

// @ts-ignore: decorator
@inline
function entryAt(directory: usize, i: u32): usize {
  return directory + HEADER + ((<usize>i) << ENTRY_BYTES_SHIFT);
}

// @ts-ignore: decorator
@inline
function chunkOf(directory: usize, i: u32): usize {
  return <usize>atomic.load<u32>(entryAt(directory, i), ENTRY_CHUNK);
}

// @ts-ignore: decorator
@inline
function pairAt(chunk: usize, i: u32): usize {
  return chunk + CHUNK_HEADER + <usize>i * PAIR_BYTES;
}

/** The list of the type's keys, 0 when there is none. Load once; walk with `orderChunks`, `orderChunk` and `orderKey`. */
export function orderList(index: usize, type: u32): usize {
  return <usize>atomic.load<u32>(rootOf(index, type));
}

// @ts-ignore: decorator
@inline
export function orderChunks(list: usize): u32 {
  return load<u32>(list);
}

// @ts-ignore: decorator
@inline
export function orderChunk(list: usize, i: u32): usize {
  return chunkOf(list, i);
}

// @ts-ignore: decorator
@inline
export function orderCount(chunk: usize): u32 {
  return load<u32>(chunk);
}

// @ts-ignore: decorator
@inline
export function orderKey(chunk: usize, i: u32): usize {
  return <usize>load<u32>(pairAt(chunk, i), PAIR_KEY);
}

/** The postings word of the key's one element, 0 when the key must be asked. */
// @ts-ignore: decorator
@inline
export function orderSingle(chunk: usize, i: u32): u32 {
  return atomic.load<u32>(pairAt(chunk, i) + PAIR_SINGLE);
}

/** Negative, 0 or positive: the key of the pair against a value with that rank. */
// @ts-ignore: decorator
@inline
function pairCompare(type: u32, pair: usize, rank: u64, value: usize): i32 {
  const own = load<u64>(pair);
  if (own != rank) return own < rank ? -1 : 1;
  return hasTies(type) ? compareValues(type, <usize>load<u32>(pair, PAIR_KEY) + KEY_VALUE, value) : 0;
}

/** The chunk that a value belongs to: the last whose first key is not above it, or the first. */
function chunkSearch(list: usize, type: u32, rank: u64, value: usize): u32 {
  let low: u32 = 1;
  let high = load<u32>(list);
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = entryAt(list, middle);
    const own = load<u64>(entry, ENTRY_RANK);
    const below = own != rank
      ? own < rank
      : pairCompare(type, pairAt(chunkOf(list, middle), 0), rank, value) <= 0;
    if (below) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** First place in the chunk whose key is not below the value; with `above`, whose key is above it. */
function pairSearch(chunk: usize, type: u32, rank: u64, value: usize, above: bool): u32 {
  let low: u32 = 0;
  let high = load<u32>(chunk);
  const limit: i32 = above ? 1 : 0;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pairCompare(type, pairAt(chunk, middle), rank, value) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Finds the first key not below the value (`above`: above it) of a list with keys; answers its chunk's number, and `orderPlace` its place
 * in that chunk, which may be the end of it: then it is the first of the next chunk, if there is one.
 */
export function orderSearch(list: usize, type: u32, value: usize, above: bool): u32 {
  const rank = rankOf(type, value);
  const i = chunkSearch(list, type, rank, value);
  foundPair = pairSearch(chunkOf(list, i), type, rank, value, above);
  return i;
}

export function orderPlace(): u32 {
  return foundPair;
}

// --- Changes [W] ------------------------------------------------------------------------------------------------------------------

function chunkMake(heap: u32, count: u32): usize {
  const chunk = allocate(heap, PURPOSE_INDEXES, CHUNK_HEADER + <usize>count * PAIR_BYTES);
  if (chunk == 0) return 0;
  store<u32>(chunk, count);
  store<u32>(chunk, 0, CHUNK_ZERO);
  return chunk;
}

function directoryMake(heap: u32, count: u32): usize {
  const directory = allocate(heap, PURPOSE_INDEXES, HEADER + ((<usize>count) << ENTRY_BYTES_SHIFT));
  if (directory == 0) return 0;
  store<u64>(directory, <u64>count);
  store<u64>(directory, 0, HEADER_ZERO);
  return directory;
}

function entryWrite(directory: usize, i: u32, chunk: usize): void {
  const entry = entryAt(directory, i);
  store<u64>(entry, load<u64>(pairAt(chunk, 0)), ENTRY_RANK);
  store<u64>(entry, <u64>chunk, ENTRY_CHUNK);
}

// @ts-ignore: decorator
@inline
function pairsCopy(from: usize, first: u32, count: u32, to: usize, at: u32): void {
  memory.copy(pairAt(to, at), pairAt(from, first), <usize>count * PAIR_BYTES);
}

// @ts-ignore: decorator
@inline
function pairWrite(chunk: usize, i: u32, rank: u64, key: usize, single: u32): void {
  store<u64>(pairAt(chunk, i), rank);
  store<u32>(pairAt(chunk, i), <u32>key, PAIR_KEY);
  store<u32>(pairAt(chunk, i), single, PAIR_SINGLE);
}

/** Copies pairs [from, end) of `chunk` with a new one at `place` to a new chunk; a `place` outside leaves it out. 0 = no memory. */
function chunkWith(
  heap: u32,
  chunk: usize,
  from: u32,
  end: u32,
  place: u32,
  rank: u64,
  key: usize,
  single: u32,
): usize {
  const inside = place >= from && place <= end;
  const made = chunkMake(heap, end - from + u32(inside));
  if (made == 0) return 0;
  if (!inside) {
    pairsCopy(chunk, from, end - from, made, 0);
    return made;
  }
  pairsCopy(chunk, from, place - from, made, 0);
  pairWrite(made, place - from, rank, key, single);
  pairsCopy(chunk, place, end - place, made, place - from + 1);
  return made;
}

/** Puts a key into the list of its type; `single`: the postings word it will have. False = no memory, nothing changed. */
export function orderAdd(index: usize, key: usize, single: u32): bool {
  const type = load<u32>(key, KEY_TYPE);
  const heap = load<u32>(index, INDEX_HEAP);
  const value = key + KEY_VALUE;
  const rank = rankOf(type, value);
  const list = orderList(index, type);
  if (list == 0) return listStart(index, heap, type, rank, key, single);
  if (!blocksReserve(2)) return false;
  const i = chunkSearch(list, type, rank, value);
  const chunk = chunkOf(list, i);
  const count = load<u32>(chunk);
  const place = pairSearch(chunk, type, rank, value, false);
  if (count < CHUNK_MOST) {
    const made = chunkWith(heap, chunk, 0, count, place, rank, key, single);
    if (made == 0) return false;
    atomic.store<u32>(entryAt(list, i) + ENTRY_CHUNK, <u32>made);
    blockRetire(chunk);
    return true;
  }
  // Keys that keep growing leave full chunks behind them.
  const chunks = load<u32>(list);
  const last = place == count && i == chunks - 1;
  const half = last ? count : count >> 1;
  const lower = last ? chunk : chunkWith(heap, chunk, 0, half, place <= half ? place : NONE, rank, key, single);
  const above = last || place > half ? place : NONE;
  const upper: usize = lower == 0 ? 0 : chunkWith(heap, chunk, half, count, above, rank, key, single);
  const grown: usize = upper == 0 ? 0 : directoryMake(heap, chunks + 1);
  if (grown == 0) {
    if (upper != 0) release(PURPOSE_INDEXES, upper);
    if (lower != 0 && !last) release(PURPOSE_INDEXES, lower);
    return false;
  }
  memory.copy(entryAt(grown, 0), entryAt(list, 0), (<usize>i + 1) << ENTRY_BYTES_SHIFT);
  memory.copy(entryAt(grown, i + 2), entryAt(list, i + 1), (<usize>(chunks - i - 1)) << ENTRY_BYTES_SHIFT);
  store<u32>(entryAt(grown, i), <u32>lower, ENTRY_CHUNK);
  entryWrite(grown, i + 1, upper);
  atomic.store<u32>(rootOf(index, type), <u32>grown);
  blockRetire(list);
  if (!last) blockRetire(chunk);
  return true;
}

function listStart(index: usize, heap: u32, type: u32, rank: u64, key: usize, single: u32): bool {
  const chunk = chunkMake(heap, 1);
  if (chunk == 0) return false;
  const list = directoryMake(heap, 1);
  if (list == 0) {
    release(PURPOSE_INDEXES, chunk);
    return false;
  }
  pairWrite(chunk, 0, rank, key, single);
  entryWrite(list, 0, chunk);
  atomic.store<u32>(rootOf(index, type), <u32>list);
  return true;
}

/** The key has other elements than its one from now on. */
export function orderShared(index: usize, key: usize): void {
  const type = load<u32>(key, KEY_TYPE);
  const list = orderList(index, type);
  const rank = rankOf(type, key + KEY_VALUE);
  const chunk = chunkOf(list, chunkSearch(list, type, rank, key + KEY_VALUE));
  const place = pairSearch(chunk, type, rank, key + KEY_VALUE, false);
  atomic.store<u32>(pairAt(chunk, place) + PAIR_SINGLE, 0);
}

/** Takes a key out of the list of its type. False = no memory, nothing changed. The caller has room for two retires and more. */
export function orderRemove(index: usize, key: usize): bool {
  const type = load<u32>(key, KEY_TYPE);
  const heap = load<u32>(index, INDEX_HEAP);
  const list = orderList(index, type);
  const value = key + KEY_VALUE;
  const rank = rankOf(type, value);
  const i = chunkSearch(list, type, rank, value);
  const chunk = chunkOf(list, i);
  const place = pairSearch(chunk, type, rank, value, false);
  const count = load<u32>(chunk);
  if (count == 1) return chunkDrop(index, heap, type, list, i);
  const made = chunkMake(heap, count - 1);
  if (made == 0) return false;
  pairsCopy(chunk, 0, place, made, 0);
  pairsCopy(chunk, place + 1, count - place - 1, made, place);
  atomic.store<u32>(entryAt(list, i) + ENTRY_CHUNK, <u32>made);
  blockRetire(chunk);
  return true;
}

function chunkDrop(index: usize, heap: u32, type: u32, list: usize, i: u32): bool {
  const chunks = load<u32>(list);
  let shrunk: usize = 0;
  if (chunks != 1) {
    shrunk = directoryMake(heap, chunks - 1);
    if (shrunk == 0) return false;
    memory.copy(entryAt(shrunk, 0), entryAt(list, 0), (<usize>i) << ENTRY_BYTES_SHIFT);
    memory.copy(entryAt(shrunk, i), entryAt(list, i + 1), (<usize>(chunks - i - 1)) << ENTRY_BYTES_SHIFT);
  }
  const chunk = chunkOf(list, i);
  atomic.store<u32>(rootOf(index, type), <u32>shrunk);
  blockRetire(list);
  blockRetire(chunk);
  return true;
}
