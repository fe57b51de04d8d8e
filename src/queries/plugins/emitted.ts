// Compiled plugins on the thread of a job: a module joined to the thread's instance of the core, with the host's answers to what it asks
// (src/fragments/emit/engine/host-calls.ts). One run at a time; its objects lie in the job's arena and end with it.

import { BoundFragmentModule, FragmentFailure } from '../../core/fragments.ts';
import type { CoreInstance } from '../../core/instance.ts';
import { numbers, questions, reals, slots, texts } from '../../fragments/emit/engine/host-calls.ts';
import { failures } from '../../fragments/emit/wasm/failures.ts';
import type { PluginInput, PluginResult } from '../../fragments/engine-reader.ts';
import { Thrown, usualMessage } from '../../fragments/interpreter/exceptions.ts';
import { type Budget, LimitError, type LimitName } from '../../fragments/interpreter/machine.ts';
import { runtimeType } from '../../fragments/interpreter/runtime-types.ts';
import type { EngineElements } from './engine-elements.ts';
import { PluginMemory } from './plugin-memory.ts';

/** Where one run gets its answers, and what it spends. */
export interface PluginRun {
  readonly elements: EngineElements;
  readonly input: PluginInput;
  readonly budget: Budget;
}

export type EmittedOutcome =
  | { readonly kind: 'result'; readonly result: PluginResult }
  | { readonly kind: 'exception'; readonly type: string; readonly message: string }
  | { readonly kind: 'limit'; readonly limit: LimitName }
  /** What only the interpreter knows; nothing has been changed. */
  | { readonly kind: 'notCompiled' };

/** Fuel that is handed out at once: some milliseconds of compiled code. */
const sliceFuel = 1_000_000;
const outOfMemory = failures.indexOf('OutOfMemoryException');
const notCompiled = failures.indexOf('NotCompiled');
const tooDeep = failures.indexOf('InsufficientExecutionStackException');
const kinds = [null, 'vertex', 'edge', 'any'] as const;

export class EmittedPlugin {
  private readonly core: CoreInstance;
  private readonly memory: PluginMemory;
  private readonly module: BoundFragmentModule;
  private readonly fuel = new WebAssembly.Global({ value: 'i32', mutable: true }, 0);
  private running: (PluginRun & { readonly beganMs: number }) | null = null;

  constructor(
    core: CoreInstance,
    described: {
      readonly module: WebAssembly.Module;
      readonly names: readonly string[];
      readonly texts: readonly string[];
    },
  ) {
    this.core = core;
    this.memory = new PluginMemory(core);
    const host = {
      ask: (question: number, a: number, b: number, c: number, d: number, e: number) =>
        this.answer(questions[question], [a, b, c, d, e]),
      askReal: (question: number, a: number, b: number) => this.real(reals[question], a, b),
    };
    this.module = new BoundFragmentModule(core, described, { fuel: this.fuel, refuel: () => this.refuel() }, host);
  }

  /** One call of a fresh object. Whoever calls has called `fragmentBegin` and is announced. */
  run(run: PluginRun): EmittedOutcome {
    const { exports } = this.core;
    const mark = exports.fragmentMark();
    exports.fragmentMoment(Date.now());
    this.running = { ...run, beganMs: run.input.nowMs() };
    this.fuel.value = 0;
    try {
      if (!this.module.prepare()) return { kind: 'limit', limit: 'memory' };
      const answer = (this.module.call as unknown as (word: number) => number)(0);
      return { kind: 'result', result: this.memory.result(answer >>> 0, run.input.asksName) };
    } catch (error) {
      return endOf(error);
    } finally {
      this.running = null;
      exports.fragmentRelease(mark);
    }
  }

  private get call(): PluginRun & { readonly beganMs: number } {
    if (this.running === null) throw new Error('A plugin asks outside of its run.');
    return this.running;
  }

  private refuel(): void {
    const { budget } = this.call;
    if (budget.cancelled?.()) throw new LimitError('cancelled');
    if (budget.fuel <= 0) throw new LimitError('fuel');
    const slice = Math.min(sliceFuel, budget.fuel);
    budget.fuel -= slice;
    this.fuel.value = slice;
  }

