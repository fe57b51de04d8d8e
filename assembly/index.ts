// The core's binary interface: every export the host may call, by part, and nothing else. Addresses, ids and counts are 32-bit words;
// functions answer a status of status.ts where they can fail. What each does stands with its definition. Functions marked [W]
// there run on the one writer instance only; the others on any instance, between readerEnter and readerExit.

import { initRealTables } from './fragments/real-tables';
import { COLUMN_A, COLUMN_B, COLUMN_C, COLUMN_LABEL, COLUMN_ROW } from './graph/elements';
import { INTERN_HEADER, internAddress, internInit } from './graph/intern';
import { graphState, stateHeap } from './graph/state';
import {
  allocate, heapCreate, heapDrop, heapFork, heapJoin, memoryHeadroom, memoryInit, memoryLend, memoryReserve, release,
} from './memory/allocator';
import { arenaAttachHelper, arenaAttachReader, arenaAttachWriter } from './memory/arena';
import {
  FIRST_PAGE, LAYOUT_VERSION, MAX_PAGES, PURPOSE_COUNT, PURPOSE_SCRATCH, READER_COUNT, ROOT_FAIL_AFTER, ROOT_PAGE_TOP, ROOT_RETIRED_COUNT,
} from './memory/layout';
import { initValueTables } from './values/tables';

/**
 * The layout table the host checks when it attaches: 0 version, 1 first page, 2 purposes, 3 reader slots,
 * 4 to 8 the columns label, row, a, b and c of a page of elements; 0 beyond.
 */
export function layoutWord(index: u32): u32 {
  if (index == 0) return LAYOUT_VERSION;
  if (index == 1) return FIRST_PAGE;
  if (index == 2) return PURPOSE_COUNT;
  if (index == 3) return READER_COUNT;
  if (index == 4) return <u32>COLUMN_LABEL;
  if (index == 5) return <u32>COLUMN_ROW;
  if (index == 6) return <u32>COLUMN_A;
  if (index == 7) return <u32>COLUMN_B;
  if (index == 8) return <u32>COLUMN_C;
  return 0;
}

/** Pages that graphs leave to buffers and results: an eighth of the limit, at most 64 MiB. */
const MOST_RESERVE: u32 = 1024;
/**
 * Headroom (memoryLend) is as much again as the limit, as far as that can be addressed. So that there is some in any case, the largest
 * limit is so many pages, 64 MiB, lower than what can be addressed.
 */
const LEAST_HEADROOM: u32 = 1024;

/** [W] Makes a core out of a memory of zeros that may use `pageLimit` pages. False when even that little does not fit. */
export function coreInit(pageLimit: u32): bool {
  const limit = min<u32>(pageLimit, MAX_PAGES - 1 - LEAST_HEADROOM);
  memoryInit(limit);
  memoryReserve(min<u32>(MOST_RESERVE, limit >> 3));
  memoryHeadroom(limit);
  initValueTables();
  initRealTables();
  return internInit();
}

/** [W] Makes this instance the memory's writer. */
export function coreAttachWriter(): bool {
  return arenaAttachWriter();
}

/** Makes this instance a reader with an arena of its own, `bytes` bytes at `arena` (from the writer's arenaAllocate). */
export function coreAttachReader(arena: usize, bytes: usize): void {
  arenaAttachReader(arena, bytes);
}

/** Makes this instance a helper of the writer while a graph is loaded, with scratch in a heap made for it. */
export function coreAttachHelper(heap: u32): bool {
  return arenaAttachHelper(heap);
}

/** [W] A heap of its own for a helper's scratch (`helperHeapDrop` takes it back); 0 = no memory. */
export function helperHeap(): u32 {
  return heapCreate();
}

/** [W] Takes back everything in a helper's heap. */
export function helperHeapDrop(heap: u32): void {
  heapDrop(heap);
}

/** [W] A fork of the graph's heap, for what a helper adds to the graph; 0 = no memory. */
export function helperFork(graph: usize): u32 {
  return heapFork(stateHeap(graphState(graph)));
}

/** [W] Takes a helper's fork into the graph's heap: always, whatever became of the helper's work. */
export function helperJoin(graph: usize, fork: u32): void {
  heapJoin(stateHeap(graphState(graph)), fork);
}

/** [W] An arena for a reader instance; 0 when it does not fit. */
export function arenaAllocate(bytes: usize): usize {
  return allocate(0, PURPOSE_SCRATCH, bytes);
}

/** [W] The same out of headroom when the memory is full: for arenas of a size that the host has bounded. */
export function arenaLend(bytes: usize): usize {
  const lent = memoryLend(MAX_PAGES);
  const arena = allocate(0, PURPOSE_SCRATCH, bytes);
  memoryLend(lent);
  return arena;
}

