// LOUVAIN's first level: the projection without leaves and vertices of no arcs, in an order of its own (louvain.ts says why).
//
// Invariant: START leads from a vertex of the projection to its number in the first level, that of a leaf to its neighbour's, and is NONE
// without arcs; ORIGIN leads back. MAP is whom a vertex goes with until `startSome` makes it the same as START.

import { NONE } from '../memory/layout';
import { address, get, JOB_DAMPING, JOB_MEMBERS, JOB_PROJECTION, number, partial, set, setNumber, setWord, word } from './job';
import {
  ARCS, arrayAt, AT, awakeAt, BEGINS, clashAt, CLASSES, COMMUNITY, ENDS, firstBegins, firstEnds, firstTargets, flowAt, FRONT_COUNT, graphAt,
  insideAt, LEFT, listAt, LISTED, MAP, MEMBERS, MOVES, NEXT, ORIGIN, PLACE, smallestAt, START, STAYS, STRENGTH, STRENGTHS, TARGETS, WEIGHTS,
} from './louvain-state';
import { P_ARCS, P_OFFSETS, P_RANKS, P_TARGETS, P_WEIGHTS, positionOf } from './projection';

/** Of so many vertices one, with the most arcs, stays where it is at the first level. */
const STAYING_SHARE: u32 = 256;
/** And one is before the others in memory. */
const FRONT_SHARE: u32 = 16;

/** Whom a vertex goes with: itself, the neighbour of a leaf, NONE of one without arcs. Of two leaves of each other the second follows. */
function leaderOf(job: usize, v: u32): u32 {
  const projection = address(job, JOB_PROJECTION);
  const offsets = address(projection, P_OFFSETS);
  const arc = word(offsets, v);
  const degree = word(offsets, v + 1) - arc;
  if (degree == 0) return NONE;
  if (degree != 1 || load<f64>(job, JOB_DAMPING) > 1) return v;
  const weights = address(projection, P_WEIGHTS);
  if (weights != 0 && number(weights, arc) == 0) return v;
  const w = word(address(projection, P_TARGETS), arc);
  return word(offsets, w + 1) - word(offsets, w) == 1 && rankAt(projection, v) < rankAt(projection, w) ? v : w;
}

// @ts-ignore: decorator
@inline
function rankAt(projection: usize, v: u32): u32 {
  const ranks = address(projection, P_RANKS);
  return ranks == 0 ? v : word(ranks, v);
}

export function beginSome(job: usize, chunk: u32, from: u32, to: u32): void {
  const projection = address(job, JOB_PROJECTION);
  const offsets = address(projection, P_OFFSETS);
  const weights = address(projection, P_WEIGHTS);
  const map = address(job, MAP);
  let all: f64 = 0;
  const smallest = arrayAt(job, MEMBERS);
  for (let v = from; v < to; v++) {
    setWord(map, v, leaderOf(job, v));
    setWord(smallest, v, rankAt(projection, v));
  }
  if (weights == 0) all = <f64>(word(offsets, to) - word(offsets, from));
  else for (let arc = word(offsets, from), end = word(offsets, to); arc < end; arc++) all += number(weights, arc);
  store<f64>(partial(job, chunk), all);
  const bytes = <usize>(to - from);
  memory.fill(arrayAt(job, START) + ((<usize>from) << 2), 0xff, bytes << 2);
  memory.fill(clashAt(job) + <usize>from, 0, bytes);
  for (let member: u32 = 0; member < get(job, JOB_MEMBERS); member++) {
    memory.fill(flowAt(job, get(projection, P_ARCS), member) + ((<usize>from) << 3), 0, bytes << 3);
  }
}

/** Of a class: how many vertices it has comes first. */
const CLASS_ARCS: usize = 4;

/** Class of a vertex with so many arcs. */
// @ts-ignore: decorator
@inline
function classOf(degree: u32): u32 {
  if (degree < 2) return degree;
  const power = 31 - clz(degree);
  return 2 * power + ((degree >> (power - 1)) & 1);
}

