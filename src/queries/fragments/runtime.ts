// Running fragments on the thread of a job: modules joined to the thread's instance of the core, fuel and deadlines, and what a fragment
// that fails looks like to the job. One runtime for each instance, kept as long as it lives.

import { BoundFragmentModule, FragmentFailure } from '../../core/fragments.ts';
import type { CoreInstance } from '../../core/instance.ts';
import { BoundProgram, type FragmentCode, type MachineTank } from '../../core/machine.ts';
import { ArenaTooSmall, type CoreReader } from '../../core/reader.ts';
import type { JobControl } from '../../engine/jobs/types.ts';
import { failures } from '../../fragments/emit/wasm/failures.ts';
import type { DelegateKind } from '../../fragments/tree.ts';
import type * as InterpretedModule from './interpreted.ts';
import type { SearchValues } from './interpreted.ts';
import { type FragmentLimits, FragmentThrew, fuelLimit, LimitReached, Spending, Stopped } from './spending.ts';

/** A fragment as a job gets it: by its module, where it was compiled, and by its text. */
export interface JobFragment {
  readonly key: string;
  readonly kind: DelegateKind;
  readonly text: string;
  /** Null: the interpreter runs it. */
  readonly compiled: { readonly names: readonly string[]; readonly texts: readonly string[] } | null;
}

export type FragmentEnd<T> =
  | { readonly ended: 'value'; readonly value: T }
  /** A fragment threw; the name of its exception, for the log. */
  | { readonly ended: 'threw'; readonly exception: string }
  /** It spent more than it may: a setting says how much. */
  | { readonly ended: 'limit'; readonly limit: string };

/** A fragment's places in the instance's table. */
export interface InstalledFragment {
  readonly call: number;
  /** Of a filter: its function for blocks of ids; 0: it takes none. */
  readonly select: number;
}

/** Null before a search has needed it: it is large, and few do. */
let interpreted: typeof InterpretedModule | null = null;

/** A fragment is to be interpreted, and the interpreter is not loaded. */
class InterpreterMissing extends Error {}

type BoundFragment = BoundFragmentModule | BoundProgram;

const noFunction = 0;
const mostKept = 1024;
/** Arena beyond which texts of a fragment count as too many. */
const largestArena = 64 * 2 ** 20;
const outOfMemory = failures.indexOf('OutOfMemoryException');
const notCompiled = failures.indexOf('NotCompiled');

export class FragmentRuntime {
  private static readonly all = new WeakMap<CoreInstance, FragmentRuntime>();
  private readonly core: CoreInstance;
  private readonly tank: MachineTank;
  private readonly bound = new Map<string, BoundFragment>();
  private spending: Spending | null = null;
  private givesBlocks = true;
  private gaveBlocks = false;
  private interpretations = 0;

  static of(core: CoreInstance): FragmentRuntime {
    let runtime = FragmentRuntime.all.get(core);
    if (runtime === undefined) {
      runtime = new FragmentRuntime(core);
      FragmentRuntime.all.set(core, runtime);
    }
    return runtime;
  }

  private constructor(core: CoreInstance) {
    this.core = core;
    const fuel = new WebAssembly.Global({ value: 'i32', mutable: true }, 0);
    this.tank = { fuel, refuel: () => this.refuel(), stack: 0 };
    // Ends a search whose time is over, wherever nobody else can.
    core.onPulse = () => this.spending?.check();
  }

  private refuel(): void {
    if (this.spending === null) throw new Error('A fragment runs outside a search.');
    this.tank.fuel.value = this.spending.take();
  }

  /** For the time of one search, or one attempt at it: whether its fragments may be handed blocks of ids. */
  begin(spending: Spending, givesBlocks: boolean): void {
    this.spending = spending;
    this.core.exports.fragmentMoment(spending.beganAtMs);
    this.givesBlocks = givesBlocks;
    this.gaveBlocks = false;
    this.tank.fuel.value = 0;
    this.tank.stack = 0;
    spending.slice = this.tank.fuel;
  }

  /** Whether a fragment that takes blocks was installed since `begin`. */
  get usesBlocks(): boolean {
    return this.gaveBlocks;
  }

  /** The fragment's functions in the instance's table, ready to be called; null when scratch has no room for its constants. */
  install(
    fragment: JobFragment,
    control: JobControl,
    interpret: boolean,
    context: SearchValues,
  ): InstalledFragment | null {
    const { compiled, key } = fragment;
    if (compiled === null || interpret) {
      if (interpreted === null) throw new InterpreterMissing();
      const { interpretedFunction } = interpreted;
      const make = () => [interpretedFunction(this.core, fragment, this.spending as Spending, context)];
      // A key of its own: it holds this search's values.
      return { call: this.core.functions.install(`interpreted ${++this.interpretations}`, make), select: noFunction };
    }
    const index = this.core.functions.install(key, () => {
      const made = this.join(control.module(key), compiled);
      this.keep(key, made);
      return made.select === null ? [made.call] : [made.call, made.select];
    });
    const made = this.bound.get(key);
    if (made === undefined) throw new Error(`The module of ${key} is installed, but not kept.`);
    // Used last, as in the table: what stands there is always kept here.
    this.keep(key, made);
    if (!made.prepare()) return null;
    if (made.select === null || !this.givesBlocks) return { call: index, select: noFunction };
    this.gaveBlocks = true;
    return { call: index, select: index + 1 };
  }

