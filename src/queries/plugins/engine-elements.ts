// The graph as a plugin sees it, over one instance of the core. Whoever uses it has called `fragmentBegin` for the graph and is announced.

import type { CoreInstance } from '../../core/instance.ts';
import type { EngineReader } from '../../fragments/engine-reader.ts';
import { CoreElements } from '../fragments/elements.ts';

const kinds = [null, 'vertex', 'edge'] as const;

export class EngineElements extends CoreElements implements EngineReader {
  readonly graphId: string;
  private readonly instance: CoreInstance;
  private readonly graph: number;

  constructor(instance: CoreInstance, graph: number, graphId: string) {
    super(instance);
    this.instance = instance;
    this.graph = graph;
    this.graphId = graphId;
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
    const count = exports.nextId(this.graph) >>> 0;
    for (let id = 0; id < count; id++) {
      const own = this.kindOf(id);
      if (own === null || (kind !== 'any' && own !== kind)) continue;
      if (label === null || this.label(id) === label) found.push(id);
    }
    return found;
  }
}
