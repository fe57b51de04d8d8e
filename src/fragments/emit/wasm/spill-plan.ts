// What the pass over a module's functions (spills.ts) has to know of the module.

import type { Signature } from './module-writer.ts';
import type { ValueType } from './opcodes.ts';

export interface SpillPlan {
  /** Of the functions of the module as calls number them. */
  readonly signatureOf: (target: number) => Signature;
  readonly globalType: (index: number) => ValueType;
  /** Behind a call of it there may be a collection. */
  readonly mayCollect: (target: number) => boolean;
  /** A loop with a call of it may want a collection. */
  readonly allocates: (target: number) => boolean;
  /** Numbers of the globals: the control block, the end of the stack. */
  readonly control: number;
  readonly sp: number;
  /** Calls the collection with the end of the stack, an operand. */
  readonly collect: number;
  /** End the search: the stack, or the memory, is too small. */
  readonly tooDeep: number;
  readonly full: number;
  /** Behind a call of it a run begins. */
  readonly enter: number;
  readonly begin: number;
  /** Makes the control block. */
  readonly prepare: number;
  /** Bytes that the collection itself stores behind the frame. */
  readonly beyond: number;
}
