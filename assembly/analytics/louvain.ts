// LOUVAIN: communities of high modularity (Blondel, Guillaume, Lambiotte, Lefebvre 2008) over VIEW_BOTH, weighted if the projection is.
// Vertices move to the neighbouring community of largest gain, those only whose surroundings changed (Traag, Waltman, van Eck 2019); then
// communities become the vertices of a smaller graph, until nothing moves. A last round moves the vertices of the projection once more,
// from the communities that came out (refinement: Rotta, Noack 2011). `damping` of the run is the resolution, 1 for plain modularity.
//
// Vertices move in blocks (louvain-moves.ts), whose vertices look for the best community together and then move one by one. Whatever
// takes long is work of any number of threads, what follows from the order of vertices is done by one, in slices (slices.ts); the answer
// does not depend on how many threads there are.
//
// A vertex of one arc, a leaf, is best off with its neighbour whatever else happens, as long as the resolution is at most 1. So leaves
// take no part in moves: what they weigh is inside that neighbour from the beginning, and they follow it. (Lu, Halappanavar,
// Kalyanaraman 2015. They are two fifths of a package graph and of WordNet.)
//
// The first level is a copy of the projection without them, and in another order: first those of most arcs, because most arcs lead
// there, then the others by their ids, because neighbours often have ids near each other. So what is looked at lies together. The last
// round's is the same; weights, if there are any, are written once more.
//
// The first level is where chance does harm: the vertices of most arcs, moved early or often, end up together, and never part again.
// So they stay where they are while others gather around them, and the level ends early; what is left to move
// moves at the levels above, where the larger communities wait for the smaller ones, and in the last round.
//
// Invariant: strengths of a level's vertices sum up to those of the projection. Each move raises the modularity by more than rounding.
// After each level the result names every vertex's community by its smallest rank: a run that is stopped keeps the last complete level,
// because the next names are written beside those of the one before. A round is a level, or the last one.
//
// Cost: O(arcs) a sweep, few sweeps a level, few levels; 110 bytes a vertex and 28 an arc, for each member 12 a vertex.

import { NONE } from '../memory/layout';
import {
  address, get, JOB_CONVERGED, JOB_DAMPING, JOB_ITERATIONS, JOB_MAX_ITERATIONS, JOB_PHASE, JOB_PROJECTION, JOB_RESULT, JOB_RESULT_TYPE,
  JOB_SUM, JOB_TOTAL, jobFinish, number, RESULT_PARTITION, room, set, setNumber, setWord, sumPartials, word,
} from './job';
import { beginOrder, beginSome, classesSome, copySome, keepStaying, orderSome, startSome, takeFirst } from './louvain-first';
import { lookSome, moveBlock, nextBlock, wakeSome } from './louvain-moves';
import {
  ALL, ARCS, arrayAt, AT, awakeAt, BEGINS, BLOCK, blockOf, COMMUNITY, COMMUNITY_MASK, COUNT, ENDS, FIRST, firstArcs, firstCount, flowAt,
  GAIN, GAINED, graphAt, insideAt, LEFT, MAP, MEMBERS, MOVES, NAMES, NEXT, nextBegins, nextEnds, NUMBER, OTHER_SUMS, PLACE, ROUND,
  ROUND_FIRST, ROUND_LAST, ROUND_LEVEL, setFirst, smallestAt, START, STRENGTHS, SUMS, TARGETS, TOTALS, touchedAt, WEIGHTS, WISHES, WORK,
} from './louvain-state';
import { CHUNK_VERTICES, P_ARCS, P_COUNT, P_RANKS } from './projection';
import { sliceAt, sliceDone, sliceEnd, sliceNext } from './slices';

