// LOUVAIN's moves: in turns of a block, the next vertices that are awake. First each looks, by itself, where it would gain most as
// things stand, then each that wants to move wakes its neighbours, and then all move in order, one by one. Whoever has a neighbour that
// wants to move before it looks again when it is its turn, and so does one that would no longer gain; so every move raises the
// modularity, by what is known of it. The first two steps are work of any number of threads, and nothing depends on how many.
//
// Invariant: between two blocks no vertex has WANTS, no byte of `clash` is set, and a vertex that does not stay is awake unless it was
// looked at after its neighbours last moved.

import { address, get, JOB_DAMPING, JOB_PROJECTION, number, set, setNumber, setWord, word } from './job';
import {
  ALL, arrayAt, AT, awakeAt, BEGINS, BLOCK, clashAt, COMMUNITY, COMMUNITY_MASK, COUNT, differencesAt, ENDS, flowAt, FRONT_COUNT, GAINED,
  LEFT, listAt, LISTED, MOVES, ROUND, ROUND_FIRST, ROUND_LAST, ROUND_LEVEL, STAYS, STRENGTHS, TARGETS, TOTALS, touchedAt, WANTS, WEIGHTS,
  WISHES, wishesAt,
} from './louvain-state';
import { P_ARCS } from './projection';

/** A move must gain this part of what all weights together are. */
const LEAST_GAIN: f64 = 1e-13;

/** Vertices of a block that are one chunk. */
const CHUNK_LISTED: u32 = 64;

// What a chunk reads, found once for all its vertices.
let begins: usize = 0;
let ends: usize = 0;
let targets: usize = 0;
let weights: usize = 0;
let community: usize = 0;
let strengths: usize = 0;
let totals: usize = 0;
let flow: usize = 0;
let touched: usize = 0;
let list: usize = 0;
let wishes: usize = 0;
let differences: usize = 0;
let awake: usize = 0;
let clash: usize = 0;
let leastGain: f64 = 0;
/** What a community's strength counts against a vertex of strength 1. */
let rate: f64 = 0;
/** Of the last look: what the vertex has more of where it wants to go than where it is. */
let difference: f64 = 0;

function prepare(job: usize, member: u32): void {
  begins = address(job, BEGINS);
  ends = address(job, ENDS);
  targets = address(job, TARGETS);
  weights = address(job, WEIGHTS);
  community = arrayAt(job, COMMUNITY);
  strengths = address(job, STRENGTHS);
  totals = address(job, TOTALS);
  flow = flowAt(job, get(address(job, JOB_PROJECTION), P_ARCS), member);
  touched = touchedAt(job, flow);
  list = listAt(job);
  wishes = wishesAt(job);
  differences = differencesAt(job);
  awake = awakeAt(job);
  clash = clashAt(job);
  const all = load<f64>(job, ALL);
  leastGain = LEAST_GAIN * all;
  // Without any weights nobody has a neighbour, so what they are shared out by does not matter.
  rate = load<f64>(job, JOB_DAMPING) / (all == 0 ? 1 : all);
}

// --- The next block ----------------------------------------------------------------------------------------------------------

/**
 * Lists the next vertices that are awake; answers how many chunks they are, 0 when the level is over. At the first level those of many
 * arcs are the last ones, the others go in the order of their ids. At later ones it is from the last to the first, because communities
 * around vertices of many arcs have the first numbers. A block ends where the vertices do, so that its order is theirs.
 */
export function nextBlock(job: usize): u32 {
  const left = load<u64>(job, LEFT);
  let listed: u32 = 0;
  if (left != 0) {
    const at = get(job, AT);
    list = listAt(job);
    awake = awakeAt(job);
    listed = listSome(job, at);
    if (listed == 0 && at != 0) listed = listSome(job, 0);
    takeLooks(job, left, listed);
  }
  set(job, LISTED, listed);
  set(job, WISHES, 0);
  return (listed + CHUNK_LISTED - 1) / CHUNK_LISTED;
}

