// BFS: hops from a source along the arcs of the view, direction-optimizing (Beamer, Asanović, Patterson 2012). A round turns a frontier,
// the vertices at one distance, into the next one, in the cheapest of three ways:
//
//   queue       few arcs: one thread follows them top-down, from a queue into a queue
//   top-down    each member notes the targets of the frontier's arcs, a byte each, in an array of its own; then a phase over all vertices
//               takes those noted that are not reached yet. Members share no cache line while they note
//   bottom-up   each vertex not reached yet looks for a neighbour in the frontier and stops at the first: the neighbour of most arcs is
//               asked before the others (`firsts` of the projection). Only where the view holds each edge at both of its ends
//
// Invariant: in the round of level k exactly the vertices at distance k + 1 are reached. All of them get the same level, so it does not
// matter by whom; the order within a queue depends on the arcs, and nothing depends on it.
//
// Cost: O(vertices + arcs), far less of the arcs bottom-up. Memory: 5 bytes and three bits a vertex, and a byte a vertex for each member.
// What is reached and what is in the frontier is a bit a vertex, so both stay in the first or second cache. A level is written once, when
// its vertex is reached; a last phase marks what is unreachable. Levels are bytes up to WIDE_LEVEL, words beyond.
//
// Measured (benchmarks/analytics, one and two threads, medians, 4-core EPYC, f617a88): words claimed one by one, without `firsts` → this
//   RMAT 20          9.3 → 2.3 ms    5.1 → 1.3
//   RMAT 18          1.01 → .41      .54 → .26
//   WordNet          2.7 → 1.7       1.52 → .97
//   package graph    1.37 → .85      .76 → .48
//   grid of 700²     17 → 14         14 → 13

import { NONE } from '../memory/layout';
import { isSymmetric } from './build';
import {
  address, get, JOB_CONVERGED, JOB_ITERATIONS, JOB_MEMBERS, JOB_PHASE, JOB_PROJECTION, JOB_RESULT, JOB_RESULT_TYPE, JOB_SOURCE, JOB_SUM,
  JOB_TOTAL, JOB_WORDS, jobFinish, jobStopped, number, partial, RESULT_U32, RESULT_U8, room, set, setNumber, setWord, sumPartials, word,
} from './job';
import {
  CHUNK_VERTICES, EXACT_DEGREES, leavesFrom, P_CHUNK_COUNT, P_CHUNKS, P_COUNT, P_FIRSTS, P_OFFSETS, P_RUNS, P_TARGETS, P_VIEW, restFrom,
  runEnd, smallFrom,
} from './projection';

const QUEUE: usize = JOB_WORDS;
const NEXT_QUEUE: usize = JOB_WORDS + 4;
const SEEN: usize = JOB_WORDS + 8; //       vertices that are reached
const BITS: usize = JOB_WORDS + 12; //      the frontier, unless it is a queue
const NEXT_BITS: usize = JOB_WORDS + 16;
const NOTES: usize = JOB_WORDS + 20; //     of each member: NOTES_HEAD bytes, a byte a vertex
const LEVEL: usize = JOB_WORDS + 24; //     distance of the frontier
const FRONTIER: usize = JOB_WORDS + 28; //  vertices in it
const ARCS: usize = JOB_WORDS + 32; //      their arcs
const REACHED: usize = JOB_WORDS + 36;
const QUEUED: usize = JOB_WORDS + 40; //    1: the frontier is a queue
const WIDE: usize = JOB_WORDS + 44; //      a word a vertex for levels that no longer fit in bytes

/** What a round leaves of a chunk behind the number of arcs: how many vertices were found. */
const FOUND: u32 = 1;

const PHASE_START: u32 = 0;
const PHASE_QUEUE: u32 = 1;
const PHASE_BOTTOM_UP: u32 = 2;
const PHASE_FINISH: u32 = 3;
const PHASE_TOP_DOWN: u32 = 4;
const PHASE_MARK: u32 = 5;
const PHASE_WIDEN: u32 = 6;

/** From this level on levels are words. */
const WIDE_LEVEL: u32 = CORE_DEBUG != 0 ? 3 : 255;

/** Before a member's notes: u32 1 when they have been cleared; from LIST on room for the vertices of a chunk. */
const LIST: usize = 64;
const NOTES_HEAD: usize = 16_448;
/** Bytes that are cleared between two looks at whether the run is to stop. */
const CLEAR_BYTES: usize = 1 << 20;

