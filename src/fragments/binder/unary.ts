// Operators with one operand: + - ~, and where ! ++ -- go.

import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import { bindIncrement } from './assignment.ts';
import type { Binder } from './binder.ts';
import { type Bound, isErroneous, type Value } from './bound.ts';
import { constantValue, errorBound, value } from './build.ts';
import { asBigint, foldUnary, OVERFLOW } from './constants.ts';
import { enumNumber, isEnum } from './conversions.ts';
import { classify } from './converting.ts';
import { bindRangeValue } from './elements.ts';
import { bindValue } from './expressions.ts';
import { bindNegatedLiteral } from './literals.ts';
import { bindNot } from './logical.ts';
import { liftUnary } from './nullables.ts';
import { convertPlain, promoted } from './numeric-operators.ts';
import { boundText } from './operators.ts';
import { isIntegral, isNumeric, primitiveType, typeText, withoutNullable } from './typing.ts';
import { reportUntyped } from './untyped.ts';
import { userUnary } from './user-operators.ts';

export function bindUnary(b: Binder, syntax: Syntax.Expression & { kind: 'unary' }): Bound {
  const { operator, operand } = syntax;
  switch (operator) {
    case '!':
      return bindNot(b, syntax);
    case '++':
    case '--':
      return bindIncrement(b, syntax, operator, operand, true);
    case '^':
      return bindRangeValue(b, syntax);
    case '&':
    case '*':
      bindValue(b, operand);
      b.report('CS0214', syntax);
      return errorBound(syntax);
    case '-': {
      const literal = bindNegatedLiteral(b, syntax, operand);
      if (literal) return literal;
      break;
    }
  }
  const inner = bindValue(b, operand);
  if (isErroneous(inner)) return errorBound(syntax);
  if (inner.kind === 'default') {
    b.report('CS8310', syntax, operator, 'default');
    return errorBound(syntax);
  }
  if (inner.kind !== 'value') {
    if (inner.kind === 'type' || inner.kind === 'namespace') reportUntyped(b, inner);
    else b.report('CS0023', syntax, operator, boundText(inner));
    return errorBound(syntax);
  }
  return arithmeticUnary(b, operator as '+' | '-' | '~', inner, syntax) ?? noUnary(b, operator, inner, syntax);
}

function noUnary(b: Binder, operator: string, operand: Value, at: Syntax.Node): Bound {
  b.report('CS0023', at, operator, typeText(operand.type));
  return errorBound(at);
}

function arithmeticUnary(b: Binder, operator: '+' | '-' | '~', operand: Value, at: Syntax.Node): Bound | null {
  const user = userUnary(b, operator, operand, at);
  if (user) return user;
  const element = withoutNullable(operand.type);
  if (operator === '~' && isEnum(b, element)) return complementEnum(b, operand, element, at);
  if (!isNumeric(element) || element.kind !== 'primitive') return null;
  if (operator === '~' && !isIntegral(element)) return null;
  let name = promoted(element.name, element.name)!;
  if (operator === '-' && name === 'uint') name = 'long';
  if (operator === '-' && name === 'ulong') {
    b.report('CS0023', at, operator, typeText(operand.type));
    return errorBound(at);
  }
  const type = primitiveType(name);
  const build = (tree: Tree.Expression): Tree.Expression => {
    const wide = convertPlain(b, tree, type);
    if (operator === '+') return wide;
    return { kind: operator === '-' ? 'negate' : 'complement', type, checked: b.checked, operand: wide };
  };
  if (operand.type.kind === 'nullable') {
    return value(at, { kind: 'nullable', element: type }, liftUnary(b, operand.tree, element, type, build));
  }
  if (operand.constant !== undefined) {
    const wide = classify(b, operand, type)!.apply();
    if (wide.kind === 'constant') {
      if (operator === '+') return constantValue(at, type, wide.value);
      const folded = foldUnary(operator, name, wide.value, !b.unchecked);
      if (folded === OVERFLOW) {
        b.report('CS0220', at);
        return errorBound(at);
      }
      if (folded !== undefined) return constantValue(at, type, folded);
    }
  }
  return value(at, type, build(operand.tree));
}

function complementEnum(b: Binder, operand: Value, element: Type, at: Syntax.Node): Bound {
  const under = primitiveType(enumNumber(b, element));
  const wide = primitiveType(promoted(enumNumber(b, element), enumNumber(b, element))!);
  const build = (tree: Tree.Expression): Tree.Expression => {
    const number = convertPlain(b, { kind: 'convert', type: under, conversion: { kind: 'enum' }, operand: tree }, wide);
    const made: Tree.Expression = { kind: 'complement', type: wide, checked: false, operand: number };
    return { kind: 'convert', type: element, conversion: { kind: 'enum' }, operand: made };
  };
  if (operand.type.kind === 'nullable')
    return value(at, operand.type, liftUnary(b, operand.tree, element, element, build));
  if (operand.constant !== undefined) return constantValue(at, element, Number(~asBigint(operand.constant)!));
  return value(at, element, build(operand.tree));
}
