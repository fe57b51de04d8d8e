// Calls of what a type of the source declares: methods, accessors, operators, constructors, and methods as delegates.

import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import type { Binder } from './binder.ts';
import type { Bound, Value } from './bound.ts';
import { assignLocal, convertTree, errorBound, localTarget, localTree, sequence, value } from './build.ts';
import { checkAccess } from './class-access.ts';
import type { UserMethod } from './class-model.ts';
import { dispatched } from './dispatch.ts';
import type { MethodSymbol } from './symbols.ts';
import { VOID } from './typing.ts';

/** A call of a method or an accessor. `isBase`: of this one, whatever overrides it. */
export function callOf(
  b: Binder,
  method: UserMethod,
  receiver: Value | null,
  values: readonly Tree.CallArgument[],
  type: Type,
  isBase: boolean | undefined = false,
): Tree.Expression {
  const statically = receiver?.type ?? method.owner.type;
  const target = isBase ? (method.function?.tree ?? null) : dispatched(b, method, statically);
  if (target === null) return { kind: 'default', type };
  if (!method.hasThis) return { kind: 'callLocal', type, function: target, arguments: [...values] };
  const { effects, given } = selfArgument(b, method, receiver, isBase);
  if (given.mode === 'value' && given.value.kind === 'convert' && !values.every(isStill)) {
    const held = heldArguments(b, given.value, values);
    const call: Tree.Expression = { kind: 'callLocal', type, function: target, arguments: held.values };
    return sequence([...effects, ...held.effects], call);
  }
  const call: Tree.Expression = { kind: 'callLocal', type, function: target, arguments: [given, ...values] };
  return sequence(effects, call);
}

/** Whether nobody sees when an argument is evaluated; those by reference are places. */
function isStill(argument: Tree.CallArgument): boolean {
  return argument.mode !== 'value' || ['local', 'constant', 'default'].includes(argument.value.kind);
}

/** The object and the arguments in the order of their evaluation: whether the object is null is looked at behind all of them. */
function heldArguments(
  b: Binder,
  self: Tree.Expression & { readonly kind: 'convert' },
  values: readonly Tree.CallArgument[],
): { readonly effects: Tree.Expression[]; readonly values: Tree.CallArgument[] } {
  const object = b.temporary(self.operand.type);
  const effects = [assignLocal(object, self.operand)];
  const held = values.map((argument): Tree.CallArgument => {
    // One behind it may change a local.
    if (argument.mode !== 'value' || (isStill(argument) && argument.value.kind !== 'local')) return argument;
    const local = b.temporary(argument.value.type);
    effects.push(assignLocal(local, argument.value));
    return { mode: 'value', value: localTree(local) };
  });
  return { effects, values: [{ mode: 'value', value: { ...self, operand: localTree(object) } }, ...held] };
}

/** The object as the first argument: a struct by reference, so that what its method changes is changed. */
function selfArgument(
  b: Binder,
  method: UserMethod,
  receiver: Value | null,
  isBase: boolean,
): { readonly effects: readonly Tree.Expression[]; readonly given: Tree.CallArgument } {
  const { type } = method.owner;
  const tree = receiver?.tree ?? { kind: 'default', type };
  if (method.owner.shape !== 'struct') {
    const isSelf = isBase || (tree.kind === 'local' && tree.local.name === 'this');
    return { effects: [], given: { mode: 'value', value: isSelf ? tree : convertTree(tree.type, tree, 'notNull') } };
  }
  const target = receiver === null ? null : b.classes!.targetOf(receiver);
  if (target !== null) return { effects: temporaryEffects(receiver!), given: { mode: 'ref', target } };
  const copy = b.temporary(type);
  return { effects: [assignLocal(copy, tree)], given: { mode: 'ref', target: localTarget(copy) } };
}

/** What fills the temporary that a struct lies in, as `new T(…)` does: only what is read of it names it otherwise. */
function temporaryEffects(receiver: Value): readonly Tree.Expression[] {
  let root = receiver;
  while (root.place?.kind === 'tupleElement') root = root.place.tuple;
  return root.place?.kind === 'temporary' && root.tree.kind !== 'local' ? [root.tree] : [];
}

/** `new T(…)`. */
export function construction(
  b: Binder,
  syntax: Syntax.Node,
  method: UserMethod,
  values: readonly Tree.CallArgument[],
): Bound {
  const { owner } = method;
  const { type } = owner;
  if (!checkAccess(b, owner, method.access, syntax, owner.syntax.name.text)) return errorBound(syntax);
  const made = b.temporary(type);
  const own: Tree.Expression = owner.shape === 'struct' ? { kind: 'default', type } : { kind: 'newObject', type };
  const target = method.function!.tree;
  const first: Tree.CallArgument =
    owner.shape === 'struct' ? { mode: 'ref', target: localTarget(made) } : { mode: 'value', value: localTree(made) };
  const given = method.hasThis ? [first, ...values] : [...values];
  const call: Tree.Expression = { kind: 'callLocal', type: VOID, function: target, arguments: given };
  return value(syntax, type, sequence([assignLocal(made, own), call], localTree(made)), {
    place: { kind: 'temporary', local: made },
  });
}

/** An operator or another static method with values. */
export function staticCall(
  b: Binder,
  method: MethodSymbol,
  type: Type,
  values: readonly Tree.Expression[],
): Tree.Expression {
  return callOf(
    b,
    method.user!,
    null,
    values.map((own) => ({ mode: 'value', value: own })),
    type,
  );
}

/** A method group of a method of the source as a delegate: a lambda that calls it, of an object that is evaluated now. */
export function methodDelegate(
  b: Binder,
  method: MethodSymbol,
  receiver: Value | null,
  isBase: boolean,
  to: Type,
): Tree.Expression {
  const user = method.user!;
  const own = user.function?.tree ?? null;
  if (!user.hasThis && own !== null) return { kind: 'delegateOfLocal', type: to, function: own };
  const held = receiver === null ? null : b.temporary(receiver.type);
  if (held !== null) held.captured = true;
  const parameters = method.parameters.map(({ name, type }) => b.newLocal(name, type));
  const values = parameters.map((local): Tree.CallArgument => ({ mode: 'value', value: localTree(local) }));
  const object = held === null ? null : value({ start: 0, end: 0 }, held.type, localTree(held));
  const call = callOf(b, user, object, values, method.returnType, isBase);
  const statement: Tree.Statement =
    method.returnType === VOID ? { kind: 'evaluate', value: call } : { kind: 'return', value: call };
  const code: Tree.FunctionCode = {
    ...{ parameters, locals: [], body: { kind: 'block', declares: [], statements: [statement] } },
    ...{ returnType: method.returnType, captures: held === null ? [] : [held] },
  };
  const lambda: Tree.Expression = { kind: 'lambda', type: to, code };
  if (held === null) return lambda;
  return sequence([assignLocal(held, convertTree(held.type, receiver!.tree, 'notNull'))], lambda);
}
