// The element models, the traversal context and the vector arithmetic.

import { defaultEmbedding, embeddingName } from '../../../core/embeddings.ts';
import type { EdgeDirection } from '../../element-reader.ts';
import { UNIX_TICKS } from '../calendar.ts';
import {
  bareValue,
  type ContextObject,
  EdgeGroups,
  type ElementObject,
  edgeList,
  edgeSpan,
  groupNamed,
  objectValue,
  propertyTypeOf,
  vertexObject,
} from '../elements.ts';
import { hashOf, sameReference } from '../equality.ts';
import { charge } from '../machine.ts';
import { isAssignable, runtimeType } from '../runtime-types.ts';
import { DateTimeValue } from '../structs.ts';
import { type Cell, defaultOf, EMPTY_SPAN, SpanValue, typeOfObject, type Value } from '../values.ts';
import { bySite, type MemberTable, type Native, type SiteNative } from './native.ts';

/** TryGetProperty: the stored type exactly, or any value as object or as an interface of it. */
const tryGetProperty = bySite((site) => {
  const type = site.typeArguments[0] ?? site.arguments[0]!;
  const wanted = propertyTypeOf(type);
  const initial = defaultOf(type);
  const described = runtimeType(type);
  const open = wanted === 'Object' || described.shape === 'interface';
  return (element: ElementObject, cell: Cell, key: string | null) => {
    cell.value = initial;
    const property = key === null ? null : element.reader.property(element.id, key);
    if (property === null) return false;
    if (!open) {
      if (property.type !== wanted) return false;
      cell.value = bareValue(property);
      return true;
    }
    const value = objectValue(property);
    if (!isAssignable(typeOfObject(value), described)) return false;
    cell.value = value;
    return true;
  };
});

const anyPropertyValueMatches: Native = (element: ElementObject, predicate: Native | null) => {
  if (predicate === null) return false;
  for (const text of element.reader.stringProperties(element.id)) {
    charge(1);
    if (predicate(text)) return true;
  }
  return false;
};

function dateOf(seconds: number): DateTimeValue {
  return new DateTimeValue(UNIX_TICKS + BigInt(seconds) * 10_000_000n, 0);
}

const ELEMENTS: MemberTable = {
  'AGraphElementModel.Id': (element) => element.id,
  'AGraphElementModel.Label': (element) => element.reader.label(element.id),
  'AGraphElementModel.CreationDate': (element) => element.reader.created(element.id),
  // The stored field counts from the creation, as the model that fragments know does.
  'AGraphElementModel.ModificationDate': (element) =>
    Math.max(0, element.reader.modified(element.id) - element.reader.created(element.id)),
  'AGraphElementModel.TryGetProperty<T>(out T,string)': tryGetProperty,
  'AGraphElementModel.AnyPropertyValueMatches(Func<string,bool>)': anyPropertyValueMatches,
  'AGraphElementModel.GetPropertyCount()': (element) => element.reader.propertyCount(element.id),
  'AGraphElementModel.GetCreationDate()': (element) => dateOf(element.reader.created(element.id)),
  'AGraphElementModel.GetModificationDate()': (element) => dateOf(element.reader.modified(element.id)),
  'AGraphElementModel.TryGetEmbedding(out ReadOnlySpan<float>,string)': (element, cell, name) => {
    const vector = element.reader.embedding(element.id, name ?? defaultEmbedding);
    cell.value = vector ? new SpanValue(vector, 0, vector.length) : EMPTY_SPAN;
    return vector !== null;
  },
  'AGraphElementModel.TryGetEmbeddingModelStamp(out string,string)': (element, cell, name) => {
    cell.value = element.reader.embeddingStamp(element.id, name ?? defaultEmbedding);
    return cell.value !== null;
  },
  'AGraphElementModel.IsValidEmbeddingName(string)': (name) => name !== null && embeddingName.test(name),
};

function directed(name: 'Out' | 'In', direction: EdgeDirection): Record<string, Native | SiteNative> {
  return {
    [`VertexModel.get_${name}Edges()`]: (vertex: ElementObject) => {
      const groups = vertex.reader.edgeGroups(vertex.id, direction);
      return groups === null ? null : new EdgeGroups(vertex.reader, groups);
    },
    [`VertexModel.Get${name}Degree()`]: (vertex) => vertex.reader.degree(vertex.id, direction),
    [`VertexModel.TryGet${name}Edge(out IReadOnlyList<EdgeModel>,string)`]: (vertex, cell, edgeType) => {
      const group = groupNamed(vertex, direction, edgeType);
      cell.value = group ? edgeList(vertex.reader, group) : null;
      return group !== undefined;
    },
    [`VertexModel.TryGet${name}EdgesSpan(out ReadOnlySpan<EdgeModel>,string)`]: (vertex, cell, edgeType) => {
      const group = groupNamed(vertex, direction, edgeType);
      cell.value = group ? edgeSpan(vertex.reader, group) : EMPTY_SPAN;
      return group !== undefined;
    },
  };
}

