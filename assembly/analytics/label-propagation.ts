// LABELPROPAGATION: synchronous label propagation (Raghavan, Albert, Kumara 2007; here every vertex looks at the labels of the round
// before). A label is the rank of the vertex it started with; the most frequent label among the arcs of a vertex wins, the smallest of
// equally frequent ones; a vertex without arcs keeps its own.
//
// Invariant: a round depends on the labels of the round before alone, so threads and chunks do not matter. Two label arrays take
// turns; a round that is stopped half-way leaves the last one whole. Each member counts votes in a table of its own, all zeros
// between two vertices.
//
// Who is looked at. A round writes over the labels of two rounds ago, and most vertices come to hop between two labels. So a vertex is
// looked at only when a neighbour has another label than two rounds before: otherwise its own already stands there. Where the view has
// both ends of each edge, whoever comes out different marks its neighbours for the next round, unless nearly all of them would.
// A run has converged when no label differs from the round before. That number is kept for each chunk, and corrected by those that are
// looked at.
// Measured (benchmarks/analytics, WordNet, 20 rounds, any machine, 58d4381): arcs looked at, all → a fifth.
//
// Vertices of fewer than 32 arcs are done four at a time without a table: their labels are sorted by a network, a lane each, and the
// longest run is found by comparing neighbours; nothing there depends on labels but the values.
//
// Cost: a round is O(vertices / 16 + arcs of vertices that are looked at), one gather and one count an arc; 10 bytes a vertex, and for
// each member 4 and 16 KiB.

import { isSymmetric } from './build';
import {
  address, get, JOB_CONVERGED, JOB_ITERATIONS, JOB_MAX_ITERATIONS, JOB_MEMBERS, JOB_PHASE, JOB_PROJECTION, JOB_RESULT,
  JOB_RESULT_TYPE, JOB_TOTAL, JOB_WORDS, jobFinish, partial, RESULT_PARTITION, room, set, setNumber, setWord, sumPartials,
  swapFields, word,
} from './job';
import {
  CHUNK_VERTICES, EXACT_DEGREES, P_ARCS, P_CHUNK_COUNT, P_CHUNKS, P_COUNT, P_OFFSETS, P_RANKS, P_TARGETS, P_VIEW, runEnd,
} from './projection';

const LABELS: usize = JOB_WORDS;
const NEXT_LABELS: usize = JOB_WORDS + 4; // of two rounds ago, where a vertex has not been looked at
const AWAKE: usize = JOB_WORDS + 8; //       a byte a vertex: looked at in this round
const NEXT_AWAKE: usize = JOB_WORDS + 12;
const VOTES: usize = JOB_WORDS + 16; //      the members' workspaces, one behind the other: a table, a list and columns
const WIDE: usize = JOB_WORDS + 20; //       1: everybody is looked at in this round
const MARKS: usize = JOB_WORDS + 24; //      1: who comes out different marks its neighbours

/** What a round leaves of a chunk behind how many more labels differ: arcs of those that turned. */
const TURNED: u32 = 1;

const PHASE_START: u32 = 0;
const PHASE_ROUND: u32 = 1;

/** A position for each vertex of a chunk, and four labels for each arc of four vertices. */
const LIST_BYTES: u64 = 4 * <u64>CHUNK_VERTICES;
const COLUMN_BYTES: u64 = 16 * <u64>EXACT_DEGREES;

export function labelPropagationBytes(vertices: u32, members: u32): u64 {
  return 2 * room(vertices, 4) + 2 * room(vertices, 1) + <u64>members * workspaceBytes(vertices);
}

function workspaceBytes(vertices: u32): u64 {
  return room(vertices, 4) + LIST_BYTES + COLUMN_BYTES;
}

export function labelPropagationBegin(job: usize, at: usize): u32 {
  const projection = address(job, JOB_PROJECTION);
  const count = get(projection, P_COUNT);
  const bytes = <usize>room(count, 4);
  const awake = at + 2 * bytes;
  const nextAwake = awake + <usize>room(count, 1);
  set(job, LABELS, <u32>at);
  set(job, NEXT_LABELS, <u32>(at + bytes));
  set(job, AWAKE, <u32>awake);
  set(job, NEXT_AWAKE, <u32>nextAwake);
  set(job, VOTES, <u32>(nextAwake + <usize>room(count, 1)));
  set(job, WIDE, 1);
  set(job, JOB_RESULT, <u32>at);
  set(job, JOB_RESULT_TYPE, RESULT_PARTITION);
  if (count == 0) set(job, JOB_CONVERGED, 1);
  return get(projection, P_CHUNK_COUNT);
}