/** A round goes by a queue up to so many arcs and vertices, or this part of all vertices, but not beyond the work of a slice. */
const QUEUE_LEAST: u32 = CORE_DEBUG != 0 ? 4 : 1024;
const QUEUE_PART: u32 = 64;
const QUEUE_MOST: u32 = CORE_DEBUG != 0 ? 64 : 65_536;
// What a round costs, in nanoseconds or so: for each arc and each vertex of the frontier by a queue and top-down, for each vertex that
// looks bottom-up, and for each that it passes over since it is reached.
const QUEUE_COST: f64 = 10;
const NOTE_ARC: f64 = 0.75;
const NOTE_VERTEX: f64 = 8;
const BOTTOM_UP_COST: f64 = 5;
const PASS_COST: f64 = 0.0125;
/** Up to so many arcs a vertex looks at all of them: leaving at the first would be guessed wrong more often than it saves. */
const FEW_ARCS: u32 = 6;
/** With more of 32 vertices than this all of them look. */
const MANY_BITS: u32 = 12;

export function bfsBytes(vertices: u32, members: u32): u64 {
  return room(vertices, 1) + room(vertices, 4) + 3 * bitBytes(vertices) + 2 * queueBytes(vertices) + <u64>members * notesBytes(vertices);
}

function bitBytes(vertices: u32): u64 {
  return room((vertices + 31) >> 5, 4);
}

function notesBytes(vertices: u32): u64 {
  return <u64>NOTES_HEAD + room(vertices, 1);
}

function queueBytes(vertices: u32): u64 {
  return room(queueMost(vertices), 4);
}

function queueMost(vertices: u32): u32 {
  return min<u32>(QUEUE_MOST, max<u32>(QUEUE_LEAST, vertices / QUEUE_PART));
}

export function bfsBegin(job: usize, at: usize): u32 {
  const count = get(address(job, JOB_PROJECTION), P_COUNT);
  set(job, JOB_RESULT, <u32>at);
  at += <usize>room(count, 1);
  set(job, WIDE, <u32>at);
  at += <usize>room(count, 4);
  for (let i: usize = 0; i < 3; i++) {
    set(job, SEEN + (i << 2), <u32>at);
    at += <usize>bitBytes(count);
  }
  set(job, QUEUE, <u32>at);
  at += <usize>queueBytes(count);
  set(job, NEXT_QUEUE, <u32>at);
  at += <usize>queueBytes(count);
  set(job, NOTES, <u32>at);
  const members = get(job, JOB_MEMBERS);
  for (let member: u32 = 0; member < members; member++) {
    store<u32>(at, 0);
    at += <usize>notesBytes(count);
  }
  set(job, JOB_RESULT_TYPE, RESULT_U8);
  set(job, JOB_CONVERGED, 1);
  return u32(count != 0);
}

export function bfsChunk(job: usize, chunk: u32, member: u32): void {
  const projection = address(job, JOB_PROJECTION);
  const phase = get(job, JOB_PHASE);
  if (phase == PHASE_QUEUE) {
    queueRound(job, projection);
  } else if (phase == PHASE_TOP_DOWN) {
    topDown(job, projection, chunk, member);
  } else if (phase == PHASE_START) {
    memory.fill(address(job, SEEN), 0, <usize>bitBytes(get(projection, P_COUNT)));
  } else {
    const first = chunk * CHUNK_VERTICES;
    const end = min<u32>(first + CHUNK_VERTICES, reachable(projection));
    const whole = min<u32>(first + CHUNK_VERTICES, get(projection, P_COUNT));
    if (phase == PHASE_BOTTOM_UP) bottomUp(job, projection, chunk, first, end, member);
    else if (phase == PHASE_MARK) mark(job, projection, chunk, first, end);
    else if (phase == PHASE_WIDEN) widen(job, first, whole);
    else if (phase == PHASE_FINISH) finish(job, first, whole);
    else unreachable();
  }
}

/** From this position on no vertex is reached but the source, which has no arc then. */
function reachable(projection: usize): u32 {
  return isSymmetric(get(projection, P_VIEW)) ? restFrom(projection) : get(projection, P_COUNT);
}

// --- By a queue ---------------------------------------------------------------------------------------------------------------

