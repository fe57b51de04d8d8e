// Path finding: `POST /path/{from}/to/{to}`.

import type { CompiledSet } from '../../queries/fragments/compiler.ts';
import { isGiven, type PathTexts } from '../../queries/paths/request.ts';
import { type PathAnswer, runPath } from '../../queries/paths/run-path.ts';
import { pathTextsOf } from '../../queries/stored/stored-queries.ts';
import { codeBodyBytes, readJson } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { idParameter } from '../parameters.ts';
import { Problem } from '../problems.ts';
import type { Route } from '../route.ts';
import { type PathBody, pathSpecification } from '../schemas-queries.ts';
import { refuseQueryText } from '../semantic.ts';
import { invokedQuery } from './stored-queries.ts';

const longestBudgetSeconds = 3600;

export const pathRoutes: readonly Route[] = [
  { method: 'POST', path: '/path/:from/to/:to', scope: 'namespace', rateLimited: true, serve: findPaths },
];

async function findPaths(exchange: Exchange): Promise<Response> {
  const from = idParameter(exchange, 'from');
  const to = idParameter(exchange, 'to');
  const body = await readJson(exchange, pathSpecification, { maxBytes: codeBodyBytes });
  const timeoutMs = budgetOf(body);
  refuseQueryText(body.semantic);
  const { queries, platform } = exchange.service;
  if (body.maxDepth === 0) return exchange.value([]);
  const answer = await runPath(exchange.graph, queries.pathCompiler, queries.limits, {
    from,
    to,
    algorithm: body.pathAlgorithmName,
    maxDepth: body.maxDepth,
    maxResults: body.maxResults,
    maxWeight: body.maxPathWeight ?? Number.POSITIVE_INFINITY,
    ...(await fragmentsOf(exchange, body)),
    semantic: body.semantic,
    timeoutMs,
    caller: exchange.caller,
  });
  if (answer.ok) return exchange.json(answer.json);
  if (answer.cause !== undefined) platform.logger.warn(`${exchange.path}: a fragment threw ${answer.cause}.`);
  throw problemOf(answer);
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

function problemOf(answer: PathAnswer & { ok: false }): Problem {
  switch (answer.failure) {
    case 'invalid':
    case 'notCompiled':
      return new Problem('badRequest', answer.detail);
    case 'deadline':
    case 'limit':
      return new Problem('pathBudgetExhausted', answer.detail);
    case 'threw':
      return new Problem('internal', answer.detail);
  }
}
