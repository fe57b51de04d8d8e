// && || ! and ??: short circuits, with the flow state of each way.

import { stepAt } from '../steps.ts';
import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import type { Binder } from './binder.ts';
import { type Bound, isErroneous, isNullLiteral, naturalType } from './bound.ts';
import { both, conditional, constantValue, either, errorBound, not, nullTest, once, sequence, value } from './build.ts';
import { levelled } from './chains.ts';
import { splitByConstant } from './conditions.ts';
import { isReferenceType } from './conversions.ts';
import { classify, convert } from './converting.ts';
import { bindExpression, bindValue } from './expressions.ts';
import { liftUnary } from './nullables.ts';
import { boundText } from './operators.ts';
import { BOOL, isPrimitive, sameType } from './typing.ts';
import { reportUntyped } from './untyped.ts';
import { userUnary } from './user-operators.ts';

type BinarySyntax = Syntax.Expression & { readonly kind: 'binary' };

export function bindLogical(b: Binder, syntax: BinarySyntax, operator: '&&' | '||'): Bound {
  // Chains lean left: a loop instead of recursion.
  const spine: BinarySyntax[] = [];
  let first: Syntax.Expression = syntax;
  while (first.kind === 'binary' && first.operator === operator) {
    spine.push(first);
    first = first.left;
  }
  let result = bindExpression(b, first);
  for (const node of spine.reverse()) {
    stepAt(node, 4);
    result = logicalStep(b, node, operator, result);
  }
  return result.kind === 'value' ? { ...result, tree: levelled(result.tree) } : result;
}

function logicalStep(b: Binder, syntax: BinarySyntax, operator: '&&' | '||', left: Bound): Bound {
  const isAnd = operator === '&&';
  splitByConstant(b, left.kind === 'value' ? (left.constant as boolean | undefined) : undefined);
  const { whenTrue, whenFalse } = b;
  b.setState(isAnd ? whenTrue : whenFalse);
  const right = bindExpression(b, syntax.right);
  splitByConstant(b, right.kind === 'value' ? (right.constant as boolean | undefined) : undefined);
  if (isAnd) b.setSplit(b.whenTrue, b.whenFalse & whenFalse);
  else b.setSplit(b.whenTrue & whenTrue, b.whenFalse);
  if (isErroneous(left) || isErroneous(right)) return errorBound(syntax);
  const isBool = (bound: Bound) => bound.kind === 'value' && isPrimitive(bound.type, 'bool');
  if (left.kind !== 'value' || right.kind !== 'value' || !isBool(left) || !isBool(right)) {
    const [first, second] = [asBool(b, left), asBool(b, right)];
    if (first && second) return value(syntax, BOOL, isAnd ? both(first, second) : either(first, second));
    for (const side of [left, right]) {
      if (side.kind === 'type' || side.kind === 'namespace') {
        reportUntyped(b, side);
        return errorBound(syntax);
      }
    }
    b.report('CS0019', syntax, operator, boundText(left), boundText(right));
    return value(syntax, BOOL, { kind: 'default', type: BOOL });
  }
  if (left.constant !== undefined && right.constant !== undefined) {
    return constantValue(
      syntax,
      BOOL,
      isAnd ? left.constant === true && right.constant === true : left.constant === true || right.constant === true,
    );
  }
  return value(syntax, BOOL, isAnd ? both(left.tree, right.tree) : either(left.tree, right.tree));
}

/** A side that converts to bool by its type's own conversion; null when it does not. */
function asBool(b: Binder, bound: Bound): Tree.Expression | null {
  if (bound.kind === 'value' && isPrimitive(bound.type, 'bool')) return bound.tree;
  if (bound.kind === 'value' && (bound.type.kind === 'null' || bound.type.kind === 'nullable')) return null;
  return bound.kind === 'value' && classify(b, bound, BOOL)?.implicit ? convert(b, bound, BOOL) : null;
}

