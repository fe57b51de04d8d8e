// What a fragment reads the graph through: the element models, the context of a traversal, the vector metric and its arithmetic.
// The names are the ones that authors of fragments write; the members are the contract's (part 2, Fragments, rules 4 to 7).
// Members whose signatures need types that a fragment cannot reach are known, and answer CS0012.

import {
  defaultEmbedding,
  embeddingModelPrefix,
  embeddingPrefix,
  longestEmbeddingName,
} from '../../core/embeddings.ts';
import type { Declarations } from './declarations.ts';

export const MODELS: Declarations = `
namespace NoSQL.GraphDB.Core.Model;

abstract class AGraphElementModel {
  const string EmbeddingPropertyPrefix = "${embeddingPrefix}";
  const string EmbeddingModelStampPrefix = "${embeddingModelPrefix}";
  const string DefaultEmbeddingName = "${defaultEmbedding}";
  const int MaxEmbeddingNameLength = ${longestEmbeddingName};
  readonly int Id;
  readonly string Label;
  readonly uint CreationDate;
  readonly uint ModificationDate;
  bool TryGetProperty<T>(out T value, string key);
  bool AnyPropertyValueMatches(Func<string, bool> valuePredicate);
  int GetPropertyCount();
  DateTime GetCreationDate();
  DateTime GetModificationDate();
  bool TryGetEmbedding(out ReadOnlySpan<float> vector, string name = "${defaultEmbedding}");
  bool TryGetEmbeddingModelStamp(out string stamp, string name = "${defaultEmbedding}");
  static bool IsValidEmbeddingName(string name);
  [CS0012] object GetAllProperties();
}

sealed class VertexModel : AGraphElementModel {
  IReadOnlyDictionary<string, IReadOnlyList<EdgeModel>> OutEdges { get; }
  IReadOnlyDictionary<string, IReadOnlyList<EdgeModel>> InEdges { get; }
  uint GetOutDegree();
  uint GetInDegree();
  bool TryGetOutEdge(out IReadOnlyList<EdgeModel> edges, string edgePropertyId);
  bool TryGetInEdge(out IReadOnlyList<EdgeModel> edges, string edgePropertyId);
  bool TryGetOutEdgesSpan(out ReadOnlySpan<EdgeModel> edges, string edgePropertyId);
  bool TryGetInEdgesSpan(out ReadOnlySpan<EdgeModel> edges, string edgePropertyId);
  bool Equals(object obj);
  bool Equals(VertexModel p);
  int GetHashCode();
  string ToString();
  static bool operator ==(VertexModel a, VertexModel b);
  static bool operator !=(VertexModel a, VertexModel b);
  [CS0012] object GetAllNeighbors();
  [CS0012] object GetOutgoingEdgeIds();
  [CS0012] object GetIncomingEdgeIds();
}

sealed class EdgeModel : AGraphElementModel {
  readonly VertexModel SourceVertex;
  readonly VertexModel TargetVertex;
  readonly string EdgePropertyId;
  string ToString();
}

namespace NoSQL.GraphDB.Core.Algorithms;

sealed class TraversalContext {
  bool HasQueryVector { get; }
  ReadOnlySpan<float> QueryVector { get; }
  string EmbeddingName { get; }
  VectorDistanceMetric Metric { get; }
  bool TrySimilarity(AGraphElementModel element, out float score);
}

delegate bool VertexFilter(VertexModel vertex);
delegate bool EdgeFilter(EdgeModel edge);
delegate bool EdgePropertyFilter(string edgePropertyId);
delegate bool GraphElementFilter(AGraphElementModel graphElement);
delegate bool LabelFilter(string label);
delegate double VertexCost(VertexModel vertex);
delegate double EdgeCost(EdgeModel edge);

namespace NoSQL.GraphDB.Core.Index.Vector;

enum VectorDistanceMetric { Cosine = 0, DotProduct = 1, L2 = 2 }

static class VectorMath {
  static float Score(ReadOnlySpan<float> a, ReadOnlySpan<float> b, VectorDistanceMetric metric);
  static bool TryScore(out float score, ReadOnlySpan<float> a, ReadOnlySpan<float> b, VectorDistanceMetric metric);
}
`;
