// The generator: a random graph as transactions, one after the other. A session is a block in the system heap. First all targets are
// chosen, then the vertices are written, in batches of VERTEX_BATCH whose first ids the host tells once they are applied, because
// other writes may come between; then room is made for exactly the edges that will come (reserve.ts), then they are written, source by
// source. No labels, no properties, edge type "A", targets only among the new vertices and distinct for each source.
//
//   uniform        min(edges, vertices) targets each, every subset as likely as any other (Floyd's sampling); itself may be one
//   preferential   vertex i links to min(edges, i) of those before it, with a chance that grows with the degree: a draw is a vertex
//                  before it with edges + 1 tickets, or the target of any edge so far (Barabási, Albert 1999, with a ticket more)
//
// Cost: O(vertices + edges); beside the transactions 4 bytes an edge, 4 bytes a vertex and 32 bytes a target of one source.

import { KIND_VERTEX } from '../graph/elements';
import { intern } from '../graph/intern';
import { graphState, PAGE_ID_MASK, PAGE_IDS, stateNumber } from '../graph/state';
import { allocate, release } from '../memory/allocator';
import { scratchAllocate, scratchMark, scratchRelease } from '../memory/arena';
import { NONE, PURPOSE_SCRATCH } from '../memory/layout';
import { OK } from '../status';
import { buildBegin, buildCreate, buildCreateEnd, buildEdges, buildEnd, buildString } from './build';
import { requestBuilder } from './build-request';
import { EDGE_TARGET } from './format';
import { reservePage, unreserve } from './reserve';

const G_VERTICES: usize = 0; //    u32
const G_EDGES: usize = 4; //       u32 edges a vertex
const G_PREFERENTIAL: usize = 8; // u32
const G_CHOSEN: usize = 12; //     u32 vertices whose targets have been chosen
const G_MADE: usize = 16; //       u32 vertices that a transaction creates or has created
const G_PAGE: usize = 20; //       u32 vertices for whose pages room has been made
const G_SOURCE: usize = 24; //     u32 the vertex whose edge comes next, and
const G_NEXT: usize = 28; //       u32 the place of its target among all
const G_TABLE: usize = 32; //      u32 address of { u32 source + 1, u32 target } slots
const G_MASK: usize = 36; //       u32 slots - 1
const G_BASES: usize = 40; //      u32 address: first id of each batch of vertices
const G_TARGETS: usize = 44; //    u32 address of the targets of all edges, by source
const G_LINKS: usize = 48; //      u32 targets chosen
const G_TEXT: usize = 52; //       "A"
const G_RANDOM: usize = 56; //     u64
const G_DEGREES: usize = 64; //    u32 address: how many edges come in to each vertex
const G_STATE: usize = 68; //      u32 address and number of the state in which room has been made, 0 = none
const G_BYTES: usize = 80;

/** Of a slot of the table. */
const CHOSEN_TARGET: usize = 4;

const VERTEX_BATCH_SHIFT: u32 = 13;
const VERTEX_BATCH: u32 = 1 << VERTEX_BATCH_SHIFT;
const DRAWS: u32 = 16;
/** Targets chosen in one go. */
const CHOOSE_LINKS: u32 = 1 << 17;

/** Bytes of a session beside the transactions. */
export function generateBytes(vertices: u32, edges: u32): f64 {
  const most = min<u32>(edges, vertices);
  const batches = <f64>vertices / <f64>VERTEX_BATCH + 1;
  return 8 * <f64>slotsFor(most) + 4 * (batches + <f64>vertices + <f64>vertices * <f64>most);
}

function slotsFor(most: u32): u32 {
  return most < 2 ? 4 : 1 << (34 - clz<u32>(most - 1));
}