/** The whole round top-down: few vertices and arcs, as `fitsQueue` says. */
function queueRound(job: usize, projection: usize): void {
  const offsets = address(projection, P_OFFSETS);
  const targets = address(projection, P_TARGETS);
  const levels = address(job, JOB_RESULT);
  const seen = address(job, SEEN);
  const queue = address(job, QUEUE);
  const next = address(job, NEXT_QUEUE);
  const count = get(job, FRONTIER);
  const level = get(job, LEVEL) + 1;
  const wide = isWide(job);
  let found: u32 = 0;
  let arcs: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const v = word(queue, i);
    let arc = targets + ((<usize>word(offsets, v)) << 2);
    const last = targets + ((<usize>word(offsets, v + 1)) << 2);
    for (; arc < last; arc += 4) {
      const w = load<u32>(arc);
      const bits = word(seen, w >> 5);
      if ((bits >> (w & 31)) & 1) continue;
      setWord(seen, w >> 5, bits | (1 << (w & 31)));
      if (wide) setWord(levels, w, level);
      else store<u8>(levels + <usize>w, level);
      setWord(next, found++, w);
      arcs += word(offsets, w + 1) - word(offsets, w);
    }
  }
  store<f64>(partial(job, 0), <f64>arcs);
  setNumber(partial(job, 0), FOUND, <f64>found);
}

function fitsQueue(job: usize, projection: usize): bool {
  return <u64>get(job, ARCS) + <u64>get(job, FRONTIER) <= <u64>queueMost(get(projection, P_COUNT));
}

/** Puts the frontier, which is bits, into the queue. The partial numbers are those of the phase that found it. */
function gather(job: usize, projection: usize): void {
  const bits = address(job, BITS);
  const queue = address(job, QUEUE);
  const end = reachable(projection);
  let count: u32 = 0;
  for (let from: u32 = 0, chunk: u32 = 0; from < end; from += CHUNK_VERTICES, chunk++) {
    if (number(partial(job, chunk), FOUND) == 0) continue;
    const to = min<u32>(from + CHUNK_VERTICES, end);
    for (let v = from; v < to; v += 32) {
      if ((v & 127) == 0 && v + 128 <= to && !v128.any_true(v128.load(bits + (<usize>(v >> 3))))) {
        v += 96;
        continue;
      }
      for (let left = word(bits, v >> 5); left != 0; left &= left - 1) setWord(queue, count++, v + ctz(left));
    }
  }
  set(job, QUEUED, 1);
}

/** Makes the frontier, which is a queue, bits. */
function place(job: usize, projection: usize): void {
  const bits = address(job, BITS);
  const queue = address(job, QUEUE);
  const count = get(job, FRONTIER);
  memory.fill(bits, 0, <usize>bitBytes(get(projection, P_COUNT)));
  for (let i: u32 = 0; i < count; i++) {
    const v = word(queue, i);
    setWord(bits, v >> 5, word(bits, v >> 5) | (1 << (v & 31)));
  }
  set(job, QUEUED, 0);
}

// --- Top-down ---------------------------------------------------------------------------------------------------------------

/** The bytes of a member, all 0 before a top-down round and after it, once it has cleared them. */
function notesOf(job: usize, projection: usize, member: u32): usize {
  return address(job, NOTES) + NOTES_HEAD + <usize>notesBytes(get(projection, P_COUNT)) * <usize>member;
}

/** Has the member itself clear its notes, so that they lie in its caches. False: the run is to stop. */
function clearNotes(job: usize, notes: usize, bytes: usize): bool {
  for (let at: usize = 0; at < bytes; at += CLEAR_BYTES) {
    if (jobStopped(job) != 0) return false;
    memory.fill(notes + at, 0, min<usize>(CLEAR_BYTES, bytes - at));
  }
  store<u32>(notes - NOTES_HEAD, 1);
  return true;
}

