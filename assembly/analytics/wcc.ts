// WCC: weakly connected components by concurrent union-find over the arcs of any view, each edge at least once; the smaller root wins
// by a compare-and-swap, as in Afforest (Sutton, Ben-Nun, Barak 2018). Where a view has both ends of each edge, that algorithm's other
// idea, too: join what a few arcs of each vertex join, find the component that most vertices are in by a fixed sample, and pass over
// all arcs of its members, since whoever is not in it sees the edge from the other end.
//
//   POINT    each vertex points at the smallest of itself and its first neighbours: nothing is looked up, only its own word is written
//   HOOK     those that point at themselves link over some arcs until they are in the tree of position 0; then the sample
//   SETTLE   whoever points at a settled member of the large component is one; the others climb to their roots, and those that are not
//            in it then link over all their arcs
//   LOWER    the latter's roots for good, and the smallest rank below each
//   NAME     their names
//
// Since positions go by degree, the smallest neighbour is a hub, a step or two from the root, and the few roots that are left are soon
// in the tree of the largest hub. A member of the large component is named as it settles, after the smallest rank that was found in it
// beforehand; ranks below that one are looked at again in the end, and had one of them joined meanwhile, NAME would correct the name
// everywhere. So each word is written twice, in rows, and what one thread reads of another one's are the names of hubs, which do not
// change any more.
// Measured (benchmarks/analytics, one and two threads, 4-core EPYC, 6e5d42c): time with 32 arcs to point, links of roots over all their
// arcs, and a pass each to settle, to find the smallest ranks and to write names → this, 1 → 0.38 and 0.48 on a package graph, 0.54 and
// 0.55 on WordNet, 0.78 and 0.71 on RMAT 18, 0.76 and 0.67 on RMAT 20.
//
// Rejected: roots that point below the least of their neighbours' trees, without any links. They leave so many trees that two threads
// settle in four times the time. So does naming whoever is above a late vertex: it takes the lines of hubs from the other thread.
//
// Invariants: parent[v] <= v always, so there are no cycles and the root of a finished component is its smallest position, whoever
// linked what in which order. names[v] is the name of the large component only if v is in it. A component is named after its smallest
// rank, which is the smallest id.
//
// Cost: O(vertices + arcs) nearly, one gather of 4 bytes a vertex and an arc looked at; 8 bytes a vertex. The word a vertex for sizes
// lists the roots, then the vertices outside the large component, of each chunk at its place.

import { NONE } from '../memory/layout';
import { isSymmetric } from './build';
import {
  address, get, JOB_CONVERGED, JOB_FORWARD, JOB_ITERATIONS, JOB_MEMBERS, JOB_PHASE, JOB_PROJECTION, JOB_RESULT, JOB_RESULT_TYPE, JOB_SIZES,
  JOB_SUM, JOB_TOTAL, JOB_WORDS, jobFinish, partial, RESULT_PARTITION, room, set, setWord, sumPartials, word,
} from './job';
import { P_CHUNK_COUNT, P_CHUNKS, P_COUNT, P_OFFSETS, P_RANKS, P_TARGETS, P_VIEW, positionOf, restFrom, runEnd } from './projection';

const PARENT: usize = JOB_WORDS;
const NAMES: usize = JOB_WORDS + 4; // by position; while a root is one, the smallest rank below it
/** A vertex of the largest component by the sample; NONE while no arc may be passed over. */
const LARGEST: usize = JOB_WORDS + 8;
/** What members of the largest component are named to begin with: the rank of one. */
const NAME: usize = JOB_WORDS + 12;
/** 1: its smallest rank has to be looked for among all of them. */
const SEARCH: usize = JOB_WORDS + 16;
/** What they are to be named instead, NONE if the name was right. */
const RIGHT_NAME: usize = JOB_WORDS + 20;

// What a chunk leaves behind.
const ROOTS: usize = 0; // f64 components whose root is among those listed, but the largest
const LISTED: usize = 8; // u32
const LEAST: usize = 12; // u32 smallest rank of its members of the largest component, if SEARCH

const PHASE_POINT: u32 = 0;
const PHASE_HOOK: u32 = 1;
const PHASE_SETTLE: u32 = 2;
const PHASE_LOWER: u32 = 3;
const PHASE_NAME: u32 = 4;

