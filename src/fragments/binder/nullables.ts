// Members of nullable values, and the lifting of operators over them.

import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import type { Binder } from './binder.ts';
import type { Bound, Value } from './bound.ts';
import { both, conditional, convertTree, FALSE, once, sequence, value } from './build.ts';
import type { MethodSymbol } from './symbols.ts';
import { BOOL, nullableOf } from './typing.ts';

/** `HasValue` and `Value`; other members are methods or unknown. */
export function nullableMember(
  _b: Binder,
  syntax: Syntax.Expression & { kind: 'member' },
  receiver: Value,
): Bound | null {
  if (receiver.type.kind !== 'nullable') return null;
  const { element } = receiver.type;
  switch (syntax.name.text) {
    case 'HasValue':
      return value(syntax, BOOL, hasValue(receiver.tree), { place: { kind: 'readOnly' } });
    case 'Value':
      return value(syntax, element, convertTree(element, receiver.tree, 'unwrapChecked'), {
        place: { kind: 'readOnly' },
      });
    default:
      return null;
  }
}

/** `GetValueOrDefault` without a call; null for the other methods. */
export function nullableCall(
  b: Binder,
  method: MethodSymbol,
  receiver: Tree.Expression,
  values: readonly Tree.CallArgument[],
  type: Type,
): Tree.Expression | null {
  if (method.name !== 'GetValueOrDefault') return null;
  const [fallback] = values;
  if (fallback?.mode !== 'value') return { kind: 'unwrap', type, operand: receiver };
  const { effects, read } = once(b, receiver);
  const second = once(b, fallback.value);
  const result = conditional(type, hasValue(read), { kind: 'unwrap', type, operand: read }, second.read);
  return sequence([...effects, ...second.effects], result);
}

function hasValue(operand: Tree.Expression): Tree.Expression {
  return { kind: 'hasValue', type: BOOL, operand };
}

/** A unary operation over a nullable operand: null stays null. */
export function liftUnary(
  b: Binder,
  operand: Tree.Expression,
  element: Type,
  result: Type,
  operation: (inner: Tree.Expression) => Tree.Expression,
): Tree.Expression {
  const { effects, read } = once(b, operand);
  const type = nullableOf(result);
  const inner = operation({ kind: 'unwrap', type: element, operand: read });
  return sequence(
    effects,
    conditional(type, hasValue(read), convertTree(type, inner, 'wrap'), { kind: 'default', type }),
  );
}

/** A binary operation over operands of which at least one is nullable: null when either is. */
export function liftBinary(
  b: Binder,
  left: LiftedOperand,
  right: LiftedOperand,
  result: Type,
  operation: (left: Tree.Expression, right: Tree.Expression) => Tree.Expression,
): Tree.Expression {
  const type = nullableOf(result);
  return lifted(b, left, right, (bothThere, first, second) =>
    conditional(type, bothThere, convertTree(type, operation(first, second), 'wrap'), { kind: 'default', type }),
  );
}

export interface LiftedOperand {
  readonly tree: Tree.Expression;
  readonly type: Type; // its own type, nullable or not
}

function lifted(
  b: Binder,
  left: LiftedOperand,
  right: LiftedOperand,
  build: (bothThere: Tree.Expression, left: Tree.Expression, right: Tree.Expression) => Tree.Expression,
): Tree.Expression {
  const first = once(b, left.tree);
  const second = once(b, right.tree);
  const [testLeft, valueLeft] = opened(first.read, left.type);
  const [testRight, valueRight] = opened(second.read, right.type);
  const bothThere = testLeft && testRight ? both(testLeft, testRight) : (testLeft ?? testRight!);
  return sequence([...first.effects, ...second.effects], build(bothThere, valueLeft, valueRight));
}

function opened(read: Tree.Expression, type: Type): [Tree.Expression | null, Tree.Expression] {
  if (type.kind !== 'nullable') return [null, read];
  return [hasValue(read), { kind: 'unwrap', type: type.element, operand: read }];
}

/** `<`, `>` and so on: false when either is null. */
export function liftComparison(
  b: Binder,
  left: LiftedOperand,
  right: LiftedOperand,
  operation: (left: Tree.Expression, right: Tree.Expression) => Tree.Expression,
): Tree.Expression {
  return lifted(b, left, right, (bothThere, first, second) =>
    conditional(BOOL, bothThere, operation(first, second), FALSE),
  );
}

/** `==`: both null, or both there and equal. */
export function liftEquality(
  b: Binder,
  left: LiftedOperand,
  right: LiftedOperand,
  operation: (left: Tree.Expression, right: Tree.Expression) => Tree.Expression,
): Tree.Expression {
  const first = once(b, left.tree);
  const second = once(b, right.tree);
  const [testLeft, valueLeft] = opened(first.read, left.type);
  const [testRight, valueRight] = opened(second.read, right.type);
  const equal = operation(valueLeft, valueRight);
  let result: Tree.Expression;
  if (testLeft && testRight) {
    const same: Tree.Expression = {
      kind: 'binary',
      type: BOOL,
      operator: '==',
      operand: 'bool',
      checked: false,
      left: testLeft,
      right: testRight,
    };
    const absent: Tree.Expression = { kind: 'not', type: BOOL, operand: testLeft };
    result = both(same, { kind: 'or', type: BOOL, left: absent, right: equal });
  } else result = both((testLeft ?? testRight)!, equal);
  return sequence([...first.effects, ...second.effects], result);
}
