// Conversions of expressions: what `conversions.ts` says about types, plus what depends on the expression itself: constants
// that fit, null, default, lambdas, method groups, new(), conditionals and switches that take their type from the target.
// `classify` never reports; `convert` does what it found, and says why when there is nothing to do.

import { step } from '../steps.ts';
import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { PrimitiveName, Type } from '../types.ts';
import type { Binder } from './binder.ts';
import { type Bound, isErroneous, isNullLiteral, type Value } from './bound.ts';
import { conditional, constant, convertTree, throwTree } from './build.ts';
import { classifyCollection, collectionTree } from './collections.ts';
import { asBigint, constantFits, convertConstant, integerConstant, OVERFLOW } from './constants.ts';
import {
  conversionBetween,
  defaultTree,
  enumNumber,
  isEnum,
  isImplicitReference,
  isReferenceType,
  isRefLike,
} from './conversions.ts';
import { createTargetTyped } from './creation.ts';
import { classifyLambda, lambdaTree, reportLambdaError } from './lambdas.ts';
import { classifyMethodGroup, methodGroupTree, reportMethodGroupError } from './method-groups.ts';
import {
  isIntegral,
  isNumericOrDecimal,
  isPrimitive,
  mentionsError,
  sameType,
  typeText,
  withoutNullable,
} from './typing.ts';

export interface Conversion {
  readonly implicit: boolean;
  readonly identity: boolean;
  apply(): Tree.Expression;
}

/** How an expression becomes a value of a type, or null when it cannot. */
export function classify(b: Binder, bound: Bound, to: Type): Conversion | null {
  step(2);
  if (isErroneous(bound) || to.kind === 'error') return implicitly(() => ({ kind: 'default', type: to }));
  switch (bound.kind) {
    case 'value':
      return classifyValue(b, bound, to);
    case 'lambda':
      return classifyLambda(b, bound, to) ? implicitly(() => lambdaTree(b, bound, to)) : null;
    case 'methods':
      return classifyMethodGroup(b, bound, to) ? implicitly(() => methodGroupTree(b, bound, to)) : null;
    case 'default':
      return isPrimitive(to, 'void') ? null : implicitly(() => defaultTree(b, to));
    case 'throw':
      return isPrimitive(to, 'void') ? null : implicitly(() => throwTree(to, bound.operand));
    case 'new':
      return isPrimitive(to, 'void') ? null : implicitly(() => createTargetTyped(b, bound, to));
    case 'conditional': {
      const branches: { readonly condition: Tree.Expression; readonly whenTrue: Conversion }[] = [];
      let last: Bound = bound;
      for (; last.kind === 'conditional'; last = last.whenFalse) {
        const whenTrue = classify(b, last.whenTrue, to);
        if (!whenTrue?.implicit) return null;
        branches.push({ condition: last.condition, whenTrue });
      }
      const otherwise = classify(b, last, to);
      if (!otherwise?.implicit) return null;
      return implicitly(() =>
        branches.reduceRight(
          (whenFalse, { condition, whenTrue }) => conditional(to, condition, whenTrue.apply(), whenFalse),
          otherwise.apply(),
        ),
      );
    }
    case 'switch': {
      const arms = bound.arms.map((arm) => classify(b, arm, to));
      if (!arms.every((arm) => arm?.implicit)) return null;
      return implicitly(() =>
        bound.build(
          arms.map((arm) => arm!.apply()),
          to,
        ),
      );
    }
    case 'tuple':
      return classifyTuple(b, bound.elements, to);
    case 'collection':
      return classifyCollection(b, bound, to) ? implicitly(() => collectionTree(b, bound, to)) : null;
    default:
      return null;
  }
}

function implicitly(apply: () => Tree.Expression): Conversion {
  return { implicit: true, identity: false, apply };
}

function classifyTuple(b: Binder, elements: readonly Bound[], to: Type): Conversion | null {
  const target = withoutNullable(to);
  if (target.kind !== 'tuple' || target.elements.length !== elements.length) return null;
  const inner: Conversion[] = [];
  for (const [at, element] of elements.entries()) {
    const one = classify(b, element, target.elements[at]!.type);
    if (!one) return null;
    inner.push(one);
  }
  return {
    implicit: inner.every((one) => one.implicit),
    identity: inner.every((one) => one.identity) && to === target,
    apply() {
      const tree: Tree.Expression = { kind: 'tuple', type: target, elements: inner.map((one) => one.apply()) };
      return to.kind === 'nullable' ? convertTree(to, tree, 'wrap') : tree;
    },
  };
}

