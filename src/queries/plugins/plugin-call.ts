// One call of a plugin on the thread of its job: its module, or its class bound for the interpreter, kept for the next call, over the reader's
// graph.

import { scorePair } from '../../core/fragments.ts';
import type { CoreInstance } from '../../core/instance.ts';
import { CoreMemoryExhausted } from '../../core/memory-exhausted.ts';
import type { CoreReader } from '../../core/reader.ts';
import type { JobControl } from '../../engine/jobs/types.ts';
import type { NestedInput, PluginInput, PluginResult } from '../../fragments/engine-reader.ts';
import { ExceptionObject, Thrown } from '../../fragments/interpreter/exceptions.ts';
import { createPlugin, type PluginOutcome, type PluginRunner } from '../../fragments/interpreter/index.ts';
import { type Budget, LimitError } from '../../fragments/interpreter/machine.ts';
import type { PluginContract } from '../../fragments/plugin-contract.ts';
import { bindPlugin } from '../../fragments/plugins/compile.ts';
import { realFunctions } from '../fragments/elements.ts';
import { SlidingCache } from '../fragments/sliding-cache.ts';
import type { JobPlugin } from './compiler.ts';
import { EmittedPlugin } from './emitted.ts';
import { EngineElements } from './engine-elements.ts';
import { compileExpression } from './expressions.ts';
import { heldSinceNow } from './held-bytes.ts';
import { pathInput, subGraphInput } from './path-call.ts';
import type { OtherPlugin, PluginJobRequest } from './plugin-job.ts';
import { WriterChannel } from './writer-channel.ts';

/** Calls inside each other: about what the stack of a thread holds of them. */
const callDepth = 500;
const mostKeptCharacters = 4_000_000;

function runnerCache<Runner>(): SlidingCache<Runner> {
  return new SlidingCache({ entries: 128, bytes: mostKeptCharacters, ageMs: Number.POSITIVE_INFINITY }, () => 0);
}

const kept = runnerCache<PluginRunner>();

/** An arena that a plugin gets when the one that its job began with is too small. */
const usualArenaBytes = 2 ** 24;
/** Of an arena for what a plugin may hold, beyond that: what the host writes, and room without which collections would follow each other. */
const besidePart = 3 / 4;
const marginBytes = 2 ** 16;

/**
 * The compiled plugin, in an arena that grows as long as it may; what it does not know the interpreter does. Compiled plugins change nothing of the
 * graph, so one whose arena was too small begins again.
 */
export async function callPlugin(
  reader: CoreReader,
  request: PluginJobRequest,
  control: JobControl,
): Promise<PluginOutcome> {
  const endsAt = Math.min(performance.now() + request.limits.maxSeconds * 1000, control.endsAtMs);
  const interpreted = (): Promise<PluginOutcome> =>
    reader.announcedThroughout(async () => interpret(reader, request, control, endsAt));
  // Without threads the memory is that of the graph itself, which nobody bounds.
  if (request.plugin.compiled === null || !Number.isFinite(reader.arenaBytes)) return interpreted();
  const { maxMemoryBytes } = request.limits;
  const mostBytes = Math.ceil(maxMemoryBytes * (1 + besidePart)) + marginBytes;
  for (;;) {
    const ended = await reader.announcedThroughout(async () => emitted(reader, request, control, endsAt));
    if (ended.kind === 'notCompiled') return interpreted();
    if (ended.kind !== 'limit' || ended.limit !== 'memory' || reader.arenaBytes >= mostBytes) return ended;
    try {
      await control.widen(Math.min(mostBytes, Math.max(usualArenaBytes, 8 * reader.arenaBytes)));
    } catch (error) {
      if (error instanceof CoreMemoryExhausted) return ended;
      throw error;
    }
  }
}

/** Modules of plugins joined to an instance, the latest ones. */
const joined = new WeakMap<CoreInstance, SlidingCache<EmittedPlugin>>();

