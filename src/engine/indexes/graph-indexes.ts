// The indexes of one loaded graph. Writes are transactions like any other and go the way of all writes; scans are one core call, on a
// thread of their own where they may look at every key of a large index.

import {
  findIndex,
  type Geometry,
  geometryKey,
  type IndexEntry,
  IndexKind,
  type IndexMiss,
  type IndexQuery,
  indexEntry,
  indexKeyTypes,
  listIndexes,
  placesInIndex,
  scanIndex,
  scanIndexNear,
  scanIndexRange,
} from '../../core/indexes.ts';
import type { WriteOperation } from '../../core/requests.ts';
import { idsAsJson } from '../../core/scans.ts';
import { CoreStatus } from '../../core/status.ts';
import { TypeId } from '../../core/values.ts';
import { readDefinition } from '../../core/vectors.ts';
import { resultOf } from '../jobs/failure.ts';
import { ListWriter } from '../list-writer.ts';
import { resultMasks } from '../scans.ts';
import type { WriteOutcome } from '../types.ts';
import type { GraphAccess } from './access.ts';
import { unlessRefused } from './expressions/nodes.ts';
import { fillIndex } from './fill.ts';
import { fulltextJob } from './fulltext-job.ts';
import { capabilitiesOf, type IndexOptions, isIndexName, pluginOf, pluginTypeOf } from './plugins.ts';
import { indexScanJob, nearScanJob } from './scan-job.ts';
import type {
  BackfillRequest,
  BackfillResult,
  IndexInfo,
  IndexRangeScan,
  IndexScan,
  IndexSet,
  IndexWrite,
  WordQuery,
} from './types.ts';
import type { WordHits } from './word-hits.ts';
import { wordsRequest } from './word-query.ts';
import { wordsJob } from './words-job.ts';

/** Keys that a scan looks at on the writer's thread: about half a millisecond. */
const keysAtOnce = 10_000;
/** Ids made into JSON at once. */
const idsAtOnce = 262_144;
const operatorEquals = 0;

export interface IndexHost {
  /** The engine behind the graph now: a restore puts another one in its place. */
  readonly access: () => GraphAccess;
  readonly write: (operations: readonly WriteOperation[]) => WriteOutcome;
}

export class GraphIndexes implements IndexSet {
  private readonly host: IndexHost;

  constructor(host: IndexHost) {
    this.host = host;
  }

  list(): IndexInfo[] {
    const { core, graph } = this.host.access();
    return listIndexes(core.instance, graph).map(infoOf);
  }

  find(indexId: string): IndexInfo | null {
    const entry = this.entry(indexId);
    return entry === null ? null : infoOf(entry);
  }

  create(indexId: string, pluginType: string, options: IndexOptions, overHttp: boolean): IndexWrite {
    const plugin = pluginOf(pluginType);
    if (plugin === undefined || (overHttp && !plugin.overHttp) || this.entry(indexId) !== null) return false;
    const definition = isIndexName(indexId) ? plugin.define(options) : undefined;
    if (definition === undefined) return false;
    return this.host.write([{ kind: 'createIndex', index: indexId, indexKind: plugin.kind, definition }]);
  }

  drop(indexId: string): IndexWrite {
    return this.written([{ kind: 'dropIndex', index: indexId }]);
  }

  add(indexId: string, element: number, type: TypeId, text: string): IndexWrite {
    return this.written([{ kind: 'addToIndex', index: indexId, element, type, text }]);
  }

  removeElement(indexId: string, element: number): IndexWrite {
    return this.written([{ kind: 'removeFromIndex', index: indexId, element }]);
  }

  removeKey(indexId: string, type: TypeId, text: string): IndexWrite | null {
    const { core, graph } = this.host.access();
    const query: IndexQuery = {
      index: indexId,
      operator: operatorEquals,
      type,
      text,
      label: null,
      mask: resultMasks.Both,
    };
    const ids = scanIndex(core.instance, graph, query);
    if (ids === 'badValue') return null;
    if (typeof ids === 'string' || ids.length === 0) return false;
    return this.written([{ kind: 'removeIndexKey', index: indexId, type, text }]);
  }

  /** A missing index or element is no error of a write to an index. */
  private written(operations: readonly WriteOperation[]): IndexWrite {
    const outcome = this.host.write(operations);
    return !outcome.ok && outcome.status === CoreStatus.notFound ? false : outcome;
  }

  backfill(request: BackfillRequest, signal?: AbortSignal): Promise<BackfillResult> {
    const access = this.host.access();
    return access.task(async () => {
      const entry = this.entry(request.index);
      if (entry === null) return { ok: false, reason: 'noIndex' };
      if (!capabilitiesOf(entry.kind).includes('equality')) return { ok: false, reason: 'noEquality' };
      try {
        return await fillIndex(access, request, signal);
      } finally {
        if (access.obstacle() === null) access.core.instance.exports.imageTrim();
      }
    });
  }

  scan(scan: IndexScan, signal?: AbortSignal): Promise<Uint8Array[] | null> {
    const { index, operator, type, text, label } = scan;
    const query: IndexQuery = { index, operator, type, text, label, mask: resultMasks[scan.resultType] };
    const access = this.host.access();
    return access.task(async () => {
      const { core, graph, jobs } = access;
      const few = operator === operatorEquals || (this.entry(index)?.keys ?? 0) <= keysAtOnce;
      const ids = few
        ? scanIndex(core.instance, graph, query)
        : resultOf(await jobs.run(indexScanJob, { graph, query }, { signal }));
      if (typeof ids === 'string' || operator === operatorEquals) return this.answer(access, ids, signal);
      return this.answer(access, ascending(ids, core.nextId(graph)), signal);
    });
  }

