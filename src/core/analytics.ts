// Projections and the kernels that run on them: typed calls of assembly/analytics. The writer's thread makes and drops memory; the
// work itself is a job that any threads with an instance over the memory take part in, each with a member number of its own:
//
//   writer    projectScope … fillProjection … settleProjection … beginKernel … dropKernel, dropProjection
//   members   runJob(instance, projection or kernel, member, slot) between those, until it answers other than `more`
//   anybody   the results, once no member is at work
//
// One thread alone runs the same job in slices: `chunks` chunks at a time. Addresses are numbers that other threads may be told.

import type { CoreInstance } from './instance.ts';
import { CoreMemoryExhausted } from './memory-exhausted.ts';
import { CoreStatus } from './status.ts';
import { textBound, writeText } from './text.ts';

const none = 0xffffffff;
/** Stands for a name that nothing in the memory carries: no interned name has this number. */
const unknownName = 0xfffffffe;

/** Which arcs a vertex has: outgoing edges, incoming ones, both (a self-loop twice), or its distinct neighbours without itself. */
export const View = { out: 0, in: 1, both: 2, simple: 3 } as const;
export type View = (typeof View)[keyof typeof View];

/** The kernels (assembly/analytics/kernels.ts). */
export const Kernel = {
  pageRank: 1,
  wcc: 2,
  labelPropagation: 3,
  degree: 4,
  triangleCount: 5,
  louvain: 6,
  kCore: 7,
  scc: 8,
  betweenness: 9,
  closeness: 10,
  clusteringCoefficient: 11,
  bfs: 12,
  sssp: 13,
  directedClustering: 14,
} as const;
export type Kernel = (typeof Kernel)[keyof typeof Kernel];

/** What `runJob` answers; `more`: its chunks are done and the job is not. */
export const Run = { finished: 0, more: 1, cancelled: 2, deadline: 3, failed: 4 } as const;
export type Run = (typeof Run)[keyof typeof Run];

/** Why a job failed: the graph was erased or trimmed meanwhile, or a weight is no number, or negative or not finite. */
export const JobError = { stale: 1, weightType: 2, weightValue: 3 } as const;

/** What the values of a finished kernel are: scores (a vertex may have none) or partition ids. */
export const ResultType = { double: 1, uint32: 2, partition: 3 } as const;
export type ResultType = (typeof ResultType)[keyof typeof ResultType];

const Flag = { weights: 1, opposite: 2, orderIds: 4, paired: 8 } as const;

/** What of a graph is projected. Null stands for everything. */
export interface Scope {
  readonly label: string | null;
  readonly edgeType: string | null;
  readonly view: View;
  /** Numeric property of the edges, 1 where it is missing; null: no weights. */
  readonly weightKey?: string | null;
  /** Weights beside targets where they are whole numbers, as SSSP reads them faster; LOUVAIN wants them apart. */
  readonly paired?: boolean;
  /** Also count the arcs in the other direction, as PAGERANK asks for with the views `in` and `out`. */
  readonly opposite?: boolean;
  /** Order of the arrays, `degrees` by default: it is faster. Never changes an answer but in the last bits of a sum. */
  readonly order?: 'ids' | 'degrees';
}

/** Where a job stands. `address` is all that another thread needs. */
export interface Job {
  readonly address: number;
}

export interface Projection extends Job {
  readonly graph: number;
  /** Version of the graph it was begun on. It is that of the graph as long as the graph has the same version, during the run too. */
  readonly version: number;
}

export interface KernelOptions {
  /** Threads that may take part, at least 1. */
  readonly members: number;
  readonly maxIterations?: number;
  /** Of PAGERANK; of SSSP the step of the threshold as a part of the mean weight, which only changes how long it takes. */
  readonly epsilon?: number;
  /** Of PAGERANK; of LOUVAIN the resolution. */
  readonly damping?: number;
  /** A vertex in scope (`isInScope`). */
  readonly source?: number;
  /** Sampled sources, 0 for all. */
  readonly samples?: number;
  readonly seed?: number;
}

/** A list from a result: ids with their scores (or sizes), and how many there are in all. */
export interface RankedIds {
  readonly ids: Uint32Array;
  readonly scores: Float64Array;
  readonly total: number;
}

function flagsOf(scope: Scope): number {
  const order = scope.order === 'ids' ? Flag.orderIds : 0;
  const weights = scope.weightKey == null ? 0 : Flag.weights | (scope.paired === true ? Flag.paired : 0);
  return weights | (scope.opposite === true ? Flag.opposite : 0) | order;
}

/** The interned number of a name. */
function nameId(instance: CoreInstance, name: string | null | undefined): number {
  if (name == null) return none;
  const address = instance.input(textBound(name) + 8);
  if (address === null) throw new CoreMemoryExhausted('No memory is left for a name.');
  const id = instance.exports.internFind(address, writeText(instance.bytes, address, name)) >>> 0;
  return id === none ? unknownName : id;
}

