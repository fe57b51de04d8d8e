// The keys of a RegExIndex that may match an expression: those that contain the literals which every match must contain. The trigram table
// names candidates, and the text of each is searched for the literals; what comes out goes to the matcher.
//
//   query     u32 mode, u32 alternatives, then each: u32 literals, then each: u32 bytes, bytes padded to 4. A literal is ASCII in lower
//             case. A key passes when some alternative's literals are all in it; without alternatives every key passes
//   OUTPUT    a record for each key: u32 bytes of its text, u32 elements, the text padded to 4, the elements
//
// Or the matches are counted here (text-count.ts) and only the keys that have some come out, without their texts: what nobody is to see
// need not leave the core. Each alternative is one literal then.
//
//   OUTPUT    u32 bytes of the text, u32 elements, u32 matches (NOT_COUNTED: the text follows, padded to 4, and is the caller's to count),
//             for whole words then u32 matches of each alternative; the elements
//
// A key with a character beyond ASCII is not searched: it may hold one of the two that fold into ASCII. A call ends after so many bytes or
// so many keys looked at, and says where to go on; any thread between readerEnter and readerExit.

import { elementKind } from '../graph/elements';
import { graphState } from '../graph/state';
import {
  outBase, outBegin, outCommit, outReserve, outTruncate, outUsed, scratchAllocate, scratchMark, scratchRelease,
} from '../memory/arena';
import { NONE } from '../memory/layout';
import { outputFailure } from '../read/output';
import { NOT_FOUND, OK, WRONG_KIND } from '../status';
import { INFO_ASCII, RECORD_HEADER, RECORD_INFO } from '../values/record';
import { indexFind } from './catalogue';
import { INDEX_KIND, INDEX_REGEX, KEY_POSTINGS, KEY_VALUE } from './layout';
import { postingsRun, postingsRuns, runCount, runId } from './postings';
import { countBegin, countMatches, countOf } from './text-count';
import {
  blockColumn, blockKey, CLASS_COUNT, classBlock, classBlocks, classColumns, classKeys, columnBytes, trigramNext, trigramsBegin,
} from './trigrams';

/** Keys searched in one call. */
const MOST_KEYS: u32 = 65536;
/** Most bytes of a column of a block. */
const MOST_COLUMN: usize = 64;

// A key that comes out: the bytes of its text come first, then how many ids stand behind it, unless MODE_TEXTS the matches in it, and for
// MODE_WORDS those of each alternative.
const KEY_IDS: usize = 4;
const KEY_MATCHES: usize = 8;
const KEY_WORDS: usize = 12;

/** What comes out of a scan. */
const MODE_TEXTS: u32 = 0;
const MODE_WORDS: u32 = 2; // MODE_MATCHES is 1
/** A text with a character beyond ASCII, which folds in ways of its own. */
const NOT_COUNTED: u32 = 0xffffffff;

let mode: u32 = 0;
let alternativeCount: u32 = 0;
let state: usize = 0;
/** For each alternative: u32 trigrams, then their hashes (scratch). */
let hashes: usize = 0;
let mask: usize = 0;
let seen: u32 = 0;
let nextClass: u32 = 0;
let nextSlot: u32 = 0;

/** Where to go on: the class, CLASS_COUNT when all keys have been seen, and the slot in it. */
export function indexTextClass(): u32 {
  return nextClass;
}

export function indexTextSlot(): u32 {
  return nextSlot;
}

/** Bytes of the literal at `literal` with its length word. */
// @ts-ignore: decorator
@inline
function literalBytes(literal: usize): usize {
  return 4 + ((<usize>load<u32>(literal) + 3) & ~3);
}

/**
 * Writes the keys from slot `slot` of class `from` on that pass the query, until about `limit` bytes. OK, NOT_FOUND without such an
 * index, WRONG_KIND for another kind, NO_MEMORY or ARENA_TOO_SMALL.
 */
