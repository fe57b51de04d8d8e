// A transaction that a plugin makes: its body runs at once, over a context that notes what it wants changed, and what it has created can be
// read before it is there. What the body asked for is committed as one transaction when it returns, and dropped when it throws.

import type { CreateEdge, CreateVertex, PropertyText, WriteOperation } from '../../core/requests.ts';
import { type TypeId, typeIdOf, TypeId as types } from '../../core/values.ts';
import type { EdgeDirection, EdgeGroup, ElementReader, PropertyValue } from '../element-reader.ts';
import type { EngineReader, OpenTransaction, WrittenValues } from '../engine-reader.ts';
import { ElementObject } from './elements.ts';
import { badArgument, invalidOperation, raise, Thrown } from './exceptions.ts';
import { allocate, charge } from './machine.ts';
import { runtimeType } from './runtime-types.ts';
import type { DateTimeValue, GuidValue, KeyValue, TimeSpanValue } from './structs.ts';
import { objectText } from './to-text.ts';
import { Boxed, over, type Value } from './values.ts';

/** How the texts of these types are read back to the same value. */
const formats: Readonly<Record<string, string>> = {
  DateTime: 'o',
  DateTimeOffset: 'o',
  TimeSpan: 'c',
  Single: 'R',
  Double: 'R',
};

/** A value seen as object in the form in which properties are written; throws when no property has its type. */
export function propertyText(value: Value): { readonly type: TypeId; readonly text: string } {
  if (typeof value === 'string') return { type: types.string, text: value };
  const type = value instanceof Boxed ? typeIdOf(value.type.name) : types.none;
  if (type === types.none) return badArgument('The value is of no type that a property has.');
  return { type, text: objectText(value, formats[(value as Boxed).type.name] ?? null) };
}

function propertyValue(value: Value): PropertyValue {
  if (typeof value === 'string') return { type: 'String', value };
  const { type, value: bare } = value as Boxed;
  switch (type.name) {
    case 'Guid':
      return { type: 'Guid', value: (bare as GuidValue).text };
    case 'Decimal':
      return { type: 'Decimal', value: objectText(value, null) };
    case 'TimeSpan':
      return { type: 'TimeSpan', value: (bare as TimeSpanValue).ticks };
    case 'DateTime':
      return { type: 'DateTime', value: { ticks: (bare as DateTimeValue).ticks, kind: (bare as DateTimeValue).kind } };
    default:
      return { type: type.name, value: bare } as PropertyValue;
  }
}

interface Pending {
  readonly operation: (CreateVertex | CreateEdge) & { readonly properties: PropertyText[] };
  readonly values: Map<string, PropertyValue>;
}

/** The graph with what the transaction has created; once that is committed, the graph alone. */
class PendingElements implements ElementReader, WrittenValues, Pick<EngineReader, 'propertyKeys'> {
  private readonly graph: EngineReader;
  readonly pending = new Map<number, Pending>();
  /** Properties of elements that were there before, by id and key; null: removed. */
  readonly changed = new Map<string, PropertyValue | null>();
  isCommitted = false;

  constructor(graph: EngineReader) {
    this.graph = graph;
  }

  get made(): WrittenValues['made'] {
    return new Map(Array.from(this.pending, ([id, { values }]) => [id, values]));
  }

  private of(id: number): Pending | undefined {
    return this.isCommitted ? undefined : this.pending.get(id);
  }

  isVertex(id: number): boolean {
    const own = this.of(id);
    return own === undefined ? this.graph.isVertex(id) : own.operation.kind === 'createVertex';
  }

  label(id: number): string | null {
    const own = this.of(id);
    return own === undefined ? this.graph.label(id) : own.operation.label;
  }

  property(id: number, key: string): PropertyValue | null {
    const own = this.of(id);
    if (own !== undefined) return own.values.get(key) ?? null;
    const changed = this.isCommitted ? undefined : this.changed.get(`${id} ${key}`);
    return changed === undefined ? this.graph.property(id, key) : changed;
  }

  propertyKeys(id: number): readonly string[] {
    const own = this.of(id);
    if (own !== undefined) return [...own.values.keys()];
    const keys = new Set(this.graph.propertyKeys(id));
    if (!this.isCommitted) {
      for (const [place, value] of this.changed) {
        if (!place.startsWith(`${id} `)) continue;
        const key = place.slice(`${id} `.length);
        if (value === null) keys.delete(key);
        else keys.add(key);
      }
    }
    return [...keys];
  }

  propertyCount(id: number): number {
    return this.of(id)?.values.size ?? this.graph.propertyCount(id);
  }

  stringProperties(id: number): Iterable<string> {
    const own = this.of(id);
    if (own === undefined) return this.graph.stringProperties(id);
    return [...own.values.values()].flatMap((value) => (value.type === 'String' ? [value.value] : []));
  }

  created(id: number): number {
    return this.of(id)?.operation.creationDate ?? this.graph.created(id);
  }

  modified(id: number): number {
    return this.of(id)?.operation.creationDate ?? this.graph.modified(id);
  }

  embedding(id: number, name: string): Float32Array | null {
    return this.of(id) === undefined ? this.graph.embedding(id, name) : null;
  }

  embeddingStamp(id: number, name: string): string | null {
    return this.of(id) === undefined ? this.graph.embeddingStamp(id, name) : null;
  }

