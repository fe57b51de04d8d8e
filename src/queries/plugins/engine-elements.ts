// The graph as a plugin sees it, over one instance of the core. Whoever uses it has called `fragmentBegin` for the graph and is announced.

import { findName } from '../../core/fragments.ts';
import { type TextCursor, textCandidates } from '../../core/index-text.ts';
import { findIndex, IndexKind, indexEntry, scanIndex, scanIndexRange } from '../../core/indexes.ts';
import type { CoreInstance } from '../../core/instance.ts';
import { scanPropertySlice, scanTextSlice } from '../../core/scans.ts';
import { CoreStatus } from '../../core/status.ts';
import { trampoline } from '../../core/trampoline.ts';
import type { TypeId } from '../../core/values.ts';
import { maxResults as mostNearest, readDefinition, searchVectors, vectorMetrics } from '../../core/vectors.ts';
import { matcherOf, preparedOrRefusal } from '../../engine/indexes/expressions/expression.ts';
import type {
  AnalyticsInput,
  EngineReader,
  FoundPath,
  FulltextHit,
  IndexLimits,
  NearestHits,
  OpenTransaction,
  PathInput,
} from '../../fragments/engine-reader.ts';
import { ExceptionObject, Thrown } from '../../fragments/interpreter/exceptions.ts';
import { LimitError } from '../../fragments/interpreter/machine.ts';
import { CoreElements } from '../fragments/elements.ts';
import { builtInAnalytics } from './built-in-analytics.ts';
import type { WriterChannel } from './writer-channel.ts';

/** Ids of one slice of a scan: what it finds fits into the arena. */
const scanIds = 65_536;
/** Of both kinds. */
const anyKind = 3;
/** Texts that an expression is matched with between two looks at the clock. */
const textsAtOnce = 256;

let lastFunction = 0;

const kinds = [null, 'vertex', 'edge'] as const;

export class EngineElements extends CoreElements implements EngineReader {
  readonly graphId: string;
  private readonly instance: CoreInstance;
  private readonly graph: number;
  private readonly writer: WriterChannel;
  /** Runs another plugin of the namespace. */
  readonly plugin: EngineReader['plugin'];

  constructor(
    instance: CoreInstance,
    graph: number,
    graphId: string,
    writer: WriterChannel,
    plugin: EngineReader['plugin'] = () => null,
  ) {
    super(instance);
    this.instance = instance;
    this.graph = graph;
    this.graphId = graphId;
    this.writer = writer;
    this.plugin = plugin;
  }

  get vertexCount(): number {
    return this.instance.exports.vertexCount(this.graph) >>> 0;
  }

  get edgeCount(): number {
    return this.instance.exports.edgeCount(this.graph) >>> 0;
  }

  kindOf(id: number): 'vertex' | 'edge' | null {
    return kinds[this.instance.exports.fragmentKind(id)] ?? null;
  }

  ids(kind: 'vertex' | 'edge' | 'any', label: string | null): number[] {
    const { exports } = this.instance;
    const found: number[] = [];
    const wanted = label === null ? null : findName(this.instance, label);
    // A name that no element has.
    if (label !== null && wanted === null) return found;
    const number = kinds.indexOf(kind === 'any' ? null : kind);
    const count = exports.nextId(this.graph) >>> 0;
    for (let id = 0; id < count; id++) {
      const own = exports.fragmentKind(id);
      if (own === 0 || (number > 0 && own !== number)) continue;
      if (wanted === null || exports.fragmentLabelId(id) === wanted) found.push(id);
    }
    return found;
  }

  scan(key: string, operator: number, type: TypeId, text: string, label: string | null): number[] {
    const found: number[] = [];
    const count = this.instance.exports.nextId(this.graph) >>> 0;
    const query = { key, operator, type, text, label, mask: 3 } as const;
    for (let from = 0; from < count; from += scanIds) {
      const ids = scanPropertySlice(this.instance, this.graph, query, from, Math.min(count, from + scanIds));
      for (const id of ids ?? []) found.push(id);
    }
    return found;
  }

  scanTexts(term: string, label: string | null): number[] {
    const found: number[] = [];
    const count = this.instance.exports.nextId(this.graph) >>> 0;
    const query = { term, label, mask: anyKind } as const;
    for (let from = 0; from < count; from += scanIds) {
      this.writer.look();
      for (const id of scanTextSlice(this.instance, this.graph, query, from, Math.min(count, from + scanIds))) {
        found.push(id);
      }
    }
    return found;
  }

  propertyKeys(id: number): readonly string[] {
    const { exports } = this.instance;
    if (exports.readElement(this.graph, id, exports.fragmentKind(id)) !== CoreStatus.ok) return [];
    const { properties } = JSON.parse(new TextDecoder().decode(this.instance.takeOutput())) as {
      readonly properties: readonly { readonly propertyId: string }[];
    };
    return properties.map(({ propertyId }) => propertyId);
  }

  indexScan(index: string, operator: number, type: TypeId, text: string): number[] | null {
    const query = { index, operator, type, text, label: null, mask: anyKind } as const;
    const ids = scanIndex(this.instance, this.graph, query);
    return typeof ids === 'string' ? null : [...new Set(ids.sort())];
  }

