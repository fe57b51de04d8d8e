// What a pattern matches, as a formula over tests of the value and its parts: to tell which arm of a switch can never be reached and
// whether all values are handled. A part has a path (`.Label`, `#0` for the first element of a tuple, `:int` for an object seen as an int);
// what is known of one path follows from its tests alone. What cannot be said this way is `unknown` and counts as possible either way.

import { step, stepsLeft } from '../steps.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import type { Binder } from './binder.ts';
import { conversionBetween, isReferenceType, isValueType } from './conversions.ts';
import { isPrimitive, sameType, typeText, withoutNullable } from './typing.ts';
import * as Sets from './value-sets.ts';

type Test =
  | { readonly kind: 'null'; readonly path: string }
  | { readonly kind: 'type'; readonly path: string; readonly type: Type }
  /** One of these values, and not null; `nullable`: the path can be null besides. */
  | {
      readonly kind: 'in';
      readonly path: string;
      readonly type: Type;
      readonly nullable: boolean;
      readonly set: Sets.ValueSet;
    }
  | { readonly kind: 'unknown'; readonly path: string };

export type Match =
  | { readonly kind: 'all' | 'none' }
  | Test
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Match[] }
  | { readonly kind: 'not'; readonly part: Match };

export const ALL: Match = { kind: 'all' };
export const NONE: Match = { kind: 'none' };

/** When a question is answered with "possible", by the steps that are left of the compilation then; whether anything may be null. */
interface Budget {
  readonly until: number;
  readonly nulls: boolean;
}

const stepsOfQuestion = 50_000;

function asked(b: Binder, match: Match, nulls: boolean): boolean {
  if (match.kind === 'all' || match.kind === 'none') return match.kind === 'all';
  if (b.patternSteps <= 0) return true;
  const before = stepsLeft();
  const answer = satisfiable(b, match, new Map(), { until: before - Math.min(stepsOfQuestion, b.patternSteps), nulls });
  const taken = before - stepsLeft();
  // Where steps are not counted there is no number of them.
  if (taken > 0) b.patternSteps -= taken;
  return answer;
}

export function isNull(path: string): Match {
  return { kind: 'null', path };
}

export function isType(path: string, type: Type): Match {
  return { kind: 'type', path, type };
}

let unknowns = 0;

export function unknown(): Match {
  return { kind: 'unknown', path: `?${unknowns++}` };
}

