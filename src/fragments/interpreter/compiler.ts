// Makes closures out of a typed tree, once. A running function has a frame (frames.ts). Expressions are closures from a frame to a value;
// statements are closures from a frame to how they ended.

import type { Block, BoundFragment, FunctionCode, Local, LocalFunction } from '../tree.ts';
import type { Type } from '../types.ts';
import type { Hook, UserType } from '../user-types.ts';
import { analyze, type FragmentFacts, type FunctionFacts } from './analysis.ts';
import { compileExpression } from './compile-expression.ts';
import { compileIterator } from './compile-iterator.ts';
import { compileBlock, type Exec } from './compile-statement.ts';
import { type Frame, freshLocals, RETURN_SLOT, type Run } from './frames.ts';
import { enter, meter } from './machine.ts';
import { forgetHooks } from './user-objects.ts';
import { type Cell, DeferredSequence, type Delegate, type Value } from './values.ts';

type Hooks = Map<LocalFunction, { readonly type: UserType; readonly hook: Hook }>;

/** Compiles the code of one function; inner functions get scopes of their own. */
export class Scope {
  readonly facts: FunctionFacts;
  readonly fragment: FragmentFacts;
  readonly #slots = new Map<Local, number>();
  #next = 1;
  /** The slot of the exception that the innermost catch has, for `throw;`. */
  caught: number | null = null;
  /** Functions that the library asks objects of the source by. */
  readonly hooks: Hooks;
  /** Compiled local functions, shared by all scopes: calls may come before declarations and go in circles. */
  readonly #functions: Map<LocalFunction, { create: (frame: Frame) => Delegate }>;

  constructor(
    fragment: FragmentFacts,
    facts: FunctionFacts,
    functions: Map<LocalFunction, { create: (frame: Frame) => Delegate }>,
    hooks: Hooks,
  ) {
    this.hooks = hooks;
    this.fragment = fragment;
    this.facts = facts;
    this.#functions = functions;
    for (const local of facts.free) this.slotOf(local);
  }

  get frameSize(): number {
    return this.#next;
  }

  slotOf(local: Local): number {
    let slot = this.#slots.get(local);
    if (slot === undefined) {
      slot = this.#next++;
      this.#slots.set(local, slot);
    }
    return slot;
  }

  newSlot(): number {
    return this.#next++;
  }

  isCelled(local: Local): boolean {
    return this.fragment.celled.has(local);
  }

  /** Makes the JavaScript function of a lambda when it is evaluated in a frame of this scope. */
  lambda(code: FunctionCode): (frame: Frame) => Delegate {
    const inner = new Scope(this.fragment, this.fragment.functions.get(code)!, this.#functions, this.hooks);
    return compileFunction(code, inner, this);
  }

  /** Makes the function of a local function in a frame of this scope. Its cells lie in that frame, wherever it was declared. */
  localFunction(target: LocalFunction): (frame: Frame) => Delegate {
    const facts = this.fragment.functions.get(target.code)!;
    let compiled = this.#functions.get(target);
    if (!compiled) {
      compiled = { create: () => () => undefined };
      this.#functions.set(target, compiled);
      const inner = new Scope(this.fragment, facts, this.#functions, this.hooks);
      compiled.create = compileBody(target.code, inner);
    }
    const own = compiled;
    const slots = facts.free.map((local) => this.slotOf(local));
    return (frame) => own.create(slots.map((slot) => frame[slot]));
  }
}

function compileFunction(code: FunctionCode, inner: Scope, outer: Scope): (frame: Frame) => Delegate {
  const create = compileBody(code, inner);
  const slots = inner.facts.free.map((local) => outer.slotOf(local));
  return (frame) => create(slots.map((slot) => frame[slot]));
}

/** From the cells that a function takes along to the function. */
function compileBody(code: FunctionCode, scope: Scope): (cells: Cell[]) => Delegate {
  const parameters = code.parameters.map((local) => ({
    slot: scope.slotOf(local),
    wrap: scope.isCelled(local) && !local.byReference,
  }));
  const prepare = ownCells(scope, new Set(code.parameters));
  const { yields } = code;
  const steps = yields ? compileIterator(code.body, scope) : null;
  const run = steps === null ? compileWhole(code.body, scope) : null;
  const cellSlots = scope.facts.free.map((local) => scope.slotOf(local));
  const fill = (cells: Cell[]): Frame => {
    enter();
    const frame: Frame = new Array(scope.frameSize);
    for (let at = 0; at < cells.length; at++) frame[cellSlots[at]!] = cells[at];
    if (prepare) prepare(frame);
    return frame;
  };
  const leave = (frame: Frame): Value => {
    const value = run!(frame);
    meter.depth++;
    return value;
  };
  const setAll = (frame: Frame, values: readonly Value[]): Frame => {
    for (let at = 0; at < parameters.length; at++) {
      const { slot, wrap } = parameters[at]!;
      frame[slot] = wrap ? { value: values[at] } : values[at];
    }
    return frame;
  };
  if (steps !== null) {
    // Whoever goes over the items has variables of his own.
    return (cells) =>
      (...values) =>
        new DeferredSequence(yields as Type, () => {
          const frame = setAll(fill(cells), values);
          meter.depth++;
          return steps(frame);
        });
  }
  const [first, second] = parameters;
  if (parameters.length === 1 && !first!.wrap) {
    return (cells) => (argument) => {
      const frame = fill(cells);
      frame[first!.slot] = argument;
      return leave(frame);
    };
  }
  if (parameters.length === 2 && !first!.wrap && !second!.wrap) {
    return (cells) => (left, right) => {
      const frame = fill(cells);
      frame[first!.slot] = left;
      frame[second!.slot] = right;
      return leave(frame);
    };
  }
  return (cells) =>
    (...values) => {
      return leave(setAll(fill(cells), values));
    };
}

/** Fresh cells and default values for the locals of a function, parameters aside; null when there is nothing to do. */
function ownCells(scope: Scope, parameters: ReadonlySet<Local>): ((frame: Frame) => void) | null {
  const locals = [...scope.facts.owned].filter((local) => !parameters.has(local));
  if (locals.length === 0) return null;
  return freshLocals(scope, locals);
}

/** A function's body as an expression of its result. */
function compileWhole(body: Block, scope: Scope): Run {
  const [only] = body.statements;
  if (body.statements.length === 1 && only!.kind === 'return' && only!.value)
    return compileExpression(only!.value, scope);
  const exec: Exec = compileBlock(body, scope);
  return (frame) => {
    exec(frame);
    return frame[RETURN_SLOT];
  };
}

/** The factory of a fragment: from the context object to the delegate that its `return` gives. */
export function compileFragment(fragment: BoundFragment): (context: Value) => Delegate {
  const facts = analyze(fragment);
  const hooks: Hooks = new Map();
  for (const type of fragment.userTypes ?? []) {
    for (const [hook, target] of type.hooks) hooks.set(target, { type, hook });
  }
  const scope = new Scope(facts, facts.factory, new Map(), hooks);
  const contextSlot = scope.slotOf(fragment.context);
  const celled = scope.isCelled(fragment.context);
  const prepare = ownCells(scope, new Set([fragment.context]));
  const run = compileWhole(fragment.body, scope);
  return (context) => {
    forgetHooks();
    const frame: Frame = new Array(scope.frameSize);
    if (prepare) prepare(frame);
    frame[contextSlot] = celled ? { value: context } : context;
    return run(frame);
  };
}
