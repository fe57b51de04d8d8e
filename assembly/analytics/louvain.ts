// LOUVAIN: communities of high modularity (Blondel, Guillaume, Lambiotte, Lefebvre 2008) over VIEW_BOTH, weighted if the projection is.
// Vertices move to the neighbouring community of largest gain, taken from a queue that only those whose surroundings changed enter
// again (Traag, Waltman, van Eck 2019); then communities become the vertices of a smaller graph, until nothing moves. A last round moves
// the vertices of the projection once more, from the communities that came out (refinement: Rotta, Noack 2011). `damping` of the run is
// the resolution, 1 for plain modularity. One thread, in steps of one chunk each (slices.ts), and one order: the answer is always the same.
//
// The first level is where chance does harm: the vertices of most arcs, moved early or often, end up together, and never part again.
// So they stay where they are while others gather around them, and the level ends after MOST_LOOKS at each arc; what is left to move
// moves at the levels above, where the larger communities wait for the smaller ones, and in the last round.
//
// Invariant: a level graph holds each edge at both ends and everything inside a vertex as one arc to itself, so the sum of all weights
// (twice the weight of all edges) is that of the projection. Each move raises the modularity by more than rounding. After each level
// the result names every vertex's community by its smallest rank: a run that is stopped keeps the last complete level, because the next
// names are written beside those of the one before. A round is a level, or the last one.
//
// Cost: O(arcs) a sweep, few sweeps a level, few levels; 72 bytes a vertex and 24 an arc.

import {
  address, get, JOB_CONVERGED, JOB_DAMPING, JOB_ITERATIONS, JOB_MAX_ITERATIONS, JOB_NUMBERS, JOB_PHASE, JOB_PROJECTION, JOB_RESULT,
  JOB_RESULT_TYPE, JOB_SUM, JOB_WORDS, jobFinish, number, RESULT_PARTITION, room, set, setNumber, setWord, word,
} from './job';
import { P_ARCS, P_COUNT, P_OFFSETS, P_RANKS, P_TARGETS, P_WEIGHTS, positionOf } from './projection';
import { SLICE_WORK, sliceAt, sliceDone, sliceEnd, sliceNext } from './slices';

const MAP: usize = JOB_WORDS; //         vertex of the projection -> vertex of the level graph
const COUNT: usize = JOB_WORDS + 4; //   vertices of the level graph
const OFFSETS: usize = JOB_WORDS + 8; // its arrays; weights 0: all 1
const TARGETS: usize = JOB_WORDS + 12;
const WEIGHTS: usize = JOB_WORDS + 16;
const WORK: usize = JOB_WORDS + 20; //   the arrays by vertex of the level graph, laid out by arrayAt
const GRAPHS: usize = JOB_WORDS + 24; // room for two level graphs
const MOVES: usize = JOB_WORDS + 28;
const PLACE: usize = JOB_WORDS + 32; //  which of the two rooms is next
const NAMES: usize = JOB_WORDS + 36; //  where the next level's names are written
const HEAD: usize = JOB_WORDS + 40; //   of PHASE_MOVE: the queue's first place, and how many wait in it
const WAITING: usize = JOB_WORDS + 44;
const ALL: usize = JOB_NUMBERS; //       sum of all weights
const GAIN: usize = JOB_NUMBERS + 8; //  of PHASE_WEIGH: the modularity so far
const NEXT: usize = JOB_NUMBERS + 16; // u32 communities numbered so far: vertices of the next level graph
const ARC: usize = JOB_NUMBERS + 20; //  u32 of PHASE_GRAPH: arcs written so far
const TAKEN: usize = JOB_NUMBERS + 24; // u32 of PHASE_GRAPH: members of communities taken so far; of PHASE_FIRST: the next first place
const MOBILE: usize = JOB_NUMBERS + 28; // u32 the largest class of degrees whose vertices move at the first level
const LEFT: usize = JOB_NUMBERS + 32; // u64 of PHASE_MOVE: looks at arcs and vertices until the level ends
const LAST: usize = JOB_NUMBERS + 40; // u32 1 = the last round
const GAINED: usize = JOB_NUMBERS + 48; // f64 of the last round: half of all weights times what it added to the modularity

