// WCC: weakly connected components by concurrent union-find over the arcs of any view, each edge at least once; the smaller root wins
// by a compare-and-swap, as in Afforest (Sutton, Ben-Nun, Barak 2018). Where a view has both ends of each edge, that algorithm's other
// idea, too: join what a few arcs of each vertex join, find the component that most vertices are in by a fixed sample, and pass over
// all arcs of its members, since whoever is not in it sees the edge from the other end.
//
// The first step is not a union at all: a vertex points at the smallest of itself and its first neighbours. Only its own word is
// written, nothing is looked up, and since positions go by degree the smallest is a hub, a step or two from the root. The few roots
// that are left then link over all their arcs. (Measured on RMAT 18, one thread: linking two arcs of each took 12.8 ms of 19, and
// joining each root to one neighbour alone leaves so many trees that the whole takes nine times as long.)
// One pass then points each vertex at its root and links the few that are not in the large component, as guessed by a sample before;
// a vertex may be linked before another one has been pointed anywhere, since links only ever change the words of roots. Two steps up
// from a vertex, taken without a look at the first, is its root almost always. (Beside a pass that points, a sample, a pass that links,
// and one step, medians: 0.62 of the time on a package graph, 0.72 on WordNet, 0.81 on RMAT 18, on two threads 0.68 to 0.79.)
// Where four vertices in a row are in the same component already, they are named at once; vertices without arcs all along.
//
// Invariant: parent[v] <= v always, so there are no cycles and the root of a finished component is its smallest position, whoever
// linked what in which order. A component is named after its smallest rank, which is the smallest id.
//
// Cost: O(vertices + arcs) nearly, one gather of 4 bytes an arc looked at; 8 bytes a vertex.

import {
  address, get, JOB_CONVERGED, JOB_FORWARD, JOB_ITERATIONS, JOB_MEMBERS, JOB_PHASE, JOB_PROJECTION, JOB_RESULT, JOB_RESULT_TYPE,
  JOB_SUM, JOB_TOTAL, JOB_WORDS, jobFinish, partial, RESULT_PARTITION, room, set, setWord, sumPartials, word,
} from './job';
import { isSymmetric } from './build';
import { NONE } from '../memory/layout';
import { P_CHUNK_COUNT, P_CHUNKS, P_COUNT, P_OFFSETS, P_RANKS, P_TARGETS, P_VIEW, restFrom, runEnd } from './projection';

const PARENT: usize = JOB_WORDS;
const SMALLEST: usize = JOB_WORDS + 4; // by root: the smallest rank of the component
/** Root of the largest component by the sample; NONE while no arc may be passed over. */
const LARGEST: usize = JOB_WORDS + 8;

const PHASE_POINT: u32 = 0;
const PHASE_ROOTS: u32 = 1;
const PHASE_SETTLE: u32 = 2;
const PHASE_NAME: u32 = 3;
const PHASE_WRITE: u32 = 4;

/** Arcs a vertex looks at to begin with. */
const FIRST_ARCS: u32 = 32;
const SAMPLES: u32 = 256;

export function wccBytes(vertices: u32): u64 {
  return 2 * room(vertices, 4);
}

export function wccBegin(job: usize, at: usize): u32 {
  const projection = address(job, JOB_PROJECTION);
  set(job, PARENT, <u32>at);
  set(job, SMALLEST, <u32>(at + <usize>room(get(projection, P_COUNT), 4)));
  set(job, JOB_RESULT, <u32>at);
  set(job, JOB_RESULT_TYPE, RESULT_PARTITION);
  set(job, JOB_CONVERGED, 1);
  set(job, LARGEST, NONE);
  return get(projection, P_CHUNK_COUNT);
}

export function wccChunk(job: usize, chunk: u32): void {
  const projection = address(job, JOB_PROJECTION);
  const chunks = address(projection, P_CHUNKS);
  const from = word(chunks, chunk);
  const to = word(chunks, chunk + 1);
  const rest = max<u32>(from, min<u32>(to, aloneFrom(projection)));
  const parent = address(job, PARENT);
  const phase = get(job, JOB_PHASE);
  const alone = get(job, JOB_MEMBERS) == 1;
  if (phase == PHASE_POINT) {
    point(projection, parent, from, to);
  } else if (phase == PHASE_ROOTS) {
    linkRoots(projection, parent, from, rest, alone);
  } else if (phase == PHASE_SETTLE) {
    settle(job, projection, parent, from, rest, alone);
  } else if (phase == PHASE_NAME) {
    name(job, parent, chunk, from, rest);
    store<f64>(partial(job, chunk), load<f64>(partial(job, chunk)) + <f64>(to - rest));
  } else {
    write(job, parent, from, rest);
    if (rest < to) {
      const bytes = (<usize>rest) << 2;
      memory.copy(parent + bytes, address(projection, P_RANKS) + bytes, (<usize>(to - rest)) << 2);
    }
  }
}

