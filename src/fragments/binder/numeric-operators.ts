// Operators on numbers: promotion, folding, shifts, lifting over nullable operands.

import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { PrimitiveName, Type } from '../types.ts';
import type { Binder } from './binder.ts';
import { type Bound, isAlwaysNull, isNullLiteral, type Value } from './bound.ts';
import { binaryTree, constantValue, errorBound, NOWHERE, not, value } from './build.ts';
import { DIVISION_BY_ZERO, foldBinary, OVERFLOW } from './constants.ts';
import { hasImplicit, isImplicitNumeric } from './conversions.ts';
import { classify, convert, foldConversion } from './converting.ts';
import { liftBinary, liftComparison, liftEquality } from './nullables.ts';
import { BOOL, INT, isIntegral, isNumeric, primitiveType, sameType, typeText, withoutNullable } from './typing.ts';

export const COMPARISONS = new Set(['==', '!=', '<', '>', '<=', '>=']);
const SHIFTS = new Set(['<<', '>>', '>>>']);
export type PlainOperator = Tree.BinaryOperator;

const PROMOTION_ORDER: readonly PrimitiveName[] = ['int', 'uint', 'long', 'ulong', 'float', 'double'];

/** The type two numbers are computed in; null when C# finds more than one (ulong with a signed number). */
export function promoted(left: PrimitiveName, right: PrimitiveName): PrimitiveName | null {
  const fits = (from: PrimitiveName, to: PrimitiveName) => from === to || isImplicitNumeric(from, to);
  return PROMOTION_ORDER.find((type) => fits(left, type) && fits(right, type)) ?? null;
}

export function numericOperation(
  b: Binder,
  operator: PlainOperator,
  left: Value,
  right: Value,
  at: Syntax.Node,
  _operatorSpan: Syntax.Node,
): Bound | null {
  const sides = [left, right].map((side) => (isNullLiteral(side) ? null : withoutNullable(side.type)));
  const known = sides.find((type) => type !== null);
  const [first, second] = sides.map((type) => type ?? known!);
  if (!first || !second || !isNumeric(first) || !isNumeric(second)) return null;
  if (first.kind !== 'primitive' || second.kind !== 'primitive') return null;
  if (SHIFTS.has(operator)) return shift(b, operator, left, right, first.name, second, at);
  const type = promotedOperands(left, right, first.name, second.name);
  if (type === null) {
    const ambiguous = !['&', '|', '^'].includes(operator) || (isIntegral(first) && isIntegral(second));
    b.report(ambiguous ? 'CS0034' : 'CS0019', at, operator, typeText(left.type), typeText(right.type));
    return errorBound(at);
  }
  if (['&', '|', '^'].includes(operator) && (type === 'float' || type === 'double')) return null;
  const operandType = primitiveType(type);
  const lifted =
    left.type.kind === 'nullable' || right.type.kind === 'nullable' || isNullLiteral(left) || isNullLiteral(right);
  const result = COMPARISONS.has(operator) ? BOOL : operandType;
  if (!lifted) return plainNumeric(b, operator, left, right, type, result, at);
  return liftedNumeric(b, operator, left, right, operandType, result, at);
}

/** The promotion, where a constant that fits counts as unsigned: `ulongValue + 1`. */
function promotedOperands(
  left: Value,
  right: Value,
  first: PrimitiveName,
  second: PrimitiveName,
): PrimitiveName | null {
  const plain = promoted(first, second);
  const nonNegative = (side: Value, name: PrimitiveName) =>
    side.constant !== undefined && (name === 'int' || name === 'long') && BigInt(side.constant as number) >= 0n;
  if (first === 'ulong' && nonNegative(right, second)) return 'ulong';
  if (second === 'ulong' && nonNegative(left, first)) return 'ulong';
  if (first === 'uint' && second === 'int' && nonNegative(right, second)) return 'uint';
  if (second === 'uint' && first === 'int' && nonNegative(left, first)) return 'uint';
  if (
    plain === 'float' &&
    (first === 'ulong' || second === 'ulong') &&
    isIntegralName(first) &&
    isIntegralName(second)
  ) {
    return null;
  }
  return plain;
}

function isIntegralName(name: PrimitiveName): boolean {
  return isIntegral(primitiveType(name));
}

