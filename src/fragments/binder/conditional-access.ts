// `a?.b`, `a?[i]` and what hangs from them: the receiver goes to a temporary, the rest runs only when it is not null.

import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import type { Binder } from './binder.ts';
import { type Bound, isErroneous } from './bound.ts';
import { assignLocal, conditional, convertTree, errorBound, localTree, nullTest, sequence, value } from './build.ts';
import { isReferenceType, isValueType } from './conversions.ts';
import { bindExpression, bindValue } from './expressions.ts';
import { boundText } from './operators.ts';
import { isPrimitive, nullableOf, typeText } from './typing.ts';
import { reportUntyped, typed } from './untyped.ts';

export function bindConditionalAccess(b: Binder, syntax: Syntax.Expression & { kind: 'conditionalAccess' }): Bound {
  const receiver = bindValue(b, syntax.receiver);
  if (isErroneous(receiver)) {
    bindRest(b, syntax, errorBound(syntax.receiver));
    return errorBound(syntax);
  }
  if (receiver.kind === 'type' || receiver.kind === 'namespace') {
    reportUntyped(b, receiver);
    return errorBound(syntax);
  }
  if (receiver.kind === 'lambda' || receiver.kind === 'methods') {
    b.report('CS0023', questionMark(b, syntax), '?', boundText(receiver));
    return errorBound(syntax);
  }
  const source = typed(b, receiver);
  if (!source) return errorBound(syntax);
  const { type } = source;
  if (type.kind !== 'nullable' && !isReferenceType(b, type)) {
    b.report('CS0023', questionMark(b, syntax), '?', typeText(type));
    bindRest(b, syntax, errorBound(syntax.receiver));
    return errorBound(syntax);
  }
  const local = b.temporary(type);
  const read = localTree(local);
  const inner: Bound =
    type.kind === 'nullable'
      ? value(syntax.receiver, type.element, { kind: 'unwrap', type: type.element, operand: read })
      : value(syntax.receiver, type, read);
  const access = bindRest(b, syntax, inner);
  if (isErroneous(access)) return errorBound(syntax);
  if (access.kind !== 'value') {
    reportUntyped(b, access);
    return errorBound(syntax);
  }
  return finish(b, syntax, assignLocal(local, source.tree), nullTest(read), access);
}

function bindRest(b: Binder, syntax: Syntax.Expression & { kind: 'conditionalAccess' }, receiver: Bound): Bound {
  const before = b.conditionalReceiver;
  const { state } = b;
  const there = b.stateWhenNotNull(syntax.receiver);
  if (there !== null) b.setState(state | there);
  b.conditionalReceiver = receiver;
  const access = bindExpression(b, syntax.access);
  b.unsplit();
  b.conditionalReceiver = before;
  b.notNull = { access: syntax, state: b.stateWhenNotNull(syntax.access) ?? b.state };
  b.setState(state & b.state);
  return access;
}

function finish(
  b: Binder,
  syntax: Syntax.Node,
  effect: Tree.Expression,
  isNull: Tree.Expression,
  access: Bound & { kind: 'value' },
): Bound {
  const { type } = access;
  if (isPrimitive(type, 'void')) {
    const nothing: Tree.Expression = { kind: 'default', type };
    return value(syntax, type, sequence([effect], conditional(type, isNull, nothing, access.tree)));
  }
  const result: Type = isValueType(b, type) && type.kind !== 'nullable' ? nullableOf(type) : type;
  const whenThere = result === type ? access.tree : convertTree(result, access.tree, 'wrap');
  const tree = conditional(result, isNull, { kind: 'default', type: result }, whenThere);
  return value(syntax, result, sequence([effect], tree));
}

/** C# marks the question mark when there is nothing to ask. */
function questionMark(b: Binder, syntax: Syntax.Expression & { kind: 'conditionalAccess' }): Syntax.Node {
  const at = b.text.indexOf('?', syntax.receiver.end);
  return at < 0 ? syntax : { start: at, end: at + 1 };
}