export function labelPropagationChunk(job: usize, chunk: u32, member: u32): void {
  const projection = address(job, JOB_PROJECTION);
  const chunks = address(projection, P_CHUNKS);
  const from = word(chunks, chunk);
  const to = word(chunks, chunk + 1);
  if (get(job, JOB_PHASE) == PHASE_START) start(job, projection, chunk, from, to);
  else round(job, projection, chunk, member, from, to);
}

/** As if there had been a round before in which nothing changed. */
function start(job: usize, projection: usize, chunk: u32, from: u32, to: u32): void {
  const order = address(projection, P_RANKS);
  const own = address(job, LABELS);
  const other = address(job, NEXT_LABELS);
  for (let v = from; v < to; v++) {
    const label = order == 0 ? v : word(order, v);
    setWord(own, v, label);
    setWord(other, v, label);
  }
  memory.fill(address(job, AWAKE) + <usize>from, 0, <usize>(to - from));
  memory.fill(address(job, NEXT_AWAKE) + <usize>from, 0, <usize>(to - from));
  const members = get(job, JOB_MEMBERS);
  const step = <usize>workspaceBytes(get(projection, P_COUNT));
  for (let i: u32 = 0; i < members; i++) {
    memory.fill(address(job, VOTES) + <usize>i * step + ((<usize>from) << 2), 0, (<usize>(to - from)) << 2);
  }
  store<f64>(partial(job, chunk), 0);
}

// Of the chunk under way in this instance: where things stand, and what is added up over its vertices.
let offsets: usize = 0;
let targets: usize = 0;
let labels: usize = 0;
let next: usize = 0;
let nextAwake: usize = 0;
let votes: usize = 0;
let list: usize = 0;
let columns: usize = 0;
let marks: bool = false;
/** Vertices whose label differs from that of the round before, less those of which this was true in that round. */
let more: i32 = 0;
/** Arcs of vertices whose label differs from that of two rounds ago. */
let turned: u32 = 0;

function round(job: usize, projection: usize, chunk: u32, member: u32, from: u32, to: u32): void {
  const tableBytes = <usize>room(get(projection, P_COUNT), 4);
  offsets = address(projection, P_OFFSETS);
  targets = address(projection, P_TARGETS);
  labels = address(job, LABELS);
  next = address(job, NEXT_LABELS);
  nextAwake = address(job, NEXT_AWAKE);
  votes = address(job, VOTES) + <usize>member * <usize>workspaceBytes(get(projection, P_COUNT));
  list = votes + tableBytes;
  columns = list + <usize>LIST_BYTES;
  marks = get(job, MARKS) != 0;
  more = 0;
  turned = 0;
  const listed = get(job, WIDE) != 0 ? listAll(from, to) : listAwake(address(job, AWAKE), from, to);
  for (let at: u32 = 0; at < listed; ) {
    const v = word(list, at);
    const degree = word(offsets, v + 1) - word(offsets, v);
    const end = runEnd(projection, degree);
    if (end <= v) {
      single(v);
      at++;
      continue;
    }
    const behind = listedBelow(at, listed, end);
    if (degree == 1) leaves(at, behind);
    else if (degree > 1) equalRun(at, behind, degree);
    at = behind;
  }
  const left = partial(job, chunk);
  store<f64>(left, load<f64>(left) + <f64>more);
  setNumber(left, TURNED, <f64>turned);
}

// --- Who is looked at --------------------------------------------------------------------------------------------------------

function listAll(from: u32, to: u32): u32 {
  const out = list;
  for (let v = from; v < to; v++) setWord(out, v - from, v);
  return to - from;
}

/** Lists the vertices of [from, to) that are marked, and takes the marks away: after the next round they are to be written again. */
function listAwake(awake: usize, from: u32, to: u32): u32 {
  let out = list;
  for (let v = from; v < to; v += 16) {
    let bits = i8x16.bitmask(i8x16.neg(v128.load(awake + <usize>v)));
    if (to - v < 16) bits &= (1 << (to - v)) - 1;
    while (bits != 0) {
      store<u32>(out, v + <u32>ctz(bits));
      out += 4;
      bits &= bits - 1;
    }
  }
  if (out != list) memory.fill(awake + <usize>from, 0, <usize>(to - from));
  return <u32>((out - list) >> 2);
}

