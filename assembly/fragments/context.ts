// What the `context` of a fragment tells beside the query vector and its scores (traverse/semantic.ts): the name of the embedding.

import { isFailure } from './failures';
import { textCreate } from './texts';

/** The text of the embedding's name. */
let name: u32 = 0;

/** The name of the embedding, as bytes of text, before a search; false without scratch. */
export function contextNameSet(address: usize, bytes: u32): bool {
  name = textCreate(address, bytes);
  return !isFailure(name);
}

export function contextName(): u32 {
  return name;
}
