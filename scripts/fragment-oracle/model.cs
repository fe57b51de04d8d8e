// What a fragment reads the graph through, as plain objects in C#: enough to run fragments with a real compiler and runtime. The members
// and their answers are the ones of the element models that fragments know. `Program` runs every fragment of a build over every element and writes
// one line of JSON for each.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using NoSQL.GraphDB.Core.Algorithms;
using NoSQL.GraphDB.Core.Index.Vector;
using NoSQL.GraphDB.Core.Model;

namespace NoSQL.GraphDB.Core.Model {
  public abstract class AGraphElementModel {
    public readonly int Id;
    public readonly string Label;
    public readonly uint CreationDate;
    public readonly uint ModificationDate;
    internal readonly Dictionary<string, object> Values = new Dictionary<string, object>();

    protected AGraphElementModel(int id, string label, uint created, uint modified) {
      Id = id;
      Label = label;
      CreationDate = created;
      ModificationDate = modified - created;
    }

    private static bool IsEmbedding(string key) =>
      key.StartsWith("$embedding:", StringComparison.Ordinal) || key.StartsWith("$embeddingModel:", StringComparison.Ordinal);

    public bool TryGetProperty<T>(out T value, string key) {
      if (key != null && Values.TryGetValue(key, out var found) && found is T typed) {
        value = typed;
        return true;
      }
      value = default;
      return false;
    }

    public bool AnyPropertyValueMatches(Func<string, bool> valuePredicate) {
      if (valuePredicate == null) return false;
      foreach (var pair in Values)
        if (pair.Value is string text && !IsEmbedding(pair.Key) && valuePredicate(text)) return true;
      return false;
    }

    public int GetPropertyCount() => Values.Count;
    public DateTime GetCreationDate() => new DateTime(1970, 1, 1).AddSeconds(CreationDate);
    public DateTime GetModificationDate() => new DateTime(1970, 1, 1).AddSeconds((double)CreationDate + ModificationDate);

    public bool TryGetEmbedding(out ReadOnlySpan<float> vector, string name = "default") {
      if (TryGetProperty(out float[] found, "$embedding:" + name)) {
        vector = found;
        return true;
      }
      vector = default;
      return false;
    }

    public bool TryGetEmbeddingModelStamp(out string stamp, string name = "default") =>
      TryGetProperty(out stamp, "$embeddingModel:" + name);
  }

  public sealed class VertexModel : AGraphElementModel {
    internal Dictionary<string, List<EdgeModel>> Out, In;
    public VertexModel(int id, string label, uint created, uint modified) : base(id, label, created, modified) { }

    private static IReadOnlyDictionary<string, IReadOnlyList<EdgeModel>> Map(Dictionary<string, List<EdgeModel>> groups) =>
      groups?.ToDictionary(pair => pair.Key, pair => (IReadOnlyList<EdgeModel>)pair.Value);

    public IReadOnlyDictionary<string, IReadOnlyList<EdgeModel>> OutEdges => Map(Out);
    public IReadOnlyDictionary<string, IReadOnlyList<EdgeModel>> InEdges => Map(In);
    public uint GetOutDegree() => (uint)(Out?.Values.Sum(list => list.Count) ?? 0);
    public uint GetInDegree() => (uint)(In?.Values.Sum(list => list.Count) ?? 0);

    private static bool Group(Dictionary<string, List<EdgeModel>> groups, string key, out List<EdgeModel> edges) {
      edges = null;
      return groups != null && key != null && groups.TryGetValue(key, out edges);
    }

    public bool TryGetOutEdge(out IReadOnlyList<EdgeModel> edges, string edgePropertyId) {
      var found = Group(Out, edgePropertyId, out var list);
      edges = list;
      return found;
    }

    public bool TryGetInEdge(out IReadOnlyList<EdgeModel> edges, string edgePropertyId) {
      var found = Group(In, edgePropertyId, out var list);
      edges = list;
      return found;
    }

    public bool TryGetOutEdgesSpan(out ReadOnlySpan<EdgeModel> edges, string edgePropertyId) {
      var found = Group(Out, edgePropertyId, out var list);
      edges = found ? list.ToArray() : default;
      return found;
    }

    public bool TryGetInEdgesSpan(out ReadOnlySpan<EdgeModel> edges, string edgePropertyId) {
      var found = Group(In, edgePropertyId, out var list);
      edges = found ? list.ToArray() : default;
      return found;
    }

    public override bool Equals(object obj) => ReferenceEquals(this, obj);
    public bool Equals(VertexModel p) => ReferenceEquals(this, p);
    public override int GetHashCode() => Id;
    public override string ToString() => Id.ToString(CultureInfo.InvariantCulture);
    public static bool operator ==(VertexModel a, VertexModel b) => ReferenceEquals(a, b);
    public static bool operator !=(VertexModel a, VertexModel b) => !ReferenceEquals(a, b);
  }

  public sealed class EdgeModel : AGraphElementModel {
    public readonly VertexModel SourceVertex;
    public readonly VertexModel TargetVertex;
    public readonly string EdgePropertyId;

    public EdgeModel(int id, string label, uint created, uint modified, VertexModel source, VertexModel target, string type)
      : base(id, label, created, modified) {
      SourceVertex = source;
      TargetVertex = target;
      EdgePropertyId = type;
    }

    public override string ToString() => Id.ToString(CultureInfo.InvariantCulture);
  }
}

namespace NoSQL.GraphDB.Core.Index.Vector {
  public enum VectorDistanceMetric { Cosine, DotProduct, L2 }

