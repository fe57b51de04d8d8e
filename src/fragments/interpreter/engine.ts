// The engine as objects of a plugin: the graph, what a call brings along, and the results of the contracts.

import type { EngineReader, FoundPath, PathInput, PathStep, PluginInput, PluginResult } from '../engine-reader.ts';
import type { Type } from '../types.ts';
import { AnalyticsDefinitionObject, AnalyticsResultObject, bagOf, valuesOf } from './analytics-objects.ts';
import { budgetSpan, CallClock, TokenValue } from './call-clock.ts';
import { DictionaryObject } from './collections.ts';
import { ElementObject, vertexObject } from './elements.ts';
import { invalidOperation } from './exceptions.ts';
import { allocate, charge } from './machine.ts';
import { type RuntimeType, runtimeType } from './runtime-types.ts';
import { type KeyValue, TimeSpanValue } from './structs.ts';
import { graphOf, overElements, SubGraphDefinitionObject, SubGraphResultObject } from './subgraph-objects.ts';
import { Boxed, collect, type Delegate, ItemSequence, ListObject, newList, over, type Value } from './values.ts';

const named = (name: string, ...list: readonly Type[]): Type => ({ kind: 'named', name, arguments: list });
const INT: Type = { kind: 'primitive', name: 'int' };
const typeNamed = (name: string, ...list: readonly Type[]): RuntimeType => runtimeType(named(name, ...list));
const INDEX = typeNamed('Dictionary', INT, INT);
const VERTICES = typeNamed('IReadOnlyList', named('VertexModel'));
const EDGES = typeNamed('IReadOnlyList', named('EdgeModel'));
const ELEMENTS = typeNamed('IReadOnlyList', named('AGraphElementModel'));

/** IFallen8. */
export class EngineObject {
  readonly type = typeNamed('IFallen8');
  readonly reader: EngineReader;

  constructor(reader: EngineReader) {
    this.reader = reader;
  }

  element(id: number, wanted: 'vertex' | 'edge' | null): ElementObject | null {
    const kind = this.reader.kindOf(id);
    if (kind === null || (wanted !== null && kind !== wanted)) return null;
    return new ElementObject(this.reader, id, kind === 'vertex');
  }

  all(kind: 'vertex' | 'edge' | 'any', label: string | null): ItemSequence {
    charge((this.reader.vertexCount + this.reader.edgeCount) >> 2);
    const ids = this.reader.ids(kind, label);
    allocate(ids.length * 32 + 32);
    const items = ids.map((id) => this.element(id, null)).filter((element) => element !== null);
    return new ItemSequence(kind === 'vertex' ? VERTICES : kind === 'edge' ? EDGES : ELEMENTS, items);
  }

  /** A list of elements of either kind. */
  listOf(ids: readonly number[]): ListObject {
    allocate(ids.length * 40 + 32);
    const items = ids.map((id) => this.element(id, null)).filter((element) => element !== null);
    return newList(named('AGraphElementModel'), items);
  }

  /** Paths as objects; null: there is no such algorithm. */
  paths(algorithm: string, definition: PathDefinitionObject): ListObject | null {
    const search = definition.search(this.reader);
    const found = this.reader.paths(algorithm, search);
    if (found !== null) return this.pathList(found);
    const nested = this.reader.plugin('Path', algorithm, { path: search });
    if (nested === null) return null;
    return this.pathList(nested.kind === 'paths' ? nested.paths : []);
  }

  private pathList(found: readonly FoundPath[]): ListObject {
    const paths = found.map(({ steps, weight }) => {
      const elements = steps.map((step) => {
        const edge = new ElementObject(this.reader, step.edge, false);
        return new PathElementObject(edge, step.edgeType, step.direction, step.weight);
      });
      return new PathObject(elements, weight);
    });
    return newList(named('Path'), paths);
  }

