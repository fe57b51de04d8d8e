// Fragments that are not compiled: the interpreter behind a function that a kernel can call. Slower by a factor of some ten, but it runs
// everything the language has, and where modules cannot be compiled at run time it runs all fragments.

import { scorePair } from '../../core/fragments.ts';
import type { CoreInstance } from '../../core/instance.ts';
import { trampoline } from '../../core/trampoline.ts';
import { bindFragment } from '../../fragments/compile.ts';
import type { MetricNumber, SearchContext } from '../../fragments/element-reader.ts';
import { createInterpreter, type Interpreter, type Outcome } from '../../fragments/interpreter/index.ts';
import type { Budget } from '../../fragments/interpreter/machine.ts';
import { CoreElements, realFunctions } from './elements.ts';
import { SlidingCache } from './sliding-cache.ts';
import { FragmentThrew, fuelLimit, LimitReached, type Spending } from './spending.ts';

/** Of a fragment, and what the search says of its context. */
export interface InterpretedFragment {
  readonly key: string;
  readonly kind: Parameters<typeof bindFragment>[1];
  readonly text: string;
}

export interface SearchValues {
  readonly queryVector: Float32Array | null;
  readonly embeddingName: string;
  readonly metric: MetricNumber;
}

/** What one call may allocate, and how deep its calls may go. */
const callBytes = 64 * 2 ** 20;
const callDepth = 500;
const mostKept = 256;
/** Characters of all fragments that are kept ready: a tree takes some hundred bytes for each. */
const mostKeptCharacters = 1_000_000;
/** 1970-01-01 in ticks of 100 ns since year 1. */
const unixTicks = 621_355_968_000_000_000n;

const forever = Number.POSITIVE_INFINITY;
const limits = { entries: mostKept, bytes: mostKeptCharacters, ageMs: forever };
const kept = new SlidingCache<Interpreter>(limits, () => 0);

function interpreterOf({ key, kind, text }: InterpretedFragment): Interpreter {
  let interpreter = kept.get(key);
  if (interpreter !== undefined) return interpreter;
  const bound = bindFragment(text, kind, { report: () => {} });
  if (bound === null) throw new Error('A fragment without errors was not bound.');
  interpreter = createInterpreter(bound);
  kept.set(key, interpreter, text.length);
  return interpreter;
}

/** A function for the table: takes an id (of a name, for a type filter), answers i32 for filters and f64 for costs; throws what ends a search. */
export function interpretedFunction(
  core: CoreInstance,
  fragment: InterpretedFragment,
  spending: Spending,
  values: SearchValues,
): WebAssembly.ExportValue {
  const elements = new CoreElements(core);
  const context: SearchContext = {
    ...values,
    score: (left, right, metric) => scorePair(core, metric, left, right),
    reals: realFunctions(core),
  };
  const budget: Budget = {
    get fuel() {
      return spending.fuel;
    },
    set fuel(left) {
      spending.fuel = left;
    },
    memoryBytes: callBytes,
    depth: callDepth,
    cancelled: () => spending.isOver(),
  };
  const nowTicks = BigInt(spending.beganAtMs) * 10_000n + unixTicks;
  const binding = interpreterOf(fragment).bind(elements, context, budget, nowTicks);
  if (binding.kind !== 'ready') return endOf(binding, spending);
  const isCost = fragment.kind === 'VertexCost' || fragment.kind === 'EdgeCost';
  const ofName = fragment.kind === 'EdgePropertyFilter';
  return trampoline(isCost ? 'f64' : 'i32', (id) => {
    const outcome = binding.call(ofName ? (elements.name(id) ?? '') : id);
    return outcome.kind === 'value' ? Number(outcome.value) : endOf(outcome, spending);
  });
}

/** Throws what a search ends with. */
function endOf(outcome: Exclude<Outcome, { kind: 'value' }>, spending: Spending): never {
  if (outcome.kind === 'exception') throw new FragmentThrew(outcome.type);
  switch (outcome.limit) {
    case 'fuel':
      throw new LimitReached(fuelLimit);
    case 'memory':
      throw new FragmentThrew('OutOfMemoryException');
    case 'depth':
      throw new FragmentThrew('InsufficientExecutionStackException');
    case 'cancelled':
      spending.check();
      throw new LimitReached('Fragments:MaxSeconds');
  }
}
