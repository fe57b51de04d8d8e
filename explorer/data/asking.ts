// The answers to questions: what was found, bounded by what was asked, with a sentence that says how it was looked for.

import type { EdgeData, VertexData } from '../model/elements.ts';
import {
  type AnalyticsQuestion,
  type FulltextQuestion,
  type PathQuestion,
  type PropertyQuestion,
  patternsOf,
  type Question,
  type SimilarQuestion,
} from '../model/questions.ts';
import type { Source } from './source.ts';

export interface Hit {
  readonly vertex: VertexData;
  /** Beside the vertex: a score, what was found in it. */
  readonly detail: string;
}

export interface PathFound {
  readonly edges: readonly number[];
  /** In the order of the way. */
  readonly vertices: readonly number[];
  readonly weight: number;
}

export interface Answer {
  readonly hits: readonly Hit[];
  /** How many there are; hits are the first of them. */
  readonly total: number;
  readonly note: string;
  readonly paths: readonly PathFound[];
  readonly edges: readonly EdgeData[];
  /** A number for each vertex the question was about, the highest first. */
  readonly scores: ReadonlyMap<number, number> | null;
  /** A name for each vertex of the largest groups. */
  readonly groups: ReadonlyMap<number, string> | null;
  /** A match as a graph of its own, as lines of service-jsonl. */
  readonly graph: Blob | null;
}

const nothing: Answer = {
  hits: [],
  total: 0,
  note: '',
  paths: [],
  edges: [],
  scores: null,
  groups: null,
  graph: null,
};
const maxHits = 50;
const maxScores = 1000;
/** The largest groups whose members are asked for, and members of each: as many as there are colours. */
const [maxGroups, maxMembers] = [8, 1000];
const maxMatched = 20_000;

export function answerTo(
  source: Source,
  question: Exclude<Question, { kind: 'pattern' }>,
  signal: AbortSignal,
): Promise<Answer> {
  switch (question.kind) {
    case 'property':
      return byProperty(source, question, signal);
    case 'fulltext':
      return byText(source, question, signal);
    case 'path':
      return paths(source, question, signal);
    case 'similar':
      return similar(source, question, signal);
    case 'analytics':
      return analytics(source, question, signal);
  }
}

async function byProperty(source: Source, question: PropertyQuestion, signal: AbortSignal): Promise<Answer> {
  const { key, operator, value, type, label, index } = question;
  const body = {
    operator,
    literal: { value, fullQualifiedTypeName: type },
    resultType: 'Vertices' as const,
    ...(label === '' ? {} : { label }),
  };
  const ids =
    index === ''
      ? await source.client.post('/scan/graph/property/{propertyId}', { path: { propertyId: key }, body, signal })
      : await source.client.post('/scan/index/all', { body: { ...body, indexId: index }, signal });
  const found = ids ?? [];
  return {
    ...nothing,
    ...(await hitsOf(source, found, () => '')),
    total: found.length,
    note: index === '' ? 'A scan of all elements; no index was used.' : `By the index ${index}.`,
  };
}

async function byText(source: Source, { index, text }: FulltextQuestion, signal: AbortSignal): Promise<Answer> {
  const found = await source.client.post('/scan/index/fulltext', {
    body: { indexId: index, requestString: text },
    signal,
  });
  const elements = found?.elements ?? [];
  const texts = new Map(elements.map((one) => [one.graphElementId, (one.highlights ?? []).join(' … ')]));
  const answer = await hitsOf(source, [...texts.keys()], (id) => texts.get(id) ?? '');
  return { ...nothing, ...answer, total: elements.length, note: `By the full-text index ${index}.` };
}

async function similar(
  source: Source,
  { vertex, index, count }: SimilarQuestion,
  signal: AbortSignal,
): Promise<Answer> {
  if (vertex === null) throw new Error('Choose a vertex first.');
  const status = await source.client.get('/status');
  const name = status?.indices?.find(({ indexId }) => indexId === index)?.embeddingName ?? 'default';
  const embedding = await source.client.get('/graphelement/{id}/embedding/{name}', {
    path: { id: vertex, name },
    signal,
  });
  const query = (embedding?.vector ?? []).flatMap((one) => (one === null ? [] : [one]));
  const body = { indexId: index, query, k: count + 1 };
  const { results, metric, higherIsBetter } = await source.client.post('/scan/index/vector', { body, signal });
  const others = results.filter(({ graphElementId }) => graphElementId !== vertex).slice(0, count);
  const scores = new Map(others.map(({ graphElementId, score }) => [graphElementId, score ?? 0]));
  return {
    ...nothing,
    ...(await hitsOf(source, [...scores.keys()], (id) => (scores.get(id) ?? 0).toPrecision(4))),
    total: scores.size,
    scores,
    note: `By the vector index ${index}: ${metric}, ${higherIsBetter ? 'higher' : 'lower'} is nearer. Every vector was compared.`,
  };
}

