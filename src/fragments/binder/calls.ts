// Calls: the callee decides between methods, local functions, delegates and nameof; arguments are bound in order, the overload
// is chosen, and the call node is built with its arguments in parameter order.

import { step } from '../steps.ts';
import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import { bindOutArgument } from './arguments.ts';
import type { Binder } from './binder.ts';
import { type Bound, type BoundArgument, type Candidate, isErroneous, type MethodGroup, type Value } from './bound.ts';
import { assignLocal, errorBound, localTree, NOWHERE, sequence, value } from './build.ts';
import { callUser, hasNoObject } from './class-calls.ts';
import { delegateSignature } from './conversions.ts';
import { convert } from './converting.ts';
import { defaultArgument } from './default-arguments.ts';
import { bindCallee, bindExpression } from './expressions.ts';
import { type Fit, type Misfit, type Resolution, returnTypeOf } from './fits.ts';
import { instantiate } from './generic-functions.ts';
import { bindForErrors, lambdaDefaults } from './lambdas.ts';
import { noteLocalCall } from './local-functions.ts';
import { reportMisfits } from './misfits.ts';
import { bindNameof } from './names.ts';
import { nullableCall } from './nullables.ts';
import { resolve } from './overloads.ts';
import { targetOfPlace } from './places.ts';
import { receiverTree } from './receivers.ts';
import type { MethodSymbol, ParameterSymbol } from './symbols.ts';
import {
  arrayOf,
  isPrimitive,
  mentionsError,
  mentionsParameter,
  OBJECT,
  sameType,
  substitute,
  typeText,
} from './typing.ts';

export function bindCall(b: Binder, syntax: Syntax.Expression & { kind: 'call' }): Bound {
  const { callee } = syntax;
  if (
    callee.kind === 'identifier' &&
    callee.name.text === 'nameof' &&
    callee.typeArguments === null &&
    !b.find('nameof')
  ) {
    return bindNameof(b, syntax, syntax.arguments[0]?.value ?? null);
  }
  const target = bindCallee(b, callee);
  const given = bindArguments(b, syntax.arguments);
  if (target.kind === 'methods') return callGroup(b, syntax, target, given);
  if (isErroneous(target)) return giveUp(b, syntax, given);
  if (target.kind === 'value') {
    const signature = delegateSignature(b, target.type);
    if (signature) return invokeDelegate(b, syntax, target, given);
    b.report(
      callee.kind === 'member' ? 'CS1955' : 'CS0149',
      callee.kind === 'member' ? callee.name : callee,
      spanText(b, callee),
    );
  } else if (target.kind === 'type') b.report('CS1955', callee, typeText(target.type));
  else if (target.kind === 'namespace') b.report('CS0118', callee, target.name, 'namespace', 'variable');
  else b.report('CS0149', callee);
  return giveUp(b, syntax, given);
}

function spanText(b: Binder, at: Syntax.Node): string {
  return b.text.slice(at.start, at.end);
}

/** The result of a call that is wrong: its out variables exist, its lambdas have been looked at. */
export function giveUp(b: Binder, syntax: Syntax.Node, given: readonly BoundArgument[], lambdasDone = false): Bound {
  for (const argument of given) {
    const bound = argument.value;
    if (bound.kind === 'outVariable') bound.declare({ kind: 'error' });
    if (bound.kind === 'lambda' && !lambdasDone) bindForErrors(b, bound);
    assignOut(b, argument);
  }
  return errorBound(syntax);
}

export function bindArguments(b: Binder, list: readonly Syntax.Argument[]): BoundArgument[] {
  return list.map((argument) => {
    const { mode, name } = argument;
    const inner = mode === 'out' || mode === 'ref' ? bindOutArgument(b, argument) : bindExpression(b, argument.value);
    b.unsplit();
    return { syntax: argument, name, mode, value: inner };
  });
}

