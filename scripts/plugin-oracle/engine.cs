// What plugins know of the engine, over a graph in lists: enough to run whole plugins where a real compiler and runtime are. `Host` reads the graph
// and what is asked, calls the plugin as the service does, and prints what it answers as one line of text.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;

namespace NoSQL.GraphDB.Core.Model
{
    public abstract class AGraphElementModel
    {
        public int Id { get; internal set; }
        public string Label { get; internal set; }
        internal readonly Dictionary<string, object> Properties = new Dictionary<string, object>();
        public IReadOnlyDictionary<string, object> GetAllProperties() => Properties;
        public bool TryGetProperty<T>(out T result, string propertyId)
        {
            object found;
            if (Properties.TryGetValue(propertyId, out found) && found is T) { result = (T)found; return true; }
            result = default(T);
            return false;
        }
    }

    public sealed class VertexModel : AGraphElementModel
    {
        internal readonly Dictionary<string, List<EdgeModel>> Out = new Dictionary<string, List<EdgeModel>>();
        internal readonly Dictionary<string, List<EdgeModel>> In = new Dictionary<string, List<EdgeModel>>();
        public IReadOnlyDictionary<string, IReadOnlyList<EdgeModel>> OutEdges => Groups(Out);
        public IReadOnlyDictionary<string, IReadOnlyList<EdgeModel>> InEdges => Groups(In);
        public uint GetOutDegree() => (uint)Out.Values.Sum(list => list.Count);
        public uint GetInDegree() => (uint)In.Values.Sum(list => list.Count);
        static IReadOnlyDictionary<string, IReadOnlyList<EdgeModel>> Groups(Dictionary<string, List<EdgeModel>> lists)
        {
            if (lists.Count == 0) return null;
            var found = new Dictionary<string, IReadOnlyList<EdgeModel>>();
            foreach (var pair in lists) found.Add(pair.Key, pair.Value);
            return found;
        }
    }

    public sealed class EdgeModel : AGraphElementModel
    {
        public VertexModel SourceVertex { get; internal set; }
        public VertexModel TargetVertex { get; internal set; }
        public string EdgePropertyId { get; internal set; }
    }
}

namespace NoSQL.GraphDB.Core.Expression
{
    public enum BinaryOperator { Equals = 0, Greater = 1, GreaterOrEquals = 2, Lower = 3, LowerOrEquals = 4, NotEquals = 5 }
}

namespace NoSQL.GraphDB.Core.Transaction
{
    using NoSQL.GraphDB.Core.Model;

    public abstract class ATransaction { internal abstract void Run(NoSQL.GraphDB.Core.ListGraph graph); }

    public sealed class DelegateTransaction : ATransaction
    {
        readonly Action<IFallen8WriterContext> _body;
        public DelegateTransaction(Action<IFallen8WriterContext> body, string name = null) { _body = body; }
        internal override void Run(NoSQL.GraphDB.Core.ListGraph graph) => _body(graph);
    }

    public interface IFallen8WriterContext
    {
        VertexModel CreateVertex(uint creationDate, string label, IDictionary<string, object> properties = null);
        bool TryCreateEdge(out EdgeModel edge, int sourceVertexId, string edgePropertyId, int targetVertexId, uint creationDate, string label = null, IDictionary<string, object> properties = null);
        void SetProperty(int graphElementId, string propertyId, object value);
        void RemoveProperty(int graphElementId, string propertyId);
        bool TryRemoveGraphElement(int graphElementId);
    }
}

namespace NoSQL.GraphDB.Core
{
    using NoSQL.GraphDB.Core.Expression;
    using NoSQL.GraphDB.Core.Model;
    using NoSQL.GraphDB.Core.Transaction;