/** Arcs that a vertex looks at to point: as many as four loads have. */
const POINT_ARCS: u32 = 16;
/** Arcs that a root links to get into the tree of position 0. */
const HOOK_ARCS: u32 = 32;
/** Roots that are linked in a row. */
const HOOK_ROW: u32 = 16;
const SAMPLES: u32 = 256;
/** So many more votes than all others together end the sample. */
const ENOUGH_VOTES: u32 = 32;
/** Ranks that are looked at to find a name. */
const NAME_RANKS: u32 = CORE_DEBUG != 0 ? 2 : 256;
/** Ranks that are linked for it. */
const NAME_TRIES: u32 = 4;
/** Listed vertices that are not worth waking other threads for. */
const FEW: u32 = CORE_DEBUG != 0 ? 4 : 512;

export function wccBytes(vertices: u32): u64 {
  return 2 * room(vertices, 4);
}

export function wccBegin(job: usize, at: usize): u32 {
  const projection = address(job, JOB_PROJECTION);
  const names = <u32>(at + <usize>room(get(projection, P_COUNT), 4));
  set(job, PARENT, <u32>at);
  set(job, NAMES, names);
  set(job, JOB_RESULT, names);
  set(job, JOB_RESULT_TYPE, RESULT_PARTITION);
  set(job, JOB_CONVERGED, 1);
  set(job, LARGEST, NONE);
  set(job, NAME, NONE);
  set(job, RIGHT_NAME, NONE);
  return get(projection, P_CHUNK_COUNT);
}

export function wccChunk(job: usize, chunk: u32): void {
  const phase = get(job, JOB_PHASE);
  // One chunk in place of all of them.
  if (phase >= PHASE_LOWER && get(job, JOB_TOTAL) == 1) {
    const chunks = get(address(job, JOB_PROJECTION), P_CHUNK_COUNT);
    for (let each: u32 = 0; each < chunks; each++) runChunk(job, each, phase);
  } else {
    runChunk(job, chunk, phase);
  }
}

function runChunk(job: usize, chunk: u32, phase: u32): void {
  const projection = address(job, JOB_PROJECTION);
  const chunks = address(projection, P_CHUNKS);
  const from = word(chunks, chunk);
  const to = word(chunks, chunk + 1);
  const rest = max<u32>(from, min<u32>(to, aloneFrom(projection)));
  const list = address(job, JOB_SIZES) + ((<usize>from) << 2);
  const left = partial(job, chunk);
  if (phase == PHASE_POINT) {
    store<u32>(left, <u32>((point(job, list, from, rest) - list) >> 2), LISTED);
    const bytes = (<usize>rest) << 2;
    memory.fill(address(job, NAMES) + ((<usize>from) << 2), 0xff, (<usize>(rest - from)) << 2);
    if (rest < to) memory.copy(address(job, NAMES) + bytes, address(projection, P_RANKS) + bytes, (<usize>(to - rest)) << 2);
  } else if (phase == PHASE_HOOK) {
    hook(job, list, load<u32>(left, LISTED));
  } else if (phase == PHASE_SETTLE) {
    const end = get(job, LARGEST) == NONE ? linkAll(job, list, from, rest) : settle(job, list, from, rest);
    store<f64>(left, 0, ROOTS);
    store<u32>(left, <u32>((end - list) >> 2), LISTED);
    store<u32>(left, get(job, SEARCH) == 0 ? NONE : leastRank(job, from, rest), LEAST);
  } else if (phase == PHASE_LOWER) {
    lower(job, list, left);
  } else if (phase == PHASE_NAME) {
    if (get(job, RIGHT_NAME) != NONE) rename(job, from, rest);
    name(job, list, load<u32>(left, LISTED));
  } else {
    unreachable();
  }
}

/** From this position on every vertex is alone in its component; the number of all where that is not known. */
function aloneFrom(projection: usize): u32 {
  return isSymmetric(get(projection, P_VIEW)) ? restFrom(projection) : get(projection, P_COUNT);
}

// --- Pointing ----------------------------------------------------------------------------------------------------------------

/** Points each vertex of [from, to) at the smallest of itself and some neighbours; lists those that are it, answers the list's end. */
function point(job: usize, list: usize, from: u32, to: u32): usize {
  const projection = address(job, JOB_PROJECTION);
  const parent = address(job, PARENT);
  const offsets = address(projection, P_OFFSETS);
  const targets = address(projection, P_TARGETS);
  for (let v = from; v < to; ) {
    const begin = word(offsets, v);
    const degree = word(offsets, v + 1) - begin;
    const arc = targets + ((<usize>begin) << 2);
    if (degree == 0) {
      setWord(parent, v, v);
      v++;
      continue;
    }
    const end = min<u32>(to, runEnd(projection, degree));
    if (v + 4 <= end) {
      list = pointRun(parent, list, v, end, arc, degree);
      v += (end - v) & ~3;
      continue;
    }
    const least = leastOf(v, arc, min<u32>(degree, POINT_ARCS));
    setWord(parent, v, least);
    store<u32>(list, v);
    list += (<usize>(least == v)) << 2;
    v++;
  }
  return list;
}

