// Overload resolution: which candidate a list of arguments fits, which of those is better, and if none fits why. Used for
// methods, constructors, indexers, delegates and method groups.

import { step } from '../steps.ts';
import type { Type } from '../types.ts';
import { isBetterArgument, isBetterTarget } from './betterness.ts';
import type { Binder } from './binder.ts';
import type { BoundArgument, Candidate } from './bound.ts';
import { classify } from './converting.ts';
import type { Fit, Misfit, Resolution } from './fits.ts';
import { type InferencePair, inferTypeArguments } from './inference.ts';
import { isExtensionReceiver, isSpanOf } from './receivers.ts';
import type { ParameterSymbol, TypeParameter } from './symbols.ts';
import { brokenConstraint } from './type-constraints.ts';
import { isPrimitive, mentionsError, type Substitution, sameType, substitute } from './typing.ts';

function parametersOf(candidate: Candidate): readonly ParameterSymbol[] {
  return candidate.method?.parameters ?? candidate.local!.parameters;
}

/** Candidates that fit a call and are compared without being counted. */
const mostUncounted = 16;

export function resolve(
  b: Binder,
  candidates: readonly Candidate[],
  given: readonly BoundArgument[],
  typeArguments: readonly Type[] | null,
): Resolution {
  const fits: Fit[] = [];
  const misfits: Misfit[] = [];
  for (const candidate of candidates) {
    const tried = tryCandidate(b, candidate, given, typeArguments);
    if ('positions' in tried) fits.push(tried);
    else misfits.push(tried);
  }
  if (fits.length === 0) return { kind: 'none', misfits };
  if (fits.length === 1) return { kind: 'chosen', fit: fits[0]! };
  // Each is compared with each. Those of the library are few, and compared at once.
  if (fits.length > mostUncounted) step(4 * fits.length ** 2);
  const best = fits.filter((fit) => fits.every((other) => other === fit || isBetter(b, fit, other, given)));
  if (best.length === 1) return { kind: 'chosen', fit: best[0]! };
  const undominated = fits.filter((fit) => !fits.some((other) => other !== fit && isBetter(b, other, fit, given)));
  return { kind: 'ambiguous', fits: undominated.length > 1 ? undominated : fits };
}

function tryCandidate(
  b: Binder,
  candidate: Candidate,
  given: readonly BoundArgument[],
  typeArguments: readonly Type[] | null,
): Fit | Misfit {
  const parameters = parametersOf(candidate);
  const normal = layOut(candidate, parameters, given, false);
  let first: Fit | Misfit =
    normal.kind === 'laid' ? applicable(b, candidate, given, typeArguments, normal.positions, false) : normal;
  if ('positions' in first) return first;
  if (parameters.at(-1)?.params) {
    const expanded = layOut(candidate, parameters, given, true);
    if (expanded.kind === 'laid') {
      const second = applicable(b, candidate, given, typeArguments, expanded.positions, true);
      if ('positions' in second || first.kind !== 'arguments') first = second;
      else if (second.kind === 'arguments') first = second;
    }
  }
  return first;
}

/** Which parameter each argument goes to. */
function layOut(
  candidate: Candidate,
  parameters: readonly ParameterSymbol[],
  given: readonly BoundArgument[],
  expanded: boolean,
): { kind: 'laid'; positions: number[] } | Misfit {
  const positions: number[] = [];
  const taken = new Set<number>();
  const last = parameters.length - 1;
  for (const [at, argument] of given.entries()) {
    let position = at;
    if (argument.name) {
      const { text } = argument.name;
      step(parameters.length >> 3);
      position = parameters.findIndex((parameter) => parameter.name === text);
      if (position < 0) return { kind: 'noSuchName', candidate, argument };
      if (taken.has(position)) {
        const kind = given.findIndex((other) => other.name?.text === text) < at ? 'nameTwice' : 'nameOfPositional';
        return { kind, candidate, argument };
      }
    } else if (expanded && position >= last) position = last;
    if (position > last) return { kind: 'tooMany', candidate };
    taken.add(position);
    positions.push(position);
  }
  for (const [at, parameter] of parameters.entries()) {
    if (taken.has(at) || parameter.default !== null || (expanded && at === last)) continue;
    return { kind: 'missing', candidate, parameter };
  }
  return { kind: 'laid', positions };
}