  scanRange(scan: IndexRangeScan, signal?: AbortSignal): Promise<Uint8Array[] | null> {
    const { resultType, ...query } = scan;
    const access = this.host.access();
    return access.task(async () => {
      const { core, graph } = access;
      return this.answer(
        access,
        scanIndexRange(core.instance, graph, { ...query, mask: resultMasks[resultType] }),
        signal,
      );
    });
  }

  keyTypes(indexId: string): number {
    const { core, graph } = this.host.access();
    return indexKeyTypes(core.instance, graph, indexId);
  }

  addGeometry(indexId: string, element: number, geometry: Geometry): IndexWrite {
    const { low, high } = geometry;
    const isBox = low.length > 0 && low.length === high.length && low.every((value, i) => value <= (high[i] as number));
    const isPlace = [...low, ...high].every(Number.isFinite);
    if (!isBox || !isPlace || this.entry(indexId)?.kind !== IndexKind.spatial) return false;
    return this.written([
      { kind: 'addToIndex', index: indexId, element, type: TypeId.string, text: geometryKey(geometry) },
    ]);
  }

  scanSpatial(
    indexId: string,
    element: number,
    distance: number,
    signal?: AbortSignal,
  ): Promise<readonly number[] | null> {
    const access = this.host.access();
    return access.task(async () => {
      const { core, graph, jobs } = access;
      const places = placesInIndex(core.instance, graph, indexId, element);
      if (typeof places === 'string') return null;
      const few = (this.entry(indexId)?.keys ?? 0) <= keysAtOnce;
      const ids = few
        ? scanIndexNear(core.instance, graph, indexId, places, distance)
        : resultOf(await jobs.run(nearScanJob, { graph, index: indexId, places, distance }, { signal }));
      return typeof ids === 'string' ? null : Array.from(ascending(ids, core.nextId(graph)));
    });
  }

  fulltext(indexId: string, expression: string, timeoutMs: number, signal?: AbortSignal): Promise<Uint8Array[] | null> {
    const access = this.host.access();
    return access.task(async () => {
      // Where there is nothing to scan the expression does not matter.
      if (this.entry(indexId)?.kind !== IndexKind.regex) return null;
      const { graph, jobs } = access;
      const request = { graph, index: indexId, expression };
      return unlessRefused(resultOf(await jobs.run(fulltextJob, request, { signal, timeoutMs })));
    });
  }

  words(query: WordQuery, signal?: AbortSignal): Promise<WordHits | null> {
    const access = this.host.access();
    return access.task(async () => {
      if (this.entry(query.index)?.kind !== IndexKind.regex) return null;
      const { graph, jobs } = access;
      const request = { graph, ...wordsRequest(query) };
      if (request.words.length === 0) return { ids: new Uint32Array(0), scores: new Float64Array(0) };
      return unlessRefused(resultOf(await jobs.run(wordsJob, request, { signal, timeoutMs: query.timeoutMs })));
    });
  }

  private async answer(
    access: GraphAccess,
    ids: Uint32Array | IndexMiss,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array[] | null> {
    if (ids === 'badValue') return null;
    const list = new ListWriter('[');
    const found = typeof ids === 'string' ? new Uint32Array(0) : ids;
    for (let from = 0; from < found.length; from += idsAtOnce) {
      if (from > 0) await access.nextSlice(signal);
      list.add(idsAsJson(access.core.instance, found.subarray(from, from + idsAtOnce)));
    }
    return list.end(']');
  }

  private entry(indexId: string): IndexEntry | null {
    const { core, graph } = this.host.access();
    const index = findIndex(core.instance, graph, indexId);
    return index === 0 ? null : indexEntry(core.instance, index);
  }
}

function infoOf({ name, kind, definition, keys, values }: IndexEntry): IndexInfo {
  const vector = kind === IndexKind.vector ? readDefinition(definition ?? '') : null;
  return {
    indexId: name,
    pluginType: pluginTypeOf(kind),
    embeddingName: vector?.embeddingName ?? null,
    model: vector?.model ?? null,
    capabilities: capabilitiesOf(kind),
    keys,
    values,
  };
}

/** Every id once, ascending; all are below `end`. Many go through one bit an id, few are sorted. */
function ascending(ids: Uint32Array, end: number): Uint32Array {
  if (ids.length < end >>> 8) {
    const sorted = ids.slice().sort();
    return sorted.filter((id, i) => i === 0 || id !== sorted[i - 1]);
  }
  const seen = new Uint32Array((end + 31) >>> 5);
  let count = 0;
  for (const id of ids) {
    const word = seen[id >>> 5] as number;
    const bit = 1 << (id & 31);
    if ((word & bit) !== 0) continue;
    seen[id >>> 5] = word | bit;
    count++;
  }
  const result = new Uint32Array(count);
  let at = 0;
  for (let i = 0; i < seen.length; i++) {
    for (let word = seen[i] as number; word !== 0; word &= word - 1) {
      result[at++] = (i << 5) + 31 - Math.clz32(word & -word);
    }
  }
  return result;
}
