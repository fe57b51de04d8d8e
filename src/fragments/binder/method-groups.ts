// Method groups that become delegates: `list.Where(char.IsDigit)`, `Func<int, int> f = Twice;`.

import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import type { Binder } from './binder.ts';
import type { BoundArgument, MethodGroup, Value } from './bound.ts';
import { constant } from './build.ts';
import { resolveGroup } from './calls.ts';
import { methodDelegate } from './class-invocations.ts';
import { delegateSignature, isImplicitReference } from './conversions.ts';
import { type Fit, returnTypeOf } from './fits.ts';
import { instantiate } from './generic-functions.ts';
import { functionType } from './lambdas.ts';
import { noteLocalCall } from './local-functions.ts';
import { receiverTree } from './receivers.ts';
import { isPrimitive, sameType, typeText } from './typing.ts';

/** The overload that arguments of these types choose, or null. */
function choose(
  b: Binder,
  group: MethodGroup,
  parameters: readonly { type: Type; mode: BoundArgument['mode'] }[],
): Fit | null {
  const given = parameters.map(({ type, mode }): BoundArgument => {
    const stand: Value = { kind: 'value', syntax: group.syntax, type, tree: { kind: 'default', type } };
    return { syntax: group.syntax, name: null, mode, value: stand };
  });
  const { resolution } = resolveGroup(b, group, given);
  if (resolution.kind !== 'chosen' || resolution.fit.expanded) return null;
  const taken = new Set(resolution.fit.positions).size;
  return taken === resolution.fit.parameters.length ? resolution.fit : null;
}

/** What the group returns for these parameter types, for type inference. */
export function methodGroupReturn(b: Binder, group: MethodGroup, parameters: readonly Type[]): Type | null {
  const fit = choose(
    b,
    group,
    parameters.map((type) => ({ type, mode: 'value' as const })),
  );
  return fit ? returnTypeOf(fit) : null;
}

function returnFits(b: Binder, actual: Type, wanted: Type): boolean {
  if (isPrimitive(wanted, 'void')) return isPrimitive(actual, 'void');
  return sameType(actual, wanted) || isImplicitReference(b, actual, wanted);
}

export function classifyMethodGroup(b: Binder, group: MethodGroup, to: Type): boolean {
  const signature = delegateSignature(b, to);
  if (!signature) return false;
  const fit = choose(b, group, signature.parameters);
  return fit !== null && returnFits(b, returnTypeOf(fit), signature.returnType);
}

export function methodGroupTree(b: Binder, group: MethodGroup, to: Type): Tree.Expression {
  const fit = choose(b, group, delegateSignature(b, to)!.parameters)!;
  const { method, local, extension } = fit.candidate;
  if (local) {
    const called = local.generic ? instantiate(b, local, fit.typeArguments, group.nameSpan) : local;
    if (!called) return constant(to, null);
    noteLocalCall(b, called, group.nameSpan);
    return { kind: 'delegateOfLocal', type: to, function: called.tree };
  }
  if (method!.refused) {
    b.report(method!.refused, group.nameSpan, method!.name);
    return constant(to, null);
  }
  if (method!.user && !extension) {
    const own = group.receiver?.kind === 'value' && method!.user.hasThis ? group.receiver : null;
    if (group.receiver?.kind === 'type' && !method!.static) b.report('CS0120', group.syntax, method!.key);
    return methodDelegate(b, method!, own, group.isBase === true, to);
  }
  const instance = group.receiver?.kind === 'value' && (!method!.static || extension);
  if (method!.static && !extension && group.receiver?.kind === 'value') b.report('CS0176', group.syntax, method!.key);
  if (!method!.static && group.receiver?.kind === 'type') b.report('CS0120', group.syntax, method!.key);
  const receiver = instance ? receiverTree(b, group.receiver as Value, extension ? '' : method!.owner.name) : null;
  return {
    kind: 'delegateOf',
    type: to,
    member: { key: method!.key, static: method!.static },
    receiver: extension && group.receiver?.kind === 'value' ? group.receiver.tree : receiver,
    typeArguments: fit.typeArguments,
  };
}

export function reportMethodGroupError(b: Binder, group: MethodGroup, to: Type): void {
  const signature = delegateSignature(b, to);
  const at: Syntax.Node = group.syntax;
  if (!signature) {
    b.report('CS0428', group.nameSpan, group.name, typeText(to));
    return;
  }
  const fit = choose(b, group, signature.parameters);
  if (fit) b.report('CS0407', at, group.name);
  else b.report('CS0123', group.nameSpan, group.name, typeText(to));
}

/** The delegate type of a group with a single candidate, for `var`. */
export function naturalGroupType(b: Binder, group: MethodGroup): Type | null {
  const [only, ...others] = group.candidates;
  if (!only || others.length > 0) return null;
  const parameters = only.method?.parameters ?? only.local!.parameters;
  if (parameters.some((parameter) => parameter.mode !== 'value') || only.method?.typeParameters.length) return null;
  const fit = choose(b, group, parameters);
  return fit
    ? functionType(
        fit.parameters.map((parameter) => parameter.type),
        returnTypeOf(fit),
      )
    : null;
}
