// A bound fragment as a WebAssembly module:
//
//   imports   env.memory, env.fuel (mutable i32), env.refuel, env.fail, functions of the core (core-functions.ts), and
//             of the host's Math (number-functions.ts): pure, from numbers to a number
//   exports   init()            runs the statements before the `return`, once a request
//             call(id)          i32 for filters, f64 for costs; the id of an element, or of a name for an edge type filter
//             select(in, count, out)   filters a block of ids: those that pass, in order; how many. Only where one answer does not depend
//                                      on another
//             n0, n1 …, t0, t1 …, pages   globals that the host sets: ids of names, addresses of constant texts, the
//                                      directory of the pages of elements
//
// It has no memory, table, data or start function of its own, and no store but `select`'s into the block it was handed: objects are made
// and changed by functions of the core (assembly/fragments/objects.ts). Every loop and every function charges fuel.

import type { BoundFragment, Expression, FunctionCode, Local, LocalFunction, Statement } from '../tree.ts';
import type { Type } from '../types.ts';
import { coreFunctions } from './core-functions.ts';
import { type FragmentModule, FunctionEmitter } from './function-emitter.ts';
import { CodeWriter, ModuleWriter, type Signature, type ValueType } from './module-writer.ts';
import { representation } from './representation.ts';
import { TypeTable } from './type-table.ts';
import { NotCompiled } from './unsupported.ts';

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
    return { ok: true, fragment: emit(bound, shared) };
  } catch (error) {
    if (error instanceof NotCompiled) return { ok: false, reason: error.message };
    // Thousands of arms become a tree as deep: the emitter goes down it.
    if (error instanceof RangeError) return { ok: false, reason: 'a tree too deep for the emitter' };
    throw error;
  }
}

function emit(bound: BoundFragment, shared: boolean): EmittedFragment {
  const writer = new ModuleWriter(shared);
  const module: FragmentModule = {
    bound,
    writer,
    kind: bound.kind,
    names: new Map(),
    texts: new Map(),
    captured: new Map(),
    functions: new Map(),
    context: bound.context,
    pages: writer.addGlobal('i32', 'pages'),
    shapes: [],
    usesScratch: false,
    types: new TypeTable(),
    changesVariables: false,
  };
  const lambda = returnedLambda(bound);
  for (const local of bound.locals) {
    if (local.captured && !isLambdaHolder(local))
      module.captured.set(local, writer.addGlobal(representation(local.type)));
  }
  declareLocalFunctions(module, bound.body.statements);
  const result: ValueType = bound.kind === 'VertexCost' || bound.kind === 'EdgeCost' ? 'f64' : 'i32';
  const body = writer.declare({ parameters: ['i32'], result });
  defineBody(module, lambda, body, result);
  for (const local of module.functions.keys()) defineLocalFunction(module, local);
  const call = module.usesScratch ? defineCall(module, body, result) : body;
  writer.export('call', call);
  const filters = bound.kind === 'VertexFilter' || bound.kind === 'EdgeFilter';
  if (filters && answersAlike(module)) defineSelect(module, lambda, call);
  defineInit(module, bound);
  module.types.define(
    () => new FunctionEmitter(module, [null]),
    (index, f) => module.writer.define(index, f.code),
  );
  return { bytes: writer.write(), names: [...module.names.keys()], texts: [...module.texts.keys()], result };
}

/** The lambda behind the final `return`. */
function returnedLambda({ body }: BoundFragment): FunctionCode {
  const last = body.statements.at(-1);
  if (last?.kind !== 'return' || last.value === null) throw new NotCompiled('a factory that does not end in a return');
  if (body.statements.slice(0, -1).some(returnsEarly)) throw new NotCompiled('a factory with more than one return');
  let value: Expression = last.value;
  while (value.kind === 'convert' && value.conversion.kind === 'identity') value = value.operand;
  if (value.kind !== 'lambda') throw new NotCompiled('a returned delegate that is not a lambda');
  return value.code;
}

function returnsEarly(statement: Statement): boolean {
  switch (statement.kind) {
    case 'return':
      return true;
    case 'block':
      return statement.statements.some(returnsEarly);
    case 'if':
      return returnsEarly(statement.whenTrue) || (statement.whenFalse !== null && returnsEarly(statement.whenFalse));
    case 'loop':
    case 'forEach':
    case 'labeled':
      return returnsEarly(statement.body);
    default:
      return false;
  }
}

function isLambdaHolder({ type }: Local): boolean {
  return type.kind === 'named' && /(^|\.)(Func|Action|Predicate)$/.test(type.name);
}

