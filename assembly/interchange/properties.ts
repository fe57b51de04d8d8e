// The `properties` object of a bulk line: each member `key: { type, value }` becomes a key of the template and a value of the
// operation under construction in the session's builder. What a property looks like up to its value is predicted from the one
// before it (predictions.ts). Keys of the engine's own (values/reserved.ts) take what the engine would write there, and nothing else.
// It may know nothing of the members around the object.

import { WORD_TYPE, WORD_VALUE } from '../generated/words';
import { KIND_EDGE } from '../graph/elements';
import { NONE } from '../memory/layout';
import { buildAdvance, buildAt, buildHint, buildKey, buildString } from '../transaction/build';
import { typeFromName } from '../values/names';
import { parseValue } from '../values/parse';
import { INFO_ASCII, RECORD_HEADER, RECORD_INFO } from '../values/record';
import { isEmbeddingName, isEmbeddingVector, KEY_EMBEDDING, KEY_FREE, reservedKey } from '../values/reserved';
import { parseSingleArray } from '../values/single-array';
import { isWide, TYPE_NONE, TYPE_SINGLE_ARRAY, TYPE_STRING } from '../values/types';
import { utf16Info } from '../values/utf8';
import {
  BAD_EMBEDDING, BAD_EMBEDDING_NAME, BAD_EMBEDDING_TYPE, BAD_VALUE_TEXT, DUPLICATE_FIELD, DUPLICATE_PROPERTY, FIELD_TYPE, FIELD_VALUE,
  IMPORT_NO_MEMORY, MALFORMED_JSON, MISSING_FIELD, UNKNOWN_FIELD, UNKNOWN_TYPE,
} from './codes';
import { noticeCommas } from './commas';
import {
  CLOSE_BRACE, COLON, COMMA, escapesSeen, expect, fail, failNamed, failValue, OPEN_BRACE, QUOTE, scanPlain, skipBlank, stringEnd, unescape,
} from './json';
import { entryKey, entryMatches, entryNext, entryNumber, entryText, entryTextBytes, entryType, predicted, remember } from './predictions';
import { S_BUILDER, S_FIRST_ENTRY, S_SCRATCH } from './session';

// The key under way, as it stands in the line: for error messages.
let rawKey: usize = 0;
let rawKeyBytes: u32 = 0;
// The value found by the general way: its text behind the opening quote, the key's string and its type.
let valueAt: usize = 0;
let valueKey: u32 = 0;
let valueType: u32 = 0;
let valueEntry: usize = 0;
/** The value under way is an embedding's vector. */
let isEmbedding: bool = false;
// Set when `value` stood before `type`: how the property goes on behind the value is known already.
let valueWasFirst: bool = false;
let afterPair: usize = 0;

/**
 * Reads the object behind its opening brace; answers the address behind the closing brace, 0 after a failure. `home` is the string
 * whose hint predicts the first property (the label of a vertex, the type of an edge) or NONE.
 */
