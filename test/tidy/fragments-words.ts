// What the page of members says beside the declarations: a word about each member of the models, ten recipes, ten mistakes.

import type { DelegateKind } from '../../src/fragments/tree.ts';

export const memberWords: Readonly<Record<string, string>> = {
  EmbeddingPropertyPrefix: 'Prefix of the keys that embeddings stand under.',
  EmbeddingModelStampPrefix: 'Prefix of the keys that say which model made a vector.',
  DefaultEmbeddingName: 'The name that is meant where none is given.',
  MaxEmbeddingNameLength: 'Characters that a name of an embedding may have.',
  Id: 'The id, as in the routes.',
  Label: 'The label; null where there is none.',
  CreationDate: 'Seconds since 1970.',
  ModificationDate: 'Seconds that lie between creation and the last change.',
  TryGetProperty: 'False where the property is missing **or has another type** than `T`.',
  AnyPropertyValueMatches: 'Whether the text of any value satisfies the lambda.',
  GetPropertyCount: 'How many properties there are.',
  GetCreationDate: 'The time of creation.',
  GetModificationDate: 'The time of the last change.',
  TryGetEmbedding: 'The vector of a name, without a copy.',
  TryGetEmbeddingModelStamp: 'Which model made it.',
  IsValidEmbeddingName: 'Whether an embedding can be called so.',
  OutEdges: 'Outgoing edges by type.',
  InEdges: 'Incoming edges by type.',
  GetOutDegree: 'How many edges go out.',
  GetInDegree: 'How many come in.',
  TryGetOutEdge: 'Outgoing edges of a type.',
  TryGetInEdge: 'Incoming edges of a type.',
  TryGetOutEdgesSpan: 'The same as a span, without an object for the list.',
  TryGetInEdgesSpan: 'The same as a span, without an object for the list.',
  Equals: 'Whether it is the same element.',
  GetHashCode: 'A number that equal elements share.',
  ToString: 'A text for people.',
  'operator ==': 'Whether both are the same element.',
  'operator !=': 'Whether they differ.',
  SourceVertex: 'Where the edge begins.',
  TargetVertex: 'Where it ends.',
  EdgePropertyId: 'The type of the edge.',
  HasQueryVector: 'Whether the request has a `semantic` block.',
  QueryVector: 'Its vector.',
  EmbeddingName: 'Which embedding it is compared with.',
  Metric: 'How it is compared.',
  TrySimilarity: 'The score of an element against the query vector; false where it has no such vector.',
  Score: 'The score of two vectors of one length.',
  TryScore: 'The same; false where the lengths differ.',
  Cosine: '',
};

export const recipes: readonly { title: string; kind: DelegateKind; text: string }[] = [
  { title: 'A label', kind: 'VertexFilter', text: 'return v => v.Label == "person";' },
  {
    title: 'A property of a type, where it is there',
    kind: 'VertexFilter',
    text: 'return v => v.TryGetProperty<int>(out var age, "age") && age >= 18;',
  },
  {
    title: 'A property that is missing or good',
    kind: 'EdgeFilter',
    text: 'return e => !e.TryGetProperty<int>(out var stars, "stars") || stars > 3;',
  },
  {
    title: 'A text, in any case',
    kind: 'VertexFilter',
    text: 'return v => v.TryGetProperty<string>(out var name, "name") && name.Contains("ada", StringComparison.OrdinalIgnoreCase);',
  },
  { title: 'Some types of edges', kind: 'EdgePropertyFilter', text: 'return t => t is "knows" or "likes";' },
  {
    title: 'Costs from a property, dear where it is missing',
    kind: 'EdgeCost',
    text: 'return e => e.TryGetProperty<double>(out var km, "km") ? km : 1000;',
  },
  {
    title: 'Not over hubs',
    kind: 'VertexCost',
    text: 'return v => Math.Log2(1 + v.GetInDegree() + v.GetOutDegree());',
  },
  {
    title: 'A day, or later',
    kind: 'EdgeFilter',
    text: 'var day = new DateTime(2024, 1, 1);\nreturn e => e.TryGetProperty<DateTime>(out var since, "since") && since >= day;',
  },
  {
    title: 'A neighbour of a kind',
    kind: 'VertexFilter',
    text: 'return v => v.TryGetOutEdge(out var edges, "wrote") && edges.Any(e => e.TargetVertex.Label == "book");',
  },
  {
    title: 'Near a query vector',
    kind: 'VertexFilter',
    text: 'return v => context.TrySimilarity(v, out var score) && score > 0.7f;',
  },
];

export const mistakes: readonly { title: string; kind: DelegateKind; text: string; instead: string }[] = [
  {
    title: 'A misspelt member',
    kind: 'VertexFilter',
    text: 'return v => v.Lable == "person";',
    instead: 'return v => v.Label == "person";',
  },
  {
    title: 'No return',
    kind: 'VertexFilter',
    text: 'v => v.Label == "person";',
    instead: 'return v => v.Label == "person";',
  },
  {
    title: 'An assignment where a comparison is meant',
    kind: 'VertexFilter',
    text: 'return v => v.Label = "person";',
    instead: 'return v => v.Label == "person";',
  },
  {
    title: 'Quotes of a character around a text',
    kind: 'VertexFilter',
    text: "return v => v.Label == 'person';",
    instead: 'return v => v.Label == "person";',
  },
  {
    title: 'A property as a member',
    kind: 'VertexFilter',
    text: 'return v => v.age > 30;',
    instead: 'return v => v.TryGetProperty<int>(out var age, "age") && age > 30;',
  },
  {
    title: 'A name that is no type',
    kind: 'VertexFilter',
    text: 'return v => v.TryGetProperty<integer>(out var age, "age") && age > 30;',
    instead: 'return v => v.TryGetProperty<int>(out var age, "age") && age > 30;',
  },
  {
    title: 'A cost that is a Boolean',
    kind: 'EdgeCost',
    text: 'return e => e.EdgePropertyId == "motorway";',
    instead: 'return e => e.EdgePropertyId == "motorway" ? 1 : 3;',
  },
  {
    title: 'The type of an edge asked of a text',
    kind: 'EdgePropertyFilter',
    text: 'return e => e.EdgePropertyId == "knows";',
    instead: 'return t => t == "knows";',
  },
  {
    title: 'Regular expressions',
    kind: 'VertexFilter',
    text: 'return v => Regex.IsMatch(v.Label, "^p");',
    instead: 'return v => v.Label != null && v.Label.StartsWith("p");',
  },
  {
    title: 'No answer on one way through',
    kind: 'VertexFilter',
    text: 'return v => { if (v.Label == "person") { return true; } };',
    instead: 'return v => { if (v.Label == "person") { return true; } return false; };',
  },
];