/**
 * Whether the order in which elements are asked about cannot show: nothing is changed, nor is there a variable whose contents could be.
 * `init` is written after this is asked, so only the lambda and what it calls count.
 */
function answersAlike(module: FragmentModule): boolean {
  if (module.changesVariables) return false;
  return [...module.captured.keys()].every(({ type }) => neverChanges(type));
}

function neverChanges(type: Type): boolean {
  if (type.kind === 'nullable') return neverChanges(type.element);
  if (type.kind === 'primitive') return type.name !== 'object';
  return type.kind === 'named' && /^(DateTime|DateTimeOffset|TimeSpan|Guid)$/.test(type.name);
}

/** Local functions of the factory that use no variables but the factory's become functions of the module. */
function declareLocalFunctions(module: FragmentModule, statements: readonly Statement[]): void {
  for (const statement of statements) {
    if (statement.kind !== 'localFunction') continue;
    const { function: local } = statement;
    const inside = local.code.captures.filter((capture) => capture !== module.context && !module.captured.has(capture));
    if (inside.length > 0) continue;
    module.functions.set(local, module.writer.declare(signatureOf(local.code)));
  }
}

function signatureOf(code: FunctionCode): Signature {
  const isVoid = code.returnType.kind === 'primitive' && code.returnType.name === 'void';
  return {
    parameters: code.parameters.map((parameter) => {
      if (parameter.byReference) throw new NotCompiled('a parameter by reference');
      return representation(parameter.type);
    }),
    result: isVoid ? null : representation(code.returnType),
  };
}

function defineLocalFunction(module: FragmentModule, local: LocalFunction): void {
  const f = new FunctionEmitter(module, local.code.parameters);
  f.charge(4);
  f.block(local.code.body);
  if (signatureOf(local.code).result !== null) f.code.op(0x00);
  module.writer.define(module.functions.get(local) as number, f.code);
}

function defineBody(module: FragmentModule, lambda: FunctionCode, index: number, result: ValueType): void {
  if (lambda.parameters.length !== 1) throw new NotCompiled('a lambda with other parameters');
  // No charge here: what has no loop and calls nothing ends by itself, and kernels poll between their calls.
  const f = new FunctionEmitter(module, lambda.parameters);
  if (module.kind === 'EdgePropertyFilter') {
    f.code.get(0);
    f.core('fragmentName');
    f.code.set(0);
  }
  f.block(lambda.body);
  f.code.op(0x00);
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
  code.get(0);
  code.callOwn(body);
  code.set(value);
  code.get(mark);
  code.call(module.writer.import('core', 'fragmentLeave', coreFunctions.fragmentLeave));
  code.get(value);
  module.writer.define(index, code);
  return index;
}

/** `select(in, count, out)`; `out` may be `in`. The filter is part of the loop, unless it needs scratch for each id. */
function defineSelect(module: FragmentModule, lambda: FunctionCode, call: number): void {
  const index = module.writer.declare({ parameters: ['i32', 'i32', 'i32'], result: 'i32' }, 'select');
  const f = new FunctionEmitter(module, [null, null, null]);
  const { code } = f;
  const at = code.local('i32');
  const passed = code.local('i32');
  const id = code.local('i32');
  const after = code.block();
  const top = code.loop();
  code.get(at);
  code.get(1);
  code.op(0x4f);
  code.branchIf(after);
  code.get(0);
  code.get(at);
  code.i32(2);
  code.op(0x74, 0x6a);
  code.load(0x28, 0);
  code.set(id);
  // Written in any case; it counts when it passes.
  code.get(2);
  code.get(passed);
  code.i32(2);
  code.op(0x74, 0x6a);
  code.get(id);
  code.load(0x36, 0);
  if (module.usesScratch) {
    code.get(id);
    code.callOwn(call);
  } else {
    f.inline(lambda, [id]);
  }
  code.get(passed);
  code.op(0x6a);
  code.set(passed);
  code.get(at);
  code.i32(1);
  code.op(0x6a);
  code.set(at);
  code.branch(top);
  code.end();
  code.end();
  code.get(passed);
  module.writer.define(index, code);
}

/** The factory's statements before its return. */
function defineInit(module: FragmentModule, bound: BoundFragment): void {
  const index = module.writer.declare({ parameters: [], result: null }, 'init');
  const f = new FunctionEmitter(module, []);
  // Shapes of another search may be gone, and their places taken.
  for (const shape of module.shapes) {
    f.code.i32(0);
    f.code.setGlobal(shape);
  }
  if (bound.body.statements.length > 1) f.core('fragmentKeep');
  f.block({ ...bound.body, statements: bound.body.statements.slice(0, -1) });
  module.writer.define(index, f.code);
}