export function bindNot(b: Binder, syntax: Syntax.Expression & { kind: 'unary' }): Bound {
  const operand = bindExpression(b, syntax.operand);
  if (b.split) b.setSplit(b.whenFalse, b.whenTrue);
  if (isErroneous(operand)) return errorBound(syntax);
  if (operand.kind === 'value') {
    if (isPrimitive(operand.type, 'bool')) {
      if (operand.constant !== undefined) return constantValue(syntax, BOOL, operand.constant !== true);
      return value(syntax, BOOL, not(operand.tree));
    }
    if (operand.type.kind === 'nullable' && isPrimitive(operand.type.element, 'bool')) {
      return value(syntax, operand.type, liftUnary(b, operand.tree, BOOL, BOOL, not));
    }
    const user = userUnary(b, '!', operand, syntax);
    if (user) return user;
  }
  if (operand.kind === 'type' || operand.kind === 'namespace') reportUntyped(b, operand);
  else if (operand.kind === 'default') b.report('CS8310', syntax, '!', 'default');
  else b.report('CS0023', syntax, '!', boundText(operand));
  return value(syntax, BOOL, { kind: 'default', type: BOOL });
}

/** `a ?? b ?? c`: the left sides in their order, then what they come to from the right. */
export function bindCoalesce(b: Binder, syntax: BinarySyntax): Bound {
  const lefts: CoalesceLeft[] = [];
  let last: Syntax.Expression = syntax;
  while (last.kind === 'binary' && last.operator === '??') {
    stepAt(last, 4);
    const left = bindValue(b, last.left);
    lefts.push({ syntax: last, left, state: b.state, there: b.stateWhenNotNull(last.left) });
    last = last.right;
  }
  let result = bindExpression(b, last);
  while (lefts.length > 0) result = coalesceStep(b, lefts.pop()!, result);
  return result;
}

interface CoalesceLeft {
  readonly syntax: BinarySyntax;
  readonly left: Bound;
  /** What is assigned once it has been evaluated, and besides where it is not null. */
  readonly state: bigint;
  readonly there: bigint | null;
}

function coalesceStep(b: Binder, { syntax, left, state, there }: CoalesceLeft, right: Bound): Bound {
  b.unsplit();
  b.setState(state);
  // `a?.M(out x) ?? false`: where it holds, `a` was not null and x is assigned.
  if (there !== null && b.reachable && right.kind === 'value' && typeof right.constant === 'boolean') {
    if (right.constant) b.setSplit(state, state | there);
    else b.setSplit(state | there, state);
  }
  if (isErroneous(left) || isErroneous(right)) return errorBound(syntax);
  return coalesce(b, left, right, syntax);
}

/** `left ?? right`, both bound. */
function coalesce(b: Binder, left: Bound, right: Bound, syntax: Syntax.Node): Bound {
  const no = (): Bound => {
    b.report('CS0019', syntax, '??', boundText(left), boundText(right));
    return errorBound(syntax);
  };
  if (left.kind === 'type' || left.kind === 'namespace') {
    reportUntyped(b, left);
    return errorBound(syntax);
  }
  if (isNullLiteral(left) || (left.kind === 'value' && left.constant === null)) {
    const type = naturalType(right);
    return type && left.kind === 'value' && left.type.kind === 'null'
      ? { ...(right as typeof left), syntax, constant: undefined, place: undefined }
      : plain(b, left, right, syntax, no);
  }
  return plain(b, left, right, syntax, no);
}

function plain(b: Binder, left: Bound, right: Bound, syntax: Syntax.Node, no: () => Bound): Bound {
  if (left.kind !== 'value') return no();
  const { type } = left;
  if (type.kind !== 'nullable' && !isReferenceType(b, type)) return no();
  const made = (result: Type, whenThere: (read: Tree.Expression) => Tree.Expression): Bound => {
    const { effects, read } = once(b, left.tree);
    const tree = conditional(result, nullTest(read), convert(b, right, result), whenThere(read));
    return value(syntax, result, sequence(effects, tree));
  };
  if (type.kind === 'nullable') {
    const unwrap = (read: Tree.Expression): Tree.Expression => ({ kind: 'unwrap', type: type.element, operand: read });
    if (classify(b, right, type.element)?.implicit) return made(type.element, unwrap);
    if (classify(b, right, type)?.implicit) return made(type, (read) => read);
    const other = naturalType(right);
    if (!other) return no();
    const inner = value(left.syntax, type.element, { kind: 'default', type: type.element });
    if (!classify(b, inner, other)?.implicit) return no();
    return made(other, (read) => convert(b, { ...inner, tree: unwrap(read) }, other));
  }
  if (classify(b, right, type)?.implicit) return made(type, (read) => read);
  const other = naturalType(right);
  if (!other || !classify(b, left, other)?.implicit) {
    if (other && sameType(other, type)) return no();
    return no();
  }
  return made(other, (read) => convert(b, { ...left, tree: read, constant: undefined }, other));
}
