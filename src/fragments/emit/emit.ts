// A bound fragment as a WebAssembly module:
//
//   imports   env.memory, env.fuel (mutable i32), env.refuel, env.fail, env.failWith, and functions of the core (core-functions.ts);
//             imports.ts checks that there are no others
//   exports   init()            runs the statements before the `return`, once a request
//             call(id)          i32 for filters, f64 for costs; the id of an element, or of a name for an edge type filter
//             select(in, count, out)   filters a block of ids: those that pass, in order; how many. Only where one answer does not depend
//                                      on another
//   of a plugin, beside these,  env.ask and env.askReal (engine/host-calls.ts); its call gives the reference of the result
//             n0, n1 …, t0, t1 …, pages   globals that the host sets: ids of names, addresses of constant texts, the
//                                      directory of the pages of elements
//
// It has no memory, table, data or start function of its own, and no store but `select`'s into the block it was handed: objects are made
// and changed by functions of the core (assembly/fragments/objects.ts). Every loop and every function charges fuel.

import { MAX_STEPS } from '../limits.ts';
import { CompilationLimit, counted, step } from '../steps.ts';
import type { BoundFragment, Expression, FunctionCode, Local, Statement } from '../tree.ts';
import type { Type } from '../types.ts';
import { Captures } from './control/captures.ts';
import { Closures } from './control/closures.ts';
import { collectGarbage } from './control/collecting.ts';
import { codeCalling, newLocal } from './control/delegate-code.ts';
import { Escapes } from './control/escapes.ts';
import { ExceptionTable } from './control/exception-table.ts';
import type { FragmentModule } from './control/fragment-module.ts';
import { FunctionEmitter } from './control/function-emitter.ts';
import { Catches, canCatch } from './control/try-statements.ts';
import { TypeTable } from './objects/type-table.ts';
import { representation } from './representation.ts';
import { Queries } from './sequences/queries.ts';
import { NotCompiled } from './unsupported.ts';
import { CodeWriter } from './wasm/code-writer.ts';
import { coreFunctions } from './wasm/core-functions.ts';
import { ModuleWriter } from './wasm/module-writer.ts';
import { control, i32, parametric, type ValueType } from './wasm/opcodes.ts';

export interface EmittedFragment {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Whose ids the globals n0, n1 … take. */
  readonly names: readonly string[];
  /** Whose addresses the globals t0, t1 … take. */
  readonly texts: readonly string[];
  readonly result: 'i32' | 'f64';
}

export type EmitOutcome =
  | { readonly ok: true; readonly fragment: EmittedFragment }
  /** Correct, but left to the interpreter; `reason` names the construct. */
  | { readonly ok: false; readonly reason: string };

/** Compiles a fragment for memories that are shared or not. Never throws for a tree that the binder made. */
export function emitFragment(bound: BoundFragment, shared: boolean): EmitOutcome {
  try {
    return { ok: true, fragment: counted(bound.stepsLeft, MAX_STEPS, () => emitEither(bound, shared)) };
  } catch (error) {
    if (error instanceof NotCompiled) return { ok: false, reason: error.message };
    // The fragment is correct, and the interpreter has no more to do with it than has been counted.
    if (error instanceof CompilationLimit) return { ok: false, reason: 'more steps than are left' };
    throw error;
  }
}

/** Attempts at most: each finds out about one more variable or function that lives longer. */
const mostAttempts = 200;

/** Most fragments catch nothing, and their queries end where they stand; what is then simpler. Others are found out on the way. */
function emitEither(bound: BoundFragment, shared: boolean): EmittedFragment {
  const escaping = new Set<unknown>();
  let catches = false;
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    try {
      return emit(bound, shared, catches, escaping);
    } catch (error) {
      if (error instanceof Escapes && !escaping.has(error.what)) escaping.add(error.what);
      else if (error instanceof Escapes) throw new NotCompiled('a query that cannot leave its place');
      else if (!(error instanceof Catches)) throw error;
      else if (canCatch()) catches = true;
      else throw new NotCompiled('try');
    }
  }
  throw new NotCompiled('so many queries');
}

