// The core's binary interface as the host sees it: one typed list of the exports of assembly/index.ts. Addresses and ids that can
// pass 2^31 come back as signed numbers; callers write `>>> 0`. Nothing outside src/core knows these names.

import type { MakingExports } from './exports-making.ts';
import type { ObjectExports } from './exports-objects.ts';
import type { ReadingExports } from './exports-reading.ts';

export interface CoreExports extends MakingExports, ObjectExports, ReadingExports {
  readonly [name: string]: WebAssembly.ExportValue;

  /** Empty; for functions of other modules (functions.ts). */
  readonly table: WebAssembly.Table;

  // Life of a memory and of an instance over it
  layoutWord(index: number): number;
  coreInit(pageLimit: number): number;
  coreAttachWriter(): number;
  coreAttachReader(arena: number, bytes: number): void;
  arenaAllocate(bytes: number): number;
  arenaLend(bytes: number): number;
  arenaFree(address: number): void;
  readerAttach(): number;
  readerDetach(slot: number): void;
  readerEnter(slot: number): void;
  readerExit(slot: number): void;
  readerClear(slot: number): void;
  readerStopAddress(slot: number): number;
  stopWatch(address: number): void;
  /** Per cent of its time that this instance may work; 0: all. */
  shareWord(): number;
  stopWord(): number;
  gangBegin(gang: number, bytes: number, count: number): void;
  gangStop(gang: number, reason: number): void;
  retireAdvance(): number;
  retiredCount(): number;
  memoryBytes(purpose: number): number;
  pagesUsed(): number;
  pagesFree(): number;
  pagesFreeRun(): number;
  pagesOver(): number;
  memoryLend(pages: number): number;
  pageTop(): number;
  failAfter(allocations: number): void;

  // Buffers of this instance
  inputEnsure(bytes: number): number;
  outBegin(): void;
  outBase(): number;
  outUsed(): number;
  arenaNeed(): number;
  arenaTrim(): void;
  arenaSettle(): void;

  // Graphs and transactions
  graphCreate(): number;
  graphDrop(graph: number): number;
  graphSlack(graph: number): number;
  graphSqueeze(graph: number, base: number): void;
  graphTight(value: number): void;

  // Extraction into a second graph
  extractBegin(from: number, idCount: number, bits: number): number;
  extractVertices(fromId: number, toId: number): number;
  extractEdges(fromId: number, toId: number): number;
  extractEnd(): number;
  graphVersion(graph: number): number;
  vertexCount(graph: number): number;
  edgeCount(graph: number): number;
  nextId(graph: number): number;
  buildRequest(input: number, bytes: number, timeSeconds: number, timeMs: number): number;
  requestTrim(): void;
  requestEmpty(): void;
  imageTrim(): void;
  transactionBase(): number;
  transactionBytes(): number;
  partsBegin(timeSeconds: number, timeMs: number): number;
  partsBuild(input: number, bytes: number): number;
  partsEnd(): number;
  partsBase(): number;
  partsBytes(): number;
  partsDrop(): void;
  applyBegin(graph: number, transaction: number, bytes: number, wantChanges: number): number;
  applyStep(most: number): number;
  applyTransaction(graph: number, transaction: number, bytes: number, redo: number, wantChanges: number): number;
  buildErrorRecord(): number;
  buildErrorProperty(): number;
  errorRecord(): number;
  errorElement(): number;

