// Whole-graph algorithms: the list of them, runs, and the members of one partition. Order of checks: body and specification (400), name
// (404), what the algorithm takes (400), a place to run (429), the run.

import type { AnalyticsRun, RunRefusal, RunResult } from '../../engine/analytics/types.ts';
import { type Algorithm, algorithms } from '../../queries/analytics/algorithms.ts';
import {
  algorithmFlaw,
  type RunSettings,
  runOf,
  type Specification,
  specificationFlaw,
} from '../../queries/analytics/request.ts';
import { readJson } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { contentTypeFor } from '../media-types.ts';
import { idParameter, textParameter } from '../parameters.ts';
import { type HeaderList, Problem } from '../problems.ts';
import type { Route } from '../route.ts';
import { analyticsSpecification } from '../schemas.ts';

const path = '/analytics/:algorithmName';
/** What the body is called (contract part 2, Analytics); it is the same JSON text under each name. */
const mediaTypes = ['application/json', 'text/json', 'text/plain'] as const;

export const analyticsRoutes: readonly Route[] = [
  { method: 'GET', path: '/analytics/algorithms', scope: 'namespace', serve: listAlgorithms },
  { method: 'POST', path, scope: 'namespace', serve: run },
  { method: 'POST', path: `${path}/partition/:partitionId`, scope: 'namespace', serve: readPartition },
];

function listAlgorithms(exchange: Exchange): Response {
  const list = Object.fromEntries([...algorithms].map(([name, { description }]) => [name, description]));
  return answer(exchange, JSON.stringify(list), []);
}

async function run(exchange: Exchange): Promise<Response> {
  const startMs = performance.now();
  const specification = await readJson(exchange, analyticsSpecification, { mayBeEmpty: true });
  const { name, algorithm } = judged(exchange, specification);
  const plan = runOf(algorithm, specification, settingsOf(exchange), null);
  const result = await runInSlot(exchange, plan);
  const isPartition = algorithm.kind === 'partition' && result.vertexCount > 0;
  const rows = new TextDecoder().decode(result.rows);
  const written = result.writtenBack && { propertyKey: plan.writeBack?.key, ...result.writtenBack };
  const members: readonly [name: string, json: string][] = [
    ['algorithm', JSON.stringify(name)],
    ['converged', `${result.converged}`],
    ['iterationsRun', `${result.iterations}`],
    ['elapsedMs', `${Math.round((performance.now() - startMs) * 1000) / 1000}`],
    ['budgetExhausted', `${result.budgetExhausted}`],
    ['vertexCount', `${result.vertexCount}`],
    ['statistics', JSON.stringify(algorithm.statistics(result))],
    ['results', isPartition ? 'null' : rows],
    ['partitions', isPartition ? rows : 'null'],
    ['writeBack', JSON.stringify(written)],
  ];
  return answer(exchange, `{${members.map(([name, json]) => `"${name}":${json}`).join(',')}}`, bytesUsed(result));
}

async function readPartition(exchange: Exchange): Promise<Response> {
  const partitionId = idParameter(exchange, 'partitionId');
  const specification = await readJson(exchange, analyticsSpecification, { mayBeEmpty: true });
  if (specification.writeBack === true)
    throw new Problem('badRequest', 'The members of a partition are not written back.');
  if ((specification.offset ?? 0) < 0) throw new Problem('badRequest', 'offset is a number of at least 0.');
  const { name, algorithm } = judged(exchange, specification);
  if (algorithm.kind !== 'partition') throw new Problem('badRequest', `${name} gives scores, not partitions.`);
  const result = await runInSlot(exchange, runOf(algorithm, specification, settingsOf(exchange), partitionId));
  if (result.vertexCount === 0 || result.total === 0) {
    throw new Problem('notFound', `The run has no partition ${partitionId}.`);
  }
  const members = new TextDecoder().decode(result.rows);
  const head = `"partitionId":${partitionId},"size":${result.total},"offset":${specification.offset ?? 0}`;
  return answer(exchange, `{${head},"members":${members}}`, bytesUsed(result));
}

function answer(exchange: Exchange, json: string, headers: HeaderList): Response {
  return exchange.jsonText(json, contentTypeFor(exchange.header('accept'), mediaTypes), headers);
}

/** Bytes of the namespace's memory that the run took, its projection of the graph included. */
function bytesUsed({ bytes }: RunResult): HeaderList {
  return [['x-memory-bytes', `${bytes}`]];
}

/** The algorithm, once nothing is wrong with the request; throws a Problem. */
function judged(exchange: Exchange, specification: Specification): { name: string; algorithm: Algorithm } {
  const flaw = specificationFlaw(specification, settingsOf(exchange));
  if (flaw !== null) throw new Problem('badRequest', flaw);
  const name = textParameter(exchange, 'algorithmName');
  const algorithm = algorithms.get(name);
  if (algorithm === undefined) throw new Problem('notFound', `There is no algorithm '${name}'.`);
  const missing = algorithmFlaw(algorithm, specification);
  if (missing !== null) throw new Problem('badRequest', missing);
  return { name, algorithm };
}

function settingsOf({ service: { settings } }: Exchange): RunSettings {
  return {
    defaultTimeBudgetSeconds: settings['Analytics:DefaultTimeBudgetSeconds'],
    maxTimeBudgetSeconds: settings['Analytics:MaxTimeBudgetSeconds'],
    logWriteBack: settings['Analytics:LogWriteBack'],
  };
}

/** Holds a place for the whole run, write-back included. */
async function runInSlot(exchange: Exchange, plan: AnalyticsRun): Promise<RunResult> {
  const giveBack = exchange.service.runSlots.take();
  if (giveBack === null) {
    throw new Problem('analyticsSlotsExhausted', 'As many analytics runs as may go at once are under way.');
  }
  try {
    const answer = await exchange.graph.runs.analytics(plan, exchange.request.signal);
    if (answer.ok) return answer;
    throw refusalProblem(answer, plan);
  } finally {
    giveBack();
  }
}

function refusalProblem(refusal: RunRefusal, { budgetMs, source, scope, writeBack }: AnalyticsRun): Problem {
  switch (refusal.reason) {
    case 'budget':
      return new Problem('analyticsBudgetExhausted', `The run had no result after ${budgetMs / 1000} s.`);
    case 'memory': {
      const { neededBytes, freeBytes } = refusal;
      const detail = `The run needs ${neededBytes} bytes of memory more, and ${freeBytes} are free.`;
      return new Problem('memoryLimit', detail, { neededBytes, freeBytes });
    }
    case 'source':
      return new Problem('badRequest', `The parameter Source is ${source}, which is no vertex in scope.`);
    case 'weight': {
      const flaw = refusal.flaw === 'type' ? 'not a number' : 'negative or not finite';
      const detail = `The property '${scope.weightKey}' of edge ${refusal.edge} is ${flaw}, so it is no weight.`;
      return new Problem('badRequest', detail, { elementId: refusal.edge });
    }
    case 'weightSum':
      return new Problem('badRequest', `The weights '${scope.weightKey}' add up to more than a number holds.`);
    case 'writeBack': {
      const { detail, verticesWritten, chunks } = refusal;
      const extensions = { propertyKey: writeBack?.key, verticesWritten, chunks };
      return new Problem(
        'analyticsWriteBackFailed',
        `${detail} ${verticesWritten} values were written before.`,
        extensions,
      );
    }
  }
}