function classifyValue(b: Binder, bound: Value, to: Type): Conversion | null {
  const { type: from, tree } = bound;
  if (from.kind === 'null') {
    if (to.kind === 'nullable') return implicitly(() => ({ kind: 'default', type: to }));
    return isReferenceType(b, to) ? implicitly(() => constant(to, null)) : null;
  }
  if (sameType(from, to)) return { implicit: true, identity: true, apply: () => tree };
  if (bound.elements) {
    const literal = classifyTuple(b, bound.elements, to);
    if (literal) return literal;
  }
  const folded = constantConversion(b, bound, to);
  if (folded !== null) return implicitly(() => folded);
  const conversion = conversionBetween(b, from, to);
  if (!conversion) return null;
  return {
    implicit: conversion.implicit,
    identity: conversion.kind === 'identity',
    apply() {
      const number = foldConversion(b, bound, to, b.checked);
      return number ?? conversion.apply(b, tree, b.checked);
    },
  };
}

/** Constants that convert because of their value: 1 to byte, 0 to an enum. */
function constantConversion(b: Binder, bound: Value, to: Type): Tree.Expression | null {
  if (bound.constant === undefined || bound.type.kind !== 'primitive') return null;
  const target = withoutNullable(to);
  const wrap = (tree: Tree.Expression) => (to.kind === 'nullable' ? convertTree(to, tree, 'wrap') : tree);
  const { name } = bound.type;
  if (target.kind === 'primitive') {
    const small = name === 'int' && ['sbyte', 'byte', 'short', 'ushort', 'uint', 'ulong'].includes(target.name);
    if (!small && !(name === 'long' && target.name === 'ulong')) return null;
    if (!constantFits(bound.constant, target)) return null;
    return wrap(constant(target, integerConstant(asBigint(bound.constant)!, target.name)));
  }
  if (isEnum(b, target) && isIntegral(bound.type) && name !== 'char' && asBigint(bound.constant) === 0n) {
    return wrap(constant(target, 0));
  }
  return null;
}

/** The folded result of a numeric or enum conversion of a constant; null when there is nothing to fold. */
export function foldConversion(b: Binder, bound: Value, to: Type, checked: boolean): Tree.Expression | null {
  if (bound.constant === undefined) return null;
  const from = numberUnder(b, bound.type);
  const target = numberUnder(b, to);
  if (from === null || target === null) return null;
  const folded = convertConstant(bound.constant, from, target, checked);
  if (folded === undefined || folded === OVERFLOW) return null;
  return constant(to, isEnum(b, to) ? Number(folded) : folded);
}

function numberUnder(b: Binder, type: Type): PrimitiveName | null {
  if (type.kind === 'primitive') return isNumericOrDecimal(type) ? type.name : null;
  return isEnum(b, type) ? enumNumber(b, type) : null;
}

/** The expression as a value of the type; what is wrong with that is reported at `at`. */
export function convert(b: Binder, bound: Bound, to: Type, at: Syntax.Node = bound.syntax): Tree.Expression {
  const conversion = classify(b, bound, to);
  if (conversion?.implicit) {
    if (isRefLike(to) && bound.kind === 'value' && bound.type.kind === 'null') b.report('CS0037', at, typeText(to));
    return conversion.apply();
  }
  reportNoConversion(b, bound, to, at, conversion !== null);
  return { kind: 'default', type: to };
}

/** CS0029, CS0266 and their more telling relatives. */
export function reportNoConversion(b: Binder, bound: Bound, to: Type, at: Syntax.Node, explicit: boolean): void {
  if (mentionsError(to)) return;
  switch (bound.kind) {
    case 'lambda':
      reportLambdaError(b, bound, to);
      return;
    case 'methods':
      reportMethodGroupError(b, bound, to);
      return;
    case 'conditional':
      for (const branch of branchesOf(bound)) reportBranch(b, branch, to);
      return;
    case 'switch':
      for (const arm of bound.arms) reportBranch(b, arm, to);
      return;
    case 'tuple':
      reportTuple(b, bound.elements, to, at);
      return;
    case 'type':
      b.report('CS0119', at, typeText(bound.type), 'type');
      return;
    case 'namespace':
      b.report('CS0118', at, bound.name, 'namespace', 'variable');
      return;
    case 'collection':
      b.report('CS9174', at, typeText(to));
      return;
    case 'value':
      reportValue(b, bound, to, at, explicit);
      return;
    case 'throw':
      b.report('CS0029', at, '<throw expression>', typeText(to));
      return;
    case 'discard':
      b.report('CS8183', at);
      return;
    default:
      return;
  }
}

/** What a chain of conditionals chooses from. */
export function branchesOf(bound: Bound): Bound[] {
  const branches: Bound[] = [];
  let last = bound;
  for (; last.kind === 'conditional'; last = last.whenFalse) branches.push(last.whenTrue);
  return [...branches, last];
}

function reportBranch(b: Binder, branch: Bound, to: Type): void {
  const conversion = classify(b, branch, to);
  if (!conversion?.implicit) reportNoConversion(b, branch, to, branch.syntax, conversion !== null);
}

