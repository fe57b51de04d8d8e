// What plugins have beside the library of fragments: the engine as they see it, the types of their contracts, and types of .NET that lie
// outside of the narrow set of fragments. PluginCall is the host's own: no source can name what begins with two underscores of ours.

import type { Declarations } from './declarations.ts';

export const ENGINE: Declarations = `
namespace System.Threading;

struct CancellationToken {
  static CancellationToken None { get; }
  bool IsCancellationRequested { get; }
  bool CanBeCanceled { get; }
  void ThrowIfCancellationRequested();
}

namespace System.Diagnostics;

class Stopwatch {
  static Stopwatch StartNew();
  new();
  TimeSpan Elapsed { get; }
  long ElapsedMilliseconds { get; }
  long ElapsedTicks { get; }
  bool IsRunning { get; }
  void Start();
  void Stop();
  void Reset();
  void Restart();
}

namespace System.Collections.Generic;

class Stack<T> : IReadOnlyCollection<T> {
  new();
  new(int capacity);
  new(IEnumerable<T> collection);
  int Count { get; }
  void Clear();
  bool Contains(T item);
  T Peek();
  T Pop();
  void Push(T item);
  T[] ToArray();
  bool TryPeek(out T result);
  bool TryPop(out T result);
}

class PriorityQueue<TElement, TPriority> {
  new();
  new(int initialCapacity);
  new(IComparer<TPriority> comparer);
  new(int initialCapacity, IComparer<TPriority> comparer);
  int Count { get; }
  void Clear();
  TElement Dequeue();
  void Enqueue(TElement element, TPriority priority);
  TElement Peek();
  bool TryDequeue(out TElement element, out TPriority priority);
  bool TryPeek(out TElement element, out TPriority priority);
}

namespace NoSQL.GraphDB.Core;

interface IFallen8Read {
  Guid Id { get; }
  int VertexCount { get; }
  int EdgeCount { get; }
  bool TryGetGraphElement(out AGraphElementModel result, int id);
  bool TryGetVertex(out VertexModel result, int id);
  bool TryGetEdge(out EdgeModel result, int id);
  IReadOnlyList<VertexModel> GetAllVertices(string interestingLabel = null);
  IReadOnlyList<EdgeModel> GetAllEdges(string interestingLabel = null);
  IReadOnlyList<AGraphElementModel> GetAllGraphElements(string interestingLabel = null);
  bool GraphScan(out List<AGraphElementModel> result, string propertyId, IComparable literal, BinaryOperator binOp = BinaryOperator.Equals, string interestingLabel = null);
  bool TryCalculateShortestPath(out List<Path> result, string algorithmName, ShortestPathDefinition definition);
}
interface IFallen8Write { TransactionInformation EnqueueTransaction(DelegateTransaction tx); }
interface IFallen8 : IFallen8Read, IFallen8Write { }

namespace NoSQL.GraphDB.Core.Expression;

enum BinaryOperator { Equals = 0, Greater = 1, GreaterOrEquals = 2, Lower = 3, LowerOrEquals = 4, NotEquals = 5 }

namespace NoSQL.GraphDB.Core.Transaction;

enum TransactionState { Enqueued = 0, Running = 1, Finished = 2, RolledBack = 3 }
sealed class TransactionInformation {
  TransactionState TransactionState { get; }
  void WaitUntilFinished();
}
sealed class DelegateTransaction {
  new(Action<IFallen8WriterContext> body, string name = null);
  string Name { get; }
}
sealed class VertexDefinition {
  new();
  uint CreationDate { get; set; }
  string Label { get; set; }
  Dictionary<string, object> Properties { get; set; }
}
interface IFallen8WriterContext {
  VertexModel CreateVertex(uint creationDate, string label, IDictionary<string, object> properties = null);
  IReadOnlyList<VertexModel> CreateVertices(IEnumerable<VertexDefinition> definitions);
  bool TryCreateEdge(out EdgeModel edge, int sourceVertexId, string edgePropertyId, int targetVertexId, uint creationDate, string label = null, IDictionary<string, object> properties = null);
  void SetProperty(int graphElementId, string propertyId, object value);
  void RemoveProperty(int graphElementId, string propertyId);
  bool TryRemoveGraphElement(int graphElementId);
}

namespace NoSQL.GraphDB.Core.Plugin;

interface IPlugin : IDisposable { }

namespace NoSQL.GraphDB.Core.Plugins;

interface IGraphFunction : IPlugin { }
sealed class GraphFunctionResult {
  new(IReadOnlyList<VertexModel> vertices, IReadOnlyList<EdgeModel> edges);
  static GraphFunctionResult FromElements(IEnumerable<VertexModel> vertices, IEnumerable<EdgeModel> edges);
  IReadOnlyList<VertexModel> Vertices { get; }
  IReadOnlyList<EdgeModel> Edges { get; }
}

namespace NoSQL.GraphDB.Core.Algorithms;

enum Direction { IncomingEdge = 0, OutgoingEdge = 1, UndirectedEdge = 2 }

namespace NoSQL.GraphDB.Core.Algorithms.SubGraph;

interface ISubGraphAlgorithm : IPlugin { }
sealed class SubGraphDefinition {
  string Name { get; }
  VertexFilter VertexFilter { get; }
  EdgeFilter EdgeFilter { get; }
}
sealed class SubGraphResult { }

namespace NoSQL.GraphDB.Core.Algorithms.Path;

interface IShortestPathAlgorithm : IPlugin { }
sealed class ShortestPathDefinition {
  new();
  int SourceVertexId { get; set; }
  int DestinationVertexId { get; set; }
  int MaxDepth { get; set; }
  double MaxPathWeight { get; set; }
  int MaxResults { get; set; }
  EdgePropertyFilter EdgePropertyFilter { get; set; }
  VertexFilter VertexFilter { get; set; }
  EdgeFilter EdgeFilter { get; set; }
  EdgeCost EdgeCost { get; set; }
  VertexCost VertexCost { get; set; }
  TimeSpan TimeBudget { get; set; }
  int StepBudget { get; set; }
  CancellationToken CancellationToken { get; set; }
  bool BudgetExhausted { get; }
}
sealed class PathElement {
  new(EdgeModel edge, string edgePropertyId, Direction direction, double weight = 0.0);
  VertexModel SourceVertex { get; }
  VertexModel TargetVertex { get; }
  EdgeModel Edge { get; }
  string EdgePropertyId { get; }
  Direction Direction { get; }
  double Weight { get; }
  void CalculateWeight(VertexCost vertexCost, EdgeCost edgeCost);
}
sealed class Path {
  new(int maximumLength = 6);
  new(PathElement pathElement);
  new(PathElement firstPathElement, PathElement secondPathElement);
  new(Path anotherPath, PathElement lastElement);
  double Weight { get; set; }
  PathElement LastPathElement { get; }
  void AddPathElement(PathElement pathElement);
  void CalculateWeight(VertexCost vertexCost, EdgeCost edgeCost);
  int GetLength();
  VertexModel GetLastVertex();
  List<PathElement> GetPathElements();
  void ReversePath();
}

namespace NoSQL.GraphDB.Core.Algorithms.Analytics;

interface IGraphAnalyticsAlgorithm : IPlugin { }
sealed class GraphAnalyticsDefinition {
  const int MaxIterationsCeiling = 10000;
  const int BudgetCheckInterval = 4096;
  string VertexLabel { get; }
  string EdgePropertyId { get; }
  Direction? Direction { get; }
  int MaxIterations { get; }
  double Epsilon { get; }
  TimeSpan TimeBudget { get; }
  CancellationToken CancellationToken { get; }
  IDictionary<string, object> Parameters { get; }
}
sealed class GraphAnalyticsResult {
  new(IReadOnlyDictionary<int, double> vertexScores, IReadOnlyDictionary<string, object> statistics, bool converged, int iterationsRun, TimeSpan elapsed, bool budgetExhausted);
  new(IReadOnlyDictionary<int, int> vertexPartitions, IReadOnlyDictionary<string, object> statistics, bool converged, int iterationsRun, TimeSpan elapsed, bool budgetExhausted);
  IReadOnlyDictionary<int, double> VertexScores { get; }
  IReadOnlyDictionary<int, int> VertexPartitions { get; }
  IReadOnlyDictionary<string, object> Statistics { get; }
  bool Converged { get; }
  int IterationsRun { get; }
  TimeSpan Elapsed { get; }
  bool BudgetExhausted { get; }
}
sealed class Workspace {
  IReadOnlyList<VertexModel> Vertices { get; }
  Dictionary<int, int> DenseIndexById { get; }
  int Count { get; }
}
sealed class BudgetGuard { bool IsExhausted { get; } }

namespace Arcwise.Host;

sealed class PluginCall {
  bool AsksName { get; }
  IFallen8 Engine { get; }
  IDictionary<string, object> Parameters { get; }
  ShortestPathDefinition PathDefinition { get; }
  GraphAnalyticsDefinition AnalyticsDefinition { get; }
  SubGraphDefinition SubGraphDefinition { get; }
  Workspace Workspace { get; }
  BudgetGuard Budget { get; }
}
delegate object Plugin(PluginCall call);
`;

/** Types that fragments are refused and plugins have. */
export const wider = ['Stack<T>', 'PriorityQueue<TElement, TPriority>', 'Stopwatch'] as const;