  /** The values of a built-in algorithm or of another plugin of analytics; null: there is none of that name, or it has no result. */
  analytics(algorithm: string, definition: AnalyticsDefinitionObject): AnalyticsResultObject | null {
    const { own } = definition;
    const found = this.reader.analytics(algorithm, own);
    const nested = found === undefined ? this.reader.plugin('Analytics', algorithm, { analytics: own }) : found;
    return nested?.kind === 'values' ? AnalyticsResultObject.of(nested) : null;
  }

  /** What another function answers; null: there is no such function, or it answered false. */
  invoke(name: string, parameters: Value): FunctionResultObject | null {
    const given: Record<string, Value> = {};
    for (const { key, value } of parameters === null ? [] : (over(parameters) as Iterable<KeyValue>))
      given[key] = value;
    const nested = this.reader.plugin('GraphFunction', name, { parameters: given });
    if (nested?.kind !== 'elements') return null;
    return new FunctionResultObject(this.listOf(nested.vertices), this.listOf(nested.edges));
  }
}

/** What the host hands to the lowered class: PluginCall. */
export class CallObject {
  readonly type = typeNamed('PluginCall');
  readonly input: PluginInput;
  readonly engine: EngineObject;
  readonly path: PathDefinitionObject | null;
  readonly analytics: AnalyticsDefinitionObject | null;
  readonly subGraph: SubGraphDefinitionObject | null;
  readonly clock: CallClock;

  constructor(reader: EngineReader, input: PluginInput) {
    this.input = input;
    this.engine = new EngineObject(reader);
    this.clock = new CallClock(input);
    this.path = input.path === null ? null : PathDefinitionObject.of(input.path, this.clock);
    this.analytics = input.analytics === null ? null : AnalyticsDefinitionObject.of(input.analytics, this.clock);
    this.subGraph = input.subGraph === null ? null : new SubGraphDefinitionObject(input.subGraph);
  }

  get parameters(): DictionaryObject | null {
    const { parameters } = this.input;
    if (parameters === null) return null;
    return bagOf(Object.entries(parameters));
  }

  /** The vertices in scope, and where each stands among them. */
  get workspace(): { readonly type: RuntimeType; readonly vertices: ItemSequence; readonly index: DictionaryObject } {
    const vertices = this.engine.all('vertex', this.input.analytics?.vertexLabel ?? null);
    const index = new DictionaryObject(INDEX, null);
    for (const [at, vertex] of (vertices.items as ElementObject[]).entries()) index.set(vertex.id, at);
    return { type: typeNamed('Workspace'), vertices, index };
  }
}

/** Its members by their names; those of the search that a plugin asks for itself begin as the contract has it. */
export class PathDefinitionObject {
  readonly type = typeNamed('ShortestPathDefinition');
  readonly members: Record<PathMember, Value>;
  readonly clock: CallClock | null;

  constructor(members: Partial<Record<PathMember, Value>> = {}, clock: CallClock | null = null) {
    this.members = { ...initialPath, ...members };
    this.clock = clock;
  }

  static of(input: PathInput, clock: CallClock): PathDefinitionObject {
    const members = {
      SourceVertexId: input.from,
      DestinationVertexId: input.to,
      MaxDepth: input.maxDepth,
      MaxPathWeight: Math.min(input.maxWeight, Number.MAX_VALUE),
      MaxResults: input.maxResults,
      EdgePropertyFilter: input.typeFilter,
      VertexFilter: overElements(input.vertexFilter),
      EdgeFilter: overElements(input.edgeFilter),
      EdgeCost: overElements(input.edgeCost),
      VertexCost: overElements(input.vertexCost),
      TimeBudget: budgetSpan(clock),
      CancellationToken: new TokenValue(clock),
    };
    return new PathDefinitionObject(members, clock);
  }

  /** The search that the plugin asks the engine for. */
  search(reader: EngineReader): PathInput {
    const { members } = this;
    const vertex = (call: Delegate | null) =>
      call && ((id: number): Value => call(new ElementObject(reader, id, true)));
    const edge = (call: Delegate | null) => call && ((id: number): Value => call(new ElementObject(reader, id, false)));
    return {
      from: members.SourceVertexId,
      to: members.DestinationVertexId,
      maxDepth: Math.max(0, members.MaxDepth),
      maxResults: Math.max(0, members.MaxResults),
      maxWeight: members.MaxPathWeight === Number.MAX_VALUE ? Number.POSITIVE_INFINITY : members.MaxPathWeight,
      vertexFilter: vertex(members.VertexFilter),
      edgeFilter: edge(members.EdgeFilter),
      typeFilter: members.EdgePropertyFilter,
      vertexCost: vertex(members.VertexCost),
      edgeCost: edge(members.EdgeCost),
    };
  }
}