    public interface IFallen8
    {
        object LoggerFactory { get; }
        void EnqueueTransaction(ATransaction transaction);
        int VertexCount { get; }
        int EdgeCount { get; }
        bool TryGetVertex(out VertexModel result, int id);
        bool TryGetEdge(out EdgeModel result, int id);
        IReadOnlyList<VertexModel> GetAllVertices(string interestingLabel = null);
        IReadOnlyList<EdgeModel> GetAllEdges(string interestingLabel = null);
        bool GraphScan(out List<AGraphElementModel> result, string propertyId, IComparable literal, BinaryOperator binOp = BinaryOperator.Equals, string interestingLabel = null);
    }

    public sealed class Fallen8 : ListGraph
    {
        public Fallen8(object loggerFactory = null) { }
    }

    public class ListGraph : IFallen8, IFallen8WriterContext
    {
        public object LoggerFactory => null;
        public void EnqueueTransaction(ATransaction transaction) => transaction.Run(this);

        internal void Link(EdgeModel edge)
        {
            Group(edge.SourceVertex.Out, edge.EdgePropertyId).Add(edge);
            Group(edge.TargetVertex.In, edge.EdgePropertyId).Add(edge);
        }

        static List<EdgeModel> Group(Dictionary<string, List<EdgeModel>> groups, string key)
        {
            List<EdgeModel> list;
            if (!groups.TryGetValue(key, out list)) groups.Add(key, list = new List<EdgeModel>());
            return list;
        }

        T Added<T>(T element, string label, IDictionary<string, object> properties) where T : AGraphElementModel
        {
            element.Id = All.Count;
            element.Label = label;
            if (properties != null) foreach (var pair in properties) element.Properties.Add(pair.Key, pair.Value);
            All.Add(element);
            return element;
        }

        public VertexModel CreateVertex(uint creationDate, string label, IDictionary<string, object> properties = null) =>
            Added(new VertexModel(), label, properties);

        public bool TryCreateEdge(out EdgeModel edge, int source, string type, int target, uint creationDate, string label = null, IDictionary<string, object> properties = null)
        {
            VertexModel from, to;
            edge = null;
            if (!TryGetVertex(out from, source) || !TryGetVertex(out to, target)) return false;
            edge = Added(new EdgeModel { SourceVertex = from, TargetVertex = to, EdgePropertyId = type }, label, properties);
            Link(edge);
            return true;
        }

        public void SetProperty(int id, string key, object value) { All[id].Properties[key] = value; }
        public void RemoveProperty(int id, string key) { All[id].Properties.Remove(key); }

        public bool TryRemoveGraphElement(int id)
        {
            if (id < 0 || id >= All.Count || All[id] == null) return false;
            var edge = All[id] as EdgeModel;
            var vertex = All[id] as VertexModel;
            if (edge != null) { Unlink(edge.SourceVertex.Out, edge); Unlink(edge.TargetVertex.In, edge); }
            else foreach (var one in vertex.Out.Values.Concat(vertex.In.Values).SelectMany(list => list).ToList()) TryRemoveGraphElement(one.Id);
            All[id] = null;
            return true;
        }

        static void Unlink(Dictionary<string, List<EdgeModel>> groups, EdgeModel edge)
        {
            groups[edge.EdgePropertyId].Remove(edge);
            if (groups[edge.EdgePropertyId].Count == 0) groups.Remove(edge.EdgePropertyId);
        }

