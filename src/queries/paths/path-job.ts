// A path search as a job: fragments become functions of the thread's instance, a kernel of the core searches (assembly/traverse), and its
// output is the answer's JSON.

import type { ArenaTooSmall, CoreReader } from '../../core/reader.ts';
import { CoreStatus } from '../../core/status.ts';
import type { JobControl, JobKind } from '../../engine/jobs/types.ts';
import { spans } from '../../telemetry/spans.ts';
import type { SearchValues } from '../fragments/interpreted.ts';
import {
  type FragmentEnd,
  type FragmentRuntime,
  type InstalledFragment,
  type JobFragment,
  withFragments,
} from '../fragments/runtime.ts';
import type { FragmentLimits } from '../fragments/spending.ts';
import { searchValues, setContext } from '../semantic.ts';
import type { PathAlgorithm, Semantic } from './request.ts';

/** A cost that is a constant 1 for every step, or the semantic block's. */
export type Slot = JobFragment | 'one' | 'semantic' | null;

export interface PathJobRequest {
  readonly graph: number;
  readonly from: number;
  readonly to: number;
  readonly algorithm: PathAlgorithm;
  readonly maxDepth: number;
  readonly maxResults: number;
  /** Infinity: none. */
  readonly maxWeight: number;
  readonly vertexFilter: Slot;
  readonly edgeFilter: Slot;
  readonly typeFilter: Slot;
  readonly vertexCost: Slot;
  readonly edgeCost: Slot;
  readonly semantic: Semantic | null;
  readonly limits: FragmentLimits;
}

/** What a table index stands for (assembly/traverse/filters.ts). */
const noFunction = 0;
const costOne = -1;
const semanticFunction = -2;

/** What a search found. */
export interface FoundPaths {
  /** The answer's JSON. */
  readonly json: Uint8Array;
  /** A negative cost was taken for 0. */
  readonly clampedCost: boolean;
  /** A path of no more weight was left out for its number of steps. */
  readonly cutByDepth: boolean;
}

export const pathJob: JobKind<PathJobRequest, FragmentEnd<FoundPaths>> = {
  name: 'path',
  span: spans.path,
  isLong: true,
  isOpenEnded: true,
  arenaBytes: 2 ** 20,
  run: async (reader, request, control) => {
    const end = await withFragments(reader, control, request.limits, (runtime, interpret) =>
      search(reader, runtime, request, control, interpret),
    );
    // The kernel came back early: the job was told to stop.
    if (end.ended === 'value' && end.value === null) await control.slice();
    return end as FragmentEnd<FoundPaths>;
  },
};

/** Null when the stop word ended the search. */
async function search(
  reader: CoreReader,
  runtime: FragmentRuntime,
  request: PathJobRequest,
  control: JobControl,
  interpret: boolean,
): Promise<FoundPaths | null | ArenaTooSmall> {
  const { instance } = reader;
  const { exports } = instance;
  const { graph, from, to, maxDepth, maxResults, semantic } = request;
  exports.fragmentBegin(graph);
  if (!setContext(reader, semantic)) return reader.tooSmall();
  const context = searchValues(semantic);
  const functions: InstalledFragment[] = [];
  for (const slot of [
    request.vertexFilter,
    request.edgeFilter,
    request.typeFilter,
    request.vertexCost,
    request.edgeCost,
  ]) {
    const installed = functionOf(slot, runtime, control, interpret, context);
    if (installed === null) return reader.tooSmall();
    functions.push(installed);
  }
  const [vertex, edge, type, vertexCost, edgeCost] = functions as [
    InstalledFragment,
    InstalledFragment,
    InstalledFragment,
    InstalledFragment,
    InstalledFragment,
  ];
  exports.pathFunctions(vertex.call, edge.call, type.call, vertexCost.call, edgeCost.call);
  exports.pathBlocks(vertex.select, edge.select);
  const kernel = (): number =>
    request.algorithm === 'BLS'
      ? exports.pathFewestHops(graph, from, to, maxDepth, maxResults)
      : exports.pathWeighted(graph, from, to, maxDepth, maxResults, request.maxWeight);
  const status = instance.turns === null ? kernel() : await instance.turns.run(kernel, () => control.slice());
  if (status === CoreStatus.ok) {
    const cutByDepth = (request.algorithm === 'BLS' ? exports.fewestHopsWereCut() : exports.pathWasCut()) !== 0;
    return { json: instance.takeOutput(), clampedCost: exports.costWasClamped() !== 0, cutByDepth };
  }
  if (status === CoreStatus.stopped) return null;
  return reader.tooSmall();
}

function functionOf(
  slot: Slot,
  runtime: FragmentRuntime,
  control: JobControl,
  interpret: boolean,
  context: SearchValues,
): InstalledFragment | null {
  if (slot === null) return { call: noFunction, select: noFunction };
  if (slot === 'one') return { call: costOne, select: noFunction };
  if (slot === 'semantic') return { call: semanticFunction, select: noFunction };
  return runtime.install(slot, control, interpret, context);
}