/** Four at once while there are as many before `end`, which have `degree` arcs each. */
function pointRun(parent: usize, list: usize, v: u32, end: u32, arc: usize, degree: u32): usize {
  const step = (<usize>degree) << 2;
  const last = ((<usize>min<u32>(max<u32>(degree, 4), POINT_ARCS)) << 2) - 16;
  let own = i32x4.add(i32x4.splat(<i32>v), i32x4(0, 1, 2, 3));
  for (; v + 4 <= end; v += 4) {
    let least = own;
    if (degree == 1) {
      least = v128.load(arc);
    } else if (degree == 2) {
      const first = v128.load(arc);
      const second = v128.load(arc, 16);
      least = i32x4.min_u(v128.shuffle<i32>(first, second, 0, 2, 4, 6), v128.shuffle<i32>(first, second, 1, 3, 5, 7));
    } else {
      let a = v128.load(arc);
      let b = v128.load(arc + step);
      let c = v128.load(arc + 2 * step);
      let d = v128.load(arc + 3 * step);
      if (degree == 3) {
        a = v128.shuffle<i32>(a, a, 0, 1, 2, 0);
        b = v128.shuffle<i32>(b, b, 0, 1, 2, 0);
        c = v128.shuffle<i32>(c, c, 0, 1, 2, 0);
        d = v128.shuffle<i32>(d, d, 0, 1, 2, 0);
      } else {
        a = i32x4.min_u(a, v128.load(arc + last));
        b = i32x4.min_u(b, v128.load(arc + step + last));
        c = i32x4.min_u(c, v128.load(arc + 2 * step + last));
        d = i32x4.min_u(d, v128.load(arc + 3 * step + last));
        if (degree > 8) {
          a = i32x4.min_u(a, i32x4.min_u(v128.load(arc + 16), v128.load(arc + last - 16)));
          b = i32x4.min_u(b, i32x4.min_u(v128.load(arc + step + 16), v128.load(arc + step + last - 16)));
          c = i32x4.min_u(c, i32x4.min_u(v128.load(arc + 2 * step + 16), v128.load(arc + 2 * step + last - 16)));
          d = i32x4.min_u(d, i32x4.min_u(v128.load(arc + 3 * step + 16), v128.load(arc + 3 * step + last - 16)));
        }
      }
      const ab = i32x4.min_u(v128.shuffle<i32>(a, b, 0, 1, 4, 5), v128.shuffle<i32>(a, b, 2, 3, 6, 7));
      const cd = i32x4.min_u(v128.shuffle<i32>(c, d, 0, 1, 4, 5), v128.shuffle<i32>(c, d, 2, 3, 6, 7));
      least = i32x4.min_u(v128.shuffle<i32>(ab, cd, 0, 2, 4, 6), v128.shuffle<i32>(ab, cd, 1, 3, 5, 7));
    }
    arc += 4 * step;
    least = i32x4.min_u(own, least);
    v128.store(parent + ((<usize>v) << 2), least);
    for (let roots = i32x4.bitmask(i32x4.eq(least, own)); roots != 0; roots &= roots - 1) {
      store<u32>(list, v + <u32>ctz(roots));
      list += 4;
    }
    own = i32x4.add(own, i32x4.splat(4));
  }
  return list;
}

/** The smallest of v and `count` targets from `arc` on, at least one. */
// @ts-ignore: decorator
@inline
function leastOf(v: u32, arc: usize, count: u32): u32 {
  if (count < 4) {
    let least = min<u32>(v, load<u32>(arc));
    if (count > 1) least = min<u32>(least, load<u32>(arc, 4));
    return count > 2 ? min<u32>(least, load<u32>(arc, 8)) : least;
  }
  const last = arc + ((<usize>count) << 2) - 16;
  let least = i32x4.min_u(v128.load(arc), v128.load(last));
  if (count > 8) least = i32x4.min_u(least, i32x4.min_u(v128.load(arc + 16), v128.load(last - 16)));
  least = i32x4.min_u(least, v128.shuffle<i32>(least, least, 2, 3, 0, 1));
  least = i32x4.min_u(least, v128.shuffle<i32>(least, least, 1, 0, 3, 2));
  return min<u32>(v, <u32>i32x4.extract_lane(least, 0));
}