        internal readonly List<AGraphElementModel> All = new List<AGraphElementModel>();
        public int VertexCount => All.OfType<VertexModel>().Count();
        public int EdgeCount => All.OfType<EdgeModel>().Count();
        public bool TryGetVertex(out VertexModel result, int id) => (result = id >= 0 && id < All.Count ? All[id] as VertexModel : null) != null;
        public bool TryGetEdge(out EdgeModel result, int id) => (result = id >= 0 && id < All.Count ? All[id] as EdgeModel : null) != null;
        public IReadOnlyList<VertexModel> GetAllVertices(string label = null) => All.OfType<VertexModel>().Where(one => label == null || one.Label == label).ToList();
        public IReadOnlyList<EdgeModel> GetAllEdges(string label = null) => All.OfType<EdgeModel>().Where(one => label == null || one.Label == label).ToList();
        public bool GraphScan(out List<AGraphElementModel> result, string propertyId, IComparable literal, BinaryOperator binOp = BinaryOperator.Equals, string label = null)
        {
            result = new List<AGraphElementModel>();
            foreach (var one in All)
            {
                object value;
                if ((label != null && one.Label != label) || !one.Properties.TryGetValue(propertyId, out value)) continue;
                if (value.GetType() != literal.GetType()) continue;
                var order = ((IComparable)value).CompareTo(literal);
                var fits = binOp == BinaryOperator.Equals ? order == 0 : binOp == BinaryOperator.NotEquals ? order != 0
                    : binOp == BinaryOperator.Greater ? order > 0 : binOp == BinaryOperator.GreaterOrEquals ? order >= 0
                    : binOp == BinaryOperator.Lower ? order < 0 : order <= 0;
                if (fits) result.Add(one);
            }
            return result.Count > 0;
        }
    }
}

namespace NoSQL.GraphDB.Core.Plugin
{
    public interface IPlugin : IDisposable
    {
        string PluginName { get; }
        Type PluginCategory { get; }
        string Description { get; }
        string Manufacturer { get; }
        void Initialize(NoSQL.GraphDB.Core.IFallen8 fallen8, IDictionary<string, object> parameter);
    }
}

namespace NoSQL.GraphDB.Core.Plugins
{
    using NoSQL.GraphDB.Core.Model;

    public interface IGraphFunction : NoSQL.GraphDB.Core.Plugin.IPlugin
    {
        bool TryInvoke(out GraphFunctionResult result, IDictionary<string, object> parameters);
    }

    public sealed class GraphFunctionResult
    {
        public GraphFunctionResult(IReadOnlyList<VertexModel> vertices, IReadOnlyList<EdgeModel> edges)
        {
            Vertices = vertices ?? new VertexModel[0];
            Edges = edges ?? new EdgeModel[0];
        }
        public static GraphFunctionResult FromElements(IEnumerable<VertexModel> vertices, IEnumerable<EdgeModel> edges) =>
            new GraphFunctionResult(vertices == null ? null : vertices.ToList(), edges == null ? null : edges.ToList());
        public IReadOnlyList<VertexModel> Vertices { get; }
        public IReadOnlyList<EdgeModel> Edges { get; }
    }
}

namespace NoSQL.GraphDB.Core.Algorithms
{
    public enum Direction { IncomingEdge = 0, OutgoingEdge = 1, UndirectedEdge = 2 }
}

namespace NoSQL.GraphDB.Core.Algorithms.Path
{
    using NoSQL.GraphDB.Core.Model;

    public delegate bool EdgePropertyFilter(string edgePropertyId);
    public delegate bool VertexFilter(VertexModel vertex);
    public delegate bool EdgeFilter(EdgeModel edge);
    public delegate double EdgeCost(EdgeModel edge);
    public delegate double VertexCost(VertexModel vertex);

    public interface IShortestPathAlgorithm : NoSQL.GraphDB.Core.Plugin.IPlugin
    {
        bool TryCalculateShortestPath(out List<Path> result, ShortestPathDefinition definition);
    }

    public sealed class ShortestPathDefinition
    {
        public int SourceVertexId { get; set; }
        public int DestinationVertexId { get; set; }
        public int MaxDepth { get; set; }
        public double MaxPathWeight { get; set; }
        public int MaxResults { get; set; }
        public EdgePropertyFilter EdgePropertyFilter { get; set; }
        public VertexFilter VertexFilter { get; set; }
        public EdgeFilter EdgeFilter { get; set; }
        public EdgeCost EdgeCost { get; set; }
        public VertexCost VertexCost { get; set; }
    }

