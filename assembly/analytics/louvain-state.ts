// LOUVAIN's memory: what its job says of the level graph, and the arrays by vertex. The steps are in louvain.ts and louvain-moves.ts.
//
//   result | names of the next level | map | five arrays of 8 bytes a vertex | fourteen of 4 | two of 1 | the block | two level graphs
//   | targets of the first level | for each member a flow of 8 bytes a community and a list of communities of 4
//
// Invariant: a level graph's arcs lie in rows, from `begins` to `ends` of a vertex, with room between them. What is inside a vertex is no
// arc but stands by itself.

import { address, get, JOB_NUMBERS, JOB_PROJECTION, JOB_WORDS, room, setWord, word } from './job';
import { P_COUNT } from './projection';

export const MAP: usize = JOB_WORDS; //         vertex of the projection -> of the level graph, NONE for one without arcs
export const COUNT: usize = JOB_WORDS + 4; //   vertices of the level graph
export const BEGINS: usize = JOB_WORDS + 8;
export const ENDS: usize = JOB_WORDS + 12;
export const TARGETS: usize = JOB_WORDS + 16;
export const WEIGHTS: usize = JOB_WORDS + 20; // 0: all 1
export const STRENGTHS: usize = JOB_WORDS + 24; // by vertex: sum of its arcs and of what is inside it
export const TOTALS: usize = JOB_WORDS + 28; // by community: sum of its vertices' strengths
export const PLACE: usize = JOB_WORDS + 32; //  which of the two rooms for a level graph is next
export const NAMES: usize = JOB_WORDS + 36; //  where the next level's names are written
export const WORK: usize = JOB_WORDS + 40; //   the arrays by vertex
export const ROUND: usize = JOB_WORDS + 44; //  ROUND_…

export const ALL: usize = JOB_NUMBERS; //       f64 sum of all weights
export const GAIN: usize = JOB_NUMBERS + 8; //  f64 the modularity so far
export const GAINED: usize = JOB_NUMBERS + 16; // f64 half of all weights times what this round's moves added to it
export const LEFT: usize = JOB_NUMBERS + 24; // u64 looks at arcs and vertices until the level ends
export const NEXT: usize = JOB_NUMBERS + 32; // u32 communities numbered so far: vertices of the next level graph
export const AT: usize = JOB_NUMBERS + 36; //   u32 where the search for those that are awake goes on; of PHASE_ROOM: places given away
export const BLOCK: usize = JOB_NUMBERS + 40; // u32 vertices of a block
export const LISTED: usize = JOB_NUMBERS + 44; // u32 vertices of this block
export const WISHES: usize = JOB_NUMBERS + 48; // u32 how many of them want to move
export const MOVES: usize = JOB_NUMBERS + 52; // u32
export const FRONT_COUNT: usize = JOB_NUMBERS + 56; // u32 vertices of the first level that are before the others, by degree
export const ARCS: usize = JOB_NUMBERS + 60; // u32 arcs of the level graph

export const ROUND_FIRST: u32 = 0; // the first level
export const ROUND_LEVEL: u32 = 1;
export const ROUND_LAST: u32 = 2;

// Arrays of 8 bytes a vertex.
export const STRENGTH: u32 = 0; // of the first level's vertices
export const SUMS: u32 = 1; //     strengths and totals of a level take turns with those of the next
export const OTHER_SUMS: u32 = 2;
const INSIDE: u32 = 3; //          what is inside a vertex, by PLACE
const WIDE: u32 = 5;

// Arrays of 4 bytes a vertex.
export const COMMUNITY: u32 = 5;
export const MEMBERS: u32 = 6; //   vertices by community
export const NUMBER: u32 = 7; //    community -> vertex of the next level graph; in the end smallest ranks
export const FIRST: u32 = 8; //     communities' first places among members
const ROWS: u32 = 9; //             begins and ends, by PLACE
const SMALLEST: u32 = 13; //        a vertex's smallest rank, by PLACE
export const START: u32 = 15; //    vertex of the projection -> of the first level, NONE for one without arcs
export const ORIGIN: u32 = 16; //   and back
const FIRST_ROWS: u32 = 17; //      begins and ends of the first level
const NARROW: u32 = 14;

/** Words of COMMUNITY: the vertex stays where it is at the first level, or wants to move with others of its block. */
export const STAYS: u32 = 0x80000000;
export const WANTS: u32 = 0x40000000;
/** There are never so many vertices that these are part of a number. */
export const COMMUNITY_MASK: u32 = 0x3fffffff;

/** Classes of degrees: 0, 1, and two for each power of two. */
export const CLASSES: u32 = 64;

/** A block has at most so many vertices. */
const MOST_LISTED: u32 = 4096;

function wideBytes(vertices: u32): usize {
  return <usize>room(<u64>vertices + 1, 8);
}

function narrowBytes(vertices: u32): usize {
  return <usize>room(<u64>vertices + 1, 4);
}

function byteBytes(vertices: u32): usize {
  return <usize>room(<u64>vertices + 1, 1);
}

/** At least for eight bytes a class of degrees, which stand there before the first block. */
function listBytes(vertices: u32): usize {
  return <usize>room(max<u32>(CLASSES, min<u32>(vertices, MOST_LISTED)), 8);
}

