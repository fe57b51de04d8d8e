// Test module: the transaction builder, bulk import and export, over the real graph.

import { internInit } from '../../assembly/graph/intern';
import { IMPORT_BATCH } from '../../assembly/interchange/codes';
import { importBatchElements, importFeed, importInput, importResume, importTransaction } from '../../assembly/interchange/import';
import { memoryInit } from '../../assembly/memory/allocator';
import { arenaAttachWriter } from '../../assembly/memory/arena';
import { TX_FIRST_ID } from '../../assembly/transaction/format';
import { initValueTables } from '../../assembly/values/tables';

export {
  buildErrorProperty,
  buildErrorRecord,
  buildRequest,
  transactionBase,
  transactionBytes,
} from '../../assembly/transaction/build-request';
export { allocate, memoryBytes, memoryLimit, release } from '../../assembly/memory/allocator';
export { arenaAttachReader, arenaNeed, inputEnsure, outBase, outUsed } from '../../assembly/memory/arena';
export { readerAttach, readerEnter, readerExit } from '../../assembly/memory/retire';
export { internAddress } from '../../assembly/graph/intern';
export { graphCreate, graphState, stateEdgeCount, stateNextId, stateVertexCount } from '../../assembly/graph/state';
export { applyTransaction } from '../../assembly/transaction/apply';
export * from '../../assembly/interchange/export';
export { fileIdAdd, fileIdFind, fileIdsDrop, fileIdsInit } from '../../assembly/interchange/file-ids';
export * from '../../assembly/interchange/import';

/** A fresh core over a fresh memory; false without memory. */
export function start(pageLimit: u32): bool {
  memoryInit(pageLimit);
  initValueTables();
  return internInit() && arenaAttachWriter();
}

/**
 * Feeds `bytes` at `text` in chunks of `chunkBytes`, dropping each batch as if it had been applied from id `nextId` on: parse and
 * build alone, for timing. The last status; batches are counted in `batches`.
 */
export function feedAll(session: usize, text: usize, bytes: u32, chunkBytes: u32): i32 {
  let status: i32 = 0;
  let nextId: u32 = 0;
  for (let at: u32 = 0; at < bytes; at += chunkBytes) {
    const size = min<u32>(chunkBytes, bytes - at);
    memory.copy(importInput(session, size), text + at, size);
    status = importFeed(session, size);
    while (status == IMPORT_BATCH) {
      store<u32>(importTransaction(session), nextId, TX_FIRST_ID);
      nextId += importBatchElements(session);
      status = importResume(session);
    }
    if (status != 0) break;
  }
  return status;
}
