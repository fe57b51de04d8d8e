// The names that a memory has in its table: labels, edge types and property keys alike.

import { findName } from './fragments.ts';
import type { CoreInstance } from './instance.ts';

/** Longest name that is listed, in bytes, and names that are listed at most, the newest ones. */
const [longestName, mostNames] = [40, 1000];
/** Keys of embeddings are hidden from reads. */
const hidden = '$embedding';

/** Whether an element has had this label, edge type or property since the graph was last erased. */
export function knowsName(core: CoreInstance, name: string): boolean {
  return findName(core, name) !== null;
}

/** Names that a misspelt one may mean. Two calls each. */
export function listedNames(core: CoreInstance): string[] {
  const { exports } = core;
  const end = exports.internCount() >>> 0;
  const names: string[] = [];
  for (let id = Math.max(exports.internFirst() >>> 0, end - mostNames); id < end; id++) {
    const bytes = exports.internTextBytes(id) >>> 0;
    const name = bytes > longestName ? hidden : core.text(exports.internText(id) >>> 0, bytes);
    if (!name.startsWith(hidden)) names.push(name);
  }
  return names;
}