function graphBytes(arcs: u32): u64 {
  return room(arcs, 8) + room(arcs, 4);
}

export function louvainBytes(vertices: u32, arcs: u32, members: u32): u64 {
  const work = <u64>WIDE * <u64>wideBytes(vertices) + <u64>NARROW * <u64>narrowBytes(vertices) + 2 * <u64>byteBytes(vertices);
  const own = <u64>members * <u64>(wideBytes(vertices) + narrowBytes(vertices));
  return 3 * room(vertices, 4) + work + 2 * <u64>listBytes(vertices) + 2 * graphBytes(arcs) + room(arcs, 4) + own;
}

/** Where one of the arrays by vertex lies. */
export function arrayAt(job: usize, array: u32): usize {
  const count = get(address(job, JOB_PROJECTION), P_COUNT);
  if (array < WIDE) return address(job, WORK) + <usize>array * wideBytes(count);
  return address(job, WORK) + <usize>WIDE * wideBytes(count) + <usize>(array - WIDE) * narrowBytes(count);
}

/** A byte a vertex: 1 while it is to be looked at. */
export function awakeAt(job: usize): usize {
  return arrayAt(job, WIDE + NARROW);
}

/** A byte a vertex: 1 when a neighbour that comes before it in the block wants to move, too. */
export function clashAt(job: usize): usize {
  return awakeAt(job) + byteBytes(get(address(job, JOB_PROJECTION), P_COUNT));
}

/** The block: its vertices and their wishes, 4 bytes each; then by how much the weights differ that each has there and where it is. */
export function listAt(job: usize): usize {
  return clashAt(job) + byteBytes(get(address(job, JOB_PROJECTION), P_COUNT));
}

export function wishesAt(job: usize): usize {
  return listAt(job) + (listBytes(get(address(job, JOB_PROJECTION), P_COUNT)) >> 1);
}

export function differencesAt(job: usize): usize {
  return listAt(job) + listBytes(get(address(job, JOB_PROJECTION), P_COUNT));
}

/** Weights of the level graph that is next, then its targets. */
export function graphAt(job: usize, arcs: u32): usize {
  const vertices = get(address(job, JOB_PROJECTION), P_COUNT);
  return listAt(job) + 2 * listBytes(vertices) + <usize>get(job, PLACE) * <usize>graphBytes(arcs);
}

/** Targets of the first level. */
export function firstTargets(job: usize, arcs: u32): usize {
  return listAt(job) + 2 * listBytes(get(address(job, JOB_PROJECTION), P_COUNT)) + 2 * <usize>graphBytes(arcs);
}

/** A member's flow, all zeros between two vertices; then its list. */
export function flowAt(job: usize, arcs: u32, member: u32): usize {
  const vertices = get(address(job, JOB_PROJECTION), P_COUNT);
  return firstTargets(job, arcs) + <usize>room(arcs, 4) + <usize>member * (wideBytes(vertices) + narrowBytes(vertices));
}

export function touchedAt(job: usize, flow: usize): usize {
  return flow + wideBytes(get(address(job, JOB_PROJECTION), P_COUNT));
}

/** What is inside each vertex of the level graph at hand, or of the next. */
export function insideAt(job: usize, next: bool): usize {
  return arrayAt(job, INSIDE + (get(job, PLACE) ^ u32(!next)));
}

export function smallestAt(job: usize, next: bool): usize {
  return arrayAt(job, SMALLEST + (get(job, PLACE) ^ u32(!next)));
}

/** Where the rows of the next level graph begin. */
export function nextBegins(job: usize): usize {
  return arrayAt(job, ROWS + 2 * get(job, PLACE));
}

export function nextEnds(job: usize): usize {
  return arrayAt(job, ROWS + 2 * get(job, PLACE) + 1);
}

/** Vertices of the first level, and its arcs; they stand behind the last of other numbers. */
export function firstCount(job: usize): u32 {
  return word(arrayAt(job, ORIGIN), get(address(job, JOB_PROJECTION), P_COUNT));
}

export function firstArcs(job: usize): u32 {
  return word(arrayAt(job, START), get(address(job, JOB_PROJECTION), P_COUNT));
}

export function setFirst(job: usize, count: u32, arcs: u32): void {
  const vertices = get(address(job, JOB_PROJECTION), P_COUNT);
  setWord(arrayAt(job, ORIGIN), vertices, count);
  setWord(arrayAt(job, START), vertices, arcs);
}

export function firstBegins(job: usize): usize {
  return arrayAt(job, FIRST_ROWS);
}

export function firstEnds(job: usize): usize {
  return arrayAt(job, FIRST_ROWS + 1);
}

/** Vertices of a block, so that it is about so much work. */
export function blockOf(vertices: u32, arcs: u32): u32 {
  if (vertices == 0) return 0;
  const fair = <u32>((<u64>BLOCK_WORK * <u64>vertices) / (<u64>arcs + <u64>vertices));
  return min<u32>(min<u32>(vertices, MOST_LISTED), max<u32>(fair, LEAST_LISTED));
}

/** Arcs and vertices of a block, about. */
const BLOCK_WORK: u32 = 16_384;
const LEAST_LISTED: u32 = 256;