/** [W] Takes back the arena of a reader that has detached. */
export function arenaFree(address: usize): void {
  release(PURPOSE_SCRATCH, address);
}

/** The first page that no allocation has ever used: what a pool has to clear before it hands the memory on. */
export function pageTop(): u32 {
  return load<u32>(ROOT_PAGE_TOP);
}

/** [W] Test hook: the `allocations`-th allocation from now fails, once; 0 switches it off. */
export function failAfter(allocations: u32): void {
  store<u32>(ROOT_FAIL_AFTER, allocations);
}

/** Blocks and heaps that wait for readers. */
export function retiredCount(): u32 {
  return load<u32>(ROOT_RETIRED_COUNT);
}

/** Address of the text of an interned name. */
export function internText(id: u32): usize {
  return internAddress(id) + INTERN_HEADER;
}

/** Bytes of the text of an interned name. */
export function internTextBytes(id: u32): u32 {
  return load<u32>(internAddress(id));
}

export {
  heapBytes,
  memoryBytes,
  memoryLend,
  memoryLimit,
  pagesFree,
  pagesFreeRun,
  pagesOver,
  pagesUsed,
} from './memory/allocator';
export { arenaNeed, arenaSettle, arenaTrim, inputEnsure, outBase, outBegin, outUsed } from './memory/arena';
export {
  readerAttach,
  readerClear,
  readerDetach,
  readerEnter,
  readerExit,
  readerStopAddress,
  retireAdvance,
} from './memory/retire';
export { shareWord, stopWatch, stopWord } from './memory/stop';
export { gangBegin, gangStop } from './memory/gang';
export { internCount, internFind, internFirst } from './graph/intern';

export { keepsYield } from './graph/keeps';
export { graphCreate } from './graph/state';
export { graphDrop } from './transaction/replace';
export { extractBegin, extractEdges, extractEnd, extractVertices } from './graph/extract';
export {
  buildErrorProperty,
  buildErrorRecord,
  buildRequest,
  requestEmpty,
  requestTrim,
  transactionBase,
  transactionBytes,
  partsBase,
  partsBegin,
  partsBuild,
  partsBytes,
  partsDrop,
  partsEnd,
} from './transaction/build-request';
export { applyTransaction } from './transaction/apply';
export { applyBegin, applyStep } from './transaction/apply-steps';
export { graphSlack, graphSqueeze, graphTight } from './transaction/squeeze';
export { errorElement, errorRecord } from './transaction/writer';

export {
  edgeCount,
  graphVersion,
  nextId,
  readCount,
  readCursor,
  readDegree,
  readEdgeType,
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
} from './read/reads';
export { outputMost } from './read/output';
export { caseTable, caseTableAddress, caseTablePublish } from './scan/case-table';
export { scanCount, scanNext, scanPropertyText, scanTypes } from './scan/property';
export { scanText } from './scan/text';
export { indexAt, indexBytes, indexCount, indexOf, indexWord } from './index/catalogue';
export {
  backfillScanned,
  backfillSkipped,
  imageAdds,
  imageBase,
  imageBytes,
  imageNext,
  imageTrim,
  indexBackfill,
  indexDefinition,
  indexImage,
} from './transaction/index-image';
export { indexUnused } from './transaction/index-operations';
export { indexFound, indexKeyTypes, indexRange, indexScan } from './index/scan';
export { indexNear, indexPlaces } from './index/spatial';
export { indexText, indexTextClass, indexTextSlot } from './index/text';
export { vectorNorm, vectorScore } from './index/vector-score';
export { vectorSearch } from './index/vector-search';
export { vectorCompanionFrom, vectorSuccessorFrom } from './index/vector-slab';
export { readSingles, readValue } from './read/values';
export { sweepChecksum, sweepOutEdges } from './traverse/sweep';
export { sweepGang, sweepGangEdges } from './traverse/sweep-gang';
export { statisticsAdd, statisticsBegin } from './read/statistics';
export { graphTrimBegin, graphTrimNeeded, trimDrop, trimStep } from './transaction/trim';
export {
  generateBegin,
  generateBytes,
  generateChoose,
  generateCreated,
  generateDrop,
  generateNext,
} from './transaction/generate';
export { generateReserve, generateUnreserve } from './transaction/generate';
export { turnsStack } from './memory/turns';
export { costWasClamped, pathBlocks, pathFunctions } from './traverse/filters';
export { fewestHopsWereCut, pathFewestHops } from './traverse/fewest-hops';
export { pathWasCut, pathWeighted } from './traverse/weighted-paths';
export { pathsWritten } from './traverse/path-output';
export { matchEdges, matchLimit, matchPattern, matchSearches, matchVertices } from './traverse/match';

