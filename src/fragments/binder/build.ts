// Small constructors of typed-tree nodes.

import { MAX_CONSTANT_CHARACTERS } from '../limits.ts';
import { CompilationLimit, step } from '../steps.ts';
import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { PrimitiveName, Type } from '../types.ts';
import type { Binder } from './binder.ts';
import type { Bound, Candidate, MethodGroup, Value } from './bound.ts';
import { BOOL, INT, sized } from './typing.ts';

/** The place of what no source has. */
export const NOWHERE: Syntax.Node = { start: 0, end: 0 };

export function value(
  syntax: Syntax.Node,
  type: Type,
  tree: Tree.Expression,
  more: Pick<Value, 'constant' | 'place' | 'elements'> = {},
): Value {
  return { kind: 'value', syntax, type: sized(type), tree, ...more };
}

export function constantValue(syntax: Syntax.Node, type: Type, constant: Tree.ConstantValue): Value {
  if (typeof constant === 'string') checkLength(constant);
  return { kind: 'value', syntax, type, tree: { kind: 'constant', type, value: constant }, constant };
}

function checkLength({ length }: string): void {
  step(length >> 5);
  if (length <= MAX_CONSTANT_CHARACTERS) return;
  throw new CompilationLimit(`A constant string of the fragment has more than ${MAX_CONSTANT_CHARACTERS} characters.`);
}

export function errorBound(syntax: Syntax.Node): Bound {
  return { kind: 'error', syntax };
}

export function constant(type: Type, content: Tree.ConstantValue): Tree.Expression {
  return { kind: 'constant', type, value: content };
}

export const TRUE: Tree.Expression = constant(BOOL, true);
export const FALSE: Tree.Expression = constant(BOOL, false);

export function localTree(local: Tree.Local): Tree.Expression {
  return { kind: 'local', type: local.type, local };
}

export function localTarget(local: Tree.Local): Tree.Target {
  return { kind: 'local', type: local.type, local };
}

export function assignLocal(local: Tree.Local, content: Tree.Expression): Tree.Expression {
  return { kind: 'assign', type: local.type, target: localTarget(local), value: content };
}

export function sequence(effects: readonly Tree.Expression[], result: Tree.Expression): Tree.Expression {
  return effects.length ? { kind: 'sequence', type: result.type, effects, value: result } : result;
}

export function conditional(
  type: Type,
  condition: Tree.Expression,
  whenTrue: Tree.Expression,
  whenFalse: Tree.Expression,
): Tree.Expression {
  if (condition.kind === 'constant') return condition.value === true ? whenTrue : whenFalse;
  return { kind: 'conditional', type, condition, whenTrue, whenFalse };
}

export function both(left: Tree.Expression, right: Tree.Expression): Tree.Expression {
  if (isTrue(left)) return right;
  if (isTrue(right)) return left;
  return { kind: 'and', type: BOOL, left, right };
}

export function either(left: Tree.Expression, right: Tree.Expression): Tree.Expression {
  if (isFalse(left)) return right;
  if (isFalse(right)) return left;
  return { kind: 'or', type: BOOL, left, right };
}

export function not(operand: Tree.Expression): Tree.Expression {
  if (operand.kind === 'constant') return operand.value === true ? FALSE : TRUE;
  if (operand.kind === 'not') return operand.operand;
  return { kind: 'not', type: BOOL, operand };
}

function isTrue(tree: Tree.Expression): boolean {
  return tree.kind === 'constant' && tree.value === true;
}

function isFalse(tree: Tree.Expression): boolean {
  return tree.kind === 'constant' && tree.value === false;
}

export function binaryTree(
  operator: Tree.BinaryOperator,
  operand: PrimitiveName,
  type: Type,
  left: Tree.Expression,
  right: Tree.Expression,
  checked = false,
): Tree.Expression {
  return { kind: 'binary', type, operator, operand, checked, left, right };
}

export function compareInt(operator: Tree.BinaryOperator, left: Tree.Expression, right: Tree.Expression) {
  return binaryTree(operator, 'int', BOOL, left, right);
}

export function intConstant(content: number): Tree.Expression {
  return constant(INT, content);
}

/** A call of a library member by key, all arguments by value. */
export function callMember(
  key: string,
  type: Type,
  receiver: Tree.Expression | null,
  values: readonly Tree.Expression[],
  typeArguments: readonly Type[] = [],
): Tree.Expression {
  return {
    kind: 'call',
    type,
    member: { key, static: receiver === null },
    receiver,
    arguments: values.map((content) => ({ mode: 'value' as const, value: content })),
    typeArguments,
  };
}

export function convertTree(
  type: Type,
  operand: Tree.Expression,
  conversion: Tree.Conversion['kind'] &
    ('box' | 'unbox' | 'wrap' | 'unwrapChecked' | 'reference' | 'identity' | 'as' | 'enum' | 'notNull'),
): Tree.Expression {
  return { kind: 'convert', type, conversion: { kind: conversion }, operand };
}

export function nullTest(operand: Tree.Expression): Tree.Expression {
  const { type } = operand;
  if (type.kind === 'nullable') return not({ kind: 'hasValue', type: BOOL, operand });
  return { kind: 'referenceEquals', type: BOOL, left: operand, right: constant({ kind: 'null' }, null) };
}

/** Evaluates something once: gives what to do first (or nothing, when reading it again costs and changes nothing) and how to read it. */
export function once(b: Binder, tree: Tree.Expression): { effects: Tree.Expression[]; read: Tree.Expression } {
  if (tree.kind === 'constant' || (tree.kind === 'local' && tree.local.name === '')) return { effects: [], read: tree };
  const local = b.temporary(tree.type);
  return { effects: [assignLocal(local, tree)], read: localTree(local) };
}

/** The value that a throw expression or anything without a value stands in for: of type `type`. */
export function throwTree(type: Type, operand: Tree.Expression): Tree.Expression {
  return { kind: 'throw', type, operand };
}

/** The constructors of a type, as what a diagnostic says about. */
export function constructorGroup(type: Type, candidates: readonly Candidate[], at: Syntax.Node): MethodGroup {
  const receiver: Bound = { kind: 'type', syntax: at, type };
  return { kind: 'methods', syntax: at, nameSpan: at, name: 'new', receiver, candidates, typeArguments: null };
}
