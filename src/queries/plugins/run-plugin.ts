// Calls of plugins from the thread that serves: the job, with what a call may spend, and its end as whoever called it wants it.

import { resultOf } from '../../engine/jobs/failure.ts';
import type { JobOptions, JobOutcome } from '../../engine/jobs/types.ts';
import type { GraphEngine } from '../../engine/types.ts';
import type { AnalyticsInput } from '../../fragments/engine-reader.ts';
import type { Caller } from '../fragments/compilers.ts';
import type { CompiledPlugin } from './compiler.ts';
import type { AnswerWanted } from './job-answers.ts';
import type { PathCall } from './path-call.ts';
import { type PluginEnd, type PluginJobRequest, type PluginLimits, pluginJob } from './plugin-job.ts';
import type { Trial } from './plugins.ts';
import { newMailbox, type WriterMessage, WriterServer } from './writer-channel.ts';

export interface PluginCallInput {
  readonly asksName?: boolean;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly path?: PathCall;
  readonly analytics?: AnalyticsInput;
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
  limits: PluginLimits,
  { asksName = false, parameters, path, analytics, wanted }: PluginCallInput,
  { caller, timeoutMs }: PluginCallOptions,
): Promise<PluginEnd | 'deadline'> {
  const request: Omit<PluginJobRequest, 'graph'> = {
    ...{ plugin: plugin.job, asksName, graphId: idOf(graph) },
    ...{ parameters: parameters ?? null, path: path ?? null, analytics: analytics ?? null, wanted: wanted ?? null },
    // What is read of settings as it is asked for does not travel.
    limits: { maxFuel: limits.maxFuel, maxSeconds: limits.maxSeconds, maxMemoryBytes: limits.maxMemoryBytes },
    mailbox: asksName ? null : newMailbox(),
  };
  const { modules } = plugin;
  const outcome = await runServed(graph, request, { signal: caller.signal, timeoutMs, modules });
  if (!outcome.ok && outcome.reason === 'deadline') return 'deadline';
  return resultOf(outcome);
}

/** Runs the job and serves the transactions that it asks for. */
async function runServed(
  graph: GraphEngine,
  request: Omit<PluginJobRequest, 'graph'>,
  options: JobOptions,
): Promise<JobOutcome<PluginEnd>> {
  const { mailbox } = request;
  if (mailbox === null) return graph.runJob(pluginJob, request, options);
  const server = new WriterServer(graph, mailbox);
  try {
    return await graph.runJob(pluginJob, request, {
      ...options,
      onBlock: (message) => server.receive(message as WriterMessage),
    });
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