// --- Hooking -----------------------------------------------------------------------------------------------------------------

/**
 * Links roots over some of their arcs until they are in the tree of position 0. Two threads may undo a link of each other: that is no
 * more than a tree more, since whoever is not in the large component then looks at all its arcs.
 */
function hook(job: usize, list: usize, count: u32): void {
  const projection = address(job, JOB_PROJECTION);
  const parent = address(job, PARENT);
  const offsets = address(projection, P_OFFSETS);
  const targets = address(projection, P_TARGETS);
  for (let from: u32 = 0; from < count; from += HOOK_ROW) {
    const to = min<u32>(count, from + HOOK_ROW);
    // Over the first arc without a branch, so that the processor waits for what many of them read at once.
    for (let i = from; i < to; i++) {
      const v = word(list, i);
      setWord(parent, v, min<u32>(word(parent, v), word(parent, word(parent, word(targets, word(offsets, v))))));
    }
    for (let i = from; i < to; i++) {
      const v = word(list, i);
      const begin = word(offsets, v);
      let mine = word(parent, v);
      let arc = targets + ((<usize>begin) << 2);
      const end = arc + ((<usize>min<u32>(HOOK_ARCS, word(offsets, v + 1) - begin)) << 2);
      for (; arc < end && mine != 0; arc += 4) {
        // Two steps up is where most roots are: after one step the processor would often guess wrong what comes.
        const other = word(parent, word(parent, load<u32>(arc)));
        if (other != mine) mine = link(parent, mine, other, true);
      }
    }
  }
}

// @ts-ignore: decorator
@inline
function rootOf(parent: usize, v: u32): u32 {
  let root = word(parent, v);
  let above = word(parent, root);
  while (above != root) {
    root = above;
    above = word(parent, root);
  }
  return root;
}

/** The root that most of a fixed sample of vertices have. */
function mostFrequent(parent: usize, count: u32): u32 {
  let best: u32 = NONE;
  let bestVotes: u32 = 0;
  let vote: u64 = 0x9e3779b97f4a7c15;
  // A majority vote (Boyer and Moore). Whichever it names may be passed over; the more vertices it has the better.
  for (let i: u32 = 0; i < SAMPLES && bestVotes < ENOUGH_VOTES; i++) {
    vote = vote * 6364136223846793005 + 1442695040888963407;
    const root = rootOf(parent, <u32>(((vote >> 32) * <u64>count) >> 32));
    if (bestVotes == 0) best = root;
    bestVotes = root == best ? bestVotes + 1 : bestVotes - 1;
  }
  return best;
}

/** Chooses the component to pass over, and its name. */
function choose(job: usize): void {
  const projection = address(job, JOB_PROJECTION);
  const parent = address(job, PARENT);
  const end = aloneFrom(projection);
  if (end == 0 || !isSymmetric(get(projection, P_VIEW))) return;
  const largest = mostFrequent(parent, end);
  const name = findName(job, largest, end);
  set(job, LARGEST, largest);
  set(job, SEARCH, u32(name == NONE));
  const ranks = address(projection, P_RANKS);
  set(job, NAME, name != NONE ? name : ranks == 0 ? largest : word(ranks, largest));
  setWord(address(job, NAMES), rootOf(parent, largest), get(job, NAME));
}

/** The first rank that is in the component of `largest`, be it by links of now; NONE if it would take long to find. */
function findName(job: usize, largest: u32, end: u32): u32 {
  const projection = address(job, JOB_PROJECTION);
  const parent = address(job, PARENT);
  const count = min<u32>(NAME_RANKS, get(projection, P_COUNT));
  let tries = NAME_TRIES;
  for (let rank: u32 = 0; rank < count; rank++) {
    const position = positionOf(projection, rank);
    if (position >= end) continue;
    if (rootOf(parent, position) == rootOf(parent, largest)) return rank;
    if (tries == 0) continue;
    tries--;
    linkSome(projection, parent, position);
    if (rootOf(parent, position) == rootOf(parent, largest)) return rank;
  }
  return NONE;
}

