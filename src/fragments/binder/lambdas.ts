// Lambdas: their bodies are bound once for each list of parameter types they are tried with, and kept; a conversion to a
// delegate picks the body it needs, converts what it returns, and passes its diagnostics on.

import { step, stepAt } from '../steps.ts';
import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import { bestCommonType } from './best-type.ts';
import { type Binder, newFunction, newScope, UNREACHABLE } from './binder.ts';
import { type Bound, type LambdaBody, type LambdaReturn, naturalType } from './bound.ts';
import { errorBound } from './build.ts';
import { delegateSignature } from './conversions.ts';
import { classify, reportNoConversion } from './converting.ts';
import { bindExpression } from './expressions.ts';
import { bindBlockStatements } from './statements.ts';
import { bindType } from './type-names.ts';
import { isPrimitive, named, sameType, typeText, VOID } from './typing.ts';
import { writtenDefault } from './written-parameters.ts';

type Lambda = Bound & { readonly kind: 'lambda' };

export function bindLambda(b: Binder, syntax: Lambda['syntax']): Bound {
  b.unsplit();
  return {
    kind: 'lambda',
    syntax,
    scope: b.scope,
    owner: b.owner,
    state: b.state,
    checked: b.checked,
    bodies: new Map(),
  };
}

export function hasExplicitTypes(lambda: Lambda): boolean {
  return lambda.syntax.parameters.length > 0 && lambda.syntax.parameters.every((parameter) => parameter.type !== null);
}

/** The types written on the parameters; what is wrong with them is reported only when the body is used. */
export function explicitTypes(b: Binder, lambda: Lambda): Type[] {
  return b.capture(() =>
    lambda.syntax.parameters.map((p) => (p.type ? bindType(b, p.type) : { kind: 'error' as const })),
  ).result;
}

/** The body for these parameter types. */
export function lambdaBody(b: Binder, lambda: Lambda, parameterTypes: readonly Type[]): LambdaBody | null {
  const key = parameterTypes.map(typeText).join(';');
  const known = lambda.bodies.get(key);
  if (known) return known;
  stepAt(lambda.syntax, 40);
  const { scope, owner, state, checked, depth, jumps, catchDepth, finallyDepth } = b;
  const splitBefore = [b.split, b.whenTrue, b.whenFalse] as const;
  const unreachableReported = b.unreachableReported;
  b.scope = lambda.scope;
  b.owner = newFunction('lambda', lambda.owner, lambda.syntax.static);
  b.checked = lambda.checked;
  b.jumps = [];
  b.catchDepth = 0;
  b.finallyDepth = 0;
  b.setState(lambda.state);
  try {
    const { result, diagnostics } = b.capture(() => bindBody(b, lambda, parameterTypes));
    const body: LambdaBody = {
      ...result,
      diagnostics,
      hasErrors: diagnostics.some((diagnostic) => diagnostic.severity === 'error'),
      inferred: undefined,
    };
    lambda.bodies.set(key, body);
    return body;
  } finally {
    b.scope = scope;
    b.owner = owner;
    b.checked = checked;
    b.depth = depth;
    b.jumps = jumps;
    b.catchDepth = catchDepth;
    b.finallyDepth = finallyDepth;
    b.unreachableReported = unreachableReported;
    b.state = state;
    [b.split, b.whenTrue, b.whenFalse] = splitBefore;
  }
}

function bindBody(b: Binder, lambda: Lambda, types: readonly Type[]) {
  const { syntax } = lambda;
  const own = b.owner;
  b.scope = newScope(lambda.scope, own, []);
  b.scope.parameters = true;
  const parameters = declareParameters(b, lambda, types);
  b.scope.parameters = false;
  let body: Tree.Block;
  const returns: LambdaReturn[] = [];
  let endReachable = false;
  if (syntax.body.kind === 'block') {
    body = bindBlockStatements(b, syntax.body);
    returns.push(...own.returns);
    endReachable = b.reachable;
  } else {
    const expression = syntax.body;
    body = b.inScope([expression], (scope) => {
      if (expression.kind === 'ref') b.report('CS8149', expression.operand);
      const bound = expression.kind === 'ref' ? errorBound(expression) : bindExpression(b, expression);
      b.unsplit();
      const node: LambdaReturn['node'] = { kind: 'return', value: null };
      returns.push({ value: bound, syntax: expression, node });
      return { kind: 'block', declares: scope.declares, statements: [node] };
    });
    b.setState(UNREACHABLE);
  }
  const code: Tree.FunctionCode = {
    parameters,
    locals: own.locals,
    body,
    returnType: VOID,
    captures: [],
  };
  return { code, returns, endReachable, owner: own };
}

