// Why no overload fits, said the way C# does: the most telling reason of the candidates that came closest.

import type { Binder } from './binder.ts';
import { type Bound, type BoundArgument, isNullLiteral, naturalType } from './bound.ts';
import type { Misfit } from './fits.ts';
import { bindForErrors, reportLambdaError } from './lambdas.ts';
import { reportMethodGroupError } from './method-groups.ts';
import { brokenConstraint } from './type-constraints.ts';
import { typeText } from './typing.ts';

type MethodGroup = Bound & { readonly kind: 'methods' };

/** Reports; true when the lambdas among the arguments have been looked at on the way. */
export function reportMisfits(
  b: Binder,
  misfits: readonly Misfit[],
  given: readonly BoundArgument[],
  group: MethodGroup,
): boolean {
  const { nameSpan: at, name } = group;
  const own = given.length - (given[0]?.value === group.receiver && group.receiver ? 1 : 0);
  const bad = bestOfBad(misfits);
  if (bad) return reportArguments(b, bad, given, group);
  const broken = misfits.find((misfit) => misfit.kind === 'constraint');
  if (broken?.kind === 'constraint') {
    const parameter = broken.candidate.method!.typeParameters[broken.at]!;
    const type = broken.fit.typeArguments[broken.at]!;
    if (broken.candidate.local) broken.candidate.local.used = true;
    const id = brokenConstraint(b, parameter, type, broken.fit.map) ?? 'CS0306';
    b.report(id, at, typeText(type), parameter.name, name);
    return false;
  }
  const inference = misfits.filter((misfit) => misfit.kind === 'inference');
  if (inference.length > 0) {
    if (inference[0]!.candidate.extension && inference.every((misfit) => receiverNeverFits(b, misfit, given))) {
      b.report('CS1061', at, receiverText(group), name);
    } else {
      const lambda = lambdaWithErrors(b, inference, given);
      if (lambda) return true;
      b.report('CS0411', at, name);
    }
    return false;
  }
  for (const misfit of misfits) {
    if (misfit.kind === 'noSuchName') b.report('CS1739', misfit.argument.name!, name, misfit.argument.name!.text);
    else if (misfit.kind === 'nameOfPositional') b.report('CS1744', misfit.argument.name!, misfit.argument.name!.text);
    else if (misfit.kind === 'nameTwice') b.report('CS1740', misfit.argument.name!, misfit.argument.name!.text);
    else continue;
    return false;
  }
  const missing = misfits.filter((misfit) => misfit.kind === 'missing');
  if (missing.length === 1) b.report('CS7036', at, missing[0]!.parameter.name, name);
  else if (misfits.length === 0 && group.typeArguments)
    b.report(arityId(group), at, name, String(group.typeArguments.length));
  else if (misfits.length === 0) b.report('CS1061', at, receiverText(group), name);
  else if (name === 'new') b.report('CS1729', at, receiverText(group), String(own));
  else b.report('CS1501', at, name, String(own));
  return false;
}

function arityId(group: MethodGroup): string {
  if (group.candidates.length === 0) return 'CS1061';
  return group.candidates.every((candidate) => (candidate.method?.typeParameters.length ?? 0) === 0)
    ? 'CS0308'
    : 'CS0305';
}

function receiverText(group: MethodGroup): string {
  const { receiver } = group;
  return receiver?.kind === 'value' || receiver?.kind === 'type' ? typeText(receiver.type) : '';
}

function bestOfBad(misfits: readonly Misfit[]): (Misfit & { kind: 'arguments' }) | null {
  let best: (Misfit & { kind: 'arguments' }) | null = null;
  for (const misfit of misfits) {
    if (misfit.kind !== 'arguments') continue;
    if (!best || misfit.bad.length < best.bad.length) best = misfit;
  }
  return best;
}

/** A first argument from which the type parameters of an extension method cannot come: the method is not meant. */
function receiverNeverFits(b: Binder, misfit: Misfit, given: readonly BoundArgument[]): boolean {
  const receiver = given[0]?.value;
  const parameter = misfit.candidate.method?.parameters[0]?.type;
  if (receiver?.kind !== 'value' || parameter?.kind !== 'named') return false;
  return !b.library.selfAndBases(receiver.type).some((base) => base.kind === 'named' && base.name === parameter.name);
}

/** A lambda whose body is wrong explains a failed inference better than the failure itself. */
function lambdaWithErrors(b: Binder, _misfits: readonly Misfit[], given: readonly BoundArgument[]): boolean {
  for (const { value } of given) {
    if (value.kind !== 'lambda') continue;
    const wrong = [...value.bodies.values()].find((body) => body.hasErrors);
    if (!wrong) continue;
    b.diagnostics.push(...wrong.diagnostics);
    return true;
  }
  return false;
}

function reportArguments(
  b: Binder,
  misfit: Misfit & { kind: 'arguments' },
  given: readonly BoundArgument[],
  group: MethodGroup,
): boolean {
  const { fit } = misfit;
  const extension = misfit.candidate.extension;
  if (extension && misfit.bad.includes(0)) {
    b.report('CS1929', given[0]!.syntax, typeText(naturalType(given[0]!.value) ?? { kind: 'null' }), group.name);
    return false;
  }
  for (const at of misfit.bad) {
    const argument = given[at]!;
    const parameter = fit.parameters[fit.positions[at]!]!;
    const target = fit.targets[at]!;
    const number = String(extension ? at : at + 1);
    const bound = argument.value;
    if (bound.kind === 'lambda') reportLambdaError(b, bound, target);
    else if (argument.mode !== parameter.mode && !(parameter.mode === 'in' && argument.mode === 'value')) {
      const wanted = parameter.mode === 'ref' || parameter.mode === 'out';
      b.report(wanted ? 'CS1620' : 'CS1615', bound.syntax, number, wanted ? parameter.mode : argument.mode);
    } else if (bound.kind === 'methods') reportMethodGroup(b, bound, number, target);
    else if (bound.kind === 'type') b.report('CS0119', bound.syntax, typeText(bound.type), 'type');
    else if (bound.kind === 'namespace') b.report('CS0118', bound.syntax, bound.name, 'namespace', 'variable');
    else b.report('CS1503', bound.syntax, number, boundText(bound), typeText(target));
  }
  for (const [at, { value }] of given.entries()) {
    if (value.kind === 'lambda' && !misfit.bad.includes(at)) bindForErrors(b, value);
  }
  return true;
}

function reportMethodGroup(b: Binder, bound: MethodGroup, number: string, target: import('../types.ts').Type): void {
  const { diagnostics } = b.capture(() => reportMethodGroupError(b, bound, target));
  const only = diagnostics[0];
  if (only && only.id !== 'CS0428') b.diagnostics.push(only);
  else b.report('CS1503', bound.syntax, number, bound.name, typeText(target));
}

function boundText(bound: Bound): string {
  if (isNullLiteral(bound)) return '<null>';
  const natural = naturalType(bound);
  return natural ? typeText(natural) : bound.kind;
}
