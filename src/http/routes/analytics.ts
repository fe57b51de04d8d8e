// Whole-graph algorithms: the list of them, runs, and the members of one partition. Order of checks: body and specification (400), name
// (404), what the algorithm takes (400), a place to run (429), the run.

import { z } from 'zod';
import type { AnalyticsRun, RunRefusal, RunResult } from '../../engine/analytics/types.ts';
import { type Algorithm, algorithms } from '../../queries/analytics/algorithms.ts';
import {
  type PluginRun,
  type PluginRunAnswer,
  runPluginAnalytics,
  writeBackKeyOf,
} from '../../queries/analytics/plugin-run.ts';
import {
  algorithmFlaw,
  type RunSettings,
  runOf,
  type Specification,
  specificationFlaw,
} from '../../queries/analytics/request.ts';
import { pluginResultText, pluginRunProblem } from '../analytics-plugins.ts';
import { json } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { contentTypeFor } from '../media-types.ts';
import { idInPath, textInPath } from '../parameters.ts';
import { type HeaderList, Problem } from '../problems.ts';
import { type Answer, type Route, route } from '../route.ts';
import { atMost, id, number, optionalText, record } from '../schemas.ts';
import { count, elementId } from '../shapes.ts';
import { suggestion } from '../unknown-names.ts';

/** What the body is called (contract part 2, Analytics); it is the same JSON text under each name. */
const mediaTypes = ['application/json', 'text/json', 'text/plain'] as const;

/** Bounds are judged by src/queries/analytics, which knows them. */
const specification = record({
  vertexLabel: optionalText,
  edgePropertyId: optionalText,
  direction: optionalText.meta({ description: 'in, out or both.' }),
  maxIterations: number.nullable().default(null),
  epsilon: number.nullable().default(null),
  parameters: atMost(z.record(z.string(), number).nullable()).default(null),
  timeBudgetSeconds: number.nullable().default(null),
  maxResults: number.nullable().default(null),
  offset: id.nullable().default(null),
  writeBack: z.boolean().nullable().default(null),
  writeBackPropertyKey: optionalText,
  weightPropertyId: optionalText,
}).meta({ id: 'AnalyticsSpecification' });

type AnalyticsBody = z.infer<typeof specification>;

const runResult = z
  .object({
    algorithm: z.string(),
    converged: z.boolean(),
    iterationsRun: count,
    elapsedMs: z.number(),
    budgetExhausted: z.boolean(),
    vertexCount: count,
    statistics: z.record(z.string(), z.number().nullable()),
    results: z.array(z.object({ graphElementId: elementId, score: z.number().nullable() })).nullable(),
    partitions: z.array(z.object({ partitionId: elementId, size: count })).nullable(),
    writeBack: z.object({ propertyKey: z.string(), verticesWritten: count, chunks: count }).nullable(),
  })
  .meta({ id: 'AnalyticsResult', description: 'One of results and partitions has rows, the other is null.' });

const partitionPage = z
  .object({ partitionId: elementId, size: count, offset: count, members: z.array(elementId) })
  .meta({ id: 'PartitionMembers' });

function shown(description: string, schema: z.ZodType, headers?: Answer['headers']): Answer {
  return { description, schema, mediaTypes, ...(headers === undefined ? {} : { headers }) };
}

const memoryBytes = { 'x-memory-bytes': 'Bytes of memory that the run took.' };
const base = { scope: 'namespace', tag: 'Analytics' } as const;
const algorithmName = textInPath('Name of the algorithm, in its own case.');
const runProblems = ['notFound', 'analyticsBudgetExhausted', 'analyticsSlotsExhausted', 'internal'] as const;

export const analyticsRoutes: readonly Route[] = [
  route({
    ...base,
    method: 'GET',
    path: '/analytics/algorithms',
    summary: 'The algorithms there are.',
    answers: { 200: shown('Descriptions by name.', z.record(z.string(), z.string())) },
    serve: listAlgorithms,
  }),
  route({
    ...base,
    method: 'POST',
    path: '/analytics/:algorithmName',
    summary: 'Runs an algorithm over the graph.',
    params: { algorithmName },
    body: json(specification),
    answers: { 200: shown('What came out.', runResult, memoryBytes) },
    problems: [...runProblems, 'analyticsWriteBackFailed'],
    serve: (exchange, { algorithmName, body }) => run(exchange, algorithmName, body),
  }),
  route({
    ...base,
    method: 'POST',
    path: '/analytics/:algorithmName/partition/:partitionId',
    summary: 'Runs an algorithm and shows the members of one partition.',
    params: { algorithmName, partitionId: idInPath('Id of the partition.') },
    body: json(specification),
    answers: { 200: shown('One page of the members.', partitionPage, memoryBytes) },
    problems: runProblems,
    serve: (exchange, { algorithmName, partitionId, body }) =>
      readPartition(exchange, algorithmName, partitionId, body),
  }),
];

