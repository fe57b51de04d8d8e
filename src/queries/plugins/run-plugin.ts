// Calls of plugins from the thread that serves: the job, with what a call may spend, and its end as whoever called it wants it.

import { sectionKinds } from '../../engine/checkpoint/types.ts';
import type { HeldSource } from '../../engine/extracts/types.ts';
import { resultOf } from '../../engine/jobs/failure.ts';
import type { JobOptions, JobOutcome } from '../../engine/jobs/types.ts';
import type { GraphEngine } from '../../engine/types.ts';
import type { AnalyticsInput } from '../../fragments/engine-reader.ts';
import type { Caller } from '../fragments/compilers.ts';
import type { CompiledPlugin } from './compiler.ts';
import type { AnswerWanted } from './job-answers.ts';
import type { PathCall, SubGraphCall } from './path-call.ts';
import { type OtherPlugin, type PluginEnd, type PluginJobRequest, pluginJob } from './plugin-job.ts';
import { pacedLog } from './plugin-log.ts';
import { type PluginTerms, readText, type Trial } from './plugins.ts';
import { newMailbox, type WriterMessage, WriterServer } from './writer-channel.ts';

export interface PluginCallInput {
  readonly asksName?: boolean;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly path?: PathCall;
  readonly analytics?: AnalyticsInput;
  readonly subGraph?: SubGraphCall;
  readonly wanted?: AnswerWanted;
}

export interface PluginCallOptions {
  readonly caller: Caller;
  /** The caller's own time; missing: what the limits allow. */
  readonly timeoutMs?: number | undefined;
}

/** One call of a fresh object. `deadline`: the caller's own time was over. Throws JobFailed and CoreMemoryExhausted. */
export async function callPlugin(
  graph: GraphEngine,
  plugin: CompiledPlugin,
  terms: PluginTerms,
  input: PluginCallInput,
  options: PluginCallOptions,
): Promise<PluginEnd | 'deadline'> {
  const run: RunsJob<JobOutcome<PluginEnd>> = (request, jobOptions) => graph.runJob(pluginJob, request, jobOptions);
  return endOf(await served(graph, run, plugin, terms, input, options));
}

/** The same over a graph that a subgraph is taken from. `changed`: it is another one now. */
export async function callOverSource(
  graph: GraphEngine,
  source: HeldSource,
  plugin: CompiledPlugin,
  terms: PluginTerms,
  input: PluginCallInput,
  caller: Caller,
): Promise<PluginEnd | 'deadline' | 'changed'> {
  const run: RunsJob<JobOutcome<PluginEnd> | 'changed'> = (request, options) =>
    graph.extracts.runJob(source, pluginJob, request, options);
  const outcome = await served(graph, run, plugin, terms, input, { caller });
  return outcome === 'changed' ? outcome : endOf(outcome);
}

/** How a plugin calls others. */
const callsOthers = /\.\s*Try(?:CalculateShortestPath|RunAnalytics|InvokeGraphFunction)\s*\(/;

function othersOf(graph: GraphEngine, { job: { source } }: CompiledPlugin): OtherPlugin[] {
  if (!callsOthers.test(source)) return [];
  return graph.documents.list(sectionKinds.pluginSources).flatMap(({ name, text }) => {
    const stored = readText(text);
    return stored === null ? [] : [{ name, contract: stored.contract, source: stored.sourceCode }];
  });
}

function endOf(outcome: JobOutcome<PluginEnd>): PluginEnd | 'deadline' {
  return !outcome.ok && outcome.reason === 'deadline' ? 'deadline' : resultOf(outcome);
}

type RunsJob<Outcome> = (request: Omit<PluginJobRequest, 'graph'>, options: JobOptions) => Promise<Outcome>;

/** Runs the job and serves what it asks of the writer and says to the log. */
async function served<Outcome>(
  graph: GraphEngine,
  run: RunsJob<Outcome>,
  plugin: CompiledPlugin,
  terms: PluginTerms,
  { asksName = false, parameters, path, analytics, subGraph, wanted }: PluginCallInput,
  { caller, timeoutMs }: PluginCallOptions,
): Promise<Outcome> {
  const mailbox = asksName || subGraph !== undefined ? null : newMailbox();
  const request: Omit<PluginJobRequest, 'graph'> = {
    ...{
      plugin: plugin.job,
      others: othersOf(graph, plugin),
      asksName,
      graphId: idOf(graph),
      parameters: parameters ?? null,
    },
    ...{ path: path ?? null, analytics: analytics ?? null, subGraph: subGraph ?? null, wanted: wanted ?? null },
    // What is read of settings as it is asked for does not travel.
    limits: { maxFuel: terms.maxFuel, maxSeconds: terms.maxSeconds, maxMemoryBytes: terms.maxMemoryBytes },
    mailbox,
  };
  const { takeRunSlot } = terms;
  const log = pacedLog(terms.log, () => performance.now());
  const server = new WriterServer(graph, mailbox, { log, takeRunSlot });
  try {
    const onBlock = (message: unknown): Promise<void> => server.receive(message as WriterMessage);
    return await run(request, { signal: caller.signal, timeoutMs, modules: plugin.modules, onBlock });
  } finally {
    server.close();
  }
}

/** What a fresh object that was asked for its name says of its class. */
export function trialOf(end: PluginEnd | 'deadline'): Trial {
  if (end === 'deadline') return { ok: false, detail: 'The plugin did not say its name in time.' };
  switch (end.ended) {
    case 'value':
      if (end.value.kind === 'name') return { ok: true, name: end.value.name };
      return { ok: false, detail: 'The plugin did not say its name.' };
    case 'threw':
      return { ok: false, detail: `The plugin threw ${end.exception} when it was made: ${end.message}` };
    case 'limit':
      return { ok: false, detail: `To make the plugin takes more than ${end.limit} allows.` };
    case 'declined':
      return { ok: false, detail: 'The plugin did not say its name.' };
  }
}

const ids = new WeakMap<GraphEngine, string>();

/** A graph is told from others by an id of this process. */
function idOf(graph: GraphEngine): string {
  const id = ids.get(graph) ?? crypto.randomUUID();
  ids.set(graph, id);
  return id;
}
