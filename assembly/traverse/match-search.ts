// One simple path through a given hop: what the matcher asks where a walk may meet itself (match.ts). The path is grown at both ends, in
// layers that are alive only, so that nothing but the rule "no element twice" ever makes it turn back. The end with fewer ways to go
// on is grown first: an end without any shows at once that the hop is on no simple path, and a forced way takes its vertices before
// the free end spreads out. Exhaustive, depth first, without recursion: exponential in the worst case, which the work limit of the
// match bounds; one frame of 64 bytes a layer.

import { scratchAllocate } from '../memory/arena';
import { NONE } from '../memory/layout';
import {
  arcEdge, ARCS_BYTES, arcsBegin, arcsNext, arcVertex, edgeFits, isAlive, lastLayer, layerHop, layerOn, layerOut, layerPast, layerStep,
  leastHops, matchStops, mostHops, stepLayer,
} from './match-pattern';
import { bitAt, bitClear, bitsCreate, bitSet } from './match-tests';

// A frame: one end grown by a hop, or over a step of no hops. It begins with the walk along the arcs.
const FRAME_VERTEX: usize = ARCS_BYTES; //     u32 where that end was
const FRAME_LAYER: usize = ARCS_BYTES + 4; //  u32 and in which layer
const FRAME_BACK: usize = ARCS_BYTES + 8; //   u32 1 = the end towards the start
const FRAME_STATE: usize = ARCS_BYTES + 12; // u32 one of AT_...
const FRAME_EDGE: usize = ARCS_BYTES + 16; //  u32 the hop's edge, NONE = no hop
const FRAME_TO: usize = ARCS_BYTES + 20; //    u32 vertex it leads to
const FRAME_INTO: usize = ARCS_BYTES + 24; //  u32 layer it leads to
const FRAME_TRIED: usize = ARCS_BYTES + 28; // u32 layers tried with this arc
const FRAME_BYTES: usize = ARCS_BYTES + 32;

const AT_START: u32 = 0;
const AT_ARCS: u32 = 1;
const AT_LAYERS: u32 = 2;

let frames: usize = 0;
let depth: u32 = 0;
let onPath: usize = 0;

/** Room for paths through `layers` layers of elements below `ids`; false without scratch. */
export function searchBegin(layers: u32, ids: u32): bool {
  onPath = bitsCreate(ids);
  // Two frames more to count the ways on.
  frames = scratchAllocate((<usize>layers + 3) * FRAME_BYTES);
  return onPath != 0 && frames != 0;
}

// @ts-ignore: decorator
@inline
function frameAt(index: u32): usize {
  return frames + <usize>index * FRAME_BYTES;
}

/**
 * Whether there is a simple path from the first layer to the last whose hop from `from` in layer `layer` to `to` in layer `into` is the
 * edge that stands between them. If so `pathVertices` says which vertices besides these, and which edges besides that, are on one.
 */
export function searchThrough(layer: u32, from: u32, into: u32, to: u32): bool {
  bitSet(onPath, from);
  bitSet(onPath, to);
  depth = 0;
  const found = grow(layer, from, into, to);
  for (let i: u32 = 0; i < depth; i++) leave(frameAt(i));
  bitClear(onPath, from);
  bitClear(onPath, to);
  return found;
}

/** Hops of the path found, besides the one asked for. */
export function pathHops(): u32 {
  return depth;
}

/** Edge of hop `index`, NONE for a step of no hops. */
export function pathEdge(index: u32): u32 {
  return load<u32>(frameAt(index), FRAME_EDGE);
}

export function pathVertex(index: u32): u32 {
  return load<u32>(frameAt(index), FRAME_TO);
}

function grow(backLayer: u32, backVertex: u32, frontLayer: u32, frontVertex: u32): bool {
  const last = lastLayer();
  while (!matchStops()) {
    if (frontLayer == last && backLayer == 0) return true;
    const back = choose(backLayer, backVertex, frontLayer, frontVertex, last);
    let frame = frameAt(depth);
    if (back >= 0) {
      if (back == 1) frameBegin(frame, backVertex, backLayer, 1);
      else frameBegin(frame, frontVertex, frontLayer, 0);
      depth++;
    }
    // The newest frame goes on to its next way; without one it is taken back, and the frame before goes on.
    while (true) {
      if (depth == 0) return false;
      frame = frameAt(depth - 1);
      leave(frame);
      const backwards = load<u32>(frame, FRAME_BACK) == 1;
      if (frameNext(frame)) {
        if (load<u32>(frame, FRAME_EDGE) != NONE) bitSet(onPath, load<u32>(frame, FRAME_TO));
        if (backwards) {
          backVertex = load<u32>(frame, FRAME_TO);
          backLayer = load<u32>(frame, FRAME_INTO);
        } else {
          frontVertex = load<u32>(frame, FRAME_TO);
          frontLayer = load<u32>(frame, FRAME_INTO);
        }
        break;
      }
      if (backwards) {
        backVertex = load<u32>(frame, FRAME_VERTEX);
        backLayer = load<u32>(frame, FRAME_LAYER);
      } else {
        frontVertex = load<u32>(frame, FRAME_VERTEX);
        frontLayer = load<u32>(frame, FRAME_LAYER);
      }
      depth--;
      if (matchStops()) return false;
    }
  }
  return false;
}