// Before the first level.
const PHASE_BEGIN: u32 = 0; //   who follows whom; any number of threads
const PHASE_CLASSES: u32 = 1; // how many vertices have which class of degrees
const PHASE_ORDER: u32 = 2; //   the vertices of the first level in order
const PHASE_COPY: u32 = 3; //    their arcs; any
const PHASE_START: u32 = 4; //   where everybody begins; any
// Each level.
const PHASE_LEVEL: u32 = 5; //   everybody alone, in the last round where the levels led; any
const PHASE_LOOK: u32 = 6; //    blocks; any
const PHASE_WAKE: u32 = 7; //    any
const PHASE_MOVE: u32 = 8;
// What it came to.
const PHASE_NUMBER: u32 = 9; //  communities get numbers, in order of their smallest vertex
const PHASE_ROOM: u32 = 10; //   room of each among the vertices by community, and for its arcs
const PHASE_PLACE: u32 = 11;
const PHASE_GRAPH: u32 = 12; //  the next level graph; any
const PHASE_NAME: u32 = 13; //   every vertex to its place in it, and its community's name; any
const PHASE_WEIGH: u32 = 14; //  the modularity
// The last round, before and after.
const PHASE_AGAIN: u32 = 15; //  arcs of the first level once more; any
const PHASE_BACK: u32 = 16; //   every vertex to its community; any
const PHASE_FOLLOW: u32 = 17; // and back; any
const PHASE_SMALLEST: u32 = 18; // smallest rank of each
const PHASE_RENAME: u32 = 19; // any

/** How often a level looks at an arc on average, at most; the first one three times for every two arcs. */
const MOST_LOOKS: u64 = 2;
/** Vertices of a level that are one chunk where their arcs are work. */
const CHUNK_ROWS: u32 = 512;
/** Communities that one chunk makes vertices of. */
const CHUNK_COMMUNITIES: u32 = 128;

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
  set(job, COUNT, count);
  if (count == 0) set(job, JOB_CONVERGED, 1);
  return chunksOf(count);
}

/** Chunks of a phase that is as much work for each vertex. */
function chunksOf(count: u32): u32 {
  return (count + CHUNK_VERTICES - 1) / CHUNK_VERTICES;
}

/** And of one whose vertices have their arcs at hand. */
function rowsOf(count: u32): u32 {
  return (count + CHUNK_ROWS - 1) / CHUNK_ROWS;
}

export function louvainChunk(job: usize, chunk: u32, member: u32): void {
  const phase = get(job, JOB_PHASE);
  if (phase == PHASE_LOOK) lookSome(job, chunk, member);
  else if (phase == PHASE_WAKE) wakeSome(job, chunk);
  else if (phase == PHASE_MOVE) moveBlock(job, member);
  else if (phase == PHASE_GRAPH) {
    if (address(job, WEIGHTS) == 0) writeSome<u32>(job, chunk, member);
    else writeSome<f64>(job, chunk, member);
  } else if (isSliced(phase)) runSlice(job, phase);
  else runPart(job, phase, chunk);
}

/** Whether the phase is one thread's, in slices. */
function isSliced(phase: u32): bool {
  if (phase == PHASE_CLASSES || phase == PHASE_ORDER || phase == PHASE_WEIGH || phase == PHASE_SMALLEST) return true;
  return phase >= PHASE_NUMBER && phase <= PHASE_PLACE;
}

function runSlice(job: usize, phase: u32): void {
  let count = get(address(job, JOB_PROJECTION), P_COUNT);
  if (phase == PHASE_ROOM) count = get(job, NEXT);
  else if (phase == PHASE_NUMBER || phase == PHASE_PLACE || phase == PHASE_WEIGH) count = get(job, COUNT);
  const from = sliceAt(job);
  const to = sliceEnd(job, count);
  if (phase == PHASE_CLASSES) classesSome(job, from, to);
  else if (phase == PHASE_ORDER) orderSome(job, from, to);
  else if (phase == PHASE_NUMBER) numberSome(job, from, to);
  else if (phase == PHASE_ROOM) roomSome(job, from, to);
  else if (phase == PHASE_PLACE) placeSome(job, from, to);
  else if (phase == PHASE_WEIGH) weighSome(job, from, to);
  else if (phase == PHASE_SMALLEST) smallestSome(job, from, to);
  else unreachable();
  sliceDone(job, to, to == count);
}

/** A chunk of vertices that does not depend on the others: of the level graph, or of the projection. */
function runPart(job: usize, phase: u32, chunk: u32): void {
  const ofLevel = phase == PHASE_COPY || phase == PHASE_AGAIN || phase == PHASE_LEVEL;
  const each = ofLevel ? CHUNK_ROWS : CHUNK_VERTICES;
  const from = chunk * each;
  const to = min<u32>(from + each, ofLevel ? get(job, COUNT) : get(address(job, JOB_PROJECTION), P_COUNT));
  if (phase == PHASE_BEGIN) beginSome(job, chunk, from, to);
  else if (phase == PHASE_COPY) copySome(job, from, to, true);
  else if (phase == PHASE_AGAIN) copySome(job, from, to, false);
  else if (phase == PHASE_START) startSome(job, from, to);
  else if (phase == PHASE_LEVEL) levelSome(job, from, to);
  else if (phase == PHASE_NAME) nameSome(job, from, to);
  else if (phase == PHASE_BACK) backSome(job, from, to);
  else if (phase == PHASE_FOLLOW) followSome(job, from, to);
  else if (phase == PHASE_RENAME) renameSome(job, from, to);
  else unreachable();
}

