// Exports of the checkpoint tests: writing and loading blocks, and the graph functions that make graphs and look at them.

export { checkpointBlock, checkpointNext } from '../../assembly/checkpoint/write';
export { loadBegin, loadBlock, loadBlockRoom, loadPage } from '../../assembly/checkpoint/load';
export {
  linkAdd,
  linkBegin,
  linkCheck,
  linkClear,
  linkClose,
  linkCount,
  linkEnd,
  linkFill,
  linkLayout,
  linkRelease,
} from '../../assembly/checkpoint/link';
export { applyTransaction } from '../../assembly/transaction/apply';
export { internAddress, internCount } from '../../assembly/graph/intern';
export { graphCreate } from '../../assembly/graph/state';
export { graphDrop } from '../../assembly/transaction/replace';
export { graphVerify } from '../../assembly/graph/verify';
export { errorElement, errorRecord } from '../../assembly/transaction/writer';
export { memoryBytes, memoryLimit, pagesUsed } from '../../assembly/memory/allocator';
export { arenaNeed, inputEnsure, outBase, outBegin, outUsed } from '../../assembly/memory/arena';
export { failAfter, failLeft, start } from './graph';
export { retireAdvance } from '../../assembly/memory/retire';
