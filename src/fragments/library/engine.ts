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
}
interface IFallen8 : IFallen8Read { }

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
  int SourceVertexId { get; }
  int DestinationVertexId { get; }
  int MaxDepth { get; }
  double MaxPathWeight { get; }
  int MaxResults { get; }
  EdgePropertyFilter EdgePropertyFilter { get; }
  VertexFilter VertexFilter { get; }
  EdgeFilter EdgeFilter { get; }
  EdgeCost EdgeCost { get; }
  VertexCost VertexCost { get; }
  TimeSpan TimeBudget { get; }
  int StepBudget { get; }
  CancellationToken CancellationToken { get; }
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