/** [W] A new session, 0 when there is no memory. */
export function generateBegin(vertices: u32, edges: u32, preferential: bool, seed: u32): usize {
  const session = allocate(0, PURPOSE_SCRATCH, G_BYTES);
  if (session == 0) return 0;
  memory.fill(session, 0, G_BYTES);
  const most = min<u32>(edges, vertices);
  const slots = slotsFor(most);
  const links = <u64>vertices * <u64>most;
  store<u32>(session, vertices, G_VERTICES);
  store<u32>(session, edges, G_EDGES);
  store<u32>(session, u32(preferential), G_PREFERENTIAL);
  store<u8>(session, 0x41, G_TEXT);
  store<u64>(session, <u64>seed, G_RANDOM);
  store<u32>(session, slots - 1, G_MASK);
  const isRoom =
    links < 0x3fffffff &&
    hold(session, G_TABLE, <usize>slots << 3) &&
    hold(session, G_BASES, (<usize>(vertices >> VERTEX_BATCH_SHIFT) + 1) << 2) &&
    hold(session, G_DEGREES, <usize>vertices << 2) &&
    hold(session, G_TARGETS, <usize>links << 2);
  if (!isRoom) {
    generateDrop(session);
    return 0;
  }
  memory.fill(<usize>load<u32>(session, G_TABLE), 0, <usize>slots << 3);
  memory.fill(<usize>load<u32>(session, G_DEGREES), 0, <usize>vertices << 2);
  return session;
}

function hold(session: usize, field: usize, bytes: usize): bool {
  const address = allocate(0, PURPOSE_SCRATCH, bytes + 8);
  store<u32>(session + field, <u32>address);
  return address != 0;
}

/** [W] Gives a session back. */
export function generateDrop(session: usize): void {
  drop(session, G_TABLE);
  drop(session, G_BASES);
  drop(session, G_DEGREES);
  drop(session, G_TARGETS);
  release(PURPOSE_SCRATCH, session);
}

function drop(session: usize, field: usize): void {
  const address = <usize>load<u32>(session + field);
  if (address != 0) release(PURPOSE_SCRATCH, address);
}

// --- Transactions ----------------------------------------------------------------------------------------------------------

/**
 * [W] Builds the next transaction, of `limit` edges at most: answers its creates, 0 when there are no more, -1 without memory. It
 * lies at `transactionBase`. After one of vertices `generateCreated` must say where they begin. Before the first one come calls of
 * generateChoose.
 */
export function generateNext(session: usize, limit: u32, timeSeconds: u32, timeMs: f64): i32 {
  const builder = requestBuilder();
  if (builder == 0 || buildBegin(builder, timeSeconds, timeMs) != OK) return -1;
  const made = load<u32>(session, G_MADE);
  const vertices = load<u32>(session, G_VERTICES);
  if (made < vertices) {
    const count = min<u32>(VERTEX_BATCH, vertices - made);
    for (let i: u32 = 0; i < count; i++) {
      if (buildCreate(builder, KIND_VERTEX, NONE, NONE, timeSeconds, 0, 0, 0, 0, 0) != OK) return -1;
      if (buildCreateEnd(builder) != OK) return -1;
    }
    store<u32>(session, made + count, G_MADE);
    return buildEnd(builder) == OK ? <i32>count : -1;
  }
  const type = buildString(builder, session + G_TEXT, 1);
  if (type == NONE) return -1;
  const count = min<u32>(limit, load<u32>(session, G_LINKS) - load<u32>(session, G_NEXT));
  if (count == 0) return 0;
  const pairs = buildEdges(builder, type, timeSeconds, count);
  if (pairs == 0) return -1;
  edgesWrite(session, pairs, count);
  return buildEnd(builder) == OK ? <i32>count : -1;
}

/** Writes source and target of the next edges. */
function edgesWrite(session: usize, pair: usize, count: u32): void {
  const targets = <usize>load<u32>(session, G_TARGETS);
  let source = load<u32>(session, G_SOURCE);
  let next = load<u32>(session, G_NEXT);
  const end = next + count;
  while (next < end) {
    const sourceEnd = min<u32>(end, linksBefore(session, source + 1));
    const from = idOf(session, source);
    for (; next < sourceEnd; next++) {
      store<u32>(pair, from);
      store<u32>(pair, idOf(session, load<u32>(targets + (<usize>next << 2))), EDGE_TARGET);
      pair += 8;
    }
    if (next < end) source++;
  }
  store<u32>(session, source, G_SOURCE);
  store<u32>(session, next, G_NEXT);
}