export {
  importBatchElements,
  importBegin,
  importCommaLine,
  importCommaText,
  importCommaTextBytes,
  importCommas,
  importDrop,
  importEdges,
  importEnd,
  importError,
  importErrorColumn,
  importErrorField,
  importErrorText,
  importErrorTextBytes,
  importFeed,
  importInput,
  importLinesRead,
  importResume,
  importTime,
  importTransaction,
  importTransactionBytes,
  importVertices,
} from './interchange/import';
export {
  exportBegin,
  exportBlock,
  exportCheck,
  exportEdges,
  exportElement,
  exportEnd,
  exportFilter,
  exportKey,
  exportLimit,
  exportMeta,
  exportNext,
  exportPhase,
  exportVertices,
} from './interchange/export';

export { stateHashAdd, stateHashBegin, stateHashStep, stateHashWord } from './checkpoint/state-hash';
export { checkpointBlock, checkpointNext } from './checkpoint/write';
export { loadBegin, loadBlock, loadBlockRoom, loadPage, loadPageBytes } from './checkpoint/load';
export {
  linkAdd,
  linkBegin,
  linkCheck,
  linkChecked,
  linkCheckShare,
  linkClear,
  linkClose,
  linkCloseShare,
  linkCount,
  linkCountShare,
  linkDefer,
  linkEnd,
  linkFill,
  linkFillShare,
  linkJoin,
  linkLayout,
  linkLayoutFrom,
  linkRelease,
  linkShared,
} from './checkpoint/link';