/** Notes the targets of the frontier's arcs, of a chunk of the projection. */
function topDown(job: usize, projection: usize, chunk: u32, member: u32): void {
  const offsets = address(projection, P_OFFSETS);
  const targets = address(projection, P_TARGETS);
  const bits = address(job, BITS);
  const chunks = address(projection, P_CHUNKS);
  const from = word(chunks, chunk);
  const to = min<u32>(word(chunks, chunk + 1), reachable(projection));
  const notes = notesOf(job, projection, member);
  for (let v = from; v < to; v = (v | 31) + 1) {
    let left = word(bits, v >> 5) >> (v & 31);
    if (left == 0) continue;
    const rest = to - v;
    if (rest < 32) left &= (1 << rest) - 1;
    if (left != 0 && load<u32>(notes - NOTES_HEAD) == 0) {
      if (!clearNotes(job, notes, (<usize>reachable(projection) + 31) & ~31)) return;
    }
    for (; left != 0; left &= left - 1) {
      const w = v + ctz(left);
      noteTargets(notes, targets + ((<usize>word(offsets, w)) << 2), targets + ((<usize>word(offsets, w + 1)) << 2));
    }
  }
}

// @ts-ignore: decorator
@inline
function noteTargets(notes: usize, arc: usize, last: usize): void {
  for (; arc + 16 <= last; arc += 16) {
    store<u8>(notes + <usize>load<u32>(arc), 1);
    store<u8>(notes + <usize>load<u32>(arc, 4), 1);
    store<u8>(notes + <usize>load<u32>(arc, 8), 1);
    store<u8>(notes + <usize>load<u32>(arc, 12), 1);
  }
  for (; arc < last; arc += 4) store<u8>(notes + <usize>load<u32>(arc), 1);
}

/** Vertices of [from, to) that a member has noted and that are not reached are the next frontier; `from` is a multiple of 32. */
function mark(job: usize, projection: usize, chunk: u32, from: u32, to: u32): void {
  const seen = address(job, SEEN);
  const next = address(job, NEXT_BITS);
  const notes = notesOf(job, projection, 0);
  const bytes = <usize>notesBytes(get(projection, P_COUNT));
  const members = get(job, JOB_MEMBERS);
  let found: u32 = 0;
  let arcs: u32 = 0;
  degreeBegin(projection);
  for (let v = from; v < to; v += 32) {
    let hits = takeNotes(notes + <usize>v, notes - NOTES_HEAD, bytes, members);
    if (hits != 0) {
      const known = word(seen, v >> 5);
      hits &= ~known;
      if (hits != 0) {
        setWord(seen, v >> 5, known | hits);
        found += popcnt(hits);
        arcs += reach(job, projection, v, hits, degreeOf(projection, v, min<u32>(v + 32, to)));
      }
    }
    setWord(next, v >> 5, hits);
  }
  store<f64>(partial(job, chunk), <f64>arcs);
  setNumber(partial(job, chunk), FOUND, <f64>found);
}

/** Which of 32 bytes any member has set; they are 0 then. `head`: of the first member's notes. */
// @ts-ignore: decorator
@inline
function takeNotes(at: usize, head: usize, bytes: usize, members: u32): u32 {
  const none = i8x16.splat(0);
  let low = none;
  let high = none;
  for (let i: u32 = 0; i < members; i++) {
    if (load<u32>(head) != 0) {
      const lowest = v128.load(at);
      const highest = v128.load(at, 16);
      if (v128.any_true(v128.or(lowest, highest))) {
        v128.store(at, none);
        v128.store(at, none, 16);
        low = v128.or(low, lowest);
        high = v128.or(high, highest);
      }
    }
    at += bytes;
    head += bytes;
  }
  return <u32>i8x16.bitmask(i8x16.ne(low, none)) | (<u32>i8x16.bitmask(i8x16.ne(high, none)) << 16);
}

// The run of equal degrees that a chunk has come to, and where it ends.
let runDegree: u32 = 0;
let runTo: u32 = 0;

/** Before a chunk, whose vertices are then asked for in ascending order. */
function degreeBegin(projection: usize): void {
  runDegree = EXACT_DEGREES;
  runTo = get(projection, P_RUNS) == 0 ? NONE : smallFrom(projection);
}

/** How many arcs each vertex of [v, last) has, if all have equally many and less than EXACT_DEGREES; else NONE. */
// @ts-ignore: decorator
@inline
function degreeOf(projection: usize, v: u32, last: u32): u32 {
  while (v >= runTo) runTo = runEnd(projection, --runDegree);
  return runDegree < EXACT_DEGREES && last <= runTo ? runDegree : NONE;
}

/**
 * Writes the level of the vertices `hits` says of 32 from `v` on, a multiple of 32; answers how many arcs they have. `degree`: of each of
 * the 32, if that is known; else NONE.
 */
