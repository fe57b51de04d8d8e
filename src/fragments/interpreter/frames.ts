// Frames: an array whose slot 0 takes the value that `return` gives and whose other slots are the locals of a running function, bare or in
// cells.

import type { Local } from '../tree.ts';
import type { Scope } from './compiler.ts';
import { defaultOf, type Value } from './values.ts';

export type Frame = Value[];

export type Run = (frame: Frame) => Value;

/** Where `return` leaves its value. */
export const RETURN_SLOT = 0;

/** Makes the locals anew: default values, in new cells where they need one. */
export function freshLocals(scope: Scope, locals: readonly Local[]): (frame: Frame) => void {
  const list = locals.map((local) => ({
    slot: scope.slotOf(local),
    celled: scope.isCelled(local),
    value: defaultOf(local.type),
  }));
  return (frame) => {
    for (const { slot, celled, value } of list) frame[slot] = celled ? { value } : value;
  };
}
