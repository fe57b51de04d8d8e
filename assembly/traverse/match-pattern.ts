// A pattern as the matcher walks it: an automaton of *layers*. Layer (s, j) stands for "j hops into edge step s"; (s, 0) are the
// vertices that the vertex step before edge step s let pass, and the last layer those of the last vertex step.
//
//   from (s, j)  a hop over an edge of step s leads to (s, j + 1) while j + 1 < max, and, once j + 1 >= min, to (s + 1, 0) if the
//                vertex passes the vertex step; a step of at least 0 hops also leads from (s, 0) to (s + 1, 0) without a hop
//
// Layers stand in one list, (s, 0), (s, 1) ... (s, max - 1), (s + 1, 0) ..., so every step leads forwards in it. A leading edge step is
// one with any vertex before it. For each layer there are the bits of the vertices that are *alive* there.
//
// Also here: the way along the edges of a vertex (`arcs`), forwards or backwards through a step: type first, then what the caller asks.

import {
  adjacencyGroup, adjacencyGroups, GROUP_HEADER, groupType, groupUsed, PAIR_BYTES, pairEdge, pairNeighbour,
} from '../graph/adjacency';
import { elementA, elementB, elementKind, KIND_VERTEX } from '../graph/elements';
import { scratchAllocate } from '../memory/arena';
import { NONE } from '../memory/layout';
import { stopWord } from '../memory/stop';
import { searchPulse } from './filters';
import { bitAt, bitsCreate, testPasses, typeTestPasses } from './match-tests';

// Edge step: { u32 direction, u32 type test, u32 edge test, u32 test of the vertex step behind it, u32 least hops, u32 most hops }
const STEP_DIRECTION: usize = 0; // EITHER, or 0 out, 1 in
const STEP_TYPE: usize = 4;
const STEP_EDGE: usize = 8;
const STEP_VERTEX: usize = 12;
const STEP_LEAST: usize = 16;
const STEP_MOST: usize = 20;
export const STEP_BYTES: usize = 24;

// Layer: { u32 step, u32 hop, u32 bits alive, u32 zero }
const LAYER_STEP: usize = 0;
const LAYER_HOP: usize = 4;
const LAYER_BITS: usize = 8;
const LAYER_BYTES: usize = 16;

// Arcs: where a walk along the edges of a vertex stands.
const ARCS_VERTEX: usize = 0;
const ARCS_STEP: usize = 4; //     address
const ARCS_WORDS: usize = 8; //    words still to look at: OUT_WORD, IN_WORD
const ARCS_WORD: usize = 12;
const ARCS_GROUP: usize = 16;
const ARCS_PAIR: usize = 20;
const ARCS_END: usize = 24;
export const ARCS_BYTES: usize = 32;

const EITHER: u32 = 2;
const OUT_WORD: u32 = 1;
const IN_WORD: u32 = 2;

const POLL_ARCS: u32 = 1024;
/** Polls between two looks at the clock, which takes a call of the host. */
const PULSE_POLLS: u32 = 64;

let state: usize = 0;
let ids: u32 = 0;
let allowed: usize = 0;
let steps: usize = 0;
let stepCount: u32 = 0;
let layers: usize = 0;
let layerCount: u32 = 0;
/** Layer of (s, 0) for every step, and the last layer. */
let firsts: usize = 0;

let pollLeft: u32 = 0;
let pulseLeft: u32 = 0;
let stopped: bool = false;
let workLeft: f64 = 0;

/** Edge and far end that `arcsNext` came to. */
let foundEdge: u32 = 0;
let foundVertex: u32 = 0;

/** Before a match: the elements that passed the top-level filters, how many arcs may be looked at. */
export function patternBegin(graphState: usize, idCount: u32, allowedBits: usize, maxArcs: f64): void {
  state = graphState;
  ids = idCount;
  allowed = allowedBits;
  workLeft = maxArcs;
  pollLeft = POLL_ARCS;
  pulseLeft = PULSE_POLLS;
  stopped = false;
}

/** Layers that `count` steps at `given` make. */
export function patternLayers(given: usize, count: u32): u32 {
  let sum: u32 = 1;
  for (let s: u32 = 0; s < count; s++) sum += max<u32>(1, load<u32>(given + <usize>s * STEP_BYTES, STEP_MOST));
  return sum;
}