    public sealed class PathElement
    {
        public PathElement(EdgeModel edge, string edgePropertyId, Direction direction, double weight = 0.0)
        {
            Edge = edge;
            EdgePropertyId = edgePropertyId;
            Direction = direction;
            Weight = weight;
        }
        public EdgeModel Edge { get; }
        public string EdgePropertyId { get; }
        public Direction Direction { get; }
        public double Weight { get; }
        public VertexModel SourceVertex => Direction == Direction.OutgoingEdge ? Edge.SourceVertex : Edge.TargetVertex;
        public VertexModel TargetVertex => Direction == Direction.OutgoingEdge ? Edge.TargetVertex : Edge.SourceVertex;
    }

    public sealed class Path
    {
        readonly List<PathElement> _elements = new List<PathElement>();
        public Path(int maximumLength = 6) { }
        public Path(PathElement element) { AddPathElement(element); }
        public Path(Path other, PathElement last)
        {
            foreach (var one in other._elements) AddPathElement(one);
            AddPathElement(last);
        }
        public double Weight { get; set; }
        public PathElement LastPathElement => _elements[_elements.Count - 1];
        public void AddPathElement(PathElement element) { _elements.Add(element); Weight += element.Weight; }
        public int GetLength() => _elements.Count;
        public VertexModel GetLastVertex() => LastPathElement.TargetVertex;
        public List<PathElement> GetPathElements() => _elements;
        public void ReversePath() => _elements.Reverse();
    }
}

namespace NoSQL.GraphDB.Core.Algorithms.SubGraph
{
    using NoSQL.GraphDB.Core.Algorithms.Path;

    public interface ISubGraphAlgorithm : NoSQL.GraphDB.Core.Plugin.IPlugin
    {
        bool TryCreateSubgraph(out SubGraphResult result, SubGraphDefinition definition);
    }

    public sealed class SubGraphDefinition
    {
        public string Name { get; set; }
        public Dictionary<string, string> AdditionalInformation { get; set; }
        public VertexFilter VertexFilter { get; set; }
        public EdgeFilter EdgeFilter { get; set; }
    }

    public sealed class SubGraphResult
    {
        public NoSQL.GraphDB.Core.IFallen8 SourceFallen8 { get; set; }
        public string AlgorithmPluginName { get; set; }
        public SubGraphDefinition Definitions { get; set; }
        public NoSQL.GraphDB.Core.IFallen8 SubGraph { get; set; }
    }
}

namespace NoSQL.GraphDB.Core.Algorithms.Analytics
{
    using NoSQL.GraphDB.Core.Model;

    public interface IGraphAnalyticsAlgorithm : NoSQL.GraphDB.Core.Plugin.IPlugin
    {
        bool TryRunAnalytics(out GraphAnalyticsResult result, GraphAnalyticsDefinition definition);
    }

    public sealed class GraphAnalyticsDefinition
    {
        public int MaxIterations { get; set; }
        public double Epsilon { get; set; }
        public IDictionary<string, object> Parameters { get; set; }
    }

    public sealed class GraphAnalyticsResult
    {
        public GraphAnalyticsResult(IReadOnlyDictionary<int, double> scores, IReadOnlyDictionary<string, object> statistics, bool converged, int iterations, TimeSpan elapsed, bool exhausted) { Scores = scores; }
        public GraphAnalyticsResult(IReadOnlyDictionary<int, int> parts, IReadOnlyDictionary<string, object> statistics, bool converged, int iterations, TimeSpan elapsed, bool exhausted) { Parts = parts; }
        public readonly IReadOnlyDictionary<int, double> Scores;
        public readonly IReadOnlyDictionary<int, int> Parts;
    }

    public sealed class Workspace
    {
        internal Workspace(IReadOnlyList<VertexModel> vertices)
        {
            Vertices = vertices;
            DenseIndexById = new Dictionary<int, int>();
            for (var at = 0; at < vertices.Count; at++) DenseIndexById.Add(vertices[at].Id, at);
        }
        public IReadOnlyList<VertexModel> Vertices { get; }
        public Dictionary<int, int> DenseIndexById { get; }
        public int Count => Vertices.Count;
    }

