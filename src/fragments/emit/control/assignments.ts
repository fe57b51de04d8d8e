// How often a fragment assigns its variables: one that is assigned once keeps its value for as long as it can be read.

import type { BoundFragment, Local } from '../../tree.ts';

const counts = new WeakMap<BoundFragment, ReadonlyMap<Local, number>>();

/** Whether a variable is assigned at `places` places at most, and passed by reference nowhere. */
export function assignedAtMost(fragment: BoundFragment, local: Local, places: number): boolean {
  let known = counts.get(fragment);
  if (known === undefined) {
    known = count(fragment);
    counts.set(fragment, known);
  }
  return (known.get(local) ?? 0) <= places;
}

/** What leads to other functions, or to no code at all. */
const skipped = new Set(['type', 'test', 'local', 'locals', 'member', 'parameters', 'captures', 'declares', 'item']);

function count(fragment: BoundFragment): Map<Local, number> {
  const found = new Map<Local, number>();
  const pending: unknown[] = [fragment.body];
  const add = (target: unknown, weight: number): void => {
    const { kind, local } = target as { kind: string; local?: Local };
    if (kind === 'local' && local !== undefined) found.set(local, (found.get(local) ?? 0) + weight);
  };
  while (pending.length > 0) {
    const node = pending.pop();
    if (Array.isArray(node)) {
      for (const part of node) pending.push(part);
      continue;
    }
    if (typeof node !== 'object' || node === null) continue;
    const { kind, mode, target } = node as { kind?: string; mode?: string; target?: unknown };
    if (kind === 'assign') add(target, 1);
    else if (mode !== undefined && mode !== 'value') add(target, 2);
    for (const [key, part] of Object.entries(node)) {
      // A local function's code hangs from the statement that declares it.
      if (!skipped.has(key) && (key !== 'function' || kind === 'localFunction')) pending.push(part);
    }
  }
  return found;
}