/** Takes the steps over and makes their layers, all empty; false without scratch. */
export function patternRead(given: usize, count: u32): bool {
  stepCount = count;
  layerCount = patternLayers(given, count);
  steps = scratchAllocate(<usize>count * STEP_BYTES + 8);
  firsts = scratchAllocate(4 * (<usize>count + 1));
  layers = scratchAllocate(<usize>layerCount * LAYER_BYTES);
  if (steps == 0 || firsts == 0 || layers == 0) return false;
  memory.copy(steps, given, <usize>count * STEP_BYTES);
  let layer: u32 = 0;
  for (let s: u32 = 0; s <= count; s++) {
    store<u32>(firsts + 4 * <usize>s, layer);
    const hops: u32 = s == count ? 1 : max<u32>(1, mostHops(s));
    for (let j: u32 = 0; j < hops; j++) {
      const at = layers + <usize>layer * LAYER_BYTES;
      const bits = bitsCreate(ids);
      if (bits == 0) return false;
      store<u32>(at, s, LAYER_STEP);
      store<u32>(at, j, LAYER_HOP);
      store<u32>(at, <u32>bits, LAYER_BITS);
      layer++;
    }
  }
  return true;
}

// @ts-ignore: decorator
@inline
export function lastLayer(): u32 {
  return layerCount - 1;
}

// @ts-ignore: decorator
@inline
export function edgeSteps(): u32 {
  return stepCount;
}

// @ts-ignore: decorator
@inline
export function layerBits(layer: u32): usize {
  return <usize>load<u32>(layers + <usize>layer * LAYER_BYTES, LAYER_BITS);
}

// @ts-ignore: decorator
@inline
export function layerStep(layer: u32): u32 {
  return load<u32>(layers + <usize>layer * LAYER_BYTES, LAYER_STEP);
}

// @ts-ignore: decorator
@inline
export function layerHop(layer: u32): u32 {
  return load<u32>(layers + <usize>layer * LAYER_BYTES, LAYER_HOP);
}

/** Layer (s, 0); for s = the number of edge steps the last one. */
// @ts-ignore: decorator
@inline
export function stepLayer(s: u32): u32 {
  return load<u32>(firsts + 4 * <usize>s);
}

// @ts-ignore: decorator
@inline
export function leastHops(s: u32): u32 {
  return load<u32>(steps + <usize>s * STEP_BYTES, STEP_LEAST);
}

// @ts-ignore: decorator
@inline
export function mostHops(s: u32): u32 {
  return load<u32>(steps + <usize>s * STEP_BYTES, STEP_MOST);
}

/** The test of the vertex step behind edge step `s`. */
// @ts-ignore: decorator
@inline
export function vertexTestOf(s: u32): u32 {
  return load<u32>(steps + <usize>s * STEP_BYTES, STEP_VERTEX);
}

// @ts-ignore: decorator
@inline
export function edgeTestOf(s: u32): u32 {
  return load<u32>(steps + <usize>s * STEP_BYTES, STEP_EDGE);
}

/** Whether the vertex may end step `s`. */
// @ts-ignore: decorator
@inline
export function vertexEnds(s: u32, id: u32): bool {
  return testPasses(vertexTestOf(s), id);
}

/** Whether an edge that `arcsNext` came to passes its step's edge filter. */
// @ts-ignore: decorator
@inline
export function edgeFits(s: u32, edge: u32): bool {
  return testPasses(edgeTestOf(s), edge);
}

/** Where a hop from the layer leads that goes on in its step; NONE: nowhere. */
// @ts-ignore: decorator
@inline
export function layerOn(layer: u32): u32 {
  const s = layerStep(layer);
  return s < stepCount && layerHop(layer) + 1 < mostHops(s) ? layer + 1 : NONE;
}

/** Where a hop from the layer leads that ends its step; NONE: nowhere. */
// @ts-ignore: decorator
@inline
export function layerOut(layer: u32): u32 {
  const s = layerStep(layer);
  if (s >= stepCount) return NONE;
  const hops = layerHop(layer) + 1;
  return hops >= leastHops(s) && hops <= mostHops(s) ? stepLayer(s + 1) : NONE;
}

/** Where the layer leads without a hop; NONE: nowhere. */
// @ts-ignore: decorator
@inline
export function layerPast(layer: u32): u32 {
  const s = layerStep(layer);
  return s < stepCount && layerHop(layer) == 0 && leastHops(s) == 0 ? stepLayer(s + 1) : NONE;
}

/** True when the vertex is alive in the layer; NONE has no vertices. */
// @ts-ignore: decorator
@inline
export function isAlive(layer: u32, id: u32): bool {
  return layer != NONE && bitAt(layerBits(layer), id);
}