// Arrays by vertex: first one of 16 bytes, which is two of 8, then one of 8, then those of 4.
const CELLS: u32 = 0; //      by community: what every look at one needs, in one place of memory; PHASE_GRAPH has flows alone there
const STRENGTH: u32 = 2; //   sum of a vertex's arcs
const COMMUNITY: u32 = 3; //  while vertices move, WAITS is set in that of a vertex in the queue
const TOUCHED: u32 = 4;
const QUEUE: u32 = 5;
const NUMBER: u32 = 6; //     community -> vertex of the next level graph
const FIRST: u32 = 7; //      communities' first places in TOUCHED, when that holds the vertices by community
const WIDE: u32 = 3;
const ARRAYS: u32 = 8;

// A cell: f64 sum of the strengths of the community's vertices, f64 weight from the vertex at hand, 0 between two vertices.
const CELL_FLOW: usize = 8;
/** There are never so many vertices that this is part of a number. */
const WAITS: u32 = 0x80000000;

// A level, phase by phase. Before the first one there are two more, the last round leaves out what makes a graph.
const PHASE_MAP: u32 = 0; //       every vertex is one of the level graph
const PHASE_CLASSES: u32 = 1; //   vertices of each class of degrees
const PHASE_LEVEL: u32 = 2; //     everybody alone; in the last round where the levels led
const PHASE_MOVE: u32 = 3;
const PHASE_NUMBER: u32 = 4; //    communities get numbers, in order of their smallest vertex
const PHASE_COUNT: u32 = 5; //     vertices of each
const PHASE_FIRST: u32 = 6; //     first place of each among the vertices by community
const PHASE_PLACE: u32 = 7;
const PHASE_GRAPH: u32 = 8; //     the next level graph
const PHASE_FOLLOW: u32 = 9; //    every vertex to its place in it
const PHASE_SMALLEST: u32 = 10; // smallest rank of each community
const PHASE_NAME: u32 = 11;
const PHASE_WEIGH: u32 = 12; //    the modularity

/** Of so many vertices one, with the most arcs, stays where it is at the first level. */
const STAYING_SHARE: u32 = 256;
/** How often the first level looks at an arc on average, at most. */
const MOST_LOOKS: u64 = 2;
/** Classes of degrees: 0, 1, and two for each power of two. */
const CLASSES: u32 = 64;

/** A move must gain this part of what all weights together are. */
const LEAST_GAIN: f64 = 1e-13;

export function louvainBytes(vertices: u32, arcs: u32): u64 {
  const work = <u64>WIDE * room(<u64>vertices + 1, 8) + <u64>(ARRAYS - WIDE) * room(<u64>vertices + 1, 4);
  return 3 * room(vertices, 4) + work + 2 * graphBytes(vertices, arcs);
}

function graphBytes(vertices: u32, arcs: u32): u64 {
  return room(arcs, 8) + room(arcs, 4) + room(<u64>vertices + 1, 4);
}

function arrayAt(job: usize, array: u32): usize {
  const count = get(address(job, JOB_PROJECTION), P_COUNT);
  const wide = <usize>room(<u64>count + 1, 8);
  if (array <= WIDE) return address(job, WORK) + <usize>array * wide;
  return address(job, WORK) + <usize>WIDE * wide + <usize>(array - WIDE) * <usize>room(<u64>count + 1, 4);
}

export function louvainBegin(job: usize, at: usize): u32 {
  const projection = address(job, JOB_PROJECTION);
  const count = get(projection, P_COUNT);
  set(job, JOB_RESULT, <u32>at);
  set(job, JOB_RESULT_TYPE, RESULT_PARTITION);
  at += <usize>room(count, 4);
  set(job, NAMES, <u32>at);
  at += <usize>room(count, 4);
  set(job, MAP, <u32>at);
  at += <usize>room(count, 4);
  set(job, WORK, <u32>at);
  at += <usize>WIDE * <usize>room(<u64>count + 1, 8) + <usize>(ARRAYS - WIDE) * <usize>room(<u64>count + 1, 4);
  set(job, GRAPHS, <u32>at);
  set(job, COUNT, count);
  set(job, OFFSETS, get(projection, P_OFFSETS));
  set(job, TARGETS, get(projection, P_TARGETS));
  set(job, WEIGHTS, get(projection, P_WEIGHTS));
  if (count == 0) set(job, JOB_CONVERGED, 1);
  return u32(count != 0);
}