    public sealed class BudgetGuard
    {
        public bool IsExhausted => false;
        public bool IsExhaustedAt(int counter) => false;
    }

    public abstract class AGraphAnalyticsAlgorithm : IGraphAnalyticsAlgorithm
    {
        protected NoSQL.GraphDB.Core.IFallen8 _fallen8;
        public abstract string PluginName { get; }
        public abstract string Description { get; }
        public virtual Type PluginCategory => typeof(IGraphAnalyticsAlgorithm);
        public virtual string Manufacturer => "";
        public virtual void Initialize(NoSQL.GraphDB.Core.IFallen8 fallen8, IDictionary<string, object> parameter) { _fallen8 = fallen8; }
        public virtual void Dispose() { _fallen8 = null; }
        public virtual bool TryRunAnalytics(out GraphAnalyticsResult result, GraphAnalyticsDefinition definition) =>
            TryRunCore(out result, definition, new Workspace(_fallen8.GetAllVertices()), new BudgetGuard(), Stopwatch.StartNew());
        protected abstract bool TryRunCore(out GraphAnalyticsResult result, GraphAnalyticsDefinition definition, Workspace workspace, BudgetGuard budget, Stopwatch stopwatch);
        protected static bool TryGetDoubleParameter(GraphAnalyticsDefinition definition, string name, out double value, out bool invalid)
        {
            value = 0;
            invalid = false;
            object raw;
            if (definition.Parameters == null || !definition.Parameters.TryGetValue(name, out raw) || raw == null) return false;
            if (raw is double) { value = (double)raw; return true; }
            invalid = true;
            return false;
        }
    }
}

namespace System.Collections.Generic
{
    /// <summary>A heap of four branches, in which equal priorities leave in the order that such a heap gives them.</summary>
    public class PriorityQueue<TElement, TPriority>
    {
        readonly List<KeyValuePair<TElement, TPriority>> _nodes = new List<KeyValuePair<TElement, TPriority>>();
        readonly IComparer<TPriority> _comparer;
        public PriorityQueue(IComparer<TPriority> comparer = null) { _comparer = comparer ?? Comparer<TPriority>.Default; }
        public int Count => _nodes.Count;
        public void Clear() => _nodes.Clear();
        public TElement Peek() => _nodes[0].Key;
        public void Enqueue(TElement element, TPriority priority)
        {
            var node = new KeyValuePair<TElement, TPriority>(element, priority);
            _nodes.Add(node);
            var at = _nodes.Count - 1;
            while (at > 0)
            {
                var parent = (at - 1) >> 2;
                if (_comparer.Compare(priority, _nodes[parent].Value) >= 0) break;
                _nodes[at] = _nodes[parent];
                at = parent;
            }
            _nodes[at] = node;
        }
        public TElement Dequeue()
        {
            TElement element;
            TPriority priority;
            if (!TryDequeue(out element, out priority)) throw new InvalidOperationException();
            return element;
        }
        public bool TryDequeue(out TElement element, out TPriority priority)
        {
            element = default(TElement);
            priority = default(TPriority);
            if (_nodes.Count == 0) return false;
            element = _nodes[0].Key;
            priority = _nodes[0].Value;
            var node = _nodes[_nodes.Count - 1];
            _nodes.RemoveAt(_nodes.Count - 1);
            if (_nodes.Count == 0) return true;
            var at = 0;
            for (;;)
            {
                var least = (at << 2) + 1;
                if (least >= _nodes.Count) break;
                for (var child = least + 1; child < Math.Min((at << 2) + 5, _nodes.Count); child++)
                    if (_comparer.Compare(_nodes[child].Value, _nodes[least].Value) < 0) least = child;
                if (_comparer.Compare(node.Value, _nodes[least].Value) <= 0) break;
                _nodes[at] = _nodes[least];
                at = least;
            }
            _nodes[at] = node;
            return true;
        }
    }
}

