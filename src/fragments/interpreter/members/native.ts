// The form in which library members are implemented: JavaScript functions of the receiver (when there is one) and the arguments.
// `out` and `ref` arguments come as cells. Members that must know the static types at their call (to format an item of a
// sequence, to box, to make a list of the right type) are bound to the place first.

import type { Type } from '../../types.ts';
import type { Value } from '../values.ts';

export type Native = (...values: Value[]) => Value;

/** What the tree says at the place of a call. */
export interface Site {
  readonly receiver: Type | null;
  readonly arguments: readonly Type[];
  readonly typeArguments: readonly Type[];
  readonly result: Type;
}

/** A member whose implementation depends on the types at its place. */
export class SiteNative {
  readonly bind: (site: Site) => Native;

  constructor(bind: (site: Site) => Native) {
    this.bind = bind;
  }
}

export function bySite(bind: (site: Site) => Native): SiteNative {
  return new SiteNative(bind);
}

/** Implementations by the keys that `tree.ts` describes. */
export type MemberTable = Readonly<Record<string, Native | SiteNative>>;