function reach(job: usize, projection: usize, v: u32, hits: u32, degree: u32): u32 {
  const levels = address(job, JOB_RESULT);
  const level = get(job, LEVEL) + 1;
  if (isWide(job)) {
    for (let left = hits; left != 0; left &= left - 1) setWord(levels, v + ctz(left), level);
  } else {
    const at = levels + <usize>v;
    const levelAll = i8x16.splat(<i8>level);
    const bits = i32x4.splat(hits);
    v128.store(at, v128.bitselect(levelAll, v128.load(at), lowMask(bits)));
    v128.store(at, v128.bitselect(levelAll, v128.load(at, 16), highMask(bits)), 16);
  }
  if (degree != NONE) return <u32>popcnt(hits) * degree;
  const offsets = address(projection, P_OFFSETS) + ((<usize>v) << 2);
  let arcs: u32 = 0;
  for (; hits != 0; hits &= hits - 1) {
    const place = <u32>ctz(hits);
    arcs += word(offsets, place + 1) - word(offsets, place);
  }
  return arcs;
}

/** A byte of ones for each of the lower 16 bits that is set. */
// @ts-ignore: decorator
@inline
function lowMask(bits: v128): v128 {
  return maskOf(i8x16.swizzle(bits, i8x16(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1)));
}

/** The same of the upper 16 bits. */
// @ts-ignore: decorator
@inline
function highMask(bits: v128): v128 {
  return maskOf(i8x16.swizzle(bits, i8x16(2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3)));
}

// @ts-ignore: decorator
@inline
function maskOf(bytes: v128): v128 {
  const places = i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128);
  return i8x16.eq(v128.and(bytes, places), places);
}

// --- Bottom-up -----------------------------------------------------------------------------------------------------------------

/**
 * Vertices of [from, to) that are not reached look for a neighbour in the frontier; `from` is a multiple of 32. In steps, each over all of
 * them and without a branch that depends on what is found where there can be none: so the processor fetches the rows of many at once.
 */
function bottomUp(job: usize, projection: usize, chunk: u32, from: u32, to: u32, member: u32): void {
  const list = notesOf(job, projection, member) - NOTES_HEAD + LIST;
  const next = address(job, NEXT_BITS) + ((<usize>(from >> 5)) << 2);
  const seen = address(job, SEEN) + ((<usize>(from >> 5)) << 2);
  const count = bottomUpFirsts(job, projection, from, to, list);
  if (count != 0) bottomUpRows(job, projection, list, count);
  let found: u32 = 0;
  let arcs: u32 = 0;
  degreeBegin(projection);
  for (let v = from; v < to; v += 32) {
    const at = (<usize>((v - from) >> 5)) << 2;
    const hits = load<u32>(next + at);
    if (hits == 0) continue;
    store<u32>(seen + at, load<u32>(seen + at) | hits);
    found += popcnt(hits);
    arcs += reach(job, projection, v, hits, degreeOf(projection, v, min<u32>(v + 32, to)));
  }
  store<f64>(partial(job, chunk), <f64>arcs);
  setNumber(partial(job, chunk), FOUND, <f64>found);
}

/** Those whose first neighbour is in the frontier are the next one so far; the others are listed, unless they have no other. */
function bottomUpFirsts(job: usize, projection: usize, from: u32, to: u32, list: usize): u32 {
  const firsts: usize = get(projection, P_RUNS) == 0 ? 0 : address(projection, P_FIRSTS);
  const leaves = firsts == 0 ? to : leavesFrom(projection);
  const seen = address(job, SEEN);
  const bits = address(job, BITS);
  const next = address(job, NEXT_BITS);
  const none = i32x4.splat(0);
  let count: u32 = 0;
  for (let v = from; v < to; v += 32) {
    const at = (<usize>(v >> 5)) << 2;
    if ((v & 127) == 0 && v + 128 <= to && !v128.any_true(v128.not(v128.load(seen + at)))) {
      v128.store(next + at, none);
      v += 96;
      continue;
    }
    let left = ~load<u32>(seen + at);
    if (to - v < 32) left &= (1 << (to - v)) - 1;
    let hits: u32 = 0;
    if (left != 0 && firsts != 0) hits = bottomUpFirst(bits, firsts + ((<usize>v) << 2), left, v + 32 <= to);
    store<u32>(next + at, hits);
    if (v >= leaves) continue;
    for (left &= ~hits; left != 0; left &= left - 1) setWord(list, count++, v + ctz(left));
  }
  return count;
}