/** Edges whose source is one of the first `vertices`. */
function linksBefore(session: usize, vertices: u32): u32 {
  const edges = load<u32>(session, G_EDGES);
  if (load<u32>(session, G_PREFERENTIAL) == 0) return vertices * min<u32>(edges, load<u32>(session, G_VERTICES));
  if (vertices <= edges) return <u32>((<u64>vertices * <u64>(vertices - 1)) >> 1);
  return <u32>((<u64>edges * <u64>(edges + 1)) >> 1) + (vertices - edges - 1) * edges;
}

/** The vertices of the transaction built last have the ids from `firstId` on. Nothing to say after one of edges. */
export function generateCreated(session: usize, firstId: u32): void {
  if (load<u32>(session, G_NEXT) != 0) return;
  const batch = (load<u32>(session, G_MADE) - 1) >> VERTEX_BATCH_SHIFT;
  store<u32>(<usize>load<u32>(session, G_BASES) + (<usize>batch << 2), firstId);
}

// @ts-ignore: decorator
@inline
function idOf(session: usize, vertex: u32): u32 {
  return load<u32>(<usize>load<u32>(session, G_BASES) + (<usize>(vertex >> VERTEX_BATCH_SHIFT) << 2)) + (vertex & (VERTEX_BATCH - 1));
}

// --- Making room -----------------------------------------------------------------------------------------------------------

/**
 * [W] Makes room in the graph for the edges of some vertices, all of which exist; true while there is more to do. What memory does not
 * suffice for is left out. Between two calls the graph may change.
 */
export function generateReserve(session: usize, graph: usize): bool {
  const vertices = load<u32>(session, G_VERTICES);
  const from = load<u32>(session, G_PAGE);
  if (from == vertices || load<u32>(session, G_LINKS) == 0) return false;
  const state = graphState(graph);
  if (from == 0) {
    store<u32>(session, <u32>state, G_STATE);
    store<u32>(session, stateNumber(state), G_STATE + 4);
  }
  const base = idOf(session, from) & ~PAGE_ID_MASK;
  const type = intern(session + G_TEXT, 1);
  if (type == NONE || !roomStands(session, state)) return false;
  const mark = scratchMark();
  const degrees = scratchAllocate(<usize>PAGE_IDS << 3);
  if (degrees == 0) return false;
  memory.fill(degrees, 0, <usize>PAGE_IDS << 3);
  const ins = degrees + (<usize>PAGE_IDS << 2);
  let vertex = from;
  for (; vertex < vertices; vertex++) {
    const id = idOf(session, vertex);
    if ((id & ~PAGE_ID_MASK) != base) break;
    const place = <usize>(id & PAGE_ID_MASK) << 2;
    store<u32>(degrees + place, linksBefore(session, vertex + 1) - linksBefore(session, vertex));
    store<u32>(ins + place, load<u32>(<usize>load<u32>(session, G_DEGREES) + (<usize>vertex << 2)));
  }
  reservePage(state, base, type, degrees, ins);
  scratchRelease(mark);
  store<u32>(session, vertex, G_PAGE);
  return vertex < vertices;
}

/** The graph is still the one in which room has been made. */
function roomStands(session: usize, state: usize): bool {
  return <u32>state == load<u32>(session, G_STATE) && stateNumber(state) == load<u32>(session, G_STATE + 4);
}