function reportTuple(b: Binder, elements: readonly Bound[], to: Type, at: Syntax.Node): void {
  const target = withoutNullable(to);
  if (target.kind === 'tuple' && target.elements.length === elements.length) {
    for (const [index, element] of elements.entries()) reportBranch(b, element, target.elements[index]!.type);
    return;
  }
  b.report('CS0029', at, '(…)', typeText(to));
}

function reportValue(b: Binder, bound: Value, to: Type, at: Syntax.Node, explicit: boolean): void {
  const from = bound.type;
  if (isNullLiteral(bound)) {
    b.report(to.kind === 'parameter' ? 'CS0403' : 'CS0037', at, typeText(to));
    return;
  }
  if (bound.elements && to.kind === 'tuple' && to.elements.length === bound.elements.length) {
    reportTuple(b, bound.elements, to, at);
    return;
  }
  if (bound.constant !== undefined && from.kind === 'primitive') {
    const target = withoutNullable(to);
    const isLiteral = (bound.syntax as { kind?: string }).kind === 'literal';
    if (isLiteral && from.name === 'double' && (isPrimitive(target, 'float') || isPrimitive(target, 'decimal'))) {
      b.report('CS0664', at, typeText(target), isPrimitive(target, 'float') ? 'F' : 'M');
      return;
    }
    const constantTarget = isIntegral(target) && !isPrimitive(target, 'char');
    if (constantTarget && (from.name === 'int' || (from.name === 'long' && isPrimitive(target, 'ulong')))) {
      b.report('CS0031', at, String(bound.constant), typeText(target));
      return;
    }
  }
  b.report(explicit ? 'CS0266' : 'CS0029', at, typeText(from), typeText(to));
}

/** `(T)expression`. */
export function cast(b: Binder, bound: Bound, to: Type, at: Syntax.Node): Bound {
  const made = (tree: Tree.Expression): Bound => {
    const folded = tree.kind === 'constant' && tree.type.kind !== 'null' ? tree.value : undefined;
    const foldable = folded !== null || isPrimitive(to, 'string') ? folded : undefined;
    return { kind: 'value', syntax: at, type: to, tree, constant: foldable };
  };
  if (isErroneous(bound) || to.kind === 'error') return { kind: 'error', syntax: at };
  if (bound.kind === 'value' && bound.constant !== undefined) {
    const from = numberUnder(b, bound.type);
    const target = numberUnder(b, to);
    if (from !== null && target !== null) {
      const folded = convertConstant(bound.constant, from, target, !b.unchecked);
      if (folded === OVERFLOW) {
        b.report(
          from === 'decimal' || target === 'decimal' ? 'CS0031' : 'CS0221',
          at,
          constantText(bound.constant),
          typeText(to),
        );
        return { kind: 'error', syntax: at };
      }
      const tree = foldConversion(b, bound, to, false);
      if (tree) return made(tree);
    }
  }
  const conversion = classify(b, bound, to);
  if (conversion) return made(conversion.apply());
  if (bound.kind === 'value') {
    if (isNullLiteral(bound)) b.report('CS0037', at, typeText(to));
    else b.report('CS0030', at, typeText(bound.type), typeText(to));
  } else if (bound.kind === 'conditional') {
    return made(castBranches(b, bound, to));
  } else reportNoConversion(b, bound, to, at, false);
  return { kind: 'error', syntax: at };
}

function castBranches(b: Binder, bound: Bound & { kind: 'conditional' }, to: Type): Tree.Expression {
  const conditions: Tree.Expression[] = [];
  for (let at: Bound = bound; at.kind === 'conditional'; at = at.whenFalse) conditions.push(at.condition);
  const trees = branchesOf(bound).map((branch) => castTree(b, branch, to));
  return conditions.reduceRight(
    (otherwise, condition, at) => conditional(to, condition, trees[at]!, otherwise),
    trees.pop()!,
  );
}

function castTree(b: Binder, bound: Bound, to: Type): Tree.Expression {
  const made = cast(b, bound, to, bound.syntax);
  return made.kind === 'value' ? made.tree : { kind: 'default', type: to };
}

export function constantText(value: Tree.ConstantValue): string {
  return typeof value === 'object' && value !== null ? value.decimal : String(value);
}

/** `value as T`. */
export function asConversion(b: Binder, bound: Value, to: Type, at: Syntax.Node): Tree.Expression | null {
  if (to.kind !== 'nullable' && !isReferenceType(b, to)) {
    b.report('CS0077', at, typeText(to));
    return null;
  }
  if (bound.type.kind === 'null') return { kind: 'default', type: to };
  if (isImplicitReference(b, bound.type, to) || sameType(bound.type, to)) return classify(b, bound, to)!.apply();
  const conversion = conversionBetween(b, bound.type, to);
  if (!conversion || conversion.kind === 'user' || conversion.kind === 'numeric' || conversion.kind === 'enum') {
    b.report('CS0039', at, typeText(bound.type), typeText(to));
    return null;
  }
  if (conversion.implicit) return conversion.apply(b, bound.tree, false);
  return convertTree(to, bound.tree, 'as');
}