/** Which end to grow: 1 the one towards the start, 0 the other; -1: one of them has nowhere to go. */
function choose(backLayer: u32, backVertex: u32, frontLayer: u32, frontVertex: u32, last: u32): i32 {
  if (frontLayer == last) return 1;
  if (backLayer == 0) return 0;
  const ahead = ways(frontVertex, frontLayer, 0);
  if (ahead == 0) return -1;
  const behind = ways(backVertex, backLayer, 1);
  if (behind == 0) return -1;
  return behind < ahead ? 1 : 0;
}

/** Ways on from an end: 0, 1 or 2 for more. */
function ways(vertex: u32, layer: u32, back: u32): u32 {
  const frame = frameAt(depth + 1);
  frameBegin(frame, vertex, layer, back);
  let count: u32 = 0;
  while (count < 2 && frameNext(frame)) count++;
  return count;
}

/** Takes the vertex of the frame's way off the path. */
function leave(frame: usize): void {
  if (load<u32>(frame, FRAME_STATE) == AT_START || load<u32>(frame, FRAME_EDGE) == NONE) return;
  bitClear(onPath, load<u32>(frame, FRAME_TO));
}

function frameBegin(frame: usize, vertex: u32, layer: u32, back: u32): void {
  store<u32>(frame, vertex, FRAME_VERTEX);
  store<u32>(frame, layer, FRAME_LAYER);
  store<u32>(frame, back, FRAME_BACK);
  store<u32>(frame, AT_START, FRAME_STATE);
  store<u32>(frame, NONE, FRAME_EDGE);
}

/** On to the frame's next way: first the one without a hop, then each arc into each layer. False: there is none left. */
function frameNext(frame: usize): bool {
  const layer = load<u32>(frame, FRAME_LAYER);
  const vertex = load<u32>(frame, FRAME_VERTEX);
  const back = load<u32>(frame, FRAME_BACK) == 1;
  if (load<u32>(frame, FRAME_STATE) == AT_START) {
    const s = back ? stepBehind(layer) : layerStep(layer);
    arcsBegin(frame, vertex, s, back);
    store<u32>(frame, AT_ARCS, FRAME_STATE);
    const past = back ? (leastHops(s) == 0 && layerHop(layer) == 0 ? stepLayer(s) : NONE) : layerPast(layer);
    if (isAlive(past, vertex)) {
      store<u32>(frame, NONE, FRAME_EDGE);
      store<u32>(frame, vertex, FRAME_TO);
      store<u32>(frame, past, FRAME_INTO);
      return true;
    }
  }
  while (true) {
    if (load<u32>(frame, FRAME_STATE) == AT_LAYERS && layerNext(frame, layer, back)) return true;
    if (!arcsNext(frame)) {
      store<u32>(frame, NONE, FRAME_EDGE);
      return false;
    }
    const to = arcVertex();
    if (bitAt(onPath, to)) continue;
    const edge = arcEdge();
    store<u32>(frame, edge, FRAME_EDGE);
    store<u32>(frame, to, FRAME_TO);
    store<u32>(frame, 0, FRAME_TRIED);
    store<u32>(frame, AT_LAYERS, FRAME_STATE);
    if (!layerNext(frame, layer, back)) continue;
    if (edgeFits(back ? stepBehind(layer) : layerStep(layer), edge)) return true;
    store<u32>(frame, AT_ARCS, FRAME_STATE);
  }
  return false;
}

/** The edge step that leads into the layer. */
// @ts-ignore: decorator
@inline
function stepBehind(layer: u32): u32 {
  return layerHop(layer) != 0 ? layerStep(layer) : layerStep(layer) - 1;
}

/** The next layer in which the frame's arc may end. */
function layerNext(frame: usize, layer: u32, back: bool): bool {
  const to = load<u32>(frame, FRAME_TO);
  let tried = load<u32>(frame, FRAME_TRIED);
  while (true) {
    const into = back ? layerBehind(layer, tried) : layerAhead(layer, tried);
    if (into == NONE) break;
    tried++;
    if (into != SKIP && isAlive(into, to)) {
      store<u32>(frame, into, FRAME_INTO);
      store<u32>(frame, tried, FRAME_TRIED);
      return true;
    }
  }
  store<u32>(frame, AT_ARCS, FRAME_STATE);
  return false;
}

const SKIP: u32 = 0xfffffffe;

/** Layers a hop forwards may lead to, the one that ends the step first; NONE behind the last. */
function layerAhead(layer: u32, index: u32): u32 {
  if (index > 1) return NONE;
  const into = index == 0 ? layerOut(layer) : layerOn(layer);
  return into == NONE ? SKIP : into;
}

/** Layers a hop backwards may lead to, the shortest way to the step's beginning first; NONE behind the last. */
function layerBehind(layer: u32, index: u32): u32 {
  if (layerHop(layer) != 0) return index == 0 ? layer - 1 : NONE;
  const s = layerStep(layer) - 1;
  const least = leastHops(s);
  const hop: u32 = max<u32>(least, 1) - 1 + index;
  return hop < mostHops(s) ? stepLayer(s) + hop : NONE;
}