export function louvainChunk(job: usize): void {
  const phase = get(job, JOB_PHASE);
  if (phase == PHASE_MOVE) moveSome(job);
  else if (phase == PHASE_GRAPH) writeSome(job);
  else if (phase == PHASE_LEVEL) levelSome(job);
  else if (phase == PHASE_WEIGH) weighSome(job);
  else runSlice(job, phase);
}

/** A slice of a phase that is as much work for each vertex. */
function runSlice(job: usize, phase: u32): void {
  let count = get(job, COUNT);
  if (phase == PHASE_FIRST) count = get(job, NEXT) + 1;
  else if (phase == PHASE_MAP || phase >= PHASE_FOLLOW) count = get(address(job, JOB_PROJECTION), P_COUNT);
  const from = sliceAt(job);
  const to = sliceEnd(job, count);
  if (phase == PHASE_MAP) {
    const map = address(job, MAP);
    for (let v = from; v < to; v++) setWord(map, v, v);
  } else if (phase == PHASE_CLASSES) {
    classesSome(job, from, to, count);
  } else if (phase == PHASE_NUMBER) {
    numberSome(job, from, to);
  } else if (phase == PHASE_COUNT) {
    countSome(job, from, to);
  } else if (phase == PHASE_FIRST) {
    firstSome(job, from, to);
  } else if (phase == PHASE_PLACE) {
    placeSome(job, from, to);
  } else if (phase == PHASE_FOLLOW) {
    const map = address(job, MAP);
    const community = arrayAt(job, COMMUNITY);
    if (get(job, LAST) != 0) memory.copy(map + ((<usize>from) << 2), community + ((<usize>from) << 2), (<usize>(to - from)) << 2);
    else for (let v = from; v < to; v++) setWord(map, v, word(community, word(map, v)));
  } else if (phase == PHASE_SMALLEST) {
    smallestSome(job, from, to);
  } else {
    const map = address(job, MAP);
    const names = address(job, NAMES);
    const smallest = arrayAt(job, NUMBER);
    for (let v = from; v < to; v++) setWord(names, v, word(smallest, word(map, v)));
  }
  sliceDone(job, to, to == count);
}

/** Class of a vertex with so many arcs. */
// @ts-ignore: decorator
@inline
function classOf(degree: u32): u32 {
  if (degree < 2) return degree;
  const power = 31 - clz(degree);
  return 2 * power + ((degree >> (power - 1)) & 1);
}

/** Counts the vertices of each class, and in the end finds the classes of those that stay. */
function classesSome(job: usize, from: u32, to: u32, count: u32): void {
  const offsets = address(job, OFFSETS);
  const sizes = arrayAt(job, TOUCHED);
  set(job, MOBILE, CLASSES);
  const most = count / STAYING_SHARE;
  if (most == 0) return;
  if (from == 0) memory.fill(sizes, 0, CLASSES << 2);
  for (let v = from; v < to; v++) {
    const its = classOf(word(offsets, v + 1) - word(offsets, v));
    setWord(sizes, its, word(sizes, its) + 1);
  }
  if (to != count) return;
  let mobile = CLASSES;
  for (let staying: u32 = 0; mobile > 0; mobile--) {
    staying += word(sizes, mobile - 1);
    if (staying > most) break;
  }
  set(job, MOBILE, mobile);
}

/**
 * Every vertex of the level graph into its community, and into the queue. At the first level in the order of ids: that of positions, by
 * degree, lets alike vertices move in a row. At later levels from the last to the first, because communities around vertices of many arcs
 * have the first numbers. (Modularity of a package graph: 0.755; with positions at the first level 0.751, with the first to the last at
 * later ones 0.749, both and no vertex that stays 0.746; RMAT 18 0.088, and with positions 0.084.) In the first level those that stay
 * count as waiting, so nobody puts them into the queue.
 */