function emit(
  bound: BoundFragment,
  shared: boolean,
  catches: boolean,
  escaping: ReadonlySet<unknown>,
): EmittedFragment {
  // The core compares and hashes objects by itself.
  if (bound.userTypes?.some(({ hooks, shown }) => hooks.size > 0 || shown !== null))
    throw new NotCompiled('an Equals, GetHashCode, CompareTo or ToString of its own');
  const writer = new ModuleWriter(shared);
  writer.throws = catches;
  const captured = new Map<Local, number>();
  const module: FragmentModule = {
    bound,
    writer,
    newFunction: (parameters) => new FunctionEmitter(module, parameters),
    kind: bound.kind,
    names: new Map(),
    texts: new Map(),
    captured,
    captures: new Captures(bound, (local) => captured.has(local), escaping),
    escaping,
    get queries() {
      return queries;
    },
    get closures() {
      return closures;
    },
    context: bound.context,
    pages: writer.addGlobal('i32', 'pages'),
    shapes: [],
    usesScratch: catches,
    catches,
    exceptions: new ExceptionTable(),
    types: new TypeTable(),
    changesVariables: false,
  };
  const closures = new Closures(module);
  const queries = new Queries(module);
  const { code: lambda, delegate } = returned(bound);
  if (delegate !== null) captured.set(delegate.variable, writer.addGlobal('i32'));
  for (const local of bound.body.declares) {
    if (local.captured) captured.set(local, writer.addGlobal(representation(local.type)));
  }
  const result: ValueType = bound.kind === 'VertexCost' || bound.kind === 'EdgeCost' ? 'f64' : 'i32';
  const body = writer.declare({ parameters: ['i32'], result });
  defineBody(module, lambda, body, result);
  closures.define();
  // What `init` makes in scratch lasts: only what calls make is given back after each.
  const { usesScratch, changesVariables } = module;
  const initial = defineInit(module, bound, delegate);
  Object.assign(module, { usesScratch, changesVariables });
  closures.define();
  closures.defineInvokers();
  queries.defineAdvances();
  const call =
    bound.kind === 'Plugin' ? defineRun(module, body) : module.usesScratch ? defineCall(module, body, result) : body;
  writer.export('call', call);
  const filters = bound.kind === 'VertexFilter' || bound.kind === 'EdgeFilter';
  const select = filters && answersAlike(module) ? defineSelect(module, lambda, call) : null;
  initial.resetShapes();
  module.exceptions.define(module);
  module.types.define(
    (parameters) => module.newFunction(Array.from({ length: parameters }, () => null)),
    (index, f) => module.writer.define(index, f.code),
  );
  const { init } = initial;
  collectGarbage(writer, { init, others: select === null ? [call] : [call, select] });
  return { bytes: writer.write(), names: [...module.names.keys()], texts: [...module.texts.keys()], result };
}

/** What the final `return` gives: the code of a lambda, or a delegate that `init` puts into a variable. */
interface Returned {
  readonly code: FunctionCode;
  /** Evaluated by `init` into the variable that the code calls. */
  readonly delegate: { readonly value: Expression; readonly variable: Local } | null;
}

function returned(bound: BoundFragment): Returned {
  const last = bound.body.statements.at(-1);
  if (last?.kind !== 'return' || last.value === null) throw new NotCompiled('a factory that does not end in a return');
  if (bound.body.statements.slice(0, -1).some(returnsEarly))
    throw new NotCompiled('a factory with more than one return');
  let value: Expression = last.value;
  while (value.kind === 'convert' && value.conversion.kind === 'identity') value = value.operand;
  if (value.kind === 'lambda') return { code: value.code, delegate: null };
  const variable = newLocal(value.type);
  return { code: codeCalling(variable), delegate: { value, variable } };
}

function returnsEarly(statement: Statement): boolean {
  const rest: (Statement | null)[] = [statement];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    step();
    if (next?.kind === 'return') return true;
    if (next?.kind === 'block') for (const inner of next.statements) rest.push(inner);
    else if (next?.kind === 'if') rest.push(next.whenTrue, next.whenFalse);
    else if (next?.kind === 'loop' || next?.kind === 'forEach' || next?.kind === 'labeled') rest.push(next.body);
  }
  return false;
}

/**
 * Whether the order in which elements are asked about cannot show: nothing is changed, nor is there a variable whose contents could be.
 * What `init` changes does not count.
 */
function answersAlike(module: FragmentModule): boolean {
  if (module.changesVariables) return false;
  return [...module.captured.keys()].every(({ type }) => neverChanges(type));
}

function neverChanges(type: Type): boolean {
  // Of an array, because nothing was put into any.
  if (type.kind === 'nullable' || type.kind === 'array') return neverChanges(type.element);
  if (type.kind === 'primitive') return type.name !== 'object';
  return type.kind === 'named' && /^(DateTime|DateTimeOffset|TimeSpan|Guid)$/.test(type.name);
}

function defineBody(module: FragmentModule, lambda: FunctionCode, index: number, result: ValueType): void {
  if (lambda.parameters.length !== 1) throw new NotCompiled('a lambda with other parameters');
  // No charge here: what has no loop and calls nothing ends by itself, and kernels poll between their calls.
  const f = module.newFunction(lambda.parameters);
  if (module.kind === 'EdgePropertyFilter') {
    f.code.get(0);
    f.core('fragmentName');
    f.code.set(0);
  }
  f.block(lambda.body);
  f.code.op(control.unreachable);
  if (representation(lambda.returnType) !== result) throw new NotCompiled('a result of another type');
  module.writer.define(index, f.code);
}

