// Operators on bool, enums and references.

import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import type { Binder } from './binder.ts';
import { type Bound, isNullLiteral, type Value } from './bound.ts';
import { binaryTree, conditional, constantValue, convertTree, not, value } from './build.ts';
import { foldBinary } from './constants.ts';
import { enumNumber, isEnum, isReferenceType } from './conversions.ts';
import { classify, convert } from './converting.ts';
import { COMPARISONS, convertPlain, liftedOperation, type PlainOperator, promoted } from './numeric-operators.ts';
import { BOOL, isNamed, isPrimitive, primitiveType, sameType, withoutNullable } from './typing.ts';

export function hasEquality(b: Binder, type: Type): boolean {
  return b.library.operators(type, 'op_Equality').length > 0;
}

export function boolOperation(
  b: Binder,
  operator: PlainOperator,
  left: Value,
  right: Value,
  at: Syntax.Node,
): Bound | null {
  if (!['&', '|', '^', '==', '!='].includes(operator)) return null;
  const isBool = (side: Value) => isPrimitive(withoutNullable(side.type), 'bool') || isNullLiteral(side);
  if (!isBool(left) || !isBool(right)) return null;
  if (isPrimitive(left.type, 'bool') && isPrimitive(right.type, 'bool')) {
    if (left.constant !== undefined && right.constant !== undefined) {
      const folded = foldBinary(operator, 'bool', left.constant, right.constant, false);
      if (typeof folded === 'boolean') return constantValue(at, BOOL, folded);
    }
    return value(at, BOOL, binaryTree(operator, 'bool', BOOL, left.tree, right.tree));
  }
  const type: Type = { kind: 'nullable', element: BOOL };
  if (operator === '&' || operator === '|') return threeValued(b, operator, left, right, type, at);
  return liftedOperation(
    b,
    operator,
    left,
    right,
    BOOL,
    (one, two) => binaryTree(operator, 'bool', BOOL, one, two),
    at,
  );
}

/** bool? & and |: a false (or true) side decides, whatever the other is. */
function threeValued(b: Binder, operator: '&' | '|', left: Value, right: Value, type: Type, at: Syntax.Node): Bound {
  const first = b.temporary(type);
  const second = b.temporary(type);
  const store = (local: Tree.Local, side: Value): Tree.Expression => ({
    kind: 'assign',
    type,
    target: { kind: 'local', type, local },
    value: convert(b, side, type),
  });
  const read = (local: Tree.Local): Tree.Expression => ({ kind: 'local', type, local });
  const unwrap = (local: Tree.Local): Tree.Expression => ({ kind: 'unwrap', type: BOOL, operand: read(local) });
  const has = (local: Tree.Local): Tree.Expression => ({ kind: 'hasValue', type: BOOL, operand: read(local) });
  // & : left is false -> left; left is true -> right; left is null -> right is false ? right : null. | is the mirror.
  const decides = (local: Tree.Local) => (operator === '&' ? not(unwrap(local)) : unwrap(local));
  const nothing: Tree.Expression = { kind: 'default', type };
  const whenNull = conditional(
    type,
    { kind: 'and', type: BOOL, left: has(second), right: decides(second) },
    read(second),
    nothing,
  );
  const whenThere = conditional(type, decides(first), read(first), read(second));
  const tree = conditional(type, has(first), whenThere, whenNull);
  return value(at, type, { kind: 'sequence', type, effects: [store(first, left), store(second, right)], value: tree });
}

export function enumOperation(
  b: Binder,
  operator: PlainOperator,
  left: Value,
  right: Value,
  at: Syntax.Node,
): Bound | null {
  const [first, second] = [withoutNullable(left.type), withoutNullable(right.type)];
  const enumType = isEnum(b, first) ? first : isEnum(b, second) ? second : null;
  if (!enumType) return null;
  const number = enumNumber(b, enumType);
  const under = primitiveType(number);
  const bothEnum = [left, right].every(
    (side) => sameType(withoutNullable(side.type), enumType) || classify(b, side, enumType)?.implicit,
  );
  let result: Type;
  if (bothEnum && COMPARISONS.has(operator)) result = BOOL;
  else if (bothEnum && ['&', '|', '^'].includes(operator)) result = enumType;
  else if (bothEnum && operator === '-') result = under;
  else if ((operator === '+' || (operator === '-' && isEnum(b, first))) && !bothEnum) result = enumType;
  else return null;
  const promotedName = promoted(number, number)!;
  const wide = primitiveType(promotedName);
  const toNumber = (tree: Tree.Expression): Tree.Expression => {
    const asEnum = isEnum(b, tree.type) ? convertTree(under, tree, 'enum') : tree;
    return convertPlain(b, asEnum, wide);
  };
  const build = (one: Tree.Expression, two: Tree.Expression): Tree.Expression => {
    const made = binaryTree(
      operator,
      promotedName,
      isPrimitive(result, 'bool') ? BOOL : wide,
      toNumber(one),
      toNumber(two),
    );
    if (isPrimitive(result, 'bool')) return made;
    return sameType(result, enumType) ? convertTree(enumType, made, 'enum') : convertPlain(b, made, result);
  };
  const prepare = (side: Value): Value =>
    bothEnum && !isEnum(b, withoutNullable(side.type)) && !isNullLiteral(side)
      ? value(side.syntax, enumType, convert(b, side, enumType), { constant: side.constant })
      : side;
  const [one, two] = [prepare(left), prepare(right)];
  if (one.type.kind === 'nullable' || two.type.kind === 'nullable' || isNullLiteral(one) || isNullLiteral(two)) {
    return liftedOperation(b, operator, one, two, result, build, at);
  }
  if (one.constant !== undefined && two.constant !== undefined) {
    const folded = foldBinary(operator, promotedName, one.constant, two.constant, false);
    if (folded !== undefined && typeof folded !== 'symbol') return constantValue(at, result, folded);
  }
  return value(at, result, build(one.tree, two.tree));
}

export function referenceComparison(
  b: Binder,
  operator: PlainOperator,
  left: Value,
  right: Value,
  at: Syntax.Node,
): Bound | null {
  if (operator !== '==' && operator !== '!=') return null;
  const [first, second] = [left.type, right.type];
  if (!isReferenceType(b, first) || !isReferenceType(b, second)) return null;
  if (!comparable(b, left, right)) return null;
  for (const [side, other, id] of [
    [first, second, 'CS0252'],
    [second, first, 'CS0253'],
  ] as const) {
    if (
      isPrimitive(side, 'object') &&
      !isPrimitive(other, 'object') &&
      (isPrimitive(other, 'string') || hasEquality(b, other))
    ) {
      b.warn(id, at);
    }
  }
  const tree: Tree.Expression = { kind: 'referenceEquals', type: BOOL, left: left.tree, right: right.tree };
  return value(at, BOOL, operator === '==' ? tree : not(tree));
}

function comparable(b: Binder, left: Value, right: Value): boolean {
  if (isNamed(left.type, 'Delegate') || isNamed(right.type, 'Delegate')) return true;
  return classify(b, left, right.type) !== null || classify(b, right, left.type) !== null;
}