function levelSome(job: usize): void {
  const count = get(job, COUNT);
  const offsets = address(job, OFFSETS);
  const weights = address(job, WEIGHTS);
  const cells = arrayAt(job, CELLS);
  const strength = arrayAt(job, STRENGTH);
  const community = arrayAt(job, COMMUNITY);
  const queue = arrayAt(job, QUEUE);
  const projection = address(job, JOB_PROJECTION);
  const last = get(job, LAST) != 0;
  const map: usize = last ? address(job, MAP) : 0;
  const first = !last && offsets == address(projection, P_OFFSETS);
  const mobile = first ? get(job, MOBILE) : CLASSES;
  let v = sliceAt(job);
  if (v == 0) levelBegin(job, count, first);
  let waiting = get(job, WAITING);
  let all = load<f64>(job, ALL);
  let work: u32 = 0;
  for (; v < count && work < SLICE_WORK; v++) {
    const degree = word(offsets, v + 1) - word(offsets, v);
    let sum: f64 = 0;
    if (weights == 0) {
      sum = <f64>degree;
    } else {
      work += degree;
      for (let arc = word(offsets, v), end = arc + degree; arc < end; arc++) sum += number(weights, arc);
    }
    const its = map == 0 ? v : word(map, v);
    const cell = cells + ((<usize>its) << 4);
    setNumber(strength, v, sum);
    store<f64>(cell, load<f64>(cell) + sum);
    setWord(community, v, its | WAITS);
    const next = first ? positionOf(projection, v) : last ? v : count - 1 - v;
    if (mobile == CLASSES || classOf(word(offsets, next + 1) - word(offsets, next)) < mobile) setWord(queue, waiting++, next);
    all += sum;
    work++;
  }
  set(job, WAITING, waiting);
  store<f64>(job, all, ALL);
  sliceDone(job, v, v == count);
}

function levelBegin(job: usize, count: u32, limited: bool): void {
  memory.fill(arrayAt(job, CELLS), 0, (<usize>count) << 4);
  store<f64>(job, 0, ALL);
  store<f64>(job, 0, GAINED);
  const arcs = <u64>word(address(job, OFFSETS), count);
  store<u64>(job, limited ? MOST_LOOKS * (arcs + count) : u64.MAX_VALUE, LEFT);
  set(job, HEAD, 0);
  set(job, WAITING, 0);
  set(job, MOVES, 0);
}

// What bestCommunity looks at, found once for all the moves of this instance's chunk.
let weightsAt: usize = 0;
let cellsAt: usize = 0;
let strengths: usize = 0;
let touchedAt: usize = 0;
let leastGain: f64 = 0;
let resolution: f64 = 0;
/** Sum of all weights; without any nobody has a neighbour, so what it is shared out by does not matter. */
let allWeights: f64 = 0;
/** Sum of what moves gained, each as bestCommunity compares it. */
let gained: f64 = 0;