/** Lists vertices from place `at` to the end of the block or of the vertices, where it begins again with 0. */
function listSome(job: usize, at: u32): u32 {
  const count = get(job, COUNT);
  const most = get(job, BLOCK);
  const down = get(job, ROUND) == ROUND_LEVEL;
  const front = get(job, ROUND) == ROUND_FIRST ? get(job, FRONT_COUNT) : 0;
  const rest = count - front;
  let listed: u32 = 0;
  while (at < count && listed < most) {
    const v = down ? count - 1 - at : at < rest ? at + front : at - rest;
    // Eight at once, where they lie in a row.
    if (down ? v >= 7 : v + 8 <= count && (at >= rest || at + 8 <= rest)) {
      if (load<u64>(awake + <usize>(down ? v - 7 : v)) == 0) {
        at += 8;
        continue;
      }
    }
    at++;
    const its = load<u8>(awake + <usize>v);
    store<u8>(awake + <usize>v, 0);
    setWord(list, listed, v);
    listed += its;
  }
  set(job, AT, at >= count ? 0 : at);
  return listed;
}

/** Takes the looks of this block off those that are left. */
function takeLooks(job: usize, left: u64, listed: u32): void {
  const from = address(job, BEGINS);
  const to = address(job, ENDS);
  let looks: u64 = 0;
  for (let i: u32 = 0; i < listed; i++) {
    const v = word(list, i);
    looks += <u64>(1 + word(to, v) - word(from, v));
  }
  store<u64>(job, left - min<u64>(left, looks), LEFT);
}

// --- Looking -----------------------------------------------------------------------------------------------------------------

/** Vertices of the block look where they would gain most. */
export function lookSome(job: usize, chunk: u32, member: u32): void {
  prepare(job, member);
  const to = min<u32>((chunk + 1) * CHUNK_LISTED, get(job, LISTED));
  let wanting: u32 = 0;
  for (let i = chunk * CHUNK_LISTED; i < to; i++) {
    const v = word(list, i);
    const own = word(community, v);
    const best = weights == 0 ? bestCommunity<u32>(v, own) : bestCommunity<f64>(v, own);
    setWord(wishes, i, best);
    if (best == own) continue;
    setNumber(differences, i, difference);
    setWord(community, v, own | WANTS);
    wanting++;
  }
  if (wanting != 0) atomic.add<u32>(job + WISHES, wanting);
}

/**
 * The community that a vertex of community `own` is best in: its own, or the one of largest gain, the smallest of several such. `Sum` is
 * that of weights: u32 when all are 1.
 */
function bestCommunity<Sum>(v: u32, own: u32): u32 {
  const sums = flow;
  const list = touched;
  const at = targets;
  const communities = community;
  const shift: usize = sizeof<Sum>() == 4 ? 2 : 3;
  let met: u32 = 0;
  for (let arc = word(begins, v), end = word(ends, v); arc < end; arc++) {
    const its = word(communities, word(at, arc)) & COMMUNITY_MASK;
    const place = sums + ((<usize>its) << shift);
    const known = load<Sum>(place);
    const weight = sizeof<Sum>() == 4 ? <Sum>1 : <Sum>number(weights, arc);
    setWord(list, met, its);
    met += u32(known == 0);
    store<Sum>(place, known + weight);
  }
  const mine = number(strengths, v);
  const expected = rate * mine;
  const sumsOf = totals;
  const here = load<Sum>(sums + ((<usize>own) << shift));
  const stay = <f64>here - expected * (number(sumsOf, own) - mine);
  let best = own;
  let most = f64x2.splat(stay + leastGain);
  let found: u64 = 0;
  // Its own community is met, too, and is less than `stay` there, because its total is that with the vertex. Which one is best is
  // anybody's guess, so nothing here is a branch.
  for (let i: u32 = 0; i < met; i++) {
    const candidate = word(list, i);
    const place = sums + ((<usize>candidate) << shift);
    const there = load<Sum>(place);
    store<Sum>(place, 0);
    const gain = <f64>there - expected * number(sumsOf, candidate);
    const before = f64x2.extract_lane(most, 0);
    const better = u32(gain > before) | (u32(gain == before) & u32(best != own) & u32(candidate < best));
    most = f64x2.pmax(most, f64x2.splat(gain));
    best = select<u32>(candidate, best, better != 0);
    found = select<u64>(sizeof<Sum>() == 4 ? <u64>there : reinterpret<u64>(<f64>there), found, better != 0);
  }
  difference = (sizeof<Sum>() == 4 ? <f64>found : reinterpret<f64>(found)) - <f64>here;
  return best;
}

