// Unary and binary operators: promotion, folding, operators of library types, lifting, and what is said when nothing fits.
// Assignment lives in `assignment.ts`; && || and ?? in `logical.ts`.

import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import { namedLocal } from './assignment.ts';
import type { Binder } from './binder.ts';
import { type Bound, isErroneous, isNullLiteral, naturalType, type Value } from './bound.ts';
import { callMember, constantValue, errorBound, FALSE, not, nullTest, TRUE, value } from './build.ts';
import { isReferenceType, isValueType } from './conversions.ts';
import { classify, convert } from './converting.ts';
import { COMPARISONS, numericOperation, type PlainOperator } from './numeric-operators.ts';
import { tupleEquality } from './tuples.ts';
import { BOOL, isNumericOrDecimal, isPrimitive, OBJECT, STRING, typeText, withoutNullable } from './typing.ts';
import { reportUntyped } from './untyped.ts';
import { userBinary } from './user-operators.ts';
import { boolOperation, enumOperation, hasEquality, referenceComparison } from './value-operators.ts';

/** `left operator right` for everything but && || and ??. */
export function bindBinaryOperator(
  b: Binder,
  operator: PlainOperator,
  left: Bound,
  right: Bound,
  at: Syntax.Node,
  spans: { operator: Syntax.Node } = { operator: at },
): Bound {
  if (isErroneous(left) || isErroneous(right)) return errorBound(at);
  const equality = operator === '==' || operator === '!=';
  if (equality && (left.kind === 'tuple' || right.kind === 'tuple' || (isTuple(left) && isTuple(right)))) {
    return tupleEquality(b, operator, left, right, at);
  }
  const typed = typedOperands(b, operator, left, right, at);
  if (!typed) return errorBound(at);
  const [first, second] = typed;
  warnSame(b, operator, first, second, at);
  return (
    concatenation(b, operator, first, second, at) ??
    delegateCombination(b, operator, first, second, at) ??
    nullComparison(b, operator, first, second, at) ??
    userBinary(b, operator, first, second, at) ??
    enumOperation(b, operator, first, second, at) ??
    numericOperation(b, operator, first, second, at, spans.operator) ??
    boolOperation(b, operator, first, second, at) ??
    referenceComparison(b, operator, first, second, at) ??
    noOperator(b, operator, first, second, at)
  );
}

/** CS1718: a local compared with itself. */
function warnSame(b: Binder, operator: string, left: Value, right: Value, at: Syntax.Node): void {
  if (!COMPARISONS.has(operator) || left.constant !== undefined) return;
  const [one, two] = [left.place, right.place];
  const same = (first: Tree.Expression | null, second: Tree.Expression | null) =>
    first?.kind === 'local' && second?.kind === 'local' && first.local === second.local;
  if (namedLocal(left) !== null && namedLocal(left) === namedLocal(right)) b.warn('CS1718', at);
  if (one?.kind !== 'member' || two?.kind !== 'member' || one.symbol !== two.symbol) return;
  if (one.symbol.kind === 'field' && same(one.receiver, two.receiver)) b.warn('CS1718', at);
}

function isTuple(bound: Bound): boolean {
  return bound.kind === 'value' && withoutNullable(bound.type).kind === 'tuple';
}

/** Both sides as values: default takes the other side's type; lambdas, types and the like are refused. */
function typedOperands(b: Binder, operator: string, left: Bound, right: Bound, at: Syntax.Node): [Value, Value] | null {
  const one = (bound: Bound, other: Bound): Value | null => {
    if (bound.kind === 'value') return isPrimitive(bound.type, 'void') ? null : bound;
    const type = naturalType(other);
    const equality = operator === '==' || operator === '!=';
    if (bound.kind === 'default' && type && equality) {
      return value(bound.syntax, type, convert(b, bound, type));
    }
    if (bound.kind === 'conditional' || bound.kind === 'switch') {
      if (type && classify(b, bound, type)?.implicit) return value(bound.syntax, type, convert(b, bound, type));
    }
    if (isPlusOrMinus(operator) && (bound.kind === 'lambda' || bound.kind === 'methods')) {
      const isCombined = other.kind === 'value' && isDelegate(b, other) && classify(b, bound, other.type)?.implicit;
      if (isCombined) return value(bound.syntax, other.type, convert(b, bound, other.type));
    }
    return null;
  };
  const first = one(left, right);
  const second = one(right, left);
  if (first && second) return [first, second];
  if (left.kind === 'type' || left.kind === 'namespace') reportUntyped(b, left);
  if (right.kind === 'type' || right.kind === 'namespace') reportUntyped(b, right);
  const named = [left, right].some((bound) => bound.kind === 'type' || bound.kind === 'namespace');
  if (named) return null;
  if (left.kind === 'default' && right.kind === 'default') b.report('CS8315', at, operator, 'default', 'default');
  else if (left.kind === 'default' || right.kind === 'default') b.report('CS8310', at, operator, 'default');
  else if (left.kind === 'new' || right.kind === 'new') b.report('CS8310', at, operator, 'new()');
  else b.report('CS0019', at, operator, boundText(left), boundText(right));
  return null;
}