function assignOut(b: Binder, argument: BoundArgument): void {
  if (argument.mode !== 'out' || argument.value.kind !== 'value') return;
  const { place } = argument.value;
  if (place?.kind === 'local') {
    b.assign(place.symbol);
    place.symbol.assigned = true;
  }
}

// --- methods ---

export function callGroup(b: Binder, syntax: Syntax.Node, group: MethodGroup, given: readonly BoundArgument[]): Bound {
  const { resolution, given: all } = resolveGroup(b, group, given);
  if (resolution.kind === 'chosen') return finishCall(b, syntax, group, resolution.fit, all);
  if (given.some((argument) => isErroneous(argument.value)) && resolution.kind === 'none') {
    // With an argument that is wrong already, only what is wrong by itself (names, counts) is worth saying.
    const telling = resolution.misfits.filter((misfit) => misfit.kind !== 'inference' && misfit.kind !== 'arguments');
    if (telling.length < resolution.misfits.length) return giveUp(b, syntax, given);
  }
  if (resolution.kind === 'ambiguous') {
    const [first, second] = resolution.fits;
    if (!given.some((argument) => isErroneous(argument.value))) {
      b.report('CS0121', group.nameSpan, fitText(first!), fitText(second!));
    }
    return giveUp(b, syntax, given);
  }
  if (b.tooComplex) return giveUp(b, syntax, given, true);
  const reported = reportMisfits(b, resolution.misfits, all, group);
  return recovered(b, syntax, resolution.misfits, giveUp(b, syntax, given, reported));
}

/** Where all candidates that came close return the same, what follows the call is checked against that. */
function recovered(b: Binder, syntax: Syntax.Node, misfits: readonly Misfit[], otherwise: Bound): Bound {
  const types = misfits.flatMap((misfit) => (misfit.kind === 'arguments' ? [returnTypeOf(misfit.fit)] : []));
  const [type] = types;
  if (!type || mentionsError(type) || mentionsParameter(type) || isPrimitive(type, 'void')) return otherwise;
  if (!types.every((other) => sameType(other, type)) || b.tooComplex) return otherwise;
  return value(syntax, type, { kind: 'default', type });
}

function fitText(fit: Fit): string {
  return fit.candidate.method?.key ?? fit.candidate.local!.name;
}

/** Instance or static candidates first; extension methods only when none of those fits. */
export function resolveGroup(
  b: Binder,
  group: MethodGroup,
  given: readonly BoundArgument[],
): { resolution: Resolution; given: readonly BoundArgument[] } {
  const candidates = withArity(group.candidates, group.typeArguments);
  const first = resolve(b, candidates, given, group.typeArguments);
  // A static method is none of an instance: an extension method of that name is meant, if one fits.
  const isStatic = first.kind === 'chosen' && first.fit.candidate.method?.static === true;
  if ((first.kind !== 'none' && !isStatic) || group.receiver?.kind !== 'value') return { resolution: first, given };
  const extensions = extensionCandidates(b, group);
  if (extensions.length === 0) return { resolution: first, given };
  const receiver: BoundArgument = { syntax: group.receiver.syntax, name: null, mode: 'value', value: group.receiver };
  const all = [receiver, ...given];
  const second = resolve(b, extensions, all, group.typeArguments);
  if (first.kind === 'chosen')
    return second.kind === 'chosen' ? { resolution: second, given: all } : { resolution: first, given };
  if (second.kind === 'none' && candidates.length > 0) return { resolution: first, given };
  return { resolution: second, given: all };
}

function withArity(candidates: readonly Candidate[], typeArguments: readonly Type[] | null): readonly Candidate[] {
  if (!typeArguments) return candidates;
  return candidates.filter((candidate) => (candidate.method?.typeParameters.length ?? 0) === typeArguments.length);
}