  private join(code: FragmentCode, compiled: NonNullable<JobFragment['compiled']>): BoundFragment {
    return code instanceof WebAssembly.Module
      ? new BoundFragmentModule(this.core, { module: code, ...compiled }, this.tank)
      : new BoundProgram(this.core, code, compiled, this.tank);
  }

  private keep(key: string, made: BoundFragment): void {
    this.bound.delete(key);
    this.bound.set(key, made);
    for (const oldest of this.bound.keys()) {
      if (this.bound.size <= 2 * mostKept) break;
      this.bound.delete(oldest);
    }
  }
}

/**
 * Runs a search that calls fragments: `search` installs them and calls a kernel, announced, and answers its value, or ArenaTooSmall to be called
 * again with more room. Whatever a fragment does ends here as data; only what the job's control throws passes. Where jobs take turns, the
 * kernel gives way in the middle.
 *
 * A search that hands blocks to filters asks them in another order, and of more elements, than one that asks one by one. That shows only when
 * a filter throws or runs out of fuel: then everything begins again one by one, with the fuel it had, and ends as that does.
 */
export async function withFragments<T>(
  reader: CoreReader,
  control: JobControl,
  limits: FragmentLimits,
  search: (runtime: FragmentRuntime, interpret: boolean) => Promise<T | ArenaTooSmall>,
): Promise<FragmentEnd<T>> {
  const runtime = FragmentRuntime.of(reader.instance);
  const spending = new Spending(limits, control);
  let interpret = false;
  let blocks = true;
  let arenaBytes = 2 ** 20;
  for (;;) {
    const { fuelLeft } = spending;
    runtime.begin(spending, blocks);
    const end = await attempt(reader, () => search(runtime, interpret));
    if (runtime.usesBlocks && (end.ended === 'threw' || (end.ended === 'limit' && end.limit === fuelLimit))) {
      blocks = false;
      spending.fuelLeft = fuelLeft;
      continue;
    }
    switch (end.ended) {
      case 'stopped':
        await control.slice();
        return { ended: 'limit', limit: 'its time' };
      case 'tooSmall':
        await control.widen(end.neededBytes);
        break;
      case 'interpret':
        interpret = true;
        break;
      case 'interpreterMissing':
        interpreted = await import('./interpreted.ts');
        break;
      case 'outOfMemory':
        if (arenaBytes > largestArena) return { ended: 'threw', exception: 'OutOfMemoryException' };
        arenaBytes *= 2;
        await control.widen(arenaBytes);
        break;
      default:
        return end;
    }
  }
}

type Attempt<T> =
  | FragmentEnd<T>
  | { readonly ended: 'stopped' | 'interpret' | 'interpreterMissing' | 'outOfMemory' }
  | { readonly ended: 'tooSmall'; readonly neededBytes: number };

async function attempt<T>(reader: CoreReader, search: () => Promise<T | ArenaTooSmall>): Promise<Attempt<T>> {
  const { exports } = reader.instance;
  const mark = exports.fragmentMark();
  try {
    const value = await reader.announcedThroughout(search);
    if (value instanceof ArenaTooSmall) return { ended: 'tooSmall', neededBytes: value.neededBytes };
    return { ended: 'value', value };
  } catch (error) {
    return endOf(error);
  } finally {
    // Whatever a throw has left behind in the middle of a kernel.
    exports.fragmentRelease(mark);
  }
}

function endOf(error: unknown): Attempt<never> {
  if (error instanceof Stopped) return { ended: 'stopped' };
  if (error instanceof InterpreterMissing) return { ended: 'interpreterMissing' };
  if (error instanceof LimitReached) return { ended: 'limit', limit: error.limit };
  if (error instanceof FragmentThrew) return { ended: 'threw', exception: error.exception };
  if (error instanceof FragmentFailure) {
    if (error.failure === outOfMemory) return { ended: 'outOfMemory' };
    if (error.failure === notCompiled) return { ended: 'interpret' };
    return { ended: 'threw', exception: failures[error.failure] ?? 'Exception' };
  }
  // Recursion without end overflows the stack of the thread: the engine's own limit.
  if (error instanceof RangeError) return { ended: 'threw', exception: 'InsufficientExecutionStackException' };
  throw error;
}
