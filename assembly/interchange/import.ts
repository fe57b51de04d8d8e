// Bulk import, from chunks of bytes to transactions. The host's loop:
//
//   session = importBegin(batchSize, lineLimit)
//   for each chunk: copy it to importInput(session, bytes), then status = importFeed(session, bytes)
//   at the end of the body:                                      status = importEnd(session)
//   while status is IMPORT_BATCH: apply importTransaction(session) and log it, then status = importResume(session)
//   IMPORT_FAILED: importError, importErrorLine, ... say why;  always: importDrop(session)
//
// A session owns all its memory: its transaction buffer and its input stay as they are while the host waits, whatever other requests
// do. The input is one buffer that holds the unfinished line in front of the new chunk, so no line is ever copied, and its size is
// bounded by the line limit plus the largest chunk. A batch ends when it has `batchSize` elements or holds 2 MiB. The batch
// under construction when a line fails is never handed out. Only the writer's thread may import.

import { allocate, blockBytes, release } from '../memory/allocator';
import { NONE, PURPOSE_SCRATCH } from '../memory/layout';
import { OK } from '../status';
import {
  buildBegin, buildCreates, buildEnd, builderBase, builderBytes, builderCreate, builderDrop, buildHeld, buildTime,
} from '../transaction/build';
import { TX_FIRST_ID } from '../transaction/format';
import {
  BYTE_ORDER_MARK, COUNT_MISMATCH, FIELD_EDGE_COUNT, FIELD_VERTEX_COUNT, IMPORT_BATCH, IMPORT_DONE, IMPORT_FAILED, IMPORT_MORE,
  IMPORT_NO_MEMORY, LINE_OK, LINE_TOO_LONG,
} from './codes';
import { fileIdsDrop, fileIdsInit } from './file-ids';
import { fail, failedAt, failedField, failedText, failedTextBytes, failNamed, LINE_FEED, skipBlank } from './json';
import { linesBegin, readLine, SCRATCH_PLACES } from './lines';
import { predictionsInit } from './predictions';
import {
  RUN_FIRST_ID, RUN_SHIFT, S_BATCH_ORDINAL, S_BATCH_SIZE, S_BUFFER, S_BUILDER, S_CAPACITY, S_COLUMN, S_COMMA_BYTES, S_COMMA_LINE,
  S_COMMA_TEXT, S_COMMAS, S_EDGES, S_END, S_ENTRIES, S_ERROR, S_EXPECTED_EDGES, S_EXPECTED_VERTICES, S_FIELD, S_FILE_IDS, S_FIRST_ENTRY,
  S_LINE, S_LINE_LIMIT, S_MS, S_RUN_CAPACITY, S_RUN_COUNT, S_RUNS, S_SCANNED, S_SCRATCH, S_SCRATCH_BYTES, S_SECONDS, S_START, S_STATE,
  S_TEXT, S_TEXT_BYTES, S_VERTICES, SESSION_BYTES, STATE_BATCH, STATE_DONE, STATE_ENDING, STATE_FAILED, STATE_LAST_BATCH, STATE_READING,
} from './session';

/** Bytes behind the input that parsers may read: a prediction compares up to 1 KiB at once. */
const SLACK: u32 = 2048;
/** A batch with this much in operations, strings and templates is full, however few elements it has: it is applied in one piece. */
const BATCH_BYTES: u64 = 2 << 20;
/** The scratch must hold the longest text without escapes; what stands before it, and what may be written behind. */
const SCRATCH_SLACK: u32 = <u32>SCRATCH_PLACES + 128;

// --- Lifetime -------------------------------------------------------------------------------------------------------------------------

/**
 * Starts an import whose batches have up to `batchSize` elements (at least 1) and whose lines have up to `lineLimit` bytes, line feed
 * not counted. The handle, or 0: no memory.
 */