/** Extension methods of the name whose first parameter may take the receiver. */
function extensionCandidates(b: Binder, group: MethodGroup): Candidate[] {
  const list: Candidate[] = [];
  for (const method of b.library.extensionMethods(group.name)) {
    if (group.typeArguments && method.typeParameters.length !== group.typeArguments.length) continue;
    list.push({ method, local: null, map: NO_MAP, extension: true });
  }
  return list;
}

const NO_MAP = new Map<string, Type>();

function finishCall(
  b: Binder,
  syntax: Syntax.Node,
  group: MethodGroup,
  fit: Fit,
  given: readonly BoundArgument[],
): Bound {
  const { method, local } = fit.candidate;
  const returnType = returnTypeOf(fit);
  const { effects, values } = layArguments(b, fit, given);
  if (local) {
    const called = local.generic ? instantiate(b, local, fit.typeArguments, syntax) : local;
    if (!called) return errorBound(syntax);
    noteLocalCall(b, called, syntax);
    const tree: Tree.Expression = { kind: 'callLocal', type: returnType, function: called.tree, arguments: values };
    return value(syntax, returnType, sequence(effects, tree));
  }
  if (method!.refused) {
    b.report(method!.refused, group.nameSpan, method!.name);
    return errorBound(syntax);
  }
  if (!fit.candidate.extension && !checkStatic(b, group, method!)) return errorBound(syntax);
  if (method!.user) return callUser(b, syntax, group, fit, { effects, values });
  const receiver =
    fit.candidate.extension || method!.static ? null : receiverTree(b, group.receiver as Value, method!.owner.name);
  if (receiver && group.receiver?.kind === 'value' && group.receiver.type.kind === 'nullable') {
    const special = nullableCall(b, method!, receiver, values, returnType);
    if (special) return value(syntax, returnType, sequence(effects, special));
  }
  const tree: Tree.Expression = {
    kind: 'call',
    type: returnType,
    member: { key: method!.key, static: receiver === null },
    receiver,
    arguments: values,
    typeArguments: fit.typeArguments,
  };
  return value(syntax, returnType, effects.length && receiver ? inOrder(b, tree, effects) : sequence(effects, tree));
}

/** Arguments that were hoisted must still come after the receiver. */
function inOrder(
  b: Binder,
  tree: Tree.Expression & { kind: 'call' },
  effects: readonly Tree.Expression[],
): Tree.Expression {
  const local = b.temporary(tree.receiver!.type);
  return sequence([assignLocal(local, tree.receiver!), ...effects], { ...tree, receiver: localTree(local) });
}

/** CS0120 and CS0176. */
function checkStatic(b: Binder, group: MethodGroup, method: MethodSymbol): boolean {
  if (group.receiver?.kind === 'type' && (!method.static || hasNoObject(b, group, method))) {
    b.report('CS0120', group.syntax, `${method.owner.name}.${method.name}`);
    return false;
  }
  if (group.receiver?.kind === 'value' && method.static && !group.implicit) {
    b.report('CS0176', group.syntax, `${method.owner.name}.${method.name}`);
    return false;
  }
  return true;
}

/** Converts the arguments and puts them in parameter order; what was written out of order is evaluated first, as written. */
export function layArguments(
  b: Binder,
  fit: Fit,
  given: readonly BoundArgument[],
): { effects: Tree.Expression[]; values: Tree.CallArgument[] } {
  const effects: Tree.Expression[] = [];
  const hoist = fit.positions.some((position, at) => at > 0 && position < fit.positions[at - 1]!);
  const byPosition = new Map<number, Tree.CallArgument>();
  const rest: Tree.Expression[] = [];
  const last = fit.parameters.length - 1;
  for (const [at, argument] of given.entries()) {
    const position = fit.positions[at]!;
    const laid = argumentTree(b, fit, argument, at);
    if (fit.expanded && position === last)
      rest.push(laid.mode === 'value' ? laid.value : { kind: 'default', type: OBJECT });
    else if (hoist && laid.mode === 'value' && laid.value.kind !== 'constant') {
      const local = b.temporary(laid.value.type);
      effects.push(assignLocal(local, laid.value));
      byPosition.set(position, { mode: 'value', value: localTree(local) });
    } else byPosition.set(position, laid);
  }
  const values = fit.parameters.map((parameter, position): Tree.CallArgument => {
    step(4);
    if (fit.expanded && position === last) return { mode: 'value', value: packed(b, parameter, rest) };
    return byPosition.get(position) ?? { mode: 'value', value: defaultArgument(b, parameter) };
  });
  for (const argument of given) assignOut(b, argument);
  return { effects, values };
}

