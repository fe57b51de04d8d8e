// A path algorithm of a plugin that does what the built-in one does: Dijkstra from both ends, over edges in either direction, until no shorter way
// than the best one that was found can be left.

const relax = (known: string, came: string, heap: string, others: string) => (edges: string, end: string) =>
  `
        if (vertex.${edges} != null) foreach (var group in vertex.${edges})
        foreach (var edge in group.Value) {
          var next = edge.${end};
          var total = travelled + definition.EdgeCost(edge);
          if (${known}.TryGetValue(next.Id, out var before) && before <= total) continue;
          ${known}[next.Id] = total;
          ${came}[next.Id] = edge;
          ${heap}.Enqueue(next, total);
          if (${others}.TryGetValue(next.Id, out var rest) && total + rest < best) { best = total + rest; meeting = next.Id; }
        }`;

const side = (known: string, came: string, heap: string, others: string): string => {
  const along = relax(known, came, heap, others);
  return `
        ${heap}.TryDequeue(out var vertex, out var travelled);
        if (travelled > ${known}[vertex.Id]) continue;
        ${along('OutEdges', 'TargetVertex')}
        ${along('InEdges', 'SourceVertex')}`;
};

export const bothEnds = `using System;
using System.Collections.Generic;
using NoSQL.GraphDB.Core;
using NoSQL.GraphDB.Core.Algorithms;
using NoSQL.GraphDB.Core.Algorithms.Path;
using NoSQL.GraphDB.Core.Model;
using NoSQL.GraphDB.Core.Plugin;
public sealed class BothEnds : IShortestPathAlgorithm {
  IFallen8 graph;
  public string PluginName => "BothEnds";
  public Type PluginCategory => typeof(IShortestPathAlgorithm);
  public string Description => "Dijkstra from both ends.";
  public string Manufacturer => "m";
  public void Initialize(IFallen8 fallen8, IDictionary<string, object> parameter) { graph = fallen8; }
  public void Dispose() { }
  public bool TryCalculateShortestPath(out List<Path> result, ShortestPathDefinition definition) {
    result = new List<Path>();
    if (!graph.TryGetVertex(out var source, definition.SourceVertexId)) return false;
    if (!graph.TryGetVertex(out var target, definition.DestinationVertexId)) return false;
    var forth = new Dictionary<int, double> { [source.Id] = 0 };
    var back = new Dictionary<int, double> { [target.Id] = 0 };
    var cameBy = new Dictionary<int, EdgeModel>();
    var goesBy = new Dictionary<int, EdgeModel>();
    var front = new PriorityQueue<VertexModel, double>();
    var rear = new PriorityQueue<VertexModel, double>();
    front.Enqueue(source, 0);
    rear.Enqueue(target, 0);
    var best = double.MaxValue;
    var meeting = -1;
    while (front.TryPeek(out _, out var near) && rear.TryPeek(out _, out var far) && near + far < best) {
      if (near <= far) {${side('forth', 'cameBy', 'front', 'back')}
      } else {${side('back', 'goesBy', 'rear', 'forth')}
      }
    }
    if (meeting < 0) return false;
    var steps = new Stack<PathElement>();
    for (var at = meeting; at != source.Id; ) {
      var edge = cameBy[at];
      var isAlong = edge.TargetVertex.Id == at;
      steps.Push(new PathElement(edge, edge.EdgePropertyId, isAlong ? Direction.OutgoingEdge : Direction.IncomingEdge, definition.EdgeCost(edge)));
      at = isAlong ? edge.SourceVertex.Id : edge.TargetVertex.Id;
    }
    var path = new Path(definition.MaxDepth);
    foreach (var step in steps) path.AddPathElement(step);
    for (var at = meeting; at != target.Id; ) {
      var edge = goesBy[at];
      var isAlong = edge.SourceVertex.Id == at;
      path.AddPathElement(new PathElement(edge, edge.EdgePropertyId, isAlong ? Direction.OutgoingEdge : Direction.IncomingEdge, definition.EdgeCost(edge)));
      at = isAlong ? edge.TargetVertex.Id : edge.SourceVertex.Id;
    }
    result.Add(path);
    return true;
  }
}`;
