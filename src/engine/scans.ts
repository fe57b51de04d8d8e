// Scans over a whole graph: short ones on the writer's thread, long ones as jobs, the longest in parts on several threads.

import type { Core } from '../core/core.ts';
import { type PropertyQuery, prepareCaseTable, type TextQuery } from '../core/scans.ts';
import type { GraphJobs } from './jobs/graph-jobs.ts';
import { scanPropertyJob, scanTextJob } from './jobs/scan.ts';
import type { JobKind } from './jobs/types.ts';
import { ListWriter } from './list-writer.ts';

/** What a scan needs of its namespace. */
export interface ScanSource {
  readonly core: Core;
  readonly graph: number;
  readonly jobs: GraphJobs;
}

/** Ids that one thread does in about 100 µs, and in some ms: below the first nobody is asked, below the second it is not split. */
interface Effort {
  readonly shortIds: number;
  readonly partIds: number;
}

const propertyEffort: Effort = { shortIds: 16_384, partIds: 524_288 };
const textEffort: Effort = { shortIds: 2048, partIds: 65_536 };

/** Ids of the elements whose property satisfies the query, as a JSON list; null when the literal is not a value of its type. */
export function scanProperty(
  source: ScanSource,
  query: PropertyQuery,
  signal: AbortSignal | undefined,
): Promise<Uint8Array[] | null> {
  return scan(source, scanPropertyJob, query, propertyEffort, signal);
}

/** Ids of the elements with a property value whose text contains the term, as a JSON list. */
export async function scanText(
  source: ScanSource,
  query: TextQuery,
  signal: AbortSignal | undefined,
): Promise<Uint8Array[]> {
  prepareCaseTable(source.core.instance);
  return (await scan(source, scanTextJob, query, textEffort, signal)) as Uint8Array[];
}

async function scan<Query>(
  { core, graph, jobs }: ScanSource,
  kind: JobKind<{ graph: number; from: number; to: number; query: Query }, Uint8Array[] | null>,
  query: Query,
  { shortIds, partIds }: Effort,
  signal: AbortSignal | undefined,
): Promise<Uint8Array[] | null> {
  const end = core.nextId(graph);
  const parts = Math.max(1, Math.min(jobs.partsNow, Math.floor(end / partIds)));
  const bound = (part: number): number => Math.floor((end * part) / parts);
  const requests = Array.from({ length: parts }, (_, i) => ({ graph, query, from: bound(i), to: bound(i + 1) }));
  const found = await jobs.runParts(kind, requests, end <= shortIds, { signal });
  const list = new ListWriter('[');
  for (const pieces of found) {
    if (pieces === null) return null;
    for (const piece of pieces) list.add(piece);
  }
  return list.end(']');
}
