// What a property looked like up to its value. In a file of a million lines the bytes `"name":{"type":"System.String","value":"` come
// a million times, mostly behind the same property as before: an entry holds such bytes with the key and type they mean, and the
// entry that followed last. Where the prediction holds, a property costs one comparison; where it does not, it is parsed and looked
// up. Predictions are only ever trusted after comparing bytes, so stale ones cost time and never truth.
//
//   entries   ENTRY_LIMIT x 32 bytes, then 2 x ENTRY_LIMIT words (hash: entry + 1), then ENTRY_TEXT_LIMIT bytes of text
//
// When either is full all entries are forgotten. It may know nothing of values.

import { allocate } from '../memory/allocator';
import { NONE, PURPOSE_SCRATCH } from '../memory/layout';
import { buildGeneration, buildString } from '../transaction/build';
import { hashBytes } from '../values/hash';
import { equalStrings } from '../values/utf8';
import { S_BUILDER, S_ENTRIES, S_ENTRY_COUNT, S_ENTRY_TEXT } from './session';

const ENTRY_LIMIT: u32 = 1024;
const ENTRY_BYTES: usize = 32;
const ENTRY_TEXT_LIMIT: u32 = 65536 * 2;
/** Longer than this is not worth remembering. */
const LONGEST_TEXT: u32 = 1024;
/** `"":{"type":"","value":"` has 23 bytes, so comparing may always step by 16. */
const SHORTEST_TEXT: u32 = 16;

const E_TEXT: usize = 0; //       address
const E_TEXT_BYTES: usize = 4;
const E_TYPE: usize = 8;
const E_STRING: usize = 12; //    number of the key in transaction E_GENERATION
const E_GENERATION: usize = 16;
const E_NEXT: usize = 20;
const E_KEY: usize = 24; //       address of the key's text
const E_KEY_BYTES: usize = 28;

const TABLE: usize = ENTRY_BYTES * <usize>ENTRY_LIMIT;
const TEXTS: usize = TABLE + 8 * <usize>ENTRY_LIMIT;
const ALL_BYTES: usize = TEXTS + <usize>ENTRY_TEXT_LIMIT;

/** Gives the session its entries; false: no memory. */
export function predictionsInit(session: usize): bool {
  const entries = allocate(0, PURPOSE_SCRATCH, ALL_BYTES);
  if (entries == 0) return false;
  store<u32>(session, <u32>entries, S_ENTRIES);
  forget(session);
  return true;
}

function forget(session: usize): void {
  memory.fill(<usize>load<u32>(session, S_ENTRIES) + TABLE, 0, 8 * <usize>ENTRY_LIMIT);
  store<u32>(session, 0, S_ENTRY_COUNT);
  store<u32>(session, 0, S_ENTRY_TEXT);
}

/** Address of entry `number`, 0 when there is none. */
// @ts-ignore: decorator
@inline
export function predicted(session: usize, number: u32): usize {
  return number < load<u32>(session, S_ENTRY_COUNT)
    ? <usize>load<u32>(session, S_ENTRIES) + <usize>number * ENTRY_BYTES
    : 0;
}

// @ts-ignore: decorator
@inline
export function entryNumber(session: usize, entry: usize): u32 {
  return <u32>(entry - load<u32>(session, S_ENTRIES)) / <u32>ENTRY_BYTES;
}

// @ts-ignore: decorator
@inline
export function entryType(entry: usize): u32 {
  return load<u32>(entry, E_TYPE);
}

/** Address of the key's text. */
// @ts-ignore: decorator
@inline
export function entryText(entry: usize): usize {
  return <usize>load<u32>(entry, E_KEY);
}

// @ts-ignore: decorator
@inline
export function entryTextBytes(entry: usize): u32 {
  return load<u32>(entry, E_KEY_BYTES);
}

/** Address of the word that predicts the entry after this one. */
// @ts-ignore: decorator
@inline
export function entryNext(entry: usize): usize {
  return entry + E_NEXT;
}

/** Bytes of the entry's text when it stands at `p`, else 0. */
// @ts-ignore: decorator
@inline
export function entryMatches(entry: usize, p: usize): u32 {
  const text = <usize>load<u32>(entry, E_TEXT);
  const bytes = load<u32>(entry, E_TEXT_BYTES);
  const last = <usize>bytes - 16;
  let difference = v128.xor(v128.load(text + last), v128.load(p + last));
  for (let at: usize = 0; at < last; at += 16) {
    difference = v128.or(difference, v128.xor(v128.load(text + at), v128.load(p + at)));
  }
  return v128.any_true(difference) ? 0 : bytes;
}

/** The key's number in the transaction under construction, NONE without memory. */
// @ts-ignore: decorator
@inline
export function entryKey(session: usize, entry: usize): u32 {
  const builder = <usize>load<u32>(session, S_BUILDER);
  const generation = buildGeneration(builder);
  if (load<u32>(entry, E_GENERATION) == generation) return load<u32>(entry, E_STRING);
  const key = buildString(builder, load<u32>(entry, E_KEY), load<u32>(entry, E_KEY_BYTES));
  if (key != NONE) {
    store<u32>(entry, key, E_STRING);
    store<u32>(entry, generation, E_GENERATION);
  }
  return key;
}

/**
 * The entry of a text that was parsed to the key `keyText` (string `key` of this transaction) and the type; made when it is new.
 * 0 when the text is not worth an entry.
 */
export function remember(
  session: usize,
  text: usize,
  textBytes: u32,
  keyText: usize,
  keyBytes: u32,
  key: u32,
  type: u32,
): usize {
  if (textBytes < SHORTEST_TEXT || textBytes > LONGEST_TEXT) return 0;
  const base = <usize>load<u32>(session, S_ENTRIES);
  const mask = 2 * ENTRY_LIMIT - 1;
  let slot = hashBytes(text, textBytes) & mask;
  let found = load<u32>(base + TABLE + (<usize>slot << 2));
  while (found != 0) {
    const entry = base + <usize>(found - 1) * ENTRY_BYTES;
    if (equalStrings(load<u32>(entry, E_TEXT), load<u32>(entry, E_TEXT_BYTES), text, textBytes)) return entry;
    slot = (slot + 1) & mask;
    found = load<u32>(base + TABLE + (<usize>slot << 2));
  }
  const count = load<u32>(session, S_ENTRY_COUNT);
  const used = load<u32>(session, S_ENTRY_TEXT);
  if (count == ENTRY_LIMIT || used + textBytes + keyBytes > ENTRY_TEXT_LIMIT) {
    // The next property makes the first entry of a fresh start.
    forget(session);
    return 0;
  }
  const copy = base + TEXTS + used;
  memory.copy(copy, text, textBytes);
  memory.copy(copy + textBytes, keyText, keyBytes);
  const entry = base + <usize>count * ENTRY_BYTES;
  store<u32>(entry, <u32>copy, E_TEXT);
  store<u32>(entry, textBytes, E_TEXT_BYTES);
  store<u32>(entry, type, E_TYPE);
  store<u32>(entry, key, E_STRING);
  store<u32>(entry, buildGeneration(<usize>load<u32>(session, S_BUILDER)), E_GENERATION);
  store<u32>(entry, NONE, E_NEXT);
  store<u32>(entry, <u32>copy + textBytes, E_KEY);
  store<u32>(entry, keyBytes, E_KEY_BYTES);
  store<u32>(base + TABLE + (<usize>slot << 2), count + 1);
  store<u32>(session, count + 1, S_ENTRY_COUNT);
  store<u32>(session, used + textBytes + keyBytes, S_ENTRY_TEXT);
  return entry;
}
