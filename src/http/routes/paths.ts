// Path finding: `POST /path/{from}/to/{to}`.

import { z } from 'zod';
import { defaultEmbedding } from '../../core/embeddings.ts';
import { pathAlgorithms } from '../../engine/plugin-names.ts';
import type { CompiledSet } from '../../queries/fragments/compiler.ts';
import type { FoundPaths } from '../../queries/paths/path-job.ts';
import { isGiven, type PathTexts, type SemanticBody } from '../../queries/paths/request.ts';
import { type PathAnswer, type PathPlugin, runPath } from '../../queries/paths/run-path.ts';
import { pathTextsOf } from '../../queries/stored/stored-queries.ts';
import { codeBodyBytes, json } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { idInPath } from '../parameters.ts';
import { Problem } from '../problems.ts';
import { type Route, route, shows } from '../route.ts';
import { integer, notBlank, number, optionalText, record } from '../schemas.ts';
import { cost, filter, semantic } from '../schemas-queries.ts';
import { embeddingProblems, noticeEmbedding, resolvedSemantic } from '../semantic.ts';
import { elementId } from '../shapes.ts';
import { invokedQuery } from './stored-queries.ts';

const longestBudgetSeconds = 3600;

const defaultDepth = 7;

const uint16 = integer(0, 65_535);

const path = record({
  pathAlgorithmName: notBlank.default('BLS').meta({ description: 'BLS, DIJKSTRA, or a registered plugin.' }),
  // No default of the schema: an answer cut by it says so.
  maxDepth: uint16.optional().meta({ default: defaultDepth }),
  maxResults: uint16.default(65_535),
  maxPathWeight: number.nullable().default(null),
  filter: filter.nullable().default(null),
  cost: cost.nullable().default(null),
  storedQuery: optionalText,
  semantic: semantic.nullable().default(null),
  timeBudgetSeconds: number.nullable().default(null),
}).meta({ id: 'PathSpecification' });

/** Bytes of `[]`. */
const emptyLength = 2;

type PathBody = z.infer<typeof path>;

/** A body of `null` is one of defaults. */
const pathOrNull = z.preprocess((body) => (body === null ? {} : body), path);

const pathElement = z
  .object({
    sourceVertexId: elementId,
    targetVertexId: elementId,
    edgeId: elementId,
    edgePropertyId: z.string(),
    direction: z.int().meta({ description: '0 against the direction of the edge, 1 with it.' }),
    weight: z.number(),
  })
  .meta({ id: 'PathElement' });

const foundPath = z.object({ pathElements: z.array(pathElement), totalWeight: z.number() }).meta({ id: 'Path' });

export const pathRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/path/:from/to/:to',
    scope: 'namespace',
    tag: 'Graph',
    rateLimited: true,
    summary: 'Shortest paths between two vertices.',
    params: { from: idInPath('Id of the vertex to start from.'), to: idInPath('Id of the vertex to arrive at.') },
    body: json(pathOrNull, { maxBytes: codeBodyBytes }),
    answers: { 200: shows('The paths; none when there is no way.', z.array(foundPath)) },
    problems: [...embeddingProblems, 'notFound', 'conflict', 'pathBudgetExhausted', 'internal'],
    serve: (exchange, { from, to, body }) => findPaths(exchange, from, to, body),
  }),
];

async function findPaths(exchange: Exchange, from: number, to: number, body: PathBody): Promise<Response> {
  const timeoutMs = budgetOf(body);
  const semantic = await resolvedSemantic(exchange, body.semantic);
  const { queries, platform } = exchange.service;
  const { maxDepth = defaultDepth } = body;
  const plugin = await pluginOf(exchange, body);
  if (plugin === null) noticeAlgorithm(exchange, body);
  noticeEnds(exchange, { from, to });
  noticeEmbedding(exchange, semantic);
  if (maxDepth === 0) return exchange.value([]);
  const answer = await runPath(exchange.graph, queries.pathCompiler, queries.limits, {
    from,
    to,
    algorithm: body.pathAlgorithmName,
    maxDepth,
    maxResults: body.maxResults,
    maxWeight: body.maxPathWeight ?? Number.POSITIVE_INFINITY,
    ...(await fragmentsOf(exchange, body)),
    semantic,
    timeoutMs,
    caller: exchange.caller,
    plugin,
  });
  if (answer.ok) {
    if (body.maxDepth === undefined && !exchange.warnings.has('unknownAlgorithm', 'noSuchVertex', 'noSuchEmbedding'))
      noticeDepth(exchange, answer);
    if (answer.json.byteLength === emptyLength) noticeUnscored(exchange, semantic, to);
    if (answer.clampedCost)
      exchange.warnings.add('clampedCost', 'cost', 'A step cost less than 0; it was taken for 0.');
    return exchange.json(answer.json);
  }
  if (answer.cause !== undefined) platform.logger.warn(`${exchange.path}: a fragment threw ${answer.cause}.`);
  throw problemOf(exchange, answer);
}