/** Where in the list, from `at` on, the positions below `end` stop. */
function listedBelow(at: u32, listed: u32, end: u32): u32 {
  let low = at;
  let high = listed;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (word(list, middle) < end) low = middle + 1;
    else high = middle;
  }
  return low;
}

// --- What they come out as ---------------------------------------------------------------------------------------------------

// @ts-ignore: decorator
@inline
function finish(v: u32, best: u32, degree: u32): void {
  const mine = word(labels, v);
  const before = word(next, v);
  more += i32(best != mine) - i32(before != mine);
  if (best == before) return;
  setWord(next, v, best);
  turned += degree;
  if (marks) wake(v);
}

function wake(v: u32): void {
  const awake = nextAwake;
  const end = targets + ((<usize>word(offsets, v + 1)) << 2);
  for (let arc = arcOf(v); arc < end; arc += 4) store<u8>(awake + <usize>load<u32>(arc), 1);
}

// @ts-ignore: decorator
@inline
function arcOf(v: u32): usize {
  return targets + ((<usize>word(offsets, v)) << 2);
}

/** The label at the other end of an arc. */
// @ts-ignore: decorator
@inline
function labelAt(arc: usize): u32 {
  return word(labels, load<u32>(arc));
}

/** Listed vertices of one arc each. */
function leaves(from: u32, to: u32): void {
  for (let at = from; at < to; at++) {
    const v = word(list, at);
    finish(v, labelAt(arcOf(v)), 1);
  }
}

/** Listed vertices of `degree` arcs each, from 2 to below EXACT_DEGREES. What is missing of the last four is done twice. */
function equalRun(from: u32, to: u32, degree: u32): void {
  for (let at = from; at < to; at += 4) {
    const v0 = word(list, at);
    const v1 = word(list, min<u32>(at + 1, to - 1));
    const v2 = word(list, min<u32>(at + 2, to - 1));
    const v3 = word(list, min<u32>(at + 3, to - 1));
    const best = bestOfFour(arcOf(v0), arcOf(v1), arcOf(v2), arcOf(v3), degree);
    finish(v0, i32x4.extract_lane(best, 0), degree);
    if (v1 != v0) finish(v1, i32x4.extract_lane(best, 1), degree);
    if (v2 != v1) finish(v2, i32x4.extract_lane(best, 2), degree);
    if (v3 != v2) finish(v3, i32x4.extract_lane(best, 3), degree);
  }
}

/** Of four vertices, the most frequent label each; `arc0` to `arc3` are their first arcs. */
function bestOfFour(arc0: usize, arc1: usize, arc2: usize, arc3: usize, degree: u32): v128 {
  if (degree > 8) return bestOfMany(arc0, arc1, arc2, arc3, degree);
  const a = column(arc0, arc1, arc2, arc3, 0);
  const b = column(arc0, arc1, arc2, arc3, 4);
  // Either both are the same, or each is as frequent as the other.
  if (degree == 2) return i32x4.min_u(a, b);
  const c = column(arc0, arc1, arc2, arc3, 8);
  if (degree == 3) return bestOfThree(a, b, c);
  const d = column(arc0, arc1, arc2, arc3, 12);
  if (degree == 4) return bestOfFourLabels(a, b, c, d);
  // What is not there sorts behind every label and is not counted.
  const none = i32x4.splat(-1);
  const e = column(arc0, arc1, arc2, arc3, 16);
  const f = degree > 5 ? column(arc0, arc1, arc2, arc3, 20) : none;
  const g = degree > 6 ? column(arc0, arc1, arc2, arc3, 24) : none;
  const h = degree > 7 ? column(arc0, arc1, arc2, arc3, 28) : none;
  return bestOfEight(a, b, c, d, e, f, g, h, degree);
}

/** The labels that the arcs `at` bytes behind four others lead to. */
// @ts-ignore: decorator
@inline
function column(arc0: usize, arc1: usize, arc2: usize, arc3: usize, at: usize): v128 {
  const all = labels;
  let four = v128.load32_zero(all + ((<usize>load<u32>(arc0 + at)) << 2));
  four = v128.load_lane<u32>(all + ((<usize>load<u32>(arc1 + at)) << 2), four, 1);
  four = v128.load_lane<u32>(all + ((<usize>load<u32>(arc2 + at)) << 2), four, 2);
  return v128.load_lane<u32>(all + ((<usize>load<u32>(arc3 + at)) << 2), four, 3);
}

