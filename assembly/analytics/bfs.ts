// BFS: hops from a source along the arcs of the view, direction-optimising (Beamer, Asanović, Patterson 2012): while the frontier is
// small it is expanded; where the view has both ends of each edge and the frontier has many arcs, the vertices not yet reached look
// for a neighbour in it instead, and stop at the first.
//
// Invariant: in the round of level k exactly the vertices at distance k + 1 get their level; who claims one first does not matter,
// since all claim the same level. The order within a queue depends on the threads and nothing else does.
//
// A frontier that is looked for is a bit a vertex, which stays in the first cache (measured: half the time of looking at levels).
//
// A large frontier spreads: each member notes the targets of its arcs, one byte each, in an array of its own, without a look at what was
// there, and a phase over all vertices takes those that have no level yet. So members neither wait for each other's caches, as they do
// when they claim vertices one by one, nor guess which arcs lead to new ones. (Beside claiming, interleaved, medians, one and two
// threads: RMAT 18 3.85 to 1.57 ms and 2.16 to 1.09, WordNet 6.50 to 5.22 and 4.70 to 2.70.)
//
// Cost: O(vertices + arcs), far less of the arcs when rounds turn round; 12 bytes and two bits a vertex, and a byte a vertex and 4 KiB
// for each member.

import { NONE } from '../memory/layout';
import { isSymmetric } from './build';
import {
  address, get, JOB_CONVERGED, JOB_ITERATIONS, JOB_MEMBERS, JOB_PHASE, JOB_PROJECTION, JOB_RESULT, JOB_RESULT_TYPE, JOB_SOURCE,
  JOB_SUM, JOB_TOTAL, JOB_WORDS, jobFinish, partial, RESULT_U32, room, set, setWord, sumPartials, word,
} from './job';
import {
  CHUNK_VERTICES, P_ARCS, P_CHUNK_COUNT, P_CHUNKS, P_COUNT, P_OFFSETS, P_TARGETS, P_VIEW, restFrom, runEnd,
} from './projection';

const LEVELS: usize = JOB_WORDS;
const QUEUE: usize = JOB_WORDS + 4;
const NEXT_QUEUE: usize = JOB_WORDS + 8;
const BUFFERS: usize = JOB_WORDS + 12;
const LEVEL: usize = JOB_WORDS + 16; //    distance of the frontier
const FRONTIER: usize = JOB_WORDS + 20; // vertices in it
const TAIL: usize = JOB_WORDS + 24; //     vertices in the next queue so far
const REACHED: usize = JOB_WORDS + 28;
const ARCS_LEFT: usize = JOB_WORDS + 32; // arcs of vertices not reached yet
const BITS: usize = JOB_WORDS + 36; //      the frontier while it is looked for
const NEXT_BITS: usize = JOB_WORDS + 40;
const ARCS: usize = JOB_WORDS + 44; //      arcs of the frontier

const PHASE_START: u32 = 0;
const PHASE_EXPAND: u32 = 1;
const PHASE_SEEK: u32 = 2;
const PHASE_GATHER: u32 = 3;
const PHASE_SPREAD: u32 = 4;
const PHASE_MARK: u32 = 5;

/**
 * Frontier vertices in one chunk, at least; a large frontier is cut into as many chunks as there are partial numbers for. Few, since a
 * few hubs are most of the work of a round. (RMAT 18, chunk times of one thread dealt out to two: 1.33 times as fast with 256, 1.95
 * with 16. That is a bound; two threads measured 1.58.)
 */
const FRONTIER_CHUNK: u32 = 16;
const BUFFER_WORDS: u32 = 1024;
/**
 * The round turns when the frontier has more than this part of the arcs left, and back when it has less than this part of the vertices
 * and its arcs are fewer than what all the others would look at.
 */
const TURN_PART: u32 = 15;
const LEAST_TURN_PART: u32 = 7;
const TURN_BACK_PART: u32 = 18;
/** What an arc of the frontier costs when it is expanded, in arcs that are looked at; and so many levels seen to be reached cost as one. */
const EXPAND_COST: f64 = 6;
const LOOKS_AN_ARC: u32 = 8;
/** Up to so many arcs a vertex looks at all of them. */
const FEW_ARCS: u32 = 6;
/** A frontier with more arcs than this part of the vertices spreads. */
const SPREAD_PART: u32 = 8;

