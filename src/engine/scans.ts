// Scans over a whole graph: short ones on the writer's thread, long ones as jobs, the longest in parts on several threads.

import type { Core } from '../core/core.ts';
import { prepareCaseTable, type ResultMask } from '../core/scans.ts';
import type { GraphJobs } from './jobs/graph-jobs.ts';
import { scanPropertyJob, scanTextJob } from './jobs/scan.ts';
import type { JobKind } from './jobs/types.ts';
import { ListWriter } from './list-writer.ts';
import type { FoundByProperty, PropertyScan, ResultType, ScanSet } from './types.ts';

/** What a scan needs of its namespace. */
interface ScanHost {
  readonly core: Core;
  readonly graph: number;
  readonly jobs: GraphJobs;
  task<T>(run: () => Promise<T>): Promise<T>;
}

/** What the core calls the types of a result. */
export const resultMasks: Readonly<Record<ResultType, ResultMask>> = { Vertices: 1, Edges: 2, Both: 3 };

/** Ids that one thread does in about 100 µs, and in some ms: below the first nobody is asked, below the second it is not split. */
interface Effort {
  readonly shortIds: number;
  readonly partIds: number;
}

const propertyEffort: Effort = { shortIds: 16_384, partIds: 524_288 };
const textEffort: Effort = { shortIds: 2048, partIds: 65_536 };

export class GraphScans implements ScanSet {
  private readonly host: ScanHost;

  constructor(host: ScanHost) {
    this.host = host;
  }

  property({ resultType, ...query }: PropertyScan, signal?: AbortSignal): Promise<FoundByProperty | null> {
    const masked = { ...query, mask: resultMasks[resultType] };
    return this.host.task(async () => {
      const parts = await scan(this.host, scanPropertyJob, masked, propertyEffort, signal);
      const found = parts.filter((part) => part !== null);
      if (found.length < parts.length) return null;
      return {
        ids: listOf(found.map(({ pieces }) => pieces)),
        types: found.reduce((types, part) => types | part.types, 0),
      };
    });
  }

  text(term: string, label: string | null, resultType: ResultType, signal?: AbortSignal): Promise<Uint8Array[]> {
    const query = { term, label, mask: resultMasks[resultType] };
    return this.host.task(async () => {
      prepareCaseTable(this.host.core.instance);
      return listOf(await scan(this.host, scanTextJob, query, textEffort, signal));
    });
  }
}

/** What each part of the ids gives. */
async function scan<Query, Found>(
  { core, graph, jobs }: ScanHost,
  kind: JobKind<{ graph: number; from: number; to: number; query: Query }, Found>,
  query: Query,
  { shortIds, partIds }: Effort,
  signal: AbortSignal | undefined,
): Promise<Found[]> {
  const end = core.nextId(graph);
  const parts = Math.max(1, Math.min(jobs.partsNow, Math.floor(end / partIds)));
  const bound = (part: number): number => Math.floor((end * part) / parts);
  const requests = Array.from({ length: parts }, (_, i) => ({ graph, query, from: bound(i), to: bound(i + 1) }));
  return jobs.runParts(kind, requests, end <= shortIds, { signal });
}

function listOf(parts: readonly (readonly Uint8Array[])[]): Uint8Array[] {
  const list = new ListWriter('[');
  for (const pieces of parts) for (const piece of pieces) list.add(piece);
  return list.end(']');
}