/** The array or span of a `params` parameter. */
function packed(b: Binder, parameter: ParameterSymbol, values: readonly Tree.Expression[]): Tree.Expression {
  const { type } = parameter;
  const element = type.kind === 'array' ? type.element : type.kind === 'named' ? type.arguments[0]! : type;
  const array: Tree.Expression = { kind: 'newArray', type: arrayOf(element), sizes: [], values };
  if (type.kind === 'array') return array;
  return convert(b, value(NOWHERE, array.type, array), type);
}

function argumentTree(b: Binder, fit: Fit, argument: BoundArgument, at: number): Tree.CallArgument {
  const bound = argument.value;
  const type = fit.targets[at]!;
  const { mode } = fit.parameters[fit.positions[at]!]!;
  if (mode === 'out' || mode === 'ref') {
    const { place } = bound.kind === 'value' ? bound : {};
    if (place?.kind === 'choice') b.report('CS8652', argument.syntax, 'arguments that are one of two variables');
    return { mode, target: outTarget(bound, type) };
  }
  const tree = convert(b, bound, type);
  return { mode: 'value', value: tree };
}

function outTarget(bound: Bound, type: Type): Tree.Target {
  if (bound.kind === 'outVariable') return bound.declare(type);
  if (bound.kind === 'value') {
    const target = targetOfPlace(bound);
    if (target) return target;
  }
  return { kind: 'discard', type };
}

// --- delegates ---

function invokeDelegate(b: Binder, syntax: Syntax.Node, target: Value, given: readonly BoundArgument[]): Bound {
  const symbol = b.library.symbolOf(target.type)!;
  const map = b.library.mapOf(target.type, symbol);
  const method: MethodSymbol = {
    kind: 'method',
    owner: symbol,
    name: 'Invoke',
    typeParameters: [],
    parameters: symbol.signature!.parameters.map((parameter, at) => ({
      ...parameter,
      default: lambdaDefaults.get(target.type)?.[at] ?? parameter.default,
    })),
    returnType: symbol.signature!.returnType,
    static: false,
    extension: false,
    key: 'Invoke',
    refused: null,
  };
  const candidate: Candidate = { method, local: null, map, extension: false };
  const resolution = resolve(b, [candidate], given, null);
  if (resolution.kind !== 'chosen') {
    const misfits = resolution.kind === 'none' ? resolution.misfits : [];
    const only = misfits[0];
    if (only?.kind === 'tooMany') b.report('CS1593', target.syntax, typeText(target.type), String(given.length));
    else if (!given.some((argument) => isErroneous(argument.value))) {
      const group: MethodGroup = {
        kind: 'methods',
        syntax: target.syntax,
        nameSpan: target.syntax,
        name: typeText(target.type),
        receiver: target,
        candidates: [candidate],
        typeArguments: null,
      };
      return giveUp(b, syntax, given, reportMisfits(b, misfits, given, group));
    }
    return giveUp(b, syntax, given);
  }
  const { effects, values } = layArguments(b, resolution.fit, given);
  const returnType = substitute(method.returnType, map);
  const tree: Tree.Expression = { kind: 'invoke', type: returnType, delegate: target.tree, arguments: values };
  return value(syntax, returnType, sequence(effects, tree));
}