/** Those of a list that have a neighbour in the frontier are the next one, too. */
function bottomUpRows(job: usize, projection: usize, list: usize, count: u32): void {
  const offsets = address(projection, P_OFFSETS);
  const targets = address(projection, P_TARGETS);
  const bits = address(job, BITS);
  const next = address(job, NEXT_BITS);
  let others: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const v = word(list, i);
    const at = offsets + ((<usize>v) << 2);
    let arc = targets + ((<usize>load<u32>(at)) << 2);
    const end = targets + ((<usize>load<u32>(at, 4)) << 2);
    let any: u32 = 0;
    if (end - arc > 4 * <usize>FEW_ARCS) {
      any = isIn(bits, load<u32>(arc)) | isIn(bits, load<u32>(arc, 4)) | isIn(bits, load<u32>(arc, 8)) | isIn(bits, load<u32>(arc, 12));
      setWord(list, others, v);
      others += any ^ 1;
    } else {
      for (; arc < end; arc += 4) any |= isIn(bits, load<u32>(arc));
    }
    setWord(next, v >> 5, word(next, v >> 5) | (any << (v & 31)));
  }
  for (let i: u32 = 0; i < others; i++) {
    const v = word(list, i);
    let arc = targets + ((<usize>word(offsets, v)) << 2) + 16;
    const end = targets + ((<usize>word(offsets, v + 1)) << 2);
    for (; arc < end; arc += 4) {
      if (isIn(bits, load<u32>(arc)) == 0) continue;
      setWord(next, v >> 5, word(next, v >> 5) | (1 << (v & 31)));
      break;
    }
  }
}

// @ts-ignore: decorator
@inline
function isIn(bits: usize, v: u32): u32 {
  return (word(bits, v >> 5) >> (v & 31)) & 1;
}

/** Which of 32 vertices have their first neighbour in the frontier; only those in `left` look. `whole`: all 32 have one. */
// @ts-ignore: decorator
@inline
function bottomUpFirst(bits: usize, firsts: usize, left: u32, whole: bool): u32 {
  let hits: u32 = 0;
  if (!whole || <u32>popcnt(left) <= MANY_BITS) {
    for (; left != 0; left &= left - 1) {
      const place = <u32>ctz(left);
      hits |= isIn(bits, word(firsts, place)) << place;
    }
    return hits;
  }
  for (let i: u32 = 0; i < 32; i += 4) {
    const four = isIn(bits, load<u32>(firsts)) | (isIn(bits, load<u32>(firsts, 4)) << 1);
    hits |= (four | (isIn(bits, load<u32>(firsts, 8)) << 2) | (isIn(bits, load<u32>(firsts, 12)) << 3)) << i;
    firsts += 16;
  }
  return hits & left;
}

// --- Rounds ------------------------------------------------------------------------------------------------------------------

export function bfsNext(job: usize): u32 {
  const projection = address(job, JOB_PROJECTION);
  const phase = get(job, JOB_PHASE);
  if (phase == PHASE_START) return first(job, projection);
  if (phase == PHASE_TOP_DOWN) {
    set(job, JOB_PHASE, PHASE_MARK);
    return chunksOf(reachable(projection));
  }
  if (phase == PHASE_FINISH) {
    set(job, JOB_ITERATIONS, 1);
    store<f64>(job, <f64>get(job, REACHED), JOB_SUM);
    jobFinish(job);
    return 0;
  }
  if (phase == PHASE_WIDEN) {
    set(job, JOB_RESULT, get(job, WIDE));
    set(job, JOB_RESULT_TYPE, RESULT_U32);
    return nextRound(job, projection);
  }
  const chunks = get(job, JOB_TOTAL);
  const found = <u32>sumPartials(job, chunks, FOUND);
  set(job, ARCS, <u32>sumPartials(job, chunks, 0));
  set(job, FRONTIER, found);
  set(job, REACHED, get(job, REACHED) + found);
  set(job, LEVEL, get(job, LEVEL) + 1);
  if (phase == PHASE_QUEUE) exchange(job, QUEUE, NEXT_QUEUE);
  else exchange(job, BITS, NEXT_BITS);
  // Before the next phase has numbers of its own.
  if (get(job, QUEUED) == 0 && get(job, ARCS) != 0 && fitsQueue(job, projection) && !isBottomUp(job, projection)) gather(job, projection);
  return nextRound(job, projection);
}