/** From this position on every vertex is alone in its component; the number of all where that is not known. */
function aloneFrom(projection: usize): u32 {
  return isSymmetric(get(projection, P_VIEW)) ? restFrom(projection) : get(projection, P_COUNT);
}

/** True when the four words at `at` are all `value`. */
// @ts-ignore: decorator
@inline
function allFour(at: usize, value: u32): bool {
  return i32x4.all_true(i32x4.eq(v128.load(at), i32x4.splat(<i32>value)));
}

/** Points each vertex of [from, to) at the smallest of itself and its first neighbours. */
function point(projection: usize, parent: usize, from: u32, to: u32): void {
  const offsets = address(projection, P_OFFSETS);
  const targets = address(projection, P_TARGETS);
  for (let v = from; v < to; ) {
    const begin = word(offsets, v);
    const degree = word(offsets, v + 1) - begin;
    const arc = targets + ((<usize>begin) << 2);
    const end = min<u32>(to, runEnd(projection, degree));
    if (v + 4 <= end && degree <= 2) {
      v = pointRun(parent + ((<usize>v) << 2), v, end, arc, degree);
      continue;
    }
    setWord(parent, v, degree == 0 ? v : leastOf(v, arc, min<u32>(degree, FIRST_ARCS)));
    v++;
  }
}

/** Four at once while there are as many before `end`, which have none, one or two arcs each; answers the first that is left. */
function pointRun(at: usize, v: u32, end: u32, arc: usize, degree: u32): u32 {
  let own = i32x4.add(i32x4.splat(<i32>v), i32x4(0, 1, 2, 3));
  for (; v + 4 <= end; v += 4) {
    let least = own;
    if (degree == 1) {
      least = i32x4.min_u(own, v128.load(arc));
      arc += 16;
    } else if (degree == 2) {
      const first = v128.load(arc);
      const second = v128.load(arc, 16);
      const even = v128.shuffle<i32>(first, second, 0, 2, 4, 6);
      least = i32x4.min_u(own, i32x4.min_u(even, v128.shuffle<i32>(first, second, 1, 3, 5, 7)));
      arc += 32;
    }
    v128.store(at, least);
    at += 16;
    own = i32x4.add(own, i32x4.splat(4));
  }
  return v;
}

/** The smallest of v and `count` targets from `arc` on, at least one; behind the last target there is room to read. */
// @ts-ignore: decorator
@inline
function leastOf(v: u32, arc: usize, count: u32): u32 {
  if (count < 4) {
    let least = min<u32>(v, load<u32>(arc));
    if (count > 1) least = min<u32>(least, load<u32>(arc, 4));
    return count > 2 ? min<u32>(least, load<u32>(arc, 8)) : least;
  }
  const last = arc + ((<usize>count) << 2) - 16;
  let least = v128.load(last);
  for (; arc < last; arc += 16) least = i32x4.min_u(least, v128.load(arc));
  least = i32x4.min_u(least, v128.shuffle<i32>(least, least, 2, 3, 0, 1));
  least = i32x4.min_u(least, v128.shuffle<i32>(least, least, 1, 0, 3, 2));
  return min<u32>(v, <u32>i32x4.extract_lane(least, 0));
}

/** Links the roots of [from, to) over all their arcs: hubs among them have many. */
function linkRoots(projection: usize, parent: usize, from: u32, to: u32, alone: bool): void {
  let own = i32x4.add(i32x4.splat(<i32>from), i32x4(0, 1, 2, 3));
  let v = from;
  for (; v + 4 <= to; v += 4) {
    let roots = i32x4.bitmask(i32x4.eq(v128.load(parent + ((<usize>v) << 2)), own));
    own = i32x4.add(own, i32x4.splat(4));
    for (; roots != 0; roots &= roots - 1) {
      const root = v + <u32>ctz(roots);
      linkArcs(projection, parent, root, root, alone);
    }
  }
  for (; v < to; v++) if (word(parent, v) == v) linkArcs(projection, parent, v, v, alone);
}