  public static class VectorMath {
    public static float Score(ReadOnlySpan<float> a, ReadOnlySpan<float> b, VectorDistanceMetric metric) {
      double product = 0, left = 0, right = 0, distance = 0;
      for (var i = 0; i < a.Length; i++) {
        product += (double)a[i] * b[i];
        left += (double)a[i] * a[i];
        right += (double)b[i] * b[i];
        distance += ((double)a[i] - b[i]) * ((double)a[i] - b[i]);
      }
      if (metric == VectorDistanceMetric.Cosine) return (float)(product / (Math.Sqrt(left) * Math.Sqrt(right)));
      return (float)(metric == VectorDistanceMetric.DotProduct ? product : Math.Sqrt(distance));
    }

    public static bool TryScore(out float score, ReadOnlySpan<float> a, ReadOnlySpan<float> b, VectorDistanceMetric metric) {
      score = 0;
      if (a.Length == 0 || a.Length != b.Length) return false;
      var value = Score(a, b, metric);
      if (!float.IsFinite(value)) return false;
      score = value;
      return true;
    }
  }
}

namespace NoSQL.GraphDB.Core.Algorithms {
  public sealed class TraversalContext {
    internal float[] Query;
    public bool HasQueryVector => Query != null;
    public ReadOnlySpan<float> QueryVector => Query;
    public string EmbeddingName => "default";
    public VectorDistanceMetric Metric => VectorDistanceMetric.Cosine;

    public bool TrySimilarity(AGraphElementModel element, out float score) {
      score = 0;
      if (element == null || Query == null || !element.TryGetEmbedding(out var vector)) return false;
      return VectorMath.TryScore(out score, Query, vector, Metric);
    }
  }

  public delegate bool VertexFilter(VertexModel vertex);
  public delegate bool EdgeFilter(EdgeModel edge);
  public delegate bool EdgePropertyFilter(string edgePropertyId);
  public delegate bool GraphElementFilter(AGraphElementModel graphElement);
  public delegate double VertexCost(VertexModel vertex);
  public delegate double EdgeCost(EdgeModel edge);
}

public static partial class Program {
  private static readonly List<VertexModel> vertices = new List<VertexModel>();
  private static readonly List<EdgeModel> edges = new List<EdgeModel>();

  private static object ValueOf(string type, string text) {
    var culture = CultureInfo.InvariantCulture;
    switch (type) {
      case "String": return text;
      case "Guid": return Guid.Parse(text);
      case "TimeSpan": return TimeSpan.Parse(text, culture);
      case "DateTime": return DateTime.Parse(text, culture, DateTimeStyles.RoundtripKind);
      case "DateTimeOffset": return DateTimeOffset.Parse(text, culture);
      case "Single[]": return text.Split(' ').Select(part => float.Parse(part, culture)).ToArray();
      default: return Convert.ChangeType(text, Type.GetType("System." + type), culture);
    }
  }

  private static void Vertex(string label, uint created, uint modified, params string[] properties) {
    var vertex = new VertexModel(vertices.Count, label, created, modified);
    Fill(vertex, properties);
    vertices.Add(vertex);
  }

  private static void Edge(int source, int target, string type, string label, uint created, uint modified, params string[] properties) {
    var edge = new EdgeModel(vertices.Count + edges.Count, label, created, modified, vertices[source], vertices[target], type);
    Fill(edge, properties);
    edges.Add(edge);
    Add(ref vertices[source].Out, type, edge);
    Add(ref vertices[target].In, type, edge);
  }

  private static void Add(ref Dictionary<string, List<EdgeModel>> groups, string type, EdgeModel edge) {
    groups ??= new Dictionary<string, List<EdgeModel>>();
    if (!groups.TryGetValue(type, out var list)) groups[type] = list = new List<EdgeModel>();
    list.Add(edge);
  }

  private static void Fill(AGraphElementModel element, string[] properties) {
    for (var i = 0; i < properties.Length; i += 3) element.Values[properties[i]] = ValueOf(properties[i + 1], properties[i + 2]);
  }

  private static string Text(Func<object> call) {
    try {
      var value = call();
      if (value is bool flag) return flag ? "1" : "0";
      var number = (double)value;
      return number.ToString("R", CultureInfo.InvariantCulture);
    } catch (Exception error) {
      return error.GetType() == typeof(Exception) ? "!Exception: " + error.Message : "!" + error.GetType().Name;
    }
  }

  private static void Run(TextWriter output, int index, Func<TraversalContext, Delegate> factory) {
    var context = new TraversalContext { Query = query };
    Delegate made = null;
    var failed = Text(() => { made = factory(context); return false; });
    IEnumerable<string> results;
    if (made == null) results = new[] { "~" + failed };
    else if (made is VertexFilter a) results = vertices.Select(v => Text(() => a(v)));
    else if (made is VertexCost b) results = vertices.Select(v => Text(() => b(v)));
    else if (made is EdgeFilter c) results = edges.Select(e => Text(() => c(e)));
    else if (made is EdgeCost d) results = edges.Select(e => Text(() => d(e)));
    else if (made is GraphElementFilter g) results = vertices.Cast<AGraphElementModel>().Concat(edges).Select(e => Text(() => g(e)));
    else results = edges.Select(e => e.EdgePropertyId).Distinct().Select(t => Text(() => ((EdgePropertyFilter)made)(t)));
    output.WriteLine(index + " [" + string.Join(",", results.Select(Quote)) + "]");
  }

  private static string Quote(string text) {
    var json = new StringBuilder("\"");
    foreach (var c in text) {
      if (c == '"' || c == '\\') json.Append('\\').Append(c);
      else if (c < ' ' || c > '~') json.Append("\\u" + ((int)c).ToString("x4"));
      else json.Append(c);
    }
    return json.Append('"').ToString();
  }

  public static void Main(string[] arguments) {
    CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
    Build();
    using (var output = new StreamWriter(arguments[0])) RunAll(output);
  }
}
