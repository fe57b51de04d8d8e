// A projection: the vertices and edges of a scope as arrays that a kernel walks, apart from the graph and untouched by its writer.
//
//   rank       number of a vertex among those in scope, in ascending id: id = ids[rank]
//   position   number of a vertex in the order of the arrays: grouped by degree, the largest first, and by rank within a group;
//              `positions[rank]` and `ranks[position]` lead back and forth. On request it is the rank itself
//   table      16 bytes for each 64 ids: u64 which of them are in scope, u32 rank of the first of them, u32 zero
//   offsets    positions + 1 words: the arcs of a position are targets[offsets[position]] up to targets[offsets[position + 1]]
//   targets    the position at the other end of each arc
//   weights    if asked for, one f64 each beside it; or, if that was asked for and every weight is a whole number below 2^31, u32
//              target once more and u32 weight, so that a kernel finds both in one place
//   firsts     with both directions, without weights and in the order by degree: the least position that the arcs of a position lead
//              to, the neighbour of most arcs. Where a frontier is looked for it is most often met there (95 of 100 times in the
//              largest round of levels on RMAT graphs), and reading a word a vertex in a row is next to nothing beside its targets
//   chunks     chunk boundaries as positions: at most CHUNK_VERTICES positions and about CHUNK_SHARE of all arcs each
//
// A view says which arcs a vertex has: VIEW_OUT its outgoing edges, VIEW_IN its incoming ones, VIEW_BOTH the outgoing and the incoming
// ones (a self-loop stands there twice), VIEW_SIMPLE its distinct neighbours in ascending position, itself left out.
//
// Why an order by degree. Most arcs lead to few vertices, whose values then lie together in the first cache. And vertices of equally many
// arcs stand in a row, so that loops over arcs end where the processor expects it. A group is one degree, and from 32 on a power of two,
// which keeps something of the order of ids.
// Measured (benchmarks/analytics --order, one thread, 4-core EPYC, 0116ef3): time in the order of ids → of degrees, by 1: RMAT 18 PageRank
// 1.2 → 1, components 1.8 → 1, levels 1.7 → 1; WordNet 2.3 → 1, 1.2 → 1, 1.5 → 1.
//
// With degrees in the other direction, which is what PAGERANK asks for, the arcs of a vertex of EXACT_DEGREES or more are parted, in the
// order by degree and without weights: those that lead to the first FRONT positions stand before the others. So it can take them by
// themselves, with what it reads of those positions in the second cache.
//
// Life: [W] projectionBegin (memory for what depends on vertices) -> a job that marks, numbers and counts -> [W] projectionReserve
// (memory for the arcs, now exactly known) -> a job that fills -> [W] projectionSettle -> any number of kernels -> [W]
// projectionDrop. Everything lies in a heap of its own, which leaves the reserve of the memory alone, and is retired whole. The first
// word of the projection is its job.

import { graphState, stateEdgeCount, stateNextId, stateNumber, stateVersion, stateVertexCount } from '../graph/state';
import { allocate, heapBytes, heapCreate, heapDrop, pagesFree, release } from '../memory/allocator';
import { NONE, PURPOSE_PROJECTIONS } from '../memory/layout';
import { retireHeap, retireReserve } from '../memory/retire';
import {
  address, get, JOB_HEADER, JOB_KIND, JOB_PARTIALS, JOB_PHASE, JOB_PROJECTION, JOB_STATE, jobOpen, PARTIAL_BYTES, room, set, STATE_FINISHED,
  word,
} from './job';

export const VIEW_OUT: u32 = 0;
export const VIEW_IN: u32 = 1;
export const VIEW_BOTH: u32 = 2;
export const VIEW_SIMPLE: u32 = 3;

/** Weights beside the targets, from the property whose key was named. */
export const FLAG_WEIGHTS: u32 = 1;
/** Also count the arcs of each vertex in the other direction. */
export const FLAG_OPPOSITE: u32 = 2;
/** Keep ascending ids as the order of the arrays. */
export const FLAG_ORDER_IDS: u32 = 4;
/** Weights beside a copy of their targets, if all are whole numbers. */
export const FLAG_PAIRED: u32 = 8;
/** The least target of each position; follows from the view and the other flags. */
export const FLAG_FIRSTS: u32 = 16;