function declareParameters(b: Binder, lambda: Lambda, types: readonly Type[]): Tree.Local[] {
  const { parameters } = lambda.syntax;
  const discards = parameters.filter((parameter) => parameter.name.text === '_').length > 1;
  return parameters.map((parameter, at) => {
    if (parameter.type) bindType(b, parameter.type);
    const type = types[at] ?? { kind: 'error' };
    if (parameter.default && parameter.type === null) b.report('CS9098', parameter.name, parameter.name.text);
    else if (parameter.default) writtenDefault(b, parameter.name, parameter.default, type);
    const name = discards && parameter.name.text === '_' ? { ...parameter.name, text: '' } : parameter.name;
    const byReference = parameter.mode !== 'value' && parameter.mode !== 'params';
    const symbol = b.declare(name, type, { parameter: true, byReference });
    b.assign(symbol);
    return symbol.local;
  });
}

/** Whether an expression may stand as a statement, which is what a delegate without a result needs of it. */
function isStatementExpression(syntax: Syntax.Expression): boolean {
  switch (syntax.kind) {
    case 'assignment':
    case 'call':
    case 'new':
    case 'refused':
    case 'error':
      return true;
    case 'unary':
    case 'postfix':
      return syntax.operator === '++' || syntax.operator === '--';
    case 'conditionalAccess':
      return isStatementExpression(syntax.access);
    default:
      return false;
  }
}

/** The type of what the lambda returns for these parameter types; null when there is none, void when it returns nothing. */
export function inferredReturn(b: Binder, lambda: Lambda, parameterTypes: readonly Type[]): Type | null {
  const body = lambdaBody(b, lambda, parameterTypes);
  if (!body) return null;
  if (body.inferred === undefined) {
    const values = body.returns.flatMap((entry) => (entry.value ? [entry.value] : []));
    body.inferred = body.returns.length > 0 && values.length === 0 ? VOID : null;
    if (body.returns.length === 0) body.inferred = body.endReachable ? VOID : null;
    if (values.length > 0)
      body.inferred = values.length === 1 ? returnedType(b, values[0]!) : bestCommonType(b, values);
  }
  return body.inferred;
}

function returnedType(b: Binder, bound: Bound): Type | null {
  return naturalType(bound) ?? bestCommonType(b, [bound]);
}

/** Whether a delegate type can take the lambda. */
export function classifyLambda(b: Binder, lambda: Lambda, to: Type): boolean {
  const signature = delegateSignature(b, to);
  if (!signature || signature.parameters.length !== lambda.syntax.parameters.length) return false;
  if (!parametersFit(b, lambda, signature.parameters)) return false;
  const body = lambdaBody(
    b,
    lambda,
    signature.parameters.map((parameter) => parameter.type),
  );
  if (!body || body.hasErrors) return false;
  return returnsFit(b, lambda, body, signature.returnType);
}

function parametersFit(b: Binder, lambda: Lambda, wanted: readonly { type: Type; mode: string }[]): boolean {
  const explicit = hasExplicitTypes(lambda) ? explicitTypes(b, lambda) : null;
  return lambda.syntax.parameters.every((parameter, at) => {
    if (explicit && !sameType(explicit[at]!, wanted[at]!.type)) return false;
    return explicit
      ? parameter.mode === wanted[at]!.mode
      : wanted[at]!.mode === 'value' || parameter.mode === wanted[at]!.mode;
  });
}

function returnsFit(b: Binder, lambda: Lambda, body: LambdaBody, returnType: Type): boolean {
  if (isPrimitive(returnType, 'void')) {
    if (lambda.syntax.body.kind !== 'block') return isStatementExpression(lambda.syntax.body);
    return body.returns.every((entry) => entry.value === null);
  }
  if (body.endReachable) return false;
  return body.returns.every(
    (entry) => entry.value !== null && (classify(b, entry.value, returnType)?.implicit ?? false),
  );
}

/** The lambda as a value of the delegate type; its diagnostics go on. */
export function lambdaTree(b: Binder, lambda: Lambda, to: Type): Tree.Expression {
  const signature = delegateSignature(b, to)!;
  const types = signature.parameters.map((parameter) => parameter.type);
  const body = lambdaBody(b, lambda, types);
  if (!body) return { kind: 'default', type: to };
  passOn(b, body);
  return finishLambda(b, lambda, body, to, signature.returnType);
}

function passOn(b: Binder, { diagnostics }: LambdaBody): void {
  step(diagnostics.length);
  for (const diagnostic of diagnostics) b.diagnostics.push(diagnostic);
}

function finishLambda(b: Binder, lambda: Lambda, body: LambdaBody, to: Type, returnType: Type): Tree.Expression {
  const own = body.owner;
  const before = [b.owner, b.scope, b.checked] as const;
  b.owner = own;
  b.scope = newScope(lambda.scope, own, []);
  b.checked = lambda.checked;
  const toVoid = isPrimitive(returnType, 'void');
  let discarded: Tree.Expression | null = null;
  for (const entry of body.returns) {
    step();
    if (!entry.value) continue;
    if (toVoid) discarded = entry.value.kind === 'value' ? entry.value.tree : null;
    else entry.node.value = classify(b, entry.value, returnType)?.apply() ?? { kind: 'default', type: returnType };
  }
  [b.owner, b.scope, b.checked] = before;
  const code: Tree.FunctionCode = {
    ...body.code,
    body: discarded ? { ...body.code.body, statements: [{ kind: 'evaluate', value: discarded }] } : body.code.body,
    returnType,
    captures: [...own.captures],
  };
  return { kind: 'lambda', type: to, code };
}