  indexRange(index: string, range: IndexLimits): number[] | null {
    const ids = scanIndexRange(this.instance, this.graph, { index, ...range, mask: anyKind });
    return typeof ids === 'string' ? null : Array.from(ids);
  }

  fulltext(index: string, expression: string): FulltextHit[] | null {
    const prepared = preparedOrRefusal(expression);
    if ('refused' in prepared) throw new Thrown(new ExceptionObject('ArgumentException', prepared.refused));
    const match = matcherOf(prepared);
    const hits = new Map<number, { highlights: readonly string[]; score: number }>();
    let tried = 0;
    for (let cursor: TextCursor | null = { class: 0, slot: 0 }; cursor !== null; ) {
      const found = textCandidates(this.instance, this.graph, index, prepared.literals, cursor);
      if (found === null) return null;
      for (const { text, ids } of found.keys) {
        if (++tried % textsAtOnce === 0) this.writer.look();
        const matches = match(text);
        if (matches === null) continue;
        for (const id of ids) {
          const { highlights, score } = hits.get(id) ?? { highlights: [], score: 0 };
          const all = [...new Set([...highlights, ...matches.highlights])];
          hits.set(id, { highlights: all, score: score + matches.count });
        }
      }
      cursor = found.next;
    }
    return Array.from(hits, ([id, hit]) => ({ id, ...hit })).sort((left, right) => left.id - right.id);
  }

  nearest(index: string, vector: Float32Array, k: number, kinds: 1 | 2 | 3, label: string | null): NearestHits | null {
    const { instance, graph } = this;
    const address = findIndex(instance, graph, index);
    const entry = address === 0 ? null : indexEntry(instance, address);
    if (entry?.kind !== IndexKind.vector || k < 1) return null;
    const { dimension, metric } = readDefinition(entry.definition ?? '');
    if (vector.length !== dimension || !vector.every(Number.isFinite)) return null;
    const query = { vector, k: Math.min(k, mostNearest), mask: kinds, label };
    for (;;) {
      const hits = searchVectors(instance, { graph, index, dimension, queries: [query] }, null);
      if (hits === 'stopped') this.writer.look();
      else if (hits === null) return null;
      else {
        const [{ ids, scores }] = hits as [(typeof hits)[number]];
        return { metric: vectorMetrics.indexOf(metric), ids: Array.from(ids), scores: Array.from(scores) };
      }
    }
  }

  log(level: number, line: string): void {
    this.writer.log(level, line);
  }

  paths(algorithm: string, search: PathInput): readonly FoundPath[] | null {
    const { exports, functions } = this.instance;
    if (algorithm !== 'BLS' && algorithm !== 'DIJKSTRA') return null;
    if (search.maxDepth === 0 || search.maxResults === 0) return [];
    const install = (result: 'i32' | 'f64', call: ((id: number) => boolean | number) | null): number =>
      call === null
        ? 0
        : functions.install(`plugin path ${++lastFunction}`, () => [trampoline(result, (id) => Number(call(id)))]);
    const { typeFilter } = search;
    exports.pathFunctions(
      install('i32', search.vertexFilter),
      install('i32', search.edgeFilter),
      install('i32', typeFilter && ((id) => typeFilter(this.name(id) ?? ''))),
      install('f64', search.vertexCost),
      install('f64', search.edgeCost),
    );
    exports.pathBlocks(0, 0);
    const mark = exports.fragmentMark();
    try {
      const { from, to, maxDepth, maxResults, maxWeight } = search;
      const status =
        algorithm === 'BLS'
          ? exports.pathFewestHops(this.graph, from, to, maxDepth, maxResults)
          : exports.pathWeighted(this.graph, from, to, maxDepth, maxResults, maxWeight);
      if (status === CoreStatus.stopped) throw new LimitError('cancelled');
      if (status !== CoreStatus.ok) throw new Thrown(new ExceptionObject('OutOfMemoryException', null));
      return (JSON.parse(new TextDecoder().decode(this.instance.takeOutput())) as PathJson[]).map(foundPath);
    } finally {
      exports.fragmentRelease(mark);
    }
  }

  analytics(algorithm: string, input: AnalyticsInput): ReturnType<EngineReader['analytics']> {
    return builtInAnalytics(this.instance, this.writer, algorithm, input);
  }

  transaction(): OpenTransaction | string {
    return this.writer.begin();
  }
}

interface PathJson {
  readonly pathElements: readonly {
    readonly sourceVertexId: number;
    readonly targetVertexId: number;
    readonly edgeId: number;
    readonly edgePropertyId: string;
    readonly direction: number;
    readonly weight: number;
  }[];
  readonly totalWeight: number;
}

function foundPath({ pathElements, totalWeight }: PathJson): FoundPath {
  const steps = pathElements.map((one) => ({
    ...{ source: one.sourceVertexId, target: one.targetVertexId, edge: one.edgeId },
    ...{ edgeType: one.edgePropertyId, direction: one.direction, weight: one.weight },
  }));
  return { steps, weight: totalWeight };
}