/** The registered plugin that the request names, if it names one that can run. */
async function pluginOf(exchange: Exchange, { pathAlgorithmName: name }: PathBody): Promise<PathPlugin | null> {
  if (pathAlgorithms.some((known) => known === name)) return null;
  const { plugins, pluginLimits } = exchange.service.queries;
  const found = await plugins.algorithm(exchange.graph, 'Path', name, exchange.caller);
  return found === null ? null : { compiled: found.compiled, limits: pluginLimits };
}

/** Warns of a cost that the algorithm does not look at, and of an algorithm that there is not. */
function noticeAlgorithm({ warnings }: Exchange, { pathAlgorithmName: name, cost }: PathBody): void {
  if (!pathAlgorithms.some((known) => known === name)) {
    const known = pathAlgorithms.join(', ');
    const message = `There is no algorithm '${name}', so no path; there are ${known}. Case counts.`;
    warnings.add('unknownAlgorithm', 'pathAlgorithmName', message);
  } else if (name === 'BLS' && cost !== null) {
    warnings.add('ignoredCost', 'cost', 'BLS counts steps and looks at no cost; DIJKSTRA does.');
  } else if (name === 'DIJKSTRA' && cost !== null) {
    noticeHalfCost(warnings, cost);
  }
}

/** Warns of the half of a cost that was left out and counts 1 a step: whoever gives one half mostly means the other to be free. */
function noticeHalfCost(warnings: Exchange['warnings'], { edgeCost, vertexCost }: NonNullable<PathBody['cost']>): void {
  if ((edgeCost === undefined) === (vertexCost === undefined)) return; // null is an answer too: an edge costs 1 then, a vertex nothing
  const [left, kind, free] = edgeCost === undefined ? ['edgeCost', 'edge', 'e'] : ['vertexCost', 'vertex', 'v'];
  warnings.add(
    'defaultCost',
    `cost.${left}`,
    `Left out, so each ${kind} costs 1; 'return ${free} => 0;' makes it free.`,
  );
}

/** Warns of ends that are no vertices: the answer is the same as for no path. */
function noticeEnds({ graph, warnings }: Exchange, ends: Readonly<Record<'from' | 'to', number>>): void {
  for (const [at, id] of Object.entries(ends)) {
    if (graph.reads.degree(id, 'out') === null) warnings.add('noSuchVertex', at, `There is no vertex ${id}.`);
  }
}

/** Warns of an end without the vector that a search goes by, where it found nothing: what has no score passes no filter. */
function noticeUnscored({ graph, warnings }: Exchange, semantic: SemanticBody | null, to: number): void {
  if (semantic === null || warnings.has('noSuchVertex', 'noSuchEmbedding')) return;
  const name = semantic.embeddingName ?? defaultEmbedding;
  if (graph.vectors.readEmbedding(to, name) === null)
    warnings.add('noSuchEmbedding', 'to', `The vertex ${to} has no embedding '${name}', so it has no score.`);
}

/** Warns where a longer path may exist than the default depth lets the search go, or a cheaper one does. */
function noticeDepth({ warnings }: Exchange, { json: { byteLength }, cutByDepth }: FoundPaths): void {
  if (!cutByDepth) return;
  if (byteLength === emptyLength)
    warnings.add(
      'defaultDepth',
      'maxDepth',
      `No path within the default of ${defaultDepth} steps; a longer one may exist.`,
    );
  else
    warnings.add(
      'defaultDepth',
      'maxDepth',
      `A path of more than the default of ${defaultDepth} steps costs less; it is left out.`,
    );
}

function budgetOf({ timeBudgetSeconds }: PathBody): number | null {
  if (timeBudgetSeconds === null) return null;
  if (timeBudgetSeconds > 0 && timeBudgetSeconds <= longestBudgetSeconds) return timeBudgetSeconds * 1000;
  throw new Problem('badRequest', `timeBudgetSeconds takes more than 0 and at most ${longestBudgetSeconds} seconds.`);
}

/** The fragments of the request, or of the stored query it names, which are compiled already. */
async function fragmentsOf(
  exchange: Exchange,
  body: PathBody,
): Promise<{ texts: PathTexts; compiled: CompiledSet | null }> {
  const { filter, cost, storedQuery, semantic } = body;
  if (!isGiven(storedQuery)) return { texts: pathTextsOf(body), compiled: null };
  if (filter !== null || cost !== null) {
    throw new Problem('badRequest', 'storedQuery cannot stand beside filter or cost.');
  }
  if (semantic !== null) throw new Problem('badRequest', 'A stored query takes no semantic block.');
  const { texts, set } = await invokedQuery(exchange, storedQuery, 'Path');
  return { texts, compiled: set };
}

function problemOf(exchange: Exchange, answer: PathAnswer & { ok: false }): Problem {
  switch (answer.failure) {
    case 'invalid':
    case 'notCompiled':
      return new Problem('badRequest', answer.detail);
    case 'deadline':
    case 'limit':
      return new Problem('pathBudgetExhausted', answer.detail);
    case 'threw':
      return new Problem('internal', answer.detail, exchange.thrown(answer.cause));
  }
}
