// Local functions: known in their whole block by their signature, bound where they are declared. What their bodies read of
// outer locals must be assigned at each call that comes after.

import { step } from '../steps.ts';
import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import { type Binder, newFunction, newScope, UNREACHABLE } from './binder.ts';
import type { Bound } from './bound.ts';
import { errorBound } from './build.ts';
import { convert } from './converting.ts';
import { bindExpression } from './expressions.ts';
import { bindGeneric, genericPart, withParameters } from './generic-functions.ts';
import type { LocalFunctionSymbol } from './scopes.ts';
import { bindBlockStatements, returnsReference } from './statements.ts';
import type { ParameterSymbol } from './symbols.ts';
import { bindTypeParameters } from './type-constraints.ts';
import { bindType } from './type-names.ts';
import { ERROR, isPrimitive } from './typing.ts';
import { writtenParameter } from './written-parameters.ts';

type FunctionSyntax = Syntax.Statement & { readonly kind: 'localFunction' };

/** Makes the local functions of a block known before its statements are bound. */
export function declareLocalFunctions(b: Binder, statements: readonly Syntax.Statement[]): void {
  for (const statement of statements) if (statement.kind === 'localFunction') declare(b, statement);
}

function declare(b: Binder, syntax: FunctionSyntax): void {
  const symbol = functionSymbol(b, syntax);
  b.checkName(syntax.name);
  if (!b.scope.names.has(symbol.name)) b.scope.names.set(symbol.name, symbol);
  b.functionAt.set(syntax, b.functions.push(symbol) - 1);
}

/** A function as its head declares it. */
export function functionSymbol(b: Binder, syntax: FunctionSyntax): LocalFunctionSymbol {
  const { typeNames: outer } = b;
  if (syntax.typeParameters.length > 0) b.typeNames = withParameters(b, syntax.typeParameters);
  const { returnType: written } = syntax;
  if (written.kind === 'refType') b.report('CS8652', written, 'functions that return references');
  const returnType = bindType(b, written.kind === 'refType' ? written.element : written);
  const typeParameters = bindTypeParameters(b, syntax.typeParameters, syntax.constraints);
  const parameters = syntax.parameters.map((parameter): ParameterSymbol => {
    const type = parameter.type ? bindType(b, parameter.type) : ERROR;
    if (isPrimitive(type, 'void')) b.report('CS1536', parameter.type!);
    return writtenParameter(b, parameter, type);
  });
  reportLateDefaults(b, syntax.parameters);
  b.typeNames = outer;
  const tree: Tree.LocalFunction = {
    id: b.newFunctionId(),
    name: syntax.name.text,
    code: {
      parameters: [],
      locals: [],
      body: { kind: 'block', declares: [], statements: [] },
      returnType,
      captures: [],
    },
  };
  return {
    kind: 'function',
    name: syntax.name.text,
    tree,
    owner: b.owner,
    scope: b.scope,
    syntax,
    parameters,
    returnType,
    generic:
      syntax.typeParameters.length > 0
        ? genericPart(b, syntax.name.text, typeParameters, outer, parameters, returnType)
        : null,
    bound: false,
    used: false,
    needs: new Set(),
    leaves: 0n,
    captures: new Set(),
  };
}

/** CS1737, at what follows a required parameter behind an optional one. */
function reportLateDefaults(b: Binder, parameters: readonly Syntax.Parameter[]): void {
  const first = parameters.findIndex((parameter) => parameter.default !== null);
  for (const { default: given, mode, end } of first < 0 ? [] : parameters.slice(first)) {
    if (given !== null || mode === 'params') continue;
    const at = end + b.text.slice(end).search(/\S/);
    b.report('CS1737', { start: at, end: at + 1 });
  }
}

export function bindLocalFunction(b: Binder, syntax: FunctionSyntax): Tree.Statement {
  const symbol = b.functionOf(syntax);
  if (!symbol) return { kind: 'block', declares: [], statements: [] };
  return symbol.generic ? bindGeneric(b, symbol) : bindFunction(b, symbol);
}

/**
 * The function's body, bound in the current scope and function. `opening` is asked for what runs before it, once the parameters are
 * there; `self` declares the object of a method.
 */
