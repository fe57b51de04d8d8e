// The least of the engine that the searches of benchmarks/plugins.ts ask for, for another runtime of C#: vertices with their edges in groups, kept as
// they were read. Reads `source target` lines, runs the class Search as often as it is told, and prints the milliseconds of each call and
// the vertex that it ended at.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using NoSQL.GraphDB.Core;
using NoSQL.GraphDB.Core.Model;
using NoSQL.GraphDB.Core.Plugins;

namespace NoSQL.GraphDB.Core.Model
{
    public sealed class EdgeModel
    {
        public int Id { get; internal set; }
        public VertexModel TargetVertex { get; internal set; }
    }

    public sealed class VertexModel
    {
        internal Dictionary<string, IReadOnlyList<EdgeModel>> Groups;
        public int Id { get; internal set; }
        public IReadOnlyDictionary<string, IReadOnlyList<EdgeModel>> OutEdges => Groups;
    }
}

namespace NoSQL.GraphDB.Core
{
    public interface IFallen8
    {
        int VertexCount { get; }
        bool TryGetVertex(out VertexModel vertex, int id);
    }
}

namespace NoSQL.GraphDB.Core.Plugin { }

namespace NoSQL.GraphDB.Core.Plugins
{
    public interface IGraphFunction { }

    public sealed class GraphFunctionResult
    {
        public List<VertexModel> Vertices;
        public static GraphFunctionResult FromElements(List<VertexModel> vertices, List<EdgeModel> edges) =>
            new GraphFunctionResult { Vertices = vertices };
    }
}

public sealed class Graph : IFallen8
{
    readonly List<VertexModel> vertices = new List<VertexModel>();
    public int VertexCount => vertices.Count;

    public bool TryGetVertex(out VertexModel vertex, int id)
    {
        vertex = id >= 0 && id < vertices.Count ? vertices[id] : null;
        return vertex != null;
    }

    public Graph(int count, string file)
    {
        for (var id = 0; id < count; id++) vertices.Add(new VertexModel { Id = id });
        var edge = count;
        foreach (var line in File.ReadLines(file))
        {
            var blank = line.IndexOf(' ');
            var source = vertices[int.Parse(line.Substring(0, blank))];
            var target = vertices[int.Parse(line.Substring(blank + 1))];
            if (source.Groups == null)
                source.Groups = new Dictionary<string, IReadOnlyList<EdgeModel>> { ["to"] = new List<EdgeModel>() };
            ((List<EdgeModel>)source.Groups["to"]).Add(new EdgeModel { Id = edge++, TargetVertex = target });
        }
    }
}

public static class Program
{
    public static void Main(string[] arguments)
    {
        var graph = new Graph(int.Parse(arguments[0]), arguments[1]);
        for (var round = int.Parse(arguments[2]); round > 0; round--)
        {
            var watch = Stopwatch.StartNew();
            var search = new Search();
            search.Initialize(graph, null);
            search.TryInvoke(out var result, null);
            Console.WriteLine(watch.Elapsed.TotalMilliseconds.ToString(System.Globalization.CultureInfo.InvariantCulture)
                + " " + result.Vertices[0].Id);
        }
    }
}