const P: usize = JOB_HEADER;
export const P_GRAPH: usize = P;
export const P_STATE: usize = P + 4;
export const P_VERSION: usize = P + 8;
export const P_HEAP: usize = P + 12;
export const P_LABEL: usize = P + 16;
export const P_TYPE: usize = P + 20;
export const P_VIEW: usize = P + 24;
export const P_FLAGS: usize = P + 28;
export const P_WEIGHT_KEY: usize = P + 32;
export const P_NEXT_ID: usize = P + 36;
export const P_CAPACITY: usize = P + 40;
export const P_TABLE: usize = P + 44;
export const P_IDS: usize = P + 48;
export const P_COUNT: usize = P + 52; //     vertices in scope
export const P_OFFSETS: usize = P + 56;
export const P_POSITIONS: usize = P + 60; // by rank: the degree until the order is made
export const P_RANKS: usize = P + 64; //     0 while the order is that of the ids
export const P_RANKS_ROOM: usize = P + 68;
export const P_OPPOSITE: usize = P + 72; //  by rank
export const P_ARCS: usize = P + 76;
export const P_TARGETS: usize = P + 80;
export const P_WEIGHTS: usize = P + 84;
export const P_CHUNKS: usize = P + 88;
export const P_CHUNK_COUNT: usize = P + 92;
export const P_SHRUNK: usize = P + 96; //    1: some targets are NONE and have to be closed up
export const P_WEIGHTED: usize = P + 100; // edges that carry the weight property
/** While gaps are closed: arcs written so far, and the next one to look at. */
export const P_CLOSED: usize = P + 104;
export const P_CLOSED_FROM: usize = P + 108;
export const P_RUNS: usize = P + 112; //     1: below EXACT_DEGREES each class of degrees is a run of one degree
/** Beside P_STATE: an address comes again when a graph is erased twice. */
export const P_STATE_NUMBER: usize = P + 116;
export const P_APART: usize = P + 120; //    1: weights are f64
export const P_HEAVIEST: usize = P + 124; // no weight is larger, unless they are f64
/** A word for each class of degrees: first its vertices, then its next position, in the end the position behind its last one. */
export const P_CLASSES: usize = P + 128;
/** 0 without FLAG_FIRSTS. */
export const P_FIRSTS: usize = P_CLASSES + 4 * 63;
/** While it is filled: for each id below P_NEXT_ID the weight of an edge (weights.ts). 0: edges are asked one by one. */
export const P_BY_ID: usize = P_CLASSES + 4 * 62;
/** The width of its entries, and the one that a weight was met for. */
export const P_BY_ID_WIDTH: usize = P_CLASSES + 4 * 61;
export const P_BY_ID_WANTED: usize = P_CLASSES + 4 * 60;
export const P_HEADER: usize = P_CLASSES + 4 * 64;

/** Of an entry of the table, which is for 64 ids: u64 which of them are in scope, u32 rank of the first of those, u32 zero. */
export const TABLE_RANK: usize = 8;
/** Of an arc whose weight stands beside a copy of its target: the target comes first. */
export const ARC_WEIGHT: usize = 4;

export const CHUNK_VERTICES: u32 = 4096;
/** One chunk is about so much of the whole, unless that is less than CHUNK_LEAST. */
const CHUNK_SHARE: u64 = 256;
const CHUNK_LEAST: u64 = CORE_DEBUG != 0 ? 2048 : 16_384;
/** What a vertex weighs beside an arc. */
export const CHUNK_VERTEX_WEIGHT: u64 = 4;

/** Degrees below this are classes of their own; above, each power of two is one. */
export const EXACT_DEGREES: u32 = 32;

/** Positions whose values of 8 bytes take half of a second cache of 1 MiB. Few in a debug build, so that small graphs have others. */
export const FRONT: u32 = CORE_DEBUG != 0 ? 32 : 65_536;

/** Kind of the job that builds; kernels have the kinds of kernels.ts. */
export const KIND_BUILD: u32 = 0;

/** Weights by id are worth their pass over all ids from one arc for so many ids on. */
const IDS_PER_ARC: u32 = 8;
/** Weights by id take this part of the free memory at most: others need some meanwhile. */
const BY_ID_PART: u64 = 2;