// --- Waking ------------------------------------------------------------------------------------------------------------------

/** Those of the block that want to move wake their neighbours, as if they all did. Several threads may write the same to a byte. */
export function wakeSome(job: usize, chunk: u32): void {
  prepare(job, 0);
  const communities = community;
  const to = min<u32>((chunk + 1) * CHUNK_LISTED, get(job, LISTED));
  for (let i = chunk * CHUNK_LISTED; i < to; i++) {
    const v = word(list, i);
    if ((word(communities, v) & WANTS) != 0) wake(job, v, word(wishes, i), communities, true);
  }
}

/**
 * Wakes the neighbours of a vertex that moves to `to`. Of those that want to move, too, it clashes with the ones behind it in the block;
 * `all` false: they all are. Nobody's byte takes what is written in vain, which is no branch.
 */
function wake(job: usize, v: u32, to: u32, communities: usize, all: bool): void {
  const nobody = get(job, COUNT);
  const place = all ? placeOf(job, v) : 0;
  const at = targets;
  const bytes = awake;
  for (let arc = word(begins, v), end = word(ends, v); arc < end; arc++) {
    const w = word(at, arc);
    const its = word(communities, w);
    const wakes = u32((its & COMMUNITY_MASK) != to) & u32((its & STAYS) == 0);
    store<u8>(bytes + <usize>select<u32>(w, nobody, wakes != 0), 1);
    if ((its & WANTS) != 0 && (!all || placeOf(job, w) > place)) store<u8>(clash + <usize>w, 1);
  }
}

/** Where a vertex comes in the order of this level. */
// @ts-ignore: decorator
@inline
function placeOf(job: usize, v: u32): u32 {
  const round = get(job, ROUND);
  const count = get(job, COUNT);
  if (round == ROUND_LEVEL) return count - 1 - v;
  if (round == ROUND_LAST) return v;
  const front = get(job, FRONT_COUNT);
  return v < front ? v + (count - front) : v - front;
}

// --- Moving ------------------------------------------------------------------------------------------------------------------

/** The vertices of the block that want to move do so in order. */
export function moveBlock(job: usize, member: u32): void {
  prepare(job, member);
  const listed = get(job, LISTED);
  let moves = get(job, MOVES);
  let gained = load<f64>(job, GAINED);
  for (let i: u32 = 0; i < listed; i++) {
    const v = word(list, i);
    const own = word(community, v) & COMMUNITY_MASK;
    if (word(community, v) == own) continue;
    const mine = number(strengths, v);
    const expected = rate * mine;
    const wish = word(wishes, i);
    const without = number(totals, own) - mine;
    let best = wish;
    let gain = number(differences, i) - expected * (number(totals, wish) - without);
    if (load<u8>(clash + <usize>v) != 0 || !(gain > leastGain)) {
      store<u8>(clash + <usize>v, 0);
      best = weights == 0 ? bestCommunity<u32>(v, own) : bestCommunity<f64>(v, own);
      setWord(community, v, own);
      if (best == own) continue;
      gain = difference - expected * (number(totals, best) - without);
      if (best != wish) wake(job, v, best, community, false);
    }
    setWord(community, v, best);
    setNumber(totals, own, without);
    setNumber(totals, best, number(totals, best) + mine);
    gained += gain;
    moves++;
  }
  set(job, MOVES, moves);
  store<f64>(job, gained, GAINED);
}
