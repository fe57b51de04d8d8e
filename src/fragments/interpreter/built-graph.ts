// A graph that a plugin makes for itself (`new Fallen8()`): plain objects, written to by the transactions that graphs of the engine take. A
// plugin of subgraphs answers one, and the host makes a graph of the engine out of what is in it.

import type { CreateEdge, CreateVertex, PropertyText, WriteOperation } from '../../core/requests.ts';
import type { EdgeDirection, EdgeGroup, PropertyValue } from '../element-reader.ts';
import type { EngineReader, OpenTransaction, WrittenValues } from '../engine-reader.ts';
import { raise } from './exceptions.ts';
import { charge } from './machine.ts';

interface Made {
  readonly operation: (CreateVertex | CreateEdge) & { readonly properties: PropertyText[] };
  readonly values: Map<string, PropertyValue>;
  /** Of a vertex: its live edges in their order. */
  readonly out: number[];
  readonly in: number[];
}

const notThere = (): never => raise('NotSupportedException', 'A graph that a plugin has made has no such thing.');

export class BuiltGraph implements EngineReader {
  readonly graphId: string = crypto.randomUUID();
  /** By id; null: removed. */
  private readonly elements: (Made | null)[] = [];
  vertexCount = 0;
  edgeCount = 0;

  private of(id: number): Made | null {
    return this.elements[id] ?? null;
  }

  isVertex(id: number): boolean {
    return this.kindOf(id) === 'vertex';
  }

  kindOf(id: number): 'vertex' | 'edge' | null {
    const made = this.of(id);
    if (made === null) return null;
    return made.operation.kind === 'createVertex' ? 'vertex' : 'edge';
  }

  ids(kind: 'vertex' | 'edge' | 'any', label: string | null): number[] {
    const found: number[] = [];
    for (const id of this.elements.keys()) {
      const own = this.kindOf(id);
      if (own === null || (kind !== 'any' && own !== kind)) continue;
      if (label === null || this.label(id) === label) found.push(id);
    }
    return found;
  }

  label(id: number): string | null {
    return this.of(id)?.operation.label ?? null;
  }

  property(id: number, key: string): PropertyValue | null {
    return this.of(id)?.values.get(key) ?? null;
  }

  propertyKeys(id: number): readonly string[] {
    return [...(this.of(id)?.values.keys() ?? [])];
  }

  propertyCount(id: number): number {
    return this.of(id)?.values.size ?? 0;
  }

  stringProperties(id: number): Iterable<string> {
    return [...(this.of(id)?.values.values() ?? [])].flatMap((value) => (value.type === 'String' ? [value.value] : []));
  }

  created(id: number): number {
    return this.of(id)?.operation.creationDate ?? 0;
  }

  modified(id: number): number {
    return this.created(id);
  }

  embedding(): Float32Array | null {
    return null;
  }

  embeddingStamp(): string | null {
    return null;
  }

  degree(vertex: number, direction: EdgeDirection): number {
    return this.of(vertex)?.[direction].length ?? 0;
  }

  edgeGroups(vertex: number, direction: EdgeDirection): readonly EdgeGroup[] | null {
    const groups = new Map<string, number[]>();
    for (const id of this.of(vertex)?.[direction] ?? []) {
      const { edgeType } = this.edge(id);
      const known = groups.get(edgeType);
      if (known === undefined) groups.set(edgeType, [id]);
      else known.push(id);
    }
    return groups.size === 0 ? null : Array.from(groups, ([edgeType, edges]) => ({ edgeType, edges }));
  }

  edge(id: number): { source: number; target: number; edgeType: string } {
    const operation = this.of(id)?.operation;
    return operation?.kind === 'createEdge' ? operation : { source: -1, target: -1, edgeType: '' };
  }

  scan = notThere;
  scanTexts = notThere;
  indexScan = notThere;
  indexRange = notThere;
  fulltext = notThere;
  nearest = notThere;
  paths = notThere;
  analytics = notThere;
  plugin = notThere;
  /** What a graph says goes to the log of the one that the plugin runs over. */
  log = notThere;

  transaction(): OpenTransaction {
    return { firstId: this.elements.length, commit: (operations, values) => this.commit(operations, values), end() {} };
  }

  private commit(operations: readonly WriteOperation[], { made, changed }: WrittenValues): null {
    for (const operation of operations) {
      switch (operation.kind) {
        case 'createVertex':
        case 'createEdge':
          this.add(operation, made.get(this.elements.length) ?? new Map());
          break;
        case 'setProperty':
          this.set(operation.element, operation as PropertyText & typeof operation, changed);
          break;
        case 'removeProperty':
          this.unset(operation.element, operation.key);
          break;
        case 'removeElement':
          this.remove(operation.element);
          break;
        default:
          notThere();
      }
    }
    return null;
  }

  private add(operation: CreateVertex | CreateEdge, values: ReadonlyMap<string, PropertyValue>): void {
    const id = this.elements.length;
    const properties = [...operation.properties];
    this.elements.push({ operation: { ...operation, properties }, values: new Map(values), out: [], in: [] });
    if (operation.kind === 'createVertex') {
      this.vertexCount++;
      return;
    }
    this.edgeCount++;
    this.of(operation.source)?.out.push(id);
    this.of(operation.target)?.in.push(id);
  }

  private set(id: number, { key, type, text }: PropertyText, changed: WrittenValues['changed']): void {
    const made = this.of(id);
    const value = changed.get(`${id} ${key}`);
    if (made === null || value == null) return;
    this.unset(id, key);
    made.operation.properties.push({ key, type, text });
    made.values.set(key, value);
  }

  private unset(id: number, key: string): void {
    const made = this.of(id);
    if (made === null || !made.values.delete(key)) return;
    made.operation.properties.splice(
      made.operation.properties.findIndex((one) => one.key === key),
      1,
    );
  }

  private remove(id: number): void {
    const made = this.of(id);
    if (made === null) return;
    for (const edge of [...made.out, ...made.in]) this.remove(edge);
    this.elements[id] = null;
    if (made.operation.kind === 'createVertex') {
      this.vertexCount--;
      return;
    }
    this.edgeCount--;
    const { source, target } = made.operation;
    for (const edges of [this.of(source)?.out, this.of(target)?.in]) {
      charge((edges?.length ?? 0) >> 4);
      const at = edges?.indexOf(id) ?? -1;
      if (at >= 0) edges?.splice(at, 1);
    }
  }

  /** What makes the same graph, without the holes that removals have left. */
  contents(): (CreateVertex | CreateEdge)[] {
    const numbers = new Map<number, number>();
    const contents: (CreateVertex | CreateEdge)[] = [];
    for (const [id, made] of this.elements.entries()) {
      if (made === null) continue;
      numbers.set(id, contents.length);
      const { operation } = made;
      contents.push(
        operation.kind === 'createVertex'
          ? operation
          : {
              ...operation,
              source: numbers.get(operation.source) as number,
              target: numbers.get(operation.target) as number,
            },
      );
    }
    return contents;
  }
}
