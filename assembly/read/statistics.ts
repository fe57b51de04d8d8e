// The shape of a graph in numbers, over ranges of ids: how often each label and property key stands, and how degrees are spread. All
// vertices and then all edges, each in ascending id, make one row of elements, and every `stride`-th of it is looked at: never more
// than the budget the stride was made for, and both kinds evenly.
//
// OUTPUT is the sum of all ranges so far; the host reads it in place:
//
//   0    u32 names             number of names; those that come later are not counted
//   4    u32 vertices looked at
//   8    u32 large             entries of each list of large degrees
//   16   3 x { f64 sum, u32 least, u32 greatest, u32 entries in the list, u32 zero }   in, out, both
//   96   3 x (names + 1) u32   labels of vertices, labels of edges, keys; the last entry of the first two: without a label
//   ...  3 x SMALL u32         vertices with each small degree
//   ...  3 x large u32         the others

import { adjacencyDegree } from '../graph/adjacency';
import { COLUMN_A, COLUMN_B, COLUMN_KIND, COLUMN_LABEL, COLUMN_ROW, columnWord, KIND_EDGE, KIND_VERTEX } from '../graph/elements';
import { internCount } from '../graph/intern';
import { rowShape } from '../graph/rows';
import { shapeCount, shapeKey } from '../graph/shapes';
import { graphState, PAGE_ID_MASK, pageAddress, stateEdgeCount, stateNextId, stateVertexCount } from '../graph/state';
import { outBase, outBegin, outCommit, outReserve } from '../memory/arena';
import { NONE } from '../memory/layout';
import { OK } from '../status';
import { outputFailure } from './output';

const AT_VERTICES: usize = 4;
const AT_LARGE: usize = 8;
const AT_DEGREES: usize = 16;
const DEGREE_BYTES: usize = 24;
const DEGREE_LEAST: usize = 8;
const DEGREE_GREATEST: usize = 12;
const DEGREE_LISTED: usize = 16;
const AT_NAMES: usize = 96;
const SMALL: u32 = 4096;

let names: u32 = 0;
let large: u32 = 0;
let stride: u32 = 1;
let toVertex: u32 = 0;
let toEdge: u32 = 0;

/** Starts over; OK, or what a full OUTPUT answers. The caller has announced its reader, here and in `statisticsAdd`. */
export function statisticsBegin(graph: usize, every: u32): i32 {
  const state = graphState(graph);
  const vertices = stateVertexCount(state);
  names = internCount();
  stride = every;
  large = min<u32>(vertices / every + 1, stateEdgeCount(state) / (SMALL / 2) + 64);
  toVertex = 0;
  toEdge = (every - vertices % every) % every;
  outBegin();
  const bytes = AT_NAMES + 12 * (<usize>names + 1) + 12 * <usize>SMALL + 12 * <usize>large;
  const out = outReserve(bytes);
  if (out == 0) return outputFailure();
  memory.fill(out, 0, bytes);
  outCommit(bytes);
  store<u32>(out, names);
  store<u32>(out, large, AT_LARGE);
  for (let list: usize = 0; list < 3; list++) store<u32>(out + AT_DEGREES + list * DEGREE_BYTES, NONE, DEGREE_LEAST);
  return OK;
}

/** Adds the elements with ids in [fromId, toId). */
export function statisticsAdd(graph: usize, fromId: u32, toId: u32): void {
  const state = graphState(graph);
  const end = min<u32>(toId, stateNextId(state));
  for (let id = fromId; id < end; id++) {
    const page = pageAddress(state, id);
    const kind = <u32>atomic.load<u8>(page + COLUMN_KIND + <usize>(id & PAGE_ID_MASK));
    if (kind == KIND_VERTEX) {
      if (toVertex-- == 0) {
        toVertex = stride - 1;
        addVertex(columnWord(page, id));
      }
    } else if (kind == KIND_EDGE) {
      if (toEdge-- == 0) {
        toEdge = stride - 1;
        addElement(columnWord(page, id), 1);
      }
    }
  }
}

function addVertex(columns: usize): void {
  addElement(columns, 0);
  const out = outBase();
  store<u32>(out, load<u32>(out, AT_VERTICES) + 1, AT_VERTICES);
  const outDegree = adjacencyDegree(atomic.load<u32>(columns, COLUMN_A));
  const inDegree = adjacencyDegree(atomic.load<u32>(columns, COLUMN_B));
  addDegree(out, 0, inDegree);
  addDegree(out, 1, outDegree);
  addDegree(out, 2, inDegree + outDegree);
}

/** Label and keys; `kind`: 0 vertex, 1 edge. */
function addElement(columns: usize, kind: u32): void {
  const tallies = outBase() + AT_NAMES;
  const label = load<u32>(columns, COLUMN_LABEL);
  if (label == NONE || label < names) count(tallies, kind, min<u32>(label, names));
  const row = <usize>atomic.load<u32>(columns, COLUMN_ROW);
  if (row == 0) return;
  const shape = rowShape(row);
  const entries = shapeCount(shape);
  for (let i: u32 = 0; i < entries; i++) {
    const key = shapeKey(shape, i);
    if (key < names) count(tallies, 2, key);
  }
}

// @ts-ignore: decorator
@inline
function count(tallies: usize, tally: u32, entry: u32): void {
  const at = tallies + 4 * (<usize>tally * (<usize>names + 1) + <usize>entry);
  store<u32>(at, load<u32>(at) + 1);
}

function addDegree(out: usize, list: u32, degree: u32): void {
  const numbers = out + AT_DEGREES + <usize>list * DEGREE_BYTES;
  store<f64>(numbers, load<f64>(numbers) + <f64>degree);
  store<u32>(numbers, min<u32>(load<u32>(numbers, DEGREE_LEAST), degree), DEGREE_LEAST);
  store<u32>(numbers, max<u32>(load<u32>(numbers, DEGREE_GREATEST), degree), DEGREE_GREATEST);
  const small = out + AT_NAMES + 12 * (<usize>names + 1);
  if (degree < SMALL) {
    const at = small + 4 * (<usize>list * <usize>SMALL + <usize>degree);
    store<u32>(at, load<u32>(at) + 1);
    return;
  }
  // Writes that come meanwhile may make more of them than there is room for.
  const listed = load<u32>(numbers, DEGREE_LISTED);
  if (listed == large) return;
  store<u32>(small + 12 * <usize>SMALL + 4 * (<usize>list * <usize>large + <usize>listed), degree);
  store<u32>(numbers, listed + 1, DEGREE_LISTED);
}
