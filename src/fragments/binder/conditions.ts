// Conditions and the conditional operator: where the flow state splits in two.

import { stepAt } from '../steps.ts';
import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import { bestCommonType } from './best-type.ts';
import { type Binder, UNREACHABLE } from './binder.ts';
import { type Bound, isErroneous, naturalType } from './bound.ts';
import { conditional, constantValue, errorBound, value } from './build.ts';
import { classify, convert } from './converting.ts';
import { bindExpression } from './expressions.ts';
import { bindRefConditional } from './references.ts';
import { BOOL, isPrimitive, sameType } from './typing.ts';
import { userUnary } from './user-operators.ts';

/** What a condition came to; `wrong` when that has been reported. */
interface Condition {
  readonly tree: Tree.Expression;
  readonly constant: boolean | undefined;
  readonly wrong: boolean;
}

/** A condition as a bool tree; the state stays split. */
export function bindCondition(b: Binder, syntax: Syntax.Expression): Condition {
  const bound = bindExpression(b, syntax);
  const condition = conditionOf(b, bound);
  const { reachable } = b;
  splitByConstant(b, condition.constant);
  // A way out that only operands rule out is not dead code for C#'s warning.
  const oneWay = b.whenTrue === UNREACHABLE || b.whenFalse === UNREACHABLE;
  if (reachable && condition.constant === undefined && oneWay) b.unreachableReported = true;
  if (
    syntax.kind === 'assignment' &&
    syntax.operator === '=' &&
    bound.kind === 'value' &&
    isPrimitive(bound.type, 'bool')
  ) {
    if (syntax.value.kind === 'literal') b.warn('CS0665', syntax);
  }
  return condition;
}

function conditionOf(b: Binder, bound: Bound): Condition {
  if (bound.kind === 'value' && isPrimitive(bound.type, 'bool')) {
    return { tree: bound.tree, constant: bound.constant as boolean | undefined, wrong: false };
  }
  const user = bound.kind === 'value' && !isErroneous(bound) ? userUnary(b, 'true', bound, bound.syntax) : null;
  if (user?.kind === 'value') return { tree: user.tree, constant: undefined, wrong: false };
  return { tree: convert(b, bound, BOOL), constant: undefined, wrong: isErroneous(bound) };
}

/** Splits the state after a condition, a constant one having only one way out. */
export function splitByConstant(b: Binder, known: boolean | undefined): void {
  if (!b.split) b.setSplit(b.state, b.state);
  if (known === true) b.whenFalse = UNREACHABLE;
  if (known === false) b.whenTrue = UNREACHABLE;
}

type ConditionalSyntax = Syntax.Expression & { kind: 'conditional' };

/** `a ? b : c ? d : e`: conditions and their branches in order, then what they come to from the last one on. */
export function bindConditional(b: Binder, syntax: ConditionalSyntax): Bound {
  const branches: Branch[] = [];
  let last: Syntax.Expression = syntax;
  while (last.kind === 'conditional' && last.whenTrue.kind !== 'ref' && last.whenFalse.kind !== 'ref') {
    stepAt(last, 6);
    const condition = bindCondition(b, last.condition);
    const { whenFalse: elseState } = b;
    b.setState(b.whenTrue);
    const whenTrue = bindExpression(b, last.whenTrue);
    branches.push({ syntax: last, condition, whenTrue, first: stateOf(b) });
    b.setState(elseState);
    last = last.whenFalse;
  }
  let result = last.kind === 'conditional' ? bindRefConditional(b, last) : bindExpression(b, last);
  while (branches.length > 0) result = conditionalStep(b, branches.pop()!, result);
  return result;
}

interface Branch {
  readonly syntax: ConditionalSyntax;
  readonly condition: Condition;
  readonly whenTrue: Bound;
  readonly first: ReturnType<typeof stateOf>;
}

function conditionalStep(b: Binder, { syntax, condition, whenTrue, first }: Branch, whenFalse: Bound): Bound {
  const second = stateOf(b);
  b.setSplit(first.whenTrue & second.whenTrue, first.whenFalse & second.whenFalse);
  if (!first.split && !second.split) b.unsplit();
  if (condition.wrong || isErroneous(whenTrue) || isErroneous(whenFalse)) return errorBound(syntax);
  const type = conditionalType(b, whenTrue, whenFalse);
  if (!type) return { kind: 'conditional', syntax, condition: condition.tree, whenTrue, whenFalse };
  const left = convert(b, whenTrue, type);
  const right = convert(b, whenFalse, type);
  const constants = condition.tree.kind === 'constant' && left.kind === 'constant' && right.kind === 'constant';
  if (constants) {
    const chosen = (condition.tree as { value: unknown }).value === true ? left : right;
    return constantValue(syntax, type, (chosen as { value: Tree.ConstantValue }).value);
  }
  return value(syntax, type, conditional(type, condition.tree, left, right));
}

function stateOf(b: Binder): { split: boolean; whenTrue: bigint; whenFalse: bigint } {
  if (b.split) return { split: true, whenTrue: b.whenTrue, whenFalse: b.whenFalse };
  return { split: false, whenTrue: b.state, whenFalse: b.state };
}

/** The natural type of `c ? x : y`. */
function conditionalType(b: Binder, whenTrue: Bound, whenFalse: Bound): Type | null {
  const left = naturalType(whenTrue);
  const right = naturalType(whenFalse);
  if (left && right) {
    if (sameType(left, right)) return isPrimitive(left, 'void') ? null : left;
    const forth = classify(b, whenTrue, right)?.implicit ?? false;
    const back = classify(b, whenFalse, left)?.implicit ?? false;
    if (forth && back) return bestCommonType(b, [whenTrue, whenFalse]);
    return forth ? right : back ? left : null;
  }
  const only = left ?? right;
  if (!only) return null;
  const other = left ? whenFalse : whenTrue;
  if (other.kind === 'lambda' || other.kind === 'methods') return classify(b, other, only)?.implicit ? only : null;
  return classify(b, other, only)?.implicit ? only : null;
}