function applicable(
  b: Binder,
  candidate: Candidate,
  given: readonly BoundArgument[],
  typeArguments: readonly Type[] | null,
  positions: readonly number[],
  expanded: boolean,
): Fit | Misfit {
  step(20 + parametersOf(candidate).length);
  const own = candidate.method?.typeParameters ?? [];
  let map: Substitution = candidate.map;
  const declared = parametersOf(candidate);
  const last = declared.length - 1;
  const targetOf = (position: number): Type => {
    const type = substitute(declared[position]!.type, candidate.map);
    if (!expanded || position !== last) return type;
    return type.kind === 'array' ? type.element : type.kind === 'named' ? type.arguments[0]! : type;
  };
  let chosen: readonly Type[] = [];
  if (own.length > 0) {
    const names = own.map((parameter) => parameter.name);
    if (typeArguments) chosen = typeArguments;
    else {
      const pairs = given.map(
        (argument, at): InferencePair => ({
          argument: argument.value,
          mode: argument.mode,
          type: targetOf(positions[at]!),
        }),
      );
      const inferred = inferTypeArguments(b, names, pairs);
      if (!inferred) return { kind: 'inference', candidate };
      chosen = names.map((name) => inferred.get(name)!);
    }
    map = new Map([...candidate.map, ...names.map((name, at): [string, Type] => [name, chosen[at]!])]);
  }
  const fit: Fit = {
    candidate,
    parameters: declared.map((parameter) => ({ ...parameter, type: substitute(parameter.type, map) })),
    map,
    typeArguments: chosen,
    positions,
    expanded,
    targets: positions.map((position) => substitute(targetOf(position), map)),
  };
  const broken = own.findIndex((parameter, at) => !satisfies(b, parameter, chosen[at]!, map));
  if (broken >= 0) return { kind: 'constraint', candidate, fit, at: broken };
  const bad = given.flatMap((argument, at) => (fitsParameter(b, fit, argument, at) ? [] : [at]));
  return bad.length ? { kind: 'arguments', candidate, fit, bad } : fit;
}

function fitsParameter(b: Binder, fit: Fit, argument: BoundArgument, at: number): boolean {
  const parameter = fit.parameters[fit.positions[at]!]!;
  const target = fit.targets[at]!;
  const wanted = parameter.mode;
  if (wanted === 'in' ? argument.mode !== 'value' && argument.mode !== 'in' : argument.mode !== wanted) return false;
  const bound = argument.value;
  if (fit.candidate.extension && at === 0 && bound.kind === 'value') {
    return mentionsError(bound.type) || isExtensionReceiver(b, bound.type, target);
  }
  if (wanted === 'ref' || wanted === 'out') {
    if (bound.kind === 'outVariable' || bound.kind === 'discard') return true;
    return (
      bound.kind === 'error' ||
      (bound.kind === 'value' && (bound.type.kind === 'error' || sameType(bound.type, target)))
    );
  }
  return classify(b, bound, target)?.implicit ?? false;
}

function satisfies(b: Binder, parameter: TypeParameter, type: Type, map: Substitution): boolean {
  if (isPrimitive(type, 'void')) return false;
  return brokenConstraint(b, parameter, type, map) === null;
}

// --- which of two that fit is better ---

function isBetter(b: Binder, left: Fit, right: Fit, given: readonly BoundArgument[]): boolean {
  let better = false;
  for (const [at, argument] of given.entries()) {
    if (left.candidate.extension && right.candidate.extension && at === 0 && argument.value.kind === 'value') {
      if (sameType(left.targets[0]!, right.targets[0]!)) continue;
      // What takes an array as it is comes before what takes it as a span.
      const { type } = argument.value;
      const [one, other] = [left, right].map(({ targets }) => isSpanOf(type, targets[0]!)) as [boolean, boolean];
      if (one !== other && type.kind === 'array') {
        if (one) return false;
        better = true;
      } else if (isBetterTarget(b, left.targets[0]!, right.targets[0]!)) better = true;
      else if (isBetterTarget(b, right.targets[0]!, left.targets[0]!)) return false;
      continue;
    }
    const order = isBetterArgument(b, argument.value, left.targets[at]!, right.targets[at]!);
    if (order < 0) return false;
    if (order > 0) better = true;
  }
  if (better) return true;
  if (!left.targets.every((type, at) => sameType(type, right.targets[at]!))) return false;
  return tieBreak(left, right);
}

function tieBreak(left: Fit, right: Fit): boolean {
  const generic = (fit: Fit) => fit.typeArguments.length > 0;
  if (generic(left) !== generic(right)) return !generic(left);
  if (left.expanded !== right.expanded) return !left.expanded;
  const omitted = (fit: Fit) => fit.parameters.length - new Set(fit.positions).size;
  if (left.expanded && left.parameters.length !== right.parameters.length) {
    return left.parameters.length > right.parameters.length;
  }
  if ((omitted(left) === 0) !== (omitted(right) === 0)) return omitted(left) === 0;
  return isMoreSpecific(left, right);
}

/** The declared parameter types of one are as special as the other's everywhere and more so somewhere. */
function isMoreSpecific(left: Fit, right: Fit): boolean {
  let more = false;
  for (const [at, position] of left.positions.entries()) {
    const first = parametersOf(left.candidate)[position]!.type;
    const second = parametersOf(right.candidate)[right.positions[at]!]!.type;
    const order = specificity(first, second);
    if (order < 0) return false;
    if (order > 0) more = true;
  }
  return more;
}

function specificity(left: Type, right: Type): number {
  if (left.kind === 'parameter' || right.kind === 'parameter') {
    return Number(right.kind === 'parameter') - Number(left.kind === 'parameter');
  }
  const parts = (type: Type): readonly Type[] => {
    if (type.kind === 'named') return type.arguments;
    if (type.kind === 'array' || type.kind === 'nullable') return [type.element];
    return type.kind === 'tuple' ? type.elements.map((element) => element.type) : [];
  };
  const [first, second] = [parts(left), parts(right)];
  if (left.kind !== right.kind || first.length !== second.length) return 0;
  let order = 0;
  for (const [at, part] of first.entries()) {
    const one = specificity(part, second[at]!);
    if (one !== 0 && order !== 0 && one !== order) return 0;
    if (one !== 0) order = one;
  }
  return order;
}
