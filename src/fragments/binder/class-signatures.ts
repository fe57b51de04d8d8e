// Heads of the functions of types: operators, extension methods, parameters, and types that nothing can be of.

import type * as Syntax from '../syntax.ts';
import type { Type } from '../types.ts';
import type { FunctionSyntax } from '../unit-syntax.ts';
import type { Binder } from './binder.ts';
import type { Access, ClassType, UserMethod } from './class-model.ts';
import { checkSeen } from './class-visibility.ts';
import type { LocalFunctionSymbol } from './scopes.ts';
import { isPrimitive, sameType, typeText } from './typing.ts';

const pairs: Readonly<Record<string, string>> = {
  op_Equality: 'op_Inequality',
  op_LessThan: 'op_GreaterThan',
  op_LessThanOrEqual: 'op_GreaterThanOrEqual',
};
const unaryOnly = new Set(['!', '~', '++', '--', 'true', 'false']);
const either = new Set(['+', '-']);

/** CS1020, CS1534, CS1535: how many operands an operator takes. Answers whether it is as many. */
export function checkOperands(b: Binder, operator: string, { parameters, name }: FunctionSyntax): boolean {
  const count = parameters.length;
  const fits = either.has(operator) ? count === 1 || count === 2 : count === (unaryOnly.has(operator) ? 1 : 2);
  if (!fits) {
    const isUnary = unaryOnly.has(operator);
    if (count === 1 || count === 2) b.report(isUnary ? 'CS1020' : 'CS1019', name);
    else b.report(isUnary ? 'CS1535' : 'CS1534', name, operator);
  }
  return fits;
}

/** CS0562, CS0563, CS0448, CS0559, CS0564, CS0590, CS0631, CS0715. */
export function checkOperator(
  b: Binder,
  one: ClassType,
  operator: string,
  written: FunctionSyntax,
  method: UserMethod,
): void {
  const { name } = written;
  const { parameters, returnType } = method.symbol;
  const isOwn = (type: Type | undefined): boolean =>
    type !== undefined && sameType(type.kind === 'nullable' ? type.element : type, one.type);
  if (one.shape === 'static class') b.report('CS0715', name, one.name);
  for (const [at, parameter] of parameters.entries())
    if (parameter.mode !== 'value' && parameter.mode !== 'in') b.report('CS0631', written.parameters[at]!);
  if (isPrimitive(returnType, 'void')) b.report('CS0590', name);
  const isStep = operator === '++' || operator === '--';
  if (isStep && !isOwn(parameters[0]?.type)) b.report('CS0559', name, one.name);
  else if (isStep && !isOwn(returnType)) b.report('CS0448', name);
  else if (operator === '<<' || operator === '>>') {
    if (!isOwn(parameters[0]?.type)) b.report('CS0564', name);
  } else if (!parameters.some(({ type }) => isOwn(type)) && !isStep)
    b.report(parameters.length === 1 ? 'CS0562' : 'CS0563', name);
}

/** CS0216: `==` without `!=`. */
export function checkPairs(b: Binder, one: ClassType): void {
  const operators = one.methods.filter(({ name }) => name.startsWith('op_'));
  const shape = ({ symbol }: UserMethod): string =>
    [...symbol.parameters.map(({ type }) => type), symbol.returnType].map(typeText).join(',');
  for (const [left, right] of Object.entries(pairs)) {
    for (const [own, other] of [
      [left, right],
      [right, left],
    ]) {
      for (const method of operators) {
        if (method.name !== own) continue;
        if (operators.some((match) => match.name === other && shape(match) === shape(method))) continue;
        const at = method.function?.syntax.name;
        // Those of a record stand in no source.
        if (at !== undefined && !one.syntax.isRecord) b.report('CS0216', at, own, other!);
      }
    }
  }
}

/** CS1100, CS1105, CS1106, CS1109: where `this` stands before a parameter. */
export function checkExtension(
  b: Binder,
  one: ClassType,
  { name, parameters }: FunctionSyntax,
  isStatic: boolean,
): void {
  for (const [at, parameter] of parameters.entries())
    if (at > 0 && parameter.mode === 'this') b.report('CS1100', word(parameter));
  if (parameters[0]?.mode !== 'this') return;
  if (one.shape !== 'static class') b.report(isStatic || one.shape === 'struct' ? 'CS1106' : 'CS1105', name);
  else if (one.outer !== null) b.report('CS1109', name, one.name);
}

function word({ start, mode }: Syntax.Parameter): Syntax.Node {
  return { start, end: start + mode.length };
}

/** CS0225, CS0231, CS1741, CS1751, CS0721: parameters that cannot be so. */
function checkParameters(b: Binder, parameters: readonly Syntax.Parameter[], types: readonly Type[]): void {
  for (const [at, parameter] of parameters.entries()) {
    const type = types[at];
    const { mode } = parameter;
    if (mode === 'params' && type !== undefined && type.kind !== 'error') {
      if (type.kind !== 'array' || type.rank !== 1) b.report('CS0225', word(parameter));
      if (at < parameters.length - 1) b.report('CS0231', parameter);
      if (parameter.default !== null) b.report('CS1751', word(parameter));
    }
    if ((mode === 'ref' || mode === 'out') && parameter.default !== null) b.report('CS1741', word(parameter));
    if (type !== undefined && isStaticType(b, type)) b.report('CS0721', parameter.type ?? parameter, typeText(type));
  }
}

export function isStaticType(b: Binder, type: Type): boolean {
  return type.kind === 'named' && b.library.symbolOf(type)?.shape === 'static class';
}

/** CS0516, CS0768: a constructor that ends in itself. */
export function checkChains(b: Binder, one: ClassType, next: ReadonlyMap<UserMethod, UserMethod>): void {
  for (const method of one.constructors) {
    if (method.chain?.kind !== 'this') continue;
    const seen = new Set<UserMethod>();
    let at = next.get(method);
    for (; at !== undefined && at !== method && !seen.has(at); at = next.get(at)) seen.add(at);
    if (at !== method) continue;
    b.report(next.get(method) === method ? 'CS0516' : 'CS0768', method.chain.at, one.name);
  }
}

/** What the head of a method, a constructor or an operator names. */
export function checkHead(
  b: Binder,
  one: ClassType,
  name: Syntax.Name,
  access: Access,
  written: readonly Syntax.Parameter[],
  { parameters, returnType }: Pick<LocalFunctionSymbol, 'parameters' | 'returnType'>,
): void {
  const types = parameters.map(({ type }) => type);
  checkParameters(b, written, types);
  const isOperator = name.text.startsWith('op_');
  if (isStaticType(b, returnType)) b.report('CS0722', name, typeText(returnType));
  checkSeen(b, isOperator ? 'CS0056' : 'CS0050', name, one, access, returnType);
  for (const type of types) checkSeen(b, isOperator ? 'CS0057' : 'CS0051', name, one, access, type);
}