  // Scans
  internFind(text: number, bytes: number): number;
  internFirst(): number;
  internCount(): number;
  internText(id: number): number;
  internTextBytes(id: number): number;
  caseTable(): number;
  caseTableAddress(): number;
  caseTablePublish(table: number): void;
  scanPropertyText(
    graph: number,
    key: number,
    keyBytes: number,
    operator: number,
    type: number,
    literal: number,
    literalBytes: number,
    label: number,
    labelBytes: number,
    kinds: number,
    fromId: number,
    toId: number,
    limit: number,
  ): number;
  scanText(
    graph: number,
    term: number,
    termBytes: number,
    label: number,
    kinds: number,
    fromId: number,
    toId: number,
    limit: number,
  ): number;
  scanCount(): number;
  scanNext(): number;
  scanTypes(): number;
  writeIdArray(ids: number, count: number): number;
  // Indexes: `index` is the answer of indexAt or indexOf, good for this turn
  indexCount(graph: number): number;
  indexAt(graph: number, position: number): number;
  indexOf(graph: number, name: number, nameBytes: number): number;
  indexWord(index: number, word: number): number;
  indexBytes(index: number): number;
  indexScan(
    graph: number,
    name: number,
    nameBytes: number,
    operator: number,
    type: number,
    literal: number,
    literalBytes: number,
    label: number,
    labelBytes: number,
    kinds: number,
  ): number;
  indexRange(
    graph: number,
    name: number,
    nameBytes: number,
    type: number,
    left: number,
    leftBytes: number,
    right: number,
    rightBytes: number,
    includeLeft: number,
    includeRight: number,
    kinds: number,
  ): number;
  indexText(graph: number, name: number, bytes: number, at: number, from: number, slot: number, most: number): number;
  indexPlaces(graph: number, name: number, nameBytes: number, element: number): number;
  indexNear(graph: number, name: number, nameBytes: number, at: number, bytes: number, distance: number): number;
  indexTextClass(): number;
  indexTextSlot(): number;
  indexFound(): number;
  indexKeyTypes(graph: number, name: number, nameBytes: number): number;
  indexDefinition(index: number): number;
  indexImage(index: number, element: number, end: number): number;
  // Vectors and single values
  readSingles(graph: number, id: number, key: number, keyBytes: number): number;
  /** 1 vertex, 2 edge, 0 nothing. */
  readKind(graph: number, id: number): number;
  readValue(graph: number, id: number, key: number, keyBytes: number): number;
  vectorCompanionFrom(index: number, bytes: number): void;
  vectorSuccessorFrom(index: number, bytes: number): void;
  vectorNorm(vector: number, dimension: number): number;
  vectorScore(metric: number, a: number, b: number, dimension: number): number;
  vectorSearch(
    graph: number,
    name: number,
    nameBytes: number,
    dimension: number,
    request: number,
    count: number,
    gang: number,
    member: number,
  ): number;
  sweepOutEdges(graph: number, fromId: number, toId: number): number;
  sweepChecksum(): number;
  sweepGang(graph: number, gang: number, ids: number, round: number, slot: number): number;
  sweepGangEdges(): number;
  statisticsBegin(graph: number, stride: number): number;
  statisticsAdd(graph: number, fromId: number, toId: number): void;

  // Bulk import: `session` is the handle of importBegin
  importBegin(batchSize: number, lineLimit: number): number;
  importCommaLine(session: number): number;
  importCommas(session: number): number;
  importCommaText(session: number): number;
  importCommaTextBytes(session: number): number;
  importDrop(session: number): void;
  importInput(session: number, bytes: number): number;
  importTime(session: number, timeSeconds: number, timeMs: number): void;
  importFeed(session: number, bytes: number): number;
  importResume(session: number): number;
  importEnd(session: number): number;
  importTransaction(session: number): number;
  importTransactionBytes(session: number): number;
  importBatchElements(session: number): number;
  importLinesRead(session: number): number;
  importError(session: number): number;
  importErrorColumn(session: number): number;
  importErrorText(session: number): number;
  importErrorTextBytes(session: number): number;
  importErrorField(session: number): number;

  exportBegin(graph: number): number;
  exportEnd(token: number): void;
  keepsYield(graph: number): number;
  exportLimit(): number;
  exportFilter(text: number, bytes: number): number;
  exportCheck(
    graph: number,
    token: number,
    vertexLabel: number,
    edgeLabel: number,
    edgeType: number,
    fromId: number,
    toId: number,
  ): number;
  exportVertices(): number;
  exportEdges(): number;
  exportElement(): number;
  exportKey(): number;
  exportMeta(vertices: number, edges: number, time: number, timeBytes: number): number;
  exportBlock(
    graph: number,
    token: number,
    vertexLabel: number,
    edgeLabel: number,
    edgeType: number,
    phase: number,
    fromId: number,
    limit: number,
  ): number;
  exportPhase(): number;
  exportNext(): number;

  // Checkpoints
  checkpointBlock(graph: number, fromId: number, toId: number, byteLimit: number): number;
  checkpointNext(): number;
  loadBegin(graph: number, nextId: number): number;
  loadBlock(graph: number, block: number, bytes: number): number;
  loadBlockRoom(bytes: number): number;
  loadPage(graph: number, id: number): number;
  loadPageBytes(): number;
  coreAttachHelper(heap: number): number;
  helperFork(graph: number): number;
  helperHeap(): number;
  helperHeapDrop(heap: number): void;
  helperJoin(graph: number, fork: number): void;
  linkAdd(graph: number, fromId: number, toId: number): number;
  linkBegin(): void;
  linkCheck(graph: number, fromId: number, toId: number): void;
  linkCheckShare(graph: number, fromId: number, toId: number): void;
  linkChecked(): number;
  linkClear(graph: number, fromId: number, toId: number): void;
  linkClose(graph: number, fromId: number, toId: number): void;
  linkCloseShare(graph: number, share: number, fromId: number, toId: number): void;
  linkCount(graph: number, fromId: number, toId: number): number;
  linkCountShare(graph: number, share: number, fromId: number, toId: number): number;
  linkDefer(graph: number): number;
  linkEnd(graph: number): void;
  linkFill(graph: number, fromId: number, toId: number): number;
  linkFillShare(graph: number, share: number, fromId: number, toId: number): number;
  linkJoin(common: number): void;
  linkLayout(graph: number, base: number): number;
  linkLayoutFrom(heap: number, graph: number, base: number): number;
  linkRelease(): void;
  linkShared(): number;