/** Links v over some of its arcs, while no other thread links anything. */
function linkSome(projection: usize, parent: usize, v: u32): void {
  const begin = word(address(projection, P_OFFSETS), v);
  const count = min<u32>(HOOK_ARCS, word(address(projection, P_OFFSETS), v + 1) - begin);
  const arcs = address(projection, P_TARGETS) + ((<usize>begin) << 2);
  for (let i: u32 = 0; i < count; i++) link(parent, rootOf(parent, v), rootOf(parent, word(arcs, i)), true);
}

// --- Settling ----------------------------------------------------------------------------------------------------------------

/** Names those of [from, to) that are in the largest component; links the others over all their arcs and lists them. */
function settle(job: usize, list: usize, from: u32, to: u32): usize {
  const parent = address(job, PARENT);
  const names = address(job, NAMES);
  const ours = get(job, NAME);
  let main = rootOf(parent, get(job, LARGEST));
  for (let v = from; v < to; v++) {
    // Whoever is above has settled before, nearly always.
    for (; v + 4 <= to; v += 4) {
      const above = parent + ((<usize>v) << 2);
      let other = word(names, load<u32>(above)) ^ ours;
      other |= word(names, load<u32>(above, 4)) ^ ours;
      other |= word(names, load<u32>(above, 8)) ^ ours;
      other |= word(names, load<u32>(above, 12)) ^ ours;
      if (other != 0) break;
      v128.store(names + ((<usize>v) << 2), i32x4.splat(<i32>ours));
    }
    if (v == to) break;
    const above = word(parent, v);
    if (word(names, above) != ours) {
      const root = rootOf(parent, v);
      if (root != above) setWord(parent, v, root);
      if (root != main) main = rootOf(parent, main);
      if (root != main) main = linkArcs(job, v, root, main);
      if (root != main && rootOf(parent, root) != main) {
        store<u32>(list, v);
        list += 4;
        continue;
      }
    }
    setWord(names, v, ours);
  }
  return list;
}

/** Links all of [from, to) over all their arcs, and lists them. */
function linkAll(job: usize, list: usize, from: u32, to: u32): usize {
  const parent = address(job, PARENT);
  for (let v = from; v < to; v++) {
    const root = rootOf(parent, v);
    if (root != v) setWord(parent, v, root);
    linkArcs(job, v, root, NONE);
    store<u32>(list, v);
    list += 4;
  }
  return list;
}

/** Links v, whose tree `mine` is in, over all its arcs or until that is the tree of `main`; answers the root of that. */
function linkArcs(job: usize, v: u32, mine: u32, main: u32): u32 {
  const projection = address(job, JOB_PROJECTION);
  const parent = address(job, PARENT);
  const alone = get(job, JOB_MEMBERS) == 1;
  const offsets = address(projection, P_OFFSETS);
  const targets = address(projection, P_TARGETS);
  const end = targets + ((<usize>word(offsets, v + 1)) << 2);
  for (let arc = targets + ((<usize>word(offsets, v)) << 2); arc < end; arc += 4) {
    // Two steps up is where most roots are: after one step the processor would often guess wrong what comes.
    const other = word(parent, word(parent, load<u32>(arc)));
    if (other == mine) continue;
    mine = link(parent, mine, other, alone);
    if (main == NONE) continue;
    main = rootOf(parent, main);
    if (rootOf(parent, mine) == main) break;
  }
  return main;
}

/** Joins the trees of two vertices; answers a vertex near the root of the joined tree. A single thread has no need to compare. */
function link(parent: usize, a: u32, b: u32, alone: bool): u32 {
  while (a != b) {
    const high = max<u32>(a, b);
    const low = min<u32>(a, b);
    const above = word(parent, high);
    if (above == low) return low;
    if (above == high) {
      if (alone) {
        setWord(parent, high, low);
        return low;
      }
      if (atomic.cmpxchg<u32>(parent + ((<usize>high) << 2), high, low) == high) return low;
    }
    a = word(parent, word(parent, high));
    b = word(parent, low);
  }
  return a;
}

/** The smallest rank among those of [from, to) that have settled. */
function leastRank(job: usize, from: u32, to: u32): u32 {
  const names = address(job, NAMES);
  const ranks = address(address(job, JOB_PROJECTION), P_RANKS);
  const ours = get(job, NAME);
  let least: u32 = NONE;
  for (let v = from; v < to; v++) {
    if (word(names, v) == ours) least = min<u32>(least, ranks == 0 ? v : word(ranks, v));
  }
  return least;
}

