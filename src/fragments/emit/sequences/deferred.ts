// Expressions that are not evaluated where they stand: chains that are gone over later, and what a member is handed to call or to compare by.

import type { Expression } from '../../tree.ts';
import { lambdaOf } from '../control/callbacks.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { sequenceMember } from './steps.ts';

export const bare = (node: Expression): Expression =>
  node.kind === 'convert' && node.conversion.kind === 'identity' ? bare(node.operand) : node;

/** What is part of a query rather than evaluated for it: functions, and comparers, which are told by their names. */
export function stays(node: Expression): boolean {
  const inner = bare(node);
  if (lambdaOf(inner) !== null || inner.kind === 'delegateOfLocal') return true;
  if (inner.kind === 'delegateOf') return inner.receiver === null;
  if (inner.kind === 'constant' || inner.kind === 'default' || inner.type.kind === 'null') return true;
  return inner.kind === 'call' && /^(StringComparer|(Equality)?Comparer<T>)\./.test(inner.member.key);
}

export const isNull = (node: Expression): boolean =>
  node.type.kind === 'null' || node.kind === 'default' || (node.kind === 'constant' && node.value === null);

/** Conversions that leave a sequence what it is. */
export function strip(f: FunctionEmitter, node: Expression): Expression {
  let inner = node;
  while (inner.kind === 'convert') {
    const { kind } = inner.conversion;
    if (kind !== 'identity' && kind !== 'reference' && kind !== 'as') break;
    if (kind !== 'identity' && !isNull(inner.operand) && !f.module.types.isUpcast(inner.operand.type, inner.type))
      break;
    inner = inner.operand;
  }
  return inner;
}

/** Whether an expression gives a sequence that is a description rather than an object. */
export function isDeferred(f: FunctionEmitter, node: Expression): boolean {
  const inner = strip(f, node);
  switch (inner.kind) {
    case 'call':
      return sequenceMember(inner.member.key) !== undefined;
    case 'local':
      return f.sequences.has(inner.local);
    case 'sequence':
      return isDeferred(f, inner.value);
    case 'conditional':
      return [inner.whenTrue, inner.whenFalse].some((side) => isDeferred(f, side));
    default:
      return false;
  }
}
