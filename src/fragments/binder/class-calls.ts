// Calls of methods that a source's types declare, once the overload is chosen.

import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Binder } from './binder.ts';
import type { Bound, MethodGroup } from './bound.ts';
import { assignLocal, errorBound, localTree, sequence, value } from './build.ts';
import { isAccessible } from './class-access.ts';
import { callOf } from './class-invocations.ts';
import { type Fit, returnTypeOf } from './fits.ts';
import type { MethodSymbol } from './symbols.ts';

/** A call of a method of the source. */
export function callUser(
  b: Binder,
  syntax: Syntax.Node,
  group: MethodGroup,
  fit: Fit,
  { effects, values }: { readonly effects: Tree.Expression[]; readonly values: Tree.CallArgument[] },
): Bound {
  const method = fit.candidate.method!;
  const user = method.user!;
  if (!isAccessible(b, user.owner, user.access)) {
    b.report('CS0122', group.nameSpan, `${user.owner.name}.${user.name}`);
    return errorBound(syntax);
  }
  const own = group.receiver?.kind === 'value' && user.hasThis ? group.receiver : null;
  if (group.isBase && user.function === null) b.report('CS0205', group.nameSpan, `${user.owner.name}.${user.name}`);
  const returnType = returnTypeOf(fit);
  if (own === null || effects.length === 0 || user.owner.shape === 'struct') {
    const call = callOf(b, user, own, values, returnType, group.isBase);
    return value(syntax, returnType, sequence(effects, call));
  }
  const held = b.temporary(own.type);
  const call = callOf(b, user, { ...own, tree: localTree(held) }, values, returnType, group.isBase);
  return value(syntax, returnType, sequence([assignLocal(held, own.tree), ...effects], call));
}

/** Whether a method of an object is called by its name alone where there is none. */
export function hasNoObject(b: Binder, group: MethodGroup, { user }: MethodSymbol): boolean {
  if (user === undefined || !group.implicit || user.isStatic) return false;
  const { current, isStatic } = b.classes!;
  return isStatic || current === null || !current.is(user.owner);
}