function exchange(job: usize, field: usize, other: usize): void {
  const value = get(job, field);
  set(job, field, get(job, other));
  set(job, other, value);
}

function first(job: usize, projection: usize): u32 {
  const source = get(job, JOB_SOURCE);
  if (source == NONE) return lastPhase(job, projection);
  store<u8>(address(job, JOB_RESULT) + <usize>source, 0);
  setWord(address(job, SEEN), source >> 5, 1 << (source & 31));
  setWord(address(job, QUEUE), 0, source);
  set(job, QUEUED, 1);
  set(job, FRONTIER, 1);
  set(job, REACHED, 1);
  const offsets = address(projection, P_OFFSETS);
  set(job, ARCS, word(offsets, source + 1) - word(offsets, source));
  return nextRound(job, projection);
}

/** Chooses how the frontier goes on; answers the chunks of that. */
function nextRound(job: usize, projection: usize): u32 {
  if (get(job, ARCS) == 0) return lastPhase(job, projection);
  if (!isWide(job) && get(job, LEVEL) + 1 == WIDE_LEVEL) {
    set(job, JOB_PHASE, PHASE_WIDEN);
    return chunksOf(get(projection, P_COUNT));
  }
  const upward = isBottomUp(job, projection);
  if (!upward && get(job, QUEUED) != 0 && fitsQueue(job, projection)) {
    set(job, JOB_PHASE, PHASE_QUEUE);
    return 1;
  }
  if (get(job, QUEUED) != 0) place(job, projection);
  set(job, JOB_PHASE, upward ? PHASE_BOTTOM_UP : PHASE_TOP_DOWN);
  return upward ? chunksOf(reachable(projection)) : get(projection, P_CHUNK_COUNT);
}

/** Whether it is cheaper to look for a neighbour in the frontier than to go on from there. */
function isBottomUp(job: usize, projection: usize): bool {
  if (!isSymmetric(get(projection, P_VIEW))) return false;
  const arcs = <f64>get(job, ARCS);
  const vertices = <f64>get(job, FRONTIER);
  const all = <f64>reachable(projection);
  const cost = fitsQueue(job, projection) ? QUEUE_COST * (arcs + vertices) : NOTE_ARC * arcs + NOTE_VERTEX * vertices;
  return cost > BOTTOM_UP_COST * (all - <f64>get(job, REACHED)) + PASS_COST * all;
}

/** Chunks of a phase over so many vertices. */
function chunksOf(vertices: u32): u32 {
  return (vertices + CHUNK_VERTICES - 1) / CHUNK_VERTICES;
}

function lastPhase(job: usize, projection: usize): u32 {
  set(job, JOB_PHASE, PHASE_FINISH);
  return chunksOf(get(projection, P_COUNT));
}

function isWide(job: usize): bool {
  return get(job, JOB_RESULT_TYPE) == RESULT_U32;
}

/** Levels of [from, to) become words. */
function widen(job: usize, from: u32, to: u32): void {
  const levels = address(job, JOB_RESULT);
  const wide = address(job, WIDE);
  for (let v = from; v < to; v++) setWord(wide, v, load<u8>(levels + <usize>v));
}

/** Vertices of [from, to) that were not reached get no level; `from` is a multiple of 32. */
function finish(job: usize, from: u32, to: u32): void {
  const levels = address(job, JOB_RESULT);
  const seen = address(job, SEEN);
  const wide = isWide(job);
  for (let v = from; v < to; v += 32) {
    const known = word(seen, v >> 5);
    if (known == NONE) continue;
    if (!wide) {
      const at = levels + <usize>v;
      const bits = i32x4.splat(known);
      v128.store(at, v128.or(v128.load(at), v128.not(lowMask(bits))));
      v128.store(at, v128.or(v128.load(at, 16), v128.not(highMask(bits))), 16);
      continue;
    }
    let left = ~known;
    if (to - v < 32) left &= (1 << (to - v)) - 1;
    for (; left != 0; left &= left - 1) setWord(levels, v + ctz(left), NONE);
  }
}
