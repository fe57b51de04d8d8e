// What plugins have beside the library of fragments: the engine as they see it, and the types of their contracts. PluginCall is the host's own:
// no source can name what begins with two underscores of ours.

import type { Declarations } from './declarations.ts';

/** Of graphs: members of an interface, and of the class that a plugin may make objects of. */
const reads = `\
  Guid Id { get; }
  int VertexCount { get; }
  int EdgeCount { get; }
  ILoggerFactory LoggerFactory { get; }
  bool TryGetGraphElement(out AGraphElementModel result, int id);
  bool TryGetVertex(out VertexModel result, int id);
  bool TryGetEdge(out EdgeModel result, int id);
  IReadOnlyList<VertexModel> GetAllVertices(string interestingLabel = null);
  IReadOnlyList<EdgeModel> GetAllEdges(string interestingLabel = null);
  IReadOnlyList<AGraphElementModel> GetAllGraphElements(string interestingLabel = null);
  bool GraphScan(out List<AGraphElementModel> result, string propertyId, IComparable literal, BinaryOperator binOp = BinaryOperator.Equals, string interestingLabel = null);
  bool GraphScanAllProperties(out List<AGraphElementModel> result, string searchTerm, string interestingLabel = null);
  bool IndexScan(out IReadOnlyList<AGraphElementModel> result, string indexId, IComparable literal, BinaryOperator binOp = BinaryOperator.Equals);
  bool RangeIndexScan(out IReadOnlyList<AGraphElementModel> result, string indexId, IComparable leftLimit, IComparable rightLimit, bool includeLeft = true, bool includeRight = true);
  bool FulltextIndexScan(out FulltextSearchResult result, string indexId, string searchQuery);
  bool VectorIndexScan(out VectorSearchResult result, string indexId, float[] query, int k, VectorSearchConstraint constraint = null);
  bool TryCalculateShortestPath(out List<Path> result, string algorithmName, ShortestPathDefinition definition);
  bool TryRunAnalytics(out GraphAnalyticsResult result, string algorithmName, GraphAnalyticsDefinition definition);
  bool TryInvokeGraphFunction(out GraphFunctionResult result, string name, IDictionary<string, object> parameters);`;
const writes = '  TransactionInformation EnqueueTransaction(ATransaction tx);';

