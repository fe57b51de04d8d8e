// What the items of an array of any rank are, and what names one of them.

import type { Expression } from '../../tree.ts';
import type { Type } from '../../types.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { representation } from '../representation.ts';
import { NotCompiled } from '../unsupported.ts';
import { i32, i64, parametric } from '../wasm/opcodes.ts';

/** What an array of any rank holds. */
export function elementOf(type: Type): Type {
  return (type as Type & { kind: 'array' }).element;
}

export function rankOf(type: Type): number {
  if (type.kind !== 'array') throw new NotCompiled('an array of any rank');
  return type.rank;
}

/** An item of an array: the array and its index in locals, checked. */
export interface ItemPlace {
  readonly array: number;
  readonly index: number;
  readonly item: Type;
}

/** An array and the indices of one of its items in locals. */
export interface ItemParts {
  readonly array: number;
  readonly indices: readonly number[];
  readonly item: Type;
}

/** An index of any integer type in a local, as an i32; what does not fit there is -1. */
export function pushIndex(f: FunctionEmitter, node: Expression): number {
  const { code } = f;
  f.expression(node);
  const index = code.local('i32');
  if (representation(node.type) === 'i64') {
    const wide = code.borrow('i64');
    code.set(wide);
    code.get(wide);
    code.op(i32.wrapI64);
    code.i32(-1);
    code.get(wide);
    code.i64(0x7fffffffn);
    code.op(i64.leU, parametric.select);
    code.release('i64', wide);
  }
  code.set(index);
  return index;
}