/** Says why the lambda does not fit a type. */
export function reportLambdaError(b: Binder, lambda: Lambda, to: Type): void {
  const { syntax } = lambda;
  const signature = delegateSignature(b, to);
  if (!signature) {
    b.report('CS1660', syntax, typeText(to));
    bindForErrors(b, lambda);
    return;
  }
  if (signature.parameters.length !== syntax.parameters.length) {
    b.report('CS1593', syntax, typeText(to), String(syntax.parameters.length));
    return;
  }
  if (!parametersFit(b, lambda, signature.parameters)) {
    reportParameters(b, lambda, signature.parameters, to);
    return;
  }
  const types = signature.parameters.map((parameter) => parameter.type);
  const body = lambdaBody(b, lambda, types);
  if (!body) return;
  passOn(b, body);
  reportReturns(b, lambda, body, signature.returnType, to);
}

function reportParameters(b: Binder, lambda: Lambda, wanted: readonly { type: Type; mode: string }[], to: Type): void {
  const explicit = hasExplicitTypes(lambda) ? explicitTypes(b, lambda) : null;
  if (explicit) b.capture(() => null);
  b.report('CS1661', lambda.syntax, typeText(to));
  for (const [at, parameter] of lambda.syntax.parameters.entries()) {
    const target = wanted[at]!;
    if (parameter.mode !== target.mode && !(parameter.mode === 'value' && target.mode === 'value')) {
      b.report(target.mode === 'value' ? 'CS1677' : 'CS1676', parameter.name, String(at + 1), target.mode);
    } else if (explicit && !sameType(explicit[at]!, target.type)) {
      b.report('CS1678', parameter.name, String(at + 1), typeText(explicit[at]!), typeText(target.type));
    }
  }
}

function reportReturns(b: Binder, lambda: Lambda, body: LambdaBody, returnType: Type, to: Type): void {
  if (isPrimitive(returnType, 'void')) {
    if (lambda.syntax.body.kind !== 'block') {
      b.report('CS0201', lambda.syntax.body);
      return;
    }
    for (const entry of body.returns) if (entry.value) b.report('CS8030', returnKeyword(entry.syntax));
    return;
  }
  for (const { value, syntax } of body.returns) {
    if (!value) b.report('CS0126', returnKeyword(syntax), typeText(returnType));
    else {
      const conversion = classify(b, value, returnType);
      if (conversion?.implicit) continue;
      reportNoConversion(b, value, returnType, value.syntax, conversion !== null);
      if (value.kind !== 'type' && value.kind !== 'namespace') b.report('CS1662', value.syntax);
    }
  }
  if (body.endReachable) b.report('CS1643', lambda.syntax.arrow, 'lambda', typeText(to));
}

function returnKeyword(syntax: Syntax.Node): Syntax.Node {
  return { start: syntax.start, end: syntax.start + 'return'.length };
}

/** Binds the body of a lambda that nothing gives types, so that what is wrong inside is said. */
export function bindForErrors(b: Binder, lambda: Lambda): void {
  const types = hasExplicitTypes(lambda)
    ? explicitTypes(b, lambda)
    : lambda.syntax.parameters.map((): Type => ({ kind: 'error' }));
  const body = lambdaBody(b, lambda, types);
  if (body) passOn(b, body);
}

/** `Func` or `Action` for a lambda whose parameter types are written, as `var` and the like need it. */
export function naturalDelegate(b: Binder, lambda: Lambda): Type | null {
  if (lambda.syntax.parameters.length > 0 && !hasExplicitTypes(lambda)) return null;
  if (lambda.syntax.parameters.some((parameter) => parameter.mode !== 'value')) return null;
  const types = explicitTypes(b, lambda);
  const result = inferredReturn(b, lambda, types);
  if (!result) return null;
  const type = functionType(types, result);
  const { parameters } = lambda.syntax;
  if (parameters.some((parameter) => parameter.default !== null)) {
    const written = b.capture(() =>
      parameters.map(({ name, default: given }, at) =>
        given === null ? null : writtenDefault(b, name, given, types[at] as Type),
      ),
    );
    lambdaDefaults.set(type, written.result);
  }
  return type;
}

/** Defaults of the parameters of lambdas, by the types that `var` gives them: the delegate types of C# have no name of their own. */
export const lambdaDefaults = new WeakMap<Type, readonly (string | null)[]>();

export function functionType(parameters: readonly Type[], result: Type): Type {
  return isPrimitive(result, 'void') ? named('Action', ...parameters) : named('Func', ...parameters, result);
}
