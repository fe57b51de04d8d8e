// The generator and the edge-traversal benchmark of a namespace. Without a namespace in the path both refuse.

import { z } from 'zod';
import type { Exchange } from '../exchange.ts';
import { optionalIntegerInQuery, textInQuery } from '../parameters.ts';
import { Problem } from '../problems.ts';
import { type Route, route, shows } from '../route.ts';
import { count } from '../shapes.ts';
import { decodeSegment } from '../target.ts';

const distributions = ['uniform', 'preferential'] as const;
const initialVertices = 200;
const initialEdges = 5;
const initialIterations = 1000;

const generated = z
  .object({
    namespace: z.string(),
    verticesCreated: count,
    edgesCreated: count,
    distribution: z.enum(distributions),
    elapsedMilliseconds: z.number(),
    vertexCountAfter: count,
    edgeCountAfter: count,
  })
  .meta({ id: 'GenerationResult' });

const measured = z
  .object({
    iterations: count.meta({ description: 'Those that were done: fewer where they take too long.' }),
    edgesTraversed: count.meta({ description: 'In each iteration.' }),
    averageTps: z.number().nullable(),
    medianTps: z.number().nullable(),
    standardDeviationTps: z.number().nullable(),
  })
  .meta({ id: 'BenchmarkResult', description: 'Edges a second over all iterations.' });

const read = { method: 'GET', scope: 'namespace', tag: 'Benchmark', needsNamespace: true } as const;
// What GET does here is more than an answer: asking for the headers alone must not do it.
const refusal = {
  method: 'HEAD',
  scope: 'namespace',
  tag: 'Benchmark',
  summary: 'Refused.',
  answers: {},
  refuses: true,
  hidden: true,
  serve: refuseHead,
} as const;

export const benchmarkRoutes: readonly Route[] = [
  route({
    ...read,
    path: '/generate',
    summary: 'Adds a generated graph.',
    query: {
      nodeCount: optionalIntegerInQuery(initialVertices, 'Vertices.'),
      edgeCount: optionalIntegerInQuery(initialEdges, 'Edges of each vertex.'),
      distribution: textInQuery('uniform or preferential, in any case.'),
    },
    answers: { 200: shows('What was added.', generated) },
    problems: ['notDurable', 'generationOvertaken'],
    serve: (exchange, { nodeCount, edgeCount, distribution }) => generate(exchange, nodeCount, edgeCount, distribution),
  }),
  route({
    ...read,
    path: '/benchmark',
    summary: 'Measures how many edges a second are followed.',
    query: { iterations: optionalIntegerInQuery(initialIterations, 'Passes over all edges.') },
    answers: { 200: shows('The rates.', measured) },
    serve: (exchange, { iterations }) => benchmark(exchange, iterations),
  }),
  { ...refusal, path: '/generate' },
  { ...refusal, path: '/benchmark' },
];

async function generate(exchange: Exchange, vertices: number, edges: number, wanted: string | null): Promise<Response> {
  requireNamespace(exchange);
  const startMs = performance.now();
  refuseNegative('nodeCount', vertices);
  refuseNegative('edgeCount', edges);
  const word = wanted?.trim() || 'uniform';
  const distribution = distributions.find((one) => one === word.toLowerCase());
  if (distribution === undefined) throw new Problem('badRequest', `The distribution '${word}' is not known.`);
  const result = await exchange.graph.runs.generate({ vertices, edges, distribution }, exchange.request.signal);
  if (!result.ok) {
    throw new Problem(result.reason === 'memory' ? 'memoryLimit' : 'generationOvertaken', result.detail);
  }
  if (!result.durable) {
    throw new Problem('notDurable', 'The graph is in memory, but not on disk.', { durable: false });
  }
  return exchange.value({
    namespace: decodeSegment(exchange.encodedNamespace),
    verticesCreated: result.verticesCreated,
    edgesCreated: result.edgesCreated,
    distribution,
    elapsedMilliseconds: performance.now() - startMs,
    vertexCountAfter: exchange.graph.vertexCount,
    edgeCountAfter: exchange.graph.edgeCount,
  });
}

async function benchmark(exchange: Exchange, wanted: number): Promise<Response> {
  requireNamespace(exchange);
  const { settings } = exchange.service;
  if (wanted <= 0) throw new Problem('badRequest', 'The query parameter iterations takes a number above 0.');
  if (exchange.graph.vertexCount === 0) throw new Problem('badRequest', 'The graph has no vertices.');
  const most = Math.min(wanted, settings['Security:BenchmarkMaxIterations']);
  const mostSeconds = settings['Security:BenchmarkMaxSeconds'];
  const { edges, edgesPerSecond } = await exchange.graph.runs.benchmark(most, mostSeconds, exchange.request.signal);
  const iterations = edgesPerSecond.length;
  const mean = edgesPerSecond.reduce((sum, rate) => sum + rate, 0) / iterations;
  const variance = edgesPerSecond.reduce((sum, rate) => sum + (rate - mean) ** 2, 0) / iterations;
  return exchange.value({
    iterations,
    edgesTraversed: edges,
    averageTps: mean,
    medianTps: medianOf(edgesPerSecond),
    standardDeviationTps: Math.sqrt(variance),
  });
}

function refuseHead({ path }: Exchange): never {
  throw new Problem('methodNotAllowed', `${path} takes GET, not HEAD.`, {}, [['allow', 'GET']]);
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2;
}

function refuseNegative(name: string, count: number): void {
  if (count < 0) throw new Problem('badRequest', `The query parameter ${name} takes a number of at least 0.`);
}

function requireNamespace({ path }: Exchange): void {
  if (!path.startsWith('/ns/')) throw new Problem('namespaceRequired', `Name the namespace: /ns/{ns}${path}.`);
}