  degree(vertex: number, direction: EdgeDirection): number {
    if (this.of(vertex) === undefined) return this.graph.degree(vertex, direction);
    return (this.edgeGroups(vertex, direction) ?? []).reduce((sum, { edges }) => sum + edges.length, 0);
  }

  /** Of a vertex that was there before: without the edges of the transaction. */
  edgeGroups(vertex: number, direction: EdgeDirection): readonly EdgeGroup[] | null {
    if (this.of(vertex) === undefined) return this.graph.edgeGroups(vertex, direction);
    const groups = new Map<string, number[]>();
    charge(this.pending.size);
    for (const [id, { operation }] of this.pending) {
      if (operation.kind !== 'createEdge' || operation[direction === 'out' ? 'source' : 'target'] !== vertex) continue;
      groups.set(operation.edgeType, [...(groups.get(operation.edgeType) ?? []), id]);
    }
    return groups.size === 0 ? null : Array.from(groups, ([edgeType, edges]) => ({ edgeType, edges }));
  }

  edge(id: number): { source: number; target: number; edgeType: string } {
    const operation = this.of(id)?.operation;
    return operation?.kind === 'createEdge' ? operation : this.graph.edge(id);
  }
}

/** IFallen8WriterContext: valid as long as the body runs. */
export class WriterContextObject {
  readonly type = runtimeType({ kind: 'named', name: 'IFallen8WriterContext', arguments: [] });
  readonly elements: PendingElements;
  readonly operations: WriteOperation[] = [];
  isOver = false;
  private readonly graph: EngineReader;
  private nextId: number;

  constructor(graph: EngineReader, firstId: number) {
    this.graph = graph;
    this.elements = new PendingElements(graph);
    this.nextId = firstId;
  }

  createVertex(creationDate: number, label: string | null, properties: Value): ElementObject {
    const id = this.create({ kind: 'createVertex', creationDate, label, properties: [] }, properties);
    return new ElementObject(this.elements, id, true);
  }

  /** Null when an end is not there. */
  createEdge(ends: Pick<CreateEdge, 'source' | 'target' | 'edgeType'>, rest: Value[]): ElementObject | null {
    const [creationDate, label, properties] = rest;
    this.check();
    if (!this.hasVertex(ends.source) || !this.hasVertex(ends.target)) return null;
    const id = this.create({ kind: 'createEdge', creationDate, label, ...ends, properties: [] }, properties);
    return new ElementObject(this.elements, id, false);
  }

  /** Adds it, or finds that it is there and the same. */
  setProperty(element: number, key: string, value: Value): void {
    this.check();
    const { type, text } = propertyText(value);
    const known = this.elements.property(element, key);
    if (known !== null) {
      const wanted = propertyValue(value);
      if (known.type === wanted.type && String(known.value) === String(wanted.value)) return;
      badArgument(`The element ${element} has another value of '${key}'; remove it first.`);
    }
    const own = this.elements.pending.get(element);
    if (own !== undefined) {
      own.operation.properties.push({ key, type, text });
      own.values.set(key, propertyValue(value));
    } else {
      this.elements.changed.set(`${element} ${key}`, propertyValue(value));
      this.note({ kind: 'setProperty', element, key, type, text });
    }
  }

  removeProperty(element: number, key: string): void {
    this.check();
    const own = this.elements.pending.get(element);
    if (own === undefined) {
      this.elements.changed.set(`${element} ${key}`, null);
      this.note({ kind: 'removeProperty', element, key });
    } else if (own.values.delete(key)) {
      own.operation.properties.splice(
        own.operation.properties.findIndex((one) => one.key === key),
        1,
      );
    }
  }

  remove(element: number): boolean {
    this.check();
    if (this.elements.pending.has(element)) invalidOperation('The element was created by the same transaction.');
    if (this.graph.kindOf(element) === null) return false;
    this.note({ kind: 'removeElement', element, skipRemoved: true });
    return true;
  }

  private hasVertex(id: number): boolean {
    return this.elements.pending.get(id)?.operation.kind === 'createVertex' || this.graph.kindOf(id) === 'vertex';
  }

  private create(operation: Pending['operation'], properties: Value): number {
    this.check();
    const values = new Map<string, PropertyValue>();
    for (const { key, value } of properties === null ? [] : (over(properties) as Iterable<KeyValue>)) {
      operation.properties.push({ key, ...propertyText(value) });
      values.set(key, propertyValue(value));
    }
    this.note(operation);
    this.elements.pending.set(this.nextId, { operation, values });
    return this.nextId++;
  }

  private note(operation: WriteOperation): void {
    allocate(128);
    this.operations.push(operation);
  }

  private check(): void {
    if (this.isOver) invalidOperation('The writer context is valid only while the body of its transaction runs.');
  }
}

/** Runs the body and commits what it asked for. False: it threw, or the engine refused; nothing changed then. */
export function runTransaction(graph: EngineReader, body: (context: WriterContextObject) => void): boolean {
  const open: OpenTransaction | string = graph.transaction();
  if (typeof open === 'string') return raise('NotSupportedException', open);
  const context = new WriterContextObject(graph, open.firstId);
  try {
    body(context);
    context.isOver = true;
    const isCommitted = open.commit(context.operations, context.elements) === null;
    context.elements.isCommitted = isCommitted;
    return isCommitted;
  } catch (error) {
    if (!(error instanceof Thrown)) throw error;
    return false;
  } finally {
    context.isOver = true;
    open.end();
  }
}