/** For each class of degrees its vertices in the first level, and their arcs; and the smallest rank of a vertex and its leaves. */
export function classesSome(job: usize, from: u32, to: u32): void {
  const offsets = address(address(job, JOB_PROJECTION), P_OFFSETS);
  const map = address(job, MAP);
  const classes = classesAt(job);
  if (from == 0) memory.fill(classes, 0, CLASSES << 3);
  const smallest = arrayAt(job, MEMBERS);
  for (let v = from; v < to; v++) {
    const leader = word(map, v);
    if (leader == NONE) continue;
    if (leader != v) {
      setWord(smallest, leader, min<u32>(word(smallest, leader), word(smallest, v)));
      continue;
    }
    const degree = word(offsets, v + 1) - word(offsets, v);
    const its = classes + ((<usize>classOf(degree)) << 3);
    store<u32>(its, load<u32>(its) + 1);
    store<u32>(its, load<u32>(its, CLASS_ARCS) + degree, CLASS_ARCS);
  }
}

/** In the block, which is not yet: there is room for that in every job. */
function classesAt(job: usize): usize {
  return listAt(job);
}

/** The least class so that it and those above are no more than one of `share` of all vertices. */
function classAbove(job: usize, share: u32): u32 {
  const classes = classesAt(job);
  let most: u32 = 0;
  for (let its: usize = 0; its < CLASSES; its++) most += load<u32>(classes + (its << 3));
  most /= share;
  let least = CLASSES;
  for (let above: u32 = 0; least > 0; least--) {
    above += load<u32>(classes + ((<usize>least - 1) << 3));
    if (above > most) break;
  }
  return least;
}

/** What classes make known: who stays, who is before the others, and from which place and arc on the others are. */
export function beginOrder(job: usize): void {
  const classes = classesAt(job);
  const least = classAbove(job, FRONT_SHARE);
  let count: u32 = 0;
  let arcs: u32 = 0;
  for (let its = least; its < CLASSES; its++) {
    count += load<u32>(classes + ((<usize>its) << 3));
    arcs += load<u32>(classes + ((<usize>its) << 3), CLASS_ARCS);
  }
  set(job, LEFT, least);
  set(job, MOVES, classAbove(job, STAYING_SHARE));
  set(job, FRONT_COUNT, count);
  set(job, NEXT, count);
  set(job, ARCS, arcs);
  set(job, AT, 0);
  set(job, LISTED, 0);
}

/** Numbers the vertices of the first level in the order of ids, those of the front apart, and makes room for their arcs. */
export function orderSome(job: usize, from: u32, to: u32): void {
  const projection = address(job, JOB_PROJECTION);
  const offsets = address(projection, P_OFFSETS);
  const map = address(job, MAP);
  const start = arrayAt(job, START);
  const origin = arrayAt(job, ORIGIN);
  const begins = firstBegins(job);
  const least = get(job, LEFT);
  let front = get(job, AT);
  let frontArc = get(job, LISTED);
  let other = get(job, NEXT);
  let otherArc = get(job, ARCS);
  for (let rank = from; rank < to; rank++) {
    const v = positionOf(projection, rank);
    if (word(map, v) != v) continue;
    const degree = word(offsets, v + 1) - word(offsets, v);
    const before = classOf(degree) >= least;
    const own = before ? front++ : other++;
    setWord(start, v, own);
    setWord(origin, own, v);
    setWord(begins, own, before ? frontArc : otherArc);
    if (before) frontArc += degree;
    else otherArc += degree;
  }
  set(job, AT, front);
  set(job, LISTED, frontArc);
  set(job, NEXT, other);
  set(job, ARCS, otherArc);
}

/** The first level is the level graph; its weights, if it has any, are in the room that is first. */
export function takeFirst(job: usize): void {
  const arcs = get(address(job, JOB_PROJECTION), P_ARCS);
  set(job, PLACE, 0);
  const weights = graphAt(job, arcs);
  set(job, BEGINS, <u32>firstBegins(job));
  set(job, ENDS, <u32>firstEnds(job));
  set(job, TARGETS, <u32>firstTargets(job, arcs));
  set(job, WEIGHTS, get(address(job, JOB_PROJECTION), P_WEIGHTS) == 0 ? 0 : <u32>weights);
  set(job, STRENGTHS, <u32>arrayAt(job, STRENGTH));
  set(job, PLACE, 1);
}

