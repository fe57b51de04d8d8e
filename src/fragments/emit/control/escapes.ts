// What turns out while a fragment is written to live longer than where it stands. It is written anew with that known: what stays where it
// is made, as most does, needs no object.

import type { FunctionCode, Local } from '../../tree.ts';

/** Lists of edges that may be objects rather than groups of the graph. */
export const edgeObjects = 'objects of edges';

export class Escapes extends Error {
  readonly what: Local | FunctionCode | typeof edgeObjects;

  constructor(what: Local | FunctionCode | typeof edgeObjects) {
    super();
    this.what = what;
  }
}
