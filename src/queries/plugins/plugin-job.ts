// One call of a plugin as a job: a fresh object of its class over the graph of the thread's reader, and its result in the form of an answer.
// Nothing of a call outlives it but the class, bound and kept for the next one.

import { scorePair } from '../../core/fragments.ts';
import type { CoreReader } from '../../core/reader.ts';
import type { JobControl, JobKind } from '../../engine/jobs/types.ts';
import type { AnalyticsInput, PluginInput, PluginResult } from '../../fragments/engine-reader.ts';
import { createPlugin, type PluginRunner } from '../../fragments/interpreter/index.ts';
import { type Budget, LimitError } from '../../fragments/interpreter/machine.ts';
import { bindPlugin } from '../../fragments/plugins/compile.ts';
import { realFunctions } from '../fragments/elements.ts';
import { SlidingCache } from '../fragments/sliding-cache.ts';
import { fuelLimit } from '../fragments/spending.ts';
import type { CompiledPlugin } from './compiler.ts';
import { EngineElements } from './engine-elements.ts';
import { type AnswerWanted, answerOf, type PluginAnswer } from './job-answers.ts';
import { type PathCall, pathInput } from './path-call.ts';
import { WriterChannel } from './writer-channel.ts';

export interface PluginLimits {
  readonly maxFuel: number;
  readonly maxSeconds: number;
  /** What a call may allocate, freed or not. */
  readonly maxMemoryBytes: number;
}

export interface PluginJobRequest {
  readonly graph: number;
  readonly plugin: CompiledPlugin;
  readonly graphId: string;
  readonly asksName: boolean;
  readonly parameters: Readonly<Record<string, string>> | null;
  readonly path: PathCall | null;
  readonly analytics: AnalyticsInput | null;
  readonly wanted: AnswerWanted | null;
  readonly limits: PluginLimits;
  /** For the answers of the writer; null: there is no other thread that could wait. */
  readonly mailbox: SharedArrayBuffer | null;
}

export type PluginEnd =
  | { readonly ended: 'value'; readonly value: PluginAnswer }
  /** The contract's method answered false. */
  | { readonly ended: 'declined' }
  /** It threw; the name of its exception and the message, for the log. */
  | { readonly ended: 'threw'; readonly exception: string; readonly message: string }
  /** It spent more than it may: a setting says how much. */
  | { readonly ended: 'limit'; readonly limit: string };

const timeLimit = 'Plugins:MaxSeconds';

/** Calls inside each other: about what the stack of a thread holds of them. */
const callDepth = 500;
const mostKeptCharacters = 4_000_000;
const kept = new SlidingCache<PluginRunner>(
  { entries: 128, bytes: mostKeptCharacters, ageMs: Number.POSITIVE_INFINITY },
  () => 0,
);

export const pluginJob: JobKind<PluginJobRequest, PluginEnd> = {
  name: 'plugin',
  isLong: true,
  isOpenEnded: true,
  arenaBytes: 2 ** 20,
  run: async (reader, request, control) => {
    const ended = await reader.announcedThroughout(async () => call(reader, request, control));
    if (ended.kind === 'result') return ofResult(reader, request, control, ended.result);
    if (ended.kind === 'exception') return { ended: 'threw', exception: ended.type, message: ended.message };
    // Told to stop: this ends the job.
    await control.slice();
    switch (ended.limit) {
      case 'fuel':
        return { ended: 'limit', limit: fuelLimit };
      case 'cancelled':
        return { ended: 'limit', limit: timeLimit };
      case 'memory':
        return { ended: 'threw', exception: 'OutOfMemoryException', message: 'Plugins:MaxMemoryBytes is used up.' };
      case 'depth':
        return { ended: 'threw', exception: 'InsufficientExecutionStackException', message: 'Calls nest too deep.' };
    }
  },
};

function call(reader: CoreReader, request: PluginJobRequest, control: JobControl): ReturnType<PluginRunner> {
  const { graph, limits, path, analytics } = request;
  const { instance } = reader;
  instance.exports.fragmentBegin(graph);

  const endsAt = Math.min(performance.now() + limits.maxSeconds * 1000, control.endsAtMs);
  const isCancelled = (): boolean => control.stopReason() !== null;
  const budget: Budget = {
    fuel: limits.maxFuel,
    memoryBytes: limits.maxMemoryBytes,
    depth: callDepth,
    cancelled: () => isCancelled() || performance.now() > endsAt,
  };
  const channel = new WriterChannel(
    request.mailbox,
    // The answer comes by the mailbox; a block that is not taken any more ends with the job.
    (message) => void control.emit(message).catch(() => {}),
    () => {
      if (budget.cancelled?.()) throw new LimitError('cancelled');
    },
  );
  const elements = new EngineElements(instance, graph, request.graphId, channel);
  const context = {
    ...{ queryVector: path?.semantic?.queryVector ?? null, embeddingName: path?.semantic?.embeddingName ?? '' },
    metric: 0 as const,
    score: (left: Float32Array, right: Float32Array, metric: number) => scorePair(instance, metric, left, right),
    reals: realFunctions(instance),
  };
  const input: PluginInput = {
    asksName: request.asksName,
    parameters: request.parameters,
    path: path === null ? null : pathInput(path, { elements, context, budget }),
    analytics,
    budgetMs: endsAt - performance.now(),
    nowMs: () => performance.now(),
    isCancelled,
  };
  return runnerOf(request.plugin)(elements, context, input, budget);
}

function runnerOf({ key, source, contract }: CompiledPlugin): PluginRunner {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const binding = bindPlugin(source, contract);
  if (!binding.ok) throw new Error(`A plugin without errors was not bound: ${binding.errors[0]}`);
  const runner = createPlugin(binding.bound);
  kept.set(key, runner, source.length);
  return runner;
}

async function ofResult(
  reader: CoreReader,
  { graph, wanted }: PluginJobRequest,
  control: JobControl,
  result: PluginResult,
): Promise<PluginEnd> {
  if (result.kind === 'declined') return { ended: 'declined' };
  if (result.kind === 'name') return { ended: 'value', value: { kind: 'name', name: result.name } };
  return { ended: 'value', value: await answerOf(reader, graph, control, result, wanted) };
}