/** The smallest one, unless the other two are the same. */
// @ts-ignore: decorator
@inline
function bestOfThree(a: v128, b: v128, c: v128): v128 {
  const low = i32x4.min_u(a, b);
  const high = i32x4.max_u(a, b);
  const least = i32x4.min_u(low, c);
  const middle = i32x4.min_u(high, i32x4.max_u(low, c));
  const most = i32x4.max_u(high, c);
  return v128.bitselect(middle, least, i32x4.eq(middle, most));
}

// @ts-ignore: decorator
@inline
function bestOfFourLabels(a: v128, b: v128, c: v128, d: v128): v128 {
  const low0 = i32x4.min_u(a, b);
  const high0 = i32x4.max_u(a, b);
  const low1 = i32x4.min_u(c, d);
  const high1 = i32x4.max_u(c, d);
  const first = i32x4.min_u(low0, low1);
  const fourth = i32x4.max_u(high0, high1);
  const one = i32x4.max_u(low0, low1);
  const two = i32x4.min_u(high0, high1);
  const second = i32x4.min_u(one, two);
  const third = i32x4.max_u(one, two);
  // The third wins when it is the second, too, or when it is the fourth and nothing else is there twice.
  const wins = v128.or(i32x4.eq(second, third), v128.andnot(i32x4.eq(third, fourth), i32x4.eq(first, second)));
  return v128.bitselect(third, first, wins);
}

/** Sorts eight labels, or fewer of which the rest is larger than any, by Batcher's network, and finds the longest run. */
function bestOfEight(a: v128, b: v128, c: v128, d: v128, e: v128, f: v128, g: v128, h: v128, degree: u32): v128 {
  let x = i32x4.min_u(a, b); b = i32x4.max_u(a, b); a = x;
  x = i32x4.min_u(c, d); d = i32x4.max_u(c, d); c = x;
  x = i32x4.min_u(e, f); f = i32x4.max_u(e, f); e = x;
  x = i32x4.min_u(g, h); h = i32x4.max_u(g, h); g = x;
  x = i32x4.min_u(a, c); c = i32x4.max_u(a, c); a = x;
  x = i32x4.min_u(b, d); d = i32x4.max_u(b, d); b = x;
  x = i32x4.min_u(e, g); g = i32x4.max_u(e, g); e = x;
  x = i32x4.min_u(f, h); h = i32x4.max_u(f, h); f = x;
  x = i32x4.min_u(b, c); c = i32x4.max_u(b, c); b = x;
  x = i32x4.min_u(f, g); g = i32x4.max_u(f, g); f = x;
  x = i32x4.min_u(a, e); e = i32x4.max_u(a, e); a = x;
  x = i32x4.min_u(b, f); f = i32x4.max_u(b, f); b = x;
  x = i32x4.min_u(c, g); g = i32x4.max_u(c, g); c = x;
  x = i32x4.min_u(d, h); h = i32x4.max_u(d, h); d = x;
  x = i32x4.min_u(c, e); e = i32x4.max_u(c, e); c = x;
  x = i32x4.min_u(d, f); f = i32x4.max_u(d, f); d = x;
  x = i32x4.min_u(b, c); c = i32x4.max_u(b, c); b = x;
  x = i32x4.min_u(d, e); e = i32x4.max_u(d, e); d = x;
  x = i32x4.min_u(f, g); g = i32x4.max_u(f, g); f = x;
  const one = i32x4.splat(1);
  let run = one;
  let most = one;
  let best = a;
  run = i32x4.add(v128.and(run, i32x4.eq(a, b)), one); best = v128.bitselect(b, best, i32x4.gt_s(run, most)); most = i32x4.max_s(most, run);
  run = i32x4.add(v128.and(run, i32x4.eq(b, c)), one); best = v128.bitselect(c, best, i32x4.gt_s(run, most)); most = i32x4.max_s(most, run);
  run = i32x4.add(v128.and(run, i32x4.eq(c, d)), one); best = v128.bitselect(d, best, i32x4.gt_s(run, most)); most = i32x4.max_s(most, run);
  run = i32x4.add(v128.and(run, i32x4.eq(d, e)), one); best = v128.bitselect(e, best, i32x4.gt_s(run, most)); most = i32x4.max_s(most, run);
  if (degree == 5) return best;
  run = i32x4.add(v128.and(run, i32x4.eq(e, f)), one); best = v128.bitselect(f, best, i32x4.gt_s(run, most)); most = i32x4.max_s(most, run);
  if (degree == 6) return best;
  run = i32x4.add(v128.and(run, i32x4.eq(f, g)), one); best = v128.bitselect(g, best, i32x4.gt_s(run, most)); most = i32x4.max_s(most, run);
  if (degree == 7) return best;
  run = i32x4.add(v128.and(run, i32x4.eq(g, h)), one);
  return v128.bitselect(h, best, i32x4.gt_s(run, most));
}