export function boundText(bound: Bound): string {
  switch (bound.kind) {
    case 'value':
    case 'type':
      return typeText(bound.type);
    case 'namespace':
    case 'methods':
      return bound.kind === 'methods' ? 'method group' : bound.name;
    case 'lambda':
      return 'lambda expression';
    default:
      return bound.kind;
  }
}

function noOperator(b: Binder, operator: string, left: Value, right: Value, at: Syntax.Node): Bound {
  b.report('CS0019', at, operator, typeText(left.type), typeText(right.type));
  return errorBound(at);
}

// --- strings and delegates ---

function concatenation(b: Binder, operator: PlainOperator, left: Value, right: Value, at: Syntax.Node): Bound | null {
  const strings = isPrimitive(left.type, 'string') || isPrimitive(right.type, 'string');
  if (operator !== '+' || !strings) return null;
  if (left.constant !== undefined && right.constant !== undefined) {
    const [first, second] = [constantString(left), constantString(right)];
    if (first !== null && second !== null) return constantValue(at, STRING, first + second);
  }
  const bothStrings = [left, right].every((side) => isPrimitive(side.type, 'string') || isNullLiteral(side));
  const type = bothStrings ? STRING : OBJECT;
  const key = bothStrings ? 'String.Concat(string,string)' : 'String.Concat(object,object)';
  const one = (side: Value) => convert(b, isPrimitive(side.type, 'string') && !bothStrings ? side : side, type);
  return value(at, STRING, callMember(key, STRING, null, [one(left), one(right)]));
}

function constantString(side: Value): string | null {
  if (isNullLiteral(side)) return '';
  if (isPrimitive(side.type, 'string')) return (side.constant as string | null) ?? '';
  return null;
}

const isPlusOrMinus = (operator: string): boolean => operator === '+' || operator === '-';

function isDelegate(b: Binder, side: Value): boolean {
  return b.library.symbolOf(side.type)?.shape === 'delegate';
}

/** `a + b` calls one after the other; `a - b` is a without the last b in it. */
function delegateCombination(
  b: Binder,
  operator: PlainOperator,
  left: Value,
  right: Value,
  at: Syntax.Node,
): Bound | null {
  if (!isPlusOrMinus(operator)) return null;
  const type = [left, right].find((side) => isDelegate(b, side))?.type;
  if (type === undefined || ![left, right].every((side) => classify(b, side, type)?.implicit)) return null;
  const name = operator === '+' ? 'Combine' : 'Remove';
  const sides = [left, right].map((side) => convert(b, side, type));
  return value(at, type, callMember(`Delegate.${name}(Delegate,Delegate)`, type, null, sides));
}

// --- null ---

function nullComparison(b: Binder, operator: PlainOperator, left: Value, right: Value, at: Syntax.Node): Bound | null {
  if (!isNullLiteral(left) && !isNullLiteral(right)) return null;
  if (operator !== '==' && operator !== '!=') {
    const other = isNullLiteral(left) ? right : left;
    if (other.type.kind !== 'nullable' && !isNumericOrDecimal(other.type)) return null;
    // Comparing with null is false, computing with it null.
    if (COMPARISONS.has(operator)) {
      b.warn('CS0464', at, typeText(other.type));
      return value(at, BOOL, { kind: 'sequence', type: BOOL, effects: [other.tree], value: FALSE });
    }
    return null;
  }
  if (isNullLiteral(left) && isNullLiteral(right)) return constantValue(at, BOOL, operator === '==');
  const other = isNullLiteral(left) ? right : left;
  if (isValueType(b, other.type) && other.type.kind !== 'nullable') {
    if (
      other.type.kind === 'named' &&
      b.library.symbolOf(other.type)?.shape === 'struct' &&
      !hasEquality(b, other.type)
    )
      return null;
    if (other.type.kind === 'tuple') return null;
    if (!hasEquality(b, other.type)) b.warn('CS0472', at, String(operator === '!='), typeText(other.type));
    const result = operator === '!=' ? TRUE : FALSE;
    return value(at, BOOL, { kind: 'sequence', type: BOOL, effects: [other.tree], value: result });
  }
  const test = nullTest(other.tree);
  if (isReferenceType(b, other.type) && hasEquality(b, other.type) && other.type.kind === 'named') return null;
  return value(at, BOOL, operator === '==' ? test : not(test));
}

/** Numbers of an operation as constants, for patterns. */
export function comparison(
  b: Binder,
  operator: PlainOperator,
  left: Value,
  right: Value,
  at: Syntax.Node,
): Tree.Expression | null {
  const bound = bindBinaryOperator(b, operator, left, right, at);
  return bound.kind === 'value' ? bound.tree : null;
}
