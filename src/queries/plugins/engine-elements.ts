// The graph as a plugin sees it, over one instance of the core. Whoever uses it has called `fragmentBegin` for the graph and is announced.

import { findName } from '../../core/fragments.ts';
import type { CoreInstance } from '../../core/instance.ts';
import { scanPropertySlice } from '../../core/scans.ts';
import { CoreStatus } from '../../core/status.ts';
import { trampoline } from '../../core/trampoline.ts';
import type { TypeId } from '../../core/values.ts';
import type { EngineReader, FoundPath, OpenTransaction, PathInput } from '../../fragments/engine-reader.ts';
import { ExceptionObject, Thrown } from '../../fragments/interpreter/exceptions.ts';
import { LimitError } from '../../fragments/interpreter/machine.ts';
import { CoreElements } from '../fragments/elements.ts';
import type { WriterChannel } from './writer-channel.ts';

/** Ids of one slice of a scan: what it finds fits into the arena. */
const scanIds = 65_536;

let lastFunction = 0;

const kinds = [null, 'vertex', 'edge'] as const;

export class EngineElements extends CoreElements implements EngineReader {
  readonly graphId: string;
  private readonly instance: CoreInstance;
  private readonly graph: number;
  private readonly writer: WriterChannel;

  constructor(instance: CoreInstance, graph: number, graphId: string, writer: WriterChannel) {
    super(instance);
    this.instance = instance;
    this.graph = graph;
    this.graphId = graphId;
    this.writer = writer;
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