/** Calls the body and gives back the scratch that its texts took. */
function defineCall(module: FragmentModule, body: number, result: ValueType): number {
  const index = module.writer.declare({ parameters: ['i32'], result });
  const code = new CodeWriter(1);
  const mark = code.local('i32');
  const value = code.local(result);
  code.call(module.writer.import('core', 'fragmentEnter', coreFunctions.fragmentEnter));
  code.set(mark);
  reporting(module, code, () => {
    code.get(0);
    code.callOwn(body);
    code.set(value);
  });
  code.get(mark);
  code.call(module.writer.import('core', 'fragmentLeave', coreFunctions.fragmentLeave));
  code.get(value);
  module.writer.define(index, code);
  return index;
}

/** Calls the body of a plugin: what it made stays until the host has read its result. */
function defineRun(module: FragmentModule, body: number): number {
  const index = module.writer.declare({ parameters: ['i32'], result: 'i32' });
  const code = new CodeWriter(1);
  const value = code.local('i32');
  reporting(module, code, () => {
    code.get(0);
    code.callOwn(body);
    code.set(value);
  });
  code.get(value);
  module.writer.define(index, code);
  return index;
}

/** `select(in, count, out)`; `out` may be `in`. The filter is part of the loop, unless it needs scratch for each id. */
function defineSelect(module: FragmentModule, lambda: FunctionCode, call: number): number {
  const index = module.writer.declare({ parameters: ['i32', 'i32', 'i32'], result: 'i32' }, 'select');
  const f = module.newFunction([null, null, null]);
  const { code } = f;
  const at = code.local('i32');
  const passed = code.local('i32');
  const id = code.local('i32');
  const after = code.block();
  const top = code.loop();
  code.get(at);
  code.get(1);
  code.op(i32.geU);
  code.branchIf(after);
  code.get(0);
  code.get(at);
  code.i32(2);
  code.op(i32.shl, i32.add);
  code.load(i32.load, 0);
  code.set(id);
  // Written in any case; it counts when it passes.
  code.get(2);
  code.get(passed);
  code.i32(2);
  code.op(i32.shl, i32.add);
  code.get(id);
  code.load(i32.store, 0);
  if (module.usesScratch) {
    code.get(id);
    code.callOwn(call);
  } else {
    f.inline(lambda, [id]);
  }
  code.get(passed);
  code.op(i32.add);
  code.set(passed);
  code.get(at);
  code.i32(1);
  code.op(i32.add);
  code.set(at);
  code.branch(top);
  code.end();
  code.end();
  code.get(passed);
  module.writer.define(index, code);
  return index;
}

/** Hands what nobody catches to the host. */
function reporting(module: FragmentModule, code: CodeWriter, body: () => void): void {
  if (!module.catches) {
    body();
    return;
  }
  const thrown = code.local('i32');
  const after = code.block();
  code.try();
  body();
  code.branch(after);
  code.catch();
  code.set(thrown);
  code.end();
  code.get(thrown);
  module.exceptions.report(module, code);
  code.end();
}

/** The factory's statements before its return. The answer writes what they begin with, once all places that read properties are known. */
function defineInit(
  module: FragmentModule,
  bound: BoundFragment,
  delegate: Returned['delegate'],
): { readonly init: number; readonly resetShapes: () => void } {
  const reset = module.writer.declare({ parameters: [], result: null });
  const index = module.writer.declare({ parameters: [], result: null }, 'init');
  const statements = module.writer.declare({ parameters: [], result: null });
  const init = new CodeWriter(0);
  init.callOwn(reset);
  reporting(module, init, () => init.callOwn(statements));
  module.writer.define(index, init);
  const f = module.newFunction([]);
  if (bound.kind === 'Plugin') {
    // There is one call, and all of it begins here.
    f.core('fragmentEnter');
    f.code.op(parametric.drop);
  } else if (bound.body.statements.length > 1 || delegate !== null) f.core('fragmentKeep');
  f.block({ ...bound.body, statements: bound.body.statements.slice(0, -1) });
  if (delegate !== null) {
    f.expression(delegate.value);
    f.setLocal(delegate.variable);
  }
  module.writer.define(statements, f.code);
  const resetShapes = (): void => {
    const code = new CodeWriter(0);
    // Shapes of another search may be gone, and their places taken.
    for (const shape of module.shapes) {
      code.i32(0);
      code.setGlobal(shape);
    }
    module.writer.define(reset, code);
  };
  return { init: index, resetShapes };
}