export function bindFunction(
  b: Binder,
  symbol: LocalFunctionSymbol,
  self: (() => Tree.Local) | null = null,
  opening: (() => Tree.Statement[]) | null = null,
): Tree.Statement {
  const { syntax } = symbol;
  const { scope, owner, checked, jumps, catchDepth, finallyDepth, guardedDepth, unreachableReported, state } = b;
  const own = newFunction('localFunction', owner, syntax.static, symbol);
  own.returnType = symbol.returnType;
  b.owner = own;
  b.scope = newScope(scope, own, []);
  b.jumps = [];
  b.catchDepth = 0;
  b.finallyDepth = 0;
  b.guardedDepth = 0;
  b.setState(b.state === -1n ? 0n : b.state);
  try {
    bindFunctionBody(b, symbol, own, self, opening);
  } finally {
    Object.assign(b, { scope, owner, checked, jumps, catchDepth, finallyDepth, guardedDepth, unreachableReported });
    b.setState(state);
  }
  return { kind: 'localFunction', function: symbol.tree };
}

function bindFunctionBody(
  b: Binder,
  symbol: LocalFunctionSymbol,
  own: Binder['owner'],
  self: (() => Tree.Local) | null,
  opening: (() => Tree.Statement[]) | null,
): void {
  const { syntax } = symbol;
  const yields = syntax.body.kind === 'block' && holdsYield(syntax.body) ? yieldedType(b, symbol) : null;
  own.yields = yields;
  b.scope.parameters = true;
  const first = self === null ? [] : [self()];
  const parameters = syntax.parameters.map((parameter, at) => {
    // Asking for a default says what is wrong with it.
    const { type, mode, default: _ } = symbol.parameters[at]!;
    const local = b.declare(parameter.name, type, {
      parameter: true,
      byReference: mode === 'out' || mode === 'ref',
      fixed: mode === 'in' ? 'in' : null,
    });
    if (mode !== 'out') b.assign(local);
    else own.outParameters.push(local);
    return local.local;
  });
  b.scope.parameters = false;
  const before = opening?.() ?? [];
  let body: Tree.Block;
  if (syntax.body.kind === 'block') {
    body = bindBlockStatements(b, syntax.body);
    if (b.reachable) {
      if (!isPrimitive(symbol.returnType, 'void') && symbol.returnType.kind !== 'error' && yields === null)
        b.report('CS0161', syntax.name, symbol.name, '');
      checkOutParameters(b, syntax.name);
    }
    if (yields !== null) for (const { syntax: at } of own.returns) b.report('CS1622', at);
    else finishReturns(b, own, symbol.returnType);
  } else body = expressionBody(b, syntax.body, symbol.returnType);
  symbol.tree.code = {
    parameters: [...first, ...parameters],
    locals: own.locals,
    body: before.length === 0 ? body : { ...body, statements: [...before, ...body.statements] },
    returnType: symbol.returnType,
    captures: [...own.captures],
    yields,
  };
  symbol.needs = own.unassignedReads;
  const exit = own.exitState & b.state;
  symbol.leaves = exit === UNREACHABLE ? 0n : exit;
  symbol.captures = own.captures;
  symbol.bound = true;
}

/** Whether a body yields itself, and not only what is inside of functions in it. */
function holdsYield(body: Syntax.BlockStatement): boolean {
  const rest: unknown[] = [body];
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    step();
    if (Array.isArray(node)) for (const part of node) rest.push(part);
    else if (typeof node === 'object' && node !== null) {
      const { kind } = node as { kind?: string };
      if (kind === 'yield') return true;
      if (kind === 'lambda' || kind === 'localFunction' || kind === 'literal') continue;
      for (const part of Object.values(node)) if (typeof part === 'object' && part !== null) rest.push(part);
    }
  }
  return false;
}

/** CS1624, CS1623: what an iterator may return and be handed. */
function yieldedType(b: Binder, { returnType, parameters, syntax }: LocalFunctionSymbol): Type {
  if (parameters.some(({ mode }) => mode === 'out' || mode === 'ref')) b.report('CS1623', syntax.name);
  if (returnType.kind === 'named' && returnType.name === 'IEnumerable' && returnType.arguments.length === 1) {
    return returnType.arguments[0]!;
  }
  if (returnType.kind === 'named' && returnType.name === 'IEnumerator')
    b.report('CS8652', syntax.name, 'an iterator that returns an IEnumerator');
  else if (returnType.kind !== 'error') b.report('CS1624', syntax.name, syntax.name.text);
  return ERROR;
}