// --- Names -------------------------------------------------------------------------------------------------------------------

/** Points what was listed at its roots for good, and finds the smallest rank of each component; counts their roots. */
function lower(job: usize, list: usize, left: usize): void {
  const parent = address(job, PARENT);
  const names = address(job, NAMES);
  const ranks = address(address(job, JOB_PROJECTION), P_RANKS);
  const ours = get(job, NAME);
  const count = load<u32>(left, LISTED);
  const main = get(job, LARGEST) == NONE ? NONE : rootOf(parent, get(job, LARGEST));
  let least = load<u32>(left, LEAST);
  let roots: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const v = word(list, i);
    const root = rootOf(parent, v);
    const rank = ranks == 0 ? v : word(ranks, v);
    setWord(parent, v, root);
    if (root == main) {
      setWord(names, v, ours);
      least = min<u32>(least, rank);
      continue;
    }
    roots += u32(root == v);
    lowerName(names, root, rank);
  }
  store<f64>(left, <f64>roots, ROOTS);
  store<u32>(left, least, LEAST);
}

function lowerName(names: usize, root: u32, rank: u32): void {
  const at = names + ((<usize>root) << 2);
  let known = atomic.load<u32>(at);
  while (rank < known) {
    const seen = atomic.cmpxchg<u32>(at, known, rank);
    if (seen == known) return;
    known = seen;
  }
}

/** Gives the listed vertices the names of their roots: roots and members of the largest component have theirs. */
function name(job: usize, list: usize, count: u32): void {
  const parent = address(job, PARENT);
  const names = address(job, NAMES);
  const main = get(job, LARGEST) == NONE ? NONE : rootOf(parent, get(job, LARGEST));
  for (let i: u32 = 0; i < count; i++) {
    const v = word(list, i);
    const root = word(parent, v);
    if (root != main && root != v) setWord(names, v, word(names, root));
  }
}

/** Gives the members of the largest component in [from, to) their right name. */
function rename(job: usize, from: u32, to: u32): void {
  const names = address(job, NAMES);
  const wrong = get(job, NAME);
  const right = get(job, RIGHT_NAME);
  for (let v = from; v < to; v++) if (word(names, v) == wrong) setWord(names, v, right);
}

/** Whether the largest component has a smaller rank than the one it was named after. */
function isMisnamed(job: usize, chunks: u32): bool {
  const projection = address(job, JOB_PROJECTION);
  const known = get(job, NAME);
  if (known == NONE) return false;
  let least: u32 = NONE;
  if (get(job, SEARCH) == 0) {
    const names = address(job, NAMES);
    for (let rank: u32 = 0; rank < known && least == NONE; rank++) {
      if (word(names, positionOf(projection, rank)) == known) least = rank;
    }
  } else {
    for (let chunk: u32 = 0; chunk < chunks; chunk++) least = min<u32>(least, load<u32>(partial(job, chunk), LEAST));
  }
  if (least >= known) return false;
  set(job, RIGHT_NAME, least);
  return true;
}

function listed(job: usize, chunks: u32): u32 {
  let count: u32 = 0;
  for (let chunk: u32 = 0; chunk < chunks; chunk++) count += load<u32>(partial(job, chunk), LISTED);
  return count;
}

/** LOWER and NAME are one chunk when there is little to do. */
export function wccNext(job: usize): u32 {
  const projection = address(job, JOB_PROJECTION);
  const chunks = get(projection, P_CHUNK_COUNT);
  const phase = get(job, JOB_PHASE);
  let next = chunks;
  if (phase == PHASE_HOOK) choose(job);
  if (phase == PHASE_SETTLE && listed(job, chunks) <= FEW) next = 1;
  if (phase == PHASE_LOWER) {
    const alone = get(projection, P_COUNT) - aloneFrom(projection);
    store<f64>(job, sumPartials(job, chunks, 0) + <f64>(alone + u32(get(job, LARGEST) != NONE)), JOB_SUM);
    next = isMisnamed(job, chunks) ? chunks : get(job, JOB_TOTAL);
  }
  if (phase == PHASE_NAME) {
    set(job, JOB_ITERATIONS, 1);
    jobFinish(job);
    return 0;
  }
  set(job, JOB_PHASE, phase + 1);
  // What was found early helps with what comes later.
  set(job, JOB_FORWARD, u32(phase + 1 == PHASE_HOOK || phase + 1 == PHASE_SETTLE));
  return next;
}