function moveSome(job: usize): void {
  const all = load<f64>(job, ALL);
  weightsAt = address(job, WEIGHTS);
  cellsAt = arrayAt(job, CELLS);
  strengths = arrayAt(job, STRENGTH);
  touchedAt = arrayAt(job, TOUCHED);
  leastGain = LEAST_GAIN * all;
  resolution = load<f64>(job, JOB_DAMPING);
  allWeights = all == 0 ? 1 : all;
  const count = get(job, COUNT);
  const offsets = address(job, OFFSETS);
  const targets = address(job, TARGETS);
  const community = arrayAt(job, COMMUNITY);
  const queue = arrayAt(job, QUEUE);
  let head = get(job, HEAD);
  let waiting = get(job, WAITING);
  let moves = get(job, MOVES);
  gained = load<f64>(job, GAINED);
  const left = load<u64>(job, LEFT);
  const most: u32 = left < <u64>SLICE_WORK ? <u32>left : SLICE_WORK;
  let work: u32 = 0;
  while (waiting != 0 && work < most) {
    const v = word(queue, head);
    head = head + 1 == count ? 0 : head + 1;
    waiting--;
    const own = word(community, v) & ~WAITS;
    const begin = word(offsets, v);
    const end = word(offsets, v + 1);
    work += 1 + end - begin;
    const to = end == begin + 1 ? onlyCommunity(v, own, begin, targets, community) : bestCommunity(v, own, begin, end, targets, community);
    setWord(community, v, to);
    if (to == own) continue;
    moves++;
    for (let arc = begin; arc < end; arc++) {
      const w = word(targets, arc);
      const its = word(community, w);
      if ((its & WAITS) != 0 || its == to) continue;
      setWord(community, w, its | WAITS);
      const tail = head + waiting;
      setWord(queue, tail >= count ? tail - count : tail, w);
      waiting++;
    }
  }
  set(job, HEAD, head);
  set(job, WAITING, waiting);
  set(job, MOVES, moves);
  store<f64>(job, gained, GAINED);
  store<u64>(job, left - min<u64>(left, work), LEFT);
  sliceDone(job, 0, waiting == 0 || work >= left);
}

/** As `bestCommunity`, of a vertex with one arc. */
// @ts-ignore: decorator
@inline
function onlyCommunity(v: u32, own: u32, arc: u32, targets: usize, community: usize): u32 {
  const w = word(targets, arc);
  const its = word(community, w) & ~WAITS;
  const weight = weightsAt == 0 ? 1 : number(weightsAt, arc);
  if (w == v || its == own || weight == 0) return own;
  const mine = number(strengths, v);
  const expected = (resolution * mine) / allWeights;
  const here = cellsAt + ((<usize>own) << 4);
  const there = cellsAt + ((<usize>its) << 4);
  const without = load<f64>(here) - mine;
  const total = load<f64>(there);
  if (!(weight - expected * total > leastGain - expected * without)) return own;
  gained += weight - expected * total + expected * without;
  store<f64>(here, without);
  store<f64>(there, total + mine);
  return its;
}

/** The community that the vertex is best in; its strength is moved there. The smallest of several equally good other ones. */
function bestCommunity(v: u32, own: u32, begin: u32, last: u32, targets: usize, community: usize): u32 {
  const weights = weightsAt;
  const cells = cellsAt;
  const touched = touchedAt;
  let met: u32 = 0;
  for (let arc = begin; arc < last; arc++) {
    const w = word(targets, arc);
    if (w == v) continue;
    const its = word(community, w) & ~WAITS;
    const cell = cells + ((<usize>its) << 4);
    const known = load<f64>(cell, CELL_FLOW);
    const weight = weights == 0 ? 1 : number(weights, arc);
    if (weight == 0) continue;
    setWord(touched, met, its);
    met += u32(known == 0);
    store<f64>(cell, known + weight, CELL_FLOW);
  }
  const mine = number(strengths, v);
  const expected = (resolution * mine) / allWeights;
  const here = cells + ((<usize>own) << 4);
  const without = load<f64>(here) - mine;
  store<f64>(here, without);
  let best = own;
  const stay = load<f64>(here, CELL_FLOW) - expected * without;
  let most = stay + leastGain;
  for (let i: u32 = 0; i < met; i++) {
    const candidate = word(touched, i);
    const cell = cells + ((<usize>candidate) << 4);
    const gain = load<f64>(cell, CELL_FLOW) - expected * load<f64>(cell);
    store<f64>(cell, 0, CELL_FLOW);
    if (gain < most || candidate == own) continue;
    if (gain > most || (best != own && candidate < best)) {
      most = gain;
      best = candidate;
    }
  }
  if (best != own) gained += most - stay;
  const cell = cells + ((<usize>best) << 4);
  store<f64>(cell, load<f64>(cell) + mine);
  return best;
}

// --- The next level graph: communities become vertices, in order of their smallest vertex ------------------------------------