const initialPath = {
  SourceVertexId: 0,
  DestinationVertexId: 0,
  MaxDepth: 1,
  MaxPathWeight: Number.MAX_VALUE,
  MaxResults: 1,
  EdgePropertyFilter: null,
  VertexFilter: null,
  EdgeFilter: null,
  EdgeCost: null,
  VertexCost: null,
  TimeBudget: new TimeSpanValue(0n),
  StepBudget: 0,
  CancellationToken: null,
} satisfies Record<string, Value>;
export type PathMember = keyof typeof initialPath;
export const pathMembers = Object.keys(initialPath) as readonly PathMember[];

// --- results ----------------------------------------------------------------------------------------------------------

export class FunctionResultObject {
  readonly type = typeNamed('GraphFunctionResult');
  readonly vertices: ItemSequence;
  readonly edges: ItemSequence;

  constructor(vertices: Value, edges: Value) {
    this.vertices = new ItemSequence(VERTICES, vertices === null ? [] : collect(vertices));
    this.edges = new ItemSequence(EDGES, edges === null ? [] : collect(edges));
  }
}

export class PathElementObject {
  readonly type = typeNamed('PathElement');
  readonly edge: ElementObject;
  readonly edgeType: string | null;
  readonly direction: number;
  weight: number;

  constructor(edge: ElementObject | null, edgeType: string | null, direction: number, weight: number) {
    allocate(64);
    this.edge = edge ?? invalidOperation('A path element needs an edge.');
    this.edgeType = edgeType;
    this.direction = direction;
    this.weight = weight;
  }

  end(which: 'source' | 'target'): ElementObject {
    const { reader, id } = this.edge;
    const { source, target } = reader.edge(id);
    return vertexObject(reader, (which === 'source') === (this.direction === 0) ? target : source);
  }

  get step(): PathStep {
    const { edge, direction, weight } = this;
    const edgeType = this.edgeType ?? edge.reader.edge(edge.id).edgeType;
    const [source, target] = [this.end('source').id, this.end('target').id];
    return { source, target, edge: edge.id, edgeType, direction, weight };
  }
}

export class PathObject {
  readonly type = typeNamed('Path');
  readonly elements: ListObject;
  weight: number;

  constructor(elements: readonly PathElementObject[], weight = elements.reduce((sum, { weight }) => sum + weight, 0)) {
    allocate(elements.length * 8 + 64);
    this.elements = newList(named('PathElement'), [...elements]);
    this.weight = weight;
  }
}

/** What the lowered class answered, as plain data. */
export function resultOf(answer: Value, input: PluginInput): PluginResult {
  if (input.asksName) return { kind: 'name', name: typeof answer === 'string' ? answer : '' };
  if (answer instanceof Boxed) return { kind: 'declined' };
  if (answer instanceof FunctionResultObject) {
    const ids = ({ items }: ItemSequence): number[] =>
      (items as (ElementObject | null)[]).flatMap((element) => (element === null ? [] : [element.id]));
    return { kind: 'elements', vertices: ids(answer.vertices), edges: ids(answer.edges) };
  }
  if (answer instanceof ListObject) {
    const paths = (answer.items as (PathObject | null)[]).flatMap((path) =>
      path === null
        ? []
        : [{ steps: (path.elements.items as PathElementObject[]).map(({ step }) => step), weight: path.weight }],
    );
    return { kind: 'paths', paths };
  }
  if (answer instanceof AnalyticsResultObject) return valuesOf(answer);
  if (answer instanceof SubGraphResultObject) return graphOf(answer);
  return { kind: 'nothing' };
}
