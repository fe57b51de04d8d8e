// What plugins have beside the library of fragments: the engine, the types of their contracts, and some of .NET.

import { AnalyticsDefinitionObject, type AnalyticsMember, AnalyticsResultObject } from '../analytics-objects.ts';
import { type CallClock, TokenValue } from '../call-clock.ts';
import {
  type CallObject,
  type EngineObject,
  FunctionResultObject,
  PathDefinitionObject,
  PathElementObject,
  type PathMember,
  PathObject,
  pathMembers,
} from '../engine.ts';
import { argumentNull, raise } from '../exceptions.ts';
import { allocate } from '../machine.ts';
import { StopwatchObject } from '../plugin-objects.ts';
import { GuidValue } from '../structs.ts';
import { type Cell, newList, type Value } from '../values.ts';
import { propertyText } from '../writer-context.ts';
import { ENGINE_ELEMENT_MEMBERS } from './engine-elements.ts';
import { SCAN_MEMBERS } from './engine-scans.ts';
import { LOGGING_MEMBERS } from './logging.ts';
import type { MemberTable, Native } from './native.ts';
import { PLUGIN_COLLECTION_MEMBERS } from './plugin-collections.ts';
import { EXPRESSION_MEMBERS } from './regular-expressions.ts';
import { SUBGRAPH_MEMBERS } from './subgraphs.ts';
import { WRITER_MEMBERS } from './writer.ts';

/** GraphAnalyticsDefinition.BudgetCheckInterval. */
const budgetCheckInterval = 4096;

const tryGet =
  (kind: 'vertex' | 'edge' | null): Native =>
  (engine: EngineObject, cell: Cell, id: number) => {
    cell.value = engine.element(id, kind);
    return cell.value !== null;
  };

const ENGINE: MemberTable = {
  'IFallen8Read.get_Id()': (engine: EngineObject) => new GuidValue(engine.reader.graphId),
  'IFallen8Read.get_VertexCount()': (engine: EngineObject) => engine.reader.vertexCount,
  'IFallen8Read.get_EdgeCount()': (engine: EngineObject) => engine.reader.edgeCount,
  'IFallen8Read.TryGetGraphElement(out AGraphElementModel,int)': tryGet(null),
  'IFallen8Read.TryGetVertex(out VertexModel,int)': tryGet('vertex'),
  'IFallen8Read.TryGetEdge(out EdgeModel,int)': tryGet('edge'),
  'IFallen8Read.GetAllVertices(string)': (engine: EngineObject, label) => engine.all('vertex', label),
  'IFallen8Read.GetAllEdges(string)': (engine: EngineObject, label) => engine.all('edge', label),
  'IFallen8Read.GetAllGraphElements(string)': (engine: EngineObject, label) => engine.all('any', label),
  'IFallen8Read.GraphScan(out List<AGraphElementModel>,string,IComparable,BinaryOperator,string)': (
    engine: EngineObject,
    cell: Cell,
    key: string | null,
    literal: Value,
    operator: number,
    label: string | null,
  ) => {
    const { type, text } = propertyText(literal);
    cell.value = engine.listOf(engine.reader.scan(key ?? '', operator, type, text, label));
    return cell.value.items.length > 0;
  },
  'IFallen8Read.TryCalculateShortestPath(out List<Path>,string,ShortestPathDefinition)': (
    engine: EngineObject,
    cell: Cell,
    algorithm: string | null,
    definition: PathDefinitionObject | null,
  ) => {
    const found = engine.paths(algorithm ?? '', definition ?? argumentNull('definition'));
    cell.value = found ?? newList({ kind: 'named', name: 'Path', arguments: [] }, []);
    return cell.value.items.length > 0;
  },
  'IFallen8Read.TryRunAnalytics(out GraphAnalyticsResult,string,GraphAnalyticsDefinition)': (
    engine: EngineObject,
    cell: Cell,
    algorithm: string | null,
    definition: AnalyticsDefinitionObject | null,
  ) => {
    cell.value = engine.analytics(algorithm ?? '', definition ?? argumentNull('definition'));
    return cell.value !== null;
  },
  'IFallen8Read.TryInvokeGraphFunction(out GraphFunctionResult,string,IDictionary<string,object>)': (
    engine: EngineObject,
    cell: Cell,
    name: string | null,
    parameters: Value,
  ) => {
    cell.value = engine.invoke(name ?? '', parameters);
    return cell.value !== null;
  },
  'PluginCall.get_AsksName()': (call: CallObject) => call.input.asksName,
  'PluginCall.get_Engine()': (call: CallObject) => call.engine,
  'PluginCall.get_Parameters()': (call: CallObject) => call.parameters,
  'PluginCall.get_PathDefinition()': (call: CallObject) => call.path,
  'PluginCall.get_AnalyticsDefinition()': (call: CallObject) => call.analytics,
  'PluginCall.get_SubGraphDefinition()': (call: CallObject) => call.subGraph,
  'PluginCall.get_Workspace()': (call: CallObject) => call.workspace,
  'PluginCall.get_Budget()': (call: CallObject) => call.clock,
  'BudgetGuard.get_IsExhausted()': (clock: CallClock) => clock.isExhausted,
  'BudgetGuard.IsExhaustedAt(int)': (clock: CallClock, counter: number) =>
    counter % budgetCheckInterval === 0 && clock.isExhausted,
  'Workspace.get_Vertices()': (workspace) => workspace.vertices,
  'Workspace.get_DenseIndexById()': (workspace) => workspace.index,
  'Workspace.get_Count()': (workspace) => workspace.vertices.count,
};