function numberSome(job: usize, from: u32, to: u32): void {
  const community = arrayAt(job, COMMUNITY);
  const numbers = arrayAt(job, NUMBER);
  const first = arrayAt(job, FIRST);
  if (from == 0) {
    memory.fill(numbers, 0xff, (<usize>get(job, COUNT)) << 2);
    set(job, NEXT, 0);
  }
  let next = get(job, NEXT);
  for (let v = from; v < to; v++) {
    const its = word(community, v) & ~WAITS;
    if (word(numbers, its) != 0xffffffff) continue;
    setWord(first, next, 0);
    setWord(numbers, its, next++);
  }
  setWord(first, next, 0);
  set(job, NEXT, next);
}

function countSome(job: usize, from: u32, to: u32): void {
  const community = arrayAt(job, COMMUNITY);
  const numbers = arrayAt(job, NUMBER);
  const first = arrayAt(job, FIRST);
  for (let v = from; v < to; v++) {
    const its = word(numbers, word(community, v) & ~WAITS);
    setWord(community, v, its);
    setWord(first, its, word(first, its) + 1);
  }
}

function firstSome(job: usize, from: u32, to: u32): void {
  const first = arrayAt(job, FIRST);
  let place = from == 0 ? 0 : get(job, TAKEN);
  for (let c = from; c < to; c++) {
    const size = word(first, c);
    setWord(first, c, place);
    place += size;
  }
  set(job, TAKEN, place);
}

/** The vertices by community; `first` of each is then the end of its members. */
function placeSome(job: usize, from: u32, to: u32): void {
  const community = arrayAt(job, COMMUNITY);
  const members = arrayAt(job, TOUCHED);
  const first = arrayAt(job, FIRST);
  for (let v = from; v < to; v++) {
    const its = word(community, v);
    const at = word(first, its);
    setWord(members, at, v);
    setWord(first, its, at + 1);
  }
}

/** Writes the level graph, without arcs that weigh nothing. The queue serves as the list of the communities met. */
function writeSome(job: usize): void {
  const projection = address(job, JOB_PROJECTION);
  const community = arrayAt(job, COMMUNITY);
  const members = arrayAt(job, TOUCHED);
  const first = arrayAt(job, FIRST);
  const oldOffsets = address(job, OFFSETS);
  const oldTargets = address(job, TARGETS);
  const oldWeights = address(job, WEIGHTS);
  const vertices = get(projection, P_COUNT);
  const arcs = get(projection, P_ARCS);
  const next = get(job, NEXT);
  const weights = address(job, GRAPHS) + <usize>get(job, PLACE) * <usize>graphBytes(vertices, arcs);
  const targets = weights + <usize>room(arcs, 8);
  const offsets = targets + <usize>room(arcs, 4);
  const flow = arrayAt(job, CELLS);
  const met = arrayAt(job, QUEUE);
  let c = sliceAt(job);
  if (c == 0) {
    memory.fill(flow, 0, (<usize>next) << 3);
    set(job, ARC, 0);
    set(job, TAKEN, 0);
  }
  let at = get(job, ARC);
  let i = get(job, TAKEN);
  let work: u32 = 0;
  for (; c < next && work < SLICE_WORK; c++) {
    setWord(offsets, c, at);
    let count: u32 = 0;
    for (const end = word(first, c); i < end; i++) {
      const v = word(members, i);
      const last = word(oldOffsets, v + 1);
      work += 1 + last - word(oldOffsets, v);
      for (let arc = word(oldOffsets, v); arc < last; arc++) {
        const its = word(community, word(oldTargets, arc));
        const weight = oldWeights == 0 ? 1 : number(oldWeights, arc);
        const known = number(flow, its);
        if (weight == 0) continue;
        setWord(met, count, its);
        count += u32(known == 0);
        setNumber(flow, its, known + weight);
      }
    }
    for (let k: u32 = 0; k < count; k++) {
      const its = word(met, k);
      setWord(targets, at, its);
      setNumber(weights, at++, number(flow, its));
      setNumber(flow, its, 0);
    }
  }
  set(job, ARC, at);
  set(job, TAKEN, i);
  sliceDone(job, c, c == next);
  if (c == next) takeGraph(job, offsets, targets, weights, at);
}