/** `yield return x;` and `yield break;`. */
export function bindYield(b: Binder, syntax: Syntax.Statement & { readonly kind: 'yield' }): Tree.Statement {
  const { yields } = b.owner;
  const bound = syntax.value ? bindExpression(b, syntax.value) : null;
  b.unsplit();
  if (yields === null) {
    b.report(b.owner.kind === 'lambda' ? 'CS1621' : 'CS1624', syntax, '');
    return { kind: 'block', declares: [], statements: [] };
  }
  if (b.finallyDepth > 0) b.report('CS1625', syntax);
  else if (bound !== null && b.guardedDepth > 0) b.report('CS1626', syntax);
  else if (bound !== null && b.catchDepth > 0) b.report('CS1631', syntax);
  if (bound === null) {
    b.setState(UNREACHABLE);
    return { kind: 'yield', value: null };
  }
  return { kind: 'yield', value: convert(b, bound, yields) };
}

function expressionBody(b: Binder, syntax: Syntax.Expression, returnType: Type): Tree.Block {
  return b.inScope([syntax], (scope) => {
    if (syntax.kind === 'ref' && !returnsReference(b)) b.report('CS8149', syntax.operand);
    const bound: Bound = syntax.kind === 'ref' ? errorBound(syntax) : bindExpression(b, syntax);
    b.unsplit();
    checkOutParameters(b, syntax);
    const isVoid = isPrimitive(returnType, 'void');
    let statement: Tree.Statement;
    if (isVoid) {
      const ok =
        bound.kind === 'value' &&
        ['call', 'assignment', 'postfix', 'unary', 'new', 'conditionalAccess'].includes(syntax.kind);
      if (!ok && bound.kind !== 'error' && bound.kind !== 'throw') b.report('CS0201', syntax);
      statement =
        bound.kind === 'throw'
          ? { kind: 'throw', value: bound.operand }
          : { kind: 'evaluate', value: bound.kind === 'value' ? bound.tree : { kind: 'default', type: returnType } };
    } else if (bound.kind === 'throw') statement = { kind: 'throw', value: bound.operand };
    else statement = { kind: 'return', value: convert(b, bound, returnType) };
    return { kind: 'block', declares: scope.declares, statements: [statement] };
  });
}

export function checkOutParameters(b: Binder, at: Syntax.Node): void {
  step(b.owner.outParameters.length);
  for (const symbol of b.owner.outParameters) if (!b.isAssigned(symbol)) b.report('CS0177', at, symbol.name);
}

/** Converts what the function returns to its type. */
function finishReturns(b: Binder, own: Binder['owner'], returnType: Type): void {
  for (const { value, syntax, node } of own.returns) {
    const keyword = { start: syntax.start, end: syntax.start + 'return'.length };
    if (isPrimitive(returnType, 'void')) {
      if (value) b.report('CS0127', keyword);
    } else if (value) node.value = convert(b, value, returnType);
    else b.report('CS0126', keyword);
  }
}

/** A use of a local function: what it reads from outside must have a value by now, and is captured through it. */
export function noteLocalCall(b: Binder, symbol: LocalFunctionSymbol, at: Syntax.Node): void {
  symbol.used = true;
  step(symbol.captures.size + symbol.needs.size);
  for (const owner of ownersUpTo(b, symbol)) {
    if (owner.static && symbol.captures.size > 0)
      b.report(owner.kind === 'lambda' ? 'CS8820' : 'CS8421', at, symbol.name);
  }
  for (const local of symbol.captures) {
    const holder = b.symbolOf(local);
    if (holder) b.noteCapture(local, holder.owner);
  }
  const { state, reachable } = b;
  for (const need of symbol.needs) {
    if ((state & need.bit) !== 0n || !reachable) continue;
    if (need.owner === b.owner) b.report('CS0165', at, need.name);
    else b.owner.unassignedReads.add(need);
  }
  if (reachable && !b.split) b.state |= symbol.leaves;
}

function ownersUpTo(b: Binder, symbol: LocalFunctionSymbol): Binder['owner'][] {
  const list: Binder['owner'][] = [];
  for (let at: Binder['owner'] | null = b.owner; at && at !== symbol.owner; at = at.parent) list.push(at);
  return list;
}