export function importBegin(batchSize: u32, lineLimit: u32): usize {
  const session = allocate(0, PURPOSE_SCRATCH, SESSION_BYTES);
  if (session == 0) return 0;
  memory.fill(session, 0, SESSION_BYTES);
  store<u32>(session, max<u32>(batchSize, 1), S_BATCH_SIZE);
  store<u32>(session, max<u32>(lineLimit, 1), S_LINE_LIMIT);
  store<u32>(session, NONE, S_EXPECTED_VERTICES);
  store<u32>(session, NONE, S_EXPECTED_EDGES);
  store<u32>(session, NONE, S_FIRST_ENTRY);
  store<u32>(session, NONE, S_FIRST_ENTRY + 4);
  const builder = builderCreate();
  store<u32>(session, <u32>builder, S_BUILDER);
  if (
    builder == 0 ||
    !fileIdsInit(session + S_FILE_IDS) ||
    !predictionsInit(session) ||
    !ensureScratch(session, 256) ||
    buildBegin(builder, 0, 0) != OK
  ) {
    importDrop(session);
    return 0;
  }
  return session;
}

/** Frees everything the import holds, in whatever state it is. */
export function importDrop(session: usize): void {
  const builder = <usize>load<u32>(session, S_BUILDER);
  if (builder != 0) builderDrop(builder);
  fileIdsDrop(session + S_FILE_IDS);
  releaseWord(session + S_BUFFER, 0);
  releaseWord(session + S_SCRATCH, SCRATCH_PLACES);
  releaseWord(session + S_RUNS, 0);
  releaseWord(session + S_ENTRIES, 0);
  release(PURPOSE_SCRATCH, session);
}

function releaseWord(word: usize, before: usize): void {
  const address = <usize>load<u32>(word);
  if (address != 0) release(PURPOSE_SCRATCH, address - before);
}

/** Room for `bytes` of text without escapes. Contents are lost. */
function ensureScratch(session: usize, bytes: u32): bool {
  if (bytes <= load<u32>(session, S_SCRATCH_BYTES)) return true;
  const wanted = max<u64>(<u64>bytes, 2 * <u64>load<u32>(session, S_SCRATCH_BYTES)) + SCRATCH_SLACK;
  if (wanted > 0x80000000) return false;
  const address = allocate(0, PURPOSE_SCRATCH, <usize>wanted);
  if (address == 0) return false;
  releaseWord(session + S_SCRATCH, SCRATCH_PLACES);
  store<u32>(session, <u32>(address + SCRATCH_PLACES), S_SCRATCH);
  store<u32>(session, <u32>wanted - SCRATCH_SLACK, S_SCRATCH_BYTES);
  return true;
}

// --- Input ----------------------------------------------------------------------------------------------------------------------------

/**
 * Where to copy the next chunk of `bytes`; 0: no memory. To be called before each importFeed, when the chunk before is consumed.
 */
export function importInput(session: usize, bytes: u32): usize {
  const start = load<u32>(session, S_START);
  const kept = load<u32>(session, S_END) - start;
  const need = <u64>kept + bytes + SLACK;
  const old = <usize>load<u32>(session, S_BUFFER);
  if (need > <u64>load<u32>(session, S_CAPACITY)) {
    const wanted = max<u64>(need, min<u64>(2 * <u64>load<u32>(session, S_CAPACITY), need + (1 << 20)));
    if (wanted > 0x80000000) return 0;
    const address = allocate(0, PURPOSE_SCRATCH, <usize>wanted);
    if (address == 0) return 0;
    memory.copy(address, old + start, kept);
    if (old != 0) release(PURPOSE_SCRATCH, old);
    store<u32>(session, <u32>address, S_BUFFER);
    store<u32>(session, <u32>blockBytes(address), S_CAPACITY);
  } else if (start != 0) {
    memory.copy(old, old + start, kept);
  }
  store<u32>(session, load<u32>(session, S_SCANNED) - start, S_SCANNED);
  store<u32>(session, 0, S_START);
  store<u32>(session, kept, S_END);
  return <usize>load<u32>(session, S_BUFFER) + kept;
}