async function paths(source: Source, question: PathQuestion, signal: AbortSignal): Promise<Answer> {
  const { from, to, isCheapest, maxDepth, maxResults, storedQuery } = question;
  if (from === null || to === null) throw new Error('A path needs two vertices: choose both ends.');
  const filter = given({
    vertexFilter: question.vertexFilter,
    edgeFilter: question.edgeFilter,
    edgePropertyFilter: question.edgePropertyFilter,
  });
  const cost = isCheapest ? given({ edgeCost: question.edgeCost, vertexCost: costOfVertices(question) }) : null;
  const body = {
    pathAlgorithmName: isCheapest ? 'DIJKSTRA' : 'BLS',
    maxDepth,
    maxResults,
    ...(storedQuery === '' ? { ...(filter && { filter }), ...(cost && { cost }) } : { storedQuery }),
  };
  const found = await source.client.post('/path/{from}/to/{to}', { path: { from, to }, body, signal });
  const ways = (found ?? []).map(({ pathElements, totalWeight }) => ({
    edges: pathElements.map(({ edgeId }) => edgeId),
    vertices: [from, ...pathElements.map(({ targetVertexId }) => targetVertexId)],
    weight: totalWeight,
  }));
  const { edges } = await source.ends([...new Set(ways.flatMap((way) => way.edges))]);
  const ids = [...new Set(ways.flatMap((way) => way.vertices))];
  const vertices = await source.vertices(ids);
  return {
    ...nothing,
    hits: vertices.map((vertex) => ({ vertex, detail: '' })),
    total: vertices.length,
    paths: ways,
    edges,
    note:
      ways.length === 0
        ? `There is no path of up to ${maxDepth} edges that passes the filters.`
        : `${ways.length} ${isCheapest ? 'cheapest' : 'shortest'} ${ways.length === 1 ? 'path' : 'paths'}${ways.length === maxResults ? ', as many as were asked for' : ''}.`,
  };
}

/** In a block of costs a part that is left out costs 1; here vertices cost nothing. */
function costOfVertices({ edgeCost }: PathQuestion): string {
  return edgeCost.trim() === '' ? '' : 'return v => 0;';
}

async function analytics(source: Source, question: AnalyticsQuestion, signal: AbortSignal): Promise<Answer> {
  const { algorithm, label, edgeType, budgetSeconds } = question;
  const scope = {
    timeBudgetSeconds: budgetSeconds,
    ...(label === '' ? {} : { vertexLabel: label }),
    ...(edgeType === '' ? {} : { edgePropertyId: edgeType }),
  };
  const path = { algorithmName: algorithm };
  const result = await source.client.post('/analytics/{algorithmName}', {
    path,
    body: { ...scope, maxResults: maxScores },
    signal,
  });
  const { budgetExhausted, iterationsRun, elapsedMs, vertexCount } = result;
  const took = `${vertexCount.toLocaleString('en')} vertices in ${(elapsedMs / 1000).toFixed(2)} s, ${iterationsRun} rounds`;
  const note = `${took}.${budgetExhausted ? ' The time was over before it had settled: these are the last complete round.' : ''}`;
  if (result.partitions !== null) {
    const groups = await membersOf(source, path, scope, result.partitions.slice(0, maxGroups), signal);
    const answer = await hitsOf(source, [...groups.keys()], (id) => groups.get(id) ?? '');
    const total = result.partitions.length;
    return {
      ...nothing,
      ...answer,
      total: groups.size,
      groups,
      note: `${note} ${total} groups; colours show the ${Math.min(maxGroups, total)} largest.`,
    };
  }
  const rows = result.results ?? [];
  const scores = new Map(rows.map(({ graphElementId, score }) => [graphElementId, score ?? 0]));
  const answer = await hitsOf(source, [...scores.keys()], (id) => (scores.get(id) ?? 0).toPrecision(4));
  return { ...nothing, ...answer, total: vertexCount, scores, note };
}