/** From now on the graph that was written is the level graph. */
function takeGraph(job: usize, offsets: usize, targets: usize, weights: usize, arcs: u32): void {
  const next = get(job, NEXT);
  setWord(offsets, next, arcs);
  set(job, PLACE, 1 - get(job, PLACE));
  set(job, COUNT, next);
  set(job, OFFSETS, <u32>offsets);
  set(job, TARGETS, <u32>targets);
  set(job, WEIGHTS, <u32>weights);
}

// --- What a level came to ----------------------------------------------------------------------------------------------------

function smallestSome(job: usize, from: u32, to: u32): void {
  const map = address(job, MAP);
  const ranks = address(address(job, JOB_PROJECTION), P_RANKS);
  const smallest = arrayAt(job, NUMBER);
  if (from == 0) memory.fill(smallest, 0xff, (<usize>get(job, COUNT)) << 2);
  for (let v = from; v < to; v++) {
    const its = word(map, v);
    setWord(smallest, its, min<u32>(word(smallest, its), ranks == 0 ? v : word(ranks, v)));
  }
}

/** Adds up the modularity of the partition into the vertices of the level graph. */
function weighSome(job: usize): void {
  const count = get(job, COUNT);
  const offsets = address(job, OFFSETS);
  const targets = address(job, TARGETS);
  const weights = address(job, WEIGHTS);
  const all = load<f64>(job, ALL);
  const scale = load<f64>(job, JOB_DAMPING);
  let c = all > 0 ? sliceAt(job) : count;
  let modularity = sliceAt(job) == 0 ? 0 : load<f64>(job, GAIN);
  let work: u32 = 0;
  for (; c < count && work < SLICE_WORK; c++) {
    let total: f64 = 0;
    const end = word(offsets, c + 1);
    work += 1 + end - word(offsets, c);
    for (let arc = word(offsets, c); arc < end; arc++) {
      total += number(weights, arc);
      if (word(targets, arc) == c) modularity += number(weights, arc) / all;
    }
    modularity -= scale * (total / all) * (total / all);
  }
  store<f64>(job, modularity, GAIN);
  sliceDone(job, c, c == count);
}

export function louvainNext(job: usize): u32 {
  if (!sliceNext(job)) return 1;
  const phase = get(job, JOB_PHASE);
  const last = get(job, LAST) != 0;
  if (last && phase == PHASE_MOVE) set(job, JOB_PHASE, PHASE_FOLLOW);
  else if (phase != PHASE_WEIGH && !(last && phase == PHASE_NAME)) set(job, JOB_PHASE, phase + 1);
  else return roundDone(job, last);
  return 1;
}

/** The names that were written are the result from now on; what comes next, if anything. */
function roundDone(job: usize, last: bool): u32 {
  const names = get(job, NAMES);
  set(job, NAMES, get(job, JOB_RESULT));
  set(job, JOB_RESULT, names);
  const all = load<f64>(job, ALL);
  if (last && all > 0) store<f64>(job, load<f64>(job, GAIN) + 2 * load<f64>(job, GAINED) / all, GAIN);
  store<f64>(job, load<f64>(job, GAIN), JOB_SUM);
  const rounds = get(job, JOB_ITERATIONS) + 1;
  const most = get(job, JOB_MAX_ITERATIONS);
  set(job, JOB_ITERATIONS, rounds);
  set(job, JOB_CONVERGED, u32(last));
  if (last || (most != 0 && rounds >= most)) {
    jobFinish(job);
    return 0;
  }
  if (get(job, MOVES) == 0) {
    const projection = address(job, JOB_PROJECTION);
    set(job, LAST, 1);
    set(job, COUNT, get(projection, P_COUNT));
    set(job, OFFSETS, get(projection, P_OFFSETS));
    set(job, TARGETS, get(projection, P_TARGETS));
    set(job, WEIGHTS, get(projection, P_WEIGHTS));
  }
  set(job, JOB_PHASE, PHASE_LEVEL);
  return 1;
}
