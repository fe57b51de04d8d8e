// The generator and the edge-traversal benchmark of a namespace. Without a namespace in the path both refuse.

import type { Exchange } from '../exchange.ts';
import { optionalIntegerQuery } from '../parameters.ts';
import { Problem } from '../problems.ts';
import type { Route } from '../route.ts';
import { decodeSegment } from '../target.ts';

export const benchmarkRoutes: readonly Route[] = [
  { method: 'GET', path: '/generate', scope: 'namespace', serve: generate },
  { method: 'GET', path: '/benchmark', scope: 'namespace', serve: benchmark },
  // What GET does here is more than an answer: asking for the headers alone must not do it.
  { method: 'HEAD', path: '/generate', scope: 'namespace', refuses: true, serve: refuseHead },
  { method: 'HEAD', path: '/benchmark', scope: 'namespace', refuses: true, serve: refuseHead },
];

const distributions = ['uniform', 'preferential'] as const;
const initialVertices = 200;
const initialEdges = 5;
const initialIterations = 1000;

async function generate(exchange: Exchange): Promise<Response> {
  requireNamespace(exchange);
  const startMs = performance.now();
  const vertices = countQuery(exchange, 'nodeCount', initialVertices);
  const edges = countQuery(exchange, 'edgeCount', initialEdges);
  const word = exchange.query('distribution')?.trim() || 'uniform';
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

async function benchmark(exchange: Exchange): Promise<Response> {
  requireNamespace(exchange);
  const ceiling = exchange.service.settings['Security:BenchmarkMaxIterations'];
  const wanted = optionalIntegerQuery(exchange, 'iterations', initialIterations);
  if (wanted <= 0) throw new Problem('badRequest', 'The query parameter iterations takes a number above 0.');
  if (exchange.graph.vertexCount === 0) throw new Problem('badRequest', 'The graph has no vertices.');
  const iterations = Math.min(wanted, ceiling);
  const { edges, edgesPerSecond } = await exchange.graph.runs.benchmark(iterations, exchange.request.signal);
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

function countQuery(exchange: Exchange, name: string, initial: number): number {
  const count = optionalIntegerQuery(exchange, name, initial);
  if (count < 0) throw new Problem('badRequest', `The query parameter ${name} takes a number of at least 0.`);
  return count;
}

function requireNamespace({ path }: Exchange): void {
  if (!path.startsWith('/ns/')) throw new Problem('namespaceRequired', `Name the namespace: /ns/{ns}${path}.`);
}
