// The generator: a random graph as transactions, one after the other. A session is a block in the system heap. Vertices come first, in
// batches of VERTEX_BATCH whose first ids the host tells once they are applied, because other writes may come between; then the
// edges, source by source. No labels, no properties, edge type "A", targets only among the new vertices and distinct for each source.
//
//   uniform        min(edges, vertices) targets each, every subset as likely as any other (Floyd's sampling); itself may be one
//   preferential   vertex i links to min(edges, i) of those before it, with a chance that grows with the degree: a draw is a vertex
//                  before it with edges + 1 tickets, or the target of any edge so far (Barabási, Albert 1999, with a ticket more)
//
// Cost: O(vertices + edges); beside the transactions 16 bytes a target of one source, and 4 bytes an edge when preferential.

import { allocate, release } from '../memory/allocator';
import { NONE, PURPOSE_SCRATCH } from '../memory/layout';
import { OK } from '../status';
import { buildBegin, buildCreate, buildCreateEnd, buildEnd, buildString } from './build';
import { requestBuilder } from './build-request';
import { KIND_EDGE, KIND_VERTEX } from './format';

const G_VERTICES: usize = 0; //    u32
const G_EDGES: usize = 4; //       u32 edges a vertex
const G_PREFERENTIAL: usize = 8; // u32
const G_MADE: usize = 12; //       u32 vertices that a transaction creates or has created
const G_SOURCE: usize = 16; //     u32 the vertex whose edges come next
const G_CHOSEN: usize = 20; //     u32 address of the targets of that vertex
const G_CHOSEN_COUNT: usize = 24;
const G_CHOSEN_NEXT: usize = 28;
const G_TABLE: usize = 32; //      u32 address of { u32 source + 1, u32 target } slots
const G_MASK: usize = 36; //       u32 slots - 1
const G_BASES: usize = 40; //      u32 address: first id of each batch of vertices
const G_TARGETS: usize = 44; //    u32 address of the targets of all edges so far; 0 when uniform
const G_LINKS: usize = 48; //      u32 edges so far
const G_TEXT: usize = 52; //       "A"
const G_RANDOM: usize = 56; //     u64
const G_BYTES: usize = 64;

const VERTEX_BATCH_SHIFT: u32 = 13;
const VERTEX_BATCH: u32 = 1 << VERTEX_BATCH_SHIFT;
const DRAWS: u32 = 16;

/** Bytes of a session beside the transactions. */
export function generateBytes(vertices: u32, edges: u32, preferential: bool): f64 {
  const most = <f64>min<u32>(edges, vertices);
  const links = preferential ? <f64>vertices * most : 0;
  return 4 * most + 8 * <f64>slotsFor(min<u32>(edges, vertices)) + 4 * (<f64>vertices / <f64>VERTEX_BATCH + 1) + 4 * links;
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
  const links = preferential ? <u64>vertices * <u64>most : 0;
  store<u32>(session, vertices, G_VERTICES);
  store<u32>(session, edges, G_EDGES);
  store<u32>(session, u32(preferential), G_PREFERENTIAL);
  store<u8>(session, 0x41, G_TEXT);
  store<u64>(session, <u64>seed, G_RANDOM);
  store<u32>(session, slots - 1, G_MASK);
  const isRoom =
    links < 0x3fffffff &&
    hold(session, G_CHOSEN, <usize>most << 2) &&
    hold(session, G_TABLE, <usize>slots << 3) &&
    hold(session, G_BASES, (<usize>(vertices >> VERTEX_BATCH_SHIFT) + 1) << 2) &&
    (links == 0 || hold(session, G_TARGETS, <usize>links << 2));
  if (!isRoom) {
    generateDrop(session);
    return 0;
  }
  memory.fill(<usize>load<u32>(session, G_TABLE), 0, <usize>slots << 3);
  return session;
}

function hold(session: usize, field: usize, bytes: usize): bool {
  const address = allocate(0, PURPOSE_SCRATCH, bytes + 8);
  store<u32>(session + field, <u32>address);
  return address != 0;
}

