// Comparers that a fragment can name where it uses them: the default one, StringComparer's, Comparer<T>.Create's, and a Comparison<T>.

import type { Expression } from '../../tree.ts';
import type { Type } from '../../types.ts';
import { argument, type CallEmitter, receiver } from '../control/call-parts.ts';
import { type Applied, delegate } from '../control/callbacks.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { NotCompiled } from '../unsupported.ts';
import { pushEqual, pushOrder } from './equality.ts';
import { foldsCase } from './hash-tables.ts';

export type Comparer =
  | { readonly kind: 'default'; readonly folded: boolean }
  | { readonly kind: 'delegate'; readonly compare: Applied };

const createKey = 'Comparer<T>.Create(Comparison<T>)';

/** Evaluates a comparer; null is the default one. */
export function comparerOf(f: FunctionEmitter, node: Expression | null, item: Type): Comparer {
  let inner = node;
  while (inner?.kind === 'convert' && (inner.conversion.kind === 'identity' || inner.conversion.kind === 'reference')) {
    inner = inner.operand;
  }
  if (inner?.kind === 'call' && inner.member.key === createKey) return comparisonOf(f, argument(inner, 0), item);
  return { kind: 'default', folded: foldsCase(inner) };
}

/** A Comparison<T> as a comparer. */
export function comparisonOf(f: FunctionEmitter, node: Expression, item: Type): Comparer {
  return { kind: 'delegate', compare: delegate(f, node, [item, item]) };
}

/** Pushes below 0, 0 or above 0 for two values in locals; `failure` is what objects without an order throw. */
export function pushCompared(
  f: FunctionEmitter,
  comparer: Comparer,
  type: Type,
  [left, right]: readonly [number, number],
  failure: 'ArgumentException' | 'InvalidOperationException',
): void {
  if (comparer.kind === 'delegate') {
    comparer.compare.apply([left, right]);
    return;
  }
  if (comparer.folded) {
    f.code.get(left);
    f.code.get(right);
    f.core('textCompareFolded');
    return;
  }
  pushOrder(f, type, left, right, failure);
}

/** `comparer.Compare(left, right)` of a comparer that is named there. */
const compare: CallEmitter = (f, call) => {
  const type = argument(call, 0).type;
  const comparer = comparerOf(f, receiver(call), type);
  const both = [0, 1].map((index) => f.toLocal(argument(call, index)).local) as [number, number];
  pushCompared(f, comparer, type, both, 'ArgumentException');
};

const equals: CallEmitter = (f, call) => {
  if (foldsCase(receiver(call))) throw new NotCompiled('a comparer of this kind');
  const type = argument(call, 0).type;
  const [left, right] = [0, 1].map((index) => f.toLocal(argument(call, index)).local) as [number, number];
  pushEqual(f, type, left, right);
};

export const comparerCalls = (): readonly [string, CallEmitter][] => [
  ['Comparer<T>.Compare(T,T)', compare],
  ['IComparer<T>.Compare(T,T)', compare],
  ['EqualityComparer<T>.Equals(T,T)', equals],
];