export function bfsBytes(vertices: u32, members: u32): u64 {
  return 3 * room(vertices, 4) + 2 * bitBytes(vertices) + <u64>members * (4 * <u64>BUFFER_WORDS + room(vertices, 1));
}

function bitBytes(vertices: u32): u64 {
  return room((vertices + 31) >> 5, 4);
}

export function bfsBegin(job: usize, at: usize): u32 {
  const projection = address(job, JOB_PROJECTION);
  const bytes = <usize>room(get(projection, P_COUNT), 4);
  for (let i: usize = 0; i < 3; i++) set(job, LEVELS + (i << 2), <u32>(at + i * bytes));
  const bits = at + 3 * bytes;
  set(job, BITS, <u32>bits);
  set(job, NEXT_BITS, <u32>(bits + <usize>bitBytes(get(projection, P_COUNT))));
  set(job, BUFFERS, <u32>(bits + 2 * <usize>bitBytes(get(projection, P_COUNT))));
  set(job, JOB_RESULT, <u32>at);
  set(job, JOB_RESULT_TYPE, RESULT_U32);
  set(job, JOB_CONVERGED, 1);
  return get(projection, P_CHUNK_COUNT);
}

export function bfsChunk(job: usize, chunk: u32, member: u32): void {
  const projection = address(job, JOB_PROJECTION);
  const phase = get(job, JOB_PHASE);
  if (phase == PHASE_EXPAND) {
    expand(job, projection, chunk, member);
  } else if (phase == PHASE_SPREAD) {
    spread(job, projection, chunk, member);
  } else if (phase == PHASE_START) {
    start(job, projection, chunk);
  } else {
    const first = chunk * CHUNK_VERTICES;
    const end = min<u32>(first + CHUNK_VERTICES, reachable(projection));
    if (phase == PHASE_SEEK) seek(job, projection, chunk, first, end);
    else if (phase == PHASE_MARK) mark(job, projection, chunk, first, end);
    else gather(job, first, end, member);
  }
}

/** From this position on no vertex is reached but the source, which has no arc then. */
function reachable(projection: usize): u32 {
  return isSymmetric(get(projection, P_VIEW)) ? restFrom(projection) : get(projection, P_COUNT);
}

function start(job: usize, projection: usize, chunk: u32): void {
  const chunks = address(projection, P_CHUNKS);
  const from = word(chunks, chunk);
  const to = word(chunks, chunk + 1);
  memory.fill(address(job, LEVELS) + ((<usize>from) << 2), 0xff, (<usize>(to - from)) << 2);
  const members = get(job, JOB_MEMBERS);
  for (let i: u32 = 0; i < members; i++) memory.fill(notesOf(job, projection, i) + <usize>from, 0, <usize>(to - from));
}

/** The bytes that a member sets in a frontier that spreads, all 0 before and after. */
function notesOf(job: usize, projection: usize, member: u32): usize {
  const buffers = 4 * <usize>BUFFER_WORDS * <usize>get(job, JOB_MEMBERS);
  return address(job, BUFFERS) + buffers + <usize>room(get(projection, P_COUNT), 1) * <usize>member;
}

/** Frontier vertices in a chunk: no more chunks than the projection has, plus one. */
function frontierChunk(job: usize): u32 {
  const chunks = get(address(job, JOB_PROJECTION), P_CHUNK_COUNT);
  return max<u32>(FRONTIER_CHUNK, get(job, FRONTIER) / chunks + 1);
}

function expand(job: usize, projection: usize, chunk: u32, member: u32): void {
  const offsets = address(projection, P_OFFSETS);
  const targets = address(projection, P_TARGETS);
  const levels = address(job, LEVELS);
  const queue = address(job, QUEUE);
  const buffer = address(job, BUFFERS) + 4 * <usize>BUFFER_WORDS * <usize>member;
  const size = frontierChunk(job);
  const end = min<u32>((chunk + 1) * size, get(job, FRONTIER));
  const level = get(job, LEVEL) + 1;
  const alone = get(job, JOB_MEMBERS) == 1;
  let buffered: u32 = 0;
  let arcs: u32 = 0;
  for (let i = chunk * size; i < end; i++) {
    const v = word(queue, i);
    let arc = targets + ((<usize>word(offsets, v)) << 2);
    const last = targets + ((<usize>word(offsets, v + 1)) << 2);
    for (; arc < last; arc += 4) {
      const w = load<u32>(arc);
      const at = levels + ((<usize>w) << 2);
      if (load<u32>(at) != NONE) continue;
      if (alone) store<u32>(at, level);
      else if (atomic.cmpxchg<u32>(at, NONE, level) != NONE) continue;
      arcs += word(offsets, w + 1) - word(offsets, w);
      setWord(buffer, buffered++, w);
      if (buffered == BUFFER_WORDS) {
        flush(job, buffer, buffered);
        buffered = 0;
      }
    }
  }
  flush(job, buffer, buffered);
  store<f64>(partial(job, chunk), <f64>arcs);
}