export function indexText(graph: usize, name: usize, nameBytes: u32, asked: usize, from: u32, slot: u32, limit: u32): i32 {
  outBegin();
  mode = load<u32>(asked);
  const query = asked + 4;
  alternativeCount = load<u32>(query);
  state = graphState(graph);
  nextClass = from;
  nextSlot = slot;
  seen = 0;
  const index = indexFind(state, name, nameBytes);
  if (index == 0) return NOT_FOUND;
  if (load<u32>(index, INDEX_KIND) != INDEX_REGEX) return WRONG_KIND;
  const mark = scratchMark();
  mask = scratchAllocate(MOST_COLUMN);
  let good = mask != 0 && hashesBuild(query) && (mode == MODE_TEXTS || countBegin(query, mode == MODE_WORDS));
  while (good && nextClass < CLASS_COUNT && seen < MOST_KEYS && outUsed() < <usize>limit) {
    const keys = classKeys(nextClass);
    const block = nextSlot / keys;
    if (block >= classBlocks(index, nextClass)) {
      nextClass++;
      nextSlot = 0;
      continue;
    }
    good = blockScan(classBlock(index, nextClass, block), query, block * keys, keys, limit);
  }
  scratchRelease(mark);
  return good ? OK : outputFailure();
}

/** The hashes of every alternative's trigrams. False: no memory. */
function hashesBuild(query: usize): bool {
  const alternatives = load<u32>(query);
  let bytes: usize = 0;
  let at = query + 4;
  for (let a: u32 = 0; a < alternatives; a++) {
    const literals = load<u32>(at);
    at += 4;
    bytes += 4;
    for (let l: u32 = 0; l < literals; l++) {
      bytes += (<usize>load<u32>(at)) << 2;
      at += literalBytes(at);
    }
  }
  hashes = scratchAllocate(bytes);
  if (hashes == 0) return false;
  let out = hashes;
  at = query + 4;
  for (let a: u32 = 0; a < alternatives; a++) {
    const literals = load<u32>(at);
    at += 4;
    const head = out;
    out += 4;
    for (let l: u32 = 0; l < literals; l++) {
      trigramsBegin(at + 4, load<u32>(at));
      at += literalBytes(at);
      for (let hash = trigramNext(); hash != 0; hash = trigramNext()) {
        store<u32>(out, hash);
        out += 4;
      }
    }
    store<u32>(head, <u32>((out - head - 4) >> 2));
  }
  return true;
}

/** Sets in `mask` the keys of a block that have all trigrams of some alternative. */
function maskFill(block: usize, query: usize): void {
  const c = nextClass;
  const bytes = columnBytes(c);
  const columns = classColumns(c) - 1;
  const alternatives = load<u32>(query);
  memory.fill(mask, alternatives == 0 ? 0xff : 0, bytes);
  let at = hashes;
  for (let a: u32 = 0; a < alternatives; a++) {
    const count = load<u32>(at);
    at += 4;
    for (let b: usize = 0; b < bytes; b += 16) {
      let bits = i64x2.splat(-1);
      for (let i: u32 = 0; i < count; i++) {
        const column = load<u32>(at + ((<usize>i) << 2)) & columns;
        bits = v128.and(bits, v128.load(blockColumn(block, c, column) + b));
      }
      v128.store(mask + b, v128.or(v128.load(mask + b), bits));
    }
    at += (<usize>count) << 2;
  }
}

/** Writes the keys of a block from `nextSlot` on. False: OUTPUT is full. */
function blockScan(block: usize, query: usize, base: u32, keys: u32, limit: u32): bool {
  maskFill(block, query);
  let slot = nextSlot - base;
  while (slot < keys) {
    const bits = load<u64>(mask + <usize>((slot >> 6) << 3)) >> <u64>(slot & 63);
    if (bits == 0) {
      slot = (slot | 63) + 1;
      continue;
    }
    slot += <u32>ctz(bits);
    const key = blockKey(block, slot);
    slot++;
    nextSlot = base + slot;
    if (key == 0) continue;
    seen++;
    if (mode == MODE_TEXTS ? !passes(key + KEY_VALUE, query) : !isCounted(key + KEY_VALUE)) {
      if (seen >= MOST_KEYS) return true;
      continue;
    }
    if (!keyWrite(key)) {
      nextSlot--;
      return false;
    }
    if (outUsed() >= <usize>limit || seen >= MOST_KEYS) return true;
  }
  nextSlot = base + keys;
  return true;
}

// --- The text of a key -----------------------------------------------------------------------------------------------------------------

