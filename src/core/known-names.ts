// The names that a memory has in its table: labels, edge types and property keys alike. A name that a request has misspelt is looked for
// there, for messages alone.

import { nearestOf } from '../words/nearest.ts';
import { findName } from './fragments.ts';
import type { CoreInstance } from './instance.ts';

/** Longest name, in characters or bytes, that is compared. */
const longestName = 40;
/** Names that are compared, the newest ones: a table of 40 by 40 each, so some milliseconds for all of them. */
const mostNames = 1000;
/** Keys of embeddings are hidden from reads. */
const hidden = '$embedding';

/** Whether an element has had this label, edge type or property since the graph was last erased. */
export function knowsName(core: CoreInstance, name: string): boolean {
  return findName(core, name) !== null;
}

/** The name with the fewest edits from `name`; null when none resembles it. */
export function nameLike(core: CoreInstance, name: string): string | null {
  if (name.length > longestName) return null;
  return nearestOf(name, comparedNames(core));
}

function* comparedNames(core: CoreInstance): Generator<string> {
  const { exports } = core;
  const end = exports.internCount() >>> 0;
  const begin = Math.max(exports.internFirst() >>> 0, end - mostNames);
  for (let id = begin; id < end; id++) {
    const bytes = exports.internTextBytes(id) >>> 0;
    const name = bytes > longestName ? hidden : core.text(exports.internText(id) >>> 0, bytes);
    if (!name.startsWith(hidden)) yield name;
  }
}