function flush(job: usize, buffer: usize, count: u32): void {
  if (count == 0) return;
  const at = atomic.add<u32>(job + TAIL, count);
  memory.copy(address(job, NEXT_QUEUE) + ((<usize>at) << 2), buffer, (<usize>count) << 2);
}

/** Notes the targets of the frontier's arcs. */
function spread(job: usize, projection: usize, chunk: u32, member: u32): void {
  const offsets = address(projection, P_OFFSETS);
  const targets = address(projection, P_TARGETS);
  const queue = address(job, QUEUE);
  const notes = notesOf(job, projection, member);
  const size = frontierChunk(job);
  const end = min<u32>((chunk + 1) * size, get(job, FRONTIER));
  for (let i = chunk * size; i < end; i++) {
    const v = word(queue, i);
    let arc = targets + ((<usize>word(offsets, v)) << 2);
    const last = targets + ((<usize>word(offsets, v + 1)) << 2);
    for (; arc + 16 <= last; arc += 16) {
      store<u8>(notes + <usize>load<u32>(arc), 1);
      store<u8>(notes + <usize>load<u32>(arc, 4), 1);
      store<u8>(notes + <usize>load<u32>(arc, 8), 1);
      store<u8>(notes + <usize>load<u32>(arc, 12), 1);
    }
    for (; arc < last; arc += 4) store<u8>(notes + <usize>load<u32>(arc), 1);
  }
}

/** Vertices of [from, to) that a member has noted and that are not reached are the next frontier; `from` is a multiple of 32. */
function mark(job: usize, projection: usize, chunk: u32, from: u32, to: u32): void {
  const offsets = address(projection, P_OFFSETS);
  const levels = address(job, LEVELS);
  const next = address(job, NEXT_BITS);
  const notes = notesOf(job, projection, 0);
  const bytes = <usize>room(get(projection, P_COUNT), 1);
  const members = get(job, JOB_MEMBERS);
  const level = get(job, LEVEL) + 1;
  let found: u32 = 0;
  let arcs: u32 = 0;
  for (let v = from; v < to; v += 32) {
    let hits = takeNotes(notes + <usize>v, bytes, members);
    if (hits != 0) hits &= unreached(levels + ((<usize>v) << 2), min<u32>(v + 32, to) - v);
    setWord(next, v >> 5, hits);
    found += popcnt(hits);
    for (; hits != 0; hits &= hits - 1) {
      const w = v + ctz(hits);
      setWord(levels, w, level);
      arcs += word(offsets, w + 1) - word(offsets, w);
    }
  }
  store<f64>(partial(job, chunk), <f64>arcs);
  store<f64>(partial(job, chunk), <f64>found, 8);
}

/** Which of 32 bytes any member has set; they are 0 then. */
// @ts-ignore: decorator
@inline
function takeNotes(at: usize, bytes: usize, members: u32): u32 {
  const none = i8x16.splat(0);
  let low = none;
  let high = none;
  for (let i: u32 = 0; i < members; i++) {
    low = v128.or(low, v128.load(at));
    high = v128.or(high, v128.load(at, 16));
    at += bytes;
  }
  if (!v128.any_true(v128.or(low, high))) return 0;
  for (let i: u32 = 0; i < members; i++) {
    at -= bytes;
    v128.store(at, none);
    v128.store(at, none, 16);
  }
  return <u32>i8x16.bitmask(i8x16.ne(low, none)) | (<u32>i8x16.bitmask(i8x16.ne(high, none)) << 16);
}

