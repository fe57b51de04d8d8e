// Write-back: the values of a run as a transaction that sets one property of each vertex in scope, in ascending id. A vertex without
// a value (out of reach of BFS or SSSP) loses the property, so that a second run leaves nothing of the first. Vertices that have
// been removed since are left out. Builds in the builder of single requests; `transactionBase` says where it lies.

import { elementKind, KIND_VERTEX } from '../graph/elements';
import { stateStands } from '../graph/state';
import { NONE } from '../memory/layout';
import { NO_MEMORY, NOT_FOUND, OK } from '../status';
import { buildAdvance, buildAt, buildBegin, buildEnd, buildOperation, buildString } from '../transaction/build';
import { requestBuilder } from '../transaction/build-request';
import { OP_REMOVE_PROPERTY, OP_SET_PROPERTY } from '../transaction/format';
import { TYPE_DOUBLE } from '../values/types';
import { address, get, JOB_PROJECTION, JOB_RESULT, JOB_RESULT_TYPE, RESULT_F64, RESULT_PARTITION, smallValue, word } from './job';
import { P_COUNT, P_GRAPH, P_IDS, P_STATE, P_STATE_NUMBER, positionOf } from './projection';

let written: u32 = 0;

/** Vertices that the transaction built last gives a value. */
export function writeBackCount(): u32 {
  return written;
}

/**
 * [W] Builds the transaction for `limit` vertices from rank `fromRank` on: OK, NO_MEMORY, or NOT_FOUND when the graph was erased or
 * trimmed after it had been projected, so that ids mean something else. `type`: Double, or a type of whole numbers.
 */
export function writeBackBuild(
  job: usize,
  fromRank: u32,
  limit: u32,
  key: usize,
  keyBytes: u32,
  type: u32,
  timeSeconds: u32,
  timeMs: f64,
): i32 {
  const projection = address(job, JOB_PROJECTION);
  const state = address(projection, P_STATE);
  written = 0;
  if (!stateStands(address(projection, P_GRAPH), state, get(projection, P_STATE_NUMBER))) return NOT_FOUND;
  const builder = requestBuilder();
  if (builder == 0 || buildBegin(builder, timeSeconds, timeMs) != OK) return NO_MEMORY;
  const name = buildString(builder, key, keyBytes);
  if (name == NONE) return NO_MEMORY;
  const vertices = get(projection, P_COUNT);
  const ids = address(projection, P_IDS);
  const to = fromRank + min<u32>(limit, vertices - min<u32>(fromRank, vertices));
  for (let rank = fromRank; rank < to; rank++) {
    const id = word(ids, rank);
    if (elementKind(state, id) != KIND_VERTEX) continue;
    const position = positionOf(projection, rank);
    if (!hasValue(job, position)) {
      if (buildOperation(builder, OP_REMOVE_PROPERTY, id, name, 0, 0) != OK) return NO_MEMORY;
      continue;
    }
    if (buildOperation(builder, OP_SET_PROPERTY, id, name, type, 8) != OK) return NO_MEMORY;
    store<u64>(buildAt(builder), valueOf(job, position, type, ids));
    buildAdvance(builder, 8);
    written++;
  }
  return buildEnd(builder);
}

function hasValue(job: usize, position: u32): bool {
  const values = address(job, JOB_RESULT);
  const type = get(job, JOB_RESULT_TYPE);
  if (type == RESULT_F64) return !isNaN<f64>(load<f64>(values + ((<usize>position) << 3)));
  return type == RESULT_PARTITION || smallValue(values, type, position) != NONE;
}

/** The slot word of the value. */
function valueOf(job: usize, position: u32, type: u32, ids: usize): u64 {
  const values = address(job, JOB_RESULT);
  const from = get(job, JOB_RESULT_TYPE);
  if (from == RESULT_F64) {
    const score = load<f64>(values + ((<usize>position) << 3));
    return type == TYPE_DOUBLE ? reinterpret<u64>(score) : <u64>score;
  }
  const whole: u64 = from == RESULT_PARTITION ? word(ids, word(values, position)) : smallValue(values, from, position);
  return type == TYPE_DOUBLE ? reinterpret<u64>(<f64>whole) : whole;
}
