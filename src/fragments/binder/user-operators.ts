// Operators that library types declare: decimal, string ==, DateTime, TimeSpan and so on, lifted where an operand is nullable.

import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import type { Binder } from './binder.ts';
import type { Bound, BoundArgument, Candidate, Value } from './bound.ts';
import { callMember, constantValue, errorBound, value } from './build.ts';
import { staticCall } from './class-invocations.ts';
import { foldUnary } from './constants.ts';
import { isValueType } from './conversions.ts';
import { convert } from './converting.ts';
import { foldDecimals } from './decimal-constants.ts';
import { liftUnary } from './nullables.ts';
import { liftedOperation, type PlainOperator } from './numeric-operators.ts';
import { resolve } from './overloads.ts';
import { operatorName } from './reader.ts';
import type { MethodSymbol } from './symbols.ts';
import { isPrimitive, sameType, substitute, typeText, withoutNullable } from './typing.ts';

/** Types whose operators are declared; other simple types have theirs in the language. */
function declares(type: Type): boolean {
  return type.kind === 'named' || isPrimitive(type, 'decimal') || isPrimitive(type, 'string');
}

function candidatesOf(b: Binder, name: string, types: readonly Type[], operands: number): Candidate[] {
  const list: Candidate[] = [];
  const seen = new Set<string>();
  for (const type of types) {
    if (!declares(type)) continue;
    for (const { symbol, map } of b.library.operators(type, name)) {
      const key = `${symbol.key} ${[...map.values()].map(typeText).join()}`;
      if (seen.has(key) || symbol.parameters.length !== operands) continue;
      seen.add(key);
      list.push({ method: symbol, local: null, map, extension: false });
    }
  }
  return list;
}

function operation(b: Binder, method: MethodSymbol, type: Type, values: readonly Tree.Expression[]): Tree.Expression {
  return method.user ? staticCall(b, method, type, values) : callMember(method.key, type, null, values);
}

function argument(side: Value): BoundArgument {
  return { syntax: side.syntax, name: null, mode: 'value', value: side };
}

/** The side without its nullable wrapping, as overload resolution of the plain operator sees it. */
function plain(side: Value): Value {
  if (side.type.kind !== 'nullable') return side;
  const type = side.type.element;
  return value(side.syntax, type, { kind: 'unwrap', type, operand: side.tree });
}

export function userBinary(
  b: Binder,
  operator: PlainOperator,
  left: Value,
  right: Value,
  at: Syntax.Node,
): Bound | null {
  const name = operatorName(operator, 2);
  if (!name) return null;
  const types = [left, right].map((side) => withoutNullable(side.type));
  const candidates = candidatesOf(b, name, types, 2);
  if (candidates.length === 0) return null;
  const direct = resolve(b, candidates, [argument(left), argument(right)], null);
  if (direct.kind === 'chosen') {
    const { fit } = direct;
    const type = substitute(fit.candidate.method!.returnType, fit.map);
    const values = [convert(b, left, fit.targets[0]!), convert(b, right, fit.targets[1]!)];
    return folded(b, operator, values, type, at) ?? value(at, type, operation(b, fit.candidate.method!, type, values));
  }
  if (direct.kind === 'ambiguous') {
    b.report('CS0034', at, operator, typeText(left.type), typeText(right.type));
    return errorBound(at);
  }
  return liftedUser(b, operator, left, right, candidates, at);
}

function liftedUser(
  b: Binder,
  operator: PlainOperator,
  left: Value,
  right: Value,
  candidates: readonly Candidate[],
  at: Syntax.Node,
): Bound | null {
  const isNull = (side: Value) => side.type.kind === 'null';
  if (left.type.kind !== 'nullable' && right.type.kind !== 'nullable') return null;
  const stand = (side: Value, other: Value) => (isNull(side) ? plain(other) : plain(side));
  const lifted = resolve(b, candidates, [argument(stand(left, right)), argument(stand(right, left))], null);
  if (lifted.kind !== 'chosen') return null;
  const { fit } = lifted;
  if (!fit.targets.every((type) => isValueType(b, type))) return null;
  const type = substitute(fit.candidate.method!.returnType, fit.map);
  const build = (first: Tree.Expression, second: Tree.Expression) =>
    operation(
      b,
      fit.candidate.method!,
      type,
      [first, second].map((tree, index) => converted(b, tree, fit.targets[index]!)),
    );
  return liftedOperation(b, operator, left, right, type, build, at);
}

function converted(b: Binder, tree: Tree.Expression, type: Type): Tree.Expression {
  if (sameType(tree.type, type)) return tree;
  const constant = tree.kind === 'constant' ? { constant: tree.value } : {};
  return convert(b, value({ start: 0, end: 0 }, tree.type, tree, constant), type);
}

/** Operations on constant decimals and comparisons of constant strings are constants. */
function folded(
  b: Binder,
  operator: string,
  values: readonly Tree.Expression[],
  type: Type,
  at: Syntax.Node,
): Bound | null {
  const [left, right] = values;
  if (left?.kind !== 'constant' || right?.kind !== 'constant') return null;
  if (isPrimitive(left.type, 'decimal')) {
    const constant = foldDecimals(operator, left.value, right.value);
    if (constant === null) return null;
    if (constant !== 'impossible') return constantValue(at, type, constant);
    const byZero = (operator === '/' || operator === '%') && foldDecimals('==', right.value, { decimal: '0' }) === true;
    b.report(byZero ? 'CS0020' : 'CS0463', at);
    return errorBound(at);
  }
  if (!isPrimitive(left.type, 'string')) return null;
  if (operator === '==') return constantValue(at, type, left.value === right.value);
  return operator === '!=' ? constantValue(at, type, left.value !== right.value) : null;
}

/** A unary operator that the operand's type declares; null when there is none. */
export function userUnary(b: Binder, operator: string, operand: Value, at: Syntax.Node): Bound | null {
  const name = operatorName(operator, 1);
  const element = withoutNullable(operand.type);
  if (!name || !declares(element)) return null;
  if (operand.constant !== undefined && isPrimitive(element, 'decimal') && operator === '-') {
    const folded = foldUnary('-', 'decimal', operand.constant, false);
    if (folded !== undefined && typeof folded !== 'symbol') return constantValue(at, element, folded);
  }
  const inner = plain(operand);
  const resolution = resolve(b, candidatesOf(b, name, [element], 1), [argument(inner)], null);
  if (resolution.kind !== 'chosen') return null;
  const { fit } = resolution;
  const type = substitute(fit.candidate.method!.returnType, fit.map);
  const build = (tree: Tree.Expression) =>
    operation(b, fit.candidate.method!, type, [converted(b, tree, fit.targets[0]!)]);
  if (operand.type.kind !== 'nullable') return value(at, type, build(operand.tree));
  return value(at, { kind: 'nullable', element: type }, liftUnary(b, operand.tree, element, type, build));
}
