// WCC: weakly connected components by concurrent union-find over the arcs of any view, each edge at least once; the smaller root wins
// by a compare-and-swap, as in Afforest (Sutton, Ben-Nun, Barak 2018). Where a view has both ends of each edge, that algorithm's other
// idea, too: join what a few arcs of each vertex join, find the component that most vertices are in by a fixed sample, and pass over
// all arcs of its members, since whoever is not in it sees the edge from the other end.
//
// The first step is not a union at all: a vertex points at the smallest of itself and its first neighbours. Only its own word is
// written, nothing is looked up, and since positions go by degree the smallest is a hub, a step or two from the root. The few roots
// that are left then link over all their arcs. (Measured on RMAT 18, one thread: linking two arcs of each took 12.8 ms of 19.)
//
// Invariant: parent[v] <= v always, so there are no cycles and the root of a finished component is its smallest position, whoever
// linked what in which order. A component is named after its smallest rank, which is the smallest id.
//
// Cost: O(vertices + arcs) nearly, one gather of 4 bytes an arc looked at; 8 bytes a vertex.

import {
  address, get, JOB_CONVERGED, JOB_ITERATIONS, JOB_MEMBERS, JOB_PHASE, JOB_PROJECTION, JOB_RESULT, JOB_RESULT_TYPE, JOB_SUM, JOB_TOTAL,
  JOB_WORDS, jobFinish, partial, RESULT_PARTITION, room, set, setWord, sumPartials, word,
} from './job';
import { isSymmetric } from './build';
import { NONE } from '../memory/layout';
import { P_CHUNK_COUNT, P_CHUNKS, P_COUNT, P_OFFSETS, P_RANKS, P_TARGETS, P_VIEW } from './projection';

const PARENT: usize = JOB_WORDS;
const SMALLEST: usize = JOB_WORDS + 4; // by root: the smallest rank of the component
/** Root of the largest component by the sample; NONE while no arc may be passed over. */
const LARGEST: usize = JOB_WORDS + 8;

const PHASE_POINT: u32 = 0;
const PHASE_ROOTS: u32 = 1;
const PHASE_FLATTEN: u32 = 2;
const PHASE_LINK: u32 = 3;
const PHASE_NAME: u32 = 4;
const PHASE_WRITE: u32 = 5;

/** Arcs a vertex looks at to begin with. */
const FIRST_ARCS: u32 = 32;
const SAMPLES: u32 = 1024;

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
  const parent = address(job, PARENT);
  const phase = get(job, JOB_PHASE);
  if (phase == PHASE_POINT) {
    point(job, projection, parent, from, to);
  } else if (phase == PHASE_LINK) {
    linkArcs(projection, parent, from, to, get(job, LARGEST), false, get(job, JOB_MEMBERS) == 1);
  } else if (phase == PHASE_ROOTS) {
    linkArcs(projection, parent, from, to, NONE, true, get(job, JOB_MEMBERS) == 1);
  } else if (phase == PHASE_WRITE) {
    const smallest = address(job, SMALLEST);
    for (let v = from; v < to; v++) setWord(parent, v, word(smallest, word(parent, v)));
  } else {
    flatten(job, parent, chunk, from, to, phase == PHASE_NAME);
  }
}

/** Points each vertex of [from, to) at the smallest of itself and its first neighbours. */
function point(job: usize, projection: usize, parent: usize, from: u32, to: u32): void {
  const offsets = address(projection, P_OFFSETS);
  const targets = address(projection, P_TARGETS);
  for (let v = from; v < to; v++) {
    const begin = word(offsets, v);
    const end = min<u32>(begin + FIRST_ARCS, word(offsets, v + 1));
    let least = v;
    for (let arc = begin; arc < end; arc++) least = min<u32>(least, word(targets, arc));
    setWord(parent, v, least);
  }
  memory.fill(address(job, SMALLEST) + ((<usize>from) << 2), 0xff, (<usize>(to - from)) << 2);
}

/** Links each vertex of [from, to), or only roots, over all its arcs, members of `skipped` left out. */
function linkArcs(projection: usize, parent: usize, from: u32, to: u32, skipped: u32, roots: bool, alone: bool): void {
  const offsets = address(projection, P_OFFSETS);
  const targets = address(projection, P_TARGETS);
  for (let v = from; v < to; v++) {
    let arc = targets + ((<usize>word(offsets, v)) << 2);
    const end = targets + ((<usize>word(offsets, v + 1)) << 2);
    if (arc == end) continue;
    let mine = word(parent, v);
    if (mine == skipped || (roots && mine != v)) continue;
    for (; arc < end; arc += 4) {
      const other = word(parent, load<u32>(arc));
      if (other != mine) mine = link(parent, mine, other, alone);
    }
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

/** Points each vertex of [from, to) straight at its root; `naming`: also finds the smallest rank of each component. */
function flatten(job: usize, parent: usize, chunk: u32, from: u32, to: u32, naming: bool): void {
  const smallest = address(job, SMALLEST);
  const ranks = address(address(job, JOB_PROJECTION), P_RANKS);
  const largest = naming ? get(job, LARGEST) : NONE;
  let least: u32 = NONE;
  let roots: u32 = 0;
  for (let v = from; v < to; v++) {
    let root = word(parent, v);
    let above = word(parent, root);
    while (above != root) {
      root = above;
      above = word(parent, root);
    }
    setWord(parent, v, root);
    if (!naming) continue;
    roots += u32(root == v);
    const rank = ranks == 0 ? v : word(ranks, v);
    if (root == largest) least = min<u32>(least, rank);
    else lower(smallest, root, rank);
  }
  if (least != NONE) lower(smallest, largest, least);
  store<f64>(partial(job, chunk), <f64>roots);
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
    const root = word(parent, <u32>(((vote >> 32) * <u64>count) >> 32));
    if (bestVotes == 0) best = root;
    bestVotes = root == best ? bestVotes + 1 : bestVotes - 1;
  }
  return best;
}

export function wccNext(job: usize): u32 {
  const projection = address(job, JOB_PROJECTION);
  const chunks = get(job, JOB_TOTAL);
  const phase = get(job, JOB_PHASE);
  if (phase == PHASE_FLATTEN && isSymmetric(get(projection, P_VIEW))) {
    set(job, LARGEST, mostFrequent(address(job, PARENT), get(projection, P_COUNT)));
  }
  if (phase == PHASE_NAME) store<f64>(job, sumPartials(job, chunks, 0), JOB_SUM);
  if (phase == PHASE_WRITE) {
    set(job, JOB_ITERATIONS, 1);
    jobFinish(job);
    return 0;
  }
  set(job, JOB_PHASE, phase + 1);
  return chunks;
}