/** One of some values of the type of the path. */
export function isIn(b: Binder, path: string, type: Type, set: Sets.ValueSet): Match {
  if (set.values.kind === 'opaque') return unknown();
  // Behind a test of its type a value is there.
  const nullable = (type.kind === 'nullable' || isReferenceType(b, type)) && !/:[^.#]*$/.test(path);
  return { kind: 'in', path, type: withoutNullable(type), nullable, set };
}

/** One constant, null included. */
export function isConstant(b: Binder, path: string, type: Type, constant: Tree.ConstantValue): Match {
  return constant === null ? isNull(path) : isIn(b, path, type, Sets.only(b, withoutNullable(type), constant));
}

/** One of some values of a type that the path may or may not be of. */
export function isTypeAndIn(b: Binder, path: string, type: Type, set: Sets.ValueSet): Match {
  const inside = isIn(b, `${path}:${typeText(type)}`, type, set);
  return and(isType(path, type), inside.kind === 'in' ? { ...inside, nullable: false } : inside);
}

export function and(...parts: readonly Match[]): Match {
  return joined('and', parts);
}

/** Two patterns of which both match: tests of one path are one test, as of `>= 1 and <= 9`, or of `not 1 and not 2`. */
export function bothOf(b: Binder, one: Match, other: Match): Match {
  const [left, right] = [one, other].map((match) => (match.kind === 'not' ? match.part : match));
  if (left?.kind !== 'in' || right?.kind !== 'in' || left.path !== right.path || !sameType(left.type, right.type))
    return and(one, other);
  if (one.kind === 'not' && other.kind === 'not') return not({ ...left, set: Sets.union(left.set, right.set) });
  const inside = one.kind === 'not' ? right : left;
  const [first, second] = [one, other].map((match, at) => {
    const { set } = (at === 0 ? left : right) as typeof left;
    return match.kind === 'not' ? Sets.complement(b, inside.type, set) : set;
  });
  return { ...inside, set: Sets.intersection(b, inside.type, first!, second!) };
}

export function or(...parts: readonly Match[]): Match {
  return joined('or', parts);
}

function joined(kind: 'and' | 'or', parts: readonly Match[]): Match {
  const [final, neutral] = kind === 'and' ? [NONE, ALL] : [ALL, NONE];
  const [first, more] = parts;
  if (parts.length === 2 && first?.kind === kind && more && isPlain(more, kind)) {
    // One more part of many, as arms and elements come.
    step(first.parts.length >> 6);
    return { kind, parts: [...first.parts, more] };
  }
  if (kind === 'and' && parts.length === 2 && first?.kind === kind && more?.kind === kind) {
    step((first.parts.length >> 6) + more.parts.length);
    return { kind, parts: [...first.parts, ...more.parts] };
  }
  const list: Match[] = [];
  for (const part of parts.flatMap((one) => (one.kind === kind ? one.parts : [one]))) {
    if (part.kind === final.kind) return final;
    if (part.kind === neutral.kind) continue;
    // Values of one path are one test: a switch over hundreds of constants asks for one set of them.
    const before = kind === 'or' && part.kind === 'in' ? list.findIndex((one) => isSameIn(one, part)) : -1;
    const other = list[before];
    if (other?.kind === 'in' && part.kind === 'in') list[before] = { ...part, set: Sets.union(other.set, part.set) };
    else list.push(part);
  }
  step(list.length);
  if (list.length === 0) return neutral;
  return list.length === 1 ? list[0]! : { kind, parts: list };
}

/** Whether a part is added to a formula of a kind as it is. */
function isPlain(part: Match, kind: 'and' | 'or'): boolean {
  if (part.kind === 'all' || part.kind === 'none' || part.kind === kind) return false;
  return kind === 'and' || part.kind !== 'in';
}

function isSameIn(one: Match, other: Match): boolean {
  return one.kind === 'in' && other.kind === 'in' && one.path === other.path;
}

export function not(part: Match): Match {
  if (part.kind === 'all') return NONE;
  if (part.kind === 'none') return ALL;
  return part.kind === 'not' ? part.part : { kind: 'not', part };
}

// --- questions ---

/** Whether some value matches. */
export function isPossible(b: Binder, match: Match): boolean {
  return asked(b, match, true);
}

/** Whether everything that `inner` matches is matched by `outer`. */
export function isCovered(b: Binder, inner: Match, outer: Match): boolean {
  if (inner.kind === 'in') {
    const among = outer.kind === 'or' ? outer.parts : [outer];
    step(among.length >> 3);
    const same = among.find((one) => isSameIn(one, inner));
    if (same?.kind === 'in' && Sets.isCovered(b, inner.type, inner.set, same.set)) return true;
    if (same === outer) return false;
  }
  return !isPossible(b, and(inner, not(outer)));
}

export function isAll(b: Binder, match: Match): boolean {
  return !isPossible(b, not(match));
}

/** Whether all values match but for those of which a part is null. */
export function isAllButNull(b: Binder, match: Match): boolean {
  return !asked(b, not(match), false);
}

interface Known {
  readonly null: boolean | null;
  readonly types: readonly { readonly type: Type; readonly holds: boolean }[];
  /** The values that are left, null for all of them. */
  readonly values: Sets.ValueSet | null;
}

const NOTHING: Known = { null: null, types: [], values: null };
type State = ReadonlyMap<string, Known>;

function satisfiable(b: Binder, match: Match, state: State, left: Budget): boolean {
  const rest = reduced(b, match, state, left);
  if (rest.kind === 'none') return false;
  if (rest.kind === 'all' || stepsLeft() <= left.until) return true;
  if (rest.kind === 'and') {
    const certain = rest.parts.filter(isTest);
    if (certain.length > 0) return follows(b, rest, certain, state, left);
  }
  const test = firstTest(rest);
  return [true, false].some((holds) => {
    const next = assume(b, state, test, holds);
    if (next === null || (!left.nulls && test.kind !== 'unknown' && next.get(test.path)?.null)) return false;
    return satisfiable(b, rest, next, left);
  });
}

function isTest(match: Match): match is Test {
  return (
    match.kind !== 'and' && match.kind !== 'or' && match.kind !== 'not' && match.kind !== 'all' && match.kind !== 'none'
  );
}

/** The same where tests that all have to hold are taken to hold at once. */
function follows(b: Binder, rest: Match, certain: readonly Test[], state: State, left: Budget): boolean {
  const next = new Map(state);
  step(state.size + certain.length);
  for (const test of certain) {
    step();
    const holds = answer(b, next, test);
    if (holds === true) continue;
    const more = holds === false ? null : known(b, next, test, true);
    if (more === null || (!left.nulls && test.kind !== 'unknown' && more.null)) return false;
    next.set(test.path, more);
  }
  return satisfiable(b, rest, next, left);
}

function firstTest(match: Match): Test {
  let at = match;
  while (at.kind === 'and' || at.kind === 'or' || at.kind === 'not') at = at.kind === 'not' ? at.part : at.parts[0]!;
  return at as Test;
}

/** What is left of a formula once what is known has been put in. */
function reduced(b: Binder, match: Match, state: State, left: Budget): Match {
  switch (match.kind) {
    case 'all':
    case 'none':
      return match;
    case 'not':
      return not(reduced(b, match.part, state, left));
    case 'and':
    case 'or': {
      const parts: Match[] = [];
      const end = match.kind === 'and' ? 'none' : 'all';
      for (const part of match.parts) {
        const one = reduced(b, part, state, left);
        if (one.kind === end) return one;
        parts.push(one);
      }
      return joined(match.kind, parts);
    }
    default: {
      step(4);
      const holds = answer(b, state, match);
      return holds === null ? match : holds ? ALL : NONE;
    }
  }
}

/** Whether a test holds for sure; null when it may or may not. */
function answer(b: Binder, state: State, test: Test): boolean | null {
  const known = state.get(test.path) ?? NOTHING;
  switch (test.kind) {
    case 'null':
    case 'unknown':
      return known.null;
    case 'type':
      return known.null === true ? false : typeAnswer(b, known, test.type);
    case 'in': {
      const isNull = test.nullable ? known.null : false;
      if (isNull === true) return false;
      const left = known.values ?? Sets.notNull(b, test.type);
      if (Sets.isEmpty(Sets.intersection(b, test.type, left, test.set))) return false;
      return isNull === false && Sets.isCovered(b, test.type, left, test.set) ? true : null;
    }
  }
}

function typeAnswer(b: Binder, { types }: Known, type: Type): boolean | null {
  for (const { type: other, holds } of types) {
    if (holds && isKindOf(b, other, type)) return true;
    if (holds && isApart(b, other, type)) return false;
    if (!holds && isKindOf(b, type, other)) return false;
  }
  return null;
}

function isKindOf(b: Binder, type: Type, other: Type): boolean {
  if (sameType(type, other)) return true;
  const conversion = conversionBetween(b, type, other);
  return (conversion?.implicit ?? false) && ['identity', 'reference', 'boxing'].includes(conversion!.kind);
}

/** Whether nothing is of both types, neither of which is the other's. */
function isApart(b: Binder, one: Type, other: Type): boolean {
  if (isKindOf(b, other, one)) return false;
  const isInterface = (type: Type): boolean => b.library.symbolOf(type)?.shape === 'interface';
  const isFinal = (type: Type): boolean =>
    isValueType(b, type) || isPrimitive(type, 'string') || (b.library.symbolOf(type)?.sealed ?? false);
  if (isFinal(one) || isFinal(other)) return true;
  return !isInterface(one) && !isInterface(other);
}

/** What is known when a test holds or does not; null when that cannot be. */
function assume(b: Binder, state: State, test: Test, holds: boolean): State | null {
  const more = known(b, state, test, holds);
  if (more === null) return null;
  step(state.size);
  return new Map(state).set(test.path, more);
}

/** The same of the path of the test. */
function known(b: Binder, state: State, test: Test, holds: boolean): Known | null {
  const before = state.get(test.path) ?? NOTHING;
  if (test.kind === 'null' || test.kind === 'unknown') {
    if (!holds && before.values && Sets.isEmpty(before.values)) return null;
    return { ...before, null: holds };
  }
  if (test.kind === 'type') {
    const types = [...before.types, { type: test.type, holds }];
    return { ...before, types, null: holds ? false : before.null };
  }
  const left = before.values ?? Sets.notNull(b, test.type);
  const set = holds ? test.set : Sets.complement(b, test.type, test.set);
  const values = { ...Sets.intersection(b, test.type, left, set), null: false };
  const isEmpty = Sets.isEmpty(values);
  if (isEmpty && (holds || !test.nullable || before.null === false)) return null;
  return { ...before, values, null: holds ? false : isEmpty ? true : before.null };
}