function emitted(
  reader: CoreReader,
  request: PluginJobRequest,
  control: JobControl,
  endsAt: number,
): ReturnType<EmittedPlugin['run']> {
  const { instance } = reader;
  const { plugin } = request;
  const known = joined.get(instance) ?? runnerCache<EmittedPlugin>();
  joined.set(instance, known);
  let made = known.get(plugin.key);
  if (made === undefined) {
    const { names = [], texts = [] } = plugin.compiled ?? {};
    made = new EmittedPlugin(instance, { module: control.module(plugin.key) as WebAssembly.Module, names, texts });
    known.set(plugin.key, made, plugin.source.length);
  }
  const { elements, input, budget } = surroundings(reader, request, control, endsAt);
  return made.run({ elements, input, budget });
}

function interpret(
  reader: CoreReader,
  request: PluginJobRequest,
  control: JobControl,
  endsAt: number,
): ReturnType<PluginRunner> {
  const { elements, context, input, budget } = surroundings(reader, request, control, endsAt);
  return runnerOf(request.plugin)(elements, context, input, budget);
}

/** What a call reads, is asked and may spend. */
function surroundings(reader: CoreReader, request: PluginJobRequest, control: JobControl, endsAt: number) {
  const { graph, limits, path, analytics, subGraph } = request;
  const { instance } = reader;
  instance.exports.fragmentBegin(graph);

  const isCancelled = (): boolean => control.stopReason() !== null;
  const budget: Budget = {
    fuel: limits.maxFuel,
    memoryBytes: limits.maxMemoryBytes,
    ...heldSinceNow(),
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
  const nested = (contract: PluginContract, name: string, given: NestedInput): PluginResult | null =>
    callNested(request.others, contract, name, (runner) => {
      const own = { parameters: null, path: null, analytics: null, ...given };
      return runner(elements, context, { ...input, ...own, asksName: false, subGraph: null }, budget);
    });
  const elements: EngineElements = new EngineElements(instance, graph, request.graphId, channel, nested);
  const semantic = path?.semantic ?? subGraph?.semantic ?? null;
  const context = {
    ...{ queryVector: semantic?.queryVector ?? null, embeddingName: semantic?.embeddingName ?? '' },
    metric: 0 as const,
    score: (left: Float32Array, right: Float32Array, metric: number) => scorePair(instance, metric, left, right),
    reals: realFunctions(instance),
    expressions: compileExpression,
  };
  const input: PluginInput = {
    asksName: request.asksName,
    parameters: request.parameters,
    path: path === null ? null : pathInput(path, { elements, context, budget }),
    analytics,
    subGraph: subGraph === null ? null : subGraphInput(subGraph, { elements, context, budget }),
    budgetMs: endsAt - performance.now(),
    nowMs: () => performance.now(),
    isCancelled,
  };
  return { elements, context, input, budget };
}

function runnerOf({ key, source, contract }: JobPlugin): PluginRunner {
  const runner = boundRunner(key, source, contract);
  if (runner === null) throw new Error('A plugin without errors was not bound.');
  return runner;
}

/** Null: the source does not compile. */
function boundRunner(key: string, source: string, contract: PluginContract): PluginRunner | null {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const binding = bindPlugin(source, contract);
  if (!binding.ok) return null;
  const runner = createPlugin(binding.bound);
  kept.set(key, runner, source.length);
  return runner;
}

/** Plugins that call each other, inside each other. */
const mostNested = 8;
let nesting = 0;

/** Another plugin's result; null: there is none that can run, or it answered false. What it throws passes through, as do limits. */
function callNested(
  others: readonly OtherPlugin[],
  contract: PluginContract,
  name: string,
  run: (runner: PluginRunner) => PluginOutcome,
): PluginResult | null {
  const other = others.find((one) => one.contract === contract && one.name === name);
  if (other === undefined) return null;
  const runner = boundRunner(`${contract} ${other.source}`, other.source, contract);
  if (runner === null) return null;
  if (nesting === mostNested) throw new LimitError('depth');
  nesting++;
  try {
    const outcome = run(runner);
    if (outcome.kind === 'limit') throw new LimitError(outcome.limit);
    if (outcome.kind === 'exception') throw new Thrown(new ExceptionObject(outcome.type, outcome.message));
    return outcome.result.kind === 'declined' ? null : outcome.result;
  } finally {
    nesting--;
  }
}