function listAlgorithms(exchange: Exchange): Response {
  const registered = exchange.service.queries.plugins.advertised(exchange.graph, 'Analytics');
  const list = Object.fromEntries([
    ...[...algorithms].map(([name, { description }]) => [name, description]),
    ...registered.map(({ name, description }) => [name, description ?? '']),
  ]);
  return answer(exchange, JSON.stringify(list), []);
}

async function run(exchange: Exchange, name: string, specification: AnalyticsBody): Promise<Response> {
  const startMs = performance.now();
  const algorithm = await judged(exchange, name, specification);
  if ('compiled' in algorithm) {
    const { values, writtenBack } = await runPluginInSlot(exchange, algorithm, specification, null);
    const propertyKey = writeBackKeyOf(name, specification);
    exchange.hasWritten = writtenBack !== null;
    return answer(
      exchange,
      pluginResultText(name, values, writtenBack && { propertyKey, ...writtenBack }, startMs),
      [],
    );
  }
  const plan = runOf(algorithm, specification, settingsOf(exchange), null);
  const result = await runInSlot(exchange, plan);
  if (result.vertexCount === 0) noticeNoVertex(exchange, specification);
  const isPartition = algorithm.kind === 'partition' && result.vertexCount > 0;
  const rows = new TextDecoder().decode(result.rows);
  exchange.hasWritten = result.writtenBack !== null;
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

function noticeNoVertex(exchange: Exchange, { vertexLabel: label }: Specification): void {
  if (label === null) return;
  const message = `No vertex is labelled '${label}'.${suggestion(exchange, label)}`;
  exchange.warnings.add('noSuchLabel', 'vertexLabel', message);
}

/** Warns of a type of edges and of a weight that the graph does not know. */
function noticeUnknown(exchange: Exchange, { edgePropertyId: type, weightPropertyId: weight }: Specification): void {
  const { warnings, graph } = exchange;
  if (type !== null && !graph.reads.knowsName(type))
    warnings.add('noSuchEdgeType', 'edgePropertyId', `No edge is a '${type}'.${suggestion(exchange, type)}`);
  if (weight !== null && !graph.reads.knowsName(weight)) {
    const message = `No edge has a property '${weight}', so each weighs 1.${suggestion(exchange, weight)}`;
    warnings.add('noSuchProperty', 'weightPropertyId', message);
  }
}

/** Warns of what the algorithm does not look at. */
function noticeUnused({ warnings }: Exchange, name: string, algorithm: Algorithm, specification: Specification): void {
  const known: readonly string[] = algorithm.ownParameters ?? [];
  const there = known.length === 0 ? 'none' : known.join(', ');
  for (const parameter of Object.keys(specification.parameters ?? {}))
    if (!known.includes(parameter))
      warnings.add(
        'ignoredMember',
        `parameters.${parameter}`,
        `${name} has no such parameter; there are ${there}. Case counts.`,
      );
  if (specification.weightPropertyId !== null && !algorithm.takesWeights)
    warnings.add('ignoredMember', 'weightPropertyId', `${name} looks at no weights.`);
}

async function readPartition(
  exchange: Exchange,
  name: string,
  partitionId: number,
  specification: AnalyticsBody,
): Promise<Response> {
  if (specification.writeBack === true)
    throw new Problem('badRequest', 'The members of a partition are not written back.');
  if ((specification.offset ?? 0) < 0) throw new Problem('badRequest', 'offset is a number of at least 0.');
  const algorithm = await judged(exchange, name, specification);
  if ('compiled' in algorithm) return readPluginPartition(exchange, algorithm, partitionId, specification);
  if (algorithm.kind !== 'partition') throw new Problem('badRequest', `${name} gives scores, not partitions.`);
  const result = await runInSlot(exchange, runOf(algorithm, specification, settingsOf(exchange), partitionId));
  if (result.vertexCount === 0 || result.total === 0) {
    throw new Problem('notFound', `The run has no partition ${partitionId}.`);
  }
  const members = new TextDecoder().decode(result.rows);
  return answer(exchange, pageText(partitionId, result.total, specification, members), bytesUsed(result));
}

async function readPluginPartition(
  exchange: Exchange,
  plugin: PluginRun,
  partitionId: number,
  specification: AnalyticsBody,
): Promise<Response> {
  const { values } = await runPluginInSlot(exchange, plugin, specification, partitionId);
  if (!values.isPartition && values.vertexCount > 0) {
    throw new Problem('badRequest', `${plugin.name} gives scores, not partitions.`);
  }
  if (values.total === 0) throw new Problem('notFound', `The run has no partition ${partitionId}.`);
  return answer(exchange, pageText(partitionId, values.total, specification, values.rows), []);
}

function pageText(partitionId: number, size: number, { offset }: Specification, members: string): string {
  return `{"partitionId":${partitionId},"size":${size},"offset":${offset ?? 0},"members":${members}}`;
}

function answer(exchange: Exchange, json: string, headers: HeaderList): Response {
  return exchange.jsonText(json, contentTypeFor(exchange.header('accept'), mediaTypes), headers);
}

/** Bytes of the namespace's memory that the run took, its projection of the graph included. */
function bytesUsed({ bytes }: RunResult): HeaderList {
  return [['x-memory-bytes', `${bytes}`]];
}

/** The algorithm, once nothing is wrong with the request; throws a Problem. */
async function judged(exchange: Exchange, name: string, specification: Specification): Promise<Algorithm | PluginRun> {
  const flaw = specificationFlaw(specification, settingsOf(exchange));
  if (flaw !== null) throw new Problem('badRequest', flaw);
  const algorithm = algorithms.get(name);
  if (algorithm === undefined) {
    const { plugins, pluginLimits: limits } = exchange.service.queries;
    const plugin = await plugins.algorithm(exchange.graph, 'Analytics', name, exchange.caller);
    if (plugin !== null) return { name, compiled: plugin.compiled, limits };
    throw new Problem('notFound', `There is no algorithm '${name}'.`);
  }
  const missing = algorithmFlaw(algorithm, specification);
  if (missing !== null) throw new Problem('badRequest', missing);
  noticeUnused(exchange, name, algorithm, specification);
  exchange.refuseIfStrict();
  noticeUnknown(exchange, algorithm.takesWeights ? specification : { ...specification, weightPropertyId: null });
  return algorithm;
}

function settingsOf({ service: { settings } }: Exchange): RunSettings {
  return {
    defaultTimeBudgetSeconds: settings['Analytics:DefaultTimeBudgetSeconds'],
    maxTimeBudgetSeconds: settings['Analytics:MaxTimeBudgetSeconds'],
    logWriteBack: settings['Analytics:LogWriteBack'],
  };
}

async function runInSlot(exchange: Exchange, plan: AnalyticsRun): Promise<RunResult> {
  const answer = await inSlot(exchange, () => exchange.graph.runs.analytics(plan, exchange.request.signal));
  if (answer.ok) return answer;
  throw refusalProblem(answer, plan);
}

async function runPluginInSlot(
  exchange: Exchange,
  plugin: PluginRun,
  specification: Specification,
  partitionId: number | null,
): Promise<PluginRunAnswer & { ok: true }> {
  const settings = settingsOf(exchange);
  const answer = await inSlot(exchange, () =>
    runPluginAnalytics(exchange.graph, plugin, specification, settings, partitionId, exchange.caller),
  );
  if (answer.ok) return answer;
  throw pluginRunProblem(exchange, plugin.name, specification, answer);
}

/** Holds a place for the whole run, write-back included. */
async function inSlot<Answer>(exchange: Exchange, run: () => Promise<Answer>): Promise<Answer> {
  const giveBack = exchange.service.runSlots.take();
  if (giveBack === null) {
    throw new Problem('analyticsSlotsExhausted', 'As many analytics runs as may go at once are under way.');
  }
  try {
    return await run();
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
