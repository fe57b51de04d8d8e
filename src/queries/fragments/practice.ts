// What a compiler compiles while nobody waits, once a first plugin has shown that plugins are wanted: a new thread runs the compiler's code a
// dozen times slower than one that has compiled as much as this.

import type { PluginTask } from './compile-task.ts';

/** What plugins are mostly made of, each in the forms that take most of the compiler: no result of it is kept. */
const source = `using System;
using System.Collections.Generic;
using System.Linq;
using NoSQL.GraphDB.Core;
using NoSQL.GraphDB.Core.Model;
using NoSQL.GraphDB.Core.Plugin;
using NoSQL.GraphDB.Core.Plugins;

namespace Practice
{
    public sealed class Practice : IGraphFunction
    {
        private const int Most = 100;
        private IFallen8 _graph;
        private readonly Dictionary<int, double> _scores = new Dictionary<int, double>();

        public string PluginName     => "Practice";
        public Type   PluginCategory => typeof(IGraphFunction);
        public string Description    => "Nobody calls it.";
        public string Manufacturer   => "";

        public void Initialize(IFallen8 fallen8, IDictionary<string, object> parameter) => _graph = fallen8;
        public void Dispose() { }

        public bool TryInvoke(out GraphFunctionResult result, IDictionary<string, object> parameters)
        {
            result = null;
            if (!parameters.TryGetValue("from", out var given) || !int.TryParse((string)given, out var id)) return false;
            if (!_graph.TryGetVertex(out var start, id)) return false;
            var depth = new Dictionary<int, int> { [start.Id] = 0 };
            var queue = new Queue<VertexModel>();
            var found = new List<VertexModel>();
            queue.Enqueue(start);
            while (queue.Count > 0 && found.Count < Most)
            {
                var vertex = queue.Dequeue();
                found.Add(vertex);
                foreach (var next in Neighbours(vertex))
                {
                    if (depth.ContainsKey(next.Id)) continue;
                    depth[next.Id] = depth[vertex.Id] + 1;
                    _scores[next.Id] = Score(next, depth[next.Id]);
                    queue.Enqueue(next);
                }
            }
            var kept = found.Where(v => Of(v) >= 0.5 && v.Label != "hidden").OrderByDescending(v => Of(v)).Take(Most).ToList();
            var total = kept.Sum(v => Of(v));
            if (total > double.MaxValue) throw new InvalidOperationException($"The sum is {total}.");
            result = GraphFunctionResult.FromElements(kept, null);
            return true;
        }

        private double Of(VertexModel vertex) => _scores.TryGetValue(vertex.Id, out var score) ? score : 1.0;

        private static double Score(VertexModel vertex, int depth)
        {
            var weight = vertex.TryGetProperty<int>(out var age, "age") ? age / 100.0 : 0.0;
            for (var at = 0; at < depth; at++) weight = Math.Max(weight * 0.5, 0.01);
            return weight;
        }

        private static IEnumerable<VertexModel> Neighbours(VertexModel vertex)
        {
            var all = new List<VertexModel>();
            if (vertex.OutEdges != null)
                foreach (var group in vertex.OutEdges)
                    foreach (var edge in group.Value) all.Add(edge.TargetVertex);
            return all;
        }
    }
}
`;

export const practice: PluginTask = { kind: 'plugin', source, contract: 'GraphFunction', shared: true, emits: true };