export const ENGINE: Declarations = `
namespace NoSQL.GraphDB.Core;

interface IFallen8Read {
${reads}
}
interface IFallen8Write {
${writes}
}
interface IFallen8 : IFallen8Read, IFallen8Write { }
sealed class Fallen8 : IFallen8 {
  new();
  new(ILoggerFactory loggerfactory);
${reads}
${writes}
}

namespace NoSQL.GraphDB.Core.Expression;

enum BinaryOperator { Equals = 0, Greater = 1, GreaterOrEquals = 2, Lower = 3, LowerOrEquals = 4, NotEquals = 5 }

namespace NoSQL.GraphDB.Core.Transaction;

enum TransactionState { Enqueued = 0, Running = 1, Finished = 2, RolledBack = 3 }
sealed class TransactionInformation {
  TransactionState TransactionState { get; }
  void WaitUntilFinished();
}
abstract class ATransaction { }
sealed class DelegateTransaction : ATransaction {
  new(Action<IFallen8WriterContext> body, string name = null);
  string Name { get; }
}
sealed class CreateVertexTransaction : ATransaction {
  new();
  VertexDefinition Definition { get; set; }
  VertexModel VertexCreated { get; }
}
sealed class CreateVerticesTransaction : ATransaction {
  new();
  CreateVerticesTransaction AddVertex(uint creationDate, string label = null, Dictionary<string, object> properties = null);
  CreateVerticesTransaction AddVertex(VertexDefinition definition);
  IReadOnlyList<VertexModel> GetCreatedVertices();
}
sealed class CreateEdgeTransaction : ATransaction {
  new();
  EdgeDefinition Definition { get; set; }
}
sealed class CreateEdgesTransaction : ATransaction {
  new();
  CreateEdgesTransaction AddEdge(int sourceVertexId, string edgePropertyId, int targetVertexId, uint creationDate, string label = null, Dictionary<string, object> properties = null);
  CreateEdgesTransaction AddEdge(EdgeDefinition definition);
  IReadOnlyList<EdgeModel> GetCreatedEdges();
}
interface IFallen8WriterContext {
  VertexModel CreateVertex(uint creationDate, string label, IDictionary<string, object> properties = null);
  IReadOnlyList<VertexModel> CreateVertices(IEnumerable<VertexDefinition> definitions);
  bool TryCreateEdge(out EdgeModel edge, int sourceVertexId, string edgePropertyId, int targetVertexId, uint creationDate, string label = null, IDictionary<string, object> properties = null);
  void SetProperty(int graphElementId, string propertyId, object value);
  void RemoveProperty(int graphElementId, string propertyId);
  bool TryRemoveGraphElement(int graphElementId);
}

namespace NoSQL.GraphDB.Core.Model;

sealed class VertexDefinition {
  new();
  uint CreationDate { get; set; }
  string Label { get; set; }
  Dictionary<string, object> Properties { get; set; }
}
sealed class EdgeDefinition {
  new();
  int SourceVertexId { get; set; }
  string EdgePropertyId { get; set; }
  int TargetVertexId { get; set; }
  uint CreationDate { get; set; }
  string Label { get; set; }
  Dictionary<string, object> Properties { get; set; }
}

namespace NoSQL.GraphDB.Core.Index.Fulltext;

sealed class FulltextSearchResult {
  double MaximumScore { get; }
  List<FulltextSearchResultElement> Elements { get; }
}
sealed class FulltextSearchResultElement {
  AGraphElementModel GraphElement { get; }
  IList<string> Highlights { get; }
  double Score { get; }
}

namespace NoSQL.GraphDB.Core.Index.Vector;

enum VectorSearchElementKind { Any = 0, Vertex = 1, Edge = 2 }
sealed class VectorSearchConstraint {
  new();
  VectorSearchElementKind Kind { get; set; }
  string Label { get; set; }
}
sealed class VectorSearchResult {
  VectorDistanceMetric Metric { get; }
  bool HigherIsBetter { get; }
  IReadOnlyList<VectorSearchEntry> Entries { get; }
}
sealed class VectorSearchEntry {
  readonly AGraphElementModel Element;
  readonly float Score;
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
  Dictionary<string, string> AdditionalInformation { get; }
  VertexFilter VertexFilter { get; }
  EdgeFilter EdgeFilter { get; }
  List<APattern> Pattern { get; }
}
enum PatternType { Vertex = 0, Edge = 1, VariableLengthEdge = 2 }
abstract class APattern {
  PatternType Type { get; }
  string PatternName { get; }
}
sealed class VertexPattern : APattern { VertexFilter Vertex { get; } }
class EdgePattern : APattern {
  EdgePropertyFilter EdgeProperty { get; }
  Direction Direction { get; }
  EdgeFilter Edge { get; }
}
sealed class VariableLengthEdgePattern : EdgePattern {
  ushort MinLength { get; }
  ushort MaxLength { get; }
}
sealed class SubGraphResult {
  new();
  Guid SourceFallen8Id { get; set; }
  IFallen8 SourceFallen8 { get; set; }
  string AlgorithmPluginName { get; set; }
  IDictionary<string, object> AlgorithmParameters { get; set; }
  SubGraphDefinition Definitions { get; set; }
  IFallen8 SubGraph { get; set; }
}

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
  new();
  string VertexLabel { get; set; }
  string EdgePropertyId { get; set; }
  Direction? Direction { get; set; }
  int MaxIterations { get; set; }
  double Epsilon { get; set; }
  TimeSpan TimeBudget { get; set; }
  CancellationToken CancellationToken { get; set; }
  IDictionary<string, object> Parameters { get; set; }
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
sealed class BudgetGuard {
  bool IsExhausted { get; }
  bool IsExhaustedAt(int counter);
}

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