export function readProperties(session: usize, p: usize, kind: u32, home: u32): usize {
  const builder = <usize>load<u32>(session, S_BUILDER);
  p = skipBlank(p);
  if (load<u8>(p) == CLOSE_BRACE) return p + 1;
  let previous: usize = 0;
  let guess = load<u32>(home == NONE ? firstEntry(session, kind) : buildHint(builder, home, kind));
  while (true) {
    let entry = predicted(session, guess);
    const matched = entry != 0 ? entryMatches(entry, p) : 0;
    if (matched != 0) {
      const key = entryKey(session, entry);
      if (key == NONE) return fail(IMPORT_NO_MEMORY, p);
      rawKey = p + 1;
      if (!buildKey(builder, key, entryType(entry))) return failKey(DUPLICATE_PROPERTY, p);
      const type = entryType(entry);
      if (type == TYPE_SINGLE_ARRAY) isEmbedding = reservedKey(entryText(entry), entryTextBytes(entry)) == KEY_EMBEDDING;
      p = readValue(session, builder, p + matched, type);
      if (p == 0) return 0;
      p = load<u8>(p) == CLOSE_BRACE ? p + 1 : closePair(p);
      if (p == 0) return 0;
    } else {
      p = readPair(session, builder, p);
      if (p == 0) return 0;
      entry = valueEntry;
      if (entry != 0) {
        const word = previous != 0 ? entryNext(previous) : home == NONE ? firstEntry(session, kind) : buildHint(builder, home, kind);
        store<u32>(word, entryNumber(session, entry));
      }
    }
    previous = entry;
    guess = entry != 0 ? load<u32>(entryNext(entry)) : NONE;
    let byte = <u32>load<u8>(p);
    if (byte != COMMA && byte != CLOSE_BRACE) {
      p = skipBlank(p);
      byte = load<u8>(p);
    }
    if (byte == CLOSE_BRACE) return p + 1;
    if (byte != COMMA) return fail(MALFORMED_JSON, p);
    p += 1;
    if (load<u8>(p) != QUOTE) p = skipBlank(p);
  }
  return 0;
}

// @ts-ignore: decorator
@inline
function firstEntry(session: usize, kind: u32): usize {
  return session + S_FIRST_ENTRY + (<usize>(kind == KIND_EDGE) << 2);
}

/** Fails at `at` with the key under way, whose end a predicted property has not looked for. */
function failKey(code: i32, at: usize): usize {
  return failNamed(code, at, rawKey, <u32>(stringEnd(rawKey) - rawKey), 0);
}

/** Behind a pair whose value stood last. */
function closePair(p: usize): usize {
  p = skipBlank(p);
  if (load<u8>(p) == CLOSE_BRACE) return p + 1;
  // Both members are there: another one is a name too many, anything else no JSON.
  if (load<u8>(p) != COMMA) return fail(MALFORMED_JSON, p);
  p = skipBlank(p + 1);
  if (load<u8>(p) != QUOTE) return fail(MALFORMED_JSON, p);
  const end = stringEnd(p + 1);
  if (end == 0) return 0;
  const field = pairField(p + 1, end);
  return failNamed(field == 0 ? UNKNOWN_FIELD : DUPLICATE_FIELD, p, p + 1, <u32>(end - p) - 1, field);
}

/** FIELD_TYPE, FIELD_VALUE or 0 for the member name between `p` and its closing quote; sees through escapes. */
function pairField(p: usize, end: usize): u32 {
  let word: u64 = 0;
  let bytes: u32 = 0;
  let at = p;
  // A name of five characters may be written with up to thirty.
  while (at < end && bytes < 8) {
    let byte = <u32>load<u8>(at);
    at += 1;
    if (byte == 92) {
      if (load<u8>(at) != 117) return 0;
      const high = load<u16>(at, 1);
      if (high != 0x3030) return 0;
      byte = (hexDigit(load<u8>(at, 3)) << 4) | hexDigit(load<u8>(at, 4));
      at += 5;
    }
    word |= (<u64>byte) << <u64>(bytes << 3);
    bytes += 1;
  }
  if (at != end) return 0;
  if (bytes == 4 && word == WORD_TYPE) return FIELD_TYPE;
  return bytes == 5 && word == WORD_VALUE ? FIELD_VALUE : 0;
}

// @ts-ignore: decorator
@inline
function hexDigit(byte: u32): u32 {
  return byte < 58 ? byte - 48 : (byte | 0x20) - 87;
}