const FUNCTIONS: MemberTable = {
  'GraphFunctionResult.new(IReadOnlyList<VertexModel>,IReadOnlyList<EdgeModel>)': (vertices, edges) =>
    new FunctionResultObject(vertices, edges),
  'GraphFunctionResult.FromElements(IEnumerable<VertexModel>,IEnumerable<EdgeModel>)': (vertices, edges) =>
    new FunctionResultObject(vertices, edges),
  'GraphFunctionResult.get_Vertices()': (result: FunctionResultObject) => result.vertices,
  'GraphFunctionResult.get_Edges()': (result: FunctionResultObject) => result.edges,
};

/** Of those whose type has another name. */
const pathTypes: Readonly<Partial<Record<PathMember, string>>> = {
  SourceVertexId: 'int',
  DestinationVertexId: 'int',
  MaxDepth: 'int',
  MaxPathWeight: 'double',
  MaxResults: 'int',
  TimeBudget: 'TimeSpan',
  StepBudget: 'int',
};

const PATHS: MemberTable = {
  'ShortestPathDefinition.new()': () => new PathDefinitionObject(),
  ...Object.fromEntries(
    pathMembers.flatMap((member) => [
      [`ShortestPathDefinition.get_${member}()`, (definition: PathDefinitionObject) => definition.members[member]],
      [
        `ShortestPathDefinition.set_${member}(${pathTypes[member] ?? member})`,
        (definition: PathDefinitionObject, value: Value) => {
          definition.members[member] = value;
        },
      ],
    ]),
  ),
  'ShortestPathDefinition.get_BudgetExhausted()': (definition: PathDefinitionObject) =>
    definition.clock?.isExhausted ?? false,
  'PathElement.new(EdgeModel,string,Direction,double)': (edge, edgeType, direction, weight) =>
    new PathElementObject(edge, edgeType, direction, weight),
  'PathElement.get_SourceVertex()': (element: PathElementObject) => element.end('source'),
  'PathElement.get_TargetVertex()': (element: PathElementObject) => element.end('target'),
  'PathElement.get_Edge()': (element: PathElementObject) => element.edge,
  'PathElement.get_EdgePropertyId()': (element: PathElementObject) => element.edgeType,
  'PathElement.get_Direction()': (element: PathElementObject) => element.direction,
  'PathElement.get_Weight()': (element: PathElementObject) => element.weight,
  'PathElement.CalculateWeight(VertexCost,EdgeCost)': weigh,
  'Path.new(int)': () => new PathObject([]),
  'Path.new(PathElement)': (element) => new PathObject([element ?? nothing()]),
  'Path.new(PathElement,PathElement)': (first, second) => new PathObject([first ?? nothing(), second ?? nothing()]),
  'Path.new(Path,PathElement)': (path: PathObject | null, last: PathElementObject | null) =>
    path === null || last === null
      ? nothing()
      : new PathObject([...(path.elements.items as PathElementObject[]), last], path.weight + last.weight),
  'Path.get_Weight()': (path: PathObject) => path.weight,
  'Path.set_Weight(double)': (path: PathObject, weight) => {
    path.weight = weight;
  },
  'Path.get_LastPathElement()': (path: PathObject) => path.elements.items.at(-1) ?? null,
  'Path.AddPathElement(PathElement)': (path: PathObject, element: PathElementObject | null) => {
    allocate(8);
    path.elements.items.push(element ?? nothing());
    path.elements.version++;
    path.weight += (element as PathElementObject).weight;
  },
  'Path.CalculateWeight(VertexCost,EdgeCost)': (path: PathObject, vertexCost, edgeCost) => {
    path.weight = 0;
    for (const element of path.elements.items) {
      weigh(element, vertexCost, edgeCost);
      path.weight += element.weight;
    }
  },
  'Path.GetLength()': (path: PathObject) => path.elements.items.length,
  'Path.GetLastVertex()': (path: PathObject) => (path.elements.items.at(-1) ?? nothing()).end('target'),
  'Path.GetPathElements()': (path: PathObject) => path.elements,
  'Path.ReversePath()': (path: PathObject) => {
    path.elements.items.reverse();
    path.elements.version++;
  },
};

function nothing(): never {
  return raise('NullReferenceException');
}