/** [W] Takes back, batch by batch, what room is left of edges that will not come; true while there is more to do. */
export function generateUnreserve(session: usize, graph: usize): bool {
  const state = graphState(graph);
  const room = load<u32>(session, G_PAGE);
  if (room == 0 || !roomStands(session, state)) return false;
  const from = (room - 1) & ~(VERTEX_BATCH - 1);
  unreserve(state, idOf(session, from), room - from);
  store<u32>(session, from, G_PAGE);
  return from != 0;
}

// --- Choosing --------------------------------------------------------------------------------------------------------------

/** [W] Chooses the targets of some more vertices; true while there are more. */
export function generateChoose(session: usize): bool {
  const vertices = load<u32>(session, G_VERTICES);
  if (load<u32>(session, G_EDGES) == 0) return false;
  const enough = load<u32>(session, G_LINKS) + CHOOSE_LINKS;
  let source = load<u32>(session, G_CHOSEN);
  for (; source < vertices && load<u32>(session, G_LINKS) < enough; source++) {
    if (load<u32>(session, G_PREFERENTIAL) != 0) chooseByDegree(session, source);
    else chooseUniform(session, source, vertices);
  }
  store<u32>(session, source, G_CHOSEN);
  return source < vertices;
}

function chooseUniform(session: usize, source: u32, vertices: u32): void {
  const count = min<u32>(load<u32>(session, G_EDGES), vertices);
  for (let last = vertices - count; last < vertices; last++) {
    if (!choose(session, source, below(session, <u64>last + 1))) choose(session, source, last);
  }
}

function chooseByDegree(session: usize, source: u32): void {
  const edges = load<u32>(session, G_EDGES);
  const count = min<u32>(edges, source);
  if (count == source) {
    for (let target: u32 = 0; target < source; target++) choose(session, source, target);
    return;
  }
  const each = <u64>edges + 1;
  const tickets = each * <u64>source;
  const all = tickets + <u64>load<u32>(session, G_LINKS);
  const targets = <usize>load<u32>(session, G_TARGETS);
  for (let i: u32 = 0; i < count; i++) {
    let target: u32 = 0;
    let isNew = false;
    for (let draw: u32 = 0; draw < DRAWS && !isNew; draw++) {
      const ticket = <u64>below(session, all);
      target = ticket < tickets ? <u32>(ticket / each) : load<u32>(targets + (<usize>(ticket - tickets) << 2));
      isNew = choose(session, source, target);
    }
    // Hubs that are chosen already keep coming up: the next vertex that is not.
    while (!isNew) {
      target = target + 1 == source ? 0 : target + 1;
      isNew = choose(session, source, target);
    }
  }
}

/** Adds a target; false when the source has it already. */
function choose(session: usize, source: u32, target: u32): bool {
  const table = <usize>load<u32>(session, G_TABLE);
  const mask = load<u32>(session, G_MASK);
  let slot = (target * 0x9e3779b1) & mask;
  while (load<u32>(table + (<usize>slot << 3)) == source + 1) {
    if (load<u32>(table + (<usize>slot << 3), CHOSEN_TARGET) == target) return false;
    slot = (slot + 1) & mask;
  }
  store<u32>(table + (<usize>slot << 3), source + 1);
  store<u32>(table + (<usize>slot << 3), target, CHOSEN_TARGET);
  const links = load<u32>(session, G_LINKS);
  store<u32>(<usize>load<u32>(session, G_TARGETS) + (<usize>links << 2), target);
  store<u32>(session, links + 1, G_LINKS);
  const degree = <usize>load<u32>(session, G_DEGREES) + (<usize>target << 2);
  store<u32>(degree, load<u32>(degree) + 1);
  return true;
}

/** A number from 0 to `bound` - 1 (splitmix64; `bound` below 2^53). */
function below(session: usize, bound: u64): u32 {
  const state = load<u64>(session, G_RANDOM) + 0x9e3779b97f4a7c15;
  store<u64>(session, state, G_RANDOM);
  let mixed = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  mixed ^= mixed >> 31;
  return <u32>(<f64>(mixed >> 11) * 1.1102230246251565e-16 * <f64>bound);
}