async function membersOf(
  source: Source,
  path: { algorithmName: string },
  scope: Record<string, unknown>,
  partitions: readonly { readonly partitionId: number; readonly size: number }[],
  signal: AbortSignal,
): Promise<Map<number, string>> {
  const groups = new Map<number, string>();
  for (const [place, { partitionId, size }] of partitions.entries()) {
    const { members } = await source.client.post('/analytics/{algorithmName}/partition/{partitionId}', {
      path: { ...path, partitionId },
      body: { ...scope, maxResults: maxMembers },
      signal,
    });
    for (const id of members ?? []) groups.set(id, `Group ${place + 1} (${size.toLocaleString('en')})`);
  }
  return groups;
}

async function hitsOf(
  source: Source,
  ids: readonly number[],
  detailOf: (id: number) => string,
): Promise<{ hits: readonly Hit[] }> {
  const vertices = await source.vertices(ids.slice(0, maxHits));
  return { hits: vertices.map((vertex) => ({ vertex, detail: detailOf(vertex.id) })) };
}

/** The texts that are not blank; null when all are. */
function given<Texts extends Record<string, string>>(texts: Texts): Partial<Texts> | null {
  const entries = Object.entries(texts).filter(([, text]) => text.trim() !== '');
  return entries.length === 0 ? null : (Object.fromEntries(entries) as Partial<Texts>);
}

/** Matches a pattern: a subgraph that is made, read and removed again, unless it is to be kept under a name. */
export async function matched(
  source: Source,
  question: Extract<Question, { kind: 'pattern' }>,
  signal: AbortSignal,
): Promise<Answer> {
  const name = `explorer-${crypto.randomUUID()}`;
  const { storedQuery, steps } = question;
  const body = { name, ...(storedQuery === '' ? { patterns: patternsOf(steps) } : { storedQuery }) };
  const { vertexCount, edgeCount } = await source.client.put('/subgraph', { body, signal });
  try {
    const { vertices, edges } = await source.client.get('/subgraph/{name}/graph', {
      path: { name },
      query: { maxElements: maxMatched },
      signal,
    });
    const isAll = vertices.length === vertexCount && edges.length === edgeCount;
    return {
      ...nothing,
      total: vertexCount,
      graph: vertexCount === 0 ? null : linesOf(vertices, edges),
      note:
        vertexCount === 0
          ? 'Nothing matches the pattern.'
          : `${vertexCount.toLocaleString('en')} vertices and ${edgeCount.toLocaleString('en')} edges lie on a match${isAll ? '' : `; the first ${vertices.length} and ${edges.length} are read`}.`,
    };
  } finally {
    await source.client.delete('/subgraph/{name}', { path: { name } }).catch(() => {}); // the match is what was asked for
  }
}

type Properties = readonly { propertyId: string; fullQualifiedTypeName: string; propertyValue: string }[];

function linesOf(
  vertices: readonly { id: number; label: string | null; properties: Properties }[],
  edges: readonly {
    id: number;
    edgePropertyId: string;
    label: string | null;
    sourceVertex: number;
    targetVertex: number;
    properties: Properties;
  }[],
): Blob {
  const typed = (properties: Properties): Record<string, unknown> =>
    Object.fromEntries(
      properties.map((one) => [one.propertyId, { type: one.fullQualifiedTypeName, value: one.propertyValue }]),
    );
  const known = new Set(vertices.map(({ id }) => id));
  const inside = edges.filter(({ sourceVertex, targetVertex }) => known.has(sourceVertex) && known.has(targetVertex));
  const lines = [
    { type: 'meta', format: 'service-jsonl', version: 2, vertexCount: vertices.length, edgeCount: inside.length },
    ...vertices.map(({ id, label, properties }) => ({
      ...{ type: 'vertex', id, label, creationDate: 0 },
      properties: typed(properties),
    })),
    ...inside.map(({ id, edgePropertyId, label, sourceVertex, targetVertex, properties }) => ({
      ...{ type: 'edge', id, edgePropertyId, source: sourceVertex, target: targetVertex, label, creationDate: 0 },
      properties: typed(properties),
    })),
  ];
  return new Blob(lines.map((line) => `${JSON.stringify(line)}\n`));
}