/** Writes the arcs between vertices of the first level. `first`: also what comes with them; leaves have no start yet. */
export function copySome(job: usize, from: u32, to: u32, first: bool): void {
  const origin = arrayAt(job, ORIGIN);
  const begins = address(job, BEGINS);
  const ends = address(job, ENDS);
  const smallest = arrayAt(job, MEMBERS);
  let arcs: u32 = 0;
  for (let v = from; v < to; v++) {
    const own = word(origin, v);
    const end = address(job, WEIGHTS) == 0 ? copyPlain(job, v, own, first) : copyWeighted(job, v, own, first);
    setWord(ends, v, end);
    arcs += end - word(begins, v);
    if (first) setWord(smallestAt(job, false), v, word(smallest, own));
  }
  if (first) atomic.add<u32>(job + ARCS, arcs);
}

/** The arcs of a vertex, where all weigh 1; answers where they end. What leads where is anybody's guess, so nothing here is a branch. */
function copyPlain(job: usize, v: u32, own: u32, first: bool): u32 {
  const projection = address(job, JOB_PROJECTION);
  const offsets = address(projection, P_OFFSETS);
  const from = address(projection, P_TARGETS);
  const targets = address(job, TARGETS);
  const start = arrayAt(job, START);
  const begin = word(offsets, own);
  const end = word(offsets, own + 1);
  let at = word(address(job, BEGINS), v);
  let leaves: u32 = 0;
  let loops: u32 = 0;
  for (let arc = begin; arc < end; arc++) {
    const w = word(start, word(from, arc));
    const leaf = u32(w == NONE);
    const loop = u32(w == v);
    setWord(targets, at, w);
    leaves += leaf;
    loops += loop;
    at += 1 - (leaf | loop);
  }
  if (first) {
    setNumber(address(job, STRENGTHS), v, <f64>(end - begin) + <f64>leaves);
    setNumber(insideAt(job, false), v, <f64>loops + 2 * <f64>leaves);
  }
  return at;
}

function copyWeighted(job: usize, v: u32, own: u32, first: bool): u32 {
  const projection = address(job, JOB_PROJECTION);
  const offsets = address(projection, P_OFFSETS);
  const from = address(projection, P_TARGETS);
  const fromWeights = address(projection, P_WEIGHTS);
  const targets = address(job, TARGETS);
  const weights = address(job, WEIGHTS);
  const start = arrayAt(job, START);
  let at = word(address(job, BEGINS), v);
  let strength: f64 = 0;
  let within: f64 = 0;
  for (let arc = word(offsets, own), end = word(offsets, own + 1); arc < end; arc++) {
    const w = word(start, word(from, arc));
    const weight = number(fromWeights, arc);
    setWord(targets, at, w);
    setNumber(weights, at, weight);
    strength += w == NONE ? 2 * weight : weight;
    if (w == NONE) within += 2 * weight;
    else if (w == v) within += weight;
    else at += u32(weight != 0);
  }
  if (first) {
    setNumber(address(job, STRENGTHS), v, strength);
    setNumber(insideAt(job, false), v, within);
  }
  return at;
}

/** Leaves begin where those they follow do. */
export function startSome(job: usize, from: u32, to: u32): void {
  const map = address(job, MAP);
  const start = arrayAt(job, START);
  for (let v = from; v < to; v++) {
    const leader = word(map, v);
    if (leader == NONE) continue;
    const its = word(start, leader);
    if (leader != v) setWord(start, v, its);
    setWord(map, v, its);
  }
}

/** Those of most arcs, all in front, stay where they are at the first level. */
export function keepStaying(job: usize, from: u32, to: u32): void {
  const offsets = address(address(job, JOB_PROJECTION), P_OFFSETS);
  const origin = arrayAt(job, ORIGIN);
  const community = arrayAt(job, COMMUNITY);
  const mobile = get(job, MOVES);
  for (let v = from, end = min<u32>(to, get(job, FRONT_COUNT)); v < end; v++) {
    const old = word(origin, v);
    if (classOf(word(offsets, old + 1) - word(offsets, old)) < mobile) continue;
    setWord(community, v, v | STAYS);
    store<u8>(awakeAt(job) + <usize>v, 0);
  }
}
