// One call of a plugin on the thread of its job: the class, bound and kept for the next call, over the reader's graph.

import { scorePair } from '../../core/fragments.ts';
import type { CoreReader } from '../../core/reader.ts';
import type { JobControl } from '../../engine/jobs/types.ts';
import type { PluginInput } from '../../fragments/engine-reader.ts';
import { createPlugin, type PluginRunner } from '../../fragments/interpreter/index.ts';
import { type Budget, LimitError } from '../../fragments/interpreter/machine.ts';
import { bindPlugin } from '../../fragments/plugins/compile.ts';
import { realFunctions } from '../fragments/elements.ts';
import { SlidingCache } from '../fragments/sliding-cache.ts';
import type { CompiledPlugin } from './compiler.ts';
import { EngineElements } from './engine-elements.ts';
import { pathInput } from './path-call.ts';
import type { PluginJobRequest } from './plugin-job.ts';
import { WriterChannel } from './writer-channel.ts';

/** Calls inside each other: about what the stack of a thread holds of them. */
const callDepth = 500;
const mostKeptCharacters = 4_000_000;
const kept = new SlidingCache<PluginRunner>(
  { entries: 128, bytes: mostKeptCharacters, ageMs: Number.POSITIVE_INFINITY },
  () => 0,
);

/** Runs a call to its end. */
export function callPlugin(
  reader: CoreReader,
  request: PluginJobRequest,
  control: JobControl,
): ReturnType<PluginRunner> {
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