/** [W] Gives a session back. */
export function generateDrop(session: usize): void {
  drop(session, G_CHOSEN);
  drop(session, G_TABLE);
  drop(session, G_BASES);
  drop(session, G_TARGETS);
  release(PURPOSE_SCRATCH, session);
}

function drop(session: usize, field: usize): void {
  const address = <usize>load<u32>(session + field);
  if (address != 0) release(PURPOSE_SCRATCH, address);
}

/**
 * [W] Builds the next transaction, of `limit` edges at most: answers its creates, 0 when there are no more, -1 without memory. It
 * lies at `transactionBase`. After one of vertices `generateCreated` must say where they begin.
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
  let count: u32 = 0;
  while (count < limit && moreTargets(session)) {
    const source = idOf(session, load<u32>(session, G_SOURCE) - 1);
    const chosen = <usize>load<u32>(session, G_CHOSEN);
    const end = load<u32>(session, G_CHOSEN_COUNT);
    let next = load<u32>(session, G_CHOSEN_NEXT);
    for (; next < end && count < limit; next++) {
      const target = idOf(session, load<u32>(chosen + (<usize>next << 2)));
      if (buildCreate(builder, KIND_EDGE, NONE, type, timeSeconds, 0, source, target, 0, 0) != OK) return -1;
      if (buildCreateEnd(builder) != OK) return -1;
      count++;
    }
    store<u32>(session, next, G_CHOSEN_NEXT);
  }
  return count == 0 || buildEnd(builder) == OK ? <i32>count : -1;
}

/** The vertices of the transaction built last have the ids from `firstId` on. Nothing to say after one of edges. */
export function generateCreated(session: usize, firstId: u32): void {
  if (load<u32>(session, G_SOURCE) != 0) return;
  const batch = (load<u32>(session, G_MADE) - 1) >> VERTEX_BATCH_SHIFT;
  store<u32>(<usize>load<u32>(session, G_BASES) + (<usize>batch << 2), firstId);
}

// @ts-ignore: decorator
@inline
function idOf(session: usize, vertex: u32): u32 {
  return load<u32>(<usize>load<u32>(session, G_BASES) + (<usize>(vertex >> VERTEX_BATCH_SHIFT) << 2)) + (vertex & (VERTEX_BATCH - 1));
}

/** Goes on to the next source with targets when those of the present one have been taken; false at the end. */
function moreTargets(session: usize): bool {
  const vertices = load<u32>(session, G_VERTICES);
  while (load<u32>(session, G_CHOSEN_NEXT) == load<u32>(session, G_CHOSEN_COUNT)) {
    const source = load<u32>(session, G_SOURCE);
    if (source == vertices || load<u32>(session, G_EDGES) == 0) return false;
    store<u32>(session, 0, G_CHOSEN_NEXT);
    store<u32>(session, 0, G_CHOSEN_COUNT);
    if (load<u32>(session, G_PREFERENTIAL) != 0) chooseByDegree(session, source);
    else chooseUniform(session, source, vertices);
    store<u32>(session, source + 1, G_SOURCE);
  }
  return true;
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
  } else {
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
  const links = load<u32>(session, G_LINKS);
  const chosen = <usize>load<u32>(session, G_CHOSEN);
  if (count != 0) memory.copy(<usize>load<u32>(session, G_TARGETS) + (<usize>links << 2), chosen, <usize>count << 2);
  store<u32>(session, links + count, G_LINKS);
}

/** Adds a target; false when the source has it already. */
function choose(session: usize, source: u32, target: u32): bool {
  const table = <usize>load<u32>(session, G_TABLE);
  const mask = load<u32>(session, G_MASK);
  let slot = (target * 0x9e3779b1) & mask;
  while (load<u32>(table + (<usize>slot << 3)) == source + 1) {
    if (load<u32>(table + (<usize>slot << 3), 4) == target) return false;
    slot = (slot + 1) & mask;
  }
  store<u32>(table + (<usize>slot << 3), source + 1);
  store<u32>(table + (<usize>slot << 3), target, 4);
  const count = load<u32>(session, G_CHOSEN_COUNT);
  store<u32>(<usize>load<u32>(session, G_CHOSEN) + (<usize>count << 2), target);
  store<u32>(session, count + 1, G_CHOSEN_COUNT);
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
