// Which of two target types an argument goes to better.

import type { Type } from '../types.ts';
import type { Binder } from './binder.ts';
import type { Bound } from './bound.ts';
import { delegateSignature, hasImplicit } from './conversions.ts';
import { explicitTypes, hasExplicitTypes, inferredReturn, lambdaBody } from './lambdas.ts';
import { isPrimitive, sameType, sameTypes, withoutNullable } from './typing.ts';

/** 1 when the conversion to `left` is better, -1 when the one to `right` is, 0 when neither. */
export function isBetterArgument(b: Binder, argument: Bound, left: Type, right: Type): number {
  if (sameType(left, right)) return 0;
  const exactLeft = matchesExactly(b, argument, left);
  const exactRight = matchesExactly(b, argument, right);
  if (exactLeft !== exactRight) return exactLeft ? 1 : -1;
  if (argument.kind === 'lambda') {
    const order = lambdaOrder(b, argument, left, right);
    if (order !== 0) return order;
  }
  if (isBetterTarget(b, left, right)) return 1;
  return isBetterTarget(b, right, left) ? -1 : 0;
}

function matchesExactly(b: Binder, argument: Bound, type: Type): boolean {
  switch (argument.kind) {
    case 'value':
      if (argument.elements && type.kind === 'tuple' && type.elements.length === argument.elements.length) {
        return argument.elements.every((element, at) => matchesExactly(b, element, type.elements[at]!.type));
      }
      return sameType(argument.type, type);
    case 'lambda': {
      const signature = delegateSignature(b, type);
      if (!signature) return false;
      const types = hasExplicitTypes(argument)
        ? explicitTypes(b, argument)
        : signature.parameters.map((parameter) => parameter.type);
      const result = inferredReturn(b, argument, types);
      if (result) return sameType(result, signature.returnType);
      const body = lambdaBody(b, argument, types);
      const values = body?.returns.flatMap((entry) => (entry.value ? [entry.value] : [])) ?? [];
      return values.length > 0 && values.every((value) => matchesExactly(b, value, signature.returnType));
    }
    default:
      return false;
  }
}

/** Two delegates with the same parameters: by their return types, a result being better than none. */
function lambdaOrder(b: Binder, lambda: Bound & { kind: 'lambda' }, left: Type, right: Type): number {
  const first = delegateSignature(b, left);
  const second = delegateSignature(b, right);
  if (!first || !second) return 0;
  const types = first.parameters.map((parameter) => parameter.type);
  if (
    !sameTypes(
      types,
      second.parameters.map((parameter) => parameter.type),
    )
  ) {
    return 0;
  }
  const firstVoid = isPrimitive(first.returnType, 'void');
  const secondVoid = isPrimitive(second.returnType, 'void');
  if (firstVoid !== secondVoid) return firstVoid ? -1 : 1;
  const result = inferredReturn(b, lambda, types);
  if (result) {
    if (sameType(first.returnType, second.returnType)) return 0;
    if (sameType(result, first.returnType)) return 1;
    if (sameType(result, second.returnType)) return -1;
  }
  if (isBetterTarget(b, first.returnType, second.returnType)) return 1;
  return isBetterTarget(b, second.returnType, first.returnType) ? -1 : 0;
}

const SIGNED: Record<string, readonly string[]> = {
  sbyte: ['byte', 'ushort', 'uint', 'ulong'],
  short: ['ushort', 'uint', 'ulong'],
  int: ['uint', 'ulong'],
  long: ['ulong'],
};

/** Whether `left` is the better target: it converts to `right` and not back, or is the signed one of two numbers. */
export function isBetterTarget(b: Binder, left: Type, right: Type): boolean {
  const spans = spanOrder(left, right);
  if (spans !== 0) return spans > 0;
  const forth = hasImplicit(b, left, right);
  const back = hasImplicit(b, right, left);
  if (forth !== back) return forth;
  const [first, second] = [withoutNullable(left), withoutNullable(right)];
  if (first.kind === 'primitive' && second.kind === 'primitive')
    return SIGNED[first.name]?.includes(second.name) ?? false;
  return false;
}

/** ReadOnlySpan before Span before arrays, where C# prefers spans. */
function spanOrder(left: Type, right: Type): number {
  const rank = (type: Type) => (type.kind === 'named' ? ['Span', 'ReadOnlySpan'].indexOf(type.name) + 1 : 0);
  return rank(left) > 0 && rank(right) > 0 ? rank(left) - rank(right) : 0;
}
