// One property's value for the routes of embeddings and vector indexes: as JSON, or as the raw components of a Single[].

import { elementKind, elementRow, KIND_NONE } from '../graph/elements';
import { internFind } from '../graph/intern';
import { rowShape, rowSlot } from '../graph/rows';
import { shapeSlot, shapeType } from '../graph/shapes';
import { graphState } from '../graph/state';
import { outBegin, outCommit, outReserve } from '../memory/arena';
import { NONE } from '../memory/layout';
import { NOT_FOUND, OK, WRONG_KIND } from '../status';
import { RECORD_HEADER } from '../values/record';
import { formatSingleArray, singleArrayTextBound } from '../values/single-array';
import { FORM_READ, TYPE_SINGLE_ARRAY, TYPE_STRING } from '../values/types';
import { outputBegin, outputEnd, outputFailure, outputRoom, writeText } from './output';

let foundType: u32 = 0;

/** Record of a String or Single[] property, its type in `foundType`; 0 when the element, the property or such a value is not there. */
function recordOf(graph: usize, id: u32, keyText: usize, keyBytes: u32): usize {
  foundType = 0;
  const state = graphState(graph);
  const key = internFind(keyText, keyBytes);
  if (key == NONE || elementKind(state, id) == KIND_NONE) return 0;
  const row = elementRow(state, id);
  const slot = row == 0 ? -1 : shapeSlot(rowShape(row), key);
  if (slot < 0) return 0;
  foundType = shapeType(rowShape(row), <u32>slot);
  if (foundType != TYPE_STRING && foundType != TYPE_SINGLE_ARRAY) return 0;
  return <usize>load<u32>(rowSlot(row, <u32>slot));
}

/**
 * A String as a JSON string, a Single[] as a JSON array (a component that is no number as NaN or an infinity, which JSON has not). OK,
 * NOT_FOUND without element or property, WRONG_KIND for a value of another type.
 */
export function readValue(graph: usize, id: u32, keyText: usize, keyBytes: u32): i32 {
  let p = outputBegin();
  const record = recordOf(graph, id, keyText, keyBytes);
  if (record == 0) return foundType == 0 ? NOT_FOUND : WRONG_KIND;
  if (p == 0) return outputFailure();
  const bytes = load<u32>(record);
  if (foundType == TYPE_STRING) {
    p = writeText(p, record + RECORD_HEADER, bytes);
    if (p == 0) return outputFailure();
  } else {
    const bound = singleArrayTextBound(bytes >> 2) + 8;
    p = outputRoom(p, bound);
    if (p == 0) return outputFailure();
    p += <usize>formatSingleArray(record + RECORD_HEADER, bytes >> 2, FORM_READ, p, bound);
  }
  outputEnd(p);
  return OK;
}

/** The components of a Single[] property, 4 bytes each. Answers as readValue. */
export function readSingles(graph: usize, id: u32, keyText: usize, keyBytes: u32): i32 {
  outBegin();
  const record = recordOf(graph, id, keyText, keyBytes);
  if (record == 0) return foundType == 0 ? NOT_FOUND : WRONG_KIND;
  if (foundType != TYPE_SINGLE_ARRAY) return WRONG_KIND;
  const bytes = <usize>load<u32>(record);
  const to = outReserve(bytes);
  if (to == 0 && bytes != 0) return outputFailure();
  memory.copy(to, record + RECORD_HEADER, bytes);
  outCommit(bytes);
  return OK;
}