function weigh(element: PathElementObject, vertexCost: Native | null, edgeCost: Native | null): void {
  element.weight = 0;
  if (vertexCost !== null) element.weight = vertexCost(element.end('target'));
  if (edgeCost !== null) element.weight += edgeCost(element.edge);
}

const analyticsTypes: Readonly<Record<AnalyticsMember, string>> = {
  VertexLabel: 'string',
  EdgePropertyId: 'string',
  Direction: 'Direction?',
  MaxIterations: 'int',
  Epsilon: 'double',
  TimeBudget: 'TimeSpan',
  CancellationToken: 'CancellationToken',
  Parameters: 'IDictionary<string,object>',
};
const resultArguments = 'IReadOnlyDictionary<string,object>,bool,int,TimeSpan,bool';
const ANALYTICS: MemberTable = {
  'GraphAnalyticsDefinition.new()': () => new AnalyticsDefinitionObject(),
  ...Object.fromEntries(
    Object.entries(analyticsTypes).flatMap(([name, type]) => {
      const member = name as AnalyticsMember;
      return [
        [`GraphAnalyticsDefinition.get_${name}()`, ({ members }: AnalyticsDefinitionObject) => members[member]],
        [
          `GraphAnalyticsDefinition.set_${name}(${type})`,
          ({ members }: AnalyticsDefinitionObject, value: Value) => {
            members[member] = value;
          },
        ],
      ];
    }),
  ),
  [`GraphAnalyticsResult.new(IReadOnlyDictionary<int,double>,${resultArguments})`]: (...values) =>
    new AnalyticsResultObject(false, values),
  [`GraphAnalyticsResult.new(IReadOnlyDictionary<int,int>,${resultArguments})`]: (...values) =>
    new AnalyticsResultObject(true, values),
  'GraphAnalyticsResult.get_VertexScores()': (result: AnalyticsResultObject) =>
    result.isPartition ? null : result.values,
  'GraphAnalyticsResult.get_VertexPartitions()': (result: AnalyticsResultObject) =>
    result.isPartition ? result.values : null,
  'GraphAnalyticsResult.get_Statistics()': (result: AnalyticsResultObject) => result.statistics,
  'GraphAnalyticsResult.get_Converged()': (result: AnalyticsResultObject) => result.converged,
  'GraphAnalyticsResult.get_IterationsRun()': (result: AnalyticsResultObject) => result.iterations,
  'GraphAnalyticsResult.get_Elapsed()': (result: AnalyticsResultObject) => result.elapsed,
  'GraphAnalyticsResult.get_BudgetExhausted()': (result: AnalyticsResultObject) => result.budgetExhausted,
};

const TIMES: MemberTable = {
  'CancellationToken.get_None()': () => new TokenValue(null),
  'CancellationToken.get_IsCancellationRequested()': (token: TokenValue | null) => token?.isCancelled ?? false,
  'CancellationToken.get_CanBeCanceled()': (token: TokenValue | null) => token?.clock != null,
  'CancellationToken.ThrowIfCancellationRequested()': (token: TokenValue | null) => {
    if (token?.isCancelled) raise('OperationCanceledException');
  },
  'Stopwatch.StartNew()': () => new StopwatchObject().start(),
  'Stopwatch.new()': () => new StopwatchObject(),
  'Stopwatch.get_Elapsed()': (watch: StopwatchObject) => watch.elapsed,
  'Stopwatch.get_ElapsedMilliseconds()': (watch: StopwatchObject) => BigInt(Math.floor(watch.elapsedMs)),
  'Stopwatch.get_ElapsedTicks()': (watch: StopwatchObject) => watch.elapsed.ticks,
  'Stopwatch.get_IsRunning()': (watch: StopwatchObject) => watch.isRunning,
  'Stopwatch.Start()': (watch: StopwatchObject) => void watch.start(),
  'Stopwatch.Stop()': (watch: StopwatchObject) => watch.stop(),
  'Stopwatch.Reset()': (watch: StopwatchObject) => watch.reset(),
  'Stopwatch.Restart()': (watch: StopwatchObject) => {
    watch.reset();
    watch.start();
  },
};

const GRAPHS: MemberTable = { ...ENGINE, ...SCAN_MEMBERS, ...LOGGING_MEMBERS, ...WRITER_MEMBERS };

/** The same of graphs that a plugin makes. */
const MADE_GRAPHS: MemberTable = Object.fromEntries(
  Object.entries(GRAPHS)
    .filter(([key]) => /^IFallen8(Read|Write)\./.test(key))
    .map(([key, member]) => [key.replace(/^\w+/, 'Fallen8'), member]),
);

export const ENGINE_MEMBERS: MemberTable = {
  ...GRAPHS,
  ...MADE_GRAPHS,
  ...ENGINE_ELEMENT_MEMBERS,
  ...EXPRESSION_MEMBERS,
  ...FUNCTIONS,
  ...PATHS,
  ...SUBGRAPH_MEMBERS,
  ...ANALYTICS,
  ...TIMES,
  ...PLUGIN_COLLECTION_MEMBERS,
};
