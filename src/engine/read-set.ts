// Reads of one graph.

import type { GroupPart } from '../core/core.ts';
import type { JsonBody } from './answer-stream.ts';
import type { OneRead } from './jobs/one-read.ts';
import type { Direction, ElementKind } from './types.ts';

/** Reads of a graph by id: single core calls unless they return a promise. */
export interface ReadSet {
  /** JSON of one element in the read shape; null when absent or of the other kind. The bytes are the caller's. */
  element(id: number, kind: ElementKind): Uint8Array | null;
  /** `{ "elements": [...], "notFound": [...] }` for ids in request order, duplicates collapsed. */
  elements(ids: readonly number[], signal?: AbortSignal): Promise<JsonBody>;
  /** `{ "edges": [...], "vertices": [...] }`, at most `maxElements` of each, ascending ids. */
  graph(maxElements: number, signal?: AbortSignal): Promise<JsonBody>;
  /** As `element`, `edgeTypes` or `edgeGroup`; undefined: it takes long, so ask `long`. */
  short(read: OneRead): Uint8Array | null | undefined;
  /** What `short` would answer, from another thread where there is one. */
  long(read: OneRead, signal?: AbortSignal): Promise<JsonBody | null>;
  /** JSON array of edge types; null when the vertex is missing. */
  edgeTypes(id: number, direction: Direction): Uint8Array | null;
  /** JSON array of edge ids, or of those behind one of them, at most `limit`; null when vertex or group is missing. */
  edgeGroup(id: number, direction: Direction, edgeType: string): Uint8Array | null;
  edgeGroupPart(id: number, direction: Direction, edgeType: string, part: GroupPart): Uint8Array | null;
  degree(id: number, direction: Direction): number | null; // null when the vertex is missing
  /** Null when the vertex is missing, 0 when it lacks the group. */
  groupDegree(id: number, direction: Direction, edgeType: string): number | null;
  endpoint(id: number, end: 'source' | 'target'): number | null; // null when the edge is missing
  edgeType(id: number): string | null; // null when the edge is missing
  /** Whether an element has had this label, edge type or property since the last erase. */
  knowsName(name: string): boolean;
  /** Labels, edge types and properties that a misspelt name may mean: the newest 1,000 of at most 40 bytes. */
  listedNames(): readonly string[];
  /** The id that the next element gets; it holds until somebody writes, so at most for this turn. */
  nextId(): number;
}