/** Ids that one chunk of a build covers. */
export const BUILD_IDS: u32 = 4096;

/** Weight of one chunk in arcs and vertices. */
export function chunkWeight(vertices: u32, arcs: u32): u64 {
  return max<u64>(CHUNK_LEAST, (<u64>arcs + CHUNK_VERTEX_WEIGHT * <u64>vertices) / CHUNK_SHARE);
}

/** No cut into chunks has more of them. */
export function chunkBound(vertices: u32, arcs: u32): u32 {
  const weight = <u64>arcs + CHUNK_VERTEX_WEIGHT * <u64>vertices;
  return <u32>(weight / chunkWeight(vertices, arcs)) + vertices / CHUNK_VERTICES + 2;
}

/** Bytes that depend on the vertices. */
export function frameBytes(nextId: u32, vertices: u32, flags: u32): u64 {
  const words = <u64>(nextId >> 6) + 1;
  let bytes = room(1, <u64>P_HEADER) + room(words, 16) + room(<u64>(nextId / BUILD_IDS) + 1, <u64>PARTIAL_BYTES);
  bytes += 3 * room(vertices, 4) + room(<u64>vertices + 1, 4);
  if (flags & FLAG_OPPOSITE) bytes += room(vertices, 4);
  return bytes;
}

/** Bytes that depend on the arcs: a little room behind the targets lets kernels read four at once. */
export function arcBytes(vertices: u32, arcs: u32, flags: u32): u64 {
  const bytes = room(<u64>arcs + 4, 4) + room(<u64>chunkBound(vertices, arcs) + 1, 4);
  if (flags & FLAG_FIRSTS) return bytes + room(vertices, 4);
  return flags & FLAG_WEIGHTS ? bytes + room(<u64>arcs, 8) : bytes;
}

/**
 * Bytes that a projection of the whole graph takes, and an upper bound for a narrower scope. All counts are those of now.
 * `withArcs` false: a projection that is only counted.
 */
export function projectionEstimate(graph: usize, view: u32, flags: u32, withArcs: bool): f64 {
  const state = graphState(graph);
  const vertices = stateVertexCount(state);
  flags = sensibleFlags(view, flags);
  let bytes = frameBytes(stateNextId(state), vertices, flags);
  if (withArcs) bytes += arcBytes(vertices, arcsBound(state, view), flags);
  return <f64>bytes;
}

/**
 * Without what has no meaning for a view: one of both directions has no other one, and distinct neighbours have no one edge. With what
 * goes without saying.
 */
function sensibleFlags(view: u32, flags: u32): u32 {
  flags &= ~FLAG_FIRSTS;
  if (view == VIEW_SIMPLE) return flags & ~(FLAG_OPPOSITE | FLAG_WEIGHTS);
  if (view != VIEW_BOTH) return flags;
  return flags & (FLAG_WEIGHTS | FLAG_ORDER_IDS) ? flags & ~FLAG_OPPOSITE : (flags & ~FLAG_OPPOSITE) | FLAG_FIRSTS;
}

function arcsBound(state: usize, view: u32): u32 {
  const edges = stateEdgeCount(state);
  return view == VIEW_OUT || view == VIEW_IN ? edges : 2 * edges;
}

/**
 * [W] Begins a projection; answers its address, 0 when memory does not allow it. `label`, `type`, `weightKey`: interned names,
 * NONE for any or none; a name that was never interned is any other number that no name has.
 */
export function projectionBegin(graph: usize, label: u32, type: u32, view: u32, flags: u32, weightKey: u32): usize {
  const state = graphState(graph);
  const vertices = stateVertexCount(state);
  const nextId = stateNextId(state);
  flags = sensibleFlags(view, flags);
  const bytes = frameBytes(nextId, vertices, flags);
  if (bytes > 0xffff0000) return 0;
  const heap = heapCreate();
  if (heap == 0) return 0;
  const projection = allocate(heap, PURPOSE_PROJECTIONS, <usize>bytes);
  if (projection == 0) {
    heapDrop(heap);
    return 0;
  }
  memory.fill(projection, 0, P_HEADER);
  set(projection, P_GRAPH, <u32>graph);
  set(projection, P_STATE, <u32>state);
  set(projection, P_STATE_NUMBER, stateNumber(state));
  set(projection, P_VERSION, stateVersion(state));
  set(projection, P_HEAP, heap);
  set(projection, P_LABEL, label);
  set(projection, P_TYPE, type);
  set(projection, P_VIEW, view);
  set(projection, P_FLAGS, flags);
  set(projection, P_WEIGHT_KEY, weightKey);
  set(projection, P_APART, u32((flags & FLAG_PAIRED) == 0));
  set(projection, P_NEXT_ID, nextId);
  set(projection, P_CAPACITY, vertices);
  set(projection, JOB_KIND, KIND_BUILD);
  set(projection, JOB_PROJECTION, <u32>projection);
  layoutFrame(projection, nextId, vertices, flags);
  jobOpen(projection, (nextId + BUILD_IDS - 1) / BUILD_IDS + u32(nextId == 0));
  return projection;
}