// --- A level -----------------------------------------------------------------------------------------------------------------

/**
 * Everybody awake, and alone; in the last round they are where the levels led, whose totals are the strengths there. At the first level
 * those of most arcs, all in front, stay.
 */
function levelSome(job: usize, from: u32, to: u32): void {
  const bytes = <usize>(to - from);
  memory.fill(awakeAt(job) + <usize>from, 1, bytes);
  const round = get(job, ROUND);
  if (round == ROUND_LAST) return;
  memory.copy(address(job, TOTALS) + ((<usize>from) << 3), address(job, STRENGTHS) + ((<usize>from) << 3), bytes << 3);
  const community = arrayAt(job, COMMUNITY);
  for (let v = from; v < to; v++) setWord(community, v, v);
  if (round == ROUND_LEVEL) return;
  keepStaying(job, from, to);
}

/** Before the last round: the communities of the first level's vertices. Those that go together write the same. */
function backSome(job: usize, from: u32, to: u32): void {
  const map = address(job, MAP);
  const start = arrayAt(job, START);
  const community = arrayAt(job, COMMUNITY);
  for (let v = from; v < to; v++) {
    if (word(start, v) != NONE) setWord(community, word(start, v), word(map, v));
  }
}

/** What a level counts begins with 0; answers the chunks of the first block. */
function beginMoves(job: usize): u32 {
  const count = get(job, COUNT);
  const first = get(job, ROUND) == ROUND_FIRST;
  const arcs = get(job, ROUND) == ROUND_LEVEL ? get(job, ARCS) : firstArcs(job);
  const looks = MOST_LOOKS * (<u64>arcs + <u64>count);
  set(job, AT, 0);
  set(job, MOVES, 0);
  store<f64>(job, 0, GAINED);
  store<u64>(job, first ? looks - (looks >> 2) : looks, LEFT);
  set(job, BLOCK, blockOf(count, arcs));
  return nextBlock(job);
}

// --- The next level graph: communities become vertices, in order of their smallest vertex ------------------------------------

/** Beside numbers, counts the vertices of each community, and their arcs. */
function numberSome(job: usize, from: u32, to: u32): void {
  const community = arrayAt(job, COMMUNITY);
  const numbers = arrayAt(job, NUMBER);
  const first = arrayAt(job, FIRST);
  const begins = address(job, BEGINS);
  const ends = address(job, ENDS);
  const rooms = nextBegins(job);
  if (from == 0) {
    memory.fill(numbers, 0xff, (<usize>get(job, COUNT)) << 2);
    set(job, NEXT, 0);
  }
  let next = get(job, NEXT);
  for (let v = from; v < to; v++) {
    const its = word(community, v) & COMMUNITY_MASK;
    let own = word(numbers, its);
    if (own == NONE) {
      own = next++;
      setWord(numbers, its, own);
      setWord(first, own, 0);
      setWord(rooms, own, 0);
    }
    setWord(community, v, own);
    setWord(first, own, word(first, own) + 1);
    setWord(rooms, own, word(rooms, own) + word(ends, v) - word(begins, v));
  }
  set(job, NEXT, next);
}

function roomSome(job: usize, from: u32, to: u32): void {
  const first = arrayAt(job, FIRST);
  const rooms = nextBegins(job);
  let place: u32 = from == 0 ? 0 : get(job, AT);
  let arc: u32 = from == 0 ? 0 : get(job, ARCS);
  for (let c = from; c < to; c++) {
    const size = word(first, c);
    const arcs = word(rooms, c);
    setWord(first, c, place);
    setWord(rooms, c, arc);
    place += size;
    arc += arcs;
  }
  set(job, AT, place);
  set(job, ARCS, arc);
}

