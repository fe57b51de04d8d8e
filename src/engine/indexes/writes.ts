// Which transactions are those of indexes.

import type { WriteOperation } from '../../core/requests.ts';

const kinds: ReadonlySet<WriteOperation['kind']> = new Set([
  'createIndex',
  'dropIndex',
  'clearIndex',
  'addToIndex',
  'removeFromIndex',
  'removeIndexKey',
]);

/** Index operations stand in transactions of their own. */
export function isIndexWrite(operations: readonly WriteOperation[]): boolean {
  const [first] = operations;
  return first !== undefined && kinds.has(first.kind);
}