// --- Projections [writer, but where said otherwise] ------------------------------------------------------------------------

/** Bytes a projection of the whole graph takes, exactly; of a narrower scope at most. `withArcs`: not for degrees alone. */
export function estimateProjection(instance: CoreInstance, graph: number, scope: Scope, withArcs = true): number {
  return instance.exports.projectionEstimate(graph, scope.view, flagsOf(scope), withArcs ? 1 : 0);
}

/** Begins a projection, whose job counts it; null when memory does not allow it. */
export function projectScope(instance: CoreInstance, graph: number, scope: Scope): Projection | null {
  const { exports } = instance;
  const label = nameId(instance, scope.label);
  const type = nameId(instance, scope.edgeType);
  const weight = nameId(instance, scope.weightKey);
  const address = exports.projectionBegin(graph, label, type, scope.view, flagsOf(scope), weight) >>> 0;
  return address === 0 ? null : { address, graph, version: exports.projectionVersion(address) >>> 0 };
}

/** Opens the second half of a counted projection's job, which fills it; false when memory does not allow it. */
export function fillProjection(instance: CoreInstance, projection: Projection): boolean {
  return instance.exports.projectionFill(projection.address) !== 0;
}

/** Gives back what only filling needed: up to 8 bytes an element, where weights were asked for. No member may be at work on it. */
export function settleProjection(instance: CoreInstance, projection: Projection): void {
  instance.exports.projectionSettle(projection.address);
}

/** Gives a projection back with all kernels on it. No member may be at work on any of them. False: try again later. */
export function dropProjection(instance: CoreInstance, projection: Projection): boolean {
  return instance.exports.projectionDrop(projection.address) !== 0;
}

export interface ProjectionSize {
  readonly vertices: number;
  /** Of the view `simple` an upper bound until it is filled. */
  readonly arcs: number;
  /** Arcs whose edge carries the weight property; the others weigh 1. */
  readonly weighted: number;
  /** Held now, kernels included. */
  readonly bytes: number;
  /** What `fillProjection` will ask for. */
  readonly arcBytes: number;
}

/** How large a projection is, once it has been counted. Any thread. */
export function projectionSize(instance: CoreInstance, { address }: Job): ProjectionSize {
  const { exports } = instance;
  return {
    vertices: exports.projectionVertices(address) >>> 0,
    arcs: exports.projectionArcs(address) >>> 0,
    weighted: exports.projectionWeighted(address) >>> 0,
    bytes: exports.projectionBytes(address),
    arcBytes: exports.projectionArcBytes(address),
  };
}

/** Whether a vertex is in the scope of a counted projection. Any thread. */
export function isInScope(instance: CoreInstance, projection: Projection, id: number): boolean {
  return instance.exports.rankOf(projection.address, id) >>> 0 !== none;
}

// --- Kernels ---------------------------------------------------------------------------------------------------------------

/** Bytes that `beginKernel` asks for on a projection of this size. */
export function estimateKernel(
  instance: CoreInstance,
  kernel: Kernel,
  size: { readonly vertices: number; readonly arcs: number },
  members: number,
): number {
  return instance.exports.kernelBytes(kernel, size.vertices, size.arcs, members);
}

/** [writer] Begins a run on a filled projection (DEGREE: a counted one); null when memory does not allow it. */
export function beginKernel(
  instance: CoreInstance,
  projection: Projection,
  kernel: Kernel,
  options: KernelOptions,
): Job | null {
  const { members, maxIterations = 0, epsilon = 0, damping = 0, source = none, samples = 0, seed = 0 } = options;
  const address = instance.exports.kernelBegin(
    projection.address,
    kernel,
    members,
    maxIterations,
    epsilon,
    damping,
    source,
    samples,
    seed,
  );
  return address === 0 ? null : { address: address >>> 0 };
}

/** [writer] Takes back a run. No member may be at work on it. */
export function dropKernel(instance: CoreInstance, kernel: Job): void {
  instance.exports.kernelDrop(kernel.address);
}

/**
 * Takes part in a job, as a member whose number is below that of `beginKernel` (any number for a projection) and nobody else's. `slot`:
 * the reader slot of this thread, not announced, -1 on the writer's own thread. `chunks`: how many to do, 0 for all there are. The
 * words that end it early are those of the slot, or `stopJob`.
 */
export function runJob(instance: CoreInstance, job: Job, member: number, slot: number, chunks = 0): Run {
  return instance.exports.jobRun(job.address, member, slot, chunks) as Run;
}

