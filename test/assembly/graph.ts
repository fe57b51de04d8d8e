// Exports of the graph tests: the graph's own functions, and what a test needs to look at memory.

import { memoryBytes, memoryInit, memoryLimit, pagesUsed } from '../../assembly/memory/allocator';
import { arenaAttachWriter, inputEnsure, outBase, outBegin, outUsed } from '../../assembly/memory/arena';
import { ROOT_FAIL_AFTER } from '../../assembly/memory/layout';
import { readerAttach, readerEnter, readerExit, retireAdvance } from '../../assembly/memory/retire';
import { applyTransaction } from '../../assembly/graph/apply';
import { internAddress, internCount, internInit } from '../../assembly/graph/intern';
import { graphCreate, graphDrop, graphState } from '../../assembly/graph/state';
import { graphVerify } from '../../assembly/graph/verify';
import { errorElement, errorRecord } from '../../assembly/graph/writer';

export {
  applyTransaction,
  errorElement,
  errorRecord,
  graphCreate,
  graphDrop,
  graphState,
  graphVerify,
  inputEnsure,
  internAddress,
  internCount,
  memoryBytes,
  memoryLimit,
  outBase,
  outBegin,
  outUsed,
  pagesUsed,
  readerAttach,
  readerEnter,
  readerExit,
  retireAdvance,
};

/** A memory with interned strings and the writer's buffers. */
export function start(pageLimit: u32): bool {
  memoryInit(pageLimit);
  return internInit() && arenaAttachWriter();
}

/** The n-th allocation from now fails; 0 = none. */
export function failAfter(n: u32): void {
  store<u32>(ROOT_FAIL_AFTER, n);
}

export function failLeft(): u32 {
  return load<u32>(ROOT_FAIL_AFTER);
}

/** Applies the same buffer `times` times, for measurements. */
export function applyMany(graph: usize, transaction: usize, bytes: u32, times: u32): i32 {
  let code: i32 = 0;
  for (let i: u32 = 0; i < times && code == 0; i++) code = applyTransaction(graph, transaction, bytes, false, false);
  return code;
}