function layoutFrame(projection: usize, nextId: u32, vertices: u32, flags: u32): void {
  let at = projection + <usize>room(1, <u64>P_HEADER);
  set(projection, P_TABLE, <u32>at);
  at += <usize>room(<u64>(nextId >> 6) + 1, 16);
  set(projection, JOB_PARTIALS, <u32>at);
  at += <usize>room(<u64>(nextId / BUILD_IDS) + 1, <u64>PARTIAL_BYTES);
  set(projection, P_IDS, <u32>at);
  at += <usize>room(vertices, 4);
  set(projection, P_POSITIONS, <u32>at);
  at += <usize>room(vertices, 4);
  set(projection, P_RANKS_ROOM, <u32>at);
  at += <usize>room(vertices, 4);
  set(projection, P_OFFSETS, <u32>at);
  at += <usize>room(<u64>vertices + 1, 4);
  if (flags & FLAG_OPPOSITE) set(projection, P_OPPOSITE, <u32>at);
}

/**
 * [W] Memory for the arcs of a projection that has been counted, and its job opened again to fill them. False when they do not fit;
 * the projection can then still be dropped, or asked for degrees. `weighPhase` comes first where weights are to be had by id.
 */
export function projectionReserve(projection: usize, weighPhase: u32, fillPhase: u32): bool {
  const count = get(projection, P_COUNT);
  const arcs = get(projection, P_ARCS);
  const flags = get(projection, P_FLAGS);
  const bytes = arcBytes(count, arcs, flags);
  if (bytes > 0xffff0000) return false;
  let at = allocate(get(projection, P_HEAP), PURPOSE_PROJECTIONS, <usize>bytes);
  if (at == 0) return false;
  set(projection, P_TARGETS, <u32>at);
  at += <usize>room(<u64>arcs + 4, 4);
  set(projection, P_CHUNKS, <u32>at);
  at += <usize>room(<u64>chunkBound(count, arcs) + 1, 4);
  if (flags & FLAG_FIRSTS) set(projection, P_FIRSTS, <u32>at);
  else if (flags & FLAG_WEIGHTS) set(projection, P_WEIGHTS, <u32>at);
  set(projection, P_BY_ID, flags & FLAG_WEIGHTS ? <u32>byIdReserve(projection) : 0);
  set(projection, P_BY_ID_WIDTH, 0);
  set(projection, P_BY_ID_WANTED, 0);
  set(projection, JOB_PHASE, get(projection, P_BY_ID) != 0 ? weighPhase : fillPhase);
  const nextId = get(projection, P_NEXT_ID);
  jobOpen(projection, (nextId + BUILD_IDS - 1) / BUILD_IDS + u32(nextId == 0));
  return true;
}

/** Room for the weights by id; 0 where they do not fit or are not worth it. */
function byIdReserve(projection: usize): usize {
  const ids = get(projection, P_NEXT_ID);
  const bytes = (<u64>ids + 1) << 3;
  if (ids / IDS_PER_ARC > get(projection, P_ARCS) || bytes > (<u64>pagesFree() << 16) / BY_ID_PART) return 0;
  return allocate(get(projection, P_HEAP), PURPOSE_PROJECTIONS, <usize>bytes);
}

/** [W] Gives back what only filling needed. No member may be at work. */
export function projectionSettle(projection: usize): void {
  const byId = address(projection, P_BY_ID);
  if (byId == 0) return;
  set(projection, P_BY_ID, 0);
  release(PURPOSE_PROJECTIONS, byId);
}