function plainNumeric(
  b: Binder,
  operator: PlainOperator,
  left: Value,
  right: Value,
  operand: PrimitiveName,
  result: Type,
  at: Syntax.Node,
): Bound {
  const type = primitiveType(operand);
  const first = numberTree(b, left, type);
  const second = numberTree(b, right, type);
  if (first.kind === 'constant' && second.kind === 'constant') {
    const folded = foldBinary(operator, operand, first.value, second.value, !b.unchecked);
    if (folded === OVERFLOW) {
      b.report('CS0220', at);
      return errorBound(at);
    }
    if (folded === DIVISION_BY_ZERO) {
      b.report('CS0020', at);
      return errorBound(at);
    }
    if (folded !== undefined) return constantValue(at, result, folded);
  }
  constantOutside(b, operator, left, right, at);
  if (operator === '|') warnSignExtension(b, [left, right], [first, second], at);
  return value(at, result, binaryTree(operator, operand, result, first, second, b.checked));
}

/** CS0652: a small integer compared with a constant it can never have. */
function constantOutside(b: Binder, operator: PlainOperator, left: Value, right: Value, at: Syntax.Node): void {
  if (!COMPARISONS.has(operator)) return;
  for (const [side, other] of [
    [left, right],
    [right, left],
  ] as const) {
    if (other.constant === undefined || side.constant !== undefined || side.type.kind !== 'primitive') continue;
    if (!isIntegral(side.type) || !isIntegral(other.type)) continue;
    if (!['byte', 'sbyte', 'short', 'ushort', 'char', 'int', 'uint', 'long', 'ulong'].includes(side.type.name))
      continue;
    if (foldConversion(b, other, side.type, true) === null) b.warn('CS0652', at, typeText(side.type));
  }
}

const WIDTHS: Partial<Record<PrimitiveName, number>> = { sbyte: 8, byte: 8, short: 16, ushort: 16, char: 16, int: 32, uint: 32, long: 64, ulong: 64 }; // biome-ignore format: a table

/** CS0675: the bits that the sign of one side fills are lost to `|`, unless a constant has them all or none of them. */
function warnSignExtension(
  b: Binder,
  given: readonly [Value, Value],
  [left, right]: readonly [Tree.Expression, Tree.Expression],
  at: Syntax.Node,
): void {
  const [first, second] = [signBits(left, given[0].tree), signBits(right, given[1].tree)];
  if (first === second) return;
  const harmless = (side: Tree.Expression, bits: bigint): boolean => {
    if (side.kind !== 'constant') return false;
    const known = BigInt.asUintN(64, BigInt(side.value as number));
    return (known & bits) === 0n || (~known & bits) === 0n;
  };
  if (!harmless(left, second) && !harmless(right, first)) b.warn('CS0675', at);
}

/** The bits that widening a signed number has filled with its sign. A cast to a signed type was meant so: `written` is the tree with casts alone. */
function signBits(tree: Tree.Expression, written: Tree.Expression): bigint {
  if (tree.kind !== 'convert' || tree.conversion.kind !== 'numeric') return 0n;
  const { from, to } = tree.conversion;
  const [narrow, wide] = [WIDTHS[from], WIDTHS[to]];
  const isCast = tree === written;
  const inner = signBits(tree.operand, isCast ? tree.operand : written);
  if (narrow === undefined || wide === undefined || narrow === wide) return inner;
  if (wide < narrow) return BigInt.asUintN(wide, inner);
  const isSigned = from !== 'char' && !from.startsWith('u') && from !== 'byte';
  if (inner !== 0n || !isSigned || (isCast && !to.startsWith('u'))) return inner;
  return (1n << BigInt(wide)) - (1n << BigInt(narrow));
}

/** A number in the type of the operation, folded when it is a constant. */
function numberTree(b: Binder, side: Value, type: Type): Tree.Expression {
  return foldConversion(b, side, type, false) ?? convert(b, side, type);
}

function liftedNumeric(
  b: Binder,
  operator: PlainOperator,
  left: Value,
  right: Value,
  operand: Type,
  result: Type,
  at: Syntax.Node,
): Bound {
  const name = (operand as Type & { kind: 'primitive' }).name;
  const build = (first: Tree.Expression, second: Tree.Expression) =>
    binaryTree(operator, name, result, convertPlain(b, first, operand), convertPlain(b, second, operand), b.checked);
  return liftedOperation(b, operator, left, right, result, build, at);
}