  // Paths
  pathFunctions(vertex: number, edge: number, type: number, vertexCost: number, edgeCost: number): void;
  pathBlocks(vertex: number, edge: number): void;
  turnsStack(): number;
  pathFewestHops(graph: number, from: number, to: number, maxDepth: number, maxResults: number): number;
  pathWeighted(
    graph: number,
    from: number,
    to: number,
    maxDepth: number,
    maxResults: number,
    maxWeight: number,
  ): number;
  pathsWritten(): number;
  costWasClamped(): number;
  pathWasCut(): number;
  fewestHopsWereCut(): number;

  // Pattern matching
  matchPattern(graph: number, request: number, maxArcs: number, maxBytes: number): number;
  matchVertices(): number;
  matchEdges(): number;
  matchLimit(): number;
  matchSearches(): number;

  // Analytics
  projectionEstimate(graph: number, view: number, flags: number, withArcs: number): number;
  projectionBegin(graph: number, label: number, type: number, view: number, flags: number, weightKey: number): number;
  projectionFill(projection: number): number;
  projectionDrop(projection: number): number;
  projectionVersion(projection: number): number;
  projectionVertices(projection: number): number;
  projectionArcs(projection: number): number;
  projectionWeighted(projection: number): number;
  projectionBytes(projection: number): number;
  projectionArcBytes(projection: number): number;
  rankOf(projection: number, id: number): number;
  kernelBytes(kernel: number, vertices: number, arcs: number, members: number): number;
  kernelBegin(
    projection: number,
    kernel: number,
    members: number,
    maxIterations: number,
    epsilon: number,
    damping: number,
    sourceId: number,
    samples: number,
    seed: number,
  ): number;
  kernelDrop(job: number): void;
  jobRun(job: number, member: number, slot: number, chunks: number): number;
  jobStop(job: number, why: number): void;
  jobError(job: number): number;
  jobErrorElement(job: number): number;
  resultType(job: number): number;
  resultIterations(job: number): number;
  resultConverged(job: number): number;
  resultSum(job: number): number;
  resultCount(): number;
  resultTotal(): number;
  resultTop(job: number, limit: number): number;
  resultPartitions(job: number, limit: number): number;
  resultMembers(job: number, partitionId: number, offset: number, limit: number): number;
  resultValues(job: number, fromRank: number, limit: number): number;
  resultStatistics(job: number): void;
  resultLeast(): number;
  resultGreatest(): number;
  resultMean(): number;
  writeBackBuild(
    job: number,
    fromRank: number,
    limit: number,
    key: number,
    keyBytes: number,
    type: number,
    timeSeconds: number,
    timeMs: number,
  ): number;
  writeBackCount(): number;
  fragmentBegin(graph: number): void;
  fragmentMoment(milliseconds: number): void;
  fragmentCreationSeconds(id: number): number;
  fragmentModificationSeconds(id: number): number;
  fragmentDegree(id: number, direction: number): number;
  fragmentEdges(id: number, direction: number): number;
  fragmentEnd(id: number, end: number): number;
  fragmentFind(id: number, key: number): number;
  fragmentFoundType(): number;
  fragmentGroupAt(map: number, index: number): number;
  fragmentGroupType(group: number): number;
  fragmentGroups(map: number): number;
  fragmentKind(id: number): number;
  fragmentLabelId(id: number): number;
  fragmentListAt(list: number, place: number): number;
  fragmentListPlaces(list: number): number;
  fragmentPropertyCount(id: number): number;
  fragmentRow(id: number): number;
  fragmentRowCount(row: number): number;
  fragmentRowText(row: number, index: number): number;
  fragmentTypeId(id: number): number;
  fragmentMark(): number;
  fragmentRelease(mark: number): void;
  textCreate(address: number, bytes: number): number;
  contextScore(id: number): number;
  contextNameSet(address: number, bytes: number): number;
  contextSet(
    vector: number,
    count: number,
    metric: number,
    embeddingKey: number,
    bounded: number,
    least: number,
  ): number;
  fragmentSweep(graph: number, kind: number, filter: number, blocks: number, from: number, to: number): number;
  fragmentPages(): number;
}