const VERTICES_AND_EDGES: MemberTable = {
  ...directed('Out', 'out'),
  ...directed('In', 'in'),
  'VertexModel.Equals(object)': sameReference,
  'VertexModel.Equals(VertexModel)': sameReference,
  'VertexModel.GetHashCode()': hashOf,
  'VertexModel.ToString()': (vertex) => String(vertex.id),
  'VertexModel.op_Equality(VertexModel,VertexModel)': sameReference,
  'VertexModel.op_Inequality(VertexModel,VertexModel)': (left, right) => !sameReference(left, right),
  'EdgeModel.SourceVertex': (edge) => vertexObject(edge.reader, edge.reader.edge(edge.id).source),
  'EdgeModel.TargetVertex': (edge) => vertexObject(edge.reader, edge.reader.edge(edge.id).target),
  'EdgeModel.EdgePropertyId': (edge) => edge.reader.edge(edge.id).edgeType,
  'EdgeModel.ToString()': (edge) => String(edge.id),
};

// --- vectors ----------------------------------------------------------------------------------------------------------

function numbersOf(span: SpanValue): Float32Array {
  charge(span.length >> 4);
  return Float32Array.from((span.items as Float32Array).slice(span.start, span.start + span.length));
}

/** Cosine and dot product grow with likeness, the distance shrinks; sums are kept in double precision. @testonly outside. */
export function scoreVectors(left: Float32Array, right: Float32Array, metric: number): number {
  let [product, leftSquare, rightSquare, distance] = [0, 0, 0, 0];
  for (let at = 0; at < left.length; at++) {
    const [a, b] = [left[at]!, right[at]!];
    product += a * b;
    leftSquare += a * a;
    rightSquare += b * b;
    distance += (a - b) * (a - b);
  }
  if (metric === 0) return Math.fround(product / (Math.sqrt(leftSquare) * Math.sqrt(rightSquare)));
  return Math.fround(metric === 1 ? product : Math.sqrt(distance));
}

function tryScore(
  cell: Cell,
  left: Float32Array,
  right: Float32Array,
  score: (a: Float32Array, b: Float32Array) => number,
): boolean {
  cell.value = 0;
  if (left.length === 0 || left.length !== right.length) return false;
  const value = score(left, right);
  if (!Number.isFinite(value)) return false;
  cell.value = value;
  return true;
}

const trySimilarity: Native = (context: ContextObject, element: ElementObject | null, cell: Cell) => {
  const { search } = context;
  cell.value = 0;
  const vector = element === null ? null : element.reader.embedding(element.id, search.embeddingName);
  if (search.queryVector === null || vector === null) return false;
  charge(vector.length >> 3);
  return tryScore(cell, search.queryVector, vector, (a, b) => search.score(a, b, search.metric));
};

function spanOf(vector: Float32Array | null): Value {
  return vector === null ? EMPTY_SPAN : new SpanValue(vector, 0, vector.length);
}

export const MODEL_MEMBERS: MemberTable = {
  ...ELEMENTS,
  ...VERTICES_AND_EDGES,
  'TraversalContext.get_HasQueryVector()': (context) => context.search.queryVector !== null,
  'TraversalContext.get_QueryVector()': (context) => spanOf(context.search.queryVector),
  'TraversalContext.get_EmbeddingName()': (context) => context.search.embeddingName,
  'TraversalContext.get_Metric()': (context) => context.search.metric,
  'TraversalContext.TrySimilarity(AGraphElementModel,out float)': trySimilarity,
  'VectorMath.Score(ReadOnlySpan<float>,ReadOnlySpan<float>,VectorDistanceMetric)': (left, right, metric) =>
    scoreVectors(numbersOf(left), numbersOf(right), metric),
  'VectorMath.TryScore(out float,ReadOnlySpan<float>,ReadOnlySpan<float>,VectorDistanceMetric)': (
    cell,
    left,
    right,
    metric,
  ) => tryScore(cell, numbersOf(left), numbersOf(right), (a, b) => scoreVectors(a, b, metric)),
};