export function convertPlain(b: Binder, tree: Tree.Expression, type: Type): Tree.Expression {
  return sameType(tree.type, type) ? tree : convert(b, value(NOWHERE, tree.type, tree, constantOf(tree)), type);
}

function constantOf(tree: Tree.Expression): { constant?: Tree.ConstantValue } {
  return tree.kind === 'constant' ? { constant: tree.value } : {};
}

/** Lifts an operation by its kind: equality, comparison or computation. */
export function liftedOperation(
  b: Binder,
  operator: PlainOperator,
  left: Value,
  right: Value,
  result: Type,
  build: (left: Tree.Expression, right: Tree.Expression) => Tree.Expression,
  at: Syntax.Node,
): Bound {
  if (isNullLiteral(left) || isNullLiteral(right)) {
    const other = isNullLiteral(left) ? right : left;
    const type: Type = { kind: 'nullable', element: result };
    b.warn('CS0458', at, typeText(type));
    return value(at, type, { kind: 'sequence', type, effects: [other.tree], value: { kind: 'default', type } });
  }
  warnAlwaysNull(b, operator, left, right, result, at);
  if (operator === '==' || operator === '!=') {
    const tree = liftEquality(b, left, right, (first, second) => {
      const made = build(first, second);
      return operator === '!=' ? negated(made) : made;
    });
    return value(at, BOOL, operator === '!=' ? not(tree) : tree);
  }
  if (COMPARISONS.has(operator)) return value(at, BOOL, liftComparison(b, left, right, build));
  return value(at, { kind: 'nullable', element: result }, liftBinary(b, left, right, result, build));
}

/** CS0458, CS0464 and CS0472: an operation with a value of nullable type that is null for sure. */
function warnAlwaysNull(
  b: Binder,
  operator: PlainOperator,
  left: Value,
  right: Value,
  result: Type,
  at: Syntax.Node,
): void {
  const [isLeft, isRight] = [isAlwaysNull(left), isAlwaysNull(right)];
  if (!isLeft && !isRight) return;
  const other = isLeft ? right : left;
  if (!COMPARISONS.has(operator)) b.warn('CS0458', at, typeText({ kind: 'nullable', element: result }));
  else if (operator !== '==' && operator !== '!=') b.warn('CS0464', at, typeText((isLeft ? left : right).type));
  else if (isLeft !== isRight && other.type.kind !== 'nullable')
    b.warn('CS0472', at, String(operator === '!='), typeText(other.type));
}

/** `a != b` as `a == b`, for lifting: the lifted form negates the whole. */
function negated(tree: Tree.Expression): Tree.Expression {
  if (tree.kind === 'binary' && tree.operator === '!=') return { ...tree, operator: '==' };
  return not(tree);
}

function shift(
  b: Binder,
  operator: PlainOperator,
  left: Value,
  right: Value,
  name: PrimitiveName,
  count: Type,
  at: Syntax.Node,
): Bound | null {
  const operand = promoted(name, name);
  if (!operand || !isIntegralName(operand)) return null;
  if (
    !(
      sameType(count, INT) ||
      hasImplicit(b, count, INT) ||
      (right.constant !== undefined && classify(b, right, INT)?.implicit)
    )
  ) {
    return null;
  }
  const type = primitiveType(operand);
  const build = (first: Tree.Expression, second: Tree.Expression) =>
    binaryTree(operator, operand, type, convertPlain(b, first, type), convertPlain(b, second, INT));
  if (left.type.kind === 'nullable' || right.type.kind === 'nullable') {
    return liftedOperation(b, operator, left, right, type, build, at);
  }
  const first = numberTree(b, left, type);
  const second = numberTree(b, right, INT);
  if (first.kind === 'constant' && second.kind === 'constant') {
    const folded = foldBinary(operator, operand, first.value, second.value, false);
    if (folded !== undefined && typeof folded !== 'symbol') return constantValue(at, type, folded);
  }
  return value(at, type, binaryTree(operator, operand, type, first, second));
}