function passes(record: usize, query: usize): bool {
  const alternatives = load<u32>(query);
  if (alternatives == 0 || (load<u32>(record, RECORD_INFO) & INFO_ASCII) == 0) return true;
  let at = query + 4;
  for (let a: u32 = 0; a < alternatives; a++) {
    const literals = load<u32>(at);
    at += 4;
    let all = true;
    for (let l: u32 = 0; l < literals; l++) {
      all = all && contains(record + RECORD_HEADER, load<u32>(record), at + 4, load<u32>(at));
      at += literalBytes(at);
    }
    if (all) return true;
  }
  return false;
}

// @ts-ignore: decorator
@inline
function lower(byte: u32): u32 {
  return byte - 0x41 < 26 ? byte + 32 : byte;
}

/** Whether an ASCII text contains a lower-case literal, case ignored. */
function contains(text: usize, bytes: u32, literal: usize, length: u32): bool {
  if (length == 0) return true;
  if (bytes < length) return false;
  const first = <u32>load<u8>(literal);
  const end = text + <usize>(bytes - length);
  for (let p = text; p <= end; p++) {
    if (lower(load<u8>(p)) != first) continue;
    let i: u32 = 1;
    while (i < length && lower(load<u8>(p + <usize>i)) == <u32>load<u8>(literal + <usize>i)) i++;
    if (i == length) return true;
  }
  return false;
}

let matches: u32 = 0;

/** Counts the matches in a text, where that can be done here; false: it has none. */
function isCounted(record: usize): bool {
  matches = NOT_COUNTED;
  // Whole words are compared byte by byte, whatever the text.
  if (mode != MODE_WORDS && (load<u32>(record, RECORD_INFO) & INFO_ASCII) == 0) return true;
  matches = countMatches(record + RECORD_HEADER, load<u32>(record));
  return matches != 0;
}

/** Writes a key's record, unless none of its elements is there any more. */
function keyWrite(key: usize): bool {
  const used = outUsed();
  const bytes = load<u32>(key, KEY_VALUE);
  const withText = mode == MODE_TEXTS || matches == NOT_COUNTED;
  const padded = withText ? (<usize>bytes + 3) & ~3 : 0;
  const head: usize = KEY_MATCHES + (mode == MODE_TEXTS ? 0 : 4) + (mode == MODE_WORDS ? (<usize>alternativeCount) << 2 : 0);
  const at = outReserve(head + padded);
  if (at == 0) return false;
  store<u32>(at, bytes);
  if (mode != MODE_TEXTS) store<u32>(at, matches, KEY_MATCHES);
  if (mode == MODE_WORDS) {
    for (let a: u32 = 0; a < alternativeCount; a++) store<u32>(at + KEY_WORDS + ((<usize>a) << 2), countOf(a));
  }
  if (withText) memory.copy(at + head, key + KEY_VALUE + RECORD_HEADER, bytes);
  outCommit(head + padded);
  const word = atomic.load<u32>(key + KEY_POSTINGS);
  let count: u32 = 0;
  if ((word & 1) != 0) count = idsWrite(0, word >> 1, 1);
  else {
    const runs = postingsRuns(word);
    for (let r: u32 = 0; r < runs && count != NONE; r++) {
      const run = postingsRun(word, r);
      const written = idsWrite(run, 0, runCount(run));
      count = written == NONE ? NONE : count + written;
    }
  }
  if (count == NONE || count == 0) {
    outTruncate(used);
    return count == 0;
  }
  countWrite(used, count);
  return true;
}

/** Writes the live ids of a run, or (`run` 0) the one id; NONE: OUTPUT is full. */
function idsWrite(run: usize, one: u32, count: u32): u32 {
  const at = outReserve((<usize>count) << 2);
  if (at == 0) return NONE;
  let out = at;
  for (let i: u32 = 0; i < count; i++) {
    const id = run == 0 ? one : runId(run, i);
    if (id == NONE || elementKind(state, id) == 0) continue;
    store<u32>(out, id);
    out += 4;
  }
  outCommit(out - at);
  return <u32>((out - at) >> 2);
}

/** OUTPUT may have moved since the record was begun. */
function countWrite(used: usize, count: u32): void {
  store<u32>(outBase() + used, count, KEY_IDS);
}