/** The vertices by community; `first` of each is then the end of its members. */
function placeSome(job: usize, from: u32, to: u32): void {
  const community = arrayAt(job, COMMUNITY);
  const members = arrayAt(job, MEMBERS);
  const first = arrayAt(job, FIRST);
  for (let v = from; v < to; v++) {
    const its = word(community, v);
    const at = word(first, its);
    setWord(members, at, v);
    setWord(first, its, at + 1);
  }
}

/** Where the strengths of the next level are written: not where those of this one are. */
function nextStrengths(job: usize): usize {
  const other = arrayAt(job, OTHER_SUMS);
  return address(job, STRENGTHS) == other ? arrayAt(job, SUMS) : other;
}

/**
 * Writes the vertices of the next level graph that a chunk of communities becomes, without arcs that weigh nothing. `Sum` is that of
 * weights: u32 when all are 1.
 */
function writeSome<Sum>(job: usize, chunk: u32, member: u32): void {
  const arcs = get(address(job, JOB_PROJECTION), P_ARCS);
  const community = arrayAt(job, COMMUNITY);
  const members = arrayAt(job, MEMBERS);
  const ends = arrayAt(job, FIRST);
  const strengths = address(job, STRENGTHS);
  const smallest = smallestAt(job, false);
  const inside = insideAt(job, false);
  const newStrengths = nextStrengths(job);
  const newSmallest = smallestAt(job, true);
  const newInside = insideAt(job, true);
  const sums = flowAt(job, arcs, member);
  const met = touchedAt(job, sums);
  const from = chunk * CHUNK_COMMUNITIES;
  const to = min<u32>(from + CHUNK_COMMUNITIES, get(job, NEXT));
  let i: u32 = from == 0 ? 0 : word(ends, from - 1);
  // Rows of a chunk follow each other; there is room between chunks alone.
  let at = word(nextBegins(job), from);
  for (let c = from; c < to; c++) {
    setWord(nextBegins(job), c, at);
    let count: u32 = 0;
    let strength: f64 = 0;
    let within: f64 = 0;
    let least = NONE;
    for (const end = word(ends, c); i < end; i++) {
      const v = word(members, i);
      strength += number(strengths, v);
      least = min<u32>(least, word(smallest, v));
      within += number(inside, v);
      count = gather<Sum>(job, v, community, sums, met, count);
    }
    setNumber(newStrengths, c, strength);
    setNumber(newInside, c, within + <f64>take<Sum>(sums, c));
    setWord(newSmallest, c, least);
    at = writeRow<Sum>(job, at, sums, met, count);
    setWord(nextEnds(job), c, at);
  }
}

/** Adds the arcs of a vertex to the flow to each community; answers how many communities have been met. */
// @ts-ignore: decorator
@inline
function gather<Sum>(job: usize, v: u32, community: usize, sums: usize, met: usize, count: u32): u32 {
  const targets = address(job, TARGETS);
  const weights = address(job, WEIGHTS);
  const shift: usize = sizeof<Sum>() == 4 ? 2 : 3;
  for (let arc = word(address(job, BEGINS), v), end = word(address(job, ENDS), v); arc < end; arc++) {
    const its = word(community, word(targets, arc));
    const place = sums + ((<usize>its) << shift);
    const known = load<Sum>(place);
    const weight = sizeof<Sum>() == 4 ? <Sum>1 : <Sum>number(weights, arc);
    setWord(met, count, its);
    count += u32(known == 0);
    store<Sum>(place, known + weight);
  }
  return count;
}

/** The flow to a community, which is 0 from then on. */
// @ts-ignore: decorator
@inline
function take<Sum>(sums: usize, c: u32): Sum {
  const place = sums + ((<usize>c) << (sizeof<Sum>() == 4 ? 2 : 3));
  const sum = load<Sum>(place);
  store<Sum>(place, 0);
  return sum;
}

/** Writes the arcs of a vertex of the next level graph from `at` on, and clears the flow; answers where they end. */
// @ts-ignore: decorator
@inline
function writeRow<Sum>(job: usize, at: u32, sums: usize, met: usize, count: u32): u32 {
  const arcs = get(address(job, JOB_PROJECTION), P_ARCS);
  const weights = graphAt(job, arcs);
  const targets = weights + <usize>room(arcs, 8);
  for (let k: u32 = 0; k < count; k++) {
    const its = word(met, k);
    const sum = <f64>take<Sum>(sums, its);
    setWord(targets, at, its);
    setNumber(weights, at, sum);
    at += u32(sum != 0);
  }
  return at;
}