export {
  projectionArcBytes,
  projectionArcs,
  projectionBegin,
  projectionBytes,
  projectionDrop,
  projectionEstimate,
  projectionSettle,
  projectionVersion,
  projectionVertices,
  projectionWeighted,
  rankOf,
} from './analytics/projection';
export { projectionFill } from './analytics/build';
export { writeBackBuild, writeBackCount } from './analytics/write-back';
export { jobStop } from './analytics/job';
export { jobRun, kernelBegin, kernelBytes, kernelDrop } from './analytics/kernels';
export {
  jobError,
  jobErrorElement,
  resultConverged,
  resultCount,
  resultGreatest,
  resultIterations,
  resultLeast,
  resultMean,
  resultMembers,
  resultPartitions,
  resultStatistics,
  resultSum,
  resultTop,
  resultTotal,
  resultType,
  resultValues,
} from './analytics/results';
export {
  fragmentBegin,
  fragmentCreated,
  fragmentCreationSeconds,
  fragmentDegree,
  fragmentEdges,
  fragmentEnd,
  fragmentFind,
  fragmentFoundType,
  fragmentGroup,
  fragmentGroupAt,
  fragmentGroupCount,
  fragmentGroupName,
  fragmentGroups,
  fragmentGroupType,
  fragmentKind,
  fragmentLabel,
  fragmentLabelId,
  fragmentListAt,
  fragmentListCount,
  fragmentListGet,
  fragmentListPlaces,
  fragmentModificationSeconds,
  fragmentModified,
  fragmentName,
  fragmentPages,
  fragmentPropertyCount,
  fragmentRow,
  fragmentRowCount,
  fragmentRowText,
  fragmentSlot,
  fragmentSlotOffset,
  fragmentType,
  fragmentTypeId,
} from './fragments/elements';
export {
  fragmentMark,
  fragmentRelease,
  textCase,
  textCompare,
  textCompareFolded,
  textCreate,
  textEnds,
  textEquals,
  textEqualsFolded,
  textFind,
  textFindUnit,
  textIsBlank,
  textJoin,
  textLength,
  textName,
  textSlice,
  textStarts,
  textTrim,
  textUnit,
} from './fragments/texts';
export { builderFinish, builderNew, builderText } from './fragments/builder';
export { bytesText, decimalBits, guidBytes, guidOfBytes, guidParseExact, textBytes, textCopy } from './fragments/bytes';
export { compositeFormat, compositeIndex, compositeNext, compositeWidth } from './fragments/composite';
export {
  charAt,
  charCase,
  charIs,
  charIsSpace,
  charNumber,
  charPair,
  charPoint,
  textOfPoint,
} from './fragments/characters';
export {
  textIndexOf,
  textIndexOfAny,
  textIndexOfUnit,
  textLastIndexOf,
  textLastIndexOfAny,
  textLastIndexOfUnit,
  textOrder,
  textOrderParts,
} from './fragments/text-search';
export {
  textCut,
  textInsert,
  textOfUnits,
  textPad,
  textRemove,
  textRepeat,
  textReplace,
  textReplaceUnit,
  textSplit,
  textTrimAny,
  textTrimUnit,
  textUnits,
} from './fragments/text-edit';
export { dateRead, dateReadAny } from './fragments/date-exact';
export { dateGuess } from './fragments/date-guess';
export {
  parsedWide,
  parsedWord,
  textBase,
  textParse,
  textParseBase,
  textParseHexadecimal,
} from './fragments/text-parse';
export {
  writerAll,
  writerBytes,
  writerCapacity,
  writerClear,
  writerEquals,
  writerFailure,
  writerInsert,
  writerLength,
  writerNew,
  writerPart,
  writerPut,
  writerRemove,
  writerRepeat,
  writerReplace,
  writerReplaceUnit,
  writerResize,
  writerText,
  writerUnit,
  writerUnits,
  writerView,
} from './fragments/string-builder';
export { builderField, builderValue, builderWide, textOfBox } from './fragments/value-text';
export { contextName, contextNameSet } from './fragments/context';
export { contextHasQuery, contextMetric, contextQuery, contextScore, contextSet } from './traverse/semantic';
export {
  itemsCopy,
  itemsFill,
  itemsTurn,
  textIsEmbeddingName,
  viewArray,
  viewCount,
  viewEdge,
  viewEdgeAt,
  viewFind,
  viewItems,
  viewMatch,
  viewOfText,
  viewPlaces,
  viewScore,
  viewText,
  viewTrim,
} from './fragments/spans';
export { fragmentSweep } from './fragments/sweep';
export { fragmentCollect } from './fragments/object-check';
export { runBegin, runPrepare, runStress } from './fragments/run-heap';
export {
  fragmentEnter,
  fragmentKeep,
  fragmentLeave,
  objectArray,
  objectBox,
  objectBoxLong,
  objectBoxWide,
  objectCompare,
  objectCopy,
  objectCreate,
  objectEquals,
  objectFill,
  objectGrid,
  objectHash,
  objectMove,
  objectOfElement,
  objectOfProperty,
  objectOutlives,
  objectPut,
  objectPutDouble,
  objectPutItem,
  objectPutLong,
  objectPutReference,
  objectPutSingle,
  objectPutWide,
  objectSame,
  objectSlice,
  objectTwin,
  objectType,
} from './fragments/objects';
export {
  itemsOrder,
  itemsReverse,
  itemsSort,
  listAdd,
  listCreate,
  listShift,
  orderKey,
  tableAdd,
  tableClear,
  tableCopy,
  tableCreate,
  tableEntry,
  tableFind,
  tableFindDouble,
  tableFindLong,
  tableFindSingle,
  tableFindWide,
  tableLike,
  tableNext,
  tableRemove,
  tableTakes,
  tableTouch,
} from './fragments/collections';
export { sequenceBegin, sequenceCount, sequenceItem, sequenceNext } from './fragments/sequences';
export { heapDown, heapUp } from './fragments/heap';
export { sortApply, sortAsked, sortNext, sortStart } from './fragments/sort';
export {
  decimalAbsolute,
  decimalAdd,
  decimalCompare,
  decimalDivide,
  decimalFromLong,
  decimalFromReal,
  decimalFromUlong,
  decimalHash,
  decimalLoad,
  decimalMultiply,
  decimalNegate,
  decimalOf,
  decimalRemainder,
  decimalRound,
  decimalSubtract,
  decimalToLong,
  decimalToUlong,
} from './fragments/decimal';
export { decimalToDouble, textDecimal } from './fragments/decimal-text';
export { fragmentFault } from './fragments/faults';
export { realExp, realLog, realLog10, realLog2, realLogBase, realPow } from './fragments/exponentials';
export { realFused } from './fragments/fused';
export { realAcosh, realAsinh, realAtanh, realCbrt, realCosh, realSinh, realTanh } from './fragments/hyperbolics';
export { realAcos, realAsin, realAtan, realAtan2, realCos, realSin, realTan } from './fragments/trigonometry';
export {
  realCopySign,
  realExponent,
  realHash,
  realIeeeRemainder,
  realIsMinus,
  realMagnitude,
  realNext,
  realRemainder,
  realRound,
  realScale,
  singleHash,
  singleNext,
} from './fragments/numbers';
export {
  dateAddMonths,
  dateAddReal,
  dateAddTicks,
  dateAddYears,
  dateIsLeap,
  dateMonthDays,
  dateOf,
  dateOfTicks,
  datePart,
  dateSubtractTicks,
  fragmentMoment,
  guidCompare,
  guidParse,
  offsetAddMonths,
  offsetAddReal,
  offsetAddTicks,
  offsetAddYears,
  offsetClock,
  offsetFromUnix,
  offsetMoved,
  offsetOf,
  offsetOfDate,
  offsetOfTicks,
  offsetSubtractTicks,
  spanAdd,
  spanFromReal,
  spanOf,
  spanScale,
  spanSubtract,
  timeNow,
} from './fragments/times';