/** The same for any degree below EXACT_DEGREES, in memory: the merge exchange of Batcher, as Knuth has it (5.2.2 M). */
function bestOfMany(arc0: usize, arc1: usize, arc2: usize, arc3: usize, degree: u32): v128 {
  const bytes = (<usize>degree) << 4;
  const first = columns;
  for (let at: usize = 0; at < bytes; at += 16) v128.store(first + at, column(arc0, arc1, arc2, arc3, at >> 2));
  const top: usize = 16 << (31 - clz(degree - 1));
  for (let step = top; step >= 16; step >>= 1) {
    exchange(first, 0, step, step, bytes);
    for (let span = top; span > step; span >>= 1) exchange(first, step, span - step, step, bytes);
  }
  const one = i32x4.splat(1);
  let run = one;
  let most = one;
  let best = v128.load(first);
  let last = best;
  for (let at: usize = 16; at < bytes; at += 16) {
    const label = v128.load(first + at);
    run = i32x4.add(v128.and(run, i32x4.eq(last, label)), one);
    best = v128.bitselect(label, best, i32x4.gt_s(run, most));
    most = i32x4.max_s(most, run);
    last = label;
  }
  return best;
}

/** Puts in order what lies `distance` apart, in groups of `step` at every other `step` from `from` on. All in bytes. */
// @ts-ignore: decorator
@inline
function exchange(first: usize, from: usize, distance: usize, step: usize, bytes: usize): void {
  const end = bytes - distance;
  for (let group = from; group < end; group += 2 * step) {
    const behind = min<usize>(group + step, end);
    for (let at = group; at < behind; at += 16) {
      const a = v128.load(first + at);
      const b = v128.load(first + at + distance);
      v128.store(first + at, i32x4.min_u(a, b));
      v128.store(first + at + distance, i32x4.max_u(a, b));
    }
  }
}

/** One vertex, however many arcs it has. */
function single(v: u32): void {
  const begin = arcOf(v);
  const end = targets + ((<usize>word(offsets, v + 1)) << 2);
  if (begin == end) return;
  finish(v, winner(begin, end), <u32>((end - begin) >> 2));
}

/**
 * The most frequent label of the arcs, the smallest of several. Leaves the table of votes as it was. The second pass over the labels
 * finds each one's votes once and zeros afterwards; so neither pass has anything to guess.
 */
function winner(begin: usize, end: usize): u32 {
  const all = labels;
  const table = votes;
  for (let arc = begin; arc < end; arc += 4) {
    const at = table + ((<usize>word(all, load<u32>(arc))) << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
  let most: u64 = 0;
  for (let arc = begin; arc < end; arc += 4) {
    const label = word(all, load<u32>(arc));
    const at = table + ((<usize>label) << 2);
    most = max<u64>(most, (<u64>load<u32>(at) << 32) | <u64>~label);
    store<u32>(at, 0);
  }
  return ~<u32>most;
}

export function labelPropagationNext(job: usize): u32 {
  const projection = address(job, JOB_PROJECTION);
  const chunks = get(job, JOB_TOTAL);
  if (get(job, JOB_PHASE) == PHASE_START) {
    set(job, JOB_PHASE, PHASE_ROUND);
    return chunks;
  }
  swapFields(job, LABELS);
  swapFields(job, AWAKE);
  set(job, JOB_RESULT, get(job, LABELS));
  // Marks of nearly everybody would cost more than they save.
  set(job, WIDE, get(job, MARKS) ^ 1);
  const few = 4 * sumPartials(job, chunks, TURNED) < 3 * <f64>get(projection, P_ARCS);
  set(job, MARKS, u32(few && isSymmetric(get(projection, P_VIEW))));
  const rounds = get(job, JOB_ITERATIONS) + 1;
  set(job, JOB_ITERATIONS, rounds);
  const converged = sumPartials(job, chunks, 0) == 0;
  set(job, JOB_CONVERGED, u32(converged));
  if (!converged && rounds < get(job, JOB_MAX_ITERATIONS)) return chunks;
  jobFinish(job);
  return 0;
}