/** From now on the graph that was written is the level graph. */
function takeGraph(job: usize): void {
  const arcs = get(address(job, JOB_PROJECTION), P_ARCS);
  const weights = graphAt(job, arcs);
  const strengths = nextStrengths(job);
  set(job, COUNT, get(job, NEXT));
  set(job, BEGINS, <u32>nextBegins(job));
  set(job, ENDS, <u32>nextEnds(job));
  set(job, TARGETS, <u32>(weights + <usize>room(arcs, 8)));
  set(job, WEIGHTS, <u32>weights);
  set(job, STRENGTHS, <u32>strengths);
  set(job, TOTALS, <u32>(strengths == arrayAt(job, SUMS) ? arrayAt(job, OTHER_SUMS) : arrayAt(job, SUMS)));
  set(job, PLACE, 1 - get(job, PLACE));
}

// --- What a level came to ----------------------------------------------------------------------------------------------------

function nameSome(job: usize, from: u32, to: u32): void {
  const map = address(job, MAP);
  const names = address(job, NAMES);
  const community = arrayAt(job, COMMUNITY);
  const smallest = smallestAt(job, false);
  const ranks = address(address(job, JOB_PROJECTION), P_RANKS);
  for (let v = from; v < to; v++) {
    const before = word(map, v);
    if (before == NONE) {
      setWord(names, v, ranks == 0 ? v : word(ranks, v));
      continue;
    }
    const its = word(community, before);
    setWord(map, v, its);
    setWord(names, v, word(smallest, its));
  }
}

/** Adds up the modularity of the partition into the vertices of the level graph, and its arcs. */
function weighSome(job: usize, from: u32, to: u32): void {
  const all = load<f64>(job, ALL);
  const scale = load<f64>(job, JOB_DAMPING);
  const strengths = address(job, STRENGTHS);
  const inside = insideAt(job, false);
  const begins = address(job, BEGINS);
  const ends = address(job, ENDS);
  let modularity = from == 0 ? 0 : load<f64>(job, GAIN);
  let arcs: u32 = from == 0 ? 0 : get(job, ARCS);
  for (let c = from; c < to; c++) {
    arcs += word(ends, c) - word(begins, c);
    if (all == 0) continue;
    const share = number(strengths, c) / all;
    modularity += number(inside, c) / all - scale * share * share;
  }
  set(job, ARCS, arcs);
  store<f64>(job, modularity, GAIN);
}

function followSome(job: usize, from: u32, to: u32): void {
  const map = address(job, MAP);
  const start = arrayAt(job, START);
  const community = arrayAt(job, COMMUNITY);
  for (let v = from; v < to; v++) {
    if (word(start, v) != NONE) setWord(map, v, word(community, word(start, v)));
  }
}

function smallestSome(job: usize, from: u32, to: u32): void {
  const map = address(job, MAP);
  const ranks = address(address(job, JOB_PROJECTION), P_RANKS);
  const smallest = arrayAt(job, NUMBER);
  if (from == 0) memory.fill(smallest, 0xff, (<usize>get(job, COUNT)) << 2);
  for (let v = from; v < to; v++) {
    const its = word(map, v);
    if (its != NONE) setWord(smallest, its, min<u32>(word(smallest, its), ranks == 0 ? v : word(ranks, v)));
  }
}

function renameSome(job: usize, from: u32, to: u32): void {
  const map = address(job, MAP);
  const names = address(job, NAMES);
  const ranks = address(address(job, JOB_PROJECTION), P_RANKS);
  const smallest = arrayAt(job, NUMBER);
  for (let v = from; v < to; v++) {
    const its = word(map, v);
    setWord(names, v, its != NONE ? word(smallest, its) : ranks == 0 ? v : word(ranks, v));
  }
}

// --- From phase to phase -----------------------------------------------------------------------------------------------------

