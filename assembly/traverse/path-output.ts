// The answer of a path search as JSON in OUTPUT: an array of { pathElements: [...], totalWeight }. Steps are written in the order in
// which they are walked; source and target are the ends of the step as walked, direction 1 with the edge and 0 against it.

import { putEdgePropertyId } from '../generated/element-texts';
import {
  putDirection, putEdgeId, putPathElements, putSourceVertexId, putTargetVertexId, putTotalWeight, putWeight,
} from '../generated/path-texts';
import { elementC } from '../graph/elements';
import { outputBegin, outputEnd, outputRoom, writeByte, writeName, writeUnsigned } from '../read/output';
import { writeDouble } from '../values/float-format';

let at: usize = 0;
let paths: u32 = 0;
let steps: u32 = 0;

/** Begins the array; false when OUTPUT has no room. */
export function pathsBegin(): bool {
  paths = 0;
  at = outputBegin();
  if (at) at = outputRoom(at, 16);
  if (at == 0) return false;
  at = writeByte(at, 0x5b);
  return true;
}

/** Number of paths written. */
export function pathsWritten(): u32 {
  return paths;
}

/** Begins a path; false when OUTPUT is full. */
export function pathBegin(): bool {
  at = outputRoom(at, 32);
  if (at == 0) return false;
  if (paths++ != 0) at = writeByte(at, 0x2c);
  at = putPathElements(at);
  steps = 0;
  return true;
}

/** One step of the path; false when OUTPUT is full. */
export function pathStep(state: usize, from: u32, to: u32, edge: u32, direction: u32, weight: f64): bool {
  let p = outputRoom(at, 192);
  if (p == 0) return false;
  if (steps++ != 0) p = writeByte(p, 0x2c);
  p = putSourceVertexId(p);
  p = writeUnsigned(p, from);
  p = putTargetVertexId(p);
  p = writeUnsigned(p, to);
  p = putEdgeId(p);
  p = writeUnsigned(p, edge);
  p = putEdgePropertyId(p);
  p = writeName(p, elementC(state, edge));
  if (p) p = outputRoom(p, 96);
  if (p == 0) return false;
  p = putDirection(p);
  p = writeByte(p, 0x30 + direction);
  p = putWeight(p);
  p = writeNumber(p, weight);
  at = writeByte(p, 0x7d);
  return true;
}

/** Ends the path; false when OUTPUT is full. */
export function pathEnd(total: f64): bool {
  let p = outputRoom(at, 96);
  if (p == 0) return false;
  p = putTotalWeight(p);
  p = writeNumber(p, total);
  at = writeByte(p, 0x7d);
  return true;
}

/** Ends the array. */
export function pathsEnd(): bool {
  const p = outputRoom(at, 16);
  if (p == 0) return false;
  outputEnd(writeByte(p, 0x5d));
  return true;
}

/** A finite number as JSON; infinity, which JSON cannot say, as the largest double. */
function writeNumber(p: usize, value: f64): usize {
  if (value <= <f64>u32.MAX_VALUE && value == Math.floor(value)) return writeUnsigned(p, <u32>value);
  if (!(value <= f64.MAX_VALUE)) value = f64.MAX_VALUE;
  return p + <usize>writeDouble(p, reinterpret<u64>(value));
}
