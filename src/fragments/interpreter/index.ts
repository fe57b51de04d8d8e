// The interpreter back end: runs a bound fragment without making any code at run time. A fragment is turned into closures once
// (`createInterpreter`), bound to a graph and a search (`bind`), and then called for each element.

import type { ElementReader, SearchContext } from '../element-reader.ts';
import type { EngineReader, PluginInput, PluginResult } from '../engine-reader.ts';
import type { BoundFragment } from '../tree.ts';
import { UNIX_TICKS } from './calendar.ts';
import { compileFragment } from './compiler.ts';
import { ContextObject, ElementObject } from './elements.ts';
import { CallObject, resultOf } from './engine.ts';
import { Thrown } from './exceptions.ts';
import { type Budget, LimitError, type LimitName, metered, type Surroundings } from './machine.ts';
import type { Delegate, Value } from './values.ts';

/** How a call of a fragment ended. */
export type Outcome =
  | { readonly kind: 'value'; readonly value: boolean | number }
  /** An exception that the fragment did not catch: its class without namespace, and its message. */
  | { readonly kind: 'exception'; readonly type: string; readonly message: string }
  | { readonly kind: 'limit'; readonly limit: LimitName };

export interface Interpreter {
  /** Runs the factory part of the fragment for one search; later calls spend from the same budget. */
  bind(reader: ElementReader, context: SearchContext, budget: Budget, nowTicks?: bigint): Binding;
}

/** A delegate ready to be called: with the id of a vertex or an edge, or for an EdgePropertyFilter with an edge type. */
export type Binding =
  | { readonly kind: 'ready'; call(argument: number | string): Outcome }
  /** The statements before `return` failed. */
  | Exclude<Outcome, { kind: 'value' }>;

const TRUE: Outcome = { kind: 'value', value: true };
const FALSE: Outcome = { kind: 'value', value: false };

/** Makes closures of a fragment that was bound without errors. */
export function createInterpreter(fragment: BoundFragment): Interpreter {
  const factory = compileFragment(fragment);
  return {
    bind(reader, context, budget, nowTicks = 0n) {
      const surroundings = { nowTicks, reals: context.reals };
      const made = guarded(budget, surroundings, () => factory(new ContextObject(context)));
      if ('outcome' in made) return made.outcome as Exclude<Outcome, { kind: 'value' }>;
      const delegate = made.result as Delegate | null;
      const toArgument = argumentMaker(fragment, reader);
      return {
        kind: 'ready',
        call(argument) {
          const called = guarded(budget, surroundings, () => {
            if (delegate === null) throw new TypeError('the fragment returned no delegate');
            return delegate(toArgument(argument));
          });
          if ('outcome' in called) return called.outcome;
          if (typeof called.result === 'boolean') return called.result ? TRUE : FALSE;
          return { kind: 'value', value: called.result };
        },
      };
    },
  };
}

function argumentMaker(fragment: BoundFragment, reader: ElementReader): (argument: number | string) => Value {
  switch (fragment.kind) {
    case 'VertexFilter':
    case 'VertexCost':
      return (id) => new ElementObject(reader, id as number, true);
    case 'EdgeFilter':
    case 'EdgeCost':
      return (id) => new ElementObject(reader, id as number, false);
    case 'GraphElementFilter':
      return (id) => new ElementObject(reader, id as number, reader.isVertex(id as number));
    default:
      return (edgeType) => edgeType;
  }
}

export type PluginOutcome =
  | { readonly kind: 'result'; readonly result: PluginResult }
  | Exclude<Outcome, { kind: 'value' }>;

/** One call of a fresh object of a plugin's class. */
export type PluginRunner = (
  reader: EngineReader,
  context: SearchContext,
  input: PluginInput,
  budget: Budget,
) => PluginOutcome;

/** Makes closures of a plugin's class that was lowered and bound without errors. */
export function createPlugin(bound: BoundFragment): PluginRunner {
  const factory = compileFragment(bound);
  return (reader, context, input, budget) => {
    const { reals, expressions } = context;
    const nowTicks = BigInt(Math.floor(Date.now())) * 10_000n + UNIX_TICKS;
    const surroundings = { nowTicks, reals, expressions };
    const run = (): PluginResult => {
      const delegate = factory(new ContextObject(context)) as Delegate;
      return resultOf(delegate(new CallObject(reader, input)), input);
    };
    const made = guarded(budget, surroundings, run);
    return 'outcome' in made
      ? (made.outcome as Exclude<Outcome, { kind: 'value' }>)
      : { kind: 'result', result: made.result as PluginResult };
  };
}

/** Runs on a budget; exceptions and limits become outcomes, defects of ours stay errors. */
function guarded(
  budget: Budget,
  surroundings: Surroundings,
  run: () => Value,
): { result: Value } | { outcome: Outcome } {
  try {
    return { result: metered(budget, surroundings, run) };
  } catch (error) {
    if (error instanceof Thrown) {
      const { type, message } = error.exception;
      return { outcome: { kind: 'exception', type: type.name, message } };
    }
    if (error instanceof LimitError) return { outcome: { kind: 'limit', limit: error.limit } };
    // The engine's own stack ended before our count of calls did.
    if (error instanceof RangeError && /call stack/i.test(error.message))
      return { outcome: { kind: 'limit', limit: 'depth' } };
    throw error;
  }
}