/** Sets the commit time of the batches handed out from now on. */
export function importTime(session: usize, timeSeconds: u32, timeMs: f64): void {
  store<u32>(session, timeSeconds, S_SECONDS);
  store<f64>(session, timeMs, S_MS);
}

/** Parses the `bytes` that were copied to importInput: IMPORT_MORE, IMPORT_BATCH or IMPORT_FAILED. */
export function importFeed(session: usize, bytes: u32): i32 {
  if (load<u32>(session, S_STATE) != STATE_READING) return misuse(session);
  const end = load<u32>(session, S_END) + bytes;
  store<u32>(session, end, S_END);
  // The line feed behind the bytes ends every token of a line that is not complete; it belongs to nothing.
  store<u8>(<usize>load<u32>(session, S_BUFFER) + end, LINE_FEED);
  return readLines(session);
}

/**
 * Goes on after a batch was applied, whose first id is in the buffer then: what importFeed or importEnd would have answered without
 * the batch.
 */
export function importResume(session: usize): i32 {
  const state = load<u32>(session, S_STATE);
  if (state != STATE_BATCH && state != STATE_LAST_BATCH) return misuse(session);
  if (!keepRun(session)) return failSession(session, IMPORT_NO_MEMORY);
  const builder = <usize>load<u32>(session, S_BUILDER);
  store<u32>(session, load<u32>(session, S_BATCH_ORDINAL) + buildCreates(builder), S_BATCH_ORDINAL);
  if (state == STATE_LAST_BATCH) {
    store<u32>(session, STATE_DONE, S_STATE);
    return IMPORT_DONE;
  }
  if (buildBegin(builder, 0, 0) != OK) return failSession(session, IMPORT_NO_MEMORY);
  store<u32>(session, STATE_READING, S_STATE);
  return readLines(session);
}

/** The body is over: its last line, if it has no line feed, and the meta line's promises. IMPORT_DONE, IMPORT_BATCH or IMPORT_FAILED. */
export function importEnd(session: usize): i32 {
  if (load<u32>(session, S_STATE) != STATE_READING) return misuse(session);
  const start = load<u32>(session, S_START);
  const end = load<u32>(session, S_END);
  if (end > start) {
    linesBegin();
    if (!oneLine(session, <usize>load<u32>(session, S_BUFFER) + start, end - start)) return IMPORT_FAILED;
    store<u32>(session, end, S_START);
  }
  const expectedVertices = load<u32>(session, S_EXPECTED_VERTICES);
  const expectedEdges = load<u32>(session, S_EXPECTED_EDGES);
  if (expectedVertices != NONE && expectedVertices != load<u32>(session, S_VERTICES)) {
    return failCount(session, FIELD_VERTEX_COUNT);
  }
  if (expectedEdges != NONE && expectedEdges != load<u32>(session, S_EDGES)) return failCount(session, FIELD_EDGE_COUNT);
  store<u32>(session, STATE_ENDING, S_STATE);
  if (buildCreates(<usize>load<u32>(session, S_BUILDER)) == 0) {
    store<u32>(session, STATE_DONE, S_STATE);
    return IMPORT_DONE;
  }
  return handOut(session, STATE_LAST_BATCH);
}

function failCount(session: usize, field: u32): i32 {
  failNamed(COUNT_MISMATCH, 0, 0, 0, field);
  return failSession(session, COUNT_MISMATCH);
}

// --- Lines ----------------------------------------------------------------------------------------------------------------------------

/** First line feed from `p` on. There is one behind the input. */
// @ts-ignore: decorator
@inline
function lineEnd(p: usize): usize {
  while (true) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(p), i8x16.splat(10)));
    if (found != 0) return p + ctz(found);
    p += 16;
  }
  return 0;
}