  private answer(question: (typeof questions)[number] | undefined, words: readonly number[]): number {
    const { elements, input } = this.call;
    const [a, b, c, d, e] = words as [number, number, number, number, number];
    const { memory } = this;
    switch (question) {
      case 'asksName':
        return Number(input.asksName);
      case 'vertexCount':
        return elements.vertexCount;
      case 'edgeCount':
        return elements.edgeCount;
      case 'graphId':
        return memory.guid(elements.graphId);
      case 'all':
        return memory.ids(c, elements.ids(kinds[a] ?? 'any', memory.text(b)));
      case 'scan': {
        const literal = memory.literal(c);
        if (literal === null) throw new FragmentFailure(notCompiled);
        return memory.ids(e, elements.scan(memory.text(a) ?? '', b, literal.type, literal.text, memory.text(d)));
      }
      case 'parameters':
        return this.bag(a, input.parameters);
      case 'analyticsParameters':
        return this.bag(a, input.analytics?.parameters ?? null);
      case 'text': {
        const text = texts[a] === 'edgeType' ? input.analytics?.edgeType : input.analytics?.vertexLabel;
        if (text == null) return 0;
        return memory.newText(text) || outOf('memory');
      }
      case 'number':
        return this.number(numbers[a]) | 0;
      case 'isCancelled':
        return Number(input.isCancelled());
      case 'isExhausted':
        return Number(input.isCancelled() || input.nowMs() - this.call.beganMs >= input.budgetMs);
      case 'has':
        return Number((input.path?.[slots[a] ?? 'typeFilter'] ?? null) !== null);
      case 'passes':
        return Number(this.passes(slots[a], b));
      case 'log':
        elements.log(a, memory.text(b) ?? '');
        return 0;
      default:
        throw new Error(`A plugin asks what there is not: ${question}.`);
    }
  }

  /** Whoever is compiled was called by the host, which hands on texts and numbers. */
  private bag(head: number, entries: Readonly<Record<string, unknown>> | null): number {
    const given = entries as Readonly<Record<string, string | number>> | null;
    return given === null ? 0 : this.memory.bag(head, Object.entries(given)) || outOf('memory');
  }

  private passes(slot: (typeof slots)[number] | undefined, word: number): boolean {
    const { path } = this.call.input;
    if (slot === 'typeFilter') return path?.typeFilter?.(this.memory.text(word) ?? '') ?? true;
    return (slot === 'vertexFilter' ? path?.vertexFilter : path?.edgeFilter)?.(word) ?? true;
  }

  private real(question: (typeof reals)[number] | undefined, a: number, b: number): number {
    const { input } = this.call;
    switch (question) {
      case 'number':
        return this.number(numbers[a]);
      case 'cost':
        return (slots[a] === 'edgeCost' ? input.path?.edgeCost : input.path?.vertexCost)?.(b) ?? 0;
      case 'now':
        return input.nowMs();
      default:
        throw new Error(`A plugin asks for a number that there is not: ${question}.`);
    }
  }

  private number(name: (typeof numbers)[number] | undefined): number {
    const { path, analytics, budgetMs } = this.call.input;
    switch (name) {
      case 'from':
      case 'to':
      case 'maxDepth':
      case 'maxResults':
        return path?.[name] ?? 0;
      case 'maxWeight':
        return Math.min(path?.maxWeight ?? 0, Number.MAX_VALUE);
      case 'budgetMs':
        return Number.isFinite(budgetMs) ? budgetMs : 0;
      case 'maxIterations':
      case 'epsilon':
        return analytics?.[name] ?? 0;
      case 'direction':
        return analytics?.direction ?? -1;
      default:
        throw new Error('A plugin asks for a number that there is not.');
    }
  }
}

function outOf(limit: LimitName): never {
  throw new LimitError(limit);
}

function endOf(error: unknown): EmittedOutcome {
  if (error instanceof LimitError) return { kind: 'limit', limit: error.limit };
  if (error instanceof Thrown) {
    const { type, message } = error.exception;
    return { kind: 'exception', type: type.name, message };
  }
  if (error instanceof FragmentFailure) {
    if (error.failure === outOfMemory) return { kind: 'limit', limit: 'memory' };
    if (error.failure === notCompiled) return { kind: 'notCompiled' };
    if (error.failure === tooDeep) return { kind: 'limit', limit: 'depth' };
    const name = failures[error.failure] ?? 'Exception';
    const message = error.text ?? usualMessage(runtimeType({ kind: 'named', name, arguments: [] }));
    return { kind: 'exception', type: name, message };
  }
  // Recursion without end overflows the stack of the thread: the engine's own limit.
  if (error instanceof RangeError && /call stack/i.test(error.message)) return { kind: 'limit', limit: 'depth' };
  throw error;
}