export function louvainNext(job: usize): u32 {
  const phase = get(job, JOB_PHASE);
  if (isSliced(phase) && !sliceNext(job)) return 1;
  if (phase == PHASE_LOOK && get(job, WISHES) != 0) return goOn(job, PHASE_WAKE, get(job, JOB_TOTAL));
  if (phase == PHASE_WAKE) return goOn(job, PHASE_MOVE, 1);
  if (phase == PHASE_LEVEL) return movesOn(job, beginMoves(job));
  if (phase == PHASE_LOOK || phase == PHASE_MOVE) return movesOn(job, nextBlock(job));
  if (phase <= PHASE_START) return beginNext(job, phase);
  const vertices = chunksOf(get(address(job, JOB_PROJECTION), P_COUNT));
  if (phase == PHASE_NUMBER || phase == PHASE_ROOM) return goOn(job, phase + 1, 1);
  if (phase == PHASE_PLACE) return goOn(job, PHASE_GRAPH, (get(job, NEXT) + CHUNK_COMMUNITIES - 1) / CHUNK_COMMUNITIES);
  if (phase == PHASE_GRAPH) {
    takeGraph(job);
    return goOn(job, PHASE_NAME, vertices);
  }
  if (phase == PHASE_NAME) return goOn(job, PHASE_WEIGH, 1);
  if (phase == PHASE_AGAIN) return goOn(job, PHASE_BACK, vertices);
  if (phase == PHASE_BACK) return goOn(job, PHASE_LEVEL, rowsOf(get(job, COUNT)));
  if (phase == PHASE_FOLLOW) return goOn(job, PHASE_SMALLEST, 1);
  if (phase == PHASE_SMALLEST) return goOn(job, PHASE_RENAME, vertices);
  return phase == PHASE_WEIGH || phase == PHASE_RENAME ? roundDone(job, true) : unreachable();
}

/** The next phase before the first level. */
function beginNext(job: usize, phase: u32): u32 {
  if (phase == PHASE_BEGIN) {
    store<f64>(job, sumPartials(job, get(job, JOB_TOTAL), 0), ALL);
    return goOn(job, PHASE_CLASSES, 1);
  }
  if (phase == PHASE_CLASSES) {
    beginOrder(job);
    return goOn(job, PHASE_ORDER, 1);
  }
  if (phase == PHASE_ORDER) {
    set(job, COUNT, get(job, NEXT));
    setFirst(job, get(job, NEXT), 0);
    set(job, ARCS, 0);
    takeFirst(job);
    set(job, TOTALS, <u32>arrayAt(job, SUMS));
    return goOn(job, PHASE_COPY, rowsOf(get(job, COUNT)));
  }
  if (phase == PHASE_COPY) setFirst(job, get(job, NEXT), get(job, ARCS));
  if (phase == PHASE_COPY) return goOn(job, PHASE_START, chunksOf(get(address(job, JOB_PROJECTION), P_COUNT)));
  return goOn(job, PHASE_LEVEL, rowsOf(get(job, COUNT)));
}

function goOn(job: usize, phase: u32, chunks: u32): u32 {
  set(job, JOB_PHASE, phase);
  return chunks;
}

/** With the next block, if there is one; otherwise what the level came to. Where nothing moved above the first, nothing changed. */
function movesOn(job: usize, chunks: u32): u32 {
  if (chunks != 0) return goOn(job, PHASE_LOOK, chunks);
  const round = get(job, ROUND);
  if (round == ROUND_LEVEL && get(job, MOVES) == 0) return roundDone(job, false);
  if (round != ROUND_LAST) return goOn(job, PHASE_NUMBER, 1);
  return goOn(job, PHASE_FOLLOW, chunksOf(get(address(job, JOB_PROJECTION), P_COUNT)));
}

/** What was written is the result from now on, unless that is what it was before; what comes next, if anything. */
function roundDone(job: usize, named: bool): u32 {
  const last = get(job, ROUND) == ROUND_LAST;
  if (named) {
    const names = get(job, NAMES);
    set(job, NAMES, get(job, JOB_RESULT));
    set(job, JOB_RESULT, names);
  }
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
  if (get(job, MOVES) != 0) {
    set(job, ROUND, ROUND_LEVEL);
    return goOn(job, PHASE_LEVEL, rowsOf(get(job, COUNT)));
  }
  set(job, ROUND, ROUND_LAST);
  set(job, TOTALS, get(job, STRENGTHS));
  set(job, COUNT, firstCount(job));
  takeFirst(job);
  if (address(job, WEIGHTS) != 0) return goOn(job, PHASE_AGAIN, rowsOf(get(job, COUNT)));
  return goOn(job, PHASE_BACK, chunksOf(get(address(job, JOB_PROJECTION), P_COUNT)));
}