/** [W] Gives the projection back, with every kernel run on it. No member may be at work on any. False without memory to note that. */
export function projectionDrop(projection: usize): bool {
  if (!retireReserve(1)) return false;
  retireHeap(get(projection, P_HEAP));
  return true;
}

// --- What the host asks ----------------------------------------------------------------------------------------------------

/** Vertices in scope, once counted. */
export function projectionVertices(projection: usize): u32 {
  return get(projection, P_COUNT);
}

/** Arcs of the view, once counted; of VIEW_SIMPLE only once filled. */
export function projectionArcs(projection: usize): u32 {
  return get(projection, P_ARCS);
}

/** Version of the graph that was projected: with the same version the projection is that of the graph. */
export function projectionVersion(projection: usize): u32 {
  return get(projection, P_VERSION);
}

/** Arcs that carry the weight property; the others weigh 1. */
export function projectionWeighted(projection: usize): u32 {
  return get(projection, P_WEIGHTED);
}

/** Bytes held now, kernels on it included, in whole pages. */
export function projectionBytes(projection: usize): f64 {
  return <f64>heapBytes(get(projection, P_HEAP), PURPOSE_PROJECTIONS);
}

/** Exact bytes that `projectionReserve` will ask for, once counted. */
export function projectionArcBytes(projection: usize): f64 {
  return <f64>arcBytes(get(projection, P_COUNT), get(projection, P_ARCS), get(projection, P_FLAGS));
}

/** Rank of the vertex with that id, NONE when it is not in scope. */
export function rankOf(projection: usize, id: u32): u32 {
  if (id >= get(projection, P_NEXT_ID)) return NONE;
  const entry = address(projection, P_TABLE) + ((<usize>(id >> 6)) << 4);
  const bits = load<u64>(entry);
  const bit = <u64>1 << (<u64>id & 63);
  if ((bits & bit) == 0) return NONE;
  return load<u32>(entry, TABLE_RANK) + <u32>popcnt(bits & (bit - 1));
}

/** Position of a rank. */
// @ts-ignore: decorator
@inline
export function positionOf(projection: usize, rank: u32): u32 {
  return get(projection, P_RANKS) == 0 ? rank : word(address(projection, P_POSITIONS), rank);
}

/**
 * Where the positions end that have exactly `degree` arcs, if vertices of this degree stand side by side; 0 if they do not. Kernels have
 * loops for such runs, whose length and step are known beforehand.
 */
// @ts-ignore: decorator
@inline
export function runEnd(projection: usize, degree: u32): u32 {
  return degree < EXACT_DEGREES && get(projection, P_RUNS) != 0 ? get(projection, P_CLASSES + ((<usize>degree) << 2)) : 0;
}

/** Whether the arcs of large vertices into the front stand before the others. */
export function isParted(projection: usize): bool {
  const flags = get(projection, P_FLAGS);
  return (flags & (FLAG_OPPOSITE | FLAG_WEIGHTS | FLAG_ORDER_IDS)) == FLAG_OPPOSITE && get(projection, P_COUNT) > FRONT;
}

/** From this position on a vertex has less than EXACT_DEGREES arcs; 0 where that is not known. */
// @ts-ignore: decorator
@inline
export function smallFrom(projection: usize): u32 {
  return get(projection, P_RUNS) != 0 ? get(projection, P_CLASSES + ((<usize>EXACT_DEGREES) << 2)) : 0;
}

/** From this position on no vertex has an arc; the number of all where that is not known. */
// @ts-ignore: decorator
@inline
export function restFrom(projection: usize): u32 {
  return get(projection, P_RUNS) != 0 ? get(projection, P_CLASSES + 4) : get(projection, P_COUNT);
}

/** From this position on a vertex has one arc at most; the number of all where that is not known. */
// @ts-ignore: decorator
@inline
export function leavesFrom(projection: usize): u32 {
  return get(projection, P_RUNS) != 0 ? get(projection, P_CLASSES + 8) : get(projection, P_COUNT);
}

/** True while the arrays may be walked by kernels. */
export function isFilled(projection: usize): bool {
  return get(projection, P_TARGETS) != 0 && get(projection, JOB_STATE) == STATE_FINISHED;
}
