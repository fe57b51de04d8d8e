// Test module: a core with everything reads and scans need, and loops that time them without the host's share. Never shipped.

export { graphCreate } from '../../assembly/graph/state';
export { graphDrop } from '../../assembly/transaction/replace';
export { applyTransaction } from '../../assembly/transaction/apply';
export { internFind } from '../../assembly/graph/intern';
export { allocate, release } from '../../assembly/memory/allocator';
export { arenaAttachReader, arenaNeed, inputEnsure, outBase, outUsed } from '../../assembly/memory/arena';
export { readerAttach, readerDetach, readerEnter, readerExit } from '../../assembly/memory/retire';
export {
  edgeCount,
  graphVersion,
  nextId,
  readCount,
  readCursor,
  readDegree,
  readEdgeTypes,
  readElement,
  readElements,
  readEndpoint,
  readGraph,
  readGroup,
  readGroupDegree,
  readGroupPart,
  readKind,
  readMissing,
  vertexCount,
  writeIdArray,
} from '../../assembly/read/reads';
export { caseTableAddress, caseTablePublish } from '../../assembly/scan/case-table';
export { scanCount, scanNext, scanProperty, scanPropertyScalar, scanPropertyText } from '../../assembly/scan/property';
export { scanText } from '../../assembly/scan/text';
export { sweepChecksum, sweepOutEdges } from '../../assembly/traverse/sweep';

import { internInit } from '../../assembly/graph/intern';
import { graphState, stateNextId } from '../../assembly/graph/state';
import { memoryInit } from '../../assembly/memory/allocator';
import { arenaAttachWriter } from '../../assembly/memory/arena';
import { writeDate, writeUnsigned } from '../../assembly/read/output';
import { readElement } from '../../assembly/read/reads';
import { initValueTables } from '../../assembly/values/tables';

/** Makes the memory a core and this instance its writer. */
export function start(pageLimit: u32): bool {
  memoryInit(pageLimit);
  initValueTables();
  return internInit() && arenaAttachWriter();
}

export function dateText(p: usize, seconds: u32): u32 {
  return <u32>(writeDate(p, seconds) - p);
}

export function numberText(p: usize, value: u32): u32 {
  return <u32>(writeUnsigned(p, value) - p);
}

/** Reads `rounds` elements with ids that jump about; for timing. */
export function loopReads(graph: usize, rounds: u32, below: u32): u32 {
  let id: u32 = 0;
  let good: u32 = 0;
  for (let i: u32 = 0; i < rounds; i++) {
    id = (id + 7919) % below;
    good += u32(readElement(graph, id, 0) == 0);
  }
  return good;
}

export function idsAssigned(graph: usize): u32 {
  return stateNextId(graphState(graph));
}