/** Vertices of [from, to) that are not reached look for a neighbour in the frontier; `from` is a multiple of 32. */
function seek(job: usize, projection: usize, chunk: u32, from: u32, to: u32): void {
  const offsets = address(projection, P_OFFSETS);
  const targets = address(projection, P_TARGETS);
  const levels = address(job, LEVELS);
  const bits = address(job, BITS);
  const next = address(job, NEXT_BITS);
  const level = get(job, LEVEL) + 1;
  let found: u32 = 0;
  let arcs: u32 = 0;
  for (let v = from; v < to; v += 32) {
    const last = min<u32>(v + 32, to);
    let left = unreached(levels + ((<usize>v) << 2), last - v);
    if (left == 0) {
      setWord(next, v >> 5, 0);
      continue;
    }
    let hits: u32 = 0;
    const degree = word(offsets, v + 1) - word(offsets, v);
    if (degree <= FEW_ARCS && runEnd(projection, degree) >= last) {
      hits = seekRun(bits, targets + ((<usize>word(offsets, v)) << 2), (<usize>degree) << 2, left);
      arcs += popcnt(hits) * degree;
      for (let rest = hits; rest != 0; rest &= rest - 1) setWord(levels, v + ctz(rest), level);
    } else {
      for (; left != 0; left &= left - 1) {
        const w = v + ctz(left);
        const begin = targets + ((<usize>word(offsets, w)) << 2);
        const end = targets + ((<usize>word(offsets, w + 1)) << 2);
        for (let arc = begin; arc < end; arc += 4) {
          const neighbour = load<u32>(arc);
          if (((word(bits, neighbour >> 5) >> (neighbour & 31)) & 1) == 0) continue;
          setWord(levels, w, level);
          hits |= 1 << (w & 31);
          arcs += <u32>((end - begin) >> 2);
          break;
        }
      }
    }
    setWord(next, v >> 5, hits);
    found += popcnt(hits);
  }
  store<f64>(partial(job, chunk), <f64>arcs);
  store<f64>(partial(job, chunk), <f64>found, 8);
}

/**
 * Which of 32 vertices with `bytes` of targets each, the first at `arc`, have a neighbour in the frontier; only those in `left` look.
 * Few arcs are all looked at: leaving at the first would be guessed wrong more often than it saves.
 */
// @ts-ignore: decorator
@inline
function seekRun(bits: usize, arc: usize, bytes: usize, left: u32): u32 {
  let hits: u32 = 0;
  for (; left != 0; left &= left - 1) {
    const place = <u32>ctz(left);
    let at = arc + <usize>place * bytes;
    const end = at + bytes;
    let any: u32 = 0;
    for (; at < end; at += 4) {
      const neighbour = load<u32>(at);
      any |= word(bits, neighbour >> 5) >> (neighbour & 31);
    }
    hits |= (any & 1) << place;
  }
  return hits;
}

/** A bit for each of the first `count` of 32 levels that is NONE. */
// @ts-ignore: decorator
@inline
function unreached(levels: usize, count: u32): u32 {
  let bits: u32 = 0;
  if (count == 32) {
    const none = i32x4.splat(-1);
    for (let i: u32 = 0; i < 32; i += 4) bits |= i32x4.bitmask(i32x4.eq(v128.load(levels + ((<usize>i) << 2)), none)) << i;
    return bits;
  }
  for (let i: u32 = 0; i < count; i++) bits |= u32(word(levels, i) == NONE) << i;
  return bits;
}

/** Puts the vertices of [from, to) in the frontier, which is bits, into the queue. */
function gather(job: usize, from: u32, to: u32, member: u32): void {
  const buffer = address(job, BUFFERS) + 4 * <usize>BUFFER_WORDS * <usize>member;
  const bits = address(job, BITS);
  let buffered: u32 = 0;
  for (let v = from; v < to; v += 32) {
    for (let left = word(bits, v >> 5); left != 0; left &= left - 1) setWord(buffer, buffered++, v + ctz(left));
    if (buffered <= BUFFER_WORDS - 32) continue;
    flush(job, buffer, buffered);
    buffered = 0;
  }
  flush(job, buffer, buffered);
}