function readLines(session: usize): i32 {
  linesBegin();
  const buffer = <usize>load<u32>(session, S_BUFFER);
  const builder = <usize>load<u32>(session, S_BUILDER);
  const end = buffer + load<u32>(session, S_END);
  const batchSize = load<u32>(session, S_BATCH_SIZE);
  let p = buffer + load<u32>(session, S_START);
  let feed = lineEnd(buffer + load<u32>(session, S_SCANNED));
  while (feed < end) {
    if (!oneLine(session, p, <u32>(feed - p))) return IMPORT_FAILED;
    p = feed + 1;
    if (buildCreates(builder) >= batchSize || buildHeld(builder) >= BATCH_BYTES) {
      store<u32>(session, <u32>(p - buffer), S_START);
      store<u32>(session, <u32>(p - buffer), S_SCANNED);
      return handOut(session, STATE_BATCH);
    }
    feed = lineEnd(p);
  }
  store<u32>(session, <u32>(p - buffer), S_START);
  store<u32>(session, <u32>(end - buffer), S_SCANNED);
  if (end - p > <usize>load<u32>(session, S_LINE_LIMIT)) return failLong(session, p);
  return IMPORT_MORE;
}

/** Parses the line of `bytes` at `p` and counts it. */
function oneLine(session: usize, p: usize, bytes: u32): bool {
  const line = load<u32>(session, S_LINE);
  let code = LINE_OK;
  if (bytes > load<u32>(session, S_LINE_LIMIT)) {
    failLong(session, p);
    return false;
  }
  if (line == 0 && bytes >= 3 && (load<u32>(p) & 0xffffff) == 0xbfbbef) {
    fail(BYTE_ORDER_MARK, p);
    code = BYTE_ORDER_MARK;
  } else if (load<u8>(skipBlank(p)) != LINE_FEED) {
    if (bytes <= load<u32>(session, S_SCRATCH_BYTES) || ensureScratch(session, bytes)) {
      code = readLine(session, p, bytes);
    } else {
      fail(IMPORT_NO_MEMORY, p);
      code = IMPORT_NO_MEMORY;
    }
  }
  if (code != LINE_OK) {
    failLine(session, code, p);
    return false;
  }
  store<u32>(session, line + 1, S_LINE);
  return true;
}

function failLong(session: usize, p: usize): i32 {
  fail(LINE_TOO_LONG, p + load<u32>(session, S_LINE_LIMIT));
  failLine(session, LINE_TOO_LONG, p);
  return IMPORT_FAILED;
}

/** Keeps the failure of the line at `p`, which counts as read. */
function failLine(session: usize, code: i32, p: usize): void {
  store<u32>(session, load<u32>(session, S_LINE) + 1, S_LINE);
  failSession(session, code);
  store<u32>(session, failedAt() >= p ? <u32>(failedAt() - p) + 1 : 0, S_COLUMN);
}

/** Ends the session. A failure that has no line of its own is reported at the last line read, column 0. */
function failSession(session: usize, code: i32): i32 {
  const ofParser = code != IMPORT_NO_MEMORY;
  store<u32>(session, STATE_FAILED, S_STATE);
  store<u32>(session, code, S_ERROR);
  store<u32>(session, 0, S_COLUMN);
  store<u32>(session, ofParser ? <u32>failedText() : 0, S_TEXT);
  store<u32>(session, ofParser ? failedTextBytes() : 0, S_TEXT_BYTES);
  store<u32>(session, ofParser ? failedField() : 0, S_FIELD);
  return IMPORT_FAILED;
}

/** A call out of order answers what the session came to: nothing is parsed. */
function misuse(session: usize): i32 {
  const state = load<u32>(session, S_STATE);
  if (state == STATE_DONE) return IMPORT_DONE;
  return state == STATE_BATCH || state == STATE_LAST_BATCH ? IMPORT_BATCH : IMPORT_FAILED;
}

// --- Batches --------------------------------------------------------------------------------------------------------------------------

function handOut(session: usize, state: u32): i32 {
  const builder = <usize>load<u32>(session, S_BUILDER);
  buildTime(builder, load<u32>(session, S_SECONDS), load<f64>(session, S_MS));
  if (buildEnd(builder) != OK) return failSession(session, IMPORT_NO_MEMORY);
  store<u32>(session, state, S_STATE);
  return IMPORT_BATCH;
}