// --- Arcs ----------------------------------------------------------------------------------------------------------------

/** Begins the walk along the edges that lead from a vertex on through step `s`, or, backwards, to it. `at`: ARCS_BYTES bytes. */
export function arcsBegin(at: usize, id: u32, s: u32, backwards: bool): void {
  const step = steps + <usize>s * STEP_BYTES;
  const direction = load<u32>(step, STEP_DIRECTION);
  store<u32>(at, id, ARCS_VERTEX);
  store<u32>(at, <u32>step, ARCS_STEP);
  store<u32>(at, direction == EITHER ? OUT_WORD | IN_WORD : direction == u32(backwards) ? OUT_WORD : IN_WORD, ARCS_WORDS);
  store<u32>(at, 0, ARCS_WORD);
  store<u32>(at, 0, ARCS_GROUP);
  store<u32>(at, 0, ARCS_PAIR);
  store<u32>(at, 0, ARCS_END);
}

/** On to the next edge whose type and top-level filters pass, between two vertices; false: that was the last, or the match has ended. */
export function arcsNext(at: usize): bool {
  const vertex = load<u32>(at, ARCS_VERTEX);
  while (true) {
    let pair = <usize>load<u32>(at, ARCS_PAIR);
    const end = <usize>load<u32>(at, ARCS_END);
    for (; pair < end; pair += PAIR_BYTES) {
      if (--pollLeft == 0 && polled()) return false;
      const edge = pairEdge(pair);
      const neighbour = pairNeighbour(pair);
      // A loop leads back to an element of the path; what is beyond `ids` is newer than the match.
      if (neighbour >= ids || neighbour == vertex || edge >= ids || !bitAt(allowed, edge)) continue;
      foundEdge = edge;
      foundVertex = neighbour;
      store<u32>(at, <u32>(pair + PAIR_BYTES), ARCS_PAIR);
      return true;
    }
    if (!groupNext(at, vertex)) return false;
  }
  return false;
}

function groupNext(at: usize, vertex: u32): bool {
  while (true) {
    const word = load<u32>(at, ARCS_WORD);
    const index = load<u32>(at, ARCS_GROUP);
    if (index < adjacencyGroups(word)) {
      store<u32>(at, index + 1, ARCS_GROUP);
      const group = adjacencyGroup(word, index);
      if (!typeTestPasses(load<u32>(<usize>load<u32>(at, ARCS_STEP), STEP_TYPE), groupType(group))) {
        if (--pollLeft == 0 && polled()) return false;
        continue;
      }
      store<u32>(at, <u32>(group + GROUP_HEADER), ARCS_PAIR);
      store<u32>(at, <u32>(group + GROUP_HEADER + PAIR_BYTES * <usize>groupUsed(group)), ARCS_END);
      return true;
    }
    const words = load<u32>(at, ARCS_WORDS);
    if (words == 0 || stopped || elementKind(state, vertex) != KIND_VERTEX) return false;
    const out = (words & 1) != 0;
    store<u32>(at, out ? words & 2 : 0, ARCS_WORDS);
    store<u32>(at, out ? elementA(state, vertex) : elementB(state, vertex), ARCS_WORD);
    store<u32>(at, 0, ARCS_GROUP);
  }
  return false;
}

// @ts-ignore: decorator
@inline
export function arcEdge(): u32 {
  return foundEdge;
}

// @ts-ignore: decorator
@inline
export function arcVertex(): u32 {
  return foundVertex;
}

/** Every POLL_ARCS arcs: true when the match shall end. Throws, through the host, when its time is over. */
function polled(): bool {
  pollLeft = POLL_ARCS;
  workLeft -= <f64>POLL_ARCS;
  if (workLeft < 0 || stopWord() != 0) stopped = true;
  // What is still on its way down the stack shall not wait another POLL_ARCS.
  if (stopped) {
    pollLeft = 1;
  } else if (--pulseLeft == 0) {
    pulseLeft = PULSE_POLLS;
    searchPulse();
  }
  return stopped;
}

/** The match has to end: it was told to stop, or it has looked at as many arcs as it may. */
// @ts-ignore: decorator
@inline
export function matchStops(): bool {
  return stopped;
}

/** Why it ended: no work was left. */
export function matchSpent(): bool {
  return workLeft < 0;
}

/** For loops that look at ids and not at arcs: true when the match shall end. */
// @ts-ignore: decorator
@inline
export function idStops(): bool {
  return --pollLeft == 0 && polled();
}