public static class Host
{
    static string Number(double value) => value.ToString("R", CultureInfo.InvariantCulture);

    public static void Main(string[] arguments)
    {
        Console.OutputEncoding = new System.Text.UTF8Encoding(false);
        var graph = new NoSQL.GraphDB.Core.ListGraph();
        var parameters = new Dictionary<string, object>();
        var definition = new NoSQL.GraphDB.Core.Algorithms.Path.ShortestPathDefinition { MaxDepth = 20, MaxPathWeight = double.MaxValue, MaxResults = 1 };
        var part = new NoSQL.GraphDB.Core.Algorithms.SubGraph.SubGraphDefinition { Name = "part" };
        var asked = new NoSQL.GraphDB.Core.Algorithms.Analytics.GraphAnalyticsDefinition { MaxIterations = 20, Epsilon = 1e-9 };
        foreach (var line in File.ReadAllLines(arguments[0]).Concat(arguments.Skip(1)))
        {
            var words = line.Split('\t');
            if (words[0] == "vertex") Add(graph, new NoSQL.GraphDB.Core.Model.VertexModel { Label = words[1] }, "age", words[2] == "" ? null : (object)int.Parse(words[2]));
            else if (words[0] == "edge")
            {
                var edge = new NoSQL.GraphDB.Core.Model.EdgeModel
                {
                    SourceVertex = (NoSQL.GraphDB.Core.Model.VertexModel)graph.All[int.Parse(words[1])],
                    TargetVertex = (NoSQL.GraphDB.Core.Model.VertexModel)graph.All[int.Parse(words[2])],
                    EdgePropertyId = words[3],
                };
                Add(graph, edge, "weight", double.Parse(words[4], CultureInfo.InvariantCulture));
                graph.Link(edge);
            }
            else if (words[0] == "information") (part.AdditionalInformation = part.AdditionalInformation ?? new Dictionary<string, string>()).Add(words[1], words[2]);
            else if (words[0] == "parameter") parameters.Add(words[1], words[2]);
            else if (words[0] == "path")
            {
                definition.SourceVertexId = int.Parse(words[1]);
                definition.DestinationVertexId = int.Parse(words[2]);
            }
            else if (words[0] == "depth") definition.MaxDepth = int.Parse(words[1]);
            else if (words[0] == "cost") definition.EdgeCost = edge => { double weight; edge.TryGetProperty(out weight, "weight"); return weight; };
            else if (words[0] == "vertices") part.VertexFilter = definition.VertexFilter = vertex => vertex.Id % int.Parse(words[1]) != int.Parse(words[2]);
            else if (words[0] == "edges") part.EdgeFilter = definition.EdgeFilter = edge => edge.Id % int.Parse(words[1]) != int.Parse(words[2]);
            else if (words[0] == "type") definition.EdgePropertyFilter = text => text == words[1];
            else if (words[0] == "iterations") asked.MaxIterations = int.Parse(words[1]);
            else if (words[0] == "number") (asked.Parameters = asked.Parameters ?? new Dictionary<string, object>()).Add(words[1], double.Parse(words[2], CultureInfo.InvariantCulture));
            else throw new ArgumentException(line);
        }
        var type = typeof(Host).Assembly.GetTypes().Single(one => one.IsPublic && !one.IsAbstract && typeof(NoSQL.GraphDB.Core.Plugin.IPlugin).IsAssignableFrom(one));
        var plugin = (NoSQL.GraphDB.Core.Plugin.IPlugin)Activator.CreateInstance(type);
        Console.Out.Write(Answer(plugin, graph, parameters, definition, asked, part));
    }

    static void Add(NoSQL.GraphDB.Core.ListGraph graph, NoSQL.GraphDB.Core.Model.AGraphElementModel element, string key, object value)
    {
        element.Id = graph.All.Count;
        if (value != null) element.Properties.Add(key, value);
        graph.All.Add(element);
    }

