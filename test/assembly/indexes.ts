// Exports of the index tests and benchmarks: the index parts of the core beside the graph functions, and loops without the host's share.

export { applyTransaction } from '../../assembly/graph/apply';
export { buildRequest, transactionBase, transactionBytes } from '../../assembly/graph/build-request';
export { graphCreate, graphDrop } from '../../assembly/graph/state';
export { indexAt, indexBytes, indexCount, indexOf, indexWord } from '../../assembly/index/catalogue';
export {
  backfillScanned, backfillSkipped, imageAdds, imageBase, imageBytes, imageNext, indexBackfill, indexDefinition, indexImage,
} from '../../assembly/index/image';
export { indexFound, indexRange, indexScan } from '../../assembly/index/scan';
export { memoryBytes, memoryLimit, pagesUsed } from '../../assembly/memory/allocator';
export { arenaAttachReader, arenaNeed, inputEnsure, outBase, outBegin, outUsed } from '../../assembly/memory/arena';
export { readerAttach, readerDetach, readerEnter, readerExit, retireAdvance } from '../../assembly/memory/retire';
export { failAfter, failLeft, start } from './graph';