/**
 * Ends a job early: each member answers `cancelled` or `deadline` before its next chunk. Any thread.
 * @testonly: runs are told to stop by their reader slots.
 */
export function stopJob(instance: CoreInstance, job: Job, why: 'cancel' | 'deadline'): void {
  instance.exports.jobStop(job.address, why === 'cancel' ? 1 : 2);
}

/** Why a job answered `failed`: one of `JobError`, and the edge it is about, -1 when it is about none. */
export function jobFailure(instance: CoreInstance, job: Job): { readonly error: number; readonly element: number } {
  return { error: instance.exports.jobError(job.address), element: instance.exports.jobErrorElement(job.address) };
}

// --- Results [any instance with an arena; no member at work] -----------------------------------------------------------------

export interface RunOutcome {
  readonly type: ResultType;
  /** Complete rounds; 1 after an algorithm of one pass. After an early end 0 means that there is no result. */
  readonly iterations: number;
  readonly converged: boolean;
  /** Components, distinct triangles, modularity: the algorithm's number about the whole. */
  readonly sum: number;
}

export function runOutcome(instance: CoreInstance, kernel: Job): RunOutcome {
  const { exports } = instance;
  return {
    type: exports.resultType(kernel.address) as ResultType,
    iterations: exports.resultIterations(kernel.address) >>> 0,
    converged: exports.resultConverged(kernel.address) !== 0,
    sum: exports.resultSum(kernel.address),
  };
}

export function scoreStatistics(
  instance: CoreInstance,
  kernel: Job,
): { readonly min: number; readonly max: number; readonly mean: number } {
  const { exports } = instance;
  exports.resultStatistics(kernel.address);
  return { min: exports.resultLeast(), max: exports.resultGreatest(), mean: exports.resultMean() };
}

/** The best scores, descending, ids ascending among equals. Vertices without a score are left out. */
export function topScores(instance: CoreInstance, kernel: Job, limit: number): RankedIds {
  succeed(instance.exports.resultTop(kernel.address, limit));
  return rankedIds(instance);
}

/** The largest partitions: ids with sizes, descending, ids ascending among equals. */
export function largestPartitions(instance: CoreInstance, kernel: Job, limit: number): RankedIds {
  succeed(instance.exports.resultPartitions(kernel.address, limit));
  return rankedIds(instance);
}

function rankedIds(instance: CoreInstance): RankedIds {
  const { exports } = instance;
  const count = exports.resultCount() >>> 0;
  const base = exports.outBase() >>> 0;
  const view = new DataView(instance.memory.buffer, base, 16 * count);
  const ids = new Uint32Array(count);
  const scores = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    scores[i] = view.getFloat64(16 * i, true);
    ids[i] = view.getUint32(16 * i + 8, true);
  }
  return { ids, scores, total: exports.resultTotal() >>> 0 };
}

/** Members of a partition from index `offset` on, ascending, and how many it has in all: 0 when there is no such partition. */
export function partitionMembers(
  instance: CoreInstance,
  kernel: Job,
  partitionId: number,
  offset: number,
  limit: number,
): { readonly ids: Uint32Array; readonly total: number } {
  const { exports } = instance;
  succeed(exports.resultMembers(kernel.address, partitionId, offset, limit));
  const from = (exports.outBase() >>> 0) >>> 2;
  const ids = instance.words.slice(from, from + (exports.resultCount() >>> 0));
  return { ids, total: exports.resultTotal() >>> 0 };
}

/** Values of all vertices from the `from`-th in ascending id on, for write-back. */
export interface VertexValues {
  readonly ids: Uint32Array;
  /** Numbers as `RunOutcome.type` says, NaN for a vertex without one. */
  readonly values: Float64Array;
  readonly total: number;
}

/** `limit` values in one go, 16 bytes each. Write-back is encoded in the core. */
export function vertexValues(instance: CoreInstance, kernel: Job, from: number, limit: number): VertexValues {
  const { exports } = instance;
  succeed(exports.resultValues(kernel.address, from, limit));
  const isDouble = exports.resultType(kernel.address) === ResultType.double;
  const count = exports.resultCount() >>> 0;
  const view = new DataView(instance.memory.buffer, exports.outBase() >>> 0, 16 * count);
  const ids = new Uint32Array(count);
  const values = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const at = 16 * i;
    ids[i] = view.getUint32(at + 8, true);
    if (view.getUint32(at + 12, true) === 0) values[i] = Number.NaN;
    else if (isDouble) values[i] = view.getFloat64(at, true);
    else values[i] = view.getUint32(at, true);
  }
  return { ids, values, total: exports.resultTotal() >>> 0 };
}

function succeed(status: number): void {
  if (status !== CoreStatus.ok) throw new CoreMemoryExhausted(`A result does not fit into memory (status ${status}).`);
}