    /// <summary>What is left of a graph, numbered anew in its order.</summary>
    static string Contents(NoSQL.GraphDB.Core.ListGraph graph)
    {
        var left = graph.All.Where(one => one != null).ToList();
        var numbers = new Dictionary<int, int>();
        foreach (var one in left) numbers.Add(one.Id, numbers.Count);
        return "graph " + string.Join(" ", left.Select(one =>
        {
            var edge = one as NoSQL.GraphDB.Core.Model.EdgeModel;
            var ends = edge == null ? "" : numbers[edge.SourceVertex.Id] + "-" + edge.EdgePropertyId + ">" + numbers[edge.TargetVertex.Id];
            var properties = one.Properties.OrderBy(pair => pair.Key, StringComparer.Ordinal).Select(pair =>
                pair.Key + "=" + (pair.Value is double ? Number((double)pair.Value) : Convert.ToString(pair.Value, CultureInfo.InvariantCulture)));
            return ends + "(" + one.Label + ")[" + string.Join(",", properties) + "]";
        }));
    }

    static string Answer(
        NoSQL.GraphDB.Core.Plugin.IPlugin plugin, NoSQL.GraphDB.Core.ListGraph graph, Dictionary<string, object> parameters,
        NoSQL.GraphDB.Core.Algorithms.Path.ShortestPathDefinition definition,
        NoSQL.GraphDB.Core.Algorithms.Analytics.GraphAnalyticsDefinition asked,
        NoSQL.GraphDB.Core.Algorithms.SubGraph.SubGraphDefinition part)
    {
        try
        {
            plugin.Initialize(graph, null);
            if (plugin is NoSQL.GraphDB.Core.Plugins.IGraphFunction)
            {
                NoSQL.GraphDB.Core.Plugins.GraphFunctionResult result;
                if (!((NoSQL.GraphDB.Core.Plugins.IGraphFunction)plugin).TryInvoke(out result, parameters)) return "declined";
                return "vertices " + string.Join(" ", result.Vertices.Select(one => one.Id)) + " edges " + string.Join(" ", result.Edges.Select(one => one.Id));
            }
            if (plugin is NoSQL.GraphDB.Core.Algorithms.Path.IShortestPathAlgorithm)
            {
                List<NoSQL.GraphDB.Core.Algorithms.Path.Path> paths;
                if (!((NoSQL.GraphDB.Core.Algorithms.Path.IShortestPathAlgorithm)plugin).TryCalculateShortestPath(out paths, definition)) return "declined";
                return string.Join(" | ", paths.Select(path => Number(path.Weight) + ": " + string.Join(" ", path.GetPathElements().Select(one => one.Edge.Id))));
            }
            if (plugin is NoSQL.GraphDB.Core.Algorithms.SubGraph.ISubGraphAlgorithm)
            {
                NoSQL.GraphDB.Core.Algorithms.SubGraph.SubGraphResult made;
                if (!((NoSQL.GraphDB.Core.Algorithms.SubGraph.ISubGraphAlgorithm)plugin).TryCreateSubgraph(out made, part)) return "declined";
                return made.SubGraph == null ? "nothing" : made.SubGraph == graph ? "source" : Contents((NoSQL.GraphDB.Core.ListGraph)made.SubGraph);
            }
            NoSQL.GraphDB.Core.Algorithms.Analytics.GraphAnalyticsResult values;
            if (!((NoSQL.GraphDB.Core.Algorithms.Analytics.IGraphAnalyticsAlgorithm)plugin).TryRunAnalytics(out values, asked)) return "declined";
            if (values.Parts != null) return "parts " + string.Join(" ", values.Parts.OrderBy(pair => pair.Key).Select(pair => pair.Key + "=" + pair.Value));
            return "scores " + string.Join(" ", values.Scores.OrderBy(pair => pair.Key).Select(pair => pair.Key + "=" + Number(pair.Value)));
        }
        catch (Exception exception)
        {
            return exception.GetType().Name + ": " + exception.Message;
        }
        finally
        {
            plugin.Dispose();
        }
    }
}