/** One whole property, whatever its order and white space. Leaves its entry in `valueEntry`; answers the address behind it or 0. */
function readPair(session: usize, builder: usize, p: usize): usize {
  const start = p;
  if (load<u8>(p) != QUOTE) return fail(MALFORMED_JSON, p);
  rawKey = p + 1;
  const keyEnd = stringEnd(rawKey);
  if (keyEnd == 0) return 0;
  rawKeyBytes = <u32>(keyEnd - rawKey);
  let keyText = rawKey;
  let keyBytes = rawKeyBytes;
  if (escapesSeen()) {
    keyText = <usize>load<u32>(session, S_SCRATCH);
    keyBytes = unescape(rawKey, keyEnd, keyText);
  }
  const reserved = reservedKey(keyText, keyBytes);
  const isNamed = reserved == KEY_FREE || isEmbeddingName(keyText, keyBytes, reserved);
  const key = buildString(builder, keyText, keyBytes);
  if (key == NONE) return fail(IMPORT_NO_MEMORY, p);
  p = expect(keyEnd + 1, COLON);
  if (p == 0) return 0;
  if (load<u8>(p) != OPEN_BRACE) return failValue(p, 0);
  valueKey = key;
  if (!readPairHead(session, skipBlank(p + 1))) return 0;
  if (!isNamed) return failNamed(BAD_EMBEDDING_NAME, start, rawKey, rawKeyBytes, 0);
  isEmbedding = reserved == KEY_EMBEDDING;
  if (reserved != KEY_FREE && valueType != (isEmbedding ? TYPE_SINGLE_ARRAY : TYPE_STRING)) {
    return failNamed(BAD_EMBEDDING_TYPE, start, rawKey, rawKeyBytes, 0);
  }
  if (!buildKey(builder, key, valueType)) return failNamed(DUPLICATE_PROPERTY, start, rawKey, rawKeyBytes, 0);
  const first = valueWasFirst;
  const textAt = valueAt;
  if (first) {
    valueEntry = 0;
  } else {
    // The key may have been unescaped to the scratch, which the type's name may have overwritten: unescape it again.
    if (keyText != rawKey) keyBytes = unescape(rawKey, keyEnd, keyText);
    valueEntry = remember(session, start, <u32>(textAt - start), keyText, keyBytes, key, valueType);
  }
  p = readValue(session, builder, textAt, valueType);
  if (p == 0) return 0;
  if (first) return afterPair;
  return load<u8>(p) == CLOSE_BRACE ? p + 1 : closePair(p);
}

/**
 * Reads a pair's members from the first name on, up to the value's opening quote when `type` comes first, else the whole pair.
 */
function readPairHead(session: usize, p: usize): bool {
  valueWasFirst = false;
  let seen: u32 = 0;
  if (load<u8>(p) == CLOSE_BRACE) return failNamed(MISSING_FIELD, p, rawKey, rawKeyBytes, FIELD_TYPE) != 0;
  while (true) {
    if (load<u8>(p) != QUOTE) return fail(MALFORMED_JSON, p) != 0;
    const name = p + 1;
    const nameEnd = stringEnd(name);
    if (nameEnd == 0) return false;
    const field = pairField(name, nameEnd);
    if (field == 0) return failNamed(UNKNOWN_FIELD, p, name, <u32>(nameEnd - name), 0) != 0;
    if (seen & (1 << field)) return failNamed(DUPLICATE_FIELD, p, name, <u32>(nameEnd - name), field) != 0;
    seen |= 1 << field;
    p = expect(nameEnd + 1, COLON);
    if (p == 0) return false;
    if (load<u8>(p) != QUOTE) return failValue(p, field) != 0;
    if (field == FIELD_TYPE) {
      p = readType(session, p + 1);
    } else {
      valueAt = p + 1;
      if (seen & (1 << FIELD_TYPE)) return true;
      p = stringEnd(p + 1);
      if (p != 0) p += 1;
    }
    if (p == 0) return false;
    p = skipBlank(p);
    if (load<u8>(p) == CLOSE_BRACE) break;
    if (load<u8>(p) != COMMA) return fail(MALFORMED_JSON, p) != 0;
    p = skipBlank(p + 1);
  }
  if (!(seen & (1 << FIELD_TYPE))) return failNamed(MISSING_FIELD, p, rawKey, rawKeyBytes, FIELD_TYPE) != 0;
  if (!(seen & (1 << FIELD_VALUE))) return failNamed(MISSING_FIELD, p, rawKey, rawKeyBytes, FIELD_VALUE) != 0;
  valueWasFirst = true;
  afterPair = p + 1;
  return true;
}