export function bfsNext(job: usize): u32 {
  const projection = address(job, JOB_PROJECTION);
  const phase = get(job, JOB_PHASE);
  if (phase == PHASE_START) return first(job, projection);
  if (phase == PHASE_SPREAD) {
    set(job, JOB_PHASE, PHASE_MARK);
    return vertexChunks(projection);
  }
  if (phase == PHASE_GATHER) {
    takeQueue(job);
    return expandNext(job, projection);
  }
  const before = get(job, FRONTIER);
  const arcs = <u32>sumPartials(job, get(job, JOB_TOTAL), 0);
  if (phase == PHASE_EXPAND) takeQueue(job);
  else takeBits(job);
  const found = get(job, FRONTIER);
  set(job, LEVEL, get(job, LEVEL) + 1);
  set(job, REACHED, get(job, REACHED) + found);
  const left = get(job, ARCS_LEFT);
  set(job, ARCS, arcs);
  set(job, ARCS_LEFT, left - arcs);
  if (found == 0) return finish(job);
  if (phase != PHASE_SEEK) {
    if (isSymmetric(get(projection, P_VIEW)) && arcs > left / turnPart(projection)) {
      if (phase == PHASE_EXPAND) placeBits(job, projection);
      set(job, JOB_PHASE, PHASE_SEEK);
      return vertexChunks(projection);
    }
    if (phase == PHASE_EXPAND) return expandNext(job, projection);
  } else {
    const count = restFrom(projection);
    if (found >= before || found >= count / TURN_BACK_PART) return vertexChunks(projection);
    if (EXPAND_COST * <f64>arcs >= <f64>(left - arcs + count / LOOKS_AN_ARC)) return vertexChunks(projection);
  }
  set(job, JOB_PHASE, PHASE_GATHER);
  return vertexChunks(projection);
}

/** The frontier, which is a queue, goes on along its arcs. */
function expandNext(job: usize, projection: usize): u32 {
  const spreads = get(job, ARCS) > reachable(projection) / SPREAD_PART;
  set(job, JOB_PHASE, spreads ? PHASE_SPREAD : PHASE_EXPAND);
  const size = frontierChunk(job);
  return (get(job, FRONTIER) + size - 1) / size;
}

/** A vertex that looks for a neighbour in the frontier stops the sooner the more arcs there are. */
function turnPart(projection: usize): u32 {
  return min<u32>(TURN_PART, max<u32>(LEAST_TURN_PART, get(projection, P_ARCS) / max<u32>(restFrom(projection), 1)));
}

/** Chunks of a phase over all vertices that can be reached. */
function vertexChunks(projection: usize): u32 {
  return (reachable(projection) + CHUNK_VERTICES - 1) / CHUNK_VERTICES;
}

/** Sets the bits of the vertices in the queue. */
function placeBits(job: usize, projection: usize): void {
  const bits = address(job, BITS);
  const queue = address(job, QUEUE);
  const count = get(job, FRONTIER);
  memory.fill(bits, 0, <usize>bitBytes(get(projection, P_COUNT)));
  for (let i: u32 = 0; i < count; i++) {
    const v = word(queue, i);
    setWord(bits, v >> 5, word(bits, v >> 5) | (1 << (v & 31)));
  }
}

/** What was found by looking becomes the frontier. */
function takeBits(job: usize): void {
  const bits = get(job, NEXT_BITS);
  set(job, NEXT_BITS, get(job, BITS));
  set(job, BITS, bits);
  set(job, FRONTIER, <u32>sumPartials(job, get(job, JOB_TOTAL), 1));
}

function first(job: usize, projection: usize): u32 {
  const source = get(job, JOB_SOURCE);
  if (source == NONE) return finish(job);
  setWord(address(job, LEVELS), source, 0);
  setWord(address(job, QUEUE), 0, source);
  set(job, FRONTIER, 1);
  set(job, REACHED, 1);
  const offsets = address(projection, P_OFFSETS);
  const arcs = word(offsets, source + 1) - word(offsets, source);
  set(job, ARCS, arcs);
  set(job, ARCS_LEFT, get(projection, P_ARCS) - arcs);
  return expandNext(job, projection);
}

/** What was found becomes the frontier. */
function takeQueue(job: usize): void {
  const queue = get(job, NEXT_QUEUE);
  set(job, NEXT_QUEUE, get(job, QUEUE));
  set(job, QUEUE, queue);
  set(job, FRONTIER, get(job, TAIL));
  set(job, TAIL, 0);
}

function finish(job: usize): u32 {
  set(job, JOB_ITERATIONS, 1);
  store<f64>(job, <f64>get(job, REACHED), JOB_SUM);
  jobFinish(job);
  return 0;
}