/** Links v, whose tree `mine` is in, over all its arcs. */
function linkArcs(projection: usize, parent: usize, v: u32, mine: u32, alone: bool): void {
  const offsets = address(projection, P_OFFSETS);
  const targets = address(projection, P_TARGETS);
  const end = targets + ((<usize>word(offsets, v + 1)) << 2);
  for (let arc = targets + ((<usize>word(offsets, v)) << 2); arc < end; arc += 4) {
    // Two steps up is where most roots are: after one step the processor would often guess wrong what comes.
    const other = word(parent, word(parent, load<u32>(arc)));
    if (other != mine) mine = link(parent, mine, other, alone);
  }
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

/**
 * Points each vertex of [from, to) straight at its root, and links those over all their arcs that are not in the component that most are
 * in. Whoever is a root in the end was one when it was looked at, and has no smallest rank yet. A root's own word is left to `link`.
 */
function settle(job: usize, projection: usize, parent: usize, from: u32, to: u32, alone: bool): void {
  const smallest = address(job, SMALLEST);
  const largest = get(job, LARGEST);
  let main = largest == NONE ? NONE : rootOf(parent, largest);
  for (let v = from; v < to; v++) {
    let root = word(parent, word(parent, v));
    let above = word(parent, root);
    while (above != root) {
      root = above;
      above = word(parent, root);
    }
    if (root != v) setWord(parent, v, root);
    else setWord(smallest, v, NONE);
    if (root == main) continue;
    if (main != NONE) {
      main = rootOf(parent, main);
      if (root == main) continue;
    }
    linkArcs(projection, parent, v, root, alone);
  }
}

/** Points vertices at their roots for good, and finds the smallest rank of each component; leaves behind how many roots there are. */
function name(job: usize, parent: usize, chunk: u32, from: u32, to: u32): void {
  const smallest = address(job, SMALLEST);
  const ranks = address(address(job, JOB_PROJECTION), P_RANKS);
  const largest = get(job, LARGEST);
  const main = largest == NONE ? NONE : rootOf(parent, largest);
  const alone = get(job, JOB_MEMBERS) == 1;
  let least: u32 = NONE;
  let leasts = i32x4.splat(-1);
  let roots: u32 = u32(main >= from && main < to);
  for (let v = from; v < to; v++) {
    while (v + 4 <= to && allFour(parent + ((<usize>v) << 2), main)) {
      if (ranks == 0) least = min<u32>(least, v);
      else leasts = i32x4.min_u(leasts, v128.load(ranks + ((<usize>v) << 2)));
      v += 4;
    }
    if (v == to) break;
    const root = rootOf(parent, v);
    const rank = ranks == 0 ? v : word(ranks, v);
    setWord(parent, v, root);
    if (root == main) {
      least = min<u32>(least, rank);
      continue;
    }
    roots += u32(root == v);
    if (!alone) lower(smallest, root, rank);
    else if (rank < word(smallest, root)) setWord(smallest, root, rank);
  }
  leasts = i32x4.min_u(leasts, v128.shuffle<i32>(leasts, leasts, 2, 3, 0, 1));
  leasts = i32x4.min_u(leasts, v128.shuffle<i32>(leasts, leasts, 1, 0, 3, 2));
  least = min<u32>(least, <u32>i32x4.extract_lane(leasts, 0));
  if (least != NONE) lower(smallest, main, least);
  store<f64>(partial(job, chunk), <f64>roots);
}

/** Makes roots the names of their components. */
function write(job: usize, parent: usize, from: u32, to: u32): void {
  const smallest = address(job, SMALLEST);
  let root: u32 = NONE;
  let its: u32 = NONE;
  for (let v = from; v < to; v++) {
    while (v + 4 <= to && allFour(parent + ((<usize>v) << 2), root)) {
      v128.store(parent + ((<usize>v) << 2), i32x4.splat(<i32>its));
      v += 4;
    }
    if (v == to) return;
    root = word(parent, v);
    its = word(smallest, root);
    setWord(parent, v, its);
  }
}

function lower(smallest: usize, root: u32, rank: u32): void {
  const at = smallest + ((<usize>root) << 2);
  let known = atomic.load<u32>(at);
  while (rank < known) {
    const seen = atomic.cmpxchg<u32>(at, known, rank);
    if (seen == known) return;
    known = seen;
  }
}

/** The root that most of a fixed sample of vertices have. */
function mostFrequent(parent: usize, count: u32): u32 {
  let best: u32 = NONE;
  let bestVotes: u32 = 0;
  let vote: u64 = 0x9e3779b97f4a7c15;
  // A majority vote (Boyer and Moore). Whichever it names may be passed over; the more vertices it has the better.
  for (let i: u32 = 0; i < SAMPLES; i++) {
    vote = vote * 6364136223846793005 + 1442695040888963407;
    const root = rootOf(parent, <u32>(((vote >> 32) * <u64>count) >> 32));
    if (bestVotes == 0) best = root;
    bestVotes = root == best ? bestVotes + 1 : bestVotes - 1;
  }
  return best;
}

export function wccNext(job: usize): u32 {
  const projection = address(job, JOB_PROJECTION);
  const chunks = get(job, JOB_TOTAL);
  const phase = get(job, JOB_PHASE);
  if (phase == PHASE_ROOTS && isSymmetric(get(projection, P_VIEW))) {
    set(job, LARGEST, mostFrequent(address(job, PARENT), aloneFrom(projection)));
  }
  if (phase == PHASE_NAME) store<f64>(job, sumPartials(job, chunks, 0), JOB_SUM);
  if (phase == PHASE_WRITE) {
    set(job, JOB_ITERATIONS, 1);
    jobFinish(job);
    return 0;
  }
  set(job, JOB_PHASE, phase + 1);
  // A vertex settles in two steps when those before it have settled.
  set(job, JOB_FORWARD, u32(phase + 1 == PHASE_SETTLE));
  return chunks;
}