/** The type's name from behind its quote; behind the closing quote, 0 after a failure. */
function readType(session: usize, p: usize): usize {
  const end = stringEnd(p);
  if (end == 0) return 0;
  let text = p;
  let bytes = <u32>(end - p);
  if (escapesSeen()) {
    text = <usize>load<u32>(session, S_SCRATCH);
    bytes = unescape(p, end, text);
  }
  valueType = typeFromName(text, bytes);
  if (valueType == TYPE_NONE) return failNamed(UNKNOWN_TYPE, p, p, <u32>(end - p), FIELD_TYPE);
  return end + 1;
}

// --- Values ---------------------------------------------------------------------------------------------------------------------------

/** Reads the value's string from behind its quote into the builder; behind its closing quote, 0 after a failure. */
// @ts-ignore: decorator
@inline
function readValue(session: usize, builder: usize, p: usize, type: u32): usize {
  return type == TYPE_STRING ? readString(builder, p) : readOther(session, builder, p, type);
}

/** Copies while it looks for the end, so plain text is read once. */
function readString(builder: usize, p: usize): usize {
  const out = buildAt(builder);
  const data = out + 8;
  let at: usize = 0;
  let stops: i32 = 0;
  while (true) {
    const chunk = v128.load(p + at);
    v128.store(data + at, chunk);
    stops = i8x16.bitmask(
      v128.or(
        v128.or(i8x16.eq(chunk, i8x16.splat(34)), i8x16.eq(chunk, i8x16.splat(92))),
        i8x16.lt_s(chunk, i8x16.splat(32)),
      ),
    );
    if (stops != 0) break;
    at += 16;
  }
  at += ctz(stops);
  let bytes = <u32>at;
  let info = bytes | INFO_ASCII;
  let end = p + at;
  if (load<u8>(end) != QUOTE) {
    end = stringEnd(p);
    if (end == 0) return 0;
    if (escapesSeen()) {
      bytes = unescape(p, end, data);
    } else {
      bytes = <u32>(end - p);
      memory.copy(data, p, bytes);
    }
    info = utf16Info(data, bytes);
  }
  store<u32>(out, bytes);
  store<u32>(out, info, RECORD_INFO);
  store<u64>(data + bytes, 0);
  buildAdvance(builder, <u32>RECORD_HEADER + ((bytes + 7) & ~7));
  return end + 1;
}

function readOther(session: usize, builder: usize, p: usize, type: u32): usize {
  let end = scanPlain(p);
  let text = p;
  let bytes = <u32>(end - p);
  if (load<u8>(end) != QUOTE) {
    end = stringEnd(p);
    if (end == 0) return 0;
    bytes = <u32>(end - p);
    if (escapesSeen()) {
      text = <usize>load<u32>(session, S_SCRATCH);
      bytes = unescape(p, end, text);
    }
  }
  const out = buildAt(builder);
  if (type == TYPE_SINGLE_ARRAY) {
    const count = parseSingleArray(text, bytes, out + 8, bytes);
    if (count < 0) return failKey(BAD_VALUE_TEXT, p);
    if (isEmbedding && !isEmbeddingVector(out + 8, count)) return failKey(BAD_EMBEDDING, p);
    store<u32>(out, <u32>count << 2);
    store<u32>(out, count, RECORD_INFO);
    store<u32>(out + 8 + (<usize>count << 2), 0);
    buildAdvance(builder, 8 + (((<u32>count << 2) + 7) & ~7));
    return end + 1;
  }
  if (!parseValue(type, text, bytes, out)) return failKey(BAD_VALUE_TEXT, p);
  noticeCommas(session, type, text, bytes);
  buildAdvance(builder, isWide(type) ? 16 : 8);
  return end + 1;
}