/** Notes which ids the applied batch got, for edges that come later; false: no memory. */
function keepRun(session: usize): bool {
  const ordinal = load<u32>(session, S_BATCH_ORDINAL);
  const firstId = load<u32>(builderBase(<usize>load<u32>(session, S_BUILDER)), TX_FIRST_ID);
  const count = load<u32>(session, S_RUN_COUNT);
  let runs = <usize>load<u32>(session, S_RUNS);
  if (count != 0) {
    const last = runs + (<usize>(count - 1) << RUN_SHIFT);
    if (load<u32>(last, RUN_FIRST_ID) + (ordinal - load<u32>(last)) == firstId) return true;
  }
  if (count == load<u32>(session, S_RUN_CAPACITY)) {
    const capacity = max<u32>(16, count * 2);
    const address = allocate(0, PURPOSE_SCRATCH, <usize>capacity << RUN_SHIFT);
    if (address == 0) return false;
    memory.copy(address, runs, <usize>count << RUN_SHIFT);
    releaseWord(session + S_RUNS, 0);
    runs = address;
    store<u32>(session, <u32>address, S_RUNS);
    store<u32>(session, capacity, S_RUN_CAPACITY);
  }
  store<u32>(runs + (<usize>count << RUN_SHIFT), ordinal);
  store<u32>(runs + (<usize>count << RUN_SHIFT), firstId, RUN_FIRST_ID);
  store<u32>(session, count + 1, S_RUN_COUNT);
  return true;
}

/** Address of the batch that IMPORT_BATCH announced; it stays until importResume. */
export function importTransaction(session: usize): usize {
  return builderBase(<usize>load<u32>(session, S_BUILDER));
}

export function importTransactionBytes(session: usize): u32 {
  return builderBytes(<usize>load<u32>(session, S_BUILDER));
}

/** Elements in the batch. */
export function importBatchElements(session: usize): u32 {
  return buildCreates(<usize>load<u32>(session, S_BUILDER));
}

// --- Results --------------------------------------------------------------------------------------------------------------------------

/** Lines read: meta, blank and the failed one included, so after IMPORT_FAILED it is the failed line's number. */
export function importLinesRead(session: usize): u32 {
  return load<u32>(session, S_LINE);
}

/** Numbers so far whose commas part something else than thousands. */
export function importCommas(session: usize): u32 {
  return load<u32>(session, S_COMMAS);
}

/** Line of the first of them, and its text, cut. */
export function importCommaLine(session: usize): u32 {
  return load<u32>(session, S_COMMA_LINE);
}

export function importCommaText(session: usize): usize {
  return session + S_COMMA_TEXT;
}

export function importCommaTextBytes(session: usize): u32 {
  return load<u32>(session, S_COMMA_BYTES);
}

/** Vertex lines accepted, the batch under construction included: all of them after IMPORT_DONE. */
export function importVertices(session: usize): u32 {
  return load<u32>(session, S_VERTICES);
}

export function importEdges(session: usize): u32 {
  return load<u32>(session, S_EDGES);
}

/** After IMPORT_FAILED: a code of codes.ts. */
export function importError(session: usize): i32 {
  return load<u32>(session, S_ERROR);
}

/** Byte of the line the failure was seen at, from 1; 0 when it concerns no byte. */
export function importErrorColumn(session: usize): u32 {
  return load<u32>(session, S_COLUMN);
}

/** The name the failure is about, as it stands in the line (escapes included); 0 bytes when there is none. */
export function importErrorText(session: usize): usize {
  return load<u32>(session, S_TEXT);
}

export function importErrorTextBytes(session: usize): u32 {
  return load<u32>(session, S_TEXT_BYTES);
}

/** FIELD_* of codes.ts: the member the failure is about; 0 when it is none. */
export function importErrorField(session: usize): u32 {
  return load<u32>(session, S_FIELD);
}
